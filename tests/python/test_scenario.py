"""Scenarios: made, changed, found wrong, sent elsewhere."""

from __future__ import annotations

import concurrent.futures
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import seekahead as sx

READER = """[scenario]
title = "reader"
[[device]]
name = "hda"
drive = "dtla307045"
[[file]]
name = "a"
size = "64 MiB"
[readahead]
policy = "linux-2.4"
max_readahead = 31
[[process]]
name = "reader"
workload = "stream"
files = ["a"]
pattern = "random"
block = "16 KiB"
bytes = "256 KiB"
"""
SWEEP = '[sweep]\n"readahead.max_readahead" = [3, 31]\n'


@pytest.fixture
def reader() -> sx.Scenario:
    return sx.Scenario.from_text(READER)


def problems_of(text: str) -> tuple[sx.Problem, ...]:
    with pytest.raises(sx.ScenarioError) as caught:
        sx.Scenario.from_text(text, "lesson.toml")
    assert caught.value.problems
    return caught.value.problems


# --- problems


def test_a_problem_has_file_line_column_key_and_hint() -> None:
    (problem,) = problems_of(READER.replace("pattern", "patern"))
    assert (problem.file, problem.line, problem.key) == ("lesson.toml", 16, "patern")
    assert problem.column == 1
    assert "pattern" in problem.hint or "pattern" in problem.message


def test_all_problems_are_found_at_once_in_the_order_of_the_text() -> None:
    text = READER.replace('"dtla307045"', '"dtla307054"').replace("31", '"many"').replace('"stream"', '"strem"')
    found = problems_of(text)
    assert [problem.line for problem in found] == [5, 11, 14]


def test_the_first_problem_is_that_of_the_exception() -> None:
    with pytest.raises(sx.ScenarioError) as caught:
        sx.Scenario.from_text(READER.replace("31", '"many"'), "lesson.toml")
    error = caught.value
    assert (error.file, error.line, error.key) == ("lesson.toml", 11, "max_readahead")
    assert str(error).startswith("lesson.toml:11:")
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.problems, str(copy)) == (error.problems, str(error))


def test_text_that_is_no_toml() -> None:
    problem = problems_of("[scenario\ntitle = 1\n")[0]
    assert (problem.file, problem.line) == ("lesson.toml", 1)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(sx.ScenarioError, match="No such file") as caught:
        sx.Scenario.load(tmp_path / "none.toml")
    assert caught.value.file == str(tmp_path / "none.toml")


def test_a_plugin_that_is_not_there(tmp_path: Path) -> None:
    plugin = str(tmp_path / "none.so")
    with pytest.raises(sx.ScenarioError, match="cannot open shared object file") as caught:
        sx.Scenario.from_text(READER, plugins=[plugin])
    assert caught.value.file == plugin


def test_a_problem_in_an_included_file_has_that_file(tmp_path: Path) -> None:
    (tmp_path / "machine.toml").write_text('[machine]\nmemory = "much"\n')
    (tmp_path / "main.toml").write_text('include = ["machine.toml"]\n' + READER)
    with pytest.raises(sx.ScenarioError) as caught:
        sx.Scenario.load(tmp_path / "main.toml")
    assert Path(caught.value.file).name == "machine.toml"
    assert (caught.value.line, caught.value.key) == (2, "memory")


def test_a_wrong_change_is_told_as_it_was_written(reader: sx.Scenario) -> None:
    with pytest.raises(sx.ScenarioError, match="segments") as caught:
        reader.with_({"device.hda.cache.segmnts": 4})
    (problem,) = caught.value.problems
    assert (problem.line, problem.column, problem.key) == (0, 0, "device.hda.cache.segmnts")
    assert "device.hda.cache.segmnts" in problem.file


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("max_readahaed", "did you mean 'max_readahead'"),
        ("segments", "written with their path"),
    ],
)
def test_a_short_name_that_is_none(reader: sx.Scenario, name: str, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        reader.with_(**{name: 4})


def test_an_example_that_is_none() -> None:
    with pytest.raises(sx.ScenarioError, match=r"did you mean 'larsson-2001/diff'"):
        sx.Scenario.example("larson-2001/diff")


# --- changes


def test_a_change_leaves_the_scenario_as_it_was(reader: sx.Scenario) -> None:
    before = reader.run(record=False).to_json()
    changed = reader.with_(max_readahead=127)
    assert changed.run(record=False)["readahead.limits.hda.read_ahead_kb"] == 4 * 127
    assert reader.run(record=False).to_json() == before
    assert reader != changed
    assert reader == sx.Scenario.from_text(READER)


def test_the_last_change_counts(reader: sx.Scenario) -> None:
    changed = reader.with_(max_readahead=127).with_(seed=3).with_(max_readahead=7)
    assert changed.seed == 3
    assert changed.run(record=False).to_json() == reader.with_(seed=3, max_readahead=7).run(record=False).to_json()


def test_short_names_stand_for_paths(reader: sx.Scenario) -> None:
    assert reader.with_(memory="32 MiB") == reader.with_({"machine.memory": "32 MiB"})


def test_a_change_fixes_an_axis() -> None:
    scenario = sx.Scenario.from_text(READER + SWEEP)
    assert scenario.points == [{"readahead.max_readahead": 3}, {"readahead.max_readahead": 31}]
    assert scenario.with_(max_readahead=7).points == [{}]


def test_the_effective_configuration_gives_the_same_run(reader: sx.Scenario) -> None:
    again = sx.Scenario.from_text(reader.with_(memory="32 MiB").effective())
    assert again.run(record=False).data["total"] == reader.with_(memory="32 MiB").run(record=False).data["total"]
    assert again.effective() == reader.with_(memory="32 MiB").effective()


def test_the_text_is_what_was_given(reader: sx.Scenario) -> None:
    assert reader.with_(seed=2).to_toml() == READER


def test_it_shows_its_title_and_its_changes(reader: sx.Scenario) -> None:
    assert repr(reader) == "<Scenario 'reader'>"
    assert repr(reader.with_(seed=2)) == "<Scenario 'reader' with scenario.seed=2>"


# --- runs


def test_the_seed_of_a_run(reader: sx.Scenario) -> None:
    first, second = (reader.run(seed=seed, record=False) for seed in (1, 2))
    assert (first.seed, second.seed) == (1, 2)
    assert first["total.elapsed_s"] != second["total.elapsed_s"]
    assert first.to_json() == reader.with_(seed=1).run(record=False).to_json()


def test_points_are_run_by_number() -> None:
    scenario = sx.Scenario.from_text(READER + SWEEP)
    assert [scenario.run(point=i, record=False)["point"] for i in range(2)] == scenario.points
    with pytest.warns(UserWarning, match="2 points; this is the first"):
        assert scenario.run(record=False)["point"] == scenario.points[0]


@pytest.mark.parametrize("point", [2, -1])
def test_a_point_that_there_is_not(point: int) -> None:
    scenario = sx.Scenario.from_text(READER + SWEEP)
    with pytest.raises(IndexError, match="2 points"):
        scenario.run(point=point, record=False)


def test_a_table_that_there_is_not(reader: sx.Scenario) -> None:
    with pytest.raises(ValueError, match="requests, windows"):
        reader.run(record={"request"})


def test_runs_in_threads_are_the_same_as_one_after_the_other(reader: sx.Scenario) -> None:
    expected = [reader.run(seed=seed).to_json() for seed in range(6)]
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        assert [result.to_json() for result in threads.map(lambda seed: reader.run(seed=seed), range(6))] == expected


def test_the_calling_process_is_not_forked(reader: sx.Scenario) -> None:
    forks: list[str] = []
    os.register_at_fork(before=lambda: forks.append("fork"))
    reader.run()
    sx.sweep(reader, max_readahead=[3, 7], progress=False, cache=False)
    assert forks == []


# --- elsewhere

ELSEWHERE = "import pickle, sys; print(pickle.load(sys.stdin.buffer).run(record=False).to_json(), end='')"


def test_a_pickled_scenario_runs_in_another_process(tmp_path: Path, repository: Path) -> None:
    shutil.copytree(repository / "scenarios" / "larsson-2001", tmp_path / "own")
    scenario = sx.Scenario.load(tmp_path / "own" / "read.toml")
    scenario = scenario.with_({"file.a.size": "4 MiB"}, max_readahead=63, seed=5)
    packed, expected = pickle.dumps(scenario), scenario.run(record=False).to_json()
    shutil.rmtree(tmp_path / "own")  # another machine does not have the files
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", ELSEWHERE], input=packed, capture_output=True, cwd="/", check=False
    )
    assert ended.stdout.decode() == expected, ended.stderr.decode()


def test_a_pickled_scenario_is_equal() -> None:
    scenario = sx.Scenario.from_text(READER + SWEEP).with_(seed=2)
    copy = pickle.loads(pickle.dumps(scenario))
    assert copy == scenario
    assert copy.points == scenario.points
