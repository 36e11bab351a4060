"""Estimates of frequencies from reports: what a report says of a value, and how likely it says so.

A report says yes or no of a value, or it was not asked:

    bits            yes if the bit of the value is 1; asked are the positions that are sent
    subset          yes if the value is in the subset          hadamard, hadamard_entry    yes if it is supported
    one_bit         asked is the bucket that is told, and the bit is the answer
    finite law      yes if the value is told

`own` is the probability of a yes of those asked where the input has the value, `other` where it has not, `share` the
probability to be asked, whatever the input.  The estimate of how many of n inputs have the value is the sum of

    (answer - other) / (share (own - other))     over the reports that were asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from refdp.spec import registry
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.bitwise import law_obligations as bitwise_obligations
from refdp.spec.finite import FiniteLaw
from refdp.spec.finite import law_obligations as finite_obligations
from refdp.spec.rates import BitOfRate
from refdp.spec.rates import law_obligations as rate_obligations
from refdp.spec.renyi import mass_is_hit_or_miss
from refdp.spec.statements import Statement, equal
from refdp.spec.supported import SupportedLaw, supports
from refdp.spec.supported import law_obligations as supported_obligations
from refdp.spec.tails import Estimator
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term, TermError, apply, name, number

N, HAVING = name("n"), name("having")
"""How many reports there are, and how many of their inputs have the value."""
ONE = number(1)
Counted = BitwiseLaw | SupportedLaw | FiniteLaw
"""The kinds of mechanisms whose reports say something of each value."""


@dataclass(frozen=True, slots=True)
class Answers:
    """How likely reports say yes of a value, as terms in the parameters."""

    own: Term
    other: Term
    share: Term

    @property
    def variance_with(self) -> Term:
        """The variance of what one report adds to the estimate, where its input has the value."""
        p, q = self.own, self.other
        if self.share == ONE:
            return p * (1 - p) / (p - q) ** 2
        return (p * (1 - 2 * q) + q**2) / (self.share * (p - q) ** 2) - 1

    @property
    def variance_without(self) -> Term:
        """The same where it has not."""
        p, q = self.own, self.other
        scale = (p - q) ** 2
        return q * (1 - q) / (scale if self.share == ONE else self.share * scale)

    @property
    def variance(self) -> Term:
        """The variance of the estimate: reports are independent."""
        return HAVING * self.variance_with + (N - HAVING) * self.variance_without


def answers(m: registry.Kind) -> Answers:
    """How likely a report of the mechanism says yes; TermError where reports say nothing of values.

    docs/soundness.md derives these from the laws.
    """
    match m:
        case BitwiseLaw(sent=None):
            return Answers(m.kept.at(), m.raised.at(), ONE)
        case BitwiseLaw():
            return Answers(m.kept.at(), m.raised.at(), _asked(m))
        case SupportedLaw(support="one_bit"):
            return Answers(m.told.at(), 1 - m.told.at(), 1 / m.size.at())
        case SupportedLaw(support="subset"):
            told, size, chosen = m.told.at(), m.size.at(), _chosen(m)
            return Answers(told, told * (chosen - 1) / (size - 1) + (1 - told) * chosen / (size - 1), ONE)
        case SupportedLaw():
            return Answers(m.told.at(), number(Fraction(1, 2)), ONE)
        case FiniteLaw() if m.hit is not None and m.miss is not None:
            return Answers(m.hit.at(), m.miss.at(), ONE)
    raise TermError(f"reports of {m.stem} say nothing of values")


def _asked(m: BitwiseLaw) -> Term:
    """The share of the positions that are sent."""
    if m.sent is None:
        raise TermError(f"{m.stem} sends every position")
    return m.sent.at() / m.dimension.at()


def _chosen(m: SupportedLaw) -> Term:
    """How many values a subset has."""
    if m.chosen is None:
        raise TermError(f"{m.stem} has no subsets")
    return m.chosen.at()


def answer(m: Counted, report: Any, value: int) -> bool | None:
    """What a report says of a value; None where it was not asked."""
    match m:
        case BitwiseLaw(sent=None):
            return bool(report[value])
        case BitwiseLaw():
            places, bits = report
            return dict(zip(places, map(bool, bits), strict=True)).get(value)
        case SupportedLaw(support="one_bit"):
            bucket, bit = report
            return bool(bit) if bucket == value else None
        case SupportedLaw():
            return supports(m.support, report, value)
        case FiniteLaw():
            return bool(report == value)


def has(m: Counted, x: Any, value: int) -> bool:
    """Whether an input has the value: is it, or as a filter sets its bit."""
    is_filter = isinstance(m, BitwiseLaw) and m.relation != "value"
    return bool(x[value] == 1 if is_filter else x == value)


def number_of_values(m: Counted, values: Mapping[str, Fraction]) -> int:
    """How many values there are, 0 and on; TermError where a matrix is cut off, so that its reports decode nothing."""
    size = m.dimension if isinstance(m, BitwiseLaw) else m.size
    found = int(evaluate(size.term, values))
    if isinstance(m, SupportedLaw) and m.support == "hadamard_entry" and found & (found - 1):
        raise TermError(f"the number of rows must be a power of 2 for an estimate, got {found}")
    return found


def obligations(m: Counted) -> dict[str, Statement]:
    """What must hold for the answers to have these probabilities: that the law is what its kind says."""
    match m:
        case BitwiseLaw():
            return bitwise_obligations(m)
        case SupportedLaw():
            return supported_obligations(m)
    return finite_obligations(m) | {"mass_is_hit_or_miss": mass_is_hit_or_miss(m)}


@dataclass(frozen=True, slots=True)
class EstimateSignature:
    """For n inputs of which `having` have a value: decoded by `own` and `other`, no bias, and that variance."""

    subject: Term
    own: Term
    other: Term
    variance: Term
    conditions: tuple[Term, ...]


def frequency_signature(m: Counted) -> EstimateSignature:
    """The estimate of how many inputs have a value; TermError where the number of rows must be a power of 2."""
    return _signature(m, registry.subject(m), answers(m), ())


def balanced_signature(m: Counted) -> EstimateSignature:
    """The same of reports of one of several hashes, where those of two values agree under one function in `size`."""
    found, functions = answers(m), name("hashes")
    if found.share != ONE or (isinstance(m, BitwiseLaw) and m.relation != "value"):
        raise TermError(f"{m.stem} does not speak of every result of a function")
    size = m.dimension.at() if isinstance(m, BitwiseLaw) else m.size.at()
    mixed = replace(found, other=found.other + (found.own - found.other) / size)
    more = (2 <= size, apply("integer", functions), 1 <= functions)
    return _signature(m, apply("public_coordinate", registry.subject(m), functions), mixed, more)


def _signature(m: Counted, subject: Term, found: Answers, more: tuple[Term, ...]) -> EstimateSignature:
    """What is claimed of these answers."""
    if isinstance(m, SupportedLaw) and m.support == "hadamard_entry":
        raise TermError(f"the number of rows of {m.stem} must be a power of 2, which no condition says")
    if {"n", "having", "hashes"} & set(m.parameters):
        raise TermError(f"the parameters of {m.stem} must not be named n, having or hashes")
    given = (*m.conditions, *more, found.other < found.own, *counted_reports())
    return EstimateSignature(subject, found.own, found.other, found.variance, given)


def counted_reports() -> tuple[Term, ...]:
    """The conditions on n and `having`."""
    return apply("integer", N), apply("integer", HAVING), 1 <= N, 0 <= HAVING, HAVING <= N


def number_signature(m: BitOfRate) -> EstimateSignature:
    """width (bit - offset) has the input as its mean, and this variance; `own` is the offset, `other` the width."""
    e, rate, x = _estimator(m), m.rate.at(), name("input")
    inside = (m.lower.at() <= x, x <= m.upper.at())
    spread = e.width.at() ** 2 * (rate * (1 - rate))
    return EstimateSignature(
        registry.subject(m), e.offset.at(), e.width.at(), spread, (*m.conditions, *e.conditions, *inside)
    )


def number_obligations(m: BitOfRate) -> dict[str, Statement]:
    """The law obligations, and: the estimate from one bit is right on average."""
    e, x = _estimator(m), name("input")
    given = (*registry.hypotheses(m), *e.conditions, m.lower.at() <= x, x <= m.upper.at())
    return rate_obligations(m) | {"estimate_of_a_number_is_unbiased": Statement(given, equal(e.at(m.rate.at()), x))}


def _estimator(m: BitOfRate) -> Estimator:
    """The estimator of the mechanism; TermError if it has none."""
    if m.estimator is None:
        raise TermError(f"{m.stem} has no estimator")
    return m.estimator


def answers_with(m: registry.Kind, report: Any, value: Any) -> bool | None:
    """What a report says of a value, which for a public choice of functions is what they give of it, in order."""
    if isinstance(value, tuple):
        which, inner = report
        return answer(_counted(m), inner, int(value[int(which)]))
    return answer(_counted(m), report, int(value))


def has_value(m: registry.Kind, x: Any, value: Any) -> bool:
    """Whether an input has the value; under a public choice of functions, whether all of them give the same."""
    return bool(x == value) if isinstance(value, tuple) else has(_counted(m), x, int(value))


def _counted(m: registry.Kind) -> Counted:
    """The kind, if its reports say something of each value; TermError otherwise."""
    if not isinstance(m, Counted):
        raise TermError(f"reports of {m.stem} say nothing of values")
    return m
