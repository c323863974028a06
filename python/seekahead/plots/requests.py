"""The requests that devices served: how large they were and where their time went."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from seekahead.errors import Error
from seekahead.plots.source import (
    KIB,
    NS_PER_MS,
    SECTOR_BYTES,
    Numbers,
    Run,
    RunPlots,
    Table,
    name_index,
    nothing_to_draw,
)
from seekahead.plots.style import BESIDE, DEMAND, READAHEAD, SERVICE, add_legend, area, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GROUPINGS = ("device", "size", "hit")
UNSEEN_MS = 1e-4  # times are whole nanoseconds: what is left of rounding is no part of its own


def size_classes(table: Table) -> tuple[list[int], Table]:
    """Powers of two in KiB, and for each request the index of the smallest that is not exceeded.

    The classes run from the smallest in use to the largest without a gap.
    """
    kib = table["sectors"] * (SECTOR_BYTES / KIB)
    exponent = np.ceil(np.log2(np.maximum(kib, 1))).astype(int)
    first, last = int(exponent.min()), int(exponent.max())
    return [1 << e for e in range(first, last + 1)], exponent - first


class RequestPlots(RunPlots):
    """Plots of the requests that devices served."""

    def request_sizes(self, ax: Axes | None = None, *, device: str | None = None) -> Axes:
        """How many requests there were of each size, reads under writes.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        device : str, optional
            The requests of this device only.
        """
        table = _requests(self._run, device)
        classes, which = size_classes(table)
        axes = axes_of(ax, height=3.4)
        below = np.zeros(len(classes))
        reads = table["is_read"] != 0
        for name, chosen, ink in (("reads", reads, READAHEAD), ("writes", ~reads, DEMAND)):
            if chosen.any():
                counts = np.bincount(which[chosen], minlength=len(classes)).astype(float)
                axes.bar(range(len(classes)), counts, bottom=below, width=0.85, label=name, **area(ink))
                below += counts
        axes.set_xticks(range(len(classes)), [f"≤ {size}" for size in classes])
        dress(axes, x="request size (KiB)", y="requests", title=_titled("Request sizes", device), grid="y")
        _label_bars(axes, below, "{:,.0f}")
        axes.set_ylim(0, 1.12 * below.max())
        add_legend(axes, reverse=True, **BESIDE)
        return axes

    def service_breakdown(
        self, ax: Axes | None = None, *, by: str = "device", device: str | None = None, queue: bool = True
    ) -> Axes:
        """Where the mean request's time went, as stacked bars in milliseconds.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        by : {"device", "size", "hit"}
            One bar a device; a size class; or one each for hits and misses of the drive's own cache.
        device : str, optional
            The requests of this device only.
        queue : bool
            Whether to include the time spent waiting behind other requests, in the kernel and in the drive.
        """
        table = _requests(self._run, device)
        labels, which, what = _grouped(self._run, table, by)
        present = [group for group in range(len(labels)) if (which == group).any()]
        labels = [labels[group] for group in present]
        axes = axes_of(ax, width=max(4.0, 2.4 + 0.9 * len(labels)))
        total = np.zeros(len(labels))
        parts = service_parts(table)
        if not queue:
            del parts["queue"]
        for name, times in parts.items():
            means = np.array([times[which == group].mean() for group in present])
            if means.max() > UNSEEN_MS:
                axes.bar(range(len(labels)), means, bottom=total, width=0.65, label=name, **area(SERVICE[name]))
                total += means
        axes.set_xticks(range(len(labels)), labels)
        dress(axes, x=what, y="mean time of a request (ms)", title=_titled("Service time", device), grid="y")
        _label_bars(axes, total, "{:.3g} ms")
        axes.set_xlim(-0.6, len(labels) - 0.4)
        axes.set_ylim(0, 1.12 * total.max() or 1.0)
        add_legend(axes, reverse=True, **BESIDE)
        return axes


def service_parts(table: Table) -> dict[str, Numbers]:
    """Milliseconds each request spent in each part; together they are its latency, queueing included."""
    parts = {name: table[f"{name}_ns"] / NS_PER_MS for name in ("seek", "rotation", "transfer", "bus", "overhead")}
    latency = (table["completed_ns"] - table["queued_ns"]) / NS_PER_MS
    parts["queue"] = np.maximum(latency - sum(parts.values()), 0.0)
    return parts


def _requests(run: Run, device: str | None) -> Table:
    table = run.requests
    if device is not None:
        table = table[table["device"] == name_index(run, "devices", device)]
    if len(table) == 0:
        raise nothing_to_draw("no request completed" + (f" on {device}" if device else ""))
    return table


def _grouped(run: Run, table: Table, by: str) -> tuple[list[str], Table, str]:
    """Names of the groups, the group of each request, and what the groups are."""
    if by == "device":
        return list(run.names["devices"]), table["device"], "device"
    if by == "size":
        classes, which = size_classes(table)
        return [f"≤ {size}" for size in classes], which, "request size (KiB)"
    if by == "hit":
        return ["from the media", "from its cache"], table["cache_hit"], "served by the drive"
    raise Error(f"service_breakdown: by is one of {', '.join(GROUPINGS)}, not {by!r}")


def _titled(title: str, device: str | None) -> str:
    return title if device is None else f"{title} of {device}"


def _label_bars(axes: Axes, heights: Numbers, form: str) -> None:
    for x, height in enumerate(heights):
        if height > 0:
            axes.annotate(
                form.format(height),
                (x, height),
                xytext=(0, 2),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize="small",
            )
