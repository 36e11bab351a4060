"""What is said of random functions of lists and multisets, at one edit or several, holds of small tables, by Python."""

from fractions import Fraction as F
from itertools import product
from pathlib import Path

import pytest

import refdp
from refdp.commands.check import replayed_file
from refdp.kernel.certificate import parsed, replay
from refdp.kernel.judgements import Refuted
from refdp.numerics.exact import decide
from refdp.sensitivities.language.source import Unsupported
from refdp.spec.distances import METRICS, l2_distance_squared
from refdp.spec.domains import contains
from refdp.terms.evaluation import evaluate
from refdp.terms.term import number, substitute
from tests.queries.random_queries import KIND, random_query
from tests.queries.test_enumerated import TABLES, answers

FURTHEST = 6
FAR = {name: {(u, v): next(d for d in range(FURTHEST + 1) if METRICS[name].within(u, v, F(d)))
              for u, v in product(TABLES, repeat=2) if METRICS[name].within(u, v, F(FURTHEST))}
       for name in ("insert_delete", "hamming", "symmetric", "change_one")}  # fmt: skip
"""How far apart any two small tables are."""


def said(seed, path):
    """Verdict, theorem and text about one random function; None where nothing is decided."""
    near, tables, edits = (
        ("add_remove", "change_one")[seed % 2],
        ("lists", "lists", "multisets")[seed % 3],
        1 + seed % 4,
    )
    norm, size = ("L1", "L2", "Linf")[seed % 5 % 3], (None, 2, 3)[seed % 7 % 3] if near == "change_one" else None
    text = random_query(seed, ordered=tables == "lists")
    path.write_text(text, encoding="utf-8")
    claim = f"{edits}*sqrt({seed % 9})" if norm == "L2" else str(F(edits * (seed % 5), 2))
    try:
        found = refdp.sensitivity(
            f"{path}:f", near, records=KIND, norm=norm, tables=tables, edits=edits, claim=claim,
            assume=None if size is None else f"n == {size}", certificates=path.parent, run=False, timeout=10.0,
        )  # fmt: skip
    except Unsupported:
        return None
    if found["verdict"] == "UNKNOWN":
        return None
    content = Path(found["certificate"]).read_text(encoding="utf-8")
    if '"engine_' in content:
        return found["verdict"], None, text
    assert replayed_file(Path(found["certificate"]), None, None, 60.0)["verdict"] == found["verdict"]
    theorem = replay(parsed(content), lambda question, by: frozenset(by)).theorem.claim
    stable = theorem.claim if isinstance(theorem, Refuted) else theorem
    assert (stable.metric in ("hamming", "insert_delete")) is (tables == "lists")
    assert isinstance(theorem, Refuted) is (found["verdict"] == "REFUTED")
    if isinstance(theorem, Refuted):
        assert stable.d_in == number(edits)
    return found["verdict"], theorem, text


def is_within(claim, d, one, other):
    """Whether two answers are as far apart as the claim says at most, of tables d edits apart."""
    [bound] = (substitute(far, {"d_in": number(d)}) for far in claim.d_out)
    if claim.output_metric in ("absolute", "l2"):
        one, other = ((one,), (other,)) if claim.output_metric == "absolute" else (one, other)
        return decide(number(l2_distance_squared(one, other)) <= bound * bound)
    return METRICS[claim.output_metric].within(one, other, evaluate(bound, {}))


def holds(claim, text):
    """On how many pairs of small tables a theorem was tried; AssertionError where it does not hold of one."""
    known = answers(text, None)
    found = {table: answer for table, answer in known.items() if contains(claim.domain, table)}
    assert found
    for table, answer in found.items():
        assert not isinstance(answer, Exception), (text, table, str(claim.term))
    pairs = [(pair, d) for pair, d in FAR[claim.metric].items() if found.keys() >= set(pair)]
    for (u, v), d in pairs:
        assert is_within(claim, d, found[u], found[v]), (text, u, v, str(claim.term))
    return len(pairs)


def is_broken(claim, text):
    """Whether Python, too, moves further than what is refuted, on tables of at most as many rows as are tried."""
    found = {table: answer for table, answer in answers(text, None).items() if contains(claim.domain, table)}
    d = int(claim.d_in.rational)
    for (u, v), far in FAR[claim.metric].items():
        if far <= d and {u, v} <= found.keys():
            one, other = found[u], found[v]
            if isinstance(one, Exception) or isinstance(other, Exception) or not is_within(claim, d, one, other):
                return True
    return False


def tried(seeds, folder):
    """Pairs of tables on which proofs held, theorems that were proved, refutations that Python confirms, and others."""
    pairs, proved, broken, larger = 0, 0, 0, 0
    for seed in seeds:
        made = said(seed, folder / f"q{seed}.py")
        if made is None or made[1] is None:
            continue
        verdict, theorem, text = made
        if verdict == "PROVED":
            pairs, proved = pairs + holds(theorem, text), proved + 1
        elif is_broken(theorem.claim, text):
            broken += 1
        else:
            larger += 1
    return pairs, proved, broken, larger


def test_what_is_said_of_random_functions_of_lists_holds_of_every_small_pair(tmp_path):
    """At least 1,000 pairs of 8 or more theorems, of one edit and several; `make test-long` takes 1,000 more."""
    pairs, proved, broken, larger = tried(range(26), tmp_path)
    assert (pairs >= 1_000, proved >= 8, broken >= 3) == (True, True, True), (pairs, proved, broken)
    assert larger <= broken  # tables of more rows than are tried here


@pytest.mark.long
def test_what_is_said_of_a_thousand_random_functions_of_lists_holds_of_every_small_pair(tmp_path):
    pairs, proved, broken, larger = tried(range(26, 1_026), tmp_path)
    assert (pairs >= 100_000, proved >= 200, broken >= 200) == (True, True, True), (pairs, proved, broken)
    assert larger <= broken
