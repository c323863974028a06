"""Python values as TOML, the language of scenario files and overrides."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

Value = bool | int | float | str | os.PathLike[str] | Sequence[Any] | Mapping[str, Any]


def toml_value(value: Any) -> str:
    """The value on one line of TOML.

    >>> toml_value({"kind": "ide", "depths": [1, 2.5], "on": True})
    '{ kind = "ide", depths = [1, 2.5], on = true }'
    """
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        value = value.item()  # a number of numpy
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        inside = ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items())
        return "{ " + inside + " }" if inside else "{}"
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    raise TypeError(f"a scenario holds text, numbers, lists and tables, not {type(value).__name__}: {value!r}")


def toml_key(key: str) -> str:
    """The key, quoted unless it is bare.

    >>> toml_key("read_ahead_kb"), toml_key("a b")
    ('read_ahead_kb', '"a b"')
    """
    is_bare = key != "" and all(c.isascii() and (c.isalnum() or c in "_-") for c in key)
    return key if is_bare else toml_value(key)
