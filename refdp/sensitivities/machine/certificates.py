"""Certificates of adjusted bounds: the query and the bound as JSON; replaying computes and asks everything anew.

A certificate brings no mathematics of its own: its lemmas are named, and their texts are this package's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from refdp.logic.strict_json import exact
from refdp.sensitivities.machine.adjusted import AdjustedBound, Kind, MachineQuery, adjusted_bound
from refdp.sensitivities.machine.formats import FloatFormat, format_named
from refdp.sensitivities.machine.lemmas import SOLVERS, unproved
from refdp.sensitivities.question import Neighbours, Tables

FORMAT = "refdp-machine-sensitivity/1"
KEYS = {"format", "kind", "order", "arithmetic", "lower", "upper", "neighbours", "maximum_rows", "minimum_rows",
        "edits", "quantum", "tables", "bound", "lemmas"}  # fmt: skip


def machine_certificate(found: AdjustedBound) -> dict[str, Any]:
    """The certificate of a bound; numbers are text."""
    query = found.query
    return {
        "format": FORMAT, "kind": query.kind, "order": query.order, "arithmetic": query.form.name,
        "lower": str(query.lower), "upper": str(query.upper), "neighbours": query.neighbours,
        "maximum_rows": query.maximum_rows, "minimum_rows": query.minimum_rows, "edits": query.edits,
        "quantum": None if query.quantum is None else str(query.quantum), "tables": query.tables,
        "bound": str(found.bound), "lemmas": [lemma.name for lemma in found.lemmas],
    }  # fmt: skip


def check_machine_certificate(
    certificate: Mapping[str, Any], solvers: Sequence[str] = SOLVERS, seconds: float = 20
) -> AdjustedBound:
    """The bound of a certificate, recomputed, its lemmas proved anew by each solver.

    Raises:
        ValueError: the certificate is not what this package computes, or a lemma is not proved.
    """
    if set(certificate) != KEYS or certificate["format"] != FORMAT:
        raise ValueError(f"a certificate must have the format {FORMAT} and its keys, got {sorted(certificate)}")
    found = adjusted_bound(_query(certificate))
    if machine_certificate(found) != dict(certificate):
        raise ValueError(f"the certificate must say what is computed anew: the bound {found.bound}")
    missing = unproved(found.lemmas, solvers, seconds)
    if missing:
        raise ValueError(missing)
    return found


def _query(certificate: Mapping[str, Any]) -> MachineQuery:
    """The query of a certificate."""
    form = format_named(str(certificate["arithmetic"]))
    most, least, edits = (certificate[key] for key in ("maximum_rows", "minimum_rows", "edits"))
    words = {"kind": get_args(Kind), "neighbours": get_args(Neighbours), "tables": get_args(Tables)}
    if not isinstance(form, FloatFormat) or any(certificate[key] not in known for key, known in words.items()):
        raise ValueError("a certificate must be about a float format, and in words that are known")
    if any(type(count) is not int for count in (most, least, edits)):
        raise ValueError(f"numbers of rows and edits must be whole numbers, got {most}, {least}, {edits}")
    quantum = certificate["quantum"]
    return MachineQuery(
        certificate["kind"], str(certificate["order"]), form, exact(certificate["lower"]),
        exact(certificate["upper"]), certificate["neighbours"], most, least, edits,
        None if quantum is None else exact(quantum), certificate["tables"],
    )  # fmt: skip
