"""Statements: what each statement of Python becomes."""

from __future__ import annotations

import ast

from refdp.programs.language import emissions, evaluation, lists, loops
from refdp.programs.language.assignments import assigned, assigned_together, augmented
from refdp.programs.language.context import Context
from refdp.programs.language.errors import Refusal
from refdp.programs.syntax import Break, Stop
from refdp.terms.leaves import FALSE, TRUE


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
            assigned(context, target, value, node)
        case ast.Assign(targets, value):
            assigned_together(context, targets, value, node)
        case ast.AnnAssign(ast.Name(), value=ast.expr() as value):
            assigned(context, node.target, value, node)
        case ast.AugAssign(ast.Name(name), operator, value):
            augmented(context, name, operator, value, node)
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
