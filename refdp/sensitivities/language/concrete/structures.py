"""Operators on lists, tuples, dicts, sets and text, and comparisons of anything: as Python has them, step by step."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from refdp.sensitivities.language.concrete.arithmetic import PLAIN
from refdp.sensitivities.language.concrete.failures import NoOutcome, Raised
from refdp.sensitivities.language.concrete.running import Run, guarded
from refdp.sensitivities.language.concrete.values import NOT_DATA, is_iterable, is_number
from refdp.sensitivities.language.numpy_numbers import numpy_of

BINARY: Mapping[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip


LONGEST = 1_000_000
"""Longest text or list that `*` makes."""


def binary(run: Run, symbol: str, a: Any, b: Any) -> Any:
    """a symbol b."""
    if is_number(a) and is_number(b):
        try:
            return guarded(run.arithmetic.operate, symbol, a, b)
        except Raised:
            if numpy_of(run.source).aliases:  # whose numbers are divided by 0 without an exception
                raise NoOutcome("numpy's numbers and Python's own raise differently") from None
            raise
    if symbol == "*" and (isinstance(a, str | list | tuple) or isinstance(b, str | list | tuple)):
        return _repeated(run, a, b)
    if symbol == "%" and isinstance(a, str):
        raise NoOutcome("text formatted with %")
    if symbol == "|" and (isinstance(a, NOT_DATA) or isinstance(b, NOT_DATA)):
        raise NoOutcome("a union of types")
    for one in (a, b):
        if is_iterable(one):
            run.budget.weigh(one)
    return guarded(PLAIN[symbol], a, b)


def in_place(run: Run, symbol: str, a: Any, b: Any) -> Any:
    """a symbol= b: lists, dicts and sets change themselves."""
    if isinstance(a, list) and symbol == "+":
        a.extend(run.listed(b))
        return a
    if isinstance(a, list) and symbol == "*":
        a[:] = _repeated(run, a, b)
        return a
    if isinstance(a, dict) and symbol == "|":
        return guarded(operator.ior, a, b if isinstance(b, dict) else run.listed(b))
    if isinstance(a, set) and isinstance(b, set | frozenset) and symbol in ("|", "&", "-", "^"):
        found = binary(run, symbol, a, b)
        a.clear()
        a.update(found)
        return a
    return binary(run, symbol, a, b)


def unary(run: Run, symbol: str, a: Any) -> Any:
    """-a, +a or ~a."""
    if not is_number(a):
        raise Raised("TypeError")
    return guarded(run.arithmetic.operate, symbol, a)


def _repeated(run: Run, a: Any, b: Any) -> Any:
    """A list, tuple or text, several times."""
    several, times = (a, b) if isinstance(a, str | list | tuple) else (b, a)
    if not is_number(times):
        raise Raised("TypeError")
    count = max(0, run.index(times))
    if len(several) * count > LONGEST:
        raise NoOutcome(f"a list has more than {LONGEST} elements")
    run.budget.spend(len(several) * count)
    return several * count


def compared(run: Run, operation: ast.cmpop, a: Any, b: Any) -> bool:
    """A comparison, membership or identity."""
    if isinstance(operation, ast.In | ast.NotIn):
        return contains(run, b, a) is isinstance(operation, ast.In)
    if isinstance(operation, ast.Is | ast.IsNot):
        return _identical(a, b) is isinstance(operation, ast.Is)
    for one in (a, b):
        if is_iterable(one):
            run.budget.weigh(one)
    return run.truth(guarded(COMPARE[type(operation)], a, b))


def _identical(a: Any, b: Any) -> bool:
    """Whether they are one object; NoOutcome where Python leaves that open."""
    if a is None or b is None or isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list | dict | set) or isinstance(b, list | dict | set):
        return a is b
    raise NoOutcome("whether two equal values are one object is left open by Python")


def contains(run: Run, container: Any, value: Any) -> bool:
    """value in container."""
    if not is_iterable(container):
        raise Raised("TypeError")
    if isinstance(container, range):
        if isinstance(value, Fraction):
            return value.denominator == 1 and int(value) in container
        return isinstance(value, int) and value in container
    if isinstance(container, list | tuple | dict | set | frozenset | str):
        run.budget.weigh(value)
        if not isinstance(container, dict | set | frozenset):
            run.budget.weigh(container)
        return bool(guarded(operator.contains, container, value))
    return any(bool(one is value or one == value) for one in run.items(container))


def subscript(run: Run, value: Any, key: Any) -> Any:
    """value[key]."""
    if isinstance(value, dict):
        run.budget.weigh(key)
        return guarded(operator.getitem, value, key)
    if isinstance(value, NOT_DATA):
        raise NoOutcome("what a type has in square brackets is no element")
    if not isinstance(value, list | tuple | str | range):
        raise Raised("TypeError")
    if isinstance(key, slice):
        run.budget.spend(len(value) if not isinstance(value, range) else 1)
        return guarded(operator.getitem, value, key)
    return guarded(operator.getitem, value, run.index(key) if is_number(key) else key)


def store(run: Run, value: Any, key: Any, new: Any) -> None:
    """value[key] = new."""
    if isinstance(value, dict):
        run.budget.weigh(key)
        guarded(operator.setitem, value, key, new)
    elif isinstance(value, list) and isinstance(key, slice):
        run.budget.spend(len(value))
        guarded(operator.setitem, value, key, run.listed(new))
    elif isinstance(value, list):
        guarded(operator.setitem, value, run.index(key) if is_number(key) else key, new)
    else:
        raise Raised("TypeError")


def delete_item(run: Run, value: Any, key: Any) -> None:
    """Del value[key]."""
    if not isinstance(value, list | dict):
        raise Raised("TypeError")
    run.budget.weigh(key)
    guarded(operator.delitem, value, run.index(key) if isinstance(value, list) and is_number(key) else key)


def put(run: Run, found: dict[Any, Any], key: Any, value: Any) -> None:
    """found[key] = value."""
    run.budget.weigh(key)
    try:
        found[key] = value
    except TypeError:
        raise Raised("TypeError") from None
