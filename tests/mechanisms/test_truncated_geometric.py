"""truncated_geometric: masses, the least epsilon, and the sampler; and every constant of them is needed."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.mechanisms import truncated_geometric
from refdp.mechanisms.truncated_geometric import TRUNCATED_GEOMETRIC
from refdp.spec.samplers import SCHEMES, ClampedDraw
from refdp.transformations import clamped_sum, column, count
from tests.exactness.entering import written
from tests.exactness.refusals import refusal, shows
from tests.exactness.variants import verdict, verdicts
from tests.mechanisms.checks import (
    MP,
    NOT_NUMBERS,
    TINY,
    encloses,
    finite_masses,
    one_number,
    program,
    real,
    refuted,
    walked,
    worst_loss,
)

STEM = "wrong_truncated"
RIGHT = SCHEMES["truncated_geometric"]
PARAMETERS = [
    (F(1), F(0), F(1), F(1)),
    (F(2), F(-2), F(3), F(1)),
    (F(1, 2), F(0), F(4), F(1)),
    (F(1), F(-1, 2), F(1), F(1, 2)),
]


def by_hand(scale, lower, upper, step, x, steps=1200):
    """The definition: discrete Laplace noise, summed over its values, each moved to the nearer end if outside."""
    r = MP.exp(-real(step / scale))
    weights = {k: r ** abs(k) for k in range(-steps, steps + 1)}
    total, law = sum(weights.values()), {}
    for k, w in weights.items():
        y = max(lower, min(x + k * step, upper))
        law[y] = law.get(y, MP.mpf(0)) + w / total
    return law


def points(lower, upper, step):
    """The range."""
    return [lower + k * step for k in range(int((upper - lower) / step) + 1)]


def variant(field, body, reads):
    """The mechanism with one other formula."""
    return replace(TRUNCATED_GEOMETRIC, stem=STEM, **{field: written(field, reads, body)})


@pytest.mark.parametrize(("scale", "lower", "upper", "step"), PARAMETERS)
def test_truncated_geometric_masses_are_their_definition(scale, lower, upper, step):
    subject = f"truncated_geometric({scale}, {step}, {lower}, {upper})"
    for x in points(lower, upper, step):
        found, law = finite_masses(subject, x), by_hand(scale, lower, upper, step, x)
        assert found.keys() == law.keys()
        assert all(encloses(found[y], p) for y, p in law.items())
        assert sum(p.lower for p in found.values()) <= 1 <= sum(p.upper for p in found.values())


@pytest.mark.parametrize(("scale", "lower", "upper", "step"), PARAMETERS)
def test_truncated_geometric_map_is_the_least_epsilon(scale, lower, upper, step):
    """At the ends the masses of inputs d_in apart have ratio e^(d_in / scale); nowhere a greater one."""
    m = truncated_geometric(scale, lower, upper, step)
    laws = {x: by_hand(scale, lower, upper, step, x) for x in points(lower, upper, step)}
    for d_in in {abs(a - b) for a in laws for b in laws}:
        worst = max(worst_loss(laws[a], laws[b]) for a in laws for b in laws if abs(a - b) == d_in)
        assert abs(worst - real(m.map(d_in))) < TINY


def test_truncated_geometric_of_worked_examples():
    m = truncated_geometric(2, 0, 10)
    assert (m.map(1), m.map(10)) == (F(1, 2), 5)
    assert m.pmf(11, 3).upper == 0
    assert (m.check(1, "1/2"), m.check(1, "499/1000")) == (True, False)


def test_truncated_geometric_is_proved_under_another_stem():
    found = verdicts(replace(TRUNCATED_GEOMETRIC, stem="same_truncated"), RIGHT)
    assert found == dict.fromkeys(found, "proved")
    assert len(found) == 7 + 9


@pytest.mark.parametrize("body", ["d_in / scale / 2", "d_in / scale * 999 / 1000", "d_in / (scale + 1)", "0 * d_in"])
def test_truncated_geometric_with_a_smaller_map_is_not_proved(body):
    assert verdict(variant("privacy_map", body, "d_in scale"), "loss_is_bounded") == "disproved"


MASS = "weight ratio"


@pytest.mark.parametrize(
    ("key", "field", "body", "reads"),
    [
        ("tails_sum_to_1", "edge", "weight * (1 - ratio) / (1 + ratio)", MASS),
        ("tail_telescopes", "edge", "weight * (1 - ratio) / (1 + ratio)", MASS),
        ("tails_sum_to_1", "edge", "weight", MASS),
        ("tails_sum_to_1", "edge", "weight / (1 + ratio) / 2", MASS),
        ("tails_sum_to_1", "edge", "weight / (1 + ratio) * 1001 / 1000", MASS),
        ("tail_telescopes", "edge", "weight * ratio / (1 + ratio)", MASS),
        ("masses_scale_with_the_weight", "edge", "(weight + ratio) / (1 + ratio)", MASS),
        ("masses_are_positive", "edge", "-weight / (1 + ratio)", MASS),
        ("tail_telescopes", "interior", "weight / (1 + ratio)", MASS),
        ("tail_telescopes", "interior", "weight * (1 - ratio)", MASS),
        ("tail_telescopes", "interior", "weight * (1 - ratio) / (1 + ratio) * 999 / 1000", MASS),
        ("tail_telescopes", "interior", "weight * (1 - ratio) / 2", MASS),
        ("masses_are_positive", "interior", "weight * (ratio - 1) / (1 + ratio)", MASS),
        ("masses_scale_with_the_weight", "interior", "weight ** 2 * (1 - ratio) / (1 + ratio)", MASS),
        ("weights_are_geometric", "log_weight", "-(z ** 2) / scale", "z scale"),
        ("weights_are_geometric", "log_weight", "abs(z) / scale", "z scale"),
        ("weights_are_geometric", "log_weight", "-abs(z - 1) / scale", "z scale"),
        ("loss_is_bounded", "log_weight", "-2 * abs(z) / scale", "z scale"),
        ("loss_is_bounded", "log_weight", "-abs(z) / scale * 1001 / 1000", "z scale"),
    ],
)
def test_truncated_geometric_with_a_wrong_formula_is_not_proved(key, field, body, reads):
    assert verdict(variant(field, body, reads), key) == "disproved"


@pytest.mark.parametrize(
    ("key", "field", "body", "reads"),
    [
        ("sampler.inner_weights_are_the_same", "log_weight", "-abs(z) / (2 * scale)", "z scale"),
        ("sampler.inner_weights_are_the_same", "log_weight", "-2 * abs(z) / scale", "z scale"),
        ("sampler.interior_is_the_inner_mass", "interior", "weight / (1 + ratio)", MASS),
        ("sampler.interior_is_the_inner_mass", "interior", "weight * (1 - ratio) / (1 + ratio) * 999 / 1000", MASS),
        ("sampler.tail_telescopes", "edge", "weight * ratio / (1 + ratio)", MASS),
        ("sampler.tails_sum_to_1", "edge", "weight", MASS),
    ],
)
def test_truncated_geometric_with_another_law_than_its_sampler_is_not_proved(key, field, body, reads):
    assert verdict(variant(field, body, reads), key, RIGHT) == "disproved"


def test_truncated_geometric_without_the_condition_that_ends_are_on_the_grid_is_not_proved():
    wrong = replace(TRUNCATED_GEOMETRIC, stem=STEM, conditions=TRUNCATED_GEOMETRIC.conditions[:3])
    assert verdict(wrong, "loss_is_bounded") == "refused"
    reversed_range = replace(
        TRUNCATED_GEOMETRIC,
        stem=STEM,
        conditions=(*TRUNCATED_GEOMETRIC.conditions[:2], *TRUNCATED_GEOMETRIC.conditions[3:]),
    )
    assert verdict(reversed_range, "range_is_a_range") == "disproved"


def test_truncated_geometric_with_a_sampler_of_gaussian_noise_is_not_proved():
    wrong = replace(TRUNCATED_GEOMETRIC, stem=STEM)
    assert verdict(wrong, "sampler.inner_weights_are_the_same", ClampedDraw("discrete_gaussian")) == "refused"


@pytest.mark.parametrize(("scale", "upper", "least"), [("1", 2, F(9, 10)), ("1/2", 3, F(4, 5))])
def test_truncated_geometric_sampler_has_the_masses(scale, upper, least):
    subject = f"truncated_geometric({scale}, 1, 0, {upper})"
    for x in (F(0), F(1)):
        found = walked(subject, x, 14)
        assert 1 - found.unresolved >= least
        assert refuted(found, subject, x, map(F, range(upper + 1))) == []


def test_truncated_geometric_sampler_of_twice_the_scale_is_told_apart():
    found = walked("truncated_geometric(2, 1, 0, 2)", F(1), 14)
    assert 1 in refuted(found, "truncated_geometric(1, 1, 0, 2)", F(1))


def test_truncated_geometric_sampler_that_draws_anew_outside_is_told_apart():
    """Renormalising to the range, instead of heaping the tails on the ends."""

    def renormalised(coins):
        while True:
            magnitude, minus = coins.geometric_exp(F(1)), coins.bernoulli(F(1, 2))
            y = F(1) + (-magnitude if minus else magnitude)
            if 0 <= y <= 2 and (magnitude or not minus):
                return y

    found = program(renormalised, 14)
    assert 1 in refuted(found, "truncated_geometric(1, 1, 0, 2)", F(1))


def made(**changes):
    """The mechanism with one other parameter."""
    return truncated_geometric(**{"scale": 1, "lower": 0, "upper": 4, **changes})


@pytest.mark.parametrize("parameter", ["scale", "lower", "upper", "granularity"])
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_truncated_geometric_refuses_what_is_no_exact_number(parameter, value):
    assert shows(refusal(lambda: made(**{parameter: value})), parameter, value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: made(scale=0), "scale must be > 0, got 0"),
        (lambda: made(scale="-1/2"), "scale must be > 0, got -1/2"),
        (lambda: made(granularity=0), "granularity must be > 0, got 0"),
        (lambda: made(upper=0), "lower < upper must hold, got lower = 0, upper = 0"),
        (lambda: made(lower=5), "lower < upper must hold, got lower = 5, upper = 4"),
        (lambda: made(upper="1/2"), "upper must be a whole multiple of granularity, got granularity = 1, upper = 1/2"),
        (lambda: made(lower="1/2"), "lower must be a whole multiple of granularity, got granularity = 1, lower = 1/2"),
        (lambda: made()(5), "the input must be a member of bounded(1, 0, 4)"),
        (lambda: made()(-1), "the input must be a member of bounded(1, 0, 4)"),
        (lambda: made()(F(1, 2)), "the input must be a member of bounded(1, 0, 4)"),
        (lambda: made()(0.5), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
        (lambda: made()((1,)), one_number("bounded(1, 0, 4)")),
        (lambda: made().map(-1), "d_in must be >= 0, got -1"),
    ],
)  # fmt: skip
def test_truncated_geometric_refuses_in_one_sentence(call, said):
    assert refusal(call) == said


def test_truncated_geometric_follows_only_where_domain_and_metric_meet():
    """A count has no end, so it is not within a bounded range."""
    assert refusal(lambda: count() >> made()) == (
        "the output domain grid(1) does not lie in the input domain bounded(1, 0, 4)"
    )
    assert refusal(lambda: column("a") >> made()) == (
        "the output domain table(grid(1)) does not lie in the input domain bounded(1, 0, 4)"
    )
    ranged = replace(clamped_sum(0, 1), output_domain=made().input_domain, output_metric="discrete")
    assert refusal(lambda: ranged >> made()) == "the output metric discrete is not the input metric absolute"
