"""Verdicts about users' functions on a machine, and the certificates of those that no rule of the kernel says.

    {"format": "refdp-machine-function/1", "claim": {...}, "machine": {...}, "verdict": ..., "evidence": {...}}

The claim holds the source text and the declaration.  Of a proof the evidence is the bound and what it is made of, all
of which is computed anew; of a refutation it is two tables as runs of rows, on which the function is run again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.kernel.rules.machines import ROUNDING
from refdp.logic.evaluation import evaluate
from refdp.logic.strict_json import Forged, Json, entries, insist, items, loaded, whole
from refdp.logic.terms import is_number, number
from refdp.sensitivities.checking.certificate import Claim, claim_json, claim_of
from refdp.sensitivities.checking.encoding import value_json, value_of
from refdp.sensitivities.checking.possible import require_possible
from refdp.sensitivities.checking.verifying import READING
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.machine.adjusted import MachineQuery, adjusted_bound
from refdp.sensitivities.machine.arithmetic import machine_arithmetic
from refdp.sensitivities.machine.formats import FloatFormat, format_named
from refdp.sensitivities.machine.integers import integer_bound
from refdp.sensitivities.machine.lemmas import Lemma, believed, unproved
from refdp.sensitivities.machine.neighbours import machine_edits, require_row
from refdp.sensitivities.machine.pair import MachineOutcome, distance
from refdp.sensitivities.machine.read_queries import Limits, query_of
from refdp.sensitivities.machine.recognising import Recognised, recognised
from refdp.sensitivities.machine.runs import LARGEST_TABLE, Runs
from refdp.sensitivities.machine.user_runs import integral, user_run
from refdp.sensitivities.question import SIZE

FORMAT = "refdp-machine-function/1"
INTERPRETER = "refdp's interpreter of Python"
PYTHON = "3.12 or later" if sys.version_info >= (3, 12) else "before 3.12"
"""What `python` means as the name of a sum; it is compensated from 3.12 on."""
MACHINE = ("arithmetic", "sum", "python", "maximum_rows", "minimum_rows", "specials")


@dataclass(frozen=True, slots=True)
class Machine:
    """How the function is run, and on which tables."""

    arithmetic: str
    total: str
    maximum_rows: int
    minimum_rows: int = 0
    specials: bool = False
    """Whether a field that is a float may be NaN, infinite or -0.0."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a certificate shows."""

    claim: Claim
    machine: Machine
    verdict: str
    trusts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Worked:
    """What a proof is made of, as it is worked out from the text."""

    read: Recognised
    bound: Fraction
    lemmas: tuple[Lemma, ...]

    @property
    def evidence(self) -> dict[str, Json]:
        """What a certificate says of it."""
        ends = str(self.read.added.lower), str(self.read.added.upper)
        return {"kind": self.read.kind, "order": self.read.order, "lower": ends[0], "upper": ends[1],
                "bound": str(self.bound), "lemmas": [lemma.name for lemma in self.lemmas]}  # fmt: skip


def proof_text(claim: Claim, machine: Machine) -> str:
    """The certificate of a proof of the claim.  ValueError where no bound is proved."""
    return _text(claim, machine, "PROVED", worked_out(claim, machine).evidence)


def refutation_text(claim: Claim, machine: Machine, first: Runs, second: Runs) -> str:
    """The certificate of a pair of tables that exceeds the claim."""
    return _text(claim, machine, "REFUTED", pair_json(first, second))


def pair_json(first: Runs, second: Runs) -> dict[str, Json]:
    """What a refutation brings."""
    return {"first": _table_json(first), "second": _table_json(second)}


def parsed(text: str) -> tuple[Claim, Json, str, Json]:
    """Claim, machine, verdict and evidence.  ValueError where the text is not a certificate."""
    found = loaded(text)
    name, claimed, machine, verdict, evidence = entries(found, "format", "claim", "machine", "verdict", "evidence")
    insist(name == FORMAT, f"the format must be {FORMAT}, got {str(name)[:40]}")
    insist(verdict in ("PROVED", "REFUTED"), f"the verdict must be PROVED or REFUTED, got {str(verdict)[:40]}")
    return claim_of(claimed), machine, verdict, evidence


def replay(text: str, solvers: Sequence[str], seconds: float) -> Shown:
    """What the certificate shows when everything is computed, run and proved again.  ValueError where it is forged."""
    claim, written, verdict, evidence = parsed(text)
    machine = machine_read(written)
    require_same_sum(written)
    require_possible(claim.declaration)
    insist(not claim.declaration.symbolic and claim.norm == "L1", "parameters must have values, and the norm be L1")
    rounding = (ROUNDING,) if isinstance(format_named(machine.arithmetic), FloatFormat) else ()
    try:
        if verdict == "REFUTED":
            require_refuted(claim, machine, evidence)
            return Shown(claim, machine, verdict, (*rounding, INTERPRETER))
        found = require_worked_out(claim, machine, evidence)
    except (ArithmeticError, KeyError, RecursionError, NoOutcome) as error:
        raise Forged(f"the certificate cannot be replayed: {type(error).__name__} {str(error)[:100]}") from None
    if missing := unproved(found.lemmas, solvers, seconds):
        raise ValueError(missing)
    return Shown(claim, machine, verdict, (*rounding, READING, *believed(found.lemmas, solvers)))


def require_worked_out(claim: Claim, machine: Machine, evidence: Json) -> Worked:
    """What the proof is made of.  ValueError where that is not what is brought, or proves no such claim."""
    found = worked_out(claim, machine)
    insist(evidence == found.evidence, f"the certificate must say what is computed anew: the bound {found.bound}")
    return found


def worked_out(claim: Claim, machine: Machine) -> Worked:
    """The bound with what it is made of, and the lemmas.  ValueError where it is more than the claim, or none is."""
    insist(not machine.specials, "nothing is proved of tables with NaN and infinities")
    form = format_named(machine.arithmetic)
    read = recognised(parse_source(claim.source, claim.function), claim.declaration, form, machine.total)
    limits = Limits(claim.neighbours, machine.maximum_rows, machine.minimum_rows, claim.edits, claim.tables)
    query = query_of(read, form, limits)
    found = adjusted_bound(query) if isinstance(query, MachineQuery) else integer_bound(query)
    insist(found.bound <= _number(claim), f"the claim must be at least the bound {found.bound}")
    return Worked(read, found.bound, found.lemmas)


def require_refuted(claim: Claim, machine: Machine, evidence: Json) -> tuple[MachineOutcome, MachineOutcome]:
    """What the machine makes of either table.

    Forged unless both are as declared, are neighbours, and move the function further than claimed.
    """
    form = format_named(machine.arithmetic)
    given = integral(claim.declaration, form)
    first, second = (_table(part) for part in entries(evidence, "first", "second"))
    for row, _ in (*first.parts, *second.parts):
        require_row(given.record, row, form, machine.specials)
    least, most = sorted((len(first), len(second)))
    insist(machine.minimum_rows <= least <= most <= machine.maximum_rows, "a table must have as many rows as is said")
    apart = machine_edits(first, second, claim.neighbours, claim.tables, claim.edits)
    insist(apart <= claim.edits, f"the tables must be {claim.edits} edits apart, got {apart} or more")
    insist(evaluate(given.assumption, {SIZE: Fraction(least)}) is True, "the assumption must hold of the pair")
    run = user_run(parse_source(claim.source, claim.function), given, machine_arithmetic(form.name, machine.total))
    one, other = (run(Runs(tuple((row, 1) for row in table))) for table in (first, second))
    moved, limit = distance(one, other), _number(claim)
    insist(moved is None or moved > limit or limit < 0, f"the answers must be further apart than {limit}, got {moved}")
    return one, other


def _number(claim: Claim) -> Fraction:
    """The claim as a number."""
    insist(is_number(claim.claim), "the claim must be a number")
    return number(claim.claim)


def _text(claim: Claim, machine: Machine, verdict: str, evidence: Json) -> str:
    """A certificate as JSON text, the same every time."""
    parts = (machine.arithmetic, machine.total, PYTHON, str(machine.maximum_rows), str(machine.minimum_rows),
             machine.specials)  # fmt: skip
    found: dict[str, Any] = {"format": FORMAT, "claim": claim_json(claim)}
    found |= {"machine": dict(zip(MACHINE, parts, strict=True)), "verdict": verdict, "evidence": evidence}
    return json.dumps(found, indent=1, ensure_ascii=True) + "\n"


def require_same_sum(found: Json) -> None:
    """Forged where the `sum` of the machine that JSON stands for is Python's, and not that of the running Python."""
    total, python = found["sum"], found["python"]
    insist(total != "python" or python == PYTHON, f"it must be replayed by the Python it is about, {str(python)[:20]}")


def machine_read(found: Json) -> Machine:
    """The machine that JSON stands for; whether its `sum` is that of the running Python is not looked at."""
    arithmetic, total, _, most, least, specials = entries(found, *MACHINE)
    insist(all(isinstance(one, str) for one in (arithmetic, total)), "an arithmetic and a sum must be text")
    insist(isinstance(specials, bool), "specials must be true or false")
    return Machine(arithmetic, total, whole(most), whole(least), specials)


def _table_json(table: Runs) -> Json:
    """A table as JSON."""
    return [[value_json(row), str(count)] for row, count in table.parts]


def _table(found: Json) -> Runs:
    """The table that JSON stands for."""
    parts = [items(part) for part in items(found)]
    insist(all(len(part) == 2 for part in parts), "a run must be a row and how often it stands there")
    runs = Runs(tuple((value_of(row), whole(count)) for row, count in parts))
    insist(all(count > 0 for _, count in runs.parts) and len(runs) <= LARGEST_TABLE, "a table must not be too long")
    return runs
