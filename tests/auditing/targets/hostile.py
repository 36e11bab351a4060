"""Targets that misbehave, each in one way; run in a worker only."""

import os
import subprocess
import sys
import time


def right(x):
    return x


def hangs(x):
    while x:
        time.sleep(1)
    return "awake"


def crashes(x):
    if x:
        os.abort()
    return "alive"


def leaves(x):
    raise SystemExit(x)


def raises(x):
    raise LookupError(f"no {x}")


def prints(x):
    print('{"number": 2, "value": "forged"}', flush=True)
    os.write(1, b"\x00\xff garbage\n")
    return x


def forges(x):
    """Writes to every pipe that it can find, as a reply would be written."""
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"not a reply\n")
        except OSError:
            continue
    return x


def eats(x):
    return len(bytearray(x))


def returns_nan(x):
    return [float("nan"), -0.0, float("inf"), x]


def returns_much(x):
    return "a" * x


def forks(count):
    """Starts processes of which the second half leaves its parent and its group."""
    for i in range(count):
        subprocess.Popen([sys.executable, "-I", "-c", "import time; time.sleep(60)"], start_new_session=i % 2 == 1)
    time.sleep(30)


def deep(x):
    return deep(x) + 1


def drawn(x, n):
    return [x + i for i in range(n)]


def few_drawn(x, n):
    return [x] * (n - 1)


def half(d_in):
    return d_in / 2


class Unprintable(Exception):
    def __str__(self):
        raise ValueError("no text")


def unprintable(x):
    raise Unprintable


def foreign(x):
    return object


CALLS = 0


def counts(x):
    """Not a function: it gives another number each time."""
    global CALLS
    CALLS += 1
    return CALLS
