"""What a change takes with it: alternatives of its key, and the parameters of a model that it replaces."""

import tomllib

import pytest

import seekahead as sx

TEXT = """
[[device]]
name = "hda"
drive = "dtla307045"
cache = { segments = 4 }
[[file]]
name = "a"
size = "1 MiB"
position = "40 %"
[readahead]
policy = "linux-2.4"
kernel = "2.4.5"
min_readahead = 7
max_readahead = 31
[[process]]
name = "reader"
workload = "stream"
files = ["a"]
block = "4 KiB"
pattern = "random"
[sweep]
"readahead.max_readahead" = [15, 31]
"""


@pytest.fixture
def scenario():
    return sx.Scenario.from_text(TEXT)


def limit_kb(scenario):
    return scenario.run(point=0, record=False)["readahead.limits.hda.read_ahead_kb"]


@pytest.mark.parametrize(
    ("change", "kb"), [({"read_ahead_kb": 512}, 512), ({"setra": 64}, 32), ({"max_readahead": 3}, 12)]
)
def test_one_limit_takes_the_place_of_another_and_of_its_axis(scenario, change, kb):
    changed = scenario.with_(change and {f"readahead.{key}": value for key, value in change.items()})
    assert len(changed.points) == 1
    assert limit_kb(changed) == kb


def test_two_changes_that_contradict_each_other_are_an_error(scenario):
    with pytest.raises(sx.ScenarioError, match="contradicts"):
        scenario.with_(read_ahead_kb=512, setra=8)


def test_a_later_change_takes_the_place_of_an_alternative_before(scenario):
    assert limit_kb(scenario.with_(read_ahead_kb=512).with_(setra=64)) == 32
    table = sx.sweep(scenario.with_(read_ahead_kb=512), setra=[64, 128], cache=False, progress=False)
    assert len(table) == 2


def test_an_axis_takes_the_place_of_an_alternative_axis(scenario):
    table = sx.sweep(scenario, read_ahead_kb=[32, 64], cache=False, progress=False, metrics=["requests"])
    assert list(table["read_ahead_kb"]) == [32, 64]
    assert "max_readahead" not in table


def test_a_place_takes_the_place_of_another(scenario):
    assert scenario.with_({"file.a.sector": 80}).run(point=0)["file.a.start_sector"] == 80


def test_another_policy_takes_the_old_ones_parameters_away(scenario):
    readahead = tomllib.loads(scenario.with_(policy="ondemand").effective(0))["readahead"]
    default = next(model for model in sx.models("readahead") if model.name == "ondemand")
    kernel = next(parameter.default for parameter in default.parameters if parameter.name == "kernel")
    assert "min_readahead" not in readahead
    assert f'"{readahead["kernel"]}"' == kernel


def test_the_same_policy_keeps_its_parameters(scenario):
    assert "min_readahead = 7" in scenario.with_(policy="linux-2.4").effective(0)


def test_a_parameter_that_is_a_change_itself_is_checked_all_the_same(scenario):
    with pytest.raises(sx.ScenarioError, match=r"2\.4\.5"):
        scenario.with_(policy="ondemand").with_({"readahead.kernel": "2.4.5"})


def test_another_workload_keeps_files_and_loses_parameters(scenario):
    effective = scenario.with_({"process.reader.workload": "script"}).effective(0)
    assert 'files = ["a"]' in effective
    assert 'pattern = "random"' not in effective


def test_another_device_model_takes_the_drive_and_its_changes_away(scenario):
    (device,) = tomllib.loads(scenario.with_({"device.hda.model": "fixed-latency"}).effective(0))["device"]
    assert device["model"] == "fixed-latency"
    assert "cache" not in device


def test_no_readahead_leaves_the_texts_limit_aside_but_not_a_changed_one(scenario):
    assert scenario.with_(policy="none").run(point=0)["readahead.policy"] == "none"
    with pytest.raises(sx.ScenarioError, match="reads nothing ahead"):
        scenario.with_(policy="none", read_ahead_kb=64)


def test_a_sweep_over_policies_leaves_the_limit_aside_where_it_has_no_effect(scenario):
    table = sx.sweep(
        scenario,
        policy=["linux-2.4", "none"],
        read_ahead_kb=[32, 128],
        cache=False,
        progress=False,
        metrics=["requests"],
    )
    assert len(table) == 4
    assert table[table["policy"] == "none"]["requests"].nunique() == 1


def test_a_model_object_is_the_whole_table(scenario):
    changed = scenario.with_(policy=sx.readahead.Fixed(window=8))
    assert changed.run(point=0)["readahead.policy"] == "fixed"
    assert "window = 8" in changed.effective(0)
