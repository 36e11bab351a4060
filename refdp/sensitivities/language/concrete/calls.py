"""What a call does: a function of the source, of the library, or a method."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from refdp.sensitivities.language.concrete.failures import NoOutcome, Raised
from refdp.sensitivities.language.concrete.functions import call_scope
from refdp.sensitivities.language.concrete.library import LIBRARY
from refdp.sensitivities.language.concrete.methods import method
from refdp.sensitivities.language.concrete.running import DEEPEST, Run, guarded
from refdp.sensitivities.language.concrete.statements import execute
from refdp.sensitivities.language.concrete.values import (
    Callback,
    Exceptional,
    Function,
    Library,
    Method,
    is_iterable,
    is_number,
)


def call(run: Run, function: Any, arguments: Sequence[Any], named: Mapping[str, Any], node: ast.AST) -> Any:
    """function(*arguments, **named)."""
    run.budget.spend()
    if isinstance(function, Function):
        return _source_call(run, function, arguments, named)
    if isinstance(function, Library):
        return _library_call(run, function.name, arguments, named, node)
    if isinstance(function, Method):
        return method(run, function, arguments, named, node)
    if isinstance(function, Callback):
        return function.function(*arguments)
    if isinstance(function, Exceptional) and function.is_class:
        return Exceptional(function.name, False)
    raise Raised("TypeError")


def _source_call(run: Run, function: Function, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """The body in a scope of its own."""
    scope = call_scope(function, arguments, named)
    run.depth += 1
    if run.depth > DEEPEST:
        raise NoOutcome(f"more than {DEEPEST} calls within one another")
    try:
        end = execute(run, scope, function.body)
    finally:
        run.depth -= 1
    return None if end is None else end.value


def _library_call(run: Run, name: str, arguments: Sequence[Any], named: Mapping[str, Any], node: ast.AST) -> Any:
    """A function of the arithmetic if it has one of that name, else one of the interpreter."""
    name = name.removeprefix("builtins.")
    numeric = run.arithmetic.calls.get(name)
    if numeric is not None and not (name == "sum" and not _sums_numbers(arguments)):
        return _numeric_call(run, name, numeric, arguments, named, node)
    if name not in LIBRARY:
        raise run.unsupported(node, f"a call of {name}")
    _check(run, LIBRARY[name], (run, *arguments), named, node)
    return LIBRARY[name](run, *arguments, **named)


def _sums_numbers(arguments: Sequence[Any]) -> bool:
    """Whether sum is asked for numbers rather than lists."""
    return len(arguments) == 1 or is_number(arguments[1])


def _numeric_call(
    run: Run, name: str, function: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any], node: ast.AST
) -> Any:
    """A function of numbers and of lists of numbers."""
    plain = [_plain(run, a) for a in arguments]
    keywords = {key: _plain(run, a) for key, a in named.items()}
    _check(run, function, plain, keywords, node)
    try:
        return guarded(function, *plain, **keywords)
    except Raised as raised:
        if name.startswith("numpy.") and raised.name in ("TypeError", "AttributeError"):
            raise run.unsupported(node, f"{name} of these values") from None
        raise


def _plain(run: Run, value: Any) -> Any:
    """An iterable as a list."""
    if isinstance(value, dict) or not is_iterable(value) or isinstance(value, str):
        return value
    return run.listed(value)


def _check(
    run: Run, function: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any], node: ast.AST
) -> None:
    """Unsupported where the function is not known to take these arguments."""
    if not _takes(function, len(arguments), tuple(named)):
        raise run.unsupported(node, "a call with these arguments")


@lru_cache(maxsize=10_000)
def _takes(function: Callable[..., Any], count: int, names: tuple[str, ...]) -> bool:
    """Whether a function takes so many arguments and ones of these names; True where Python does not tell."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind(*[None] * count, **dict.fromkeys(names))
    except TypeError:
        return False
    return True
