#!/usr/bin/env python3
"""What a sweep of 64 points costs above the simulations themselves, and how well it uses two workers.

    ./seekahead python bench/python_sweep.py

Prints ratios of one run; nothing is asserted. The floor is the time that the simulations take by themselves, measured
in their own processes around the run: what is left of a single worker's wall time is the cost of a point (its
configuration, the fork, reading and writing it). Efficiency is the time of one worker over that of two, halved.
"""

from __future__ import annotations

import statistics
import time

import seekahead as sx
from seekahead import _jobs, _pool

SIZES = {"small": "16 MiB", "large": "256 MiB"}
WINDOWS = list(range(1, 65))
REPEATS = 3


def floor_s(scenario: sx.Scenario) -> float:
    """Seconds that the 64 simulations take inside their processes."""
    total = 0.0
    for window in WINDOWS:
        job = scenario.with_(max_readahead=window)._job(0, False, 0)
        total += _pool.perform(_jobs.pack(job)).answer["run_s"]
    return total


def sweep_s(scenario: sx.Scenario, workers: int) -> float:
    """Wall seconds of the sweep."""
    start = time.perf_counter()
    table = sx.sweep(scenario, max_readahead=WINDOWS, workers=workers, cache=False, progress=False)
    assert len(table) == len(WINDOWS)
    assert table["error"].isna().all()
    return time.perf_counter() - start


def main() -> None:
    """Measure small and large points, in turn."""
    for name, size in SIZES.items():
        scenario = sx.Scenario.example("larsson-2001/diff").with_(
            {"file.a.size": size, "file.b.size": size, "file.b.distance": "0.5 GB"}
        )
        sweep_s(scenario, 2)  # helpers are started once, by the first sweep of a session
        floors, ones, twos = [], [], []
        for _ in range(REPEATS):
            floors.append(floor_s(scenario))
            ones.append(sweep_s(scenario, 1))
            twos.append(sweep_s(scenario, 2))
        floor, one, two = (statistics.median(times) for times in (floors, ones, twos))
        print(
            f"{name}: simulations {1000 * floor / 64:.1f} ms a point; one worker {1000 * one / 64:.1f} ms, cost "
            f"above the simulation {1000 * (one - floor) / 64:.1f} ms; two workers {1000 * two / 64:.1f} ms a point, "
            f"efficiency {one / two / 2:.2f}"
        )


if __name__ == "__main__":
    main()
