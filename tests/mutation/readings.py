"""What refdp's readers make of a random claim: the least that a change of a reader must alter to alter a verdict.

A reading costs a hundredth of a verdict, so that of 10,000 claims those are found that are worth judging.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

MOST_ROWS = 2
"""A query that is no pass over its rows is read on tables of up to so many."""


def reading(kind: str, seed: int) -> str:
    """A digest of what is read of the program or query of that number, or of the words with which it is refused."""
    found = program_reading(seed) if kind == "program" else query_reading(seed)
    return sha256(found.encode()).hexdigest()[:16]


def program_reading(seed: int) -> str:
    """What is read of a program, whatever is claimed of it."""
    from refdp.programs.language.reading import readings_in
    from tests.fuzzing.claims import unclaimed

    try:
        return repr(readings_in(unclaimed(seed).plainly().text, "module.py"))
    except Exception as error:
        return raised(error)


def query_reading(seed: int) -> str:
    """What is read of a query, on a few rows where it is no pass over them."""
    from refdp.sensitivities.judging import Case
    from tests.fuzzing.queries import query
    from tests.fuzzing.query_verdicts import SECONDS, request_of

    asked = query(seed)
    path = folder() / "query.py"
    path.write_text(asked.module.text, encoding="utf-8")
    try:
        case = Case.of(request_of(asked, path, 1), SECONDS)  # type: ignore[arg-type]
        unrolled = case.bounded
        rows = [case.given.record.slots(f"row{place}") for place in range(MOST_ROWS)]
        tables = [] if unrolled is None else [unrolled(rows[:size]) for size in range(MOST_ROWS + 1)]
        return repr((case.program, case.why_none, tables))
    except Exception as error:
        return raised(error).replace(str(path), path.name)


def raised(error: Exception) -> str:
    """What is said where a text is refused, or a reader fails."""
    return f"{type(error).__name__}: {error}"


@cache
def folder() -> Path:
    """Where the text of a query is put: the name of the file stands in what is said of it."""
    return Path(mkdtemp(prefix="read-"))
