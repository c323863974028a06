"""The plots of one run, gathered."""

from __future__ import annotations

from seekahead.plots.cache import CachePlots
from seekahead.plots.latency import LatencyPlots
from seekahead.plots.readahead import ReadaheadPlots
from seekahead.plots.requests import RequestPlots


class ResultPlots(LatencyPlots, ReadaheadPlots, RequestPlots, CachePlots):
    """The plots of one run: ``result.plot``.

    Each method takes ``ax`` (a new figure by default) and returns the matplotlib Axes it drew on.
    """

    def __repr__(self) -> str:
        names = sorted(name for name in dir(self) if not name.startswith("_"))
        return f"<plots of {self._run.title!r}: {', '.join(names)}>"
