"""The parts of a scenario that are no models: files, processes, drives of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from seekahead._parts import Part, Workload, plain
from seekahead.workloads import Operation
from seekahead.workloads import Workload as PythonWorkload


@dataclass(frozen=True)
class Drive(Part):
    """A [[device]] that is a drive of the catalogue (:func:`seekahead.drives`) or of a drive file.

    Parameters
    ----------
    name : str
        By which files and other devices refer to it.
    drive : str
        Id of the catalogue or path of a drive file.
    max_readahead, read_ahead_kb, setra : int, optional
        Readahead limit of files on this device, in pages, KiB or sectors: at most one of them.
    host_turnaround : str, optional
        Time from the end of a transfer to the next command reaching the drive.
    changes : mapping, optional
        Single values of the drive to replace: ``{"bus": {"mode": "udma2"}, "cache": {"segments": 4}}``.
    """

    name: str
    drive: str
    _: KW_ONLY
    max_readahead: int | None = None
    read_ahead_kb: int | None = None
    setra: int | None = None
    host_turnaround: str | None = None
    changes: Mapping[str, Any] | None = None

    def toml_table(self) -> dict[str, Any]:
        """The fields that are given and the changes beside them."""
        table = super().toml_table()
        changes = table.pop("changes", {})
        return {**table, **changes}


@dataclass(frozen=True)
class File(Part):
    """A [[file]]: contiguous, in whole pages. Without a place it begins where the one before it ends.

    Parameters
    ----------
    name : str
        By which processes refer to it.
    size : str
        With unit: ``"512 MiB"``.
    device : str, optional
        Need not be given when there is only one.
    position : str, optional
        Begins at this share of the device: ``"40 %"``.
    sector : int, optional
        Begins at this sector.
    after : str, optional
        Begins behind this file (without it, the one before).
    distance : str, optional
        Free space in front of it: ``"0.3 GB"``.
    """

    name: str
    size: str
    _: KW_ONLY
    device: str | None = None
    position: str | None = None
    sector: int | None = None
    after: str | None = None
    distance: str | None = None


@dataclass(frozen=True)
class Process(Part):
    """A [[process]].

    Parameters
    ----------
    name : str
        By which results refer to it.
    workload : Workload, str, class or function
        What it does: an object of :mod:`seekahead.workload`, the name of a workload, or one that is written in
        Python (:class:`seekahead.Workload`).
    files : sequence of str
        Names of files, in the order that the workload wants.
    count : int, optional
        Makes copies NAME.0, NAME.1, ...
    start : str, optional
        When it starts: ``"2 s"``.
    command : str, optional
        Command name in the kernel's log.
    pid : int, optional
        Number in the kernel's log.
    parameters : mapping, optional
        Parameters of a workload that is given by name or written in Python.
    """

    name: str
    workload: Workload | str | type[PythonWorkload] | Callable[..., Iterable[Operation]]
    files: Sequence[str]
    _: KW_ONLY
    count: int | None = None
    start: str | None = None
    command: str | None = None
    pid: int | None = None
    parameters: Mapping[str, Any] | None = None

    def toml_table(self) -> dict[str, Any]:
        """The fields that are given, the workload's parameters beside them."""
        table = super().toml_table()
        table.update(table.pop("parameters", {}))
        if isinstance(self.workload, Workload):
            table.update(plain(self.workload))
        elif not isinstance(self.workload, str):
            table["workload"] = self.workload.__name__
        return table
