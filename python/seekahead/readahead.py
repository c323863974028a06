"""Readahead policies, as [readahead] of a scenario names them.

Written by tools/write_python_models from the registry; a test keeps it true.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from seekahead._parts import Policy

__all__ = [
    "Adaptive",
    "Fixed",
    "Linux24",
    "Linux26RequestSize",
    "Linux26Window",
    "NonePolicy",
    "Ondemand",
    "Skeleton",
]


@dataclass(frozen=True, kw_only=True)
class NonePolicy(Policy):
    """no readahead: every page is read when it is wanted.

    Source: baseline."""

    model_name: ClassVar[str] = "none"


@dataclass(frozen=True, kw_only=True)
class Fixed(Policy):
    """A constant window, read when a page is missing.

    Source: baseline.

    Parameters
    ----------
    window : a bare number of pages (4 KiB each)
        Pages read at once; 0 = the readahead limit of the device. default 0; allowed 0 to 1048576; source: chosen.
    aligned : true or false
        Windows start at multiples of their size, instead of at the page that was missing. default false; source:
        chosen.
    """

    model_name: ClassVar[str] = "fixed"
    window: int | None = None
    aligned: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Skeleton(Policy):
    """A small sequential readahead, to start your own from.

    Source: docs/plugins.md.

    Parameters
    ----------
    first_window : a bare number of pages (4 KiB each)
        Size of the first window of a sequential reader. default 4; allowed 1 to 1024; source: chosen.
    """

    model_name: ClassVar[str] = "skeleton"
    first_window: int | None = None


@dataclass(frozen=True, kw_only=True)
class Linux24(Policy):
    """The window that doubles while pages in flight are met.

    Source: Linux 2.4.5.

    Parameters
    ----------
    kernel : one of a few words
        Version of the rules; 2.4.0 to 2.4.22 decide alike. default "2.4.5"; allowed 2.4.5; source: Linux 2.4.5.
    min_readahead : a bare number of pages (4 KiB each)
        Smallest window of a sequential read. default 3; allowed 0 to 1048576; source: vm.min-readahead.
    page_cluster : a whole number
        Page faults read aligned clusters of 2^this pages; 3 below 32 MB of memory, 2 below 16 MB. default 4; allowed
        0 to 10; source: vm.page-cluster.
    """

    model_name: ClassVar[str] = "linux-2.4"
    kernel: Literal["2.4.5"] | None = None
    min_readahead: int | None = None
    page_cluster: int | None = None


@dataclass(frozen=True, kw_only=True)
class Linux26Window(Policy):
    """A current window and an ahead window, sized by the average run.

    Source: Linux 2.6.8, 2.6.9.

    Parameters
    ----------
    kernel : one of a few words
        Version of the rules. default "2.6.9"; allowed 2.6.8, 2.6.9; source: Linux 2.6.8, 2.6.9.
    """

    model_name: ClassVar[str] = "linux-2.6-window"
    kernel: Literal["2.6.8", "2.6.9"] | None = None


@dataclass(frozen=True, kw_only=True)
class Linux26RequestSize(Policy):
    """Two windows ahead of sequential reads, random requests as they are.

    Source: Linux 2.6.11, 2.6.12, 2.6.22.

    Parameters
    ----------
    kernel : one of a few words
        Version of the rules; 2.6.12 holds to 2.6.16, 2.6.22 from about 2.6.17 on. default "2.6.22"; allowed 2.6.11,
        2.6.12, 2.6.22; source: Linux 2.6.11, 2.6.12, 2.6.22.
    """

    model_name: ClassVar[str] = "linux-2.6-request-size"
    kernel: Literal["2.6.11", "2.6.12", "2.6.22"] | None = None


@dataclass(frozen=True, kw_only=True)
class Adaptive(Policy):
    """Windows follow the speed of reclaim; lost readers are recognised by their cached pages.

    Source: adaptive readahead patches V15 (2.6.17-rc5) and V16 (2.6.19-rc5-mm2), 2006.

    Parameters
    ----------
    kernel : one of a few words
        Which posting of the patch set. default "v16"; allowed v15, v16; source: linux-kernel 2006.
    readahead_ratio : a whole number
        Percent of the memory that reclaim leaves to a stream that it may read ahead; 0: no readahead. default 50;
        allowed 0 to 1000000; source: adaptive readahead V15, V16: 50.
    readahead_hit_rate : a whole number
        Sparse readers use one page in so many; -1: the kernel's default (v15: 1, v16: 0). default -1; allowed -1 to
        10000; source: adaptive readahead V15, V16.
    """

    model_name: ClassVar[str] = "adaptive"
    kernel: Literal["v15", "v16"] | None = None
    readahead_ratio: int | None = None
    readahead_hit_rate: int | None = None


@dataclass(frozen=True, kw_only=True)
class Ondemand(Policy):
    """on-demand readahead: a marker page in the window triggers the next one.

    Source: Linux 2.6.24, the mmap patches of 2007 and 2009, 2.6.31, 6.1.

    Parameters
    ----------
    kernel : one of a few words
        Whose rules; mmap-2007 and mmap-2009 are 2.6.24 with the mmap patches of those years. default "6.1"; allowed
        2.6.24, mmap-2007, mmap-2009, 2.6.31, 6.1; source: Linux.
    io_pages : a bare number of pages (4 KiB each)
        6.1: the device's best I/O size; requests above the readahead limit may go up to it. default 320; allowed 0 to
        1048576; source: Linux 6.1, max_sectors_kb / 4.
    quick_start : true or false
        mmap-2007, mmap-2009: a missing fault under MADV_SEQUENTIAL asks for the whole limit at once. default false;
        source: patch series of December 2007.
    quick_start_detected : true or false
        mmap-2007, mmap-2009: so does a fault on the page after the previous access. default false; source: log lines
        of December 2007.
    """

    model_name: ClassVar[str] = "ondemand"
    kernel: Literal["2.6.24", "mmap-2007", "mmap-2009", "2.6.31", "6.1"] | None = None
    io_pages: int | None = None
    quick_start: bool | None = None
    quick_start_detected: bool | None = None
