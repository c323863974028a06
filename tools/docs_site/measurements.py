"""A page for each scenario that quotes a published measurement: what was published, what the simulation gives."""

import dataclasses
import json
import pathlib
import re
import subprocess
import tomllib
from typing import Any

import charts

FOLDERS = {
    "larsson-2001": "The mail that started it: MAX_READAHEAD gives doubled throughput (2001)",
    "pratt-2004": "Congested queues and a large array (2004)",
    "wu-2007-log": "The start of w3m, window by window (2007)",
    "wu-2010": "Arithmetic of the window (2010)",
    "reports": "Other reports",
    "policies": "Every policy on one mix of programs",
}
INTRODUCTION = """# Reproduced measurements

Each page holds a simulation against figures that somebody published. The published figures stand in the scenario
file, as `[[expect]]` tables; the tables here are what `seekahead verify` printed when this site was built. A figure
that the model does not meet is shown as *unmet*, with the reason; nothing is adjusted to hide it.

"""


@dataclasses.dataclass
class Scenario:
    path: pathlib.Path
    verdicts: list[dict[str, Any]]

    @property
    def text(self) -> str:
        return self.path.read_text()

    @property
    def values(self) -> dict[str, Any]:
        return tomllib.loads(self.text)

    @property
    def title(self) -> str:
        return str(self.values.get("scenario", {}).get("title", self.path.stem))

    @property
    def published_in(self) -> str:
        return str(self.values.get("scenario", {}).get("source", ""))

    @property
    def covers(self) -> str:
        """The comment at the top of the file."""
        comment = re.match(r"(?:#.*\n)*", self.text)
        lines = [line[1:].removeprefix(" ") for line in (comment[0] if comment else "").splitlines()]
        text = "\n".join(lines).removeprefix("Covers: ")
        return text[:1].upper() + text[1:]

    @property
    def page(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"


def write_pages(root: pathlib.Path, program: pathlib.Path, source: pathlib.Path) -> None:
    target = source / "measurements"
    index = [INTRODUCTION]
    pages = []
    for folder, title in FOLDERS.items():
        scenarios = verify(root, program, folder)
        (target / folder).mkdir(parents=True)
        for scenario in scenarios:
            (target / f"{scenario.page}.md").write_text(page_of(scenario, target / folder))
        (target / folder / "index.md").write_text(
            page_of_folder(title, scenarios, root / "scenarios" / folder, target)
        )
        good = sum(verdict["verdict"] == "ok" for scenario in scenarios for verdict in scenario.verdicts)
        total = sum(len(scenario.verdicts) for scenario in scenarios)
        index.append(f"- [{title}](measurements/{folder}/index.md): {good} of {total} figures met\n")
        pages.append(f"measurements/{folder}/index")
    (source / "measurements.md").write_text("".join(index) + tree(pages))


def verify(root: pathlib.Path, program: pathlib.Path, folder: str) -> list[Scenario]:
    """The scenarios of a folder that have expectations, with the verdicts on them."""
    ended = subprocess.run(
        [program, "verify", f"scenarios/{folder}", "--json", "--allow-unmet"],
        cwd=root,
        check=True,
        stdout=subprocess.PIPE,
    )
    verdicts: dict[str, list[dict[str, Any]]] = {}
    for verdict in json.loads(ended.stdout):
        verdicts.setdefault(verdict["scenario"], []).append(verdict)
    return [Scenario(root / path, found) for path, found in sorted(verdicts.items())]


def page_of(scenario: Scenario, folder: pathlib.Path) -> str:
    relative = f"scenarios/{scenario.page}.toml"
    page = [f"# {scenario.title}\n"]
    if scenario.published_in:
        page.append(f"Source: {scenario.published_in}.\n")
    page += [f"{paragraphs(scenario.covers)}\n", table(scenario.verdicts)]
    picture = charts.of_scenario(scenario.values, scenario.verdicts, folder / f"{scenario.path.stem}.svg")
    if picture:
        page.append(f"![{picture}]({scenario.path.stem}.svg)\n")
    page.append(f"Run it: `seekahead verify {relative}`, or a single point with `seekahead run {relative}`.\n")
    page.append(f"## The scenario\n\n```toml\n{without_comment(scenario.text)}```\n")
    return "\n".join(page)


def page_of_folder(title: str, scenarios: list[Scenario], folder: pathlib.Path, target: pathlib.Path) -> str:
    page = [f"# {title}\n"]
    page.append("".join(f"- [{one.title}]({one.path.stem}.md)\n" for one in scenarios))
    verdicts = [verdict for one in scenarios for verdict in one.verdicts]
    picture = charts.of_folder(verdicts, target / folder.name / "summary.svg")
    if picture:
        page.append(f"![{picture}](summary.svg)\n")
    if folder.name == "larsson-2001":
        page.append("Throughput against the window; the large points are published.\n")
        page.append("![Throughput against the readahead window](../../readahead_window.svg)\n")
    for part in sorted(folder.glob("*.part.toml")):
        page.append(f"## {part.name}\n\nWhat its scenarios include.\n\n```toml\n{part.read_text()}```\n")
    page.append(tree([one.path.stem for one in scenarios]))
    return "\n".join(page)


def tree(pages: list[str]) -> str:
    return "\n```{toctree}\n:hidden:\n\n" + "\n".join(pages) + "\n```\n"


def table(verdicts: list[dict[str, Any]]) -> str:
    lines = [
        "| figure | published | simulated | deviation (allowed) | verdict | source |",
        "|---|---|---|---|---|---|",
    ]
    reasons: list[str] = []
    for verdict in verdicts:
        outcome = f"*{verdict['verdict']}*" if "unmet" in verdict else verdict["verdict"]
        cells = [plain(verdict["name"]), show(verdict["published"]), simulated(verdict), deviation(verdict)]
        cells += [outcome, verdict.get("source", "")]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        reason = f"\nUnmet, {verdict['name'].partition(' {')[0]}: {verdict.get('unmet')}"
        if "unmet" in verdict and reason not in reasons:
            reasons.append(reason)
    return "\n".join(lines + reasons) + "\n"


def plain(name: str) -> str:
    """A verdict's name; the point of the sweep that it is about in small letters of its own."""
    name, brace, point = name.partition(" {")
    return f"{name}, `{point.removesuffix('}')}`" if brace else name


def show(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(show(item) for item in value)
    return f"{value:.4g}" if isinstance(value, float) else str(value).strip('"')


def simulated(verdict: dict[str, Any]) -> str:
    text = show(verdict["simulated"])
    if verdict.get("smallest") != verdict.get("largest"):
        text += f" ({show(verdict['smallest'])} to {show(verdict['largest'])})"
    return text


def deviation(verdict: dict[str, Any]) -> str:
    percent, tolerance = verdict["deviation_percent"], verdict["tolerance_percent"]
    if percent is None:
        return ""
    if verdict["ok"] and abs(percent) > tolerance:
        return "a bound"
    return f"{percent:+.1f} % ({tolerance:g} %)"


def paragraphs(comment: str) -> str:
    """Comments of scenarios as Markdown: indented lines are commands."""
    return re.sub(r"(?m)^ {4}(.+)$", r"\n```\n\1\n```\n", comment)


def without_comment(text: str) -> str:
    return re.sub(r"\A(?:#.*\n)*", "", text)
