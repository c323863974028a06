"""The readahead window that is large enough: found with a few runs instead of a whole sweep."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seekahead.sweeps import sweep

if TYPE_CHECKING:
    import pandas as pd

    from seekahead.scenario import Scenario

GOLDEN = (5**0.5 - 1) / 2
STEP_KB = 4  # a page
KEY = "readahead.read_ahead_kb"


@dataclass(frozen=True)
class BestReadAhead:
    """What :func:`best_read_ahead` found.

    Attributes
    ----------
    read_ahead_kb : int
        The smallest window, in KiB, whose figure is within the tolerance of the best one seen.
    value : float
        Its figure.
    runs : DataFrame
        Every window that was tried, in ascending order: ``read_ahead_kb`` and the metric.
    """

    read_ahead_kb: int
    value: float
    runs: pd.DataFrame


class _Search:
    """Figures of the windows that were tried."""

    def __init__(self, scenario: Scenario, metric: str, seeds: Iterable[int] | None, options: dict[str, Any]) -> None:
        self.scenario = scenario
        self.metric = metric
        self.seeds = None if seeds is None else list(seeds)
        self.options = options
        self.figures: dict[int, float] = {}

    def look(self, *windows: int) -> list[float]:
        """Figures of some windows; those that are new run at once."""
        new = sorted({window for window in windows if window not in self.figures})
        if new:
            table = sweep(
                self.scenario,
                {KEY: new},
                seeds=self.seeds,
                metrics=[self.metric],
                on_error="raise",
                progress=False,
                **self.options,
            )
            self.figures.update(zip(new, (float(value) for value in table[self.metric]), strict=True))
        return [self.figures[window] for window in windows]


def best_read_ahead(
    scenario: Scenario,
    *,
    low: int = 16,
    high: int = 4096,
    metric: str = "throughput_mb_s",
    tolerance: float = 0.02,
    seeds: Iterable[int] | None = None,
    **options: Any,
) -> BestReadAhead:
    """Find the smallest read_ahead_kb that is as good as the best one.

    A golden-section search over the powers of two between ``low`` and ``high``, then bisection between the power
    found and the one below. It assumes that the figure rises to its best and then stays or falls; of two windows
    whose figures differ by less than ``tolerance`` the smaller one is kept, so that a plateau is entered at its
    beginning; ``high`` is looked at as well, so that a slow rise up to it is not missed. Where the figure has two
    hills, use :func:`sweep`. Of nine powers of two six or seven windows are tried, of thirteen seven to nine.

    Parameters
    ----------
    scenario
        What to run, with the window replaced.
    low, high : int
        Smallest and largest window, in KiB.
    metric
        The figure to make large: a name of :attr:`Result.summary` or a path of the result.
    tolerance : float
        Share by which a figure may be below the best.
    seeds
        Compare means over these seeds.
    **options
        ``executor``, ``workers`` and ``cache`` as for :func:`sweep`.

    >>> import seekahead as sx
    >>> sc = sx.Scenario.example("larsson-2001/diff").with_({"file.b.distance": "0.5 GB"})
    >>> sc = sc.with_({"file.a.size": "16 MiB", "file.b.size": "16 MiB"})
    >>> found = best_read_ahead(sc, low=32, high=2048)
    >>> found.read_ahead_kb > 256, len(found.runs) < 10
    (True, True)
    """
    if not 0 < low < high:
        raise ValueError(f"low and high are windows in KiB, low < high: {low}, {high}")
    _check_has_no_sweep(scenario.with_({KEY: low}))
    search = _Search(scenario, metric, seeds, options)
    grid = _powers(low, high)
    left, right = 0, len(grid) - 1
    search.look(high, *(grid[place] for place in _golden(left, right) if right - left > 1))
    while right - left > 1:
        first, second = _golden(left, right)
        at_first, at_second = search.look(grid[first], grid[second])
        if at_second > at_first * (1 + tolerance):
            left = first
        else:
            right = second if second < right else first
    search.look(grid[left], grid[right])
    _refine(search, grid, tolerance)
    best = max(search.figures.values())
    chosen = min(window for window, value in search.figures.items() if value >= best * (1 - tolerance))
    return BestReadAhead(chosen, search.figures[chosen], _table(search))


def _check_has_no_sweep(scenario: Scenario) -> None:
    if len(scenario.points) > 1:
        keys = ", ".join(scenario.points[0])
        raise ValueError(f"the scenario has a sweep over {keys}: choose a value with with_()")


def _golden(left: int, right: int) -> tuple[int, int]:
    """Two places inside that divide the interval by the golden section, at least one apart."""
    span = right - left
    first = right - round(GOLDEN * span)
    second = left + round(GOLDEN * span)
    first = min(max(first, left + 1), right - 1)
    return first, max(second, first + 1)


def _refine(search: _Search, grid: list[int], tolerance: float) -> None:
    """Halve the gap below the smallest good power of two until a quarter of it is left."""
    best = max(search.figures.values())
    good = min(window for window, value in search.figures.items() if value >= best * (1 - tolerance))
    place = grid.index(good)
    bad = grid[place - 1] if place > 0 else good
    smallest_gap = max(STEP_KB, (good - bad) // 4)
    while good - bad > smallest_gap:
        middle = (good + bad) // 2 // STEP_KB * STEP_KB
        if middle in (good, bad):
            return
        (value,) = search.look(middle)
        if value >= best * (1 - tolerance):
            good = middle
        else:
            bad = middle


def _powers(low: int, high: int) -> list[int]:
    """Low, the powers of two between, high."""
    between = [1 << k for k in range(low.bit_length(), high.bit_length()) if low < 1 << k < high]
    return [low, *between, high]


def _table(search: _Search) -> pd.DataFrame:
    import pandas as pd

    rows = sorted(search.figures.items())
    return pd.DataFrame(rows, columns=["read_ahead_kb", search.metric])
