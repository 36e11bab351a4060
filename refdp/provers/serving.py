"""The side of a worker: greet with the solver's version, then answer requests, one JSON object a line.

Only the standard library is imported here, and nothing else of this package: a worker must start quickly.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

if sys.platform != "win32":
    import fcntl

MEMORY = 4 * 2**30
"""Address space a worker may use, in bytes."""
OVERDUE = 5.0
"""Seconds past a request's time limit after which a worker ends itself, should nobody be left to kill it."""

OVER = "the limit of its work is reached"
"""Why a solver does not know that ran out of the units it was given."""

Answerer = Callable[[Mapping[str, Any]], dict[str, Any]]


def serve(load: Callable[[], tuple[str, Answerer]]) -> None:
    """Load a solver (`load` returns its version and what answers a request) and answer until the input ends.

    The second argument of the program, where there is one, is the tether: the end of a pipe whose other end the owner
    holds.
    """
    output = _private_output()
    for tether in sys.argv[2:3]:
        _end_with_owner(int(tether))
    _limit_memory()
    try:
        version, answer = load()
    except ImportError as error:
        _say(output, {"missing": str(error)})
        return
    _say(output, {"version": version})
    for line in sys.stdin:
        request = json.loads(line)
        _alarm(request["seconds"] + OVERDUE)
        try:
            reply = answer(request)
        except Exception as error:  # whatever a solver raises is "unknown", with this reason
            reply = {"answer": "unknown", "reason": f"{type(error).__name__}: {error}"[:500]}
        _alarm(0.0)
        _say(output, reply)


def _private_output() -> int:
    """A copy of standard output for us alone; what a solver prints goes nowhere."""
    own, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return own


def _say(output: int, reply: Mapping[str, Any]) -> None:
    """Write one line, with the processor time that this process has taken so far."""
    reply = {**reply, "cpu": time.process_time()}
    with os.fdopen(os.dup(output), "wb") as stream:
        stream.write(json.dumps(reply).encode() + b"\n")


def _limit_memory() -> None:
    """A solver that needs more memory than MEMORY fails instead of taking the machine down."""
    if sys.platform != "win32":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _end_with_owner(tether: int) -> None:
    """The system ends this process, no Python run, even amid an answer, when the other end of the tether goes.

    Nothing is ever written to the tether.  A pipe that requests come by would not do: who reads one is woken before
    the signal for what was written is sent, so that on a busy machine the signal comes amid the answer.
    """
    fcntl.fcntl(tether, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(tether, fcntl.F_SETFL, fcntl.fcntl(tether, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([tether], [], [], 0)[0]:
        os._exit(1)


def _alarm(seconds: float) -> None:
    """End this process after `seconds` (0: never), by the system's own default action: no Python need run."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
