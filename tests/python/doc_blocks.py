"""The code blocks of a Markdown page, and which of them are to be run.

A block runs unless the line before it is an HTML comment that says why not: <!-- not run: REASON -->.
"""

import dataclasses
import re
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]

_BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<reason>.+?) -->\n)?```(?P<language>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_COMMAND = re.compile(r"^(?:\$ )?((?:\./)?seekahead(?: .*)?)$")


@dataclasses.dataclass
class Command:
    """A line that runs seekahead, and what the page says about it."""

    line: str
    expected: str | None  # output, with ... for what is left out; None: the page shows none
    status: int = 0


@dataclasses.dataclass
class Block:
    page: Path
    line: int
    language: str
    text: str
    reason: str | None  # why it is not run

    def __str__(self) -> str:
        return f"{self.page.relative_to(REPOSITORY)}:{self.line}"

    @property
    def commands(self) -> list[Command]:
        if self.language == "console":
            return self._console_commands()
        lines = [] if self.language in ("python", "toml") else self.text.splitlines()
        return [Command(_without_comment(line), None, _status(line)) for line in lines if _COMMAND.match(line)]

    def _console_commands(self) -> list[Command]:
        found = []
        for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            found.append(Command(_without_comment(line), output or None, _status(line)))
        return found


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text()
    return [
        Block(page, text.count("\n", 0, found.start("text")) + 1, found["language"], found["text"], found["reason"])
        for found in _BLOCK.finditer(text)
    ]


def _without_comment(line: str) -> str:
    return re.sub(r"\s+#.*$", "", line.removeprefix("$ "))


def _status(line: str) -> int:
    told = re.search(r"#.*exit status (\d+)", line)
    return int(told[1]) if told else 0
