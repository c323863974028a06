"""Elevators, as [block] of a scenario names them.

Written by tools/write_python_models from the registry; a test keeps it true.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from seekahead._parts import Elevator

__all__ = [
    "Deadline",
    "Linus",
    "Noop",
]


@dataclass(frozen=True, kw_only=True)
class Linus(Elevator):
    """One ascending sweep with a limit on overtaking (Linux 2.4).

    Source: Linux 2.4.5.

    Parameters
    ----------
    read_passes : a whole number
        Sectors and buffers that may overtake a read. default 8192; allowed 0 to 1000000000; source: 2.4.5: 8192;
        2.4.0: 1000000; 2.4.22: 128.
    write_passes : a whole number
        Sectors and buffers that may overtake a write. default 16384; allowed 0 to 1000000000; source: 2.4.5: 16384;
        2.4.0: 2000000; 2.4.22: 512.
    """

    model_name: ClassVar[str] = "linus"
    read_passes: int | None = None
    write_passes: int | None = None


@dataclass(frozen=True, kw_only=True)
class Noop(Elevator):
    """First in, first out, with merging (Linux 2.6).

    Source: Linux 2.6.8."""

    model_name: ClassVar[str] = "noop"


@dataclass(frozen=True, kw_only=True)
class Deadline(Elevator):
    """Sorted batches with expiry, reads preferred (Linux 2.6).

    Source: Linux 2.6.8.

    Parameters
    ----------
    read_expire : a time as in "8.5 ms"
        A read older than this goes first. default "500 ms"; allowed 0 s to 1000 s; source: Linux 2.6.8.
    write_expire : a time as in "8.5 ms"
        A write older than this goes first. default "5 s"; allowed 0 s to 1000 s; source: Linux 2.6.8.
    writes_starved : a whole number
        Batches of reads before writes get their turn. default 2; allowed 1 to 1000000; source: Linux 2.6.8.
    fifo_batch : a whole number
        Contiguous requests dispatched before expiry is looked at. default 16; allowed 1 to 1000000; source: Linux
        2.6.8.
    front_merges : true or false
        A bio may be put in front of a waiting request. default true; source: Linux 2.6.8.
    """

    model_name: ClassVar[str] = "deadline"
    read_expire: str | None = None
    write_expire: str | None = None
    writes_starved: int | None = None
    fifo_batch: int | None = None
    front_merges: bool | None = None
