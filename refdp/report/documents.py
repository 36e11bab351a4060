"""The source documents, statement by statement: what each says, and whether it is so, as data.

One file in ledger/sources for each document: an ordered list of entries, whose ranges of lines cover the document.
Entries of one passage share its range.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from refdp.claims import LEDGER

KINDS = ("definition", "theorem", "formula", "claim", "computation", "example", "advice", "none")
"""What an entry is; `none` makes no statement."""
VERDICTS: Mapping[str, str] = {
    "TRUE": "so as it stands; the claims say what shows it",
    "FALSE": "refuted as it stands",
    "REPAIRED": "true under a condition that the document omits",
    "AMBIGUOUS": "of two readings, judged separately",
    "ILL-FORMED": "not a statement as it is written",
    "DEFINITION": "neither true nor false; the remark says where it is not the standard one",
    "FACT": "about the world: its sources decide it, no theorem, and it is not judged here",
    "OPINION": "not mathematics, and not judged",
}
"""Verdict -> what it means."""
LONGEST_EXCERPT = 15
"""Most words that are quoted of one passage."""


class DocumentError(ValueError):
    """The list of a document's statements is not well formed, or is about another text."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a document says in the lines from `first` to `last`, and refdp's verdict; "" for entries of kind none."""

    first: int
    last: int
    kind: str
    words: str
    is_excerpt: bool
    verdict: str
    claims: tuple[str, ...]
    sentence: str
    reason: str
    """A derivation or a counterexample of one line, where no claim of the ledger gives it."""


@dataclass(frozen=True, slots=True)
class Document:
    """A source document by its file's stem: its length, its digest and its entries, in order."""

    stem: str
    title: str
    lines: int
    digest: str
    entries: tuple[Entry, ...]

    @property
    def statements(self) -> tuple[Entry, ...]:
        """The entries that say something."""
        return tuple(e for e in self.entries if e.kind != "none")

    def count(self, verdict: str) -> int:
        """How many statements have the verdict."""
        return sum(e.verdict == verdict for e in self.statements)


@cache
def documents() -> tuple[Document, ...]:
    """Every document, by its stem."""
    texts = sorted((path.name, path.read_text(encoding="utf-8")) for path in (LEDGER / "sources").iterdir())
    return tuple(document(tomllib.loads(text)) for name, text in texts if name.endswith(".toml"))


def document(read: Mapping[str, Any]) -> Document:
    """The document that a file lists; DocumentError if its entries do not cover it in order, or say too little."""
    found = Document(read["document"], read["title"], read["lines"], read["sha256"], tuple(map(_entry, read["entry"])))
    problems = list(_gaps(found)) + [f"lines {e.first}-{e.last}: {p}" for e in found.entries for p in _problems(e)]
    if problems:
        raise DocumentError(f"{found.stem}: {problems[0]}")
    return found


def _entry(read: Mapping[str, Any]) -> Entry:
    """One entry of a file."""
    first, _, last = str(read["lines"]).partition("-")
    return Entry(
        first=int(first),
        last=int(last or first),
        kind=read["kind"],
        words=read.get("excerpt", read.get("paraphrase", "")),
        is_excerpt="excerpt" in read,
        verdict=read.get("verdict", ""),
        claims=tuple(read.get("claims", ())),
        sentence=read["sentence"],
        reason=read.get("reason", ""),
    )


def _gaps(found: Document) -> Iterator[str]:
    """Where the ranges skip a line, go back, or end elsewhere than the document does."""
    first, last = 1, 0
    for e in found.entries:
        if (e.first, e.last) == (first, last):
            continue
        if e.first != last + 1 or e.last < e.first:
            yield f"lines {e.first}-{e.last} must continue at line {last + 1}"
        first, last = e.first, e.last
    if last != found.lines:
        yield f"the entries must end at line {found.lines}, got {last}"


def _problems(e: Entry) -> Iterator[str]:
    """What is missing in an entry, or is too much."""
    if e.kind not in KINDS:
        yield f"kind must be one of {', '.join(KINDS)}, got {e.kind}"
    if (e.kind == "none") != (e.verdict == ""):
        yield "a verdict belongs to a statement, and to nothing else"
    if e.verdict and e.verdict not in VERDICTS:
        yield f"verdict must be one of {', '.join(VERDICTS)}, got {e.verdict}"
    if not e.words or e.is_excerpt and len(e.words.split()) > LONGEST_EXCERPT:
        yield f"an excerpt must have 1 to {LONGEST_EXCERPT} words, got {len(e.words.split())}"
    if not all(said.endswith(".") for said in (e.sentence, e.reason) if said) or not e.sentence:
        yield "the remark must be a sentence"


def differences(found: Document, text: bytes) -> list[str]:
    """Where a text is not the document that was judged: its digest, its length, and quotations that it lacks."""
    lines = text.decode().splitlines()
    problems = [] if sha256(text).hexdigest() == found.digest else [f"SHA-256 must be {found.digest}"]
    problems += [] if len(lines) == found.lines else [f"lines must be {found.lines}, got {len(lines)}"]
    for e in found.entries:
        passage = " ".join(" ".join(lines[e.first - 1 : e.last]).split())
        if e.is_excerpt and e.words not in passage:
            problems.append(f"lines {e.first}-{e.last} must contain {e.words!r}")
    return problems
