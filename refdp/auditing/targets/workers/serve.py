"""The side of a target: `python -I serve.py FAMILY LIMITS`; one JSON object a line, requests in, replies out.

The reply to a request carries its number and either `value` or `raised`.  What the target prints goes to the standard
error, so that it cannot be taken for a reply.  Only the standard library of Python 3.9 is needed.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import signal
import sys
from typing import Any

LONGEST_TEXT = 500
"""Most characters of what an exception says."""
OVERDUE = 5.0
"""Seconds past the time limit after which a worker that nobody killed ends itself."""
GENERAL = {
    "timed": ("drawing", "draw"), "seeded": ("drawing", "draw"), "forked": ("drawing", "draw"),
    "tapes": ("tapes", "program"),
}  # fmt: skip
"""Operation -> the module that works it out, and the target's own operation that it needs for that."""
SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of Linux: orphans of the target become children of this process and are found."""


def main(family: str, limits: dict[str, Any]) -> None:
    """Answer requests until the input ends."""
    output, source = _private(1, 2), _private(0, None)
    _limit(limits)
    _adopt_orphans()
    wire, server = sibling("wire"), Server(sibling(family), limits)
    with os.fdopen(source, encoding="utf-8") as lines, os.fdopen(output, "w", encoding="utf-8") as replies:
        for line in lines:
            request = json.loads(line)
            signal.setitimer(signal.ITIMER_REAL, request["seconds"] + OVERDUE)
            reply = {"number": request["number"], **answered(server, request, wire)}
            signal.setitimer(signal.ITIMER_REAL, 0)
            replies.write(json.dumps(reply) + "\n")
            replies.flush()


class Server:
    """What was loaded last, and how each request is answered."""

    def __init__(self, family: Any, limits: dict[str, Any]) -> None:
        self.family, self.limits = family, limits
        self.operations: dict[str, Any] = {}

    def load(self, spec: Any) -> Any:
        """Build the target; the text that says what it is."""
        self.operations = self.family.load(spec, sibling("building"))
        return self.operations.pop("about")

    def each(self, spec: Any) -> Any:
        """The outcome of an operation on each of many values: a pair, "value" or "raised" first."""
        name, values = spec
        return [self._one(name, value) for value in values]

    def repeat(self, spec: Any) -> Any:
        """The outcomes of so many calls for one value."""
        value, count = spec
        return [self._one("call", value) for _ in range(count)]

    def _one(self, name: str, value: Any) -> Any:
        try:
            return ("value", self.operations[name](value))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit, and Rust's PanicException
            return ("raised", said(error))

    def answer(self, what: str, value: Any) -> Any:
        """What the operation gives for the value; LookupError where the target has no such operation."""
        if what in ("load", "each", "repeat"):
            return getattr(self, what)(value)
        module, needed = GENERAL.get(what, ("", what))
        if needed not in self.operations:
            raise LookupError(f"the target has no operation {needed}")
        if module:
            return getattr(sibling(module), what)(self.operations, value, sibling("wire"))
        return self.operations[what](value)


def answered(server: Server, request: dict[str, Any], wire: Any) -> dict[str, Any]:
    """The value of a request, or what it raised."""
    try:
        return {"value": wire.encoded(server.answer(request["do"], wire.decoded(request["value"])))}
    except Exception as error:
        return {"raised": wire.encoded(said(error))}
    except BaseException as error:  # SystemExit, and Rust's PanicException: they would end the worker
        if isinstance(error, KeyboardInterrupt):
            raise
        return {"raised": wire.encoded(said(error))}


def said(error: BaseException) -> tuple[str, str]:
    """The type of an exception and what it says."""
    try:
        text = str(error)
    except Exception:
        text = "(it cannot be printed)"
    return type(error).__name__, text[:LONGEST_TEXT]


def sibling(name: str) -> Any:
    """The module of that name beside this file, loaded by path: the folder is never searched for libraries."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location("refdp_worker_" + name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _private(descriptor: int, instead: int | None) -> int:
    """A copy of a descriptor for this process alone; the usual one becomes `instead`, or nothing."""
    own = os.dup(descriptor)
    other = os.open(os.devnull, os.O_RDWR) if instead is None else os.dup(instead)
    os.dup2(other, descriptor)
    os.close(other)
    return own


def _limit(limits: dict[str, Any]) -> None:
    """Bound memory, processor time and files of this process and of those it starts."""
    if sys.platform == "win32":
        return
    import resource

    wanted = {"RLIMIT_AS": "memory", "RLIMIT_CPU": "processor", "RLIMIT_FSIZE": "file", "RLIMIT_CORE": "core"}
    for name, key in wanted.items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        limit = int(limits[key]) if hard == resource.RLIM_INFINITY else min(int(limits[key]), hard)
        resource.setrlimit(kind, (limit, hard))


def _adopt_orphans() -> None:
    """On Linux, processes whose parent ended become this process's children, so that they are found and ended."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
