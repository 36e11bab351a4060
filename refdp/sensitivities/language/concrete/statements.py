"""What a statement does: it binds names, branches, loops, returns or raises."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refdp.sensitivities.language.concrete import binding
from refdp.sensitivities.language.concrete.expressions import evaluate
from refdp.sensitivities.language.concrete.failures import Raised, catches
from refdp.sensitivities.language.concrete.running import Run
from refdp.sensitivities.language.concrete.scopes import Scope
from refdp.sensitivities.language.concrete.targets import assign
from refdp.sensitivities.language.concrete.values import Exceptional


@dataclass(frozen=True, slots=True)
class Leaving:
    """What ends a block early: "break", "continue" or "return" with its value."""

    how: str
    value: Any = None


BREAK, CONTINUE = Leaving("break"), Leaving("continue")
End = Leaving | None


def execute(run: Run, scope: Scope, body: Sequence[ast.stmt]) -> End:
    """Execute statements until one ends the block; how it ended."""
    for node in body:
        run.budget.spend()
        found = STATEMENTS.get(type(node))
        if found is None:
            raise run.unsupported(node, f"the statement {type(node).__name__}")
        end = found(run, scope, node)
        if end is not None:
            return end
    return None


def _for(run: Run, scope: Scope, node: ast.For) -> End:
    for item in run.items(evaluate(run, scope, node.iter)):
        assign(run, scope, node.target, item, evaluate)
        end = execute(run, scope, node.body)
        if end is BREAK:
            return None
        if end is not None and end is not CONTINUE:
            return end
    return execute(run, scope, node.orelse)


def _while(run: Run, scope: Scope, node: ast.While) -> End:
    while run.truth(evaluate(run, scope, node.test)):
        end = execute(run, scope, node.body)
        if end is BREAK:
            return None
        if end is not None and end is not CONTINUE:
            return end
    return execute(run, scope, node.orelse)


def _if(run: Run, scope: Scope, node: ast.If) -> End:
    return execute(run, scope, node.body if run.truth(evaluate(run, scope, node.test)) else node.orelse)


def _return(run: Run, scope: Scope, node: ast.Return) -> End:
    return Leaving("return", None if node.value is None else evaluate(run, scope, node.value))


def _expression(run: Run, scope: Scope, node: ast.Expr) -> End:
    evaluate(run, scope, node.value)
    return None


def _raise(run: Run, scope: Scope, node: ast.Raise) -> End:
    """Raise the exception, or again the one that is handled."""
    run.source.insist_on_constants(node)
    if node.exc is None or node.cause is not None:
        raise run.unsupported(node, "this raise, which is more than raise ValueError(...),")
    found = evaluate(run, scope, node.exc)
    if not isinstance(found, Exceptional):
        raise Raised("TypeError")
    raise Raised(found.name)


def _assert(run: Run, scope: Scope, node: ast.Assert) -> End:
    run.source.insist_on_constants(node)
    if not run.truth(evaluate(run, scope, node.test)):
        raise Raised("AssertionError")
    return None


def _try(run: Run, scope: Scope, node: ast.Try) -> End:
    """Handlers in order, and what is done in any case."""
    try:
        end = _attempt(run, scope, node)
    except Raised:
        last = execute(run, scope, node.finalbody)
        if last is None:
            raise
        return last
    return execute(run, scope, node.finalbody) or end


def _attempt(run: Run, scope: Scope, node: ast.Try) -> End:
    """The body with its handlers."""
    try:
        end = execute(run, scope, node.body)
    except Raised as raised:
        for handler in node.handlers:
            if handler.type is None or _handles(run, evaluate(run, scope, handler.type), raised.name):
                return _handled(run, scope, handler, raised)
        raise
    return execute(run, scope, node.orelse) if end is None else end


def _handles(run: Run, kind: Any, name: str) -> bool:
    """Whether a handler of this class, or of these classes, catches the exception."""
    if isinstance(kind, tuple):
        return any(_handles(run, one, name) for one in kind)
    if not isinstance(kind, Exceptional):
        raise Raised("TypeError")
    return catches(kind.name, name)


def _handled(run: Run, scope: Scope, handler: ast.ExceptHandler, raised: Raised) -> End:
    """What a handler does; its name is forgotten afterwards."""
    if handler.name is None:
        return execute(run, scope, handler.body)
    scope.store(handler.name, Exceptional(raised.name, False))
    try:
        return execute(run, scope, handler.body)
    finally:
        scope.values.pop(handler.name, None)


STATEMENTS: Mapping[type[ast.stmt], Callable[[Run, Scope, Any], End]] = {
    ast.Assign: binding.bind,
    ast.AnnAssign: binding.annotated,
    ast.AugAssign: binding.augmented,
    ast.For: _for,
    ast.While: _while,
    ast.If: _if,
    ast.Return: _return,
    ast.Expr: _expression,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.Try: _try,
    ast.Delete: binding.delete,
    ast.FunctionDef: binding.define,
    ast.Import: binding.bring,
    ast.ImportFrom: binding.bring,
    ast.Pass: lambda run, scope, node: None,
    ast.Nonlocal: lambda run, scope, node: None,
    ast.Break: lambda run, scope, node: BREAK,
    ast.Continue: lambda run, scope, node: CONTINUE,
}
