"""Clamped geometric noise: M(x) = clamp(x + Z, lower, upper) on a bounded grid, given by its mass function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.distances import absolute_distance
from refdp.spec.domains import domain, members
from refdp.spec.formulas import Formula
from refdp.spec.statements import Statement, equal
from refdp.terms.evaluation import Arithmetic, evaluate
from refdp.terms.term import Term, apply, both, name, substitute


@dataclass(frozen=True, slots=True)
class ClampedGeometric:
    """P[M(x) = y] = interior(w, ratio) for lower < y < upper and edge(w, ratio) for y = lower, upper.

    Here w = exp(log_weight(y - x)) = ratio^(|y - x| / granularity) with ratio = exp(log_weight(granularity)); the
    parameters are those of log_weight, then granularity, lower and upper.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    log_weight: Formula
    interior: Formula
    edge: Formula
    privacy_map: Formula
    reserved: ClassVar[str] = "z y a b c k weight ratio d_in order delta"

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        mass = "weight ratio"
        return (self.log_weight, "z"), (self.interior, mass), (self.edge, mass), (self.privacy_map, "d_in")

    @property
    def domain(self) -> Term:
        """The set that inputs and outputs range over."""
        return domain("bounded", name("granularity"), name("lower"), name("upper"))

    def law(self, subject: Term, x: Fraction, arithmetic: Arithmetic) -> dict[Any, Any]:
        """Outcome -> probability of M(x)."""
        values = registry.values(self, subject)
        ratio = self._weight(values["granularity"], values, arithmetic)

        def mass(y: Fraction) -> Any:
            shape = self.edge if y in (values["lower"], values["upper"]) else self.interior
            weight = self._weight(y - x, values, arithmetic)
            return evaluate(shape.term, {"weight": weight, "ratio": ratio}, arithmetic)

        return {y: mass(y) for y in members(_range(self, subject))}

    def _weight(self, z: Fraction, values: Mapping[str, Fraction], arithmetic: Arithmetic) -> Any:
        """exp(log_weight(z))."""
        exponent = evaluate(self.log_weight.term, {**values, "z": z})
        return arithmetic.function("exp", arithmetic.number(exponent))


def _range(m: ClampedGeometric, subject: Term) -> Term:
    """The closed domain of the closed subject."""
    return substitute(m.domain, registry.bound(m, subject))


def law_obligations(m: ClampedGeometric) -> dict[str, Statement]:
    """The masses are positive and sum to 1, whatever the range and the input.

    A tail telescopes: the mass at and beyond a point is the mass there and the mass beyond it, so an edge holds
    just what would lie at and beyond it; and the two tails, one with the centre and one without, make 1.
    """
    k, w, c, ratio, step = (name(v) for v in ("k", "weight", "c", "ratio", "granularity"))
    registry.require_conditions(m, *(apply("multiple", name(end), step) for end in ("lower", "upper")))
    one = m.log_weight.at(z=step)
    unit = (0 < ratio, ratio < 1)
    scaled = both(*(equal(f.at(weight=c * w), c * f.at()) for f in (m.interior, m.edge)))
    geometric = both(equal(m.log_weight.at(z=k * step), abs(k) * one), one < 0)
    return {
        "range_is_a_range": Statement(registry.hypotheses(m), both(0 < step, name("lower") < name("upper"))),
        "weights_are_geometric": Statement(registry.hypotheses(m), geometric),
        "masses_scale_with_the_weight": Statement(unit, scaled),
        "masses_are_positive": Statement(unit, both(0 < m.interior.at(weight=1), 0 < m.edge.at(weight=1))),
        "tail_telescopes": Statement(unit, equal(m.edge.at(), m.interior.at() + m.edge.at(weight=w * ratio))),
        "tails_sum_to_1": Statement(unit, equal(m.edge.at(weight=1) + m.edge.at(weight=ratio), 1)),
    }


def privacy_obligations(m: ClampedGeometric) -> dict[str, Statement]:
    """The law obligations, and: the log weights at inputs at most d_in apart differ by at most the privacy map."""
    y, a, b, d_in = map(name, ("y", "a", "b", "d_in"))
    show = m.log_weight.at(z=y - a) - m.log_weight.at(z=y - b) <= m.privacy_map.at()
    given = (*registry.hypotheses(m), absolute_distance.at(u=a, v=b) <= d_in)
    return law_obligations(m) | {"loss_is_bounded": Statement(given, show)}
