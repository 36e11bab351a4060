"""`refdp sensitivity --score NAME`: how far a row moves a score function of the exponential mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, cast

from refdp.sensitivity.declaring import concrete, declaration
from refdp.sensitivity.judgement import answer_text, row_text
from refdp.sensitivity.language.source import read_source
from refdp.sensitivity.pair import Pair
from refdp.sensitivity.question import Neighbours, Tables
from refdp.sensitivity.request import Request
from refdp.sensitivity.scores import Candidates, ScoreSensitivity, score_sensitivity


def score(asked: Request, name: str, candidates: str, timeout: float) -> dict[str, Any]:
    """The sensitivity of a score function, whether it is monotone, and the range of its moves.

    `name` is the parameter for the candidate; `candidates`: numbers, L..U, or [a, b, c].
    """
    source, given = read_source(asked.target), declaration(asked.record, asked.values, asked.symbols, asked.assume)
    tables = cast(Tables, asked.tables or "multisets")
    neighbours = cast(Neighbours, asked.neighbours)
    found = score_sensitivity(source, given, candidates_of(name, candidates), neighbours, asked.claim, tables, timeout)
    return score_data(found, asked)


def candidates_of(name: str, text: str) -> Candidates:
    """The candidates that a text declares.  ValueError where it declares none."""
    text = text.strip()
    if text == "numbers":
        return Candidates(name)
    if text.startswith("["):
        listed = concrete(text)
        if not isinstance(listed, tuple) or not listed:
            raise ValueError(f"candidates must be numbers, L..U or [a, b, c], got {text}")
        return Candidates(name, listed=listed)
    ends = [concrete(part) if part.strip() else None for part in text.split("..")]
    if len(ends) != 2 or not all(end is None or isinstance(end, Fraction) for end in ends):
        raise ValueError(f"candidates must be numbers, L..U or [a, b, c], got {text}")
    lower, upper = (end if isinstance(end, Fraction) else None for end in ends)
    if lower is not None and upper is not None and lower > upper:
        raise ValueError(f"candidates must be L..U with L <= U, got {text}")
    return Candidates(name, lower, upper)


def score_data(found: ScoreSensitivity, asked: Request) -> dict[str, Any]:
    """What was found about a score as plain data."""
    return {
        "verdict": found.verdict,
        "function": asked.target.rpartition(":")[2],
        "claim": asked.claim,
        "neighbours": asked.neighbours,
        "tables": found.tables,
        "bound": None if found.bound is None else str(found.bound),
        "monotone": found.monotone,
        "range": None if found.range_bound is None else str(found.range_bound),
        "needs_factor_2": found.needs_factor_2,
        "pair": moved(found.pair),
        "rising": moved(found.rising),
        "falling": moved(found.falling),
        "trusts": sorted(found.trusts),
    } | ({"reason": found.reason or "; ".join(found.open)} if found.verdict == "UNKNOWN" or found.open else {})


def moved(pair: Pair | None) -> Mapping[str, Any] | None:
    """Two tables and a candidate whose score moves."""
    if pair is None:
        return None
    return {
        "first": [row_text(row) for row in pair.first],
        "second": [row_text(row) for row in pair.second],
        "parameters": {name: str(value) for name, value in pair.parameters.items()},
        "answers": [answer_text(one) for one in pair.outcomes],
        "distance": "infinite" if pair.distance is None else str(pair.distance),
    }
