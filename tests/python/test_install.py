"""What a newcomer does: a fresh environment, `pip install .`, the README's five lines."""

import os
import re
import subprocess
import sys
import venv
from pathlib import Path


def readme_example(repository: Path) -> str:
    return re.search(r"```python\n(.*?)```", (repository / "README.md").read_text(), re.DOTALL)[1]


def test_the_five_lines_of_the_readme_in_a_fresh_environment(repository, tmp_path):
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", repository], check=True, timeout=900)
    picture = repository / "build" / "screenshots" / "readme.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    program = readme_example(repository) + f"ax.figure.savefig({str(picture)!r})\nprint(type(df).__name__, len(df))\n"
    run = subprocess.run(
        [python, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "Agg", "XDG_CACHE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["DataFrame", "10"]
    assert picture.stat().st_size > 10_000


def test_a_missing_library_is_named_with_its_package(repository, tmp_path):
    run = subprocess.run(
        ["cmake", "-S", repository, "-B", tmp_path, "-G", "Ninja", "-DSEEKAHEAD_PYTHON=ON", "-DSEEKAHEAD_TESTS=OFF",
         f"-DPython_EXECUTABLE={sys.executable}"],
        env={**os.environ, "PKG_CONFIG_LIBDIR": str(tmp_path), "PKG_CONFIG_PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert run.returncode != 0
    assert re.search(r"sudo apt-get install .*\blibsimgrid-dev\b", run.stderr), run.stderr
