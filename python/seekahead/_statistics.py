"""Means over seeds with their confidence intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

CONFIDENCE = 0.95


def over_seeds(frame: pd.DataFrame, point: str, fixed: list[str], metrics: list[str]) -> pd.DataFrame:
    """One row for each value of the column ``point``: the mean of each metric over its rows.

    ``<metric>_low`` and ``<metric>_high`` are the ends of the 95 % confidence interval of the mean by Student's t;
    not a number for a single run. ``seeds`` counts the runs that have a result; ``error`` is the first one's.
    """
    import numpy as np
    from scipy.stats import t

    groups = frame.groupby(point, sort=True)
    result = groups[fixed].first()
    counts = groups["error"].agg(lambda errors: int(errors.isna().sum()))
    result["seeds"] = counts
    for metric in metrics:
        means = groups[metric].mean()
        with np.errstate(invalid="ignore", divide="ignore"):
            half = t.ppf((1 + CONFIDENCE) / 2, counts - 1) * groups[metric].std(ddof=1) / np.sqrt(counts)
        result[metric], result[f"{metric}_low"], result[f"{metric}_high"] = means, means - half, means + half
    result["error"] = groups["error"].agg(lambda errors: next((e for e in errors if e is not None), None))
    return result.reset_index(drop=True)
