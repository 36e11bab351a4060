"""Counterexamples as JSON: what they say can be replayed from the document alone, without search."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from refdp.logic.expressions import read_number
from refdp.logic.printing import infix
from refdp.logic.terms import Term, variable
from refdp.numerics.exact import exact
from refdp.programs.adjacency import NAMED
from refdp.programs.counterexample import Counterexample, confirmed
from refdp.programs.events import Datum, Event, Expected, Interval
from refdp.programs.language import program_in
from refdp.programs.probabilities import decimal, number, text
from refdp.programs.syntax import Claim, Program

FORMAT = "refdp-counterexample/1"
KEYS = frozenset(
    {
        "format", "source", "function", "claim", "adjacency", "epsilon", "parameters", "old", "new", "events", "order",
        "probabilities", "digits",
    }
)  # fmt: skip
"""The last two are for the reader's eye: replay works them out again."""
MOST_DATA = 1_000
MOST_EVENTS = 10_000


def document(program: Program, claim_number: int, found: Counterexample) -> dict[str, Any]:
    """The counterexample to that claim of the program, or to the claim with another adjacency or epsilon."""
    stated, claim = program.claims[claim_number], found.claim
    return {
        "format": FORMAT,
        "source": program.source,
        "function": program.name,
        "claim": claim_number,
        "adjacency": claim.adjacency.name if claim.adjacency != stated.adjacency else None,
        "epsilon": infix(claim.epsilon) if claim.epsilon not in (None, stated.epsilon) else None,
        "parameters": {name: infix(value) for name, value in found.parameters.items()},
        "old": [written(one) for one in found.old],
        "new": [written(one) for one in found.new],
        "events": [[[written(part) for part in parts] for parts in event] for event in found.events],
        "order": found.order,
        "probabilities": [text(found.old_probability), text(found.new_probability)],
        "digits": [decimal(found.old_probability), decimal(found.new_probability)],
    }


def replayed(given: Mapping[str, Any]) -> bool:
    """Whether the document holds a counterexample.  ValueError where it is none of its format."""
    program, found = read(given)
    return confirmed(program, found.claim, found)


def read(given: Mapping[str, Any]) -> tuple[Program, Counterexample]:
    """The program and the counterexample of a document; its probabilities are not read."""
    if set(given) != KEYS or given["format"] != FORMAT:
        raise ValueError(f"a counterexample must have the keys {', '.join(sorted(KEYS))} and the format {FORMAT}")
    try:
        program = program_in(str(given["source"]), "source", str(given["function"]))
        names = {name: variable(name, sort) for name, sort in program.parameters.items()}
        parameters = {str(n): read_number(str(v), {}, f"parameter {n}") for n, v in given["parameters"].items()}
        claim = claim_of(program, given, names)
        old, new = (tuple(datum(one) for one in given[side][:MOST_DATA]) for side in ("old", "new"))
        events = tuple(event(one) for one in given["events"][:MOST_EVENTS])
        order = given["order"] if given["order"] is None else int(given["order"])
    except (TypeError, KeyError, IndexError, AttributeError) as error:
        raise ValueError("a counterexample must be of the format that it names") from error
    return program, Counterexample(program.name, claim, parameters, old, new, events, number(0), number(0), order)


def claim_of(program: Program, given: Mapping[str, Any], names: Mapping[str, Term]) -> Claim:
    """The claim that is refuted."""
    from dataclasses import replace

    claim = program.claims[int(given["claim"])]
    if given["adjacency"] is not None:
        claim = replace(claim, adjacency=NAMED[given["adjacency"]])
    if given["epsilon"] is not None:
        claim = replace(claim, epsilon=read_number(str(given["epsilon"]), names, "epsilon"))
    return claim


def written(part: Expected) -> Any:
    """A value of the output or of the data: numbers and texts apart."""
    match part:
        case Fraction():
            return str(part)
        case str():
            return {"text": part}
        case Interval(low, high, after):
            limits = {"low": low, "high": high}
            return {"after": after} | {side: None if limit is None else str(limit) for side, limit in limits.items()}
    return part


def datum(given: Any) -> Datum:
    """An element of the data."""
    return given if isinstance(given, bool) else exact(given)


def event(given: Any) -> Event:
    """One output."""
    return tuple(tuple(map(part_of, parts)) for parts in given)


def part_of(given: Any) -> Expected:
    """A value of the output, or the interval where it lies."""
    if given is None or isinstance(given, bool):
        return given
    if isinstance(given, str):
        return exact(given)
    if "text" in given:
        return str(given["text"])
    low, high = (None if given[side] is None else exact(given[side]) for side in ("low", "high"))
    return Interval(low, high, given["after"] is True)
