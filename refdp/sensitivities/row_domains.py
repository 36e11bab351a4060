"""Domains of rows, in which the kernel speaks, and kinds of records, in which functions are read: one for the other.

bounded(1, 0, 120)   whole numbers 0..120      grid(1)   whole numbers      labels('A', 'B')
interval(0, 1)       numbers 0..1              reals()   numbers            optional(D)   record(field(K, D), ...)
above(grid(1), 0)    whole numbers 0..         below(reals(), 1)   numbers ..1
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, floor

from refdp.sensitivities.records import Category, Fields, Kind, Label, Missing, Number
from refdp.spec.domains import domain, fields, is_domain, key_of
from refdp.terms.leaves import integer, is_number, rational
from refdp.terms.term import Term, TermError, apply, number, text

ONE = number(1)


def kind_of(d: Term) -> Kind:
    """The kind of records that are the members of a closed domain of rows; TermError where there is none."""
    if not is_domain(d):
        raise TermError(f"{d} is not a domain of rows")
    match d.operator, d.arguments:
        case "reals", ():
            return Number()
        case "interval", (lower, upper):
            return Number(_real(lower), _real(upper))
        case "grid", (step,) if step == ONE:
            return Number(is_integer=True)
        case "bounded", (step, lower, upper) if step == ONE:
            if ceil(lower.rational) > floor(upper.rational):
                raise TermError(f"{d} has no members")
            return Number(_real(lower), _real(upper), is_integer=True)
        case ("above" | "below") as side, (inner, end):
            whole = kind_of(inner)
            if isinstance(whole, Number) and whole.lower is None and whole.upper is None:
                bound = _real(end)
                return replace(whole, lower=bound) if side == "above" else replace(whole, upper=bound)
        case "labels", listed:
            return Category(tuple(map(key_of, listed)))
        case "optional", (inner,):
            found = kind_of(inner)
            if isinstance(found, Number | Category):
                return Missing(found)
        case "record", _:
            return Fields(tuple((key, kind_of(inner)) for key, inner in fields(d)))
    raise TermError(f"{d} is not a domain of rows that a query of one's own reads")


def domain_of(kind: Kind) -> Term:
    """The domain whose members are records of the kind; TermError where there is none."""
    match kind:
        case Number(None, None, is_integer):
            return domain("grid", ONE) if is_integer else domain("reals")
        case Number(lower, None, is_integer) if lower is not None:
            return domain("above", domain_of(Number(is_integer=is_integer)), _end(lower))
        case Number(None, upper, is_integer) if upper is not None:
            return domain("below", domain_of(Number(is_integer=is_integer)), _end(upper))
        case Number(lower, upper, is_integer) if lower is not None and upper is not None:
            ends = _end(lower), _end(upper)
            return domain("bounded", ONE, *ends) if is_integer else domain("interval", *ends)
        case Category(listed):
            return domain("labels", *map(_label, listed))
        case Missing(inner):
            return domain("optional", domain_of(inner))
        case Fields(kinds):
            return domain("record", *(apply("field", _label(key), domain_of(inner)) for key, inner in kinds))
    raise TermError(f"{kind} is no kind of records")


def _real(t: Term) -> Term:
    """A number as a constant of obligations."""
    value = t.rational
    return integer(int(value)) if value.denominator == 1 else rational(value)


def _end(bound: Term) -> Term:
    """A bound of numbers, which must be a number."""
    if not is_number(bound):
        raise TermError("bounds of the rows of a query in a pipeline must be numbers")
    return number(bound.rational)


def _label(label: Label) -> Term:
    """A label or a key."""
    if isinstance(label, bool):
        raise TermError("rows of a query in a pipeline must be numbers, texts or None, got true and false")
    return text(label) if isinstance(label, str) else number(label)
