"""Means, medians and variances of lists of rational numbers, as `statistics` and numpy define them."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from refdp.sensitivities.language.concrete.exact_operations import Exact, exact_operation, square_root
from refdp.sensitivities.language.concrete.failures import NoOutcome

NAN = float("nan")


def total(values: Sequence[Any], start: Exact = 0) -> Exact:
    """The sum."""
    for value in values:
        if not isinstance(value, int | Fraction | float):
            raise TypeError(f"must be real number, not {type(value).__name__}")
        start = exact_operation("+", start, value)
    return start


def fractions(values: Sequence[Any]) -> list[Fraction]:
    """The numbers, none of which may be infinite."""
    if any(isinstance(v, float) for v in values):
        raise NoOutcome("a statistic of infinite numbers")
    if not all(isinstance(v, int | Fraction) for v in values):
        raise TypeError("can't convert to a number")
    return [Fraction(v) for v in values]


def _of_fractions(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `statistics`, which is exact on Fractions."""
    return lambda data, *rest, **named: function(fractions(data), *rest, **named)


def median(data: Sequence[Any]) -> Any:
    """The middle one, or half the sum of the middle two."""
    low, high = statistics.median_low(data), statistics.median_high(data)
    return low if len(data) % 2 else exact_operation("/", total([low, high]), 2)


def _chosen(function: Callable[..., Any]) -> Callable[[Sequence[Any]], Any]:
    """A function of `statistics` that returns one of its data."""
    return lambda data: function(list(data))


def _fmean(data: Sequence[Any], weights: Any = None) -> Fraction:
    """The mean."""
    if weights is not None:
        raise NoOutcome("a mean with weights, which older versions of Python do not have")
    return statistics.mean(fractions(data))


def _quantiles(data: Sequence[Any], *, n: int = 4, method: str = "exclusive") -> list[Fraction]:
    """The cut points."""
    if not isinstance(n, int) or n > 1_000 or len(data) == 1:
        raise NoOutcome("no number of quantiles, more than 1,000, or those of one number: it depends on the version")
    return statistics.quantiles(fractions(data), n=n, method=method)  # type: ignore[arg-type]


STATISTICS: Mapping[str, Callable[..., Any]] = {
    "mean": _of_fractions(statistics.mean),
    "fmean": _fmean,
    "median": median,
    "median_low": _chosen(statistics.median_low),
    "median_high": _chosen(statistics.median_high),
    "mode": _chosen(statistics.mode),
    "multimode": _chosen(statistics.multimode),
    "variance": _of_fractions(statistics.variance),
    "pvariance": _of_fractions(statistics.pvariance),
    "stdev": lambda data: square_root(statistics.variance(fractions(data))),
    "pstdev": lambda data: square_root(statistics.pvariance(fractions(data))),
    "quantiles": _quantiles,
}


def _mean(values: Sequence[Any]) -> Exact:
    """numpy's mean: nan of nothing."""
    exact = fractions(values)
    return sum(exact, Fraction(0)) / len(exact) if exact else NAN


def _variance(values: Sequence[Any], *, ddof: int = 0) -> Exact:
    """numpy's variance: nan where there is nothing to divide by."""
    exact = fractions(values)
    centre = sum(exact, Fraction(0)) / max(1, len(exact))
    squares, count = sum(((x - centre) ** 2 for x in exact), Fraction(0)), len(exact) - ddof
    if count <= 0 and exact:
        raise NoOutcome("a variance divided by no degrees of freedom")
    return squares / count if exact else NAN


def _quantile(values: Sequence[Any], q: Any) -> Exact:
    """numpy's default: linear between neighbours."""
    exact = sorted(fractions(values))
    if not 0 <= Fraction(q) <= 1:
        raise ValueError("Quantiles must be in the range [0, 1]")
    if not exact:
        raise NoOutcome("numpy's quantile of nothing depends on its version")
    place = Fraction(q) * (len(exact) - 1)
    low = place.__floor__()
    high = min(low + 1, len(exact) - 1)
    return exact[low] + (place - low) * (exact[high] - exact[low])


def _extreme(choose: Callable[..., Any]) -> Callable[[Sequence[Any]], Any]:
    """The least or largest; ValueError of nothing."""

    def result(values: Sequence[Any]) -> Any:
        return choose(fractions(values)) if any(not isinstance(v, int) for v in values) else choose(values)

    return result


def _median(values: Sequence[Any]) -> Exact:
    """numpy's median: nan of nothing."""
    return median(fractions(values)) if values else NAN


NUMPY: Mapping[str, Callable[..., Any]] = {
    "sum": total, "mean": _mean, "average": _mean, "var": _variance, "median": _median,
    "std": lambda values, *, ddof=0: square_root(_variance(values, ddof=ddof)),
    "min": _extreme(min), "max": _extreme(max), "amin": _extreme(min), "amax": _extreme(max), "quantile": _quantile,
    "percentile": lambda values, q: _quantile(values, Fraction(q) / 100),
    "ptp": lambda values: exact_operation("-", _extreme(max)(values), _extreme(min)(values)),
}  # fmt: skip
