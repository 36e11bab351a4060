"""What is asked of the second judge about a verdict, and what becomes of a verdict that it contradicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, cast

from refdp.logic.internal_errors import HEAD, KEY, lost
from refdp.programs.certificates.content import content_of, kind_of
from refdp.programs.checking.alignment import Alignment
from refdp.programs.judgement import Judgement as ProgramJudgement
from refdp.programs.nulls import counts_elements, shared_steps, size_of
from refdp.programs.question import Question
from refdp.programs.syntax import Branch, Choose, Claim, Draw, Loop, Program, Statement
from refdp.second_judge import data, programs, queries
from refdp.second_judge.opinion import Opinion
from refdp.sensitivities.judgement import Judgement
from refdp.sensitivities.judging import claim_of
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.reading import read_program
from refdp.sensitivities.language.source import NotAFold, Unsupported, parse_source
from refdp.sensitivities.program import ROW, outcome
from refdp.sensitivities.records import Category, Fields, Kind, Missing
from refdp.sensitivities.request import Request
from refdp.sensitivities.writing import is_about_a_query, written_in
from refdp.terms.exact_values import NotRational
from refdp.terms.leaves import ZERO
from refdp.terms.term import Term, Value

SECOND_JUDGE = "second_judge"
"""The key of a judgement under which it stands what the second judge says."""
SECONDS, SECONDS_FOR_CLAIM = 10, 5
"""Processor time of one file of programs, and for each claim in it."""
NO_BOUND: Mapping[str, Any] = MappingProxyType(
    {"verdict": "UNKNOWN", "bound": None, "any_n": False, "pair": None, "trusts": []}
)
"""What a judgement of a query says where the second judge contradicts it."""
NO_PROOF: Mapping[str, Any] = MappingProxyType(
    {"verdict": "UNKNOWN", "n": None, "alignment": None, "trusts": [], "checked_by": [], "conditions": 0}
)
"""What a judgement of a program says then."""
STEPS = 200_000
"""Most steps of the interpreter on one table."""
FAR = Fraction(10**100)
"""Further than answers are apart where nothing was claimed, but infinitely."""
FEWEST = 20
"""Fewest pairs for one of several proofs."""
READINGS = 200
"""On how many tables the reading is worked out at most."""


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
    total = Opinion()
    for one in proved:
        others = {queries.INTERPRETER: interpreted(one), **read(one)}
        total.add(queries.judged(question_of(one), others, pairs, run))
        if total.contradiction or total.emptiness():
            break
    return changes(total)


def refuted(found: Judgement) -> Opinion:
    """Whether CPython confirms the pair of a refutation."""
    asked, pair = question_of(found), found.pair
    if pair is None:
        return Opinion(why_not="there is no pair of tables")
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
        claim=ZERO if found.bound is None else found.bound,
        values=asked.values,
        given=further,
        symbols=given.parameters,
        assumption=given.assumption,
    )


def changes(verdict: Opinion, gone: Mapping[str, Any] = NO_BOUND) -> dict[str, Any]:
    """The keys of a judgement that the second judge sets; a PROVED that it contradicts is none."""
    said = {SECOND_JUDGE: verdict.data()}
    if verdict.contradiction:
        sentence = f"the second judge contradicts the verdict: {verdict.contradiction}"
        return said | dict(gone) | {KEY: sentence, "reason": f"{HEAD}: {sentence}"}
    if reason := verdict.emptiness():
        return said | dict(gone) | {"reason": reason}
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


def programs_again(found: Mapping[int, ProgramJudgement], run: bool) -> dict[int, dict[str, Any]]:
    """What the judgements of programs say once the second judge has looked at every proof, by their places.

    The claims of one file are run by one process.  An exception costs the verdicts of that file.
    """
    files: dict[str, list[int]] = {}
    for place, one in found.items():
        if one.verdict == "PROVED":
            files.setdefault(one.question.source, []).append(place)
    said: dict[int, dict[str, Any]] = {}
    for places in files.values():
        effort = replace(programs.USUAL, seconds=SECONDS + SECONDS_FOR_CLAIM * len(places))
        try:
            verdicts = programs.judged_all([program_question(found[place]) for place in places], effort, run)
            said |= {place: changes(one, NO_PROOF) for place, one in zip(places, verdicts, strict=True)}
        except Exception as error:
            said |= {place: {**NO_PROOF, **lost(error)} for place in places}
    return said


def certificate_again(content: str) -> dict[str, Any]:
    """What the second judge says of a certificate: of a query in exact arithmetic or of a program, else nothing."""
    if is_about_a_query(content):
        claim = written_in(content).claim
        target = f"certificate.py:{claim.function}"
        asked = Request(target, "numbers", claim.neighbours, norm=claim.norm, edits=claim.edits)
        source = parse_source(claim.source, claim.function)
        proof = Judgement("PROVED", asked, source, claim.declaration, claim.tables, bound=claim.claim)
        question = replace(question_of(proof), record=kind_in(claim.declaration.record))
        said = changes(queries.judged(question, {queries.INTERPRETER: interpreted(proof), **read(proof)}))
    elif kind_of(content) == "alignments":
        said = changes(programs.judged(program_question(proof_in(content))), NO_PROOF)
    else:
        return {}
    return {key: value for key, value in said.items() if key in ("verdict", "reason", "trusts", KEY, SECOND_JUDGE)}


def proof_in(content: str) -> ProgramJudgement:
    """The proof that a certificate about a program holds."""
    found = content_of(content)
    question = Question(found.program.source, found.program.name, 0)
    return ProgramJudgement("PROVED", question, found.program, found.claim, proof=found.alignments())


def kind_in(kind: Kind) -> data.Kind:
    """A kind of records as the second judge has it."""
    match kind:
        case Missing():
            return data.Maybe(cast("data.Number | data.Labels", kind_in(kind.kind)))
        case Category():
            return data.Labels(kind.labels)
        case Fields():
            inner = [(key, cast("data.Number | data.Labels | data.Maybe", kind_in(one))) for key, one in kind.kinds]
            return data.Columns(tuple(inner))
    return data.Number(kind.lower, kind.upper, kind.is_integer)


def program_question(found: ProgramJudgement) -> programs.Question:
    """The question that a proof about a program answers, and the proof."""
    program, claim = found.program, found.claim
    drawn = [one for one in statements(program.body) if isinstance(one, Draw | Choose)]
    families = {one.family if isinstance(one, Draw) else "choice" for one in drawn}
    known = {"assumption": program.assumption, "where": claim.where}
    edits = Edits.of(program, claim) if claim.adjacency.edits and found.proof else None
    return programs.Question(
        source=found.question.source,
        function=program.name,
        is_list=program.data.is_list,
        sort=program.data.sort,
        parameters=program.parameters,
        length=program.length,
        parts=tuple(
            programs.Relation(one.related, one.changed, one.total, one.squares, one.edit)
            for one in claim.adjacency.parts
        ),
        one_direction=claim.adjacency.one_direction,
        conditions=tuple(known.values()),
        given=claim.given,
        epsilon=claim.epsilon,
        delta=claim.delta,
        rho=claim.rho,
        finite=families <= {"bernoulli", "choice", "uniform"},
        alignments=tuple(packed_alignment(one, edits) for one in found.proof),
        sites={one.site: one.line for one in drawn},
    )


def statements(body: Sequence[Statement]) -> Iterator[Statement]:
    """Every statement of a program."""
    for one in body:
        yield one
        inner = (*one.yes, *one.no) if isinstance(one, Branch) else one.body if isinstance(one, Loop) else ()
        yield from statements(inner)


@dataclass(frozen=True, slots=True)
class Edits:
    """What the second judge needs to know of a proof about lists to which elements are added."""

    loops: tuple[int, ...]
    """The loops of the text that go over the data, counted from 1."""
    size: str
    """What the number of elements is called."""
    before: int
    """How many loops of the proof are not in the text: the one that counts elements, or none."""

    @classmethod
    def of(cls, program: Program, claim: Claim) -> Edits:
        """What they are for a claim."""
        steps = shared_steps(program, claim)
        before = int(counts_elements(steps))
        over = (k - before for k, one in enumerate(steps.loops, 1) if one.element is not None)
        return cls(tuple(k for k in over if k > 0), str(size_of(program).value), before)

    def place(self, location: int) -> int:
        """A location of the proof as one of the text, in which nothing comes before the loop that counts."""
        return location if location <= 0 else location - self.before


def packed_alignment(found: Alignment, edits: Edits | None = None) -> dict[str, Any]:
    """An alignment as the process that runs the program is given it."""
    packed, place = programs.packed_term, (lambda location: location) if edits is None else edits.place
    return {
        "shifts": [
            {
                "site": site, "source": place(seen.source), "target": place(seen.target),
                "released": [list(items) for items in seen.released], "shown": len(seen.shown),
                "usual": packed(one.usual), "chosen": None if one.chosen is None else packed(one.chosen),
            }
            for (site, seen), one in found.shifts.items()
        ],
        "edits": None if edits is None else {"loops": list(edits.loops), "size": edits.size},
        "item": found.item,
        "others": found.others and {"loop": found.others.loop, "value": packed(found.others.value)},
    }  # fmt: skip
