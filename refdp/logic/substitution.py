"""A term with some of what is within it replaced: made anew, and so simplified."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from refdp.logic.functions import exponential, logarithm, modulo, power, root
from refdp.logic.operations import (
    add,
    at_most,
    choice,
    conjunction,
    disjunction,
    divide,
    equal,
    floor,
    less,
    multiply,
    negation,
    real,
)
from refdp.logic.terms import Term, make, parts

REBUILD: Mapping[str, Callable[..., Term]] = {
    "+": add, "*": multiply, "/": divide, "floor": floor, "real": real, "root": root, "<": less, "<=": at_most,
    "=": equal, "not": negation, "and": conjunction, "or": disjunction, "ite": choice,
    "exp": exponential, "ln": logarithm, "power": power, "mod": modulo,
}  # fmt: skip
"""What makes the term of each operator from its arguments."""


def substitute(term: Term, mapping: Mapping[Term, Term]) -> Term:
    """The term with variables (or other terms) replaced, made anew and so simplified."""
    return substituted(term, mapping, {})


def substituted(term: Term, mapping: Mapping[Term, Term], found: dict[Term, Term]) -> Term:
    """The same, where `found` keeps what became of each part, for other terms with the same mapping."""
    for part in parts(term, found):
        if part in mapping:
            found[part] = mapping[part]
        elif part.arguments:
            found[part] = _rebuilt(part, tuple([found[a] for a in part.arguments]))
        else:
            found[part] = part
    return found[term]


def _rebuilt(part: Term, arguments: tuple[Term, ...]) -> Term:
    """The term of the same operator with other arguments; "apply" is an unknown predicate, named by its value."""
    if part.operator == "apply":
        return make("apply", part.sort, *arguments, value=part.value)
    return REBUILD[part.operator](*arguments)
