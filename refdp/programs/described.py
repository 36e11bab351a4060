"""What a verdict about a program takes for granted, in words: neighbours, parameters, outputs, and the text itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from refdp.logic.digests import digest
from refdp.programs.adjacency import NEAR, Relation, within
from refdp.programs.syntax import Claim, Program
from refdp.terms.leaves import TRUE
from refdp.terms.term import Sort, Term

COMPARED = "outputs are compared by value: 1 and 1.0 are one output"
NUMBERS: dict[Sort, str] = {"Int": "any whole number", "Real": "any number", "Bool": "True or False"}
MOVES = {NEAR: "changes by at most 1", within(0, 1): "rises by at most 1", within(-1, 0): "falls by at most 1"}


def described(program: Program, claim: Claim) -> dict[str, Any]:
    """What neighbours are, what is assumed of each name, how outputs are compared, and the digest of the file."""
    return {
        "neighbours": neighbours(program, claim),
        "assumed": list(assumptions(program, claim)),
        "outputs": COMPARED,
        "digest": digest(program.source),
    }


def sentence(program: Program, claim: Claim) -> str:
    """The same in one line."""
    said = described(program, claim)
    assumed = [", ".join(said["assumed"])] if said["assumed"] else []
    return "; ".join((said["neighbours"], *assumed, COMPARED, f"text {said['digest']}"))


def neighbours(program: Program, claim: Claim) -> str:
    """Which data are neighbours."""
    if claim.adjacency.edits:
        return "; or ".join(map(_edited, claim.adjacency.parts))
    start = "both have the same number of elements, of which " if program.data.is_list else ""
    parts = [_related(part, program.data.is_list) for part in claim.adjacency.parts]
    return start + "; or ".join(parts) + (", in this direction only" if claim.adjacency.one_direction else "")


def _related(part: Relation, is_list: bool) -> str:
    """What holds of neighbours by one part."""
    said = str(part.related).replace("element.old", "old").replace("element.new", "new")
    each = "each" if is_list else "it"
    found = [f"{each} {MOVES[part.related]}" if part.related in MOVES else f"for {each}: {said}"]
    if part.changed is not None:
        found.append(f"at most {part.changed} of them may change")
    if part.total is not None:
        found.append(f"the sum of abs(new - old) is at most {part.total}")
    if part.squares is not None:
        found.append(f"the sum of (new - old)^2 is at most {part.squares}")
    return ", ".join(found)


def _edited(part: Relation) -> str:
    """Which list has elements that the other lacks."""
    count = "one element" if part.changed == 1 else f"at most {part.changed} elements"
    change = {"added": "more than the old one", "removed": "less than the old one",
              "either": "added or removed, seen from the old one"}[part.edit or "either"]  # fmt: skip
    others = "elements that both have" if part.edit == "either" or part.changed != 1 else "the others"
    return f"the new list has {count} {change}, anywhere and whatever it is; {others} are the same, in the same order"


def assumptions(program: Program, claim: Claim) -> Iterator[str]:
    """What holds of each public parameter, by its name, its annotation or the claim."""
    for name, sort in program.parameters.items():
        if name in claim.given:
            yield f"{name} = {claim.given[name]}"
        else:
            yield f"{name} is {NUMBERS[sort]}"
    if program.length is not None:
        yield f"{program.length} is the number of elements"
    conditions = dict.fromkeys((*_conjuncts(program.assumption), *_conjuncts(claim.where)))
    yield from (str(one) for one in conditions if not _is_given(one, claim))


def _conjuncts(condition: Term) -> tuple[Term, ...]:
    """The statements that a condition is made of."""
    if condition is TRUE:
        return ()
    return condition.arguments if condition.operator == "all_of" else (condition,)


def _is_given(condition: Term, claim: Claim) -> bool:
    """Whether it speaks only of a parameter whose value is given."""
    return any(str(condition) in (f"0 < {name}", f"1 <= {name}") for name in claim.given)
