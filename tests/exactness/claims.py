"""Claims that are true of random laws, and as sharp as the definition allows."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from random import Random

from refdp.kernel.judgements import Private, Stable
from refdp.spec.distances import Law
from refdp.terms.reading import read
from refdp.terms.term import Term, ln, number
from tests.exactness.definition import ORDERS, least_loss, worst_excess, worst_moment, worst_ratio, worst_tail

MEASURES = ("pure", "approximate", "concentrated", "renyi")
FACTORS = [Fraction(n, 4) for n in range(4, 10)]
"""What e^epsilon may be in claims under approximate DP."""


def ln_of(x: Fraction) -> Term:
    """ln(x) in normal form."""
    return number(0) if x == 1 else ln(x)


def private(
    subject: str, domain: str, metric: str, d_in: int | Fraction, measure: str, d_out: Iterable[Term]
) -> Private:
    """The closed claim without conditions."""
    return Private(read(subject), read(domain), metric, number(d_in), measure, tuple(d_out))


def stable(
    subject: str, domain: str, metric: str, d_in: int | Fraction, outputs: str, far: str, d_out: int | Fraction
) -> Stable:
    """The closed claim without conditions."""
    return Stable(read(subject), read(domain), metric, number(d_in), read(outputs), far, (number(Fraction(d_out)),))


def least_impossible(measure: str) -> int:
    """The least weight of an outcome: 0, impossible, is of interest where a delta allows it."""
    return int(measure not in ("approximate", "loss_tail"))


def tight(measure: str, pairs: list[tuple[Law, Law]], chance: Random) -> tuple[Term, ...]:
    """The least loss of these pairs by definition, under Renyi and concentrated DP rounded up by at most 2/1000.

    Under approximate DP at a random epsilon, under Renyi at a random whole order.
    """
    match measure:
        case "pure":
            return (ln_of(_finite(worst_ratio(pairs))),)
        case "approximate":
            factor = chance.choice(FACTORS)
            return ln_of(factor), number(worst_excess(pairs, factor))
        case "loss_tail":
            factor = chance.choice(FACTORS)
            return ln_of(factor), number(worst_tail(pairs, factor))
        case "ratio":
            factor = chance.choice(FACTORS)
            return ln_of(factor), number(max(_finite(worst_ratio(pairs)) - factor, Fraction(0)))
        case "renyi":
            order = chance.choice(ORDERS)
            return number(order), least_loss(_finite(worst_moment(pairs, order)), order - 1)
    found = [least_loss(_finite(worst_moment(pairs, n)), n * (n - 1)) for n in ORDERS]
    return (max(found, key=lambda t: t.rational),)


def _finite(x: Fraction | None) -> Fraction:
    """x, which is not infinity."""
    if x is None:
        raise ValueError("some outcome is possible under one law only")
    return x
