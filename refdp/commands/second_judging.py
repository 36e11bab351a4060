"""What is asked of the second judge about a verdict, and what becomes of a verdict that it contradicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from refdp.logic.evaluation import NotRational
from refdp.logic.internal_errors import HEAD, KEY
from refdp.logic.terms import ZERO, Term, Value
from refdp.second_judge import queries
from refdp.second_judge.verdict import Verdict
from refdp.sensitivities.judgement import Judgement
from refdp.sensitivities.judging import claim_of
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.reading import read_program
from refdp.sensitivities.language.source import NotAFold, Unsupported
from refdp.sensitivities.program import ROW, outcome
from refdp.sensitivities.records import Category, Fields, Kind, Missing

SECOND_JUDGE = "second_judge"
"""The key of a judgement under which it stands what the second judge says."""
STEPS = 200_000
"""Most steps of the interpreter on one table."""
FAR = Fraction(10**100)
"""Further than answers are apart where nothing was claimed, but infinitely."""
FEWEST = 20
"""Fewest pairs for one of several proofs."""
READINGS = 60
"""On how many tables the reading is worked out: it takes longer than a run."""


def judged_again(judgements: Sequence[Judgement], run: bool) -> dict[str, Any]:
    """What a judgement that rests on these says once the second judge has looked at every proof; without one, nothing.

    Each of several proofs gets its share of the pairs.
    """
    if run and len(judgements) == 1 and judgements[0].verdict == "REFUTED":
        return changes(refuted(judgements[0]))
    proved = [one for one in judgements if one.verdict == "PROVED" and one.bound is not None]
    if not proved:
        return {}
    pairs = max(FEWEST, queries.PAIRS // len(proved))
    total = Verdict()
    for one in proved:
        others = {queries.INTERPRETER: interpreted(one), **read(one)}
        total.add(queries.judged(question_of(one), others, pairs, run))
        if total.contradiction or total.nothing:
            break
    return changes(total)


def refuted(found: Judgement) -> Verdict:
    """Whether CPython confirms the pair of a refutation."""
    asked, pair = question_of(found), found.pair
    if pair is None:
        return Verdict(why_not="there is no pair of tables")
    if found.request.claim is None:  # infinitely far apart
        claim = FAR
    else:
        symbols = {one: Fraction(pair.parameters[str(one.value)]) for one in found.declaration.parameters}
        asked = replace(asked, claim=claim_of(found.request, found.declaration))
        claim = queries.claim_at(asked, [len(pair.first), len(pair.second)], symbols)
    rows = (queries.rows_of(asked, pair.first), queries.rows_of(asked, pair.second))
    return queries.refuted(asked, queries.Pair(*rows, queries.arguments_of(asked, pair.parameters), claim))


def question_of(found: Judgement) -> queries.Question:
    """The question that a proof answers, in the words in which it was asked."""
    asked, given = found.request, found.declaration
    further = {name: value for name, value in given.values.items() if name not in asked.values}
    return queries.Question(
        source=found.source.text,
        function=found.source.name,
        record=asked.record,
        neighbours=asked.neighbours,
        norm=asked.norm,
        edits=asked.edits,
        in_any_order=found.tables == "multisets",
        claim=found.bound or ZERO,
        values=asked.values,
        given=further,
        symbols=given.parameters,
        assumption=given.assumption,
    )


def changes(verdict: Verdict) -> dict[str, Any]:
    """The keys of a judgement that the second judge sets; a PROVED that it contradicts is none."""
    said = {SECOND_JUDGE: verdict.data()}
    gone: dict[str, Any] = {"verdict": "UNKNOWN", "bound": None, "any_n": False, "pair": None, "trusts": []}
    if verdict.contradiction:
        sentence = f"the second judge contradicts the verdict: {verdict.contradiction}"
        return said | gone | {KEY: sentence, "reason": f"{HEAD}: {sentence}"}
    if verdict.nothing:
        return said | gone | {"reason": f"the conditions are proved, but {verdict.nothing}"}
    return said


def interpreted(found: Judgement) -> queries.Other:
    """What refdp's interpreter answers."""

    def answer(rows: Sequence[Any], arguments: Mapping[str, Any]) -> queries.Answer | None:
        record = found.declaration.record
        try:
            said = answer_of(
                found.source, list(map(concrete, rows)), concrete(dict(arguments)), steps=STEPS, record=record
            )
        except (NoOutcome, NotRational, Unsupported):
            return None
        return said.exception or dict(said.values)

    return answer


def read(found: Judgement) -> dict[str, queries.Other]:
    """What the passes answer that the text is read as."""
    try:
        program = read_program(found.source, found.declaration)
    except (NotAFold, Unsupported):
        return {}
    left = [READINGS]

    def answer(rows: Sequence[Any], arguments: Mapping[str, Any]) -> queries.Answer | None:
        if left[0] == 0 or len(rows) > 12:
            return None
        left[0] -= 1
        kind = found.declaration.record
        parameters: dict[Term, Value] = {
            symbol: Fraction(arguments[str(symbol.value)]) for symbol in found.declaration.parameters
        }
        try:
            said = outcome(program, [assigned(kind, row, ROW) for row in rows], parameters)
        except (NotRational, ZeroDivisionError):
            return None
        if said.exception.endswith(" returned"):
            return {"": RETURNED[said.exception.removesuffix(" returned")]}
        labels = program.labels or ("",)
        return said.exception or dict(zip(labels, map(Fraction, said.numbers), strict=False))

    return {"refdp's reading": answer}


RETURNED: Mapping[str, Any] = {"None": None, "inf": "inf", "-inf": "-inf"}


def concrete(value: Any) -> Any:
    """A value as refdp's interpreter takes it: every number is a Fraction, every list a tuple."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, float):
        return str(value)
    if isinstance(value, list | tuple):
        return tuple(map(concrete, value))
    return {key: concrete(part) for key, part in value.items()} if isinstance(value, dict) else value


def assigned(kind: Kind, row: Any, name: str) -> dict[Term, Value]:
    """The values of the variables of a row."""
    if isinstance(kind, Missing):
        missing, *inner = kind.slots(name)
        present = {v: Fraction(0) for v in inner} if row is None else assigned(kind.kind, row, name)
        return {missing: row is None, **present}
    if isinstance(kind, Category):
        places = [place for place, one in enumerate(kind.labels) if one == row and type(one) is type(row)]
        return {kind.slots(name)[0]: Fraction(places[0] if places else -1)}
    if isinstance(kind, Fields):
        return {slot: v for key, one, inner in kind.inner(name) for slot, v in assigned(one, row[key], inner).items()}
    return {kind.slots(name)[0]: Fraction(row)}
