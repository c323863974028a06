"""Parameters of models written in Python: annotated class attributes with defaults."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, TypeVar, overload

from seekahead._library import _core

Row = tuple[str, str, Any, Any, Any, list[str], str]
"""Name, type, default, low, high, choices, help: what the registry wants to know."""

Unit = Literal["bytes", "time", "rate", "pages", "sectors", "percent"]
Number = TypeVar("Number", int, float)

_WITH_UNIT = ("bytes", "time", "rate")
_INTEGERS = (-(2**63), 2**63 - 1)
_REALS = (-sys.float_info.max, sys.float_info.max)


@dataclass(frozen=True)
class Declared:
    """What :func:`parameter` was told."""

    default: Any
    low: Any
    high: Any
    help: str
    unit: str | None
    choices: tuple[str, ...]


@overload
def parameter(default: bool, *, help: str = "") -> bool: ...
@overload
def parameter(
    default: Number,
    low: Number | None = None,
    high: Number | None = None,
    *,
    help: str = "",
    unit: Unit | None = None,
) -> Number: ...
@overload
def parameter(
    default: str,
    low: str | None = None,
    high: str | None = None,
    *,
    unit: Literal["bytes", "time", "rate"],
    help: str = "",
) -> int: ...
@overload
def parameter(default: str, *, choices: Sequence[str] = (), help: str = "") -> str: ...
def parameter(
    default: Any,
    low: Any = None,
    high: Any = None,
    *,
    help: str = "",
    unit: str | None = None,
    choices: Sequence[str] = (),
) -> Any:
    """Declare a parameter of a Python policy or workload with its range and a line of help.

    A plain default (``window: int = 32``) declares one, too.

    Parameters
    ----------
    default
        A number, a text, True or False; with a unit also a text such as ``"64 KiB"``.
    low, high
        Smallest and largest allowed value.
    help
        One line.
    unit : {"bytes", "time", "rate", "pages", "sectors", "percent"}
        How scenarios write it: ``"64 KiB"``, ``"8.5 ms"``, ``"100 MB/s"``, a bare number, ``"40 %"``. The model gets
        bytes, nanoseconds, bytes a second.
    choices
        The allowed words of a text.

    Examples
    --------
    >>> import seekahead as sx
    >>> class Twice(sx.ReadaheadPolicy):
    ...     first: int = sx.parameter(4, 1, 1024, help="pages of the first window")
    >>> sx.models("readahead", models=[Twice])[-1].parameters[0].allowed
    '1 to 1024'
    """
    return Declared(default, low, high, help, unit, tuple(choices))


def parameters_of(cls: type) -> list[Row]:
    """Annotated attributes with a default, those of base classes first; not private ones and not ClassVars."""
    hints: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if "_declares_nothing" not in vars(base):
            hints.update(inspect.get_annotations(base))
    rows = []
    for name, hint in hints.items():
        if not name.startswith("_") and hasattr(cls, name) and not _is_class_variable(hint):
            rows.append(parameter_row(cls.__name__, name, hint, getattr(cls, name)))
    return rows


def parameter_row(owner: str, name: str, hint: Any, value: Any) -> Row:
    """One parameter as the registry wants it.

    Raises
    ------
    TypeError
        It is of a type that a scenario cannot hold.
    """
    declared = value if isinstance(value, Declared) else Declared(value, None, None, "", None, ())
    default = declared.default
    choices = list(declared.choices) or _words(hint)
    type_ = _type_of(hint, default, declared.unit, choices)
    if type_ is None:
        raise TypeError(
            f"{owner}: the parameter {name!r} must be a whole number, a number, a text or a bool, not {default!r}; "
            "an attribute that is no parameter has no annotation, or ClassVar"
        )
    if type_ in ("boolean", "text", "choice"):
        if choices and default not in choices:
            raise TypeError(f"{owner}: the default of {name!r} is {default!r}, not one of {', '.join(choices)}")
        return name, type_, default, None, None, choices, declared.help
    lowest, highest = _REALS if type_ in ("real", "percent") else _INTEGERS
    low = lowest if declared.low is None else _number(declared.unit, declared.low)
    high = highest if declared.high is None else _number(declared.unit, declared.high)
    default = _number(declared.unit, default)
    if not low <= default <= high:
        raise TypeError(f"{owner}: the default of {name!r} is {default}, not from {low} to {high}")
    return name, type_, default, low, high, [], declared.help


def _type_of(hint: Any, default: Any, unit: str | None, choices: list[str]) -> str | None:
    if isinstance(default, bool):
        return "boolean"
    if isinstance(default, str) and unit not in _WITH_UNIT:
        return "choice" if choices else "text"
    if unit is not None:
        return unit
    if isinstance(default, float) or (isinstance(default, int) and hint in (float, "float")):
        return "real"
    return "integer" if isinstance(default, int) else None


def _number(unit: str | None, value: Any) -> Any:
    return _core.quantity(unit, value) if isinstance(value, str) and unit in _WITH_UNIT else value


def _words(hint: Any) -> list[str]:
    """The words of ``Literal["a", "b"]``."""
    if isinstance(hint, str) and "Literal[" in hint:
        hint = eval(hint.removeprefix("typing."), {"Literal": Literal})
    if typing.get_origin(hint) is Literal:
        return [str(word) for word in typing.get_args(hint)]
    return []


def _is_class_variable(hint: Any) -> bool:
    if isinstance(hint, str):
        return hint.startswith(("ClassVar", "typing.ClassVar", "t.ClassVar"))
    return hint is ClassVar or typing.get_origin(hint) is ClassVar


class HasParameters:
    """Base of what a scenario can set parameters of: an object made by hand has the defaults."""

    _declares_nothing: ClassVar[bool] = True

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        made = super().__new__(cls)
        for name, value in ((row[0], row[2]) for row in parameters_of(cls)):
            setattr(made, name, value)
        return made
