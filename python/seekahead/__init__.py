"""seekahead: a discrete-event simulator of storage I/O and readahead.

>>> import seekahead as sx
>>> result = sx.Scenario.example("lessons/two-files").run()
>>> result.summary["throughput_mb_s"] > 10
True

Sizes, times and rates are written with their unit, as in scenario files: ``"128 KiB"``, ``"8.5 ms"``. MB/s is
10^6 bytes a second. Times are simulated unless they are called wall time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seekahead import device, elevator, readahead, workload
from seekahead._declarations import parameter
from seekahead._library import version as __version__
from seekahead._store import clear_cache
from seekahead.best import BestReadAhead, best_read_ahead
from seekahead.decisions import Decision, decide, explain
from seekahead.errors import (
    CaseError,
    Error,
    Interrupted,
    MissingPackage,
    NotRecorded,
    Problem,
    ScenarioError,
    SimulationError,
)
from seekahead.panel import panel
from seekahead.parts import Drive, File, Process
from seekahead.policies import PageCacheView, ReadaheadPolicy
from seekahead.result import Result
from seekahead.scenario import Scenario
from seekahead.sections import Block, Machine, Writeback
from seekahead.sweeps import sweep
from seekahead.tools import Calibration, calibrate, compare, drives, models, replay
from seekahead.workloads import (
    Operation,
    Random,
    RunningProcess,
    Workload,
    close,
    compute,
    fadvise,
    fault,
    file_size,
    fsync,
    madvise,
    read,
    sleep,
    write,
)
from seekahead.workloads import (
    exec as exec,
)
from seekahead.workloads import (
    open as open,
)

if TYPE_CHECKING:
    from seekahead import plots

# Without open and exec: `from seekahead import *` must leave Python's own in place.
__all__ = [
    "BestReadAhead",
    "Block",
    "Calibration",
    "CaseError",
    "Decision",
    "Drive",
    "Error",
    "File",
    "Interrupted",
    "Machine",
    "MissingPackage",
    "NotRecorded",
    "Operation",
    "PageCacheView",
    "Problem",
    "Process",
    "Random",
    "ReadaheadPolicy",
    "Result",
    "RunningProcess",
    "Scenario",
    "ScenarioError",
    "SimulationError",
    "Workload",
    "Writeback",
    "__version__",
    "best_read_ahead",
    "calibrate",
    "clear_cache",
    "close",
    "compare",
    "compute",
    "decide",
    "device",
    "drives",
    "elevator",
    "explain",
    "fadvise",
    "fault",
    "file_size",
    "fsync",
    "madvise",
    "models",
    "panel",
    "parameter",
    "plots",
    "read",
    "readahead",
    "replay",
    "sleep",
    "sweep",
    "workload",
    "write",
]


def __getattr__(name: str) -> Any:
    """Imports what needs numpy when it is first used: the processes that only run simulations never do."""
    if name == "plots":
        from importlib import import_module

        return import_module("seekahead.plots")
    raise AttributeError(f"module 'seekahead' has no attribute {name!r}")
