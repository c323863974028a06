"""Plots of one run: what is drawn is what the rows say."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import pytest
from matplotlib import pyplot
from matplotlib.collections import LineCollection, PolyCollection

from handmade import MS, FakeRun, request, rows, run
from seekahead.errors import Error
from seekahead.plots import ResultPlots


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    pyplot.close("all")


def lines(ax):
    """Curves by the label of their legend."""
    return {line.get_label(): line for line in ax.get_lines() if not line.get_label().startswith("_")}


def bars(ax):
    """(x, bottom, height) of the bars of each label."""
    return {
        c.get_label(): [(b.get_x() + b.get_width() / 2, b.get_y(), b.get_height()) for b in c] for c in ax.containers
    }


CALLS = rows(
    "calls",
    {"start_ns": 0, "end_ns": 1 * MS, "process": 0},
    {"start_ns": 5 * MS, "end_ns": 6 * MS, "process": 0},
    {"start_ns": 7 * MS, "end_ns": 10 * MS, "process": 0},
    {"start_ns": 0, "end_ns": 8 * MS, "process": 1},
)


def test_latency_cdf_is_a_step_for_each_process():
    ax = ResultPlots(run(calls=CALLS)).latency_cdf()
    curves = lines(ax)
    assert set(curves) == {"cp", "diff"}
    assert curves["cp"].get_xdata().tolist() == [1.0, 1.0, 3.0]
    assert curves["cp"].get_ydata() == pytest.approx([0, 2 / 3, 1.0])
    assert curves["diff"].get_xdata().tolist() == [8.0, 8.0]
    assert ax.get_xlabel() == "latency (ms)"
    assert ax.get_ylabel() == "share of calls"
    assert ax.get_legend() is not None


def test_latency_cdf_falls_back_on_requests_and_needs_no_legend_for_one_device():
    requests = rows("requests", request(0, 1, 4), request(0, 4, 6))
    ax = ResultPlots(run(requests=requests)).latency_cdf()
    assert lines(ax)["hda"].get_xdata().tolist() == [4.0, 4.0, 6.0]
    assert ax.get_ylabel() == "share of requests"
    assert ax.get_legend() is None


def test_latency_cdf_with_calls_that_take_no_time():
    calls = rows("calls", {"end_ns": 0}, {"end_ns": 2 * MS})
    ax = ResultPlots(run(calls=calls)).latency_cdf()
    assert lines(ax)["cp"].get_ydata().tolist() == [0, 0.5, 1.0]
    assert 0 < ax.get_xlim()[0] < 2.0


def test_two_runs_on_the_same_axes_have_inks_and_names_of_their_own():
    slow = run(calls=rows("calls", {"end_ns": 9 * MS}))
    ax = ResultPlots(run(calls=rows("calls", {"end_ns": 2 * MS}))).latency_cdf(label="fast")
    ResultPlots(slow).latency_cdf(ax, label="slow")
    fast, slower = lines(ax)["fast"], lines(ax)["slow"]
    assert fast.get_color() != slower.get_color()
    assert ax.get_xlim()[0] < 2 < 9 < ax.get_xlim()[1]


def test_curves_are_in_the_order_of_their_names():
    calls = rows("calls", *({"end_ns": MS, "process": n} for n in range(3)))
    numbered = FakeRun({"calls": calls}, processes=("r10", "r9", "q"))
    assert list(lines(ResultPlots(numbered).latency_cdf())) == ["q", "r9", "r10"]


def test_many_processes_become_one_curve():
    calls = rows("calls", *({"end_ns": (n + 1) * MS, "process": n} for n in range(12)))
    assert set(lines(ResultPlots(run(calls=calls)).latency_cdf())) == {"all 12"}


def test_unknown_choice_is_told():
    with pytest.raises(Error, match="requests"):
        ResultPlots(run(calls=CALLS)).latency_cdf(of="faults")


SERVED = rows(
    "requests",
    request(0, 1, 10, seek_ms=3, rotation_ms=2, transfer_ms=1, bus_ms=1, overhead_ms=1, sectors=8),
    request(2, 10, 22, seek_ms=5, rotation_ms=4, transfer_ms=1, bus_ms=1, overhead_ms=1, sectors=256),
    request(3, 22, 23, bus_ms=1, sectors=200, cache_hit=1),
    request(0, 0, 2, transfer_ms=2, sectors=8, device=1, is_read=0),
)


def test_service_breakdown_stacks_the_mean_latency_of_a_device():
    ax = ResultPlots(run(requests=SERVED)).service_breakdown()
    by_part = bars(ax)
    assert [bar[2] for bar in by_part["seek"]] == pytest.approx([8 / 3, 0])
    assert [bar[2] for bar in by_part["transfer"]] == pytest.approx([2 / 3, 2])
    # Latencies of hda: 10, 20 and 20 ms, of which 8, 12 and 1 are service.
    assert [bar[2] for bar in by_part["queue"]] == pytest.approx([(2 + 8 + 19) / 3, 0])
    tops = [sum(bar[which][2] for bar in by_part.values()) for which in (0, 1)]
    assert tops == pytest.approx([50 / 3, 2])
    assert by_part["queue"][0][1] == pytest.approx(21 / 3)  # lies on top of the service
    assert [t.get_text() for t in ax.get_xticklabels()] == ["hda", "flash"]
    assert ax.get_ylabel() == "mean time of a request (ms)"


def test_service_breakdown_by_size_and_by_hit():
    plots = ResultPlots(run(requests=SERVED))
    by_size = plots.service_breakdown(by="size", device="hda", queue=False)
    assert [t.get_text() for t in by_size.get_xticklabels()] == ["≤ 4", "≤ 128"]
    assert [bar[2] for bar in bars(by_size)["seek"]] == pytest.approx([3, 2.5])
    assert "queue" not in bars(by_size)
    by_hit = plots.service_breakdown(by="hit", device="hda", queue=False)
    assert [bar[2] for bar in bars(by_hit)["bus"]] == pytest.approx([1, 1])
    assert [bar[2] for bar in bars(by_hit)["seek"]] == pytest.approx([4, 0])
    with pytest.raises(Error, match="device, size, hit"):
        plots.service_breakdown(by="colour")


def test_request_sizes_counts_powers_of_two():
    ax = ResultPlots(run(requests=SERVED)).request_sizes()
    assert [t.get_text() for t in ax.get_xticklabels()] == ["≤ 4", "≤ 8", "≤ 16", "≤ 32", "≤ 64", "≤ 128"]
    assert [bar[2] for bar in bars(ax)["reads"]] == [1, 0, 0, 0, 0, 2]
    assert bars(ax)["writes"][0][1:] == (1, 1)  # on top of the reads


def test_a_device_that_does_not_exist_is_told_with_those_that_do():
    with pytest.raises(Error, match="no device 'hdb' in this run; there are: hda, flash"):
        ResultPlots(run(requests=SERVED)).request_sizes(device="hdb")


WINDOWS = rows(
    "windows",
    {"time_ns": 0, "start": 0, "pages": 4, "async_pages": 3, "marker": 1, "demand_pages": 1},
    {"time_ns": 2 * MS, "start": 4, "pages": 8, "async_pages": 8, "marker": 4},
    {"time_ns": 5 * MS, "start": 30, "pages": 4, "marker": -1, "demand_pages": 2, "file_position": 32 * 4096},
    {"time_ns": 6 * MS, "start": 0, "pages": 16, "marker": -1, "file": 1, "process": 1},
)
TIMELINE = rows(
    "timeline",
    {"time_ns": 0, "cylinder": 10},
    {"time_ns": 3 * MS, "cylinder": 400},
    {"time_ns": 3 * MS, "cylinder": -1, "device": 1},
)


def strokes(ax):
    """{label: [(time, low, high)]} of the vertical strokes."""
    found = {}
    for collection in ax.collections:
        if isinstance(collection, LineCollection):
            found[collection.get_label()] = [(s[0][0], s[0][1], s[1][1]) for s in collection.get_segments()]
    return found


def test_offset_time_draws_a_stroke_a_window_and_the_demand_over_it():
    ax = ResultPlots(run(windows=WINDOWS, timeline=TIMELINE)).offset_time(file="a")
    drawn = strokes(ax)
    assert drawn["readahead"] == [(0, 0, 4), (2, 4, 12), (5, 30, 34)]
    assert drawn["asked for by the reader"] == [(0, 0, 1), (5, 32, 34)]
    (panel,) = ax.child_axes
    (arm,) = panel.get_lines()
    assert arm.get_ydata().tolist() == [10, 400]
    assert (panel.get_ylabel(), panel.get_xlabel()) == ("cylinder", "time (ms)")


def test_offset_time_stacks_files_with_their_own_offsets():
    ax = ResultPlots(run(windows=WINDOWS)).offset_time()
    assert not ax.child_axes  # no timeline, no arm
    segments = [s for c in ax.collections for s in c.get_segments()]
    assert max(s[1][1] for s in segments) > 34 + 16  # b lies above a, behind a gap
    labels = [float(t.get_text()) for t in ax.get_yticklabels()]
    assert labels.count(0) == 2


def test_offset_time_of_a_stretch_without_windows():
    with pytest.raises(Error, match="nothing to draw"):
        ResultPlots(run(windows=WINDOWS)).offset_time(start_ms=100, duration_ms=5)


def test_window_growth_shows_size_async_part_and_marker():
    ax = ResultPlots(run(windows=WINDOWS)).window_growth()
    windows, apart = ax.containers
    assert [(b.get_x(), b.get_width(), b.get_height()) for b in windows] == [(0, 1, 4), (4, 0, 8), (30, 4, 4)]
    assert [(b.get_x(), b.get_width(), b.get_height()) for b in apart] == [(1, 3, 4), (4, 8, 8), (34, 0, 4)]
    assert lines(ax)["marker"].get_xdata().tolist() == [1.5, 4.5]
    assert [t.get_text() for t in ax.texts] == ["4", "8", "4"]


def test_window_growth_of_another_file_without_markers():
    ax = ResultPlots(run(windows=WINDOWS)).window_growth(file="b", process="diff")
    assert [b.get_height() for b in ax.containers[0]] == [16]
    assert ax.get_legend() is None


CACHE = rows(
    "cache",
    *({"page": page, "state": 3} for page in (0, 1, 2)),
    {"page": 3, "state": 3 | 4},
    *({"page": page, "state": 3 | 8} for page in (4, 5)),
    {"page": 9, "state": 3 | 8},
    {"page": 7, "state": 1, "file": 1},
)


def test_cache_map_has_a_row_a_file_and_a_bar_a_stretch():
    ax = ResultPlots(run(cache=CACHE)).cache_map()
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a", "b"]
    assert ax.get_xlim() == (0, 1)  # MiB: the whole of the files
    page = 4096 / (1 << 20)
    boxes = [
        (round(min(p.vertices[:, 0]) / page, 6), round(max(p.vertices[:, 0]) / page, 6))
        for c in ax.collections
        if isinstance(c, PolyCollection)
        for p in c.get_paths()
    ]
    assert sorted(boxes) == [(0, 3), (0, 256), (0, 256), (3, 4), (4, 6), (7, 8), (9, 10)]
    legend = [t.get_text() for t in ax.get_legend().get_texts()]
    assert legend == ["being read", "marker", "used", "read ahead, not used yet"]


def test_every_plot_draws_on_the_axes_given_and_opens_no_figure():
    made = run(calls=CALLS, requests=SERVED, windows=WINDOWS, timeline=TIMELINE, cache=CACHE)
    plots = ResultPlots(made)
    names = [name for name in dir(plots) if not name.startswith("_")]
    assert len(names) == 6
    for name in names:
        figure, ax = pyplot.subplots()
        assert getattr(plots, name)(ax=ax) is ax
        assert ax.get_title(loc="left")
        assert ax.get_xlabel() or ax.child_axes[0].get_xlabel()
        assert ax.get_ylabel()
        figure.canvas.draw()
    assert len(pyplot.get_fignums()) == len(names)
    assert "latency_cdf" in repr(plots)


@pytest.mark.parametrize("table", ["requests", "windows", "cache"])
def test_a_run_with_nothing_in_it_says_so(table):
    empty = ResultPlots(run(**{table: rows(table)}))
    plot = {"requests": empty.request_sizes, "windows": empty.offset_time, "cache": empty.cache_map}[table]
    with pytest.raises(Error, match="nothing to draw"):
        plot()


def test_demand_of_read_around_lies_at_the_start_when_the_position_tells_nothing():
    from seekahead.plots.readahead import demand_start

    windows = rows("windows", {"start": 10, "pages": 8, "demand_pages": 1, "file_position": 0})
    assert demand_start(windows).tolist() == [10]
