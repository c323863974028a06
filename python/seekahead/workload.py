"""Workloads, as [[process]] of a scenario names them.

Written by tools/write_python_models from the registry; a test keeps it true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from seekahead._parts import Workload

__all__ = [
    "Copy",
    "Diff",
    "Script",
    "Stream",
]


@dataclass(frozen=True, kw_only=True)
class Stream(Workload):
    """Read, write or map one file, block after block.

    Source: chosen.

    Parameters
    ----------
    operation : one of a few words
        read(2), write(2), or faults of a mapping. default "read"; allowed read, write, mmap.
    pattern : one of a few words
        Order of the blocks. default "sequential"; allowed sequential, backward, random.
    block : a size as in "128 KiB"
        Bytes a call (mmap: touched page by page). default "64 KiB"; allowed 1 B to 1 GiB.
    bytes : a size as in "128 KiB"
        How much to move in a pass; 0: from offset to the end of the file. default "0 B"; allowed 0 B to 1024 TiB.
    offset : a size as in "128 KiB"
        Where to start. default "0 B"; allowed 0 B to 1024 TiB.
    passes : a whole number
        How often to do it all. default 1; allowed 1 to 1000000.
    think : a time as in "8.5 ms"
        CPU time after each block. default "0 s"; allowed 0 s to 3600 s.
    pause : a time as in "8.5 ms"
        Waiting time after each block, without using the CPU. default "0 s"; allowed 0 s to 3600 s.
    advice : one of a few words
        posix_fadvise, or madvise for mmap, at the start. default "normal"; allowed normal, random, sequential.
    fsync : true or false
        Call fsync after each pass of writing. default false.
    """

    model_name: ClassVar[str] = "stream"
    operation: Literal["read", "write", "mmap"] | None = None
    pattern: Literal["sequential", "backward", "random"] | None = None
    block: str | None = None
    bytes: str | None = None
    offset: str | None = None
    passes: int | None = None
    think: str | None = None
    pause: str | None = None
    advice: Literal["normal", "random", "sequential"] | None = None
    fsync: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Copy(Workload):
    """cp: read the first file, write the second.

    Source: chosen.

    Parameters
    ----------
    block : a size as in "128 KiB"
        Bytes a call. default "4 KiB"; allowed 1 B to 1 GiB; source: cp of 2001: st_blksize, 4 KiB.
    think : a time as in "8.5 ms"
        CPU time of the program for each block. default "0 s"; allowed 0 s to 3600 s.
    fsync : true or false
        Call fsync at the end. default false.
    """

    model_name: ClassVar[str] = "copy"
    block: str | None = None
    think: str | None = None
    fsync: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Diff(Workload):
    """Compare two files in step.

    Source: chosen.

    Parameters
    ----------
    block : a size as in "128 KiB"
        Bytes a call. default "64 KiB"; allowed 1 B to 1 GiB.
    think : a time as in "8.5 ms"
        CPU time to compare a pair of blocks. default "0 s"; allowed 0 s to 3600 s.
    """

    model_name: ClassVar[str] = "diff"
    block: str | None = None
    think: str | None = None


@dataclass(frozen=True, kw_only=True)
class Script(Workload):
    """A list of single operations.

    Source: chosen.

    Parameters
    ----------
    steps : a list of words
        Operations, one a line: read POSITION LENGTH, write POSITION LENGTH, fault PAGE, fault FIRST..LAST, fadvise
        ADVICE [POSITION LENGTH], madvise HINT, fsync, close, compute NS, sleep NS, exec COMMAND; 'N: ' before it
        means file N. default [].
    repeat : a whole number
        How often to do them all. default 1; allowed 1 to 1000000000.
    """

    model_name: ClassVar[str] = "script"
    steps: Sequence[str] | None = None
    repeat: int | None = None
