"""Basic, advanced and parallel composition, and groups, as numbers.  Proofs: docs/soundness.md, by name of rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from refdp.accounting.theorems.guarantees import WHOLE, Guarantee, Number, alike, rational, require
from refdp.numerics.exact import ExactReal, exact, exact_real, integer_of, upper_bound
from refdp.terms.term import Term, exp, ln, number, sqrt

DIGITS = 20
"""Significant digits to which irrational numbers are rounded up."""


def sequential(parts: Sequence[Guarantee]) -> Guarantee:
    """Losses of mechanisms on the same data add up: epsilon and delta, rho, mu^2, the divergence of one order.

    Each mechanism may depend on the outcomes before it.  Its loss may be chosen adaptively only in so far as the sum is
    fixed beforehand: that is what `filters` are for, so here it is refused.
    Raises HypothesisError.  Kernel rules `compose`, `adaptive`.
    """
    first = alike(parts, "sequential composition")
    _fixed(parts, "sequential composition")
    if first.measure == "renyi":
        require(len({g.loss[0] for g in parts}) == 1, "sequential composition under Renyi DP needs one order")
        return replace(first, reads=_data(parts), loss=(first.loss[0], added([g.loss[1] for g in parts])))
    columns = zip(*(g.loss for g in parts), strict=True)
    return replace(first, reads=_data(parts), loss=tuple(added(list(column)) for column in columns))


def _fixed(parts: Sequence[Guarantee], theorem: str) -> None:
    """No loss was chosen after an outcome was seen."""
    free = any(g.chosen == "adaptively" for g in parts)
    require(not free, f"{theorem} needs losses fixed beforehand; for losses chosen adaptively take a filter")


def _data(parts: Sequence[Guarantee]) -> str:
    """What all of them read, or the whole."""
    return parts[0].reads if len({g.reads for g in parts}) == 1 else WHOLE


def added(losses: list[Number]) -> Number:
    """The exact sum."""
    total: ExactReal = sum(map(exact_real, losses[1:]), exact_real(losses[0]))
    return total.rational if total.argument == 1 else total


def advanced(parts: Sequence[Guarantee], delta: object) -> Guarantee:
    """sum e_i (e^(e_i) - 1) / (e^(e_i) + 1) + sqrt(2 ln(1/delta) sum e_i^2), rounded up, with sum d_i + delta.

    Mechanisms on the same data under pure or approximate DP, losses fixed beforehand.  0 < delta < 1.
    Raises HypothesisError.  For equal losses this is the kernel rule `compose_advanced`; Lemma 6.2.
    """
    first = alike(parts, "advanced composition")
    _fixed(parts, "advanced composition")
    require(first.measure in ("pure", "approximate"), f"advanced composition is of epsilons, got {first.measure}")
    more = exact(delta, "delta")
    require(0 < more < 1, f"delta must be strictly between 0 and 1, got {more}")
    epsilons = [term(g.loss[0]) for g in parts]
    mean = _sum([e * (exp(e) - 1) / (exp(e) + 1) for e in epsilons])
    spread = sqrt(2 * ln(1 / number(more)) * _sum([e**2 for e in epsilons]))
    total = sum((g.delta for g in parts), more)
    loss = (upper_bound(mean + spread, DIGITS), total)
    return replace(first, measure="approximate", reads=_data(parts), loss=loss)


def term(x: Number) -> Term:
    """A number as a term."""
    return x.term if isinstance(x, ExactReal) else number(x)


def _sum(ts: list[Term]) -> Term:
    """Their sum, equal ones counted, bracketed evenly."""
    counted = {t: ts.count(t) for t in dict.fromkeys(ts)}
    if len(counted) == 1:
        ((one, count),) = counted.items()
        return count * one
    half = len(counted) // 2
    every = list(counted.items())
    return _sum([t for t, n in every[:half] for _ in range(n)]) + _sum([t for t, n in every[half:] for _ in range(n)])


def parallel(parts: Sequence[Guarantee], disjoint: bool) -> Guarantee:
    """One row added or removed lies in at most one part of a public partition: the greatest loss.

    `disjoint` states that the parts are those of a partition of the rows that does not depend on the data; each part
    has its own name in `reads`.  For one row replaced, which may change two parts: `replaced(group(..., 2))`.
    Raises HypothesisError.  Kernel rule `parallel`.
    """
    first = alike(parts, "parallel composition")
    _fixed(parts, "parallel composition")
    names = [g.reads for g in parts]
    require(disjoint, "parallel composition needs the parts of a partition of the rows; else losses add up")
    require(WHOLE not in names and len(set(names)) == len(names), f"each part needs a name of its own, got {names}")
    require(first.neighbours == "add_remove", "parallel composition is of claims about one row added or removed")
    require(first.edits == 1, f"parallel composition is stated for one edit, got {first.edits}")
    orders = {g.loss[0] for g in parts} if first.measure == "renyi" else {None}
    require(len(orders) == 1, "parallel composition under Renyi DP needs one order")
    worst = tuple(max(column) for column in zip(*(g.loss for g in parts), strict=True))
    return replace(first, loss=worst, reads=WHOLE)


def replaced(g: Guarantee) -> Guarantee:
    """A claim about two rows added or removed is one about one row replaced.  Kernel rule `replaced_rows`."""
    require((g.neighbours, g.edits) == ("add_remove", 2), "a replaced row is one removed and one added: a group of two")
    return replace(g, neighbours="change_one", edits=1)


def group(g: Guarantee, k: int) -> Guarantee:
    """k times as many edits: k e, delta (1 + e^e + ... + e^((k-1) e)), k^2 rho, k^2 mu^2; Renyi for k = 2 only.

    delta is rounded up where it is irrational.  Raises HypothesisError.  Kernel rules `group`, `group_renyi`.
    """
    times = integer_of(k)
    require(times is not None and times >= 1, f"k must be a whole number >= 1, got {k}")
    k = times or 1
    edits = g.edits * k
    match g.measure:
        case "pure":
            return replace(g, loss=(multiple(k, g.loss[0]),), edits=edits)
        case "approximate":
            e = term(g.loss[0])
            factor = _sum([exp(i * e) for i in range(k)])
            delta = g.delta if k == 1 or g.delta == 0 else upper_bound(number(g.delta) * factor, DIGITS)
            return replace(g, loss=(multiple(k, g.loss[0]), delta), edits=edits)
        case "concentrated" | "gaussian":
            return replace(g, loss=(multiple(k * k, g.loss[0]),), edits=edits)
    require(k in (1, 2), f"group privacy under Renyi DP of one order is stated for two edits, got {k}")
    order, e_ = rational(g.loss[0]), rational(g.loss[1])
    if k == 1:
        return g
    require(order > 2, f"group privacy under Renyi DP needs an order > 2, got {order}")
    return replace(g, loss=(order / 2, e_ * (2 * order - 1) / (order - 1)), edits=edits)


def multiple(k: int, x: Number) -> Number:
    """k x, exactly."""
    return Fraction(k) * x if isinstance(x, Fraction) else x * k
