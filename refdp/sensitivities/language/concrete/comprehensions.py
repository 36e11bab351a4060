"""What comprehensions and generators yield, one after the other."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from refdp.sensitivities.language.concrete.failures import Raised
from refdp.sensitivities.language.concrete.running import Run
from refdp.sensitivities.language.concrete.scopes import Scope, bound_names
from refdp.sensitivities.language.concrete.targets import Evaluate, assign

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def generated(run: Run, scope: Scope, node: Comprehension, evaluate: Evaluate) -> Iterator[Any]:
    """The elements, pairs for a dict; the first iterable is evaluated at once, around the comprehension."""
    inner = Scope(bound_names(g.target for g in node.generators), scope, is_comprehension=True)

    def element() -> Any:
        if isinstance(node, ast.DictComp):
            key = evaluate(run, inner, node.key)
            return key, evaluate(run, inner, node.value)
        return evaluate(run, inner, node.elt)

    first = run.items(evaluate(run, scope, node.generators[0].iter))
    return _walk(run, inner, node.generators, element, first, evaluate)


def _walk(
    run: Run,
    scope: Scope,
    generators: list[ast.comprehension],
    element: Callable[[], Any],
    items: Iterator[Any],
    evaluate: Evaluate,
) -> Iterator[Any]:
    """The elements for each item of the first generator."""
    one, *rest = generators
    if one.is_async:
        raise run.unsupported(one.target, "an async comprehension")
    for item in items:
        assign(run, scope, one.target, item, evaluate)
        if all(run.truth(evaluate(run, scope, condition)) for condition in one.ifs):
            if not rest:
                yield element()
            else:
                inner = run.items(evaluate(run, scope, rest[0].iter))
                yield from _walk(run, scope, rest, element, inner, evaluate)


def lazily(items: Iterator[Any]) -> Iterator[Any]:
    """What a generator yields: StopIteration within it is a RuntimeError."""
    try:
        yield from items
    except Raised as raised:
        raise Raised("RuntimeError" if raised.name == "StopIteration" else raised.name) from None
