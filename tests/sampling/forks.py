"""What this process and a child that is forked just before draw."""

import os
from collections.abc import Callable

import pytest

forks = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
"""The child only draws, writes and exits, which is safe whatever threads the test runner has."""


def drawn_after_fork(draw: Callable[[], bytes]) -> tuple[bytes, bytes]:
    """What `draw` gives here and in the child; at most 4096 octets."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, draw())
        os._exit(0)
    here, there = draw(), os.read(reader, 4096)
    os.waitpid(child, 0)
    os.close(reader)
    os.close(writer)
    return here, there
