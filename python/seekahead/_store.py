"""Results of sweeps kept by content: what was run before, with the same program, is not run again.

The key of a result is a hash over everything that decides it: the effective configuration of the point, its
coordinates, the compiled module, plug-ins, and the source of models written in Python. Results of Python models see
their own source only: what a class takes from elsewhere (globals, other modules) is not part of the key.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import shutil
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

from seekahead._jobs import RunJob
from seekahead._library import _core


def default_folder() -> Path:
    """``$XDG_CACHE_HOME/seekahead``, or ``~/.cache/seekahead``."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "seekahead"


def clear_cache(folder: str | os.PathLike[str] | None = None) -> None:
    """Delete the kept results of sweeps; the next sweep runs every point again."""
    shutil.rmtree(folder or default_folder(), ignore_errors=True)


class Store:
    """A folder with one file a result. Several processes may use it at once."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)

    def get(self, key: str) -> str | None:
        """The JSON text of a result; None if there is none or it is damaged."""
        try:
            text = self._file(key).read_text(encoding="utf-8")
            return text if "total" in json.loads(text) else None
        except (OSError, ValueError):
            return None

    def put(self, key: str, text: str) -> None:
        """Keep a result: written under another name first, so that no half of it is ever seen."""
        file = self._file(key)
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="utf-8") as new:
            new.write(text)
        os.replace(new.name, file)

    def _file(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def open_store(choice: bool | str | os.PathLike[str]) -> Store | None:
    """The store that ``cache=`` of a sweep means."""
    if choice is False:
        return None
    return Store(default_folder() if choice is True else choice)


def key_of(job: RunJob, sources: str) -> str:
    """The key of a point; ``sources``: of its Python models, see :func:`sources_of`."""
    parts = [_program(), job.effective, job.values, [_digest(Path(plugin)) for plugin in job.plugins], sources]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def sources_of(python_models: tuple[tuple[str, str, Any], ...]) -> str | None:
    """Source of the classes and of what they inherit; None, with a warning, if it cannot be had."""
    texts = []
    for _, name, model in python_models:
        bases = model.__mro__[:-1] if inspect.isclass(model) else (model,)
        try:
            texts += [_source(base) for base in bases if not base.__module__.startswith("seekahead")]
        except (OSError, TypeError):
            warnings.warn(f"the source of {name} cannot be read: its results are not kept", stacklevel=4)
            return None
    return "\n".join(texts)


def _source(model: Any) -> str:
    """Source of a class or function. A notebook knows where functions are written, but not classes."""
    try:
        return inspect.getsource(model)
    except (OSError, TypeError):
        if not inspect.isclass(model):
            raise
    members = {name: value for name, value in vars(model).items() if not name.startswith("__") or callable(value)}
    texts = (inspect.getsource(value) if callable(value) else repr(value) for value in members.values())
    return "\n".join([model.__qualname__, *(f"{name}: {text}" for name, text in zip(members, texts, strict=True))])


@cache
def _program() -> str:
    return _digest(Path(_core.__file__))


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
