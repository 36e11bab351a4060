"""Terms with a sort: numbers, truth values and choices that queries, programs and conditions are read into.

A term is exact: a number is a Fraction, `/` is division of reals, `floor` and `real` lead from one sort to the other.
An operation simplifies what is plain (constants, x + 0, one and the same branch) only.  The work is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import reduce
from weakref import WeakKeyDictionary

from refdp.terms.evaluation import rational_root
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, is_number, make, parts, rational, truth
from refdp.terms.term import Term
from refdp.work import step

DIGITS_A_STEP = 64
"""How many binary digits of a product take as long as a step."""
_REAL: WeakKeyDictionary[Term, Term] = WeakKeyDictionary()
"""What has become of choices as real numbers: branches that are shared would be gone through again and again."""
LARGEST_POWER = 64
"""The largest exponent, in size, for which the power of a constant is worked out."""
LARGEST_PRODUCT = 8
"""The largest exponent for which a power is written as a product."""


def real(term: Term) -> Term:
    """The term as a real number; a truth value counts 0 or 1."""
    if term.sort == "Real":
        return term
    if term.sort == "Bool":
        return choice(term, rational(1), rational(0))
    if is_number(term):
        return rational(term.rational)
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
        return make("number", a.sort, value=a.rational + b.rational)
    if is_number(a) and a.rational == 0:
        return b
    return a if is_number(b) and b.rational == 0 else make("+", a.sort, a, b)


def multiply(a: Term, b: Term) -> Term:
    """a * b, a constant first; the square of a root is what is under it only where that is surely >= 0."""
    a, b = alike(whole(a), whole(b))
    if is_number(b) and not is_number(a):
        a, b = b, a
    if is_number(a):
        if is_number(b):
            x, y = a.rational, b.rational
            step((digits(x) + digits(y)) // DIGITS_A_STEP)  # or squares of squares would have no end
            return make("number", a.sort, value=x * y)
        if a.rational in (0, 1):
            return a if a.rational == 0 else b
    if a is b and a.operator == "sqrt" and is_number(a.arguments[0]) and a.arguments[0].rational >= 0:
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
    if is_number(b) and b.rational != 0:
        return multiply(rational(1 / b.rational), a)
    return make("/", "Real", a, b)


def floor(a: Term) -> Term:
    """The largest integer <= a."""
    a = whole(a)
    if a.sort == "Int":
        return a
    if is_number(a):
        return integer(a.rational.__floor__())
    return a.arguments[0] if a.operator == "real" else make("floor", "Int", a)


def less(a: Term, b: Term) -> Term:
    """a < b."""
    a, b = alike(whole(a), whole(b))
    if is_number(a) and is_number(b):
        return truth(a.rational < b.rational)
    return FALSE if a is b else make("<", "Bool", a, b)


def at_most(a: Term, b: Term) -> Term:
    """a <= b."""
    a, b = alike(whole(a), whole(b))
    if is_number(a) and is_number(b):
        return truth(a.rational <= b.rational)
    return TRUE if a is b else make("<=", "Bool", a, b)


def equal(a: Term, b: Term) -> Term:
    """a = b, of numbers or of truth values."""
    a, b = alike(a, b)
    if a is b:
        return TRUE
    if not a.arguments and not b.arguments and "name" not in (a.operator, b.operator):
        return truth(a.value == b.value)
    return make("==", "Bool", a, b)


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
    return _joined("all_of", parts, TRUE, FALSE)


def disjunction(*parts: Term) -> Term:
    """One of the parts."""
    return _joined("any_of", parts, FALSE, TRUE)


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


def root(a: Term) -> Term:
    """The square root of a >= 0; whoever makes it sees to the sign."""
    a = real(a)
    if is_number(a) and (exact := rational_root(a.rational)) is not None:
        return rational(exact)
    return make("sqrt", "Real", a)


def exponential(a: Term) -> Term:
    """e^a."""
    a = real(a)
    if is_number(a) and a.rational == 0:
        return rational(1)
    return a.arguments[0] if a.operator == "ln" else make("exp", "Real", a)


def logarithm(a: Term) -> Term:
    """ln a; whoever makes it sees to it that a > 0."""
    a = real(a)
    if is_number(a) and a.rational == 1:
        return rational(0)
    return a.arguments[0] if a.operator == "exp" else make("ln", "Real", a)


def power(base: Term, exponent: Term) -> Term:
    """base^exponent; of an integer base, whoever makes it sees to it that the exponent is an integer >= 0."""
    if is_number(exponent) and exponent.rational.denominator == 1 and abs(exponent.rational) <= LARGEST_POWER:
        size = int(exponent.rational)
        if is_number(base) and (base.rational or size >= 0):
            return make("number", base.sort, value=Fraction(base.rational**size))
        if 0 <= size <= LARGEST_PRODUCT:
            return reduce(multiply, [base] * size, make("number", base.sort, value=Fraction(1)))
    return make("**", base.sort, base, exponent)


def modulo(a: Term, b: Term) -> Term:
    """a mod b of integers, in [0, b) for b > 0; whoever makes it sees to it that b is not 0."""
    if is_number(a) and is_number(b) and b.rational != 0:
        return integer(int(a.rational % b.rational))
    return make("mod", "Int", a, b)


REBUILD: Mapping[str, Callable[..., Term]] = {
    "+": add, "*": multiply, "/": divide, "floor": floor, "real": real, "sqrt": root, "<": less, "<=": at_most,
    "==": equal, "not": negation, "all_of": conjunction, "any_of": disjunction, "ite": choice,
    "exp": exponential, "ln": logarithm, "**": power, "mod": modulo,
}  # fmt: skip
"""What makes the term of each operator from its arguments."""


def substitute(term: Term, mapping: Mapping[Term, Term]) -> Term:
    """The term with variables (or other terms) replaced, made anew and so simplified."""
    return substituted(term, mapping, {})


def substituted(term: Term, mapping: Mapping[Term, Term], found: dict[Term, Term]) -> Term:
    """The same, where `found` keeps what became of each part, for other terms with the same mapping."""
    for part in parts(term, found):
        if part in mapping:
            found[part] = mapping[part]
        elif part.arguments:
            found[part] = _rebuilt(part, tuple([found[a] for a in part.arguments]))
        else:
            found[part] = part
    return found[term]


def _rebuilt(part: Term, arguments: tuple[Term, ...]) -> Term:
    """The term of the same operator with other arguments; "apply" is an unknown predicate, named by its value."""
    if part.operator == "apply":
        return make("apply", part.sort, *arguments, value=part.value)
    return REBUILD[part.operator](*arguments)
