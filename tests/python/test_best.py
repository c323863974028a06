"""The window that is large enough, against the sweep of all windows."""

import pandas as pd
import pytest

import seekahead as sx
from seekahead import best
from small import QUIET

GRID = [16 << k for k in range(9)]  # 16 KiB to 4 MiB


@pytest.fixture
def curve(monkeypatch):
    """Sweeps give a curve instead of simulations; which windows were asked for."""

    def install(figure):
        asked = []

        def sweep(scenario, axes, **options):
            (windows,) = axes.values()
            asked.extend(windows)
            return pd.DataFrame({"throughput_mb_s": [figure(window) for window in windows]})

        monkeypatch.setattr(best, "sweep", sweep)
        return asked

    return install


def two_files():
    return sx.Scenario.build(
        seed=1,
        machine=sx.Machine(memory="64 MiB"),
        devices=[sx.Drive("hda", "dtla307045")],
        files=[sx.File("a", "16 MiB"), sx.File("b", "16 MiB", after="a", distance="0.5 GB")],
        readahead=sx.readahead.Ondemand(),
        processes=[sx.Process("diff", sx.workload.Diff(block="64 KiB"), ["a", "b"])],
    )


def test_against_all_windows():
    scenario = two_files()
    table = sx.sweep(scenario, read_ahead_kb=GRID, **QUIET).set_index("read_ahead_kb")["throughput_mb_s"]
    found = sx.best_read_ahead(scenario, low=16, high=4096, cache=False)
    good = table[table >= 0.98 * table.max()].index.min()
    assert good / 2 < found.read_ahead_kb <= good
    assert found.value >= 0.98 * table.max()
    assert len(found.runs) <= 9
    assert found.value == found.runs.set_index("read_ahead_kb")["throughput_mb_s"][found.read_ahead_kb]
    for window, value in found.runs.itertuples(index=False, name=None):
        assert window not in table.index or value == table[window]


@pytest.mark.parametrize("peak", GRID)
def test_one_maximum_anywhere(curve, peak):
    asked = curve(lambda window: 100.0 * min(window, peak) / max(window, peak))
    found = sx.best_read_ahead(two_files(), low=16, high=4096)
    assert found.value >= 0.98 * 100
    assert 0.7 * peak <= found.read_ahead_kb <= peak
    assert len(asked) == len(set(asked)) <= 9


def test_a_slow_rise_to_the_end_of_the_range_is_seen(curve):
    curve(lambda window: 90 + window / 409.6)
    found = sx.best_read_ahead(two_files(), low=16, high=4096)
    assert found.value >= 98
    assert found.read_ahead_kb > 2048


@pytest.mark.parametrize("end_of_rise", [16, 48, 100, 512, 3000, 4096])
def test_a_plateau_is_entered_at_its_beginning(curve, end_of_rise):
    asked = curve(lambda window: float(min(window, end_of_rise)))
    found = sx.best_read_ahead(two_files(), low=16, high=4096, tolerance=0.02)
    assert 0.98 * end_of_rise <= found.read_ahead_kb <= max(16, 1.3 * end_of_rise)
    assert len(asked) == len(set(asked)) <= 9


def test_a_curve_that_does_not_care_for_the_window_gives_the_smallest(curve):
    curve(lambda window: 30.0)
    assert sx.best_read_ahead(two_files(), low=16, high=4096).read_ahead_kb == 16


def test_ends_need_not_be_powers_of_two(curve):
    asked = curve(lambda window: float(window))
    assert sx.best_read_ahead(two_files(), low=20, high=1000).read_ahead_kb == 1000
    assert min(asked) >= 20
    assert all(window in (20, 1000) or window % 4 == 0 for window in asked)


def test_seeds_and_metric_are_those_of_the_sweep():
    options = {"low": 64, "high": 128, "metric": "device.hda.mean_request_kib", "seeds": [1, 2], "cache": False}
    found = sx.best_read_ahead(two_files(), **options)
    assert list(found.runs.columns) == ["read_ahead_kb", "device.hda.mean_request_kib"]


@pytest.mark.parametrize(("low", "high"), [(0, 16), (64, 64), (128, 64)])
def test_an_empty_range_is_refused(low, high):
    with pytest.raises(ValueError, match="low < high"):
        sx.best_read_ahead(two_files(), low=low, high=high)


def test_a_scenario_with_another_sweep_is_refused():
    scenario = sx.Scenario.from_text(two_files().to_toml() + '[sweep]\n"machine.memory" = ["64 MiB", "32 MiB"]\n')
    with pytest.raises(ValueError, match=r"machine\.memory"):
        sx.best_read_ahead(scenario, low=16, high=64)
