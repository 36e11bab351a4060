"""Terms that a table function is read into: numbers, truth values and choices, shared where they are equal.

A term is exact: a number is a Fraction, `/` is division of reals, `floor` and `real` lead from one sort to the other.
Equal terms are one object, so a term is a graph whose size does not double with each branch of a program.
The functions that make terms simplify what is plain (constants, x + 0, one and the same branch) and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Literal
from weakref import WeakKeyDictionary, WeakValueDictionary

Sort = Literal["Int", "Real", "Bool"]
Value = Fraction | bool


class NotRational(ArithmeticError):
    """A square root is irrational: the term has no exact value."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True, repr=False)
class Term:
    """operator(arguments), or a leaf: "number", "truth" or "variable" with its value."""

    operator: str
    sort: Sort
    arguments: tuple[Term, ...] = ()
    value: Fraction | bool | str | None = None

    def __repr__(self) -> str:
        from refdp.logic.printing import infix

        return infix(self)


_REAL: WeakKeyDictionary[Term, Term] = WeakKeyDictionary()
_KNOWN: WeakValueDictionary[tuple[object, ...], Term] = WeakValueDictionary()


def make(operator: str, sort: Sort, *arguments: Term, value: Fraction | bool | str | None = None) -> Term:
    """The one term with these parts, as it stands: nothing is simplified."""
    key = (operator, sort, value, *map(id, arguments))
    found = _KNOWN.get(key)
    if found is None:
        found = _KNOWN[key] = Term(operator, sort, arguments, value)
    return found


def integer(value: int) -> Term:
    """A whole number."""
    return make("number", "Int", value=Fraction(value))


def rational(value: Fraction | int) -> Term:
    """A real number."""
    return make("number", "Real", value=Fraction(value))


def truth(value: bool) -> Term:
    """True or false."""
    return make("truth", "Bool", value=value)


TRUE, FALSE, ZERO = truth(True), truth(False), integer(0)


def variable(name: str, sort: Sort) -> Term:
    """A variable; its name is made of letters, digits, `_`, `.` and `!`."""
    return make("variable", sort, value=name)


def is_number(term: Term) -> bool:
    """Whether it is constant."""
    return term.operator == "number"


def number(term: Term) -> Fraction:
    """The value of a constant number."""
    if not isinstance(term.value, Fraction):
        raise TypeError(f"{term} is not a constant number")
    return term.value


def real(term: Term) -> Term:
    """The term as a real number; a truth value counts 0 or 1."""
    if term.sort == "Real":
        return term
    if term.sort == "Bool":
        return choice(term, rational(1), rational(0))
    if is_number(term):
        return rational(number(term))
    if term.operator == "ite":
        if term not in _REAL:  # kept, as branches that are shared would be gone through again and again
            condition, yes, no = term.arguments
            _REAL[term] = choice(condition, real(yes), real(no))
        return _REAL[term]
    return make("real", "Real", term)


def whole(term: Term) -> Term:
    """A truth value as 0 or 1; other terms as they are."""
    return choice(term, integer(1), integer(0)) if term.sort == "Bool" else term


def alike(a: Term, b: Term) -> tuple[Term, Term]:
    """Two terms of one sort: truth values become numbers and integers reals where they must."""
    if a.sort == b.sort:
        return a, b
    a, b = whole(a), whole(b)
    return (a, b) if a.sort == b.sort else (real(a), real(b))


def add(a: Term, b: Term) -> Term:
    """a + b."""
    a, b = alike(whole(a), whole(b))
    if is_number(a) and is_number(b):
        return make("number", a.sort, value=number(a) + number(b))
    if is_number(a) and number(a) == 0:
        return b
    return a if is_number(b) and number(b) == 0 else make("+", a.sort, a, b)


def multiply(a: Term, b: Term) -> Term:
    """a * b, a constant first; the square of a root is what is under it only where that is surely >= 0."""
    a, b = alike(whole(a), whole(b))
    if is_number(b) and not is_number(a):
        a, b = b, a
    if is_number(a):
        if is_number(b):
            return make("number", a.sort, value=number(a) * number(b))
        if number(a) in (0, 1):
            return a if number(a) == 0 else b
    if a is b and a.operator == "root" and is_number(a.arguments[0]) and number(a.arguments[0]) >= 0:
        return a.arguments[0]
    return make("*", a.sort, a, b)


def negate(a: Term) -> Term:
    """-a."""
    return multiply(integer(-1), a)


def subtract(a: Term, b: Term) -> Term:
    """a - b."""
    a, b = alike(whole(a), whole(b))
    return make("number", a.sort, value=Fraction(0)) if a is b else add(a, negate(b))


def divide(a: Term, b: Term) -> Term:
    """a / b as reals.  Whoever makes it sees to it that b is not 0; a solver may take anything for x / 0."""
    a, b = real(a), real(b)
    if is_number(b) and number(b) != 0:
        return multiply(rational(1 / number(b)), a)
    return make("/", "Real", a, b)


def floor(a: Term) -> Term:
    """The largest integer <= a."""
    a = whole(a)
    if a.sort == "Int":
        return a
    if is_number(a):
        return integer(number(a).__floor__())
    return a.arguments[0] if a.operator == "real" else make("floor", "Int", a)


def root(a: Term) -> Term:
    """The square root of a >= 0; whoever makes it sees to the sign."""
    a = real(a)
    if is_number(a) and (exact := _root(number(a))) is not None:
        return rational(exact)
    return make("root", "Real", a)


def less(a: Term, b: Term) -> Term:
    """a < b."""
    a, b = alike(whole(a), whole(b))
    if is_number(a) and is_number(b):
        return truth(number(a) < number(b))
    return FALSE if a is b else make("<", "Bool", a, b)


def at_most(a: Term, b: Term) -> Term:
    """a <= b."""
    a, b = alike(whole(a), whole(b))
    if is_number(a) and is_number(b):
        return truth(number(a) <= number(b))
    return TRUE if a is b else make("<=", "Bool", a, b)


def equal(a: Term, b: Term) -> Term:
    """a = b, of numbers or of truth values."""
    a, b = alike(a, b)
    if a is b:
        return TRUE
    if not a.arguments and not b.arguments and "variable" not in (a.operator, b.operator):
        return truth(a.value == b.value)
    return make("=", "Bool", a, b)


def negation(a: Term) -> Term:
    """Not a."""
    if a.operator == "truth":
        return truth(not a.value)
    return a.arguments[0] if a.operator == "not" else make("not", "Bool", a)


def _joined(operator: str, parts: Iterable[Term], neutral: Term, absorbing: Term) -> Term:
    """Conjunction or disjunction, flat and without repetition."""
    kept: dict[Term, None] = {}
    for part in parts:
        for one in part.arguments if part.operator == operator else (part,):
            if one is absorbing or negation(one) in kept:
                return absorbing
            if one is not neutral:
                kept[one] = None
    if len(kept) < 2:
        return next(iter(kept), neutral)
    return make(operator, "Bool", *kept)


def conjunction(*parts: Term) -> Term:
    """All of the parts."""
    return _joined("and", parts, TRUE, FALSE)


def disjunction(*parts: Term) -> Term:
    """One of the parts."""
    return _joined("or", parts, FALSE, TRUE)


def implication(a: Term, b: Term) -> Term:
    """If a then b."""
    return disjunction(negation(a), b)


def choice(condition: Term, yes: Term, no: Term) -> Term:
    """`yes` where the condition holds, else `no`."""
    yes, no = alike(yes, no)
    if condition.operator == "truth" or yes is no:
        return yes if condition.value is True or yes is no else no
    if condition.operator == "not":
        return choice(condition.arguments[0], no, yes)
    if yes.operator == "ite" and yes.arguments[0] is condition:
        return choice(condition, yes.arguments[1], no)
    if no.operator == "ite" and no.arguments[0] is condition:
        return choice(condition, yes, no.arguments[2])
    if yes.sort == "Bool" and "truth" in (yes.operator, no.operator):
        if yes.operator == "truth":
            return disjunction(condition, no) if yes is TRUE else conjunction(negation(condition), no)
        return disjunction(negation(condition), yes) if no is TRUE else conjunction(condition, yes)
    return make("ite", yes.sort, condition, yes, no)


def smaller(a: Term, b: Term) -> Term:
    """min(a, b), the first where they are equal."""
    return choice(less(b, a), b, a)


def larger(a: Term, b: Term) -> Term:
    """max(a, b), the first where they are equal."""
    return choice(less(a, b), b, a)


def absolute(a: Term) -> Term:
    """|a|."""
    return choice(less(a, ZERO), negate(a), whole(a))


def total(parts: Iterable[Term]) -> Term:
    """The sum of the parts, 0 if there are none."""
    found = ZERO
    for part in parts:
        found = add(found, part)
    return found


def _root(value: Fraction) -> Fraction | None:
    """The rational square root, if there is one."""
    if value < 0:
        return None
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    exact = top * top == value.numerator and bottom * bottom == value.denominator
    return Fraction(top, bottom) if exact else None
