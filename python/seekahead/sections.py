"""Sections of a scenario that have parameters of their own.

Written by tools/write_python_models from the registry; a test keeps it true.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from seekahead._parts import Part

__all__ = [
    "Block",
    "Machine",
    "Writeback",
]


@dataclass(frozen=True, kw_only=True)
class Machine(Part):
    """The section [machine].

    Parameters
    ----------
    memory : a size as in "128 KiB"
        RAM of the machine. default "128 MiB"; allowed 1 MiB to 1 TiB; source: chosen: a desktop of 2001.
    reserved : a size as in "128 KiB"
        Taken by kernel and programs, not available to the page cache. default "16 MiB"; allowed 0 B to 1 TiB; source:
        chosen.
    cores : a whole number
        processors; processes that compute contend for them. default 1; allowed 1 to 1024.
    cpu_per_page : a time as in "8.5 ms"
        Copy to user and page-cache bookkeeping, a page. default "10 us"; allowed 0 s to 1 s; source: chosen: about
        400 MB/s of copying on a processor of 2001.
    cpu_per_call : a time as in "8.5 ms"
        CPU time of a system call. default "3 us"; allowed 0 s to 1 s; source: chosen.
    cpu_per_fault : a time as in "8.5 ms"
        CPU time of a page fault. default "2 us"; allowed 0 s to 1 s; source: chosen.
    cpu_granularity : a time as in "8.5 ms"
        CPU debt of a process is paid at the latest when it exceeds this. default "1 ms"; allowed 0 s to 1 s; source:
        chosen: speed of the simulation.
    """

    memory: str | None = None
    reserved: str | None = None
    cores: int | None = None
    cpu_per_page: str | None = None
    cpu_per_call: str | None = None
    cpu_per_fault: str | None = None
    cpu_granularity: str | None = None


@dataclass(frozen=True, kw_only=True)
class Block(Part):
    """The section [block].

    Parameters
    ----------
    kernel : one of a few words
        Whose rules of request slots, plugging, congestion and limits hold. default "2.4.5"; allowed 2.4.5, 2.6.8,
        2.6.9, 2.6.11, 2.6.12, 2.6.18, 2.6.24.
    max_request : a size as in "128 KiB"
        Largest request that merging may build, a multiple of 4 KiB; 0: the kernel's own (2.4: 124 KiB). default "0
        B"; allowed 0 B to 1 GiB; source: kernel.
    request_slots : a whole number
        Requests a queue holds in each direction, and with it where congestion begins on 2.6; 0: the kernel's own
        number. default 0; allowed 0 to 65536; source: kernel.
    max_segments : a whole number
        scatter-list entries (pages) of a request; 0: the kernel's own number, or as many as max_request needs.
        default 0; allowed 0 to 65536; source: kernel.
    """

    kernel: Literal["2.4.5", "2.6.8", "2.6.9", "2.6.11", "2.6.12", "2.6.18", "2.6.24"] | None = None
    max_request: str | None = None
    request_slots: int | None = None
    max_segments: int | None = None


@dataclass(frozen=True, kw_only=True)
class Writeback(Part):
    """The section [writeback].

    Parameters
    ----------
    flush : a share as in "40 %"
        Share of dirty buffers above which the flusher runs. default "30 %"; allowed 0 % to 100 %; source: Linux 2.4:
        nfract of /proc/sys/vm/bdflush.
    sync : a share as in "40 %"
        Share of dirty buffers above which the writer flushes as well. default "60 %"; allowed 0 % to 100 %; source:
        Linux 2.4: nfract_sync.
    flush_batch : a whole number
        Buffers written in a round of the flusher. default 64; allowed 1 to 1048576; source: Linux 2.4: ndirty.
    interval : a time as in "8.5 ms"
        Period of the look at old buffers. default "5 s"; allowed 1 ms to 3600 s; source: Linux 2.4: kupdate.
    age : a time as in "8.5 ms"
        Age at which a dirty buffer is written. default "30 s"; allowed 0 s to 3600 s; source: Linux 2.4: age_buffer.
    """

    flush: str | None = None
    sync: str | None = None
    flush_batch: int | None = None
    interval: str | None = None
    age: str | None = None
