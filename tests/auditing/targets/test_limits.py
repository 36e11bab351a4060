"""Whatever a target does, a call has an outcome, nothing is left running, and the next call works."""

import math
import sys
import time
from pathlib import Path

import pytest

from refdp.auditing.targets import Limits, Session, TargetError, command, function, of_library, outcomes
from refdp.auditing.targets.processes import marked

pytestmark = pytest.mark.once

HERE = str(Path(__file__).parent)
SMALL = Limits(call=1.0, memory=2**29, reply=10_000, processes=4)


def hostile(name, limits=SMALL, **more):
    return function(f"hostile:{name}", limits=limits, search=(HERE,), **more)


@pytest.mark.parametrize(
    ("name", "bad", "kind", "good"),
    [("hangs", 1, "late", "awake"), ("crashes", 1, "crashed", "alive"), ("forges", 1, "garbage", None)],
)
def test_limits_stop_a_target_that_does_not_answer_and_start_it_again(name, bad, kind, good):
    with Session(hostile(name, Limits(call=0.3, reply=10_000))) as session:
        assert session.call(bad).kind == kind
        assert session.process is None
        if good is not None:
            assert session.call(0).value == good
            assert session.starts == 2


def test_limits_turn_what_a_target_does_into_outcomes():
    seen = {}
    for name, x in [
        ("leaves", 3), ("raises", "x"), ("prints", 5), ("eats", 2**31), ("returns_nan", 1), ("deep", 1),
        ("unprintable", 1), ("foreign", 1), ("returns_much", 20_000),
    ]:  # fmt: skip
        with Session(hostile(name)) as session:
            seen[name] = session.call(x)
    assert (seen["leaves"].kind, seen["leaves"].value) == ("raised", "SystemExit")
    assert (seen["raises"].value, seen["raises"].text) == ("LookupError", "no x")
    assert (seen["prints"].kind, seen["prints"].value) == ("value", 5)
    assert (seen["eats"].kind, seen["eats"].value) == ("raised", "MemoryError")
    nan, zero, infinite, one = seen["returns_nan"].value
    assert math.isnan(nan)
    assert (str(zero), infinite, one) == ("-0.0", math.inf, 1)
    assert seen["deep"].value == "RecursionError"
    assert (seen["unprintable"].kind, seen["unprintable"].value) == ("raised", "Unprintable")
    assert seen["foreign"].value.kind == "type"
    assert seen["returns_much"].kind == "too long"


def test_limits_count_processes_and_end_them_all():
    with Session(hostile("forks", Limits(call=10.0, processes=4))) as session:
        mark = session.mark
        assert session.call(8).kind == "too many processes"
        for _ in range(500):  # a process that was killed takes a moment to end where the machine is busy
            if not marked(mark):
                break
            time.sleep(0.02)
        assert marked(mark) == []


def test_limits_hold_for_all_calls_together():
    with Session(hostile("hangs", Limits(call=0.3, total=0.5, starts=9))) as session:
        assert [session.call(1).kind for _ in range(3)] == ["late"] * 3
        assert session.spent < 1
        assert "are spent" in session.call(0).text


def test_limits_bound_how_often_a_target_is_started():
    with Session(hostile("crashes", Limits(starts=2))) as session:
        assert [session.call(1).kind for _ in range(3)] == ["crashed"] * 3
        assert session.starts == 2


def test_limits_leave_no_process_behind_after_the_session():
    with Session(hostile("right")) as session:
        mark = session.mark
        assert len(marked(mark)) == 1
    assert marked(mark) == []


def test_sessions_ask_many_inputs_at_once_and_one_by_one_where_that_is_stopped():
    with Session(hostile("crashes")) as session:
        assert [o.value for o in session.each("call", [0, 0])] == ["alive", "alive"]
        assert [o.kind for o in session.each("call", [0, 1, 0])] == ["value", "crashed", "value"]
        assert session.each("call", []) == []


def test_sessions_draw_in_batches_and_refuse_another_number_of_draws():
    with Session(hostile("drawn", batched=True)) as session:
        assert session.draw(5, 3).value == [5, 6, 7]
        assert session.call(5).value == 5
        with pytest.raises(ValueError, match="n must be >= 1, got 0"):
            session.draw(5, 0)
    with Session(hostile("right")) as session:
        assert session.draw(5, 3).value == [5, 5, 5]
    with Session(hostile("few_drawn", batched=True)) as session:
        assert session.draw(5, 3).kind == "garbage"


@pytest.mark.parametrize(
    "target",
    [
        function("hostile:missing", search=(HERE,)),
        function("no_such_module:f"),
        function("hostile:right", search=(HERE,), python="/no/such/python"),
        function("hostile:right", search=(HERE,), python="/bin/false"),
        of_library("opendp", "t.make_count(1)", sys.executable),
        command("cat", reads="numbers"),
    ],
)
def test_sessions_say_why_a_target_cannot_be_loaded(target):
    with pytest.raises(TargetError, match=r"target cannot be loaded|python must be"), Session(target):
        pass


def test_commands_read_a_line_and_write_a_line():
    with Session(command("cat", reads="floats")) as session:
        assert session.call([0.1, -0.0, 3]).value == [0.1, -0.0, 3.0]
        assert session.draw([1.5], 2).value == [[1.5], [1.5]]
    with Session(command("cat", reads="int")) as session:
        assert session.call(2**80).value == 2**80
        assert "is not int: 1.5" in session.call(1.5).text


def test_commands_that_end_say_so_and_are_started_again():
    with Session(command("head", "-n", "1", reads="int")) as session:
        assert session.call(1).value == 1
        assert [session.call(2).kind for _ in range(4)] == ["raised", "value"] * 2
    with Session(command("true", reads="int")) as session:
        assert session.call(1).kind == "raised"


def test_exceptions_of_limits_say_nothing_of_the_function_whatever_their_type():
    for kind, text in [
        ("MemoryError", ""), ("OSError", "file too large"), ("RuntimeError", "can't start new thread"),
        ("RuntimeError", "[enforce fail] DefaultCPUAllocator: not enough memory: you tried to allocate"),
        ("ComputeError", "Cannot allocate memory (os error 12)"),
    ]:  # fmt: skip
        found = outcomes.raised((kind, text))
        assert found.answered
        assert not found.tells
    assert outcomes.raised(("ValueError", "the sum overflows")).tells
