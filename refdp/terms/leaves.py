"""Terms with a sort: what they are made of, and what stands within them.  The work is counted."""

from __future__ import annotations

from collections.abc import Container, Iterator
from fractions import Fraction

from refdp.terms.term import Sort, Term
from refdp.work import step


def make(operator: str, sort: Sort, *arguments: Term, value: Fraction | bool | str | None = None) -> Term:
    """The one term with these parts, as it stands: nothing is simplified."""
    step()
    return Term(operator, arguments, value, sort)


def integer(value: int) -> Term:
    """A whole number."""
    return make("number", "Int", value=Fraction(value))


def rational(value: Fraction | int) -> Term:
    """A real number."""
    return make("number", "Real", value=Fraction(value))


def truth(value: bool) -> Term:
    """True or false."""
    return make("truth", "Bool", value=value)


TRUE, FALSE, ZERO = truth(True), truth(False), integer(0)


def variable(name: str, sort: Sort) -> Term:
    """A variable; its name is made of letters, digits, `_`, `.` and `!`."""
    return make("name", sort, value=name)


def is_number(term: Term) -> bool:
    """Whether it is constant."""
    return term.operator == "number"


def parts(term: Term, known: Container[Term] = ()) -> Iterator[Term]:
    """Every different term within `term`, arguments before what is made of them, but for what is `known`."""
    seen: set[Term] = set()
    waiting: list[Term | None] = [term]
    while waiting:
        one = waiting.pop()
        if one is None:  # after which stands a term whose arguments are done
            step()
            yield waiting.pop()  # type: ignore[misc]
        elif one not in seen and one not in known:
            seen.add(one)
            if one.arguments:
                waiting += (one, None, *one.arguments)
            else:
                step()
                yield one


def variables(*terms: Term) -> tuple[Term, ...]:
    """The variables within the terms, each once, in order of appearance."""
    if len(terms) == 1:
        return _variables(terms[0])
    return tuple(dict.fromkeys(one for term in terms for one in _variables(term)))


def _variables(term: Term) -> tuple[Term, ...]:
    """The variables within a term, which keeps them; the work that is counted is the same each time."""
    kept = term.within
    if kept is None:
        found: list[Term] = []
        seen: set[Term] = set()
        waiting = [term]
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                waiting += one.arguments
                if one.operator == "name":
                    found.append(one)
        kept = tuple(found), len(seen)
        if term.arguments:  # a variable that kept itself would never go
            object.__setattr__(term, "within", kept)
    step(kept[1])
    return kept[0]
