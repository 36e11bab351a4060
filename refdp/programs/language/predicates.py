"""Adjacencies that users write: a function of two elements that says whether they are related."""

from __future__ import annotations

import ast

from refdp.logic.asking import valid
from refdp.programs.adjacency import NEW, OLD, Adjacency, Relation
from refdp.programs.language import evaluation, expressions
from refdp.programs.language.context import Context, Kinds
from refdp.programs.language.errors import Refusal
from refdp.programs.language.module import Module
from refdp.programs.syntax import Data
from refdp.terms.leaves import TRUE, parts
from refdp.terms.operations import choice, conjunction, substitute
from refdp.terms.term import Term

UNKNOWN = frozenset({"exp", "ln", "**", "mod"})
"""Operators of which neither solvers nor the exact evaluation of elements know."""
SECONDS = 2.0
"""For asking whether a relation is symmetric."""


def adjacency(name: str, parts: tuple[Relation, ...]) -> Adjacency:
    """The adjacency, of one direction unless the relation is surely symmetric."""
    return Adjacency(name, parts, one_direction=not all(_is_symmetric(part.related) for part in parts))


def _is_symmetric(related: Term) -> bool:
    """Whether elements that are related are so the other way round."""
    reverse = substitute(related, {OLD: NEW, NEW: OLD})
    return reverse is related or valid("z3", (related,), reverse, SECONDS).verdict == "unsat"


def is_reflexive(related: Term) -> bool:
    """Whether elements that are related to others are surely related to themselves: they may stay."""
    same = conjunction(substitute(related, {NEW: OLD}), substitute(related, {OLD: NEW}))
    return same is TRUE or valid("z3", (related,), same, SECONDS).verdict == "unsat"


def predicate(function: ast.FunctionDef, module: Module, elements: tuple[Term, Term]) -> Term:
    """What a function of two elements says of them."""
    names = [one.arg for one in function.args.args]
    others = (function.args.vararg, function.args.kwarg, *function.args.kwonlyargs, *function.args.posonlyargs)
    if len(names) != 2 or any(others) or function.decorator_list:
        raise Refusal(
            function, f"{function.name} as an adjacency", "write a function of two elements: def near(x, y): return ..."
        )
    local = frozenset(n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    if local & set(names):
        raise Refusal(function, "an assignment to an element", "give the variable another name")
    context = Context(
        expressions.evaluated, module, Data("", True), dict(zip(names, elements, strict=True)), local, {}, Kinds()
    )
    found = _statement(context, function.body, function)
    if any(True for one in context.block if type(one).__name__ != "Assign"):
        raise Refusal(
            function, f"{function.name}, which draws or may raise an exception", "compare the two elements only"
        )
    if UNKNOWN & {part.operator for part in parts(found)}:
        raise Refusal(function, f"{function.name}, which takes exp, log or a power", "compare sums of the two elements")
    return found


def _statement(context: Context, nodes: list[ast.stmt], function: ast.FunctionDef) -> Term:
    """What statements return."""
    match nodes:
        case [ast.Return(ast.expr() as value), *_]:
            return evaluation.condition(context, value)
        case [ast.If(test, body, orelse), *rest]:
            decided, before = evaluation.condition(context, test), context.here
            yes = _statement(context, [*body, *rest], function)
            context.flow = before
            return choice(decided, yes, _statement(context, [*orelse, *rest], function))
        case [ast.Assign([ast.Name(name)], value), *rest]:
            context.assign(name, evaluation.value(context, value), nodes[0])
            return _statement(context, rest, function)
        case [ast.Expr(ast.Constant()), *rest]:
            return _statement(context, rest, function)
    raise Refusal(
        nodes[0] if nodes else function, "this in an adjacency", "write assignments, if and return of a condition"
    )
