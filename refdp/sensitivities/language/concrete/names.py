"""The value of a name: local, of the module, or a builtin."""

from __future__ import annotations

import ast
from typing import Any

from refdp.sensitivities.language.concrete.failures import NoOutcome, Raised
from refdp.sensitivities.language.concrete.functions import defined
from refdp.sensitivities.language.concrete.library import LIBRARY
from refdp.sensitivities.language.concrete.module_names import (
    Unclear,
    builtin,
    definition,
    imported,
    is_fixed,
    is_flat,
    is_only_read,
)
from refdp.sensitivities.language.concrete.running import Run
from refdp.sensitivities.language.concrete.scopes import Scope
from refdp.sensitivities.language.concrete.targets import Evaluate
from refdp.sensitivities.language.concrete.values import Library


def value_of(run: Run, scope: Scope, node: ast.Name, evaluate: Evaluate) -> Any:
    """What the name stands for; Unsupported where the text does not settle it."""
    owner = scope.owner(node.id)
    if owner is not None:
        if owner is not scope and node.id not in owner.values:
            raise NoOutcome("a name of the function around is read that has no value yet: what it raises is left open")
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
        return resolved(run, imported(found, name), found)
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


CONSTANTS = {"math.inf": "inf", "numpy.inf": "inf", "math.nan": "nan", "numpy.nan": "nan"}
IRRATIONAL = ("math.pi", "math.e", "math.tau", "numpy.pi", "numpy.e")


def resolved(run: Run, value: Any, node: ast.AST) -> Any:
    """What an import brings, a constant of a module included."""
    return library(run, value.name, node) if isinstance(value, Library) else value


def library(run: Run, whole: str, node: ast.AST) -> Any:
    """What a name of a module stands for; Unsupported where that is not known."""
    if whole in CONSTANTS:
        return run.call(run, Library("float"), [CONSTANTS[whole]], {}, node)
    if whole in IRRATIONAL:
        raise NoOutcome(f"{whole} is not rational")
    if not whole.startswith("typing.") and not any(
        known == whole or known.startswith(f"{whole}.") for names in (run.arithmetic.calls, LIBRARY) for known in names
    ):
        raise run.unsupported(node, whole)
    return Library(whole)
