"""Conversions between measures against their definition, exactly; tilted binomials come close to the Gaussian case."""

from fractions import Fraction as F
from itertools import pairwise
from math import comb

import pytest
from flint import arb, fmpq

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.numerics.exact import upper_bound
from refdp.spec.measures import greatest_ratio
from refdp.spec.terms import ln, number, read, sqrt
from tests.exactness.claims import private, tight
from tests.exactness.definition import ORDERS, excess_at_most, near, pairs_of, satisfied
from tests.exactness.entering import given
from tests.exactness.laws import chances, random_laws, share

INPUTS = tuple(range(3))
CLOSE = near(INPUTS, "absolute", 1)


def premise(measure, d_out):
    """The claim about m as a theorem."""
    return given(private("m()", "finite(3)", "absolute", 1, measure, d_out))


def response(truth):
    """Randomised response, whose Renyi divergence is nearly that of pure DP where truth is near 1/2."""
    return {x: {0: truth if x != 1 else 1 - truth, 1: 1 - truth if x != 1 else truth} for x in INPUTS}


def tilted(n, odds):
    """C(n, k) times odds^(x k) for k of n: its loss is linear in k."""
    masses = {x: [comb(n, k) * odds ** (x * k) for k in range(n + 1)] for x in INPUTS}
    return {x: {k: m / sum(ms) for k, m in enumerate(ms)} for x, ms in masses.items()}


def test_pure_to_approximate_is_exceeded_by_no_event_and_would_be_at_a_little_less():
    for chance in chances("pure to approximate"):
        pairs = pairs_of(random_laws(chance, INPUTS, chance.randint(2, 4)), CLOSE)
        (epsilon,) = tight("pure", pairs, chance)
        claim = rules.pure_to_approximate(premise("pure", [epsilon])).claim
        assert (claim.measure, claim.d_out) == ("approximate", (epsilon, number(0)))
        assert excess_at_most(pairs, epsilon, F(0))
        assert epsilon == number(0) or not excess_at_most(pairs, epsilon + number(F(-1, 1000)), F(0))


def test_pure_to_concentrated_is_never_exceeded_at_whole_orders():
    sharp = 0
    for chance in chances("pure to concentrated"):
        laws = random_laws(chance, INPUTS, 3) if chance.random() < 0.5 else response(F(chance.randint(51, 70), 100))
        pairs = pairs_of(laws, CLOSE)
        (epsilon,) = tight("pure", pairs, chance)
        least = upper_bound(epsilon**2 / 2, 6)
        claim = rules.pure_to_concentrated(premise("pure", [epsilon]), d_out=[str(least)]).claim
        assert claim.d_out == (number(least),)
        assert satisfied("concentrated", claim.d_out, pairs)
        sharp += not satisfied("concentrated", (number(least * F(9, 10)),), pairs)
        if least:
            with pytest.raises(KernelError, match="not an upper bound"):
                rules.pure_to_concentrated(premise("pure", [epsilon]), d_out=[str(least * F(999, 1000))])
    assert sharp > share(200)


def test_concentrated_to_renyi_is_never_exceeded():
    sharp = 0
    for chance in chances("concentrated to renyi"):
        pairs = pairs_of(random_laws(chance, INPUTS, 3), CLOSE)
        rho = tight("concentrated", pairs, chance)
        orders = [rules.concentrated_to_renyi(premise("concentrated", rho), order=str(n)).claim for n in ORDERS]
        assert [c.d_out for c in orders] == [(number(n), number(rho[0].rational * n)) for n in ORDERS]
        assert all(satisfied("renyi", c.d_out, pairs) for c in orders)
        less = F(1, 100)
        sharp += any(not satisfied("renyi", (c.d_out[0], number(c.d_out[1].rational - less)), pairs) for c in orders)
    assert sharp > share(900)


def test_renyi_order_is_never_raised():
    """The divergence grows with the order, so that a bound at order 2 says nothing of order 3."""
    with pytest.raises(KernelError, match="must stay"):
        rules.concentrated_to_renyi(premise("concentrated", [number(1)]), order="2", d_out=["3", "2"])
    family = rules.concentrated_to_renyi(premise("concentrated", [number(1)]))
    for order in ("3/2", "3", "ln(9)"):
        with pytest.raises(KernelError):
            rules.instantiate(family, values={"order": "2"}, d_out=[order, "2"])
    claim = rules.instantiate(family, values={"order": "2"}, d_out=["2", "5/2"])
    assert claim.claim.d_out == (number(2), read("5/2"))
    for bounds in (["3", "5/2"], ["1", "5/2"]):
        with pytest.raises(KernelError):
            rules.weaken(claim, d_out=bounds)


STEPS = [F(n, 4) for n in (4, 5, 6, 7, 8, 10, 12, 16, 24, 48)]


def concentration(pairs):
    """A rho that holds at every real order: the divergence grows with it, so that between two orders of STEPS it is
    at most that at the upper one; beyond the last it is at most the log of the greatest ratio."""
    found = [arb(0)]
    for p, q in pairs:
        found.append(_ball(greatest_ratio(p, q)).log() / _ball(STEPS[-1]))
        for lower, upper in pairwise(STEPS):
            moment = sum((_ball(p[y]) * (_ball(p[y] / q[y]).log() * _ball(upper - 1)).exp() for y in p), arb(0))
            found.append(moment.log() / _ball(upper - 1) / _ball(lower))
    return F(max(int((rho * 10**6).upper().ceil().unique_fmpz()) for rho in found), 10**6)


def _ball(x):
    """A ball around the rational x."""
    return arb(fmpq(x.numerator, x.denominator))


def test_concentrated_to_approximate_is_exceeded_by_no_event():
    """Without the factor 2 before the square root it would be exceeded by tilted binomials."""
    sharp = 0
    for chance in chances("concentrated to approximate"):
        binomial = chance.random() < 0.4
        odds = F(chance.randint(13, 19), 10)
        laws = tilted(chance.randint(6, 12), odds) if binomial else random_laws(chance, INPUTS, 3)
        pairs, delta = pairs_of(laws, CLOSE), F(1, chance.choice([3, 30, 300, 3000]))
        rho = concentration(pairs)
        least = upper_bound(rho + 2 * sqrt(rho * ln(1 / delta)), 6)
        given_rho = premise("concentrated", [number(rho)])
        bounds = [str(least), str(delta)]
        claim = rules.concentrated_to_approximate(given_rho, delta=str(delta), d_out=bounds).claim
        assert claim.d_out == (number(least), number(delta))
        assert excess_at_most(pairs, number(least), delta)
        sharp += not excess_at_most(pairs, number(upper_bound(rho + sqrt(rho * ln(1 / delta)), 6)), delta)
        smaller = str(least * F(999, 1000))
        with pytest.raises(KernelError, match="not an upper bound"):
            rules.concentrated_to_approximate(given_rho, delta=str(delta), d_out=[smaller, str(delta)])
    assert sharp > share(10)


@pytest.mark.parametrize("delta", ["0", "1", "-1/2", "2"])
def test_concentrated_to_approximate_needs_a_delta_between_0_and_1(delta):
    with pytest.raises(KernelError):
        rules.concentrated_to_approximate(premise("concentrated", [number(1)]), delta=delta, d_out=["100", delta])
