"""The canonical text of a term read back: a Python expression of the operators on a list, and nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate

from refdp.terms.folding import TermError
from refdp.terms.printing import PRECEDENCE
from refdp.terms.term import Term, apply, name, number, power, text

MAXIMUM_LENGTH = 20_000
"""Longest text that is read as a term, in characters."""
MAXIMUM_DEPTH = 60
"""Deepest nesting of brackets or operators that is read as a term."""
BRACKETS = re.compile(r"[(\[{)\]}]")
BINARY: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
COMPARISONS: Mapping[type[ast.cmpop], str] = {ast.LtE: "<=", ast.Lt: "<", ast.Eq: "==", ast.NotEq: "!="}
REVERSED: Mapping[type[ast.cmpop], str] = {ast.GtE: "<=", ast.Gt: "<"}


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
