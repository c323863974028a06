"""Device models, as [[device]] of a scenario names them.

Written by tools/write_python_models from the registry; a test keeps it true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from seekahead._parts import Device
from seekahead.disk import (
    Disk,
    DiskBus,
    DiskCache,
    DiskGeometry,
    DiskGeometryZone,
    DiskMechanics,
    DiskMechanicsReadSeek,
    DiskMechanicsSeekPoint,
    DiskMechanicsWriteSeek,
    DiskOverhead,
    DiskQueue,
)

__all__ = [
    "Disk",
    "DiskBus",
    "DiskCache",
    "DiskGeometry",
    "DiskGeometryZone",
    "DiskMechanics",
    "DiskMechanicsReadSeek",
    "DiskMechanicsSeekPoint",
    "DiskMechanicsWriteSeek",
    "DiskOverhead",
    "DiskQueue",
    "FixedLatency",
    "Flash",
    "Linear",
    "Partition",
    "Raid0",
]


@dataclass(frozen=True, kw_only=True)
class FixedLatency(Device):
    """Every request costs one access time plus size / bandwidth, strictly in series.

    Source: Wu, linux-mm, 2010-02-02.

    Parameters
    ----------
    access : a time as in "8.5 ms"
        Positioning before the data of every request. default "8 ms"; allowed 0 s to 10 s; source: Wu, linux-mm,
        2010-02-02: model table of a hard disk.
    bandwidth : a rate as in "100 MB/s"
        Transfer rate of the data. default "100 MiB/s"; allowed 1 B/s to 1000 GB/s; source: Wu, linux-mm, 2010-02-02:
        model table of a hard disk.
    capacity : a size as in "128 KiB"
        Size of the device. default "1 TiB"; allowed 512 B to 1048576 TiB; source: chosen.
    max_request : a size as in "128 KiB"
        Largest request of one command; larger ones are split by the block layer. default "1 GiB"; allowed 512 B to 1
        GiB; source: chosen (ATA, LBA28).
    queue_depth : a whole number
        Requests the device holds at once; it serves them one by one in order of arrival. default 1; allowed 1 to
        65536; source: chosen.
    """

    model_name: ClassVar[str] = "fixed-latency"
    access: str | None = None
    bandwidth: str | None = None
    capacity: str | None = None
    max_request: str | None = None
    queue_depth: int | None = None


@dataclass(frozen=True, kw_only=True)
class Raid0(Device):
    """Stripes over other devices or over equal drives, behind a controller and a link.

    Source: chosen.

    Parameters
    ----------
    devices : a list of words
        Names of the member devices. default []; source: chosen.
    member_drive : text
        Drive of the catalogue (or file) of which all members are made. default ""; source: chosen.
    members : a whole number
        Number of members made of member_drive. default 2; allowed 1 to 1024; source: chosen.
    chunk : a size as in "128 KiB"
        Consecutive bytes on one member before the next one's turn. default "64 KiB"; allowed 512 B to 1 GiB; source:
        md: 64 KiB was usual.
    gather : true or false
        Neighbouring chunks that one request has on a member are one command; off: a command each, as md submits them.
        default true; source: array controllers, estimate.
    inherit_max_request : true or false
        The array takes no larger requests than the most limited member (md does so); off: max_request. default false;
        source: chosen.
    max_request : a size as in "128 KiB"
        Largest request of one command to the array. default "1 MiB"; allowed 512 B to 1 GiB; source: chosen.
    queue_depth : a whole number
        Requests the array holds at once. default 128; allowed 1 to 65536; source: chosen.
    controller_overhead : a time as in "8.5 ms"
        Controller time of each request, one after the other. default "0 s"; allowed 0 s to 1 s; source: estimate.
    link_rate : a rate as in "100 MB/s"
        Link between host and array, shared by all members; "0 MB/s": none. default "0 B/s"; allowed 0 B/s to 1000
        GB/s; source: estimate.
    link_overhead : a time as in "8.5 ms"
        of each request on the link. default "0 s"; allowed 0 s to 1 s; source: estimate.
    synchronised_spindles : true or false
        All members turn in step; off: they are spread over one revolution. default false; source: chosen.
    """

    model_name: ClassVar[str] = "raid0"
    devices: Sequence[str] | None = None
    member_drive: str | None = None
    members: int | None = None
    chunk: str | None = None
    gather: bool | None = None
    inherit_max_request: bool | None = None
    max_request: str | None = None
    queue_depth: int | None = None
    controller_overhead: str | None = None
    link_rate: str | None = None
    link_overhead: str | None = None
    synchronised_spindles: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Linear(Device):
    """Devices one behind the other.

    Source: chosen.

    Parameters
    ----------
    devices : a list of words
        Names of the devices, in order. default []; source: chosen.
    """

    model_name: ClassVar[str] = "linear"
    devices: Sequence[str] | None = None


@dataclass(frozen=True, kw_only=True)
class Partition(Device):
    """A part of one device.

    Source: chosen.

    Parameters
    ----------
    device : text
        Name of the device it is a part of; a device has one such part. required; source: chosen.
    start : a bare number of sectors (512 bytes each)
        First sector on that device. default 0; allowed 0 to 1125899906842624; source: chosen.
    size : a size as in "128 KiB"
        "0 B": all that is left of the device. default "0 B"; allowed 0 B to 1048576 TiB; source: chosen.
    """

    model_name: ClassVar[str] = "partition"
    device: str
    start: int | None = None
    size: str | None = None


@dataclass(frozen=True, kw_only=True)
class Flash(Device):
    """A flash drive or stick: channels, pages, command overhead, interface.

    Source: Wu, linux-mm, 2010-02-04.

    Parameters
    ----------
    capacity : a size as in "128 KiB"
        Size of the device. default "80 GB"; allowed 512 B to 1048576 TiB; source: data sheet.
    channels : a whole number
        Flash channels that work at the same time. default 10; allowed 1 to 1024; source: Intel X25-M: 10; others
        estimate.
    page : a size as in "128 KiB"
        Unit that is read or programmed on a channel. default "4 KiB"; allowed 512 B to 1 MiB; source: data sheet,
        estimate.
    page_read : a time as in "8.5 ms"
        From the array of a chip into its register. default "50 us"; allowed 0 s to 1 s; source: data sheet, estimate.
    page_program : a time as in "8.5 ms"
        From the register of a chip into its array. default "250 us"; allowed 0 s to 1 s; source: data sheet,
        estimate.
    prefetch : true or false
        A read that begins where the one before it ended finds its pages read already. default true; source: estimate.
    command_overhead : a time as in "8.5 ms"
        Controller time of each command, in turn. default "20 us"; allowed 0 s to 1 s; source: fitted to rate against
        size.
    channel_start : a time as in "8.5 ms"
        Controller time to set a channel to work, for each channel that a command needs. default "7 us"; allowed 0 s
        to 1 s; source: fitted to rate against size.
    interface_rate : a rate as in "100 MB/s"
        Between buffer and host. default "265 MB/s"; allowed 1 B/s to 1000 GB/s; source: fitted to rate against size.
    write_buffer : a size as in "128 KiB"
        Writes complete when they are in a buffer of this size; "0 B": when they are programmed. default "0 B";
        allowed 0 B to 1 GiB; source: data sheet, estimate.
    queue_depth : a whole number
        Commands the device holds at once (NCQ 32, USB 1). default 32; allowed 1 to 65536; source: data sheet.
    max_request : a size as in "128 KiB"
        Largest command. default "32 MiB"; allowed 512 B to 1 GiB; source: ATA, LBA48.
    """

    model_name: ClassVar[str] = "flash"
    capacity: str | None = None
    channels: int | None = None
    page: str | None = None
    page_read: str | None = None
    page_program: str | None = None
    prefetch: bool | None = None
    command_overhead: str | None = None
    channel_start: str | None = None
    interface_rate: str | None = None
    write_buffer: str | None = None
    queue_depth: int | None = None
    max_request: str | None = None
