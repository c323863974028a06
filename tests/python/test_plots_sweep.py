"""Plots of a sweep's table."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.collections import PolyCollection

from seekahead import plots
from seekahead.errors import Error


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    pyplot.close("all")


def table(**more):
    return pd.DataFrame(
        {
            "policy": ["none", "ondemand"] * 3,
            "read_ahead_kb": [32, 32, 128, 128, 512, 512],
            "throughput_mb_s": [3.0, 9.0, 3.0, 20.0, 3.0, 28.0],
            **more,
        }
    )


def curves(ax):
    return {line.get_label(): (line.get_xdata().tolist(), line.get_ydata().tolist()) for line in ax.get_lines()}


def test_a_curve_a_policy_on_a_scale_of_powers_of_two():
    ax = plots.throughput(table())
    assert curves(ax) == {
        "none": ([32, 128, 512], [3, 3, 3]),
        "ondemand": ([32, 128, 512], [9, 20, 28]),
    }
    assert ax.get_xscale() == "log"
    assert [t.get_text() for t in ax.get_xticklabels()] == ["32", "128", "512"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("readahead window (KiB)", "throughput (MB/s)")
    assert ax.get_ylim()[0] == 0
    assert not [c for c in ax.collections if isinstance(c, PolyCollection)]


def test_the_confidence_interval_is_a_band():
    low, high = [2.0, 8, 2, 19, 2, 27], [4.0, 10, 4, 21, 4, 29]
    ax = plots.throughput(table(throughput_mb_s_low=low, throughput_mb_s_high=high))
    none, ondemand = (c for c in ax.collections if isinstance(c, PolyCollection))
    assert set(map(tuple, ondemand.get_paths()[0].vertices.tolist())) >= {(32, 8), (32, 10), (512, 27)}
    assert none.get_paths()[0].get_extents().y1 == 4


def test_several_seeds_at_one_place_are_points_and_their_mean():
    df = pd.DataFrame({"read_ahead_kb": [64, 64, 128], "throughput_mb_s": [10.0, 20.0, 30.0]})
    points, mean = plots.throughput(df).get_lines()
    assert points.get_ydata().tolist() == [10, 20, 30]
    assert mean.get_ydata().tolist() == [15, 30]


def test_a_window_of_zero_has_its_place_on_the_scale():
    df = pd.DataFrame({"read_ahead_kb": [0, 16, 64, 256], "throughput_mb_s": [1.0, 2, 3, 4]})
    ax = plots.throughput(df)
    pixels = ax.transData.transform([(x, 1) for x in (0, 16, 64)])[:, 0]
    assert ax.get_xscale() == "symlog"
    assert pixels[1] - pixels[0] == pytest.approx((pixels[2] - pixels[1]) / 2, rel=0.01)
    assert ax.get_legend() is None


def test_failed_points_are_left_out_and_names_are_an_axis_too():
    df = table()
    df.loc[df.read_ahead_kb == 128, "throughput_mb_s"] = float("nan")
    ax = plots.throughput(df, x="policy", by="read_ahead_kb")
    assert curves(ax) == {"32": ([0, 1], [3, 9]), "512": ([0, 1], [3, 28])}
    assert [t.get_text() for t in ax.get_xticklabels()] == ["none", "ondemand"]


def test_columns_that_are_not_there_are_told():
    with pytest.raises(Error, match="no column 'p99_ms'"):
        plots.throughput(table(), y="p99_ms")
    with pytest.raises(Error, match="nothing to draw"):
        plots.throughput(table(throughput_mb_s=[float("nan")] * 6))


def test_few_values_close_together_stay_on_a_linear_scale():
    df = pd.DataFrame({"streams": [1, 2, 3, 4], "throughput_mb_s": [30.0, 20, 15, 12]})
    assert plots.throughput(df, x="streams").get_xscale() == "linear"
