"""Cases of Google's `statistical_tests.proto` as cases of ours, where a type of group fits.

Laplace noise: a PrivacyProfile (delta 0 at epsilon, scale = l0 linf / epsilon).  Gaussian noise of stated variance: a
PrivacyProfile (the stated delta at epsilon).  Counts and bounded sums: a StabilityMap of the two tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm
from typing import Any

from refdp.spec.distances import symmetric_distance
from refdp.test_vectors.google.textproto import Message
from refdp.test_vectors.lists.asked import Case, case
from refdp.test_vectors.numbers import DECIMAL, VectorError

DIGITS = 12
"""Decimal digits to which a standard deviation is rounded, upward: the benefit of the doubt."""
MOST_ROWS = 2000


@dataclass(frozen=True, slots=True)
class Imported:
    """A case of ours: type, algorithm, and what is asked."""

    kind: str
    algorithm: str
    asked: Case


class Unfit(ValueError):
    """A case that no type of group fits; the sentence says why."""


def single(message: Message, name: str, default: Any = None) -> Any:
    """The one value of a field; Unfit if there is none or several."""
    found = message.get(name, [] if default is None else [default])
    if len(found) != 1:
        raise Unfit(f"it has no single {name}")
    return found[0]


def number(text: Any, name: str) -> Fraction:
    """A number as it is written; Unfit for others, infinities and NaN."""
    if not isinstance(text, str) or not DECIMAL.fullmatch(plain(text)):
        raise Unfit(f"{name} is no plain number")
    return Fraction(plain(text))


def plain(text: str) -> str:
    """The number without what JSON's numbers do not have: a point at the end, capital E, a plus."""
    return text.lower().replace("e+", "e").rstrip("f").removesuffix(".")


def field(message: Message, name: str, default: str | None = None) -> Fraction:
    """A number of a message."""
    return number(single(message, name, default), name)


def profile(algorithm: str, params: Mapping[str, Fraction], epsilon: Fraction, delta: Fraction, name: str) -> Imported:
    """A claim of (epsilon, delta) for noise."""
    stated = {key: str(value) for key, value in params.items()}
    asked = case("Imported", name, params=stated, neighbours="add_remove", epsilon=str(epsilon), claimed=str(delta))
    return Imported("PrivacyProfile", algorithm, asked)


def closeness(message: Message, name: str) -> Iterator[Imported]:
    """Noise of a stated variance, at a stated epsilon and delta: normal if delta > 0, else Laplace."""
    stated, sampling = single(message, "closeness_test_parameters"), single(message, "noise_sampling_parameters")
    l0, linf = field(sampling, "l0_sensitivity", "1"), field(sampling, "linf_sensitivity")
    epsilon, delta, variance = field(sampling, "epsilon"), field(sampling, "delta", "0"), field(stated, "variance")
    if min(l0, linf, epsilon, variance) <= 0:
        raise Unfit("sensitivity, epsilon and variance are not all > 0")
    if delta == 0:
        scale = l0 * linf / epsilon
        if abs(2 * scale**2 - variance) > variance / 10**6:
            raise Unfit("its variance is not that of Laplace noise with scale l0 linf / epsilon")
        yield profile("laplace", {"scale": scale, "sensitivity": l0 * linf}, epsilon, delta, name)
        return
    yield profile("gaussian", {"sigma": root_above(variance / (l0 * linf**2))}, epsilon, delta, name)


def root_above(x: Fraction) -> Fraction:
    """A decimal just above the square root."""
    return Fraction(isqrt(x.numerator * 100**DIGITS // x.denominator) + 1, 10**DIGITS)


def sums(message: Message, name: str, parameters: str, rows: str) -> Iterator[Imported]:
    """A count or a bounded sum: the two tables, and the noise where it is Laplace's."""
    sampling = single(message, parameters)
    tables = [tuple(number(row, "a row") for row in sampling.get(name, [])) for name in (rows, f"neighbour_{rows}")]
    is_count = rows == "raw_increment_by"
    if is_count:  # a sum of increments, which no bound cuts
        everything = (Fraction(0), *tables[0], *tables[1])
        lower, upper = min(everything), max(everything)
    else:
        lower, upper = field(sampling, "lower_bound"), field(sampling, "upper_bound")
    yield stability(tables, lower, upper, name)
    yield from _laplace(sampling, Fraction(1) if is_count else max(abs(lower), abs(upper)), name)


def stability(tables: list[tuple[Fraction, ...]], lower: Fraction, upper: Fraction, name: str) -> Imported:
    """The clamped sums of the two tables, and the map at their distance."""
    if max(map(len, tables)) > MOST_ROWS:
        raise Unfit(f"it has more than {MOST_ROWS} rows")
    step = Fraction(1, lcm(*(x.denominator for x in (lower, upper, *tables[0], *tables[1]))))
    distance = symmetric_distance(*tables)
    params = {"lower": str(lower), "upper": str(upper), "granularity": str(step), "neighbours": "add_remove"}
    left, right = ([str(row) for row in table] for table in tables)
    asked = case("Imported", name, params=params, dIn=str(distance), left=left, right=right)
    return Imported("StabilityMap", "clamped_sum", asked)


def _laplace(sampling: Message, linf: Fraction, name: str) -> Iterator[Imported]:
    """Laplace noise for that many partitions; of Gaussian noise the variance is not stated."""
    if single(sampling, "noise_type") != "LAPLACE" or linf == 0:
        return
    sensitivity = field(sampling, "max_partitions_contributed", "1") * linf
    epsilon = field(sampling, "epsilon")
    yield profile("laplace", {"scale": sensitivity / epsilon, "sensitivity": sensitivity}, epsilon, Fraction(0), name)


Reading = Callable[[Message, str], Iterator[Imported]]
READINGS: Mapping[str, Reading] = {
    "distribution_closeness_test_case": closeness,
    "count_dp_test_case": lambda m, n: sums(m, n, "count_sampling_parameters", "raw_increment_by"),
    "bounded_sum_dp_test_case": lambda m, n: sums(m, n, "bounded_sum_sampling_parameters", "raw_entry"),
    "long_bounded_sum_dp_test_case": lambda m, n: sums(m, n, "long_bounded_sum_sampling_parameters", "raw_entry"),
}
UNFIT: Mapping[str, str] = {
    "bounded_mean_dp_test_case": "a mean of unknown size is a composition within the library",
    "bounded_stdv_dp_test_case": "a deviation is a composition within the library",
    "bounded_quantiles_dp_test_case": "a quantile tree is a composition within the library",
    "approximate_bounds_dp_test_case": "the choice of bounds is a composition within the library",
    "distribution_dp_test_case": "a test of two distributions states no law",
}


def of_message(message: Message) -> Iterator[tuple[str, Message]]:
    """Each case with the name of its kind."""
    for kind, found in message.items():
        if kind.endswith("_test_case"):
            for one in found:
                if not isinstance(one, dict):
                    raise VectorError(f"{kind} must be a message, got a value")
                yield kind, one


def imported(kind: str, message: Message) -> list[Imported]:
    """Our cases of one of theirs; Unfit with the reason if no type of group fits."""
    if kind not in READINGS:
        raise Unfit(UNFIT.get(kind, "its kind is not known"))
    name = "".join(c for c in str(single(message, "name", "no name")) if c.isascii() and c.isprintable())[:200]
    try:
        return list(READINGS[kind](message, name))
    except (AttributeError, TypeError):
        raise Unfit("a field is no message, or no number") from None
