"""Assignments: of one value, of one to several names, of several at once, and those that add to a variable."""

from __future__ import annotations

import ast

from refdp.programs.language import arithmetic, evaluation, lists, names
from refdp.programs.language.context import Context
from refdp.programs.language.errors import Refusal
from refdp.programs.language.values import Value, terms_of
from refdp.terms.leaves import variables


def assigned(context: Context, target: ast.expr, value: ast.expr, node: ast.stmt) -> None:
    """target = value, or several at once: all values are worked out first."""
    match target, value:
        case ast.Name(name), ast.List(elements) if name in context.lists:
            lists.started(context, name, node)
            for one in elements:
                lists.appended(context, name, one)
        case ast.Name(name), _:
            stored(context, name, evaluation.value(context, value), node)
        case ast.Tuple(targets) | ast.List(targets), ast.Tuple(values) | ast.List(values) if len(targets) == len(
            values
        ):
            _unpacked(context, targets, values, node)
        case _:
            raise Refusal(target, f"an assignment to {ast.unparse(target)}", "assign to plain names")


def stored(context: Context, name: str, value: Value, node: ast.AST) -> None:
    """name = value, whatever the variable is called in the program: from here on the name has a value."""
    context.assign(names.own(context, name), value, node)
    context.flow = context.here.with_value(name)


def assigned_together(context: Context, targets: list[ast.expr], value: ast.expr, node: ast.stmt) -> None:
    """a = b = value: the value is worked out once."""
    kept = f"value.{context.place(node)}"
    context.assign(kept, evaluation.value(context, value), node)
    for target in targets:
        if not isinstance(target, ast.Name) or target.id in context.lists:
            raise Refusal(target, f"an assignment to {ast.unparse(target)}", "assign to plain names")
        stored(context, target.id, context.read(kept), node)


def _unpacked(context: Context, targets: list[ast.expr], values: list[ast.expr], node: ast.stmt) -> None:
    """Each name gets its value, as it is before any of them is assigned."""
    found = [evaluation.value(context, one) for one in values]
    waiting: list[tuple[str, Value]] = []
    for target, value in zip(targets, found, strict=True):
        if not isinstance(target, ast.Name) or target.id in context.lists:
            raise Refusal(target, f"an assignment to {ast.unparse(target)}", "assign to plain names")
        waiting.append((target.id, value))
    while waiting:
        waiting.remove(chosen := _first(context, waiting, node))
        stored(context, *chosen, node)


def _first(context: Context, waiting: list[tuple[str, Value]], node: ast.stmt) -> tuple[str, Value]:
    """The first assignment to a name that no other value speaks of; if there is none, the values are kept apart."""
    for one in waiting:
        others = [other for other in waiting if other is not one]
        if one[0] not in [name for name, _ in others] and not any(
            _speaks(value, one[0], context) for _, value in others
        ):
            return one
    for place, (name, value) in enumerate(waiting):
        kept = f"value.{node.lineno}.{place}"
        context.assign(kept, value, node)
        waiting[place] = name, context.read(kept)
    return waiting[0]


def _speaks(value: Value, name: str, context: Context) -> bool:
    """Whether a value is made of what a variable holds."""
    own = names.own(context, name)
    return any(str(v.value) == own or str(v.value).startswith(f"{own}.") for v in variables(*terms_of(value)))


def augmented(context: Context, name: str, operator: ast.operator, value: ast.expr, node: ast.AugAssign) -> None:
    """name += value and the like."""
    if name in context.lists and isinstance(operator, ast.Add) and isinstance(value, ast.List):
        for one in value.elts:
            lists.appended(context, name, one)
        return
    before = evaluation.number(context, ast.copy_location(ast.Name(name, ast.Load()), node))
    full = ast.copy_location(ast.BinOp(ast.Name(name, ast.Load()), operator, value), node)
    found = arithmetic.combined(context, operator, before, evaluation.number(context, value), full)
    stored(context, name, found, node)
