"""The panel of knobs for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seekahead.errors import MissingPackage

if TYPE_CHECKING:
    from seekahead.knobs import Knobs
    from seekahead.scenario import Scenario


def panel(scenario: Scenario | None = None, *, debounce_ms: float = 250.0) -> Knobs:
    """Knobs that run the simulation again when they are turned: policy, drive, window, streams.

    Make it the last line of a notebook's cell. It shows throughput, latency and which pages were asked for when;
    what a choice has wrong is told in the panel.

    Parameters
    ----------
    scenario : Scenario, optional
        What to run; its policy, window and drive can be changed, its processes stay. By default some streams that
        read a file each from one disk.
    debounce_ms : float
        How long a knob must rest before a run starts.

    Raises
    ------
    MissingPackage
        ipywidgets or matplotlib is not installed.
    """
    try:
        import ipywidgets  # noqa: F401
    except ImportError:
        raise MissingPackage("panel() needs ipywidgets: pip install 'seekahead[lab]'") from None
    from seekahead.knobs import Knobs
    from seekahead.plots.style import matplotlib

    matplotlib()
    return Knobs(scenario, debounce_ms / 1000)
