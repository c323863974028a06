"""What there is (models, drives), and what needs no scenario: a drive on a trace, a drive fitted to measurements."""

from __future__ import annotations

import io
import json
import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from seekahead import _jobs, _pool, _python_models
from seekahead._library import models_of
from seekahead.errors import Interrupted, MissingPackage, Problem, ScenarioError, SimulationError
from seekahead.toml_values import toml_value

if TYPE_CHECKING:
    import pandas as pd

    Trace: TypeAlias = "str | os.PathLike[str] | pd.DataFrame"

Row = TypeVar("Row")


class Listing(list[Row]):
    """Rows that notebooks show as a table."""

    def _repr_html_(self) -> str:
        if not self:
            return "<p>nothing</p>"
        names = [field.name for field in fields(cast(Any, self[0])) if field.name != "parameters"]
        cell = 'style="text-align:left;padding:2px 10px"'
        head = "".join(f"<th {cell}>{name}</th>" for name in names)
        lines = (
            "<tr>" + "".join(f"<td {cell}>{escape(str(getattr(row, name)))}</td>" for name in names) + "</tr>"
            for row in self
        )
        return f"<table><tr>{head}</tr>{''.join(lines)}</table>"


@dataclass(frozen=True)
class ParameterInfo:
    """A parameter of a model: ``default`` as a scenario would write it, ``allowed`` in words."""

    name: str
    type: str
    default: str
    allowed: str
    help: str
    source: str
    required: bool


@dataclass(frozen=True)
class ModelInfo:
    """A model that a scenario can name."""

    kind: str
    name: str
    help: str
    source: str
    parameters: tuple[ParameterInfo, ...]


@dataclass(frozen=True)
class DriveInfo:
    """A drive of the catalogue."""

    id: str
    model: str
    name: str
    description: str


def models(kind: str | None = None, *, plugins: Sequence[str] = (), models: Sequence[Any] = ()) -> Listing[ModelInfo]:
    """Everything that a scenario can name, with all parameters.

    Parameters
    ----------
    kind : {"readahead", "elevator", "device", "workload", "section"}, optional
        Only this kind.
    plugins
        Shared libraries with more models.
    models
        More models, written in Python.

    >>> [model.name for model in models("elevator")]
    ['linus', 'noop', 'deadline']
    """
    python_models = list(_python_models.merged((), models))
    described: dict[str, dict[str, Any]] = _jobs.models_for(tuple(plugins), python_models).describe()
    if kind is not None and kind not in described:
        raise ValueError(f"unknown kind {kind!r}; known: {', '.join(described)}")
    return Listing(
        ModelInfo(
            kind=name_of_kind,
            name=name,
            help=entry.get("help", ""),
            source=entry.get("source", ""),
            parameters=tuple(ParameterInfo(**row) for row in entry["parameters"]),
        )
        for name_of_kind, entries in described.items()
        if kind in (None, name_of_kind)
        for name, entry in entries.items()
    )


def drives() -> Listing[DriveInfo]:
    """The drive catalogue.

    >>> "dtla307045" in [drive.id for drive in drives()]
    True
    """
    return Listing(DriveInfo(*row[:4]) for row in models_of().drives())


def replay(
    drive: str | os.PathLike[str],
    trace: Trace,
    *,
    changes: Mapping[str, Any] | None = None,
    closed: int | None = None,
    think: str | None = None,
    scheduler: str | None = None,
    queue: str | None = None,
    depth: int | None = None,
) -> pd.DataFrame:
    """Run the requests of a trace against one drive.

    Parameters
    ----------
    drive
        Id of the catalogue, or a drive file.
    trace
        CSV file (also .gz) or DataFrame with the columns lbn, blocks (sectors of 512 bytes), is_read and arrival_ms
        (open loop) or gap_to_next_arrival_ms (closed loop, think time after each completion).
    changes
        Other values of the drive's parameters by their path: ``{"cache.segments": 4}``.
    closed
        Keep that many requests outstanding; arrival_ms is ignored.
    think
        Time from a completion to the next arrival instead of the trace's gaps: ``"5 ms"``.
    scheduler : {"fcfs", "clook", "sstf", "sptf"}
        Order of waiting requests; sptf only in the drive.
    queue : {"host", "drive"}
        Where requests wait.
    depth
        Requests in the drive at once.

    Returns
    -------
    DataFrame
        The rows of the trace with our arrival_ms and response_ms.
    """
    options = _replay_options(drive, changes, closed, think, scheduler, queue, depth)
    output = _command("replay", [*options, "-"], _csv_of(trace))
    return _pandas().read_csv(io.BytesIO(output))


def compare(
    drive: str | os.PathLike[str],
    trace: Trace,
    *,
    changes: Mapping[str, Any] | None = None,
    closed: int | None = None,
    think: str | None = None,
    scheduler: str | None = None,
    queue: str | None = None,
    depth: int | None = None,
) -> dict[str, Any]:
    """Like :func:`replay`, but compare with the response times of the trace (response_ms or measured_ms).

    Returns
    -------
    dict
        requests, mean_ms, reference_mean_ms, demerit_ms, demerit_percent (root mean square of the differences of
        equal ranks), rms_error_ms, max_error_ms; the same for reads and writes alone.
    """
    options = _replay_options(drive, changes, closed, think, scheduler, queue, depth)
    return cast("dict[str, Any]", json.loads(_command("replay", [*options, "--compare", "-"], _csv_of(trace))))


@dataclass(frozen=True)
class Calibration:
    """A drive fitted to measurements: the text of its drive file, and what the fit reports."""

    text: str
    report: dict[str, Any]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the drive file; scenarios use it by its path."""
        temporary = Path(f"{os.fspath(path)}.new")
        temporary.write_text(self.text, encoding="utf-8")
        temporary.replace(path)


def calibrate(
    drive: str | os.PathLike[str], measurements: Trace, *, changes: Mapping[str, Any] | None = None
) -> Calibration:
    """Fit a drive to measurements.

    Parameters
    ----------
    drive
        The drive to start from: id of the catalogue, or a drive file.
    measurements
        CSV file or DataFrame with lbn, blocks, is_read, measured_ms, gap_to_next_arrival_ms (service times of a
        disk), or io_size, mb_s (rate of sequential reading), or cylinders, seek_ms.
    changes
        Other values of the drive's parameters by their path.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "measurements.csv")
        source.write_bytes(_csv_of(measurements))
        target = Path(folder, "drive.toml")
        arguments = [str(source), "--drive", _drive_argument(drive), "-o", str(target), "--json"]
        report = json.loads(_command("calibrate", [*arguments, *_set_options(changes)]))
        return Calibration(target.read_text(encoding="utf-8"), report)


# --- commands of the program


def _replay_options(
    drive: str | os.PathLike[str],
    changes: Mapping[str, Any] | None,
    closed: int | None,
    think: str | None,
    scheduler: str | None,
    queue: str | None,
    depth: int | None,
) -> list[str]:
    given = {"closed": closed, "think": think, "scheduler": scheduler, "queue": queue, "depth": depth}
    options = [text for name, value in given.items() if value is not None for text in (f"--{name}", str(value))]
    return ["--drive", _drive_argument(drive), *_set_options(changes), *options]


def _set_options(changes: Mapping[str, Any] | None) -> list[str]:
    return [text for key, value in (changes or {}).items() for text in ("--set", f"{key}={toml_value(value)}")]


def _drive_argument(drive: str | os.PathLike[str]) -> str:
    text = os.fspath(drive)
    is_file = os.sep in text or text.endswith(".toml")
    return str(Path(text).resolve()) if is_file else text


def _csv_of(trace: Trace) -> bytes:
    if isinstance(trace, (str, os.PathLike)):
        try:
            return Path(trace).read_bytes()
        except OSError as error:
            problem = Problem(os.fspath(trace), 0, 0, "", f"cannot be read: {error}")
            raise ScenarioError(f"{problem.file}: error: {problem.message}", [problem]) from None
    frame = trace.astype({name: int for name in trace.columns if trace[name].dtype == bool})
    return bytes(frame.to_csv(index=False).encode())


def _command(verb: str, arguments: Iterable[str], stdin: bytes = b"") -> bytes:
    """Stdout of a verb of the program; its errors as exceptions."""
    try:
        reply = _pool.perform(_jobs.pack(_jobs.CommandJob(verb, list(arguments), stdin)))
    except _pool.Stopped:
        raise Interrupted(f"{verb} was interrupted") from None
    answer = reply.answer
    status = answer.get("status")
    if status == 0:
        return b"" if reply.data is None else bytes(reply.data)
    if status == 2:
        raise ScenarioError(answer["stderr"], _problems_of(answer["stderr"]))
    raise SimulationError(answer.get("error", answer["stderr"]))


_PROBLEM = re.compile(r"^(?P<file>.+?)(?::(?P<line>\d+))?(?::(?P<column>\d+))?: error: (?P<message>.*)$", re.M)


def _problems_of(messages: str) -> list[Problem]:
    return [
        Problem(found["file"], int(found["line"] or 0), int(found["column"] or 0), "", found["message"])
        for found in _PROBLEM.finditer(messages)
    ]


def _pandas() -> Any:
    try:
        import pandas as pd
    except ImportError:
        raise MissingPackage("replay() needs pandas: pip install pandas") from None
    return pd
