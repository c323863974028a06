"""What readahead did: windows over time and over the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from seekahead.errors import NotRecorded
from seekahead.plots.source import (
    MIB,
    NS_PER_MS,
    PAGE_BYTES,
    Numbers,
    Run,
    RunPlots,
    Table,
    between,
    by_name,
    name_index,
    nothing_to_draw,
)
from seekahead.plots.style import ABOVE, ARM, ASYNC, DEMAND, GRID, READAHEAD, add_legend, area, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_FILES = 8
MAX_ARMS = 4


@dataclass(frozen=True)
class Band:
    """The part of the y axis that one file has: its first page lies at ``base``."""

    file: int
    name: str
    first: int  # page
    pages: int
    base: float


def demand_start(windows: Table) -> Table:
    """First page of each window that the process's present call asks for.

    The call reads on from the descriptor's position; page faults do not move that, and their read-around has
    the page that faulted in its middle.
    """
    start, pages, wanted = (windows[name].astype(np.int64) for name in ("start", "pages", "demand_pages"))
    position = windows["file_position"].astype(np.int64) // PAGE_BYTES
    inside = (position > start) & (position + wanted <= start + pages)
    return np.where(inside, position, start)


class ReadaheadPlots(RunPlots):
    """Plots of the windows of readahead."""

    def offset_time(
        self,
        ax: Axes | None = None,
        *,
        file: str | None = None,
        start_ms: float = 0.0,
        duration_ms: float | None = None,
        arm: bool = True,
    ) -> Axes:
        """Which pages were asked for when: those of readahead, those the reader needed; and where the arm was.

        Several files lie above one another, each with its own offsets. The arm's cylinder has a panel of its
        own below (``ax.child_axes[0]``) when a device has an arm and the timeline was recorded.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        file : str, optional
            Only this file; by default the eight of which most was read.
        start_ms, duration_ms : float
            The stretch of simulated time to show; until the end by default.
        arm : bool
            Whether to draw the arm.
        """
        windows = self._run.windows[between(self._run.windows["time_ns"], start_ms, duration_ms)]
        if file is not None:
            windows = windows[windows["file"] == name_index(self._run, "files", file)]
        if len(windows) == 0:
            raise nothing_to_draw("no window was asked for", "in that stretch of time, for that file")
        bands = _bands(self._run, windows)
        axes = axes_of(ax, height=5.0)
        for band in bands:
            rows = windows[windows["file"] == band.file]
            _draw_wishes(axes, rows, band, labelled=band is bands[0])
        what = f"offset in {bands[0].name} (MiB)" if len(bands) == 1 else "offset in the file (MiB)"
        dress(axes, x="time (ms)", y=what, title="Pages asked for")
        _set_band_ticks(axes, bands)
        moments = windows["time_ns"] / NS_PER_MS
        left = start_ms if duration_ms is not None else float(moments.min())
        right = start_ms + duration_ms if duration_ms is not None else float(moments.max())
        pad = 0.02 * (right - left) or 1.0
        axes.set_xlim(left - pad, right + pad)
        add_legend(axes, **ABOVE)
        if arm:
            _add_arm(self._run, axes)
        return axes

    def window_growth(
        self,
        ax: Axes | None = None,
        *,
        file: str | None = None,
        process: str | None = None,
        first: int = 0,
        count: int = 12,
    ) -> Axes:
        """The windows of a reader one after another: where each lies in the file and how large it is.

        A bar covers the pages of its window and is as high as they are many. Its asynchronous part, which is
        being read while the reader uses the rest, is hatched; a triangle is the page with the marker, at
        which the next window will be asked for.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        file, process : str, optional
            Whose windows; by default those of the first window recorded.
        first, count : int
            Which of them, by the order in which they were asked for.
        """
        rows = _windows_of_reader(self._run, file, process)[first : first + count]
        if len(rows) == 0:
            raise nothing_to_draw("no such windows", f"first={first}")
        axes = axes_of(ax)
        start, pages = rows["start"].astype(float), rows["pages"].astype(float)
        apart = np.minimum(rows["async_pages"], rows["pages"]).astype(float)
        axes.bar(start, pages, width=pages - apart, align="edge", label="window", **area(READAHEAD))
        if apart.any():
            axes.bar(
                start + pages - apart,
                pages,
                width=apart,
                align="edge",
                label="async part",
                **area(ASYNC),
            )
        marked = rows["marker"] >= 0
        if marked.any():
            axes.plot(
                rows["marker"][marked] + 0.5,
                pages[marked],
                "v",
                color="black",
                markersize=6,
                label="marker",
                clip_on=False,
            )
        extent = (start + pages).max() - start.min()
        for x, size in zip(start + pages / 2, pages, strict=True):
            if size < 0.025 * extent:  # its number would run into the next
                continue
            axes.annotate(
                f"{size:.0f}",
                (x, size),
                xytext=(0, 7),
                textcoords="offset points",
                ha="center",
                fontsize="small",
            )
        axes.margins(x=0.02)
        axes.set_ylim(0, 1.18 * pages.max())
        name = self._run.names["files"][rows["file"][0]]
        dress(
            axes,
            x=f"offset in {name} (pages of 4 KiB)",
            y="pages of the window",
            title="Window growth",
        )
        add_legend(axes, **ABOVE)
        return axes


def _bands(run: Run, windows: Table) -> list[Band]:
    present = np.unique(windows["file"])
    read = [int(windows["pages"][windows["file"] == f].sum()) for f in present]
    chosen = by_name(run, "files", present[np.argsort(read)[::-1][:MAX_FILES]])[::-1]  # the first on top
    bands: list[Band] = []
    base = 0.0
    for index in chosen:
        rows = windows[windows["file"] == index]
        first = int(rows["start"].min())
        pages = int((rows["start"] + rows["pages"]).max()) - first
        bands.append(Band(int(index), run.names["files"][index], first, pages, base))
        base += pages
    gap = 0.06 * base
    return [Band(b.file, b.name, b.first, b.pages, b.base + nth * gap) for nth, b in enumerate(bands)]


def _draw_wishes(axes: Axes, rows: Table, band: Band, *, labelled: bool) -> None:
    """A vertical stroke a window, the part that the reader's call wanted over it in the other colour."""
    from matplotlib.collections import LineCollection

    moments = rows["time_ns"] / NS_PER_MS
    wanted = rows["demand_pages"] > 0
    start = rows["start"].astype(float)
    end = start + rows["pages"]
    first = demand_start(rows).astype(float)
    last = first + rows["demand_pages"]
    for name, ink, low, high, keep, width in (
        ("readahead", READAHEAD, start, end, np.ones(len(rows), dtype=bool), 2.6),
        ("asked for by the reader", DEMAND, first, last, wanted, 3.6),
    ):
        if not keep.any():
            continue
        shift = band.base - band.first
        strokes = np.stack(
            [np.column_stack([moments, low + shift]), np.column_stack([moments, high + shift])], axis=1
        )[keep]
        axes.add_collection(
            LineCollection(
                list(strokes),
                colors=ink.color,
                linewidths=width,
                capstyle="projecting",  # so that a page or two can be seen
                label=name if labelled else "_",
                rasterized=len(strokes) > 5000,
            )
        )
    axes.set_ylim(-0.02 * (band.base + band.pages), 1.02 * (band.base + band.pages))


def _set_band_ticks(axes: Axes, bands: list[Band]) -> None:
    """Offsets of each file along its band, its name inside, a line between the bands."""
    from matplotlib.ticker import MaxNLocator

    places: list[float] = []
    labels: list[str] = []
    locator = MaxNLocator(max(1, 6 // len(bands)), steps=[1, 2, 2.5, 5, 10])
    for band in bands:
        low, high = (page * PAGE_BYTES / MIB for page in (band.first, band.first + band.pages))
        for tick in locator.tick_values(low, high):
            if low <= tick <= high:
                places.append(band.base + tick * MIB / PAGE_BYTES - band.first)
                labels.append(f"{tick:g}")
        if len(bands) > 1:
            axes.annotate(
                band.name,
                (1, band.base + band.pages / 2),
                xycoords=("axes fraction", "data"),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize="small",
            )
            axes.axhline(band.base + band.pages, color=GRID, linewidth=0.6)
    axes.set_yticks(places, labels)


def _add_arm(run: Run, axes: Axes) -> None:
    """A panel under the axes with the cylinder of each arm; nothing when there is none to show."""
    try:
        timeline = run.timeline
    except NotRecorded:
        return
    timeline = timeline[timeline["cylinder"] >= 0]
    devices = np.unique(timeline["device"])[:MAX_ARMS]
    if len(devices) == 0:
        return
    panel = _panel_below(axes)
    for nth, device in enumerate(devices):
        rows = timeline[timeline["device"] == device]
        panel.step(
            rows["time_ns"] / NS_PER_MS,
            rows["cylinder"],
            where="post",
            color=ARM.color,
            linewidth=0.9,
            linestyle=("-", "--", "-.", ":")[nth],
            label=run.names["devices"][device],
            rasterized=len(rows) > 5000,
        )
    dress(panel, x="time (ms)", y="cylinder", title="")
    axes.set_xlabel("")
    axes.tick_params(labelbottom=False)
    low, high = _visible(panel, timeline)
    pad = 0.08 * (high - low) or 1.0
    panel.set_ylim(low - pad, high + pad)
    add_legend(panel, loc="upper left")


def _panel_below(axes: Axes) -> Axes:
    """Axes under those given, as wide as they are; of a fixed height in inches, or layouts would not settle."""
    from matplotlib.transforms import ScaledTranslation, blended_transform_factory

    figure = axes.figure
    bottom = ScaledTranslation(0, 0, axes.transAxes)  # type: ignore[arg-type]  # declared too wide
    inches_from_bottom = figure.dpi_scale_trans + bottom
    height, gap = 0.3 * axes.bbox.height / figure.dpi, 0.1
    place = (0.0, -height - gap, 1.0, height)
    return axes.inset_axes(
        place, transform=blended_transform_factory(axes.transAxes, inches_from_bottom), sharex=axes
    )


def _visible(panel: Axes, timeline: Table) -> tuple[float, float]:
    left, right = panel.get_xlim()
    moments: Numbers = timeline["time_ns"] / NS_PER_MS
    seen = timeline["cylinder"][(moments >= left) & (moments <= right)]
    seen = seen if len(seen) else timeline["cylinder"]
    return float(seen.min()), float(seen.max())


def _windows_of_reader(run: Run, file: str | None, process: str | None) -> Table:
    rows = run.windows
    if file is not None:
        rows = rows[rows["file"] == name_index(run, "files", file)]
    if process is not None:
        rows = rows[rows["process"] == name_index(run, "processes", process)]
    if len(rows) == 0:
        raise nothing_to_draw("no window was asked for")
    chosen: Table = rows[(rows["file"] == rows["file"][0]) & (rows["process"] == rows["process"][0])]
    return chosen
