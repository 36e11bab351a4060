"""What the kernel asks about a sum or a mean of floats, of no user's text: the bound is worked out and asked anew.

A question brings no mathematics of its own; the evidence names the lemmas, whose texts are this package's.
"""

from __future__ import annotations

import json
from typing import get_args

from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.machines import ROUNDING
from refdp.kernel.rules.questions import EngineQuestion
from refdp.logic.strict_json import Forged, entries, exact, insist, loaded, text_of, whole
from refdp.sensitivities.checking.verifying import Judged
from refdp.sensitivities.machine.adjusted import AdjustedBound, Kind, MachineQuery, adjusted_bound
from refdp.sensitivities.machine.formats import FloatFormat, format_named
from refdp.sensitivities.machine.lemmas import SOLVERS, unproved
from refdp.sensitivities.machine.lemmas import believed as vouching
from refdp.sensitivities.question import Neighbours, Tables

QUESTION = ("kind", "order", "arithmetic", "lower", "upper", "neighbours", "maximum_rows", "minimum_rows", "edits",
            "quantum", "tables", "bound")  # fmt: skip


def question_text(found: AdjustedBound) -> str:
    """The question whether the bound is one, as JSON text, the same every time."""
    query = found.query
    parts = (
        query.kind, query.order, query.form.name, str(query.lower), str(query.upper), query.neighbours,
        str(query.maximum_rows), str(query.minimum_rows), str(query.edits),
        None if query.quantum is None else str(query.quantum), query.tables, str(found.bound),
    )  # fmt: skip
    return json.dumps(dict(zip(QUESTION, parts, strict=True)))


def evidence_text(found: AdjustedBound) -> str:
    """What a certificate says that the bound rests on."""
    return json.dumps({"lemmas": [lemma.name for lemma in found.lemmas]})


def restated(asked: EngineQuestion) -> str:
    """The question as it is written, with the bound that is worked out.  ValueError where there is none."""
    insist(asked.text == asked.function == "", "the question must be about no text")
    return question_text(bound_in(asked))


def sentence(asked: EngineQuestion) -> str:
    """What is asked, and of which tables."""
    found = bound_in(asked)
    query = found.query
    multiples = "" if query.quantum is None else f", multiples of {query.quantum}"
    rows = f"rows in [{query.lower}, {query.upper}]{multiples}"
    kind = f"{query.edits} x {query.neighbours}, {rows}, {query.minimum_rows} <= n <= {query.maximum_rows}"
    return f"a {query.kind} ({query.order}) moves by at most {found.bound} in {query.form.name} ({kind})"


def believed(asked: EngineQuestion) -> tuple[frozenset[str], bool]:
    """Whom a proof names, and whether there are lemmas that solvers are asked.  ValueError where others are brought."""
    found = bound_in(asked)
    insist(asked.evidence == evidence_text(found), "the evidence must be the lemmas of the bound that is worked out")
    return frozenset({ROUNDING}), bool(found.lemmas)


def asked(found: EngineQuestion, solver: str | None, seconds: float) -> Judged:
    """What the solvers say of the lemmas."""
    solvers, lemmas = SOLVERS if solver in (None, "both") else (str(solver),), bound_in(found).lemmas
    if missing := unproved(lemmas, solvers, seconds):
        return Judged("UNKNOWN", reason=missing)
    return Judged("PROVED", trusts=frozenset({ROUNDING, *vouching(lemmas, solvers)}))


def refuted(asked: EngineQuestion) -> frozenset[str]:
    """KernelError: nothing refutes such a bound."""
    raise KernelError(f"no {asked.kind} is refuted")


def bound_in(asked: EngineQuestion) -> AdjustedBound:
    """The bound that is worked out for what a question asks about.  ValueError where there is none."""
    kind, order, arithmetic, lower, upper, neighbours, most, least, edits, quantum, tables, _ = entries(
        loaded(asked.question), *QUESTION
    )
    form = format_named(text_of(arithmetic))
    words = ((kind, Kind), (neighbours, Neighbours), (tables, Tables))
    if not isinstance(form, FloatFormat) or any(word not in get_args(one) for word, one in words):
        raise Forged("it must be about a float format, and in words that are known")
    return adjusted_bound(MachineQuery(
        kind, text_of(order), form, exact(lower), exact(upper), neighbours, whole(most), whole(least), whole(edits),
        None if quantum is None else exact(quantum), tables,
    ))  # fmt: skip
