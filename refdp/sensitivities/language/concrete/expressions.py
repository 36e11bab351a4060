"""The value of an expression."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from refdp.sensitivities.language.concrete.builtin_library import filled, made_set
from refdp.sensitivities.language.concrete.comprehensions import generated, lazily
from refdp.sensitivities.language.concrete.failures import NoOutcome, Raised
from refdp.sensitivities.language.concrete.functions import defined
from refdp.sensitivities.language.concrete.literals import literal
from refdp.sensitivities.language.concrete.method_names import is_method
from refdp.sensitivities.language.concrete.names import library, value_of
from refdp.sensitivities.language.concrete.running import Run
from refdp.sensitivities.language.concrete.scopes import Scope
from refdp.sensitivities.language.concrete.structures import BINARY, binary, compared, put, subscript, unary
from refdp.sensitivities.language.concrete.values import NOT_DATA, Library, Method, Module

UNARY: Mapping[type[ast.unaryop], str] = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}


def evaluate(run: Run, scope: Scope, node: ast.expr) -> Any:
    """The value of the expression; Raised, NoOutcome, NotRational or Unsupported where it has none."""
    run.budget.spend()
    found = EXPRESSIONS.get(type(node))
    if found is None:
        raise run.unsupported(node, f"the expression {type(node).__name__}")
    return found(run, scope, node)


def _attribute(run: Run, scope: Scope, node: ast.Attribute) -> Any:
    """A name of a module (or of a class of the library), or a method."""
    value = evaluate(run, scope, node.value)
    if isinstance(value, Module | Library):
        return library(run, f"{value.name}.{node.attr}", node)
    if value is None and not hasattr(value, node.attr):
        raise Raised("AttributeError")
    if not is_method(value, node.attr):
        raise run.unsupported(node, f"the attribute {node.attr}")
    return Method(value, node.attr)


def _subscript(run: Run, scope: Scope, node: ast.Subscript) -> Any:
    value = evaluate(run, scope, node.value)
    if isinstance(value, NOT_DATA):
        raise NoOutcome("what a type has in square brackets is no element")
    return subscript(run, value, evaluate(run, scope, node.slice))


def _slice(run: Run, scope: Scope, node: ast.Slice) -> slice:
    """Bounds as ints or None."""
    parts = (None if p is None else evaluate(run, scope, p) for p in (node.lower, node.upper, node.step))
    return slice(*(None if p is None else run.index(p) for p in parts))


def _binary(run: Run, scope: Scope, node: ast.BinOp) -> Any:
    symbol = BINARY.get(type(node.op))
    if symbol is None:
        raise run.unsupported(node, "a product of matrices")
    a = evaluate(run, scope, node.left)
    return binary(run, symbol, a, evaluate(run, scope, node.right))


def _unary(run: Run, scope: Scope, node: ast.UnaryOp) -> Any:
    value = evaluate(run, scope, node.operand)
    return not run.truth(value) if isinstance(node.op, ast.Not) else unary(run, UNARY[type(node.op)], value)


def _boolean(run: Run, scope: Scope, node: ast.BoolOp) -> Any:
    """The operand that decides."""
    value: Any = None
    for operand in node.values:
        value = evaluate(run, scope, operand)
        if run.truth(value) is isinstance(node.op, ast.Or):
            return value
    return value


def _compare(run: Run, scope: Scope, node: ast.Compare) -> bool:
    """A chain of comparisons, which stops at the first that fails."""
    left = evaluate(run, scope, node.left)
    for operation, comparator in zip(node.ops, node.comparators, strict=True):
        right = evaluate(run, scope, comparator)
        if not compared(run, operation, left, right):
            return False
        left = right
    return True


def _choice(run: Run, scope: Scope, node: ast.IfExp) -> Any:
    return evaluate(run, scope, node.body if run.truth(evaluate(run, scope, node.test)) else node.orelse)


def elements(run: Run, scope: Scope, nodes: list[ast.expr]) -> list[Any]:
    """The values of several expressions, some of them starred."""
    found: list[Any] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            found.extend(run.items(evaluate(run, scope, node.value)))
        else:
            found.append(evaluate(run, scope, node))
    return found


def _dict(run: Run, scope: Scope, node: ast.Dict) -> Any:
    """Keys and values in order; ** brings those of another dict."""
    found: dict[Any, Any] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            other = evaluate(run, scope, value)
            if not isinstance(other, dict):
                raise Raised("TypeError")
            found |= other
        else:
            name = evaluate(run, scope, key)
            put(run, found, name, evaluate(run, scope, value))
    return found


def _call(run: Run, scope: Scope, node: ast.Call) -> Any:
    """The value of a call."""
    function = evaluate(run, scope, node.func)
    arguments = elements(run, scope, node.args)
    named: dict[str, Any] = {}
    for keyword in node.keywords:
        value = evaluate(run, scope, keyword.value)
        if keyword.arg is None and not isinstance(value, dict):
            raise Raised("TypeError")
        for name, one in value.items() if keyword.arg is None else ((keyword.arg, value),):
            if name in named or not isinstance(name, str):
                raise Raised("TypeError")
            named[name] = one
    return run.call(run, function, arguments, named, node)


def _named(run: Run, scope: Scope, node: ast.NamedExpr) -> Any:
    value = evaluate(run, scope, node.value)
    scope.function_scope().store(node.target.id, value)
    return value


def _text(run: Run, scope: Scope, node: ast.JoinedStr) -> str:
    """An f-string of texts and whole numbers."""
    found = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue) and (part.conversion != -1 or part.format_spec is not None):
            raise run.unsupported(part, "a format within an f-string")
        value = evaluate(run, scope, part.value if isinstance(part, ast.FormattedValue) else part)
        found.append(run.call(run, Library("str"), [value], {}, node))
    return "".join(found)


EXPRESSIONS: Mapping[type[ast.expr], Callable[[Run, Scope, Any], Any]] = {
    ast.Constant: lambda run, scope, node: literal(run, node),
    ast.Name: lambda run, scope, node: value_of(run, scope, node, evaluate),
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _choice,
    ast.List: lambda run, scope, node: elements(run, scope, node.elts),
    ast.Tuple: lambda run, scope, node: tuple(elements(run, scope, node.elts)),
    ast.Set: lambda run, scope, node: made_set(run, elements(run, scope, node.elts)),
    ast.Dict: _dict,
    ast.Call: _call,
    ast.NamedExpr: _named,
    ast.JoinedStr: _text,
    ast.ListComp: lambda run, scope, node: list(generated(run, scope, node, evaluate)),
    ast.SetComp: lambda run, scope, node: made_set(run, generated(run, scope, node, evaluate)),
    ast.DictComp: lambda run, scope, node: filled(run, {}, generated(run, scope, node, evaluate), {}),
    ast.GeneratorExp: lambda run, scope, node: lazily(generated(run, scope, node, evaluate)),
    ast.Lambda: lambda run, scope, node: defined(run, scope, node, evaluate),
}
