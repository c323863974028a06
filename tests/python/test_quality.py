"""Types, style, and what the installed package consists of."""

import ast
import importlib.metadata
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = Path(__file__).with_name("sample_user_script.py")


def run(*command: object, cwd: Path) -> None:
    ended = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_mypy_is_content_with_the_installed_package(tmp_path: Path, repository: Path) -> None:
    config = repository / "pyproject.toml"
    run(sys.executable, "-m", "mypy", "--config-file", config, "--strict", "-p", "seekahead", cwd=tmp_path)


def test_mypy_is_content_with_a_user_s_script(tmp_path: Path) -> None:
    """Without a configuration, as a user has none."""
    run(sys.executable, "-m", "mypy", "--config-file", "/dev/null", "--strict", SAMPLE, cwd=tmp_path)


def test_the_user_s_script_runs(tmp_path: Path) -> None:
    run(sys.executable, "-W", "error", SAMPLE, cwd=tmp_path)


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=["check", "format"])
def test_ruff(command: list[str], repository: Path) -> None:
    run(
        sys.executable, "-m", "ruff", *command, "python", "tests/python", "docs", "tools", "notebooks", cwd=repository
    )


def test_types_are_among_the_installed_files() -> None:
    installed = {str(file) for file in importlib.metadata.files("seekahead") or []}
    assert {"seekahead/py.typed", "seekahead/_core.pyi"} <= installed
    assert any(re.fullmatch(r"seekahead/_core\..*\.so", file) for file in installed)


def signatures_of_stub(path: Path) -> dict[str, list[str]]:
    """Parameter names of every function and method of a stub."""
    found: dict[str, list[str]] = {}

    def collect(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                found[prefix + node.name] = []
                collect(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.FunctionDef):
                found[prefix + node.name] = [argument.arg for argument in node.args.posonlyargs + node.args.args]

    collect(ast.parse(path.read_text()).body, "")
    return found


def signatures_of_module() -> dict[str, list[str]]:
    """The same of the compiled module, from the first line that pybind11 writes into each docstring."""
    from seekahead import _core

    found: dict[str, list[str]] = {}

    def collect(holder: object, prefix: str) -> None:
        for name, member in vars(holder).items():
            if inspect.isclass(member):
                found[prefix + name] = []
                collect(member, f"{prefix}{name}.")
            elif isinstance(member, property):
                found[prefix + name] = ["self"]
            elif callable(member) and (not name.startswith("_") or name in ("__init__", "__len__")):
                signature = re.search(r"\((.*)\) ->", member.__doc__ or "")
                if signature:  # object's own __init__ has none
                    found[prefix + name] = re.findall(r"(?:^|, )(\w+)(?=: |,|$)", signature[1])

    collect(_core, "")
    return found


def test_stub_says_what_the_compiled_module_has() -> None:
    import seekahead

    stub = Path(seekahead.__file__).with_name("_core.pyi")
    assert signatures_of_stub(stub) == signatures_of_module()
