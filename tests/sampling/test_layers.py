"""Each scalar sampler has its law, layer by layer, to 2^-50 and below; wrong samplers do not."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F
from itertools import islice
from random import Random
from typing import Any

import pytest

from refdp.sampling.coins import Coins
from refdp.sampling.tree import PartialLaw, law_of
from tests.examples import few
from tests.sampling import exact_laws
from tests.sampling.exact_laws import CHOICES, DIGITS, EXPONENTIALS, FLIPS, NOISE, Instance, shown, small
from tests.sampling.layers import STATED, law_by_calls

INSTANCES, MANY = few(1_020), 6_000


@pytest.mark.parametrize("instance", shown(), ids=lambda i: f"{i.sampler} {i.parameters}")
def test_the_sampler_has_its_law_but_for_two_to_the_minus_50(instance: Instance) -> None:
    law = instance.law()
    assert instance.agrees(law, F(1, 2**50))
    assert all(instance.pmf(outcome)[0] <= law.upper(outcome) for outcome in law.masses)


def test_samplers_have_their_laws_at_random_small_parameters() -> None:
    """At each instance the walk leaves at most 2^-30 open; every sampler comes up as often."""
    assert wrong_among(INSTANCES) == []


@pytest.mark.long
def test_samplers_have_their_laws_at_thousands_of_random_small_parameters() -> None:
    assert wrong_among(MANY) == []


def wrong_among(count: int) -> list[Instance]:
    """Those of so many that do not have their law."""
    return [i for i in islice(small(Random(1807)), count) if not i.agrees(i.law(40))]


def test_every_layer_rests_on_a_walked_one() -> None:
    """The calls that a row takes for granted are samplers of other rows, down to the flips."""
    walked = {row.sampler for row in shown()}
    taken = {exact_laws.CALLS.get(name, name) for row in shown() for name in row.answered}
    assert taken - {"flip"} <= walked
    assert set(STATED) == {name for row in shown() for name in row.answered}


def test_masses_and_what_is_open_sum_to_1() -> None:
    for row in islice(small(Random(3)), 15):
        law = row.law(30)
        assert sum(law.masses.values()) + law.unresolved == 1
        assert law.unresolved >= 0


@pytest.mark.parametrize("row", [exact_laws.uniform(5), exact_laws.bernoulli(F(2, 7))], ids=lambda i: i.sampler)
def test_the_walk_by_calls_of_flips_is_the_walk_of_the_flips(row: Instance) -> None:
    """To the same depth both find the same masses, for a sampler without attempts."""
    by_flips = law_of(lambda bits: row.run(Coins(bits)), 12)
    assert row.law(12) == by_flips


def test_a_geometric_draw_on_flips_lies_within_the_walk_by_layers() -> None:
    """The two walks share no law but that of a flip."""
    gamma = F(7, 3)
    by_flips = law_of(lambda bits: Coins(bits).geometric_exp(gamma), 14)
    by_layers = exact_laws.geometric_exp(gamma).law()
    assert all(mass <= by_layers.upper(k) for k, mass in by_flips.masses.items())
    assert all(by_layers.lower(k) <= by_flips.upper(k) for k in by_layers.masses)


def test_deeper_walks_find_more() -> None:
    row = exact_laws.discrete_gaussian(F(3, 2), F(1), F(0))
    rough, fine = row.law(20), row.law(50)
    assert fine.unresolved < rough.unresolved < F(1, 2**10)
    assert all(rough.lower(k) <= fine.lower(k) for k in rough.masses)


Program = Callable[[Coins], Any]


def flips_for(n: int) -> Program:
    """Wrong: a number of enough flips, reduced modulo n."""
    return lambda c: sum(c.flip() << place for place in range(n.bit_length())) % n


def below(late: bool, p: F) -> Program:
    """Bernoulli by digits; wrong: U <= p to the digits seen, or flips compared the other way round."""

    def run(c: Coins) -> bool:
        rest = p
        while rest:
            digit, rest = divmod(2 * rest, 1)
            if (flip := c.flip()) != digit:
                return flip > digit if late else flip < digit
        return late

    return run


def series(start: int, parity: int, divide: bool = True) -> Callable[[F], Program]:
    """CKS20 Alg 1; wrong unless it starts at 1, stops at an odd k for True, and divides gamma by k."""

    def program(gamma: F) -> Program:
        def run(c: Coins) -> bool:
            k = start
            while c._is_below(gamma / k if divide else gamma):
                k += 1
            return k % 2 == parity

        return run

    return program


def geometric(accept: bool = True, first: int = 0, up: int = 0, width: int = 0) -> Callable[[F], Program]:
    """CKS20 Alg 2; wrong unless U is accepted, V counts from 0, the quotient is rounded down and U is below t."""

    def program(gamma: F) -> Program:
        s, t = gamma.numerator, gamma.denominator

        def attempt(c: Coins) -> int | None:
            u = c.uniform(t + width)
            return u if not accept or c._bernoulli_exp_to_one(F(u, t)) else None

        def run(c: Coins) -> int:
            u, v = c.until(lambda: attempt(c)), first
            while c._bernoulli_exp_to_one(F(1)):
                v += 1
            return (u + t * v + up * (s - 1)) // s

        return run

    return program


def laplace(rate: F, keep: bool = False, signs: F = F(1, 2)) -> Program:
    """Wrong if minus zero is kept, or the sign is not fair."""

    def attempt(c: Coins) -> F | None:
        magnitude, minus = c.geometric_exp(rate), c.bernoulli(signs)
        return F(-magnitude if minus else magnitude) if magnitude or not minus or keep else None

    return lambda c: c.until(lambda: attempt(c))


def gaussian(proposal: F, gamma: Callable[[F], F]) -> Program:
    """Discrete Laplace draws z of the scale `proposal`, accepted with probability e^-gamma(z)."""

    def attempt(c: Coins) -> F | None:
        z = laplace(1 / proposal)(c)
        return z if c.bernoulli_exp(gamma(z)) else None

    return lambda c: c.until(lambda: attempt(c))


def swaps(width: Callable[[int, int], int]) -> Callable[[int], Program]:
    """A shuffle where place i is swapped with a place below width(i, n): right for i + 1, wrong otherwise."""

    def program(n: int) -> Program:
        def run(c: Coins) -> tuple[int, ...]:
            order = list(range(n))
            for i in range(n - 1, 0, -1):
                other = c.uniform(width(i, n))
                order[i], order[other] = order[other], order[i]
            return tuple(order)

        return run

    return program


def chosen(scores: tuple[F, ...], gamma: Callable[[F], F], give_up: bool) -> Program:
    """A uniform candidate accepted with probability e^-gamma(score); wrong where one attempt must do."""

    def attempt(c: Coins) -> F | None:
        i = c.uniform(len(scores))
        return F(i) if c.bernoulli_exp(gamma(scores[i])) or give_up else None

    return lambda c: c.until(lambda: attempt(c))


def told(k: int, truth: F, x: int, other: Callable[[int], int]) -> Program:
    """The truth, or else other(j) for j uniform below k - 1."""
    return lambda c: F(x) if c.bernoulli(truth) else F(other(c.uniform(k - 1)))


THIRD, SEVEN, SCORES = F(1, 3), F(7, 3), (F(0), F(1), F(5, 2))
RIGHT: dict[str, tuple[Program, tuple[str, ...], Instance]] = {
    "digits": (below(False, THIRD), FLIPS, exact_laws.bernoulli(THIRD)),
    "series": (series(1, 1)(THIRD), DIGITS, exact_laws.bernoulli_exp(THIRD)),
    "geometric": (geometric()(SEVEN), EXPONENTIALS, exact_laws.geometric_exp(SEVEN)),
    "shuffle": (swaps(lambda i, n: i + 1)(4), ("uniform",), exact_laws.permutation(4)),
    "laplace": (laplace(F(1, 2)), NOISE, exact_laws.discrete_laplace(F(2), F(1), F(0))),
    "gaussian": (gaussian(F(2), lambda z: (abs(z) - F(1, 2)) ** 2 / 2), (*NOISE, "bernoulli_exp"),
                 exact_laws.discrete_gaussian(F(1), F(1), F(0))),
    "gaussian by another proposal": (gaussian(F(1), lambda z: (abs(z) - 1) ** 2 / 2), (*NOISE, "bernoulli_exp"),
                                     exact_laws.discrete_gaussian(F(1), F(1), F(0))),
    "response": (told(4, THIRD, 2, lambda j: j + (j >= 2)), CHOICES, exact_laws.response(4, THIRD, 2)),
    "exponential": (chosen(SCORES, lambda s: F(5, 2) - s, False), CHOICES, exact_laws.exponential(F(1), SCORES)),
}  # fmt: skip
WRONG: dict[str, tuple[Program, tuple[str, ...], Instance]] = {
    "modulo n": (flips_for(3), FLIPS, exact_laws.uniform(3)),
    "one value too few": (lambda c: c.uniform(4), FLIPS, exact_laws.uniform(5)),
    "values from 1": (lambda c: 1 + c.uniform(5), FLIPS, exact_laws.uniform(5)),
    "U <= p": (below(True, F(1, 4)), FLIPS, exact_laws.bernoulli(F(1, 4))),
    "p is off by 2^-40": (lambda c: c.bernoulli(THIRD + F(1, 2**40)), FLIPS, exact_laws.bernoulli(THIRD)),
    "even k": (series(1, 0)(THIRD), DIGITS, exact_laws.bernoulli_exp(THIRD)),
    "k from 2": (series(2, 1)(THIRD), DIGITS, exact_laws.bernoulli_exp(THIRD)),
    "gamma, not gamma / k": (series(1, 1, divide=False)(THIRD), DIGITS, exact_laws.bernoulli_exp(THIRD)),
    "U is not rejected": (geometric(accept=False)(SEVEN), EXPONENTIALS, exact_laws.geometric_exp(SEVEN)),
    "V from 1": (geometric(first=1)(SEVEN), EXPONENTIALS, exact_laws.geometric_exp(SEVEN)),
    "rounded up": (geometric(up=1)(SEVEN), EXPONENTIALS, exact_laws.geometric_exp(SEVEN)),
    "U up to t": (geometric(width=1)(F(3, 7)), EXPONENTIALS, exact_laws.geometric_exp(F(3, 7))),
    "swap with any place": (swaps(lambda i, n: n)(4), ("uniform",), exact_laws.permutation(4)),
    "swap with another place": (swaps(lambda i, n: i)(4), ("uniform",), exact_laws.permutation(4)),
    "minus zero is kept": (laplace(F(1, 2), keep=True), NOISE, exact_laws.discrete_laplace(F(2), F(1), F(0))),
    "half the rate": (laplace(F(1, 4)), NOISE, exact_laws.discrete_laplace(F(2), F(1), F(0))),
    "a sign off by 2^-40": (laplace(F(1, 2), signs=F(1, 2) + F(1, 2**40)), NOISE,
                            exact_laws.discrete_laplace(F(2), F(1), F(0))),
    "acceptance of another proposal": (gaussian(F(1), lambda z: (abs(z) - F(1, 2)) ** 2 / 2), (*NOISE, "bernoulli_exp"),
                                       exact_laws.discrete_gaussian(F(1), F(1), F(0))),
    "acceptance without the square": (gaussian(F(2), lambda z: abs(abs(z) - F(1, 2)) / 2), (*NOISE, "bernoulli_exp"),
                                      exact_laws.discrete_gaussian(F(1), F(1), F(0))),
    "acceptance without the shift": (gaussian(F(2), lambda z: z**2 / 2), (*NOISE, "bernoulli_exp"),
                                     exact_laws.discrete_gaussian(F(1), F(1), F(0))),
    "the first proposal": (gaussian(F(2), lambda z: F(0)), (*NOISE, "bernoulli_exp"),
                           exact_laws.discrete_gaussian(F(1), F(1), F(0))),
    "steps over the wrong value": (told(4, THIRD, 2, lambda j: j + (j > 2)), CHOICES, exact_laws.response(4, THIRD, 2)),
    "the truth for another": (told(4, THIRD, 2, lambda j: (j + 2) % 4), CHOICES, exact_laws.response(4, THIRD, 2)),
    "the first candidate": (chosen(SCORES, lambda s: F(5, 2) - s, True), CHOICES,
                            exact_laws.exponential(F(1), SCORES)),
    "relative to another than the best": (chosen(SCORES, lambda s: abs(s - 1), False), CHOICES,
                                          exact_laws.exponential(F(1), SCORES)),
}  # fmt: skip


def found(case: tuple[Program, tuple[str, ...], Instance]) -> tuple[PartialLaw[Any], Instance]:
    program, answered, expected = case
    return law_by_calls(program, answered), expected


@pytest.mark.parametrize("name", RIGHT)
def test_the_check_by_layers_accepts_the_right_program(name: str) -> None:
    law, expected = found(RIGHT[name])
    assert expected.agrees(law, F(1, 2**50))


@pytest.mark.parametrize("name", WRONG)
def test_the_check_by_layers_finds_the_wrong_program(name: str) -> None:
    """Its law is not the formula's: the walk leaves too little open to hide it."""
    law, expected = found(WRONG[name])
    assert law.unresolved <= F(1, 2**50)
    assert not expected.agrees(law)


def test_a_program_that_never_succeeds_leaves_everything_open() -> None:
    law = law_by_calls(lambda c: c.until(lambda: None), FLIPS)
    assert (dict(law.masses), law.unresolved) == ({}, F(1))


def test_a_program_that_reads_more_than_its_answers_is_refused() -> None:
    asked = iter(range(100))
    with pytest.raises(ValueError, match="function of its answers alone"):
        law_by_calls(lambda c: c.uniform(2 + next(asked)), ("uniform",))


def test_a_call_without_a_stated_law_is_refused() -> None:
    with pytest.raises(ValueError, match=r"answered must be among flip, .*, got permutation"):
        law_by_calls(lambda c: c.permutation(3), ("permutation",))


def test_exceptions_of_the_program_propagate() -> None:
    with pytest.raises(ZeroDivisionError):
        law_by_calls(lambda c: 1 // c.uniform(2), ("uniform",))


def test_the_table_says_whether_a_sampler_agrees() -> None:
    some = shown()[::7]
    rows = exact_laws.table(some).splitlines()[2:]
    assert len(rows) == len(some)
    assert all(row.endswith("| yes |") for row in rows)
    wrong = replace(some[0], pmf=exact_laws.uniform(4).pmf)
    assert exact_laws.table([wrong]).endswith("| NO |")
