"""`refdp vectors`: test vectors written, checked, held against another implementation, imported."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import monotonic
from typing import Any

from refdp.commands.judgements import seconds_since
from refdp.logic.internal_errors import HEAD
from refdp.provers.processes import processor_seconds
from refdp.test_vectors.checking import OUTCOMES, End, FileReport, report
from refdp.test_vectors.google.importing import import_files
from refdp.test_vectors.kinds.kind import Subject
from refdp.test_vectors.numbers import VectorError
from refdp.test_vectors.reading import files
from refdp.test_vectors.schemas import SCHEMAS
from refdp.test_vectors.subjects import CommandSubject, PythonSubject, module_of
from refdp.test_vectors.writing import asked_files
from refdp.test_vectors.writing import write as write_files

Step = Callable[[int, int, str], None]
SECONDS_PER_ANSWER = 60.0
"""Most that a command may take for one answer."""


def write(
    folder: str | Path,
    *,
    type: Iterable[str] = (),  # noqa: A002
    timeout: float = 3600.0,
    step: Step = lambda *_: None,
) -> dict[str, Any]:
    """Write the files of these types, or all, into the folder: values are worked out, and are the same each time.

    Raises ValueError for an unknown type, OSError where the folder cannot be written, TimeoutError after `timeout`
    seconds, looked at before each file; those that stand there then are whole.
    """
    wanted, start = known_types(type), processor_seconds()
    Path(folder).mkdir(parents=True, exist_ok=True)
    written = write_files(Path(folder), in_time(step, timeout, "files were written"), asked_files(wanted))
    listed = [{"file": name, "cases": count} for name, count in written]
    cases = sum(count for _, count in written)
    return {"folder": str(folder), "files": listed, "cases": cases, "seconds": seconds_since(start)}


def known_types(types: Iterable[str]) -> frozenset[str]:
    """The types of groups of these names; ValueError for others."""
    wanted = frozenset(types)
    if unknown := sorted(wanted - set(SCHEMAS)):
        raise VectorError(f"type must be one of {', '.join(SCHEMAS)}, got {unknown[0]}")
    return wanted


def check(
    path: str | Path,
    *,
    against: object = None,
    command: str | None = None,
    type: Iterable[str] = (),  # noqa: A002
    timeout: float = 3600.0,
    step: Step = lambda *_: None,
) -> dict[str, Any]:
    """Check a file or a folder of test vectors; with `against` or `command`, check an implementation by them.

    Without: form, counts and every expected value again.  `against`: a module, its name or its file NAME.py;
    `command`: a program that answers lines of JSON.  `timeout` in seconds: what is not reached by then, or before an
    interrupt, is counted.

    Raises ValueError for a file that is none, or an implementation that cannot be had.
    """
    wanted, started = known_types(type), monotonic()
    end = End(started + timeout)
    with subject_of(against, command) as subject:
        found = [report(one, subject, end, wanted, step) for one in files(Path(path))]
    return summary(found, subject is not None, end.interrupted) | {"seconds": f"{monotonic() - started:.2f}"}


def subject_of(against: object, command: str | None) -> AbstractContextManager[Subject | None]:
    """The implementation, None if none is named; ValueError where two are."""
    if against is not None and command is not None:
        raise VectorError("against and command must not both be given, got both")
    if command is not None:
        return CommandSubject(command, SECONDS_PER_ANSWER)
    if against is None:
        return nullcontext(None)
    return nullcontext(PythonSubject(module_of(against) if isinstance(against, str) else against))


def summary(found: list[FileReport], judging: bool, interrupted: bool) -> dict[str, Any]:
    """The outcomes of all files; of an implementation with a verdict; of an interrupted run with that as the reason."""
    counts = {outcome: sum(one.counts[outcome] for one in found) for outcome in OUTCOMES}
    total: dict[str, Any] = {"cases": sum(counts.values()), **counts, "files": [one.data() for one in found]}
    stopped = {"reason": "interrupted"} if interrupted else {}
    if not judging:
        return stopped | total
    nothing = counts["passed"] + counts["acceptable"] == 0 or counts["unreached"] > 0
    verdict = "REFUTED" if counts["failed"] else "UNKNOWN" if nothing else "NOT_REFUTED"
    lost = next((one.internal[0] for one in found if one.internal), None)
    why = "no case was decided" if not counts["unreached"] else "the time was over" if lost is None else HEAD
    reason = {"reason": why if lost is None else f"{why}: {lost}"}
    return {"verdict": verdict, **(stopped or (reason if verdict == "UNKNOWN" else {})), **total}


def import_google(
    path: str | Path, *, out: str | Path, timeout: float = 3600.0, step: Step = lambda *_: None
) -> dict[str, Any]:
    """Write a user's copy of Google's proto/testing cases as test vectors into `out`, as far as they fit a type.

    Raises ValueError for a file that is no text of messages, TimeoutError after `timeout` seconds, looked at before
    each file: nothing is written then.
    """
    start = processor_seconds()
    return import_files(Path(path), Path(out), in_time(step, timeout, "files were read")) | {
        "seconds": seconds_since(start)
    }


def in_time(step: Step, timeout: float, done: str) -> Step:
    """The step, which raises TimeoutError once the time is over."""
    deadline = monotonic() + timeout

    def timely(place: int, total: int, what: str) -> None:
        if monotonic() > deadline:
            raise TimeoutError(f"timeout must be more than {timeout:g} seconds, in which {place} of {total} {done}")
        step(place, total, what)

    return timely


class vectors:
    """`refdp.vectors.write`, `refdp.vectors.check` and `refdp.vectors.import_google`."""

    write = staticmethod(write)
    check = staticmethod(check)
    import_google = staticmethod(import_google)


__all__ = ["check", "import_google", "vectors", "write"]
