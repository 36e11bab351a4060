"""The precision that flint has for the whole process, across forks: a child waits for no thread that it left behind."""

import os
import signal
from collections.abc import Callable
from contextlib import contextmanager
from fractions import Fraction
from threading import Event, RLock, Thread

import pytest
from flint import ctx

from refdp.numerics import enclosures
from refdp.numerics.enclosures import enclose, precision
from refdp.terms.reading import read

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="forks"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning"),
]
SECONDS = 10
T = read("exp(x) / (1 + ln(2 + x))")


def in_a_child(work: Callable[[], object]) -> str:
    """What repr(work()) is in a forked child; an alarm ends one that waits for ever."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(SECONDS)
            os.write(writer, repr(work()).encode())
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader) as answer:
        said = answer.read()
    status = os.waitpid(child, 0)[1]
    return said if status == 0 else f"ended by {status}"


@contextmanager
def another_thread_inside(bits: int):
    """While this lasts, another thread is inside `precision`."""
    inside, leave = Event(), Event()

    def stay() -> None:
        with precision(bits):
            inside.set()
            leave.wait()

    thread = Thread(target=stay)
    thread.start()
    inside.wait()
    try:
        yield
    finally:
        leave.set()
        thread.join()


def enclosed(bits: int) -> object:
    found = enclose(T, {"x": Fraction(1, 3)}, bits)
    return found.lower, found.upper


def test_what_another_thread_began_is_over_in_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """The precision is that from before all of it, to which no later child returns once more; the lock is free."""
    before, lock, held, leave = ctx.prec, RLock(), Event(), Event()

    def hold() -> None:
        with lock:
            held.set()
            leave.wait()

    thread = Thread(target=hold)
    thread.start()
    held.wait()
    left = [70, 333, 900]
    monkeypatch.setattr(enclosures, "_PRECISION", lock)
    monkeypatch.setattr(enclosures, "_BEFORE", left)
    try:
        enclosures._leave_behind()
        assert ctx.prec == 70
        assert left == []
        assert enclosures._PRECISION is not lock
        with precision(120):
            assert ctx.prec == 120
        assert ctx.prec == 70
    finally:
        ctx.prec = before
        leave.set()
        thread.join()


def test_a_child_works_while_a_thread_of_its_parent_is_inside() -> None:
    before, expected = ctx.prec, repr(enclosed(90))
    with another_thread_inside(333):
        assert ctx.prec == 333
        assert in_a_child(lambda: enclosed(90)) == expected
        assert in_a_child(lambda: ctx.prec) == repr(before)
    assert ctx.prec == before


def test_a_child_forked_inside_keeps_its_precision_and_leaves_it() -> None:
    def work() -> list[int]:
        seen = [ctx.prec]
        with precision(77):
            seen.append(ctx.prec)
        return [*seen, ctx.prec]

    with precision(222):
        assert in_a_child(work) == "[222, 77, 222]"


def test_a_child_forked_inside_leaves_the_lock_to_its_other_threads() -> None:
    before = ctx.prec

    def in_another_thread() -> list[int]:
        found: list[int] = []
        thread = Thread(target=lambda: found.append(ctx.prec if enclosed(64) else 0))
        thread.start()
        thread.join()
        return found

    def forked_inside() -> str:
        with precision(444):
            child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)
            os._exit(0 if in_another_thread() == [before] else 1)
        return str(os.waitpid(child, 0)[1])

    assert in_a_child(forked_inside) == "'0'"


def test_a_child_of_a_child_works_too() -> None:
    expected = repr(enclosed(64))
    with another_thread_inside(100):
        assert in_a_child(lambda: in_a_child(lambda: enclosed(64))) == repr(expected)
