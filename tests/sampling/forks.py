"""What this process and its children draw, however these are forked: by Python, and below it."""

import ctypes
import os
import signal
from collections.abc import Callable

import pytest

forks = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
"""The child only draws, writes and exits, which is safe whatever threads the test runner has."""
SECONDS = 60
"""Until a child that hangs is ended."""
NEW_PID_NAMESPACE = 0x20000000
"""CLONE_NEWPID of <sched.h>: the next child is process 1 of a namespace of its own."""


def fork_below_python() -> int:
    """fork() of the C library, as a server calls it: no hook of Python runs."""
    return int(ctypes.PyDLL(None).fork())  # with the interpreter's lock held, so that the child holds it


def fork_into_namespace() -> int:
    """The same; the child is process 1 of a new PID namespace.  PermissionError where that is not allowed."""
    library = ctypes.PyDLL(None, use_errno=True)
    if library.unshare(NEW_PID_NAMESPACE):
        raise PermissionError(ctypes.get_errno(), "no new PID namespace is allowed here")
    return int(library.fork())


def drawn_in_child(draw: Callable[[], bytes], fork: Callable[[], int] = os.fork) -> bytes:
    """What `draw` gives in a child."""
    reader, writer = os.pipe()
    child = fork()
    if child == 0:
        try:
            signal.alarm(SECONDS)
            content = draw()
            while content:
                content = content[os.write(writer, content) :]
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        found = answer.read()
    os.waitpid(child, 0)
    return found


def drawn_after_fork(draw: Callable[[], bytes], fork: Callable[[], int] = os.fork) -> tuple[bytes, bytes]:
    """What `draw` gives here and in the child."""
    there = drawn_in_child(draw, fork)
    return draw(), there
