"""Functions of the source: their definition, their parameters, the scope of a call."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from refdp.sensitivities.language.concrete.failures import Raised
from refdp.sensitivities.language.concrete.module_names import is_fixed, is_flat, is_only_read
from refdp.sensitivities.language.concrete.running import Run
from refdp.sensitivities.language.concrete.scopes import Scope, bound_names
from refdp.sensitivities.language.concrete.targets import Evaluate
from refdp.sensitivities.language.concrete.values import Function


def defined(run: Run, scope: Scope | None, node: ast.FunctionDef | ast.Lambda, evaluate: Evaluate) -> Function:
    """The function that a definition makes, with the values of its defaults."""
    if isinstance(node, ast.FunctionDef) and node.decorator_list:
        raise run.unsupported(node, "a decorator")
    if _yields_or_binds_globals(node):
        raise run.unsupported(node, "a generator function, or a function that binds global names,")
    outer = scope or Scope(frozenset())
    names = [*node.args.posonlyargs, *node.args.args]
    given = dict(zip([a.arg for a in names[len(names) - len(node.args.defaults) :]], node.args.defaults, strict=True))
    given |= {a.arg: d for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if d is not None}
    defaults = {name: evaluate(run, outer, default) for name, default in given.items()}
    for name, value in defaults.items():
        if not is_fixed(value) and not (is_flat(value) and is_only_read(run.source, name)):
            raise run.unsupported(node, f"a default value of {name} that may change")
    if isinstance(node, ast.Lambda):
        return Function("<lambda>", node.args, (ast.copy_location(ast.Return(node.body), node.body),), scope, defaults)
    return Function(node.name, node.args, tuple(node.body), scope, defaults)


@lru_cache(maxsize=1024)
def _bound_in(body: tuple[ast.stmt, ...]) -> frozenset[str]:
    """The names that a body binds, found once for a function that is called on each table."""
    return bound_names(body)


@lru_cache(maxsize=1024)
def _yields_or_binds_globals(node: ast.FunctionDef | ast.Lambda) -> bool:
    """Whether the body, or that of a function within, does; found once for a definition that is met on each table."""
    return any(isinstance(inner, ast.Yield | ast.YieldFrom | ast.Global) for inner in ast.walk(node))


def call_scope(function: Function, arguments: Sequence[Any], named: Mapping[str, Any]) -> Scope:
    """The scope of a call with its parameters bound; TypeError of the user's function where they do not fit."""
    spec, left = function.arguments, dict(named)
    names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    parameters = [*names, *(a.arg for a in spec.kwonlyargs), *(a.arg for a in (spec.vararg, spec.kwarg) if a)]
    scope = Scope(frozenset(parameters) | _bound_in(function.body), function.scope)
    if len(arguments) > len(names) and spec.vararg is None:
        raise Raised("TypeError")
    scope.values |= zip(names, arguments, strict=False)
    for name in [a.arg for a in (*spec.args, *spec.kwonlyargs) if a.arg in left]:
        if name in scope.values:
            raise Raised("TypeError")
        scope.values[name] = left.pop(name)
    for name in (*names, *(a.arg for a in spec.kwonlyargs)):
        if name not in scope.values:
            if name not in function.defaults:
                raise Raised("TypeError")
            scope.values[name] = function.defaults[name]
    return _with_rest(function, scope, tuple(arguments[len(names) :]), left)


def _with_rest(function: Function, scope: Scope, rest: tuple[Any, ...], left: dict[str, Any]) -> Scope:
    """The scope with *args and **kwargs; TypeError where nothing takes what is left."""
    if function.arguments.vararg is not None:
        scope.values[function.arguments.vararg.arg] = rest
    if function.arguments.kwarg is not None:
        scope.values[function.arguments.kwarg.arg] = left
    elif left:
        raise Raised("TypeError")
    return scope
