"""An alignment in the words of a textbook proof: what is added to which noise and when, and what that costs.

d is what the element at hand changes by; a variable of the second run has a dash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from refdp.programs.checking.alignment import Alignment, Observation, Shift, observation
from refdp.programs.nulls import shared_steps
from refdp.programs.prose import expression, sentences
from refdp.programs.steps import END, Stepwise, inside
from refdp.programs.syntax import Branch, Choose, Claim, Draw, Program, Statement
from refdp.terms.leaves import FALSE, ZERO
from refdp.terms.term import Term

PLACES = re.compile(r"(data|other|change)\.(\d+)")
RUNS = re.compile(r"(.*)\.([12])")
WORDS = {"released.last": "output", "rest": "the greatest of the others", "budget.spent": "changed"}
"""What is called otherwise than in the proof."""
Texts = tuple[str, str | None]
"""A shift as text, and the one in the round whose number is released."""


def alignment_data(program: Program, claim: Claim, alignment: Alignment) -> dict[str, Any]:
    """An alignment as plain data: rows of the alignment table, charges and invariants."""
    steps = shared_steps(program, claim)
    return {
        "shifts": list(rows(steps, alignment)),
        "charges": list(charges(steps, alignment)),
        "invariants": [
            {"line": steps.loops[place - 1].line, "statements": sentences(one, called)}
            for place, one in sorted(alignment.invariants.items())
        ],
    }


def rows(steps: Stepwise, alignment: Alignment) -> Iterator[dict[str, Any]]:
    """The alignment table, draw by draw."""
    for one in draws(steps.program):
        seen = observations(steps, alignment, one.site)
        shifts = {observed: texts(alignment.shifts.get((one.site, observed)), one) for observed in seen}
        features = distinguishing(shifts)
        for usual, chosen in dict.fromkeys(shifts.values()):
            places = [o for o, found in shifts.items() if found == (usual, chosen)]
            words = dict.fromkeys(described(o, features, steps) for o in places)
            when = "or ".join(words) if len(set(shifts.values())) > 1 else "always"
            row = {"line": one.line, "draw": distribution(one), "when": when, "shift": usual}
            yield row if chosen is None else row | {"chosen": chosen}


def draws(program: Program) -> Iterator[Draw | Choose]:
    """The places where a program draws, in order."""
    for top in program.body:
        for one in (top, *inside(top)):
            if isinstance(one, Draw | Choose):
                yield one


def observations(steps: Stepwise, alignment: Alignment, site: int) -> list[Observation]:
    """What is seen of the steps that draw at a place."""
    drawing = (s for s in steps.steps if any(d.site == site for d in s.path.drawn))
    return list(dict.fromkeys(observation(s, alignment.shown) for s in drawing))


def texts(shift: Shift | None, one: Draw | Choose) -> Texts:
    """A shift as text."""
    if shift is None:
        return "nothing", None
    usual = added(shift.usual)
    chosen = None if shift.chosen is None else added(shift.chosen)
    return usual, None if chosen == usual else chosen


def added(shift: Term) -> str:
    """What is added, in words where it is nothing or a flip."""
    if shift in (ZERO, FALSE) or (shift.operator == "number" and shift.value == 0):
        return "nothing"
    return f"flipped if {spoken(shift)}" if shift.sort == "Bool" else spoken(shift)


def distinguishing(shifts: Mapping[Observation, Texts]) -> tuple[str, ...]:
    """The fewest parts of what is seen that say which shift is made."""
    for features in (("released",), ("target",), ("shown",), ("released", "target"), ("released", "shown")):
        found: dict[tuple[Any, ...], Texts] = {}
        if all(found.setdefault(tuple(getattr(o, f) for f in features), s) == s for o, s in shifts.items()):
            return features
    return "released", "shown", "target"


def described(seen: Observation, features: Sequence[str], steps: Stepwise) -> str:
    """What is seen of a step, in words."""
    words = []
    if "released" in features:
        emitted = ", ".join(one for items in seen.released for one in items)
        words.append(f"{emitted.replace('Real', 'a number').replace('Int', 'an integer') or 'nothing'} is released")
    if "shown" in features:
        lines = {one.number: one.line for one in branches(steps.program)}
        words += [f"line {lines[n]} {'holds' if way else 'does not hold'}" for n, way in seen.shown]
    if "target" in features:
        onwards = "goes on" if seen.target == seen.source else "ends" if seen.target == END else "leaves the loop"
        words.append(f"it {onwards}")
    return " and ".join(words)


def branches(program: Program) -> Iterator[Branch]:
    """The branches of a program."""
    statements: Iterator[Statement] = (s for top in program.body for s in (top, *inside(top)))
    yield from (one for one in statements if isinstance(one, Branch))


def distribution(one: Draw | Choose) -> str:
    """A draw as it is written."""
    if isinstance(one, Choose):
        return f"choice({one.weights})"
    return f"{one.family}({', '.join(map(spoken, one.parameters))})"


def charges(steps: Stepwise, alignment: Alignment) -> Iterator[dict[str, Any]]:
    """What each group of draws may lose: its rate times what its weighted shifts add up to."""
    lines = {one.site: one.line for one in draws(steps.program)}
    for g, group in enumerate(alignment.groups):
        charged = [(s, w) for s, (place, w) in alignment.charges.items() if place == g]
        yield {
            "name": f"cost{g}",
            "rate": spoken(group.rate),
            "at_most": spoken(group.bound),
            "draws": [{"line": lines[site], "weight": str(weight)} for site, weight in charged],
        }


def spoken(term: Term) -> str:
    """A term for a reader."""
    return expression(term, called)


def length(name: str) -> str:
    """A variable by its name; that of a number of elements as Python writes it."""
    return f"len({name.removesuffix('.len')})" if name.endswith(".len") else name


def called(name: str) -> str:
    """What a name of the proof is called: x and x' for an element and the neighbour's, d for their difference."""
    if found := PLACES.fullmatch(name):
        place = "" if found[2] == "0" else f"_{int(found[2]) + 1}"
        return f"d{place}" if found[1] == "change" else f"x{place}{chr(39) * (found[1] == 'other')}"
    if (found := RUNS.fullmatch(name)) and found[1] != "cost":
        return f"{WORDS.get(found[1], length(found[1]))}{chr(39) * (found[2] == '2')}"
    return WORDS.get(name, name.replace("cost.", "cost").removesuffix(".loop"))
