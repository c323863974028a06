"""An animation of the arm and the platter of a disk, for one short stretch of a run."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from seekahead.errors import Error
from seekahead.motion import Moment, Motion, drive_of, phases_of
from seekahead.plots.source import KIB, NS_PER_MS, SECTOR_BYTES, Run
from seekahead.plots.style import SERVICE, Ink, area, dress, matplotlib, shortened

if TYPE_CHECKING:
    from matplotlib.animation import FuncAnimation
    from matplotlib.axes import Axes

FRAMES_PER_REVOLUTION = 12
MAX_FRAMES = 300

# The platter has radius 1; the heads reach from the outer track (cylinder 0) to the inner one.
OUTER, INNER, HUB = 0.95, 0.42, 0.2
PIVOT = (1.32, -0.62)
ARM_LENGTH = 1.28

PHASES = {**SERVICE, "idle": Ink("#ffffff", edge="#8c8c8c")}
NAMES = {"queue": "waiting in the drive", "seek": "seek and settle", "bus": "bus", "idle": "idle"}


class AnimatedRun(Run, Protocol):
    """A run that also knows its scenario."""

    @property
    def scenario(self) -> Any: ...


def animate(
    run: AnimatedRun,
    *,
    start_ms: float = 0.0,
    duration_ms: float = 200.0,
    device: str | None = None,
    frames: int | None = None,
    fps: float = 20.0,
) -> FuncAnimation:
    """The disk at work: the platter turns, the arm goes to the cylinder of each request.

    In a notebook show it with ``IPython.display.HTML(animation.to_jshtml())``; keep a reference to it until then.

    Parameters
    ----------
    start_ms, duration_ms : float
        The stretch of simulated time.
    device : str, optional
        Which disk; by default the first.
    frames : int, optional
        How many pictures; by default twelve a revolution, at most 300.
    fps : float
        Pictures a second when it is played.

    Raises
    ------
    seekahead.Error
        If the device has no arm, or nothing happens on it.
    seekahead.NotRecorded
        If the run did not keep its requests and timeline.
    """
    if duration_ms <= 0:
        raise Error(f"animate: duration_ms must be above 0, not {duration_ms:g}")
    matplotlib()
    from matplotlib.animation import FuncAnimation

    motion = Motion(run, drive_of(run.scenario.effective(), device))
    if frames is None:
        revolutions = duration_ms * NS_PER_MS / motion.drive.revolution_ns
        frames = min(MAX_FRAMES, max(2, math.ceil(revolutions * FRAMES_PER_REVOLUTION)))
    moments = np.linspace(start_ms, start_ms + duration_ms, frames)
    stage = _Stage(motion, run.title, start_ms, duration_ms)

    class Animation(FuncAnimation):
        """Plays in a notebook without asking another site for the signs on its buttons."""

        def to_jshtml(self, *args: Any, **options: Any) -> str:
            return with_own_signs(super().to_jshtml(*args, **options))

    return Animation(
        stage.figure, stage.show, frames=list(moments), interval=1000 / fps, blit=False, cache_frame_data=False
    )


SIGNS = {
    "minus": "\u2212",
    "fast-backward": "\u23ee",
    "step-backward": "\u25c2|",
    "play fa-flip-horizontal": "\u25c0",
    "pause": "\u275a\u275a",
    "play": "\u25b6",
    "step-forward": "|\u25b8",
    "fast-forward": "\u23ed",
    "plus": "+",
}
"""Characters for the icons that matplotlib's player takes from a site."""


def with_own_signs(html: str) -> str:
    """The player of matplotlib with characters in place of icons that a browser would have to fetch.

    >>> with_own_signs('<i class="fa fa-plus"></i>')
    '+'
    """
    for icon, sign in SIGNS.items():
        html = html.replace(f'<i class="fa fa-{icon}"></i>', sign)
    return re.sub(r"<link[^>]*font-awesome[^>]*>", "", html)


def head_place(cylinder: float, cylinders: int) -> tuple[float, float]:
    """Where the head is over the platter when the arm is at that cylinder."""
    radius = OUTER - (OUTER - INNER) * cylinder / max(cylinders - 1, 1)
    # The head lies on the circle of that radius and on the circle of the arm around its pivot.
    distance = math.hypot(*PIVOT)
    along = (radius**2 - ARM_LENGTH**2 + distance**2) / (2 * distance)
    aside = math.sqrt(max(radius**2 - along**2, 0.0))
    x, y = PIVOT[0] / distance, PIVOT[1] / distance
    return along * x - aside * y, along * y + aside * x


class _Stage:
    """The figure and what moves in it. What stands still is drawn once and is an image after that."""

    def __init__(self, motion: Motion, title: str, start_ms: float, duration_ms: float) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self._motion = motion
        self.figure = Figure(figsize=(7.6, 6.0), dpi=80, layout="constrained")
        canvas: Any = FigureCanvasAgg(self.figure)  # its methods have no types
        grid = self.figure.add_gridspec(3, 2, height_ratios=(5.2, 0.55, 1.1), width_ratios=(1.35, 1))
        heading = self.figure.suptitle(shortened(title, 80), fontsize="medium")
        self._disk = _Disk(self.figure.add_subplot(grid[0, 0]), motion)
        self._board = _Board(self.figure.add_subplot(grid[0, 1]), motion)
        strip = self.figure.add_subplot(grid[1, :])
        depth = self.figure.add_subplot(grid[2, :], sharex=strip)
        self._cursors = _draw_strips(strip, depth, motion, start_ms, duration_ms)
        self._freeze(canvas, heading, self.show(start_ms))

    def show(self, time_ms: float) -> list[Any]:
        """Moves everything to that time; returns what moves."""
        now = self._motion.at(time_ms * NS_PER_MS)
        for cursor in self._cursors:
            cursor.set_xdata([time_ms, time_ms])
        return [*self._disk.show(now), *self._board.show(now), *self._cursors]

    def _freeze(self, canvas: Any, heading: Any, moving: list[Any]) -> None:
        for artist in moving:
            artist.set_visible(False)
        canvas.draw()
        picture = np.array(canvas.buffer_rgba())
        self.figure.set_layout_engine("none")
        heading.set_visible(False)
        for ax in self.figure.axes:
            for artist in ax.get_children():
                artist.set_visible(False)
        for artist in moving:
            artist.set_visible(True)
        behind = self.figure.add_axes((0, 0, 1, 1), zorder=-1)
        behind.imshow(picture, aspect="auto", interpolation="nearest")
        behind.axis("off")


class _Disk:
    """Platter, arm and the sectors of the request in service."""

    def __init__(self, ax: Axes, motion: Motion) -> None:
        from matplotlib.patches import Circle

        self._drive = motion.drive
        ax.set_aspect("equal")
        ax.set_xlim(-1.06, 1.62)
        ax.set_ylim(-1.06, 1.06)
        ax.axis("off")
        ax.add_patch(Circle((0, 0), 1, facecolor="#eeeeee", edgecolor="#8c8c8c"))
        for radius in (OUTER, INNER):
            ax.add_patch(Circle((0, 0), radius, fill=False, edgecolor="#c8c8c8", linewidth=0.8))
        ax.add_patch(Circle((0, 0), HUB, facecolor="#bdbdbd", edgecolor="#8c8c8c"))
        self._spokes = [ax.plot([], [], color="#c8c8c8", linewidth=0.8)[0] for _ in range(3)]
        (self._index,) = ax.plot([], [], "o", color="#5a5a5a", markersize=5)
        (self._track,) = ax.plot([], [], color="#8c8c8c", linewidth=0.8, linestyle=":")
        (self._arc,) = ax.plot([], [], color=SERVICE["transfer"].color, linewidth=5, solid_capstyle="butt")
        (self._first,) = ax.plot([], [], "D", color="black", markersize=5)
        (self._arm,) = ax.plot([], [], color="#404040", linewidth=5, solid_capstyle="round")
        (self._head,) = ax.plot([], [], "s", markersize=9, markeredgecolor="black")
        ax.plot(*PIVOT, "o", color="#404040", markersize=13)

    def show(self, now: Moment) -> list[Any]:
        cylinders, turn = self._drive.cylinders, self._drive.revolution_ns
        angle = 2 * math.pi * (now.time_ns / turn % 1)
        for nth, spoke in enumerate(self._spokes):
            around = angle + nth * math.pi / 3
            x, y = OUTER * math.cos(around), OUTER * math.sin(around)
            spoke.set_data([-x, x], [-y, y])
        self._index.set_data([0.97 * math.cos(angle)], [0.97 * math.sin(angle)])
        x, y = head_place(now.cylinder, cylinders)
        self._arm.set_data([PIVOT[0], x], [PIVOT[1], y])
        self._head.set_data([x], [y])
        self._head.set_markerfacecolor(PHASES[now.phase].color)
        self._show_target(now)
        return [*self._spokes, self._index, self._track, self._arc, self._first, self._arm, self._head]

    def _show_target(self, now: Moment) -> None:
        """The request's track, and on it its sectors, which turn with the platter to the head."""
        if now.request is None or now.target_turns is None:
            for part in (self._track, self._arc, self._first):
                part.set_data([], [])
            return
        x, y = head_place(float(now.request["cylinder"]), self._drive.cylinders)
        radius = math.hypot(x, y)
        self._track.set_data(*_circle(radius, 0, 2 * math.pi))
        first = math.atan2(y, x) - 2 * math.pi * now.target_turns
        self._arc.set_data(*_circle(radius, first - 2 * math.pi * now.arc_turns, first))
        self._first.set_data([radius * math.cos(first)], [radius * math.sin(first)])


class _Board:
    """What happens now, in words, with the colours of the phases."""

    def __init__(self, ax: Axes, motion: Motion) -> None:
        from matplotlib.patches import Rectangle

        self._motion = motion
        ax.axis("off")
        ax.set_xlim(0, 1)
        ax.set_ylim(0, 1)
        drive = motion.drive
        ax.text(0, 0.97, f"{drive.name}: {drive.rpm:,.0f} rpm, {drive.cylinders:,} cylinders", va="top")
        self._text = ax.text(0, 0.88, "", va="top", linespacing=1.5)
        self._height = {}
        for nth, (phase, ink) in enumerate(PHASES.items()):
            y = self._height[phase] = 0.46 - 0.07 * nth
            ax.add_patch(Rectangle((0.07, y - 0.02), 0.07, 0.045, **area(ink)))
            ax.text(0.17, y, NAMES.get(phase, phase), va="center")
        (self._pointer,) = ax.plot([], [], ">", color="black", markersize=8)

    def show(self, now: Moment) -> list[Any]:
        self._pointer.set_data([0.025], [self._height[now.phase]])
        depth = self._motion.queue_depth(now.time_ns)
        lines = [f"time {now.time_ns / NS_PER_MS:,.2f} ms", f"queue depth {depth}", f"arm at {now.cylinder:,.0f}"]
        if now.request is not None:
            kind = "read" if now.request["is_read"] else "write"
            size = now.request["sectors"] * SECTOR_BYTES / KIB
            where = (
                "from the drive's cache" if now.request["cache_hit"] else f"on cylinder {now.request['cylinder']:,}"
            )
            lines += [f"{kind} {size:g} KiB at sector {now.request['sector']:,}", where]
        self._text.set_text("\n".join(lines))
        return [self._text, self._pointer]


def _draw_strips(strip: Axes, depth: Axes, motion: Motion, start_ms: float, duration_ms: float) -> list[Any]:
    """The phases of the requests and the queue depth over the stretch of time; returns the lines that move."""
    from matplotlib.ticker import MaxNLocator

    end_ms = start_ms + duration_ms
    seen = (motion.requests["completed_ns"] >= start_ms * NS_PER_MS) & (
        motion.requests["started_ns"] <= end_ms * NS_PER_MS
    )
    bars: dict[str, list[tuple[float, float]]] = {}
    for request in motion.requests[seen]:
        for phase in phases_of(request):
            length = (phase.end_ns - phase.start_ns) / NS_PER_MS
            bars.setdefault(phase.name, []).append((phase.start_ns / NS_PER_MS, length))
    for name, stretches in bars.items():
        strip.broken_barh(stretches, (0, 1), **area(PHASES[name]) | {"hatch": "", "linewidth": 0})
    dress(strip, x="", y="", title="requests in service", grid="x")
    strip.set_yticks([])
    strip.tick_params(labelbottom=False)
    depth.step(motion.timeline["time_ns"] / NS_PER_MS, motion.timeline["queue_depth"], where="post", color="#404040")
    dress(depth, x="time (ms)", y="requests", title="queue depth")
    depth.yaxis.set_major_locator(MaxNLocator(3, integer=True))
    depth.set_ylim(0, float(motion.timeline["queue_depth"].max()) + 0.5)
    depth.set_xlim(start_ms, end_ms)
    return [ax.axvline(start_ms, color="black", linewidth=1.2) for ax in (strip, depth)]


def _circle(radius: float, start: float, end: float) -> tuple[Any, Any]:
    angles = np.linspace(start, end, max(2, round(abs(end - start) * 16)))
    return radius * np.cos(angles), radius * np.sin(angles)
