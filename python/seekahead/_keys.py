"""Short names of keys: ``read_ahead_kb`` for ``readahead.read_ahead_kb``."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from seekahead._library import models_of

_HEADING = ("title", "source", "seed", "duration")
_LIMITS = ("policy", "max_readahead", "read_ahead_kb", "setra")


@lru_cache(maxsize=1)
def short_names() -> dict[str, tuple[str, ...]]:
    """Every key of a section that exists once, without the section; with the paths it may stand for."""
    described: dict[str, Any] = models_of().describe()
    names: dict[str, set[str]] = {}

    def add(section: str, keys: Any) -> None:
        for key in keys:
            names.setdefault(key, set()).add(f"{section}.{key}")

    add("scenario", _HEADING)
    add("readahead", _LIMITS)
    add("block", ("elevator",))
    for section, entry in described["section"].items():
        add(section, (row["name"] for row in entry["parameters"]))
    for kind, section in (("readahead", "readahead"), ("elevator", "block")):
        for entry in described[kind].values():
            add(section, (row["name"] for row in entry["parameters"]))
    return {name: tuple(sorted(paths)) for name, paths in names.items()}


def full_key(name: str, more: Mapping[str, str] | None = None) -> str:
    """The path that a short name stands for; names with a dot are paths already. ``more``: other short names.

    Raises
    ------
    TypeError
        There is no such key, or it stands for several; the message names them.

    >>> full_key("read_ahead_kb"), full_key("device.hda.cache.segments")
    ('readahead.read_ahead_kb', 'device.hda.cache.segments')
    """
    if "." in name or name in ("readahead", "machine", "block", "writeback"):
        return name
    paths = tuple({*short_names().get(name, ()), *(path for short, path in (more or {}).items() if short == name)})
    if len(paths) == 1:
        return paths[0]
    if paths:
        meant = " or ".join(f'{{"{path}": ...}}' for path in paths)
        raise TypeError(f"{name!r} stands for several keys: write {meant}")
    near = difflib.get_close_matches(name, [*short_names(), *(more or {})], 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise TypeError(
        f"unknown key {name!r}{hint} Keys inside devices, files and processes are written with their path: "
        '{"device.hda.cache.segments": 4}'
    )
