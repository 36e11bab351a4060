"""Values that are likely to show a violation: bounds, constants of the source and their neighbours, labels."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from refdp.sensitivities.language.concrete.module_names import bindings
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.limits import upper_bound
from refdp.sensitivities.records import Category, Concrete, Kind, Missing, Number
from refdp.sensitivities.tables import belongs, key
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import parts
from refdp.terms.term import Term, Value

MOST_CONSTANTS = 12
MOST_RECORDS = 400
"""Most records that are looked at before the first of them are taken."""


def constants(source: Source, values: Mapping[str, Concrete], *more: Term | None) -> list[Fraction]:
    """Numbers of the function, of its parameters, and of terms such as the claim; the smallest first."""
    found = {Fraction(v) for v in values.values() if isinstance(v, Fraction)}
    for term in more:
        if term is not None:
            found |= {part.value for part in parts(term) if isinstance(part.value, Fraction)}
    for tree in relevant(source):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
                text = repr(node.value)
                if len(text) < 40 and text not in ("inf", "nan", "True", "False"):
                    found.add(Fraction(text))
    return sorted(found, key=lambda c: (abs(c), c))[:MOST_CONSTANTS]


@lru_cache(maxsize=100)
def relevant(source: Source) -> tuple[ast.AST, ...]:
    """The function, and what it uses of its module, directly or not."""
    found: dict[ast.AST, None] = {source.tree: None}
    waiting: list[ast.AST] = [source.tree]
    known = bindings(source).places
    while waiting:
        for node in ast.walk(waiting.pop()):
            for place in known.get(node.id, ()) if isinstance(node, ast.Name) else ():
                if place not in found:
                    found[place] = None
                    waiting.append(place)
    return tuple(found)


@lru_cache(maxsize=100)
def text_of(source: Source) -> str:
    """The text of what is relevant."""
    return "\n".join(map(ast.unparse, relevant(source)))


def has_roots(source: Source) -> bool:
    """Whether the function may take square roots."""
    return any(word in text_of(source) for word in ("sqrt", "0.5", "hypot", "norm", "dist"))


def records(kind: Kind, source: Source, values: Mapping[Term, Value], known: Sequence[Fraction]) -> list[Concrete]:
    """Declared records, the more interesting first."""
    found = list(itertools.islice(_records(kind, source, values, known), MOST_RECORDS))
    distinct = {key(record): record for record in found if belongs(record, kind, values)}
    return list(distinct.values())


def _records(kind: Kind, source: Source, values: Mapping[Term, Value], known: Sequence[Fraction]) -> Iterator[Concrete]:
    """Records, some of which may not be as declared."""
    if isinstance(kind, Number):
        yield from _numbers(kind, source, values, known)
    elif isinstance(kind, Category):
        yield from (Fraction(x) if isinstance(x, int) and not isinstance(x, bool) else x for x in kind.labels)
    elif isinstance(kind, Missing):
        first, *rest = list(_records(kind.kind, source, values, known)) or [None]
        yield from (first, None, *rest)
    else:
        choices = [_field(name, inner, source, values, known) for name, inner in kind.kinds]
        is_tuple = all(isinstance(name, int) for name, _ in kind.kinds)
        for parts in diagonal(choices):
            yield tuple(parts) if is_tuple else {str(n): p for (n, _), p in zip(kind.kinds, parts, strict=True)}


def _field(
    name: str | int, kind: Kind, source: Source, values: Mapping[Term, Value], known: Sequence[Fraction]
) -> list[Concrete]:
    """Values of one field; one is enough for a field that the file does not mention."""
    found = records(kind, source, values, known)
    return found[:1] if isinstance(name, str) and name not in text_of(source) else found


def diagonal(choices: Sequence[Sequence[Concrete]]) -> Iterator[tuple[Concrete, ...]]:
    """All combinations, those of early values first."""
    if not all(choices):
        return
    for rank in range(sum(len(c) - 1 for c in choices) + 1):
        yield from _of_rank(choices, rank)


def _of_rank(choices: Sequence[Sequence[Concrete]], rank: int) -> Iterator[tuple[Concrete, ...]]:
    """The combinations whose places add up to the rank."""
    if len(choices) == 1:
        if rank < len(choices[0]):
            yield (choices[0][rank],)
        return
    for place in range(min(rank, len(choices[0]) - 1) + 1):
        for rest in _of_rank(choices[1:], rank - place):
            yield (choices[0][place], *rest)


def _numbers(
    kind: Number, source: Source, values: Mapping[Term, Value], known: Sequence[Fraction]
) -> Iterator[Fraction]:
    """Bounds, 0, 1, -1, the middle, constants and what lies just beside them."""
    ends = [e for e in (_bound(kind.lower, values), _bound(kind.upper, values)) if e is not None]
    yield from ends[::-1]
    yield Fraction(0)
    extremes = [known[-1], -known[-1], 2 * known[-1], -2 * known[-1]] if known else []
    yield from extremes if len(ends) < 2 else ()
    yield from (Fraction(1), Fraction(-1))
    size = max(map(abs, ends), default=Fraction(5))
    if has_roots(source):
        yield from (size * Fraction(a, 5) for a in (3, 4, -3, -4))
    if len(ends) == 2:
        yield (ends[0] + ends[1]) / 2
    yield from _around(kind, known)
    yield from (e + step for e in ends for step in (Fraction(1), Fraction(-1), Fraction(1, 2), Fraction(-1, 2)))
    if len(ends) < 2:
        yield from map(Fraction, (10, -10, 1000, -1000))
    yield from (Fraction(2), Fraction(1, 2), Fraction(3))
    if len(ends) == 2:
        yield from ((3 * a + b) / 4 for a, b in (ends, ends[::-1]))
    yield from (-constant for constant in known)


def _around(kind: Number, known: Sequence[Fraction]) -> Iterator[Fraction]:
    """Constants, and what lies just beside them."""
    for constant in known:
        yield from (constant, constant + 1, constant - 1)
        if not kind.is_integer:
            yield from (constant + Fraction(1, 2), constant - Fraction(1, 2))


def _bound(term: Term | None, values: Mapping[Term, Value]) -> Fraction | None:
    """The bound where it is rational."""
    if term is None:
        return None
    try:
        return Fraction(evaluate(term, values))
    except ArithmeticError:
        return upper_bound(term, values)
