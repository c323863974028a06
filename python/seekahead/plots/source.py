"""What the plots need of a finished run: a :class:`seekahead.Result` has it, and so has a test's fake."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from seekahead.errors import Error

Table = npt.NDArray[Any]  # structured: one row an event, its columns named in the reference of Result
Numbers = npt.NDArray[np.float64]

PAGE_BYTES = 4096
SECTOR_BYTES = 512
KIB = 1024
MIB = 1 << 20
NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000


class Run(Protocol):
    """A finished run, as far as plots look at it."""

    @property
    def title(self) -> str: ...
    @property
    def data(self) -> Mapping[str, Any]: ...
    @property
    def names(self) -> Mapping[str, Sequence[str]]: ...
    @property
    def requests(self) -> Table: ...
    @property
    def windows(self) -> Table: ...
    @property
    def calls(self) -> Table: ...
    @property
    def timeline(self) -> Table: ...
    @property
    def cache(self) -> Table: ...


class RunPlots:
    """What the families of plots have in common: the run they draw."""

    def __init__(self, run: Run) -> None:
        self._run = run


def name_index(run: Run, kind: str, name: str) -> int:
    """The number that stands for ``name`` in the columns of the tables.

    Raises
    ------
    seekahead.Error
        If there is none of that name; the message lists those there are.
    """
    names = list(run.names[kind])
    if name not in names:
        raise Error(f"there is no {kind.rstrip('s')} {name!r} in this run; there are: {', '.join(names)}")
    return names.index(name)


def by_name(run: Run, kind: str, present: Iterable[int]) -> list[int]:
    """The numbers ordered by what they stand for, "file-2" before "file-10"."""
    names = run.names[kind]
    pieces = {which: re.split(r"(\d+)", names[which]) for which in map(int, present)}
    return sorted(pieces, key=lambda which: [(int(p), "") if p.isdigit() else (-1, p) for p in pieces[which]])


def between(times_ns: Table, start_ms: float, duration_ms: float | None) -> npt.NDArray[np.bool_]:
    """Which of the moments lie in the stretch of time; a duration of None has no end."""
    after: npt.NDArray[np.bool_] = times_ns >= start_ms * NS_PER_MS
    if duration_ms is None:
        return after
    return after & (times_ns <= (start_ms + duration_ms) * NS_PER_MS)


def nothing_to_draw(what: str, hint: str = "") -> Error:
    """The error of a plot that would be empty."""
    return Error(f"nothing to draw: {what}" + (f" ({hint})" if hint else ""))
