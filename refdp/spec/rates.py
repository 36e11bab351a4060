"""Bits of a rate: one bit, 1 with a probability that is a formula of a number in an interval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.domains import domain
from refdp.spec.formulas import Formula
from refdp.spec.statements import Statement
from refdp.spec.tails import Estimator
from refdp.terms.evaluation import Arithmetic, evaluate
from refdp.terms.term import Term, both, ln, name


@dataclass(frozen=True, slots=True)
class BitOfRate:
    """P[M(input) = 1] = rate(input), P[M(input) = 0] = 1 - rate(input), for numbers from lower to upper.

    ratio_bound bounds both probabilities under one input against those under any other: the loss is ln(ratio_bound).
    estimator: of the input, and of the mean of inputs, from bits; where one is claimed.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    lower: Formula
    upper: Formula
    rate: Formula
    ratio_bound: Formula
    estimator: Estimator | None = None
    reserved: ClassVar[str] = "input a b d_in n order delta"

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        own = (self.lower, ""), (self.upper, ""), (self.rate, "input"), (self.ratio_bound, "")
        return *own, *(() if self.estimator is None else self.estimator.readings)

    @property
    def domain(self) -> Term:
        """The set that inputs range over."""
        return domain("interval", self.lower.at(), self.upper.at())

    @property
    def epsilon(self) -> Term:
        """The privacy loss between any two inputs."""
        return ln(self.ratio_bound.at())

    def law(self, subject: Term, x: Fraction, arithmetic: Arithmetic) -> dict[Any, Any]:
        """Outcome -> probability of M(x)."""
        given = {key: arithmetic.number(value) for key, value in registry.values(self, subject).items()}
        rate = evaluate(self.rate.term, given | {"input": arithmetic.number(x)}, arithmetic)
        return {Fraction(0): arithmetic.number(Fraction(1)) - rate, Fraction(1): rate}


def law_obligations(m: BitOfRate) -> dict[str, Statement]:
    """There are inputs, and at each of them the rate is a probability."""
    x, given = name("input"), registry.hypotheses(m)
    inside = (m.lower.at() <= x, x <= m.upper.at())
    rate = m.rate.at()
    return {
        "interval_has_members": Statement(given, m.lower.at() <= m.upper.at()),
        "rate_is_a_probability": Statement((*given, *inside), both(0 <= rate, rate <= 1)),
    }


def privacy_obligations(m: BitOfRate) -> dict[str, Statement]:
    """The law obligations, and: neither bit is more than ratio_bound times likelier under one input than another."""
    a, b, ratio = name("a"), name("b"), m.ratio_bound.at()
    inside = tuple(c for v in (a, b) for c in (m.lower.at() <= v, v <= m.upper.at()))
    one, other = m.rate.at(input=a), m.rate.at(input=b)
    show = both(one <= ratio * other, 1 - one <= ratio * (1 - other))
    bounded = Statement((*registry.hypotheses(m), *inside), show)
    return law_obligations(m) | {"neither_bit_is_much_likelier": bounded}
