"""What decides the results of models written in Python, as a text to hash."""

from __future__ import annotations

import hashlib
import inspect
import pickle
import site
import sys
import sysconfig
import types
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

_INSTALLED = tuple({*sysconfig.get_paths().values(), *site.getsitepackages(), sys.base_prefix + "/lib"})


class _Unknown(Exception):
    """What a model does cannot be told from what can be read of it."""


def sources_of(python_models: Iterable[tuple[str, str, Any]]) -> str | None:
    """Source of the models, of what they inherit and call, and the values that they take from around them.

    What belongs to an installed package stands for itself by its name. None, with a warning, if something cannot be
    read: the source of a class made by ``exec``, a global that cannot be pickled.
    """
    parts: list[str] = []
    for _, name, model in python_models:
        try:
            parts.extend(_told([model]))
        except _Unknown as problem:
            warnings.warn(f"results of {name} are not kept: {problem}", stacklevel=5)
            return None
    return "\n".join(parts)


def _told(waiting: list[Any]) -> Iterator[str]:
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, types.ModuleType):
            yield value.__name__
        elif not isinstance(value, type | types.FunctionType):
            yield _told_value(value)
        elif _is_installed(value):
            yield f"{value.__module__}.{value.__qualname__}"
        else:
            yield _source(value)
            waiting.extend(_taken_from_around(value))


def _is_installed(value: type | types.FunctionType) -> bool:
    """Of this package, the standard library or anything else that is installed."""
    module = sys.modules.get(value.__module__)
    file = getattr(module, "__file__", None)
    if value.__module__ == "__main__":
        return False
    return value.__module__.split(".")[0] in ("seekahead", "builtins") or (
        module is not None and (file is None or file.startswith(_INSTALLED))
    )


def _source(value: type | types.FunctionType) -> str:
    """The source; of a class written in a notebook, which knows where functions were written only, its members."""
    try:
        return inspect.getsource(value)
    except (OSError, TypeError) as error:
        if not isinstance(value, type):
            raise _Unknown(f"the source of {value.__qualname__} cannot be read ({error})") from None
    return "\n".join([value.__qualname__, *(f"{name}: {text}" for name, text in _members(value))])


def _members(cls: type) -> Iterator[tuple[str, str]]:
    for name, member in vars(cls).items():
        function = getattr(member, "__func__", getattr(member, "fget", member))
        if isinstance(function, types.FunctionType):
            yield name, _source(function)
        elif not (name.startswith("__") and name.endswith("__")):
            yield name, _told_value(member)


def _told_value(value: Any) -> str:
    try:
        return hashlib.sha256(pickle.dumps(value)).hexdigest()
    except Exception as error:
        raise _Unknown(f"a value that it takes from around it cannot be pickled ({error})") from None


def _taken_from_around(value: type | types.FunctionType) -> Iterator[Any]:
    if isinstance(value, type):
        yield from value.__bases__
        for member in vars(value).values():
            function = getattr(member, "__func__", getattr(member, "fget", member))
            if isinstance(function, types.FunctionType):
                yield from _taken_by(function)
    else:
        yield from _taken_by(value)


def _taken_by(function: types.FunctionType) -> Iterator[Any]:
    """Globals that the function names, what its closure holds, its defaults."""
    for name in _names(function.__code__):
        if name in function.__globals__:
            yield function.__globals__[name]
    for cell in function.__closure__ or ():
        if cell.cell_contents is not None:
            yield cell.cell_contents
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)
