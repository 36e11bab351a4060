"""Measurements made of others: several on the same data, one on a sample, on one coordinate, or with another output.

compose([M, N])        sampled("1/10") >> M        public_coordinate(M, 1024)        M >> clamp_output(0, 100)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from refdp.numerics.exact import exact
from refdp.pipeline import D_IN, Exactly, Function, Measurement, PipelineError, Recipe
from refdp.spec.conversions import amplified
from refdp.spec.linear import written_matrix
from refdp.spec.propose_test_release import METRIC as TESTED
from refdp.spec.propose_test_release import losses, pairs
from refdp.terms.term import Term, TermError, apply, number, substitute

ADDITIVE = ("pure", "approximate", "concentrated", "renyi")
"""The measures under which losses add up."""


def compose(measurements: Sequence[Measurement]) -> Measurement:
    """x -> (M(x), N(x), ...), drawn independently: the losses add up.

    All read the same domain and metric and are under one measure, under Renyi DP at one order.  Raises PipelineError.

    >>> from refdp import count, discrete_laplace
    >>> compose([count() >> discrete_laplace(2), count() >> discrete_laplace(4)]).map(1)
    Fraction(3, 4)
    """
    parts = tuple(measurements)
    if not parts or not all(isinstance(m, Measurement) for m in parts):
        raise PipelineError(f"measurements must be one or several, got {measurements!r}")
    first = parts[0]
    for m in parts:
        for name in ("input_domain", "input_metric", "measure"):
            one, other = getattr(first, name), getattr(m, name)
            if one != other:
                raise PipelineError(f"cannot compose: one {name.replace('_', ' ')} is {one}, another {other}")
    if first.measure not in ADDITIVE:
        raise PipelineError(f"losses under {first.measure} do not add up")
    columns = list(zip(*(m.d_out for m in parts), strict=True))
    if first.measure == "renyi" and len(set(columns[0])) > 1:
        raise PipelineError("the orders of a composition under Renyi DP must be the same")
    kept = [columns.pop(0)[0]] if first.measure == "renyi" else []
    losses = (*kept, *(_sum(column) for column in columns))
    subject = apply("compose", *(m.subject for m in parts))
    at_one = any(m.at_one for m in parts)
    recipe, when = Recipe("compose", parts), tuple(dict.fromkeys(c for m in parts for c in m.when))
    return Measurement(subject, first.input_domain, first.input_metric, first.measure, losses, recipe, at_one, when)


@dataclass(frozen=True, slots=True)
class Sampled:
    """A random sample of the rows, each in it with probability `rate`, before a measurement: `sampled(rate) >> M`."""

    rate: Fraction

    def __rshift__(self, m: Measurement) -> Measurement:
        """M on the sample: epsilon becomes ln(1 + rate (e^epsilon - 1)), delta becomes rate delta, for one row."""
        if not isinstance(m, Measurement):
            raise PipelineError(f"what reads a sample must be a measurement, got {m!r}")
        if m.input_domain.operator != "table" or m.input_metric != "symmetric":
            raise PipelineError(
                f"a sample must be of tables with rows added or removed, got {m.input_domain} under {m.input_metric}"
            )
        if m.measure not in ("pure", "approximate"):
            raise PipelineError(f"sampling is stated for pure and approximate DP, got {m.measure}")
        rate = number(self.rate)
        epsilon, *deltas = (substitute(t, {"d_in": number(1)}) for t in m.d_out)
        losses = (amplified(rate, epsilon), *(rate * delta for delta in deltas))
        subject = apply("poisson_sampled", rate, m.subject)
        recipe = Recipe("poisson_sampled", (m,), {"rate": rate})
        if m.measure == "pure":  # of several rows by group privacy
            whole = (D_IN * losses[0],)
            return Measurement(subject, m.input_domain, m.input_metric, m.measure, whole, recipe, m.at_one, m.when)
        return Measurement(subject, m.input_domain, m.input_metric, m.measure, losses, recipe, True, m.when)


def sampled(rate: Exactly) -> Sampled:
    """Each row is in a sample with probability `rate`, independently of the others.

    Raises PipelineError unless 0 <= rate <= 1, and NotExact for what is no exact number.

    >>> from refdp import count, discrete_laplace
    >>> found = sampled("1/10") >> (count() >> discrete_laplace(1))
    >>> float(found.map(1))  # ln(1 + (e - 1) / 10)
    0.158565...
    """
    found = exact(rate, "rate")
    if not 0 <= found <= 1:
        raise PipelineError(f"rate must be from 0 to 1, got {found}")
    return Sampled(found)


def public_coordinate(m: Measurement, n: Exactly) -> Measurement:
    """A vector of n coordinates -> (i, M of coordinate i), i uniform and told: between any two vectors the loss of M.

    The coordinates may be what n public hash functions make of one value.  M must have its map between any two values,
    under pure or approximate DP.  Raises PipelineError for others, and unless n is a whole number >= 1.

    >>> from refdp import symmetric_unary_encoding
    >>> str(public_coordinate(symmetric_unary_encoding(256, "2/3"), 65536).map(1))
    'ln(4)'
    """
    if not isinstance(m, Measurement) or m.input_metric != "discrete" or m.measure not in ("pure", "approximate"):
        raise PipelineError(f"m must be pure or approximate DP between any two values, got {m!r}")
    count = exact(n, "n")
    if count.denominator != 1 or count < 1:
        raise PipelineError(f"n must be a whole number >= 1, got {count}")
    size = number(count)
    subject, inputs = apply("public_coordinate", m.subject, size), apply("vector", m.input_domain, size)
    recipe = Recipe("public_coordinate", (m,), {"n": size})
    return Measurement(subject, inputs, m.input_metric, m.measure, m.d_out, recipe, m.at_one, m.when)


def propose_test_release(m: Measurement, scale: Exactly, threshold: Exactly) -> Measurement:
    """(distance, value) -> (M(value),) if distance + Z >= threshold, () else; Z discrete Laplace noise of that scale.

    M reads a number, under pure or approximate DP.  The map is for distances that move by 1 at most, and values that
    move by d_in at most unless both distances are 0 or less: (1 / scale + epsilon of M, P[Z >= threshold]).
    Raises PipelineError for others, and unless scale > 0, exact, and threshold >= 1 is whole.

    >>> from refdp import discrete_laplace
    >>> epsilon, delta = propose_test_release(discrete_laplace(scale=10), scale=2, threshold=26).map(5)
    >>> epsilon, float(delta)
    (Fraction(1, 1), 1.406...e-06)
    """
    if not isinstance(m, Measurement) or m.input_metric != "absolute" or m.measure not in ("pure", "approximate"):
        raise PipelineError(f"m must be pure or approximate DP for a number, got {m!r}")
    width, least = exact(scale, "scale"), exact(threshold, "threshold")
    if width <= 0:
        raise PipelineError(f"scale must be > 0, got {width}")
    if least.denominator != 1 or least < 1:
        raise PipelineError(f"threshold must be a whole number >= 1, got {least}")
    data = {"scale": number(width), "threshold": number(least)}
    subject, found = apply("tested", m.subject, *data.values()), losses(m.d_out, *data.values())
    inputs, recipe = pairs(m.input_domain), Recipe("tested", (m,), data)
    return Measurement(subject, inputs, TESTED, "approximate", found, recipe, m.at_one, m.when)


def clamp_output(lower: Exactly, upper: Exactly) -> Function:
    """A number, or each of a vector, moved to the nearer bound: M >> clamp_output(0, 100) has the map of M.

    Raises PipelineError unless lower <= upper, and NotExact for what is no exact number.
    """
    low, high = exact(lower, "lower"), exact(upper, "upper")
    if low > high:
        raise PipelineError(f"lower must be <= upper, got {low} and {high}")
    return Function(apply("clamp_output", number(low), number(high)))


def decode_output(matrix: Sequence[Sequence[Exactly]]) -> Function:
    """A vector multiplied by a matrix, given row by row: M >> decode_output([[1, 1]]) has the map of M.

    Raises PipelineError unless it has a row, a column, and rows of one length.
    """
    try:
        rows = tuple(tuple(exact(entry, "matrix") for entry in row) for row in matrix)
        return Function(apply("decode_output", written_matrix(rows)))
    except (TermError, TypeError) as error:
        raise PipelineError(f"matrix must be a list of rows of numbers: {error}") from None


def multiply_output(factor: Exactly) -> Function:
    """A number, or each of a vector, times a factor: M >> multiply_output(2) has the map of M.

    Raises NotExact for what is no exact number.
    """
    return Function(apply("multiply_output", number(exact(factor, "factor"))))


def _sum(amounts: tuple[Term, ...]) -> Term:
    """The sum of the terms."""
    found = amounts[0]
    for one in amounts[1:]:
        found = found + one
    return found
