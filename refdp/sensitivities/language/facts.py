"""What follows at once from the conditions under which a statement runs: no solver, only what is plain."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from refdp.terms.leaves import FALSE, TRUE, is_number, truth
from refdp.terms.operations import choice, conjunction, disjunction, equal, negation, substitute
from refdp.terms.term import Term

DEEPEST = 8
"""How deep into a condition it is looked."""
WIDEST = 64
"""Most constants that a choice is taken apart into."""


def assumed(facts: frozenset[Term], condition: Term) -> frozenset[Term]:
    """The facts, and the condition, and its parts where it says that all of them hold."""
    if condition.operator == "all_of":
        return facts.union(*(assumed(facts, part) for part in condition.arguments))
    if condition.operator == "not" and condition.arguments[0].operator == "any_of":
        return facts.union(*(assumed(facts, negation(part)) for part in condition.arguments[0].arguments))
    return facts | {condition}


def simplified(facts: frozenset[Term], condition: Term) -> Term:
    """The condition, or true or false where the facts decide it."""
    found = known(facts, condition)
    return condition if found is None else truth(found)


def known(facts: frozenset[Term], condition: Term, depth: int = 0) -> bool | None:
    """Whether the facts plainly imply the condition or its negation."""
    if condition.operator == "truth":
        return condition is TRUE
    if condition in facts or negation(condition) in facts:
        return condition in facts
    if (signed := _by_sign(condition)) is not None:
        return signed
    if depth > DEEPEST or not facts:
        return None
    if condition.operator == "not":
        inner = known(facts, condition.arguments[0], depth + 1)
        return None if inner is None else not inner
    if condition.operator in ("all_of", "any_of"):
        found = [known(facts, part, depth + 1) for part in condition.arguments]
        return _together(found, condition.operator == "all_of")
    return _compared(facts, condition, depth) if condition.operator in ("<", "<=", "==") else None


def _by_sign(condition: Term) -> bool | None:
    """A comparison of a sum of squares with what is not positive."""
    if condition.operator not in ("<", "<="):
        return None
    left, right = condition.arguments
    low, high = (is_number(one) and one.rational <= 0 for one in (left, right))
    if high and (right.rational < 0 or condition.operator == "<") and is_sum_of_squares(left):
        return False
    if low and (left.rational < 0 or condition.operator == "<=") and is_sum_of_squares(right):
        return True
    return None


def is_sum_of_squares(term: Term) -> bool:
    """Whether it is plainly a sum of squares and of numbers that are not negative, and so none itself."""
    waiting = [term]
    while waiting:
        one = waiting.pop()
        is_square = one.operator == "*" and one.arguments[0] is one.arguments[1]
        is_multiple = one.operator == "*" and is_number(one.arguments[0])
        if one.operator in ("+", "real") or (is_multiple and not is_square):
            waiting += one.arguments
        elif not is_square and not (is_number(one) and one.rational >= 0):
            return False
    return True


def _together(found: Iterable[bool | None], every: bool) -> bool | None:
    """All of (or one of) the parts, as far as they are known."""
    wanted = list(found)
    if (not every) in wanted:
        return not every
    return None if None in wanted else every


def _compared(facts: frozenset[Term], condition: Term, depth: int) -> bool | None:
    """A comparison of a term with a constant, from other comparisons of the same term with constants."""
    left, right = condition.arguments
    if is_number(left) == is_number(right):
        return None
    side, limit = (right, left.rational) if is_number(left) else (left, right.rational)
    if side.operator == "ite":
        return _either(facts, condition, side, depth)
    term, offset = _base(side)
    limit -= offset
    low, low_open, high, high_open, never = _interval(facts, term)
    if condition.operator == "==":
        outside = _beyond(low, limit, low_open) or _beyond(limit, high, high_open) or limit in never
        return False if outside else True if low == high == limit and not (low_open or high_open) else None
    if side is right:  # limit < term or limit <= term
        strict = condition.operator == "<"
        if low is not None and (limit < low or limit == low and (not strict or low_open)):
            return True
        return False if high is not None and (high < limit or high == limit and (strict or high_open)) else None
    strict = condition.operator == "<"
    if high is not None and (high < limit or high == limit and (not strict or high_open)):
        return True
    return False if low is not None and (limit < low or limit == low and (strict or low_open)) else None


def _either(facts: frozenset[Term], condition: Term, term: Term, depth: int) -> bool | None:
    """A comparison with a choice: what holds on both sides of it."""
    test, yes, no = term.arguments
    found = []
    for side, one in ((test, yes), (negation(test), no)):
        if known(facts, side, depth + 1) is not False:
            found.append(known(assumed(facts, side), substitute(condition, {term: one}), depth + 1))
    return found[0] if found and all(one is found[0] for one in found) else None


def _beyond(smaller: Fraction | None, larger: Fraction | None, is_open: bool) -> bool:
    """smaller > larger, or equal and not attained."""
    return smaller is not None and larger is not None and (smaller > larger or is_open and smaller == larger)


Interval = tuple[Fraction | None, bool, Fraction | None, bool, set[Fraction]]


def _interval(facts: frozenset[Term], term: Term) -> Interval:
    """Where the facts say that a term lies: ends, whether each is left out, and values that it does not have."""
    low: tuple[Fraction, bool] | None = None
    high: tuple[Fraction, bool] | None = None
    never: set[Fraction] = set()
    for fact in facts:
        operator, left, right = _plain(fact)
        (left, up), (right, down) = _base(left), _base(right)
        if left is term and is_number(right):
            limit = right.rational - up
            if operator == "!=":
                never.add(limit)
            if operator in ("<", "<=", "=="):
                high = min((limit, False) if operator != "<" else (limit, True), high or (limit, False), key=_order)
        if right is term and is_number(left) or left is term and is_number(right) and operator == "==":
            limit = left.rational - down if right is term else right.rational - up
            if operator == "!=":
                never.add(limit)
            if operator in ("<", "<=", "=="):
                low = max((limit, operator == "<"), low or (limit, False))
    found = (*(low or (None, False)), *(high or (None, False)), never)
    return _of_integers(found) if term.sort == "Int" else found


def _of_integers(found: Interval) -> Interval:
    """The interval of the whole numbers within an interval that may be reached at its ends."""
    low, low_open, high, high_open, never = found
    if low is not None:
        low = Fraction(low.__floor__() + 1 if low_open else low.__ceil__())
    if high is not None:
        high = Fraction(high.__ceil__() - 1 if high_open else high.__floor__())
    for _ in never:
        low = low + 1 if low is not None and low in never else low
        high = high - 1 if high is not None and high in never else high
    return low, False, high, False, never


def _base(term: Term) -> tuple[Term, Fraction]:
    """The term t and the constant c where `term` is t + c, or t as a real number; else the term and 0."""
    offset = Fraction(0)
    while term.operator in ("+", "real"):
        constants = [one.rational for one in term.arguments if is_number(one)]
        if term.operator == "+" and len(constants) != 1:
            break
        offset += sum(constants)
        term = next(one for one in term.arguments if not is_number(one))
    return term, offset


def _order(end: tuple[Fraction, bool]) -> tuple[Fraction, bool]:
    """Upper ends in order of what they allow: x < 1 before x <= 1."""
    return end[0], not end[1]


def _plain(fact: Term) -> tuple[str, Term, Term]:
    """A comparison without a negation before it; others are nothing."""
    if fact.operator in ("<", "<=", "=="):
        return fact.operator, fact.arguments[0], fact.arguments[1]
    if fact.operator == "not" and fact.arguments[0].operator in ("<", "<=", "=="):
        left, right = fact.arguments[0].arguments
        operator = fact.arguments[0].operator
        return ("!=", left, right) if operator == "==" else ("<=" if operator == "<" else "<", right, left)
    return "", TRUE, TRUE


def leaves(term: Term) -> tuple[tuple[Term, Term], ...] | None:
    """The constants that a choice of constants is one of, each with its guard; None where it is anything else."""
    found: dict[Term, Term] = {}
    waiting = [(TRUE, term)]
    for _ in range(2 * WIDEST):
        if not waiting:
            return tuple((guard, one) for one, guard in found.items())
        guard, one = waiting.pop()
        if one.operator == "ite":
            test, yes, no = one.arguments
            waiting += [(conjunction(guard, negation(test)), no), (conjunction(guard, test), yes)]
        elif one.operator in ("number", "truth"):
            found[one] = disjunction(found.get(one, FALSE), guard)
        else:
            return None
    return None


def same(a: Term, b: Term) -> Term:
    """a = b; of a choice among constants and a constant: the condition under which that one is chosen."""
    for one, other in ((a, b), (b, a)):
        if one.operator == "ite" and other.operator in ("number", "truth"):
            return _chosen(one, other, DEEPEST)
    return equal(a, b)


def _chosen(term: Term, constant: Term, depth: int) -> Term:
    """When a choice is a constant, looking `depth` choices deep."""
    if term.operator != "ite" or depth == 0:
        return equal(term, constant)
    test, yes, no = term.arguments
    return choice(test, _chosen(yes, constant, depth - 1), _chosen(no, constant, depth - 1))
