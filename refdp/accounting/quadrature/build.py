"""The curve of a composition: its discrete pairs listed, a density, and a profile."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import factorial, inf, prod

from flint import arb, ctx

from refdp.accounting.closed_forms.single import profile_of
from refdp.accounting.losses import Composition, Loss
from refdp.accounting.products.engine import infinite_mass
from refdp.accounting.products.factors import events_of
from refdp.accounting.quadrature.curve import QuadratureCurve
from refdp.accounting.quadrature.densities import Density, density_of
from refdp.accounting.quadrature.profiles import formulas

Atoms = list[tuple[arb, arb]]
ONE: Atoms = [(arb(1), arb(1))]


def built(
    engine: str, composition: Composition, discrete: list[tuple[Loss, int]], integrated: Loss | None, known: Loss,
    bits: int, accuracy: int, end: float = inf,
) -> QuadratureCurve:  # fmt: skip
    """The curve, with errors of about 2^-bits, at the precision that is set."""
    small = arb(2) ** -bits
    atoms, finite = ONE, 1 - infinite_mass(composition)
    for loss, count in discrete:
        atoms = [(p * r, q * s) for p, q in atoms for r, s in sums(loss, count)]
    kept = [(p, q) for p, q in atoms if not p <= small]
    density = Density(ONE, [], arb(0)) if integrated is None else density_of(integrated, bits)
    profile, found = profile_of(known), formulas(known, bits)
    if density is None or profile is None or found is None:
        raise TypeError(f"{integrated} must have a density and {known} a profile")
    return QuadratureCurve(
        engine, kept, density, profile, found.at,
        infinite=1 - finite,
        missing=finite - sum((p for p, _ in kept), arb(0)) + density.beyond + found.below,
        tolerance=small, precision=ctx.prec, accuracy=accuracy, end=end,
    )  # fmt: skip


def sums(loss: Loss, count: int) -> Atoms:
    """(P, Q) of each multiset of `count` outcomes with a finite loss, in all its orders."""
    finite = [(event.p, event.q) for event in events_of(loss) if not (event.p.is_zero() or event.q.is_zero())]
    found = []
    for places in combinations_with_replacement(range(len(finite)), count):
        orders = factorial(count) // prod(factorial(places.count(i)) for i in set(places))
        found.append(tuple(prod((finite[i][side] for i in places), start=arb(orders)) for side in (0, 1)))
    return [(p, q) for p, q in found]
