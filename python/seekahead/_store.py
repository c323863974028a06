"""Results of sweeps kept by content: what was run before, with the same program, is not run again.

The key of a result is a hash over everything that decides it: the effective configuration of the point, its
coordinates, the compiled module, plug-ins, drive files that the configuration names, and the source of models written
in Python (:mod:`seekahead._sources`). A result takes 5 to 20 KB; when a folder has grown beyond
:data:`LIMIT_BYTES`, the results that were written first are deleted at the end of a sweep.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import uuid
import warnings
from functools import cache
from pathlib import Path

from seekahead._jobs import RunJob
from seekahead._library import _core, models_of, version

LIMIT_BYTES = 512 << 20
"""Largest size of a folder after a sweep."""

_DIGEST_CHARACTERS = 64
_NAMED_DRIVE = re.compile(r'^member_drive = "(.+)"$', re.MULTILINE)


def default_folder() -> Path:
    """``$XDG_CACHE_HOME/seekahead``, or ``~/.cache/seekahead``."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "seekahead"


def clear_cache(folder: str | os.PathLike[str] | None = None) -> None:
    """Delete the kept results of sweeps; the next sweep runs every point again.

    Parameters
    ----------
    folder
        What ``cache`` of :func:`seekahead.sweep` was; the user's cache folder by default. Other files in it stay.
    """
    store = Store(default_folder() if folder is None else folder)
    for file in store.files():
        file.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            file.parent.rmdir()


class Store:
    """A folder with one file a result: a digest, a line feed, the JSON text. Several processes may use it at once."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.is_good = True
        self.has_grown = False

    def get(self, key: str) -> str | None:
        """The JSON text of a result; None if there is none or it is damaged."""
        try:
            digest, text = self._file(key).read_text(encoding="utf-8").split("\n", 1)
        except (OSError, ValueError):
            return None
        return text if digest == _digest(text.encode()) else None

    def put(self, key: str, text: str) -> None:
        """Keep a result: written under another name first, so that no half of it is ever seen."""
        if not self.is_good:
            return
        try:
            self._write(self._file(key), f"{_digest(text.encode())}\n{text}")
            self.has_grown = True
        except OSError as error:
            self.is_good = False
            warnings.warn(f"results are not kept: {error}", stacklevel=2)

    def _write(self, file: Path, content: str) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_name(f"{file.stem}.{uuid.uuid4().hex}.new")
        try:
            new.write_text(content, encoding="utf-8")
            os.replace(new, file)
        except BaseException:
            new.unlink(missing_ok=True)
            raise

    def files(self) -> list[Path]:
        """The files of its results, and what killed writers left behind."""
        return [
            file
            for file in self.folder.glob("[0-9a-f][0-9a-f]/*")
            if file.suffix == ".new" or (file.suffix == ".json" and len(file.stem) == _DIGEST_CHARACTERS)
        ]

    def trim(self, limit_bytes: int | None = None) -> None:
        """Delete the oldest results until the folder is within the limit, if this object added any."""
        if not self.has_grown:
            return
        limit_bytes = LIMIT_BYTES if limit_bytes is None else limit_bytes
        entries = []
        for file in self.files():
            with contextlib.suppress(OSError):  # another process trims, too
                status = file.stat()
                entries.append((status.st_mtime_ns, status.st_size, file))
        total = sum(size for _, size, _ in entries)
        for _, size, file in sorted(entries):
            if total <= limit_bytes:
                break
            file.unlink(missing_ok=True)
            total -= size

    def _file(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def open_store(choice: bool | str | os.PathLike[str]) -> Store | None:
    """The store that ``cache=`` of a sweep means."""
    if choice is False:
        return None
    return Store(default_folder() if choice is True else choice)


def key_of(job: RunJob, sources: str) -> str:
    """The key of a point; ``sources``: of its Python models, see :func:`seekahead._sources.sources_of`."""
    files = [*map(Path, job.plugins), *_drive_files(job.effective)]
    parts = [version, _program(), job.effective, job.values, [_digest_of(file) for file in files], sources]
    return _digest(json.dumps(parts).encode())


def _drive_files(effective: str) -> list[Path]:
    """Files of the drives that an effective configuration names without writing their parameters out."""
    return [_drive_files_by_id().get(name, Path(name)) for name in _NAMED_DRIVE.findall(effective)]


@cache
def _drive_files_by_id() -> dict[str, Path]:
    return {row[0]: Path(row[-1]) for row in models_of().drives()}


@cache
def _program() -> str:
    return _digest_of(Path(_core.__file__))


def _digest_of(file: Path) -> str:
    return _digest(file.read_bytes())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
