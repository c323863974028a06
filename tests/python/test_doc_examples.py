"""Everything that README.md and docs/ tell a reader to type works, and prints what they say."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from doc_blocks import PAGES, REPOSITORY, Block, Command, blocks_of

BLOCKS = [block for page in PAGES for block in blocks_of(page)]
SHELL_BLOCKS = [block for block in BLOCKS if block.commands and block.reason is None]
PYTHON_PAGES = [page for page in PAGES if any(block.language == "python" for block in blocks_of(page))]
SCENARIOS = [block for block in BLOCKS if block.language == "toml" and "[[process]]" in block.text]


def test_examples_are_found() -> None:
    assert len(SHELL_BLOCKS) >= 8
    assert len(PYTHON_PAGES) >= 4
    assert SCENARIOS


def test_only_blocks_that_could_run_give_a_reason_why_they_do_not() -> None:
    for block in BLOCKS:
        runs = block.commands or block.language == "python" or block.language == "toml"
        assert block.reason is None or runs, f"{block}: nothing would run here anyway"


@pytest.mark.parametrize("block", SHELL_BLOCKS, ids=str)
def test_commands(block: Block, reader_folder: Path) -> None:
    for command in block.commands:
        ended = subprocess.run(
            ["bash", "-c", command.line], capture_output=True, text=True, cwd=reader_folder, timeout=300, check=False
        )
        assert ended.returncode == command.status, f"{block}: {command.line}\n{ended.stderr}"
        check_output(block, command, ended.stdout + ended.stderr)


def check_output(block: Block, command: Command, output: str) -> None:
    if command.expected is None:
        return
    wanted, got = ("\n".join(line.rstrip() for line in text.splitlines()) for text in (command.expected, output))
    matches = re.fullmatch(".*?".join(re.escape(part) for part in wanted.split("...")), got, re.DOTALL)
    assert matches, f"{block}: {command.line} printed\n{got}"


@pytest.mark.parametrize("page", PYTHON_PAGES, ids=lambda page: page.name)
def test_python(page: Path, reader_folder: Path) -> None:
    """The blocks of a page are one program, as a reader would paste them one after the other."""
    blocks = [block for block in blocks_of(page) if block.language == "python" and block.reason is None]
    program = "".join(f"# {block}\n{block.text}\n" for block in blocks)
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True, text=True, cwd=reader_folder, timeout=300, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, f"{page.name}\n{numbered(program)}\n{ended.stderr}"


def numbered(program: str) -> str:
    return "\n".join(f"{number:4} {line}" for number, line in enumerate(program.splitlines(), 1))


@pytest.mark.parametrize("block", SCENARIOS, ids=str)
def test_scenarios(block: Block, program: Path, reader_folder: Path) -> None:
    verb = "verify" if "[[expect]]" in block.text else "check"
    (reader_folder / "scenario.toml").write_text(textwrap.dedent(block.text))
    ended = subprocess.run(
        [program, verb, "scenario.toml"], capture_output=True, text=True, cwd=reader_folder, check=False
    )
    assert ended.returncode == 0, f"{block}\n{ended.stderr}{ended.stdout}"


def modules() -> list[str]:
    package = importlib.import_module("seekahead")
    below = pkgutil.walk_packages(package.__path__, "seekahead.")
    return ["seekahead", *(module.name for module in below if module.name != "seekahead._core")]


@pytest.mark.parametrize("name", modules())
def test_docstrings(name: str, reader_folder: Path) -> None:
    if name == "seekahead._helper":
        pytest.skip("a program, not a module")
    module = importlib.import_module(name)
    outcome = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert outcome.failed == 0


def test_links_inside_the_repository_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+?)(?:#[^)]*)?\)", page.read_text()):
            assert "://" in target or (page.parent / target).exists(), f"{page.relative_to(REPOSITORY)}: {target}"


def test_map_of_the_documentation_is_complete() -> None:
    index = (REPOSITORY / "docs/index.md").read_text()
    listed = re.findall(r"\]\(([a-z_]+\.md)\)", index)
    assert sorted(listed) == sorted(page.name for page in PAGES[1:] if page.name != "index.md")
