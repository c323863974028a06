"""Readahead policies written in Python, in whole simulations."""

import importlib
import pickle
import re
import subprocess
import sys
import textwrap
from typing import Literal

import pytest

import seekahead as sx
from ondemand_2_6_24 import Ondemand2624

SCENARIO = """
[scenario]
title = "two readers"
seed = 3
[machine]
memory = "64 MiB"
[readahead]
policy = "ondemand"
kernel = "2.6.24"
[[device]]
name = "hda"
drive = "dtla307045"
[[file]]
name = "a"
size = "24 MiB"
[[file]]
name = "b"
size = "24 MiB"
[[process]]
name = "whole"
workload = "stream"
block = "6000 B"
files = ["a"]
[[process]]
name = "mapped"
workload = "stream"
operation = "mmap"
advice = "sequential"
files = ["b"]
[[process]]
name = "random"
workload = "stream"
pattern = "random"
bytes = "1 MiB"
block = "4 KiB"
files = ["b"]
"""


@pytest.fixture
def scenario():
    return sx.Scenario.from_text(SCENARIO)


class Fixed(sx.ReadaheadPolicy):
    """A window of fixed size.

    Nothing else.
    """

    window: int = sx.parameter(16, 1, 4096, help="pages of a window")

    def page_absent(self, view, page, remaining):
        view.submit(page, min(self.window, self.ra_pages))


class Configured(sx.ReadaheadPolicy):
    count: int = 4
    share: float = 1
    cautious: bool = False
    mood: Literal["calm", "eager"] = "calm"
    label: str = "x"
    size: int = sx.parameter("64 KiB", "4 KiB", "1 MiB", unit="bytes")
    _private: int = 7

    def page_absent(self, view, page, remaining):
        text = f"{self.count} {self.share} {self.cautious} {self.mood} {self.label} {self.size} {self.ra_pages}"
        raise LookupError(text)


def failing(scenario, hook, body):
    """The error of a run whose policy has the hook with this body."""
    namespace = {"sx": sx}
    arguments = {"read_done": "position, copied", "fault_marker": "page", "fault_absent": "page"}.get(
        hook, "page, remaining"
    )
    text = f"class Bad(sx.ReadaheadPolicy):\n    def {hook}(self, view, {arguments}):\n        {body}\n"
    exec(text, namespace)
    bad = namespace["Bad"]
    bad.__module__ = "__main__"  # travels by value
    with pytest.raises(sx.SimulationError) as caught:
        scenario.with_(policy=bad).run()
    return caught.value


def test_the_python_2_6_24_runs_as_the_built_in_one(scenario):
    ours = scenario.with_(policy=Ondemand2624).run().data
    theirs = scenario.run().data
    for part in ("processes", "devices", "files", "memory"):
        assert ours[part] == theirs[part]


def test_the_same_bytes_every_time(scenario):
    sc = scenario.with_(policy=Ondemand2624)
    assert sc.run().json_text == sc.run().json_text == pickle.loads(pickle.dumps(sc)).run().json_text


def test_a_larger_window_is_faster(scenario):
    runs = [scenario.with_(policy=Fixed, window=pages).run() for pages in (1, 32)]
    small, large = (run["process.whole.throughput_mb_s"] for run in runs)
    assert large > 2 * small


def test_parameters_are_those_of_the_registry(scenario):
    described = sx.models("readahead", models=[Fixed])[-1]
    assert (described.name, described.help) == ("Fixed", "A window of fixed size")
    assert [(p.name, p.default, p.allowed, p.help) for p in described.parameters] == [
        ("window", "16", "1 to 4096", "pages of a window")
    ]
    sc = scenario.with_(policy=Fixed).with_({"readahead.window": 64})
    assert 'policy = "Fixed"' in sc.effective()
    assert "window = 64" in sc.effective()
    with pytest.raises(sx.ScenarioError, match="1 to 4096"):
        sc.with_(window=5000)
    with pytest.raises(sx.ScenarioError, match="window"):
        sc.with_({"readahead.windo": 5})
    with pytest.raises(sx.ScenarioError, match="Fixed"):
        sc.with_(policy="Fixd")


def test_values_reach_the_object(scenario):
    changes = {"share": 0.5, "cautious": True, "mood": "eager", "label": "y", "size": "128 KiB"}
    sc = scenario.with_(policy=Configured).with_({f"readahead.{key}": value for key, value in changes.items()})
    with pytest.raises(sx.SimulationError, match=r"4 0\.5 True eager y 131072 32"):
        sc.run()
    with pytest.raises(sx.ScenarioError, match="calm"):
        sc.with_({"readahead.mood": "angry"})


def test_toml_names_a_class():
    text = SCENARIO.replace('policy = "ondemand"\nkernel = "2.6.24"', 'policy = "Fixed"\nwindow = 8')
    sc = sx.Scenario.from_text(text, models=[Fixed])
    assert sc.run()["readahead.policy"] == "Fixed"
    with pytest.raises(sx.ScenarioError, match="Fixed"):
        sx.Scenario.from_text(text)


def test_hooks_that_are_left_out_are_the_default_loop(scenario):
    class Nothing(sx.ReadaheadPolicy):
        pass

    ours = scenario.with_(policy=Nothing).run()
    theirs = scenario.with_(policy="none").run()
    assert ours.data["devices"] == theirs.data["devices"]


def test_an_exception_tells_where_and_when(scenario):
    error = failing(scenario, "page_absent", "1 / (page - 700 if page > 700 else 0 if page == 700 else 1)")
    assert "ZeroDivisionError" in error.message
    assert error.simulated_s > 0
    assert "in page_absent" in error.traceback
    assert "_python_models" not in error.traceback


@pytest.mark.parametrize(
    ("hook", "body", "message"),
    [
        ("page_absent", "return 5", r"Bad.page_absent\(\) returned 5: a hook returns nothing"),
        ("page_absent", "view.submit(-1, 4)", "whole numbers from 0 to 2.64-1, not -1"),
        ("page_absent", "view.submit(2**64, 4)", "whole numbers from 0"),
        ("page_absent", "view.submit(page, 4.5)", "incompatible function arguments"),
        ("page_absent", "view.submit(page, 4, window_class='windo')", "did you mean .window.?"),
        ("page_absent", "view.submit_page(page); view.submit_page(page)", "is cached already"),
        ("page_present", "view.keep_marker()", "not called for a marker"),
        ("read_done", "view.mark_accessed(10**9)", "page 1000000000 is absent"),
        (
            "page_absent",
            "kept = vars(type(self)).get('kept', view); type(self).kept = kept; kept is view or kept.absent(0)",
            "only inside the hook",
        ),
    ],
)
def test_nonsense_is_told(scenario, hook, body, message):
    assert re.search(message, str(failing(scenario, hook, body)))


def test_what_is_no_policy_is_refused_at_once(scenario):
    with pytest.raises(TypeError, match="is no model"):
        scenario.with_(policy=dict)

    class Taken(sx.ReadaheadPolicy):
        read_ahead_kb: int = 4

    with pytest.raises(TypeError, match="another name"):
        scenario.with_(policy=Taken)

    class Odd(sx.ReadaheadPolicy):
        things: list = []  # noqa: RUF012

    with pytest.raises(TypeError, match="things"):
        scenario.with_(policy=Odd)

    class Yields(sx.ReadaheadPolicy):
        def page_absent(self, view, page, remaining):
            yield

    with pytest.raises(TypeError, match="without yield"):
        scenario.with_(policy=Yields)

    none = type("none", (sx.ReadaheadPolicy,), {})
    with pytest.raises(ValueError, match="none is taken"):
        scenario.with_(policy=none)


def test_queries_know_what_the_hook_has_submitted():
    class Asking(sx.ReadaheadPolicy):
        def __init__(self):
            self.answers = {}

        def page_absent(self, view, page, remaining):
            self.answers["before"] = view.next_absent(page, 100)
            self.answers["inserted"] = view.submit(page, 10, mark_at=4)
            self.answers["again"] = view.submit(page + 8, 4)
            self.answers["after"] = view.next_absent(page, 100)
            self.answers["down"] = view.previous_absent(page + 9, 100)
            self.answers["in_flight"] = view.in_flight(page + 1)
            self.answers["marker"] = view.marker(page + 4)
            self.answers["past_end"] = view.submit(250, 100)

        def state(self):
            return self.answers

    case = {"case": "c", "policy": "none", "kernel": "any", "io": "lazy", "ra_pages": 32, "file_pages": 256}
    case["ops"] = [{"op": "read", "fd": 0, "pos": 81920, "len": 4096}]
    decision = sx.decide([case], policy=Asking)[0]
    assert decision["state"] == [
        {
            "before": 20,
            "inserted": 10,
            "again": 2,
            "after": 32,
            "down": 19,
            "in_flight": 1,
            "marker": 1,
            "past_end": 6,
        }
    ]
    assert decision["ios"] == [[0, 20, 12], [0, 250, 6]]


def test_source_lines_of_a_cell_travel(tmp_path):
    """A class whose source is only in this process's line cache, as that of a notebook cell."""
    script = tmp_path / "cells.py"
    script.write_text(
        textwrap.dedent(
            '''
            import linecache
            import seekahead as sx
            cell = """
            import seekahead as sx
            def helper(page):
                raise KeyError(page)  # line of the helper
            class Cell(sx.ReadaheadPolicy):
                def page_absent(self, view, page, remaining):
                    helper(page)  # line of the cell
            """
            linecache.cache["<cell 1>"] = (len(cell), None, cell.splitlines(True), "<cell 1>")
            exec(compile(cell, "<cell 1>", "exec"))
            try:
                sx.Scenario.example("larsson-2001/read").with_(policy=Cell).run()
            except sx.SimulationError as error:
                print(error.traceback)
            '''
        )
    )
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert "# line of the cell" in run.stdout
    assert "# line of the helper" in run.stdout


def test_what_hooks_print_is_seen(scenario, capfd):
    class Talking(sx.ReadaheadPolicy):
        def close(self, view, position):
            print("closed at", position)

        def page_absent(self, view, page, remaining):
            if page == 0:
                print("begins")

    scenario.with_(policy=Talking).run(record=False)
    assert capfd.readouterr().out.splitlines().count("begins") >= 2


def test_a_hook_may_recurse_as_deep_as_python_allows(scenario):
    class Deep(sx.ReadaheadPolicy):
        def page_absent(self, view, page, remaining):
            def deeper(_):
                return sorted([1], key=deeper)  # through C each time

            deeper(1)

    with pytest.raises(sx.SimulationError, match="RecursionError"):
        scenario.with_(policy=Deep).run()


def test_a_sweep_takes_classes_and_their_parameters(scenario):
    pytest.importorskip("pandas")
    table = sx.sweep(scenario, policy=[Fixed, "none"], progress=False, cache=False)
    assert table["policy"].tolist() == ["Fixed", "none"]
    table = sx.sweep(scenario.with_(policy=Fixed), window=[1, 64], progress=False, cache=False)
    assert table["error"].isna().all()
    assert table["throughput_mb_s"][1] > table["throughput_mb_s"][0]


def test_a_module_that_was_reloaded_runs_in_its_new_state(scenario, tmp_path, monkeypatch):
    """The helper process of the first run is used again."""
    file = tmp_path / "edited_policy.py"
    text = """
import seekahead as sx

def answer():
    return 1

class Edited(sx.ReadaheadPolicy):
    def page_absent(self, view, page, remaining):
        raise ValueError(f"version {answer()}")
"""
    file.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    module = importlib.import_module("edited_policy")
    with pytest.raises(sx.SimulationError, match="version 1"):
        scenario.with_(policy=module.Edited).run()
    file.write_text(text.replace("return 1", "return 22"))
    importlib.reload(module)
    with pytest.raises(sx.SimulationError, match="version 22") as caught:
        scenario.with_(policy=module.Edited).run()
    assert 'raise ValueError(f"version {answer()}")' in caught.value.traceback
