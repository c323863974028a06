"""Scenarios: what to simulate. A scenario is a text in TOML with changes on top; it never changes itself."""

from __future__ import annotations

import os
import re
import tomllib
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from seekahead import _jobs, _pool, _python_models
from seekahead._build import scenario_text
from seekahead._keys import full_key
from seekahead._library import SCENARIOS, _core
from seekahead._parts import Device, Elevator, Model, Part, Policy, plain
from seekahead.errors import Interrupted, Problem, ScenarioError, SimulationError
from seekahead.parts import Drive, File, Process
from seekahead.policies import ReadaheadPolicy
from seekahead.result import Result
from seekahead.sections import Block, Machine, Writeback
from seekahead.tables import TABLES
from seekahead.toml_values import toml_value

_KEY_OF_LINE = re.compile(r"""^\s*(?:\[+\s*)?((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"))*)\s*[]=]""")


class Scenario:
    """A checked scenario.

    Make one with :meth:`load`, :meth:`from_text` or :meth:`example`, or from typed parts with :meth:`build`;
    change it with :meth:`with_`; run it with :meth:`run`. All problems of a scenario are found when it is made.
    """

    def __init__(
        self,
        text: str,
        name: str,
        *,
        sets: tuple[str, ...] = (),
        axes: tuple[tuple[str, tuple[str, ...]], ...] = (),
        plugins: tuple[str, ...] = (),
        python_models: tuple[tuple[str, str, Any], ...] = (),
    ) -> None:
        self._text = text
        self._name = name
        self._sets = sets
        self._axes = axes
        self._plugins = plugins
        self._python_models = python_models
        models = _jobs.models_for(plugins, list(python_models))
        plan, problems, message = _core.make_plan(models, text, name, list(sets), list(axes))
        if plan is None:
            raise ScenarioError(message, [_problem(row) for row in problems])
        self._plan = plan

    # --- making one

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], *, plugins: Collection[str] = (), models: Collection[Any] = ()
    ) -> Scenario:
        """Read a scenario file.

        Parameters
        ----------
        path
            A TOML file; what it includes is found relative to it.
        plugins
            Shared libraries with more models.
        models
            Policies and workloads written in Python, which the file may name: subclasses of
            :class:`seekahead.ReadaheadPolicy` and :class:`seekahead.Workload`, and generator functions.

        Raises
        ------
        ScenarioError
            With all problems, each with its file, line and key.
        """
        name = os.fspath(path)
        try:
            text = Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeError) as error:
            problem = Problem(name, 0, 0, "", f"cannot be read: {error}")
            raise ScenarioError(f"{name}: error: {problem.message}", [problem]) from None
        return cls(text, name, plugins=tuple(plugins), python_models=_python_models.merged((), models))

    @classmethod
    def from_text(
        cls, text: str, name: str = "<text>", *, plugins: Collection[str] = (), models: Collection[Any] = ()
    ) -> Scenario:
        """Read a scenario from TOML text; ``name`` stands for it in messages, the rest is as in :meth:`load`."""
        return cls(text, name, plugins=tuple(plugins), python_models=_python_models.merged((), models))

    @classmethod
    def example(cls, name: str) -> Scenario:
        """One of the scenarios that the package brings, such as ``"larsson-2001/diff"``; see :meth:`examples`."""
        path = SCENARIOS / f"{name}.toml"
        if not path.is_file():
            import difflib

            near = difflib.get_close_matches(name, cls.examples(), 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            problem = Problem(name, 0, 0, "", f"there is no example {name!r}{hint}")
            raise ScenarioError(problem.message, [problem])
        return cls.load(path)

    @staticmethod
    def examples() -> list[str]:
        """Names of the scenarios that the package brings.

        >>> "larsson-2001/diff" in Scenario.examples()
        True
        """
        files = (path.relative_to(SCENARIOS) for path in SCENARIOS.glob("*/*.toml"))
        return sorted(
            str(file.with_suffix("")) for file in files if file.parts[0] != "drives" and ".part" not in file.suffixes
        )

    @classmethod
    def build(
        cls,
        *,
        devices: Sequence[Device | Drive],
        files: Sequence[File],
        readahead: Policy | type[ReadaheadPolicy],
        processes: Sequence[Process],
        machine: Machine | None = None,
        block: Block | None = None,
        elevator: Elevator | str | None = None,
        writeback: Writeback | None = None,
        title: str | None = None,
        source: str | None = None,
        seed: int | None = None,
        duration: str | None = None,
        sweep: Mapping[str, Sequence[Any]] | None = None,
        plugins: Collection[str] = (),
        models: Collection[Any] = (),
    ) -> Scenario:
        """Build a scenario from typed parts; what is left out has its default.

        Policies and workloads written in Python stand where those of :mod:`seekahead.readahead` and
        :mod:`seekahead.workload` do; ``models`` is for those that are only named.

        >>> import seekahead as sx
        >>> sc = sx.Scenario.build(
        ...     devices=[sx.Drive("hda", "dtla307045")],
        ...     files=[sx.File("a", "64 MiB")],
        ...     readahead=sx.readahead.Ondemand(read_ahead_kb=128),
        ...     processes=[sx.Process("reader", sx.workload.Stream(), ["a"])],
        ... )
        >>> sc.run()["process.reader.bytes_read"]
        67108864
        """
        text = scenario_text(
            {"title": title, "source": source, "seed": seed, "duration": duration},
            {
                "machine": machine,
                "readahead": readahead if isinstance(readahead, Part) else {"policy": readahead.__name__},
                "block": block,
                "writeback": writeback,
            },
            {"device": devices, "file": files, "process": processes},
            elevator,
            sweep,
        )
        written = [value for value in (readahead, *(p.workload for p in processes)) if _python_models.is_model(value)]
        python_models = _python_models.merged(_python_models.merged((), models), written)
        return cls(text, "<built>", plugins=tuple(plugins), python_models=python_models)

    def with_(self, changes: Mapping[str, Any] | None = None, /, **short: Any) -> Scenario:
        """The scenario with some keys set to other values.

        Parameters
        ----------
        changes
            Full paths of keys: ``{"device.hda.cache.segments": 4}``; elements go by name or index. A policy or
            workload may be a class (or generator function) written in Python.
        **short
            Keys of [scenario], [machine], [readahead], [block] and [writeback] by their last part.

        >>> sc = Scenario.example("lessons/two-files").with_(read_ahead_kb=512, seed=2)
        >>> sc.run()["readahead.limits.sda.read_ahead_kb"]
        512
        """
        new: dict[str, str] = {}
        given = {**(changes or {}), **short}
        python_models = _python_models.merged(self._python_models, filter(_python_models.is_model, given.values()))
        for name, value in given.items():
            key = full_key(name, _python_models.parameter_keys(python_models))
            if isinstance(value, Model):
                key = key.rsplit(".", 1)[0]  # a model with its parameters is the table around its name
            new[key] = toml_value(_python_models.name_of(plain(value)))
        sets = (*self._sets_beside(new), *(f"{key}={value}" for key, value in new.items()))
        return self._copy(sets=sets, python_models=python_models)

    def _sets_beside(self, keys: Collection[str]) -> tuple[str, ...]:
        """The changes so far but for those that new values of ``keys`` take the place of."""

        def stays(old: str) -> bool:
            return not any(old == key or _core.are_alternatives(old, key) for key in keys)

        return tuple(entry for entry in self._sets if stays(entry.split("=", 1)[0]))

    def _plain_values(self, key: str, values: list[Any]) -> tuple[Scenario, list[Any]]:
        """Values for the axis ``key``; the scenario returned knows the Python models that were among them."""
        python_models = _python_models.merged(self._python_models, filter(_python_models.is_model, values))
        plain_values = [_python_models.name_of(value) for value in values]
        return self._copy(python_models=python_models), plain_values

    def _full_key(self, name: str) -> str:
        """The path of a short name; parameters of Python policies have one, too."""
        return full_key(name, _python_models.parameter_keys(self._python_models))

    def _with_axes(self, axes: Iterable[tuple[str, tuple[str, ...]]]) -> Scenario:
        """The scenario with more axes; one with the key of a present axis or change takes its place."""
        new = dict(axes)
        return self._copy(sets=self._sets_beside(new), axes=tuple({**dict(self._axes), **new}.items()))

    def _copy(self, **changes: Any) -> Scenario:
        parts: dict[str, Any] = {
            "sets": self._sets,
            "axes": self._axes,
            "plugins": self._plugins,
            "python_models": self._python_models,
        }
        return Scenario(self._text, self._name, **{**parts, **changes})

    # --- looking at it

    @property
    def title(self) -> str:
        """What the scenario calls itself."""
        return str(self._plan.title)

    @property
    def seed(self) -> int:
        """Seed of all random numbers of a run."""
        return int(self._plan.seed)

    @property
    def points(self) -> list[dict[str, Any]]:
        """Coordinates of every point of the scenario's own sweep; one empty point without a sweep.

        >>> Scenario.example("larsson-2001/read").points
        [{'readahead.max_readahead': 31}, {'readahead.max_readahead': 511}]
        """
        return [
            {key: tomllib.loads(f"value = {text}")["value"] for key, text in self._plan.values(i)}
            for i in range(len(self._plan))
        ]

    def effective(self, point: int | None = None) -> str:
        """The scenario with every default filled in, as ``seekahead check`` prints it below its heading.

        With ``point``: that point of its sweep.
        """
        return str(self._plan.whole_effective() if point is None else self._plan.effective(self._index(point)))

    def to_toml(self) -> str:
        """The text that the scenario was made from, without changes."""
        return self._text

    def _index(self, point: int) -> int:
        """The number of a point that there is."""
        if not 0 <= point < len(self._plan):
            raise IndexError(f"point {point}: the scenario has {len(self._plan)} points, counted from 0")
        return point

    # --- running it

    def run(
        self,
        *,
        seed: int | None = None,
        point: int | None = None,
        record: bool | Collection[str] = True,
        record_limit: int = 2_000_000,
    ) -> Result:
        """Simulate it in a process of its own and return the result.

        Parameters
        ----------
        seed
            In place of the scenario's.
        point
            Which point of the scenario's sweep; without it the first, with a warning if there are more.
        record
            Which tables to keep: all, none, or some of "requests", "windows", "calls", "timeline", "cache".
        record_limit
            Most rows of each table; what comes later is left out and the table stands in ``truncated``.

        Raises
        ------
        SimulationError
            The run failed.
        Interrupted
            Ctrl-C; what the run had come to is in ``partial``.
        """
        if seed is not None:
            return self.with_(seed=seed).run(point=point, record=record, record_limit=record_limit)
        if point is None and len(self._plan) > 1:
            warnings.warn(
                f"the scenario has a sweep of {len(self._plan)} points; this is the first: say point=0 for it, "
                "or use seekahead.sweep()",
                stacklevel=2,
            )
        try:
            reply = _pool.perform(_jobs.pack(self._job(point or 0, record, record_limit)))
        except _pool.Stopped as stopped:
            partial = stopped.reply and self._result(stopped.reply)
            raise Interrupted("the run was interrupted", partial or None) from None
        if self._python_models:
            print(reply.answer["stderr"], end="")  # what they printed
        result = self._result(reply)
        if result is None:
            raise failure(reply.answer)
        return result

    def _job(self, point: int, record: bool | Collection[str], record_limit: int) -> _jobs.RunJob:
        tables = tuple(TABLES) if record is True else tuple(record or ())
        for table in tables:
            if table not in TABLES:
                raise ValueError(f"unknown table {table!r}; known: {', '.join(TABLES)}")
        return _jobs.RunJob(
            effective=self._plan.effective(self._index(point)),
            values=self._plan.values(point),
            plugins=self._plugins,
            python_models=_jobs.pack_models(list(self._python_models)),
            model_sources=_jobs.pack_sources(list(self._python_models)),
            tables=tables,
            table_limit=record_limit,
        )

    def _result(self, reply: _pool.Reply) -> Result | None:
        text = reply.answer.get("json")
        return None if text is None else Result(text, self, reply.data, reply.wall_s)

    # --- as an object

    def __repr__(self) -> str:
        changes = f" with {', '.join(self._sets)}" if self._sets else ""
        return f"<Scenario {self.title or self._name!r}{changes}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and self.__getstate__() == other.__getstate__()

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {
            "text": self._plan.flat_text(),
            "name": self._name,
            "sets": self._sets,
            "axes": self._axes,
            "plugins": self._plugins,
            "python_models": self._python_models,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        state = self.__getstate__()
        return _unpickled, (state | {"python_models": _jobs.pack_models(list(self._python_models))},)


def _unpickled(state: dict[str, Any]) -> Scenario:
    text, name = state.pop("text"), state.pop("name")
    return Scenario(text, name, **state | {"python_models": tuple(_jobs.unpack_models(state["python_models"]))})


def failure(answer: Mapping[str, Any]) -> SimulationError:
    """The exception for what a child said when its run failed."""
    return SimulationError(answer["error"], answer.get("simulated_s"), answer.get("traceback", ""))


def _problem(row: Mapping[str, Any]) -> Problem:
    if row["is_argument"]:
        argument = str(row["file"])
        key = argument.split("=", 1)[0].split(" ")[-1]
        return Problem(argument, 0, 0, key, row["message"], row["hint"])
    found = _KEY_OF_LINE.match(row["text"])
    key = found[1] if found else ""
    return Problem(row["file"], row["line"], row["column"], key, row["message"], row["hint"])
