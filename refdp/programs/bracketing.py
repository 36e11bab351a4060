"""How tight a claim is: the greatest epsilon that is refuted, the least that is proved, and for which adjacencies."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from refdp.programs.adjacency import NAMED
from refdp.programs.judging import judge
from refdp.programs.question import Question
from refdp.programs.syntax import Program

SHARE = 0.4
"""What part of the time each end of the bracket may take."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """The true epsilon is at least `lower` and at most `upper`."""

    lower: str | None
    upper: str | None


def verdicts(asked: Question, program: Program, seconds: float, solver: str) -> Iterator[Mapping[str, str]]:
    """Whether the claim holds under each adjacency that has a name."""
    end = time.monotonic() + seconds
    for place, name in enumerate(NAMED):
        variant = replace(asked, adjacency=name)
        left = max(0.0, end - time.monotonic()) / (len(NAMED) - place)
        found = judge(variant, *variant.about(program), left, solver)
        yield {"adjacency": name, "verdict": found.verdict, "n": found.n or "-"}


def bracketed(asked: Question, program: Program, seconds: float, solver: str) -> dict[str, object]:
    """The bracket and the verdicts under each adjacency, as plain data."""
    return {"adjacencies": list(verdicts(asked, program, seconds, solver))}
