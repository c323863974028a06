"""The look that all plots share: colours that differ in lightness too, so that a grey print stays readable.

Colours never stand alone: curves have markers and line styles, areas have hatches.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from seekahead.errors import MissingPackage

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Ink:
    """How one kind of thing is drawn: filled areas take the hatch, curves the marker and the dashes."""

    color: str
    hatch: str = ""
    edge: str = "white"  # outline and hatch of an area
    marker: str = "o"
    dashes: str | tuple[int, tuple[int, ...]] = "-"


# From dark to light in CIE lightness: 14, 42, 53, 70, 82. Neighbours differ in hue for colour-blind readers.
CURVES = (
    Ink("#0067a5", marker="o", dashes="-"),
    Ink("#d55e00", marker="s", dashes="--"),
    Ink("#1b1e4b", marker="^", dashes="-."),
    Ink("#56b4e9", marker="D", dashes=(0, (5, 1, 1, 1, 1, 1))),
    Ink("#ecc53a", marker="v", dashes=":"),
)

# Where a request's time goes. Bars stack these in this order; neighbours differ in lightness.
SERVICE = {
    "seek": Ink("#0b4f7d"),
    "rotation": Ink("#56b4e9", hatch="///"),
    "transfer": Ink("#c04a00"),
    "bus": Ink("#f2d272", hatch="...", edge="#8a6d1a"),
    "overhead": Ink("#2b2b2b"),
    "queue": Ink("#e4e4e4", hatch="\\\\\\", edge="#8c8c8c"),
}

READAHEAD = Ink("#56b4e9")
DEMAND = Ink("#a63a00", hatch="///")
ASYNC = Ink("#c3e3f6", hatch="///", edge="#3d7fa8")
ARM = Ink("#404040")

# States of a cached page, from the least to the most wanted by reclaim's rules.
PAGES = {
    "read ahead, not used yet": Ink("#f2d272"),
    "used": Ink("#56b4e9", hatch="///"),
    "active": Ink("#0b4f7d"),
    "marker": Ink("#000000"),
    "being read": Ink("#c04a00", hatch="..."),
}

GRID = "#d8d8d8"


def matplotlib() -> ModuleType:
    """The package, imported when the first plot is drawn.

    Raises
    ------
    seekahead.MissingPackage
        If it is not installed.
    """
    try:
        import matplotlib as package
    except ImportError as error:
        raise MissingPackage("plots need matplotlib: pip install matplotlib") from error
    return package


def axes_of(ax: Axes | None, width: float = 6.4, height: float = 3.8) -> Axes:
    """The axes given, or those of a new figure of that size in inches."""
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def curve_ink(nth: int) -> Ink:
    """The ink of the nth curve; they repeat after five with the markers and dashes shifted."""
    ink, turn = CURVES[nth % len(CURVES)], nth // len(CURVES)
    other = CURVES[(nth + turn) % len(CURVES)]
    return Ink(ink.color, marker=other.marker, dashes=other.dashes)


_UNITS = {"kb": "KiB", "kib": "KiB", "mb": "MB", "ms": "ms", "s": "s", "pages": "pages", "bytes": "bytes"}
_LABELS = {
    "read_ahead_kb": "readahead window (KiB)",
    "max_readahead": "readahead window (pages of 4 KiB)",
    "throughput_mb_s": "throughput (MB/s)",
}


def label_of(column: str) -> str:
    """An axis label from a column's name, with its unit in brackets.

    Examples
    --------
    >>> label_of("throughput_mb_s")
    'throughput (MB/s)'
    >>> label_of("process.diff.latency_ms")
    'process.diff.latency (ms)'
    """
    short = column.rsplit(".", 1)[-1]
    if column in _LABELS or (short in _LABELS and not column.startswith("process")):
        return _LABELS[column if column in _LABELS else short]
    if column.endswith("_mb_s"):
        return column[: -len("_mb_s")].replace("_", " ") + " (MB/s)"
    stem, _, unit = column.rpartition("_")
    if stem and unit in _UNITS:
        return f"{stem.replace('_', ' ')} ({_UNITS[unit]})"
    return column.replace("_", " ")


def dress(ax: Axes, *, x: str, y: str, title: str, grid: str = "both") -> None:
    """Labels with units, a short title at the left, a quiet grid behind what is drawn."""
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.set_title(title, loc="left", fontsize="medium")
    ax.set_axisbelow(True)
    ax.grid(True, axis=grid, color=GRID, linewidth=0.6)  # type: ignore[arg-type]
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def plain_log_ticks(ax: Axes) -> None:
    """Ticks 0.1, 0.2, 0.5, 1, 2, 5, ... on a logarithmic x axis, written as plain numbers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = ax.get_xlim()
    steps = (1.0,) if high > 1e4 * low else (1.0, 2.0, 5.0)
    ax.xaxis.set_major_locator(LogLocator(subs=steps, numticks=20))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())


BESIDE: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)}
ABOVE: dict[str, Any] = {
    "loc": "lower right",
    "bbox_to_anchor": (1.0, 1.0),
    "borderaxespad": 0.2,
    "columnspacing": 1.0,
    "handlelength": 1.2,
    "handletextpad": 0.5,
    "ncols": 3,
}
"""Places of a legend that cover nothing."""


def add_legend(ax: Axes, *, reverse: bool = False, **keywords: Any) -> None:
    """A legend, when there is more than one thing to tell apart."""
    handles, labels = ax.get_legend_handles_labels()
    if len(handles) < 2:
        return
    if reverse:
        handles, labels = handles[::-1], labels[::-1]
    look: dict[str, Any] = {"fontsize": "small", "edgecolor": "none", "framealpha": 0.85}
    ax.legend(handles, labels, **look | keywords)


def area(ink: Ink) -> dict[str, Any]:
    """Keywords of a bar, a polygon or a legend's patch in this ink."""
    return {"facecolor": ink.color, "edgecolor": ink.edge, "hatch": ink.hatch, "linewidth": 0.5}


def shortened(text: str, limit: int = 60) -> str:
    """The text, cut at a word's end when it is longer than a title can be."""
    return text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0] + " ..."
