"""Certificates of how far functions move, in exact arithmetic: about a query wherever a rule of the kernel says that.

Else they are about a question of this engine's: public parameters left open or assumptions about them, bounds in the
number of rows, rows that no domain of the kernel has, such as true and false, answers that may be no rational number,
functions that are not shown to answer on every table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, cast

from refdp.kernel import rules
from refdp.kernel.certificate import DERIVED, answer_certificate, certificate, parsed, text_of
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.engines import READING, Query
from refdp.kernel.rules.questions import EngineQuestion
from refdp.kernel.sources import bring
from refdp.kernel.theorem import FAILURES
from refdp.logic.heads import only_step
from refdp.logic.strict_json import Forged, Json, entries, insist, loaded
from refdp.sensitivities.checking.certificate import Claim, question_text
from refdp.sensitivities.checking.replaying import claim_in
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.question import SIZE, Neighbours, Norm, Tables
from refdp.sensitivities.row_domains import domain_of, kind_of
from refdp.sensitivities.theorems import Case, case_of, claim_of
from refdp.spec.queries import Plain, query_subject
from refdp.terms import term as plain
from refdp.terms.evaluation import evaluate
from refdp.terms.leaves import TRUE, integer, is_number
from refdp.terms.operations import divide, equal, substitute
from refdp.terms.term import Term, TermError

PROVES, REFUTES = "runs_stay_related", "query_moves_too_far"
KIND = "sensitivity"
QUESTIONS: Mapping[str, str] = {"engine_proves": "PROVED", "engine_refutes": "REFUTED"}
"""Rule about questions -> the verdict."""
Vouching = Callable[[Case], Iterable[str] | None]
"""Who vouches for the case, so that no single run raises; None where nobody does."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a certificate says, not judged again: claim, verdict and evidence, as those of a question are."""

    claim: Claim
    verdict: str
    evidence: Json


def proof(
    claim: Claim, evidence: Mapping[str, Json], by: Iterable[str], totals: Iterable[Json], vouches: Vouching
) -> str | None:
    """The certificate of a proof for which these vouch; None where it is too long.

    It is about a query, with the first of these invariants of single runs for which somebody vouches; about a question
    where the kernel cannot say the claim otherwise, or nobody vouches that the function answers on every table.
    """
    return of_query(claim, evidence, totals, vouches) or answer_certificate(question_of(claim, evidence), by)


def refutation(claim: Claim, pair: Mapping[str, Json]) -> str | None:
    """The certificate of a refutation; None where it is too long."""
    of_query = None if pair["parameters"] else refuted_query(claim, pair["first"], pair["second"])
    return of_query or answer_certificate(question_of(claim, pair), None)


def question_of(claim: Claim, evidence: Mapping[str, Json]) -> EngineQuestion:
    """The claim as a question of this engine's, and what is brought to answer it."""
    return EngineQuestion(KIND, claim.source, claim.function, question_text(claim), json.dumps(evidence))


def of_query(claim: Claim, evidence: Mapping[str, Json], totals: Iterable[Json], vouches: Vouching) -> str | None:
    """The certificate of a proof about a query; None where the kernel cannot say it, or nobody vouches."""
    data = said(of_one_edit(claim))
    for total in totals if data is not None else ():
        step = {**cast(dict[str, Any], data), "step": "", "evidence": json.dumps({**evidence, "total": total})}
        try:
            by = vouches(case_of(Query.of(step)))
            if by is not None:
                return text_of(certificate(rules.runs_stay_related(**step, by=sorted({READING, *by})), DERIVED))
        except (KernelError, *FAILURES):
            return None
    return None


def refuted_query(claim: Claim, first: Json, second: Json) -> str | None:
    """The certificate of a refutation about a query; None where the kernel cannot say it."""
    data = said(claim)
    if data is None:
        return None
    data |= {"edits": str(claim.edits), "evidence": json.dumps({"first": first, "second": second})}
    try:
        return text_of(certificate(rules.query_moves_too_far(**data), DERIVED))
    except KernelError:
        return None


def of_one_edit(claim: Claim) -> Claim:
    """The claim of one edit from which that of several follows: its share of the bound."""
    if claim.edits == 1:
        return claim
    return replace(claim, edits=1, claim=divide(claim.claim, integer(claim.edits)))


def said(claim: Claim) -> dict[str, Any] | None:
    """The data of the kernel's step besides edits and evidence; None where the kernel cannot say the claim."""
    given = claim.declaration
    if given.symbolic:
        return None
    size = None if given.assumption is TRUE else size_in(given.assumption)
    if given.assumption is not TRUE and size is None:
        return None
    bound = claim.claim if size is None else substitute(claim.claim, {SIZE: integer(size)})
    square = None if is_number(bound) else squared(bound)
    if not is_number(bound) and square is None:
        return None
    values = cast(Mapping[str, Plain], given.values)
    try:
        data = {
            "source": bring(claim.source),
            "function": claim.function,
            "rows": str(domain_of(given.record)),
            "arguments": str(query_subject("f", "", plain.number(0), values).arguments[3]),
            "neighbours": claim.neighbours,
            "tables": claim.tables,
            "size": "" if size is None else str(size),
            "norm": claim.norm,
            "bound": str(plain.number(Fraction(bound.rational)) if square is None else rooted(square)),
        }
        Query.of({**data, "evidence": ""})
    except (KernelError, TermError):
        return None
    return data


def squared(bound: Term) -> Fraction | None:
    """The square of a product or quotient of numbers >= 0 and their roots; None where it is something else."""
    if is_number(bound) and bound.rational >= 0:
        return Fraction(bound.rational) ** 2
    if bound.operator == "sqrt" and is_number(bound.arguments[0]) and bound.arguments[0].rational >= 0:
        return Fraction(bound.arguments[0].rational)
    if bound.operator not in ("*", "/"):
        return None
    first, *others = map(squared, bound.arguments)
    for other in others:
        if first is None or other is None or (bound.operator == "/" and other == 0):
            return None
        first = first * other if bound.operator == "*" else first / other
    return first


def rooted(square: Fraction) -> Term:
    """The root of a number, as a number where it is one."""
    found = plain.sqrt(plain.number(square))
    with suppress(TermError):
        return plain.number(evaluate(found, {}))
    return found


def size_in(assumption: Term) -> int | None:
    """The public number of rows, where that is all that is assumed."""
    for one in assumption.arguments if assumption.operator == "==" else ():
        if is_number(one) and one.rational.denominator == 1 and assumption == equal(SIZE, integer(int(one.rational))):
            return int(one.rational)
    return None


def written_in(content: str) -> Written:
    """What a certificate says.  ValueError where it is ill-formed, or about no one function in exact arithmetic."""
    try:
        whole = parsed(content)
        for text in whole["sources"].values():
            bring(text)
        (step,) = whole["steps"]
        rule, data = step["rule"], step["data"]
        if rule in QUESTIONS:
            insist(data["kind"] == KIND, f"the certificate is about {data['kind']}")
            asked = EngineQuestion.of(data)
            return Written(claim_in(asked), QUESTIONS[rule], loaded(asked.evidence))
        query = Query.of(data)
        assumption = TRUE if query.size is None else equal(SIZE, integer(query.size))
        declaration = Declaration(kind_of(query.rows), dict(query.arguments), {}, assumption)
    except (KernelError, KeyError, TypeError, TermError) as error:
        raise Forged(f"the certificate is about no function: {error}") from error
    claim = Claim(
        query.text, query.function, declaration, cast(Neighbours, query.neighbours), cast(Norm, query.norm),
        claim_of(query.bound), query.edits, cast(Tables, query.tables),
    )  # fmt: skip
    evidence = loaded(query.evidence)
    if rule == PROVES:
        relations, order, is_fused, _ = entries(evidence, "invariants", "order", "fused", "total")
        return Written(claim, "PROVED", {"invariants": relations, "order": order, "fused": is_fused})
    first, second = entries(evidence, "first", "second")
    return Written(claim, "REFUTED", {"first": first, "second": second, "parameters": {}})


def is_about_a_query(content: str) -> bool:
    """Whether it says of one function how far it moves, in exact arithmetic.  ValueError where it is no JSON."""
    step = only_step(content)
    return step.get("rule") in (PROVES, REFUTES) or (step.get("rule") in QUESTIONS and step["data"].get("kind") == KIND)
