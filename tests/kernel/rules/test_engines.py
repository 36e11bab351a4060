"""The kernel's rule about queries: the claim is written from data, the text brought by digest, the word named."""

import json
from importlib import import_module

import pytest

from refdp.kernel import rules
from refdp.kernel.certificate import certificate, parsed, replay, text_of
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.engines import ENGINES, READING, Query
from refdp.kernel.sources import LARGEST_SOURCE, bring, digest_of, source_of
from refdp.spec.statements import Statement
from refdp.terms.reading import read

TEXT = """
import math


def total(rows, cap=10):
    s = 0
    for r in rows:
        s += min(r, cap)
    return s


def both(rows):
    return {"few": sum(1 for r in rows if r < 3), "many": sum(1 for r in rows if r >= 3)}


def risky(rows):
    return sum(rows) / len(rows)


def root(rows):
    return math.sqrt(sum(rows))
"""
NO_RELATION = {"relations": ["true"], "singles": [], "splits": [], "hints": []}
"""Of the right form, and no proof: what is shown here asks nobody."""


def data(**others):
    """What a step of the rule is given, with some parts changed."""
    evidence = {"invariants": NO_RELATION, "order": None, "fused": False, "total": []}
    return {
        "source": bring(TEXT), "function": "total", "rows": "bounded(1, 0, 20)", "arguments": "list_of()",
        "neighbours": "add_remove", "tables": "multisets", "size": "", "norm": "L1", "bound": "10", "step": "1",
        "evidence": json.dumps(evidence), "by": [READING, "somebody"],
    } | others  # fmt: skip


def stable(**others):
    return rules.runs_stay_related(**data(**others))


def test_claim_names_function_text_rows_and_values_and_who_vouched():
    digest = digest_of(TEXT)
    found = stable()
    assert str(found.claim.term) == (
        f"stable(query('total', '{digest}', bounded(1, 0, 20), list_of()), table(bounded(1, 0, 20)), symmetric(d_in), "
        "grid(1), absolute(d_in * 10), 0 <= d_in)"
    )
    assert found.trusts == {READING, "somebody"}
    fixed = stable(arguments="list_of(fixed('cap', 7))")
    assert "list_of(fixed('cap', 7))" in str(fixed.claim.subject)
    assert fixed.claim.subject != found.claim.subject


def test_claim_follows_neighbours_size_norm_and_step():
    sized = stable(neighbours="change_one", size="5", step="1/5").claim
    assert (str(sized.domain), sized.metric) == ("sized_table(bounded(1, 0, 20), 5)", "change_one")
    assert str(sized.output_domain) == "grid(1/5)"
    assert str(stable(step="").claim.output_domain) == "reals()"
    for neighbours, metric in (("add_remove", "insert_delete"), ("change_one", "hamming")):
        assert stable(neighbours=neighbours, tables="lists").claim.metric == metric
    assert stable(neighbours="change_one", tables="lists", size="5").claim.metric == "hamming"
    for norm, metric in (("L1", "l1"), ("L2", "l2"), ("Linf", "linf")):
        vector = stable(function="both", norm=norm).claim
        assert (vector.output_metric, str(vector.output_domain)) == (metric, "vector(grid(1), 2)")
    assert str(stable(function="both", norm="L2", bound="sqrt(2)").claim.d_out[0]) == "d_in * sqrt(2)"


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ({"source": "0" * 64}, "no source has the digest"),
        ({"function": "other"}, "must define the function other"),
        ({"function": "root"}, "must answer in exact numbers"),
        ({"rows": "rows"}, "is not a domain"),
        ({"rows": "records()"}, "is not a domain of rows that a query"),
        ({"rows": "finite(3)"}, "is not a domain of rows that a query"),
        ({"rows": "grid(1/2)"}, "is not a domain of rows that a query"),
        ({"rows": "bounded(1, 1/4, 3/4)"}, "has no members"),
        ({"rows": "bounded(1, 3, 0)"}, "must be in order"),
        ({"rows": "interval(1, 0)"}, "must be in order"),
        ({"rows": "labels('a', 'a')"}, "must list different labels"),
        ({"arguments": "fixed('cap', 7)"}, "is not a list of fixed parameters"),
        ({"arguments": "list_of(7)"}, "does not fix a parameter"),
        ({"arguments": "list_of(fixed('lid', 7))"}, "has no parameter lid"),
        ({"arguments": "list_of(fixed('rows', 7))"}, "has no parameter rows"),
        ({"arguments": "list_of(fixed('cap', d_in))"}, "is not a value of a parameter"),
        ({"arguments": "list_of(fixed('cap', 7), fixed('cap', 8))"}, "must fix different parameters"),
        ({"arguments": "list_of(fixed('a b', 7))"}, "must fix different parameters"),
        ({"neighbours": "symmetric"}, "neighbours must be add_remove or change_one"),
        ({"neighbours": "hamming"}, "neighbours must be add_remove or change_one"),
        ({"tables": ""}, "tables must be multisets or lists"),
        ({"tables": "sets"}, "tables must be multisets or lists"),
        ({"size": "5"}, "no two members"),
        ({"size": "5", "tables": "lists"}, "no two members"),
        ({"neighbours": "change_one", "size": "0"}, "size must be a whole number >= 1"),
        ({"neighbours": "change_one", "size": "1/2"}, "size must be a whole number >= 1"),
        ({"norm": "l1"}, "norm must be one of"),
        ({"bound": "-1"}, "the bound must be a number >= 0"),
        ({"bound": "sqrt(2)"}, "the bound must be a number >= 0"),
        ({"bound": "n"}, "the bound must be a number >= 0"),
        ({"bound": "ln(2)"}, "the bound must be a number >= 0"),
        ({"norm": "L2", "bound": "sqrt(n)"}, "the bound must be a number >= 0"),
        ({"step": "0"}, "step must be > 0"),
        ({"step": "-1"}, "step must be > 0"),
        ({"by": []}, "the reading and a solver must be named"),
        ({"by": [READING]}, "the reading and a solver must be named"),
        ({"by": ["somebody"]}, "the reading and a solver must be named"),
        ({"by": ["somebody", READING]}, "the reading and a solver must be named"),
        ({"evidence": "{}"}, "."),
        ({"evidence": "[]"}, "."),
        ({"evidence": ""}, "."),
        ({"evidence": json.dumps({"invariants": None, "order": None, "fused": False, "total": []})}, "."),
        ({"evidence": json.dumps({"invariants": NO_RELATION, "order": None, "fused": "no", "total": []})}, "fused"),
        ({"evidence": json.dumps({"invariants": NO_RELATION, "order": None, "fused": False, "total": ["true"] * 2})},
         "one relation for each pass"),
        ({"evidence": json.dumps({"invariants": NO_RELATION | {"relations": []}, "order": None, "fused": False,
                                  "total": []})}, "one relation for each pass"),
        ({"evidence": json.dumps({"invariants": NO_RELATION, "order": None, "fused": False, "total": ["|ghost|"]})},
         "."),
    ],
)  # fmt: skip
def test_step_that_says_nothing_or_has_no_word_behind_it_is_refused(others, reason):
    with pytest.raises(KernelError, match=reason):
        stable(**others)


def test_certificate_brings_the_text_and_replay_asks_about_what_it_reads():
    theorem = stable()
    found = parsed(text_of(certificate(theorem, "")))
    assert found["sources"] == {digest_of(TEXT): TEXT}
    asked = []

    def ask(question: Statement | Query, by):
        asked.append((question, by))
        return frozenset({READING, "somebody else"})

    again = replay(found, ask)
    assert again.trusts == {READING, "somebody else"}
    assert again.theorem.claim == theorem.claim
    [(question, by)] = asked
    assert (question.text, question.function, question.rows) == (TEXT, "total", read("bounded(1, 0, 20)"))
    assert by == (READING, "somebody")


def vouching(question, by):
    return frozenset(by)


def forged(change):
    """The certificate with something changed."""
    found = parsed(text_of(certificate(stable(), "")))
    change(found)
    return found


def put(found, key, value):
    found["steps"][0]["data"][key] = value


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda f: f["sources"].clear(), "must bring the source that it names"),
        (lambda f: f["sources"].update({digest_of(TEXT): TEXT + "\n"}), "a source does not have its digest"),
        (lambda f: f["sources"].update({digest_of("x = 1\n"): "x = 1\n"}), "a source is named by no step"),
        (lambda f: f["sources"].update({"0" * 64: TEXT}), "a source does not have its digest"),
        (lambda f: put(f, "source", digest_of("x = 1\n")), "must bring the source that it names"),
        (lambda f: put(f, "function", "both"), "replay concludes"),
        (lambda f: put(f, "bound", "9"), "replay concludes"),
        (lambda f: put(f, "bound", "11"), "replay concludes"),
        (lambda f: put(f, "step", "2"), "replay concludes"),
        (lambda f: put(f, "step", ""), "replay concludes"),
        (lambda f: put(f, "neighbours", "change_one"), "replay concludes"),
        (lambda f: put(f, "tables", "lists"), "replay concludes"),
        (lambda f: put(f, "edits", "1"), "."),
        (lambda f: f["steps"][0]["data"].pop("tables"), "."),
        (lambda f: put(f, "rows", "bounded(1, 0, 21)"), "replay concludes"),
        (lambda f: put(f, "arguments", "list_of(fixed('cap', 11))"), "replay concludes"),
        (lambda f: f["steps"][0]["data"].pop("evidence"), "."),
        (lambda f: f["steps"][0]["data"].pop("source"), "."),
        (lambda f: put(f, "by", [READING]), "the reading and a solver must be named"),
        (lambda f: f.update(trusts=[]), "replay trusts"),
        (lambda f: f.update(conclusion=f["conclusion"].replace("* 10", "* 9")), "replay concludes"),
    ],
)
def test_forged_certificate_of_a_text_is_refused(change, reason):
    with pytest.raises((KernelError, TypeError, KeyError), match=reason):
        replay(forged(change), vouching)


def test_sources_are_known_by_what_they_say():
    digest = bring("x = 1\n")
    assert (digest, source_of(digest)) == (digest_of("x = 1\n"), "x = 1\n")
    assert digest != digest_of("x = 1")
    with pytest.raises(KernelError, match=f"at most {LARGEST_SOURCE} bytes, got"):
        bring("#" * (LARGEST_SOURCE + 1))
    with pytest.raises(KernelError, match="text that UTF-8 can write"):
        bring("\ud800")


def test_earlier_format_is_read_as_one_without_sources():
    found = certificate(rules.filtered(domain="table(records())", near="symmetric", d_in="1", total="pure(1)"), "")
    earlier = {key: value for key, value in found.items() if key != "sources"} | {"format": "refdp-certificate/1"}
    assert parsed(json.dumps(earlier)) == found
    with pytest.raises(KernelError, match="must be an object with the keys"):
        parsed(json.dumps(earlier | {"sources": {}}))


def far(**others):
    """A step that refutes: one row more, on which `total` moves by 10."""
    evidence = {"first": [{"number": "3"}], "second": [{"number": "3"}, {"number": "12"}]}
    given = data(bound="9", edits="1", evidence=json.dumps(evidence)) | others
    return rules.query_moves_too_far(**{key: one for key, one in given.items() if key not in ("by", "step")})


def pair(first, second):
    return json.dumps({"first": [{"number": str(r)} for r in first], "second": [{"number": str(r)} for r in second]})


def test_pair_that_moves_too_far_refutes_the_claim_of_one_edit():
    found = far()
    assert str(found.claim.term) == (
        f"refuted(stable(query('total', '{digest_of(TEXT)}', bounded(1, 0, 20), list_of()), table(bounded(1, 0, 20)), "
        "symmetric(1), reals(), absolute(9)))"
    )
    assert found.trusts == {"refdp's interpreter of Python"}
    raised = far(function="risky", bound="1000", evidence=pair([], [5]))
    assert "absolute(1000)" in str(raised.claim.term)
    twice = far(edits="2", bound="12", evidence=pair([], [3, 12])).claim
    assert "symmetric(2), reals(), absolute(12)" in str(twice.term)
    ordered = far(
        tables="lists", neighbours="change_one", edits="2", bound="2", evidence=pair([1, 2, 5], [2, 4, 5])
    ).claim
    assert "hamming(2), reals(), absolute(2)" in str(ordered.term)
    vector = far(function="both", bound="1/2", evidence=pair([1], [1, 1]))
    assert "vector(reals(), 2), l1(1/2)" in str(vector.claim.term)
    again = parsed(text_of(certificate(found, "")))
    assert replay(again, vouching).theorem.claim == found.claim


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ({"bound": "10"}, "must be further apart than claimed"),
        ({"evidence": pair([3], [3, 12, 12])}, "must be at most 1 edits apart, got 2"),
        ({"edits": "2", "evidence": pair([3], [3, 12, 12, 12])}, "must be at most 2 edits apart, got 3"),
        ({"edits": "2", "bound": "13", "evidence": pair([3], [3, 12])}, "must be further apart than claimed"),
        ({"edits": "0"}, "edits must be a whole number >= 1"),
        ({"edits": "3/2"}, "edits must be a whole number >= 1"),
        ({"edits": ""}, "edits must be an int"),
        ({"tables": "sets"}, "tables must be multisets or lists"),
        ({"tables": "lists", "evidence": pair([3, 12], [12, 3, 12, 3])}, "must be at most 1 edits apart, got 2"),
        (
            {"tables": "lists", "neighbours": "change_one", "evidence": pair([3, 12], [12, 3])},
            "must be at most 1 edits apart, got 2",
        ),
        ({"tables": "lists", "size": "1"}, "no two members"),
        ({"evidence": pair([3], [3])}, "must be further apart than claimed"),
        ({"evidence": pair([3], [3, 21])}, "a row must be within its bounds"),
        ({"evidence": pair([3], [3, "5/2"])}, "a row must be as declared"),
        ({"neighbours": "change_one"}, "tables must have as many rows"),
        ({"neighbours": "change_one", "size": "3", "evidence": pair([0], [20])}, "the tables must have 3 rows"),
        ({"size": "1"}, "no two members"),
        ({"evidence": "{}"}, "."),
        ({"evidence": json.dumps({"first": [], "second": []})}, "must be further apart than claimed"),
        ({"evidence": json.dumps({"first": [], "second": None})}, "."),
        ({"function": "risky", "bound": "1000", "evidence": pair([5], [5, 5])}, "must be further apart than claimed"),
        ({"arguments": "list_of(fixed('cap', 5))"}, "must be further apart than claimed"),
        ({"arguments": "list_of(fixed('other', 5))"}, "total has no parameter other besides its table"),
    ],
)
def test_pair_that_shows_nothing_is_refused(others, reason):
    with pytest.raises(KernelError, match=reason):
        far(**others)


def test_refutation_of_an_engine_that_names_nobody_is_refused(monkeypatch):
    monkeypatch.setattr(import_module(ENGINES["query_moves_too_far"]), "moved", lambda claim: (None, frozenset()))
    with pytest.raises(KernelError, match="who runs the function must be named"):
        far()
