"""The notebooks on the site, with their results.

tests/python/test_notebooks.py leaves executed copies in build/notebooks. One that is absent there, or older than the
notebook, is executed here; with `run_missing` off it is shown without results.
"""

import pathlib
import re
import shutil

import nbformat
from nbclient import NotebookClient


def write_pages(root: pathlib.Path, source: pathlib.Path, *, run_missing: bool) -> None:
    (source / "notebooks").mkdir()
    lines = ["# Notebooks", "", "Lessons to read here, or to run and change: `./seekahead lab` opens them.", ""]
    names = []
    for notebook in sorted((root / "notebooks").glob("*.ipynb")):
        executed = root / "build/notebooks" / notebook.name
        if executed.exists() and executed.stat().st_mtime >= notebook.stat().st_mtime:
            shutil.copy(executed, source / "notebooks")
        else:
            content = nbformat.read(notebook, as_version=4)
            if run_missing:
                NotebookClient(content, timeout=120, resources={"metadata": {"path": notebook.parent}}).execute()
            nbformat.write(content, source / "notebooks" / notebook.name)
        names.append(notebook.stem)
        lines.append(f"- [{title_of(notebook)}](notebooks/{notebook.name})")
    lines += ["", "```{toctree}", ":hidden:", "", *(f"notebooks/{name}" for name in names), "```", ""]
    (source / "notebooks.md").write_text("\n".join(lines))


def title_of(notebook: pathlib.Path) -> str:
    cells = nbformat.read(notebook, as_version=4).cells
    heading = next(re.match(r"# (.+)", cell.source) for cell in cells if cell.cell_type == "markdown")
    return heading[1] if heading else notebook.stem
