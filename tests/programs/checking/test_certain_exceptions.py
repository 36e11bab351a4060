"""An exception that is certain where public values meet is not lost with the path that it ends."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from refdp.programs.checking.alignment import Alignment
from refdp.programs.checking.proof import check
from refdp.programs.execution import Execution, Path
from refdp.programs.language.reading import programs_in
from refdp.programs.syntax import Branch, Emit, Loop, Require
from refdp.terms.leaves import TRUE, rational, variable
from refdp.terms.operations import less

HEAD = "from refdp.programs import ALL, claim, laplace\n"
ONCE = """
    if {condition}:
        if s > 0:
            return True
        assert s > 0
        if s > 0:
            return True
        return True
    return True
"""
ROUNDS = """
    for x in q:
        if x > 0:
            if s == 0:
                y = 1 / s
                if s == 0:
                    yield True
                else:
                    yield True
            else:
                yield True
        else:
            yield True
"""
RAISING = [
    ("x: float, s: float", ONCE.format(condition="x > 0"), 0),
    ("x: float, s: float", ONCE.format(condition="x + laplace(1) > 0"), 0),
    ("bit: bool, s: float", ONCE.format(condition="bit"), 0),
    ("q, s: float", ROUNDS, 1),
]


@pytest.mark.parametrize(("data", "body", "loops"), RAISING)
def test_what_raises_on_some_data_and_releases_on_others_is_not_proved(data: str, body: str, loops: int) -> None:
    """Where s is not positive the data decide whether the program raises; both runs release the same otherwise."""
    text = f'{HEAD}\n\n@claim(epsilon="0", adjacency=ALL)\ndef program({data}):{body}'
    (program,) = programs_in(text, "file.py")
    nothing = Alignment({}, invariants=dict.fromkeys(range(1, loops + 1), TRUE))
    assert check(program, program.claims[0], [nothing], ("z3",), 20.0).verdict == "UNKNOWN"
    assert check(program, program.claims[0], [], ("z3",), 20.0).verdict == "UNKNOWN"
    (allowed,) = programs_in(text.replace("=ALL", '=ALL, where="s > 0"'), "file.py")
    assert check(allowed, allowed.claims[0], [nothing], ("z3",), 20.0).verdict == "PROVED"


POSITIVE = less(rational(0), variable("s", "Real"))


@pytest.mark.parametrize("last", [Branch(POSITIVE, (), (), 2), Emit((POSITIVE,)), Loop("k", None, None, (), POSITIVE)])
def test_a_path_that_says_both_goes_one_way_and_keeps_what_it_requires(last: Branch | Emit | Loop) -> None:
    asserted = Branch(POSITIVE, (), (Require(POSITIVE, "s > 0 does not hold"), last), 1)
    execution = Execution(lambda place, path: place)
    positive, raised = (path for path, _ in execution.block((asserted,), Path({})))
    assert not positive.required
    assert [needed for needed, _ in raised.required] == [POSITIVE]


TESTS = ("x > 0", "s > 0", "s > 0")


def lines(random: Random, depth: int) -> Iterator[str]:
    """Statements of a random body: tests of the data and of a public number, assertions about that, and returns."""
    for _ in range(random.randint(2, 3)):
        if depth < 3 and random.random() < 0.6:
            yield f"if {random.choice(TESTS)}:"
            yield from (f"    {line}" for line in lines(random, depth + 1))
        elif random.random() < 0.5:
            yield f"assert {random.choice(TESTS[1:])}"
        else:
            yield f"return {random.choice(('True', 'True', 'True', 'False'))}"
            return


def outcome(text: str, x: float, s: float) -> Any:
    """What Python makes of it."""
    names: dict[str, Any] = {}
    exec(compile(text, "program", "exec", optimize=0), names)
    try:
        return names["program"](x, s)
    except AssertionError:
        return "raised"


def test_of_random_assertions_and_branches_none_is_proved_that_raises_or_depends_on_data() -> None:
    """The claim is epsilon 0; without draws Python shows, at a few values of s, what is true of each program."""
    random, seen = Random("raised"), Counter[tuple[str, bool]]()
    for _ in range(30):
        body = "\n    ".join([*lines(random, 0), "return True"])
        text = f"def program(x, s):\n    {body}\n"
        pairs = [{outcome(text, x, s) for x in (-1.0, 1.0)} for s in (-1.0, 0.0, 0.5, 1.0, 2.0)]
        is_true = all(len(both) == 1 and "raised" not in both for both in pairs)
        claimed = text.replace("(x, s)", "(x: float, s: float)")
        (program,) = programs_in(f'{HEAD}\n\n@claim(epsilon="0", adjacency=ALL)\n{claimed}', "file.py")
        found = check(program, program.claims[0], [Alignment({})], ("z3",), 20.0).verdict
        seen[found, is_true] += 1
        assert is_true or found != "PROVED", text
    assert seen["PROVED", True] > 5
    assert seen["UNKNOWN", False] > 5
