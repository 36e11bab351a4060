"""`refdp export`: a claim of the ledger, or a certificate, for another prover."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from refdp.claims import UnknownClaim, general, verdict
from refdp.claims import claim as claim_of
from refdp.commands.check import in_a_line, oracle, replayed, verdict_of
from refdp.commands.files import writable, write_whole
from refdp.commands.judgements import seconds_since
from refdp.commands.rounds_in_words import in_words
from refdp.commands.texts_in_words import told
from refdp.general import read_general
from refdp.kernel.certificate import DERIVED
from refdp.kernel.judgements import KernelError
from refdp.proofs.lines import prove
from refdp.provers.lemmas import TIMEOUT
from refdp.provers.processes import processor_seconds
from refdp.rocq.claims import file_of, formal_text
from refdp.rocq.general import general_file
from refdp.rocq.lock import standing

PROVERS = ("rocq",)
"""For whom claims can be written."""
CERTIFICATE = ".json"
"""How the name of a certificate's file ends: no claim of the ledger ends so."""


def export(claim: str | Path, to: str = "rocq", out: str | Path | None = None, timeout: float = 20.0) -> dict[str, Any]:
    """A claim of the ledger, or a certificate, as a file for Rocq, in which each step is a theorem.

    `status` is whole where the file proves the claim, premises where it does from `premises`, which solvers proved,
    obligations where it proves what the certificate proves of numbers alone, nothing elsewhere; `missing` says for each
    rule why it has no step in the file.  A certificate is replayed first, in `timeout` seconds.
    Raises UnknownClaim, ValueError for another prover or a certificate that does not replay, OSError where a file
    cannot be read or written.
    """
    if to not in PROVERS:
        raise ValueError(f"to must be {' or '.join(PROVERS)}, got {to}")
    start = processor_seconds()
    if out is not None:
        writable(out)
    is_file = str(claim).endswith(CERTIFICATE)
    if is_file and out is not None and Path(out).exists() and Path(claim).exists() and Path(out).samefile(claim):
        raise ValueError(f"out must be another file than the certificate, got {out}")
    found = of_certificate(Path(claim), timeout) if is_file else of_claim(str(claim), timeout)
    if out is not None:
        write_whole(out, found["text"])
    return {
        "claim": found["claim"],
        "to": to,
        "verdict": found["verdict"],
        "status": found["status"],
        "theorem": found["theorem"],
        "obligations": found["obligations"],
        "premises": found["premises"],
        "missing": [{"rule": rule, "reason": reason} for rule, reason in found["missing"].items()],
        "text": found["text"],
        "file": None if out is None else str(out),
        "seconds": seconds_since(start),
    }


def of_claim(identifier: str, timeout: float) -> dict[str, Any]:
    """The file of a claim of the ledger, which is proved anew; one about all mechanisms is proved by the file alone."""
    for about_all in general():
        if about_all.identifier == identifier:
            found = general_file(read_general(about_all.formal), about_all.proof, identifier, about_all.sentence)
            return {**found, "verdict": standing(about_all).verdict}
    listed = claim_of(identifier)
    token = TIMEOUT.set(timeout)
    try:
        theorem = prove(listed)
        found = file_of(theorem, listed.identifier, listed.sentence, listed.formal)
    finally:
        TIMEOUT.reset(token)
    return {**found, "verdict": verdict(theorem.claim, listed.formal) or "UNKNOWN"}


def of_certificate(path: Path, timeout: float) -> dict[str, Any]:
    """The file of a certificate, which is replayed; ValueError where it does not replay."""
    try:
        certificate, found = replayed(path, oracle(None, timeout, []))
        shown = verdict_of(found)
    except (KernelError, UnknownClaim, UnicodeDecodeError) as error:
        raise ValueError(f"{path} must be a certificate that replays: {in_a_line(error)}") from None
    conclusion = formal_text(found.theorem)
    words = [*told(certificate), in_words(found.theorem.claim)]
    sentence = " ".join(one for one in words if one) or "a certificate"
    name = found.claim if found.claim != DERIVED else path.name
    return {**file_of(found.theorem, name, sentence, conclusion), "verdict": shown}
