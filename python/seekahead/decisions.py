"""Readahead policies alone, on a page cache without time: what ``seekahead decide`` does."""

from __future__ import annotations

import difflib
import gzip
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from seekahead import _jobs, _python_models
from seekahead._core import Case
from seekahead._library import _core
from seekahead.errors import CaseError, Problem
from seekahead.policies import ReadaheadPolicy

Cases = str | os.PathLike[str] | Iterable[Mapping[str, Any] | str]


class Decision(dict[str, Any]):
    """What a policy decided in a case.

    Attributes
    ----------
    text : str
        The line that ``seekahead decide`` prints for it, byte for byte.
    """

    def __init__(self, text: str) -> None:
        super().__init__(json.loads(text))
        self.text = text


def decide(
    cases: Cases,
    policy: str | type[ReadaheadPolicy] | None = None,
    kernel: str | None = None,
    sets: Mapping[str, Any] | None = None,
) -> list[Decision]:
    """Run readahead cases on a toy page cache and return what was decided.

    Parameters
    ----------
    cases
        Path of a file of JSON lines (also gzipped), or the cases themselves, as dicts or JSON texts.
    policy
        Policy of every case, in place of its own: a name, or a class written in Python.
    kernel
        Kernel version of every case.
    sets
        Top-level inputs of every case to replace, or parameters of its policy: ``{"ra_pages": 64}``.

    Returns
    -------
    list of Decision
        A dict for each case: ``ios`` are the runs of pages read, as [operation, first page, pages]; ``state`` are the
        policy's variables after each operation. Policies written in Python also have ``waits``, ``ret``, ``class``.

    Raises
    ------
    CaseError
        With all problems of all cases, each with its line (or place in the list, from 1).

    Examples
    --------
    >>> reads = [{"op": "read", "fd": 0, "pos": position, "len": 4096} for position in (0, 4096)]
    >>> case = {"case": "two reads", "policy": "ondemand", "kernel": "6.1", "io": "instant", "ra_pages": 32}
    >>> case |= {"file_pages": 256, "ops": reads}
    >>> decide([case])[0]["ios"]
    [[0, 0, 4], [1, 4, 8]]
    """
    everything = _is_class(policy)
    return [Decision(text) for text in _each(cases, policy, kernel, sets, lambda case: case.answer(everything))]


def explain(
    cases: Cases,
    policy: str | type[ReadaheadPolicy] | None = None,
    kernel: str | None = None,
    sets: Mapping[str, Any] | None = None,
) -> str:
    """The story of each case: what the policy saw, which rules fired, what was read, and a picture of the pages.

    Takes what :func:`decide` takes. A policy written in Python names its rules with ``view.note()``.
    """
    return "\n".join(_each(cases, policy, kernel, sets, Case.explain))


def _is_class(policy: object) -> bool:
    return isinstance(policy, type)


def _each(cases: Cases, policy: Any, kernel: str | None, sets: Mapping[str, Any] | None, told: Any) -> Iterator[str]:
    python_models = [_python_models.python_model(policy)] if _is_class(policy) else []
    models = _jobs.models_for((), python_models)
    overrides = {"policy": policy.__name__ if _is_class(policy) else policy, "kernel": kernel, **(sets or {})}
    values = {key: _as_text(value) for key, value in overrides.items() if value is not None}
    _refuse_unknown(values, _core.case_keys(models))
    good: list[tuple[int, Case]] = []
    problems: list[Problem] = []
    name, lines = _lines(cases)
    for number, line in lines:
        case, found = _core.read_case(models, values, line)
        problems += [Problem(name, number, column, "", message) for column, message in found]
        if case is not None:
            good.append((number, case))
    if problems:
        raise CaseError("".join(_told(problem) for problem in problems), problems)
    for number, case in good:
        yield _run(case, name, number, told)


def _run(case: Case, name: str, number: int, told: Any) -> str:
    try:
        return str(told(case))
    except Exception as error:
        problem = Problem(name, number, 0, "", f"case {case.name!r}: {type(error).__name__}: {error}")
        raise CaseError(_told(problem), [problem], _python_models.model_traceback(error)) from error


def _told(problem: Problem) -> str:
    column = f":{problem.column}" if problem.column else ""
    return f"{problem.file}:{problem.line}{column}: error: {problem.message}\n"


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _refuse_unknown(values: Mapping[str, str], known: list[str]) -> None:
    for key in values:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(known)}"
            message = f"unknown key {key!r}{hint}"
            raise CaseError(message, [Problem(key, 0, 0, key, message)])


def _lines(cases: Cases) -> tuple[str, Iterator[tuple[int, str]]]:
    """The name of the cases and their lines with their numbers."""
    if not isinstance(cases, str | os.PathLike):
        texts = (case if isinstance(case, str) else json.dumps(case) for case in cases)
        return "<cases>", enumerate(texts, 1)
    path = Path(cases)
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8") as file:
            lines = [(number, line) for number, line in enumerate(file, 1) if line.strip()]
    except (OSError, UnicodeError, EOFError) as error:
        problem = Problem(str(path), 0, 0, "", f"cannot be read: {error}")
        raise CaseError(f"{path}: error: {problem.message}", [problem]) from None
    return str(path), iter(lines)
