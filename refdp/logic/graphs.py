"""Walks over a term: its parts, its variables, and the term with some of them replaced."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping

from refdp.logic.functions import exponential, logarithm, modulo, power
from refdp.logic.terms import (
    Term,
    add,
    at_most,
    choice,
    conjunction,
    disjunction,
    divide,
    equal,
    floor,
    less,
    make,
    multiply,
    negation,
    real,
    root,
)

REBUILD: Mapping[str, Callable[..., Term]] = {
    "+": add, "*": multiply, "/": divide, "floor": floor, "real": real, "root": root, "<": less, "<=": at_most,
    "=": equal, "not": negation, "and": conjunction, "or": disjunction, "ite": choice,
    "exp": exponential, "ln": logarithm, "power": power, "mod": modulo,
}  # fmt: skip
"""What makes the term of each operator from its arguments."""


def parts(term: Term, known: Container[Term] = ()) -> Iterator[Term]:
    """Every different term within `term`, arguments before what is made of them, but for what is `known`."""
    seen: set[Term] = set()
    waiting = [(term, False)]
    while waiting:
        one, ready = waiting.pop()
        if ready:
            yield one
        elif one not in seen and one not in known:
            seen.add(one)
            waiting.append((one, True))
            waiting += [(a, False) for a in one.arguments if a not in seen]


def variables(*terms: Term) -> tuple[Term, ...]:
    """The variables within the terms, each once, in order of appearance."""
    return tuple(dict.fromkeys(part for term in terms for part in parts(term) if part.operator == "variable"))


def substitute(term: Term, mapping: Mapping[Term, Term]) -> Term:
    """The term with variables (or other terms) replaced, made anew and so simplified."""
    return substituted(term, mapping, {})


def substituted(term: Term, mapping: Mapping[Term, Term], found: dict[Term, Term]) -> Term:
    """The same, where `found` keeps what became of each part, for other terms with the same mapping."""
    for part in parts(term, found):
        if part in mapping:
            found[part] = mapping[part]
        elif part.arguments:
            found[part] = _rebuilt(part, tuple(found[a] for a in part.arguments))
        else:
            found[part] = part
    return found[term]


def _rebuilt(part: Term, arguments: tuple[Term, ...]) -> Term:
    """The term of the same operator with other arguments; "apply" is an unknown predicate, named by its value."""
    if part.operator == "apply":
        return make("apply", part.sort, *arguments, value=part.value)
    return REBUILD[part.operator](*arguments)
