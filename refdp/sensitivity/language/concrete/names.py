"""The value of a name: local, of the module, or a builtin."""

from __future__ import annotations

import ast
from typing import Any

from refdp.sensitivity.language.concrete.failures import Raised
from refdp.sensitivity.language.concrete.functions import defined
from refdp.sensitivity.language.concrete.module_names import (
    Unclear,
    builtin,
    definition,
    imported,
    is_fixed,
    is_flat,
    is_only_read,
)
from refdp.sensitivity.language.concrete.running import Run
from refdp.sensitivity.language.concrete.scopes import Scope
from refdp.sensitivity.language.concrete.targets import Evaluate


def value_of(run: Run, scope: Scope, node: ast.Name, evaluate: Evaluate) -> Any:
    """What the name stands for; Unsupported where the text does not settle it."""
    owner = scope.owner(node.id)
    if owner is not None:
        return owner.value(node.id)
    if node.id not in run.module_values:
        run.module_values[node.id] = Raised("NameError")  # for a constant defined by itself
        try:
            run.module_values[node.id] = module_value(run, node.id, evaluate)
        except Unclear as unclear:
            raise run.unsupported(node, str(unclear)) from None
    found = run.module_values[node.id]
    if isinstance(found, Raised):
        raise Raised(found.name)
    return found


def module_value(run: Run, name: str, evaluate: Evaluate) -> Any:
    """The value of a name of the module, or of a builtin."""
    found = definition(run.source, name)
    if found is None:
        return builtin(name)
    if isinstance(found, ast.Import | ast.ImportFrom):
        return imported(found, name)
    scope = Scope(frozenset())
    if isinstance(found, ast.FunctionDef):
        return defined(run, scope, found, evaluate)
    target = found.targets[0] if isinstance(found, ast.Assign) else found.target
    if not isinstance(target, ast.Name) or found.value is None or isinstance(found, ast.Assign) and found.targets[1:]:
        raise Unclear(f"{name}, which is not bound by itself,")
    value = evaluate(run, scope, found.value)
    if not is_fixed(value) and not (is_flat(value) and is_only_read(run.source, name)):
        raise Unclear(f"{name}, which the file may change,")
    return value
