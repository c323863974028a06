"""The compiled module, loaded so that plug-ins find its symbols, with the catalogue that the package brings."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path

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


@lru_cache(maxsize=None)
def models_of(plugins: tuple[str, ...] = ()) -> _core.Models:
    """What scenarios can name without Python models; shared, since it never changes."""
    return _core.Models(list(plugins))
