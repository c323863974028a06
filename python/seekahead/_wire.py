"""What the two ends of a helper's socket agree on."""

from __future__ import annotations

import socket
import struct

STATUS_BYTES = 8
STOP = b"s"
_JOB = b"j"
_LENGTH = struct.Struct("<q")


def send_job(channel: socket.socket, job: bytes) -> None:
    """Send a mark, a length and the bytes."""
    channel.sendall(_JOB + _LENGTH.pack(len(job)))
    channel.sendall(job)


def receive_job(channel: socket.socket) -> bytes | None:
    """The next job; None at the end of the connection. Stop bytes of a job that is over are skipped."""
    while (first := channel.recv(1)) == STOP:
        pass
    head = _receive(channel, _LENGTH.size) if first == _JOB else b""
    if len(head) < _LENGTH.size:
        return None
    size = _LENGTH.unpack(head)[0]
    job = _receive(channel, size)
    return job if len(job) == size else None


def _receive(channel: socket.socket, size: int) -> bytes:
    parts = []
    while size > 0 and (part := channel.recv(min(size, 1 << 20))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
