"""No draw of a second run differs from that of the first unless the difference was charged."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from refdp.programs.checking.alignment import Alignment, Group, Observation, Others, Shift, WeightList
from refdp.programs.checking.charges import drawable, followed
from refdp.programs.checking.proof import Checked, check
from refdp.programs.checking.public import Refused, public
from refdp.programs.execution import Drawn
from refdp.programs.judging import judge
from refdp.programs.language.reading import programs_in
from refdp.programs.question import Question
from refdp.programs.steps import stepwise
from refdp.programs.syntax import Family
from refdp.terms.leaves import TRUE, integer, rational, variable
from refdp.terms.operations import negate, negation
from refdp.terms.term import Term

HEAD = "from refdp.programs import *\n"
REAL, FREE = Observation(0, -1, (("Real",),)), Group(rational(0), rational(0))
ANSWER = """
@claim(epsilon="0", adjacency=ALL)
def program(x, epsilon):
    return x + laplace(1 / (1000000 * epsilon))
"""
FALSE_CLAIMS = [
    ('epsilon="0", adjacency=ALL, where="0 < f and f < 1"', "bit: bool, f: float", "return bit != bernoulli(f)"),
    ('epsilon="epsilon", adjacency=ALL', "bit: bool, epsilon", "return bit != bernoulli(0)"),
    ('epsilon="epsilon", adjacency=ALL', "bit: bool, epsilon", "return bit != bernoulli(1)"),
    ('epsilon="epsilon", adjacency=ALL', "bit: bool, epsilon", "return bit != bernoulli(1/(1 + epsilon))"),
    ('epsilon="0", adjacency=ALL, where="0 < f and f < 1"', "q: list[bool], f: float",
     "for x in q:\n        yield x != bernoulli(f)"),
    ('epsilon="epsilon", adjacency=ALL, where="s < 0"', "x: float, epsilon, s: float", "return x + laplace(-s)"),
    ('epsilon="epsilon", adjacency=ALL, where="s < 0"', "x: int, epsilon, s: float", "return x + discrete_laplace(-s)"),
    ('epsilon="epsilon", adjacency=MONO, where="s < 0"', "x: float, epsilon, s: float", "return x + exponential(-s)"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "parameters", "body"), FALSE_CLAIMS)
def test_what_no_group_can_be_charged_for_is_not_proved(claim: str, parameters: str, body: str) -> None:
    source = f"{HEAD}\n@claim({claim})\ndef program({parameters}):\n    {body}\n"
    asked = Question(source, "program", 0)
    assert judge(asked, *asked.read(), 10.0).verdict != "PROVED"


def answered(**parts: Any) -> Checked:
    (program,) = programs_in(HEAD + ANSWER, "file.py")
    whole = {"shifts": {(1, REAL): Shift(negate(variable("change.0", "Real")))}} | parts
    return check(program, program.claims[0], [Alignment(**whole)], ("z3",), 20.0)


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"groups": (FREE,)},
        {"groups": (FREE,), "charges": {2: (0, Fraction(1))}},
        {"groups": (FREE,), "charges": {1: (0, Fraction(1))}},
        {"charges": {1: (0, Fraction(1))}},
        {"groups": (FREE,), "charges": {1: (1, Fraction(1))}},
        {"groups": (FREE,), "charges": {1: (-1, Fraction(1))}},
        {"groups": (FREE,), "lists": {"1": WeightList(0, Fraction(0), Fraction(0))}},
    ],
)
def test_a_shift_that_is_charged_to_nothing_proves_nothing(parts: Mapping[str, Any]) -> None:
    assert answered(**parts).verdict == "UNKNOWN"


SHIFTS: list[tuple[Family, Term]] = [
    ("laplace", rational(1)), ("discrete_laplace", integer(1)), ("exponential", rational(1)), ("bernoulli", TRUE),
]  # fmt: skip


def draw(family: Family, *parameters: Term, weights: str | None = None) -> Drawn:
    sort = {"bernoulli": "Bool", "discrete_laplace": "Int", "uniform": "Int", "choice": "Int"}.get(family, "Real")
    return Drawn(1, family, parameters, variable("draw.1", sort), weights)  # type: ignore[arg-type]


@pytest.mark.parametrize(("family", "shift"), SHIFTS)
@pytest.mark.parametrize("groups", [(), (FREE,)])
def test_no_second_draw_is_given_away_without_its_charge(
    family: Family, shift: Term, groups: tuple[Group, ...]
) -> None:
    with pytest.raises(Refused, match="must be charged"):
        followed(draw(family, rational(1)), shift, Alignment({}, groups))
    with pytest.raises(Refused, match="one of the groups"):
        followed(draw(family, rational(1)), shift, Alignment({}, groups, {1: (len(groups), Fraction(1))}))


@pytest.mark.parametrize(("family", "shift"), SHIFTS)
def test_a_second_draw_comes_with_its_charge(family: Family, shift: Term) -> None:
    found = followed(draw(family, rational(1)), shift, Alignment({}, (FREE,), {1: (0, Fraction(1))}))
    assert found.charge is not None
    assert found.charge[0] == 0
    assert found.second != draw(family).variable
    if family == "bernoulli":
        assert found.second == negation(draw(family).variable)


@pytest.mark.parametrize("groups", [(), (FREE,)])
def test_a_choice_from_a_list_is_never_free(groups: tuple[Group, ...]) -> None:
    """It is charged though it is not shifted: its law changes."""
    chosen = draw("choice", weights="weights")
    for lists in ({}, {"other": WeightList(0, Fraction(0), Fraction(0))}):
        with pytest.raises(Refused, match="must be charged"):
            followed(chosen, integer(0), Alignment({}, groups, {}, lists))
    spread = {"weights": WeightList(len(groups), Fraction(0), Fraction(1))}
    with pytest.raises(Refused, match="one of the groups"):
        followed(chosen, integer(0), Alignment({}, groups, {}, spread))


@pytest.mark.parametrize("family", ["gaussian", "choice"])
def test_what_has_no_shift_is_refused_one(family: Family) -> None:
    with pytest.raises(Refused, match="cannot be shifted"):
        followed(draw(family, rational(1)), rational(1), Alignment({}, (FREE,), {1: (0, Fraction(1))}))


def test_a_uniform_draw_is_between_integers() -> None:
    (program,) = programs_in(HEAD + ANSWER, "file.py")
    shared = public(program, program.claims[0], ())
    with pytest.raises(Refused, match="between integers"):
        list(drawable(draw("uniform", rational(0), rational(Fraction(3, 2))), shared))


@pytest.mark.parametrize(
    "parts",
    [
        {"shifts": {(2, REAL): Shift(rational(1))}},
        {"shifts": {(1, Observation(0, -1, (("Int",),))): Shift(rational(1))}},
        {"shifts": {}, "charges": {7: (0, Fraction(1))}, "groups": (FREE,)},
        {"shifts": {}, "lists": {"w": WeightList(0, Fraction(0), Fraction(0))}, "groups": (FREE,)},
        {"shifts": {}, "item": -1},
        {"shifts": {}, "item": 0, "others": Others(1, rational(0))},
        {"shifts": {}, "others": Others(0, rational(0))},
        {"shifts": {(1, REAL): Shift(rational(0), rational(0))}},
        {"shifts": {}, "invariants": {1: TRUE}},
    ],
)
def test_an_alignment_speaks_of_the_program_alone(parts: Mapping[str, Any]) -> None:
    assert " must " in answered(**parts).reason


@pytest.mark.parametrize(
    "noise",
    ["laplace(s)", "discrete_laplace(s)", "exponential(s)", "gaussian(s)", "bernoulli(s)", "choice([1, s])"],
)
def test_a_draw_that_is_charged_nothing_must_exist_all_the_same(noise: str) -> None:
    """Where s < 0 there is no such draw: a claim of it is not proved, though the data are not even looked at."""
    body = f'\n@claim(epsilon="0", adjacency=ALL)\ndef program(x, s: float):\n    return {noise}\n'
    (program,) = programs_in(HEAD + body, "file.py")
    assert any(step.path.drawn for step in stepwise(program).steps)
    assert check(program, program.claims[0], [Alignment({})], ("z3",), 20.0).verdict == "UNKNOWN"
