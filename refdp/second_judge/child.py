"""The process that runs a user's file: it is given one JSON object on standard input, and answers a line for each job.

It starts isolated, takes its limits before it sees the file, and offers the file nothing but harmless names.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import CodeType, FrameType
from typing import Any

from refdp.second_judge import python_names
from refdp.second_judge.exact_numbers import Exact, Rounded, Unclear, rewritten
from refdp.second_judge.wire import NotSent, packed, unpacked

MEMORY = 1 << 30
"""Most bytes that the process may use."""
SECONDS_OF_A_RUN = 1.0
"""Processor time that one run may take."""
MOST_OVERRUNS = 5
"""After so many runs that took longer, none is run any more."""
FILE = "<query>"
"""What the file is called where it is run."""


class Overrun(BaseException):
    """A run takes too long."""


def limited(seconds: int) -> None:
    """No files, no processes, so much memory and processor time."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGVTALRM, overrun)


def overrun(number: int, frame: FrameType | None) -> None:
    """Ends a run."""
    raise Overrun


class File:
    """A file that is run anew for every run of a function of it."""

    def __init__(self, text: str) -> None:
        self.code: CodeType | None = None
        self.reason, self.overruns = "", 0
        try:
            self.code = compile(rewritten(text), FILE, "exec", dont_inherit=True, optimize=0)
        except (Unclear, SyntaxError, ValueError, RecursionError, MemoryError) as error:
            self.reason = f"it is not run: {error}"

    def function(self, name: str, modules: Mapping[str, Mapping[str, Any]]) -> Any:
        """The function, of a file that was just loaded."""
        if self.code is None:
            raise Unclear(self.reason)
        found = python_names.names(modules)
        python_names.loading = True
        try:
            exec(self.code, found)
        except Exception as error:
            raise Unclear(f"the file raises {type(error).__name__} where it is loaded") from None
        finally:
            python_names.loading = False
        if not callable(found.get(name)):
            raise Unclear(f"{name} is no function once the file is loaded")
        return found[name]

    def outcome(self, run: Callable[[], Any]) -> dict[str, Any]:
        """What one run does: {"answer": ...}, {"raised": name} or {"unclear": why}; "rounded" if a root was."""
        Unclear.raised, Rounded.happened = None, False
        if self.overruns == MOST_OVERRUNS:
            return {"unclear": "runs take too long"}
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_OF_A_RUN)
        try:
            try:
                answer = packed(run())
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            found: dict[str, Any] = {"answer": answer} | ({"rounded": True} if Rounded.happened else {})
        except (Unclear, NotSent) as error:
            found = {"unclear": str(error)}
        except Overrun:
            self.overruns += 1
            found = {"unclear": f"a run takes more than {SECONDS_OF_A_RUN} seconds"}
        except (RecursionError, MemoryError) as error:
            found = {"unclear": type(error).__name__}
        except BaseException as error:
            found = {"raised": type(error).__name__}
        return {"unclear": str(Unclear.raised)} if Unclear.raised is not None else found


def queries(file: File, job: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What a function does on each of the tables."""
    found = []
    for rows, words in job["runs"]:
        values = {name: as_float(unpacked(one)) for name, one in words.items()}
        table = [as_float(unpacked(row)) for row in rows]
        name = job["function"]

        def run(table: list[Any] = table, values: dict[str, Any] = values, name: str = name) -> Any:
            function = file.function(name, {})
            taken = function.__code__.co_varnames[: function.__code__.co_argcount + function.__code__.co_kwonlyargcount]
            return function(table, **{key: one for key, one in values.items() if key in taken})

        found.append(file.outcome(run))
    return found


def as_float(value: Any) -> Any:
    """A value whose numbers that are no ints stand for floats."""
    if isinstance(value, Fraction):
        return Exact(value)
    if isinstance(value, list | tuple):
        return type(value)(map(as_float, value))
    return {key: as_float(part) for key, part in value.items()} if isinstance(value, dict) else value


JOBS: Mapping[str, Callable[[File, Mapping[str, Any]], Any]] = {"query": queries}
"""What can be asked for."""


def main() -> None:
    """Answers every job of the request, a line each."""
    sys.setrecursionlimit(1000)
    request = json.loads(sys.stdin.read())
    limited(int(request["seconds"]))
    file = File(request["source"])
    for job in request["jobs"]:
        sys.stdout.write(json.dumps(JOBS[job["kind"]](file, job)) + "\n")
        sys.stdout.flush()
