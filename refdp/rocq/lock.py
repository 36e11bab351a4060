"""What proofs/rocq/rules.lock says of claims about all mechanisms: which of their theorems Rocq has checked.

No prover is asked.  A claim is PROVED where the kernel's rule says it, and the theorem that is written of it now is the
one that was checked when the lock was written; everything else leaves it UNKNOWN, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import refdp
from refdp.claims import Claim
from refdp.general import is_said, read_general, reason
from refdp.rocq.claims import WHOLE
from refdp.rocq.general import general_file, general_line

LOCK = Path(refdp.__file__).parent / "proofs" / "rocq" / "rules.lock"
"""Beside the proofs, in a checkout and where refdp is installed."""
CALLED = "proofs/rocq/rules.lock"
STATED = "refdp's statements for Rocq"
"""What is believed beside the prover: that the exported statement says what the claim's formal text says."""


@dataclass(frozen=True, slots=True)
class Standing:
    """PROVED with whom that believes, or UNKNOWN with the reason; `unanswered` where only the lock is not here."""

    verdict: str
    reason: str
    trusts: tuple[str, ...] = ()
    unanswered: bool = False


def standing(claim: Claim, lock: Path | None = None) -> Standing:
    """Whether a claim about all mechanisms is proved, by this lock, or else the one that came with refdp."""
    general = read_general(claim.formal)
    why = reason(general, claim.proof)
    if not is_said(why):
        return Standing("UNKNOWN", why)
    found = general_file(general, claim.proof, claim.identifier, claim.sentence)
    if found["status"] != WHOLE:
        return Standing("UNKNOWN", f"{why}; not stated for Rocq: {'; '.join(found['missing'].values())}")
    try:
        lines = (lock or LOCK).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return Standing("UNKNOWN", f"{why}; {CALLED}, which says what Rocq checked, is not here", unanswered=True)
    provers = [line.removeprefix("prover ").strip() for line in lines if line.startswith("prover ")]
    if general_line(found) not in lines or len(provers) != 1 or not provers[0]:
        return Standing("UNKNOWN", f"{why}; Rocq has not checked this theorem, by {CALLED}")
    return Standing("PROVED", "", (f"Rocq {provers[0]}, by {CALLED}", STATED))
