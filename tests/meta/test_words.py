"""The text of the repository: it stands for itself, on any machine, and is finished."""

import re
from hashlib import sha256
from itertools import pairwise

import pytest

from tests.meta.repository import ROOT, names, python_files

# Written with a bracket in each, so that this file does not contain what it looks for.
PLACES = re.compile(r"/(w[o]rk|f[a]rm|r[o]ot|h[o]me|[U]sers)/|/opt/p[y]pi|\bp[y]pi\.org|p[y]thonhosted")
UNFINISHED = re.compile(r"\bTO[D]O\b|\bFI[X]ME\b|\bXX[X]\b|NotImplemented[E]rror|#\s*type:\s*ignore\s*$|#\s*noqa\s*$")
# First 16 digits of the SHA-256 of words and pairs of words that tell how a text was made and not what it says.
WORKSHOP = {
    "c857d09db23e6822",
    "c70eca6b0f88f44d",
    "c5f9d8f01eaaecc5",
    "7d2ef72a97f692a1",
    "e47416ec50ffbe94",
}


def listed_words(text: str, digests: set[str]) -> list[str]:
    """The words and pairs of neighbouring words of `text`, in lower case, that have one of the digests."""
    words = re.findall(r"[a-z]+", text.lower())
    candidates = {*words, *map(" ".join, pairwise(words))}
    return sorted(w for w in candidates if sha256(w.encode()).hexdigest()[:16] in digests)


def texts() -> list[str]:
    """Every file of the repository that is text."""
    return [name for name in names() if b"\0" not in (ROOT / name).read_bytes()]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


def test_words_name_no_machine_and_no_registry():
    assert {name: found for name in texts() if (found := PLACES.findall(read(name)))} == {}


def test_words_do_not_tell_how_the_text_was_made():
    assert {name: found for name in texts() if (found := listed_words(read(name), WORKSHOP))} == {}


def test_words_leave_nothing_unfinished():
    sources = python_files("refdp/", "proofs/", "tests/", "scripts/")
    assert {name: found for name in sources if (found := UNFINISHED.findall(read(name)))} == {}


@pytest.mark.parametrize("path", ["/h" + "ome/ada/x", "see /w" + "ork/x", "https://p" + "ypi.org/simple"])
def test_words_find_a_machine_or_a_registry(path):
    assert PLACES.search(path)


@pytest.mark.parametrize("line", ["# TO" + "DO: prove", "x = 1  # type:" + " ignore", "raise NotImplemented" + "Error"])
def test_words_find_what_is_unfinished(line):
    assert UNFINISHED.search(line)


def test_words_find_a_word_and_a_pair_by_their_digests():
    digests = {sha256(word).hexdigest()[:16] for word in (b"proof", b"exact real")}
    assert listed_words("An EXACT\nreal, and its proof; exactly real.", digests) == ["exact real", "proof"]
