"""Models written in Python on their way into a scenario: names, parameters, registration, source lines."""

from __future__ import annotations

import inspect
import linecache
import os
import sys
import sysconfig
import traceback
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from seekahead._declarations import Row, parameter_row, parameters_of
from seekahead._library import _core
from seekahead.policies import ReadaheadPolicy
from seekahead.workloads import Operation, Workload

PythonModel = tuple[str, str, Any]
"""Kind ("readahead", "workload"), name, and the class or generator function."""

Made = TypeVar("Made")

_PACKAGE = str(Path(__file__).parent) + os.sep
_LOOP_OPTIONS = ("looks_past_end", "marker_hit_at_once", "counts_page_once")
_RESERVED = {
    "readahead": {"policy", "max_readahead", "read_ahead_kb", "setra", "ra_pages"},
    "workload": {"name", "workload", "files", "count", "start", "command", "pid", "random"},
}


def is_model(value: Any) -> bool:
    """Whether the value is a class or function that a scenario may name."""
    return inspect.isclass(value) or inspect.isfunction(value)


def python_model(value: Any) -> PythonModel:
    """The model with its kind and name.

    Raises
    ------
    TypeError
        It is neither a policy nor a workload, or its parameters are not what a scenario can hold.
    """
    if inspect.isclass(value) and issubclass(value, ReadaheadPolicy) and value is not ReadaheadPolicy:
        kind = "readahead"
    elif (inspect.isclass(value) and issubclass(value, Workload) and value is not Workload) or (
        inspect.isgeneratorfunction(value)
    ):
        kind = "workload"
    else:
        raise TypeError(
            f"{value!r} is no model: a policy is a subclass of seekahead.ReadaheadPolicy, a workload a subclass "
            "of seekahead.Workload or a function that yields operations"
        )
    _rows(kind, value)
    return kind, value.__name__, value


def merged(known: Iterable[PythonModel], more: Iterable[Any]) -> tuple[PythonModel, ...]:
    """The models with more of them; a new one replaces that of the same kind and name."""
    table = {(kind, name): model for kind, name, model in known}
    for kind, name, model in map(python_model, more):
        table[kind, name] = model
    return tuple((kind, name, model) for (kind, name), model in table.items())


def parameter_keys(models: Iterable[PythonModel]) -> dict[str, str]:
    """Paths of the parameters of the policies among the models, by their names."""
    rows = (row for kind, _, model in models if kind == "readahead" for row in _rows(kind, model))
    return {row[0]: f"readahead.{row[0]}" for row in rows}


def name_of(value: Any) -> Any:
    """The name of a model; any other value as it is."""
    return value.__name__ if is_model(value) else value


# --- registration


def register(models: _core.Models, kind: str, name: str, model: Any) -> None:
    """Let scenarios name the model."""
    add = _add_policy if kind == "readahead" else _add_workload
    add(models, name, _first_line(model), _rows(kind, model), model)


def _add_policy(models: _core.Models, name: str, help_: str, rows: list[Row], cls: type[ReadaheadPolicy]) -> None:
    hooks = [hook for hook in _core.POLICY_HOOKS if getattr(cls, hook) is not getattr(ReadaheadPolicy, hook)]
    for hook in hooks:
        if not callable(getattr(cls, hook)) or inspect.isgeneratorfunction(getattr(cls, hook)):
            raise TypeError(f"{name}.{hook} must be a method that returns, without yield")
    options = [option for option in _LOOP_OPTIONS if getattr(cls, option)]

    def make(values: Mapping[str, Any], ra_pages: int) -> ReadaheadPolicy:
        return _made(cls, {**values, "ra_pages": ra_pages})

    _core.add_policy(models, name, help_, "Python", rows, make, hooks, options)


def _add_workload(models: _core.Models, name: str, help_: str, rows: list[Row], model: Any) -> None:
    def start_object(values: Mapping[str, Any], process: _core.RunningProcess) -> Any:
        return _made(model, {**values, "files": process.files, "random": process.random}).run(process)

    def start_function(values: Mapping[str, Any], process: _core.RunningProcess) -> Any:
        facts = {"files": process.files, "random": process.random, "process": process}
        wanted = inspect.signature(model).parameters
        return model(**{key: value for key, value in facts.items() if key in wanted}, **values)

    is_class = inspect.isclass(model)
    start = start_object if is_class else start_function
    fewest = model.fewest_files if is_class else 1
    most = model.most_files if is_class else None
    _core.add_workload(models, name, help_, "Python", rows, start, Operation, fewest, most)


def _made(cls: type[Made], attributes: Mapping[str, Any]) -> Made:
    """An object whose attributes are there before its ``__init__`` runs."""
    made = cls.__new__(cls)
    for name, value in attributes.items():
        setattr(made, name, value)
    made.__init__()  # type: ignore[misc]
    return made


def _first_line(model: Any) -> str:
    text = (model.__doc__ or "").strip().split("\n", 1)[0].rstrip(".")
    return text or f"written in Python: {model.__name__}"


def _rows(kind: str, model: Any) -> list[Row]:
    rows = parameters_of(model) if inspect.isclass(model) else _argument_rows(model)
    for row in rows:
        if row[0] in _RESERVED[kind]:
            raise TypeError(f"{model.__name__}: the parameter {row[0]!r} must have another name, that one is taken")
    return rows


def _argument_rows(function: Callable[..., Any]) -> list[Row]:
    """Arguments with a default are parameters; of the others there are three."""
    rows = []
    hints = inspect.get_annotations(function)
    for name, argument in inspect.signature(function).parameters.items():
        if argument.default is not inspect.Parameter.empty:
            rows.append(parameter_row(function.__name__, name, hints.get(name), argument.default))
        elif name not in ("files", "random", "process"):
            raise TypeError(
                f"{function.__name__}(): the argument {name!r} needs a default; without one there are files, "
                "random and process"
            )
    return rows


# --- source: what travels by value, and where it was written, which pickles leave out


def own_modules(models: Iterable[PythonModel]) -> set[str]:
    """Names of the modules that the models come from and that are no installed packages."""
    installed = tuple(sysconfig.get_paths()[kind] for kind in ("stdlib", "platstdlib", "purelib", "platlib"))
    names = set()
    for _, _, model in models:
        for part in model.__mro__ if inspect.isclass(model) else (model,):
            file = getattr(sys.modules.get(part.__module__), "__file__", None)
            if file is not None and not file.startswith((*installed, _PACKAGE)):
                names.add(part.__module__)
    return names - {"__main__"}


@dataclass(frozen=True)
class Sources:
    """Files of functions by their qualified name and first line, and the lines of files that are on no disk."""

    files: dict[tuple[str, int], str]
    lines: dict[str, list[str]]


def sources_of(models: Iterable[PythonModel]) -> Sources:
    """Where the models' functions, and the functions that those call, were written: notebook cells, too."""
    sources = Sources({}, {})
    for function in _all_functions(models):
        code = function.__code__
        sources.files[code.co_qualname, code.co_firstlineno] = code.co_filename
        if code.co_filename not in sources.lines and not os.path.exists(code.co_filename):
            sources.lines[code.co_filename] = linecache.getlines(code.co_filename)
    return sources


def know_sources(models: Iterable[PythonModel], sources: Sources) -> None:
    """Let the tracebacks of unpickled models show their lines."""
    for name, lines in sources.lines.items():
        linecache.cache[name] = (sum(map(len, lines)), None, lines, name)
    for function in _all_functions(models):
        code = function.__code__
        file = sources.files.get((code.co_qualname, code.co_firstlineno), code.co_filename)
        if file != code.co_filename:
            function.__code__ = _written_in(code, file)


def _written_in(code: types.CodeType, file: str) -> types.CodeType:
    inside = (_written_in(item, file) if isinstance(item, types.CodeType) else item for item in code.co_consts)
    return code.replace(co_filename=file, co_consts=tuple(inside))


def _all_functions(models: Iterable[PythonModel]) -> Iterator[types.FunctionType]:
    """Functions of the models, and those that they name."""
    waiting = [function for _, _, model in models for function in _functions_of(model)]
    seen: set[types.FunctionType] = set()
    while waiting:
        function = waiting.pop()
        if function in seen or function.__code__.co_filename.startswith(_PACKAGE):
            continue
        seen.add(function)
        yield function
        if function.__module__ == "__main__":  # elsewhere files speak for themselves
            named = (function.__globals__.get(name) for name in function.__code__.co_names)
            waiting += [other for value in named for other in _functions_of(value)]


def _functions_of(value: Any) -> Iterator[types.FunctionType]:
    if isinstance(value, types.FunctionType):
        yield value
    elif inspect.isclass(value):
        for cls in value.__mro__:
            for member in vars(cls).values():
                inner = getattr(member, "__func__", getattr(member, "fget", member))
                if isinstance(inner, types.FunctionType):
                    yield inner


def model_traceback(error: BaseException) -> str:
    """The traceback without the package's own frames; empty when no code of a model was running."""
    told = traceback.TracebackException.from_exception(error)
    told.stack = traceback.StackSummary.from_list(
        [frame for frame in told.stack if not frame.filename.startswith(_PACKAGE)]
    )
    return "".join(told.format()) if told.stack else ""
