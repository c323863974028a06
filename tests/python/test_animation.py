"""Arm and platter over time, from requests written by hand: a disk of 6000 rpm turns once in 10 ms."""

from __future__ import annotations

import math

import matplotlib

matplotlib.use("Agg")

import pytest
from matplotlib import pyplot

from handmade import DISK_TOML, MS, FakeRun, FakeScenario, request, rows, run
from seekahead.animation import INNER, OUTER, animate, head_place
from seekahead.errors import Error, NotRecorded
from seekahead.motion import Motion, drive_of, phases_of

# Waits 1 ms in the drive, then overhead 1, seek 4, rotation 3, transfer 2.5, bus 0.5: from 0 to 12 ms.
FIRST = request(
    0, 0, 12, overhead_ms=1, seek_ms=4, rotation_ms=3, transfer_ms=2.5, bus_ms=0.5, sector=777, cylinder=500
)
HIT = request(10, 14, 15, overhead_ms=0.2, bus_ms=0.8, cache_hit=1, cylinder=500)
TIMELINE = rows(
    "timeline",
    {"time_ns": 0, "cylinder": 100, "queue_depth": 1},
    {"time_ns": 10 * MS, "cylinder": 100, "queue_depth": 2},
    {"time_ns": 12 * MS, "cylinder": 500, "queue_depth": 1},
    {"time_ns": 15 * MS, "cylinder": 500, "queue_depth": 0},
)


@pytest.fixture
def disk():
    return run(requests=rows("requests", FIRST, HIT), timeline=TIMELINE)


@pytest.fixture
def motion(disk):
    return Motion(disk, drive_of(DISK_TOML, "hda"))


def test_drive_is_read_from_the_effective_scenario(motion):
    assert (motion.drive.rpm, motion.drive.cylinders, motion.drive.revolution_ns) == (6000, 1000, 10 * MS)


def test_phases_follow_one_another_and_fill_the_service():
    phases = [(p.name, p.start_ns / MS, p.end_ns / MS) for p in phases_of(rows("requests", FIRST)[0])]
    assert phases == [
        ("queue", 0, 1),
        ("overhead", 1, 2),
        ("seek", 2, 6),
        ("rotation", 6, 9),
        ("transfer", 9, 11.5),
        ("bus", 11.5, 12),
    ]


@pytest.mark.parametrize(
    ("time_ms", "phase", "cylinder"),
    [
        (0.5, "queue", 100),
        (1.5, "overhead", 100),
        (2, "seek", 100),
        (4, "seek", 300),  # half way
        (6, "rotation", 500),
        (10, "transfer", 500),
        (13, "idle", 500),
        (14.1, "overhead", 500),
        (14.5, "bus", 500),
        (20, "idle", 500),
    ],
)
def test_the_arm_moves_during_the_seek_only(motion, time_ms, phase, cylinder):
    now = motion.at(time_ms * MS)
    assert (now.phase, now.cylinder) == (phase, pytest.approx(cylinder))


def test_the_first_sector_is_under_the_head_when_the_transfer_begins(motion):
    assert motion.at(9 * MS).target_turns == pytest.approx(0)
    assert motion.at(6 * MS).target_turns == pytest.approx(0.3)  # 3 ms of rotation still to go
    assert motion.at(11.5 * MS - 1).target_turns == pytest.approx(-0.25)
    assert motion.at(6 * MS).arc_turns == pytest.approx(0.25)


def test_a_hit_in_the_drives_cache_has_no_target_on_the_platter(motion):
    assert motion.at(14.5 * MS).target_turns is None
    assert motion.at(13 * MS).request is None


def test_queue_depth_of_the_moment(motion):
    assert [motion.queue_depth(t * MS) for t in (-1, 5, 10, 13, 99)] == [0, 1, 2, 1, 0]


@pytest.mark.parametrize(("cylinder", "radius"), [(0, OUTER), (999, INNER), (499.5, (OUTER + INNER) / 2)])
def test_the_head_is_over_the_track_of_the_cylinder(cylinder, radius):
    assert math.hypot(*head_place(cylinder, 1000)) == pytest.approx(radius)


def test_devices_without_an_arm_are_told(disk):
    with pytest.raises(Error, match="'flash' has no arm and no platter; these have: hda"):
        animate(disk, device="flash")
    with pytest.raises(Error, match="no device 'sda'"):
        animate(disk, device="sda")
    flash = FakeRun(disk.tables, scenario=FakeScenario('[[device]]\nname = "flash"\nmodel = "flash"\n'))
    with pytest.raises(Error, match="no device of this run has an arm"):
        animate(flash)
    with pytest.raises(NotRecorded):
        animate(run(requests=disk.requests))
    with pytest.raises(Error, match="above 0"):
        animate(disk, duration_ms=0)


def test_the_pictures_can_be_played_in_a_notebook(disk):
    movie = animate(disk, duration_ms=20, frames=4)
    html = movie.to_jshtml()
    assert html.count("data:image/png;base64") == 4
    assert "font-awesome" not in html
    assert "fa-" not in html
    assert not pyplot.get_fignums()


def test_twelve_pictures_a_revolution(disk):
    movie = animate(disk, duration_ms=20)
    moments = list(movie.new_frame_seq())
    movie._draw_was_started = True  # this one is not drawn
    assert len(moments) == 24
    assert (moments[0], moments[-1]) == (0, 20)
