"""What names are worth: variables, public parameters, constants of the file, and its functions of one expression."""

from __future__ import annotations

import ast

from refdp.programs.language import evaluation, names
from refdp.programs.language.context import Context, Kinds
from refdp.programs.language.errors import Refusal
from refdp.programs.language.values import Value
from refdp.programs.syntax import Data
from refdp.terms.leaves import variable


def named(context: Context, name: str, node: ast.Name) -> Value:
    """What a name is worth."""
    if context.bound is not None:
        return context.bound[name] if name in context.bound else _outer(context, name, node)
    if name in context.lists:
        uses = "only append to it, return it, or take max, min, sum, len, argmax or choice of it"
        raise Refusal(node, "a list made here" if "." in name else f"the list {name} here", uses)
    if names.is_data(context, name):
        raise Refusal(node, f"the data {name} as a whole", f"write for x in {name}: ...")
    if name in context.locals:
        if name not in context.here.assigned:
            raise Refusal(node, f"{name} may have no value here", f"write {name} = ... on every way that leads here")
        return context.read(names.own(context, name))
    if name in context.parameters:
        return context.parameters[name]
    if name == context.data.name:
        return variable(names.datum(context.data), context.data.sort)
    return _outer(context, name, node)


def _outer(context: Context, name: str, node: ast.Name) -> Value:
    """What a name of the file is worth."""
    if name not in context.module.constants:
        raise Refusal(node, f"the name {name}", "use parameters, variables, and numbers named at the top of the file")
    return _constant(context, name, node)


def _constant(around: Context, name: str, node: ast.AST) -> Value:
    """The value of a constant of the file, in which no parameter is known."""
    context = Context(around.evaluate, around.module, Data("", True), {}, frozenset(), {}, Kinds())
    found = evaluation.value(context, around.module.constants[name])
    if context.block:
        raise Refusal(node, f"the constant {name}, which draws or may raise an exception", "use numbers there")
    return found


def inlined(context: Context, function: ast.FunctionDef, node: ast.Call) -> Value:
    """The value of a function of the file that is one expression, at the values of its arguments."""
    body = [one for one in function.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    parameters = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    plain = not (function.args.vararg or function.args.kwarg or function.args.kwonlyargs or function.decorator_list)
    match body:
        case [ast.Return(ast.expr() as returned)] if plain and len(context.calls) < 8:
            if node.keywords or len(node.args) != len(parameters):
                raise Refusal(node, f"{function.name} with other arguments", f"give it {len(parameters)}, one by one")
            bound = dict(zip(parameters, [evaluation.value(context, one) for one in node.args], strict=True))
            kept = context.bound, context.calls
            context.bound, context.calls = bound, (*context.calls, (node.lineno, node.col_offset))
            found = evaluation.value(context, returned)
            context.bound, context.calls = kept
            return found
    raise Refusal(node, f"a call of {function.name}", "write its statements here, or make it one return expression")
