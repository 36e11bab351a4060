"""An exception that is certain where public values meet is not lost with the path that it ends."""

import pytest

from refdp.logic.operations import less
from refdp.logic.terms import TRUE, rational, variable
from refdp.programs.checking.alignment import Alignment
from refdp.programs.checking.proof import check
from refdp.programs.execution import Execution, Path
from refdp.programs.language.reading import programs_in
from refdp.programs.syntax import Branch, Emit, Loop, Require

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
