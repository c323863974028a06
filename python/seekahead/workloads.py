"""Workloads written in Python: what a simulated process does, as a generator of operations.

A file is a name of the process's ``files``, which is opened when it is used first, or what :func:`open` sent back.
Positions and lengths are bytes as whole numbers, or texts such as ``"64 KiB"``; times are nanoseconds as whole
numbers, or texts such as ``"8.5 ms"``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Literal

from seekahead._core import Random, RunningProcess
from seekahead._declarations import HasParameters

__all__ = [
    "Operation",
    "Random",
    "RunningProcess",
    "Workload",
    "close",
    "compute",
    "exec",
    "fadvise",
    "fault",
    "file_size",
    "fsync",
    "madvise",
    "open",
    "read",
    "sleep",
    "write",
]

File = str | int
Bytes = int | str
Time = int | str
Advice = Literal["normal", "random", "sequential", "willneed", "dontneed", "noreuse"]
Hint = Literal["normal", "random", "sequential"]


class Operation(tuple[Any, ...]):
    """A system call, or use of the CPU, that a workload yields."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{self[0]}({', '.join(map(repr, self[1:]))})"


class Workload(HasParameters):
    """Base of workloads written in Python.

    :meth:`run` is a generator: it yields operations, and ``yield`` gives their result when the simulated process has
    got it. Parameters are declared as those of a :class:`seekahead.ReadaheadPolicy`. They have their values before
    ``__init__`` runs, as have ``files`` and ``random``. A generator function does as well, such as
    ``def scan(files, random):``; its parameters are arguments that have a default.

    Attributes
    ----------
    files : list of str
        Names of the process's files, in the order of the scenario.
    random : Random
        The process's own stream of random numbers: use no other, so that a seed gives the same run again.
    fewest_files, most_files : int
        How many files a process must and may name.

    Examples
    --------
    >>> import seekahead as sx
    >>> class EveryOther(sx.Workload):
    ...     '''Reads every other block.'''
    ...     block: int = sx.parameter("64 KiB", unit="bytes")
    ...
    ...     def run(self, process):
    ...         size = yield sx.file_size(self.files[0])
    ...         for position in range(0, size, 2 * self.block):
    ...             yield sx.read(self.files[0], position, self.block)
    >>> sc = sx.Scenario.build(
    ...     devices=[sx.Drive("hda", "dtla307045")],
    ...     files=[sx.File("a", "8 MiB")],
    ...     readahead=sx.readahead.Ondemand(),
    ...     processes=[sx.Process("p", EveryOther, ["a"], parameters={"block": "128 KiB"})],
    ... )
    >>> sc.run()["process.p.bytes_read"]
    4194304
    """

    _declares_nothing: ClassVar[bool] = True
    files: list[str]
    random: Random
    fewest_files: ClassVar[int] = 1
    most_files: ClassVar[int | None] = None

    def run(self, process: RunningProcess) -> Iterable[Operation]:
        """Yield operations, one after another."""
        raise NotImplementedError(f"{type(self).__name__} has no run()")


def open(name: str) -> Operation:
    """Open a file of the process. Sends back its descriptor, whose readahead state is its own."""
    return Operation(("open", name))


def close(file: File) -> Operation:
    """Close a file."""
    return Operation(("close", file))


def file_size(file: File) -> Operation:
    """Send back the size of a file in bytes."""
    return Operation(("file_size", file))


def read(file: File, position: Bytes, length: Bytes) -> Operation:
    """Read at a position. Sends back the bytes read: fewer than ``length`` at the end of the file only."""
    return Operation(("read", file, position, length))


def write(file: File, position: Bytes, length: Bytes) -> Operation:
    """Write at a position. Sends back the bytes written: fewer than ``length`` at the end of the file only."""
    return Operation(("write", file, position, length))


def fsync(file: File) -> Operation:
    """Wait until everything written to the file is on the device."""
    return Operation(("fsync", file))


def fault(file: File, page: int) -> Operation:
    """Touch a page of a shared mapping of the file. Sends back False beyond the end of the file."""
    return Operation(("fault", file, page))


def fadvise(file: File, advice: Advice, position: Bytes = 0, length: Bytes = 0) -> Operation:
    """Call posix_fadvise; length 0 means to the end of the file."""
    return Operation(("fadvise", file, advice, position, length))


def madvise(file: File, hint: Hint) -> Operation:
    """Call madvise for the whole mapping of the file."""
    return Operation(("madvise", file, hint))


def compute(time: Time) -> Operation:
    """Use the CPU for this long; processes share the cores."""
    return Operation(("compute", time))


def sleep(time: Time) -> Operation:
    """Wait for this long without using the CPU."""
    return Operation(("sleep", time))


def exec(command: str) -> Operation:
    """Become another program: same process, same open files, another command name in the kernel's log."""
    return Operation(("exec", command))
