"""Disks, the model behind most drives of the catalogue.

Written by tools/write_python_models from the registry; a test keeps it true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from seekahead._parts import Device, Part

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
]


@dataclass(frozen=True, kw_only=True)
class DiskGeometryZone(Part):
    """Part of :class:`Disk`.

    Parameters
    ----------
    first_cylinder : a whole number
        First cylinder of the zone. default 0; allowed 0 to 10000000; source: DIXtrac / DiskSim 4.0.
    last_cylinder : a whole number
        Last cylinder of the zone. default 0; allowed 0 to 10000000; source: DIXtrac / DiskSim 4.0.
    sectors_per_track : a whole number
        Sectors a track. default 0; allowed 1 to 100000; source: DIXtrac / DiskSim 4.0.
    first_block_offset : a number
        Angle of the zone's first sector, counted in its sectors. default 0.0; allowed 0 to 1e+05; source: DIXtrac /
        DiskSim 4.0.
    track_skew_sectors : a number
        Angle from track to track of a cylinder, in sectors; -1: geometry.track_skew. default -1.0; allowed -1 to
        1e+05; source: DIXtrac / DiskSim 4.0.
    cylinder_skew_sectors : a number
        Angle from cylinder to cylinder, in sectors; -1: geometry.cylinder_skew. default -1.0; allowed -1 to 1e+05;
        source: DIXtrac / DiskSim 4.0.
    band_skew_sectors : a number
        Angle from band to band of mapping surface-serpentine, in sectors; -1: the cylinder skew. default -1.0;
        allowed -1 to 1e+05; source: DIXtrac / DiskSim 4.0.
    empty_sectors_at_front : a bare number of sectors (512 bytes each)
        Sectors at the zone's front that hold no LBN. default 0; allowed 0 to 1099511627776; source: DIXtrac / DiskSim
        4.0.
    spares : a bare number of sectors (512 bytes each)
        Spare sectors: at the zone's end, or at the end of each sparing range. default 0; allowed 0 to 1099511627776;
        source: DIXtrac / DiskSim 4.0.
    slipped_sectors : a list of numbers
        Defects passed over: physical sector numbers inside the zone. default []; allowed 0 to 1e+12; source: DIXtrac
        / DiskSim 4.0.
    """

    first_cylinder: int | None = None
    last_cylinder: int | None = None
    sectors_per_track: int | None = None
    first_block_offset: float | None = None
    track_skew_sectors: float | None = None
    cylinder_skew_sectors: float | None = None
    band_skew_sectors: float | None = None
    empty_sectors_at_front: int | None = None
    spares: int | None = None
    slipped_sectors: Sequence[float] | None = None


@dataclass(frozen=True, kw_only=True)
class DiskGeometry(Part):
    """Part of :class:`Disk`.

    Parameters
    ----------
    lbns : a bare number of sectors (512 bytes each)
        capacity; 0: all that the zones hold. default 0; allowed 0 to 1099511627776; source: identify data, boot logs.
    heads : a whole number
        surfaces. default 0; allowed 1 to 255; source: data sheet.
    mapping : one of a few words
        Order of tracks: head by head through a cylinder; the same with every other cylinder backwards; a band of
        cylinders on one surface, then back on the next, surfaces backwards in every other band. default "cylinder";
        allowed cylinder, serpentine, surface-serpentine; source: DIXtrac / DiskSim 4.0.
    band_cylinders : a whole number
        Cylinders of a band of mapping surface-serpentine. default 65; allowed 1 to 10000000; source: DIXtrac /
        DiskSim 4.0.
    sparing : one of a few words
        Spares lie at the zone's end, or at the end of every sparing range, and slipped sectors use them up; shift:
        slipped sectors move everything behind them, following zones included. default "zone-end"; allowed zone-end,
        range-end, shift; source: DIXtrac / DiskSim 4.0.
    sparing_range_cylinders : a whole number
        Cylinders of a range of sparing range-end. default 1; allowed 1 to 10000000; source: DIXtrac / DiskSim 4.0.
    track_skew : a number
        Track skew in revolutions, of zones that give none (made one whole sector larger at least). default 0.0;
        allowed 0 to 1; source: data sheet.
    cylinder_skew : a number
        Cylinder skew in revolutions, of zones that give none. default 0.0; allowed 0 to 1; source: data sheet.
    zones : a list of tables
        Zones from the outermost inwards. default []; source: DIXtrac / DiskSim 4.0.
    """

    lbns: int | None = None
    heads: int | None = None
    mapping: Literal["cylinder", "serpentine", "surface-serpentine"] | None = None
    band_cylinders: int | None = None
    sparing: Literal["zone-end", "range-end", "shift"] | None = None
    sparing_range_cylinders: int | None = None
    track_skew: float | None = None
    cylinder_skew: float | None = None
    zones: Sequence[DiskGeometryZone | Mapping[str, Any]] | None = None


@dataclass(frozen=True, kw_only=True)
class DiskMechanicsSeekPoint(Part):
    """Part of :class:`Disk`.

    Parameters
    ----------
    cylinders : a whole number
        distance. default 0; allowed 1 to 10000000; source: DIXtrac / DiskSim 4.0.
    time : a time as in "8.5 ms"
        Seek time over that distance. default "0 s"; allowed 0 s to 10 s; source: DIXtrac / DiskSim 4.0.
    """

    cylinders: int | None = None
    time: str | None = None


@dataclass(frozen=True, kw_only=True)
class DiskMechanicsReadSeek(Part):
    """Part of :class:`Disk`.

    Parameters
    ----------
    single : a time as in "8.5 ms"
        to the next cylinder (seek = fitted). default "0 s"; allowed 0 s to 10 s; source: data sheet.
    average : a time as in "8.5 ms"
        Mean over random pairs of cylinders (seek = fitted). default "0 s"; allowed 0 s to 10 s; source: data sheet.
    full : a time as in "8.5 ms"
        Over all cylinders (seek = fitted). default "0 s"; allowed 0 s to 10 s; source: data sheet.
    a : a number
        ms; the a of a*sqrt(d-1) + b*(d-1) + c (seek = formula). default 0.0; allowed -1000 to 1000; source: data
        sheet.
    b : a number
        ms; the b of a*sqrt(d-1) + b*(d-1) + c (seek = formula). default 0.0; allowed -1000 to 1000; source: data
        sheet.
    c : a number
        ms; the c of a*sqrt(d-1) + b*(d-1) + c (seek = formula). default 0.0; allowed 0 to 1000; source: data sheet.
    """

    single: str | None = None
    average: str | None = None
    full: str | None = None
    a: float | None = None
    b: float | None = None
    c: float | None = None


@dataclass(frozen=True, kw_only=True)
class DiskMechanicsWriteSeek(Part):
    """Part of :class:`Disk`.

    Parameters
    ----------
    single : a time as in "8.5 ms"
        to the next cylinder (seek = fitted). default "0 s"; allowed 0 s to 10 s; source: data sheet.
    average : a time as in "8.5 ms"
        Mean over random pairs of cylinders (seek = fitted). default "0 s"; allowed 0 s to 10 s; source: data sheet.
    full : a time as in "8.5 ms"
        Over all cylinders (seek = fitted). default "0 s"; allowed 0 s to 10 s; source: data sheet.
    a : a number
        ms; the a of a*sqrt(d-1) + b*(d-1) + c (seek = formula). default 0.0; allowed -1000 to 1000; source: data
        sheet.
    b : a number
        ms; the b of a*sqrt(d-1) + b*(d-1) + c (seek = formula). default 0.0; allowed -1000 to 1000; source: data
        sheet.
    c : a number
        ms; the c of a*sqrt(d-1) + b*(d-1) + c (seek = formula). default 0.0; allowed 0 to 1000; source: data sheet.
    """

    single: str | None = None
    average: str | None = None
    full: str | None = None
    a: float | None = None
    b: float | None = None
    c: float | None = None


@dataclass(frozen=True, kw_only=True)
class DiskMechanics(Part):
    """Part of :class:`Disk`.

    Parameters
    ----------
    rpm : a number
        Revolutions a minute. default 0.0; allowed 1 to 1e+06; source: data sheet.
    start_angle : a number
        Angle under the heads at time 0, in revolutions. default 0.0; allowed 0 to 1; source: chosen.
    random_start_angle : true or false
        Draw start_angle from the scenario's seed. default false; source: chosen.
    seek : one of a few words
        Form of the seek curve: seek_points with straight lines between and beyond them; fitted to single, average and
        full; or the formula itself. default "points"; allowed points, fitted, formula; source: DIXtrac / DiskSim 4.0.
    seek_points : a list of tables
        Measured seek times, ascending in distance. default []; source: DIXtrac / DiskSim 4.0.
    read_seek : table
        The keys of this table.
    write_seek : table
        The keys of this table.
    head_switch : a time as in "8.5 ms"
        From one surface to another: the least time of a positioning that changes the head. default "0 s"; allowed 0 s
        to 10 s; source: data sheet.
    cylinder_switch : a time as in "8.5 ms"
        to the next cylinder in the course of a transfer, reads and writes alike; 0: as any seek. default "0 s";
        allowed 0 s to 10 s; source: data sheet.
    write_settle : a time as in "8.5 ms"
        Added to every seek or head switch that is not zero and ends in a write. default "0 s"; allowed 0 s to 10 s;
        source: DIXtrac / DiskSim 4.0.
    """

    rpm: float | None = None
    start_angle: float | None = None
    random_start_angle: bool | None = None
    seek: Literal["points", "fitted", "formula"] | None = None
    seek_points: Sequence[DiskMechanicsSeekPoint | Mapping[str, Any]] | None = None
    read_seek: DiskMechanicsReadSeek | Mapping[str, Any] | None = None
    write_seek: DiskMechanicsWriteSeek | Mapping[str, Any] | None = None
    head_switch: str | None = None
    cylinder_switch: str | None = None
    write_settle: str | None = None


@dataclass(frozen=True, kw_only=True)
class DiskCache(Part):
    """Part of :class:`Disk`.

    Parameters
    ----------
    enabled : true or false
        Off: every request goes to the media and nothing is read ahead. default true; source: DIXtrac / DiskSim 4.0.
    segments : a whole number
        Segments, each holding one run of consecutive sectors. default 1; allowed 1 to 4096; source: DIXtrac / DiskSim
        4.0.
    segment_sectors : a bare number of sectors (512 bytes each)
        Size of a segment. default 256; allowed 1 to 10000000; source: DIXtrac / DiskSim 4.0.
    separate_write_segment : true or false
        Writes have a segment of their own and never take one from reads. default false; source: DIXtrac / DiskSim
        4.0.
    prefetch_type : a whole number
        Read on after a request: 0 no, 1 to the end of the track, 2 of the cylinder, 3 until the segment is full, 4 to
        the end of the track after the request's, one more on a sequential run. default 3; allowed 0 to 4; source:
        DIXtrac / DiskSim 4.0.
    min_readahead_sectors : a bare number of sectors (512 bytes each)
        Read on at least so far before another request may stop it. default 0; allowed 0 to 10000000; source: DIXtrac
        / DiskSim 4.0.
    max_readahead_sectors : a bare number of sectors (512 bytes each)
        Longest read-ahead of prefetch_type 3; 0: the segment's size. default 0; allowed 0 to 10000000; source:
        DIXtrac / DiskSim 4.0.
    readahead_may_overwrite_returned : true or false
        prefetch_type 3: read-ahead may replace the sectors of the request itself. default false; source: DIXtrac /
        DiskSim 4.0.
    readahead_on_full_hit : true or false
        A whole hit on a segment whose read-ahead has ended starts it again. default false; source: DIXtrac / DiskSim
        4.0.
    almost_read_hits : true or false
        A request for the very sector that is being read ahead counts as a hit. default true; source: DIXtrac /
        DiskSim 4.0.
    stop_prefetch_mid_sector : true or false
        A stopped read-ahead does not finish the sector under the head. default false; source: DIXtrac / DiskSim 4.0.
    read_free_blocks_before_request : true or false
        Sectors that pass under the head before the request's first are kept as well. default false; source: DIXtrac /
        DiskSim 4.0.
    zero_latency_read : true or false
        Reads start with whichever sector comes first. default false; source: DIXtrac / DiskSim 4.0.
    zero_latency_write : true or false
        A write that just missed its first sector starts with the next. default false; source: DIXtrac / DiskSim 4.0.
    read_hits_on_write_data : true or false
        Written sectors may be read from the cache. default true; source: DIXtrac / DiskSim 4.0.
    write_hit_stops_prefetch : true or false
        A write into a segment that is reading ahead stops the read-ahead. default true; source: DIXtrac / DiskSim
        4.0.
    fast_write_level : a whole number
        Writes complete: 0 on the media, 1 in the cache if they append to the last write and nothing else waits, 2 in
        the cache; other requests wait until written data is on the media. default 2; allowed 0 to 2; source: DIXtrac
        / DiskSim 4.0.
    write_buffer_sectors : a bare number of sectors (512 bytes each)
        0: writes go by fast_write_level; otherwise a write buffer of this size that accepts writes while it has room
        and writes them out in the background. default 0; allowed 0 to 10000000; source: data sheet.
    """

    enabled: bool | None = None
    segments: int | None = None
    segment_sectors: int | None = None
    separate_write_segment: bool | None = None
    prefetch_type: int | None = None
    min_readahead_sectors: int | None = None
    max_readahead_sectors: int | None = None
    readahead_may_overwrite_returned: bool | None = None
    readahead_on_full_hit: bool | None = None
    almost_read_hits: bool | None = None
    stop_prefetch_mid_sector: bool | None = None
    read_free_blocks_before_request: bool | None = None
    zero_latency_read: bool | None = None
    zero_latency_write: bool | None = None
    read_hits_on_write_data: bool | None = None
    write_hit_stops_prefetch: bool | None = None
    fast_write_level: int | None = None
    write_buffer_sectors: int | None = None


@dataclass(frozen=True, kw_only=True)
class DiskBus(Part):
    """Part of :class:`Disk`.

    Parameters
    ----------
    kind : one of a few words
        Ide: one command at a time, held until it ends; scsi: shared, released while the drive positions; fc: a link
        in each direction. default "scsi"; allowed ide, scsi, fc; source: data sheet.
    name : text
        Devices that give the same name share the bus; empty: a bus of its own. default ""; source: chosen.
    mode : one of a few words
        Transfer mode of an ide bus: 16.6, 33.3, 66.7, 100, 133 MB/s. default "udma5"; allowed pio4, udma2, udma4,
        udma5, udma6; source: ATA/ATAPI-6.
    efficiency : a share as in "40 %"
        Share of the mode's rate that data gets. default "85 %"; allowed 1 % to 100 %; source: 80-90 %, estimate.
    rate : a rate as in "100 MB/s"
        Data rate of a scsi or fc bus. default "160 MB/s"; allowed 100000 B/s to 100 GB/s; source: data sheet.
    sector_time : a time as in "8.5 ms"
        Time of one sector on the bus; 0: from mode and efficiency (ide) or rate. default "0 s"; allowed 0 s to 10 s;
        source: DIXtrac / DiskSim 4.0.
    command_time : a time as in "8.5 ms"
        Arbitration, selection and command phases of one command, occupying the bus. default "0 s"; allowed 0 s to 10
        s; source: 20-60 us, estimate.
    reselect_time : a time as in "8.5 ms"
        Arbitration and reselection before each burst of data, occupying the bus. default "0 s"; allowed 0 s to 10 s;
        source: estimate.
    burst_sectors : a bare number of sectors (512 bytes each)
        Sectors gathered before the drive asks for the bus. default 1; allowed 1 to 65536; source: DIXtrac / DiskSim
        4.0.
    adapter_overhead : a time as in "8.5 ms"
        Host adapter or controller time of a command, before it reaches the bus. default "0 s"; allowed 0 s to 10 s;
        source: estimate.
    max_request : a bare number of sectors (512 bytes each)
        Largest command; 0: 256 sectors on ide, 65535 on scsi and fc. default 0; allowed 0 to 65536; source:
        ATA/ATAPI-6, SBC.
    """

    kind: Literal["ide", "scsi", "fc"] | None = None
    name: str | None = None
    mode: Literal["pio4", "udma2", "udma4", "udma5", "udma6"] | None = None
    efficiency: str | None = None
    rate: str | None = None
    sector_time: str | None = None
    command_time: str | None = None
    reselect_time: str | None = None
    burst_sectors: int | None = None
    adapter_overhead: str | None = None
    max_request: int | None = None


@dataclass(frozen=True, kw_only=True)
class DiskOverhead(Part):
    """Part of :class:`Disk`.

    Parameters
    ----------
    per_request : a time as in "8.5 ms"
        of every request, before anything else. default "0 s"; allowed 0 s to 10 s; source: DIXtrac / DiskSim 4.0.
    read_hit_after_read : a time as in "8.5 ms"
        A read found in the cache, after a read. default "0 s"; allowed 0 s to 10 s; source: DIXtrac / DiskSim 4.0.
    read_hit_after_write : a time as in "8.5 ms"
        A read found in the cache, after a write. default "0 s"; allowed 0 s to 10 s; source: DIXtrac / DiskSim 4.0.
    read_miss_after_read : a time as in "8.5 ms"
        A read from the media, after a read. default "0 s"; allowed 0 s to 10 s; source: DIXtrac / DiskSim 4.0.
    read_miss_after_write : a time as in "8.5 ms"
        A read from the media, after a write. default "0 s"; allowed 0 s to 10 s; source: DIXtrac / DiskSim 4.0.
    write_hit_after_read : a time as in "8.5 ms"
        A write accepted by the cache, after a read. default "0 s"; allowed 0 s to 10 s; source: DIXtrac / DiskSim
        4.0.
    write_hit_after_write : a time as in "8.5 ms"
        A write accepted by the cache, after a write. default "0 s"; allowed 0 s to 10 s; source: DIXtrac / DiskSim
        4.0.
    write_miss_after_read : a time as in "8.5 ms"
        A write that waits for the media, after a read. default "0 s"; allowed 0 s to 10 s; source: DIXtrac / DiskSim
        4.0.
    write_miss_after_write : a time as in "8.5 ms"
        A write that waits for the media, after a write. default "0 s"; allowed 0 s to 10 s; source: DIXtrac / DiskSim
        4.0.
    """

    per_request: str | None = None
    read_hit_after_read: str | None = None
    read_hit_after_write: str | None = None
    read_miss_after_read: str | None = None
    read_miss_after_write: str | None = None
    write_hit_after_read: str | None = None
    write_hit_after_write: str | None = None
    write_miss_after_read: str | None = None
    write_miss_after_write: str | None = None


@dataclass(frozen=True, kw_only=True)
class DiskQueue(Part):
    """Part of :class:`Disk`.

    Parameters
    ----------
    depth : a whole number
        Commands the drive holds at once (an ide bus holds one). default 1; allowed 1 to 4096; source: data sheet.
    scheduling : one of a few words
        Order of the drive's queue: as they came; upwards by LBN, then again from the lowest; nearest LBN; shortest
        seek and rotation. default "fcfs"; allowed fcfs, clook, sstf, sptf; source: DIXtrac / DiskSim 4.0.
    """

    depth: int | None = None
    scheduling: Literal["fcfs", "clook", "sstf", "sptf"] | None = None


@dataclass(frozen=True, kw_only=True)
class Disk(Device):
    """A hard disk with its mechanics, cache, bus and queue: IDE, SCSI or Fibre Channel.

    Source: DIXtrac / DiskSim 4.0; data sheets.

    Parameters
    ----------
    geometry : table
        The keys of this table.
    mechanics : table
        The keys of this table.
    cache : table
        The keys of this table.
    bus : table
        The keys of this table.
    overhead : table
        The keys of this table.
    queue : table
        The keys of this table.
    """

    model_name: ClassVar[str] = "disk"
    geometry: DiskGeometry | Mapping[str, Any] | None = None
    mechanics: DiskMechanics | Mapping[str, Any] | None = None
    cache: DiskCache | Mapping[str, Any] | None = None
    bus: DiskBus | Mapping[str, Any] | None = None
    overhead: DiskOverhead | Mapping[str, Any] | None = None
    queue: DiskQueue | Mapping[str, Any] | None = None
