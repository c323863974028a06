"""Helper processes and the way to use them. The process that imports this is never forked.

:func:`perform` may be called from several threads at once; each call has a helper of its own for as long as it takes.
It is importable and takes plain bytes, so that any executor (threads, dask, MPI) can run it anywhere the package is
installed: there it starts that machine's own helpers.
"""

from __future__ import annotations

import atexit
import contextlib
import mmap
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

from seekahead import _wire
from seekahead.errors import SimulationError

STOP_S = 0.16
"""After an interrupt a helper that has not answered within this time is killed."""


@dataclass(frozen=True)
class Reply:
    """What came of a job: the child's answer, its bulk data if there are any, and how it ended."""

    answer: dict[str, Any]
    data: mmap.mmap | None
    wall_s: float


class Helper:
    """One helper process and the socket to it."""

    def __init__(self) -> None:
        self.channel, theirs = socket.socketpair()
        with theirs:
            environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
            environment["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
            self.process = subprocess.Popen(
                [sys.executable, "-m", "seekahead._helper", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                env=environment,
            )

    def perform(self, job: bytes) -> Reply:
        """Send a job and wait for what comes of it."""
        start = time.monotonic()
        _wire.send_job(self.channel, job)
        return self.receive(start)

    def receive(self, start: float) -> Reply:
        """The reply to the job that runs."""
        status, files, _, _ = socket.recv_fds(self.channel, _wire.STATUS_BYTES, 3)
        if not status:
            raise ConnectionError("it ended; was it killed?")
        try:
            return _reply(int(status), files, time.monotonic() - start)
        finally:
            for file in files:
                os.close(file)

    def ask_to_stop(self) -> None:
        """Stop the job that runs; whoever waits for it gets its reply soon."""
        with contextlib.suppress(OSError):
            self.channel.sendall(_wire.STOP)

    def stop(self) -> Reply | None:
        """Stop the job that runs; what it had come to, if it could still tell."""
        try:
            self.channel.settimeout(STOP_S)
            self.ask_to_stop()
            reply = self.receive(time.monotonic())
            self.channel.settimeout(None)
            return reply
        except OSError:
            self.kill()
            return None

    def is_alive(self) -> bool:
        """Whether it can take a job."""
        return self.process.poll() is None and self.channel.fileno() >= 0

    def kill(self) -> None:
        """End it and what it runs."""
        self.channel.close()  # it hears that, and takes its child along
        try:
            self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _reply(status: int, files: list[int], wall_s: float) -> Reply:
    reply, data, stderr = files
    answer = _contents(reply)
    size = os.fstat(data).st_size
    mapped = mmap.mmap(data, size, access=mmap.ACCESS_READ) if size else None
    messages = _contents(stderr).decode(errors="replace")
    try:
        result = pickle.loads(answer)
    except (EOFError, pickle.UnpicklingError):
        result = {"error": f"{_how_it_ended(status)}{_tail(messages)}"}
    result["stderr"] = messages
    return Reply(result, mapped, wall_s)


def _contents(file: int) -> bytes:
    return os.pread(file, os.fstat(file).st_size, 0)


def _how_it_ended(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"the simulation crashed: {signal.strsignal(os.WTERMSIG(status))}"
    return f"the simulation ended without a result (exit status {os.WEXITSTATUS(status)})"


def _tail(messages: str, lines: int = 10) -> str:
    last = messages.strip().splitlines()[-lines:]
    return "\n" + "\n".join(last) if last else ""


class _Pool:
    """Helpers that have nothing to do, kept for the next job."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.idle: list[Helper] = []
        self.busy: set[Helper] = set()

    def take(self) -> Helper:
        with self.lock:
            while self.idle:
                helper = self.idle.pop()
                if helper.is_alive():
                    self.busy.add(helper)
                    return helper
                helper.kill()
        helper = Helper()
        with self.lock:
            self.busy.add(helper)
        return helper

    def give_back(self, helper: Helper) -> None:
        with self.lock:
            self.busy.discard(helper)
            if helper.is_alive():
                self.idle.append(helper)

    def stop_running(self) -> None:
        with self.lock:
            for helper in self.busy:
                helper.ask_to_stop()

    def close(self) -> None:
        with self.lock:
            for helper in [*self.idle, *self.busy]:
                helper.kill()
            self.idle.clear()

    def forget(self) -> None:
        """In a fork of this process: the helpers belong to the original."""
        self.lock = threading.Lock()
        self.idle = []
        self.busy = set()


_pool = _Pool()
atexit.register(_pool.close)
os.register_at_fork(after_in_child=_pool.forget)


class Stopped(KeyboardInterrupt):
    """Ctrl-C came while a job ran; ``reply`` is what it could still tell."""

    def __init__(self, reply: Reply | None) -> None:
        super().__init__()
        self.reply = reply


def perform(job: bytes) -> Reply:
    """Run a packed job in a child of a helper.

    Raises
    ------
    Stopped
        Ctrl-C: the job has been stopped.
    SimulationError
        The helper ended before it had answered.
    """
    helper = _pool.take()
    try:
        return helper.perform(job)
    except KeyboardInterrupt:
        raise Stopped(helper.stop()) from None
    except OSError as error:
        helper.kill()
        raise SimulationError(f"the helper process that ran it was lost: {error}") from None
    except BaseException:
        helper.kill()
        raise
    finally:
        _pool.give_back(helper)


def stop_running() -> None:
    """Stop every job of this process, whichever thread waits for it."""
    _pool.stop_running()
