"""The helper process: ``python -m seekahead._helper FD`` started by :mod:`seekahead._pool`.

It has the compiled module loaded and no engine. For every job that arrives on the socket FD it forks a child, which
runs the simulation and writes what it has to say into anonymous files; the helper hands their descriptors over. A
crash costs the child only, and a fork costs a few milliseconds where a new interpreter costs a hundred.

Messages on the socket: a job is a mark, an 8-byte length and that many bytes (see :mod:`seekahead._jobs`); one
byte during a job asks to stop it. The answer to a job is the child's wait status as text of fixed width with the
descriptors of reply, data and stderr. End of file ends the helper and what it runs.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
import time

from seekahead import _jobs
from seekahead._wire import STATUS_BYTES, receive_job

GRACE_S = 0.1
"""How long an interrupted run may take to tell what it has come to, before it is killed."""


def main() -> None:
    """Serve jobs until the other end of the socket is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is for the process that started this one
    channel = socket.socket(fileno=int(sys.argv[1]))
    gc.freeze()  # a collection in a child would copy every page that it shares with this process
    while (job := receive_job(channel)) is not None:
        files = [os.memfd_create(name) for name in ("reply", "data", "stderr")]
        status = _run(channel, job, files)
        socket.send_fds(channel, [str(status).rjust(STATUS_BYTES).encode()], files)
        for file in files:
            os.close(file)


def _run(channel: socket.socket, job: bytes, files: list[int]) -> int:
    """Fork a child for the job, wait for it; stop it when the other end says so. Returns its wait status."""
    payload = _jobs.unpack(job)  # here, so that imports of Python models are paid once and not for every point
    alive, held_by_child = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(alive)
            os.setpgid(0, 0)
            os.dup2(files[2], 2)
            _jobs.perform(payload, files[0], files[1])
        finally:
            os._exit(0)
    os.close(held_by_child)
    deadline: float | None = None
    ends_with_job = False
    watched = select.poll()
    watched.register(alive, select.POLLIN)
    watched.register(channel, select.POLLIN)
    while True:
        wait_ms = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
        ready = dict(watched.poll(wait_ms))
        if alive in ready:
            break
        if channel.fileno() in ready:
            ends_with_job = not channel.recv(1)
            watched.unregister(channel)
            os.kill(child, signal.SIGINT)
            deadline = time.monotonic() + GRACE_S
        elif deadline is not None and time.monotonic() >= deadline:
            os.kill(child, signal.SIGKILL)
            deadline = None
    os.close(alive)
    status = os.waitpid(child, 0)[1]
    if ends_with_job:
        sys.exit(0)
    return status


if __name__ == "__main__":
    main()
