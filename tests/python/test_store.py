"""Kept results: what is the same point, what is not, and what becomes of damaged files."""

import inspect
import linecache
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import types
from pathlib import Path

import pytest

import seekahead as sx
from seekahead._library import SCENARIOS
from seekahead._sources import sources_of
from seekahead._store import Store, default_folder
from small import random_reader

WINDOWS = [3, 7, 31]


@pytest.fixture
def sweep(tmp_path):
    """A sweep that is kept in a folder; what it ran and what it found there."""

    def run(scenario=None, **options):
        given = {"max_readahead": WINDOWS, "cache": tmp_path / "kept", "progress": False} | options
        table = sx.sweep(scenario or random_reader(), **given)
        return table.attrs["run"], table.attrs["from_cache"]

    return run


def files(tmp_path):
    return sorted((tmp_path / "kept").rglob("*.json"))


def test_nothing_is_run_twice_and_the_table_is_the_same(tmp_path):
    first, second = (
        sx.sweep(random_reader(), max_readahead=WINDOWS, cache=tmp_path, progress=False) for _ in range(2)
    )
    assert (first.attrs["run"], second.attrs["run"], second.attrs["from_cache"]) == (3, 0, 3)
    assert first.equals(second)


def test_only_new_points_run(sweep):
    assert sweep() == (3, 0)
    assert sweep(max_readahead=[3, 5, 31]) == (1, 2)
    assert sweep(seeds=[1]) == (0, 3)
    assert sweep(seeds=[1, 2]) == (3, 3)


def test_another_configuration_is_another_point(sweep):
    assert sweep() == (3, 0)
    assert sweep(random_reader().with_({"file.a.size": "65 MiB"})) == (3, 0)
    assert sweep(random_reader().with_({"file.a.size": "65536 KiB"})) == (0, 3)


def test_cache_may_be_switched_off(sweep):
    assert sweep() == (3, 0)
    assert sweep(cache=False) == (3, 0)


@pytest.mark.parametrize("damage", ["half", "digit", "empty"])
def test_a_damaged_entry_is_run_again(sweep, tmp_path, damage):
    sweep()
    for file in files(tmp_path)[:2]:
        text = file.read_text()
        file.write_text({"half": text[: len(text) // 2], "digit": text.replace("1", "2"), "empty": ""}[damage])
    assert sweep() == (2, 1)
    assert sweep() == (0, 3)


def test_a_point_that_failed_is_run_again(sweep, program, tmp_path):
    plugin = str(program.parent / "plugins" / "crashes.so")
    text = random_reader().to_toml().replace("max_readahead = 31", "")
    scenario = sx.Scenario.from_text(text, plugins=[plugin])
    options = {"max_readahead": [31], "policy": ["aborts", "ondemand"]}
    assert sweep(scenario, **options) == (2, 0)
    assert sweep(scenario, **options) == (1, 1)


def test_another_plugin_under_the_same_name_is_another_point(sweep, program, tmp_path):
    plugin = tmp_path / "models.so"
    shutil.copy(program.parent / "plugins" / "throws_late.so", plugin)
    assert sweep(sx.Scenario.from_text(random_reader().to_toml(), plugins=[str(plugin)])) == (3, 0)
    assert sweep(sx.Scenario.from_text(random_reader().to_toml(), plugins=[str(plugin)])) == (0, 3)
    with plugin.open("ab") as file:
        file.write(b"\0")
    assert sweep(sx.Scenario.from_text(random_reader().to_toml(), plugins=[str(plugin)])) == (3, 0)


def test_another_drive_under_the_same_name_is_another_point(sweep, tmp_path):
    drive = tmp_path / "member.toml"
    shutil.copy(SCENARIOS / "drives" / "dtla307045.toml", drive)
    device = f'model = "raid0"\nmember_drive = "{drive}"\nmembers = 2'
    scenario = sx.Scenario.from_text(random_reader().to_toml().replace('drive = "dtla307045"', device))
    assert sweep(scenario) == (3, 0)
    assert sweep(scenario) == (0, 3)
    drive.write_text(drive.read_text().replace("rpm = 7200", "rpm = 5400"))
    assert sweep(scenario) == (3, 0)


def test_the_default_folder_follows_the_convention(monkeypatch):
    assert default_folder() == Path(os.environ["XDG_CACHE_HOME"]) / "seekahead"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert default_folder() == Path.home() / ".cache" / "seekahead"


def test_clearing_leaves_other_files_alone(sweep, tmp_path):
    sweep()
    others = [tmp_path / "kept" / "notes.json", tmp_path / "kept" / "ab" / "notes.json"]
    others[1].parent.mkdir(exist_ok=True)
    for other in others:
        other.write_text("mine")
    sx.clear_cache(tmp_path / "kept")
    assert files(tmp_path) == sorted(others)
    assert sweep() == (3, 0)


def test_clearing_the_default_folder():
    options = {"max_readahead": [3], "progress": False}
    sx.sweep(random_reader(), **options)
    assert sx.sweep(random_reader(), **options).attrs["from_cache"] == 1
    sx.clear_cache()
    assert sx.sweep(random_reader(), **options).attrs["from_cache"] == 0


def test_a_folder_that_cannot_be_written_costs_a_warning(tmp_path):
    (tmp_path / "kept").write_text("a file")
    with pytest.warns(UserWarning, match="results are not kept"):
        table = sx.sweep(random_reader(), max_readahead=WINDOWS, cache=tmp_path / "kept", progress=False)
    assert table["error"].isna().all()


def test_a_folder_that_grew_too_large_loses_its_oldest(tmp_path):
    store = Store(tmp_path)
    keys = [f"{i:064x}" for i in range(4)]
    for i, key in enumerate(keys):
        store.put(key, "x" * 1000)
        os.utime(store._file(key), (i, i))
    store.trim(2500)
    assert [store.get(key) is not None for key in keys] == [False, False, True, True]
    reader = Store(tmp_path)
    reader.trim(0)
    assert reader.get(keys[3]) is not None, "who has added nothing deletes nothing"


# --- sources of Python models


def module_of(tmp_path, monkeypatch, text):
    """A module of the user's with this text."""
    name = f"models_{time.monotonic_ns()}"
    (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
    monkeypatch.syspath_prepend(tmp_path)
    module = __import__(name)
    return types.SimpleNamespace(**vars(module))


def told(model):
    return sources_of([("readahead", "model", model)])


@pytest.mark.parametrize(
    ("old", "new"),
    [("+ 1", "+ 2"), ("WINDOW = 8", "WINDOW = 16"), ("return 5", "return 6"), ("least=3", "least=4")],
    ids=["body", "global", "function that it calls", "default"],
)
def test_what_a_class_uses_is_part_of_what_it_is(tmp_path, monkeypatch, old, new):
    text = """
        import math

        WINDOW = 8
        def helper():
            return 5
        class Base:
            def size(self, least=3):
                return max(WINDOW, least, helper()) + 1
        class Policy(Base):
            def page_absent(self):
                return math.ceil(self.size())
        """
    first = module_of(tmp_path, monkeypatch, text).Policy
    assert told(first) == told(module_of(tmp_path, monkeypatch, text).Policy)
    assert told(first) != told(module_of(tmp_path, monkeypatch, text.replace(old, new)).Policy)


def with_window(window):
    class Policy:
        def size(self):
            return window

    return Policy


def test_what_a_class_closes_over_is_part_of_what_it_is():
    assert told(with_window(3)) == told(with_window(3)) != told(with_window(4))


def notebook_class(text):
    """A class as a notebook makes it: its functions know their source, it does not."""
    name = f"<cell {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    made = {"__name__": "__main__"}
    exec(compile(text, name, "exec"), made)
    return made["Policy"]


def test_a_class_of_a_notebook_is_what_its_members_are():
    text = "WINDOW = 8\nclass Policy:\n    pages = 4\n    def size(self):\n        return WINDOW\n"
    with pytest.raises((OSError, TypeError)):
        inspect.getsource(notebook_class(text))
    assert told(notebook_class(text)) == told(notebook_class(text))
    for old, new in (
        ("WINDOW = 8", "WINDOW = 9"),
        ("pages = 4", "pages = 5"),
        ("return WINDOW", "return 2 * WINDOW"),
    ):
        assert told(notebook_class(text)) != told(notebook_class(text.replace(old, new)))


def test_a_class_without_source_is_not_kept():
    made = {"__name__": "__main__"}
    exec("class Policy:\n    def size(self):\n        return 1\n", made)
    with pytest.warns(UserWarning, match="source of Policy.size cannot be read"):
        assert told(made["Policy"]) is None


# --- killed and interrupted sweeps

SWEEP = """
import sys, time
import seekahead as sx
from small import random_reader
scenario = random_reader().with_({"process.reader.bytes": "64 MiB"})
print("running", flush=True)
try:
    table = sx.sweep(scenario, max_readahead=range(1, 25), cache=sys.argv[1], workers=2, progress=False)
    print(table.attrs["run"], table.attrs["from_cache"])
except sx.Interrupted as error:
    print("stopped", time.monotonic(), error, flush=True)
    quick = random_reader().run(record=False)
    print("usable", quick.summary["requests"] > 0, flush=True)
"""


def start_sweep(folder):
    environment = dict(os.environ, PYTHONPATH=str(Path(__file__).parent))
    return subprocess.Popen(
        [sys.executable, "-c", SWEEP, str(folder)], stdout=subprocess.PIPE, text=True, env=environment
    )


def wait_for_files(folder, count):
    end = time.monotonic() + 120
    while len(list(folder.rglob("*.json"))) < count:
        assert time.monotonic() < end, "the sweep does not get on"
        time.sleep(0.005)


def goes_on(folder):
    """Runs the sweep to its end; how many points it ran and found."""
    with start_sweep(folder) as program:
        lines, _ = program.communicate(timeout=300)
    assert program.returncode == 0
    run, kept = map(int, lines.split()[-2:])
    assert run + kept == 24
    return kept


def test_a_killed_sweep_goes_on_where_it_was(tmp_path):
    with start_sweep(tmp_path) as program:
        wait_for_files(tmp_path, 6)
        program.kill()
        program.communicate()
    finished = len(list(tmp_path.rglob("*.json")))
    assert 6 <= finished < 24
    assert goes_on(tmp_path) == finished
    assert goes_on(tmp_path) == 24


def test_ctrl_c_stops_a_sweep_and_keeps_what_is_finished(tmp_path):
    with start_sweep(tmp_path) as program:
        wait_for_files(tmp_path, 3)
        start = time.monotonic()
        program.send_signal(signal.SIGINT)
        lines, _ = program.communicate(timeout=60)
    finished = len(list(tmp_path.rglob("*.json")))
    _, stopped, usable = lines.splitlines()
    assert float(stopped.split()[1]) - start < 2
    assert f"{finished} of 24 points are finished and kept" in stopped
    assert usable == "usable True"
    assert goes_on(tmp_path) == finished
