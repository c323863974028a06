"""What a run records row by row adds up to what it reports."""

import numpy as np
import pytest

import seekahead as sx
from seekahead.tables import TABLES, dtype_of

MIXED = """
[machine]
memory = "24 MiB"
[[device]]
name = "hda"
drive = "dtla307045"
[[file]]
name = "a"
size = "24 MiB"
[[file]]
name = "b"
size = "24 MiB"
after = "a"
distance = "1 GB"
[readahead]
policy = "linux-2.4"
max_readahead = 31
[[process]]
name = "reader"
workload = "stream"
files = ["a"]
[[process]]
name = "copier"
workload = "copy"
files = ["a", "b"]
"""


@pytest.fixture(scope="module")
def result():
    return sx.Scenario.from_text(MIXED).run()


def test_rows_are_as_wide_as_the_records_of_the_simulator():
    widths = {name: dtype_of(name).itemsize for name in TABLES}
    assert widths == {"requests": 88, "windows": 56, "calls": 40, "timeline": 44, "cache": 16}


def test_requests_add_up(result):
    device = result.data["devices"][0]
    rows = result.requests
    assert len(rows) == device["requests"]
    assert rows["sectors"].astype("i8").sum() * 512 == device["bytes"]
    assert (rows["is_read"] == 1).sum() == device["reads"]
    assert rows["cache_hit"].sum() == device["cache_hits"]
    for part in ("seek", "rotation", "transfer", "bus", "overhead"):
        assert rows[f"{part}_ns"].sum() == pytest.approx(device[f"{part}_s"] * 1e9, abs=1)
    latency_ms = (rows["completed_ns"] - rows["queued_ns"]).mean() * 1e-6
    assert latency_ms == pytest.approx(device["latency_ms"]["mean"], rel=1e-9)
    assert (np.diff(rows["completed_ns"]) >= 0).all()
    assert (rows["started_ns"] >= rows["queued_ns"]).all()


def test_windows_add_up(result):
    total = result.data["readahead"]["total"]
    rows = result.windows
    assert len(rows) == total["windows"]
    assert rows["pages"].sum() == total["pages_asked"]
    assert rows["pages_read"].sum() == total["pages_read"]
    assert (rows["demand_pages"] <= rows["pages"]).all()
    for name, counters in result.data["readahead"]["classes"].items():
        of_class = rows[rows["window_class"] == result.names["classes"].index(name)]
        assert of_class["pages_read"].sum() == counters["pages_read"]


def test_demand_pages_are_those_of_the_call():
    text = MIXED.replace(
        'workload = "copy"\nfiles = ["a", "b"]', 'workload = "stream"\nfiles = ["b"]\nblock = "16 KiB"'
    )
    result = sx.Scenario.from_text(text).run()
    rows = result.windows[result.windows["file"] == result.names["files"].index("b")]
    first = rows[0]
    assert (first["start"], first["demand_pages"]) == (0, min(4, first["pages"]))


def test_calls_add_up(result):
    rows = result.calls
    for process in result.data["processes"]:
        own = rows[rows["process"] == result.names["processes"].index(process["name"])]
        assert len(own) == process["latency_ms"]["count"]
        mean_ms = (own["end_ns"] - own["start_ns"]).mean() * 1e-6
        assert mean_ms == pytest.approx(process["latency_ms"]["mean"], rel=1e-9)
        reads = own[own["call"] == result.names["calls"].index("read")]
        assert reads["bytes"].sum() == process["bytes_read"]


def test_timeline_ends_with_everything_done(result):
    last = result.timeline[-1]
    device = result.data["devices"][0]
    assert last["queue_depth"] == 0
    assert last["read_bytes"] + last["written_bytes"] == device["bytes"]
    assert result.timeline["queue_depth"].max() <= device["requests"]
    assert len(result.timeline) == 3 * device["requests"]


def test_cache_is_what_the_files_have_cached(result):
    for file in result.data["files"]:
        rows = result.cache[result.cache["file"] == result.names["files"].index(file["name"])]
        assert len(rows) == file["cached_pages"]
        assert len(np.unique(rows["page"])) == len(rows)
        assert (rows["state"] & 1).all()


def test_recording_changes_no_figure(result):
    assert sx.Scenario.from_text(MIXED).run(record=False).json_text == result.json_text


def test_a_table_that_is_cut_off_says_so():
    result = sx.Scenario.from_text(MIXED).run(record={"requests", "calls"}, record_limit=10)
    assert len(result.requests) == 10
    assert set(result.truncated) == {"requests", "calls"}
    with pytest.raises(sx.NotRecorded, match="windows"):
        _ = result.windows


def test_frames_have_names(result):
    frame = result.to_dataframe("calls")
    assert set(frame["process"].cat.categories) == {"reader", "copier"}
    assert frame.loc[frame["process"] == "reader", "bytes"].sum() == result["process.reader.bytes_read"]
