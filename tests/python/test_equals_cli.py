"""The package and the command line program say the same, byte for byte where both print it."""

from __future__ import annotations

import itertools
import json
import subprocess
import textwrap
from pathlib import Path
from typing import Any

import pytest

import seekahead as sx

SMALL: dict[str, Any] = {"file.a.size": "8 MiB"}
SMALL_PAIR: dict[str, Any] = {**SMALL, "file.b.size": "8 MiB"}

# A scenario of the repository, changes, a seed.
RUNS: dict[str, tuple[str, dict[str, Any], int | None]] = {
    "read": ("larsson-2001/read", SMALL, None),
    "read, another window": ("larsson-2001/read", {**SMALL, "readahead.max_readahead": 127}, None),
    "diff": ("larsson-2001/diff", SMALL_PAIR, None),
    "diff, another seed": ("larsson-2001/diff", SMALL_PAIR, 9),
    "copy": ("larsson-2001/copy", SMALL, 3),
    "write": ("larsson-2001/write", SMALL, None),
    "another policy": ("larsson-2001/diff", {**SMALL_PAIR, "readahead": {"policy": "ondemand", "kernel": "6.1"}}, 2),
    "numbers and flags": (
        "larsson-2001/diff",
        {**SMALL_PAIR, "device.hda.cache.segments": 1, "block.elevator": "noop", "machine.memory": "32 MiB"},
        9223372036854775807,
    ),
    "every policy": ("policies/all", {}, 5),
    "web server log": ("wu-2007-log/w3m", {}, None),
    "fseek": ("reports/11-fseek", {}, None),
}

RANDOM_READER = """
[scenario]
title = "reader at random, “quoted” and \\u00e4\\u00f6"
seed = 4
[[device]]
name = "hda"
drive = "dtla307045"
[[file]]
name = "a"
size = "64 MiB"
[readahead]
policy = "linux-2.4"
[[process]]
name = "reader"
workload = "stream"
files = ["a"]
pattern = "random"
block = "16 KiB"
bytes = "512 KiB"
[sweep]
"readahead.max_readahead" = [3, 31]
"file.a.size" = { random = 3, from = "32 MiB", to = "64 MiB" }
"""


@pytest.fixture
def reader(tmp_path: Path) -> Path:
    path = tmp_path / "reader.toml"
    path.write_text(RANDOM_READER, encoding="utf-8")
    return path


def cli(program: Path, *arguments: object, status: int = 0) -> subprocess.CompletedProcess[str]:
    ended = subprocess.run(
        [str(program), *map(str, arguments)], capture_output=True, encoding="utf-8", check=False, timeout=120
    )
    assert ended.returncode == status, ended.stderr
    return ended


def sets(changes: dict[str, Any]) -> list[str]:
    """Changes as a user of the program writes them."""

    def text(value: Any) -> str:
        if isinstance(value, dict):
            return "{ " + ", ".join(f"{key} = {json.dumps(entry)}" for key, entry in value.items()) + " }"
        return str(value)

    return list(itertools.chain.from_iterable(("--set", f"{key}={text(value)}") for key, value in changes.items()))


def results_of_sweep(program: Path, folder: Path, *arguments: object) -> tuple[list[dict[str, Any]], list[str]]:
    """Points of the program's sweep and, as bytes of its file, their results."""
    cli(program, "sweep", *arguments, "-o", folder / "out.json")
    text = (folder / "out.json").read_text(encoding="utf-8")
    parts = text.split('\n    "result": ')[1:]
    results = [textwrap.dedent("    " + part.split("\n    }", 1)[0] + "\n    }\n") for part in parts]
    return [entry["point"] for entry in json.loads(text)], results


@pytest.mark.parametrize("case", RUNS)
def test_run(case: str, program: Path, repository: Path) -> None:
    name, changes, seed = RUNS[case]
    path = repository / "scenarios" / f"{name}.toml"
    of_seed = [] if seed is None else ["--seed", seed]
    expected = cli(program, "run", path, "--json", *sets(changes), *of_seed).stdout
    assert sx.Scenario.load(path).with_(changes).run(seed=seed, point=0).to_json() == expected


def test_run_of_a_scenario_built_in_python(program: Path, tmp_path: Path) -> None:
    scenario = sx.Scenario.build(
        title="two streams on an array",
        seed=11,
        devices=[sx.device.Raid0(name="md", member_drive="dtla307045", members=4, chunk="64 KiB")],
        files=[sx.File("a", "4 MiB"), sx.File("b", "4 MiB", after="a", distance="1 GB")],
        readahead=sx.readahead.Ondemand(read_ahead_kb=512),
        processes=[sx.Process(name, sx.workload.Stream(block="16 KiB"), [name]) for name in "ab"],
    )
    path = tmp_path / "built.toml"
    path.write_text(scenario.to_toml(), encoding="utf-8")
    assert scenario.run().to_json() == cli(program, "run", path, "--json").stdout


def test_letters_outside_of_ascii(program: Path, reader: Path) -> None:
    expected = cli(program, "run", reader, "--json").stdout
    assert sx.Scenario.load(reader).run(point=0).to_json() == expected
    assert "“quoted” and äö" in expected


def test_sweep_of_the_scenario(program: Path, reader: Path, tmp_path: Path) -> None:
    points, results = results_of_sweep(program, tmp_path, reader)
    assert len(results) == 6
    table = sx.sweep(sx.Scenario.load(reader), metrics={"json": sx.Result.to_json}, progress=False, cache=False)
    assert list(table["json"]) == results
    assert [list(point) for point in sx.Scenario.load(reader).points] == [list(point) for point in points]


def test_sweep_with_axes_and_changes(program: Path, reader: Path, tmp_path: Path) -> None:
    _, results = results_of_sweep(
        program, tmp_path, reader, "--seed", 8, "--set", "file.a.size=48 MiB",
        "--set", "readahead.max_readahead=7,127", "--set", "process.reader.block=4 KiB,64 KiB",
    )  # fmt: skip
    scenario = sx.Scenario.load(reader).with_({"file.a.size": "48 MiB"}, seed=8)
    table = sx.sweep(
        scenario,
        {"readahead.max_readahead": [7, 127], "process.reader.block": ["4 KiB", "64 KiB"]},
        metrics={"json": sx.Result.to_json},
        progress=False,
        cache=False,
    )
    assert len(results) == 4
    assert list(table["json"]) == results


def test_sweep_from_the_cache(program: Path, reader: Path, tmp_path: Path) -> None:
    _, results = results_of_sweep(program, tmp_path, reader)
    for _ in range(2):
        table = sx.sweep(
            sx.Scenario.load(reader), metrics={"json": sx.Result.to_json}, progress=False, cache=tmp_path / "kept"
        )
        assert list(table["json"]) == results
    assert table.attrs["from_cache"] == 6


@pytest.mark.parametrize("name", ["larsson-2001/diff", "policies/all", "pratt-2004/congested-queue"])
def test_effective_configuration(name: str, program: Path, repository: Path) -> None:
    path = repository / "scenarios" / f"{name}.toml"
    heading, _, below = cli(program, "check", path).stdout.partition("\n\n")
    assert heading.startswith("# ")
    assert sx.Scenario.load(path).effective() == below


def test_problems(program: Path, tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(RANDOM_READER.replace("block = ", "blok = ").replace('"stream"', '"strem"'), encoding="utf-8")
    told = cli(program, "check", path, status=2).stderr
    with pytest.raises(sx.ScenarioError) as caught:
        sx.Scenario.load(path)
    assert str(caught.value) + "\n" == told
