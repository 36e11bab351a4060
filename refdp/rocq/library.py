"""The files of the library for Rocq, as sentences: what they define and state is told by a digest, proofs apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import refdp

LIBRARY = Path(refdp.__file__).parent / "proofs" / "rocq"
"""In a checkout, and where refdp is installed."""


def sentences(text: str) -> Iterator[str]:
    """The sentences of a file of Rocq, without comments, white space as one blank."""
    depth, kept = 0, []
    for part in re.split(r"(\(\*|\*\))", text):
        depth += (part == "(*") - (part == "*)")
        if depth == 0 and part != "*)":
            kept.append(part)
    for sentence in re.split(r"(?<!\.)\.(?=\s|$)", "".join(kept)):
        if sentence.strip():
            yield " ".join(sentence.split())


def module_lines(folder: Path = LIBRARY) -> Iterator[str]:
    """The lines of the lock about the library: of each file a digest of what it defines and states, proofs apart."""
    for path in sorted(folder.glob("*.v")):
        stated = "\n".join(outside_proofs(path.read_text(encoding="utf-8")))
        yield f"module {path.stem} {sha256(stated.encode()).hexdigest()[:16]}"


def outside_proofs(text: str) -> Iterator[str]:
    """The sentences of a file that stand in no proof."""
    return (sentence for sentence, inside in with_places(text) if not inside)


def with_places(text: str) -> Iterator[tuple[str, bool]]:
    """Each sentence of a file, and whether it stands in a proof."""
    inside = False
    for sentence in sentences(text):
        if sentence == "Proof" or sentence.startswith("Proof "):
            inside = True
        yield sentence, inside
        if sentence in ("Qed", "Defined"):
            inside = False
