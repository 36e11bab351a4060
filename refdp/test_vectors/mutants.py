"""Wrong laws, as real libraries have had them: each gives the probability that its defect makes of an outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from refdp.mechanisms.discrete_laplace import DISCRETE_LAPLACE
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.enclosures import enclose
from refdp.numerics.intervals import Interval
from refdp.numerics.masses import mass, weight
from refdp.terms.term import apply, ln, number
from refdp.test_vectors.laws import NONE, ONE, Input, Values, pmf
from refdp.test_vectors.numbers import BITS, VectorError

MassFunction = Callable[[str, Values, Input, Fraction], Interval]
"""Stem, parameters, input and output -> the probability of the output."""
CUT = 4
"""Scales at which a table of the noise ends."""


def exp_of(x: Fraction) -> Interval:
    """e^x."""
    return Interval(*exp_bounds(x, BITS), BITS)


def exactly(x: Fraction | int) -> Interval:
    """The number as an interval."""
    return Interval(Fraction(x), Fraction(x), BITS)


def laplace_weight(values: Values, z: Fraction) -> Interval:
    """The weight of discrete Laplace noise z."""
    return weight(DISCRETE_LAPLACE, z, {"scale": values["scale"]}, BITS)


def width_name(stem: str) -> str:
    """The parameter that says how wide the noise is."""
    return "sigma" if stem == "discrete_gaussian" else "scale"


def half_scale(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """Half of the noise."""
    name = width_name(stem)
    return pmf(stem, {**values, name: values[name] / 2}, x, y)


def scale_a_tenth_less(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """The noise times 9/10."""
    name = width_name(stem)
    return pmf(stem, {**values, name: values[name] * 9 / 10}, x, y)


def double_zero(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """Magnitude and sign are drawn apart, and minus zero is kept: zero has twice its share."""
    z, ratio = y - _point(x), laplace_weight(values, values.get("granularity", Fraction(1)))
    found = (ONE - ratio) * laplace_weight(values, z)
    return found if z == 0 else found / exactly(2)


def granularity_ignored(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """The scale is taken in steps of the grid and not in the unit of the input."""
    step = values.get("granularity", Fraction(1))
    moved = _point(x) / step
    return pmf(stem, {**values, "granularity": Fraction(1)}, moved, moved + _steps(values, x, y))


def density_for_mass(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """The density of the continuous noise, times the width of a step."""
    step = values.get("granularity", Fraction(1))
    if stem == "discrete_gaussian":
        return mass(apply("gaussian", number(values["sigma"])), y, _point(x), BITS) * exactly(step)
    return laplace_weight(values, y - _point(x)) * exactly(step / (2 * values["scale"]))


def tail_cut(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """No noise beyond CUT scales: a table that ends, or a float that has no more digits."""
    return NONE if abs(y - _point(x)) > CUT * values[width_name(stem)] else pmf(stem, values, x, y)


def off_by_one(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """Geometric noise on 1, 2, ... where it should be on 0, 1, ...: everything is a step too high."""
    return pmf(stem, values, x, y - values.get("granularity", Fraction(1)))


def base_two(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """2^(-|z| / scale) in place of e^(-|z| / scale)."""
    half = enclose(ln(number(2)), {}, BITS)
    step, z = values.get("granularity", Fraction(1)), abs(y - _point(x))
    ratio, here = (_power(half, d / values["scale"]) for d in (step, z))
    return here * (ONE - ratio) / (ONE + ratio)


def renormalised(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """The noise is cut to the range and divided by what is left, in place of being clamped."""
    step, points = values.get("granularity", Fraction(1)), []
    lower = values["lower"]
    while lower <= values["upper"]:
        points.append(laplace_weight(values, lower - _point(x)))
        lower += step
    whole = points[0]
    for one in points[1:]:
        whole = whole + one
    return laplace_weight(values, y - _point(x)) / whole


def edges_not_heaped(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """An end of the range has the mass of an inner point; what is beyond is lost."""
    step = values.get("granularity", Fraction(1))
    return pmf("discrete_laplace", {"scale": values["scale"], "granularity": step}, x, y)


def others_include_the_truth(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """The lie is drawn among all k values, so that it may be the truth."""
    k, truth = values.get("k", Fraction(2)), values["truth"]
    return exactly((1 - truth) / k + (truth if y == x else 0))


def never_flipped(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """The input, always: noise that is not applied."""
    return ONE if y == x else NONE


def sign_of_score(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """The least score is taken for the best."""
    return pmf(stem, values, tuple(-s for s in _scores(x)), y)


def first_of_ties(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """No noise at all: the first of the best candidates."""
    scores = _scores(x)
    return ONE if y == scores.index(max(scores)) else NONE


def other_selection(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """Permute-and-flip where the exponential mechanism is stated, and the other way round."""
    return pmf("exponential" if stem == "permute_and_flip" else "permute_and_flip", values, x, y)


def uniform_candidate(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """Weights that underflowed: every candidate as likely."""
    return exactly(Fraction(1, len(_scores(x))))


LAWS: Mapping[str, MassFunction] = {
    law.__name__: law
    for law in (
        half_scale, scale_a_tenth_less, double_zero, granularity_ignored, density_for_mass, tail_cut, off_by_one,
        base_two, renormalised, edges_not_heaped, others_include_the_truth, never_flipped, sign_of_score,
        first_of_ties, other_selection, uniform_candidate,
    )
}  # fmt: skip
NOISE = ("half_scale", "scale_a_tenth_less", "granularity_ignored", "density_for_mass", "tail_cut", "off_by_one")
FITTING: Mapping[str, tuple[str, ...]] = {
    "discrete_laplace": (*NOISE, "double_zero", "base_two"),
    "discrete_gaussian": NOISE,
    "truncated_geometric": ("half_scale", "scale_a_tenth_less", "renormalised", "edges_not_heaped"),
    "randomised_response": ("others_include_the_truth", "never_flipped"),
    "k_ary_randomised_response": ("others_include_the_truth", "never_flipped"),
    "exponential": ("half_scale", "sign_of_score", "first_of_ties", "other_selection", "uniform_candidate"),
    "permute_and_flip": ("half_scale", "sign_of_score", "first_of_ties", "other_selection", "uniform_candidate"),
}
"""The defects that each mechanism can have."""


def mutant(name: str, stem: str) -> MassFunction:
    """The defect of that name; VectorError where the mechanism cannot have it."""
    if name not in FITTING.get(stem, ()):
        raise VectorError(f"mutant of {stem} must be one of {', '.join(FITTING.get(stem, ()))}, got {name}")
    return LAWS[name]


def _power(half: Interval, exponent: Fraction) -> Interval:
    """2^-exponent, where `half` holds ln 2."""
    low, high = exp_of(-half.upper * exponent), exp_of(-half.lower * exponent)
    return Interval(low.lower, high.upper, BITS)


def _point(x: Input) -> Fraction:
    """The input of additive noise."""
    if isinstance(x, tuple):
        raise VectorError("input must be a number")
    return x


def _scores(x: Input) -> tuple[Fraction, ...]:
    """The input of a selection."""
    if not isinstance(x, tuple):
        raise VectorError("input must be scores")
    return x


def _steps(values: Values, x: Input, y: Fraction) -> Fraction:
    """The noise, in steps of the grid."""
    return (y - _point(x)) / values.get("granularity", Fraction(1))
