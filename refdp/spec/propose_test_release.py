"""Propose, test, release: tested(M, scale, threshold) gives M(value) if a noisy distance reaches a threshold.

The input is a pair (distance, value): a whole number, the distance of the data to some for which the value may move
further than was proposed, and the value.  The noise is discrete Laplace noise on whole numbers: P[Z = k] in proportion
to e^(-|k| / scale).  The outcome is the tuple of M's outcome if distance + Z >= threshold, and the empty tuple else.
Source: DL09 (propose-test-release).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from refdp.spec.domains import contains, domain
from refdp.terms.evaluation import Arithmetic, evaluate
from refdp.terms.term import Term, TermError, apply, exp, maximum, number

METRIC = "tested"
"""The metric of such pairs: values are as near as was proposed, unless both distances are 0 or less."""
TEST_NOISE = "discrete_laplace"
"""The mechanism whose noise it is."""
REFUSED = ()
"""The outcome where nothing is released."""


def pairs(values: Term) -> Term:
    """The domain of a whole number and a value."""
    return domain("record", apply("field", number(0), domain("grid", number(1))), apply("field", number(1), values))


def tail(scale: Term, threshold: Term) -> Term:
    """P[Z >= threshold], for a whole threshold >= 1: the probability of a release at the distance 0."""
    return exp(-(threshold / scale)) / (1 + exp(-(1 / scale)))


def losses(inner: tuple[Term, ...], scale: Term, threshold: Term) -> tuple[Term, Term]:
    """Epsilon and delta of a tested release of a mechanism with these losses, (epsilon) or (epsilon, delta)."""
    delta = tail(scale, threshold)
    for other in inner[1:]:
        delta = maximum(delta, other)
    return 1 / scale + inner[0], delta


def parameters(scale: Term, threshold: Term) -> tuple[Fraction, int]:
    """The closed scale and threshold; TermError unless scale > 0 and the threshold is whole and >= 1."""
    width, least = Fraction(evaluate(scale, {})), Fraction(evaluate(threshold, {}))
    if width <= 0 or least.denominator != 1 or least < 1:
        raise TermError(f"scale must be > 0 and threshold a whole number >= 1, got {width} and {least}")
    return width, int(least)


def is_pair(x: Any) -> bool:
    """Whether x is a pair of a whole number and something."""
    return isinstance(x, tuple) and len(x) == 2 and contains(domain("grid", number(1)), x[0])


def released(scale: Term, threshold: Term, distance: Fraction, arithmetic: Arithmetic) -> tuple[Any, Any]:
    """The probabilities that M's outcome is given, and that it is not, at that distance."""
    width, least = parameters(scale, threshold)
    one, gap = arithmetic.number(Fraction(1)), least - distance
    ratio = arithmetic.function("exp", arithmetic.number(-1 / width))
    rarer = gap if gap > 0 else 1 - gap
    beyond = arithmetic.function("exp", arithmetic.number(-rarer / width)) / (one + ratio)
    return (beyond, one - beyond) if gap > 0 else (one - beyond, beyond)


def tested_law(
    inner: Mapping[Any, Any], scale: Term, threshold: Term, distance: Fraction, arithmetic: Arithmetic
) -> dict[Any, Any]:
    """Outcome -> probability, `inner` being the law of M at the value."""
    given, refused = released(scale, threshold, distance, arithmetic)
    return {REFUSED: refused, **{(y,): given * p for y, p in inner.items()}}
