"""`refdp sensitivity --score NAME`: how far a row moves a score function of the exponential mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from refdp.commands.judgements import complete, written_certificate
from refdp.commands.second_judging import judged_again
from refdp.provers.processes import processor_seconds
from refdp.sensitivities.declaring import concrete
from refdp.sensitivities.judgement import Judgement, answer_text, row_text
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.records import Concrete
from refdp.sensitivities.request import Request
from refdp.sensitivities.scores import ScoreSensitivity, score_sensitivity


def score(
    asked: Request,
    name: str,
    candidates: str | None,
    certificates: str | Path | None,
    timeout: float,
    run: bool,
) -> dict[str, Any]:
    """The sensitivity of a score function, whether it is monotone, and the range of its moves.

    `name` is the parameter for the candidate: a symbol, or one of the list `candidates`, written [a, b, c].
    """
    start = processor_seconds()
    listed: tuple[Concrete, ...] = ()
    if candidates is not None:
        read = concrete(candidates)
        if not isinstance(read, tuple) or not read:
            raise ValueError(f"candidates must be [a, b, c], got {candidates}")
        listed = read
    found = score_sensitivity(asked, name, listed, timeout)
    again = judged_again(found.evidence or [found.sensitivity], run)
    gone: dict[str, Any] = {"monotone": "not decided", "range": None} if "verdict" in again else {}
    paths = {} if gone else written_evidence(found, certificates)
    own = paths.get(found.sensitivity.certificate)
    return complete(score_data(found) | {"certificate": own, "evidence": [*paths.values()]} | again | gone, start)


def written_evidence(found: ScoreSensitivity, folder: str | Path | None) -> Mapping[str | None, str]:
    """The path of every certificate on which it rests, by its text."""
    rests_on: tuple[Judgement, ...] = (found.sensitivity, *found.evidence)
    written = {one.certificate: written_certificate(one.certificate, one.function, folder) for one in rests_on}
    return {text: path for text, path in written.items() if path is not None}


def score_data(found: ScoreSensitivity) -> dict[str, Any]:
    """What was found about a score as plain data: that of its sensitivity, its direction, and its range.

    It trusts whom its sensitivity trusts, and whom the functions do that were made for direction and range.
    """
    return found.sensitivity.data() | {
        "trusts": {who for one in (found.sensitivity, *found.evidence) for who in one.trusts},
        "monotone": found.monotone,
        "range": None if found.range_bound is None else str(found.range_bound),
        "needs_factor_2": found.needs_factor_2,
        "rising": moved(found.rising),
        "falling": moved(found.falling),
        "open": found.reason,
    }


def moved(pair: Pair | None) -> Mapping[str, Any] | None:
    """Two tables and a candidate whose score moves."""
    if pair is None:
        return None
    return {
        "first": [row_text(row) for row in pair.first],
        "second": [row_text(row) for row in pair.second],
        "parameters": {name: str(value) for name, value in pair.parameters.items()},
        "answers": [answer_text(one) for one in pair.outcomes],
    }
