"""What a helper does: the two kinds of job, their wire form, and how a forked child performs them."""

from __future__ import annotations

import os
import pickle
import sys
import time
import traceback
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from seekahead._library import _core, models_of, new_models

PythonModels = list[tuple[str, str, Any]]
"""Models written in Python: (kind, name, class)."""


@dataclass(frozen=True)
class RunJob:
    """Run one point. ``effective`` is a whole configuration, ``values`` the point's coordinates."""

    effective: str
    values: list[tuple[str, str]] = field(default_factory=list)
    plugins: tuple[str, ...] = ()
    python_models: bytes = b""
    model_sources: bytes = b""
    tables: tuple[str, ...] = ()
    table_limit: int = 0


@dataclass(frozen=True)
class CommandJob:
    """Run a verb of the program that needs neither an engine nor Python models."""

    verb: str
    arguments: list[str]
    stdin: bytes = b""


Job = RunJob | CommandJob


def pack(job: Job) -> bytes:
    """The job as it travels."""
    return pickle.dumps(job)


def pack_models(models: PythonModels) -> bytes:
    """Python models by value, those of the user's own modules, too: a helper would know an older state of them."""
    if not models:
        return b""
    import cloudpickle

    from seekahead._python_models import own_modules

    modules = own_modules(models) - set(cloudpickle.list_registry_pickle_by_value())
    try:
        for name in modules:
            cloudpickle.register_pickle_by_value(sys.modules[name])
        return bytes(cloudpickle.dumps(models))
    except (TypeError, pickle.PicklingError):
        if not modules:
            raise
    finally:
        for name in modules:
            cloudpickle.unregister_pickle_by_value(sys.modules[name])
    return bytes(cloudpickle.dumps(models))  # the module holds something that cannot be copied


def pack_sources(models: PythonModels) -> bytes:
    """Where the models were written, for tracebacks; apart, since every notebook session has other file names."""
    if not models:
        return b""
    from seekahead._python_models import sources_of

    return pickle.dumps(sources_of(models))


@lru_cache(maxsize=8)
def unpack_models(packed: bytes) -> PythonModels:
    """The models again; imports that they need happen here."""
    models: PythonModels = pickle.loads(packed) if packed else []
    return models


def unpack(packed: bytes) -> Job | Exception:
    """The job again; whatever its Python models raise while they are read is handed to :func:`perform`."""
    job: Job = pickle.loads(packed)
    try:
        if isinstance(job, RunJob):
            models = unpack_models(job.python_models)
            if job.model_sources:
                from seekahead._python_models import know_sources

                know_sources(models, pickle.loads(job.model_sources))
    except Exception as error:
        error.add_note(traceback.format_exc())
        return error
    return job


def models_for(plugins: tuple[str, ...], python_models: PythonModels) -> _core.Models:
    """What a scenario with these plug-ins and Python models can name."""
    if not python_models:
        return models_of(plugins)
    from seekahead._python_models import register

    models = new_models(plugins)
    for kind, name, model in python_models:
        register(models, kind, name, model)
    return models


def perform(job: Job | Exception, reply: int, data: int) -> None:
    """In the forked child: do the job, write a pickled dict to ``reply`` and bulk data to ``data``."""
    _core.die_with_parent()
    if isinstance(job, Exception):
        answer: dict[str, Any] = {
            "error": f"a Python model cannot be read: {job}",
            "traceback": "\n".join(getattr(job, "__notes__", [])),
        }
    elif isinstance(job, RunJob):
        answer = _run(job, data)
    else:
        answer = _command(job, data)
    with open(reply, "wb", closefd=False) as file:
        pickle.dump(answer, file)


def _run(job: RunJob, data: int) -> dict[str, Any]:
    os.dup2(2, 1)  # what models print is handed back with the messages
    try:
        models = models_for(job.plugins, unpack_models(job.python_models))
        tables = list(job.tables)
        start = time.perf_counter()
        text = _core.run_here(models, job.effective, job.values, tables, job.table_limit, data)
        return {"json": text, "run_s": time.perf_counter() - start}
    except _core.SimulationError as error:
        message, simulated_ns, cause = error.args
        answer = {"error": message, "simulated_s": None if simulated_ns is None else simulated_ns * 1e-9}
        return answer if cause is None else answer | _raised(cause)
    except Exception as error:
        return {"error": str(error)}
    finally:
        sys.stdout.flush()


def _raised(error: BaseException) -> dict[str, Any]:
    """What a Python model raised, or was refused for."""
    from seekahead._python_models import model_traceback

    lines = model_traceback(error)
    name = type(error).__name__
    return {"error": f"a Python model raised {name}: {error}" if lines else str(error), "traceback": lines}


def _command(job: CommandJob, data: int) -> dict[str, Any]:
    os.dup2(data, 1)
    stdin = os.memfd_create("stdin")
    os.write(stdin, job.stdin)
    os.lseek(stdin, 0, os.SEEK_SET)
    os.dup2(stdin, 0)
    return {"status": _core.run_command(job.verb, job.arguments)}
