"""Binding a target to a value: a name, an element, or several targets at once."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from refdp.sensitivities.language.concrete.failures import Raised
from refdp.sensitivities.language.concrete.running import Run
from refdp.sensitivities.language.concrete.scopes import Scope
from refdp.sensitivities.language.concrete.structures import store

Evaluate = Callable[[Run, Scope, ast.expr], Any]
"""How the value of an expression is found."""


def assign(run: Run, scope: Scope, target: ast.expr, value: Any, evaluate: Evaluate) -> None:
    """Bind a target to a value."""
    if isinstance(target, ast.Name):
        scope.store(target.id, value)
    elif isinstance(target, ast.Subscript):
        container = evaluate(run, scope, target.value)
        store(run, container, evaluate(run, scope, target.slice), value)
    elif isinstance(target, ast.Tuple | ast.List):
        _unpack(run, scope, target.elts, run.listed(value), evaluate)
    else:
        raise run.unsupported(target, "this target of an assignment")


def _unpack(run: Run, scope: Scope, targets: list[ast.expr], values: list[Any], evaluate: Evaluate) -> None:
    """Bind several targets; ValueError of the user's function where the numbers differ."""
    starred = [i for i, t in enumerate(targets) if isinstance(t, ast.Starred)]
    if not starred:
        if len(targets) != len(values):
            raise Raised("ValueError")
        for target, value in zip(targets, values, strict=True):
            assign(run, scope, target, value, evaluate)
        return
    head, tail = starred[0], len(targets) - starred[0] - 1
    if len(values) < head + tail:
        raise Raised("ValueError")
    middle = len(values) - tail
    star = targets[head]
    _unpack(run, scope, targets[:head], values[:head], evaluate)
    if isinstance(star, ast.Starred):
        assign(run, scope, star.value, values[head:middle], evaluate)
    _unpack(run, scope, targets[head + 1 :], values[middle:], evaluate)
