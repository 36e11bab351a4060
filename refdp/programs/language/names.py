"""Names: variables, public parameters, constants of the file, and functions of the file that are one expression."""

from __future__ import annotations

import ast

from refdp.logic.terms import variable
from refdp.programs.adjacency import LENGTH
from refdp.programs.language import expressions
from refdp.programs.language.context import Context, Kinds
from refdp.programs.language.errors import Refusal
from refdp.programs.language.module import Module
from refdp.programs.language.values import Value
from refdp.programs.syntax import Data

TAKEN = frozenset({str(LENGTH.value), "draw", "data", "other", "others", "public", "cost", "rest", "change"})
"""Names that conditions use for something else, by themselves or with a number after a dot."""
KINDS = {
    "ListComp": "a list comprehension",
    "GeneratorExp": "a generator",
    "List": "a list",
    "Dict": "a dictionary",
    "Set": "a set",
    "Tuple": "a tuple",
    "Lambda": "lambda",
    "Subscript": "an index into something other than the data",
    "Attribute": "an attribute",
    "JoinedStr": "an f-string",
    "NamedExpr": ":=",
    "Yield": "the value of yield",
    "YieldFrom": "yield from",
    "Await": "await",
    "Starred": "*",
    "Slice": "a slice",
}
"""What nodes are called that are not read."""


def kind(node: ast.AST) -> str:
    """What a node is called."""
    return KINDS.get(type(node).__name__, type(node).__name__)


def named(context: Context, name: str, node: ast.Name) -> Value:
    """What a name is worth."""
    if context.bound is not None:
        return context.bound[name] if name in context.bound else _outer(context, name, node)
    if name in context.lists:
        uses = "only append to it, return it, or take max, min, sum, len, argmax or choice of it"
        raise Refusal(node, "a list made here" if "." in name else f"the list {name} here", uses)
    if is_data(context, name):
        raise Refusal(node, f"the data {name} as a whole", f"write for x in {name}: ...")
    if name in context.locals:
        if name not in context.here.assigned:
            raise Refusal(node, f"{name} may have no value here", f"write {name} = ... on every way that leads here")
        return context.read(own(context, name))
    if name in context.parameters:
        return context.parameters[name]
    if name == context.data.name:
        return variable(datum(context.data), context.data.sort)
    return _outer(context, name, node)


def _outer(context: Context, name: str, node: ast.Name) -> Value:
    """What a name of the file is worth."""
    if name not in context.module.constants:
        raise Refusal(node, f"the name {name}", "use parameters, variables, and numbers named at the top of the file")
    return constant(context.module, name, node)


def constant(module: Module, name: str, node: ast.AST) -> Value:
    """The value of a constant of the file, in which no parameter is known."""
    context = Context(module, Data("", True), {}, frozenset(), {}, Kinds())
    found = expressions.value(context, module.constants[name])
    if context.block:
        raise Refusal(node, f"the constant {name}, which draws or may raise an exception", "use numbers there")
    return found


def own(context: Context, name: str) -> str:
    """What a variable is called in the program: T.own where the parameter T is assigned."""
    taken = {*context.parameters, context.data.name, *TAKEN}
    return f"{name}.own" if name in taken else name


def datum(data: Data) -> str:
    """What data that are one number are called in the program."""
    return f"{data.name}.read" if data.name in TAKEN else data.name


def is_data(context: Context, name: str) -> bool:
    """Whether a name stands for data that are a list."""
    return context.bound is None and name == context.data.name and context.data.is_list


def is_list(context: Context, name: str) -> bool:
    """Whether a name stands for a list that is made by the function."""
    return context.bound is None and name in context.lists


def is_local(context: Context, name: str) -> bool:
    """Whether a name stands for a variable or a parameter, and so for no function."""
    if context.bound is not None:
        return name in context.bound
    return name in context.locals or name in context.parameters or name == context.data.name


def inlined(context: Context, function: ast.FunctionDef, node: ast.Call) -> Value:
    """The value of a function of the file that is one expression, at the values of its arguments."""
    body = [one for one in function.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    parameters = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    plain = not (function.args.vararg or function.args.kwarg or function.args.kwonlyargs or function.decorator_list)
    match body:
        case [ast.Return(ast.expr() as returned)] if plain and len(context.calls) < 8:
            if node.keywords or len(node.args) != len(parameters):
                raise Refusal(node, f"{function.name} with other arguments", f"give it {len(parameters)}, one by one")
            bound = dict(zip(parameters, [expressions.value(context, one) for one in node.args], strict=True))
            kept = context.bound, context.calls
            context.bound, context.calls = bound, (*context.calls, (node.lineno, node.col_offset))
            found = expressions.value(context, returned)
            context.bound, context.calls = kept
            return found
    raise Refusal(node, f"a call of {function.name}", "write its statements here, or make it one return expression")
