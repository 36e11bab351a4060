"""Which public terms are surely positive: those made of positive ones by + * / and by choices."""

from __future__ import annotations

from refdp.logic.terms import Term, is_number, number


def is_positive(term: Term, assumption: Term) -> bool:
    """Whether the term is > 0 wherever the assumption on the public parameters holds, as far as is plain."""
    return _is_positive(term, _positive(assumption))


def _is_positive(term: Term, known: set[Term]) -> bool:
    if is_number(term):
        return number(term) > 0
    if term in known or term.operator in ("exp", "power"):
        return term in known or term.operator == "exp" or _is_positive(term.arguments[0], known)
    if term.operator in ("+", "*", "/", "real"):
        return all(_is_positive(one, known) for one in term.arguments)
    return term.operator == "ite" and all(_is_positive(one, known) for one in term.arguments[1:])


def _positive(assumption: Term) -> set[Term]:
    """What the assumption says is positive: 0 < a, or c <= a with c > 0."""
    found = set()
    for part in assumption.arguments if assumption.operator == "and" else (assumption,):
        if part.operator in ("<", "<=") and is_number(part.arguments[0]):
            least = number(part.arguments[0])
            if least > 0 or (least == 0 and part.operator == "<"):
                found.add(part.arguments[1])
    return found
