"""Plots of runs and sweeps, drawn with matplotlib.

Those of one run are methods of ``result.plot``; those of a sweep are functions here. Each takes ``ax``, returns
the matplotlib Axes it drew on and shows nothing by itself, so that a figure can be composed of several.
"""

from __future__ import annotations

from seekahead.plots.results import ResultPlots
from seekahead.plots.sweep import throughput

__all__ = ["ResultPlots", "throughput"]
