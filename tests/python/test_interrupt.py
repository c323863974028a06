"""Ctrl-C during a run: a real SIGINT, and the time until it is over."""

import signal
import subprocess
import sys
import time

import pytest

CODE = """
import sys, time
import seekahead as sx
{models}
sc = sx.Scenario.from_text('''
[readahead]
policy = "{policy}"
[[device]]
name = "hda"
drive = "dtla307045"
[[file]]
name = "a"
size = "1 GiB"
[[process]]
name = "p"
workload = "{workload}"
files = ["a"]
''', models=[{names}])
quick = sx.Scenario.example("larsson-2001/read")
quick.run(point=0)
print("running", flush=True)
try:
    sc.run()
except sx.Interrupted as error:
    print("stopped", time.monotonic(), flush=True)
    print("partial", error.partial is not None)
print("usable", quick.run(point=0).summary["throughput_mb_s"] > 20)
"""
ENDLESS_RUN = """
def busy(files):
    while True:
        yield sx.read('a', 0, 4096)
"""
ENDLESS_HOOK = """
class Stuck(sx.ReadaheadPolicy):
    def page_absent(self, view, page, remaining):
        while True:
            pass
"""
ENDLESS_GENERATOR = """
def stuck(files):
    yield sx.sleep(1)
    while True:
        pass
"""


def interrupted(**parts):
    """Lines of the program, and the seconds from the signal to the exception."""
    code = CODE.format(**parts)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout.readline() == "running\n"
        time.sleep(0.5)
        sent = time.monotonic()
        program.send_signal(signal.SIGINT)
        lines = program.stdout.read().splitlines()
    assert program.returncode == 0
    word, at = lines[0].split()
    assert word == "stopped"
    return lines[1:], float(at) - sent


@pytest.mark.parametrize(
    ("parts", "has_partial"),
    [
        ({"policy": "ondemand", "workload": "busy", "names": "busy", "models": ENDLESS_RUN}, True),
        ({"policy": "Stuck", "workload": "stream", "names": "Stuck", "models": ENDLESS_HOOK}, False),
        ({"policy": "ondemand", "workload": "stuck", "names": "stuck", "models": ENDLESS_GENERATOR}, False),
    ],
    ids=["endless run", "endless hook", "endless generator"],
)
def test_ctrl_c_stops_a_run_soon_and_leaves_the_process_usable(parts, has_partial):
    lines, seconds = interrupted(**parts)
    assert lines == [f"partial {has_partial}", "usable True"]
    print(f"stopped after {1000 * seconds:.0f} ms")
    assert seconds < 2, "0.2 s on a machine that does nothing else"
