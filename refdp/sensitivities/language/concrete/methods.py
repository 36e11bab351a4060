"""Methods of lists, dicts, sets, texts and numbers."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from refdp.sensitivities.language.concrete.builtin_library import NOWHERE, filled, ordered
from refdp.sensitivities.language.concrete.failures import NoOutcome, Raised
from refdp.sensitivities.language.concrete.method_names import PLAIN, QUICK, kind_of
from refdp.sensitivities.language.concrete.running import Run, guarded
from refdp.sensitivities.language.concrete.structures import binary, put
from refdp.sensitivities.language.concrete.values import Library, Method, is_number


def method(run: Run, bound: Method, arguments: Sequence[Any], named: Mapping[str, Any], node: ast.AST) -> Any:
    """value.name(*arguments, **named)."""
    value, name = bound.value, bound.name
    kind = kind_of(value)
    special = SPECIAL.get((kind, name)) if kind is not None else None
    if special is not None:
        return guarded(special, run, value, *arguments, **named)
    if kind is not None and name in PLAIN[kind] and not named:
        return _plain(run, value, name, arguments)
    if is_number(value) and name == "is_integer" and isinstance(value, Fraction):
        return value.denominator == 1
    raise run.unsupported(node, f"the method {name}")


def _plain(run: Run, value: Any, name: str, arguments: Sequence[Any]) -> Any:
    """A method as Python has it."""
    if name not in QUICK:
        run.budget.weigh(value)
    if name not in ("append", "items", "keys", "values"):
        run.budget.weigh(list(arguments))
    if isinstance(value, str | tuple) and any(isinstance(a, Fraction) for a in arguments):
        raise NoOutcome(f"{name} with a number that may be a float")
    if isinstance(value, list) and name in ("insert", "index"):
        arguments = [run.index(a) if is_number(a) and i != (name == "insert") else a for i, a in enumerate(arguments)]
    return guarded(getattr(value, name), *arguments)


def _list_pop(run: Run, value: list[Any], index: Any = -1) -> Any:
    return value.pop(run.index(index))


def _list_sort(run: Run, value: list[Any], *, key: Any = None, reverse: Any = False) -> None:
    value[:] = ordered(run, list(value), key, reverse)


def _list_extend(run: Run, value: list[Any], iterable: Any) -> None:
    value.extend(run.listed(iterable))


def _dict_update(run: Run, value: dict[Any, Any], iterable: Any = (), **named: Any) -> None:
    if isinstance(value, Counter):
        pairs = iterable.items() if isinstance(iterable, dict) else ((key, 1) for key in run.items(iterable))
        for key, number in (*pairs, *named.items()):
            put(run, value, key, binary(run, "+", value.get(key, 0), number))
        return
    value.update(filled(run, {}, iterable, named))


def _dict_setdefault(run: Run, value: dict[Any, Any], key: Any, default: Any = None) -> Any:
    run.budget.weigh(key)
    if key not in value:
        put(run, value, key, default)
    return value[key]


def _most_common(run: Run, value: dict[Any, Any], n: Any = None) -> list[Any]:
    """The most frequent, the first seen where equally frequent."""
    if not isinstance(value, Counter):
        raise Raised("AttributeError")
    run.budget.weigh(value)
    return value.most_common(None if n is None else run.index(n))


def _total(run: Run, value: dict[Any, Any]) -> Any:
    if not isinstance(value, Counter):
        raise Raised("AttributeError")
    return run.call(run, Library("sum"), [list(value.values())], {}, NOWHERE)


def _merged(operation: str) -> Callable[..., Any]:
    """A method of sets that takes any iterables."""

    def result(run: Run, value: Any, *others: Any) -> Any:
        run.budget.weigh(value)
        return getattr(value, operation)(*[run.listed(other) for other in others])

    return result


def _join(run: Run, value: str, iterable: Any) -> str:
    parts = run.listed(iterable)
    run.budget.weigh([parts, *[value for _ in parts]])
    return value.join(parts)


def _unsettled(run: Run, value: Any, *rest: Any) -> Iterator[Any]:
    raise NoOutcome("which element of a set is taken first is left open by Python")


SPECIAL: Mapping[tuple[type, str], Callable[..., Any]] = {
    (list, "pop"): _list_pop,
    (list, "sort"): _list_sort,
    (list, "extend"): _list_extend,
    (dict, "update"): _dict_update,
    (dict, "setdefault"): _dict_setdefault,
    (dict, "most_common"): _most_common,
    (dict, "total"): _total,
    (set, "pop"): _unsettled,
    (str, "join"): _join,
    **{
        (kind, name): _merged(name)
        for kind in (set, frozenset)
        for name in ("union", "intersection", "difference", "symmetric_difference")
    },
    **{
        (set, f"{name}update"): _merged(f"{name}update")
        for name in ("", "intersection_", "difference_", "symmetric_difference_")
    },
}
