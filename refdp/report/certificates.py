"""The theorem of a claim, rebuilt from its certificate: whoever vouched then is believed, for a page proves nothing."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import refdp.mechanisms
import refdp.statements
import refdp.transformations  # noqa: F401  (importing them registers what the claims are about)
from refdp.claims import CERTIFICATES, Claim
from refdp.kernel.certificate import Question, parsed, replay
from refdp.kernel.theorem import Theorem

ROOT = Path(__file__).resolve().parents[2]


def theorem_of(claim: Claim) -> Theorem:
    """The theorem of the claim's certificate; ValueError if there is none."""
    path = CERTIFICATES / f"{claim.identifier}.json"
    if not path.exists():
        raise ValueError(f"{claim.identifier} must have a certificate, got none in {CERTIFICATES}; run refdp verify")
    return _replayed(path.read_text(encoding="utf-8"))


@cache
def _replayed(text: str) -> Theorem:
    """The theorem of a certificate; each certificate is replayed once in a process."""
    return replay(parsed(text), believed).theorem


def certificate_path(claim: Claim) -> str:
    """Where the claim's certificate stands, from the root of the checkout."""
    return f"proofs/certificates/{claim.identifier}.json"


def believed(_: Question, by: tuple[str, ...]) -> frozenset[str]:
    """Whoever vouched for a statement."""
    return frozenset(by)
