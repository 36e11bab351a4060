"""Refutations of accuracy: a claim about an error that exact masses, or an exact tail, contradict."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from refdp.kernel.judgements import KernelError, Refuted, Tail, require
from refdp.kernel.reading import tail
from refdp.kernel.rules.code import running
from refdp.kernel.rules.refutation import PRECISIONS
from refdp.kernel.theorem import Assuming, rule
from refdp.numerics.arithmetic import Intervals
from refdp.numerics.exact import Undecided, decide, exact
from refdp.spec import registry
from refdp.spec.domains import contains
from refdp.spec.errors import error
from refdp.spec.noise import AdditiveNoise
from refdp.spec.semantics import data, law
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, exp, names, number, substitute

MOST_POINTS = 1_000
"""Most grid points on each side of 0 that are summed."""


@rule
def another_probability(m: Tail, *, claim: str, at: str) -> Refuted:
    """
      |- M : an error has just the probability p     p > q (or p < q)
    ----------------------------------------------------------------------------------------------
      |- M : an event that contains it has probability at most q (or one inside it just q) is false
    """
    require(isinstance(m, Tail) and m.bound == "probability", f"expected an exact tail, got {m}")
    require(not names(m.term) and not m.given, f"expected a closed tail, got {m}")
    false = closed_tail(claim)
    require(contains(false.domain, data(read(at))), f"{at} must be a member of {false.domain}")
    same = (m.subject, m.domain, m.error) == (false.subject, false.domain, false.error)
    require(same, f"{m.term} is about something else than {claim}")
    above = contains_event(false, m) and decide(false.beta < m.beta)
    below = false.bound == "probability" and contains_event(m, false) and decide(m.beta < false.beta)
    require(above or below, f"{m.term} does not contradict {claim}")
    return Refuted(false)


@rule
def likelier_error(*, claim: str, at: str) -> Refuted | Assuming:
    """
      P[error of M(x)] is not what it should be, every mass computed
    ------------------------------------------------------------------
      |- the claim about M is false
    """
    false = closed_tail(claim)
    x = data(read(at))
    require(contains(false.domain, x), f"{at} must be a member of {false.domain}")
    require(_mass_breaks(false, x), f"the input {at} does not break {claim}")
    return running(Refuted(false), false.subject)


@rule
def likelier_noise(*, claim: str, points: str) -> Refuted:
    """
      T / (S + T) > beta,  S the weights inside the event's threshold, T those of the next points beyond it
    --------------------------------------------------------------------------------------------------------
      |- x + Z : the error is beyond the threshold with probability <= beta, or just beta, is false
    """
    false, beyond = closed_tail(claim), exact(points, "points")
    require(beyond.denominator == 1 and 1 <= beyond <= MOST_POINTS, f"points must be 1 to {MOST_POINTS}, got {points}")
    inside, outside = weights(false, int(beyond))
    require(decide(false.beta * (inside + outside) < outside), f"{points} points do not break {claim}")
    return Refuted(false)


def weights(m: Tail, beyond: int) -> tuple[Term, Term]:
    """The weights inside the threshold, all of them, and those of the next `beyond` points on each side."""
    noise = registry.lookup(m.subject.operator, AdditiveNoise)
    require(noise.on_grid and m.error == "error", f"expected the error of noise on a grid, got {m.term}")
    inputs = substitute(noise.domain, registry.bound(noise, m.subject))
    require(m.domain == inputs, f"the domain must be {inputs}, got {m.domain}")
    values, sums = registry.values(noise, m.subject), dict[bool, Term]()
    for z, breaks in _points(m, values["granularity"], beyond):
        weight = exp(number(Fraction(evaluate(noise.log_weight.term, {**values, "z": z}))))
        sums[breaks] = sums[breaks] + weight if breaks in sums else weight
    return sums.get(False, number(0)), sums[True]


def _points(m: Tail, step: Fraction, beyond: int) -> Iterator[tuple[Fraction, bool]]:
    """Every grid point inside the threshold and the next `beyond` on each side: the point, whether it is beyond."""
    z, left = Fraction(0), beyond
    while left:
        require(z <= MOST_POINTS * step, f"there are more than {MOST_POINTS} points on each side")
        breaks = happens(m, z)
        yield from ((point, breaks) for point in sorted({z, -z}))
        z, left = z + step, left - breaks


def closed_tail(claim: str) -> Tail:
    """The closed claim about an error, without conditions, that the text writes down."""
    m = tail(read(claim))
    require(not names(m.term) and not m.given, f"a counterexample is of a closed claim, got {claim}")
    return m


def happens(m: Tail, size: Fraction) -> bool:
    """Whether an error of that size is the event."""
    return decide(m.threshold <= number(size) if m.event == "at_least" else m.threshold < number(size))


def contains_event(outer: Tail, inner: Tail) -> bool:
    """Whether every error of the inner event is one of the outer."""
    if outer.event == "more_than" and inner.event == "at_least":
        return decide(outer.threshold < inner.threshold)
    return decide(outer.threshold <= inner.threshold)


def _mass_breaks(m: Tail, x: Any) -> bool:
    """Whether P[error at x] contradicts the claim, in rationals or by enclosures."""
    try:
        masses = law(m.subject, x)
        require(sum(masses.values()) == 1 and min(masses.values()) >= 0, f"{m.subject} has no law there")
        p = number(sum((q for y, q in masses.items() if happens(m, error(m.error).of(y, x))), Fraction(0)))
        return decide(m.beta < p) or (m.bound == "probability" and decide(p < m.beta))
    except TermError:
        for bits in PRECISIONS:
            try:
                return _enclosed_mass_breaks(m, x, Intervals(bits))
            except Undecided:
                continue
    raise KernelError("the probability could not be told from the one claimed")


def _enclosed_mass_breaks(m: Tail, x: Any, arithmetic: Intervals) -> bool:
    """The same, decided on interval enclosures; Undecided where they overlap."""
    zero = arithmetic.number(Fraction(0))
    masses = law(m.subject, x, arithmetic)
    require(1 in sum(masses.values(), zero), f"{m.subject} has no law there")
    p = sum((q for y, q in masses.items() if happens(m, error(m.error).of(y, x))), zero)
    beta = evaluate(m.beta, {}, arithmetic)
    return arithmetic.holds("<", beta, p) or (m.bound == "probability" and arithmetic.holds("<", p, beta))
