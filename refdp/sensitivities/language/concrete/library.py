"""Functions of collections, itertools, functools, operator and bisect; and all that are no function of numbers."""

from __future__ import annotations

import bisect
import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from refdp.sensitivities.language.concrete.builtin_library import BUILTINS, NOTHING, NOWHERE, filled, ordered
from refdp.sensitivities.language.concrete.failures import NoOutcome, Raised
from refdp.sensitivities.language.concrete.running import Run, guarded
from refdp.sensitivities.language.concrete.structures import LONGEST, binary, subscript
from refdp.sensitivities.language.concrete.values import Callback, Exceptional, Function, Library, Method

CALLABLE = (Function, Library, Method, Callback, Exceptional)


def _counter(run: Run, iterable: Any = None, /) -> Counter[Any]:
    if iterable is None:
        return Counter()
    if isinstance(iterable, dict):
        return Counter(iterable)
    items = run.listed(iterable)
    run.budget.weigh(items)
    found: Counter[Any] = guarded(Counter, items)
    return found


def _defaultdict(run: Run, default: Any = None, iterable: Any = (), /) -> dict[Any, Any]:
    if default is not None and not isinstance(default, CALLABLE):
        raise Raised("TypeError")
    factory = None if default is None else lambda: run.call(run, default, [], {}, NOWHERE)
    return filled(run, defaultdict(factory), iterable, {})


def _accumulate(run: Run, iterable: Any, func: Any = None, *, initial: Any = None) -> Iterator[Any]:
    """Running sums, or what the function makes of them."""
    items = run.items(iterable)
    found = initial if initial is not None else next(items, NOTHING)
    while found is not NOTHING:
        yield found
        item = next(items, NOTHING)
        if item is NOTHING:
            return
        found = binary(run, "+", found, item) if func is None else run.call(run, func, [found, item], {}, NOWHERE)


def _reduce(run: Run, function: Any, iterable: Any, initial: Any = NOTHING, /) -> Any:
    items = run.items(iterable)
    found = next(items, NOTHING) if initial is NOTHING else initial
    if found is NOTHING:
        raise Raised("TypeError")
    for item in items:
        found = run.call(run, function, [found, item], {}, NOWHERE)
    return found


def _islice(run: Run, iterable: Any, /, *bounds: Any) -> Iterator[Any]:
    """Python looks at the bounds first, and has one exception for whatever they may not be."""
    places = []
    for bound in bounds:
        try:
            places.append(None if bound is None else run.index(bound))
        except Raised:
            raise Raised("ValueError") from None
    guarded(itertools.islice, iter(()), *places)
    found: Iterator[Any] = itertools.islice(run.items(iterable), *places)
    return found


def _combinations(run: Run, iterable: Any, r: Any) -> Iterator[Any]:
    found: Iterator[Any] = guarded(itertools.combinations, run.listed(iterable), run.index(r))
    return found


def _product(run: Run, /, *iterables: Any, repeat: Any = 1) -> Iterator[Any]:
    times = run.index(repeat)
    if times < 0:
        raise Raised("ValueError")
    pools = [run.listed(i) for i in iterables] if times else []
    if len(pools) * times > LONGEST:
        raise NoOutcome("a product of so many lists")
    return itertools.product(*pools, repeat=times)


def _pairwise(run: Run, iterable: Any, /) -> Iterator[Any]:
    return itertools.pairwise(run.items(iterable))


def _chain(run: Run, /, *iterables: Any) -> Iterator[Any]:
    return (item for iterable in iterables for item in run.items(iterable))


def _itemgetter(run: Run, /, *keys: Any) -> Callback:
    if len(keys) == 1:
        return Callback(lambda value: subscript(run, value, keys[0]))
    return Callback(lambda value: tuple(subscript(run, value, key) for key in keys))


def _bisect(function: Callable[..., int]) -> Callable[..., Any]:
    """A place in a sorted list."""

    def result(run: Run, a: Any, x: Any, /) -> int:
        run.budget.weigh(a)
        return int(guarded(function, a, x))

    return result


def _fromkeys(run: Run, iterable: Any, value: Any = None, /) -> dict[Any, Any]:
    """A dict with one value for all keys."""
    return filled(run, {}, ((key, value) for key in run.items(iterable)), {})


def _first(reverse: bool) -> Callable[..., Any]:
    """The largest or the smallest, in order."""

    def result(run: Run, n: Any, iterable: Any, key: Any = None) -> list[Any]:
        most, items = run.index(n), run.listed(iterable)
        return ordered(run, items, key, reverse)[:most] if most > 0 else []

    return result


LIBRARY: Mapping[str, Callable[..., Any]] = {
    **BUILTINS,
    "collections.Counter": _counter, "collections.defaultdict": _defaultdict,
    "collections.OrderedDict": BUILTINS["dict"],
    "dict.fromkeys": _fromkeys,
    "heapq.nlargest": _first(True),
    "heapq.nsmallest": _first(False),
    "itertools.accumulate": _accumulate, "itertools.pairwise": _pairwise, "itertools.chain": _chain,
    "itertools.islice": _islice, "itertools.combinations": _combinations, "itertools.product": _product,
    "itertools.chain.from_iterable": lambda run, x, /: (item for part in run.items(x) for item in run.items(part)),
    "functools.reduce": _reduce, "operator.itemgetter": _itemgetter, "bisect.bisect": _bisect(bisect.bisect_right),
    "bisect.bisect_left": _bisect(bisect.bisect_left), "bisect.bisect_right": _bisect(bisect.bisect_right),
    "operator.add": lambda run, a, b, /: binary(run, "+", a, b),
    "operator.mul": lambda run, a, b, /: binary(run, "*", a, b),
    "operator.sub": lambda run, a, b, /: binary(run, "-", a, b),
}  # fmt: skip
