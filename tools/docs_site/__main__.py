"""Builds the documentation site.

usage: python tools/docs_site [--program build/release/seekahead] [--output build/docs] [--no-run]

The pages of docs/ are copied to OUTPUT/source; pages about the commands, the reproduced measurements and the
notebooks are written beside them, from what the program says; Sphinx makes OUTPUT/html of it all, with warnings as
errors.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

import commands
import measurements
import notebooks

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Folders of the repository that have a page on the site.
PAGES_OF_FOLDERS = {"../cli/": "commands.md", "../scenarios/": "measurements.md", "../notebooks/": "notebooks.md"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools/docs_site", description="Builds the documentation site.")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/seekahead")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/docs")
    parser.add_argument(
        "--no-run", action="store_true", help="show notebooks that nobody has executed without results"
    )
    options = parser.parse_args()

    source = options.output / "source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    copy_pages(ROOT / "docs", source)
    commands.write_page(options.program.resolve(), source)
    measurements.write_pages(ROOT, options.program.resolve(), source)
    notebooks.write_pages(ROOT, source, run_missing=not options.no_run)
    flags = ["-b", "html", "-W", "--keep-going", "-q", "-j", "auto", "-d", options.output / "cache"]
    sphinx = [sys.executable, "-m", "sphinx", *flags, source, options.output / "html"]
    return subprocess.run(sphinx, check=False).returncode


def copy_pages(docs: pathlib.Path, source: pathlib.Path) -> None:
    shutil.copytree(docs, source, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    for page in source.glob("*.md"):
        text = links_for_the_site(page.read_text())
        if page.name == "index.md":
            text += "".join(navigation(text))
        page.write_text(text)


def links_for_the_site(text: str) -> str:
    """Links that leave docs/ lead to the page made of that folder, or become the bare path in the repository."""

    def replaced(link: re.Match[str]) -> str:
        label, target = link[1], link[2]
        folder = next((folder for folder in PAGES_OF_FOLDERS if target.startswith(folder)), None)
        if target == folder:
            return f"[{label}]({PAGES_OF_FOLDERS[folder]})"
        if target.endswith(".ipynb"):
            return f"[{label}]({target.removeprefix('../')})"
        path = target.removeprefix("../")
        return label if label.strip("`") == path else f"{label} (`{path}`)"

    return re.sub(r"\[([^\]]+)\]\((\.\./[^)#\s]*)\)", replaced, text)


def navigation(index: str) -> list[str]:
    """The site's navigation: a heading of the start page is a caption, the pages that its list links are below it."""
    trees = []
    for section in index.split("\n## ")[1:]:
        caption = section.partition("\n")[0]
        pages = re.findall(r"^[-*] .*?\[[^\]]+\]\(([^):]+)\.(?:md|ipynb)\)", section, re.MULTILINE)
        if pages:
            trees.append("\n```{toctree}\n:hidden:\n:caption: " + "\n".join([caption, "", *pages]) + "\n```\n")
    return trees


if __name__ == "__main__":
    sys.exit(main())
