#!/usr/bin/env python3
"""Draws docs/readahead_window.svg, the picture of the README, from runs of the built program.

python3 -m venv .venv && .venv/bin/pip install 'matplotlib>=3.6'
.venv/bin/python tools/draw_readme_picture.py
"""

import csv
import pathlib
import subprocess
import tempfile

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot

ROOT = pathlib.Path(__file__).resolve().parent.parent
WINDOWS_PAGES = [7, 15, 31, 63, 127, 255, 511, 1023]
# Post 0.1 of linux-mm, July 2001: (window in pages, MB/s) with 2.4.7 and 2.4.8-pre1.
PUBLISHED = {"read": [(31, 29.4), (511, 29.8)], "copy": [(31, 16.1), (511, 28.3)], "diff": [(31, 10.9), (511, 28.4)]}
LABELS = {"read": "one file read", "copy": "cp of a file", "diff": "diff of two files"}


def throughputs(scenario: str) -> dict[int, list[float]]:
    """MB/s of every placement of the files, by window."""
    values = ",".join(map(str, WINDOWS_PAGES))
    rates: dict[int, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder, "table.csv")
        subprocess.run(
            [
                ROOT / "seekahead",
                "sweep",
                ROOT / f"scenarios/larsson-2001/{scenario}.toml",
                "--set",
                f"readahead.max_readahead={values}",
                "--output",
                table,
            ],
            check=True,
        )
        with table.open(newline="") as rows:
            for row in csv.DictReader(rows):
                rates.setdefault(int(row["readahead.max_readahead"]), []).append(float(row["throughput_mb_s"]))
    return rates


def main() -> None:
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "seekahead", "font.size": 10})
    figure, axes = pyplot.subplots(figsize=(6.4, 3.6), layout="constrained")
    for scenario, label in LABELS.items():
        rates = throughputs(scenario)
        means = [sum(rates[w]) / len(rates[w]) for w in WINDOWS_PAGES]
        (line,) = axes.plot(WINDOWS_PAGES, means, label=f"{label}, simulated")
        axes.fill_between(
            WINDOWS_PAGES,
            [min(rates[w]) for w in WINDOWS_PAGES],
            [max(rates[w]) for w in WINDOWS_PAGES],
            color=line.get_color(),
            alpha=0.2,
            linewidth=0,
        )
        axes.plot(*zip(*PUBLISHED[scenario], strict=True), "o", color=line.get_color())
    axes.plot([], [], "o", color="grey", label="measured in 2001")
    axes.set_xscale("log", base=2)
    axes.set_xticks(WINDOWS_PAGES, map(str, WINDOWS_PAGES))
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("largest readahead window, pages of 4 KiB")
    axes.set_ylabel("MB/s")
    axes.set_title("IBM DTLA-307045 under Linux 2.4; bands: 16 placements of the files", fontsize=10)
    axes.legend(loc="lower right", fontsize=9)
    figure.savefig(ROOT / "docs/readahead_window.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
