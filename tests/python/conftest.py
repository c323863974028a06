"""What the tests share: the repository, the built program, a folder to run the documentation's examples in."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def program() -> Path:
    """The built command line program."""
    path = Path(os.environ.get("SEEKAHEAD_PROGRAM", REPOSITORY / "build/release/seekahead"))
    if not path.exists():
        pytest.fail(f"{path} is missing: ./seekahead test builds it")
    return path


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test gets its results from a cache that somebody else has filled."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("MPLCONFIGDIR", str(REPOSITORY / "build/matplotlib"))
    monkeypatch.setenv("MPLBACKEND", "Agg")


@pytest.fixture
def reader_folder(tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like a clone to somebody who follows the documentation; made the current one."""
    for name in ("docs", "notebooks", "scenarios", "tests"):
        (tmp_path / name).symlink_to(REPOSITORY / name)
    (tmp_path / "seekahead").symlink_to(program)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return tmp_path
