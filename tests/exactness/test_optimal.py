"""The best composition against its definition: joint laws of random mechanisms, and the responses that reach it."""

from fractions import Fraction as F
from math import comb
from random import Random

import pytest

from refdp.kernel import rules
from refdp.numerics.exact import decide, lower_bound, upper_bound
from refdp.spec.distances import hockey_stick
from refdp.terms.term import exp, number, substitute
from tests.exactness.claims import FACTORS, ln_of, private, tight
from tests.exactness.definition import near, pairs_of, satisfied
from tests.exactness.entering import given
from tests.exactness.laws import chances, joint, random_laws, share

pytestmark = pytest.mark.usefixtures("nameless")

CLOSE = near((0, 1), "absolute", 1)


def response(t, d):
    """Masses of the pair that dominates every (ln t, d)-DP pair."""
    right = [d, (1 - d) * t / (1 + t), (1 - d) / (1 + t), F(0)]
    possible = [y for y in range(4) if right[y] or right[3 - y]]
    return {1: {y: right[y] for y in possible}, 0: {y: right[3 - y] for y in possible}}


def claimed(losses):
    return [given(private(f"m_{i}()", "finite(2)", "absolute", 1, "approximate", d)) for i, d in enumerate(losses)]


def test_optimal_composition_is_never_exceeded_by_the_joint_law():
    """Two or three mechanisms of random laws; from the sum of the epsilons on, only failures are left."""
    for chance in chances("compose optimal"):
        laws = [random_laws(chance, (0, 1), 3, 0) for _ in range(chance.choice([2, 2, 3]))]
        losses = [tight("approximate", pairs_of(one, CLOSE), Random(chance.random())) for one in laws]
        factor = chance.choice([*FACTORS, F(4), F(6)])
        claim = rules.compose_optimal(*claimed(losses), epsilon=str(ln_of(factor))).claim
        together = pairs_of({x: joint([one[x] for one in laws]) for x in (0, 1)}, CLOSE)
        assert satisfied("approximate", claim.d_out, together)
        added = rules.compose_failures(*claimed(losses)).claim
        if decide(added.d_out[0] <= claim.d_out[0]):
            assert claim.d_out[1] == added.d_out[1]


def test_optimal_composition_is_reached_by_the_responses():
    """Their joint law has just the delta of the rule, at factors of every size, and less is exceeded."""
    for chance in chances("optimal reached"):
        parts = [(chance.choice(FACTORS), F(chance.randint(0, 3), 20)) for _ in range(chance.choice([2, 3]))]
        factor = chance.choice([F(1, 2), F(1), *FACTORS, F(5), F(9)])
        losses = [(ln_of(t), number(d)) for t, d in parts]
        claim = rules.compose_optimal(*claimed(losses), epsilon=str(ln_of(factor))).claim
        laws = {x: joint([response(t, d)[x] for t, d in parts]) for x in (0, 1)}
        assert claim.d_out[1] == number(hockey_stick(laws[1], laws[0], factor))


def test_optimal_composition_of_one_mechanism_many_times_is_that_of_as_many():
    for chance in chances("optimal many", 200):
        t, d, k = chance.choice(FACTORS), F(chance.randint(0, 3), 20), chance.randint(1, 5)
        loss, epsilon = (ln_of(t), number(d)), str(ln_of(chance.choice([*FACTORS, F(4)])))
        many = rules.compose_many_optimal(claimed([loss])[0], k=str(k), epsilon=epsilon).claim
        assert many.d_out == rules.compose_optimal(*claimed([loss] * k), epsilon=epsilon).claim.d_out
        assert str(many.subject) == f"repeated(m_0(), {k})"


def test_optimal_homogeneous_composition_has_the_printed_delta():
    """KOV15 Thm 3.3: sum over l < i of C(k, l) (e^((k - l) e) - e^((k - 2 i + l) e)) / (1 + e^e)^k."""
    for k, t in ((3, F(2)), (4, F(3)), (7, F(3, 2))):
        for i in range(k // 2 + 1):
            printed = sum(comb(k, j) * (t ** (k - j) - t ** (k - 2 * i + j)) for j in range(i)) / (1 + t) ** k
            claim = claimed([(ln_of(t), number(F(1, 50)))])[0]
            found = rules.compose_many_optimal(claim, k=str(k), epsilon=str(ln_of(t ** (k - 2 * i)))).claim
            assert found.d_out[1] == number(1 - (1 - F(1, 50)) ** k * (1 - printed))


def test_advanced_composition_is_never_exceeded_by_the_responses():
    """Nor by anything that they dominate; without the mean of the loss they often exceed it."""
    sharp = 0
    for chance in chances("advanced", 400):
        t, d, k = chance.choice([F(3, 2), F(3), F(9), F(30)]), F(chance.randint(0, 1), 50), chance.randint(1, 7)
        k -= 2 * (d > 0 and k > 5)  # 4^k outcomes, otherwise 2^k
        more, loss = F(1, chance.choice([2, 4, 10])), (ln_of(t), number(d))
        family = rules.compose_advanced(claimed([loss])[0], delta=str(more)).claim
        epsilon, delta = (substitute(loss, {"k": number(k)}) for loss in family.d_out)
        assert delta == number(k * d + more)
        one, zero = (joint([response(t, d)[x]] * k) for x in (1, 0))
        assert hockey_stick(one, zero, lower_bound(exp(epsilon), 9)) <= k * d + more
        mean = k * ln_of(t) * number((t - 1) / (t + 1))
        sharp += hockey_stick(one, zero, upper_bound(exp(epsilon - mean), 9)) > k * d + more
    assert sharp > share(10)
