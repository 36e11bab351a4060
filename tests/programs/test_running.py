"""Programs run: exact numbers, exact draws, exact reals that are refined on demand."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, erf, expm1, log2, prod, sqrt
from math import exp as approximate_exp
from math import log as approximate_log
from typing import Any

import pytest

from refdp.numerics.exact import NotExact
from refdp.programs import (
    ALL,
    ONE,
    argmax,
    bernoulli,
    choice,
    claim,
    discrete_laplace,
    drawing_from,
    each,
    exp,
    exponential,
    gaussian,
    laplace,
    log,
    run,
    uniform,
)
from refdp.programs.running.rationals import Rational
from refdp.programs.running.reals import Real
from refdp.programs.running.sources import Flips
from refdp.sampling.entropy import Bits
from refdp.sampling.tree import law_of
from tests.examples import few

DRAWS = few(1500)
ALLOWED = sqrt(approximate_log(2 * 10**11) / (2 * DRAWS))
"""How far a share may be from its probability: by Hoeffding's inequality, further off with probability <= 1e-11."""
HALF_LIFE = approximate_exp(-1 / 2)


@pytest.mark.parametrize(
    ("draw", "threshold", "probability"),
    [
        (lambda: laplace(2), 1, 1 - HALF_LIFE / 2),
        (lambda: laplace("1/2"), -1, approximate_exp(-2) / 2),
        (lambda: laplace(log(2)), log(2), 1 - approximate_exp(-1) / 2),
        (lambda: exponential(3), 2, 1 - approximate_exp(-2 / 3)),
        (lambda: gaussian(2), 1, (1 + erf(0.5 / sqrt(2))) / 2),
        (lambda: gaussian(1), -2, (1 - erf(2 / sqrt(2))) / 2),
        (lambda: exponential(1) - exponential(1), 1, 1 - approximate_exp(-1) / 2),
        (lambda: discrete_laplace(2), 0, HALF_LIFE / (1 + HALF_LIFE)),
        (lambda: discrete_laplace(1 / log(3)), 1, 3 / 4),
        (lambda: bernoulli(1 / exp(1)), True, 1 - approximate_exp(-1)),
        (lambda: choice([exp(1), 1, exp(1)]), 1, 1 / (2 + approximate_exp(-1))),
        (lambda: uniform(-1, 1), 0, 1 / 3),
    ],
)
def test_draws_are_below_a_threshold_as_often_as_they_should_be(
    draw: Callable[[], Any], threshold: Any, probability: float
) -> None:
    """False-alarm rate 12 times 1e-11."""
    below = sum(draw() < threshold for _ in range(DRAWS))
    assert abs(below / DRAWS - probability) <= ALLOWED


@pytest.mark.parametrize(
    ("event", "probability"),
    [
        (lambda: laplace(1) < 1, 1 - approximate_exp(-1) / 2),
        (lambda: exponential(1) < 1, 1 - approximate_exp(-1)),
        (lambda: gaussian(1) < 0, 1 / 2),
        (lambda: bernoulli("1/3"), 1 / 3),
        (lambda: bernoulli(exp(-1)), approximate_exp(-1)),
        (lambda: choice([1, 2, 3]) == 1, 1 / 3),
    ],
)
def test_the_coin_flips_of_an_event_have_its_probability(event: Callable[[], bool], probability: float) -> None:
    """By walking the tree of flips: no statistics."""

    def happens(bits: Bits) -> bool:
        with drawing_from(bits):
            return event()

    law = law_of(happens, 12)
    assert law.lower(True) <= Fraction(probability) <= law.upper(True)
    assert law.unresolved < 1


def test_exact_reals_are_refined_on_demand() -> None:
    x = laplace(3) + exp(1) * gaussian("1/2") - Fraction(1, 3)
    wide, narrow = x.enclosure(10), x.enclosure(200)
    assert wide.lower <= narrow.lower <= narrow.upper <= wide.upper
    assert narrow.upper - narrow.lower <= Fraction(1, 2**200)
    assert abs(float(x) - float(narrow.lower)) < 1e-12


def test_exact_reals_cancel_exactly() -> None:
    x, y = laplace(1), gaussian(2)
    assert (x + y) / 2 + x / 2 - y / 2 == x
    assert x - x == 0
    assert not x - x < 0
    assert hash(x + y - y) == hash(x)
    assert hash(x - x + 3) == hash(3)
    assert x * exp(1) / exp(1) == x
    assert x != y


def test_exact_reals_are_compared_with_what_programs_start_from() -> None:
    x = laplace(1)
    assert float("-inf") < x < float("inf")
    assert max(float("-inf"), x) is x
    assert abs(x) >= 0
    assert abs(x) in (x, -x)
    values = [laplace(1) for _ in range(5)]
    assert argmax(values) == values.index(max(values))
    assert sum(values) - sum(values[1:]) == values[0]


def test_products_of_draws_are_refused() -> None:
    with pytest.raises(NotExact, match="a product of two draws"):
        laplace(1) * laplace(1)
    with pytest.raises(NotExact, match="a quotient of two draws"):
        laplace(1) / laplace(1)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: laplace(0.5),
        lambda: bernoulli(0.1),
        lambda: choice([1, 0.5]),
        lambda: laplace(1) + 0.5,
        lambda: laplace(1) < 0.5,
        lambda: laplace(1) / 2.0,
        lambda: exp(0.5),
        lambda: Rational(1) + 0.5,
        lambda: Rational(1) < 0.5,
        lambda: Rational(2) ** Fraction(1, 2),
        lambda: exp(1) * 0.5,
        lambda: exp(1) <= 0.5,
    ],
)
def test_floats_are_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(NotExact, match=r"exact|rational"):
        wrong()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: laplace(0), "scale must be > 0, got 0"),
        (lambda: gaussian(-1), "sigma must be > 0, got -1"),
        (lambda: exponential(1 - exp(1)), "scale must be > 0, got"),
        (lambda: discrete_laplace(0), "scale must be > 0, got 0"),
        (lambda: bernoulli("3/2"), r"p must be in \[0, 1\], got 3/2"),
        (lambda: bernoulli(exp(1)), r"p must be in \[0, 1\], got e"),
        (lambda: choice([]), "weights must be at least one, got none"),
        (lambda: choice([1, -1]), "weight must be >= 0, got -1"),
        (lambda: choice([0, 0]), "weights must not all be 0"),
        (lambda: uniform(1, 0), "least must be <= greatest, got 1 and 0"),
        (lambda: argmax([]), "values must be at least one, got none"),
        (lambda: log(0), "argument of log must be > 0, got 0"),
    ],
)
def test_wrong_parameters_are_refused(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wrong()


def test_public_numbers_are_exact() -> None:
    assert exp(log(3)) == 3
    assert exp(1) * exp(-1) == 1
    assert isinstance(exp(1) / exp(1), Fraction)
    assert 1 / (1 + exp(1)) + exp(1) / (1 + exp(1)) == 1
    assert (exp(2) - 1) / (exp(1) - 1) == exp(1) + 1
    assert Fraction(271828, 100000) < exp(1) < Fraction(271829, 100000)
    assert log(4) == 2 * log(2)
    assert abs(1 - exp(1)) == exp(1) - 1
    assert exp(1) ** 2 == exp(2)
    assert exp(1) ** -2 == exp(-2)
    assert exp(log(3) / 2) ** 2 == 3
    assert exp(log(3) / 3) * exp(log(9) / 3) == 3
    assert 2 - exp(1) < 0 < exp(1) - 2
    assert exp(1) != None  # noqa: E711
    with pytest.raises(ZeroDivisionError):
        1 / (exp(1) * exp(1) - exp(2))
    with pytest.raises(ZeroDivisionError):
        exp(1) / (log(4) - 2 * log(2))


def test_what_a_program_is_given_is_exact() -> None:
    def halves(q: list[int], epsilon: float, N: int) -> object:
        return [x / 2 for x in q], 1 / epsilon, N / 3, q[N], len(range(N)), 7 // N, 7 % N

    assert run(halves, [1, 2, 3], epsilon="1/3", N=2) == (
        [Fraction(1, 2), 1, Fraction(3, 2)], 3, Fraction(2, 3), 3, 2, 3, 1,
    )  # fmt: skip
    with pytest.raises(TypeError, match="a whole number is needed, got 1/2"):
        run(halves, [1], epsilon=1, N="1/2")
    with pytest.raises(NotExact, match=r'epsilon must be exact, got the float 0.5; write "0.5" for 1/2'):
        run(halves, [1], epsilon=0.5, N=1)


def test_a_float_that_a_call_by_hand_makes_is_refused_with_advice() -> None:
    with pytest.raises(NotExact, match=r"scale must be exact, got the float 2.0; `refdp.programs.run` is exact"):
        laplace(2 / 1)


def test_what_is_yielded_is_a_list() -> None:
    def signs(q: list[int], epsilon: float) -> object:
        for x in q:
            yield x + laplace(1 / epsilon) >= 0

    assert run(signs, [10**6, -(10**6)], epsilon=1) == [True, False]


def test_claims_are_kept_as_data_from_top_to_bottom() -> None:
    def near(x: float, y: float) -> bool:
        return abs(x - y) <= 1

    def program(q: list[float], epsilon: float) -> None: ...

    decorated = claim(epsilon="epsilon", adjacency=ALL)(
        claim(rho="epsilon**2/2", adjacency=each(near, changed=1), given={"N": 1}, where="epsilon < 1")(program)
    )
    assert decorated is program
    first, second = vars(program)["claims"]
    assert (first.epsilon, first.adjacency) == ("epsilon", ALL)
    assert (second.rho, second.where, second.given) == ("epsilon**2/2", "epsilon < 1", {"N": 1})
    assert second.adjacency.predicate is near
    assert each(ONE, total="3").total == "3"


def test_a_real_prints_and_hashes() -> None:
    x = laplace(1)
    assert repr(x).startswith("Real(")
    assert x in {x}
    assert isinstance(+x, Real)
    assert 0 - x == -x


@dataclass(frozen=True)
class Scripted(Flips):
    """Places are those of a tape, and their probabilities are kept."""

    tape: list[int] = field(default_factory=list)
    odds: list[float] = field(default_factory=list)

    def place(self, weights: Any) -> int:
        chosen = self.tape.pop(0)
        self.odds.append(float(weights[chosen]) / sum(map(float, weights)))
        return chosen


@pytest.mark.parametrize("scale", [1, 3, 10, 40])
def test_a_geometric_number_of_an_irrational_rate_has_its_law(scale: int) -> None:
    """Every way to it has its probability: the binary digits, and how often the rest goes on."""
    rate = log(2) / scale
    digits = max(0, ceil(log2(scale / approximate_log(2))))
    for k in range(3 * scale):
        tape = [k >> i & 1 for i in range(digits)] + [0] * (k >> digits) + [1]
        source = Scripted(tape=tape)
        assert source._geometric(rate) == k
        assert not tape
        assert prod(source.odds) == pytest.approx(2 ** (-k / scale) * -expm1(-approximate_log(2) / scale))


def test_a_geometric_number_of_a_small_irrational_rate_takes_few_steps() -> None:
    """They were as many as the number itself."""
    source = Scripted(tape=[0] * 998 + [1])
    assert source._geometric(log(2) / 10**300) == 0
    assert len(source.odds) == 999
