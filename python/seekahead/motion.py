"""Where arm and platter of a disk are at any moment of a run, worked out from its recorded requests."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from seekahead.errors import Error
from seekahead.plots.source import Run, Table, name_index

PARTS = ("overhead", "seek", "rotation", "transfer", "bus")
"""The parts of a request's service in the order in which they are drawn, after waiting in the drive."""


@dataclass(frozen=True)
class Drive:
    """What the picture of a disk needs: revolutions a minute and the number of cylinders."""

    name: str
    rpm: float
    cylinders: int

    @property
    def revolution_ns(self) -> float:
        """Time of one revolution."""
        return 60e9 / self.rpm


@dataclass(frozen=True)
class Phase:
    """A stretch of time in which a request was in one part of its service."""

    name: str
    start_ns: int
    end_ns: int


@dataclass(frozen=True)
class Moment:
    """The disk at one moment.

    Attributes
    ----------
    cylinder : float
        Where the arm is.
    phase : str
        A part of the service, ``"queue"`` when the request waits inside the drive, ``"idle"`` without one.
    request : numpy.void or None
        Row of the request in service.
    target_turns : float or None
        How far the request's first sector still is from the head, in revolutions of the platter; below 0 when it
        has passed. None when the request does not touch the media.
    arc_turns : float
        How much of its track the request covers, at most one revolution.
    """

    time_ns: float
    cylinder: float
    phase: str
    request: Any = None
    target_turns: float | None = None
    arc_turns: float = 0.0


def drive_of(effective: str, device: str | None) -> Drive:
    """The disk of that name in a scenario's effective TOML; by default its first device with an arm.

    Raises
    ------
    seekahead.Error
        If it has no mechanics; the message names the devices that do.
    """
    devices: list[dict[str, Any]] = tomllib.loads(effective).get("device", [])
    disks = {entry["name"]: entry for entry in devices if "mechanics" in entry}
    if device is not None and device not in (entry["name"] for entry in devices):
        raise Error(f"there is no device {device!r}; there are: {', '.join(entry['name'] for entry in devices)}")
    chosen = device or next(iter(disks), "")
    if chosen not in disks:
        what = f"device {device!r} has no arm and no platter" if device else "no device of this run has an arm"
        those = f"; these have: {', '.join(disks)}" if disks else ' (only those of model "disk" do)'
        raise Error(what + those)
    entry = disks[chosen]
    last = max(int(zone["last_cylinder"]) for zone in entry["geometry"]["zones"])
    return Drive(chosen, float(entry["mechanics"]["rpm"]), last + 1)


def phases_of(request: Any) -> Iterator[Phase]:
    """The parts of a request's service one after another, from its start to its completion.

    What the parts leave unexplained is waiting inside the drive and comes first. A request over several tracks
    seeks and waits several times; it is drawn with the sums.
    """
    at = int(request["started_ns"])
    parts = {name: int(request[f"{name}_ns"]) for name in PARTS}
    waiting = int(request["completed_ns"]) - at - sum(parts.values())
    for name, length in {"queue": waiting, **parts}.items():
        if length > 0:
            yield Phase(name, at, at + length)
            at += length


class Motion:
    """Arm and platter of one disk, as a function of time.

    Parameters
    ----------
    run
        With the tables ``requests`` and ``timeline``.
    drive
        The disk, see :func:`drive_of`.
    """

    def __init__(self, run: Run, drive: Drive) -> None:
        requests, timeline = run.requests, run.timeline
        index = name_index(run, "devices", drive.name)
        self.drive = drive
        self.requests: Table = requests[requests["device"] == index]
        self.timeline: Table = timeline[timeline["device"] == index]
        if len(self.requests) == 0:
            raise Error(f"nothing to animate: no request completed on {drive.name!r}")

    @cached_property
    def _from_cylinder(self) -> Table:
        """Where the arm was when each request started."""
        before = np.searchsorted(self.timeline["time_ns"], self.requests["started_ns"], side="right") - 1
        return self.timeline["cylinder"][np.maximum(before, 0)].astype(float)

    def at(self, time_ns: float) -> Moment:
        """The disk at that moment."""
        row = int(np.searchsorted(self.requests["completed_ns"], time_ns, side="right"))
        if row == len(self.requests) or self.requests["started_ns"][row] > time_ns:
            return Moment(time_ns, self._resting_cylinder(time_ns), "idle")
        request = self.requests[row]
        phase = next(p for p in phases_of(request) if p.start_ns <= time_ns < p.end_ns)
        source, target = float(self._from_cylinder[row]), float(request["cylinder"])
        begins, arrives, under = self._media_times(request)
        if time_ns >= arrives or begins == arrives:
            cylinder = target
        else:
            cylinder = source + (target - source) * _eased((time_ns - begins) / (arrives - begins))
        if under is None:
            return Moment(time_ns, cylinder, phase.name, request)
        turn = self.drive.revolution_ns
        arc = min(int(request["transfer_ns"]) / turn, 1.0)
        return Moment(time_ns, cylinder, phase.name, request, (under - time_ns) / turn, arc)

    def queue_depth(self, time_ns: float) -> int:
        """Requests that wait or are in service."""
        row = int(np.searchsorted(self.timeline["time_ns"], time_ns, side="right")) - 1
        return int(self.timeline["queue_depth"][row]) if row >= 0 else 0

    def _resting_cylinder(self, time_ns: float) -> float:
        row = int(np.searchsorted(self.timeline["time_ns"], time_ns, side="right")) - 1
        return float(self.timeline["cylinder"][max(row, 0)])

    @staticmethod
    def _media_times(request: Any) -> tuple[int, int, int | None]:
        """When the arm starts, when it has arrived, and when the first sector is under it (None: never)."""
        under = int(request["completed_ns"]) - int(request["bus_ns"]) - int(request["transfer_ns"])
        arrives = under - int(request["rotation_ns"])
        touches = request["transfer_ns"] > 0 and not request["cache_hit"]
        return arrives - int(request["seek_ns"]), arrives, under if touches else None


def _eased(share: float) -> float:
    """An arm speeds up and slows down: 0 to 1 with no speed at either end."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3 - 2 * share)
