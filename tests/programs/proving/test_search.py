"""Proofs that are found, and programs for which none is."""

from fractions import Fraction

import pytest

from refdp import work
from refdp.programs.checking.alignment import Alignment
from refdp.programs.checking.proof import check
from refdp.programs.language.reading import programs_in
from refdp.programs.proving import NotProved, Proved, prove
from refdp.programs.proving.rates import flipping_rates, is_linear, quotient, rate_of
from refdp.terms.leaves import integer, rational, variable
from refdp.terms.operations import divide, multiply
from tests.programs.hand_made import noisy_max, partial_sum, sparse_vector

EPSILON, LIMIT = variable("epsilon", "Real"), variable("N", "Int")
HALF = divide(multiply(integer(2), LIMIT), EPSILON)
HEADER = """
from refdp.programs import ALL, MONO, ONE, claim, discrete_laplace, exp, exponential, laplace

"""
GAP = """
@claim(epsilon="epsilon", adjacency=ALL)
def gap(q, epsilon, T, N):
    threshold = T + laplace(2 / epsilon)
    count = 0
    for x in q:
        noisy = x + laplace({scale} / epsilon)
        if noisy >= threshold:
            yield {released}
            count += 1
            if count >= N:
                break
        else:
            yield False
"""
TWICE = """
@claim(epsilon="2*epsilon", adjacency=ONE)
def twice(q, epsilon):
    for x in q:
        yield 3 * x + laplace(3 / epsilon)
    total = 0
    for x in q:
        total += x
    yield total + laplace(1 / epsilon)
"""
HIDDEN = """
@claim(epsilon="{epsilon}", adjacency=ALL)
def hidden(x, epsilon):
    if x + laplace(1 / epsilon) > 0:
        return x + laplace(1 / epsilon)
    return x + laplace(1 / epsilon)
"""


def shifts(one: Alignment) -> dict[int, set[str]]:
    """What is added at each site."""
    found: dict[int, set[str]] = {}
    for (site, _), shift in one.shifts.items():
        found.setdefault(site, set()).add(str(shift.usual if shift.chosen is None else shift.chosen))
    return found


def test_the_sparse_vector_technique_gets_its_textbook_proof() -> None:
    program = sparse_vector()
    found = prove(program, program.claims[0], 20)
    assert isinstance(found, Proved)
    [alignment] = found.alignments
    assert shifts(alignment) == {1: {"1"}, 2: {"1 + (-1*change.0)"}}
    assert [str(g.rate) for g in alignment.groups] == ["epsilon", "epsilon/N"]
    assert [str(g.bound) for g in alignment.groups] == ["1/2", "1/2*N"]
    assert check(program, program.claims[0], found.alignments, ("z3", "cvc5"), 20).solvers == ("z3", "cvc5")


def test_noisy_max_shifts_the_round_that_is_released() -> None:
    program = noisy_max()
    found = prove(program, program.claims[0], 20)
    assert isinstance(found, Proved)
    assert shifts(found.alignments[0]) == {1: {"1 + (-1*change.0)"}}
    assert found.alignments[0].item == 0


def test_a_sum_is_shifted_by_what_it_differs_by() -> None:
    program = partial_sum()
    found = prove(program, program.claims[0], 20)
    assert isinstance(found, Proved)
    assert shifts(found.alignments[0]) == {1: {"total.1 + (-1*total.2)"}}


@pytest.mark.parametrize(
    "program",
    [
        sparse_vector(second=HALF),
        partial_sum(divide(rational(Fraction(99, 100)), EPSILON)),
    ],
    ids=lambda program: program.name,
)
def test_too_little_noise_is_not_proved_and_shown_by_data(program) -> None:
    found = prove(program, program.claims[0], 20)
    assert isinstance(found, NotProved)
    assert found.witnesses
    for one in found.witnesses:
        assert len(one.old) == len(one.new)
        assert one.parameters["epsilon"] > 0


@pytest.mark.parametrize(
    ("text", "is_proved"),
    [
        (GAP.format(scale="4 * N", released="noisy - threshold"), True),
        (TWICE, True),
        (TWICE.replace("2*epsilon", "1.9*epsilon"), False),
        (HIDDEN.format(epsilon="2*epsilon"), True),
        (HIDDEN.format(epsilon="epsilon/2"), False),
    ],
)
def test_programs_are_proved_that_are_right(text: str, is_proved: bool) -> None:
    program = programs_in(HEADER + text, "test.py")[0]
    found = prove(program, program.claims[0], 20)
    assert isinstance(found, Proved) == is_proved
    if isinstance(found, Proved):
        assert check(program, program.claims[0], found.alignments, ("z3",), 20).verdict == "PROVED"


def test_a_search_ends_when_its_time_is_over() -> None:
    program, start = sparse_vector(), work.spent()
    assert isinstance(prove(program, program.claims[0], 0.0), NotProved)
    assert work.spent() - start < 1


def test_rates_are_products_of_public_parameters() -> None:
    weight, rate = rate_of(divide(integer(4), multiply(integer(3), EPSILON))) or (None, None)
    assert (weight, rate) == (Fraction(3, 4), EPSILON)
    weight, rate = rate_of(divide(multiply(integer(4), LIMIT), EPSILON)) or (None, None)
    assert (weight, str(rate)) == (Fraction(1, 4), "epsilon/N")
    assert rate_of(integer(0)) is None
    assert rate_of(rational(Fraction(-1, 2))) is None


def test_a_claim_is_divided_by_a_rate_where_nothing_is_left_below() -> None:
    claim = multiply(rational(Fraction(1, 2)), EPSILON)
    assert str(quotient(claim, divide(EPSILON, LIMIT))) == "1/2*N"
    assert str(quotient(claim, EPSILON)) == "1/2"
    assert quotient(claim, multiply(EPSILON, EPSILON)) is None
    assert is_linear(claim)
    assert not is_linear(multiply(EPSILON, EPSILON))


def test_a_fair_draw_is_flipped_for_nothing() -> None:
    assert flipping_rates(rational(0), EPSILON) == []
    assert [str(one) for one in flipping_rates(rational(Fraction(1, 4)), EPSILON)] == ["ln(3)"]
    assert [str(one) for one in flipping_rates(rational(Fraction(1, 2)), EPSILON)] == ["ln(1)", "ln(1)"]
