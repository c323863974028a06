"""Results: what they show, that they cannot be changed, and how runs fail."""

from __future__ import annotations

import concurrent.futures
import copy
import json
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import seekahead as sx
from seekahead import _pool
from seekahead.tables import TABLES

READER = """
[scenario]
title = "a <b>bold</b> reader"
seed = 6
[[device]]
name = "hda"
drive = "dtla307045"
[[file]]
name = "a"
size = "16 MiB"
[readahead]
policy = "linux-2.4"
[[process]]
name = "reader"
workload = "stream"
files = ["a"]
block = "64 KiB"
"""


@pytest.fixture(scope="module")
def result() -> sx.Result:
    return sx.Scenario.from_text(READER).run()


@pytest.fixture
def endless() -> sx.Scenario:
    """Runs until it is stopped."""
    return sx.Scenario.from_text(READER).with_({"process.reader.passes": 1_000_000})


# --- figures


def test_figures_are_those_of_the_json(result: sx.Result) -> None:
    assert result.data == json.loads(result.to_json())
    assert (result.title, result.seed, result.version) == ("a <b>bold</b> reader", 6, sx.__version__)
    total = result.data["total"]
    assert result.summary["throughput_mb_s"] == total["throughput_mb_s"]
    assert result.summary["mb_read"] == 16 * 1.048576
    assert result.summary["elapsed_s"] == pytest.approx(total["bytes_read"] / total["throughput_mb_s"] / 1e6)
    assert result.summary["p99_ms"] == total["latency_ms"]["p99"]
    assert result.summary["requests"] == len(result.requests)
    assert result.wall_s > 0


def test_paths_find_figures(result: sx.Result) -> None:
    assert result["device.hda.requests"] == result.data["devices"][0]["requests"]
    assert result["process.reader.latency_ms.p50"] == result.data["processes"][0]["latency_ms"]["p50"]
    assert result["devices.0.name"] == "hda"


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("device.hdb.requests", "'hdb'.* there is: hda"),
        ("device.hda.request", "'request'.*requests"),
        ("totals", "'totals'.*total"),
        ("device.hda.requests.more", "'more'"),
    ],
)
def test_a_path_to_nothing_names_what_there_is(result: sx.Result, path: str, told: str) -> None:
    with pytest.raises(KeyError, match=told):
        _ = result[path]


def test_it_shows_what_matters(result: sx.Result) -> None:
    text = repr(result)
    assert "a <b>bold</b> reader" in text
    assert f"{result.summary['throughput_mb_s']:.2f} MB/s" in text
    html = result._repr_html_()
    assert "a &lt;b&gt;bold&lt;/b&gt; reader, seed 6" in html
    assert "<b>" not in html
    assert html.count("<tr>") == len(result.summary)


# --- it cannot be changed


@pytest.mark.parametrize("name", ["json_text", "seed", "requests", "anything"])
def test_attributes_cannot_be_set(result: sx.Result, name: str) -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        setattr(result, name, 1)
    with pytest.raises(AttributeError, match="cannot be changed"):
        delattr(result, name)


@pytest.mark.parametrize("name", TABLES)
def test_tables_cannot_be_written(result: sx.Result, name: str) -> None:
    table = getattr(result, name)
    assert not table.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        table[TABLES[name][0][0]] = 0
    with pytest.raises(ValueError, match="WRITEABLE"):
        table.flags.writeable = True


def test_tables_are_views_of_memory_shared_with_the_run(result: sx.Result) -> None:
    import mmap

    base: object = result.requests
    while isinstance(base, np.ndarray):
        base = base.base
    assert isinstance(base, memoryview)
    assert isinstance(base.obj, mmap.mmap)


def test_tables_outlive_the_result() -> None:
    table = sx.Scenario.from_text(READER).run().requests
    assert table["sectors"].sum() * 512 == 16 << 20


def test_a_pickled_result_is_the_same(result: sx.Result) -> None:
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert other.to_json() == result.to_json()
        assert other.scenario == result.scenario
        assert other.names == result.names
        for name in TABLES:
            assert np.array_equal(getattr(other, name), getattr(result, name))
            assert not getattr(other, name).flags.writeable


def test_a_result_without_tables_can_be_pickled() -> None:
    result = sx.Scenario.from_text(READER).run(record=False)
    assert pickle.loads(pickle.dumps(result)).to_json() == result.to_json()


# --- tables


def test_what_was_not_recorded_is_told(result: sx.Result) -> None:
    some = sx.Scenario.from_text(READER).run(record={"windows"})
    assert np.array_equal(some.windows, result.windows)
    with pytest.raises(sx.NotRecorded, match=r"record=\{'requests'\}"):
        _ = some.requests
    assert not hasattr(some, "requests")
    with pytest.raises(sx.NotRecorded):
        some.to_dataframe("calls")


def test_a_frame_has_the_rows_of_the_table(result: sx.Result) -> None:
    frame = result.to_dataframe()
    assert len(frame) == len(result.requests)
    assert frame["is_read"].all()
    assert set(frame["device"]) == {"hda"}
    assert "reserved" not in result.to_dataframe("windows")
    with pytest.raises(ValueError, match="requests, windows"):
        result.to_dataframe("request")


def test_a_dataset_has_the_rows_of_the_table(result: sx.Result) -> None:
    dataset = result.to_xarray("windows")
    assert dict(dataset.sizes) == {"row": len(result.windows)}
    assert int(dataset["pages"].sum()) == int(result.windows["pages"].sum())
    assert set(dataset["process"].values) == {"reader"}


@pytest.mark.parametrize(("package", "method"), [("pandas", "to_dataframe"), ("xarray", "to_xarray")])
def test_a_missing_package_is_named(
    result: sx.Result, package: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(sx.MissingPackage, match=rf"needs {package}: pip install "):
        getattr(result, method)()


# --- runs that end badly


def busy_helper() -> _pool.Helper:
    deadline = time.monotonic() + 20
    while not _pool._pool.busy and time.monotonic() < deadline:
        time.sleep(0.01)
    (helper,) = _pool._pool.busy
    return helper


def child_of(helper: _pool.Helper) -> int:
    """The process that runs the simulation."""
    children = Path(f"/proc/{helper.process.pid}/task/{helper.process.pid}/children")
    deadline = time.monotonic() + 20
    while not children.read_text() and time.monotonic() < deadline:
        time.sleep(0.01)
    return int(children.read_text().split()[0])


def test_a_run_that_is_killed_is_an_error_and_its_helper_goes_on(endless: sx.Scenario) -> None:
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        pending = thread.submit(endless.run, record=False)
        helper = busy_helper()
        subprocess.run(["kill", "-KILL", str(child_of(helper))], check=True)
        with pytest.raises(sx.SimulationError, match="crashed: Killed"):
            pending.result(timeout=20)
    assert helper.is_alive()
    sx.Scenario.from_text(READER).run(record=False)
    assert helper in _pool._pool.idle


def test_a_helper_that_is_killed_is_an_error_and_takes_its_run_along(endless: sx.Scenario) -> None:
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        pending = thread.submit(endless.run, record=False)
        helper = busy_helper()
        child = child_of(helper)
        helper.process.send_signal(signal.SIGKILL)
        with pytest.raises(sx.SimulationError, match="helper process"):
            pending.result(timeout=20)
    deadline = time.monotonic() + 5
    while Path(f"/proc/{child}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(f"/proc/{child}").exists()


def test_a_helper_killed_while_idle_is_replaced() -> None:
    scenario = sx.Scenario.from_text(READER)
    expected = scenario.run(record=False).to_json()
    for helper in list(_pool._pool.idle):
        helper.process.kill()
        helper.process.wait()
    assert scenario.run(record=False).to_json() == expected


def test_stopped_runs_say_what_they_had_come_to(endless: sx.Scenario) -> None:
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        pending = thread.submit(endless.run, record=False)
        child_of(busy_helper())
        time.sleep(0.3)
        start = time.monotonic()
        _pool.stop_running()
        partial = pending.result(timeout=20)
        assert time.monotonic() - start < 2
    assert partial["interrupted"] is True
    assert partial["total.bytes_read"] > 0


def test_helpers_end_with_the_process_that_started_them() -> None:
    code = (
        "import seekahead as sx\nfrom seekahead import _pool\n"
        f"sx.Scenario.from_text({READER!r}).run()\n"
        "print(*[helper.process.pid for helper in _pool._pool.idle], flush=True)\n"
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    (helper,) = ended.stdout.split()
    deadline = time.monotonic() + 5
    while Path(f"/proc/{helper}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(f"/proc/{helper}").exists()


def test_no_thread_is_left_behind(result: sx.Result) -> None:
    before = threading.active_count()
    result.scenario.run(record=False)
    assert threading.active_count() == before
