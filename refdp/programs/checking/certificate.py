"""Certificates of programs: one JSON object with the text of the program and the alignments that prove a claim.

    {"format": "refdp-program/1", "source": ..., "function": ..., "claim": number, "alignments": [...]}

The claim is the decorator of that number in the text.  No condition and no solver text is brought: they are made again
from the text.  Numbers are text; unknown keys, large and deep files are refused.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from refdp.logic.smtlib import read, written
from refdp.logic.strict_json import Json, entries, exact, insist, items, loaded, text_of, whole
from refdp.logic.terms import Term, variable
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
from refdp.programs.checking.conditions import other, run
from refdp.programs.checking.public import public
from refdp.programs.steps import Stepwise, stepwise
from refdp.programs.syntax import Claim, Program

FORMAT = "refdp-program/1"
Vocabulary = dict[str, Term]


def certificate_text(program: Program, number: int, alignments: Sequence[Alignment]) -> str:
    """The certificate of a proof of the claim of that number."""
    found = {
        "format": FORMAT,
        "source": program.source,
        "function": program.name,
        "claim": str(number),
        "alignments": list(map(alignment_json, alignments)),
    }
    return json.dumps(found, indent=1, ensure_ascii=True) + "\n"


def named(text: str) -> tuple[str, str, int, list[Json]]:
    """Source, function, number of the claim and alignments of a certificate.  ValueError where it is none."""
    name, source, function, number, alignments = entries(
        loaded(text), "format", "source", "function", "claim", "alignments"
    )
    insist(name == FORMAT, f"the format must be {FORMAT}, got {str(name)[:40]}")
    return text_of(source), text_of(function), whole(number), items(alignments)


def alignment_json(one: Alignment) -> Json:
    """An alignment as JSON."""
    return {
        "shifts": [
            [str(site), observation_json(seen), written(shift.usual), optional(shift.chosen)]
            for (site, seen), shift in one.shifts.items()
        ],
        "groups": [[written(group.rate), written(group.bound)] for group in one.groups],
        "charges": [[str(site), str(group), str(weight)] for site, (group, weight) in one.charges.items()],
        "lists": [[name, str(w.group), str(w.low), str(w.high)] for name, w in one.lists.items()],
        "shown": sorted(map(str, one.shown)),
        "item": None if one.item is None else str(one.item),
        "others": None if one.others is None else [str(one.others.loop), written(one.others.value)],
        "invariants": [[str(location), written(term)] for location, term in one.invariants.items()],
    }


def observation_json(seen: Observation) -> Json:
    """What is seen of a step as JSON."""
    shown = [[str(number), way] for number, way in seen.shown]
    return [str(seen.source), str(seen.target), list(map(list, seen.released)), shown]


def optional(term: Term | None) -> Json:
    """A term as text, None as itself."""
    return None if term is None else written(term)


def alignment_of(found: Json, words: Vocabulary) -> Alignment:
    """The alignment that JSON stands for."""
    shifts, groups, charges, lists, shown, item, others, invariants = entries(
        found, "shifts", "groups", "charges", "lists", "shown", "item", "others", "invariants"
    )

    def term(text: Json) -> Term:
        return read(text_of(text), words)

    def optional_term(text: Json) -> Term | None:
        return None if text is None else term(text)

    return Alignment(
        {(whole(s), observation_of(o)): Shift(term(u), optional_term(c)) for s, o, u, c in rows(shifts, 4)},
        tuple(Group(term(rate), term(bound)) for rate, bound in rows(groups, 2)),
        {whole(site): (whole(group), exact(weight)) for site, group, weight in rows(charges, 3)},
        {text_of(n): WeightList(whole(g), exact(low), exact(high)) for n, g, low, high in rows(lists, 4)},
        frozenset(map(whole, items(shown))),
        None if item is None else whole(item),
        None if others is None else Others(*(f(x) for f, x in zip((whole, term), *rows([others], 2), strict=True))),
        {whole(location): term(text) for location, text in rows(invariants, 2)},
    )


def observation_of(found: Json) -> Observation:
    """What is seen of a step, of JSON."""
    ((source, target, released, shown),) = rows([found], 4)
    ways = tuple((whole(number), way is True) for number, way in rows(shown, 2))
    texts = tuple(tuple(map(text_of, items(one))) for one in items(released))
    return Observation(whole(source), whole(target), texts, ways)


def rows(found: Json, width: int) -> list[list[Json]]:
    """A list of lists of that many elements."""
    insist(all(len(items(row)) == width for row in items(found)), f"a list of lists of {width} is needed")
    return [list(row) for row in found]


def vocabulary(steps: Stepwise, claim: Claim, groups: int) -> Vocabulary:
    """Every variable that an alignment may speak of; what may be said where is checked with the conditions."""
    counters = [variable(loop.counter, "Int") for loop in steps.loops]
    shared = public(steps.program, claim, counters)
    state = [variable(name, sort) for one in steps.states.values() for name, sort in one.items()]
    data = [v for step in steps.steps for _, v in step.path.looked]
    changes = [variable(f"change{str(v.value)[4:]}", v.sort) for v in data if v.sort != "Bool"]
    draws = [d.variable for step in steps.steps for d in step.path.drawn]
    costs = [variable(f"cost.{g}", "Real") for g in range(groups)]
    known = [*shared.parameters, *counters, *(run(v, r) for v in state for r in (1, 2)), *data, *map(other, data)]
    known += [*changes, *draws, *costs, OUTPUT, *REST, *OTHERS, SEEN, SPENT]
    return {str(v.value): v for v in known}


def alignments_of(program: Program, claim: Claim, found: Sequence[Json]) -> tuple[Alignment, ...]:
    """The alignments that JSON stands for.  ValueError where they are none."""
    steps = stepwise(program)
    most = max((len(items(one.get("groups", []))) for one in found if isinstance(one, dict)), default=0)
    words = vocabulary(steps, claim, most)
    return tuple(alignment_of(one, words) for one in found)
