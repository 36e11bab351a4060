"""Statements: what each statement of Python becomes."""

from __future__ import annotations

import ast

from refdp.logic.terms import FALSE, TRUE, variables
from refdp.programs.language import arithmetic, emissions, evaluation, lists, loops, names
from refdp.programs.language.context import Context
from refdp.programs.language.errors import Refusal
from refdp.programs.language.values import Value, terms_of
from refdp.programs.syntax import Break, Stop


def block(context: Context, nodes: list[ast.stmt]) -> None:
    """Statements one after the other, as far as some path reaches them."""
    for place, node in enumerate(nodes):
        if context.flow is None:
            return
        rest = nodes[place + 1 :]
        if isinstance(node, ast.If) and rest and _goes_on(node):
            _branch(context, node, rest)
            return
        statement(context, node)


def statement(context: Context, node: ast.stmt) -> None:
    """One statement."""
    match node:
        case ast.Assign([target], value):
            _assigned(context, target, value, node)
        case ast.Assign(targets, value):
            _assigned_together(context, targets, value, node)
        case ast.AnnAssign(ast.Name(), value=ast.expr() as value):
            _assigned(context, node.target, value, node)
        case ast.AugAssign(ast.Name(name), operator, value):
            _augmented(context, name, operator, value, node)
        case ast.If():
            _branch(context, node, [])
        case ast.For():
            loops.for_loop(context, node, block)
        case ast.While():
            loops.while_loop(context, node, block)
        case ast.Break() | ast.Continue():
            _left(context, node)
        case ast.Return():
            _returned(context, node)
        case ast.Expr(inner):
            _expression(context, inner)
        case ast.Assert(test):
            _required(context, test, node)
        case ast.Raise():
            _raised(context, node)
        case ast.Pass() | ast.AnnAssign(ast.Name(), value=None):
            pass
        case _:
            raise Refusal(node, _name(node), "use assignments, if, for, while, break, continue, yield and return")


def _assigned(context: Context, target: ast.expr, value: ast.expr, node: ast.stmt) -> None:
    """target = value, or several at once: all values are worked out first."""
    match target, value:
        case ast.Name(name), ast.List(elements) if name in context.lists:
            lists.started(context, name, node)
            for one in elements:
                lists.appended(context, name, one)
        case ast.Name(name), _:
            context.assign(names.own(context, name), evaluation.value(context, value), node)
            context.flow = context.here.with_value(name)
        case ast.Tuple(targets) | ast.List(targets), ast.Tuple(values) | ast.List(values) if len(targets) == len(
            values
        ):
            _unpacked(context, targets, values, node)
        case _:
            raise Refusal(target, f"an assignment to {ast.unparse(target)}", "assign to plain names")


def _assigned_together(context: Context, targets: list[ast.expr], value: ast.expr, node: ast.stmt) -> None:
    """a = b = value: the value is worked out once."""
    kept = f"value.{context.place(node)}"
    context.assign(kept, evaluation.value(context, value), node)
    for target in targets:
        if not isinstance(target, ast.Name) or target.id in context.lists:
            raise Refusal(target, f"an assignment to {ast.unparse(target)}", "assign to plain names")
        context.assign(names.own(context, target.id), context.read(kept), node)
        context.flow = context.here.with_value(target.id)


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
        context.assign(names.own(context, chosen[0]), chosen[1], node)
        context.flow = context.here.with_value(chosen[0])


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


def _augmented(context: Context, name: str, operator: ast.operator, value: ast.expr, node: ast.AugAssign) -> None:
    """name += value and the like."""
    if name in context.lists and isinstance(operator, ast.Add) and isinstance(value, ast.List):
        for one in value.elts:
            lists.appended(context, name, one)
        return
    before = evaluation.number(context, ast.copy_location(ast.Name(name, ast.Load()), node))
    full = ast.copy_location(ast.BinOp(ast.Name(name, ast.Load()), operator, value), node)
    found = arithmetic.combined(context, operator, before, evaluation.number(context, value), full)
    context.assign(names.own(context, name), found, node)


def _branch(context: Context, node: ast.If, rest: list[ast.stmt]) -> None:
    """if: what comes after it is read within each way where one of them may go on with the next round."""
    test = evaluation.condition(context, node.test)
    context.where(
        test, lambda: block(context, [*node.body, *rest]), lambda: block(context, [*node.orelse, *rest]), node.lineno
    )


def _goes_on(node: ast.stmt) -> bool:
    """Whether there is a `continue` of the loop around."""
    if isinstance(node, ast.If):
        return any(map(_goes_on, (*node.body, *node.orelse)))
    return isinstance(node, ast.Continue)


def _left(context: Context, node: ast.Break | ast.Continue) -> None:
    """break or continue."""
    frame = context.frames[-1]
    if isinstance(node, ast.Break):
        if frame.broke is not None:
            context.assign(frame.broke, TRUE, node)
        frame.leaks |= any(context.control)
        frame.breaks.append(context.here)
        context.write(Break())
    else:
        frame.backs.append(context.here)
    context.flow = None


def _returned(context: Context, node: ast.Return) -> None:
    """return: of a list that was released as it was made, of a new list, or of a value."""
    for frame in context.frames:
        frame.leaks |= any(context.control)
    elements = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value] if node.value else []
    places = [place for place, one in enumerate(elements) if _is_list(context, one)]
    shape = _shape(places[0], len(elements)) if places else "a value"
    if not context.generator:
        if context.shape not in (None, shape):
            raise Refusal(
                node, f"return of {shape} here and of {context.shape} elsewhere", "return one kind of thing everywhere"
            )
        context.shape = shape
        _released(context, node, elements, places)
    elif node.value is not None:
        raise Refusal(node, "return of a value in a function that yields", "yield it, then write return")
    context.write(Stop())
    context.flow = None


def _shape(place: int, size: int) -> str:
    """What is returned where one of the values is a list."""
    return "a list" if size == 1 else f"{size} values, number {place + 1} a list"


def _released(context: Context, node: ast.Return, elements: list[ast.expr], places: list[int]) -> None:
    """Writes what is released on return."""
    if not places:
        emissions.released(context, node.value or ast.copy_location(ast.Constant(None), node))
        return
    if len(places) > 1:
        raise Refusal(node, "return of two lists", "return one list, of pairs where it must be")
    listed = elements[places[0]]
    if isinstance(listed, ast.Name) and listed.id not in context.here.assigned:
        raise Refusal(listed, f"{listed.id} may have no value here", f"write {listed.id} = [] at the start")
    if isinstance(listed, ast.List):
        if context.here.emitted:
            raise Refusal(
                listed, "return of another list than the one that was appended to", "append to that list and return it"
            )
        for one in listed.elts:
            emissions.released(context, one)
    others = [one for one in elements if one is not listed]
    if others:
        emissions.written(context, [evaluation.value(context, one) for one in others], node)


def _is_list(context: Context, node: ast.expr) -> bool:
    """Whether it is a list that is returned."""
    return isinstance(node, ast.List) or (isinstance(node, ast.Name) and node.id in context.lists)


def _expression(context: Context, node: ast.expr) -> None:
    """A yield, an append, a docstring, or a value that nothing is done with."""
    match node:
        case ast.Yield(inner):
            emissions.released(context, inner or ast.copy_location(ast.Constant(None), node))
        case ast.Call(ast.Attribute(ast.Name(name), "append"), [value], []) if name in context.lists:
            lists.appended(context, name, value)
        case ast.Constant(str()):
            pass
        case _:
            evaluation.value(context, node)


def _required(context: Context, test: ast.expr, node: ast.Assert) -> None:
    """assert: of public values only."""
    found = evaluation.condition(context, test)
    if context.is_secret(found):
        raise Refusal(node, "assert of values that depend on data or draws", "assert public values only")
    context.require(found, f"{ast.unparse(test)} does not hold", node.lineno)


def _raised(context: Context, node: ast.Raise) -> None:
    """raise, where public values decide whether it is reached."""
    if any(context.control):
        raise Refusal(node, "raise where data or draws decide", "release a value instead")
    context.require(FALSE, "the program raises an exception", node.lineno)
    context.flow = None


def _name(node: ast.stmt) -> str:
    """What a statement is called."""
    names = {"FunctionDef": "a function within a function", "With": "with", "Try": "try", "Delete": "del"}
    return names.get(type(node).__name__, type(node).__name__.lower())
