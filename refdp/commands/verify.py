"""`refdp verify`: prove, or refute, every claim of the ledger and write its certificate."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import refdp.mechanisms
import refdp.statements
import refdp.transformations  # noqa: F401  (importing them registers what the claims are about)
from refdp.claims import CERTIFICATES, GENERAL, PROGRAMS, Claim, matching, verdict
from refdp.commands.discharge import discharged, leaves
from refdp.commands.files import write_whole
from refdp.commands.judgements import seconds_since
from refdp.kernel.certificate import certificate, text_of
from refdp.kernel.judgements import Holds, KernelError
from refdp.kernel.rules.logic import obligation
from refdp.kernel.theorem import Theorem
from refdp.logic.internal_errors import lost
from refdp.proofs.lines import prove
from refdp.provers.answers import SolverDisagreement
from refdp.provers.lemmas import TIMEOUT, NotProved, Unanswered
from refdp.provers.oracles import SolverMissing
from refdp.provers.processes import processor_seconds
from refdp.provers.smt.encode import NotEncodable, smt_lib
from refdp.provers.witnesses import NoWitness

Step = Callable[[int, int, str], None]
"""Called with how many claims are done, how many there are, and the one at hand."""


def verify(
    pattern: str = "*",
    certificates: str | Path | None = None,
    timeout: float = 20.0,
    *,
    step: Step = lambda *_: None,
) -> dict[str, Any]:
    """Prove or refute every claim that matches the pattern; the object that `refdp verify --json` prints.

    Certificates are written to `certificates` (default: beside the proofs of a checkout; where refdp is installed, or
    that folder cannot be written, ./refdp-certificates).  An interrupt ends the run with what was decided by then.
    Raises UnknownClaim.
    """
    claims, folder = matching(pattern), certificate_folder(certificates)
    folder.mkdir(parents=True, exist_ok=True)
    judged, start = list[dict[str, Any]](), processor_seconds()
    with _timeout(timeout):
        for done, claim in enumerate(claims):
            step(done, len(claims), claim.identifier)
            try:
                judged.append(judgement(claim, folder))
            except OSError:
                raise  # a certificate that cannot be written
            except Exception as error:
                judged.append(_undecided(claim, "", unanswered=True) | lost(error))
            except KeyboardInterrupt:
                judged.extend(_undecided(c, "interrupted", unanswered=True) for c in claims[done:])
                break
    as_expected, surprises = (sum(map(test, judged)) for test in (_is_as_expected, _is_surprise))
    found: dict[str, Any] = {"claims": judged, "as_expected": as_expected, "surprises": surprises}
    found["trusts"] = trusted(judged)
    found["obligations"] = discharged({key: tuple(by) for c in judged for key, by in c["obligations"].items()})
    return found | {"seconds": f"{processor_seconds() - start:.1f}"}


def trusted(judged: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Whom claims trust, or "nothing" -> the number of decided claims that do, most first."""
    decided = [c for c in judged if c["verdict"] != "UNKNOWN"]
    return dict(Counter(name for c in decided for name in c["trusts"] or ["nothing"]).most_common())


def _is_as_expected(judged: Mapping[str, Any]) -> bool:
    """Whether the verdict is the ledger's."""
    return bool(judged["verdict"] == judged["expected"])


def is_open(judged: Mapping[str, Any]) -> bool:
    """Whether it is UNKNOWN and should be decided."""
    return bool(judged["verdict"] == "UNKNOWN")


def _is_surprise(judged: Mapping[str, Any]) -> bool:
    """Whether the verdict is another, and not for want of an answer."""
    return not _is_as_expected(judged) and not judged.get("unanswered", False)


def judgement(claim: Claim, folder: Path) -> dict[str, Any]:
    """The claim's verdict, with its certificate written to the folder; UNKNOWN with its reason where there is none."""
    start = processor_seconds()
    if claim.book == GENERAL:
        return _general(claim)
    if claim.book == PROGRAMS:
        return _program(claim, folder)
    try:
        theorem = prove(claim)
    except (Unanswered, SolverMissing) as error:
        return _undecided(claim, str(error), unanswered=True)
    except (NotProved, NoWitness, KernelError, SolverDisagreement) as error:
        return _undecided(claim, str(error))
    found = verdict(theorem.claim, claim.formal)
    if found is None:
        return _undecided(claim, f"the proof concludes {theorem.claim.term}")
    path = folder / f"{claim.identifier}.json"
    write_whole(path, text_of(certificate(theorem, claim.identifier)))
    export_statements(theorem, folder / "smt_lib")
    return {
        "id": claim.identifier,
        "statement": claim.sentence,
        "expected": claim.expected,
        "verdict": found,
        "trusts": sorted(theorem.trusts),
        "seconds": seconds_since(start),
        "certificate": str(path),
        "claim": claim.formal,
        "obligations": {key: list(by) for key, by in sorted(leaves(theorem))},
    }


def _general(claim: Claim) -> dict[str, Any]:
    """The verdict of a claim about all mechanisms, which has no certificate: `refdp export` writes its theorem."""
    start = processor_seconds()
    found = import_module("refdp.rocq.lock").standing(claim)  # by name: no certificate is made of what Rocq reads
    if found.verdict == "UNKNOWN":
        return _undecided(claim, found.reason, found.unanswered)
    return {
        "id": claim.identifier,
        "statement": claim.sentence,
        "expected": claim.expected,
        "verdict": found.verdict,
        "trusts": list(found.trusts),
        "seconds": seconds_since(start),
        "certificate": None,
        "claim": claim.formal,
        "obligations": {},
    }


def _program(claim: Claim, folder: Path) -> dict[str, Any]:
    """The verdict of a claim about a program of the library, its certificate in a folder of its own."""
    from refdp.commands.library import judged

    start, found = processor_seconds(), judged(claim, TIMEOUT.get())
    if found.certificate is None:
        return _undecided(claim, found.reason)
    path = folder / PROGRAMS / f"{claim.identifier}.json"
    path.parent.mkdir(exist_ok=True)
    write_whole(path, found.certificate)
    return {
        "id": claim.identifier,
        "statement": claim.sentence,
        "expected": claim.expected,
        "verdict": found.verdict,
        "trusts": sorted(found.trusts),
        "seconds": seconds_since(start),
        "certificate": str(path),
        "claim": claim.formal,
        "obligations": {},
    }


def export_statements(theorem: Theorem, folder: Path) -> None:
    """Write every obligation that has an SMT-LIB text to a file of its own, for any solver."""
    for premise in theorem.premises:
        export_statements(premise, folder)
    if isinstance(theorem.claim, Holds):
        identifier = f"{theorem.claim.stem}.{theorem.claim.name}"
        with suppress(NotEncodable):
            content = smt_lib(obligation(identifier))
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / f"{identifier}.smt2", content)


def _undecided(claim: Claim, reason: str, unanswered: bool = False) -> dict[str, Any]:
    """UNKNOWN, with its reason; `unanswered` where that is only that nobody answered."""
    return {
        "id": claim.identifier,
        "statement": claim.sentence,
        "expected": claim.expected,
        "verdict": "UNKNOWN",
        "trusts": [],
        "seconds": "0.00",
        "certificate": None,
        "claim": claim.formal,
        "obligations": {},
        "reason": reason,
        "unanswered": unanswered,
    }


def certificate_folder(chosen: str | Path | None) -> Path:
    """Where certificates go: the chosen folder, else beside the proofs of a checkout, else ./refdp-certificates.

    What is installed stays as it was installed; in a checkout refdp/proofs is a link to the proofs.
    """
    if chosen is not None:
        return Path(chosen)
    beside = CERTIFICATES
    writable = os.access(beside if beside.exists() else beside.parent, os.W_OK)
    return beside if writable and beside.parent.is_symlink() else Path("refdp-certificates")


@contextmanager
def _timeout(seconds: float) -> Iterator[None]:
    """Oracles may take that many seconds for each lemma."""
    token = TIMEOUT.set(seconds)
    try:
        yield
    finally:
        TIMEOUT.reset(token)
