"""Builtins that build, walk through or choose from lists, dicts and sets.

Each takes the run first; its parameters are named as Python names them.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import cmp_to_key
from typing import Any

from refdp.sensitivities.language.concrete.failures import NoOutcome, Raised
from refdp.sensitivities.language.concrete.running import Run, guarded
from refdp.sensitivities.language.concrete.structures import binary, compared, put
from refdp.sensitivities.language.concrete.values import Library, is_iterable, is_number

NOWHERE = ast.Constant(None, lineno=1, col_offset=0)
"""A place for calls that the library makes."""
LESS = ast.Lt()
KINDS: Mapping[str, type] = {one.__name__: one for one in (bool, str, list, tuple, dict, set, frozenset, range)}
"""Kinds that are known by what they are here, but numbers."""
NOTHING = object()
"""Stands for an argument that was not given."""


def applied(run: Run, function: Any, *arguments: Any) -> Any:
    """function(*arguments), where None leaves a single argument as it is."""
    return arguments[0] if function is None else run.call(run, function, list(arguments), {}, NOWHERE)


def is_less(run: Run, a: Any, b: Any) -> bool:
    """a < b."""
    return compared(run, LESS, a, b)


def _len(run: Run, value: Any, /) -> int:
    if not is_iterable(value) or isinstance(value, Iterator):
        raise Raised("TypeError")
    return int(guarded(len, value))


def _range(run: Run, /, *bounds: Any) -> range:
    if not 1 <= len(bounds) <= 3:
        raise Raised("TypeError")
    found: range = guarded(range, *map(run.index, bounds))
    return found


def _sum(run: Run, iterable: Any, /, start: Any = 0) -> Any:
    """One after the other, as Python adds exact numbers and lists."""
    if isinstance(start, str):
        raise Raised("TypeError")
    for item in run.items(iterable):
        start = binary(run, "+", start, item)
    return start


def _extreme(better: Callable[[Run, Any, Any], bool]) -> Callable[..., Any]:
    """Min or max: the first of the best."""

    def result(run: Run, /, *arguments: Any, key: Any = None, default: Any = NOTHING) -> Any:
        if len(arguments) > 1 and default is not NOTHING:
            raise Raised("TypeError")
        items = run.items(arguments[0]) if len(arguments) == 1 else iter(arguments)
        best, value, empty = default, None, True
        for item in items:
            candidate = applied(run, key, item)
            if empty or better(run, candidate, value):
                best, value, empty = item, candidate, False
        if not arguments or best is NOTHING:
            raise Raised("ValueError" if arguments else "TypeError")
        return best

    return result


def ordered(run: Run, items: list[Any], key: Any, reverse: Any) -> list[Any]:
    """The items in order, equal ones as they stood."""
    keys = [(applied(run, key, item), item) for item in items]

    def compare(a: tuple[Any, Any], b: tuple[Any, Any]) -> int:
        run.budget.spend()
        return -1 if is_less(run, a[0], b[0]) else int(is_less(run, b[0], a[0]))

    if not isinstance(reverse, bool | int):
        raise NoOutcome("whether reverse= may be anything but true or false depends on the version of Python")
    return [item for _, item in sorted(keys, key=cmp_to_key(compare), reverse=bool(reverse))]


def _sorted(run: Run, iterable: Any, /, *, key: Any = None, reverse: Any = False) -> list[Any]:
    return ordered(run, run.listed(iterable), key, reverse)


def _reversed(run: Run, sequence: Any, /) -> Iterator[Any]:
    if isinstance(sequence, set | frozenset | Iterator) or not is_iterable(sequence):
        raise Raised("TypeError")
    return run.items(range(0)) if isinstance(sequence, range) and not sequence else iter(run.listed(sequence)[::-1])


def _enumerate(run: Run, iterable: Any, start: Any = 0) -> Iterator[Any]:
    return zip(itertools.count(run.index(start)), run.items(iterable), strict=False)


def _zip(run: Run, /, *iterables: Any, strict: Any = False) -> Iterator[Any]:
    return _zipped([run.items(i) for i in iterables], run.truth(strict))


def _zipped(walks: list[Iterator[Any]], strict: bool) -> Iterator[Any]:
    """Tuples; ValueError of the user's function where one walk is shorter and they must be equal."""
    while walks:
        found = []
        for place, walk in enumerate(walks):
            one = next(walk, NOTHING)
            if one is NOTHING:
                if strict and (place or any(next(w, NOTHING) is not NOTHING for w in walks[1:])):
                    raise Raised("ValueError")
                return
            found.append(one)
        yield tuple(found)


def _map(run: Run, function: Any, /, *iterables: Any) -> Iterator[Any]:
    walk = _zipped([run.items(i) for i in iterables], False)
    return (run.call(run, function, list(items), {}, NOWHERE) for items in walk)


def _filter(run: Run, function: Any, iterable: Any, /) -> Iterator[Any]:
    items = run.items(iterable)
    return (item for item in items if run.truth(applied(run, function, item)))


def made_set(run: Run, iterable: Any = (), /) -> set[Any]:
    """The set of the elements; TypeError of the user's function where one can be changed."""
    items = run.listed(iterable)
    run.budget.weigh(items)
    found: set[Any] = guarded(set, items)
    return found


def filled(run: Run, found: dict[Any, Any], iterable: Any, named: dict[str, Any]) -> dict[Any, Any]:
    """A dict with pairs and named values added."""
    for pair in iterable.items() if isinstance(iterable, dict) else run.items(iterable):
        parts = run.listed(pair)
        if len(parts) != 2:
            raise Raised("ValueError")
        put(run, found, *parts)
    found.update(named)
    return found


def _str(run: Run, value: Any = "", /) -> str:
    """Text of what is written alike in every arithmetic."""
    if isinstance(value, str | bool | int) or value is None:
        return str(value)
    raise NoOutcome("the text of such a value depends on how it is computed")


def _isinstance(run: Run, value: Any, kinds: Any, /) -> bool:
    """Kinds that are settled; NoOutcome where a whole number may be an int or a float, and of other kinds."""
    wanted = {one.name if isinstance(one, Library) else "" for one in (kinds if isinstance(kinds, tuple) else (kinds,))}
    if not wanted <= {*KINDS, "int", "float"}:
        raise NoOutcome("isinstance of other kinds than are known")
    if isinstance(value, bool):
        return bool(wanted & {"bool", "int"})
    if not is_number(value):
        return any(isinstance(value, kind) for name, kind in KINDS.items() if name in wanted)
    if {"int", "float"} <= wanted or not wanted & {"int", "float"}:
        return {"int", "float"} <= wanted
    raise NoOutcome("whether a number is an int or a float is not settled")


def _next(run: Run, iterator: Any, default: Any = NOTHING, /) -> Any:
    if not isinstance(iterator, Iterator):
        raise Raised("TypeError")
    found = next(iterator, default)
    if found is NOTHING:
        raise Raised("StopIteration")
    return found


BUILTINS: Mapping[str, Callable[..., Any]] = {
    "len": _len, "range": _range, "sum": _sum, "min": _extreme(is_less), "sorted": _sorted, "reversed": _reversed,
    "max": _extreme(lambda run, a, b: is_less(run, b, a)), "enumerate": _enumerate, "zip": _zip, "map": _map,
    "filter": _filter, "set": made_set, "str": _str, "isinstance": _isinstance, "next": _next,
    "list": lambda run, iterable=(), /: run.listed(iterable), "iter": lambda run, iterable, /: run.items(iterable),
    "tuple": lambda run, iterable=(), /: tuple(run.listed(iterable)),
    "frozenset": lambda run, iterable=(), /: frozenset(made_set(run, iterable)),
    "dict": lambda run, iterable=(), /, **named: filled(run, {}, iterable, named),
    "bool": lambda run, value=False, /: run.truth(value), "callable": lambda run, value, /: not is_number(value),
    "print": lambda run, /, *values, sep="", end="": None,
    "any": lambda run, iterable, /: any(run.truth(x) for x in run.items(iterable)),
    "all": lambda run, iterable, /: all(run.truth(x) for x in run.items(iterable)),
}  # fmt: skip
