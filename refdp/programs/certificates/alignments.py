"""Alignments as JSON, and back: only over the names that the program has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refdp.logic.strict_json import Forged, Json, entries, exact, insist, items, text_of, whole
from refdp.programs.adjacency import LENGTH
from refdp.programs.checking.alignment import (
    OTHERS,
    OUTPUT,
    REST,
    SEEN,
    SPENT,
    Alignment,
    Group,
    Observation,
    Others,
    Shift,
    WeightList,
)
from refdp.programs.execution import SORTS
from refdp.programs.steps import Stepwise
from refdp.terms.leaves import variable
from refdp.terms.smtlib import read, written
from refdp.terms.term import Term


def alignment_json(found: Alignment) -> Json:
    """An alignment as JSON."""
    return {
        "shifts": [
            {
                "site": str(site),
                "seen": observation_json(seen),
                "usual": written(one.usual),
                "chosen": optional(one.chosen),
            }
            for (site, seen), one in found.shifts.items()
        ],
        "groups": [{"rate": written(one.rate), "bound": written(one.bound)} for one in found.groups],
        "charges": {str(site): [str(group), str(weight)] for site, (group, weight) in found.charges.items()},
        "lists": {n: [str(one.group), str(one.low), str(one.high)] for n, one in found.lists.items()},
        "shown": sorted(map(str, found.shown)),
        "item": None if found.item is None else str(found.item),
        "others": found.others and {"loop": str(found.others.loop), "value": written(found.others.value)},
        "invariants": {str(place): written(one) for place, one in found.invariants.items()},
    }


def alignment_of(found: Json, known: Mapping[str, Term]) -> Alignment:
    """The alignment that JSON stands for, over the known names."""
    shifts, groups, charges, lists, shown, item, others, invariants = entries(
        found, "shifts", "groups", "charges", "lists", "shown", "item", "others", "invariants"
    )
    rates = [entries(one, "rate", "bound") for one in items(groups)]
    charged = {whole(site): triple(one, 2) for site, one in fields(charges)}
    spreads = {name: triple(one, 3) for name, one in fields(lists)}
    for place, *_ in (*charged.values(), *spreads.values()):
        insist(0 <= whole(place) < len(rates), "a charge must name one of the groups")
    return Alignment(
        dict(shift_of(one, known) for one in items(shifts)),
        tuple(Group(term(rate, known), term(bound, known)) for rate, bound in rates),
        {site: (whole(group), exact(weight)) for site, (group, weight) in charged.items()},
        {name: WeightList(whole(group), exact(low), exact(high)) for name, (group, low, high) in spreads.items()},
        frozenset(map(whole, items(shown))),
        None if item is None else whole(item),
        None if others is None else others_of(others, known),
        {whole(place): term(one, known) for place, one in fields(invariants)},
    )


def shift_of(found: Json, known: Mapping[str, Term]) -> tuple[tuple[int, Observation], Shift]:
    """A shift, and where it is made."""
    site, seen, usual, chosen = entries(found, "site", "seen", "usual", "chosen")
    shift = Shift(term(usual, known), None if chosen is None else term(chosen, known))
    return (whole(site), observation_of(seen)), shift


def observation_json(seen: Observation) -> Json:
    """What is seen of a step as JSON."""
    return {
        "source": str(seen.source),
        "target": str(seen.target),
        "released": list(map(list, seen.released)),
        "shown": [[str(number), way] for number, way in seen.shown],
    }


def observation_of(found: Json) -> Observation:
    """What JSON says is seen of a step."""
    source, target, released, shown = entries(found, "source", "target", "released", "shown")
    ways = [triple(one, 2) for one in items(shown)]
    insist(all(isinstance(way, bool) for _, way in ways), "a branch must go one way, true or false")
    return Observation(
        whole(source),
        whole(target),
        tuple(tuple(map(text_of, items(one))) for one in items(released)),
        tuple((whole(number), way) for number, way in ways),
    )


def others_of(found: Json, known: Mapping[str, Term]) -> Others:
    """The greatest value of other rounds that JSON stands for."""
    loop, value = entries(found, "loop", "value")
    return Others(whole(loop), term(value, known))


def vocabulary(steps: Stepwise, found: Sequence[Json]) -> Mapping[str, Term]:
    """What an alignment may speak of, by name."""
    program = steps.program
    names = [LENGTH, OUTPUT, *REST, *OTHERS, SEEN, SPENT]
    names += [variable(name, sort) for name, sort in program.parameters.items()]
    names += [variable(loop.counter, "Int") for loop in steps.loops]
    names += [variable(f"{n}.{k}", s) for state in steps.states.values() for n, s in state.items() for k in (1, 2)]
    names += [variable(f"cost.{g}", "Real") for one in found for g in range(len(items(one["groups"])))]
    read_at_once = max((len(step.path.looked) for step in steps.steps), default=0)
    names += [variable(f"{n}.{k}", program.data.sort) for n in ("data", "other", "change") for k in range(read_at_once)]
    drawn = {d.site: d.family for step in steps.steps for d in step.path.drawn}
    names += [variable(f"draw.{site}", SORTS.get(family, "Real")) for site, family in drawn.items()]
    return {str(one.value): one for one in names}


def term(found: Json, known: Mapping[str, Term]) -> Term:
    """The term that a text is."""
    return read(text_of(found), known, functions=True)


def optional(found: Term | None) -> str | None:
    """A term as text, None where there is none."""
    return None if found is None else written(found)


def fields(found: Json) -> list[tuple[str, Json]]:
    """The keys of an object with their values."""
    if not isinstance(found, dict):
        raise Forged(f"an object is needed, got {str(found)[:40]}")
    return list(found.items())


def triple(found: Json, count: int) -> list[Json]:
    """A list of that many."""
    insist(len(items(found)) == count, f"a list of {count} is needed, got {str(found)[:40]}")
    return list(found)
