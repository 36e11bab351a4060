"""Privacy measures: what a privacy loss of `d_out` means, as code on finite laws and as the sentence users read.

A finite law maps outcomes to probabilities.  The code below *is* the definition; provers and kernel rules are
held against it by exact enumeration.  Nothing is rounded: probabilities are `Fraction`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Law = Mapping[Any, Fraction]
"""Outcome -> probability; the probabilities are >= 0 and sum to 1."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A named privacy measure and the names of the numbers its `d_out` consists of."""

    name: str
    parameters: tuple[str, ...]
    sentence: str


MEASURES: Mapping[str, Measure] = {
    m.name: m
    for m in (
        Measure("pure", ("epsilon",), "P[M(x) in S] <= e^epsilon P[M(x') in S] for every event S"),
        Measure("approximate", ("epsilon", "delta"), "P[M(x) in S] <= e^epsilon P[M(x') in S] + delta for every S"),
        Measure("concentrated", ("rho",), "the Renyi divergence of every order alpha > 1 is <= rho alpha"),
        Measure("renyi", ("order", "epsilon"), "the Renyi divergence of that order is <= epsilon"),
        Measure(
            "gaussian", ("mu_squared",), "P[M(x) in S] <= P[Z > z - mu] if P[M(x') in S] <= P[Z > z], Z standard normal"
        ),
        Measure("loss_tail", ("epsilon", "delta"), "with M(x) drawn, P[privacy loss > epsilon] <= delta"),
        Measure("ratio", ("epsilon", "delta"), "P[M(x) in S] <= (e^epsilon + delta) P[M(x') in S] for every event S"),
    )
}


class MeasureError(ValueError):
    """No such measure, or a d_out of the wrong shape."""


def measure(name: str) -> Measure:
    """The registered measure of that name; MeasureError if there is none."""
    if name not in MEASURES:
        raise MeasureError(f"measure must be one of {', '.join(MEASURES)}, got {name}")
    return MEASURES[name]


def outcomes(p: Law, q: Law) -> list[Hashable]:
    """Every outcome of either law, each once."""
    return list(dict.fromkeys([*p, *q]))


def greatest_ratio(p: Law, q: Law) -> Fraction | None:
    """The greatest p(y) / q(y): e to the max divergence of p from q; None stands for infinity.

    >>> greatest_ratio({0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)})
    Fraction(3, 1)
    """
    worst = Fraction(0)
    for y in outcomes(p, q):
        a, b = p.get(y, Fraction(0)), q.get(y, Fraction(0))
        if a > 0 and b == 0:
            return None
        worst = max(worst, a / b) if b > 0 else worst
    return worst


def hockey_stick(p: Law, q: Law, factor: Fraction) -> Fraction:
    """The greatest P(S) - factor Q(S) over events S, factor standing for e^epsilon: the least delta."""
    zero = Fraction(0)
    return sum((max(p.get(y, zero) - factor * q.get(y, zero), zero) for y in outcomes(p, q)), zero)


def loss_tail(p: Law, q: Law, factor: Fraction) -> Fraction:
    """P[p(y) > factor q(y)] for y drawn from p, factor standing for e^epsilon: the loss ln(p / q) is more than epsilon.

    >>> loss_tail({0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}, Fraction(2))
    Fraction(3, 4)
    """
    zero = Fraction(0)
    return sum((a for y, a in p.items() if a > factor * q.get(y, zero)), zero)


def renyi_moment(p: Law, q: Law, order: int) -> Fraction | None:
    """The sum of p(y)^order q(y)^(1 - order) = exp((order - 1) D_order(p || q)); None stands for infinity."""
    total = Fraction(0)
    for y in outcomes(p, q):
        a, b = p.get(y, Fraction(0)), q.get(y, Fraction(0))
        if a > 0 and b == 0:
            return None
        total += a**order / b ** (order - 1) if b > 0 else 0
    return total
