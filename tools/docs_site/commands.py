"""The page of all commands, as their --help tells it."""

import pathlib
import re
import subprocess


def write_page(program: pathlib.Path, source: pathlib.Path) -> None:
    overview = output_of(program)
    verbs = re.findall(r"^  ([a-z]+)  +\S", overview, re.MULTILINE)
    page = ["# Commands", "", "What `seekahead COMMAND --help` prints. From a clone, write `./seekahead`.", ""]
    page += ["```", overview.rstrip(), "```", ""]
    for verb in verbs:
        page += [f"## {verb}", "", "```", output_of(program, verb, "--help").rstrip(), "```", ""]
    (source / "commands.md").write_text("\n".join(page))


def output_of(program: pathlib.Path, *arguments: str) -> str:
    # Without a command the program prints the same as --help, but as a mistake.
    ended = subprocess.run([program, *arguments], check=bool(arguments), capture_output=True, text=True)
    return ended.stdout or ended.stderr
