"""Exact terms: the one form in which formulas, obligations, claims, queries and programs are written down.

A term is a number (a `Fraction`), a truth value, a name, a text, or an operator applied to terms.  Equal terms are one
object: whether two are equal is seen at once, and a term is a graph whose size does not double with each branch of a
program.  Nothing is ever evaluated by Python itself, hence `1/3` is the rational 1/3 and a comparison is a term, never
a silent `False`.

A term of a formula or of a claim is made as it is written (`apply`), and has no sort of its own: what its names stand
for is said beside it.  A term of a query, a program or a condition has a sort, and is made by `refdp.terms.operations`,
which simplify it.  A term of the one kind never stands within one of the other.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from fractions import Fraction
from threading import RLock
from typing import Literal, NoReturn
from weakref import WeakValueDictionary

from refdp.terms.folding import FOLDED, LARGEST_POWER, fold
from refdp.terms.folding import TermError as TermError
from refdp.terms.printing import text_of

Sort = Literal["Int", "Real", "Bool", ""]
"""What the values of a term are; "" where it is not said."""
Value = Fraction | bool
"""What a term stands for: a number or a truth value."""
PREVIOUS = "previous"
"""The name that stands for the first outcome in the second mechanism of `adaptive(M, N)`, and is bound there."""


class Term:
    """operator(arguments), or a leaf with a value: "number" (Fraction), "truth" (bool), "name" and "text" (str).

    There is one object for terms with the same operator, arguments, value and sort, so `is` and `==` are the same.
    """

    __slots__ = ("__weakref__", "arguments", "operator", "sort", "value", "within")
    __match_args__ = ("operator", "arguments", "value", "sort")
    operator: str
    arguments: tuple[Term, ...]
    value: Fraction | bool | str | None
    sort: Sort
    within: tuple[tuple[Term, ...], int] | None
    """Its names and the number of its parts, once `refdp.terms.operations` looked for them."""

    def __new__(
        cls,
        operator: str,
        arguments: tuple[Term, ...] = (),
        value: Fraction | bool | str | None = None,
        sort: Sort = "",
    ) -> Term:
        plain = (
            value.as_integer_ratio() if type(value) is Fraction else value
        )  # the hash of a Fraction takes an inverse
        key = (operator, sort, plain, *map(id, arguments))
        found = _KNOWN.get(key)
        return _made(key, operator, arguments, value, sort) if found is None else found

    def __setattr__(self, attribute: str, value: object) -> NoReturn:
        raise AttributeError(f"a term does not change, so {attribute} cannot be set")

    def __delattr__(self, attribute: str) -> NoReturn:
        raise AttributeError(f"a term does not change, so {attribute} cannot be deleted")

    def __reduce__(self) -> tuple[type[Term], tuple[object, ...]]:
        return Term, (self.operator, self.arguments, self.value, self.sort)

    def __add__(self, other: Operand) -> Term:
        return apply("+", self, term(other))

    def __radd__(self, other: Operand) -> Term:
        return apply("+", term(other), self)

    def __sub__(self, other: Operand) -> Term:
        return apply("-", self, term(other))

    def __rsub__(self, other: Operand) -> Term:
        return apply("-", term(other), self)

    def __mul__(self, other: Operand) -> Term:
        return apply("*", self, term(other))

    def __rmul__(self, other: Operand) -> Term:
        return apply("*", term(other), self)

    def __truediv__(self, other: Operand) -> Term:
        return apply("/", self, term(other))

    def __rtruediv__(self, other: Operand) -> Term:
        return apply("/", term(other), self)

    def __pow__(self, exponent: int) -> Term:
        return power(self, exponent)

    def __neg__(self) -> Term:
        return apply("negate", self)

    def __abs__(self) -> Term:
        return apply("abs", self)

    def __le__(self, other: Operand) -> Term:
        return apply("<=", self, term(other))

    def __lt__(self, other: Operand) -> Term:
        return apply("<", self, term(other))

    def __ge__(self, other: Operand) -> Term:
        return apply("<=", term(other), self)

    def __gt__(self, other: Operand) -> Term:
        return apply("<", term(other), self)

    def __bool__(self) -> NoReturn:
        raise TermError(f"the term {self} has no truth value; decide it with refdp.numerics")

    def __str__(self) -> str:
        return text_of(self)

    def __repr__(self) -> str:
        return text_of(self) if self.sort else f"term({text_of(self)!r})"

    @property
    def rational(self) -> Fraction:
        """The value of a number; TermError otherwise."""
        if self.operator != "number" or not isinstance(self.value, Fraction):
            raise TermError(f"expected a rational number, got {self}")
        return self.value


_KNOWN: WeakValueDictionary[tuple[object, ...], Term] = WeakValueDictionary()
_LOCK = RLock()
"""Held while a term is made, so that two threads never make two of one."""


def _made(
    key: tuple[object, ...],
    operator: str,
    arguments: tuple[Term, ...],
    value: Fraction | bool | str | None,
    sort: Sort,
) -> Term:
    """The term with these parts, which is made unless another thread has made it in the meantime."""
    if any(bool(a.sort) != bool(sort) for a in arguments):
        raise TermError(f"a term with a sort and one without stand in one {operator}")
    with _LOCK:
        found = _KNOWN.get(key)
        if found is None:
            found = object.__new__(Term)
            for name, part in zip(Term.__match_args__, (operator, arguments, value, sort), strict=True):
                object.__setattr__(found, name, part)
            object.__setattr__(found, "within", None)
            _KNOWN[key] = found
        return found


def _renew_lock() -> None:
    """The lock may be held by a thread that a fork has not taken along."""
    global _LOCK
    _LOCK = RLock()


os.register_at_fork(after_in_child=_renew_lock)

Operand = Term | Fraction | int


def number(value: Fraction | int) -> Term:
    """The rational `value`."""
    return Term("number", (), value if type(value) is Fraction else Fraction(value))


def name(identifier: str) -> Term:
    """The variable `identifier`."""
    if not identifier.isidentifier():
        raise TermError(f"a name must be an identifier, got {identifier!r}")
    return Term("name", (), identifier)


def power(base: Term, exponent: object) -> Term:
    """The base to a whole power from 0 to LARGEST_POWER; others are refused (a negative one would divide)."""
    if type(exponent) is not int or not 0 <= exponent <= LARGEST_POWER:
        raise TermError(f"an exponent must be a whole number from 0 to {LARGEST_POWER}, got {exponent!r}")
    return apply("**", base, number(exponent))


def text(content: str) -> Term:
    """The text literal `content`, such as the label of a category."""
    return Term("text", (), content)


def term(operand: Operand) -> Term:
    """`operand` as a term; a float or bool is refused."""
    if isinstance(operand, Term):
        return operand
    if type(operand) is int or isinstance(operand, Fraction):
        return number(operand)
    raise TermError(f"a term is made of Fraction, int and Term, got {operand!r}")


def apply(operator: str, *arguments: Term) -> Term:
    """`operator` applied to `arguments`; arithmetic on rational numbers is carried out exactly."""
    folds = operator in FOLDED and all(a.operator == "number" for a in arguments)
    return number(fold(operator, *(a.rational for a in arguments))) if folds else Term(operator, arguments)


def equal(a: Operand, b: Operand) -> Term:
    """The statement a == b (Python's `==` on terms is structural equality instead)."""
    return apply("==", term(a), term(b))


def both(*statements: Term) -> Term:
    """The conjunction of the statements, conjunctions among them taken apart."""
    flat = tuple(part for s in statements for part in (s.arguments if s.operator == "all_of" else (s,)))
    return flat[0] if len(flat) == 1 else apply("all_of", *flat)


def minimum(a: Operand, b: Operand) -> Term:
    """The smaller of a and b."""
    return apply("min", term(a), term(b))


def maximum(a: Operand, b: Operand) -> Term:
    """The larger of a and b."""
    return apply("max", term(a), term(b))


def indicator(statement: Term) -> Term:
    """1 where the comparison holds, else 0."""
    return apply("indicator", statement)


def exp(a: Operand) -> Term:
    """e to the power a."""
    return apply("exp", term(a))


def ln(a: Operand) -> Term:
    """The natural logarithm of a > 0."""
    return apply("ln", term(a))


def sqrt(a: Operand) -> Term:
    """The square root of a >= 0."""
    return apply("sqrt", term(a))


def pi() -> Term:
    """The ratio of a circle's circumference to its diameter."""
    return apply("pi")


def normal_tail(a: Operand) -> Term:
    """P[Z > a] for a standard normal Z."""
    return apply("normal_tail", term(a))


def names(t: Term) -> frozenset[str]:
    """The free names of `t`: not the variable of an integral, nor PREVIOUS in the second part of adaptive(M, N)."""
    if t.operator == "name":
        return frozenset({str(t.value)})
    if t.operator not in BINDERS:
        return NONE.union(*map(names, t.arguments))
    return NONE.union(*(names(a) - bound for a, bound in zip(t.arguments, bound_names(t), strict=True)))


NONE = frozenset[str]()
BINDERS = frozenset({"adaptive", "integral"})
"""Operators that bind names."""


def bound_names(t: Term) -> tuple[frozenset[str], ...]:
    """For each argument of `t`, the names that `t` binds in it."""
    if t.operator == "adaptive":
        return frozenset(), frozenset({PREVIOUS})
    return (names(t.arguments[1]) if t.operator == "integral" else frozenset(),) * len(t.arguments)


def substitute(t: Term, values: Mapping[str, Term]) -> Term:
    """`t` with every name that `values` lists replaced, all at once."""
    if t.operator == "name":
        return values.get(str(t.value), t)
    if not t.arguments:
        return t
    if t.operator not in BINDERS:
        return apply(t.operator, *[substitute(a, values) for a in t.arguments])
    inner = (_inside(t, a, values, bound) for a, bound in zip(t.arguments, bound_names(t), strict=True))
    return apply(t.operator, *inner)


def _inside(t: Term, a: Term, values: Mapping[str, Term], bound: frozenset[str]) -> Term:
    """The argument `a` of `t` with the names replaced that are free in it; TermError where `t` would capture one."""
    chosen = {key: value for key, value in values.items() if key in names(a) - bound} if bound else values
    if bound and any(bound & names(value) for value in chosen.values()):
        raise TermError(f"substitution captures the bound variable of {t}")
    return substitute(a, chosen)


def subterms(t: Term) -> Iterator[Term]:
    """`t` and every term in it, outermost first."""
    waiting = [t]
    while waiting:
        yield (s := waiting.pop())
        waiting += s.arguments[::-1]


def denominators(t: Term) -> tuple[Term, ...]:
    """Every denominator in `t` that is not a non-zero number, each once, in order of appearance."""
    found = (s.arguments[1] for s in subterms(t) if s.operator == "/")
    return tuple(dict.fromkeys(d for d in found if d.operator != "number" or d.value == 0))
