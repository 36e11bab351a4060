"""What the kernel's rules about machines ask of this engine: to work a bound out again, or to run a function again.

A theorem says more than a verdict: the function answers on every table of its domain, in numbers of its machine.  So
means are of at least one row, every parameter has a value, and there is a row.  docs/soundness.md has the proof.
"""

from __future__ import annotations

from math import ceil, floor
from typing import cast

from refdp.kernel.rules.machines import ROUNDING, MachineClaim
from refdp.logic.strict_json import insist, loaded
from refdp.sensitivities.checking.certificate import Claim
from refdp.sensitivities.checking.replaying import INTERPRETER
from refdp.sensitivities.checking.verifying import READING, Judged
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.machine.arithmetic import machine_arithmetic
from refdp.sensitivities.machine.formats import FLOAT64, FloatFormat, Format, format_named, spacing
from refdp.sensitivities.machine.function_certificates import Machine, Worked, require_refuted, require_worked_out
from refdp.sensitivities.machine.lemmas import SOLVERS, believed, unproved
from refdp.sensitivities.question import Neighbours, Tables
from refdp.sensitivities.records import Fields, Kind, Missing, Number
from refdp.sensitivities.row_domains import kind_of
from refdp.sensitivities.theorems import source_of
from refdp.spec.domains import SPECIAL
from refdp.terms.leaves import TRUE, rational


def needs_solver(claim: MachineClaim) -> bool:
    """Whether lemmas stand behind the bound, which a solver has to prove.  ValueError where no such bound is proved."""
    return bool(shown(claim).lemmas)


def asked(claim: MachineClaim, solver: str | None, seconds: float) -> Judged:
    """What the solvers say of the lemmas."""
    found, solvers = shown(claim), SOLVERS if solver in (None, "both") else (solver,)
    if missing := unproved(found.lemmas, solvers, seconds):
        return Judged("UNKNOWN", reason=missing)
    rounding = (ROUNDING,) if claim.is_float else ()
    return Judged("PROVED", trusts=frozenset((*rounding, READING, *believed(found.lemmas, solvers))))


def shown(claim: MachineClaim) -> Worked:
    """The bound, worked out again and no more than the claim.  ValueError where it is none, or not what is brought."""
    said, machine, form = claim_of(claim), machine_of(claim), format_named(claim.arithmetic)
    require_called(source_of(claim), claim)
    machine_arithmetic(claim.arithmetic, claim.total)  # raises where there is no such sum
    insist(has_row(said.declaration.record, form), f"no row of {claim.rows} is made of numbers of {form.name}")
    found = require_worked_out(said, machine, loaded(claim.evidence))
    read = found.read
    insist(read.kind == "sum" or claim.least >= 1, "the mean of no rows raises: tables must have at least 1 row")
    narrow = isinstance(form, FloatFormat) and form != FLOAT64
    insist(read.kind == "sum" or read.added.is_float or not narrow, f"a quotient of ints is no {form.name}")
    return found


def moved(claim: MachineClaim) -> tuple[int | None, frozenset[str]]:
    """How many coordinates the answers have on two tables that the evidence brings, and whom one has to believe.

    ValueError unless the tables are so many edits apart, and the function, run on both, moves too far.
    """
    source_of(claim)  # raises where a parameter that it does not have is given a value
    outcomes = require_refuted(claim_of(claim), machine_of(claim), loaded(claim.evidence))
    answer = next((one for one in outcomes if not one.exception), None)
    count = None if answer is None or answer.places == ((),) else len(answer.places)
    return count, frozenset({INTERPRETER, *((ROUNDING,) if claim.is_float else ())})


def claim_of(claim: MachineClaim) -> Claim:
    """The claim as the engine has it."""
    declaration = Declaration(kind_of(claim.rows), dict(claim.arguments), {}, TRUE)
    neighbours, tables = cast(Neighbours, claim.neighbours), cast(Tables, claim.tables)
    return Claim(claim.text, claim.function, declaration, neighbours, "L1", rational(claim.bound), claim.edits, tables)


def machine_of(claim: MachineClaim) -> Machine:
    """The machine of the claim, and its limits."""
    return Machine(claim.arithmetic, claim.total, claim.most, claim.least, claim.numbers == SPECIAL)


def require_called(source: Source, claim: MachineClaim) -> None:
    """ValueError unless every parameter of the function but its table has a value: a call would raise."""
    taken = source.tree.args
    places = [one.arg for one in (*taken.posonlyargs, *taken.args)]
    open_ones = places[1 : len(places) - len(taken.defaults)]
    open_ones += [one.arg for one, value in zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if value is None]
    missing = [name for name in open_ones if name not in claim.arguments]
    insist(bool(places) and not missing, f"{claim.function} must be given {', '.join(missing) or 'a table'}")


def has_row(kind: Kind, form: Format) -> bool:
    """Whether there is a record of the kind whose numbers the format has; None and labels are in every one."""
    match kind:
        case Fields(kinds):
            return all(has_row(inner, form) for _, inner in kinds)
        case Missing():
            return True
        case Number(lower, upper, is_integer):
            low, high = (None if end is None else end.rational for end in (lower, upper))
            if not isinstance(form, FloatFormat):
                ends = (form.lowest if low is None else ceil(low), form.highest if high is None else floor(high))
                return max(ends[0], form.lowest) <= min(ends[1], form.highest)
            if low is None or high is None or is_integer:
                return low is None or high is None or ceil(low) <= floor(high)
            low = max(low, -form.largest)
            return ceil(low / spacing(low, form)) * spacing(low, form) <= min(high, form.largest)
    return True
