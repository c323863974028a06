"""sx.decide and sx.explain, and a Python policy that decides as the kernel did."""

import gzip
import json
from pathlib import Path

import pytest

import seekahead as sx
from ondemand_2_6_24 import Ondemand2624
from seekahead import _jobs, _pool, _python_models
from seekahead._library import _core

GOLDEN = Path(__file__).resolve().parents[1] / "data" / "golden"
CASES = GOLDEN / "ondemand_2.6.24.jsonl.gz"


@pytest.fixture(scope="module")
def golden():
    with gzip.open(CASES, "rt") as file:
        return [json.loads(line) for line in file]


def test_a_python_policy_decides_as_linux_2_6_24(golden):
    decisions = sx.decide(CASES, policy=Ondemand2624)
    assert len(decisions) == len(golden) == 146
    for expected, decision in zip(golden, decisions, strict=True):
        for key in ("ios", "class", "state"):
            assert decision[key] == expected[key], f"case {expected['case']}: {key}"


def test_a_python_policy_waits_and_returns_as_the_built_in_one():
    """The recorded cases leave these out; the C++ policy is compared field by field."""
    models = _jobs.models_for((), [_python_models.python_model(Ondemand2624)])
    with gzip.open(CASES, "rt") as file:
        for line in file:
            theirs, ours = (
                json.loads(_core.read_case(models, {"policy": policy, "kernel": kernel}, line)[0].answer(True))
                for policy, kernel in (("ondemand", "2.6.24"), ("Ondemand2624", "any"))
            )
            for key in ("ios", "waits", "ret", "class", "state"):
                assert theirs[key] == ours[key], f"case {theirs['case']}: {key}"


def lines_of_the_program(*arguments):
    reply = _pool.perform(_jobs.pack(_jobs.CommandJob("decide", [str(argument) for argument in arguments])))
    assert reply.answer["status"] == 0, reply.answer["stderr"]
    return bytes(reply.data).decode().splitlines()


@pytest.mark.parametrize("name", ["ondemand_6.1", "adaptive_v16", "linux-2.4_2.4.5"])
def test_lines_are_those_of_the_program(name):
    file = GOLDEN / f"{name}.jsonl.gz"
    decisions = sx.decide(file)
    lines = lines_of_the_program(file)
    assert [decision.text for decision in decisions] == lines
    assert decisions == [json.loads(line) for line in lines]


def test_inputs_are_replaced_as_by_the_program(golden):
    changed = sx.decide(golden[:20], policy="fixed", sets={"ra_pages": 64, "window": 7})
    lines = lines_of_the_program("--policy", "fixed", "--set", "ra_pages=64", "--set", "window=7", CASES)
    assert [decision.text for decision in changed] == lines[:20]
    older = sx.decide(golden[:20], kernel="2.6.31")
    assert older != sx.decide(golden[:20])


CASE = {
    "case": "one read",
    "policy": "none",
    "kernel": "any",
    "io": "instant",
    "ra_pages": 32,
    "file_pages": 64,
    "ops": [{"op": "read", "fd": 0, "pos": 0, "len": 4096}],
}


def test_problems_have_their_lines(tmp_path):
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(CASE) + "\n\n" + json.dumps({**CASE, "ra_pages": -1, "io": "slow"}) + "\n{\n")
    with pytest.raises(sx.CaseError) as caught:
        sx.decide(file)
    error = caught.value
    assert [problem.line for problem in error.problems] == [3, 3, 4]
    assert error.file == str(file)
    assert error.line == 3
    assert f"{file}:3: error: " in str(error)
    assert "not JSON" in str(error)
    assert isinstance(error, sx.ScenarioError)
    with pytest.raises(sx.CaseError, match="cannot be read"):
        sx.decide(tmp_path / "missing.jsonl")
    with pytest.raises(sx.CaseError, match="did you mean 'ra_pages'"):
        sx.decide([CASE], sets={"ra_page": 4})
    with pytest.raises(sx.CaseError, match="unknown policy"):
        sx.decide([CASE], policy="nne")


class Failing(sx.ReadaheadPolicy):
    """Always wrong."""

    window: int = 4

    def page_absent(self, view, page, remaining):
        view.note("W1", f"a window of {self.window}")
        view.submit(page, self.window)
        if page == 4:
            raise OverflowError("too far")


def test_a_failing_hook_is_told_with_its_case():
    case = {**CASE, "ops": [{"op": "read", "fd": 0, "pos": 16384, "len": 4096}]}
    with pytest.raises(sx.CaseError, match="case 'one read': OverflowError: too far") as caught:
        sx.decide([CASE, case], policy=Failing)
    assert caught.value.line == 2
    assert isinstance(caught.value.__cause__, OverflowError)
    assert 'raise OverflowError("too far")' in caught.value.traceback


def test_ctrl_c_passes_through_a_hook():
    class Interrupting(sx.ReadaheadPolicy):
        def page_absent(self, view, page, remaining):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sx.decide([CASE], policy=Interrupting)


def test_a_python_policy_has_parameters_and_a_story():
    assert sx.decide([CASE], policy=Failing, sets={"window": 6})[0]["ios"] == [[0, 0, 6]]
    with pytest.raises(sx.CaseError, match="window"):
        sx.decide([CASE], policy=Failing, sets={"window": "x"})
    story = sx.explain([CASE], policy=Failing)
    assert "W1" in story
    assert "a window of 4" in story
    assert "one read" in story


def test_state_must_be_numbers():
    class Odd(sx.ReadaheadPolicy):
        def state(self):
            return {"size": 4.5}

    with pytest.raises(sx.CaseError, match=r"Odd.state\(\) must return a dict of names and whole numbers"):
        sx.decide([CASE], policy=Odd)

    class Wide(sx.ReadaheadPolicy):
        def state(self):
            return {"far": 2**64 - 1, "near": -1, "on": True}

    decision = sx.decide([CASE], policy=Wide)[0]
    assert decision.text.endswith('"state":[{"far":18446744073709551615,"near":-1,"on":1}]}')
