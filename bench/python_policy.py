#!/usr/bin/env python3
"""What a policy written in Python costs: the rules of Linux 2.6.24 in Python against those in C++.

    seekahead python bench/python_policy.py

Both run every recorded case of that kernel, read beforehand. The ratio must stay below 50.
"""

import gzip
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "python"))

from ondemand_2_6_24 import Ondemand2624  # noqa: E402
from seekahead import _jobs, _python_models  # noqa: E402
from seekahead._library import _core  # noqa: E402


def best_s(cases, repeats=5):
    """Seconds for all cases, the best of a few times."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        for case in cases:
            case.run()
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    models = _jobs.models_for((), [_python_models.python_model(Ondemand2624)])
    with gzip.open(ROOT / "tests" / "data" / "golden" / "ondemand_2.6.24.jsonl.gz", "rt") as file:
        lines = file.readlines()
    seconds = {}
    for policy, kernel in (("ondemand", "2.6.24"), ("Ondemand2624", "any")):
        cases = [_core.read_case(models, {"policy": policy, "kernel": kernel}, line)[0] for line in lines]
        seconds[policy] = best_s(cases)
        print(f"{policy:14} {1e3 * seconds[policy]:8.1f} ms for {len(cases)} cases")
    print(f"{'ratio':14} {seconds['Ondemand2624'] / seconds['ondemand']:8.1f}")


if __name__ == "__main__":
    main()
