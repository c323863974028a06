"""Sweeps: every combination of some values, each run in a process of its own, as one table."""

from __future__ import annotations

import concurrent.futures as cf
import contextlib
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from seekahead import _jobs, _pool, _store
from seekahead._axes import Axis, own_axes, parsed, read_axes
from seekahead._statistics import over_seeds
from seekahead.errors import Interrupted, MissingPackage, SimulationError
from seekahead.result import Result
from seekahead.scenario import Scenario, failure

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

Metric = str | Callable[[Result], Any]
IN_FLIGHT = 256
"""Most points handed to an executor at a time: a point that waits costs memory."""


class Executor(Protocol):
    """Anything with ``submit``: executors of concurrent.futures, dask's ``Client.get_executor()``, MPI's."""

    def submit(self, function: Callable[[bytes], dict[str, Any]], job: bytes, /) -> Any:
        """Run ``function(job)`` somewhere; the answer has ``result()``."""


def run_packed(job: bytes) -> dict[str, Any]:
    """Run a packed job through a helper of the process that this is called in; what an executor's workers call."""
    reply = _pool.perform(job)
    return {**reply.answer, "wall_s": reply.wall_s}


@dataclass
class _Point:
    """One run of a sweep: what to run, under which key it is kept, and what came of it."""

    scenario: Scenario
    index: int
    seed: int
    key: str | None = None
    text: str | None = None
    error: str | None = None

    def job(self) -> _jobs.RunJob:
        return self.scenario._job(self.index, False, 0)

    def label(self) -> str:
        return ", ".join(f"{key} = {value}" for key, value in self.scenario._plan.values(self.index))


def sweep(
    scenario: Scenario,
    axes: Mapping[str, Sequence[Any]] | None = None,
    /,
    *,
    seeds: Iterable[int] | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: bool = True,
    on_error: Literal["record", "raise"] = "record",
    cache: bool | str | os.PathLike[str] = True,
    output: str | os.PathLike[str] | None = None,
    metrics: Sequence[str] | Mapping[str, Metric] | None = None,
    aggregate: bool = True,
    **short: Sequence[Any],
) -> pd.DataFrame:
    """Run every combination of some values and return a table with a row for each.

    Parameters
    ----------
    scenario
        What to run; its own [sweep] is used when no axes are given, and its axes stay beside those given.
    axes, **short
        Keys with the values they take, by full path or by short name as in :meth:`Scenario.with_`. Values of
        ``policy`` may also be objects of :mod:`seekahead.readahead` or Python classes, those of ``readahead`` tables.
    seeds
        Run each point with each of these; the same for every point, so that points can be compared.
    executor
        Where points run; by default in helper processes of this machine. Each point runs in a forked child there as
        well, so that a crash costs one row.
    workers
        How many points at once; default: one a processor.
    progress
        Show a bar, if tqdm is installed.
    on_error : {"record", "raise"}
        A point that fails is a row with its ``error``, or ends the sweep.
    cache
        Keep results by content, so that no finished point is run again: True: in the user's cache folder
        (:func:`clear_cache`), a path: there, False: not at all.
    output
        A .csv or .parquet file for the table.
    metrics
        Columns: names of :attr:`Result.summary`, paths of the result, or a mapping from column to path or function.
    aggregate
        With several seeds: the mean over seeds with its 95 % confidence interval (``<metric>_low``,
        ``<metric>_high``). False: a row for every run.

    Returns
    -------
    DataFrame
        One row a point, or a run: the axes, ``seed`` or ``seeds``, metrics, ``error``. Its ``attrs`` count the points
        that were ``run``, came ``from_cache`` and ``failed``.

    Raises
    ------
    ScenarioError
        A point is not a valid scenario; nothing was run.
    Interrupted
        Ctrl-C; finished points are kept in the cache.

    >>> import seekahead as sx
    >>> sc = sx.Scenario.example("larsson-2001/read").with_({"file.a.size": "8 MiB"})
    >>> table = sx.sweep(sc, max_readahead=[31, 127], progress=False)
    >>> list(table["max_readahead"])
    [31, 127]
    """
    if on_error not in ("record", "raise"):
        raise ValueError(f"on_error is 'record' or 'raise', not {on_error!r}")
    _check_output(output)
    _pandas()
    scenario, given = read_axes(scenario, {**(axes or {}), **short})
    scenario = scenario._with_axes((axis.key, axis.values) for axis in given)
    points = _points(scenario, seeds)
    store = _store.open_store(cache)
    counts = _run_all(points, store, executor, workers, progress, on_error)
    frame = _frame(points, given, _metrics_of(metrics), seeds is not None, aggregate)
    frame.attrs.update(counts)
    _write(frame, output)
    return frame


# --- points


def _points(scenario: Scenario, seeds: Iterable[int] | None) -> list[_Point]:
    """Points outside, seeds inside."""
    of_seed = [scenario] if seeds is None else [scenario.with_(seed=int(seed)) for seed in seeds]
    if not of_seed:
        raise ValueError("seeds: at least one is needed")
    return [_Point(one, index, one.seed) for index in range(len(scenario._plan)) for one in of_seed]


def _find_kept(points: list[_Point], store: _store.Store | None) -> None:
    """Give points their keys, and their results where they are kept."""
    sources = _store.sources_of(points[0].scenario._python_models)
    if store is None or sources is None:
        return
    for point in points:
        point.key = _store.key_of(point.job(), sources)
        point.text = store.get(point.key)


# --- running them


def _run_all(
    points: list[_Point],
    store: _store.Store | None,
    executor: Executor | None,
    workers: int | None,
    progress: bool,
    on_error: str,
) -> dict[str, int]:
    _find_kept(points, store)
    to_run = [point for point in points if point.text is None]
    kept = len(points) - len(to_run)
    bar = _Bar(len(points), kept, progress)
    workers = max(1, min(workers or os.cpu_count() or 1, len(to_run)))
    own = cf.ThreadPoolExecutor(workers) if executor is None else None
    finished = 0
    try:
        for point, answer in _answers(to_run, own or executor, workers if own else IN_FLIGHT):
            _take(point, answer, store)
            finished += 1
            bar.step(point.error)
            if point.error is not None and on_error == "raise":
                raise SimulationError(f"{point.label()}: {failure(answer)}")
    except KeyboardInterrupt:
        raise Interrupted(
            f"the sweep was interrupted: {kept + finished} of {len(points)} points are finished"
            + (" and kept; the same call goes on with the others" if store else "")
        ) from None
    finally:
        if own:
            _pool.stop_running()
            own.shutdown(cancel_futures=True)
        bar.close()
    failed = sum(point.error is not None for point in points)
    return {"run": len(to_run), "from_cache": kept, "failed": failed}


def _answers(points: list[_Point], executor: Any, at_once: int) -> Iterator[tuple[_Point, dict[str, Any]]]:
    """What comes of each point, as it comes; at most ``at_once`` wait in the executor."""
    left = iter(points)
    waiting: dict[Any, _Point] = {}
    try:
        while True:
            for point in left:
                waiting[executor.submit(run_packed, _jobs.pack(point.job()))] = point
                if len(waiting) >= at_once:
                    break
            if not waiting:
                return
            for future in _some_done(waiting):
                yield waiting.pop(future), _answer_of(future)
    finally:
        for future in waiting:
            future.cancel()


def _some_done(waiting: Mapping[Any, _Point]) -> list[Any]:
    if all(isinstance(future, cf.Future) for future in waiting):
        return list(cf.wait(waiting, return_when=cf.FIRST_COMPLETED).done)
    return [next(iter(waiting))]  # another kind of future: one after the other


def _answer_of(future: Any) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = future.result()
    except Exception as error:  # the executor's worker is lost, or a helper was killed from outside
        return {"error": f"{type(error).__name__}: {error}"}
    return answer


def _take(point: _Point, answer: dict[str, Any], store: _store.Store | None) -> None:
    point.text = answer.get("json")
    if point.text is None:
        error = failure(answer)
        point.error = str(error)
    elif '"interrupted": true' in point.text:
        point.text, point.error = None, "the run was interrupted"
    elif store is not None and point.key is not None:
        store.put(point.key, point.text)


class _Bar:
    """Progress on stderr or in the notebook, if tqdm is there and wanted."""

    def __init__(self, total: int, kept: int, wanted: bool) -> None:
        self.failed = 0
        self.bar: Any = None
        if wanted:
            with contextlib.suppress(ImportError), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # tqdm tells where widgets are missing; its text bar does then
                from tqdm.auto import tqdm

                self.bar = tqdm(total=total, initial=kept, unit="point")

    def step(self, error: str | None) -> None:
        self.failed += error is not None
        if self.bar is not None:
            if self.failed:
                self.bar.set_postfix(failed=self.failed)
            self.bar.update()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


# --- the table


def _metrics_of(metrics: Sequence[str] | Mapping[str, Metric] | None) -> dict[str, Metric]:
    if isinstance(metrics, str):
        raise TypeError(f"metrics is a list of names or a mapping, not {metrics!r}")
    if isinstance(metrics, Mapping):
        return dict(metrics)
    return {name: name for name in (DEFAULT_METRICS if metrics is None else metrics)}


def _figure(result: Result, metric: Metric) -> Any:
    if callable(metric):
        return metric(result)
    return result.summary[metric] if metric in result.summary else result[metric]


def _frame(
    points: list[_Point], given: list[Axis], metrics: dict[str, Metric], has_seeds: bool, aggregate: bool
) -> pd.DataFrame:
    pd = _pandas()
    axes = _columns(points[0].scenario, given)
    rows = []
    for point in points:
        values = {key: parsed(text) for key, text in point.scenario._plan.values(point.index)}
        row = {axis.column: axis.label_of(values[key]) for key, axis in axes.items()}
        row.update(seed=point.seed, _point=point.index, error=point.error)
        if point.text is not None:
            result = Result(point.text, point.scenario, None, 0.0)
            row.update({name: _figure(result, metric) for name, metric in metrics.items()})
        rows.append(row)
    columns = [axis.column for axis in axes.values()]
    frame = pd.DataFrame(rows, columns=[*columns, "seed", *metrics, "error", "_point"])
    frame["error"] = frame["error"].astype(object).where(frame["error"].notna(), None)
    if has_seeds and aggregate:
        numeric = [name for name in metrics if pd.api.types.is_numeric_dtype(frame[name])]
        return over_seeds(frame, "_point", columns, numeric)
    return frame.drop(columns="_point")


def _columns(scenario: Scenario, given: list[Axis]) -> dict[str, Axis]:
    """Axes by key: those given, and the scenario's own that are left."""
    by_key = {axis.key: axis for axis in own_axes(scenario)}
    return {key: next((axis for axis in given if axis.key == key), own) for key, own in by_key.items()}


def _check_output(output: str | os.PathLike[str] | None) -> None:
    if output is not None and not os.fspath(output).endswith((".csv", ".parquet")):
        raise ValueError(f"output ends in .csv or .parquet: {os.fspath(output)!r}")


def _write(frame: pd.DataFrame, output: str | os.PathLike[str] | None) -> None:
    if output is None:
        return
    path = os.fspath(output)
    temporary = f"{path}.new"
    if path.endswith(".csv"):
        frame.to_csv(temporary, index=False)
    else:
        frame.to_parquet(temporary, index=False)
    os.replace(temporary, path)


def _pandas() -> Any:
    try:
        import pandas as pd
        import scipy  # noqa: F401
    except ImportError:
        raise MissingPackage("sweep() needs pandas and scipy: pip install 'seekahead[data]'") from None
    return pd
