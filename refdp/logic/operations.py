"""Operations that make terms of terms: they simplify what is plain (constants, x + 0, one and the same branch) only."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from weakref import WeakKeyDictionary

from refdp.logic.terms import FALSE, TRUE, ZERO, Term, integer, is_number, make, number, rational, truth
from refdp.provers.work import step

DIGITS_A_STEP = 64
"""How many binary digits of a product take as long as a step."""
_REAL: WeakKeyDictionary[Term, Term] = WeakKeyDictionary()
"""What has become of choices as real numbers: branches that are shared would be gone through again and again."""


def real(term: Term) -> Term:
    """The term as a real number; a truth value counts 0 or 1."""
    if term.sort == "Real":
        return term
    if term.sort == "Bool":
        return choice(term, rational(1), rational(0))
    if is_number(term):
        return rational(number(term))
    if term.operator == "ite":
        if term not in _REAL:
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
            x, y = number(a), number(b)
            step((digits(x) + digits(y)) // DIGITS_A_STEP)  # or squares of squares would have no end
            return make("number", a.sort, value=x * y)
        if number(a) in (0, 1):
            return a if number(a) == 0 else b
    if a is b and a.operator == "root" and is_number(a.arguments[0]) and number(a.arguments[0]) >= 0:
        return a.arguments[0]
    return make("*", a.sort, a, b)


def digits(x: Fraction) -> int:
    """How many binary digits a number has above and below."""
    return x.numerator.bit_length() + x.denominator.bit_length()


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
