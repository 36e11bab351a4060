"""The ledger: every claim refdp makes or refutes, as data.

A claim STEM.NOTION has a sentence for people, the formal claim that its theorem must conclude, a source and the
expected verdict, and the line that proves it (`refdp.proofs.lines`).  Where it is defined and tested follows from its
name.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from refdp.kernel.judgements import Holds, Judgement, Refuted
from refdp.kernel.rules.logic import obligation
from refdp.terms.reading import read
from refdp.terms.term import TermError, name, names, substitute, subterms

LEDGER = Path(__file__).parent / "ledger"
CERTIFICATES = Path(__file__).parent / "proofs" / "certificates"
"""Where the certificates are that came with refdp: beside the proofs."""
BOOKS = (
    "mechanisms", "local_randomisers", "beyond_global_sensitivity", "primitives", "transformations", "streams",
    "models", "composition", "definitions", "documents", "docket",
)  # fmt: skip
"""The files of the ledger, in the order in which claims are listed."""
GENERAL = "general"
"""The file of claims about all mechanisms, which Rocq proves and not the kernel (`refdp.general`)."""
PROGRAMS = "programs"
"""The file of claims about randomised programs, which the checker of programs decides and not the kernel."""
WITHDRAWN = "withdrawn"
"""The file of claims that were made once and are no longer."""


SUGGESTIONS = 5
"""How many claims are named where another one may have been meant."""


class UnknownClaim(ValueError):
    """No claim of the ledger has that name or matches that pattern."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim; `expected` is PROVED for a true one and REFUTED for a false one."""

    identifier: str
    sentence: str
    formal: str
    source: str
    expected: str
    book: str
    rule: str = ""
    """The rule of the kernel that the claim is an instance of, where its sentence is about that rule."""
    proof: str = ""
    """The line that proves the claim (`refdp.proofs.lines`); empty where a function does."""
    why: str = ""
    """Why that is a proof, in a sentence."""
    siblings: tuple[str, ...] = ()
    """Of a claim about all mechanisms: false claims beside it, each about one mechanism."""

    @property
    def stem(self) -> str:
        """The thing the claim is about."""
        return self.identifier.partition(".")[0]

    @property
    def notion(self) -> str:
        """What is claimed of it."""
        return self.identifier.partition(".")[2]


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A claim that was made, the versions it was made in, the one that withdrew it, why, and its certificates' SHA-256.

    The claim's `expected` is the verdict that was wrong.
    """

    claim: Claim
    wrong_in: str
    since: str
    reason: str
    certificates: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.claim.identifier} was withdrawn in {self.since} (wrong in {self.wrong_in}): {self.reason}"

    def says(self, judgement: Judgement) -> bool:
        """Whether the judgement says what was withdrawn, whatever its variables are called."""
        told, said = ("REFUTED", judgement.claim) if isinstance(judgement, Refuted) else ("PROVED", judgement)
        return told == self.claim.expected and nameless(formal_of(said)) == nameless(self.claim.formal)


@cache
def ledger() -> tuple[Claim, ...]:
    """Every claim, in order."""
    return tuple(claim for book in BOOKS for claim in _book(book))


@cache
def general() -> tuple[Claim, ...]:
    """Every claim about all mechanisms; `rule` is the rule of the kernel that says it."""
    return tuple(_book(GENERAL))


@cache
def programs() -> tuple[Claim, ...]:
    """Every claim about a program of the library; `formal` is FILE:FUNCTION: what its decorator claims."""
    return tuple(_book(PROGRAMS))


@cache
def withdrawn() -> tuple[Withdrawal, ...]:
    """Every claim that was withdrawn."""
    return tuple(
        Withdrawal(
            _claim(WITHDRAWN, identifier, entry),
            entry["wrong_in"],
            entry["since"],
            entry["reason"],
            tuple(entry["certificates"]),
        )
        for identifier, entry in _entries(WITHDRAWN)
    )


def _book(book: str) -> list[Claim]:
    """The claims of one file of the ledger."""
    return [_claim(book, identifier, entry) for identifier, entry in _entries(book)]


@cache
def _by_name(book: str) -> dict[str, dict[str, Any]]:
    """The same, by the names of the claims."""
    return dict(_entries(book))


def _entries(book: str) -> list[tuple[str, dict[str, Any]]]:
    """What stands in one file of the ledger, by claim."""
    stems = tomllib.loads((LEDGER / f"{book}.toml").read_text(encoding="utf-8"))
    return [(f"{stem}.{notion}", entry) for stem, notions in stems.items() for notion, entry in notions.items()]


def _claim(book: str, identifier: str, entry: dict[str, Any]) -> Claim:
    """One entry of the ledger."""
    formal = canonical(" ".join(entry["formal"].split()))
    expected = entry.get("expected", "PROVED")
    more = {key: entry.get(key, "") for key in ("rule", "proof", "why")}
    if book == GENERAL:
        more["rule"] = entry["proof"].partition("(")[0]
    source, siblings = entry.get("source", ""), tuple(entry.get("false", ()))
    return Claim(identifier, entry["sentence"], formal, source, expected, book, **more, siblings=siblings)


def place(listed: Claim) -> tuple[str, int, int]:
    """Where the claim stands in the ledger: the file, from the root of a checkout, and its first and last line."""
    lines = (LEDGER / f"{listed.book}.toml").read_text(encoding="utf-8").splitlines()
    first = lines.index(f"[{listed.identifier}]")
    last = next((n for n in range(first + 1, len(lines)) if lines[n].startswith(("[", "#"))), len(lines))
    while not lines[last - 1]:
        last -= 1
    return f"refdp/ledger/{listed.book}.toml", first + 1, last


def canonical(formal: str) -> str:
    """The formal claim as its canonical text; a statement `for all ...` stays as it is."""
    try:
        return str(read(formal))
    except TermError:
        return formal


@cache
def nameless(formal: str) -> str:
    """The formal claim with its variables numbered as they come; a statement `for all ...` stays as it is."""
    try:
        found = read(formal)
    except TermError:
        return formal
    free = names(found)
    met = dict.fromkeys(str(s.value) for s in subterms(found) if s.operator == "name" and s.value in free)
    return str(substitute(found, {one: name(f"variable_{place}") for place, one in enumerate(met)}))


def claim(identifier: str) -> Claim:
    """The claim of that name; UnknownClaim if there is none, or no longer."""
    for book in BOOKS:  # the others' formal texts need not be read
        entry = _by_name(book).get(identifier)
        if entry is not None:
            return _claim(book, identifier, entry)
    for found in general():
        if found.identifier == identifier:
            where = f"rule {found.rule}, whose proof is docs/soundness.md#{found.rule}"
            what = f"got {identifier}, which is about all mechanisms: {where}"
            raise UnknownClaim(f"claim must have a theorem of the kernel, {what}; refdp export writes it for Rocq")
    for found in programs():
        if found.identifier == identifier:
            place = "refdp/programs/library/" + ":".join(found.formal.split(":")[:2])
            raise UnknownClaim(f"claim must be one of the kernel's, got {identifier}, which refdp prove {place} is for")
    for gone in withdrawn():
        if gone.claim.identifier == identifier:
            raise UnknownClaim(str(gone))
    raise UnknownClaim(f"claim must be one of the ledger's, got {identifier}; {nearest(identifier)}")


def nearest(text: str) -> str:
    """Which claims may have been meant: those with all of its words in name or sentence, else those spelt alike."""
    words = text.lower().replace(".", " ").replace("*", " ").split()
    said = {c.identifier: f"{c.identifier} {c.sentence}".lower() for c in ledger()}
    found = [name for name, sentence in said.items() if words and all(word in sentence for word in words)]
    found = found or get_close_matches(text, said, n=SUGGESTIONS)
    more = f" and {len(found) - SUGGESTIONS} more" if len(found) > SUGGESTIONS else ""
    return f"near it: {', '.join(found[:SUGGESTIONS])}{more}" if found else "refdp verify lists them"


def matching(pattern: str) -> tuple[Claim, ...]:
    """The claims whose names match the pattern (* and ?); UnknownClaim if there are none.

    Those about all mechanisms come after the kernel's, those about programs last.
    """
    found = tuple(c for c in (*ledger(), *general(), *programs()) if fnmatchcase(c.identifier, pattern))
    if not found:
        raise UnknownClaim(f"pattern must match a claim of the ledger, got {pattern}")
    return found


def verdict(judgement: Judgement, formal: str) -> str | None:
    """PROVED if the judgement is the formal claim, REFUTED if it refutes it, None if it is about something else."""
    if isinstance(judgement, Refuted):
        return "REFUTED" if formal_of(judgement.claim) == formal else None
    return "PROVED" if formal_of(judgement) == formal else None


def formal_of(judgement: Judgement) -> str:
    """The claim as the ledger writes it: of a statement its text, not its digest."""
    if isinstance(judgement, Holds):
        return str(obligation(f"{judgement.stem}.{judgement.name}"))
    return str(judgement.term)
