"""The panel: knobs turned, runs made, errors shown."""

from __future__ import annotations

import asyncio

import pytest

import seekahead as sx
from seekahead import knobs

pytest.importorskip("ipywidgets")


def settled(panel, turn):
    """Turns knobs inside an event loop, as a notebook does, and waits until the panel is at rest."""

    async def play():
        turn(panel)
        while panel._tasks:
            await asyncio.gather(*panel._tasks)

    asyncio.run(play())


@pytest.fixture
def counted(monkeypatch):
    """The choices that were run."""
    choices = []
    real = knobs.carry_out
    monkeypatch.setattr(knobs, "carry_out", lambda given, choice: choices.append(choice) or real(given, choice))
    return choices


def test_the_panel_starts_with_a_run_and_its_picture():
    panel = sx.panel()
    assert panel.result["total.processes"] == 2
    assert f"{panel.result.summary['throughput_mb_s']:.1f} MB/s" in panel._figures.value
    assert bytes(panel._picture.value).startswith(b"\x89PNG")


def test_its_lists_come_from_the_registry_and_the_catalogue():
    panel = sx.panel()
    assert {model.name for model in sx.models("readahead")} == {value for _, value in panel.policy.options}
    assert {drive.id for drive in sx.drives()} == {value for _, value in panel.drive.options}


def test_every_knob_reaches_the_run():
    panel = sx.panel(debounce_ms=1)

    def turn(p):
        p.policy.value, p.drive.value, p.window.value, p.streams.value = "fixed", "atlas10k", 64, 5

    settled(panel, turn)
    assert panel.result["readahead.policy"] == "fixed"
    assert panel.result["readahead.limits.disk.read_ahead_kb"] == 64
    assert panel.result["total.processes"] == 5
    assert "10025" in panel.result.scenario.effective() or "atlas" in str(panel.result.scenario)


def test_turning_quickly_runs_once(counted):
    panel = sx.panel(debounce_ms=20)
    counted.clear()

    def turn(p):
        for size in (4, 8, 16, 32):
            p.window.value = size

    settled(panel, turn)
    assert [choice.read_ahead_kb for choice in counted] == [32]


def test_a_turn_during_a_run_is_not_lost(counted):
    panel = sx.panel(debounce_ms=0)
    counted.clear()

    async def play():
        panel.window.value = 16
        while not counted:
            await asyncio.sleep(0.001)
        panel.window.value = 32
        while panel._tasks:
            await asyncio.gather(*panel._tasks)

    asyncio.run(play())
    assert counted[-1].read_ahead_kb == 32
    assert panel.result["readahead.limits.disk.read_ahead_kb"] == 32


def test_what_does_not_fit_is_told_in_the_panel_and_the_next_choice_works():
    panel = sx.panel()
    panel.streams.value = 16
    panel.drive.value = "usb11-64m"  # 16 files of 16 MiB on a stick of 64 MB
    assert panel.result is None
    assert "<pre" in panel._figures.value
    assert "file" in panel._figures.value
    assert panel._picture.layout.display == "none"
    panel.drive.value = "x25-m"
    assert panel.result["total.processes"] == 16
    assert panel._picture.layout.display is None


def test_a_scenario_of_ones_own_keeps_its_processes():
    scenario = knobs.streams_scenario(1).with_(policy="fixed", read_ahead_kb=32)
    panel = sx.panel(scenario)
    assert panel.result["readahead.policy"] == "fixed"
    panel.window.value = 512
    assert panel.result["readahead.limits.disk.read_ahead_kb"] == 512
    assert panel.result["readahead.policy"] == "fixed"
    assert panel.streams not in panel.children[0].children
