"""Each primitive has its law: the walk of its coin-flip tree is held against the definition, wrong variants too."""

import ast
import math
import random
from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction as F
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import refdp.sampling
from refdp.sampling.coins import Coins
from refdp.sampling.entropy import SYSTEM, Bits, SystemBits
from refdp.sampling.tree import Tape, law_of
from tests.sampling.laws import Enclosure, exp_minus, geometric, is_law, truth_with

DEPTH = 12


def uniform_law(support: list[Hashable]) -> Callable[[Hashable], Enclosure]:
    """1/n for each of the n values of `support`."""
    return lambda outcome: (F(1, len(support)),) * 2 if outcome in support else (F(0), F(0))


PROBABILITIES = [F(0), F(1), F(1, 2), F(1, 3), F(2, 3), F(3, 8), F(5, 7), F(1, 1000), F(999, 1000), F(1, 4096)]
GAMMAS = [
    F(gamma) for gamma in ("0", "1/1000000", "1/100", "1/3", "1/2", "2/3", "1", "4/3", "3/2", "2", "7/2", "5", "1e9")
]
POSITIVE = [gamma for gamma in GAMMAS if gamma > 0]
SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 100, 1000]


@pytest.mark.parametrize("p", PROBABILITIES)
def test_bernoulli_has_its_law(p: F) -> None:
    law = law_of(lambda bits: Coins(bits).bernoulli(p), DEPTH)
    assert is_law(law, truth_with((p, p)))
    assert law.unresolved <= F(1, 2**DEPTH)


@given(st.fractions(0, 1, max_denominator=2**40))
def test_bernoulli_has_its_law_for_every_rational(p: F) -> None:
    law = law_of(lambda bits: Coins(bits).bernoulli(p), 9)
    assert is_law(law, truth_with((p, p)))
    assert law.unresolved <= F(1, 2**9)


@pytest.mark.parametrize("p", [F(k, 2**6) for k in range(0, 2**6 + 1, 7)])
def test_bernoulli_of_a_dyadic_probability_is_resolved(p: F) -> None:
    law = law_of(lambda bits: Coins(bits).bernoulli(p), 6)
    assert law.unresolved == 0
    assert law.lower(True) == p


@pytest.mark.parametrize("gamma", GAMMAS)
def test_bernoulli_exp_has_its_law(gamma: F) -> None:
    law = law_of(lambda bits: Coins(bits).bernoulli_exp(gamma), DEPTH)
    assert is_law(law, truth_with(exp_minus(gamma)))
    assert law.unresolved <= F(1, 20)


@pytest.mark.parametrize("gamma", POSITIVE)
def test_geometric_exp_has_its_law(gamma: F) -> None:
    law = law_of(lambda bits: Coins(bits).geometric_exp(gamma), DEPTH)
    assert is_law(law, geometric(gamma))
    assert law.unresolved <= F(1, 2) or gamma.denominator > 2 ** (DEPTH - 6)


@pytest.mark.parametrize("gamma", [F(7, 3), F(1, 2)])
def test_geometric_exp_has_its_law_by_a_deeper_walk(gamma: F) -> None:
    law, deeper = (law_of(lambda bits: Coins(bits).geometric_exp(gamma), depth) for depth in (12, 16))
    assert is_law(deeper, geometric(gamma))
    assert deeper.unresolved < law.unresolved * F(3, 5)
    assert all(deeper.admits(k, *geometric(gamma)(k)) and deeper.lower(k) >= law.lower(k) for k in range(9))


@pytest.mark.parametrize("n", SIZES)
def test_uniform_has_its_law(n: int) -> None:
    """After d flips fewer than n of the 2^d paths are open."""
    law = law_of(lambda bits: Coins(bits).uniform(n), DEPTH)
    assert is_law(law, uniform_law(list(range(n))))
    assert law.unresolved <= F(n - 1, 2**DEPTH)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_permutation_has_its_law(n: int) -> None:
    law = law_of(lambda bits: Coins(bits).permutation(n), DEPTH)
    assert is_law(law, uniform_law(list(permutations(range(n)))))
    assert law.unresolved <= F(1, 16)
    assert len(law.masses) == math.factorial(n)


def test_first_is_the_end_of_the_permutation_of_the_same_flips() -> None:
    for flips in product((0, 1), repeat=11):
        whole = Coins(Tape((*flips, *[0] * 40))).permutation(4)
        for size in range(5):
            assert Coins(Tape((*flips, *[0] * 40))).first(4, size) == whole[::-1][:size]
    assert is_law(law_of(lambda bits: Coins(bits).first(4, 2), DEPTH), uniform_law(list(permutations(range(4), 2))))
    assert Coins(Tape(())).first(3, 0) == ()


def test_flip_has_its_law() -> None:
    assert law_of(lambda bits: Coins(bits).flip(), 1).masses == {0: F(1, 2), 1: F(1, 2)}


def not_below(p: F, bits: Bits) -> bool:
    """Wrong: U <= p to the digits seen, where U < p is meant."""
    while p not in (0, 1):
        digit, p = divmod(2 * p, 1)
        if (flip := bits()) != digit:
            return flip < digit
    return True


def exp_by(decide: Callable[[Coins, F], bool], even: int) -> Callable[[F, Bits], bool]:
    """CKS20 Algorithm 1 with its Bernoulli replaced by `decide`, or its parity by `even`."""

    def run(gamma: F, bits: Bits) -> bool:
        k = 1
        while decide(Coins(bits), gamma / k):
            k += 1
        return k % 2 == even

    return run


def truncating(gamma: F, bits: Bits) -> bool:
    """Wrong: the fraction of gamma is dropped."""
    return Coins(bits).bernoulli_exp(gamma.numerator // gamma.denominator)


def geometric_by(accept: bool, step: int) -> Callable[[F, Bits], int]:
    """Wrong unless `accept` (the rejection of U) is done and the quotient is rounded down (`step` 0)."""

    def run(gamma: F, bits: Bits) -> int:
        coins, s, t = Coins(bits), gamma.numerator, gamma.denominator
        u = coins.uniform(t)
        while accept and not coins.bernoulli_exp(F(u, t)):
            u = coins.uniform(t)
        v = 0
        while coins.bernoulli_exp(1):
            v += 1
        return (u + t * v + step * (s - 1)) // s

    return run


def modulo(n: int, bits: Bits) -> int:
    """Wrong: a power of two reduced modulo n."""
    return sum(bits() << place for place in range(n.bit_length())) % n


def swaps(width: Callable[[int, int], int]) -> Callable[[int, Bits], tuple[int, ...]]:
    """A shuffle where place i is swapped with a place below width(i, n): right for i + 1, wrong otherwise."""

    def run(n: int, bits: Bits) -> tuple[int, ...]:
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            other = Coins(bits).uniform(width(i, n))
            order[i], order[other] = order[other], order[i]
        return tuple(order)

    return run


HALF, THIRD, SEVEN = F(1, 2), F(1, 3), F(7, 3)
RIGHT = {
    "exp": (lambda bits: exp_by(Coins.bernoulli, even=1)(THIRD, bits), truth_with(exp_minus(THIRD))),
    "geometric": (lambda bits: geometric_by(True, 0)(SEVEN, bits), geometric(SEVEN)),
    "shuffle": (lambda bits: swaps(lambda i, n: i + 1)(3, bits), uniform_law(list(permutations(range(3))))),
}
WRONG = {
    "U <= p": (lambda bits: not_below(HALF, bits), truth_with((HALF, HALF))),
    "U > p": (lambda bits: not Coins(bits).bernoulli(THIRD), truth_with((THIRD, THIRD))),
    "p is off by 2^-10": (lambda bits: Coins(bits).bernoulli(HALF + F(1, 1024)), truth_with((HALF, HALF))),
    "even k": (lambda bits: exp_by(Coins.bernoulli, even=0)(THIRD, bits), truth_with(exp_minus(THIRD))),
    "gamma, not gamma / k": (lambda bits: exp_by(lambda c, q: c.bernoulli(THIRD), even=1)(THIRD, bits),
                             truth_with(exp_minus(THIRD))),
    "whole part of gamma": (lambda bits: truncating(F(3, 2), bits), truth_with(exp_minus(F(3, 2)))),
    "no rejection of U": (lambda bits: geometric_by(False, 0)(HALF, bits), geometric(HALF)),
    "rounded up": (lambda bits: geometric_by(True, 1)(SEVEN, bits), geometric(SEVEN)),
    "starts at 1": (lambda bits: Coins(bits).geometric_exp(1) + 1, geometric(F(1))),
    "twice gamma": (lambda bits: Coins(bits).geometric_exp(2), geometric(F(1))),
    "modulo n": (lambda bits: modulo(3, bits), uniform_law([0, 1, 2])),
    "n + 1 values": (lambda bits: Coins(bits).uniform(4), uniform_law([0, 1, 2])),
    "n - 1 values": (lambda bits: Coins(bits).uniform(2), uniform_law([0, 1, 2])),
    "swap with any place": (lambda bits: swaps(lambda i, n: n)(3, bits), uniform_law(list(permutations(range(3))))),
    "swap with another place": (lambda bits: swaps(lambda i, n: i)(3, bits),
                                uniform_law(list(permutations(range(3))))),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_the_check_of_a_law_accepts_the_right_program(name: str) -> None:
    program, expected = RIGHT[name]
    assert is_law(law_of(program, DEPTH), expected)


@pytest.mark.parametrize("name", WRONG)
def test_the_check_of_a_law_rejects_a_wrong_program(name: str) -> None:
    program, expected = WRONG[name]
    assert not is_law(law_of(program, DEPTH), expected)


class Counting:
    """Pseudo-random flips from a fixed seed, counted: the tests that use them are deterministic."""

    def __init__(self) -> None:
        self.source, self.used = random.Random(2020), 0

    def __call__(self) -> int:
        self.used += 1
        return self.source.getrandbits(1)


ROUNDS = 2000
COSTS: dict[str, tuple[Callable[[Coins], object], float]] = {
    "bernoulli(1/3)": (lambda c: c.bernoulli(F(1, 3)), 2),
    "bernoulli(1/10^30)": (lambda c: c.bernoulli(F(1, 10**30)), 2),
    "bernoulli_exp(1/10^6)": (lambda c: c.bernoulli_exp(F(1, 10**6)), 2 * math.e),
    "bernoulli_exp(3/2)": (lambda c: c.bernoulli_exp(F(3, 2)), 2 * math.e),
    "bernoulli_exp(10^30)": (lambda c: c.bernoulli_exp(10**30), 2 * math.e),
    "geometric_exp(1/10^6)": (lambda c: c.geometric_exp(F(1, 10**6)), 1.6 * math.log2(10**6) + 18),
    "geometric_exp(1/10^30)": (lambda c: c.geometric_exp(F(1, 10**30)), 1.6 * math.log2(10**30) + 18),
    "geometric_exp(10^30/7)": (lambda c: c.geometric_exp(F(10**30, 7)), 1.6 * math.log2(7) + 18),
    "uniform(1000)": (lambda c: c.uniform(1000), math.log2(1000) + 2),
    "uniform(2^20 + 1)": (lambda c: c.uniform(2**20 + 1), 22),
    "permutation(5)": (lambda c: c.permutation(5), sum(math.log2(n) + 2 for n in range(2, 6))),
}


@pytest.mark.parametrize("name", COSTS)
def test_flips_used_stay_below_the_bound_stated(name: str) -> None:
    """The mean over 2000 runs on fixed flips exceeds the bound on the expectation by at most a tenth."""
    run, bound = COSTS[name]
    bits = Counting()
    for _ in range(ROUNDS):
        run(Coins(bits))
    assert bits.used <= 1.1 * bound * ROUNDS


def test_geometric_exp_of_tiny_gamma_has_the_size_of_its_mean() -> None:
    """On fixed flips: the mean of 2000 draws is within a tenth of 1/(e^gamma - 1), 4.5 standard errors."""
    gamma, bits = F(1, 10**6), Counting()
    draws = [Coins(bits).geometric_exp(gamma) for _ in range(ROUNDS)]
    assert abs(sum(draws) / ROUNDS / 10**6 - 1) < 0.1


def test_uniform_and_permutation_reach_every_value_of_a_larger_range() -> None:
    """On fixed flips; each value is missed with probability below e^-40."""
    coins = Coins(Counting())
    assert set(Counter(coins.uniform(50) for _ in range(2000))) == set(range(50))
    assert sorted(coins.permutation(30)) == list(range(30))


def test_the_same_flips_give_the_same_choices() -> None:
    source = random.Random(7)
    flips = [source.getrandbits(1) for _ in range(400)]

    def choices(bits: Bits) -> list[object]:
        coins = Coins(bits)
        return [coins.geometric_exp(F(1, 9)), coins.bernoulli_exp(2), coins.uniform(77), coins.permutation(8)]

    assert choices(Tape(flips)) == choices(Tape(flips)) != choices(Tape(flips[1:]))


def test_from_system_says_whose_flips_they_are() -> None:
    assert Coins().from_system
    assert Coins(SYSTEM).from_system
    assert Coins().entropy == "the operating system"
    for bits in (SystemBits(), Tape([0, 1]), lambda: SYSTEM()):
        assert not Coins(bits).from_system
        assert Coins(bits).entropy == "supplied by the caller"
    with pytest.raises(AttributeError):
        Coins(Tape([])).bits = SYSTEM  # type: ignore[misc]


REFUSED: list[tuple[Callable[[Any], object], str]] = [
    (lambda c: c.bernoulli(0.25), "p must be exact, got the float 0.25; .* 1/4"),
    (lambda c: c.bernoulli(float("nan")), "p must be exact, got the float nan"),
    (lambda c: c.bernoulli(True), "p must be an int, a Fraction or text .*, got True"),
    (lambda c: c.bernoulli(None), "p must be an int, a Fraction or text .*, got None"),
    (lambda c: c.bernoulli(F(5, 4)), r"p must be in \[0, 1\], got 5/4"),
    (lambda c: c.bernoulli(F(-1, 4)), r"p must be in \[0, 1\], got -1/4"),
    (lambda c: c.bernoulli_exp(0.5), "gamma must be exact, got the float 0.5"),
    (lambda c: c.bernoulli_exp(float("inf")), "gamma must be exact, got the float inf"),
    (lambda c: c.bernoulli_exp(F(-1, 2)), "gamma must be >= 0, got -1/2"),
    (lambda c: c.geometric_exp(0.5), "gamma must be exact, got the float 0.5"),
    (lambda c: c.geometric_exp(0), "gamma must be > 0, got 0"),
    (lambda c: c.geometric_exp(-1), "gamma must be > 0, got -1"),
    (lambda c: c.uniform(0), "n must be >= 1, got 0"),
    (lambda c: c.uniform(-3), "n must be >= 1, got -3"),
    (lambda c: c.uniform(2.0), "n must be an int, got 2.0"),
    (lambda c: c.uniform(True), "n must be an int, got True"),
    (lambda c: c.permutation(0), "n must be >= 1, got 0"),
    (lambda c: c.permutation(3.0), "n must be an int, got 3.0"),
    (lambda c: c.first(3, 4), "size must be an int from 0 to 3, got 4"),
    (lambda c: c.first(3, -1), "size must be an int from 0 to 3, got -1"),
    (lambda c: c.first(0, 0), "n must be >= 1, got 0"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_parameters_outside_their_range_are_refused_before_any_flip(
    call: Callable[[Any], object], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        call(Coins(Tape([])))


def test_parameters_may_be_text() -> None:
    law = law_of(lambda bits: Coins(bits).bernoulli("3/8"), 3)
    assert (law.lower(True), law.unresolved) == (F(3, 8), F(0))


@pytest.mark.parametrize("flip", [2, -1, 0.5, 1.0, None, "1"])
def test_a_source_of_something_else_than_flips_is_refused(flip: int) -> None:
    with pytest.raises(ValueError, match="a flip must be 0 or 1"):
        Coins(lambda: flip).uniform(2)


def test_no_module_of_exact_sampling_has_a_float_or_imports_random_or_math() -> None:
    folder = Path(refdp.sampling.__file__).parent
    for stem in ("entropy", "coins", "tree"):
        nodes = list(ast.walk(ast.parse((folder / f"{stem}.py").read_text())))
        imported = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
        imported |= {n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)}
        assert not imported & {"random", "math", "cmath", "numpy", "time"}
        assert not [n.lineno for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, float)]
