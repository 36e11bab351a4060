"""Propose, test, release, by enumeration against the definition: the law by hand, and pairs of every kind."""

from fractions import Fraction as F

import refdp.derivations  # noqa: F401  (it registers the mechanisms)
from refdp.kernel import rules
from refdp.spec.distances import hockey_stick, metric
from refdp.spec.domains import contains
from refdp.spec.semantics import law as law_of
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import name
from tests.claimed import propose_test_release
from tests.exactness.definition import worst_excess
from tests.exactness.laws import chances, random_laws, share
from tests.exactness.powers import Powers
from tests.exactness.test_beyond import drawn_law
from tests.kinds import mechanism

FAR = 60
LESS = F(999, 1000)


def passing(powers, scale, threshold, distance):
    """P[distance + Z >= threshold], the masses of Z added up; beyond FAR it has less than 2^-50 of the probability."""
    ratio = powers.power(-1 / scale)
    masses = {k: (1 - ratio) / (1 + ratio) * ratio ** abs(k) for k in range(-FAR, FAR + 1)}
    return sum((p for k, p in masses.items() if distance + k >= threshold), F(0))


def two_pairs(chance, d_in, upper):
    """Two pairs within d_in: near distances, and values that are near unless both distances are 0 or less."""
    distance = chance.randint(-1, 4)
    other = distance + chance.choice([-1, 0, 1])
    value = chance.randint(0, upper)
    moved = chance.randint(max(0, value - d_in), min(upper, value + d_in))
    if max(distance, other) <= 0:
        moved = chance.randint(0, upper)
    pair = (F(distance), F(value)), (F(other), F(moved))
    assert metric("tested").within(*pair, F(d_in))
    return pair


def test_tested_releases_are_never_exceeded_and_have_the_law_by_hand():
    general = propose_test_release.discrete_laplace().claim
    assert str(general.d_out[0]) == "1 / test_scale + d_in / scale"
    sharp = 0
    for chance in chances("tested"):
        powers, upper, threshold = Powers(chance.randint(2, 4)), chance.randint(1, 4), chance.randint(1, 4)
        scale, test_scale, d_in = F(1, chance.randint(1, 2)), F(1, chance.randint(1, 2)), chance.randint(0, 2)
        inner = f"truncated_geometric({scale}, 1, 0, {upper})"
        subject = read(f"tested({inner}, {test_scale}, {threshold})")
        pair = two_pairs(chance, d_in, upper)
        laws = [law_of(subject, x, powers) for x in pair]
        for law, (distance, value) in zip(laws, pair, strict=True):
            assert sum(law.values()) == 1
            by_hand = passing(powers, test_scale, threshold, distance)
            assert abs(1 - law[()] - by_hand) < F(1, 2**40)
            released = law_of(read(inner), value, powers)
            assert {y[0]: p for y, p in law.items() if y} == {y: (1 - law[()]) * p for y, p in released.items()}
        values = {"scale": scale, "test_scale": test_scale, "d_in": F(d_in), "threshold": F(threshold)}
        epsilon, delta = (evaluate(t, values, powers) for t in general.d_out)
        assert epsilon == 1 / test_scale + d_in / scale
        both = [tuple(laws), tuple(laws[::-1])]
        excess = worst_excess(both, powers.power(epsilon))
        assert excess <= delta
        sharp += 2 * excess >= delta
    assert sharp > share(10)


def test_delta_is_reached_where_values_are_far_apart():
    """All that is released under one value is next to impossible under the other."""
    for chance in chances("sharp delta", 100):
        powers, threshold = Powers(chance.randint(3, 5)), chance.randint(1, 4)
        subject = read(f"tested(truncated_geometric(1/4, 1, 0, 40), 1, {threshold})")
        laws = [law_of(subject, (F(0), F(v)), powers) for v in (0, 40)]
        ratio = F(1, powers.base)
        delta = ratio**threshold / (1 + ratio)
        excess = hockey_stick(*laws, powers.power(F(1) + 4))
        assert LESS * delta < excess <= delta


def test_what_is_tested_may_have_a_delta_of_its_own():
    """Random laws on three values that are 1 apart or not: the claim is the premise's, by definition sharp."""
    for chance in chances("tested with delta"):
        powers, threshold = Powers(chance.randint(2, 4)), chance.randint(1, 3)
        laws = random_laws(chance, range(2), 3, least=0)
        rows = ", ".join(f"tuple_of({', '.join(str(p) for p in law.values())})" for law in laws.values())
        factor = F(chance.randint(4, 9), 4)
        inner = rules.finite_mechanism(
            subject=f"listed(tuple_of({rows}))", domain="finite(2)", metric="absolute", d_in="1",
            measure="approximate", factor=str(factor),
        )  # fmt: skip
        ratio = F(1, powers.base)
        claim = rules.propose_test_release(inner, scale="scale", threshold=str(threshold)).claim
        assert claim.given == (0 < name("scale"),)
        delta = max(ratio**threshold / (1 + ratio), inner.claim.d_out[1].rational)
        assert evaluate(claim.d_out[1], {"scale": F(1)}, powers) == delta
        pair = two_pairs(chance, 1, 1)
        assert all(contains(claim.domain, x) for x in pair)
        found = [law_of(read(str(claim.subject).replace("scale", "1")), x, powers) for x in pair]
        assert worst_excess([tuple(found), tuple(found[::-1])], factor * powers.base) <= delta


def test_tested_releases_are_drawn_from_the_law():
    for chance in chances("draws of tested releases", 60):
        powers, threshold = Powers(chance.randint(6, 9)), chance.randint(1, 2)
        subject = read(f"tested(truncated_geometric(1, 1, 0, 2), 1, {threshold})")
        x = F(chance.randint(-1, 2)), F(chance.randint(0, 2))
        drawn, missing = drawn_law(subject, x, powers)
        law = law_of(subject, x, powers)
        assert 0 <= missing < F(1, 500)
        assert all(drawn.get(y, F(0)) <= p <= drawn.get(y, F(0)) + missing for y, p in law.items())
        assert drawn.keys() <= law.keys()


def test_the_release_costs_what_its_premise_says():
    claim = rules.propose_test_release(mechanism("truncated_geometric"), scale="s", threshold="t").claim
    assert str(claim.d_in) == "d_in"
    assert [str(t) for t in claim.d_out] == ["1 / s + d_in / scale", "exp(-(t / s)) / (1 + exp(-(1 / s)))"]
    assert claim.given[-3:] == (0 < name("s"), read("integer(t)"), read("1 <= t"))
