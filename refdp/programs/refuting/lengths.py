"""Whether what a program does, or what is claimed of it, hangs on the number of data, and the numbers in its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refdp.programs.adjacency import LENGTH
from refdp.programs.syntax import Append, Assign, Branch, Claim, Draw, Emit, Look, Loop, Program, Statement
from refdp.terms.leaves import is_number, parts, variables
from refdp.terms.term import Term


def hangs_on_length(program: Program, claim: Claim) -> bool:
    """Whether the number of data matters other than as the end of a loop over them.

    If not, an output that needs fewer than all of the data is the same for those data alone.
    """
    said = tuple(one for one in (claim.epsilon, claim.delta, claim.rho, claim.where) if one is not None)
    return program.length in claim.given or LENGTH in variables(*said, *terms(program.body))


def numbers_of(program: Program, claim: Claim) -> list[int]:
    """The whole numbers in the text, those that the number of data is compared with among them."""
    said = [*terms(program.body), claim.where, *claim.given.values()]
    found = (part.rational for one in said for part in parts(one) if is_number(part))
    return sorted({int(value) for value in found if value.denominator == 1 and value >= 0})


def terms(body: Sequence[Statement]) -> Iterator[Term]:
    """What statements compute, compare and release, but for the limits of loops over the data."""
    for one in body:
        match one:
            case Assign(_, value) | Append(_, value):
                yield value
            case Draw(parameters=parameters):
                yield from parameters
            case Look(index=index):
                yield index
            case Branch(condition, yes, no):
                yield condition
                yield from terms(yes)
                yield from terms(no)
            case Loop(limit=limit, element=element, condition=condition, body=inner):
                if limit is not None and element is None:
                    yield limit
                yield condition
                yield from terms(inner)
            case Emit(items):
                yield from (item for item in items if isinstance(item, Term))
            case _:
                pass
