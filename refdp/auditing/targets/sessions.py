"""Sessions: a target in a process of its own, asked over a pipe, stopped at its limits and started again.

Whatever the target does, a call gives an `Outcome`.  Only a target that cannot be started or loaded is an error.
"""

from __future__ import annotations

import itertools
import json
import os
import secrets
import subprocess
import time
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Self

from refdp.auditing.targets import processes
from refdp.auditing.targets.outcomes import CRASHED, GARBAGE, LATE, RAISED, VALUE, Outcome, raised
from refdp.auditing.targets.pipes import exchange
from refdp.auditing.targets.target import WORKERS, Target
from refdp.auditing.targets.workers import wire

LIMITED = ("memory", "processor", "file", "core")
"""The limits that the worker puts on itself."""
PASSED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT")
"""The variables that a target inherits."""


MISSING = "ModuleNotFoundError"


class TargetError(ValueError):
    """A target cannot be started or loaded; the message says why."""


class Session:
    """A target that is being called; a context manager, so that its processes end with the block."""

    def __init__(self, target: Target) -> None:
        self.target, self.limits = target, target.limits
        self.process: subprocess.Popen[bytes] | None = None
        self.mark, self.numbers, self.starts = "", itertools.count(1), 0
        self.spent = 0.0
        self.about: dict[str, Any] = {}

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def start(self) -> None:
        """Start the process and load the target; TargetError where that fails."""
        self.close()
        self.starts += 1
        self.mark = secrets.token_hex(16)
        limits = json.dumps({name: getattr(self.limits, name) for name in LIMITED})
        command = [self.target.python, "-I", str(WORKERS / "serve.py"), self.target.family, limits]
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                start_new_session=True, env=self._environment(),
            )  # fmt: skip
        except OSError as error:
            raise TargetError(f"python must be an interpreter that starts, got {self.target.python}: {error}") from None
        outcome = self._exchange("load", dict(self.target.spec), self.limits.start)
        if outcome.kind != VALUE:
            self.close()
            raise TargetError(f"the target cannot be loaded: {outcome}{advice(self.target.family, str(outcome))}")
        self.about = outcome.value

    def close(self) -> None:
        """End the process and all that it started."""
        process, self.process = self.process, None
        if process is not None:
            processes.end(process, self.mark)

    def ask(self, what: str, value: Any = None, seconds: float | None = None) -> Outcome:
        """What comes of the operation `call`, `draw`, `map`, `check` or `handed` for a value."""
        if self.spent >= self.limits.total:
            return Outcome(LATE, text=f"all {self.limits.total:g} s of the target are spent")
        if self.process is None or self.process.poll() is not None:
            if self.starts >= self.limits.starts:
                return Outcome(CRASHED, text=f"the target was started {self.starts} times and is not started again")
            self.start()
        began = time.monotonic()
        outcome = self._exchange(what, value, min(seconds or self.limits.call, self.limits.total - self.spent))
        self.spent += time.monotonic() - began
        if not outcome.answered:
            self.close()
        return outcome

    def call(self, x: Any) -> Outcome:
        """What the target gives for an input."""
        return self.ask("call", x)

    def draw(self, x: Any, n: int) -> Outcome:
        """n draws of the target for an input, as a list."""
        if n < 1:
            raise ValueError(f"n must be >= 1, got {n}")
        outcome = self.ask("draw", (x, n))
        if outcome.kind == VALUE and not (isinstance(outcome.value, list) and len(outcome.value) == n):
            return Outcome(GARBAGE, text=f"{n} draws were asked for, got {str(outcome.value)[:80]}")
        return outcome

    def each(self, what: str, values: Sequence[Any]) -> list[Outcome]:
        """What comes of the operation for each value: in one request, or one by one where that was stopped."""
        if not values:
            return []
        whole = self.ask("each", (what, list(values)))
        if whole.kind == VALUE and _is_listed(whole.value, len(values)):
            return [Outcome(VALUE, found) if kind == VALUE else raised(found) for kind, found in whole.value]
        return list(self._singly(what, values))

    def repeat(self, x: Any, n: int) -> list[Outcome]:
        """n outcomes of calls for one input, in one request; how it was stopped, alone, where it was."""
        if n < 1:
            raise ValueError(f"n must be >= 1, got {n}")
        whole = self.ask("repeat", (x, n))
        if whole.kind != VALUE:
            return [whole]
        if not _is_listed(whole.value, n):
            return [Outcome(GARBAGE, text=f"{n} outcomes were asked for, got {str(whole.value)[:80]}")]
        return [Outcome(VALUE, found) if kind == VALUE else raised(found) for kind, found in whole.value]

    def _singly(self, what: str, values: Iterable[Any]) -> Iterable[Outcome]:
        return (self.ask(what, value) for value in values)

    def _exchange(self, what: str, value: Any, seconds: float) -> Outcome:
        """One request and its reply."""
        if self.process is None:
            return Outcome(CRASHED, text="the target is not running")
        number = next(self.numbers)
        request = {"number": number, "do": what, "value": wire.encoded(value), "seconds": seconds}
        line = exchange(self.process, json.dumps(request).encode() + b"\n", seconds, self.limits, self.mark)
        return line if isinstance(line, Outcome) else _read(line, number)

    def _environment(self) -> dict[str, str]:
        """Little of this process's environment, one thread per library, and the mark."""
        own = {name: os.environ[name] for name in PASSED if name in os.environ}
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        return own | threads | {processes.MARK: self.mark, "PYTHONHASHSEED": "0"}


def _is_listed(value: Any, count: int) -> bool:
    """Whether a reply lists that many outcomes."""
    pairs = isinstance(value, list) and len(value) == count
    return pairs and all(isinstance(v, tuple) and len(v) == 2 and v[0] in (VALUE, RAISED) for v in value)


def _read(line: bytes, number: int) -> Outcome:
    """The outcome that a line stands for; garbage if it is no reply to the request."""
    try:
        reply = json.loads(line)
        if reply["number"] != number:
            raise ValueError
        if "raised" in reply:
            return raised(wire.decoded(reply["raised"]))
        return Outcome(VALUE, wire.decoded(reply["value"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return Outcome(GARBAGE, text=f"no reply to the request: {line[:80]!r}")


def advice(family: str, said: str) -> str:
    """Where a module that was not found should have been; empty where nothing was missing."""
    if MISSING not in said:
        return ""
    if family == "function":
        return "; modules of your own are sought beside the file, or in the folders of `search`"
    return "; the interpreter that has it is named by `environment` or `python`"
