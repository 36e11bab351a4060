"""Statements that bind names: assignments, definitions, imports, and del."""

from __future__ import annotations

import ast

from refdp.sensitivities.language.concrete.expressions import evaluate
from refdp.sensitivities.language.concrete.functions import defined
from refdp.sensitivities.language.concrete.module_names import Unclear, imported
from refdp.sensitivities.language.concrete.names import resolved, value_of
from refdp.sensitivities.language.concrete.running import Run
from refdp.sensitivities.language.concrete.scopes import Scope
from refdp.sensitivities.language.concrete.structures import BINARY, delete_item, in_place, store, subscript
from refdp.sensitivities.language.concrete.targets import assign


def bind(run: Run, scope: Scope, node: ast.Assign) -> None:
    """Bind every target to the value."""
    value = evaluate(run, scope, node.value)
    for target in node.targets:
        assign(run, scope, target, value, evaluate)


def annotated(run: Run, scope: Scope, node: ast.AnnAssign) -> None:
    """Bind the target, if there is a value."""
    run.source.insist_on_constants(node)
    if node.value is not None:
        assign(run, scope, node.target, evaluate(run, scope, node.value), evaluate)


def augmented(run: Run, scope: Scope, node: ast.AugAssign) -> None:
    """target symbol= value; the target's parts are evaluated once."""
    symbol, target = BINARY.get(type(node.op)), node.target
    if symbol is None or isinstance(target, ast.Attribute):
        raise run.unsupported(node, "this assignment")
    if isinstance(target, ast.Name):
        before = value_of(run, scope, target, evaluate)
        scope.store(target.id, in_place(run, symbol, before, evaluate(run, scope, node.value)))
        return
    container, key = evaluate(run, scope, target.value), evaluate(run, scope, target.slice)
    before = subscript(run, container, key)
    store(run, container, key, in_place(run, symbol, before, evaluate(run, scope, node.value)))


def delete(run: Run, scope: Scope, node: ast.Delete) -> None:
    """Forget names and elements."""
    for target in node.targets:
        if isinstance(target, ast.Name):
            value_of(run, scope, target, evaluate)
            (scope.owner(target.id) or scope).values.pop(target.id)
        elif isinstance(target, ast.Subscript):
            container = evaluate(run, scope, target.value)
            delete_item(run, container, evaluate(run, scope, target.slice))
        else:
            raise run.unsupported(target, "this target of del")


def define(run: Run, scope: Scope, node: ast.FunctionDef) -> None:
    """Bind a function within a function."""
    run.source.insist_on_constants(node)
    scope.store(node.name, defined(run, scope, node, evaluate))


def bring(run: Run, scope: Scope, node: ast.Import | ast.ImportFrom) -> None:
    """Bind what is imported within a function."""
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        try:
            scope.store(name, resolved(run, imported(node, name), node))
        except Unclear as unclear:
            raise run.unsupported(node, str(unclear)) from None
