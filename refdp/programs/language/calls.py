"""Calls: draws, functions of refdp.programs, and the few functions of Python's own that are read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import get_args

from refdp.programs.adjacency import LENGTH
from refdp.programs.language import arithmetic, choosing, evaluation, lists, lookups, names
from refdp.programs.language import draws as drawing
from refdp.programs.language.context import Context
from refdp.programs.language.errors import Refusal
from refdp.programs.language.signs import is_positive
from refdp.programs.language.values import Infinite, Value, is_less, mixed, special
from refdp.programs.syntax import Family
from refdp.terms.leaves import ZERO
from refdp.terms.operations import absolute, exponential, less, logarithm, real, whole
from refdp.terms.term import Term

NORMAL = {"argmax.": "argmax", "argmin.": "argmin"}
"""What values.index(max(values)) has become."""
FAMILIES: Mapping[str, Family] = {one: one for one in get_args(Family)}
NUMBER = re.compile(r"[0-9]{1,50}(/[0-9]*[1-9][0-9]*|\.[0-9]{1,50})?")
INFINITE = {"inf": Infinite.ABOVE, "infinity": Infinite.ABOVE, "-inf": Infinite.BELOW, "-infinity": Infinite.BELOW}


def call(context: Context, node: ast.Call) -> Value:
    """What a call is worth."""
    if any(isinstance(one, ast.Starred) for one in node.args):
        raise Refusal(node, "a call with *", "write the arguments one by one")
    own, builtin = context.module.own(node.func), context.module.builtin(node.func)
    if isinstance(node.func, ast.Name) and names.is_local(context, node.func.id):
        raise Refusal(node, f"a call of the variable {node.func.id}", "give the variable another name")
    if isinstance(node.func, ast.Name) and node.func.id in NORMAL:
        return lists.measured(context, NORMAL[node.func.id], node)
    if own is not None and own in FAMILIES:
        return _draw(context, own, node)
    if own in ("exp", "log"):
        return _function(context, own, node)
    if own == "argmax":
        return lists.measured(context, "argmax", node)
    match builtin:
        case "len":
            return _length(context, node)
        case "sum" | "any" | "all":
            return lists.measured(context, builtin, node)
        case "max" | "min":
            return _extreme(context, builtin, node)
        case "abs" | "float" | "int" | "bool":
            return _converted(context, builtin, node)
    if isinstance(node.func, ast.Name) and node.func.id in context.module.functions:
        return lookups.inlined(context, context.module.functions[node.func.id], node)
    if context.module.other(node.func) == "fractions.Fraction":
        return _fraction(context, node)
    raise Refusal(
        node, f"a call of {ast.unparse(node.func)}", "call draws, exp, log, argmax, max, min, abs, sum, len only"
    )


def _draw(context: Context, family: str, node: ast.Call) -> Value:
    """A draw."""
    if node.keywords:
        raise Refusal(node, f"{family} with keywords", f"write {family}(...) with plain arguments")
    match node.args:
        case [ast.IfExp(test, ast.List() as yes, ast.List() as no)]:
            ways = [ast.copy_location(ast.Call(node.func, [one], []), node) for one in (yes, no)]
            return evaluation.value(context, ast.copy_location(ast.IfExp(test, ways[0], ways[1]), node))
        case [ast.Name(name)] if family == "choice" and names.is_list(context, name):
            return lists.chosen(context, name, node)
        case [ast.List(weights) | ast.Tuple(weights)] if family == "choice" and weights:
            return drawing.drawn(context, "choice", _numbers(context, weights), node)
        case _ if family == "choice":
            raise Refusal(node, "choice of this", "write choice([w0, w1]), or choice(weights) of a list")
    wanted = 2 if family == "uniform" else 1
    if len(node.args) != wanted:
        raise Refusal(node, f"{family} with {len(node.args)} arguments", f"give it {wanted}")
    return drawing.drawn(context, FAMILIES[family], _numbers(context, node.args), node)


def _numbers(context: Context, nodes: Iterable[ast.expr]) -> tuple[Term, ...]:
    """The numbers that expressions are worth; a parameter of a draw may be written as a text such as "1/3"."""
    return tuple(whole(evaluation.number(context, _written(one))) for one in nodes)


def _written(node: ast.expr) -> ast.expr:
    """An argument that is a text, or one of two texts, as the number that it writes; any other as it stands.

    A text within something else is no number: "1" + "1" is "11", and max("10", "2") is "2".
    """
    match node:
        case ast.Constant(value=str(text)) if NUMBER.fullmatch(text):
            return ast.copy_location(ast.Constant(0.0, kind=text), node)
        case ast.IfExp(test, yes, no):
            return ast.copy_location(ast.IfExp(test, _written(yes), _written(no)), node)
    return node


def _fraction(context: Context, node: ast.Call) -> Term:
    """Fraction(a), Fraction("1/3"), or Fraction(a, b) of whole numbers: Python raises for others."""
    if node.keywords or len(node.args) not in (1, 2):
        raise Refusal(node, "Fraction of this", "write Fraction(a, b)")
    for one in (inner for argument in node.args for inner in ast.walk(argument)):
        if isinstance(one, ast.Constant) and isinstance(one.value, float):
            raise Refusal(one, "Fraction of a float", 'write a text, as in Fraction("0.1")')
    if len(node.args) == 1:
        return real(_numbers(context, node.args)[0])
    found = [whole(evaluation.number(context, one)) for one in node.args]
    if any(one.sort != "Int" for one in found):
        raise Refusal(node, "Fraction of two numbers that are not whole", "write a / b")
    return real(arithmetic.combined(context, ast.Div(), found[0], found[1], node))


def _function(context: Context, name: str, node: ast.Call) -> Term:
    """e^a or ln a."""
    if len(node.args) != 1 or node.keywords:
        raise Refusal(node, f"{name} with {len(node.args)} arguments", "give it one")
    (argument,) = _numbers(context, node.args)
    if name == "exp":
        return exponential(argument)
    if context.is_secret(argument):
        raise Refusal(node, "log of a value that depends on data or draws", "take log of public values only")
    if not is_positive(argument, context.assumption):
        context.require(less(ZERO, argument), f"{ast.unparse(node)}: log of what is not positive", node.lineno)
    return logarithm(argument)


def _length(context: Context, node: ast.Call) -> Value:
    """The number of data, or of what is in a list."""
    match node.args:
        case [ast.Name(name)] if names.is_data(context, name) and not node.keywords:
            return LENGTH
    return lists.measured(context, "len", node)


def _extreme(context: Context, name: str, node: ast.Call) -> Value:
    """max(a, b, ...) or min(a, b, ...), the first where they are equal, or of a list."""
    if node.keywords or not node.args:
        raise Refusal(node, f"{name} without arguments or with keywords", f"write {name}(a, b) or {name}(values)")
    if len(node.args) == 1:
        return lists.measured(context, name, node)
    found, *others = (evaluation.value(context, one) for one in node.args)
    for other in others:
        a, b = mixed(found), mixed(other)
        for one in (a, b):
            evaluation.ordered(context, one, node)
        better = is_less(a, b) if name == "max" else is_less(b, a)
        found = choosing.one_kind(better, other, found, node)
    return found


def _converted(context: Context, name: str, node: ast.Call) -> Value:
    """abs(a), float(a), int(a) of an integer, bool(a), float("-inf")."""
    if len(node.args) != 1 or node.keywords:
        raise Refusal(node, f"{name} with {len(node.args)} arguments", "give it one")
    match name, node.args[0]:
        case "float", ast.Constant(str(text)) if text.strip().lower().lstrip("+") in INFINITE:
            return special(INFINITE[text.strip().lower().lstrip("+")])
        case "bool", argument:
            return evaluation.condition(context, argument)
    plain = whole(evaluation.number(context, node.args[0]))
    if name == "int" and plain.sort != "Int":
        raise Refusal(
            node, "int of a number that is not an integer", "use // of public integers, or leave the number as it is"
        )
    return absolute(plain) if name == "abs" else real(plain) if name == "float" else plain
