"""Certificates of verdicts about a machine: about a query that it runs wherever a rule of the kernel says that.

Else they are about a question of this engine's: bounds below 0, rows that no domain of the kernel has, assumptions that
are no public number of rows, means of ints in floats narrower than float64, and one edit that adds to tables of one
size.  A sum of Python's is written as what it is in that version, so that each Python can replay it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

from refdp.kernel import rules
from refdp.kernel.certificate import DERIVED, answer_certificate, certificate, text_of
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.machines import MachineClaim
from refdp.kernel.rules.questions import EngineQuestion
from refdp.kernel.sources import bring
from refdp.kernel.theorem import FAILURES
from refdp.logic.strict_json import Json, insist
from refdp.sensitivities.checking.certificate import Claim
from refdp.sensitivities.machine.function_certificates import (
    PYTHON_SUM,
    Machine,
    moves_on,
    pair_json,
    question_text,
    worked_out,
)
from refdp.sensitivities.machine.runs import Runs
from refdp.sensitivities.machine.theorems import claim_of, machine_of, shown
from refdp.sensitivities.row_domains import domain_of
from refdp.sensitivities.writing import size_in
from refdp.spec.domains import FINITE, SPECIAL
from refdp.spec.queries import Plain, fixed_list
from refdp.terms.leaves import TRUE, is_number
from refdp.terms.term import TermError

PROVES, REFUTES = "machine_stays_near", "machine_moves_too_far"
SUMS: Mapping[str, str] = {"3.12 or later": "python3.12", "before 3.12": "python3.11"}
"""Version of Python -> what its `sum` computes."""
PYTHON = "3.12 or later" if sys.version_info >= (3, 12) else "before 3.12"
KIND = "machine_function"


def proof(claim: Claim, machine: Machine, by: Iterable[str]) -> str | None:
    """The certificate of a proof for which these vouch; None where it is too long."""
    each, vouching = said_of_each(machine), sorted(by)
    data = proving(claim, each)
    if data is not None:
        with suppress(KernelError):
            return text_of(certificate(rules.machine_stays_near(**data, by=vouching), DERIVED))
    return answer_certificate(question_of(claim, each, worked_out(claim, each).evidence), vouching)


def refutation(claim: Claim, machine: Machine, first: Runs, second: Runs) -> str | None:
    """The certificate of a refutation; None where it is too long."""
    each, tables = said_of_each(machine), pair_json(first, second)
    return refuting(claim, each, tables) or answer_certificate(question_of(claim, each, tables), None)


def question_of(claim: Claim, machine: Machine, evidence: Json) -> EngineQuestion:
    """The claim as a question of this engine's, and what is brought to answer it."""
    return EngineQuestion(KIND, claim.source, claim.function, question_text(claim, machine), json.dumps(evidence))


def said_of_each(machine: Machine, python: str = PYTHON) -> Machine:
    """The machine, where the sum of Python is named as what that version computes; ValueError for another version."""
    if machine.total != PYTHON_SUM:
        return machine
    insist(python in SUMS, f"the version of Python must be one of {', '.join(SUMS)}, got {str(python)[:40]}")
    return replace(machine, total=SUMS[python])


def refuting(claim: Claim, machine: Machine, tables: Json) -> str | None:
    """The certificate of a refutation about a query; None where the kernel cannot say it."""
    data = said(claim, machine)
    if data is None:
        return None
    try:
        step = data | {"numbers": SPECIAL if machine.specials else FINITE, "evidence": json.dumps(tables)}
        return text_of(certificate(rules.machine_moves_too_far(**step), DERIVED))
    except KernelError:
        return None


def proving(claim: Claim, machine: Machine) -> dict[str, Any] | None:
    """The data of the step that proves, without who vouched; None where the kernel cannot say the claim.

    A mean of no rows has no answer: its theorem is about tables of at least one.
    """
    data = said(claim, machine)
    if data is None or machine.specials:
        return None
    try:
        kind = worked_out(claim, machine).read.kind
        limited = data | {"least": str(max(int(data["least"]), 1))} if kind == "mean" else data
        query = MachineClaim.of({**limited, "numbers": FINITE, "evidence": ""})
        found = worked_out(claim_of(query), machine_of(query))
        step = limited | {"evidence": json.dumps(found.evidence)}
        shown(MachineClaim.of({**step, "numbers": FINITE}))
    except (KernelError, *FAILURES):
        return None
    return step


def said(claim: Claim, machine: Machine) -> dict[str, Any] | None:
    """The data of the kernel's step besides its evidence; None where the kernel cannot say the claim."""
    given, least, most = claim.declaration, machine.minimum_rows, machine.maximum_rows
    if given.symbolic or claim.norm != "L1" or not is_number(claim.claim):
        return None
    if given.assumption is not TRUE:
        size = size_in(given.assumption) if claim.neighbours == "change_one" else None
        if size is None or not least <= size <= most:
            return None
        least = most = size
    try:
        data = {
            "source": bring(claim.source),
            "function": claim.function,
            "rows": str(domain_of(given.record)),
            "arguments": str(fixed_list(cast(Mapping[str, Plain], given.values))),
            "neighbours": claim.neighbours,
            "tables": claim.tables,
            "edits": str(claim.edits),
            "arithmetic": machine.arithmetic,
            "sum": machine.total,
            "least": str(least),
            "most": str(most),
            "bound": str(claim.claim.rational),
        }
        MachineClaim.of({**data, "numbers": FINITE, "evidence": ""})
    except (KernelError, TermError):
        return None
    return data


def told(rule: str, data: Mapping[str, Any]) -> str:
    """What a step says, with all that is assumed, and of which text."""
    found = MachineClaim.of(data if rule == REFUTES else {**data, "numbers": FINITE})
    return moves_on(machine_of(found), claim_of(found))
