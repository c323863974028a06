"""The table of a sweep: figures of a result, rows of points, the file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seekahead.errors import MissingPackage
from seekahead.result import Result

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_METRICS = (
    "throughput_mb_s",
    "elapsed_s",
    "mean_ms",
    "p50_ms",
    "p99_ms",
    "hit_ratio",
    "requests",
    "utilisation",
)
"""Figures of :attr:`Result.summary` that a sweep has as columns unless others are asked for."""

CONFIDENCE = 0.95

Metric = str | Callable[[Result], Any]


@dataclass(frozen=True)
class Row:
    """One run: the point it belongs to, the labels of its axes, and what came of it."""

    point: int
    labels: dict[str, Any]
    seed: int
    figures: dict[str, Any]
    error: str | None


def metrics_of(metrics: Sequence[str] | Mapping[str, Metric] | None) -> dict[str, Metric]:
    """Columns and where their figures come from, for what the user wrote."""
    if isinstance(metrics, str):
        raise TypeError(f"metrics is a list of names or a mapping, not {metrics!r}")
    if isinstance(metrics, Mapping):
        return dict(metrics)
    return {name: name for name in (DEFAULT_METRICS if metrics is None else metrics)}


def figures_of(result: Result, metrics: Mapping[str, Metric]) -> dict[str, Any]:
    """The figures of a result.

    Raises
    ------
    KeyError
        A name is neither in the summary nor a path of the result.
    """
    return {name: _figure(result, metric) for name, metric in metrics.items()}


def _figure(result: Result, metric: Metric) -> Any:
    if callable(metric):
        return metric(result)
    if metric in result.summary:
        return result.summary[metric]
    try:
        return result[metric]
    except KeyError as error:
        raise KeyError(f"{error.args[0]}; in the summary: {', '.join(result.summary)}") from None


def table_of(rows: Sequence[Row], axes: Sequence[str], metrics: Sequence[str], *, aggregate: bool) -> pd.DataFrame:
    """A row for every run, or with ``aggregate`` for every point."""
    pd = needed_packages()
    columns = {column: [row.labels[column] for row in rows] for column in axes}
    if "seed" not in columns:
        columns["seed"] = [row.seed for row in rows]
    for name in metrics:
        columns[name] = [row.figures.get(name, float("nan")) for row in rows]
    frame = pd.DataFrame(columns)
    frame["error"] = pd.Series([row.error for row in rows], dtype=object)
    if not aggregate:
        return frame
    frame["_point"] = [row.point for row in rows]
    return over_seeds(frame, "_point", list(axes), list(metrics))


def over_seeds(frame: pd.DataFrame, point: str, fixed: list[str], metrics: list[str]) -> pd.DataFrame:
    """One row for each value of the column ``point``: the mean of each metric over its rows.

    ``<metric>_low`` and ``<metric>_high`` are the ends of the 95 % confidence interval of the mean by Student's t;
    not a number for a single run. ``seeds`` counts the runs that have a result; ``error`` is the first one's.

    Raises
    ------
    TypeError
        A metric is no number.
    """
    pd = needed_packages()
    from scipy.stats import t

    for metric in metrics:
        if not pd.api.types.is_numeric_dtype(frame[metric]):
            raise TypeError(f"{metric} is no number and has no mean: say aggregate=False")
    groups = frame.groupby(point, sort=True)
    result = groups[fixed].first()
    result["seeds"] = groups["error"].agg(lambda errors: int(errors.isna().sum()))
    for metric in metrics:
        means, counts = groups[metric].mean(), groups[metric].count()
        half = t.ppf((1 + CONFIDENCE) / 2, (counts - 1).clip(lower=1)) * groups[metric].sem()
        result[metric], result[f"{metric}_low"], result[f"{metric}_high"] = means, means - half, means + half
    result["error"] = groups["error"].agg(lambda errors: next((e for e in errors if e is not None), None))
    return result.reset_index(drop=True)


def check_output(output: str | os.PathLike[str] | None) -> None:
    """Whether the file can be written, before an hour is spent on what it will hold."""
    if output is None:
        return
    path = Path(output)
    if path.suffix not in (".csv", ".parquet"):
        raise ValueError(f"output ends in .csv or .parquet: {os.fspath(output)!r}")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"output: there is no folder {str(path.parent)!r}")
    if path.suffix == ".parquet":
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise MissingPackage("Parquet files need pyarrow: pip install 'seekahead[data]'") from None


def write(frame: pd.DataFrame, output: str | os.PathLike[str] | None) -> None:
    """Write the table under another name and rename it."""
    if output is None:
        return
    path = os.fspath(output)
    temporary = f"{path}.new"
    try:
        if path.endswith(".csv"):
            frame.to_csv(temporary, index=False)
        else:
            frame.to_parquet(temporary, index=False)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def needed_packages() -> Any:
    """The module pandas.

    Raises
    ------
    MissingPackage
        It or scipy is not installed.
    """
    try:
        import pandas as pd
        import scipy  # noqa: F401
    except ImportError:
        raise MissingPackage("sweep() needs pandas and scipy: pip install pandas scipy") from None
    return pd
