"""Loops: over the data, over a public number of rounds, and while a condition holds."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace

from refdp.programs.adjacency import LENGTH
from refdp.programs.language import evaluation, names
from refdp.programs.language.assignments import stored
from refdp.programs.language.context import Context, Frame, targets
from refdp.programs.language.errors import Refusal
from refdp.programs.language.flow import Flow, at_head, joined, same
from refdp.programs.language.values import deny
from refdp.programs.syntax import Loop, Statement
from refdp.terms.leaves import TRUE, ZERO, integer, variable, variables
from refdp.terms.operations import add, at_most, conjunction, negation, smaller, substitute, subtract
from refdp.terms.polynomials import normal
from refdp.terms.term import Term

Block = Callable[[Context, list[ast.stmt]], None]


@dataclass(frozen=True, slots=True)
class Rounds:
    """What a for loop goes over."""

    limit: Term
    index: str | None = None
    """The variable that counts, from `first`."""
    first: Term = ZERO
    element: str | None = None
    """The variable that holds an element of the data."""


def for_loop(context: Context, node: ast.For, block: Block) -> None:
    """for ... in ...: ..."""
    rounds = _rounds(context, node)
    counts = rounds.index or rounds.element
    frame = _frame(context, names.own(context, counts) if counts else "round", node, rounds.limit)
    frame.reads = rounds.element is not None

    def body() -> Term:
        if rounds.index is not None:
            stored(context, rounds.index, add(frame.counter, rounds.first), node)
        if rounds.element is not None and frame.element is not None:
            context.kinds.secret.add(frame.element)
            stored(context, rounds.element, variable(frame.element, context.data.sort), node)
        block(context, node.body)
        return TRUE

    _loop(context, frame, body, node, block)


def while_loop(context: Context, node: ast.While, block: Block) -> None:
    """while ...: ..., over the data where an index counts them."""
    frame = _frame(context, "while", node, None)

    def body() -> Term:
        with context.apart() as before:
            found = evaluation.condition(context, node.test)
        frame.limit, rest = _limited(found, frame.counter, context)
        if before:
            raise Refusal(
                node.test,
                "a condition of while that draws or may raise an exception",
                "write while True: if ...: break",
            )
        context.flow = context.here.given(found)
        context.control.append(context.is_secret(found))
        block(context, node.body)
        context.control.pop()
        return rest

    _loop(context, frame, body, node, block)


def _frame(context: Context, name: str, node: ast.stmt, limit: Term | None) -> Frame:
    """A loop that begins; its counter and element are told from those of the loops around."""
    taken = {str(one.counter.value) for one in context.frames}
    counter = f"{name}.loop" if f"{name}.loop" not in taken else f"{name}.loop.{node.lineno}"
    element = f"{context.data.name}.element" if context.data.is_list else None
    if element in (one.element for one in context.frames):
        element = f"{element}.{node.lineno}"
    broke = f"{counter}.broke" if isinstance(node, ast.For | ast.While) and node.orelse else None
    return Frame(variable(counter, "Int"), element, limit=limit, broke=broke)


def _loop(context: Context, frame: Frame, body: Callable[[], Term], node: ast.For | ast.While, block: Block) -> None:
    """Writes the loop: its body is read until what is known at its head is preserved by every round."""
    if frame.broke is not None:
        context.assign(frame.broke, negation(TRUE), node)
    entry, numbers = context.here, (context.sites, context.branches)
    assumed, emitted = dict(entry.known), entry.emitted
    context.frames.append(frame)
    while True:
        context.sites, context.branches = numbers
        frame.backs, frame.breaks = [], []
        context.flow = Flow(assumed, entry.assigned, emitted)
        with context.apart() as written:
            condition = body()
        frame.backs += [context.flow] if context.flow is not None else []
        kept = at_head(entry, assumed, frame.backs, frame.counter)
        releases = emitted or any(back.emitted for back in frame.backs)
        if kept == assumed and releases == emitted:
            break
        assumed, emitted = kept, releases
    context.frames.pop()
    context.flow = entry
    _written(context, frame, written, condition, node)
    _otherwise(context, frame, _after(frame, Flow(assumed, entry.assigned, emitted), condition), node, block)


def _written(context: Context, frame: Frame, body: list[Statement], condition: Term, node: ast.stmt) -> None:
    """Writes the loop statement, and before it that it does not go past the data."""
    if frame.reads:
        if frame.limit is None:
            raise Refusal(
                node,
                f"{context.data.name}[...] in a loop that does not stop at the end of the data",
                f"write while i < len({context.data.name}) and ...",
            )
        within = any(frame.limit in (smaller(LENGTH, one), smaller(one, LENGTH)) for one in frame.limit.arguments)
        context.require(
            TRUE if within else at_most(frame.limit, LENGTH),
            f"{context.data.name}: index out of range",
            node.lineno,
            certain=False,  # the loop may end, or release something, before it gets there
        )
    if frame.leaks or context.is_secret(condition):
        context.kinds.secret.update(targets(body))
    element = frame.element if frame.reads else None
    context.write(Loop(str(frame.counter.value), frame.limit, element, tuple(body), condition, node.lineno))


def _after(frame: Frame, head: Flow, condition: Term) -> tuple[Flow | None, Flow | None]:
    """What is known after the loop where it ends, and where it was left by break."""
    left = joined(one.without(frame.counter) for one in frame.breaks)
    if frame.limit is None and condition is TRUE:
        return None, left
    exact = frame.limit is LENGTH and condition is TRUE
    known = {n: substitute(v, {frame.counter: LENGTH}) for n, v in head.known.items()} if exact else head.known
    return replace(head, known=known).without(frame.counter), left


def _otherwise(
    context: Context, frame: Frame, flows: tuple[Flow | None, Flow | None], node: ast.For | ast.While, block: Block
) -> None:
    """else of a loop: what is done where it was not left by break."""
    if any(isinstance(one, ast.Continue) for inner in node.orelse for one in ast.walk(inner)):
        raise Refusal(node, "continue in the else of a loop", "keep in a variable whether the loop was left by break")
    context.flow, left = flows
    if context.flow is None or frame.broke is None or left is None:
        if context.flow is not None:
            block(context, node.orelse)
        context.flow = joined((context.flow, left))
        return
    test = deny(variable(frame.broke, "Bool"))
    with context.under(test) as written:
        block(context, node.orelse)
    context.branch(test, written, [], node.lineno)
    context.flow = joined((context.flow, left))


def _rounds(context: Context, node: ast.For) -> Rounds:
    """What a for loop goes over."""
    data, over = context.data.name, node.iter
    match node.target, over:
        case ast.Name(element), ast.Name(name) if names.is_data(context, name):
            return Rounds(LENGTH, element=element)
        case ast.Name(index), ast.Call(function, bounds, []) if context.module.builtin(function) == "range":
            return _range(context, index, bounds, over)
        case ast.Tuple([ast.Name(index), ast.Name(element)]), ast.Call(
            function, [ast.Name(name), *start], keywords
        ) if context.module.builtin(function) == "enumerate" and names.is_data(context, name) and index != element:
            first = [*start, *(k.value for k in keywords if k.arg == "start")]
            found = evaluation.number(context, first[0]) if first else ZERO
            if len(first) == len(start) + len(keywords) < 2 and found.sort == "Int" and context.is_fixed(found):
                return Rounds(LENGTH, index, found, element)
    if isinstance(over, ast.Name) and over.id == data and not context.data.is_list:
        raise Refusal(
            over, f"a loop over {data}, which is a number", f"annotate {data} as a list, or loop over range(...)"
        )
    raise Refusal(over, f"a loop over {ast.unparse(over)}", f"loop over {data}, enumerate({data}), or range(...)")


def _range(context: Context, index: str, bounds: list[ast.expr], node: ast.expr) -> Rounds:
    """range(stop) or range(start, stop) of public integers."""
    found = [evaluation.number(context, one) for one in bounds]
    if len(found) not in (1, 2) or any(one.sort != "Int" or context.is_secret(one) for one in found):
        raise Refusal(
            node,
            f"{ast.unparse(node)}",
            "write range(stop) or range(start, stop) of public integers, annotated with int",
        )
    if not all(context.is_fixed(one) for one in found):
        raise Refusal(node, f"{ast.unparse(node)} of variables that change", "use parameters and numbers")
    first, stop = found if len(found) == 2 else (ZERO, found[0])
    return Rounds(normal(subtract(stop, first)) if first is not ZERO else stop, index, first)


def _limited(found: Term, counter: Term, context: Context) -> tuple[Term | None, Term]:
    """The public bound on the counter that a condition holds, and the rest of the condition."""
    fixed = {LENGTH, *context.parameters.values(), *(f.counter for f in context.frames if f.counter is not counter)}
    conjuncts = list(found.arguments) if found.operator == "all_of" else [found]
    for place, one in enumerate(conjuncts):
        limit = _bound(one, counter)
        if limit is not None and all(v in fixed for v in variables(limit)):
            return limit, conjunction(*conjuncts[:place], *conjuncts[place + 1 :])
    return None, found


def _bound(condition: Term, counter: Term) -> Term | None:
    """The limit where the condition says counter < limit."""
    inner = condition.arguments[0] if condition.operator == "not" else condition
    if inner.operator not in ("<", "<=", "==") or any(one.sort != "Int" for one in inner.arguments):
        return None
    a, b = inner.arguments
    if inner is not condition and inner.operator != "==":
        a, b = b, a  # not a < b is b <= a
    strict = (inner.operator == "<") == (inner is condition) if inner.operator != "==" else True
    if inner.operator == "==":
        limit = next((y for x, y in ((a, b), (b, a)) if same(x, counter)), None)
        return limit if inner is not condition and limit is LENGTH else None
    limit = add(counter, subtract(b, a)) if strict else add(add(counter, subtract(b, a)), integer(1))
    limit = normal(limit)
    return limit if counter not in variables(limit) else None
