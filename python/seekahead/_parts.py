"""What the typed parts of a scenario have in common: each is a table of a scenario file.

A field that is None is not written, so the simulator's own default holds. Values are checked when the scenario is
made, by the same rules and with the same messages as in a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar


@dataclass(frozen=True, kw_only=True)
class Part:
    """A table of a scenario."""

    def toml_table(self) -> dict[str, Any]:
        """The fields that are given, by the names of the scenario file."""
        given = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: plain(value) for name, value in given if value is not None}


@dataclass(frozen=True, kw_only=True)
class Model(Part):
    """A table that names a model and holds the model's parameters."""

    model_name: ClassVar[str]
    model_key: ClassVar[str]

    def toml_table(self) -> dict[str, Any]:
        """The name of the model, then the fields that are given."""
        return {self.model_key: self.model_name, **super().toml_table()}

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value}" for name, value in self.toml_table().items() if name != self.model_key)
        return f"{self.model_name} ({given})" if given else self.model_name


@dataclass(frozen=True, kw_only=True)
class Policy(Model):
    """The table [readahead]: a policy, its parameters, and the limit of all devices that give none themselves.

    Parameters
    ----------
    max_readahead : int, optional
        Largest window, in pages of 4 KiB.
    read_ahead_kb : int, optional
        The same in KiB.
    setra : int, optional
        The same in sectors of 512 bytes. At most one of the three.
    """

    model_key: ClassVar[str] = "policy"
    max_readahead: int | None = None
    read_ahead_kb: int | None = None
    setra: int | None = None


@dataclass(frozen=True, kw_only=True)
class Elevator(Model):
    """An elevator with its parameters; it stands in [block]."""

    model_key: ClassVar[str] = "elevator"


@dataclass(frozen=True, kw_only=True)
class Device(Model):
    """A [[device]].

    Parameters
    ----------
    name : str
        By which files and other devices refer to it.
    max_readahead, read_ahead_kb, setra : int, optional
        Readahead limit of files on this device, in pages, KiB or sectors: at most one of them.
    host_turnaround : str, optional
        Time from the end of a transfer to the next command reaching the drive.
    """

    model_key: ClassVar[str] = "model"
    name: str
    max_readahead: int | None = None
    read_ahead_kb: int | None = None
    setra: int | None = None
    host_turnaround: str | None = None


@dataclass(frozen=True, kw_only=True)
class Workload(Model):
    """What a process does."""

    model_key: ClassVar[str] = "workload"


def plain(value: Any) -> Any:
    """Parts inside a value as plain tables."""
    if isinstance(value, Part):
        return value.toml_table()
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(item) for item in value]
    return value
