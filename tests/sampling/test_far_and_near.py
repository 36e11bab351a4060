"""What random digits hardly ever show: draws far out, bends that are nearly nothing, clamping between far bounds.

The digits, or the draws that a sampler is made of, are chosen; what it must give is worked out from the definition.
"""

from fractions import Fraction as F

import pytest
from mpmath import floor, log, mpf, workprec

from refdp.mechanisms.discrete_laplace import discrete_laplace
from refdp.mechanisms.truncated_geometric import truncated_geometric
from refdp.sampling.coins import Coins
from refdp.sampling.plans import plan_of
from refdp.sampling.schemes import draw
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.draws import SlotDraws
from refdp.sampling.tree import Tape
from refdp.sampling.words import Recorded
from tests.sampling.noises import gaussian, laplace

FAR = [0, 1, 2**20 - 1, 2**20, 2**20 + 1, 2**39 + 12345, 2**60]
WIDE = [(0, 1001), (-1000, 1), (-(10**6), 10**9), (5, 6), (-3, 2**50)]
ONES, ZEROS = b"\xff" * 400, b"\x00" * 400
"""Digits of a uniform number that is nearly 1, and of one that is 0."""


@pytest.mark.parametrize("whole", [0, 1, 5, 1000])
@pytest.mark.parametrize("u", [0, 1, 2**20, 2**40 - 1])
@pytest.mark.parametrize("numerator", [1, 3])
def test_a_geometric_draw_is_the_floor_of_u_and_v(monkeypatch, whole, u, numerator):
    """gamma = s/t: floor((U + t V) / s), where U takes 40 flips and V is how often e^-1 comes up."""
    accepted = iter([True, *[True] * whole, False])
    monkeypatch.setattr(Coins, "_bernoulli_exp_to_one", lambda self, gamma: next(accepted))
    tape = Tape([u >> i & 1 for i in reversed(range(40))])
    assert Coins(tape).geometric_exp(F(numerator, 2**40)) == (u + 2**40 * whole) // numerator


@pytest.mark.parametrize("magnitude", FAR)
@pytest.mark.parametrize("minus", [False, True])
@pytest.mark.parametrize(("lower", "upper"), WIDE)
def test_a_clamped_draw_is_the_nearer_bound_however_far_the_bounds_are(monkeypatch, magnitude, minus, lower, upper):
    monkeypatch.setattr(Coins, "geometric_exp", lambda self, gamma: magnitude)
    monkeypatch.setattr(Coins, "bernoulli", lambda self, p: next(signs))
    m, z = truncated_geometric(7, lower, upper), -magnitude if minus else magnitude
    for x in {F(lower), F(upper), F((lower + upper) // 2)}:
        signs = iter([minus, False])  # minus zero is drawn again
        assert draw(m.subject, x, Coins(Tape([]))) == sorted([lower, x + z, upper])[1]
        signs = iter([minus, False])
        assert draw(discrete_laplace(7).subject, x, Coins(Tape([]))) == x + z
        same, own = plan_of(m.subject).split(int(x), z)
        assert same + own == sorted([lower, x + z, upper])[1]


def greatest_below(u: F, rho: F) -> int:
    """The greatest g with u < e^(-rho g), that is the greatest integer below -ln(u) / rho."""
    with workprec(400):
        exact = -log(mpf(u.numerator) / u.denominator) * rho.denominator / rho.numerator
        return int(floor(exact))


TAILED = {
    "laplace 2^48": laplace(2**48),
    "laplace 1000": laplace(1000),
    "gaussian 10^6": gaussian(10**6),
    "gaussian 10^12": gaussian(10**12),
    "gaussian 2": gaussian(2),
}


DIGITS = (1, 2**33 + 1, 2**60 + 7, 2**63 + 5, 2**64 - 2**64 // 5000, 2**64 - 2)
"""The first 64 digits of U: g is far out where it is small, and few where it is nearly 1."""


def excesses(name: str, digits: int):
    """Each tail with its g and the bend q(K + g) - q(K) - rho g, where these digits of U tell g."""
    q = TAILED[name]
    for tail in certificate(q).tails:
        rho = q.slope(tail.start)
        g, other = (greatest_below(F(3 * digits + part, 3 * 2**64), rho) for part in (1, 2))
        if g == other:
            yield tail, g, q(tail.start + g) - q(tail.start) - rho * g


@pytest.mark.parametrize("name", TAILED)
@pytest.mark.parametrize("digits", DIGITS)
def test_a_draw_in_a_tail_is_accepted_by_a_flip_however_small_the_bend_is(name, digits):
    """Where the flip's uniform number is 0, sign (K + g) is drawn; where it is nearly 1, it is not, unless no bend is.

    The bend is q(K + g) - q(K) - rho g, which only a potential of degree 1 has not.
    """
    draws, record = SlotDraws(certificate(TAILED[name])), digits.to_bytes(8)
    for tail, g, bend in excesses(name, digits):
        k = tail.sign * (tail.start + g)
        assert draws.beyond(tail, Recorded(record + ZEROS)) == k
        assert draws.beyond(tail, Recorded(record + ONES)) == (k if bend == 0 else None)


def test_what_is_chosen_here_is_far_out_and_nearly_straight():
    """That is: the test above sees magnitudes beyond 2^20, and bends below 10^-8 that are not 0."""
    found = [(g, bend) for name in TAILED for digits in DIGITS for _, g, bend in excesses(name, digits)]
    assert any(g > 2**40 for g, _ in found)
    assert any(0 < bend < F(1, 10**8) for _, bend in found)
    assert any(bend > 1 for _, bend in found)
