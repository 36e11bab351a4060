"""What reports of local randomisers say of all inputs together: estimates with an error that is certified.

    found = symmetric_unary_encoding(1024, "2/3").reports(values)
    estimate(found).values[7]          about how many values are 7
    estimate(found).error              and how far off that is at most, but for a probability of 1/1000

The randomness is that of the reports alone: inputs are what they are, hash functions are the ones at hand.
docs/how_to/local_randomisers.md derives the errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any

import refdp.mechanisms  # noqa: F401  (importing it registers the mechanisms)
from refdp.numerics.exact import Exactly, exact, upper_bound
from refdp.spec import registry
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.estimates import answers, number_of_values
from refdp.spec.finite import FiniteLaw
from refdp.spec.rates import BitOfRate
from refdp.spec.supported import SupportedLaw
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term, TermError, ln, number, sqrt

MOST_COMPARISONS = 1 << 32
"""Pairs of hashes that are compared for the bias of a sketch, at most."""


class EstimateError(ValueError):
    """An estimate was asked for of what gives none."""


@dataclass(frozen=True, slots=True)
class Estimates:
    """An estimate for each value, all of them within `error` of the truth with probability at least 1 - failure.

    values[v]: how many of the inputs are v, of filters, how many set bit v; of numbers, values[0] is their mean.
    error: rounded up; `bias` is the part of it by which hash functions that collide may move the mean of an estimate.
    """

    values: Sequence[Fraction]
    error: Fraction
    bias: Fraction
    failure: Fraction
    count: int


def estimate(reports: Any, failure: Exactly = "1/1000", *, hashes: Any = None) -> Estimates:
    """Unbiased estimates from reports, with a certified error for all of them at once; 0 < failure < 1.

    `reports` is what `Measurement.reports` gives; of a sketch, `hashes` is what the reports were drawn with.  Estimates
    are exact numbers, neither rounded nor cut to what is possible.  Raises EstimateError where there are no reports, or
    where they say nothing.

    >>> from refdp import one_bit_mean
    >>> found = estimate(one_bit_mean(10, 9).reports([5] * 1000))
    >>> len(found.values), found.error < 1, found.count
    (1, True, 1000)
    """
    chance, subject = exact(failure, "failure"), getattr(reports, "subject", None)
    if not 0 < chance < 1:
        raise EstimateError(f"failure must be in (0, 1), got {chance}")
    if not isinstance(subject, Term):
        raise EstimateError(f"reports must be what Measurement.reports gives, got {reports!r:.60}")
    if not len(reports):
        raise EstimateError("reports must be at least one, got none")
    is_sketch = subject.operator == "public_coordinate"
    if is_sketch != (hashes is not None):
        raise EstimateError(f"hashes must be given for a choice of functions, and for nothing else, got {subject}")
    counting = import_module("refdp.sampling.bulk.counting")
    if is_sketch:
        return _of_hashes(reports, counting.table_of(hashes), chance, counting)
    kind = registry.kind_of(subject.operator)
    values = registry.values(kind, subject)
    if isinstance(kind, BitOfRate):
        return _of_numbers(kind, values, reports, chance, counting)
    if not isinstance(kind, BitwiseLaw | SupportedLaw | FiniteLaw):
        raise EstimateError(f"reports must be of a local randomiser, got those of {subject}")
    size, found = _size(kind, values), _closed(kind, values, subject)
    yes, asked = counting.said_yes(reports, size)
    scale = 1 / (found.share * (found.own - found.other))
    told = [scale * (y - found.other * m) for y, m in zip(yes, asked, strict=True)]
    return Estimates(told, _error(found, len(reports), size, chance), Fraction(0), chance, len(reports))


@dataclass(frozen=True, slots=True)
class _Rates:
    """How likely reports say yes, in numbers."""

    own: Fraction
    other: Fraction
    share: Fraction


def _closed(kind: registry.Kind, values: Any, subject: Term) -> _Rates:
    """The probabilities at these parameters; EstimateError where a yes says nothing."""
    try:
        found = answers(kind)
    except TermError as error:
        raise EstimateError(str(error)) from None
    own, other, share = (Fraction(evaluate(t, values)) for t in (found.own, found.other, found.share))
    if own <= other:
        raise EstimateError(f"reports of {subject} must say something: what an input has is told no likelier")
    return _Rates(own, other, share)


def _size(kind: Any, values: Any) -> int:
    """How many values there are; EstimateError where reports decode nothing."""
    try:
        return number_of_values(kind, values)
    except TermError as error:
        raise EstimateError(str(error)) from None


def _error(rates: _Rates, n: int, targets: int, chance: Fraction) -> Fraction:
    """The smaller of Hoeffding's and Bernstein's radius, rounded up.

    What one report adds lies in a range of `width`, at most `most` from its mean, with a variance of at most `spread`.
    """
    p, q, share = rates.own, rates.other, rates.share
    width = 1 / (share * (p - q))
    most = max(width * (1 - q), width * q + 1)
    spread = max(width * q * (1 - q) / (p - q), width * (p * (1 - 2 * q) + q**2) / (p - q) - 1)
    return min(_hoeffding(width, n, targets, chance), _bernstein(most, spread, n, targets, chance))


def _hoeffding(width: Fraction, n: int, targets: int, chance: Fraction) -> Fraction:
    """width sqrt(n ln(2 targets / chance) / 2): a sum of n in ranges of that width is that far from its mean."""
    return upper_bound(number(width) * sqrt(number(Fraction(n, 2)) * ln(number(2 * targets / chance))))


def _bernstein(most: Fraction, spread: Fraction, n: int, targets: int, chance: Fraction) -> Fraction:
    """L most / 3 + sqrt((L most / 3)^2 + 2 L n spread) with L = ln(2 targets / chance)."""
    third = ln(number(2 * targets / chance)) * number(most / 3)
    return upper_bound(third + sqrt(third**2 + number(2 * n * spread) * ln(number(2 * targets / chance))))


def _of_numbers(kind: BitOfRate, values: Any, reports: Any, chance: Fraction, counting: Any) -> Estimates:
    """The mean of numbers, from bits of a rate that grows in proportion, as the kind's estimator says that it does."""
    if kind.estimator is None:
        raise EstimateError(f"reports must be of a rate with an estimate, got those of {reports.subject}")
    lower, upper = (Fraction(evaluate(f.term, values)) for f in (kind.lower, kind.upper))
    first, last = (Fraction(evaluate(kind.rate.term, {**values, "input": x})) for x in (lower, upper))
    if last <= first:
        raise EstimateError(f"reports of {reports.subject} must say something: the rate is the same at both ends")
    [ones], n, width = counting.said_yes(reports, 1)[0], len(reports), (upper - lower) / (last - first)
    mean = lower + width * (Fraction(ones, n) - first)
    return Estimates([mean], _hoeffding(width, n, 1, chance) / n, Fraction(0), chance, n)


def _of_hashes(reports: Any, table: Any, chance: Fraction, counting: Any) -> Estimates:
    """Counts of the values of the table, as if two values had the same hash by one function in `size`."""
    inner = reports.subject.arguments[0]
    kind = registry.kind_of(inner.operator)
    values = registry.values(kind, inner)
    size, n, found = _size(kind, values), len(reports), _closed(kind, values, inner)
    if found.share != 1:
        raise EstimateError(f"reports of one function must speak of every result, got those of {inner}")
    if size < 2:
        raise EstimateError("a hash must have at least 2 results, got 1")
    if table.ndim != 2 or table.shape[1] != reports.subject.arguments[1].rational or not table.shape[0]:
        raise EstimateError(f"hashes must be what the reports were drawn with, got the shape {table.shape}")
    if not 0 <= table.min() <= table.max() < size:
        raise EstimateError(f"every hash must be from 0 to {size - 1}")
    if len(table) ** 2 * table.shape[1] > MOST_COMPARISONS:
        raise EstimateError(f"hashes must be at most {MOST_COMPARISONS} to compare, got {len(table)} rows")
    other = found.other + (found.own - found.other) / size
    width = 1 / (found.own - other)
    told = [width * (yes - other * n) for yes in counting.said_yes_of_hashes(reports, table, size)]
    most, fewest = counting.greatest_excess(table, size) if len(table) > 1 else (0, 0)
    far = max(abs(Fraction(ends, table.shape[1]) - Fraction(1, size)) for ends in (most, fewest))
    bias = Fraction(0) if len(table) == 1 else n * far / (1 - Fraction(1, size))
    return Estimates(told, _hoeffding(width, n, len(table), chance) + bias, bias, chance, n)
