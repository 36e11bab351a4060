"""The table of questions and answers, measurements or repetitions: what its columns are called, by kind of target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refdp.report.audits.documents import Audited
from refdp.report.audits.drawing.intervals import header, row_picture, row_scale
from refdp.report.audits.writing import grouped

MOST_ROWS = 400
"""Most rows that are shown; the JSON has all."""
DRAWN = "; in the picture the bar is what is certified, and the dot is the answer, red where it is on the wrong side"


@dataclass(frozen=True, slots=True)
class Words:
    """What the table is called, what it has, and the names of its columns."""

    title: str
    caption: str
    answer: str
    lower: str = "At least"
    upper: str = "At most"
    drawn: bool = False
    """Whether answers and bounds are of one quantity, so that they are drawn beside each other."""


OTHERS = Words("Figures", "What was found", "Found")
WORDS = {
    "accountant": Words(
        "Answers beside certified bounds", "Each answer beside certified bounds of the true value", "Answer",
        "Certified from below", "Certified from above", drawn=True,
    ),
    "noise_scale": Words(
        "Scales of noise", "Each scale that was answered, and certified bounds of the delta that it gives", "Scale",
        "Delta at least", "Delta at most",
    ),
    "exact": Words(
        "Exact figures", "What is claimed, and bounds of what is true", "Claimed", "True value at least",
        "True value at most",
    ),
    "timing": Words("Measurements", "What was measured on this machine", "Measured", "From", "To"),
    "training": Words("Judges", "What each judge of a training step looked at, and saw", "Looked at, and seen"),
    "entropy": Words("Repetitions", "How often outputs were the same", "Found"),
}  # fmt: skip
"""Kind -> the words of its table."""


def rows(one: Audited, name: str) -> dict[str, Any] | None:
    """What the template of the table asks for; None where there are no rows."""
    given, words = one.evidence.rows, WORDS.get(one.kind, OTHERS)
    if not given:
        return None
    kept = given[:MOST_ROWS]
    scale = row_scale(kept) if words.drawn else None
    drawn = [(row, row_picture(row, scale, f"{name}-row-{i}") if scale else "") for i, row in enumerate(kept)]
    return {
        "words": words,
        "caption": f"{words.caption}{DRAWN if scale else ''}.",
        "bounded": any(row.lower or row.upper for row in given),
        "header": header(scale, f"{name}-scale") if scale else "",
        "rows": drawn,
        "left_out": f"{grouped(len(given) - MOST_ROWS)} more are in the JSON." if len(given) > MOST_ROWS else "",
    }
