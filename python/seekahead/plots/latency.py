"""How long calls and requests took, as a distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from seekahead.errors import Error, NotRecorded
from seekahead.plots.source import NS_PER_MS, Numbers, Run, RunPlots, by_name, nothing_to_draw
from seekahead.plots.style import add_legend, axes_of, curve_ink, dress, plain_log_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_CURVES = 8


def distribution(latencies_ms: Numbers) -> tuple[Numbers, Numbers]:
    """The distinct latencies, ascending, and the share of all that took at most that long.

    Examples
    --------
    >>> x, y = distribution(np.array([3.0, 1.0, 1.0, 5.0]))
    >>> x.tolist(), y.tolist()
    ([1.0, 3.0, 5.0], [0.5, 0.75, 1.0])
    """
    values, counts = np.unique(latencies_ms, return_counts=True)
    return values, np.cumsum(counts) / counts.sum()


class LatencyPlots(RunPlots):
    """Distributions of latency."""

    def latency_cdf(self, ax: Axes | None = None, *, of: str | None = None, label: str | None = None) -> Axes:
        """Share of the calls (or requests) that took at most so many milliseconds.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        of : {"calls", "requests"}, optional
            ``"calls"``: what processes waited for, a curve a process. ``"requests"``: from the moment a
            request was queued until it completed, a curve a device. By default calls, or requests if only they were
            recorded.
        label : str, optional
            What the legend calls this run, to draw several runs on the same axes.
        """
        what = of or ("calls" if _has_calls(self._run) else "requests")
        series = _latencies(self._run, what)
        axes = axes_of(ax)
        already = len(axes.get_legend_handles_labels()[1])  # curves of other runs keep their ink
        smallest = axes.get_xlim()[0] * 1.5 if already else np.inf
        for nth, (name, latencies) in enumerate(series.items(), already):
            if label is not None:
                name = label if len(series) == 1 else f"{label}: {name}"
            x, y = distribution(latencies)
            ink = curve_ink(nth)
            axes.step(
                [x[0], *x], [0, *y], where="post", color=ink.color, linestyle=ink.dashes, linewidth=1.6, label=name
            )
            at = np.searchsorted(y, (0.5, 0.99))
            axes.plot(x[at], y[at], ink.marker, color=ink.color, markersize=6)
            smallest = min(smallest, x[x > 0].min(initial=np.inf))
        dress(axes, x="latency (ms)", y=f"share of {what}", title=f"Latency of {what} (marks: p50, p99)")
        axes.set_xscale("log", nonpositive="clip")
        plain_log_ticks(axes)
        if np.isfinite(smallest):
            axes.set_xlim(left=smallest / 1.5)
        axes.set_ylim(0, 1.03)
        add_legend(axes, loc="best")
        return axes


def _has_calls(run: Run) -> bool:
    try:
        return len(run.calls) > 0
    except NotRecorded:
        return False


def _latencies(run: Run, what: str) -> dict[str, Numbers]:
    """By process or device; all together when there are too many of them for a legend."""
    if what not in ("calls", "requests"):
        raise Error(f'latency_cdf: of is "calls" or "requests", not {what!r}')
    table, owner, start, end = (
        (run.calls, "process", "start_ns", "end_ns")
        if what == "calls"
        else (run.requests, "device", "queued_ns", "completed_ns")
    )
    if len(table) == 0:
        raise nothing_to_draw(f"the run has no {what}")
    latencies = (table[end] - table[start]) / NS_PER_MS
    present = np.unique(table[owner])
    if len(present) > MAX_CURVES:
        return {f"all {len(present)}": latencies}
    kind = "processes" if what == "calls" else "devices"
    return {run.names[kind][which]: latencies[table[owner] == which] for which in by_name(run, kind, present)}
