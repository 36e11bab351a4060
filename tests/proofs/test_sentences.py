"""Each sentence of the ledger says what its formal text says: the numbers, the mechanisms, and nothing about all of them.

A formal text about one instance under a sentence that promises the rule is what these tests look for.
"""

import json
import re
from fractions import Fraction as F

import pytest

from refdp.claims import Claim, ledger
from refdp.report.generality import GENERAL, NUMBERS, OF_A_RULE, numbers_of, reach, subject, things
from refdp.spec.terms import names, read
from tests.meta.repository import ROOT

CLAIMS = {c.identifier: c for c in ledger()}
ABOUT_SUBJECTS = {i: c for i, c in CLAIMS.items() if subject(c) is not None}
WORDS = {
    "one": 1, "two": 2, "both": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "hundred": 100, "thousand": 1000, "fair": F(1, 2), "half": F(1, 2), "median": 3, "doubles": 2,
}  # fmt: skip
"""What numbers may be called in a sentence."""
CALLED = {
    "discrete_laplace": ("discrete Laplace noise", "noisy count"),
    "laplace": ("Laplace noise",),
    "discrete_gaussian": ("discrete Gaussian noise",),
    "gaussian": ("normal noise", "Gaussian noise"),
    "randomised_response": ("randomised response", "answered truly"),
    "count": ("count", "number of rows"),
    "threshold_count": ("threshold count", "rows at most"),
    "point_count": ("point count", "rows equal to"),
    "clamped_sum": ("clamped sum",),
    "clamp_output": ("clamped", "merged"),
    "category_of": ("island",),
    "drop_missing": ("missing",),
    "attribute_means": ("attribute means",),
    "histogram": ("point counts", "histogram"),
    "rank_scores": ("median",),
    "exponential": ("exponential mechanism",),
    "permute_and_flip": ("permute and flip",),
}
"""Stem -> what a sentence may call it, but for its own claims."""
METRICS_OF_ROWS = ("symmetric", "change_one")
SAYS_PRIVACY = re.compile(r"\bDP\b|-DP\b|zCDP|mechanism")
ABOUT_OUTCOMES = ("outcome", "event", "answer", "bit", "probabilit")


def mentioned(sentence: str) -> set[F]:
    """Every number that the sentence says, in digits or in words."""
    said = {F(WORDS[w]) for w in re.findall(r"[a-z]+", sentence.lower()) if w in WORDS}
    said |= {F(10) ** int(power) for power in re.findall(r"10\^(-?\d+)", sentence)}
    said |= {F(n) for n in re.findall(r"\d+/\d+|\d+\.\d+|\d+", sentence.replace(" 000", "000"))}
    return said | {F(2) ** int(power) for power in re.findall(r"2\^(\d+)", sentence)}


def says(sentence: str, written) -> bool:
    """Whether the sentence says the closed term: a number by its value, what has a logarithm as it is written."""
    if written.operator == "number":
        return written.value in mentioned(sentence)
    if written.operator == "tuple_of":
        masses = {m.value for row in written.arguments for m in row.arguments} - {0, 1}
        return not masses or bool(masses & mentioned(sentence))
    return str(written) in sentence


def unsaid(c: Claim) -> list[str]:
    """The numbers of the formal text that its sentence does not say: of the subject, of the distance, of the bound."""
    about = subject(c)
    lacking = [f"{stem}.{p} = {v}" for stem, p, v in numbers_of(about) if not says(c.sentence, v)]
    whole = read(c.formal)
    for relation in whole.arguments[2:] if whole.operator == "private" else ():
        if relation.operator in METRICS_OF_ROWS and str(relation.arguments[0]) == "1":
            lacking += [] if re.search(r"\brows?\b|table|person", c.sentence) else [f"{relation}: no row is mentioned"]
        elif relation.operator not in ("discrete", *COMPARISONS) and not names(relation):
            lacking += [f"{relation}: {a}" for a in relation.arguments if str(a) != "0" and not says(c.sentence, a)]
    return lacking


COMPARISONS = ("<=", "<", "==", "!=", "integer", "multiple", "has_length")


def unnamed(c: Claim) -> list[str]:
    """The mechanisms and transformations of the formal text, other than what the claim is filed under, not named."""
    sentence = c.sentence.lower()
    return [
        stem
        for stem in things(subject(c))
        if stem != c.stem and not any(word.lower() in sentence for word in CALLED.get(stem, (stem.replace("_", " "),)))
    ]


@pytest.mark.parametrize("identifier", ABOUT_SUBJECTS)
def test_sentence_says_the_numbers_of_its_formal_text(identifier):
    assert unsaid(CLAIMS[identifier]) == []


@pytest.mark.parametrize("identifier", ABOUT_SUBJECTS)
def test_sentence_names_what_its_formal_text_is_about(identifier):
    assert unnamed(CLAIMS[identifier]) == []


def test_sentence_of_an_inequality_says_nothing_about_mechanisms():
    """What is true of a few numbers is said of outcomes, events or answers: the step to all is a written proof."""
    wrong = [
        i
        for i, c in CLAIMS.items()
        if subject(c) is None and SAYS_PRIVACY.search(c.sentence) and not any(w in c.sentence for w in ABOUT_OUTCOMES)
    ]
    assert wrong == []
