"""Refutations by an event in some round: repeated runs of a step on a sample of few rows, as of a training loop."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import ceil, prod
from typing import Any

from refdp.kernel.judgements import KernelError, Private, Refuted, require
from refdp.kernel.rules.accounts import MOST_COPIES, shape_of
from refdp.kernel.rules.code import running
from refdp.kernel.rules.refutation import PRECISIONS, closed_claim, neighbours
from refdp.kernel.theorem import Assuming, rule
from refdp.numerics.arithmetic import Intervals
from refdp.numerics.exact import Undecided
from refdp.numerics.intervals import Interval
from refdp.numerics.lattice import tail_sum
from refdp.spec import registry
from refdp.spec.cells import CellSum
from refdp.spec.domains import contains, is_table
from refdp.spec.noise import AdditiveNoise
from refdp.spec.rescaled import RescaledSum
from refdp.spec.rows import RowSum
from refdp.spec.semantics import FiniteMechanism, data, law, value, whole_number
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, number, substitute

MOST_ROWS = 10
"""Most rows of a table of which all samples are looked at."""
ROUNDS = ("repeated", "mapped_rounds")
"""The subjects of several rounds of one mechanism; the map of a row to itself is one that may be chosen."""
Chance = Callable[[Term, Any, Intervals], Interval]


@rule
def likelier_in_some_round(*, claim: str, a: str, b: str, event: str) -> Refuted | Assuming:
    """
      distance(a, b) <= d_in     p = P[M(a) in E]     q = P[M(b) in E]
      1 - (1 - p)^k > e^epsilon (1 - (1 - q)^k) + delta
    ---------------------------------------------------------------------------------
      |- repeated(M, k), or mapped_rounds(M, k) : d_in |-> (epsilon, delta) is false

    E is tuple_of(different outcomes) of a finite law, or at_least(c), that one number with normal or discrete Gaussian
    noise is >= c.
    """
    m = closed_claim(claim)
    if not isinstance(m, Private) or m.measure not in ("pure", "approximate") or m.subject.operator not in ROUNDS:
        raise KernelError(f"expected a claim about rounds under pure or approximate DP, got {claim}")
    one, count = m.subject.arguments
    about_rows = m.subject.operator == "repeated" or is_table(m.domain)
    require(about_rows, f"expected maps of rows of a table, got {m.domain}")
    times, told = whole_number(count, 1, MOST_COPIES), chance_of(read(event))
    x, y = neighbours(m, a, b)
    require(_is_read(one, x) and _is_read(one, y), f"{a} and {b} must be what {one} reads")
    for bits in PRECISIONS:
        try:
            broken = _is_broken(m, [told(one, z, Intervals(bits)) for z in (x, y)], times, Intervals(bits))
        except Undecided:
            continue
        require(broken, f"the event {event} in some round does not break {claim}")
        return running(Refuted(m), m.subject)
    raise KernelError("the probabilities could not be told apart")


def _is_read(m: Term, x: Any, sampled: bool = False) -> bool:
    """Whether x is in the mechanism's own domain, which that of the claim need not be: a map chosen leads there."""
    match m.operator, m.arguments:
        case "poisson_sampled", (_, one):
            return _is_read(one, x, True)
        case "chain", (first, _):
            return _is_read(first, x, sampled)
        case "listed", _:
            return True  # `law` looks at the input, as of every finite law
    kind = registry.kind_of(m.operator)
    if isinstance(kind, RowSum | RescaledSum | CellSum):
        inputs = substitute(kind.input_domain, registry.bound(kind, m))
        return contains(inputs, x) and (inputs.operator == "table" or not sampled)
    require(isinstance(kind, FiniteMechanism), f"expected a sum of rows, or a finite law, got {m}")
    return True


def _is_broken(m: Private, chances: list[Interval], times: int, arithmetic: Intervals) -> bool:
    """Whether the event in some round is too much likelier for the first; Undecided where that is not told."""
    whole = arithmetic.number(Fraction(1))
    first, second = (whole - _within(whole - _within(p)) ** times for p in chances)
    epsilon, delta = (evaluate(t, {}, arithmetic) for t in (*m.d_out, number(0))[:2])
    return arithmetic.holds("<", arithmetic.function("exp", epsilon) * second + delta, first)


def _within(p: Interval) -> Interval:
    """The enclosure of a probability, cut to [0, 1]."""
    return Interval(min(max(p.lower, Fraction(0)), Fraction(1)), max(min(p.upper, Fraction(1)), Fraction(0)), p.bits)


def chance_of(event: Term) -> Chance:
    """How likely the event is in one round, as a function of the mechanism, its input and an arithmetic."""
    if event.operator == "at_least" and len(event.arguments) == 1:
        threshold = Fraction(evaluate(event.arguments[0], {}))
        return lambda m, x, arithmetic: _half_line(m, x, threshold, arithmetic)
    outcomes = data(event)
    distinct = isinstance(outcomes, tuple) and 0 < len(set(outcomes)) == len(outcomes)
    require(distinct, f"an event must be at_least(c) or tuple_of(different outcomes), got {event}")
    return lambda m, x, arithmetic: _finite(m, x, outcomes, arithmetic)


def _finite(m: Term, x: Any, outcomes: tuple[Any, ...], arithmetic: Intervals) -> Interval:
    """The probability of these outcomes of a finite law, in rationals."""
    found = law(m, x)
    require(sum(found.values()) == 1 and min(found.values()) >= 0, f"{m} has no law there")
    return arithmetic.number(sum((Fraction(found.get(y, 0)) for y in outcomes), Fraction(0)))


def _half_line(m: Term, x: Any, threshold: Fraction, arithmetic: Intervals) -> Interval:
    """The probability that the noisy number is at least the threshold, on a Poisson sample or on the whole table."""
    match m.operator, m.arguments:
        case "poisson_sampled", (rate, one):
            share = Fraction(evaluate(rate, {}))
            require(isinstance(x, tuple) and len(x) <= MOST_ROWS, f"a table must have at most {MOST_ROWS} rows")
            require(0 <= share <= 1, f"rate must be from 0 to 1, got {share}")
            total = arithmetic.number(Fraction(0))
            for kept in product((True, False), repeat=len(x)):
                weight = prod((share if k else 1 - share for k in kept), start=Fraction(1))
                sample = tuple(row for row, k in zip(x, kept, strict=True) if k)
                if weight:
                    total = total + arithmetic.number(weight) * _half_line(one, sample, threshold, arithmetic)
            return total
        case "chain", (transformation, noise):
            return _noisy(noise, value(transformation, x), threshold, arithmetic)
    raise KernelError(f"expected noise on an answer about a table, or a sample of it, got {m}")


def _noisy(noise: Term, at: Any, threshold: Fraction, arithmetic: Intervals) -> Interval:
    """P[t + Z >= threshold] for the one number t of the answer."""
    if noise.operator == "coordinatewise":
        noise, dimension = noise.arguments
        require(evaluate(dimension, {}) == 1, f"expected one number with noise, got {dimension}")
        require(isinstance(at, tuple) and len(at) == 1, f"expected an answer of one number, got {at}")
        at = at[0]
    kind = registry.lookup(noise.operator, AdditiveNoise)
    values = registry.values(kind, noise)
    require(contains(substitute(kind.domain, registry.bound(kind, noise)), at), f"{at} is no input of {noise}")
    is_normal, sigma, step = shape_of(kind, values)
    require(is_normal, f"expected normal noise, got {noise}")
    if step is None:
        return arithmetic.function("normal_tail", arithmetic.number((threshold - at) / sigma))
    return _grid_tail(ceil((threshold - at) / step), sigma / step, arithmetic)


def _grid_tail(start: int, sigma: Fraction, arithmetic: Intervals) -> Interval:
    """P[Z >= start] of discrete Gaussian noise on the whole numbers."""

    def weight(k: int) -> Interval:
        found: Interval = arithmetic.function("exp", arithmetic.number(-(Fraction(k) ** 2) / (2 * sigma**2)))
        return found

    if start <= 0:  # symmetric: P[Z >= start] = 1 - P[Z >= 1 - start]
        return arithmetic.number(Fraction(1)) - _grid_tail(1 - start, sigma, arithmetic)
    far = tail_sum(weight, start, arithmetic.bits)
    near = sum((weight(k) for k in range(1, start)), far) if start <= MOST_COPIES else far
    require(start <= MOST_COPIES, f"the threshold is {start} steps away")
    return far / (weight(0) + near + near)


__all__ = ["likelier_in_some_round"]
