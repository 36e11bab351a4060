"""Events that are fixed by what is known: the oracle's likelihood ratio, and half lines."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence.pairs import DIRECTIONS, Claim, Event
from refdp.numerics.exact import Exactly, exact
from refdp.numerics.intervals import Interval

Masses = Mapping[Hashable, Fraction | Interval]
STEPS = 8
"""Half lines on each side."""


def ends(p: Fraction | Interval) -> tuple[Fraction, Fraction]:
    """The ends of what is known of a probability."""
    return (p.lower, p.upper) if isinstance(p, Interval) else (p, p)


def oracle_events(claim: Claim, first: Masses, second: Masses) -> tuple[Event, ...]:
    """{y: P(y) > e^epsilon Q(y)} and the same with P and Q exchanged: no event exceeds the claim more (Neyman-Pearson).

    Where enclosures do not tell, an outcome is left out: another event, no wrong one.
    """
    found = []
    for direction in DIRECTIONS:
        p, q = (first, second)[::direction]
        zero = Fraction(0)
        inside = {y for y, mass in p.items() if ends(mass)[0] > claim.factor * ends(q.get(y, zero))[1]}
        label = "where P > e^epsilon Q" if direction > 0 else "where Q > e^epsilon P"
        found.append(Event(label, _in(inside), direction, Fraction(1, 2)))
    return tuple(found)


def _in(inside: Collection[Hashable]) -> Any:
    """Membership by type and value."""
    kinds = {(type(y), y) for y in inside}

    def contains(y: Any) -> bool:
        try:
            return (type(y), y) in kinds
        except TypeError:  # what cannot be hashed is no outcome of the law
            return False

    return contains


def half_lines(centre: Exactly, distance: Exactly, spread: Exactly, steps: int = STEPS) -> tuple[Event, ...]:
    """Outputs beyond either of two centres by 0, 1/2, 1, ... spreads, away from the other one.

    For noise around `centre` and `centre + distance`, distance != 0, with log-concave density the ratio of densities is
    monotone, so that for every epsilon the worst event is a half line; for Laplace noise it begins at the centre.
    """
    c, d, unit = exact(centre, "centre"), exact(distance, "distance"), exact(spread, "spread")
    if d == 0 or unit <= 0 or steps < 1:
        raise ValueError(f"distance must not be 0, spread > 0 and steps >= 1, got {d}, {unit} and {steps}")
    weight, found = Fraction(1, 2 * steps), []
    for direction in DIRECTIONS:
        start, outward = (c, -1 if d > 0 else 1) if direction > 0 else (c + d, 1 if d > 0 else -1)
        for i in range(steps):
            cut = start + outward * unit * Fraction(i, 2)
            sign = ">=" if outward > 0 else "<="
            found.append(Event(f"{sign} {float(cut):.6g}", _beyond(cut, outward), direction, weight))
    return tuple(found)


def _beyond(cut: Fraction, outward: int) -> Any:
    """Whether a number is beyond the cut; what is no number is not.  A cut that is a float is compared as one."""
    at = float(cut) if abs(cut) < 2**1000 and Fraction(float(cut)) == cut else cut

    def contains(y: Any) -> bool:
        if type(y) is not float and (isinstance(y, bool) or not isinstance(y, int | float | Fraction)):
            return False
        return bool(y >= at if outward > 0 else y <= at)  # neither holds of NaN

    return contains
