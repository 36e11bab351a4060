"""Which variables statements read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from refdp.programs.syntax import Append, Assign, Branch, Draw, Emit, Look, Loop, Require, Statement
from refdp.terms.leaves import variables
from refdp.terms.term import Term


def reads(body: Iterable[Statement]) -> Iterator[str]:
    """The variables that are read, once for each statement."""
    for one in body:
        for term in terms_of(one):
            yield from (str(v.value) for v in variables(term))
        if isinstance(one, Branch):
            yield from reads((*one.yes, *one.no))
        elif isinstance(one, Loop):
            yield from reads(one.body)


def terms_of(one: Statement) -> Iterable[Term]:
    """The terms of a statement, those of the statements within it left out."""
    match one:
        case Assign(_, value) | Append(_, value):
            return (value,)
        case Draw(_, _, parameters):
            return parameters
        case Look(_, index):
            return (index,)
        case Branch(condition) | Require(condition):
            return (condition,)
        case Loop(_, limit, _, _, condition):
            return (condition,) if limit is None else (limit, condition)
        case Emit(items):
            return [item for item in items if isinstance(item, Term)]
    return ()
