"""Gaussian DP against its definition: random laws with the least mu, composed, merged, partitioned, k edits away."""

from fractions import Fraction as F
from functools import cache
from itertools import accumulate

import pytest
from mpmath import mp, mpf

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.terms.term import ln, number
from tests.exactness.claims import private
from tests.exactness.definition import ORDERS, near, pairs_of, satisfied, worst_ratio
from tests.exactness.entering import entered, given, lookup, post_map, row_map
from tests.exactness.laws import chances, image, joint, random_laws, share, tables

pytestmark = pytest.mark.usefixtures("nameless")

CLOSE = near((0, 1, 2), "absolute", 1)
TABLES = tables((0, 1), 3)


@cache
def quantile(x):
    """z with P[Z <= z] = x, to about 20 digits."""
    with mp.workdps(20):
        return mp.sqrt(2) * mp.erfinv(2 * to_mp(x) - 1)


def curve(p, q):
    """(Q(S), P(S)) for the events of the greatest likelihood ratios, largest ratio first: the corners of the test."""
    order = sorted(p, key=lambda y: p[y] / q[y], reverse=True)
    return list(zip(accumulate(q[y] for y in order), accumulate(p[y] for y in order), strict=True))[:-1]


def mu_of(pairs):
    """The least mu of the pairs: the curve of a test is concave between its corners, that of normal laws throughout."""
    with mp.workdps(30):
        gaps = [quantile(p) - quantile(q) for one in pairs for q, p in curve(*one)]
        return max([*gaps, mpf(0)])


def to_mp(x):
    return mpf(x.numerator) / x.denominator


def squared(mu):
    """mu^2, rounded up by at most 1/1000."""
    return F(int(mp.floor(mu**2 * 1000)) + 1, 1000)


def holds(claim, pairs):
    with mp.workdps(30):
        return mu_of(pairs) ** 2 <= to_mp(claim.d_out[0].rational)


def claim_of(pairs, subject="m()", domain="finite(3)", metric="absolute"):
    return given(private(subject, domain, metric, 1, "gaussian", (number(squared(mu_of(pairs))),)))


def test_gaussian_losses_add_up_and_are_never_exceeded_by_the_joint_law():
    sharp = 0
    for chance in chances("gaussian compose"):
        laws = [random_laws(chance, range(3), 3) for _ in range(2)]
        claims = [claim_of(pairs_of(one, CLOSE), f"m_{i}()") for i, one in enumerate(laws)]
        claim = rules.compose(*claims).claim
        together = pairs_of({x: joint([one[x] for one in laws]) for x in range(3)}, CLOSE)
        assert holds(claim, together)
        sharp += not any(holds(c.claim, together) for c in claims)
    assert sharp > share(100)


def test_gaussian_loss_is_kept_by_a_function_of_the_output():
    for chance in chances("gaussian post_process", 400):
        laws, images = random_laws(chance, range(3), 4), {y: chance.randint(0, 2) for y in range(4)}
        with entered(lookup("m", "finite(3)", laws), post_map("f", images)):
            claim = rules.post_process(claim_of(pairs_of(laws, CLOSE)), function="f()").claim
        assert holds(claim, pairs_of({x: image(laws[x], images) for x in laws}, CLOSE))


def test_gaussian_loss_of_a_group_is_never_exceeded_k_edits_away():
    sharp = 0
    for chance in chances("gaussian group", 400):
        laws, k = random_laws(chance, TABLES, 2), chance.randint(2, 3)
        one = claim_of(pairs_of(laws, near(TABLES, "symmetric", 1)), domain="table(finite(2))", metric="symmetric")
        claim, far = rules.group(one, k=str(k)).claim, pairs_of(laws, near(TABLES, "symmetric", k))
        assert claim.d_out[0].rational == k * k * one.claim.d_out[0].rational
        assert holds(claim, far)
        sharp += not holds(one.claim, far)
    assert sharp > share(50)


def test_gaussian_loss_of_parts_is_the_greatest():
    for chance in chances("gaussian parallel", 400):
        images = {r: chance.randint(-1, 1) for r in (0, 1)}
        laws = [random_laws(chance, range(4), 2) for _ in range(2)]
        steps = [(n, m) for n in range(4) for m in (n - 1, n + 1) if 0 <= m < 4]
        premises = [
            claim_of(pairs_of(one, steps), f"m_{i}()", "table(finite(2))", "symmetric") for i, one in enumerate(laws)
        ]
        with entered(row_map("part_of", "finite(2)", "category(2)", images)):
            claim = rules.parallel(*premises, partition="part_of()", neighbours="add_remove").claim
        states = {t: [sum(images[r] == i for r in t) for i in (0, 1)] for t in TABLES}
        together = {t: joint([one[n] for one, n in zip(laws, s, strict=True)]) for t, s in states.items()}
        assert holds(claim, pairs_of(together, near(TABLES, "symmetric", 1)))


def test_gaussian_loss_is_what_it_is_converted_to():
    """Approximate DP at several epsilons, and Renyi divergences of whole orders."""
    for chance in chances("gaussian converted"):
        pairs = pairs_of(random_laws(chance, range(3), 3), CLOSE)
        premise, epsilon = claim_of(pairs), chance.choice([F(-1, 2), F(0), F(1, 4), F(1)])
        with mp.workdps(20):
            mu = mp.sqrt(to_mp(premise.claim.d_out[0].rational))
            tails = [mp.ncdf(-(to_mp(epsilon) / mu + sign * mu / 2)) for sign in (-1, 1)]
            delta = F(int(mp.ceil((tails[0] - mp.exp(to_mp(epsilon)) * tails[1]) * 10**9)) + 1, 10**9)
        claim = rules.gaussian_to_approximate(premise, epsilon=str(epsilon), d_out=[str(epsilon), str(delta)]).claim
        assert satisfied("approximate", claim.d_out, pairs)
        with pytest.raises(KernelError, match="not an upper bound"):
            rules.gaussian_to_approximate(premise, epsilon=str(epsilon), d_out=[str(epsilon), str(delta - F(3, 10**9))])
        rho = rules.gaussian_to_concentrated(premise).claim
        assert satisfied("concentrated", rho.d_out, pairs)
        for order in ORDERS:
            renyi = rules.concentrated_to_renyi(rules.gaussian_to_concentrated(premise), order=str(order)).claim
            assert satisfied("renyi", renyi.d_out, pairs)


def test_pure_loss_is_gaussian_and_randomised_response_reaches_it():
    for chance in chances("pure to gaussian", 400):
        pairs = pairs_of(random_laws(chance, range(3), 3), CLOSE)
        t = worst_ratio(pairs)
        with mp.workdps(30):
            mu = -2 * quantile(1 / (1 + t))
        enough = squared(mu)
        premise = given(private("m()", "finite(3)", "absolute", 1, "pure", (ln(t) if t > 1 else number(0),)))
        assert holds(rules.pure_to_gaussian(premise, mu_squared=str(enough)).claim, pairs)
        with pytest.raises(KernelError, match="does not hold"):
            rules.pure_to_gaussian(premise, mu_squared=str(F(999, 1000) * (enough - F(1, 1000))))
