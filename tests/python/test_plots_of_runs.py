"""Plots and animation of a real run, reached as a user reaches them."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import numpy as np
import pytest
from matplotlib import pyplot

import seekahead as sx


@pytest.fixture(scope="module")
def result():
    return sx.Scenario.build(
        title="two readers",
        seed=1,
        devices=[sx.Drive("disk", "dtla307045")],
        files=[sx.File("left", "1 MiB"), sx.File("right", "1 MiB", position="70 %")],
        readahead=sx.readahead.Ondemand(read_ahead_kb=128),
        processes=[sx.Process(name, sx.workload.Stream(), [name]) for name in ("left", "right")],
    ).run()


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    pyplot.close("all")


def test_every_plot_of_a_result_can_be_drawn(result):
    names = [name for name in dir(result.plot) if not name.startswith("_")]
    assert names == [
        "cache_map",
        "latency_cdf",
        "offset_time",
        "request_sizes",
        "service_breakdown",
        "window_growth",
    ]
    for name in names:
        getattr(result.plot, name)().figure.canvas.draw()


def test_bars_add_up_to_the_latency_of_the_report(result):
    tops = [
        sum(bar.get_height() for bar in bars)
        for bars in zip(*result.plot.service_breakdown().containers, strict=True)
    ]
    assert tops == pytest.approx([result["device.disk.latency_ms.mean"]], rel=1e-4)


def test_the_arm_is_seen_at_both_files(result):
    (arm,) = result.plot.offset_time().child_axes[0].get_lines()
    assert set(np.round(np.asarray(arm.get_ydata()) / 17378, 1)) >= {0.0, 1.0}


def test_a_run_without_tables_says_what_to_do(result):
    bare = result.scenario.run(record=False)
    with pytest.raises(sx.NotRecorded, match="record"):
        bare.plot.offset_time()
    with pytest.raises(sx.NotRecorded, match="record"):
        bare.animate()


def test_the_result_can_be_animated(result):
    movie = result.animate(30, 10, frames=2)
    assert movie.to_jshtml().count("data:image/png") == 2
