"""Replaying certificates that are not derivations of the kernel: about a user's function, or a statistic at a table.

Each kind loads the checker that it names, and no other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from refdp.kernel.judgements import KernelError
from refdp.kernel.theorem import FAILURES
from refdp.logic.strict_json import loaded, unrepeated

if TYPE_CHECKING:
    from refdp.sensitivities.machine.adjusted import AdjustedBound

Judged = dict[str, Any]
"""Conclusion, verdict, whom it trusts, and the reason where there is one."""


def replayed_function(kind: str, content: str, solver: str | None, timeout: float) -> Judged:
    """What a certificate of that kind shows.  KernelError where it is forged."""
    try:
        return REPLAYS[kind](content, solver, timeout)
    except (ValueError, RecursionError) as error:
        raise KernelError(str(error)) from error


def renewed(kind: str, content: str) -> dict[str, Any] | None:
    """A certificate of an earlier format as one of the kernel's; None where the kernel has no rule for its claim.

    KernelError where it is forged.
    """
    if kind not in RENEWALS:
        return None
    try:
        return RENEWALS[kind](content)
    except FAILURES as error:
        raise KernelError(f"the certificate cannot be read: {type(error).__name__} {str(error)[:200]}") from error


def told(certificate: Mapping[str, Any]) -> list[str]:
    """What the steps of a kernel's certificate say of programs and of machines, in words, with all that is assumed."""
    found: dict[str, None] = {}
    for step in certificate["steps"]:
        if step["rule"] in ("machine_stays_near", "machine_moves_too_far"):
            from refdp.sensitivities.machine.writing import told as told_of_machine

            found[told_of_machine(step["rule"], step["data"])] = None
        if step["rule"] in ("program_is_private", "program_exceeds"):
            from refdp.kernel.rules.programs import ProgramClaim
            from refdp.programs.certificates.replaying import sentence
            from refdp.programs.theorems import read

            found[sentence(*read(ProgramClaim.of(step["data"])))] = None
    return list(found)


def _renewed_program(content: str) -> dict[str, Any] | None:
    """A proof or a refutation of what a program claims."""
    from refdp.programs.certificates.writing import renewed

    return renewed(loaded(content))


def _renewed_query(content: str) -> dict[str, Any] | None:
    """How far a function moves, in exact arithmetic."""
    from refdp.sensitivities.writing import renewed

    return renewed(content)


def _renewed_machine(content: str) -> dict[str, Any] | None:
    """How far a function moves as a machine runs it."""
    from refdp.sensitivities.machine.writing import renewed

    return renewed(content)


def _exact(content: str, solver: str | None, timeout: float) -> Judged:
    """How far a function moves, in exact arithmetic."""
    from refdp.sensitivities.checking.replaying import replay
    from refdp.sensitivities.described import moves

    found = replay(content, solver or "both", timeout)
    return _judged(moves(found.claim, "exact arithmetic"), found.verdict, found.trusts, found.reason)


def _smooth(content: str, solver: str | None, timeout: float) -> Judged:
    """A smooth bound at a table.

    The table's windows are looked at again; that they make a smooth bound of every table, solvers prove anew.
    """
    from refdp.sensitivities.smoothing.believing import SOLVERS, trusted, why_unproved
    from refdp.sensitivities.smoothing.certificates import read_certificate

    solvers = SOLVERS if solver in (None, "both") else (solver,)
    found = read_certificate(json.loads(content))
    said = found.check()
    if reason := why_unproved(found.statistic, found.neighbours, timeout, solvers):
        return _judged(said, "UNKNOWN", (), reason)
    return _judged(said, "PROVED", trusted(solvers))


def _machine_sum(content: str, solver: str | None, timeout: float) -> Judged:
    """How far a sum or a mean moves that a machine computes."""
    from refdp.kernel.rules.machines import ROUNDING
    from refdp.sensitivities.machine.certificates import check_machine_certificate
    from refdp.sensitivities.machine.lemmas import SOLVERS, believed

    solvers = SOLVERS if solver in (None, "both") else (solver,)
    found = check_machine_certificate(json.loads(content, object_pairs_hook=unrepeated(ValueError)), solvers, timeout)
    return _judged(_sum_moves(found), "PROVED", (ROUNDING, *believed(found.lemmas, solvers)))


def _machine_function(content: str, solver: str | None, timeout: float) -> Judged:
    """How far a function moves as a machine runs it."""
    from refdp.sensitivities.machine.function_certificates import replay
    from refdp.sensitivities.machine.lemmas import SOLVERS
    from refdp.sensitivities.machine.writing import moves_on

    solvers = SOLVERS if solver in (None, "both") else (solver,)
    found = replay(content, solvers, timeout)
    return _judged(moves_on(found.machine, found.claim), found.verdict, found.trusts)


def _program(content: str, solver: str | None, timeout: float) -> Judged:
    """A randomised program, with its alignment or its counterexample."""
    from refdp.programs.certificates.replaying import replay

    found = replay(content, solver or "z3", timeout)
    return _judged(found.sentence, found.verdict, found.trusts, found.reason)


def _judged(conclusion: str, verdict: str, trusts: Iterable[str], reason: str = "") -> Judged:
    """A judgement as plain data."""
    found = {"conclusion": conclusion, "verdict": verdict, "trusts": sorted(trusts)}
    return found | ({"reason": reason} if reason else {})


def _sum_moves(found: AdjustedBound) -> str:
    """What a certificate about a sum or a mean of floats says, and of which tables."""
    query = found.query
    multiples = "" if query.quantum is None else f", multiples of {query.quantum}"
    rows = f"rows in [{query.lower}, {query.upper}]{multiples}"
    kind = f"{query.edits} x {query.neighbours}, {rows}, {query.minimum_rows} <= n <= {query.maximum_rows}"
    return f"a {query.kind} ({query.order}) moves by at most {found.bound} in {query.form.name} ({kind})"


REPLAYS: Mapping[str, Callable[[str, str | None, float], Judged]] = {
    "sensitivity": _exact,
    "smooth-sensitivity": _smooth,
    "machine-sensitivity": _machine_sum,
    "machine-function": _machine_function,
    "alignment": _program,
    "counterexample": _program,
}
"""Kind, as the certificate's format names it -> how it is replayed."""
RENEWALS: Mapping[str, Callable[[str], dict[str, Any] | None]] = {
    "alignment": _renewed_program,
    "counterexample": _renewed_program,
    "sensitivity": _renewed_query,
    "machine-function": _renewed_machine,
}
"""Kind -> how it is read as a certificate of the kernel's."""
FOREIGN = re.compile(rf'\s*\{{\s*"format":\s*"refdp-({"|".join(REPLAYS)})/')
"""How such a certificate starts."""
