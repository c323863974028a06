"""Curves over the values of a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from seekahead.errors import Error
from seekahead.plots.source import Numbers, nothing_to_draw
from seekahead.plots.style import Ink, add_legend, axes_of, curve_ink, dress, label_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MAX_TICKS = 12


def throughput(
    df: pd.DataFrame,
    ax: Axes | None = None,
    *,
    x: str = "read_ahead_kb",
    by: str | None = "policy",
    y: str = "throughput_mb_s",
) -> Axes:
    """A curve for each policy over the readahead window, from the table that :func:`seekahead.sweep` makes.

    A band is drawn where the table has the columns ``<y>_low`` and ``<y>_high``, the confidence interval over
    the seeds. Where it does not and several rows have the same place on the curve, the curve is their mean
    and the rows are points. Rows of failed points are left out.

    Parameters
    ----------
    df : pandas.DataFrame
        One row a point (or a point and seed) of the sweep.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    x, y : str
        Columns. The x axis is of powers of two when its values span more than a factor of four.
    by : str, optional
        Column whose values get a curve each; None, or a column that the table has not: one curve.

    Examples
    --------
    >>> import pandas as pd
    >>> df = pd.DataFrame({"read_ahead_kb": [32, 128], "throughput_mb_s": [9.0, 27.5]})
    >>> axes = throughput(df)
    >>> axes.get_ylabel()
    'throughput (MB/s)'
    """
    for column in (x, y):
        if column not in df.columns:
            raise Error(f"the table has no column {column!r}; it has {', '.join(map(str, df.columns))}")
    rows = df[df[y].notna()]
    if len(rows) == 0:
        raise nothing_to_draw(f"every value of {y} is missing", "did all points fail?")
    axes = axes_of(ax)
    values = _positions(rows[x])
    grouped = by is not None and by in rows.columns
    groups = list(dict.fromkeys(rows[by])) if grouped else [None]
    for nth, group in enumerate(groups):
        chosen = np.asarray(rows[by] == group) if grouped else np.ones(len(rows), dtype=bool)
        _draw_curve(axes, rows[chosen], values[chosen], y, _legend_text(by, group), curve_ink(nth))
    title = f"{label_of(y).split(' (')[0]} against {label_of(x).split(' (')[0]}".capitalize()
    dress(axes, x=label_of(x), y=label_of(y), title=title)
    _scale(axes, rows[x], values)
    axes.set_ylim(bottom=0)
    add_legend(axes, title=by if grouped and len(groups) > 1 else None, title_fontsize="small")
    return axes


def _legend_text(by: str | None, group: Any) -> str:
    return "_" if group is None else str(group)


def _positions(column: Any) -> Numbers:
    """Places on the axis: the numbers themselves, or 0, 1, 2, ... for values that are names."""
    if column.dtype.kind in "iuf":
        return np.asarray(column, dtype=float)
    names = list(dict.fromkeys(column))
    return np.array([names.index(value) for value in column], dtype=float)


def _draw_curve(axes: Axes, rows: Any, values: Numbers, y: str, label: str, ink: Ink) -> None:
    heights = np.asarray(rows[y], dtype=float)
    at = np.unique(values)
    means = np.array([heights[values == place].mean() for place in at])
    if len(at) < len(values):
        axes.plot(values, heights, ink.marker, color=ink.color, alpha=0.35, markersize=3.5, linestyle="none")
    elif f"{y}_low" in rows.columns and f"{y}_high" in rows.columns:
        order = np.argsort(values)
        low, high = (np.asarray(rows[f"{y}_{end}"], dtype=float)[order] for end in ("low", "high"))
        axes.fill_between(at, low, high, color=ink.color, alpha=0.2, linewidth=0)
    axes.plot(
        at,
        means,
        color=ink.color,
        marker=ink.marker,
        linestyle=ink.dashes,
        linewidth=1.6,
        markersize=5,
        label=label,
    )


def _scale(axes: Axes, column: Any, values: Numbers) -> None:
    """A tick at every value as it was given, on a scale of powers of two where that spreads them better."""
    places: Numbers = np.unique(values)
    if column.dtype.kind not in "iuf":
        axes.set_xticks(places, [str(name) for name in dict.fromkeys(column)])
        return
    positive = places[places > 0]
    if len(positive) > 2 and places[0] >= 0 and positive[-1] > 4 * positive[0]:
        if len(positive) == len(places):
            axes.set_xscale("log", base=2)
        else:  # 0 stands one power below the smallest
            axes.set_xscale("symlog", base=2, linthresh=positive[0], linscale=0.5)
        axes.minorticks_off()
    ticks = thinned(places)
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])


def thinned(places: Numbers) -> Sequence[float]:
    """At most a dozen of the values, evenly chosen from the last backwards.

    Examples
    --------
    >>> thinned(np.arange(30.0))
    [2.0, 5.0, 8.0, 11.0, 14.0, 17.0, 20.0, 23.0, 26.0, 29.0]
    """
    step = -(-len(places) // MAX_TICKS)
    return [float(place) for place in places[::-1][::step][::-1]]
