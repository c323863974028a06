"""The tables that a run records, row by row as the simulator writes them (packed, little endian).

Columns that index a list of names (device, process, file, call, window_class) refer to ``Result.names``.
"""

from __future__ import annotations

from typing import Any

TABLES: dict[str, list[tuple[str, str]]] = {
    # One row a completed request, in order of completion. cylinder and head: where the arm was then, -1 without
    # mechanics.
    "requests": [
        *((f"{name}_ns", "<i8") for name in ("queued", "started", "completed")),
        *((f"{name}_ns", "<i8") for name in ("seek", "rotation", "transfer", "bus", "overhead")),
        ("sector", "<u8"),
        ("sectors", "<u4"),
        ("cylinder", "<i4"),
        ("head", "<i4"),
        ("device", "<u2"),
        ("is_read", "u1"),
        ("cache_hit", "u1"),
    ],
    # One row a submission of a readahead policy. marker: page that got the marker, -1 none; demand_pages: how many
    # of the pages lie in what the process's present call asks for.
    "windows": [
        ("time_ns", "<i8"),
        ("start", "<u8"),
        ("marker", "<i8"),
        ("file_position", "<u8"),
        ("pages", "<u4"),
        ("pages_read", "<u4"),
        ("async_pages", "<u4"),
        ("demand_pages", "<u4"),
        ("process", "<u2"),
        ("device", "<u2"),
        ("file", "<u2"),
        ("window_class", "u1"),
        ("reserved", "u1"),
    ],
    # One row a system call or page fault.
    "calls": [
        ("start_ns", "<i8"),
        ("end_ns", "<i8"),
        ("position", "<u8"),
        ("bytes", "<u8"),
        ("process", "<u2"),
        ("file", "<u2"),
        ("call", "u1"),
        ("reserved", "V3"),
    ],
    # One row whenever a request is queued, started or completed; bytes of that device so far, requests that wait or
    # are served.
    "timeline": [
        ("time_ns", "<i8"),
        ("read_bytes", "<u8"),
        ("written_bytes", "<u8"),
        ("cached_pages", "<u4"),
        ("dirty_pages", "<u4"),
        ("cylinder", "<i4"),
        ("queue_depth", "<u4"),
        ("device", "<u2"),
        ("reserved", "V2"),
    ],
    # Pages cached when the run ends; state: 1 present, 2 up to date, 4 marker, 8 referenced, 16 active.
    "cache": [("page", "<u8"), ("file", "<u2"), ("state", "u1"), ("reserved", "V5")],
}

NAMED_COLUMNS: dict[str, str] = {
    "device": "devices",
    "process": "processes",
    "file": "files",
    "call": "calls",
    "window_class": "classes",
}
"""Columns that index a list of names, with the name of that list."""


def dtype_of(table: str) -> Any:
    """The numpy dtype of a row."""
    import numpy as np

    return np.dtype(TABLES[table])
