"""Workers: persistent processes that hold a solver, answer one request at a time, and are killed when late.

A worker starts when it is first asked and restarts after a crash or a kill.  It talks JSON, one object a line.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from refdp import work
from refdp.isolation import folders_of_this_process, isolated_command
from refdp.provers.memory import Memory

GRACE = 0.5
"""Seconds a worker may be late before it is killed."""
HAS_TETHERS = hasattr(os, "O_ASYNC")
"""Whether the system sends a signal when the other end of a pipe is closed."""
START = 60.0
"""Seconds a worker may take to import its solver; not part of anybody's time limit."""


class WorkerLost(RuntimeError):
    """A worker was killed or crashed; its message says which."""


class SolverMissing(RuntimeError):
    """A solver is not installed; the message says how to install it."""


@dataclass(slots=True)
class Worker:
    """A process that runs the module with the argument, isolated; started when needed."""

    module: str
    argument: str
    extra: str
    """What to install where the worker's solver is missing."""
    version: str = ""
    """Name and version of the solver, as it says itself; empty before the first start."""
    process: subprocess.Popen[bytes] | None = None
    tether: int | None = None
    """Our end of a pipe that nothing is written to: whatever closes it, the system then ends the process."""
    spent: float = 0
    """Processor seconds that the running process has taken, as it said last."""
    memory: Memory = field(default_factory=Memory)
    """What the running process has replied."""
    lock: threading.RLock = field(default_factory=threading.RLock)

    def ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The worker's reply after at most so many seconds of work; WorkerLost if the clock ends its patience first."""
        with self.lock:
            try:
                self._start()
                clock = work.on_the_clock(seconds)
                limits = {"seconds": clock, "units": work.units(self.argument, seconds)}
                known = self.memory.reply(request)
                reply = known or self.memory.keep(request, self._exchange({**request, **limits}, clock + GRACE))
                work.charge(self.argument, reply.get("units", 0))
                return reply
            except WorkerLost:
                work.charge(self.argument, work.units(self.argument, seconds))  # as if it had done all that it might
                raise
            except BaseException:  # an interrupted exchange would leave a reply that nobody asked for
                self._kill()
                raise

    def start(self) -> str:
        """Name and version of the solver; SolverMissing if it is not installed."""
        with self.lock:
            self._start()
        return self.version

    def close(self) -> None:
        """End the process, even while it answers; it may be started again."""
        if self.process is not None:
            self.process.kill()
        with self.lock:
            self._kill()

    def _start(self) -> None:
        """Start the process unless it runs, and read its greeting."""
        if self.process is not None and self.process.poll() is None:
            return
        self._kill()
        far, self.tether = os.pipe() if HAS_TETHERS else (None, None)
        ends = () if far is None else (far,)
        arguments = (self.argument, *map(str, ends))
        command = isolated_command(self.module, *arguments, searched=folders_of_this_process())
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True, pass_fds=ends,
            )  # fmt: skip
        finally:
            for end in ends:
                os.close(end)
        greeting = self._reply(START)
        if "missing" in greeting:
            self._kill()
            raise SolverMissing(
                f"{self.argument} cannot be loaded ({greeting['missing']}); install it with: pip install '{self.extra}'"
            )
        self.version = greeting["version"]

    def _exchange(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Send a request to the running process and read its reply."""
        process = self._running()
        if process.stdin is None:
            raise WorkerLost(f"{self.argument} cannot be written to")
        try:
            _write(process.stdin.fileno(), json.dumps(request).encode() + b"\n")
        except BrokenPipeError:
            raise self._lost(f"crashed, {_ending(process)}") from None
        return self._reply(seconds)

    def _reply(self, seconds: float) -> dict[str, Any]:
        """The next line of the process; it is killed after `seconds`."""
        process, late = self._running(), threading.Event()
        if process.stdout is None:
            raise WorkerLost(f"{self.argument} cannot be read from")

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            line = process.stdout.readline()
        finally:
            timer.cancel()
        work.COUNT.is_stopped |= late.is_set()
        if not line.endswith(b"\n"):
            raise self._lost(f"killed after {seconds:.1f} s" if late.is_set() else f"crashed, {_ending(process)}")
        reply: dict[str, Any] = json.loads(line)
        self.spent = reply.pop("cpu", self.spent)
        return reply

    def _running(self) -> subprocess.Popen[bytes]:
        """The process; WorkerLost if there is none."""
        if self.process is None:
            raise WorkerLost(f"{self.argument} is not running")
        return self.process

    def _lost(self, how: str) -> WorkerLost:
        """The error for a process that ended, which is forgotten."""
        self._kill()
        return WorkerLost(how)

    def _kill(self) -> None:
        """End the process and close its pipes."""
        process, self.process, self.spent = self.process, None, 0
        self.memory = Memory()
        self._untie()
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def _untie(self) -> None:
        """Close our end of the tether."""
        tether, self.tether = self.tether, None
        if tether is not None:
            os.close(tether)


WORKERS: dict[str, Worker] = {
    "z3": Worker("refdp.provers.smt.worker", "z3", "refdp"),
    "cvc5": Worker("refdp.provers.smt.worker", "cvc5", "refdp[check]"),
    "sympy": Worker("refdp.provers.symbolic.worker", "sympy", "refdp"),
    "bitwuzla": Worker("refdp.sensitivities.machine.bitwuzla_worker", "bitwuzla", "refdp[check]"),
}
"""The worker of each solver."""


def processor_seconds() -> float:
    """Processor time of this process, of the workers that run, and of all processes that it started and that ended."""
    ended = os.times()
    return time.process_time() + ended.children_user + ended.children_system + sum(w.spent for w in WORKERS.values())


def close_all() -> None:
    """End every worker."""
    for worker in WORKERS.values():
        worker.close()


def _forget_all() -> None:
    """In a forked child: the workers belong to the parent, so close our copies of their pipes and start our own."""
    for worker in WORKERS.values():
        process, worker.process, worker.lock, worker.spent = worker.process, None, threading.RLock(), 0
        worker._untie()
        if process is not None:
            process.returncode = 0  # not ours to wait for
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()


def _write(descriptor: int, data: bytes) -> None:
    """Write all of `data`."""
    while data:
        data = data[os.write(descriptor, data) :]


def _ending(process: subprocess.Popen[bytes]) -> str:
    """How a process ended, for a reader."""
    code = process.wait()
    return f"signal {-code}" if code < 0 else f"exit status {code}"


atexit.register(close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
