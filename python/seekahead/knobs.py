"""The widgets behind :func:`seekahead.panel`, and what a run draws into them."""

from __future__ import annotations

import asyncio
import io
from dataclasses import dataclass
from html import escape
from typing import Any

import ipywidgets

from seekahead.errors import Error
from seekahead.plots.results import ResultPlots
from seekahead.result import Result
from seekahead.scenario import Scenario
from seekahead.tools import drives, models

WINDOWS_KB = (0, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
FILE = "16 MiB"
MAX_STREAMS = 16
AS_GIVEN = "as in the scenario"
UNCHANGED = -1  # of the slider, which cannot stand at None


@dataclass(frozen=True)
class Choice:
    """Where the knobs stand; None leaves what the scenario has."""

    policy: str | None
    drive: str | None
    read_ahead_kb: int | None
    streams: int


@dataclass(frozen=True)
class Outcome:
    """What a run has to show: a result and its picture, or what went wrong."""

    result: Result | None = None
    picture: bytes = b""
    problem: str = ""


def streams_scenario(streams: int) -> Scenario:
    """So many processes, each reading a file of its own from one disk, all at once.

    >>> streams_scenario(3).run(record=False)["total.processes"]
    3
    """
    parts = ['[scenario]\ntitle = "streams on one disk"\nseed = 1\n[machine]\nmemory = "512 MiB"\n']
    parts += ['[[device]]\nname = "disk"\ndrive = "dtla307045"\n[readahead]\npolicy = "ondemand"\n']
    for nth in range(streams):
        parts.append(f'[[file]]\nname = "file-{nth + 1}"\ndevice = "disk"\nsize = "{FILE}"\n')
        parts.append(f'[[process]]\nname = "reader-{nth + 1}"\nworkload = "stream"\nfiles = ["file-{nth + 1}"]\n')
    return Scenario.from_text("".join(parts), "<panel>")


def chosen_scenario(given: Scenario | None, choice: Choice) -> Scenario:
    """The scenario with the knobs' values.

    Raises
    ------
    ScenarioError
        If they do not go together.
    """
    base = streams_scenario(choice.streams) if given is None else given
    changes: dict[str, Any] = {}
    if choice.policy is not None:
        changes["readahead.policy"] = choice.policy
    if choice.read_ahead_kb is not None:
        changes["readahead.read_ahead_kb"] = choice.read_ahead_kb
    if choice.drive is not None:
        for name in device_names(base):
            changes[f"device.{name}.drive"] = choice.drive
    return base.with_(changes) if changes else base


def device_names(scenario: Scenario) -> list[str]:
    """Of the devices that the scenario defines."""
    import tomllib

    return [device["name"] for device in tomllib.loads(scenario.effective()).get("device", [])]


def carry_out(given: Scenario | None, choice: Choice) -> Outcome:
    """Runs the choice and draws it; what goes wrong becomes part of the outcome."""
    try:
        scenario = chosen_scenario(given, choice)
        result = scenario.run(point=0, record={"windows", "timeline", "calls"})
        return Outcome(result, picture_of(result))
    except Error as error:
        return Outcome(problem=str(error))
    except Exception as error:  # anything else must be seen too, not end in the log of the kernel
        return Outcome(problem=f"{type(error).__name__}: {error}")


def picture_of(result: Result) -> bytes:
    """A PNG with the pages asked for over time, made without pyplot so that any thread may do it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 4.6), dpi=90, layout="constrained")
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    if len(result.windows):
        ResultPlots(result).offset_time(ax)
    else:
        ResultPlots(result).latency_cdf(ax)
    png = io.BytesIO()
    figure.savefig(png, format="png")
    return png.getvalue()


class Knobs(ipywidgets.VBox):  # type: ignore[misc]
    """The panel: knobs, figures and a picture.

    Attributes
    ----------
    policy, drive, window, streams
        The widgets of the knobs; setting their ``value`` is turning them.
    result : Result or None
        Of the last run; None if it failed.
    """

    def __init__(self, scenario: Scenario | None, debounce_s: float) -> None:
        self._scenario = scenario
        self._debounce_s = debounce_s
        self._turns = 0
        self._busy = False
        self._tasks: set[asyncio.Task[None]] = set()
        self.result: Result | None = None
        self._make_knobs(scenario is None)
        self._figures = ipywidgets.HTML()
        self._picture = ipywidgets.Image(format="png", layout=ipywidgets.Layout(max_width="760px"))
        knobs = [self.policy, self.drive, self.window] + ([self.streams] if scenario is None else [])
        super().__init__([ipywidgets.VBox(knobs), self._figures, self._picture])
        for knob in knobs:
            knob.observe(self._turned, names="value")
        self._show(carry_out(scenario, self._choice()))

    def _make_knobs(self, own: bool) -> None:
        style = {"description_width": "90px"}
        layout = ipywidgets.Layout(width="560px")
        given: list[tuple[str, Any]] = [] if own else [(AS_GIVEN, None)]
        policies: list[tuple[str, Any]] = [(model.name, model.name) for model in models("readahead")]
        catalogue: list[tuple[str, Any]] = [(f"{drive.id}: {drive.name}"[:70], drive.id) for drive in drives()]
        windows: list[tuple[str, Any]] = [(f"{size} KiB", size) for size in WINDOWS_KB]
        self.policy = ipywidgets.Dropdown(
            options=given + policies,
            value="ondemand" if own else None,
            description="policy",
            style=style,
            layout=layout,
        )
        self.drive = ipywidgets.Dropdown(
            options=given + catalogue,
            value="dtla307045" if own else None,
            description="drive",
            style=style,
            layout=layout,
        )
        self.window = ipywidgets.SelectionSlider(
            options=windows if own else [(AS_GIVEN, UNCHANGED), *windows],
            value=128 if own else UNCHANGED,
            description="read_ahead_kb",
            continuous_update=True,
            style=style,
            layout=layout,
        )
        self.streams = ipywidgets.IntSlider(
            value=2, min=1, max=MAX_STREAMS, description="streams", style=style, layout=layout
        )

    def _choice(self) -> Choice:
        window = None if self.window.value == UNCHANGED else self.window.value
        return Choice(self.policy.value, self.drive.value, window, self.streams.value)

    def _turned(self, _change: Any) -> None:
        self._turns += 1
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # no notebook: nothing could wait for the run
            self._show(carry_out(self._scenario, self._choice()))
            return
        task = loop.create_task(self._settle())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _settle(self) -> None:
        """Runs when the knobs have rested; once more if one was turned during the run."""
        turns = self._turns
        await asyncio.sleep(self._debounce_s)
        if turns != self._turns or self._busy:
            return
        self._busy = True
        try:
            while True:
                turns = self._turns
                self._show(await asyncio.to_thread(carry_out, self._scenario, self._choice()))
                if turns == self._turns:
                    break
        finally:
            self._busy = False

    def _show(self, outcome: Outcome) -> None:
        self.result = outcome.result
        if outcome.result is None:
            self._figures.value = _problem_html(outcome.problem)
            self._picture.layout.display = "none"
            return
        self._figures.value = _figures_html(outcome.result)
        self._picture.value = outcome.picture
        self._picture.layout.display = None


def _problem_html(problem: str) -> str:
    box = "border-left:4px solid #c04a00;background:#fbeee6;padding:6px 10px;white-space:pre-wrap"
    return f'<pre style="{box}">{escape(problem)}</pre>'


def _figures_html(result: Result) -> str:
    summary = result.summary
    figures = {
        "throughput": f"{summary['throughput_mb_s']:.1f} MB/s",
        "latency, mean": f"{summary['mean_ms']:.2f} ms",
        "p50": f"{summary['p50_ms']:.2f} ms",
        "p99": f"{summary['p99_ms']:.2f} ms",
        "longest": f"{summary['max_ms']:.1f} ms",
        "requests": f"{summary['requests']:,}",
        "disk busy": f"{100 * summary['utilisation']:.0f} %",
    }
    cell = 'style="padding:2px 14px 2px 0"'
    names = "".join(f"<th {cell}>{name}</th>" for name in figures)
    values = "".join(f"<td {cell}>{value}</td>" for value in figures.values())
    return f'<table style="text-align:left"><tr>{names}</tr><tr style="font-size:120%">{values}</tr></table>'
