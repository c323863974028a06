"""What a run gave."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, cast

from seekahead.errors import MissingPackage, NotRecorded
from seekahead.tables import NAMED_COLUMNS, TABLES, dtype_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from matplotlib.animation import FuncAnimation

    from seekahead.plots import ResultPlots
    from seekahead.scenario import Scenario

    Table = np.ndarray[Any, np.dtype[np.void]]

_LISTS = {"process": "processes", "group": "process_groups", "device": "devices", "file": "files"}


class Result:
    """What a run gave; it cannot be changed, and it can be pickled.

    Attributes
    ----------
    json_text : str
        The result exactly as ``seekahead run --json`` prints it.
    scenario : Scenario
        What was run.
    wall_s : float
        Seconds of wall time that it took, with the start of its process.
    """

    __slots__ = ("__dict__", "_blob", "json_text", "scenario", "wall_s")

    json_text: str
    scenario: Scenario
    wall_s: float
    _blob: Any

    def __init__(self, json_text: str, scenario: Scenario, blob: Any, wall_s: float) -> None:
        put = object.__setattr__
        put(self, "json_text", json_text)
        put(self, "scenario", scenario)
        put(self, "_blob", blob)
        put(self, "wall_s", wall_s)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Result cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Result cannot be changed: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        blob = None if self._blob is None else bytes(self._blob)
        return (Result, (self.json_text, self.scenario, blob, self.wall_s))

    # --- figures

    @cached_property
    def data(self) -> dict[str, Any]:
        """The result as nested dictionaries; units stand in the names of the keys."""
        return cast("dict[str, Any]", json.loads(self.json_text))

    def to_json(self) -> str:
        """The result exactly as ``seekahead run --json`` prints it."""
        return self.json_text

    @property
    def title(self) -> str:
        """Title of the scenario."""
        return cast(str, self.data["scenario"])

    @property
    def seed(self) -> int:
        """Seed of all random numbers."""
        return cast(int, self.data["seed"])

    @property
    def version(self) -> str:
        """Version of the simulator."""
        return cast(str, self.data["version"])

    def __getitem__(self, path: str) -> Any:
        """The value at a path as in [[expect]].

        Raises
        ------
        KeyError
            There is none; the message names what stands at the last part that exists.
        """
        return _look_up(self.data, path)

    @cached_property
    def summary(self) -> dict[str, float]:
        """The figures that most people look at.

        Throughput and latency are those of all processes together; ``hit_ratio`` is the share of the pages read from
        the devices that somebody used.
        """
        total, pages = self.data["total"], self.data["readahead"]["total"]
        read = pages["pages_read"]
        return {
            "throughput_mb_s": total["throughput_mb_s"],
            "elapsed_s": total["elapsed_s"],
            "mb_read": total["bytes_read"] / 1e6,
            "mb_written": total["bytes_written"] / 1e6,
            "mean_ms": total["latency_ms"]["mean"],
            "p50_ms": total["latency_ms"]["p50"],
            "p99_ms": total["latency_ms"]["p99"],
            "max_ms": total["latency_ms"]["max"],
            "hit_ratio": pages["pages_hit"] / read if read else 0.0,
            "requests": sum(device["requests"] for device in self.data["devices"]),
            "utilisation": max((device["utilisation"] for device in self.data["devices"]), default=0.0),
            "simulated_s": self.data["simulated_s"],
        }

    # --- tables

    @cached_property
    def _header(self) -> dict[str, Any]:
        if self._blob is None:
            return {"tables": {}, "names": {}}
        end = self._blob.find(b"\n") if hasattr(self._blob, "find") else 0
        return cast("dict[str, Any]", json.loads(self._blob[:end]))

    @property
    def names(self) -> Mapping[str, list[str]]:
        """Names that the integer columns of tables index: devices, processes, files, calls, classes."""
        return cast("dict[str, list[str]]", self._header["names"])

    @property
    def truncated(self) -> tuple[str, ...]:
        """Tables that have more rows than ``record_limit`` allowed."""
        return tuple(name for name, table in self._header["tables"].items() if table["truncated"])

    def _table(self, name: str) -> Table:
        import numpy as np

        if name not in self._header["tables"]:
            raise NotRecorded(f"the run did not keep {name!r}: run it with record=True or record={{{name!r}}}")
        place = self._header["tables"][name]
        rows = np.frombuffer(self._blob, dtype_of(name), place["rows"], place["offset"])
        return cast("Table", rows)

    @cached_property
    def requests(self) -> Table:
        """Completed requests of the devices, in order of completion (:data:`seekahead.tables.TABLES`)."""
        return self._table("requests")

    @cached_property
    def windows(self) -> Table:
        """What the readahead policy asked for."""
        return self._table("windows")

    @cached_property
    def calls(self) -> Table:
        """System calls and page faults."""
        return self._table("calls")

    @cached_property
    def timeline(self) -> Table:
        """Bytes, queue depth, cached and dirty pages and the arm over time."""
        return self._table("timeline")

    @cached_property
    def cache(self) -> Table:
        """Pages cached when the run ended."""
        return self._table("cache")

    def to_dataframe(self, table: str = "requests") -> pd.DataFrame:
        """A table as a pandas DataFrame; devices, processes, files, calls and classes by name.

        Raises
        ------
        MissingPackage
            pandas is not installed.
        """
        if table not in TABLES:
            raise ValueError(f"unknown table {table!r}; known: {', '.join(TABLES)}")
        try:
            import pandas as pd
        except ImportError:
            raise MissingPackage("to_dataframe() needs pandas: pip install pandas") from None
        rows = self._table(table)
        columns: dict[str, Any] = {}
        for column in (name for name, _ in TABLES[table] if name != "reserved"):
            values = rows[column]
            if column in NAMED_COLUMNS:
                values = pd.Categorical.from_codes(values.astype("int64"), self.names[NAMED_COLUMNS[column]])
            elif column in ("is_read", "cache_hit"):
                values = values.astype(bool)
            columns[column] = values
        return pd.DataFrame(columns)

    def to_xarray(self, table: str = "requests") -> Any:
        """A table as an xarray Dataset with the dimension ``row``.

        Raises
        ------
        MissingPackage
            xarray is not installed.
        """
        frame = self.to_dataframe(table)
        try:
            import xarray  # noqa: F401
        except ImportError:
            raise MissingPackage("to_xarray() needs xarray: pip install 'seekahead[data]'") from None
        return frame.rename_axis("row").astype(dict.fromkeys(frame.select_dtypes("category"), str)).to_xarray()

    # --- showing it

    @property
    def plot(self) -> ResultPlots:
        """Plots of the run: ``result.plot.latency_cdf()`` and others, see :class:`seekahead.plots.ResultPlots`."""
        from seekahead.plots import ResultPlots

        return ResultPlots(self)

    def animate(self, start_ms: float = 0.0, duration_ms: float = 200.0, **options: Any) -> FuncAnimation:
        """Arm and platter of a disk for a stretch of simulated time, see :func:`seekahead.animation.animate`."""
        from seekahead.animation import animate

        return animate(self, start_ms=start_ms, duration_ms=duration_ms, **options)

    def __repr__(self) -> str:
        s = self.summary
        return (
            f"<Result {self.title!r}, seed {self.seed}\n"
            f" {s['throughput_mb_s']:.2f} MB/s in {s['elapsed_s']:.3f} s, p50 {s['p50_ms']:.3f} ms, "
            f"p99 {s['p99_ms']:.3f} ms, {s['requests']} requests>"
        )

    def _repr_html_(self) -> str:
        cell = 'style="text-align:{};padding:2px 10px;border-bottom:1px solid #ddd"'
        rows = "".join(
            f"<tr><th {cell.format('left')}>{escape(name)}</th><td {cell.format('right')}>{value:,.6g}</td></tr>"
            for name, value in self.summary.items()
        )
        title = escape(f"{self.title}, seed {self.seed}")
        return f'<table style="border-collapse:collapse"><caption>{title}</caption>{rows}</table>'


def _look_up(data: Mapping[str, Any], path: str) -> Any:
    """The value at a path; ``device.hda.seek_s`` finds the element of ``devices`` whose name is hda."""
    at: Any = data
    parts = path.split(".")
    for position, part in enumerate(parts):
        if position == 0 and part in _LISTS and part not in data:
            at = {entry["name"]: entry for entry in data[_LISTS[part]]}
            if part == "process":
                at = {**{entry["name"]: entry for entry in data["process_groups"]}, **at}
            continue
        if isinstance(at, list) and part.isdigit() and int(part) < len(at):
            at = at[int(part)]
        elif isinstance(at, Mapping) and part in at:
            at = at[part]
        else:
            there = ", ".join(at) if isinstance(at, Mapping) else type(at).__name__
            raise KeyError(f"{path}: nothing called {part!r} after {'.'.join(parts[:position])!r}; there is: {there}")
    return at
