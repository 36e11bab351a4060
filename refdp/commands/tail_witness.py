"""The witness against a claim about an error in numbers that a person can check by hand."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from refdp.kernel.judgements import Tail
from refdp.kernel.reading import tail
from refdp.kernel.rules.inaccuracy import happens, weights
from refdp.kernel.theorem import Theorem
from refdp.numerics.exact import NotExact, enclose, exact_number
from refdp.numerics.intervals import Interval
from refdp.numerics.masses import masses
from refdp.spec.errors import EVENTS, error
from refdp.spec.semantics import data
from refdp.terms.reading import read
from refdp.terms.term import Term

RULES = frozenset({"another_probability", "likelier_error", "likelier_noise"})
"""The rules whose witnesses are told here."""
DIGITS = 9
LONGEST = 60
"""A longer term is not written out."""


def tail_sentences(step: Theorem) -> Iterator[str]:
    """What the witness of the step shows."""
    claim = tail(read(step.data["claim"]))
    yield f"the claim says that P[{event(claim)}] {said(claim)}"
    if step.rule == "another_probability":
        found = step.premises[0].claim
        if isinstance(found, Tail):
            yield f"but it is proved that P[{event(found)}] = {shown(found.beta)}"
    elif step.rule == "likelier_error":
        yield f"but at x = {step.data['at']} it {mass_of(claim, step.data['at'])}"
    else:
        inside, outside = weights(claim, int(step.data["points"]))
        part = shown(outside / (inside + outside))
        many = step.data["points"]
        first = "the first point" if many == "1" else f"the first {many} points"
        yield f"but the weights of {first} beyond on each side add up to {shown(outside)}"
        yield f"and those inside to {shown(inside)}"
        yield f"so the probability is at least {part}"


def event(m: Tail) -> str:
    """`error >= ln(2)`."""
    return f"{m.error} {EVENTS[m.event]} {m.threshold}"


def said(m: Tail) -> str:
    """`is at most 1/2`, or `is 1/2`."""
    return f"is {'at most ' if m.bound == 'at_most' else ''}{shown(m.beta)}"


def mass_of(m: Tail, at: str) -> str:
    """`is 3/4`, or an enclosure where it is irrational."""
    x = data(read(at))
    zero = Interval(Fraction(0), Fraction(0))
    chosen = (p for y, p in masses(m.subject, x).items() if happens(m, error(m.error).of(y, x)))
    found = sum(chosen, zero)
    return f"is {found.lower}" if found.lower == found.upper else f"is in {decimals(found)}"


def shown(t: Term) -> str:
    """A closed number: itself where it is rational, else with its decimals."""
    try:
        number = exact_number(t)
    except NotExact:
        return f"{'a number' if len(str(t)) > LONGEST else t} in {decimals(enclose(t))}"
    return str(number)


def decimals(x: Interval) -> str:
    """`[0.537882842, 0.537882843]`: the interval, rounded outward."""
    unit = Fraction(1, 10**DIGITS)
    return f"[{_decimal(x.lower // unit)}, {_decimal(-(-x.upper // unit))}]"


def _decimal(units: int) -> str:
    """A number given in units of the last digit."""
    whole, part = divmod(abs(units), 10**DIGITS)
    return f"{'-' if units < 0 else ''}{whole}.{part:0{DIGITS}d}"
