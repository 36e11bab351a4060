"""Noise scaled to a bound, against its densities: random bounds, values and outputs, in rationals."""

from dataclasses import replace
from fractions import Fraction as F
from math import isqrt

import refdp.derivations  # noqa: F401  (it registers the mechanisms)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError, Private
from refdp.mechanisms.scaled_cauchy import SCALED_CAUCHY
from refdp.numerics.enclosures import enclose
from refdp.spec import bound_noise
from refdp.spec.bound_noise import PAIRS
from refdp.spec.distances import metric
from refdp.spec.semantics import written as data_of
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import ln, name, number, substitute
from tests.claimed import rounded_scaled_cauchy, scaled_cauchy
from tests.exactness.entering import entered, written
from tests.exactness.enumeration import holds_everywhere, lemma
from tests.exactness.laws import chances, share

LESS = F(999, 1000)


def density(y, pair, scale):
    """The density of Cauchy noise of scale times the bound at y, times pi."""
    value, bound = pair
    width = scale * bound
    return width / (width**2 + (y - value) ** 2)


def cosh(growth, scale):
    """The cosh of the loss that is claimed."""
    return evaluate(SCALED_CAUCHY.cosh_of_loss.term, {"growth": growth, "scale": scale})


def neighbours(chance, growth):
    """Two pairs within growth; often as far apart as that allows."""
    bound = F(chance.randint(1, 6), chance.randint(1, 4))
    factor = chance.choice([F(1), growth, 1 + (growth - 1) * F(chance.randint(0, 8), 8)])
    move = chance.choice([F(1), F(-1), F(chance.randint(-8, 8), 8)])
    value = F(chance.randint(-3, 3))
    pair = [(value, bound), (value + move * bound, bound * factor)]
    assert metric("smooth").within(*pair, growth)
    return pair if chance.random() < F(1, 2) else pair[::-1]


def random_case(chance):
    """Growth and scale, two neighbours and an output near where the worst ones are."""
    growth, scale = 1 + F(chance.randint(0, 12), 8), F(chance.randint(1, 12), 4)
    a, b = neighbours(chance, growth)
    return growth, scale, a, b, a[0] + F(chance.randint(-60, 60), 8) * scale * a[1]


def test_no_ratio_of_densities_is_more_than_the_map_and_some_come_near():
    """r <= e^loss, for r >= 1, just if r + 1/r is at most twice the cosh of the loss."""
    claim, near = scaled_cauchy.pure().claim, 0
    assert str(claim.d_in) == "d_in"
    assert (claim.metric, claim.d_out) == ("smooth", rounded_scaled_cauchy.pure().claim.d_out)
    for chance in chances("scaled cauchy"):
        growth, scale, a, b, y = random_case(chance)
        ratio = density(y, a, scale) / density(y, b, scale)
        assert ratio + 1 / ratio <= 2 * cosh(growth, scale)
        near += 20 * (ratio + 1 / ratio) >= 19 * 2 * cosh(growth, scale)
    assert near > share(20)


def evaluate_at(t, growth, scale):
    """The term at these numbers."""
    return substitute(t, {"d_in": number(growth), "scale": number(scale)})


def test_the_map_is_the_arcosh_of_its_cosh():
    for chance in chances("arcosh", 60):
        growth, scale, *_ = random_case(chance)
        loss = evaluate_at(scaled_cauchy.pure().claim.d_out[0], growth, scale)
        twice = enclose(read(f"exp({loss}) + exp(-({loss}))"), {}, 96)
        assert twice.lower <= 2 * cosh(growth, scale) <= twice.upper


def test_the_map_is_reached_between_the_worst_pairs():
    """At the worst output, a root of a quadratic equation that is rounded: within a millionth of the cosh."""
    for chance in chances("scaled cauchy is sharp", 100):
        growth, scale = 1 + F(chance.randint(1, 12), 8), F(chance.randint(1, 12), 4)
        least = 2 * cosh(growth, scale) * (1 - F(1, 10**6))
        pairs = [((F(0), F(1)), (F(1), factor)) for factor in (F(1), growth)]
        assert max(worst_twice(*pair, scale) for pair in pairs) >= least


def worst_twice(a, b, scale):
    """The greatest r + 1/r at the two outputs where the ratio's derivative is 0, rounded to 10^-12.

    The derivative of ln(c^2 + (z - h)^2) - ln(1 + z^2) is 0 where h z^2 - (c^2 + h^2 - 1) z - h = 0.
    """
    c, h = b[1] / a[1], 1 / scale
    middle = c**2 + h**2 - 1
    root = F(isqrt(int((middle**2 + 4 * h**2) * 10**24)), 10**12)
    outputs = [(middle + side * root) / (2 * h) for side in (1, -1)]
    ratios = [density(z * scale, a, scale) / density(z * scale, b, scale) for z in outputs]
    return max(r + 1 / r for r in ratios)


def kind_with(factor, spread):
    """Cauchy noise with so many times the cosh, and that spread."""
    cosh_of_loss = written("cosh_of_loss", "growth scale", number(factor) * SCALED_CAUCHY.cosh_of_loss.term)
    return replace(SCALED_CAUCHY, stem="m", cosh_of_loss=cosh_of_loss, spread=written("spread", "c h", read(spread)))


def test_bound_noise_follows_from_its_obligations_alone():
    """Maps and spreads that are right, too small or too large: where the obligations hold, no ratio is more."""
    halves = [F(k, 2) for k in range(1, 7)]
    axes = {
        "scale": [F(1, 2), F(1), F(2)], "growth": [F(1), F(3, 2), F(2), F(4)], "c": [F(1), F(3, 2), F(2), F(3)],
        "t": [1 + F(k, 4) for k in range(13)], "h": [F(k, 2) for k in range(-4, 5)], "z": [F(k) for k in range(-3, 4)],
        "cosh": halves,
    }  # fmt: skip
    judged = {}
    for factor in (LESS, F(1), F(2)):
        for spread in ("1 + c**2 + h**2", "1 + c**2 + h**2 / 2", "c", "1 + c**2 + 2 * h**2"):
            needed = bound_noise.privacy_obligations(kind_with(factor, spread))
            judged[factor, spread] = all(holds_everywhere(s, range(1), axes) for s in needed.values())
    assert judged[F(1), "1 + c**2 + h**2"]
    assert judged[F(2), "1 + c**2 + h**2"]
    assert judged[F(2), "1 + c**2 + 2 * h**2"]
    assert not any(judged[LESS, spread] for spread in ("1 + c**2 + h**2", "1 + c**2 + 2 * h**2"))
    assert not any(judged[factor, spread] for factor in (LESS, F(1)) for spread in ("1 + c**2 + h**2 / 2", "c"))
    held = [key for key, yes in judged.items() if yes]
    for chance in chances("bound noise from obligations"):
        factor, spread = chance.choice(held)
        kind = kind_with(factor, spread)
        with entered(kind):
            lemmas = [lemma("m", key, s) for key, s in bound_noise.privacy_obligations(kind).items()]
            claim = rules.bound_noise(*lemmas, stem="m").claim
        growth, scale, a, b, y = random_case(chance)
        ratio = density(y, a, scale) / density(y, b, scale)
        bound = evaluate(kind.cosh_of_loss.term, {"growth": growth, "scale": scale})
        assert ratio + 1 / ratio <= 2 * bound
        assert claim.d_out == (bound_noise.privacy_loss(kind, name("d_in")),)


def test_scaled_noise_is_refuted_by_just_the_outputs_whose_ratio_is_too_great():
    found = {True: 0, False: 0}
    for chance in chances("denser scaled noise"):
        growth, scale, a, b, y = random_case(chance)
        if chance.random() < 0.2:
            b = (b[0], b[1] * 3)
        most = F(chance.randint(4, 12), 4)
        claim = Private(read(f"scaled_cauchy({scale})"), PAIRS, "smooth", number(growth), "pure", (ln(number(most)),))
        try:
            texts = {"a": data_of(a), "b": data_of(b), "output": data_of(y)}
            said = rules.denser_elsewhere(claim=claim.term, **texts).claim.claim == claim
        except KernelError:
            said = False
        ratio = density(y, a, scale) / density(y, b, scale)
        assert said == (metric("smooth").within(a, b, growth) and ratio > most)
        found[said] += 1
    assert min(found.values()) > share(50)


def test_the_relation_of_pairs_is_its_sentence():
    related = 0
    for chance in chances("smooth pairs"):
        growth = F(chance.randint(1, 4), 2)
        u, v = ((F(chance.randint(-2, 2)), F(chance.randint(-1, 4))) for _ in range(2))
        within = metric("smooth").within(u, v, growth)
        moves = abs(u[0] - v[0])
        assert within == (moves <= u[1] and moves <= v[1] and u[1] <= growth * v[1] and v[1] <= growth * u[1])
        assert within == metric("smooth").within(v, u, growth)
        related += within
    assert share(20) < related
