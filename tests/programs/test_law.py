"""The exact law of what a program returns: the function itself is run for every tape of outcomes."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from refdp.numerics.exact import Ln
from refdp.programs import bernoulli, choice, discrete_laplace, exp, laplace, law, log, uniform
from refdp.programs.library.responses import randomised_response, rappor, truncated_geometric
from refdp.programs.library.selection import exponential_mechanism
from refdp.programs.running import enumeration
from refdp.programs.running.enumeration import NotEnumerated


def test_the_law_of_randomised_response_is_its_formula() -> None:
    assert law(randomised_response, True, epsilon="ln(3)") == {True: Fraction(3, 4), False: Fraction(1, 4)}
    found = law(randomised_response, True, epsilon=1)
    assert found == {True: exp(1) / (1 + exp(1)), False: 1 / (1 + exp(1))}
    assert found[True] == exp(1) * found[False]
    assert found.unresolved == 0


def test_the_law_of_the_exponential_mechanism_is_its_formula() -> None:
    weights = [exp(log(3) / 2 * x) for x in (0, 1, 2)]
    total = sum(weights, Fraction(0))
    assert law(exponential_mechanism, [0, 1, 2], epsilon="ln(3)") == {i: w / total for i, w in enumerate(weights)}


def test_the_law_of_the_truncated_geometric_mechanism_is_its_formula() -> None:
    """For A = 8 and counts up to 2 the probabilities of neighbours differ by at most the factor 1 + 1 / A."""
    first, second = (law(truncated_geometric, count, A=8, M=2) for count in (0, 1))
    assert sum(first.values()) == 1
    ratios = [first[z] / second[z] for z in range(3)]
    assert max(*ratios, *(1 / r for r in ratios)) == Fraction(9, 8)


def test_the_law_of_rappor_is_its_formula() -> None:
    """Each bit is reported as 1 with probability 41/80 where it is set, and 39/80 where it is not."""
    bits = [True, False, True]
    found = law(rappor, bits, f="3/4", p="9/20", r="11/20")
    for answer in product([True, False], repeat=3):
        expected = Fraction(1)
        for bit, said in zip(bits, answer, strict=True):
            expected *= Fraction(41 if bit == said else 39, 80)
        assert found[answer] == expected


def test_a_discrete_laplace_draw_is_followed_as_far_as_is_asked_for() -> None:
    r = Fraction(1, 2)
    found = law(lambda x, b: x + discrete_laplace(b), 3, reach=4, b=1 / log(2))
    assert found == {3 + k: (1 - r) / (1 + r) * r ** abs(k) for k in range(-4, 5)}
    assert found.unresolved == 1 - sum(found.values())
    irrational = law(lambda x, b: x + discrete_laplace(b), 0, reach=2, b=1)
    assert irrational[1] == irrational[0] * exp(-1)
    assert sum(irrational.values()) + irrational.unresolved == 1


def test_draws_that_depend_on_draws_are_followed() -> None:
    def walk(steps: int) -> Iterator[object]:
        for _ in range(steps):
            if bernoulli("1/4"):
                yield choice([1, 2, 1])
            else:
                yield uniform(5, 6), "low"
                return

    found = law(walk, 2)
    assert found[(1, 2)] == Fraction(1, 4) ** 2 / 2 / 4
    assert found[((5, "low"),)] == Fraction(3, 8)
    assert found[(0, (6, "low"))] == Fraction(1, 4) * Fraction(1, 4) * Fraction(3, 8)
    assert sum(found.values()) == 1


def test_what_has_no_probability_does_not_happen() -> None:
    assert law(lambda x: (bernoulli(0), bernoulli(1), choice([0, 3])), 0) == {(False, True, 1): 1}


def test_a_run_without_end_is_cut() -> None:
    def until(_: int) -> int:
        count = 0
        while bernoulli("1/2"):
            count += 1
        return count

    found = law(until, 0, most_draws=5)
    assert found == {k: Fraction(1, 2 ** (k + 1)) for k in range(5)}
    assert found.unresolved == Fraction(1, 32)


def test_a_program_that_catches_exceptions_is_cut_all_the_same() -> None:
    def stubborn(_: int) -> int:
        try:
            return sum(uniform(0, 1) for _ in range(4))
        except Exception:
            return -1

    assert law(stubborn, 0, most_draws=3).unresolved == 1


def test_lists_are_tuples_in_a_law() -> None:
    assert law(lambda q: [[x, uniform(1, 2)] for x in q], [7]) == {((7, 1),): Fraction(1, 2), ((7, 2),): Fraction(1, 2)}


def test_continuous_draws_and_endless_enumerations_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "MOST_RUNS", 100)
    with pytest.raises(NotEnumerated, match="must be discrete, got laplace"):
        law(lambda x: x + laplace(1), 0)
    with pytest.raises(NotEnumerated, match="more than 100 runs"):
        law(lambda x: [uniform(1, 5) for _ in range(3)], 0)


def test_ties_are_exact() -> None:
    """e^epsilon times one probability is the other one, whatever epsilon is."""
    for epsilon in ("1/7", "ln(5)", Ln(2) * Fraction(3), 2):
        found = law(randomised_response, False, epsilon=epsilon)
        assert found[False] - exp(epsilon) * found[True] == 0  # type: ignore[arg-type]
