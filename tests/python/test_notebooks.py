"""Every notebook runs from top to bottom, in time, and is written as a lesson.

Executed copies are left in build/notebooks, where the documentation site takes them from.
"""

import time
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))
pytestmark = [
    pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem),
    # The kernel's client; nothing that this project could change.
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


def tags(cell: nbformat.NotebookNode) -> list[str]:
    return list(cell.metadata.get("tags", []))


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_runs_within_a_minute(path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MPLBACKEND")  # the kernel shows figures in the notebook
    notebook = nbformat.read(path, as_version=4)
    # The tags of nbmake, so that `pytest --nbmake` does the same.
    notebook.cells = [cell for cell in notebook.cells if "skip-execution" not in tags(cell)]
    client = NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": path.parent}}
    )
    start = time.monotonic()
    try:
        client.execute()
    finally:
        target = repository / "build/notebooks"
        target.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, target / path.name)
    seconds = time.monotonic() - start
    print(f"{path.name}: {seconds:.1f} s")
    assert seconds < 120, "a lesson takes less than a minute on a machine that does nothing else"


def test_has_no_outputs_in_the_repository(path: Path) -> None:
    for cell in code_cells(nbformat.read(path, as_version=4)):
        assert cell.outputs == []
        assert cell.execution_count is None


def test_is_valid(path: Path) -> None:
    nbformat.validate(nbformat.read(path, as_version=4))


def test_begins_as_a_lesson(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    first = notebook.cells[0]
    assert first.cell_type == "markdown"
    assert first.source.startswith("# ")
    assert "Covers" in first.source
    assert "goals" in first.source.lower()
    setup = code_cells(notebook)[0].source
    assert "seed" in setup.lower()
    assert "__version__" in setup


def test_ends_with_assertions(path: Path) -> None:
    assert "assert " in code_cells(nbformat.read(path, as_version=4))[-1].source


def test_has_an_exercise_with_a_hidden_solution(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert any("exercise" in cell.source.lower() for cell in notebook.cells if cell.cell_type == "markdown")
    solutions = [cell for cell in code_cells(notebook) if "solution" in tags(cell)]
    assert solutions
    for cell in solutions:
        assert cell.metadata.get("jupyter", {}).get("source_hidden"), cell.source
