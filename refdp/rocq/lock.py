"""What proofs/rocq/rules.lock says of claims about all mechanisms: which of their theorems Rocq has checked.

No prover is asked.  A claim is PROVED where the kernel's rule says it, the theorem that is written of it now is the one
that was checked when the lock was written, and the library defines and states what it did then; everything else leaves
the claim UNKNOWN, with the reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from refdp.claims import Claim
from refdp.general import is_said, read_general, reason
from refdp.rocq.claims import WHOLE
from refdp.rocq.general import general_file, general_line
from refdp.rocq.library import LIBRARY, module_lines

LOCK = LIBRARY / "rules.lock"
CALLED = "proofs/rocq/rules.lock"
VERSION = re.compile(r"\d+(\.\w+)*([+~-]\w+)*", re.ASCII)
"""How a version of the prover is written."""
STATED = "refdp's statements for Rocq"
"""What is believed beside the prover: that the exported statement says what the claim's formal text says."""


@cache
def library(folder: Path) -> tuple[str, ...]:
    """What the files of a library define and state."""
    return tuple(module_lines(folder))


@dataclass(frozen=True, slots=True)
class Standing:
    """PROVED with whom that believes, or UNKNOWN with the reason; `unanswered` where only the lock is not here."""

    verdict: str
    reason: str
    trusts: tuple[str, ...] = ()
    unanswered: bool = False


def standing(claim: Claim, lock: Path | None = None, folder: Path = LIBRARY) -> Standing:
    """Whether a claim about all mechanisms is proved, by this lock and library, or else those that came with refdp."""
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
    try:
        defined = list(library(folder))
    except (OSError, UnicodeDecodeError):
        defined = []
    if not defined or defined != [line for line in lines if line.startswith("module ")]:
        return Standing("UNKNOWN", f"{why}; the library for Rocq is not the one that was checked, by {CALLED}")
    said = [line for line in lines if line.startswith(f"general {claim.identifier} ")]
    # A line ends in the name of the set of axioms that its theorem may rest on.
    sets = [line.split()[1] for line in lines if re.match(r"axioms \w", line)]
    may_say = [[f"{general_line(found)} {name}"] for name in sets]
    if said not in may_say or len(provers) != 1 or not VERSION.fullmatch(provers[0]):
        return Standing("UNKNOWN", f"{why}; Rocq has not checked this theorem, by {CALLED}")
    return Standing("PROVED", "", (f"Rocq {provers[0]}, by {CALLED}", STATED))
