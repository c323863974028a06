"""Points run wherever an executor of the user's takes them, with the same figures."""

import concurrent.futures as cf
import contextlib
import multiprocessing
import os
import signal
import time

import pytest

import seekahead as sx
from seekahead import sweeps
from small import ENDLESS, QUIET, random_reader

WINDOWS = list(range(1, 11))
OPTIONS = {"max_readahead": WINDOWS, "metrics": {"json": sx.Result.to_json}, **QUIET}


@pytest.fixture(scope="module")
def expected():
    return list(sx.sweep(random_reader(), **OPTIONS)["json"])


def test_threads(expected):
    with cf.ThreadPoolExecutor(2) as executor:
        assert list(sx.sweep(random_reader(), executor=executor, **OPTIONS)["json"]) == expected


def test_spawned_processes(expected):
    with cf.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        assert list(sx.sweep(random_reader(), executor=executor, **OPTIONS)["json"]) == expected


@pytest.mark.filterwarnings("default")  # dask's own
def test_a_dask_cluster(expected, program):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        with client.get_executor() as executor:
            assert list(sx.sweep(random_reader(), executor=executor, **OPTIONS)["json"]) == expected
        crashing = sx.Scenario.from_text(
            random_reader().to_toml(), plugins=[str(program.parent / "plugins" / "crashes.so")]
        )
        with client.get_executor() as executor:
            table = sx.sweep(crashing, policy=["fixed", "aborts", "none"], executor=executor, **QUIET)
        assert list(table["error"].isna()) == [True, False, True]
        workers = client.run(lambda: sum(helper.is_alive() for helper in sweeps._pool._pool.idle))
    assert list(workers.values()) == [1, 1], "each worker has a helper of its own"


def test_a_crash_costs_the_executor_no_worker(program):
    plugin = str(program.parent / "plugins" / "crashes.so")
    scenario = sx.Scenario.from_text(random_reader().to_toml(), plugins=[plugin])
    with cf.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        before = executor.submit(os.getpid).result()
        table = sx.sweep(scenario, policy=["aborts", "fixed"], executor=executor, **QUIET)
        assert executor.submit(os.getpid).result() == before
    assert "Aborted" in table["error"][0]
    assert table["error"][1] is None


def test_an_executor_that_has_lost_its_workers_costs_rows_and_not_the_sweep():
    with cf.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        with contextlib.suppress(cf.process.BrokenProcessPool):
            executor.submit(os.kill, executor.submit(os.getpid).result(), signal.SIGKILL).result()
        table = sx.sweep(random_reader(), executor=executor, **OPTIONS)
    assert table["error"].str.contains("BrokenProcessPool").all()


class Later:
    """A future of another kind than those of concurrent.futures."""

    def __init__(self, function, job):
        self.function, self.job = function, job

    def result(self):
        return self.function(self.job)


class OtherExecutor:
    def __init__(self):
        self.most = self.waiting = 0

    def submit(self, function, job):
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        return Later(self.done(function), job)

    def done(self, function):
        def call(job):
            self.waiting -= 1
            return function(job)

        return call


def test_anything_with_submit_will_do_and_gets_no_more_than_it_may(expected):
    executor = OtherExecutor()
    table = sx.sweep(random_reader(), executor=executor, workers=3, **OPTIONS)
    assert list(table["json"]) == expected
    assert executor.most == 3


def test_what_is_no_executor_is_told():
    with pytest.raises(TypeError, match="submit"):
        sx.sweep(random_reader(), executor=2, **QUIET)


def test_a_helper_that_is_killed_from_outside_costs_one_point():
    sx.sweep(random_reader(), max_readahead=WINDOWS[:2], **QUIET)  # helpers are there and idle
    long = random_reader().with_(ENDLESS)
    with cf.ThreadPoolExecutor(1) as thread:
        pending = thread.submit(sx.sweep, long, workers=1, **QUIET)
        while not sweeps._pool._pool.busy:
            time.sleep(0.01)
        (helper,) = sweeps._pool._pool.busy
        time.sleep(0.2)
        helper.process.kill()
        (row,) = pending.result(timeout=20).to_dict("records")
    assert "helper" in row["error"]
    assert sx.sweep(random_reader(), **QUIET)["error"].isna().all()
