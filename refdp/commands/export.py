"""`refdp export`: a claim of the ledger for another prover."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from refdp.claims import claim as claim_of
from refdp.claims import verdict
from refdp.commands.files import writable, write_whole
from refdp.commands.judgements import seconds_since
from refdp.proofs.lines import prove
from refdp.provers.lemmas import TIMEOUT
from refdp.provers.processes import processor_seconds
from refdp.rocq.claims import file_of

PROVERS = ("rocq",)
"""For whom claims can be written."""


def export(claim: str, to: str = "rocq", out: str | Path | None = None, timeout: float = 20.0) -> dict[str, Any]:
    """A claim of the ledger as a file for Rocq, in which each step of its derivation is a theorem; the text, or a file.

    `status` is whole where the file proves the claim, obligations where it proves what the certificate proves of
    numbers alone, nothing elsewhere; `missing` says for each rule why it has no step in the file.
    Raises UnknownClaim, ValueError for another prover, OSError where the file cannot be written.
    """
    if to not in PROVERS:
        raise ValueError(f"to must be {' or '.join(PROVERS)}, got {to}")
    listed = claim_of(claim)
    if out is not None:
        writable(out)
    token, start = TIMEOUT.set(timeout), processor_seconds()
    try:
        theorem = prove(listed)
        found = file_of(theorem, listed.identifier, listed.sentence, listed.formal)
    finally:
        TIMEOUT.reset(token)
    if out is not None:
        write_whole(out, found["text"])
    return {
        "claim": listed.identifier,
        "to": to,
        "verdict": verdict(theorem.claim, listed.formal) or "UNKNOWN",
        "status": found["status"],
        "theorem": found["theorem"],
        "obligations": found["obligations"],
        "missing": [{"rule": rule, "reason": reason} for rule, reason in found["missing"].items()],
        "text": found["text"],
        "file": None if out is None else str(out),
        "seconds": seconds_since(start),
    }
