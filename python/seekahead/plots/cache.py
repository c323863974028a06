"""What the page cache holds when the run ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from seekahead.plots.source import MIB, PAGE_BYTES, Run, RunPlots, Table, by_name, name_index, nothing_to_draw
from seekahead.plots.style import BESIDE, PAGES, area, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Bits of the column `state`.
PRESENT, UPTODATE, MARKER, REFERENCED, ACTIVE = 1, 2, 4, 8, 16


def page_kinds(states: Table) -> Table:
    """For each page an index into the kinds of the legend, from its state bits.

    Examples
    --------
    >>> list(PAGES)
    ['read ahead, not used yet', 'used', 'active', 'marker', 'being read']
    >>> page_kinds(np.array([PRESENT, PRESENT | UPTODATE, PRESENT | UPTODATE | REFERENCED])).tolist()
    [4, 0, 1]
    """
    kinds = np.zeros(len(states), dtype=np.intp)
    kinds[states & REFERENCED != 0] = 1
    kinds[states & ACTIVE != 0] = 2
    kinds[states & MARKER != 0] = 3
    kinds[states & UPTODATE == 0] = 4
    return kinds


def runs_of(pages: Table, kinds: Table) -> list[tuple[int, int, int]]:
    """Stretches (first page, pages, kind) of consecutive pages of one kind; ``pages`` ascends."""
    if len(pages) == 0:
        return []
    breaks = np.flatnonzero((np.diff(pages.astype(np.int64)) != 1) | (np.diff(kinds) != 0)) + 1
    starts = np.concatenate(([0], breaks))
    ends = np.concatenate((breaks, [len(pages)]))
    return [(int(pages[a]), int(b - a), int(kinds[a])) for a, b in zip(starts, ends, strict=True)]


class CachePlots(RunPlots):
    """Plots of the page cache."""

    def cache_map(self, ax: Axes | None = None, *, file: str | None = None) -> Axes:
        """Which pages of each file are cached, coloured by what reclaim knows of them; the rest is left white.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        file : str, optional
            Only this file; by default every file of which a page is cached.
        """
        from matplotlib.patches import Patch

        table = self._run.cache
        which = np.unique(table["file"]) if file is None else np.array([name_index(self._run, "files", file)])
        shown = [f for f in by_name(self._run, "files", which) if (table["file"] == f).any()]
        if len(shown) == 0:
            raise nothing_to_draw("no page is cached when the run ends")
        axes = axes_of(ax, height=1.5 + 0.45 * len(shown))
        used: set[int] = set()
        end = 0.0
        for row, index in enumerate(shown):
            size = _size_bytes(self._run, self._run.names["files"][index]) / MIB
            end = max(end, size)
            axes.broken_barh([(0, size)], (row - 0.35, 0.7), facecolor="white", edgecolor="#8c8c8c", linewidth=0.6)
            rows = np.sort(table[table["file"] == index], order="page")
            kinds = page_kinds(rows["state"])
            stretches = runs_of(rows["page"], kinds)
            for kind, ink in enumerate(PAGES.values()):
                bars = [(a * PAGE_BYTES / MIB, n * PAGE_BYTES / MIB) for a, n, k in stretches if k == kind]
                if bars:
                    used.add(kind)
                    # A single page is narrower than a pixel of a large file: a thin outline keeps it in sight.
                    edge = {"edgecolor": ink.color, "linewidth": 0.8} if not ink.hatch else {}
                    axes.broken_barh(bars, (row - 0.35, 0.7), **area(ink) | edge)
        axes.set_yticks(range(len(shown)), [self._run.names["files"][index] for index in shown])
        axes.set_ylim(len(shown) - 0.5, -0.5)
        axes.set_xlim(0, end)
        dress(axes, x="offset in the file (MiB)", y="file", title="Cached pages when the run ends", grid="x")
        inks = list(PAGES.items())
        handles = [Patch(label=inks[kind][0], **area(inks[kind][1])) for kind in sorted(used)]
        axes.legend(handles=handles[::-1], fontsize="small", frameon=False, **BESIDE)
        return axes


def _size_bytes(run: Run, name: str) -> int:
    """Of the file, as the report gives it."""
    return next(int(entry["size_bytes"]) for entry in run.data["files"] if entry["name"] == name)
