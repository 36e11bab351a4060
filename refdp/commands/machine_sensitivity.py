"""`refdp sensitivity --arithmetic float64`: the same question about what a machine computes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from refdp.commands.judgements import complete, written_certificate
from refdp.provers.processes import processor_seconds
from refdp.sensitivities.checking.certificate import Claim
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.declaring import declared
from refdp.sensitivities.described import described
from refdp.sensitivities.judgement import answer_text, row_text
from refdp.sensitivities.judging import claim_of
from refdp.sensitivities.language.source import Source, read_source
from refdp.sensitivities.machine.arithmetic import machine_arithmetic
from refdp.sensitivities.machine.function_certificates import Machine, has_neighbours
from refdp.sensitivities.machine.judging import MachineVerdict, judge_function
from refdp.sensitivities.machine.pair import SPECIALS, MachinePair
from refdp.sensitivities.machine.runs import Runs
from refdp.sensitivities.machine.user_scripts import user_script
from refdp.sensitivities.machine.writing import proof, refutation
from refdp.sensitivities.question import Neighbours, Tables
from refdp.sensitivities.request import Request
from refdp.terms.leaves import is_number, rational

DEFAULT_ROWS = 4096
"""Most rows of a table where nothing is said."""


def machine(
    asked: Request,
    arithmetic: str,
    total: str,
    *,
    maximum_rows: int | None = None,
    minimum_rows: int = 0,
    timeout: float = 60.0,
    specials: bool = False,
    certificates: str | Path | None = None,
) -> dict[str, Any]:
    """The judgement of a function as a machine runs it, for tables of at most `maximum_rows` rows.

    `total` names what the builtin `sum` computes.  The norm is L1, and a claim is one number.
    `specials`: a row that is a float may also be NaN, infinite or -0.0.  `certificates`: the folder for a certificate.
    """
    start = processor_seconds()
    source = read_source(asked.target)
    given = declared(asked, source)
    machine_numbers = machine_arithmetic(arithmetic, total)
    most = DEFAULT_ROWS if maximum_rows is None else maximum_rows
    if not 0 <= minimum_rows <= most:
        raise ValueError(f"rows_at_least must be between 0 and rows_at_most, got {minimum_rows} and {most}")
    if not has_neighbours(asked.neighbours, minimum_rows, most):
        raise ValueError(
            f"rows_at_least and rows_at_most must be such that tables have neighbours, got {minimum_rows} and {most}"
        )
    found = judge_function(
        source, given, arithmetic, total, cast(Neighbours, asked.neighbours), claimed(asked, given), most, timeout,
        edits=asked.edits, tables=cast(Tables, asked.tables or "lists"), minimum_rows=minimum_rows,
        specials=specials,
    )  # fmt: skip
    pair = None
    if found.pair is not None:
        script = user_script(source, given.record, given.values, machine_numbers, found.pair)
        pair = machine_pair(found.pair, script)
    limits = Machine(arithmetic, total, most, minimum_rows, specials)
    path = written_certificate(certificate_text(found, asked, source, given, limits), source.name, certificates)
    return complete(
        machine_data(found, asked, given, machine_numbers.name, most) | {"pair": pair, "certificate": path}, start
    )


def certificate_text(
    found: MachineVerdict, asked: Request, source: Source, given: Declaration, machine: Machine
) -> str | None:
    """The certificate of a verdict, the kernel's where its rules say it; without a claim, of the bound that is proved.

    None where nothing is known.
    """
    claimed = found.bound if found.claim is None else found.claim
    if found.verdict == "UNKNOWN" or claimed is None:
        return None
    claim = Claim(
        source.text, source.name, given, cast(Neighbours, asked.neighbours), "L1", rational(claimed), asked.edits,
        cast(Tables, asked.tables or "lists"),
    )  # fmt: skip
    if found.verdict == "PROVED":
        return proof(claim, machine, found.trusts)
    if found.pair is None:
        raise RuntimeError("what is refuted must have a pair")
    return refutation(claim, machine, found.pair.first, found.pair.second)


def claimed(asked: Request, given: Declaration) -> Fraction | None:
    """The claim as a number.  ValueError where it is none."""
    if asked.norm != "L1":
        raise ValueError(f"norm must be L1 in machine arithmetic, got {asked.norm}")
    if asked.claim is None:
        return None
    claim = claim_of(asked, given)
    if not is_number(claim):
        raise ValueError(f"claim must be a number in machine arithmetic, got {asked.claim}")
    return claim.rational


def machine_data(
    found: MachineVerdict, asked: Request, given: Declaration, arithmetic: str, maximum_rows: int
) -> dict[str, Any]:
    """A verdict about a machine as plain data."""
    return {
        "verdict": found.verdict,
        "function": asked.target.rpartition(":")[2],
        "claim": asked.claim,
        "neighbours": asked.neighbours,
        "edits": asked.edits,
        "norm": asked.norm,
        "tables": asked.tables or "lists",
        "arithmetic": arithmetic,
        "bound": None if found.bound is None else str(found.bound),
        "ideal": None if found.ideal is None else str(found.ideal),
        "any_n": False,
        "maximum_rows": maximum_rows,
        "trusts": list(found.trusts),
        **described(given),
    } | ({"reason": found.reason} if found.verdict == "UNKNOWN" else {})


def machine_pair(pair: MachinePair, script: str) -> dict[str, Any]:
    """A pair of tables as runs of equal rows, with both answers and their exact distance."""
    return {
        "first": runs_text(pair.first),
        "second": runs_text(pair.second),
        "parameters": {},
        "answers": [answer_text(one) for one in pair.outcomes],
        "distance": "infinite" if pair.distance is None else str(pair.distance),
        "script": script,
    }


def runs_text(table: Runs) -> list[str]:
    """Rows, with how often each stands there."""
    return [f"{row_text(value, SPECIALS)}{f'  x {count}' if count > 1 else ''}" for value, count in table.parts]
