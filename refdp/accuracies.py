"""How accurate a mechanism is, and which parameter is accurate enough: exact numbers, rounded so that they are true.

    accuracy(discrete_laplace(6), "0.05")      scale_for("discrete_laplace", 20, "0.05")

Each number rests on a claim of the ledger: discrete_laplace.accuracy, laplace.accuracy, gaussian.accuracy,
exponential.accuracy, permute_and_flip.accuracy, randomised_response.accuracy; that of the discrete Gaussian on
discrete_gaussian.normalised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import refdp.mechanisms  # noqa: F401  (importing it registers the mechanisms)
from refdp.numerics import masses
from refdp.numerics.exact import Exactly, decide, exact, lower_bound, upper_bound
from refdp.pipeline import Measurement
from refdp.spec import registry
from refdp.spec.accuracy import Selection, estimator_of, radius
from refdp.spec.finite import FiniteLaw
from refdp.spec.noise import AdditiveNoise
from refdp.spec.registry import Kind
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, ln, normal_tail, number, sqrt, substitute

DIGITS = 12
"""Significant decimal digits of a number that is rounded."""
LARGEST_EXPONENT = 300
"""Parameters are looked for between 10^-300 and 10^300."""


class AccuracyError(ValueError):
    """An accuracy was asked for that there is none of, or of what has none."""


def accuracy(
    mechanism: Measurement | str, alpha: Exactly, *, n: Exactly | None = None, candidates: Exactly | None = None
) -> Fraction:
    """The least a such that the error is more than a with probability at most alpha; rounded up where it is irrational.

    `mechanism`: a measurement, or the text of a subject such as "laplace(2)"; 0 < alpha < 1.  The error is that of the
    noise; of a chain, of the noise at its end; of vectors, the greatest over the coordinates, by the union bound; of a
    selection among so many `candidates`, how far the chosen score is below the best; of randomised response, that of
    the estimate of the mean from `n` answers, by Hoeffding's bound.  Raises AccuracyError for anything else.

    >>> from refdp import discrete_laplace, exponential
    >>> accuracy(discrete_laplace(6), "1/20"), accuracy("laplace(6)", "1/20")
    (Fraction(18, 1), Fraction(89871968207, 5000000000))
    >>> accuracy(exponential(2), "1/20", candidates=100) < 16
    True
    """
    chance, subject = _probability(alpha), read(mechanism) if isinstance(mechanism, str) else mechanism.subject
    while subject.operator == "chain":
        subject = subject.arguments[1]
    if subject.operator == "coordinatewise":
        subject, many = subject.arguments
        chance = chance / many.rational
    kind = _kind(subject.operator)
    if isinstance(kind, AdditiveNoise) and kind.on_grid:
        return masses.accuracy(subject, 1 - chance)
    values = registry.values(kind, subject)
    if isinstance(kind, AdditiveNoise) and kind.deviation is not None:
        return _least(lambda a: _normal_tail_at_most(kind, values, a, chance))
    found = substitute(_radius(kind, n, candidates), {**_numbers(values), "beta": number(chance)})
    return upper_bound(found, DIGITS)


def scale_for(
    stem: str,
    accuracy: Exactly,
    alpha: Exactly,
    *,
    granularity: Exactly = 1,
    n: Exactly | None = None,
    candidates: Exactly | None = None,
) -> Fraction:
    """The greatest scale (or sigma) with which the error is more than `accuracy` with probability at most alpha.

    Rounded down, to 12 digits; of randomised response the least `truth`, rounded up.  The error is that of `accuracy`,
    the function, which with this parameter is at most the accuracy asked for.  0 < alpha < 1, accuracy > 0 (>= 0 on a
    grid of that granularity).  Raises AccuracyError where no parameter would do.

    >>> scale_for("discrete_laplace", 20, "1/20"), scale_for("laplace", 20, "1/20")
    (Fraction(6849154853, 1000000000), Fraction(66761640139, 10000000000))
    """
    kind, chance, most = _kind(stem), _probability(alpha), exact(accuracy, "accuracy")
    if isinstance(kind, AdditiveNoise) and kind.on_grid:
        return _scale_on_the_grid(kind, most, chance, exact(granularity, "granularity"))
    if most <= 0:
        raise AccuracyError(f"accuracy must be > 0, got {most}")
    least = lower_bound(number(most), DIGITS)  # so that an accuracy that is rounded up is still at most that
    if isinstance(kind, FiniteLaw):
        return _truth(kind, least, chance, n)
    if isinstance(kind, AdditiveNoise) and kind.deviation is not None:
        [name] = kind.parameters
        return _greatest(lambda s: _normal_tail_at_most(kind, {name: s}, least, chance))
    found = _radius(kind, n, candidates)
    [name] = kind.parameters
    unit = substitute(found, {name: number(1), "beta": number(chance)})
    return lower_bound(number(least) / unit, DIGITS)


def _probability(alpha: Exactly) -> Fraction:
    """alpha, exact; AccuracyError unless 0 < alpha < 1."""
    found = exact(alpha, "alpha")
    if not 0 < found < 1:
        raise AccuracyError(f"alpha must be in (0, 1), got {found}")
    return found


def _kind(stem: str) -> Kind:
    """The mechanism of that stem; AccuracyError if there is none."""
    try:
        return registry.kind_of(stem)
    except TermError:
        raise AccuracyError(f"mechanism must be one that has an accuracy, got {stem}") from None


def _radius(kind: Kind, n: Exactly | None, candidates: Exactly | None) -> Term:
    """The radius that is reached with probability at most beta, as a term in the parameters and in beta."""
    try:
        if isinstance(kind, AdditiveNoise):
            return radius(kind, number(1))
        if isinstance(kind, Selection):
            return radius(kind, number(_whole("candidates", candidates)))
        if isinstance(kind, FiniteLaw):
            return estimator_of(kind).width.at() * _hoeffding(_whole("n", n))
    except TermError as error:
        raise AccuracyError(f"mechanism must be one that has an accuracy, got {kind.stem}: {error}") from None
    raise AccuracyError(f"mechanism must be one that has an accuracy, got {kind.stem}")


def _hoeffding(n: Fraction) -> Term:
    """How far the mean of n numbers, each in a range of length 1, is off with probability at most beta."""
    return sqrt(ln(2 / read("beta")) / (2 * n))


def _whole(name: str, value: Exactly | None) -> Fraction:
    """A whole number >= 1; AccuracyError otherwise."""
    if value is None:
        raise AccuracyError(f"{name} must be given, a whole number >= 1")
    found = exact(value, name)
    if found.denominator != 1 or found < 1:
        raise AccuracyError(f"{name} must be a whole number >= 1, got {found}")
    return found


def _numbers(values: Mapping[str, Fraction]) -> dict[str, Term]:
    """The values as terms."""
    return {key: number(value) for key, value in values.items()}


def _truth(kind: FiniteLaw, most: Fraction, chance: Fraction, n: Exactly | None) -> Fraction:
    """The least truth, rounded up, whose estimate is accurate enough: 1 / (2 truth - 1) <= most / off."""

    def enough(truth: Fraction) -> bool:
        found = substitute(_radius(kind, n, None), {"truth": number(truth), "beta": number(chance)})
        return decide(found <= number(most))

    off = substitute(_hoeffding(_whole("n", n)), {"beta": number(chance)})
    found = upper_bound((1 + off / most) / 2, DIGITS)
    if found >= 1 or not enough(found):
        raise AccuracyError(f"accuracy must be more than Hoeffding's bound for n answers, got {most} for n = {n}")
    return found


def _scale_on_the_grid(kind: AdditiveNoise, most: Fraction, chance: Fraction, step: Fraction) -> Fraction:
    """The greatest scale, rounded down: the error is no more than the last grid point that is at most `most`."""
    if step <= 0 or most < 0:
        raise AccuracyError(f"granularity must be > 0 and accuracy >= 0, got {step} and {most}")
    name = next(p for p in kind.parameters if p != "granularity")
    k = most // step
    return _greatest(lambda s: masses.is_inside(kind, {name: s, "granularity": step}, int(k), 1 - chance))


def _normal_tail_at_most(kind: AdditiveNoise, values: Mapping[str, Fraction], a: Fraction, chance: Fraction) -> bool:
    """Whether P[|Z| > a] <= chance for normal noise; a >= 0."""
    if kind.deviation is None:
        raise AccuracyError(f"{kind.stem} is not normal")
    deviation = substitute(kind.deviation.at(), _numbers(values))
    return decide(2 * normal_tail(number(a) / deviation) <= number(chance))


def _greatest(holds: Callable[[Fraction], bool]) -> Fraction:
    """The greatest positive decimal number of so many digits of which it holds; if of one, then of all smaller ones."""
    return _edge(holds)[0]


def _least(holds: Callable[[Fraction], bool]) -> Fraction:
    """The least positive decimal number of so many digits of which it holds; if of one, then of all greater ones."""
    return _edge(lambda x: not holds(x))[1]


def _edge(holds: Callable[[Fraction], bool]) -> tuple[Fraction, Fraction]:
    """Two decimal numbers next to each other: it holds of the first and of all smaller ones, and not of the second."""
    exponent = _search(lambda e: holds(Fraction(10) ** e))
    unit = Fraction(10) ** (exponent + 1 - DIGITS)
    low, high = 10 ** (DIGITS - 1), 10**DIGITS  # it holds of low units, and not of high ones
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle * unit) else (low, middle)
    return low * unit, high * unit


def _search(holds: Callable[[int], bool]) -> int:
    """The greatest exponent of which it holds; if of one, then of all smaller ones.  AccuracyError if out of range."""
    low, high = -1, 0
    while not holds(low) and low > -LARGEST_EXPONENT:
        low, high = 2 * low, low
    while holds(high) and high < LARGEST_EXPONENT:
        low, high = high, high + 1 if high < 16 else 2 * high  # a sum for a large sigma takes long
    if not holds(low) or holds(high):
        raise AccuracyError(f"no parameter between 10^-{LARGEST_EXPONENT} and 10^{LARGEST_EXPONENT} would do")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
