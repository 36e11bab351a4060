"""Values of expressions: a number or truth value, or one that may also be None, a text, or infinite."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from refdp.terms.leaves import FALSE, TRUE
from refdp.terms.operations import at_most, choice, conjunction, disjunction, equal, less, negation
from refdp.terms.term import Term


class Infinite(Enum):
    """float("-inf") and float("inf"), which are only compared; the value is how they are released."""

    BELOW = "-inf"
    ABOVE = "inf"


Special = str | Infinite | None
"""What a variable can hold besides a number or truth value."""


@dataclass(frozen=True, slots=True)
class Mixed:
    """One of `others` where its condition holds, else the number; conditions exclude each other."""

    number: Term | None
    """A number or a truth value; None where the conditions cover everything."""
    others: tuple[tuple[Special, Term], ...]

    def where(self, special: Special) -> Term:
        """The condition under which it is that special value."""
        return dict(self.others).get(special, FALSE)


Value = Term | Mixed
OPPOSITE: Mapping[str, Callable[[Term, Term], Term]] = {"<": at_most, "<=": less}
"""What holds of b and a where the comparison of a and b does not."""


def terms_of(value: Value) -> tuple[Term, ...]:
    """The terms that a value is made of."""
    parts = mixed(value)
    return (*(() if parts.number is None else (parts.number,)), *(condition for _, condition in parts.others))


def special(value: Special) -> Mixed:
    """None, a text or an infinity."""
    return Mixed(None, ((value, TRUE),))


def mixed(value: Value) -> Mixed:
    """A plain number as a value without special cases."""
    return Mixed(value, ()) if isinstance(value, Term) else value


def plain(value: Mixed) -> Value:
    """The value without the cases that cannot occur."""
    others = tuple((one, condition) for one, condition in value.others if condition is not FALSE)
    certain = [one for one, condition in others if condition is TRUE]
    if certain:
        return special(certain[0])
    return value.number if value.number is not None and not others else Mixed(value.number, others)


def deny(condition: Term) -> Term:
    """Not the condition: the denial of each part, b <= a for not a < b."""
    if condition.operator == "any_of":
        return conjunction(*map(deny, condition.arguments))
    if condition.operator == "all_of":
        return disjunction(*map(deny, condition.arguments))
    if condition.operator in OPPOSITE:
        return OPPOSITE[condition.operator](condition.arguments[1], condition.arguments[0])
    return negation(condition)


def either(condition: Term, yes: Value, no: Value) -> Value:
    """`yes` where the condition holds, else `no`.  TypeError where one is a truth value and the other a number."""
    a, b = mixed(yes), mixed(no)
    others = dict.fromkeys(one for one, _ in (*a.others, *b.others))
    parts = tuple((one, _either(condition, a.where(one), b.where(one))) for one in others)
    return plain(Mixed(_number(condition, a.number, b.number), parts))


def _either(condition: Term, yes: Term, no: Term) -> Term:
    """One of two conditions."""
    if FALSE in (yes, no):
        return conjunction(condition, yes) if no is FALSE else conjunction(deny(condition), no)
    return choice(condition, yes, no)


def _number(condition: Term, yes: Term | None, no: Term | None) -> Term | None:
    """One of two numbers, of which there may be one."""
    if yes is None or no is None:
        return yes if no is None else no
    if (yes.sort == "Bool") != (no.sort == "Bool"):
        raise TypeError("a truth value here and a number there")
    return choice(condition, yes, no)


def is_less(a: Mixed, b: Mixed) -> Term:
    """a < b, each a number or infinite."""
    low = conjunction(a.where(Infinite.BELOW), deny(b.where(Infinite.BELOW)))
    high = conjunction(b.where(Infinite.ABOVE), deny(a.where(Infinite.ABOVE)))
    if a.number is None or b.number is None:
        return disjunction(low, high)
    finite = conjunction(deny(b.where(Infinite.BELOW)), deny(a.where(Infinite.ABOVE)), less(a.number, b.number))
    return disjunction(low, high, finite)


def is_equal(a: Mixed, b: Mixed) -> Term:
    """a == b, of whatever kinds they are."""
    shared = [conjunction(condition, b.where(one)) for one, condition in a.others]
    if a.number is None or b.number is None:
        return disjunction(*shared)
    plain_both = [deny(condition) for _, condition in (*a.others, *b.others)]
    return disjunction(*shared, conjunction(*plain_both, equal(a.number, b.number)))
