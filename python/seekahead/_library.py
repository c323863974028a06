"""The compiled module, loaded so that plug-ins find its symbols, with the catalogue that the package brings."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

from seekahead.errors import Problem, ScenarioError

__all__ = ["SCENARIOS", "_core", "models_of", "new_models", "version"]

_flags = sys.getdlopenflags()
sys.setdlopenflags(_flags | os.RTLD_GLOBAL)  # plug-ins resolve against the module, as they do against the program
try:
    from seekahead import _core
finally:
    sys.setdlopenflags(_flags)

version: str = _core.version

SCENARIOS = Path(__file__).parent / "scenarios"
"""The scenario files that the package brings."""

_core.add_drive_directory(str(SCENARIOS / "drives"))


@cache
def models_of(plugins: tuple[str, ...] = ()) -> _core.Models:
    """What scenarios can name without Python models; shared, since it never changes."""
    return new_models(plugins)


def new_models(plugins: tuple[str, ...]) -> _core.Models:
    """The built-in models and those of plug-ins.

    Raises
    ------
    ScenarioError
        A plug-in cannot be loaded.
    """
    try:
        return _core.Models(list(plugins))
    except _core.PluginError as error:
        message = str(error)
        file = next((plugin for plugin in plugins if plugin in message), "")
        raise ScenarioError(message, [Problem(file, 0, 0, "", message)]) from None
