"""What is claimed of a function in exact arithmetic, and what shows it, as JSON and back.

A question holds all that a claim is made of besides the text of the function.  Evidence of a proof: "invariants",
"order", "fused"; of a refutation: "first", "second", "parameters".  No condition, no solver text and no distance is
brought: they are made again from the claim.  Numbers are text; unknown keys, large and deep texts are refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from keyword import iskeyword
from typing import get_args

from refdp.logic.strict_json import Json, entries, exact, insist, items, whole
from refdp.sensitivities.checking.encoding import invariants_json, kind_json, kind_of, said, value_json, value_of
from refdp.sensitivities.checking.invariants import Invariants
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.question import SIZE, Neighbours, Norm, Tables
from refdp.sensitivities.records import Concrete
from refdp.terms.leaves import variable
from refdp.terms.smtlib import written
from refdp.terms.term import Sort, Term

SORTS = ("Int", "Real")
"""The sorts of symbols."""
QUESTION = ("record", "values", "symbols", "assumption", "neighbours", "norm", "claim", "edits", "tables")


@dataclass(frozen=True, slots=True)
class Claim:
    """Everything that a question is made of, with the text of the function."""

    source: str
    function: str
    declaration: Declaration
    neighbours: Neighbours
    norm: Norm
    claim: Term
    edits: int = 1
    tables: Tables = "multisets"


def evidence_json(invariants: Invariants, order: Invariants | None, fused: bool) -> dict[str, Json]:
    """What a proof brings; `fused`: the invariants are for the program with its passes fused."""
    return {
        "invariants": invariants_json(invariants),
        "order": None if order is None else invariants_json(order),
        "fused": fused,
    }


def pair_json(pair: Pair) -> dict[str, Json]:
    """What a refutation brings."""
    return {
        "first": list(map(value_json, pair.first)),
        "second": list(map(value_json, pair.second)),
        "parameters": {name: str(value) for name, value in pair.parameters.items()},
    }


def question_text(claim: Claim) -> str:
    """The question as JSON text, the same every time."""
    return json.dumps(question_json(claim))


def question_json(claim: Claim) -> dict[str, Json]:
    """The question as JSON."""
    given = claim.declaration
    values = {name: value_json(value) for name, value in given.values.items()}
    parts = (
        kind_json(given.record), values, dict(given.symbolic), written(given.assumption), claim.neighbours, claim.norm,
        written(claim.claim), str(claim.edits), claim.tables,
    )  # fmt: skip
    return dict(zip(QUESTION, parts, strict=True))


def claim_of(source: str, function: str, found: Json) -> Claim:
    """The claim that a question in JSON makes of a function in that text."""
    record, values, symbols, assumption, neighbours, norm, claim, edits, tables = entries(found, *QUESTION)
    parameters = parse_source(source, function).parameters
    known = {name: variable(name, sort) for name, sort in _symbols(symbols).items()}
    insist(str(SIZE.value) not in known, "a symbol may not be called n")
    insist(isinstance(values, dict), "values must be an object")
    strange = sorted(set(values) - set(parameters))
    insist(not strange, f"{function} has no parameter {strange[:1]!a} besides its table")
    insist(known.keys().isdisjoint(values), "a parameter has a value or is a symbol, not both")
    counted = {**known, str(SIZE.value): SIZE}
    declaration = Declaration(
        kind_of(record, known),
        {name: value_of(value) for name, value in values.items()},
        _symbols(symbols),
        said(assumption, counted),
    )
    for word, words in ((neighbours, Neighbours), (norm, Norm), (tables, Tables)):
        insist(word in get_args(words), f"one of {', '.join(get_args(words))} is needed, got {str(word)[:40]}")
    bound = said(claim, counted)
    insist(declaration.assumption.sort == "Bool" and bound.sort != "Bool",
           "what is assumed must be a statement, and the claim a number")  # fmt: skip
    return Claim(source, function, declaration, neighbours, norm, bound, whole(edits), tables)


@dataclass(frozen=True, slots=True)
class Tried:
    """Two tables and values of the symbols."""

    first: tuple[Concrete, ...]
    second: tuple[Concrete, ...]
    parameters: Mapping[str, Fraction]


def tables_of(evidence: Json) -> Tried:
    """The pair that a refutation brings."""
    first, second, parameters = entries(evidence, "first", "second", "parameters")
    insist(isinstance(parameters, dict), "parameters must be an object")
    values = {name: exact(value) for name, value in parameters.items()}
    return Tried(tuple(map(value_of, items(first))), tuple(map(value_of, items(second))), values)


def _symbols(found: Json) -> Mapping[str, Sort]:
    """The sorts of the symbols by their names."""
    insist(isinstance(found, dict), "symbols must be an object")
    insist(all(sort in SORTS for sort in found.values()), f"a sort must be one of {', '.join(SORTS)}")
    named = all(name.isascii() and name.isidentifier() and not iskeyword(name) for name in found)
    insist(named, "a symbol must have a name of letters, digits and _")  # it is printed among words
    return dict(found)
