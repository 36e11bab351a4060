"""One request and one line back, within limits of time, length and number of processes."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from dataclasses import dataclass, field

from refdp.auditing.targets import processes
from refdp.auditing.targets.outcomes import CRASHED, LATE, TOO_LONG, TOO_MANY, Outcome
from refdp.auditing.targets.target import Limits

PIECE = 2**16
"""Bytes read or written at once."""
LOOK = 0.25
"""Seconds between two counts of a target's processes, while it works."""
SAID = 300
"""Bytes of the standard error that an outcome quotes."""


def exchange(
    process: subprocess.Popen[bytes], request: bytes, seconds: float, limits: Limits, mark: str
) -> bytes | Outcome:
    """The line that the process writes when it is given the request, or how it was stopped."""
    if process.stdin is None or process.stdout is None or process.stderr is None:
        return Outcome(CRASHED, text="the target cannot be spoken to")
    return _Exchange(process, request, limits, mark).run(time.monotonic() + seconds, seconds)


@dataclass(slots=True)
class _Exchange:
    """What has been written and read so far."""

    process: subprocess.Popen[bytes]
    request: bytes
    limits: Limits
    mark: str
    reply: bytearray = field(default_factory=bytearray)
    said: bytearray = field(default_factory=bytearray)

    def run(self, end: float, seconds: float) -> bytes | Outcome:
        """Write and read until there is a line, or a limit is met."""
        with selectors.DefaultSelector() as ready:
            self._watch(ready)
            look = time.monotonic() + LOOK
            while True:
                now = time.monotonic()
                if now >= end:
                    return Outcome(LATE, text=f"no answer after {seconds:g} s")
                if now >= look:
                    look = now + LOOK
                    if (count := len(processes.marked(self.mark))) > self.limits.processes:
                        return Outcome(TOO_MANY, text=f"{count} processes, at most {self.limits.processes} are allowed")
                for key, _ in ready.select(min(end, look) - now):
                    found = self._serve(ready, key)
                    if found is not None:
                        return found

    def _watch(self, ready: selectors.BaseSelector) -> None:
        """The three pipes of the process, none of which may block us."""
        pipes = (self.process.stdin, self.process.stdout, self.process.stderr)
        for pipe in pipes:
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
                ready.register(pipe, selectors.EVENT_WRITE if pipe is self.process.stdin else selectors.EVENT_READ)

    def _serve(self, ready: selectors.BaseSelector, key: selectors.SelectorKey) -> bytes | Outcome | None:
        """Move what can be moved through one pipe; the result, once there is one."""
        try:
            if key.fileobj is self.process.stdin:
                self._write(ready, key)
                return None
            data = os.read(key.fd, PIECE)
        except BlockingIOError:
            return None
        except OSError:
            return self._crashed()
        if key.fileobj is self.process.stderr:
            self.said = (self.said + data)[-SAID:]
            if not data:
                ready.unregister(key.fileobj)
            return None
        return self._read(data)

    def _write(self, ready: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
        """Write some more of the request."""
        self.request = self.request[os.write(key.fd, self.request[:PIECE]) :]
        if not self.request:
            ready.unregister(key.fileobj)

    def _read(self, data: bytes) -> bytes | Outcome | None:
        """Add to the reply; the line once it is whole."""
        if not data:
            return self._crashed()
        self.reply += data
        if len(self.reply) > self.limits.reply:
            return Outcome(TOO_LONG, text=f"an answer of more than {self.limits.reply} bytes")
        return bytes(self.reply) if self.reply.endswith(b"\n") else None

    def _crashed(self) -> Outcome:
        """How the process ended, with the last that it said."""
        processes.wait_or_kill(self.process)
        last = self.said.decode("utf-8", "replace").strip()
        return Outcome(CRASHED, text=f"{processes.ending(self.process)}{': ' + last if last else ''}")
