"""What can go wrong, as one tree of exceptions: catch :class:`Error` for all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seekahead.result import Result


class Error(Exception):
    """Base of everything that seekahead raises on purpose."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a scenario.

    Attributes
    ----------
    file : str
        The file, the name a text was given, or the override as it was written.
    line, column : int
        Place in the file, from 1; 0 when the problem is an override or the file as a whole.
    key : str
        The key it is about; empty when there is none.
    message, hint : str
        What is wrong; what was probably meant.
    """

    file: str
    line: int
    column: int
    key: str
    message: str
    hint: str = ""


class ScenarioError(Error):
    """A scenario cannot be run. All its problems are found at once.

    Attributes
    ----------
    problems : tuple of Problem
        In the order of the text; never empty.
    file, line, key
        Those of the first problem.
    """

    def __init__(self, text: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(text, tuple(problems))
        self.text = text
        self.problems = tuple(problems)
        first = self.problems[0] if self.problems else Problem("", 0, 0, "", text)
        self.file, self.line, self.key = first.file, first.line, first.key

    def __str__(self) -> str:
        return self.text.rstrip("\n")


class CaseError(ScenarioError):
    """A case of :func:`seekahead.decide` cannot be run; ``problems`` has the number and place of its line.

    Attributes
    ----------
    traceback : str
        The traceback of the Python policy that failed; empty otherwise.
    """

    def __init__(self, text: str, problems: Sequence[Problem] = (), traceback: str = "") -> None:
        super().__init__(text, problems)
        self.traceback = traceback

    def __str__(self) -> str:
        return super().__str__() + ("\n\n" + self.traceback.rstrip("\n") if self.traceback else "")


class SimulationError(Error):
    """A run failed: a deadlock, an exception of a Python model, a crash of a plug-in.

    Attributes
    ----------
    simulated_s : float or None
        Simulated time at which it happened, in seconds; None if that is not known.
    traceback : str
        The traceback of the Python model that failed; empty otherwise.
    """

    def __init__(self, message: str, simulated_s: float | None = None, traceback: str = "") -> None:
        super().__init__(message, simulated_s, traceback)
        self.message = message
        self.simulated_s = simulated_s
        self.traceback = traceback

    def __str__(self) -> str:
        text = self.message.rstrip("\n")
        if self.simulated_s is not None:
            text += f" (simulated time {self.simulated_s:.9g} s)"
        if self.traceback:
            text += "\n\n" + self.traceback.rstrip("\n")
        return text


class NotRecorded(Error, AttributeError):
    """The run did not keep the table that is asked for: see ``record`` of :meth:`Scenario.run`."""


class MissingPackage(Error, ImportError):
    """An optional package is needed; the message says how to install it."""


class Interrupted(Error, KeyboardInterrupt):
    """Ctrl-C stopped a run.

    Attributes
    ----------
    partial : Result or None
        What the run had come to, when it could still tell.
    """

    def __init__(self, message: str = "interrupted", partial: Result | None = None) -> None:
        super().__init__(message)
        self.partial = partial
