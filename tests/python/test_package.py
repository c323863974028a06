"""The package as it is installed."""

import subprocess
import sys
from pathlib import Path

import seekahead as sx

ROOT = Path(__file__).resolve().parents[2]


def test_typed_classes_are_what_the_registry_says():
    run = subprocess.run(
        [sys.executable, ROOT / "tools" / "write_python_models", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_versions_agree():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert sx.__version__ == project["version"]


def test_import_is_light():
    code = "import sys, seekahead; print([m for m in ('numpy', 'pandas', 'matplotlib') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
