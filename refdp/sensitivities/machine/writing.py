"""Certificates of verdicts about a machine: the kernel's wherever its rules say the claim.

What no rule says keeps the format of `function_certificates`: bounds below 0, rows that no domain of the kernel has,
assumptions that are no public number of rows, means of ints in floats narrower than float64, and one edit that adds to
tables of one size.  A sum of Python's is written as what it is in that version, so that each Python can replay it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from refdp.kernel import rules
from refdp.kernel.certificate import FORMAT, KEYS, certificate, text_of
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.engines import READING
from refdp.kernel.rules.machines import ROUNDING, MachineClaim
from refdp.kernel.sources import bring
from refdp.kernel.theorem import FAILURES
from refdp.logic.strict_json import Json, insist
from refdp.logic.terms import TRUE, is_number, number
from refdp.sensitivities.checking.certificate import Claim
from refdp.sensitivities.described import moves
from refdp.sensitivities.machine import function_certificates as before
from refdp.sensitivities.machine.function_certificates import (
    Machine,
    machine_read,
    pair_json,
    require_worked_out,
    worked_out,
)
from refdp.sensitivities.machine.lemmas import believed
from refdp.sensitivities.machine.runs import Runs
from refdp.sensitivities.machine.theorems import claim_of, machine_of, shown
from refdp.sensitivities.row_domains import domain_of
from refdp.sensitivities.writing import DERIVED, size_in
from refdp.spec.domains import FINITE, SPECIAL
from refdp.spec.queries import Plain, fixed_list
from refdp.spec.terms import TermError

PROVES, REFUTES = "machine_stays_near", "machine_moves_too_far"
SUMS: Mapping[str, str] = {"3.12 or later": "python3.12", "before 3.12": "python3.11"}
"""Version of Python -> what its `sum` computes."""


def proof(claim: Claim, machine: Machine, by: Iterable[str]) -> str | None:
    """The kernel's certificate of a proof; None where the kernel cannot say the claim."""
    data = proving(claim, said_of_each(machine))
    if data is None:
        return None
    try:
        return text_of(certificate(rules.machine_stays_near(**data, by=sorted(by)), DERIVED))
    except KernelError:
        return None


def refutation(claim: Claim, machine: Machine, first: Runs, second: Runs) -> str | None:
    """The kernel's certificate of a refutation; None where the kernel cannot say the claim."""
    return refuting(claim, said_of_each(machine), pair_json(first, second))


def said_of_each(machine: Machine, python: str = before.PYTHON) -> Machine:
    """The machine, where the sum of Python is named as what that version computes; ValueError for another version."""
    if machine.total != "python":
        return machine
    insist(python in SUMS, f"the version of Python must be one of {', '.join(SUMS)}, got {str(python)[:40]}")
    return replace(machine, total=SUMS[python])


def refuting(claim: Claim, machine: Machine, tables: Json) -> str | None:
    """The same of a pair as JSON."""
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
            "bound": str(number(claim.claim)),
        }
        MachineClaim.of({**data, "numbers": FINITE, "evidence": ""})
    except (KernelError, TermError):
        return None
    return data


def told(rule: str, data: Mapping[str, Any]) -> str:
    """What a step says, with all that is assumed, and of which text."""
    found = MachineClaim.of(data if rule == REFUTES else {**data, "numbers": FINITE})
    return moves_on(machine_of(found), claim_of(found))


def moves_on(machine: Machine, claim: Claim) -> str:
    """What a certificate says of how far a function moves, as that machine runs it."""
    rows = f"{machine.minimum_rows} <= n <= {machine.maximum_rows}"
    special = "; floats may be NaN, infinite or -0.0" if machine.specials else ""
    return moves(claim, f"{machine.arithmetic}, sum: {machine.total}, {rows}", special)


def renewed(content: str) -> dict[str, Any] | None:
    """A certificate of the format of before as one of the kernel's; None where the kernel cannot say its claim.

    It is believed no more than before: a replay works all out again.  ValueError where it is ill-formed.
    """
    claim, written, verdict, evidence = before.parsed(content)
    then = machine_read(written)
    machine = said_of_each(then, written["python"])
    if verdict == "REFUTED":
        text = refuting(claim, machine, evidence)
        return None if text is None else cast(dict[str, Any], json.loads(text))
    data = proving(claim, machine)
    if data is None:
        return None
    if then == machine or written["python"] == before.PYTHON:  # else it is what another Python worked out
        require_worked_out(claim, then, evidence)
    query = MachineClaim.of({**data, "numbers": FINITE})
    lemmas = shown(query).lemmas
    by = sorted({READING, *((ROUNDING,) if query.is_float else ()), *believed(lemmas)})
    step = {"rule": PROVES, "premises": list[int](), "data": {**data, "by": by}}
    conclusion = str(query.stable(data["source"], None).term)
    parts = (FORMAT, DERIVED, conclusion, by, {data["source"]: claim.source}, [step])
    return dict(zip(KEYS, parts, strict=True))
