"""The table of a sweep: its rows, its figures, what becomes of points that fail."""

import sys
import time
import types

import pandas as pd
import pytest
from scipy.stats import t

import seekahead as sx
from small import ENDLESS, QUIET, RANDOM_READER, random_reader

NAME_OF_FAILURE = {"throws-error": "window 7 of 3", "aborts": "Aborted", "killed": "Killed"}


def windows(table):
    return list(table["max_readahead"])


# --- rows and columns


def test_every_combination_is_a_row_and_the_first_axis_varies_slowest():
    table = sx.sweep(random_reader(), {"process.reader.block": ["4 KiB", "16 KiB"]}, max_readahead=[3, 31], **QUIET)
    assert list(table[["process.reader.block", "max_readahead"]].itertuples(index=False, name=None)) == [
        ("4 KiB", 3),
        ("4 KiB", 31),
        ("16 KiB", 3),
        ("16 KiB", 31),
    ]
    assert table.attrs == {"run": 4, "from_cache": 0, "failed": 0}
    assert table["error"].isna().all()


def test_rows_are_what_single_runs_give():
    scenario = random_reader()
    table = sx.sweep(scenario, max_readahead=[3, 31], metrics={"json": sx.Result.to_json}, **QUIET)
    single = sx.Scenario.from_text(RANDOM_READER + "[sweep]\n'readahead.max_readahead' = [3, 31]\n")
    assert list(table["json"]) == [single.run(point=i, record=False).to_json() for i in range(2)]


def test_without_axes_the_scenarios_own_sweep_is_run():
    scenario = sx.Scenario.from_text(RANDOM_READER + "[sweep]\n'readahead.max_readahead' = [3, 31]\n")
    assert windows(sx.sweep(scenario, **QUIET)) == [3, 31]


def test_an_axis_replaces_the_scenarios_own_of_that_key():
    scenario = sx.Scenario.from_text(RANDOM_READER + "[sweep]\n'readahead.max_readahead' = [3, 31]\n")
    assert windows(sx.sweep(scenario, max_readahead=[7], **QUIET)) == [7]


def test_sections_and_models_are_values():
    readahead = [{"policy": "adaptive", "kernel": "v15"}, {"policy": "ondemand", "kernel": "6.1"}]
    scenario = random_reader()
    table = sx.sweep(scenario, readahead=readahead, metrics=["readahead.policy"], **QUIET)
    assert list(table["readahead"]) == ["adaptive v15", "ondemand 6.1"]
    assert list(table["readahead.policy"]) == ["adaptive", "ondemand"]
    policies = [sx.readahead.Fixed(window=8), sx.readahead.Ondemand(kernel="6.1")]
    table = sx.sweep(scenario, policy=policies, metrics=["readahead.policy"], **QUIET)
    assert list(table["policy"]) == [str(policy) for policy in policies]
    assert list(table["readahead.policy"]) == ["fixed", "ondemand"]


@pytest.mark.parametrize(
    ("axes", "error", "told"),
    [
        ({"max_readahaed": [1]}, TypeError, "did you mean 'max_readahead'"),
        ({"max_readahead": []}, ValueError, "at least one value"),
        ({"max_readahead": 31}, TypeError, "a list of values"),
        ({"policy": "none"}, TypeError, "a list of values"),
        ({"max_readahead": [31, -1]}, sx.ScenarioError, "max_readahead"),
    ],
)
def test_a_wrong_axis_is_told_before_anything_runs(axes, error, told):
    with pytest.raises(error, match=told):
        sx.sweep(random_reader(), axes, **QUIET)


# --- seeds


def test_seeds_give_means_with_their_confidence_interval():
    scenario = random_reader()
    seeds = [1, 2, 3, 4]
    options = dict(max_readahead=[3, 31], seeds=seeds, metrics=["elapsed_s"], **QUIET)
    runs = sx.sweep(scenario, aggregate=False, **options)
    assert list(runs["seed"]) == seeds * 2
    assert list(runs["elapsed_s"][:4]) == [
        scenario.with_(max_readahead=3).run(seed=seed, record=False).summary["elapsed_s"] for seed in seeds
    ]
    table = sx.sweep(scenario, **options)
    assert list(table.columns) == [
        "max_readahead", "seeds", "elapsed_s", "elapsed_s_low", "elapsed_s_high", "error",
    ]  # fmt: skip
    for window, row in table.set_index("max_readahead").iterrows():
        of_point = runs[runs["max_readahead"] == window]["elapsed_s"]
        assert of_point.nunique() == 4
        low, high = t.interval(0.95, 3, of_point.mean(), of_point.std(ddof=1) / 2)
        assert row["seeds"] == 4
        assert row["elapsed_s"] == pytest.approx(of_point.mean(), rel=1e-12)
        assert (row["elapsed_s_low"], row["elapsed_s_high"]) == pytest.approx((low, high), rel=1e-12)


def test_one_seed_has_no_interval():
    (row,) = sx.sweep(random_reader(), seeds=[7], metrics=["elapsed_s"], **QUIET).to_dict("records")
    assert row["elapsed_s"] > 0
    assert pd.isna(row["elapsed_s_low"])


def test_what_the_seed_draws_for_a_point_is_the_same_for_all_seeds():
    text = RANDOM_READER + "[sweep]\n'process.reader.bytes' = { random = 3, from = '64 KiB', to = '512 KiB' }\n"
    scenario = sx.Scenario.from_text(text)
    own = [point["process.reader.bytes"] for point in scenario.points]
    assert own != [point["process.reader.bytes"] for point in scenario.with_(seed=2).points]
    runs = sx.sweep(scenario, seeds=[1, 2], aggregate=False, metrics={"read": "process.reader.bytes_read"}, **QUIET)
    assert list(runs["bytes"]) == [own[0], own[0], own[1], own[1], own[2], own[2]]
    assert runs.groupby("bytes")["read"].nunique().eq(1).all()


def test_the_seed_may_be_an_axis():
    table = sx.sweep(random_reader(), seed=[5, 6], metrics=["seed", "elapsed_s"], **QUIET)
    assert list(table["seed"]) == [5, 6]
    assert table["elapsed_s"].nunique() == 2


# --- figures


def test_metrics_are_names_paths_and_functions():
    metrics = {"rate": "throughput_mb_s", "seek_s": "device.hda.seek_s", "per_request": seek_per_request}
    (row,) = sx.sweep(random_reader(), metrics=metrics, **QUIET).to_dict("records")
    result = random_reader().run(record=False)
    assert row["rate"] == result.summary["throughput_mb_s"]
    assert row["seek_s"] == result["device.hda.seek_s"]
    assert row["per_request"] == row["seek_s"] / result.summary["requests"]


def seek_per_request(result):
    return result["device.hda.seek_s"] / result.summary["requests"]


def test_a_wrong_metric_ends_the_sweep_at_its_first_result(tmp_path):
    with pytest.raises(KeyError, match=r"nothing called 'throughputs'.*throughput_mb_s"):
        sx.sweep(random_reader(), max_readahead=range(1, 30), metrics=["throughputs"], progress=False, cache=tmp_path)
    assert not list(tmp_path.rglob("*.json"))


def test_a_metric_without_a_mean_is_refused_over_seeds():
    with pytest.raises(TypeError, match="aggregate=False"):
        sx.sweep(random_reader(), seeds=[1, 2], metrics=["readahead.policy"], **QUIET)


# --- files


@pytest.mark.parametrize(("name", "read"), [("t.csv", pd.read_csv), ("t.parquet", pd.read_parquet)])
def test_the_table_is_written(tmp_path, name, read):
    table = sx.sweep(random_reader(), max_readahead=[3, 31], output=tmp_path / name, **QUIET)
    back = read(tmp_path / name)
    assert list(back.columns) == list(table.columns)
    assert back["error"].isna().all()
    pd.testing.assert_frame_equal(back.drop(columns="error"), table.drop(columns="error"))
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(("name", "error"), [("t.xlsx", ValueError), ("no/t.csv", FileNotFoundError)])
def test_a_file_that_cannot_be_written_is_told_first(tmp_path, name, error):
    kept = tmp_path / "kept"
    with pytest.raises(error):
        sx.sweep(random_reader(), output=tmp_path / name, progress=False, cache=kept)
    assert not kept.exists()


# --- progress


class Bar:
    """In place of tqdm's."""

    made: list["Bar"] = []  # noqa: RUF012

    def __init__(self, total, initial, unit):
        self.total, self.at, self.shown, self.closed = total, initial, {}, False
        Bar.made.append(self)

    def update(self):
        self.at += 1

    def set_postfix(self, **shown):
        self.shown = shown

    def close(self):
        self.closed = True


@pytest.fixture
def bars(monkeypatch):
    Bar.made = []
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=Bar))
    return Bar.made


def test_progress_is_shown_with_the_failures(bars, program, tmp_path):
    scenario = with_plugin("throws_late", program)
    sx.sweep(scenario, policy=["ondemand"], cache=tmp_path)
    table = sx.sweep(scenario, policy=["ondemand", "throws-error", "fixed"], cache=tmp_path)
    bar = bars[-1]
    assert (bar.total, bar.at, bar.shown, bar.closed) == (3, 3, {"failed": 1}, True)
    assert table.attrs == {"run": 2, "from_cache": 1, "failed": 1}


def test_progress_can_be_switched_off(bars, capfd):
    sx.sweep(random_reader(), **QUIET)
    assert bars == []
    assert capfd.readouterr() == ("", "")


def test_without_tqdm_a_sweep_is_silent(monkeypatch, capfd):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    sx.sweep(random_reader(), cache=False)
    assert capfd.readouterr() == ("", "")


# --- points that fail


def with_plugin(name, program):
    plugin = program.parent / "plugins" / f"{name}.so"
    text = RANDOM_READER.replace('policy = "linux-2.4"\nmax_readahead = 31', 'policy = "ondemand"')
    return sx.Scenario.from_text(text, plugins=[str(plugin)])


@pytest.mark.parametrize(
    ("plugin", "policy"), [("throws_late", "throws-error"), ("crashes", "aborts"), ("crashes", "killed")]
)
def test_a_point_that_fails_is_a_row_with_its_error(plugin, policy, program):
    table = sx.sweep(with_plugin(plugin, program), policy=["ondemand", policy, "fixed", "none"], **QUIET)
    assert NAME_OF_FAILURE[policy] in table["error"][1]
    assert list(table["error"].isna()) == [True, False, True, True]
    assert list(table["throughput_mb_s"].isna()) == [False, True, False, False]
    assert table.attrs["failed"] == 1


def test_a_point_that_fails_for_every_seed_still_is_a_row(program):
    table = sx.sweep(with_plugin("crashes", program), policy=["aborts", "fixed"], seeds=[1, 2], **QUIET)
    assert list(table["seeds"]) == [0, 2]
    assert list(table["throughput_mb_s"].isna()) == [True, False]
    only = sx.sweep(with_plugin("crashes", program), policy=["aborts"], seeds=[1, 2], **QUIET)
    assert only["throughput_mb_s_low"].isna().all()


def test_the_first_failure_may_end_the_sweep(program):
    with pytest.raises(sx.SimulationError, match=r"readahead.policy = \"aborts\", seed = 1: .*Aborted"):
        sx.sweep(with_plugin("crashes", program), policy=["aborts", "fixed"], on_error="raise", **QUIET)


def test_a_failure_that_ends_the_sweep_stops_what_runs(program):
    """A run of hours beside it is not waited for."""
    scenario = with_plugin("crashes", program).with_(ENDLESS)
    start = time.monotonic()
    with pytest.raises(sx.SimulationError, match="Aborted"):
        sx.sweep(scenario, policy=["fixed", "aborts"], on_error="raise", workers=2, **QUIET)
    assert time.monotonic() - start < 20


def test_on_error_has_two_values():
    with pytest.raises(ValueError, match="'record' or 'raise'"):
        sx.sweep(random_reader(), on_error="ignore", **QUIET)
