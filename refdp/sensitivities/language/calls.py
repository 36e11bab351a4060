"""Calls: functions of the file are read in place, Python's own by the tables, methods by what they are called on."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping
from typing import Any

from refdp.sensitivities.language.expressions import kept
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.scope import locals_of, not_builtin, refuse_generator
from refdp.sensitivities.language.source import Unsupported
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import DEAD, Closure, Dead, Infinity, Named, Unbound, Value, join
from refdp.terms.leaves import FALSE, TRUE, is_number
from refdp.terms.term import Term

DEEPEST = 12
"""How deep functions of the file may call each other."""


def call_expression(x: Reader, state: State, node: ast.Call) -> Value:
    """function(arguments) or value.method(arguments)."""
    if any(isinstance(one, ast.Starred) for one in node.args) or any(one.arg is None for one in node.keywords):
        raise x.unsupported(node, "a starred argument", "write the arguments one by one")
    if isinstance(node.func, ast.Attribute):
        receiver = x.value(state, node.func.value)
        if not isinstance(receiver, Named) or receiver.path in TYPES:
            return _method(x, state, node, node.func.attr, receiver)
    function = x.value(state, node.func)
    arguments, keywords = _arguments(x, state, node)
    return reached(x, state, lambda s: call(x, s, function, arguments, keywords, node))


def reached(x: Reader, state: State, read: Callable[[State], Value]) -> Value:
    """The value of a call, which has no effect where reading its arguments raised."""
    if not x.catching:
        return read(state)
    found: list[Value] = [DEAD]
    x.unless_stopped(state, lambda s: found.append(read(s)))
    return found[-1]


TYPES = ("str", "dict", "list", "int", "float")


def _arguments(x: Reader, state: State, node: ast.Call) -> tuple[list[Value], dict[str, Value]]:
    """The values of the arguments, from left to right."""
    arguments = [x.value(state, one) for one in node.args]
    return arguments, {str(one.arg): x.value(state, one.value) for one in node.keywords}


def _method(x: Reader, state: State, node: ast.Call, name: str, receiver: Value) -> Value:
    """value.name(arguments)."""
    arguments, keywords = _arguments(x, state, node)
    meaning = x.methods.get(name)
    if meaning is None:
        raise x.unsupported(node, f"the method .{name}()", "write it with loops and conditions")

    def one(s: State, value: Value) -> Value:
        if isinstance(value, Dead):
            return value
        found: Value = meaning(x, s, value, arguments, keywords, node)
        return found

    return reached(x, state, lambda s: x.each(s, receiver, one))


def call(
    x: Reader, state: State, function: Value, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> Value:
    """function(*arguments, **keywords)."""
    if isinstance(function, Closure):
        return _inlined(x, state, function, [kept(x, one, node) for one in arguments], keywords, node)
    if isinstance(function, Named):
        meaning = x.calls.get(function.path)
        if meaning is None:
            raise x.unsupported(node, f"the function {function.path}", "write it with loops and conditions")
        found: Value = meaning(x, state, arguments, keywords, node)
        return found
    if isinstance(function, Dead):
        return function
    raise x.unsupported(node, "a call of this value", "call a function by its name")


def closure(x: Reader, state: State, node: ast.FunctionDef | ast.Lambda) -> Closure:
    """The function that a definition makes, where it stands: defaults are worked out now, and once.

    What a lambda reads of a lambda around it is kept too: later calls of that one have other parameters.
    """
    values = {name: x.value(state, default) for name, default in defaults(node).items()}
    fixed = {name: value for name, value in values.items() if _is_constant(value)}
    for name in sorted((_free(node) & x.within) - fixed.keys()):
        fixed[name] = state.names[name]
        if not _is_constant(fixed[name]):
            raise x.unsupported(node, f"a function that reads {name} of a lambda around it", "pass it as an argument")
    return Closure(node, x.frame, x.scopes, tuple(fixed.items()))


def not_constant(x: Reader, default: ast.expr) -> Unsupported:
    """A default that is made once, and may be another in a later call."""
    return x.unsupported(default, "a default that is not a constant", "write None and make it in the function")


def _is_constant(value: Value) -> bool:
    """Whether a value is the same for every table, and cannot be changed."""
    if isinstance(value, tuple):
        return all(map(_is_constant, value))
    if isinstance(value, Term):
        return is_number(value) or value is TRUE or value is FALSE
    return value is None or isinstance(value, str | Infinity | Named)


def _free(definition: ast.FunctionDef | ast.Lambda) -> set[str]:
    """The names that the body of a function may read from around it."""
    body = definition.body if isinstance(definition, ast.FunctionDef) else [definition.body]
    read = {one.id for part in body for one in ast.walk(part) if isinstance(one, ast.Name)}
    return read - set(parameter_names(definition)) - locals_of(definition)


def _inlined(
    x: Reader, state: State, function: Closure, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> Value:
    """A function of the file, read with these arguments."""
    definition = function.node
    name = definition.name if isinstance(definition, ast.FunctionDef) else "<lambda>"
    if name != "<lambda>" and name in x.stack or len(x.stack) >= DEEPEST:
        raise x.unsupported(node, f"{name}, which calls itself", "write a loop")
    if function.frame not in (0, x.frame):
        raise x.unsupported(node, "a function of another function", "define it at the top of the file")
    refuse_generator(x, definition)
    if isinstance(definition, ast.Lambda):
        _same_scope(x, function, definition, node)
        if function.frame and (_free(definition) - dict(function.fixed).keys()) & x.within:
            raise x.unsupported(node, "a lambda that reads a name of the lambda that calls it", "choose other names")
    inner = _bindings(x, state, function, arguments, keywords, node)
    if inner is None:
        return DEAD
    outer, flags = state.names, (state.returned, state.answer, state.broke, state.continued)
    is_inner = isinstance(definition, ast.Lambda) and function.frame != 0
    frame, x.frame = x.frame, x.frame if is_inner else _new_frame(x)
    within, x.within = x.within, x.within | set(parameter_names(definition)) if is_inner else frozenset()
    if isinstance(definition, ast.Lambda) and not is_inner:
        x.within = frozenset(parameter_names(definition))
    state.names, state.returned, state.answer, state.broke, state.continued = inner, FALSE, DEAD, FALSE, FALSE
    x.stack.append(name)
    if isinstance(definition, ast.Lambda):
        found = kept(x, x.value(state, definition.body), node)
    else:
        x.block(state, definition.body)
        found = join(state.returned, state.answer, None)
    x.stack.pop()
    x.frame, x.within = frame, within
    state.names, (state.returned, state.answer, state.broke, state.continued) = outer, flags
    return found


def _same_scope(x: Reader, function: Closure, definition: ast.Lambda, node: ast.AST) -> None:
    """Refuses a lambda that reads a name which means something else where it is called: a target of a comprehension."""
    read = {one.id for one in ast.walk(definition.body) if isinstance(one, ast.Name)} - set(parameter_names(definition))
    for scope in set(x.scopes) ^ set(function.scopes):
        if read & scope[1]:
            raise x.unsupported(node, "a lambda that reads a name of a comprehension", "choose other names")


def _new_frame(x: Reader) -> int:
    """The number of a new call."""
    x.frames += 1
    return x.frames


def _bindings(
    x: Reader, state: State, function: Closure, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> dict[str, Value] | None:
    """The names at the start of the call; None where the arguments do not fit."""
    definition = function.node
    wanted, by_place = parameters(x, definition), [one.arg for one in definition.args.args]
    given: dict[str, Value] = dict(zip(by_place, arguments, strict=False))
    if len(arguments) > len(by_place) or given.keys() & keywords.keys() or keywords.keys() - set(wanted):
        raise x.unsupported(node, "a call whose arguments do not fit", "give each parameter one argument")
    given |= keywords
    given = {**dict(function.fixed), **given}
    for name, default in defaults(definition).items():
        if name not in given:
            raise not_constant(x, default)
    if set(wanted) - given.keys():
        raise x.unsupported(node, "a call whose arguments do not fit", "give each parameter one argument")
    inherited = dict(state.names) if function.frame == x.frame and function.frame != 0 else {}
    if inherited and isinstance(definition, ast.FunctionDef) and _shares(definition, inherited):
        raise x.unsupported(node, "a function that reads the names of the function around it", "pass them as arguments")
    own: dict[str, Value] = {name: Unbound(name) for name in sorted(locals_of(definition))}
    return {**(inherited if isinstance(definition, ast.Lambda) else {}), **own, **given}


def _shares(definition: ast.FunctionDef, names: dict[str, Value]) -> bool:
    """Whether a function within a function reads names of the outer one."""
    return bool(_free(definition) & names.keys())


def parameter_names(definition: ast.FunctionDef | ast.Lambda) -> list[str]:
    """The names of all parameters."""
    arguments = definition.args
    return [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def parameters(x: Reader, definition: ast.FunctionDef | ast.Lambda) -> list[str]:
    """The names of the parameters, none of which is starred or a builtin."""
    if definition.args.vararg or definition.args.kwarg or definition.args.posonlyargs:
        raise x.unsupported(definition, "a starred parameter", "name each parameter")
    found = parameter_names(definition)
    for name in found:
        not_builtin(x, name, definition)
    return found


def defaults(definition: ast.FunctionDef | ast.Lambda) -> dict[str, ast.expr]:
    """The default of each parameter that has one."""
    arguments = definition.args
    positional = [*arguments.posonlyargs, *arguments.args]
    found = dict(
        zip(
            [one.arg for one in positional][len(positional) - len(arguments.defaults) :],
            arguments.defaults,
            strict=True,
        )
    )
    found |= {
        one.arg: default
        for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    }
    return found


def member(x: Reader, named: Named, node: ast.AST) -> Value:
    """A constant or a function of a module."""
    if named.path in ("math.inf", "numpy.inf"):
        return Infinity(False)
    if named.path in x.calls or named.path.endswith("Error"):
        return named
    of = named.path.rpartition(".")[0]
    if of in x.calls or hasattr(builtins, of):
        raise x.unsupported(node, f"the attribute {named.path} of a function", "call functions by their names")
    if named.path in ("math.pi", "math.e", "math.tau", "math.nan", "numpy.pi", "numpy.e", "numpy.nan"):
        raise x.unsupported(node, f"{named.path}, which is not rational", "write the decimal that you mean")
    return named


MEANINGS: Mapping[type[ast.AST], Callable[..., Any]] = {ast.Call: call_expression}
