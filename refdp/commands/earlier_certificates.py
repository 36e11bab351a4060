"""Certificates of the formats that refdp wrote before there was one, read as certificates of the kernel's.

    refdp-alignment/1  refdp-counterexample/1  refdp-sensitivity/1  refdp-smooth-sensitivity/1
    refdp-machine-function/1  refdp-machine-sensitivity/1

Nothing writes these any more.  What is converted is believed no more than before: a replay reads, runs and asks all of
it again.  Each format loads the engine that it names, and no other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from refdp.kernel.certificate import DERIVED, FORMAT, KEYS, answer_certificate
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.engines import READING
from refdp.kernel.rules.questions import EngineQuestion, engine
from refdp.kernel.theorem import FAILURES
from refdp.logic.strict_json import Forged, Json, entries, insist, loaded, text_of, unrepeated

if TYPE_CHECKING:
    from refdp.sensitivities.checking.certificate import Claim

Certificate = dict[str, Any]
SOLVER = "z3"
"""Who is named for a proof until a replay asks: these formats did not say who was asked."""
CLAIM = ("source", "function", "record", "values", "symbols", "assumption", "neighbours", "norm", "claim", "edits",
         "tables")  # fmt: skip
"""The keys of a claim about how far a function moves."""
MACHINE = ("arithmetic", "sum", "python", "maximum_rows", "minimum_rows", "specials")


def is_earlier(content: str) -> bool:
    """Whether a text begins as a certificate of one of these formats."""
    return EARLIER.match(content) is not None


def renewed(content: str) -> Certificate:
    """The certificate of the kernel's that says the same.  KernelError where the text is forged."""
    found = EARLIER.match(content)
    try:
        insist(found is not None, f"the format must be one of {', '.join(FORMATS)}")
        return FORMATS[cast(re.Match[str], found)[1]](content)
    except FAILURES as error:
        raise KernelError(f"the certificate cannot be read: {type(error).__name__} {str(error)[:200]}") from error


def current(content: str) -> str:
    """The text of a certificate, renewed where its format is an earlier one.  ValueError where it is forged."""
    try:
        return json.dumps(renewed(content)) if is_earlier(content) else content
    except KernelError as error:
        raise Forged(str(error)) from error


def answered(asked: EngineQuestion, verdict: str) -> Certificate:
    """The certificate of the answer to a question of an engine's."""
    by = None
    if verdict == "PROVED":
        needed, is_asked = engine(asked.kind).believed(asked)
        by = needed | ({SOLVER} if is_asked else set())
    text = answer_certificate(asked, by)
    insist(text is not None, "the certificate is too long")
    return cast(Certificate, json.loads(text or ""))


def of_one_step(rule: str, data: Mapping[str, Any], conclusion: str, trusts: list[str], text: str) -> Certificate:
    """A certificate of one step about a text, which nobody has replayed yet."""
    step = {"rule": rule, "premises": list[int](), "data": dict(data)}
    return dict(zip(KEYS, (FORMAT, DERIVED, conclusion, trusts, {data["source"]: text}, [step]), strict=True))


def _program(content: str, evidence_key: str) -> Certificate:
    """A proof or a refutation of what a program claims."""
    from refdp.kernel.judgements import Refuted
    from refdp.programs.certificates.replaying import EXACT
    from refdp.programs.certificates.writing import engine_question, said, stated
    from refdp.programs.question import question_of

    _, asked, evidence = entries(loaded(content), "format", "question", evidence_key)
    source, function, *_ = entries(asked, "source", "function", "claim", "adjacency", "given", "epsilon")
    rest = {key: part for key, part in asked.items() if key not in ("source", "function")}
    question = question_of(text_of(source), text_of(function), rest)
    brought, is_proof = {evidence_key: evidence}, evidence_key == "alignments"
    data = said(question.source, *question.read(), brought)
    if data is None:
        return answered(engine_question(question, brought), "PROVED" if is_proof else "REFUTED")
    rule, by = ("program_is_private", [READING, SOLVER]) if is_proof else ("program_exceeds", [EXACT, READING])
    claim = stated(data)
    conclusion = str((claim if is_proof else Refuted(claim)).term)
    return of_one_step(rule, data | ({"by": by} if is_proof else {}), conclusion, by, question.source)


def _claim_of(found: Json) -> Claim:
    """A claim about how far a function moves."""
    from refdp.sensitivities.checking.certificate import claim_of

    source, function, *_ = entries(found, *CLAIM)
    rest = {key: part for key, part in found.items() if key not in ("source", "function")}
    return claim_of(text_of(source), text_of(function), rest)


def _sensitivity(content: str) -> Certificate:
    """How far a function moves, in exact arithmetic.

    A proof of then does not say that a function that may raise answers on every table: it is about a question.
    """
    from refdp.kernel.rules.engines import Query
    from refdp.sensitivities.theorems import case_of, coordinates
    from refdp.sensitivities.writing import PROVES, of_one_edit, question_of, refutation, said

    _, claimed, verdict, evidence = entries(loaded(content), "format", "claim", "verdict", "evidence")
    claim = _claim_of(claimed)
    if verdict == "REFUTED":
        from refdp.sensitivities.checking.certificate import tables_of
        from refdp.sensitivities.checking.replaying import require_refuted

        require_refuted(claim, tables_of(evidence))  # where both raise the same that format says nothing
        return cast(Certificate, json.loads(refutation(claim, evidence) or ""))
    insist(verdict == "PROVED", f"the verdict must be PROVED or REFUTED, got {str(verdict)[:40]}")
    data = said(of_one_edit(claim))
    if data is not None:
        relations, order, is_fused = entries(evidence, "invariants", "order", "fused")
        brought = {"invariants": relations, "order": order, "fused": is_fused, "total": list[Json]()}
        data |= {"step": "", "evidence": json.dumps(brought)}
        try:
            query = Query.of(data)
            if not any(True for _ in case_of(query).of_single_runs()):
                conclusion, by = str(query.stable(data["source"], coordinates(query)).term), sorted({READING, SOLVER})
                return of_one_step(PROVES, {**data, "by": by}, conclusion, by, claim.source)
        except (KernelError, *FAILURES):
            pass
    return answered(question_of(claim, evidence), "PROVED")


def _machine_function(content: str) -> Certificate:
    """How far a function moves as a machine runs it."""
    from refdp.kernel.rules.machines import ROUNDING, MachineClaim
    from refdp.logic.strict_json import whole
    from refdp.sensitivities.machine.function_certificates import Machine, require_worked_out, worked_out
    from refdp.sensitivities.machine.lemmas import believed
    from refdp.sensitivities.machine.theorems import shown
    from refdp.sensitivities.machine.writing import (
        PROVES,
        PYTHON,
        proving,
        question_of,
        refuting,
        said_of_each,
    )
    from refdp.spec.domains import FINITE

    _, claimed, written, verdict, evidence = entries(
        loaded(content), "format", "claim", "machine", "verdict", "evidence"
    )
    claim = _claim_of(claimed)
    arithmetic, total, python, most, least, specials = entries(written, *MACHINE)
    insist(isinstance(specials, bool), "specials must be true or false")
    then = Machine(text_of(arithmetic), text_of(total), whole(most), whole(least), specials)
    machine = said_of_each(then, text_of(python))
    if verdict == "REFUTED":
        text = refuting(claim, machine, evidence)
        return json.loads(text) if text else answered(question_of(claim, machine, evidence), verdict)
    insist(verdict == "PROVED", f"the verdict must be PROVED or REFUTED, got {str(verdict)[:40]}")
    if then == machine or python == PYTHON:  # else it is what another Python worked out
        require_worked_out(claim, then, evidence)
    data = proving(claim, machine)
    if data is None:
        return answered(question_of(claim, machine, worked_out(claim, machine).evidence), verdict)
    query = MachineClaim.of({**data, "numbers": FINITE})
    by = sorted({READING, *((ROUNDING,) if query.is_float else ()), *believed(shown(query).lemmas)})
    conclusion = str(query.stable(data["source"], None).term)
    return of_one_step(PROVES, {**data, "by": by}, conclusion, by, claim.source)


def _machine_sum(content: str) -> Certificate:
    """How far a sum or a mean of floats moves that a machine computes, of no text."""
    from refdp.sensitivities.machine.certificates import QUESTION

    found = json.loads(content, object_pairs_hook=unrepeated(ValueError))
    entries(found, "format", "lemmas", *QUESTION)
    question = {key: _text_for_count(found[key]) for key in QUESTION}
    evidence = json.dumps({"lemmas": found["lemmas"]})
    return answered(EngineQuestion("machine_sum", "", "", json.dumps(question), evidence), "PROVED")


def _smooth(content: str) -> Certificate:
    """A smooth bound of a statistic at a table."""
    from refdp.sensitivities.smoothing.certificates import QUESTION

    found = json.loads(content, object_pairs_hook=unrepeated(ValueError))
    entries(found, "format", "statistic", "rows", "parts", *QUESTION)
    rows, parts = found["rows"], found["parts"]
    stretches = [[[_text_for_count(one) for one in stretch] for stretch in part] for part in parts]
    asked = EngineQuestion(
        "smooth_sensitivity", " ".join(map(text_of, rows)), text_of(found["statistic"]),
        json.dumps({key: found[key] for key in QUESTION}), json.dumps({"parts": stretches}),
    )  # fmt: skip
    return answered(asked, "PROVED")


def _text_for_count(found: Json) -> Json:
    """A whole number, which two of these formats wrote as one, as text; anything else as it is."""
    return str(found) if type(found) is int else found


FORMATS: Mapping[str, Callable[[str], Certificate]] = {
    "alignment": lambda content: _program(content, "alignments"),
    "counterexample": lambda content: _program(content, "counterexample"),
    "sensitivity": _sensitivity,
    "smooth-sensitivity": _smooth,
    "machine-function": _machine_function,
    "machine-sensitivity": _machine_sum,
}
"""Format, as it is named after `refdp-` -> how it is read."""
EARLIER = re.compile(rf'\s*\{{\s*"format":\s*"refdp-({"|".join(FORMATS)})/1"')
"""How such a certificate starts."""
