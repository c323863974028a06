"""The documentation site builds without a warning, and asks no other site for anything."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def site(repository: Path, program: Path) -> Path:
    output = Path(os.environ.get("SEEKAHEAD_DOCS", repository / "build/docs"))
    subprocess.run(
        [sys.executable, repository / "tools/docs_site", "--program", program, "--output", output],
        check=True,
        timeout=600,
    )
    return output / "html"


def test_every_measurement_has_a_page(site: Path, repository: Path) -> None:
    quoting = [
        path for path in (repository / "scenarios").glob("*/*.toml")
        if "[[expect]]" in path.read_text() and ".part" not in path.suffixes
    ]  # fmt: skip
    assert len(quoting) >= 20
    for scenario in quoting:
        page = site / "measurements" / scenario.parent.name / f"{scenario.stem}.html"
        assert "simulated" in page.read_text(), scenario


def test_every_notebook_is_shown_with_its_results(site: Path, repository: Path) -> None:
    for notebook in (repository / "notebooks").glob("*.ipynb"):
        page = (site / "notebooks" / f"{notebook.stem}.html").read_text()
        assert "cell_output" in page, notebook.name


def test_every_public_name_is_explained(site: Path) -> None:
    import seekahead

    page = (site / "python.html").read_text()
    modules = {"device", "elevator", "plots", "readahead", "workload"}
    explained = set(re.findall(r'id="seekahead\.(?:errors\.)?(\w+)"', page))
    missing = set(seekahead.__all__) - explained - modules - {"__version__"}
    assert not missing


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    loads = re.compile(r'<(script|img|iframe)[^>]+src="(https?:)?//|<link[^>]+href="(https?:)?//|@import url\(.?http')
    pages = [*site.rglob("*.html"), *site.rglob("*.css")]
    assert len(pages) > 40
    assert [str(page) for page in pages if loads.search(page.read_text())] == []
