"""Axes of a sweep: from what the user writes to keys and TOML values of the scenario, and back to labels."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seekahead._parts import Model, Part, plain
from seekahead.toml_values import toml_value

if TYPE_CHECKING:
    from seekahead.scenario import Scenario


@dataclass(frozen=True)
class Axis:
    """One axis: its column, the key it sets, and for each value its TOML and its label."""

    column: str
    key: str
    values: tuple[str, ...]
    labels: tuple[Any, ...]

    def label_of(self, value: Any) -> Any:
        """The label of a value that the simulator gives back."""
        for text, label in zip(self.values, self.labels, strict=True):
            if parsed(text) == value:
                return label
        return plain_label(value)


def parsed(text: str) -> Any:
    """The value that a piece of TOML stands for."""
    return tomllib.loads(f"value = {text}")["value"]


def plain_label(value: Any) -> Any:
    """A value as it stands in a cell: of a table, its values.

    >>> plain_label({"policy": "adaptive", "kernel": "v15"})
    'adaptive v15'
    """
    return " ".join(str(item) for item in value.values()) if isinstance(value, Mapping) else value


def read_axes(scenario: Scenario, axes: Mapping[str, Any]) -> tuple[Scenario, list[Axis]]:
    """The axes, and the scenario that knows the Python models among their values.

    Raises
    ------
    TypeError, ValueError
        A name is no key, or an axis is empty or no list.
    """
    result = []
    for column, values in axes.items():
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise TypeError(f"{column}: an axis is a list of values, not {values!r}")
        entries = list(values)
        if not entries:
            raise ValueError(f"{column}: an axis needs at least one value")
        key = scenario._full_key(column)
        scenario, plain_entries = scenario._plain_values(key, entries)
        if any(isinstance(entry, Model) for entry in entries):
            key, name = key.rsplit(".", 1)  # a model with its parameters is the table around its name
            plain_entries = [entry if isinstance(entry, Part) else {name: entry} for entry in plain_entries]
        texts = tuple(toml_value(plain(entry)) for entry in plain_entries)
        labels = tuple(_label(entry, as_plain) for entry, as_plain in zip(entries, plain_entries, strict=True))
        result.append(Axis(column, key, texts, labels))
    return scenario, result


def own_axes(scenario: Scenario) -> list[Axis]:
    """The axes of the scenario's own sweep; columns are named by the last part of their key where that is enough."""
    keys = list(scenario.points[0])
    last = [key.rsplit(".", 1)[-1] for key in keys]
    return [
        Axis(short if last.count(short) == 1 else key, key, (), ()) for key, short in zip(keys, last, strict=True)
    ]


def _label(entry: Any, as_plain: Any) -> Any:
    if isinstance(entry, Model):
        return str(entry)
    if isinstance(entry, type):
        return entry.__name__
    return plain_label(as_plain)
