"""A run made of a few rows written by hand, so that what a plot must show is known beforehand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from seekahead.errors import NotRecorded
from seekahead.tables import dtype_of

MS = 1_000_000
DISK_TOML = """
[[device]]
name = "hda"
model = "disk"
[device.geometry]
zones = [
  { first_cylinder = 0, last_cylinder = 499, sectors_per_track = 200 },
  { first_cylinder = 500, last_cylinder = 999, sectors_per_track = 100 },
]
[device.mechanics]
rpm = 6000.0

[[device]]
name = "flash"
model = "flash"
"""


def rows(table: str, *entries: dict[str, Any]) -> np.ndarray[Any, Any]:
    """Rows of a table; what an entry does not name is 0."""
    made = np.zeros(len(entries), dtype=dtype_of(table))
    for row, entry in zip(made, entries, strict=True):
        for name, value in entry.items():
            row[name] = value
    return made


@dataclass(frozen=True)
class FakeScenario:
    text: str

    def effective(self) -> str:
        return self.text


@dataclass(frozen=True)
class FakeRun:
    """Has what plots ask of a Result; a table that is not given was not recorded."""

    tables: dict[str, Any]
    files: tuple[tuple[str, int], ...] = (("a", 1 << 20), ("b", 1 << 20))
    processes: tuple[str, ...] = ("cp", "diff")
    title: str = "made by hand"
    scenario: FakeScenario = field(default=FakeScenario(DISK_TOML))

    @property
    def data(self) -> dict[str, Any]:
        return {"files": [{"name": name, "size_bytes": size} for name, size in self.files]}

    @property
    def names(self) -> dict[str, list[str]]:
        return {
            "devices": ["hda", "flash"],
            "processes": list(self.processes),
            "files": [name for name, _ in self.files],
            "calls": ["read"],
            "classes": ["page"],
        }

    def __getattr__(self, name: str) -> Any:
        if name not in ("requests", "windows", "calls", "timeline", "cache"):
            raise AttributeError(name)
        if name not in self.tables:
            raise NotRecorded(name)
        return self.tables[name]


def run(**tables: Any) -> FakeRun:
    return FakeRun(tables)


def request(queued_ms: float, started_ms: float, completed_ms: float, **more: Any) -> dict[str, Any]:
    """A read of 8 KiB on hda, its times in ms; parts of the service as seek_ms=..."""
    entry: dict[str, Any] = {"sectors": 16, "is_read": 1, "cylinder": -1, "head": -1}
    for name, value in {
        "queued_ms": queued_ms, "started_ms": started_ms, "completed_ms": completed_ms, **more,
    }.items():  # fmt: skip
        if name.endswith("_ms"):
            entry[name.removesuffix("_ms") + "_ns"] = round(value * MS)
        else:
            entry[name] = value
    return entry
