"""`refdp prove`: proves or refutes what randomised programs claim of their privacy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from refdp import work
from refdp.commands.files import write_whole
from refdp.commands.judgements import INTERRUPTED, expectations, seconds_since
from refdp.commands.library import sources
from refdp.commands.second_judging import programs_again
from refdp.commands.values import by_name
from refdp.logic.files import content_of
from refdp.logic.internal_errors import KEY, error_sentence, lost
from refdp.programs.bracketing import bracketed
from refdp.programs.checking.proof import SOLVERS
from refdp.programs.judgement import Judgement
from refdp.programs.judging import judge
from refdp.programs.language.reading import Unread, program_in, readings_in
from refdp.programs.question import Question
from refdp.programs.syntax import Program
from refdp.provers.processes import processor_seconds

Step = Callable[[int, int, str], None]
LARGEST_FILE = 1_000_000
"""Longest file that is read, in bytes."""
SECONDS, SECONDS_FOR_LIBRARY = 60.0, 300.0
"""How long a run may take, unless said."""
GENEROSITY = 6
"""How many times its fair share of the time that is left one claim may take."""


def prove(
    target: str | Path | None = None,
    *,
    adjacency: str | None = None,
    bracket: bool = False,
    set: Mapping[str, object] | None = None,  # noqa: A002
    solver: str = "z3",
    certificates: str | Path | None = None,
    timeout: float | None = None,
    run: bool = True,
    step: Step = lambda *_: None,
) -> dict[str, Any]:
    """The judgements of the claims in FILE.py or FILE.py:FUNCTION, the object of `refdp prove --json`.

    Without a target, those of refdp's library of programs.  With another `adjacency`, or other values of public
    parameters (`set`), than the decorators say.  `bracket`: also the greatest epsilon that is refuted, the least that
    is proved, and the adjacencies that the claim holds for.  `timeout` is for the whole run, a minute unless said, five
    for the library; an interrupt ends it with what was decided.  A claim whose judging raises an exception that nobody
    foresaw is UNKNOWN with an "internal_error".

    A proof is made from the file's text.  What is PROVED is then judged again: the function is `run` in a limited
    process on random neighbouring data, if nothing in the file can reach anything else.  Of several functions, one that
    is outside the subset is UNKNOWN with its place.
    Raises ValueError for bad input, Unsupported for Python that is not read where no other function is asked about.
    """
    if solver not in (*SOLVERS, "both"):
        raise ValueError(f"solver must be z3, cvc5 or both, got {solver}")
    limit = timeout if timeout is not None else SECONDS if target is not None else SECONDS_FOR_LIBRARY
    start, end = processor_seconds(), work.spent() + limit
    given = by_name(set, "set")
    asked = [(replace(q, adjacency=adjacency, given=given), program) for q, program in questions(target)]
    for question, program in asked:
        if not isinstance(program, Unread):
            question.about(program)  # bad input is told before anything is judged: whatever is raised later is internal
    found: list[dict[str, Any]] = []
    proved: dict[int, Judgement] = {}
    for question, program in asked:
        step(len(found), len(asked), question.function)
        seconds = max(0.0, end - work.spent()) * min(1, GENEROSITY / (len(asked) - len(found)))
        try:
            if isinstance(program, Unread):
                found.append(unread(question, program))
            else:
                judgement, data = judged(question, program, seconds, solver, bracket)
                proved |= {len(found): judgement} if judgement.verdict != "UNKNOWN" else {}
                found.append(data)
        except KeyboardInterrupt:
            found += [undecided(q, p, INTERRUPTED) for q, p in asked[len(found) :]]
            break
        except Exception as error:
            found.append(undecided(question, program, "") | lost(error))
    for place, said in programs_again(proved, run).items():
        found[place] |= said
    for place, judgement in proved.items():
        if found[place]["verdict"] == judgement.verdict:
            found[place]["certificate"] = written_certificate(judgement, certificates)
    return summary(found, seconds_since(start))


def questions(target: str | Path | None) -> Iterator[tuple[Question, Program | Unread]]:
    """Every claim that is asked about, with its program.  ValueError where there is none."""
    if target is None:
        for name, text in sources():
            yield from claims(text, name, None)
        return
    path, colon, function = str(target).rpartition(":")
    if not colon or not path.endswith(".py"):
        path, function = str(target), ""
    found = list(claims(text_of(Path(path)), path, function or None))
    if not found:
        raise ValueError(f"{path} must have a function with a decorator @claim(...), got none")
    yield from found


def claims(text: str, file: str, function: str | None) -> Iterator[tuple[Question, Program | Unread]]:
    """Every claim of a file, or of one function of it; a function that is not read counts as one where it has others.

    Unsupported where the only function is outside the subset.
    """
    found = readings_in(text, file) if function is None else (program_in(text, file, function),)
    if len(found) == 1:
        found = (program_in(text, file, found[0].name),)
    for program in found:
        for number in range(1 if isinstance(program, Unread) else len(program.claims)):
            yield Question(text, program.name, number, file=file), program


def text_of(path: Path) -> str:
    """The text of a file.  ValueError where it cannot be read, is too long or not UTF-8."""
    try:
        return content_of(path, LARGEST_FILE).decode("utf-8-sig")
    except OSError as error:
        raise ValueError(f"target must be FILE.py or FILE.py:FUNCTION, got {path}: {error.strerror}") from None


def judged(
    question: Question,
    program: Program,
    seconds: float,
    solver: str,
    bracket: bool,
) -> tuple[Judgement, dict[str, Any]]:
    """The judgement of one claim, and as plain data, without a certificate yet."""
    start = processor_seconds()
    _, claim = question.about(program)
    end = work.spent() + seconds
    found = judge(question, program, claim, seconds / 3 if bracket else seconds, solver)
    data = found.data() | {"file": question.file, "certificate": None}
    if bracket:
        try:
            data |= bracketed(question, program, claim, max(0.0, end - work.spent()), solver)
        except Exception as error:  # the verdict stands
            data[KEY] = error_sentence(error)
    return found, data | {"seconds": seconds_since(start)}


def undecided(question: Question, program: Program | Unread, reason: str) -> dict[str, Any]:
    """The judgement where nothing was looked for."""
    if isinstance(program, Unread):
        return unread(question, program)
    found = Judgement("UNKNOWN", question, *question.about(program), reason=reason)
    return found.data() | {"file": question.file, "certificate": None, "seconds": "0.00"}


def unread(question: Question, found: Unread) -> dict[str, Any]:
    """The judgement of a function that is outside the subset: its claims are not read, so none is told."""
    return {
        "verdict": "UNKNOWN",
        "function": found.name,
        "line": found.line,
        "claim": "not read",
        "adjacency": "-",
        "one_direction": False,
        "n": None,
        "alignment": None,
        "counterexample": None,
        "trusts": [],
        "checked_by": [],
        "conditions": 0,
        "source": "",
        "neighbours": None,
        "assumed": [],
        "outputs": None,
        "digest": None,
        "reason": found.reason,
        "file": question.file,
        "certificate": None,
        "seconds": "0.00",
    }


def written_certificate(found: Judgement, folder: str | Path | None) -> str | None:
    """The path of the certificate, written as a whole; None where there is none to write."""
    if folder is None or found.certificate is None:
        return None
    path = Path(folder) / f"{found.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, found.certificate)
    return str(path)


def summary(found: Sequence[dict[str, Any]], seconds: str) -> dict[str, Any]:
    """All judgements, the worst verdict, how many were as expected; of a single claim its judgement itself, too."""
    verdicts = [one["verdict"] for one in found]
    worst = next((v for v in ("REFUTED", "UNKNOWN") if v in verdicts), "PROVED")
    counts = {"claims": list(found), **expectations(found, "PROVED")}
    return {"verdict": worst} | (found[0] if len(found) == 1 else {}) | counts | {"seconds": seconds}
