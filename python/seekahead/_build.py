"""From typed parts to the text of a scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from seekahead._parts import Elevator, Part, plain
from seekahead.toml_values import toml_key, toml_value


def table_text(heading: str, table: Mapping[str, Any]) -> str:
    """A table of a scenario file, a key a line; tables inside stand on their line.

    >>> print(table_text("[machine]", {"memory": "64 MiB", "cores": 1}), end="")
    [machine]
    memory = "64 MiB"
    cores = 1
    """
    return "".join([f"{heading}\n", *(f"{toml_key(key)} = {toml_value(value)}\n" for key, value in table.items())])


def scenario_text(
    heading: Mapping[str, Any],
    sections: Mapping[str, Part | Mapping[str, Any] | None],
    lists: Mapping[str, Iterable[Part | Mapping[str, Any]]],
    elevator: Elevator | str | None,
    sweep: Mapping[str, Any] | None,
) -> str:
    """The text of a whole scenario."""
    tables = {name: dict(plain(part)) for name, part in sections.items() if part is not None}
    if elevator is not None:
        chosen = {"elevator": elevator} if isinstance(elevator, str) else plain(elevator)
        tables.setdefault("block", {}).update(chosen)
    parts = [table_text("[scenario]", {key: value for key, value in heading.items() if value is not None})]
    parts += [table_text(f"[{name}]", table) for name, table in tables.items()]
    parts += [table_text(f"[[{name}]]", plain(part)) for name, entries in lists.items() for part in entries]
    if sweep:
        parts.append(table_text("[sweep]", plain(sweep)))
    return "\n".join(parts)
