"""What makes a counterexample, and what does not; probabilities against the literature's."""

from dataclasses import replace
from fractions import Fraction
from math import log

import pytest

from refdp.programs.adjacency import MONO, ONE
from refdp.programs.counterexample import Counterexample, confirmed
from refdp.programs.events import Event, Interval, apart, chance
from refdp.programs.probabilities import approximately, exponential, number, sign
from refdp.programs.syntax import Program
from refdp.terms.leaves import integer, rational
from tests.programs.refuting.programs import library, numbers, probability, read, released, settings_of

AT_MOST_0 = Interval(None, Fraction(0))
FOUND = [
    ("lee_clifton", (2, -2), (3, -3), released(False, True), 1.3678, 0.0076),
    ("lee_clifton", (-1, 0), (0, -1), released(False, True), 1.0326, None),
    ("chen", (2, 2, -2), (3, 3, -3), released(False, False, True), 1.3087, 0.0075),
    ("sparse_vector_monotone", (3, 3, -3), (4, 4, -4), released(False, False, True), 1.3408, None),
    ("noisy_max_value", (0, 0, 0), (1, 1, 1), released(Interval(None, Fraction(-8))), 1.5, None),
    ("roth", (-1, -1, 0), (0, 0, -1), released(False, False, Interval(None, Fraction(7, 2))), 1.0597, 0.107),
    (
        "roth", (3, 3, -2), (4, 4, -3), released(False, False, Interval(Fraction(3, 2), Fraction(5, 2))), 1.5, None,
    ),
    (
        "bad_gap_sparse_vector", (0, 0, 0, 0, 1), (1, 1, 1, 1, 0),
        released(False, False, False, False, Interval(None, Fraction(7, 2))), 1.00904, 0.0151,
    ),
    (
        "bad_gap_sparse_vector", (1, 1, 1, 1, -2), (2, 2, 2, 2, -3),
        released(False, False, False, False, Interval(Fraction(-1), Fraction(0))), 1.25, None,
    ),
    ("partial_sum", (0, 0), (1, 1), released(AT_MOST_0), 2.0, None),
    ("prefix_sum", (0, 0), (1, 1), released(AT_MOST_0, replace(AT_MOST_0, after=True)), 2.0, 0.25),
]  # fmt: skip
"""The log-ratios and probabilities at epsilon = 1, T = 0, N = 1 that were worked out by another program."""


def refuting(program: Program, old: tuple[int, ...], new: tuple[int, ...], *events: Event) -> Counterexample:
    claim, none = program.claims[0], number(0)
    parameters = settings_of(program)
    return Counterexample(program.name, claim, parameters, numbers(*old), numbers(*new), events, none, none)


@pytest.mark.parametrize(("name", "old", "new", "event", "ratio", "likely"), FOUND)
def test_ratios_of_wrong_programs_are_those_of_the_literature(
    name: str, old: tuple[int, ...], new: tuple[int, ...], event: Event, ratio: float, likely: float | None
) -> None:
    before, after = (approximately(probability(name, numbers(*data), event)) for data in (old, new))
    assert log(before / after) == pytest.approx(ratio, abs=6e-5)
    assert likely is None or before == pytest.approx(likely, abs=6e-4)
    program = library()[name]
    claim = replace(next(c for c in program.claims if c.expected == "REFUTED"), rho=None)
    assert confirmed(program, claim, refuting(program, old, new, event))


def test_the_probabilities_of_lee_clifton_are_those_of_a_computer_algebra_system() -> None:
    """DiPC's closed forms, by Mathematica, for the data (-1, 0) and (0, -1), the output below and above."""
    program = library()["lee_clifton"]
    parameters = settings_of(program) | {"epsilon": rational(Fraction(27, 50))}

    def e(top: int, bottom: int) -> object:
        return exponential(number(Fraction(top, bottom)))

    below, above = released(False, True), numbers(0, -1)
    before = chance(program, parameters, numbers(-1, 0), below)
    expected = number(56) - number(9) * e(-27, 50) + number(26) * e(-81, 200) - number(63) * e(-27, 200)
    assert sign(before - expected / number(112)) == 0
    after = chance(program, parameters, above, below)
    assert sign(after - (number(-9) + number(19) * e(27, 200)) / (number(112) * e(27, 50))) == 0


@pytest.mark.parametrize("data", [((0,), (1,)), ((0, 0), (1, 1))])
def test_a_bound_that_is_met_with_equality_is_not_broken(data: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    """The greatest of two noisy answers has the factor e^epsilon exactly, and so has one sum under ONE."""
    name = "partial_sum" if len(data[0]) == 1 else "noisy_max_value"
    program = library()[name]
    assert not confirmed(program, program.claims[0], refuting(program, *data, released(AT_MOST_0)))
    before, after = (probability(name, numbers(*one), released(AT_MOST_0)) for one in data)
    assert sign(before - exponential(number(1)) * after) == 0


def test_data_that_are_no_neighbours_confirm_nothing() -> None:
    program = library()["lee_clifton"]
    good = refuting(program, (-1, 0), (0, -1), released(False, True))
    claim = next(c for c in program.claims if c.expected == "REFUTED")
    assert confirmed(program, claim, good)
    for adjacency in (ONE, MONO):
        assert not confirmed(program, replace(claim, adjacency=adjacency), good)
    assert not confirmed(program, claim, replace(good, new=numbers(2, -1)))
    assert not confirmed(program, claim, replace(good, new=numbers(0)))
    assert not confirmed(program, claim, replace(good, old=(False, True)))


def test_parameters_of_which_the_claim_does_not_speak_confirm_nothing() -> None:
    program = library()["lee_clifton"]
    good = refuting(program, (-1, 0), (0, -1), released(False, True))
    claim = next(c for c in program.claims if c.expected == "REFUTED")
    for changed in ({"epsilon": rational(-1)}, {"N": integer(0)}, {"N": rational(Fraction(3, 2))}):
        assert not confirmed(program, claim, replace(good, parameters=good.parameters | changed))
    assert not confirmed(program, claim, replace(good, parameters={"epsilon": rational(1)}))
    assert not confirmed(program, replace(claim, given={"N": integer(2)}), good)
    assert confirmed(program, replace(claim, given={"N": integer(1)}), good)


def test_events_that_overlap_are_not_added_up() -> None:
    program = library()["partial_sum"]
    claim = next(c for c in program.claims if c.expected == "REFUTED")
    once = released(AT_MOST_0)
    twice = refuting(program, (0, 0), (1, 1), once, once)
    assert not confirmed(program, claim, twice)
    assert not apart(once, released(Interval(Fraction(0), None)))
    assert apart(once, released(Interval(Fraction(1, 9), None)))
    assert apart(released(True), released(True, False))
    assert apart(released("a"), released(None))


def test_a_number_is_no_truth_value() -> None:
    """The event of a noisy answer <= 1 does not hold the answer False."""
    found = probability("roth", numbers(0), released(Interval(None, Fraction(1))))
    below = probability("roth", numbers(0), released(False))
    assert approximately(found) < 1 - approximately(below)


def test_an_exception_is_no_output() -> None:
    program = read("@claim(epsilon='epsilon', adjacency=ALL)\ndef program(q, epsilon):\n    return q[1] + laplace(1)\n")
    assert sign(chance(program, {"epsilon": rational(1)}, numbers(0), released(Interval()))) == 0
    assert sign(chance(program, {"epsilon": rational(1)}, numbers(0, 0), released(Interval())) - number(1)) == 0
