"""What was found about a request, as an object and as plain data."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, cast

from refdp.logic.digests import digest
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.described import described
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.question import Norm, Tables
from refdp.sensitivities.refutation.writing import runnable
from refdp.sensitivities.request import Request
from refdp.terms.leaves import rational
from refdp.terms.operations import root
from refdp.terms.term import Term
from refdp.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Judgement(Verdict):
    """What was found about a request."""

    request: Request
    source: Source
    declaration: Declaration
    tables: Tables
    bound: Term | None = None
    """What is proved."""
    tight: bool | None = None
    """Whether a pair of tables attains the bound; None: not looked for."""
    any_n: bool = False
    checked_rows: int | None = None
    """Up to how many rows no violation was found, where that is all that is known."""
    pair: Pair | None = None
    certificate: str | None = None
    evidence: Mapping[str, Any] | None = None
    """What the certificate of a proof brings: invariants of pairs of runs, and whether passes are fused."""

    @property
    def function(self) -> str:
        """The name of the function."""
        return self.request.target.rpartition(":")[2]

    def data(self) -> dict[str, Any]:
        """The judgement as plain data, numbers as text: the object of `refdp sensitivity --json`."""
        asked = self.request
        return (
            {
                "verdict": self.verdict,
                "function": self.function,
                "claim": asked.claim,
                "neighbours": asked.neighbours,
                "edits": asked.edits,
                "norm": asked.norm,
                "tables": self.tables,
                "arithmetic": "exact",
                "bound": None if self.bound is None else str(self.bound),
                "tight": self.tight,
                "any_n": self.any_n,
                "checked_rows": self.checked_rows,
                "pair": None if self.pair is None else pair_data(self.pair, self),
                "trusts": sorted(self.trusts),
            }
            | described(self.declaration)
            | {"digest": digest(self.source.text)}
            | ({"reason": self.reason} if self.verdict == "UNKNOWN" else {})
            | ({"expected": asked.expected} if asked.expected else {})
        )


def pair_data(pair: Pair, found: Judgement) -> dict[str, Any]:
    """A pair as text: rows, values of the symbols, answers, their distance, and a script that shows it."""
    norm = cast(Norm, found.request.norm)
    return {
        "first": [row_text(row) for row in pair.first],
        "second": [row_text(row) for row in pair.second],
        "parameters": {name: str(value) for name, value in pair.parameters.items()},
        "answers": list(pair.answers) if any(pair.answers) else [answer_text(one) for one in pair.outcomes],
        "distance": distance_text(pair.distance, norm),
        "script": runnable(pair, found.source, found.declaration, norm),
    }


class Answered(Protocol):
    """What a function does on one table, exactly or on a machine: it returns values, or raises."""

    @property
    def numbers(self) -> Sequence[object]:
        """The values."""

    @property
    def exception(self) -> str:
        """The name of what is raised; empty where nothing is."""


def row_text(row: object, bare: Collection[str] = ()) -> str:
    """A record as Python writes it, with fractions such as 1/3, and the texts in `bare` without quotes.

    >>> row_text({"income": Fraction(1, 3), "place": "Biscoe"})
    "{'income': 1/3, 'place': 'Biscoe'}"
    """
    if isinstance(row, Fraction):
        return str(row)
    if isinstance(row, tuple):
        return f"({', '.join(row_text(part, bare) for part in row)}{',' * (len(row) == 1)})"
    if isinstance(row, dict):
        return f"{{{', '.join(f'{name!r}: {row_text(part, bare)}' for name, part in row.items())}}}"
    return row if isinstance(row, str) and row in bare else repr(row)


def answer_text(outcome: Answered) -> str:
    """The answer for a reader, or what is raised."""
    if outcome.exception:
        return outcome.exception
    numbers = [str(one) for one in outcome.numbers]
    return numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"


def distance_text(distance: Fraction | None, norm: Norm) -> str:
    """The distance, under L2 from its square; infinite where there is none."""
    if distance is None:
        return "infinite"
    return str(root(rational(distance)) if norm == "L2" else distance)
