"""Exact terms: the one form in which formulas, obligations and claims are written down.

A term is a number (a `Fraction`), a name, a text, or an operator applied to terms.  Its text is a Python
expression, so one reader (`read`) serves formulas, certificates and the ledger; nothing is ever evaluated by
Python itself, hence `1/3` is the rational 1/3 and a comparison is a term, never a silent `False`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import NoReturn

from refdp.spec.folding import FOLDED, LARGEST_POWER, fold
from refdp.spec.folding import TermError as TermError
from refdp.spec.printing import PRECEDENCE as PRECEDENCE
from refdp.spec.printing import text_of

MAXIMUM_LENGTH = 20_000
"""Longest text that is read as a term, in characters."""
MAXIMUM_DEPTH = 60
"""Deepest nesting of brackets or operators that is read as a term."""
PREVIOUS = "previous"
"""The name that stands for the first outcome in the second mechanism of `adaptive(M, N)`, and is bound there."""

BRACKETS = re.compile(r"[(\[{)\]}]")
BINARY: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
COMPARISONS: Mapping[type[ast.cmpop], str] = {ast.LtE: "<=", ast.Lt: "<", ast.Eq: "==", ast.NotEq: "!="}
REVERSED: Mapping[type[ast.cmpop], str] = {ast.GtE: "<=", ast.Gt: "<"}


@dataclass(frozen=True, slots=True)
class Term:
    """An exact term; `value` is set for operator "number" (Fraction), "name" and "text" (str) only."""

    operator: str
    arguments: tuple[Term, ...] = ()
    value: Fraction | str | None = None

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
        return f"term({text_of(self)!r})"

    @property
    def rational(self) -> Fraction:
        """The value of a number; TermError otherwise."""
        if self.operator != "number" or not isinstance(self.value, Fraction):
            raise TermError(f"expected a rational number, got {self}")
        return self.value


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


@lru_cache(maxsize=1024)
def read(source: str) -> Term:
    """The term that `source`, a Python expression, writes down; TermError if it is none."""
    if len(source) > MAXIMUM_LENGTH:
        raise TermError(f"a term must have at most {MAXIMUM_LENGTH} characters, got {len(source)}")
    deepest = max(accumulate(1 if c in "([{" else -1 for c in BRACKETS.findall(source)), default=0)
    if deepest > MAXIMUM_DEPTH:
        raise TermError(f"a term must nest at most {MAXIMUM_DEPTH} deep, got {deepest}")
    try:
        return read_tree(ast.parse(source, mode="eval").body)
    except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
        if isinstance(error, TermError):
            raise
        raise TermError(f"not a term: {source[:80]!r}") from None


def read_tree(node: ast.expr, depth: int = 0) -> Term:
    """The term that a syntax tree writes down: whitelisted nodes only."""
    if depth > MAXIMUM_DEPTH:
        raise TermError(f"a term must nest at most {MAXIMUM_DEPTH} deep")

    def inner(child: ast.expr) -> Term:
        return read_tree(child, depth + 1)

    match node:
        case ast.Constant(value=bool() | float() | complex() | bytes() | None):
            raise TermError(f"a term has no {type(node.value).__name__} literal, got {node.value!r}")
        case ast.Constant(value=int(value)):
            return number(value)
        case ast.Constant(value=str(value)):
            return text(value)
        case ast.Name(id=identifier):
            return name(identifier)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return apply("negate", inner(operand))
        case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=exponent)):
            return power(inner(base), exponent)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return apply(BINARY[type(op)], inner(left), inner(right))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARISONS:
            return apply(COMPARISONS[type(op)], inner(left), inner(right))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in REVERSED:
            return apply(REVERSED[type(op)], inner(right), inner(left))
        case ast.Call(func=ast.Name(id=operator), args=arguments, keywords=[]):
            return _call("ln" if operator == "log" else operator, [inner(a) for a in arguments])
    raise TermError(f"not a term: {ast.unparse(node)[:80]!r} (line {node.lineno})")


ARITY = {"pi": 0, "abs": 1, "exp": 1, "ln": 1, "sqrt": 1, "normal_tail": 1, "indicator": 1}
ARITY |= dict.fromkeys(("min", "max", "integral", "adaptive"), 2)


def _call(operator: str, arguments: list[Term]) -> Term:
    """A call as a term: `min` and `max` of several arguments nest; a named operator keeps its arity."""
    if operator in PRECEDENCE or operator in ("number", "name", "text"):
        raise TermError(f"{operator!r} is not a function")
    if operator in ("min", "max") and len(arguments) > 2:
        return apply(operator, _call(operator, arguments[:-1]), arguments[-1])
    if operator in ARITY and len(arguments) != ARITY[operator]:
        raise TermError(f"{operator} takes {ARITY[operator]} argument(s), got {len(arguments)}")
    return apply(operator, *arguments)
