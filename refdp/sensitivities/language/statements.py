"""What each kind of statement does to the state."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from refdp.sensitivities.language.assignments import annotated, assignment, augmented, bind
from refdp.sensitivities.language.expressions import kept
from refdp.sensitivities.language.facts import same
from refdp.sensitivities.language.iteration import loop
from refdp.sensitivities.language.operators import holds
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.scope import not_builtin
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import Named, Value
from refdp.sensitivities.program import EXCEPTIONS
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer
from refdp.terms.operations import conjunction, disjunction, negation
from refdp.terms.term import Term

MOST_ROUNDS = 1000
"""Most rounds of a while loop that are written out."""


def expression(x: Reader, state: State, node: ast.Expr) -> None:
    """An expression for its effect."""
    if not isinstance(node.value, ast.Constant):
        x.value(state, node.value)


def conditional(x: Reader, state: State, node: ast.If) -> None:
    """if, elif, else."""
    test = holds(x, state, x.value(state, node.test), node.test)
    x.unless_stopped(
        state, lambda s: x.either(s, test, lambda t: x.block(t, node.body), lambda t: x.block(t, node.orelse))
    )


def for_loop(x: Reader, state: State, node: ast.For) -> None:
    """for target in iterable, with break, continue and else."""
    iterable = x.value(state, node.iter)

    def body(s: State, item: Value) -> None:
        bind(x, s, node.target, item)
        x.unless_stopped(s, lambda t: x.block(t, node.body))
        s.continued = FALSE

    x.unless_stopped(state, lambda s: loop(x, s, iterable, body, node))
    _after(x, state, node.orelse)


def _after(x: Reader, state: State, orelse: list[ast.stmt]) -> None:
    """What runs where the loop was not left by break; from there on the break is over."""
    broke = state.broke
    if orelse:
        x.unless_stopped(state, lambda s: x.block(s, orelse))
    state.broke = conjunction(state.broke, negation(broke)) if orelse else FALSE


def while_loop(x: Reader, state: State, node: ast.While) -> None:
    """while, as far as its condition is known when it is read."""
    for _ in range(MOST_ROUNDS):
        test = holds(x, state, x.value(state, node.test), node.test)
        if test is not TRUE and test is not FALSE:
            raise x.not_a_fold(node, "how often this while loop runs depends on the rows; write a for loop")
        if test is FALSE:
            _after(x, state, node.orelse)
            return
        x.block(state, node.body)
        state.continued = FALSE
        stop = state.stopped()
        if stop is TRUE:
            state.broke = FALSE
            return
        if stop is not FALSE:
            raise x.not_a_fold(node, "how often this while loop runs depends on the rows; write a for loop")
    raise x.not_a_fold(node, f"this while loop runs more than {MOST_ROUNDS} times; write a for loop")


def returned(x: Reader, state: State, node: ast.Return) -> None:
    """return value."""
    value = None if node.value is None else kept(x, x.value(state, node.value), node.value)

    def leave(s: State) -> None:
        s.answer, s.returned = value, TRUE

    x.unless_stopped(state, leave)


def broken(x: Reader, state: State, node: ast.Break) -> None:
    """break."""
    state.broke = TRUE


def continued(x: Reader, state: State, node: ast.Continue) -> None:
    """continue."""
    state.continued = TRUE


def passed(x: Reader, state: State, node: ast.Pass) -> None:
    """pass."""


def asserted(x: Reader, state: State, node: ast.Assert) -> None:
    """assert condition."""
    x.source.insist_on_constants(node)
    test = holds(x, state, x.value(state, node.test), node.test)
    x.unless_stopped(state, lambda s: _fail(x, s, negation(test)))


def _fail(x: Reader, state: State, condition: Term) -> None:
    """An assertion that does not hold."""
    x.stop(state, condition, "AssertionError")


def raised(x: Reader, state: State, node: ast.Raise) -> None:
    """raise Exception(...)."""
    if node.exc is None or node.cause is not None:
        raise x.unsupported(node, "this raise", "write raise ValueError(...)")
    x.source.insist_on_constants(node)
    what = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    x.stop(state, TRUE, exception_name(x, state, what))


def exception_name(x: Reader, state: State, node: ast.expr) -> str:
    """The exception that an expression names."""
    found = x.value(state.cleared(TRUE), node)
    path = found.path if isinstance(found, Named) else ""
    name = "StatisticsError" if path == "statistics.StatisticsError" else path
    if name not in EXCEPTIONS[1:] or path == "StatisticsError":
        raise x.unsupported(node, "this exception", f"use one of {', '.join(EXCEPTIONS[1:-3])}")
    return name


def attempt(x: Reader, state: State, node: ast.Try) -> None:
    """try with handlers for exceptions by name."""
    if node.finalbody or node.orelse:
        raise x.unsupported(node, "try with else or finally", "write try with except NAME only")
    x.catching += 1
    x.block(state, node.body)
    thrown, free = state.raised, TRUE
    for handler in node.handlers:
        here = _handles(x, state, handler, thrown)
        x.when(state, conjunction(here, free), lambda s, h=handler: _handle(x, s, h))  # type: ignore[misc]
        free = conjunction(free, negation(here))
    x.catching -= 1


def _handle(x: Reader, state: State, handler: ast.ExceptHandler) -> None:
    """The statements of a handler, after which nothing is on its way."""
    state.raised = ZERO
    x.block(state, handler.body)


def _handles(x: Reader, state: State, handler: ast.ExceptHandler, thrown: Term) -> Term:
    """Whether a handler is for what was raised; a StatisticsError is a ValueError."""
    if handler.name is not None or handler.type is None:
        raise x.unsupported(handler, "this except", "name the exceptions: except ZeroDivisionError:")
    listed = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = {exception_name(x, state, one) for one in listed}
    names |= {"StatisticsError"} if "ValueError" in names else set()
    return disjunction(*(same(thrown, integer(EXCEPTIONS.index(name))) for name in sorted(names)))


def definition(x: Reader, state: State, node: ast.FunctionDef) -> None:
    """A function within the function."""
    x.source.insist_on_constants(node)
    not_builtin(x, node.name, node)
    if node.decorator_list:
        raise x.unsupported(node, "a decorator", "write a plain function")
    state.names[node.name] = x.services["closure"](x, state, node)


MEANINGS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Assign: assignment, ast.AnnAssign: annotated, ast.AugAssign: augmented, ast.Expr: expression,
    ast.If: conditional, ast.For: for_loop, ast.While: while_loop, ast.Return: returned, ast.Break: broken,
    ast.Continue: continued, ast.Pass: passed, ast.Assert: asserted, ast.Raise: raised, ast.Try: attempt,
    ast.FunctionDef: definition,
}  # fmt: skip
