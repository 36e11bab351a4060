"""The library of programs: its files, and which claim of the ledger is which claim of a decorator."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from refdp.claims import Claim
from refdp.programs.judgement import Judgement
from refdp.programs.judging import judge
from refdp.programs.language.reading import programs_in
from refdp.programs.library import FILES
from refdp.programs.question import Question, claim_text
from refdp.programs.syntax import Program

LIBRARY = Path(__file__).parents[1] / "programs" / "library"


def sources() -> Iterator[tuple[str, str]]:
    """Name and text of each file."""
    for name in FILES:
        yield name, (LIBRARY / name).read_text(encoding="utf-8")


@cache
def listed() -> dict[str, tuple[Question, Program]]:
    """Every claim of the library by what the ledger calls it: FILE:FUNCTION: CLAIM, adjacency NAME."""
    return {
        f"{file}:{program.name}: {claim_text(claim)}, adjacency {claim.adjacency.name}": (
            Question(text, program.name, number, file=file),
            program,
        )
        for file, text in sources()
        for program in programs_in(text, file)
        for number, claim in enumerate(program.claims)
    }


def judged(claim: Claim, seconds: float) -> Judgement:
    """The judgement of a claim of the ledger about a program.  ValueError where the library has no such claim."""
    if claim.formal not in listed():
        raise ValueError(f"formal must be a claim of the library, got {claim.formal}")
    question, program = listed()[claim.formal]
    return judge(question, *question.about(program), seconds)
