"""Sweeps: every combination of some values, each run in a process of its own, as one table."""

from __future__ import annotations

import concurrent.futures as cf
import contextlib
import itertools
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from seekahead import _jobs, _pool, _store
from seekahead._axes import Axis, own_axes, parsed, read_axes
from seekahead._sources import sources_of
from seekahead._sweep_table import (
    Metric,
    Row,
    check_output,
    figures_of,
    metrics_of,
    needed_packages,
    table_of,
    write,
)
from seekahead.errors import Interrupted, SimulationError
from seekahead.result import Result
from seekahead.scenario import Scenario, failure

if TYPE_CHECKING:
    import pandas as pd

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
    key: str | None = None
    figures: dict[str, Any] = field(default_factory=dict)
    error: str | None = None
    is_done: bool = False

    def job(self) -> _jobs.RunJob:
        return self.scenario._job(self.index, False, 0)

    def values(self) -> list[tuple[str, str]]:
        return list(self.scenario._plan.values(self.index))

    def take(self, text: str, metrics: Mapping[str, Metric]) -> None:
        self.figures = figures_of(Result(text, self.scenario, None, 0.0), metrics)
        self.is_done = True

    def label(self) -> str:
        return ", ".join([*(f"{key} = {value}" for key, value in self.values()), f"seed = {self.scenario.seed}"])


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
        How many points at once; default: one a processor, or with an executor as many as 256 handed over.
    progress
        Show a bar, if tqdm is installed.
    on_error : {"record", "raise"}
        A point that fails is a row with its ``error``, or ends the sweep.
    cache
        Keep results by content, so that no finished point is run again: True: in ``$XDG_CACHE_HOME/seekahead`` or
        ``~/.cache/seekahead`` (:func:`clear_cache`), a path: there, False: not at all. When the folder has more than
        512 MB after a sweep, its oldest results go. Points that failed are run again.
    output
        A .csv or .parquet file for the table.
    metrics
        Columns: names of :attr:`Result.summary`, paths of the result, or a mapping from column to path or function of
        the :class:`Result` (which has no tables here).
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
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor needs a method submit(): {executor!r}")
    check_output(output)
    needed_packages()
    wanted = metrics_of(metrics)
    scenario, given = read_axes(scenario, {**(axes or {}), **short})
    scenario = scenario._with_axes((axis.key, axis.values) for axis in given)
    points = _points(scenario, seeds)
    store = _store.open_store(cache)
    _find_kept(points, store, wanted)
    running = _Running(points, wanted, store, on_error == "raise", _Bar(points, progress))
    counts = running.run(executor, workers)
    columns = _columns(scenario, given)
    frame = table_of(
        [_row(point, columns) for point in points],
        [axis.column for axis in columns.values()],
        list(wanted),
        aggregate=aggregate and seeds is not None,
    )
    frame.attrs.update(counts)
    write(frame, output)
    return frame


# --- points


def _points(scenario: Scenario, seeds: Iterable[int] | None) -> list[_Point]:
    """Points outside, seeds inside."""
    of_seed = [scenario]
    if seeds is not None:
        scenario = _with_fixed_axes(scenario)
        of_seed = [scenario.with_(seed=int(seed)) for seed in seeds]
    if not of_seed:
        raise ValueError("seeds: at least one is needed")
    return [_Point(one, index) for index in range(len(scenario._plan)) for one in of_seed]


def _with_fixed_axes(scenario: Scenario) -> Scenario:
    """The scenario with the values of its axes written out: what the seed draws is then the same for every seed."""
    axes: dict[str, dict[str, None]] = {}
    for index in range(len(scenario._plan)):
        for key, text in scenario._plan.values(index):
            axes.setdefault(key, {})[text] = None
    return scenario._with_axes((key, tuple(values)) for key, values in axes.items())


def _find_kept(points: list[_Point], store: _store.Store | None, metrics: Mapping[str, Metric]) -> None:
    """Give points their keys, and their figures where results are kept."""
    sources = None if store is None else sources_of(points[0].scenario._python_models)
    if store is None or sources is None:
        return
    for point in points:
        point.key = _store.key_of(point.job(), sources)
        if (text := store.get(point.key)) is not None:
            point.take(text, metrics)


# --- running them


class _Running:
    """The points of a sweep that are not known yet, while they run."""

    def __init__(
        self,
        points: list[_Point],
        metrics: Mapping[str, Metric],
        store: _store.Store | None,
        raises: bool,
        bar: _Bar,
    ) -> None:
        self.points = points
        self.metrics = metrics
        self.store = store
        self.raises = raises
        self.bar = bar

    def run(self, executor: Executor | None, workers: int | None) -> dict[str, int]:
        """Run them, in helpers of this process unless there is an executor; what the table's ``attrs`` say."""
        to_run = [point for point in self.points if not point.is_done]
        kept = len(self.points) - len(to_run)
        try:
            if executor is not None:
                self._run_in(executor, to_run, workers or IN_FLIGHT)
            elif to_run:
                self._run_here(to_run, min(workers or os.cpu_count() or 1, len(to_run)))
        except KeyboardInterrupt:
            done = sum(point.is_done for point in self.points)
            told = " and kept; the same call goes on with the others" if self.store else ""
            raise Interrupted(
                f"the sweep was interrupted: {done} of {len(self.points)} points are finished{told}"
            ) from None
        finally:
            self.bar.close()
            if self.store is not None:
                self.store.trim()
        failed = sum(point.error is not None for point in self.points)
        return {"run": len(to_run), "from_cache": kept, "failed": failed}

    def _run_here(self, points: list[_Point], workers: int) -> None:
        """Threads that wait for helpers; one point waits for each, so that no helper waits for this thread."""
        with cf.ThreadPoolExecutor(workers) as threads:
            waiting: dict[Any, _Point] = {}
            try:
                self._run_in(threads, points, 2 * workers, waiting)
            except BaseException:
                while cf.wait(waiting, timeout=0.05).not_done:
                    _pool.stop_running()
                raise

    def _run_in(
        self, executor: Any, points: list[_Point], at_once: int, waiting: dict[Any, _Point] | None = None
    ) -> None:
        """Hand over the points, at most ``at_once`` at a time, and take what comes of them as it comes."""
        waiting = {} if waiting is None else waiting
        left = iter(points)
        try:
            while True:
                for point in itertools.islice(left, at_once - len(waiting)):
                    waiting[_submit(executor, _jobs.pack(point.job()))] = point
                if not waiting:
                    return
                for future in _some_done(waiting):
                    self._take(waiting.pop(future), _answer_of(future))
        except BaseException:
            for future in waiting:
                future.cancel()
            raise

    def _take(self, point: _Point, answer: dict[str, Any]) -> None:
        text = answer.get("json")
        if text is None:
            point.error = str(failure(answer))
        elif '"interrupted": true' in text:
            point.error = "the run was interrupted"
        else:
            point.take(text, self.metrics)
            if self.store is not None and point.key is not None:
                self.store.put(point.key, text)
        self.bar.step(point.error)
        if point.error is not None and self.raises:
            raise SimulationError(f"{point.label()}: {point.error}")


def _submit(executor: Any, job: bytes) -> Any:
    try:
        return executor.submit(run_packed, job)
    except Exception as error:  # it has lost its workers for good
        future: cf.Future[Any] = cf.Future()
        future.set_exception(error)
        return future


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


class _Bar:
    """Progress on stderr or in the notebook, if tqdm is there and wanted."""

    def __init__(self, points: Sequence[_Point], wanted: bool) -> None:
        self.failed = 0
        self.bar: Any = None
        if wanted:
            with contextlib.suppress(ImportError), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # tqdm tells where widgets are missing; its text bar does then
                from tqdm.auto import tqdm

                self.bar = tqdm(total=len(points), initial=sum(point.is_done for point in points), unit="point")

    def step(self, error: str | None) -> None:
        """One more point has ended."""
        self.failed += error is not None
        if self.bar is not None:
            if self.failed:
                self.bar.set_postfix(failed=self.failed)
            self.bar.update()

    def close(self) -> None:
        """Leave it as it is."""
        if self.bar is not None:
            self.bar.close()


# --- the table


def _row(point: _Point, axes: Mapping[str, Axis]) -> Row:
    values = {key: parsed(text) for key, text in point.values()}
    labels = {axis.column: axis.label_of(values[key]) for key, axis in axes.items()}
    return Row(point.index, labels, point.scenario.seed, point.figures, point.error)


def _columns(scenario: Scenario, given: list[Axis]) -> dict[str, Axis]:
    """Axes by key: those given, and the scenario's own that are left."""
    by_key = {axis.key: axis for axis in own_axes(scenario)}
    return {key: next((axis for axis in given if axis.key == key), own) for key, own in by_key.items()}
