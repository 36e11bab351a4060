"""The pair of tables of a certificate that refutes a sensitivity: checked again, by running the function on both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from refdp.report.pictures.pairs import Cells, TablePair, paired
from refdp.sensitivities.checking.certificate import Claim, tables_of
from refdp.sensitivities.checking.replaying import answers_of, require_refuted
from refdp.sensitivities.judgement import distance_text, row_text
from refdp.sensitivities.language.concrete.answers import distance
from refdp.sensitivities.records import Concrete
from refdp.sensitivities.writing import is_about_a_query, written_in


def is_refutation(certificate: str) -> bool:
    """Whether a certificate brings two tables.  ValueError where it is no certificate."""
    return is_about_a_query(certificate) and written_in(certificate).verdict == "REFUTED"


def pair_of(certificate: str) -> TablePair:
    """The tables, their answers, and how far these are apart.  ValueError where they show nothing."""
    found = written_in(certificate)
    claim, tried = found.claim, tables_of(found.evidence)
    require_refuted(claim, tried)
    answers = answers_of(claim, tried)
    apart = distance(*answers, claim.norm)
    keys = columns(claim, (*tried.first, *tried.second))
    first, second = ([cells(row, keys) for row in table] for table in (tried.first, tried.second))
    rows = paired(first, second, claim.neighbours == "change_one", claim.tables == "lists")
    title = f"{claim.function} on two tables, {edits(claim)}"
    given = "".join(f", {name} = {value}" for name, value in tried.parameters.items())
    far = "infinitely far" if apart is None else distance_text(apart, claim.norm)
    verdict = f"{far} apart ({claim.norm}), claimed at most {claim.claim}{given}"
    told = f"and what {claim.function} answers on each, by running it exactly"
    caption = f"Two tables, {edits(claim)}, {told}: {verdict}."
    texts = f"answer {answers[0]}", f"answer {answers[1]}"
    return TablePair(title, caption, keys, rows, texts, verdict, ("first table", "second table"))


def edits(claim: Claim) -> str:
    """How far the tables are apart, in words."""
    way = "changed row" if claim.neighbours == "change_one" else "row"
    return f"one {way} apart" if claim.edits == 1 else f"{claim.edits} {way}s apart"


def columns(claim: Claim, rows: Sequence[Concrete]) -> Cells:
    """The names of the columns; none where a row is one value."""
    first: Any = rows[0] if rows else None
    if isinstance(first, dict):
        return tuple(map(str, first))
    return tuple(str(place) for place in range(len(first))) if isinstance(first, tuple) else ()


def cells(row: Concrete, keys: Cells) -> Cells:
    """A row as texts."""
    if not keys:
        return (cell(row),)
    parts: Sequence[Concrete] = tuple(row.values()) if isinstance(row, Mapping) else row  # type: ignore[assignment]
    return tuple(map(cell, parts))


def cell(part: Concrete) -> str:
    """A value as text, labels without quotation marks."""
    return part if isinstance(part, str) else str(part) if isinstance(part, Fraction) else row_text(part)
