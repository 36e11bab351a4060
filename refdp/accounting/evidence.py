"""Evidence for the kernel's rule `account`: an engine, and the numbers with which it shows that delta is small enough.

What is found here is tried by what the rule asks (`refdp.accounting.certified`), and claims nothing by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log2
from typing import TYPE_CHECKING

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.certified import ENCLOSURES, FEWEST_BITS, Numbers, enclosure, on_side, sides_of
from refdp.accounting.curves import Effort
from refdp.accounting.losses import Composition, LossError
from refdp.kernel.rules.accounts import Pair
from refdp.numerics.enclosures import precision
from refdp.numerics.exact import exact

if TYPE_CHECKING:
    from refdp.accounting.contour.ladder import Ladder

WIDTHS = (Fraction(1, 10**3), Fraction(1, 10**8))
"""How near to the truth an upper end of delta should be, in relation to it: near enough mostly, and at the edge."""
LEAST_DELTA = Fraction(1, 10**12)
"""A delta of 0 is resolved down to this."""
AT_ZERO = "greatest losses"
"""The engine of which a delta of 0 is asked, and no other."""
GRIDS = (500, 4000, 32_000)
"""Points of the grids of chords that are tried, about."""
SMALL, LARGE = 10**4, 10**6
"""Variances of discrete normal noise: from the second on it is taken for noise on the reals, from the first perhaps."""
BITS, HALVINGS = 256, 60
"""Binary digits, and how often an interval is halved, where noise is chosen."""
ON_CIRCLES = "periodic contour"
"""The engine to which it does not matter how wide the noise is."""
SECONDS = 60.0
"""Work for one engine, as it is counted."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the rule is given besides the theorems."""

    engine: str
    numbers: Mapping[str, str]


class _Exceeded(Exception):
    """An engine shows that delta is greater."""


def evidence_for(
    pairs: Sequence[Pair],
    epsilon: Fraction,
    delta: Fraction,
    seconds: float = SECONDS,
    widths: Sequence[Fraction] = WIDTHS,
    first: str = "",
) -> Evidence | None:
    """An engine that shows that the product of the pairs has at most delta at epsilon; None where none is found.

    `first`: the engine, with anything after its name, that is asked before the others; these have less work then.
    """
    try:
        return _first(pairs, epsilon, delta, seconds, widths, first)
    except _Exceeded:
        return None


def _first(
    pairs: Sequence[Pair], epsilon: Fraction, delta: Fraction, seconds: float, widths: Sequence[Fraction], first: str
) -> Evidence | None:
    """The first engine that shows it."""
    for wide in (wides := _wides(pairs)):
        able = [ON_CIRCLES] if wide is None and LARGE in wides else list(ENCLOSURES)
        if delta == 0:
            able = [AT_ZERO]
        for engine in sorted(able, key=lambda name: not first.startswith(name)):
            found: dict[str, str] = {}
            allowed = seconds if not first or first.startswith(engine) else seconds / len(ENCLOSURES)
            for side in sides_of(pairs):
                shown = _shown(engine, pairs, side, wide, epsilon, delta, allowed, widths)
                if shown is None:
                    break
                found |= {f"{side} {name}": text for name, text in shown.items()}
            else:
                return Evidence(engine, found)
    return None


def greatest_mu_squared(epsilon: Fraction, delta: Fraction) -> Fraction:
    """About the greatest mu^2 at which normal laws have at most delta at epsilon; it chooses, and claims nothing."""
    from refdp.accounting.closed_forms.normal import normal_formula
    from refdp.accounting.losses import Normal

    def is_small(mu_squared: Fraction) -> bool:
        with precision(BITS):
            return bool(normal_formula(Normal(mu_squared))(epsilon, BITS) <= ball(delta))

    low, high = Fraction(0), Fraction(1)
    while is_small(high):
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_small(middle) else (low, middle)
    return low


def _wides(pairs: Sequence[Pair]) -> list[int | None]:
    """From which variances on discrete normal noise is taken for noise on the reals, in turn; None: never."""
    variances = [exact(pair.numbers[0]) for pair in pairs if pair.name == "discrete_gaussian"]
    most = max(variances, default=Fraction(0))
    if most < SMALL:
        return [None]
    return [None, SMALL] if most < LARGE else [None, LARGE, SMALL]


def _shown(
    engine: str,
    pairs: Sequence[Pair],
    side: str,
    wide: int | None,
    epsilon: Fraction,
    delta: Fraction,
    seconds: float,
    widths: Sequence[Fraction],
) -> Numbers | None:
    """The numbers with which an engine shows it for one side, or None."""
    try:
        product, more = on_side(pairs, side, wide)
    except LossError:  # more steps than a grid holds
        return None
    taken = {} if wide is None else {"wide": str(wide)}
    if more > epsilon:
        return None
    for width in widths:
        effort = Effort(width, delta or LEAST_DELTA, work.spent() + seconds)
        try:
            for numbers in PROPOSED[engine](product, epsilon - more, effort):
                found = {**numbers, **taken}
                held = enclosure(pairs, side, epsilon, engine, found)
                if held.lower > delta:
                    raise _Exceeded
                if held.upper <= delta:
                    return found
                effort.check()
        except (ArithmeticError, ValueError, TypeError):  # out of reach, or too much work
            return None
    return None


def _of_greatest_losses(product: Composition, epsilon: Fraction, effort: Effort) -> Iterator[Numbers]:
    """More and more binary digits."""
    yield from ({"bits": str(bits)} for bits in (64, 256, 2048))


def _of_renyi_divergences(product: Composition, epsilon: Fraction, effort: Effort) -> Iterator[Numbers]:
    """The orders that are best at this epsilon, of finer and finer grids."""
    from refdp.accounting.theorems.renyi_engine import BITS, ENGINE, grids, renyi_curve

    if not ENGINE.why_not(product):
        for orders in grids(product):
            curve = renyi_curve(product, orders, (), effort)
            yield from ({"order": str(order), "bits": str(BITS)} for order in curve.best(epsilon))


def _of_closed_form(product: Composition, epsilon: Fraction, effort: Effort) -> Iterator[Numbers]:
    """Twice as many binary digits each time."""
    yield from ({"bits": str(bits)} for bits in (128, 512, 2048))


def _of_lattice(product: Composition, epsilon: Fraction, effort: Effort) -> Iterator[Numbers]:
    """Binary digits with which the delta comes out as narrow as it should be."""
    from refdp.accounting.lattice.engine import digits

    yield {"bits": str(max(FEWEST_BITS, digits(effort, sum(count for _, count in product.parts))))}


def _of_quadrature(product: Composition, epsilon: Fraction, effort: Effort) -> Iterator[Numbers]:
    """Binary digits for errors that are small beside the delta."""
    from refdp.accounting.products.listing import digits
    from refdp.accounting.quadrature.engine import GUARD, parted, size

    parts = parted(product)
    if not isinstance(parts, str):
        bits = digits(effort.delta * effort.width) + GUARD + size(parts.discrete).bit_length()
        yield {"bits": str(bits), "accuracy": str(digits(effort.width) + 64)}


def _of_contour(product: Composition, epsilon: Fraction, effort: Effort) -> Iterator[Numbers]:
    """The contour that serves this epsilon."""
    from refdp.accounting.contour.engine import ENGINE
    from refdp.accounting.contour.ladder import Ladder

    if not ENGINE.why_not(product):
        yield from _built(Ladder.of(product, effort, effort.width), epsilon)


def _of_periodic_contour(product: Composition, epsilon: Fraction, effort: Effort) -> Iterator[Numbers]:
    """The circle that serves this epsilon."""
    from refdp.accounting.contour.circle import lattice_of
    from refdp.accounting.contour.ladder import Ladder
    from refdp.accounting.contour.periodic import ENGINE

    if not ENGINE.why_not(product):
        yield from _built(Ladder.of(product, effort, effort.width, lattice_of(product)), epsilon)


def _built(ladder: Ladder, epsilon: Fraction) -> Iterator[Numbers]:
    """The numbers of the contours that the ladder makes for epsilon."""
    ladder.delta(epsilon)
    for contour in ladder.built.values():
        line = contour.line
        around = {"period": line.period} if isinstance(line.period, Fraction) else {"size": line.period.size}
        told = {"order": line.order, **around, "count": line.count, "bits": contour.bits}
        yield {key: str(value) for key, value in told.items()}


def _of_cells(product: Composition, epsilon: Fraction, effort: Effort) -> Iterator[Numbers]:
    """Finer and finer grids."""
    from refdp.accounting.cells.engine import MOST_POINTS, POINTS, spread
    from refdp.accounting.cells.laws import atoms_of, lists
    from refdp.accounting.lattice.engine import GUARD, digits

    bits = digits(effort, sum(count for _, count in product.parts))
    with precision(bits + 2 * GUARD):
        whole = spread(lists(((atoms_of(loss, bits), count) for loss, count in product.parts), effort))
    points = POINTS // 16
    while points <= MOST_POINTS:
        step = (whole / points).limit_denominator(10**15)
        yield {"step": str(step), "bits": str(bits)}
        points *= 8


def _of_chords(product: Composition, epsilon: Fraction, effort: Effort) -> Iterator[Numbers]:
    """Finer and finer grids."""
    from refdp.accounting.grids.budget import budget
    from refdp.accounting.grids.layout import span
    from refdp.accounting.grids.refinement import prepared

    found = budget(product, effort)
    with precision(found.precision):
        parts = prepared(product, found, effort)
        whole = span([(one.window, one.count) for one in parts], found.spare)
    for points in GRIDS:
        step = Fraction(whole / points).limit_denominator(10**15)
        yield {"step": str(step), "relative": str(round(-log2(found.relative))), "lost": str(ceil(-log2(found.spare)))}


PROPOSED: Mapping[str, Callable[[Composition, Fraction, Effort], Iterator[Numbers]]] = {
    AT_ZERO: _of_greatest_losses,
    "closed forms": _of_closed_form,
    "lattice": _of_lattice,
    "quadrature": _of_quadrature,
    "contour": _of_contour,
    "periodic contour": _of_periodic_contour,
    "cells": _of_cells,
    "chords": _of_chords,
    "Renyi divergences": _of_renyi_divergences,
    "basic composition and zCDP": lambda *_: iter([{}]),
}
"""Engine -> the numbers to try, in turn."""
