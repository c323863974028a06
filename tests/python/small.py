"""Scenarios whose runs take milliseconds, and the options of a sweep that shows and keeps nothing."""

import seekahead as sx

RANDOM_READER = """
[scenario]
title = "a reader at random places"
[[device]]
name = "hda"
drive = "dtla307045"
[[file]]
name = "a"
size = "64 MiB"
[readahead]
policy = "linux-2.4"
max_readahead = 31
[[process]]
name = "reader"
workload = "stream"
files = ["a"]
pattern = "random"
block = "16 KiB"
bytes = "512 KiB"
"""

ENDLESS = {"process.reader.passes": 1_000_000, "process.reader.bytes": "64 MiB", "machine.memory": "32 MiB"}
"""Changes with which it runs for hours."""

QUIET = {"progress": False, "cache": False}


def random_reader() -> sx.Scenario:
    """Its seed decides where it reads."""
    return sx.Scenario.from_text(RANDOM_READER)
