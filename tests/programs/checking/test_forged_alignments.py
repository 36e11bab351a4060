"""Alignments that are wrong, or more than an alignment may be, prove nothing."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from refdp.programs.checking.alignment import Alignment, Group, Observation, Others, Shift, WeightList
from refdp.programs.checking.proof import Checked, check
from refdp.programs.language.reading import programs_in
from refdp.terms.leaves import TRUE, integer, rational, variable
from refdp.terms.operations import at_most, conjunction, equal, less, logarithm, multiply, negate, subtract
from refdp.terms.term import Term

HEAD = "from refdp.programs import *\n"
EPSILON = variable("epsilon", "Real")
ONE_REAL, NOTHING = Observation(1, 1, (("Real",),)), Observation(1, 1)
ZERO = rational(0)


def real(name: str) -> Term:
    return variable(name, "Real")


def checked(body: str, *alignments: Alignment) -> Checked:
    (program,) = programs_in(HEAD + body, "file.py")
    return check(program, program.claims[0], alignments, ("z3",), 20.0)


def group(bound: int | Fraction, rate: Term = EPSILON) -> Group:
    return Group(rate, rational(bound))


ANSWERS = """
@claim(epsilon="{claim}", adjacency=ONE)
def program(q, epsilon):
    for x in q:
        yield x + laplace(1 / epsilon)
"""
FOLLOWED = {(1, ONE_REAL): Shift(negate(real("change.0")))}
SPENT = {1: conjunction(at_most(real("cost.0"), real("budget.spent")), at_most(real("budget.spent"), rational(1)))}


def answers(claim: str = "epsilon", **changes: Any) -> Checked:
    parts: dict[str, Any] = {
        "shifts": FOLLOWED, "groups": (group(1),), "charges": {1: (0, Fraction(1))}, "invariants": SPENT,
    }  # fmt: skip
    return checked(ANSWERS.format(claim=claim), Alignment(**(parts | changes)))


def test_the_alignment_that_is_forged_below_proves_what_is_true() -> None:
    assert answers().verdict == "PROVED"


@pytest.mark.parametrize(
    "changes",
    [
        {"claim": "epsilon*9/10"},
        {"shifts": {}},
        {"groups": (group(Fraction(9, 10)),)},
        {"groups": (group(1, multiply(rational(Fraction(9, 10)), EPSILON)),)},
        {"groups": (group(1, negate(EPSILON)),)},
        {"groups": (group(1), group(-1, EPSILON))},
        {"groups": (group(1), group(-1, EPSILON)), "charges": {1: (-2, Fraction(1))}},
        {"groups": (group(0),), "charges": {1: (-1, Fraction(1))}, "invariants": {1: equal(real("cost.0"), ZERO)}},
        {"charges": {}},
        {"charges": {1: (0, Fraction(0))}},
        {"charges": {1: (0, Fraction(-1))}},
        {"charges": {1: (0, Fraction(1, 2))}},
        {"charges": {1: (1, Fraction(1))}},
        {"invariants": {}},
        {"invariants": {1: TRUE}},
        {"invariants": {1: less(ZERO, ZERO)}},
        {"invariants": {1: equal(real("draw.1"), ZERO)}},
        {"invariants": {1: equal(real("data.0"), real("other.0"))}},
        {"shifts": {(1, ONE_REAL): Shift(negate(real("draw.1")))}},
        {"shifts": {(1, ONE_REAL): Shift(subtract(real("x.1"), real("x.2")))}},
        {"shifts": {(1, ONE_REAL): Shift(negate(real("cost.0")))}},
        {"shifts": {(1, ONE_REAL): Shift(negate(real("rest.1")))}},
        {"shifts": {(1, ONE_REAL): Shift(negate(variable("released.last", "Int")))}},
        {"shifts": {(1, ONE_REAL): Shift(TRUE)}},
        {"others": Others(1, real("draw.1")), "shifts": {(1, ONE_REAL): Shift(negate(real("rest.1")))}},
    ],
)
def test_no_forged_alignment_is_believed(changes: Mapping[str, Any]) -> None:
    assert answers(**changes).verdict == "UNKNOWN"


def test_a_shift_that_looks_ahead_is_refused() -> None:
    """The state at the head of the loop is known; what the round itself draws first is not."""
    body = """
@claim(epsilon="epsilon", adjacency=ALL)
def program(q, epsilon):
    for x in q:
        a = laplace(1 / epsilon)
        yield x + laplace(1 / epsilon) + a
"""
    shifts = {(1, ONE_REAL): Shift(negate(real("draw.2"))), (2, ONE_REAL): Shift(real("draw.1"))}
    groups, charges = (group(1),), {1: (0, Fraction(1)), 2: (0, Fraction(1))}
    found = checked(body, Alignment(shifts, groups, charges, invariants={1: TRUE}))
    assert "must speak of data and of earlier draws" in found.reason


@pytest.mark.parametrize("name", ["cost", "rest", "others", "draw", "data", "change", "public", "other"])
def test_variables_that_are_called_as_the_checker_calls_its_own_are_told_apart(name: str) -> None:
    """With three groups there are cost.1 and cost.2, which are no runs of a variable cost."""
    body = f"""
@claim(epsilon="0", adjacency=ALL)
def program(q, epsilon):
    {name} = 0
    for x in q:
        {name} += x
    return {name}
"""
    kept = conjunction(*(equal(real(f"cost.{k}"), ZERO) for k in range(3)))
    assert checked(body, Alignment({}, (group(0),) * 3, invariants={1: kept})).verdict == "UNKNOWN"


def test_a_parameter_that_is_called_as_an_element_of_the_data_changes_no_adjacency() -> None:
    body = """
@claim(epsilon="epsilon", adjacency=ALL, given={"old": 0})
def program(x, epsilon, old):
    return max(-1, min(1, x)) + laplace(1 / epsilon)
"""
    assert checked(body, Alignment({}, (group(0),), {})).verdict == "UNKNOWN"


STREAM = """
@claim(epsilon="epsilon", adjacency=ALL)
def program(x, epsilon, N):
    while True:
        yield x + laplace(1 / epsilon)
"""


@pytest.mark.parametrize("bound", [0, 1, 1000])
def test_a_stream_that_never_ends_is_charged_for_what_it_has_released(bound: int) -> None:
    """No run has an end at which the charges could be counted, yet every answer is seen."""
    shifts = {(1, ONE_REAL): Shift(subtract(real("x.1"), real("x.2")))}
    near = conjunction(
        at_most(subtract(real("x.1"), real("x.2")), rational(1)),
        at_most(subtract(real("x.2"), real("x.1")), rational(1)),
    )
    alignment = Alignment(shifts, (group(bound),), {1: (0, Fraction(1))}, invariants={1: near})
    assert checked(STREAM, alignment).reason.endswith("charges")


def test_a_stream_that_tells_nothing_is_proved() -> None:
    body = STREAM.replace("x + laplace", "laplace")
    assert (
        checked(body, Alignment({}, (group(0),), {}, invariants={1: equal(real("cost.0"), ZERO)})).verdict == "PROVED"
    )


WEIGHTS = """
@claim(epsilon="epsilon", adjacency=ONE)
def program(q, epsilon):
    for x in q:
        yield x + laplace(1 / (100 * epsilon))
    weights = []
    if len(q) > 1000:
        weights.append(exp(epsilon))
    yield choice(weights)
"""


@pytest.mark.parametrize(("low", "high"), [(1, -98), (-1, -100), (0, -1)])
def test_weights_that_would_pay_charges_back_are_refused(low: int, high: int) -> None:
    spent = conjunction(
        at_most(real("cost.0"), multiply(rational(100), real("budget.spent"))),
        at_most(real("budget.spent"), rational(1)),
    )
    lists = {"weights": WeightList(0, Fraction(low), Fraction(high))}
    alignment = Alignment(FOLLOWED, (group(1),), {1: (0, Fraction(100))}, lists, invariants={1: spent})
    assert checked(WEIGHTS, alignment).verdict == "UNKNOWN"


FLIPPED = """
@claim(epsilon="{claim}", adjacency=ALL, given={{"p": "{p}"}})
def program(x: bool, p):
    return x != bernoulli(p)
"""


@pytest.mark.parametrize(
    ("claim", "p", "rate"),
    [("ln(2)", "1/4", 2), ("ln(3)", "1/5", 3), ("ln(3)", "1", 3), ("ln(3)", "0", 3), ("0", "1/2", Fraction(1, 2))],
)
def test_odds_that_are_too_small_are_refused(claim: str, p: str, rate: int) -> None:
    flips = {site: Shift(TRUE) for site in _sites(1, "True", "False")}
    odds = Group(logarithm(rational(rate)), rational(1))
    assert (
        checked(FLIPPED.format(claim=claim, p=p), Alignment(flips, (odds,), {1: (0, Fraction(1))})).verdict == "UNKNOWN"
    )


def _sites(site: int, *released: str) -> Sequence[tuple[int, Observation]]:
    return [(site, Observation(0, -1, ((one,),))) for one in released]


POSITIVE = """
@claim(epsilon="epsilon", adjacency=ALL)
def program(x, epsilon):
    return x + exponential(1 / epsilon)
"""


@pytest.mark.parametrize("sign", [1, -1])
def test_a_draw_that_cannot_be_is_refused(sign: int) -> None:
    """Half of the changes ask for a negative exponential draw."""
    shifts = {(1, Observation(0, -1, (("Real",),))): Shift(multiply(integer(sign), real("change.0")))}
    assert checked(POSITIVE, Alignment(shifts, (group(1),), {1: (0, Fraction(1))})).verdict == "UNKNOWN"


def test_integers_are_shifted_by_integers_alone() -> None:
    body = """
@claim(epsilon="epsilon", adjacency=ALL)
def program(x, epsilon):
    return x + discrete_laplace(1 / epsilon)
"""
    shifts = {(1, Observation(0, -1, (("Real",),))): Shift(negate(real("change.0")))}
    found = checked(body, Alignment(shifts, (group(1),), {1: (0, Fraction(1))}))
    assert "cannot be shifted" in found.reason


def test_a_scale_that_changes_is_refused() -> None:
    body = """
@claim(epsilon="epsilon", adjacency=ALL)
def program(x, epsilon):
    b = epsilon
    z = 0
    for i in range(2):
        z = z + laplace(b)
        b = b / 100
    return z
"""
    positive = conjunction(*(less(ZERO, real(name)) for name in ("b.1", "b.2")), equal(real("z.1"), real("z.2")))
    found = checked(body, Alignment({}, invariants={1: positive}))
    assert "must be of public parameters" in found.reason
