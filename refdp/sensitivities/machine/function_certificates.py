"""Verdicts about users' functions on a machine, and what the kernel asks about those that none of its own rules says.

A question holds all that a claim in exact arithmetic is made of, and the machine.  Of a proof the evidence is the bound
and what it is made of, all of which is worked out anew; of a refutation it is two tables as runs of rows, on which the
function is run again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction

from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.machines import ROUNDING
from refdp.kernel.rules.questions import EngineQuestion
from refdp.logic.strict_json import Json, entries, insist, items, loaded, text_of, whole
from refdp.sensitivities.checking.certificate import QUESTION, Claim, claim_of, question_json
from refdp.sensitivities.checking.encoding import value_json, value_of
from refdp.sensitivities.checking.pairs import are_within
from refdp.sensitivities.checking.possible import require_possible
from refdp.sensitivities.checking.replaying import INTERPRETER
from refdp.sensitivities.checking.verifying import READING, Judged
from refdp.sensitivities.described import moves
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.machine.adjusted import MachineQuery, adjusted_bound
from refdp.sensitivities.machine.arithmetic import machine_arithmetic
from refdp.sensitivities.machine.formats import FloatFormat, format_named
from refdp.sensitivities.machine.integers import integer_bound
from refdp.sensitivities.machine.lemmas import SOLVERS, Lemma, unproved
from refdp.sensitivities.machine.lemmas import believed as vouching
from refdp.sensitivities.machine.neighbours import machine_edits, require_row
from refdp.sensitivities.machine.pair import MachineOutcome, distance
from refdp.sensitivities.machine.read_queries import Limits, query_of
from refdp.sensitivities.machine.recognising import Recognised, recognised
from refdp.sensitivities.machine.runs import LARGEST_TABLE, Runs
from refdp.sensitivities.machine.user_runs import integral, user_run
from refdp.sensitivities.question import SIZE
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import is_number

PYTHON_SUM = "python"
"""The name of the sum of whichever Python runs, which no certificate speaks of: it is compensated from 3.12 on."""
MACHINE = ("arithmetic", "sum", "maximum_rows", "minimum_rows", "specials")


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


def pair_json(first: Runs, second: Runs) -> dict[str, Json]:
    """What a refutation brings."""
    return {"first": _table_json(first), "second": _table_json(second)}


def question_text(claim: Claim, machine: Machine) -> str:
    """The question as JSON text, the same every time."""
    parts = (machine.arithmetic, machine.total, str(machine.maximum_rows), str(machine.minimum_rows), machine.specials)
    return json.dumps({**question_json(claim), **dict(zip(MACHINE, parts, strict=True))})


def question_in(asked: EngineQuestion) -> tuple[Claim, Machine]:
    """The claim and the machine that a question names.  ValueError where it is no such question."""
    found = loaded(asked.question)
    arithmetic, total, most, least, specials, *_ = entries(found, *MACHINE, *QUESTION)
    claim = claim_of(asked.text, asked.function, {key: found[key] for key in QUESTION})
    insist(isinstance(specials, bool), "specials must be true or false")
    machine = Machine(text_of(arithmetic), text_of(total), whole(most), whole(least), specials)
    machine_arithmetic(machine.arithmetic, machine.total)  # raises where there is no such sum
    insist(machine.total != PYTHON_SUM, "a sum must be that of one version of Python")
    insist(not claim.declaration.symbolic and claim.norm == "L1", "parameters must have values, and the norm be L1")
    insist(claim.edits >= 1 and 0 <= machine.minimum_rows <= machine.maximum_rows, "edits and rows must be possible")
    insist(has_neighbours(claim.neighbours, machine.minimum_rows, machine.maximum_rows), "no two tables are neighbours")
    return claim, machine


def has_neighbours(neighbours: str, least: int, most: int) -> bool:
    """Whether two tables of so many rows are neighbours: of nothing, every bound would be proved."""
    return least < most if neighbours == "add_remove" else most > 0


def restated(asked: EngineQuestion) -> str:
    """The question as it is written."""
    return question_text(*question_in(asked))


def sentence(asked: EngineQuestion) -> str:
    """What is asked, with all that is assumed."""
    claim, machine = question_in(asked)
    return moves_on(machine, claim)


def moves_on(machine: Machine, claim: Claim) -> str:
    """How far a function moves, as that machine runs it, with all that is assumed."""
    rows = f"{machine.minimum_rows} <= n <= {machine.maximum_rows}"
    special = "; floats may be NaN, infinite or -0.0" if machine.specials else ""
    return moves(claim, f"{machine.arithmetic}, sum: {machine.total}, {rows}", special)


def rounding(machine: Machine) -> frozenset[str]:
    """What is taken for granted of the machine: of floats, how they are rounded."""
    return frozenset({ROUNDING} if isinstance(format_named(machine.arithmetic), FloatFormat) else ())


def believed(asked: EngineQuestion) -> tuple[frozenset[str], bool]:
    """Whom a proof names, and whether there are lemmas that solvers are asked.  ValueError where none is proved."""
    claim, machine = question_in(asked)
    found = require_worked_out(claim, machine, loaded(asked.evidence))
    return rounding(machine) | {READING}, bool(found.lemmas)


def asked(found: EngineQuestion, solver: str | None, seconds: float) -> Judged:
    """What the solvers say of the lemmas.  KernelError where what is assumed cannot be."""
    claim, machine = question_in(found)
    try:
        require_possible(claim.declaration, claim.neighbours)
    except ValueError as error:
        raise KernelError(str(error)) from None
    solvers = SOLVERS if solver in (None, "both") else (str(solver),)
    lemmas = require_worked_out(claim, machine, loaded(found.evidence)).lemmas
    if missing := unproved(lemmas, solvers, seconds):
        return Judged("UNKNOWN", reason=missing)
    return Judged("PROVED", trusts=rounding(machine) | {READING, *vouching(lemmas, solvers)})


def refuted(asked: EngineQuestion) -> frozenset[str]:
    """Whom one has to believe that the pair of tables refutes the claim.  ValueError where it does not."""
    claim, machine = question_in(asked)
    require_refuted(claim, machine, loaded(asked.evidence))
    return rounding(machine) | {INTERPRETER}


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
    near = are_within(claim.edits, apart, first, claim.neighbours)
    insist(near, f"the tables must be neighbours, {claim.edits} edits apart, got {apart} or more")
    insist(evaluate(given.assumption, {SIZE: Fraction(least)}) is True, "the assumption must hold of the pair")
    run = user_run(parse_source(claim.source, claim.function), given, machine_arithmetic(form.name, machine.total))
    one, other = (run(Runs(tuple((row, 1) for row in table))) for table in (first, second))
    moved, limit = distance(one, other), _number(claim)
    insist(moved is None or moved > limit or limit < 0, f"the answers must be further apart than {limit}, got {moved}")
    return one, other


def _number(claim: Claim) -> Fraction:
    """The claim as a number."""
    insist(is_number(claim.claim), "the claim must be a number")
    return claim.claim.rational


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
