"""Formulas: Python functions of one line of arithmetic, read (never run) into exact terms.

`@formula` reads the function's syntax tree.  Allowed are its parameters, integers, + - * / and whole powers, abs,
exp, ln, sqrt, normal_tail, min, max, pi and `indicator(a <= b)`; anything else, a rebound builtin too, is refused with
its line.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import textwrap
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.terms import term as term_module
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read_tree
from refdp.terms.term import (
    Operand,
    Term,
    TermError,
    exp,
    indicator,
    ln,
    names,
    normal_tail,
    pi,
    sqrt,
    substitute,
    subterms,
    term,
)

Real = Any
"""A number in whichever arithmetic reads the formula."""

COMPARISONS = frozenset({"<=", "<", "==", "!="})
ALLOWED = frozenset({"number", "name", "+", "-", "*", "/", "**", "negate", "indicator"}) | COMPARISONS
FUNCTIONS = frozenset({"abs", "min", "max", "exp", "ln", "sqrt", "normal_tail", "pi"})


@dataclass(frozen=True, slots=True)
class Formula:
    """A named function of real numbers, as a term in its parameters."""

    name: str
    parameters: tuple[str, ...]
    term: Term
    where: str
    """File and line of the definition."""
    source: str
    """The definition as it is written."""

    def at(self, **arguments: Operand) -> Term:
        """The term with some parameters replaced; the others stay names."""
        unknown = sorted(set(arguments) - set(self.parameters))
        if unknown:
            raise TermError(f"{self.name} has no parameter {unknown[0]}")
        return substitute(self.term, {key: term(value) for key, value in arguments.items()})

    def __call__(self, *arguments: Fraction | int) -> Fraction:
        """The exact rational value; TermError where it is not rational."""
        if len(arguments) != len(self.parameters):
            raise TermError(f"{self.name} takes {len(self.parameters)} arguments, got {len(arguments)}")
        values = {p: term(a).rational for p, a in zip(self.parameters, arguments, strict=True)}
        result: Fraction = evaluate(self.term, values)
        return result

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.parameters)}) = {self.term}"


def formula(function: Callable[..., Any]) -> Formula:
    """The formula that the source of `function` writes down; TermError, with file and line, if it is none."""
    path, line = inspect.getsourcefile(function) or "?", function.__code__.co_firstlineno
    source, definition = _definition(function, path)
    try:
        return Formula(function.__name__, *_read(definition, function), f"{path}:{line}", source)
    except TermError as error:
        raise TermError(f"{path}:{line}: {function.__name__} is not a formula: {error}") from None


def _definition(function: Callable[..., Any], path: str) -> tuple[str, ast.stmt]:
    """The text of a function and its statement: the lines of its code, where another statement follows the last one.

    Else, or where these are no statement, the lines that `inspect` finds, which takes several times as long.
    """
    linecache.checkcache(path)  # the file may be another one than when a formula of it was last read
    lines, first = linecache.getlines(path), function.__code__.co_firstlineno - 1
    end = max((last for _, last, _, _ in function.__code__.co_positions() if last is not None), default=first)
    following = next((one for one in lines[end:] if one.strip() and not one.lstrip().startswith("#")), "")
    if first < end <= len(lines) and _indentation(following) <= _indentation(lines[first]):
        source = textwrap.dedent("".join(lines[first:end]))
        with suppress(SyntaxError):
            return source, ast.parse(source).body[0]
    source = textwrap.dedent(inspect.getsource(function))
    return source, ast.parse(source).body[0]


def _indentation(line: str) -> int:
    """How far a line is indented."""
    return len(line) - len(line.lstrip())


def _read(definition: ast.stmt, function: Callable[..., Any]) -> tuple[tuple[str, ...], Term]:
    """Parameters and term of a function definition."""
    if not isinstance(definition, ast.FunctionDef):
        raise TermError("it is not a plain function")
    a = definition.args
    if a.vararg or a.kwarg or a.kwonlyargs or a.defaults or a.posonlyargs:
        raise TermError("it takes plain parameters only, without defaults")
    match definition.body:
        case [ast.Return(value=ast.expr() as body)]:
            pass
        case [ast.Expr(value=ast.Constant(value=str())), ast.Return(value=ast.expr() as body)]:
            pass
        case _:
            raise TermError("its body must be one return of arithmetic")
    parameters, result = tuple(p.arg for p in a.args), read_tree(body)
    _check(result, parameters, function)
    return parameters, result


def _check(result: Term, parameters: tuple[str, ...], function: Callable[..., Any]) -> None:
    """Refuse names that are not parameters, operators that are no arithmetic, and rebound functions."""
    free = sorted(names(result) - set(parameters))
    if free:
        raise TermError(f"{free[0]} is not one of its parameters")
    rebound = sorted((FUNCTIONS | {"log", "indicator"}) & set(parameters))
    if rebound:
        raise TermError(f"{rebound[0]} is a function and cannot be a parameter")
    for t in subterms(result):
        if t.operator == "indicator" and t.arguments[0].operator not in COMPARISONS:
            raise TermError(f"indicator(...) takes a comparison, got {t.arguments[0]}")
        if t.operator in FUNCTIONS or t.operator == "indicator":
            _refuse_rebinding(t.operator, function)
        if t.operator not in ALLOWED | FUNCTIONS:
            raise TermError(f"{t.operator} is not arithmetic, abs, exp, ln, sqrt, min, max or indicator")
        if t.operator in COMPARISONS and not _inside_indicator(t, result):
            raise TermError(f"the comparison {t} stands outside indicator(...)")


def require_whole(f: Formula, integers: tuple[str, ...]) -> None:
    """The formula is integer-valued by its shape: integers, + - * abs min max, and indicators of anything."""
    pending = [f.term]
    while pending:
        t = pending.pop()
        whole_number = t.operator == "number" and t.rational.denominator == 1
        if t.operator == "indicator" or whole_number or (t.operator == "name" and t.value in integers):
            continue
        if t.operator not in ("+", "-", "*", "negate", "abs", "min", "max"):
            raise TermError(f"{f.name} is not integer-valued by its shape: {t}")
        pending.extend(t.arguments)


def _inside_indicator(comparison: Term, result: Term) -> bool:
    """Whether every occurrence of `comparison` is the argument of an indicator."""
    if result == comparison:
        return False
    return all(result.operator == "indicator" or a != comparison for a in result.arguments) and all(
        _inside_indicator(comparison, a) for a in result.arguments if a != comparison
    )


def _refuse_rebinding(operator: str, function: Callable[..., Any]) -> None:
    """A function such as abs must be Python's own, one such as exp this package's own."""
    own = {key: getattr(term_module, key) for key in ("ln", "exp", "sqrt", "normal_tail", "pi", "indicator")}
    expected = own.get(operator, getattr(builtins, operator, None))
    for bound in ("ln", "log") if operator == "ln" else (operator,):
        found = inspect.getclosurevars(function).nonlocals.get(bound, function.__globals__.get(bound, expected))
        if found is not expected:
            raise TermError(f"{bound} is rebound in the module of the formula")


__all__ = ["Formula", "Real", "exp", "formula", "indicator", "ln", "normal_tail", "pi", "sqrt"]
