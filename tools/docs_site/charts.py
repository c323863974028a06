"""Published and simulated figures side by side, as SVG."""

import pathlib
import textwrap
from typing import Any

import matplotlib as mpl

mpl.use("svg")
from matplotlib import pyplot as plt

# Readable in grey: the published one is an open marker or a hatched bar.
PUBLISHED = {"color": "#b35806"}
SIMULATED = {"color": "#2166ac"}
mpl.rcParams.update({"svg.hashsalt": "seekahead", "axes.spines.top": False, "axes.spines.right": False})


def of_scenario(values: dict[str, Any], verdicts: list[dict[str, Any]], target: pathlib.Path) -> str | None:
    """Draws the first figure that is a row of numbers along the only axis of the sweep; returns what it shows."""
    axes = {key: points for key, points in values.get("sweep", {}).items() if isinstance(points, list)}
    if len(axes) != 1:
        return None
    (key, points), *_ = axes.items()
    for verdict in verdicts:
        published, simulated = verdict["published"], verdict["simulated"]
        if not isinstance(published, list) or len(simulated) != len(points) or len(set(simulated)) < 2:
            continue
        if all(isinstance(value, float) for value in published):
            row(key, points, verdict, target)
        else:
            bars([str(point) for point in points], None, simulated, verdict["name"], key, target)
        return f"{verdict['name']}, published and simulated, against {key}"
    return None


def row(key: str, points: list[Any], verdict: dict[str, Any], target: pathlib.Path) -> None:
    if not all(isinstance(point, (int, float)) for point in points):
        bars([str(p) for p in points], verdict["published"], verdict["simulated"], verdict["name"], key, target)
        return
    figure, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    ax.plot(points, verdict["simulated"], "-", label="simulated", **SIMULATED)
    ax.plot(points, verdict["published"], "o", fillstyle="none", label="published", **PUBLISHED)
    if min(points) > 0 and max(points) / min(points) >= 16:
        ax.set_xscale("log", base=2)
        ax.set_xticks(points, [f"{point:g}" for point in points], minor=False)
    ax.set(xlabel=key, ylabel=verdict["name"].rpartition(", ")[2], title=verdict["name"], ylim=(0, None))
    save(figure, ax, target)


def bars(
    labels: list[str],
    published: list[float] | None,
    simulated: list[float],
    title: str,
    key: str,
    target: pathlib.Path,
) -> None:
    figure, ax = plt.subplots(figsize=(6.4, 1.2 + 0.55 * len(labels)), layout="constrained")
    places = range(len(labels))
    if published:
        ax.barh([place - 0.2 for place in places], published, 0.36, hatch="//", fill=False, edgecolor="#b35806",
                label="published")  # fmt: skip
    ax.barh([place + (0.2 if published else 0) for place in places], simulated, 0.36, label="simulated", **SIMULATED)
    ax.set_yticks(list(places), [textwrap.shorten(label, 40, placeholder=" ...") for label in labels])
    ax.invert_yaxis()
    ax.set(title=title, ylabel=key)
    save(figure, ax, target)


def of_folder(verdicts: list[dict[str, Any]], target: pathlib.Path) -> str | None:
    """Draws all single throughputs of a folder as pairs of bars; returns what it shows."""
    rates = [one for one in verdicts if one["name"].endswith(", MB/s") and isinstance(one["published"], float)]
    if len(rates) < 4:
        return None
    labels = [one["name"].removesuffix(", MB/s") for one in rates]
    simulated = [one["simulated"] for one in rates]
    bars(labels, [one["published"] for one in rates], simulated, "Throughput, MB/s", "", target)
    return "Throughputs, published and simulated"


def save(figure: Any, ax: Any, target: pathlib.Path) -> None:
    if ax.get_legend_handles_labels()[1] != ["simulated"]:
        ax.legend(frameon=False)
    figure.savefig(target, metadata={"Date": None})
    plt.close(figure)
