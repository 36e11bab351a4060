"""Accuracies and the parameters that reach them: never promised too much, and not by more than rounding needs."""

import math
from fractions import Fraction as F
from random import Random

import mpmath
import pytest

import refdp
from refdp import accuracy, scale_for
from refdp.accuracies import DIGITS, AccuracyError
from refdp.numerics import masses
from refdp.numerics.enclosures import geometric

INSTANCES = 500
TINY = 1e-12


def real(x):
    return mpmath.mpf(x.numerator) / x.denominator


def beyond(stem, scale, step, a):
    """P[|Z| > a] for noise on a grid by summing its masses one by one: in floats, which err by less than TINY."""
    unit = float(step / scale)
    power = (lambda j: -j * unit) if stem == "discrete_laplace" else (lambda j: -((j * unit) ** 2) / 2)
    weights = [1.0]
    while weights[-1] > 1e-18:
        weights.append(2 * math.exp(power(len(weights))))
    return 1 - math.fsum(weights[: math.floor(a / step) + 1]) / math.fsum(weights)


def instance(chance):
    """A scale, a step and a probability, all exact."""
    scale, step = F(chance.randint(1, 16), chance.randint(2, 8)), F(chance.randint(1, 3), chance.randint(1, 2))
    return scale, step, F(chance.randint(1, 99), 100)


@pytest.mark.parametrize("stem", ["discrete_laplace", "discrete_gaussian"])
def test_accuracy_is_the_least_grid_point_beyond_which_noise_is_so_rare(stem):
    """By brute force, 1,000 times in all; the grid point before is exceeded too often, within rounding."""
    for seed in range(INSTANCES):
        scale, step, alpha = instance(Random(f"{stem} {seed}"))
        a = accuracy(f"{stem}({scale}, {step})", alpha)
        assert (a / step).denominator == 1
        assert beyond(stem, scale, step, a) <= alpha + TINY
        assert a == 0 or beyond(stem, scale, step, a - step) > alpha - TINY


@pytest.mark.parametrize("blocks", [1, 3, 20])
def test_accuracy_from_blocks_of_weights_is_never_too_small(monkeypatch, blocks):
    """300 times by brute force, in few wide blocks."""
    monkeypatch.setattr(masses, "BLOCKS", blocks)
    for seed in range(100):
        scale, step, alpha = instance(Random(f"blocks {blocks} {seed}"))
        scale *= Random(seed).choice((1, 10, 40))
        a = accuracy(f"discrete_gaussian({scale}, {step})", alpha)
        assert beyond("discrete_gaussian", scale, step, a) <= alpha + TINY


def test_blocks_that_are_no_wider_than_there_are_blocks_are_looked_into(monkeypatch):
    """The answer need be no end of one, then; of wider ones it is."""
    monkeypatch.setattr(masses, "BLOCKS", 4)
    ends = {4: set(), 8: set()}
    for seed in range(80):
        scale, step, alpha = instance(Random(f"square {seed}"))
        spans = set()
        monkeypatch.setattr(masses, "geometric", spied(spans, geometric))
        a = accuracy(f"discrete_gaussian({scale}, {step})", alpha)
        if (span := max(spans)) in ends:
            ends[span].add(a / step % span)
    assert ends == {4: {0, 1, 2, 3}, 8: {0}}


def spied(spans, own):
    """The sum of a series, which keeps the numbers of its terms."""

    def geometric(first, ratio, terms=None):
        spans.add(terms or 1)
        return own(first, ratio, terms)

    return geometric


def accuracy_of_the_normal(scale, alpha):
    return scale * F(str(mpmath.sqrt(2) * mpmath.erfinv(1 - real(alpha))))


@pytest.mark.parametrize("scale", [12_600, 10**6, 2**40, 2**55])
@pytest.mark.parametrize("alpha", ["1/20", "1e-12"])
def test_accuracy_of_the_widest_noise_is_that_of_the_normal_law(scale, alpha):
    """The grid is so fine that the two laws agree; the bound is more by a four hundredth of the scale at most."""
    with mpmath.workdps(40):
        normal = accuracy_of_the_normal(scale, F(alpha))
    assert normal - 1 <= accuracy(f"discrete_gaussian({scale}, 1)", alpha) <= normal + 1 + F(scale, 400)


@pytest.mark.parametrize("stem", ["discrete_laplace", "discrete_gaussian"])
def test_scale_for_is_the_greatest_scale_that_is_accurate_enough(stem):
    """Its accuracy is what was asked for; that of a scale a billionth larger is not."""
    for seed in range(60 if stem == "discrete_laplace" else 5):
        chance = Random(f"scale {stem} {seed}")
        _, step, alpha = instance(chance)
        asked = step * F(chance.randint(0, 16), 2)
        scale = scale_for(stem, asked, alpha, granularity=step)
        assert accuracy(f"{stem}({scale}, {step})", alpha) <= asked
        assert accuracy(f"{stem}({scale * (1 + F(1, 10**9))}, {step})", alpha) > asked
        assert beyond(stem, scale, step, asked) <= alpha + TINY


TAILS = {
    "laplace": lambda s, a: mpmath.exp(-a / s),
    "gaussian": lambda s, a: mpmath.erfc(a / (s * mpmath.sqrt(2))),
}


@pytest.mark.parametrize("stem", TAILS)
def test_accuracy_of_a_density_is_its_quantile_rounded_up(stem):
    for seed in range(40):
        scale, _, alpha = instance(Random(f"{stem} {seed}"))
        with mpmath.workdps(30):
            a = accuracy(f"{stem}({scale})", alpha)
            unit = F(10) ** (int(mpmath.floor(mpmath.log10(real(a)))) + 1 - DIGITS)
            assert TAILS[stem](real(scale), real(a)) <= real(alpha) < TAILS[stem](real(scale), real(a - unit))


@pytest.mark.parametrize("stem", TAILS)
def test_scale_for_a_density_is_accurate_enough_and_no_smaller_than_rounding_needs(stem):
    for seed in range(40):
        chance = Random(f"scale {stem} {seed}")
        asked, alpha = F(chance.randint(1, 900), chance.choice([1, 3, 7, 100])), F(chance.randint(1, 99), 100)
        scale = scale_for(stem, asked, alpha)
        assert accuracy(f"{stem}({scale})", alpha) <= asked
        assert accuracy(f"{stem}({scale * (1 + F(1, 10**9))})", alpha) > asked


def test_accuracy_of_a_choice_is_its_radius_rounded_up():
    for seed in range(40):
        chance = Random(f"choice {seed}")
        scale, _, alpha = instance(chance)
        many = chance.randint(1, 1000)
        a = accuracy(refdp.exponential(scale), alpha, candidates=many)
        assert a == accuracy(refdp.permute_and_flip(scale), alpha, candidates=many)
        with mpmath.workdps(30):
            radius = real(scale) * mpmath.log(many / real(alpha))
            assert radius <= real(a) <= radius * (1 + mpmath.mpf(10) ** (1 - DIGITS))
        back = scale_for("exponential", a, alpha, candidates=many)
        assert accuracy(f"exponential({back})", alpha, candidates=many) <= a
        assert scale * (1 - F(1, 10**10)) <= back <= scale * (1 + F(1, 10**10))


def test_accuracy_of_an_estimate_has_hoeffdings_constant():
    for seed in range(40):
        chance = Random(f"estimate {seed}")
        truth, n, alpha = F(chance.randint(51, 99), 100), chance.randint(1, 10_000), F(chance.randint(1, 99), 100)
        a = accuracy(refdp.randomised_response(truth), alpha, n=n)
        with mpmath.workdps(30):
            radius = mpmath.sqrt(mpmath.log(2 / real(alpha)) / (2 * n)) / real(2 * truth - 1)
            assert radius <= real(a) <= radius * (1 + mpmath.mpf(10) ** (1 - DIGITS))
        back = scale_for("randomised_response", a, alpha, n=n)
        assert accuracy(f"randomised_response({back})", alpha, n=n) <= a
        assert truth * (1 - F(1, 10**9)) <= back <= truth * (1 + F(1, 10**9))


def test_accuracy_is_monotone():
    """More noise is less accurate, and so is a smaller probability of error."""
    for stem in ("laplace", "gaussian", "discrete_laplace", "discrete_gaussian"):
        more = ", 1" if stem.startswith("discrete") else ""
        by_scale = [accuracy(f"{stem}({s}{more})", "1/20") for s in range(1, 12)]
        by_alpha = [accuracy(f"{stem}(3{more})", F(k, 20)) for k in range(1, 20)]
        assert by_scale == sorted(by_scale)
        assert by_alpha == sorted(by_alpha, reverse=True)
        assert scale_for(stem, 7, "1/20") < scale_for(stem, 9, "1/20") < scale_for(stem, 9, "1/10")


def test_accuracy_of_a_chain_is_that_of_its_noise():
    count = refdp.count()
    assert accuracy(count >> refdp.discrete_laplace(6), "1/20") == accuracy(refdp.discrete_laplace(6), "1/20")


def test_accuracy_of_a_vector_is_by_the_union_bound():
    vector = refdp.discrete_laplace(6, dimension=5)
    assert accuracy(vector, "1/20") == accuracy(refdp.discrete_laplace(6), "1/100")


def test_accuracy_reads_exact_numbers_only():
    with pytest.raises(ValueError, match="alpha must be exact"):
        accuracy(refdp.discrete_laplace(6), 0.05)


REFUSED = [
    (lambda: accuracy("laplace(1)", 0), "alpha must be in (0, 1), got 0"),
    (lambda: accuracy("laplace(1)", 1), "alpha must be in (0, 1), got 1"),
    (lambda: accuracy("laplace(1)", "3/2"), "alpha must be in (0, 1), got 3/2"),
    (lambda: accuracy("nobody(1)", "1/2"), "mechanism must be one that has an accuracy, got nobody"),
    (lambda: accuracy("compose(laplace(1), laplace(1))", "1/2"), "one that has an accuracy, got compose"),
    (lambda: accuracy("truncated_geometric(1, 1, 0, 3)", "1/2"), "got truncated_geometric"),
    (lambda: accuracy("k_ary_randomised_response(3, 1/2)", "1/2", n=9), "k_ary_randomised_response has no estimator"),
    (lambda: accuracy("randomised_response(3/4)", "1/2"), "n must be given, a whole number >= 1"),
    (lambda: accuracy("randomised_response(3/4)", "1/2", n=0), "n must be a whole number >= 1, got 0"),
    (lambda: accuracy("randomised_response(3/4)", "1/2", n="3/2"), "n must be a whole number >= 1, got 3/2"),
    (lambda: accuracy("exponential(1)", "1/2"), "candidates must be given, a whole number >= 1"),
    (lambda: scale_for("laplace", 0, "1/2"), "accuracy must be > 0, got 0"),
    (lambda: scale_for("gaussian", -1, "1/2"), "accuracy must be > 0, got -1"),
    (lambda: scale_for("discrete_laplace", -1, "1/2"), "granularity must be > 0 and accuracy >= 0, got 1 and -1"),
    (lambda: scale_for("discrete_laplace", 1, "1/2", granularity=0), "granularity must be > 0"),
    (lambda: scale_for("randomised_response", "1/100", "1/20", n=10), "more than Hoeffding's bound for n answers"),
    (lambda: scale_for("laplace", 1, 2), "alpha must be in (0, 1), got 2"),
    (lambda: scale_for("clamp", 1, "1/2"), "got clamp"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "why"), REFUSED, ids=[why for _, why in REFUSED])
def test_accuracy_that_there_is_none_of_is_refused(asked, why):
    with pytest.raises(AccuracyError) as caught:
        asked()
    assert why in str(caught.value)
