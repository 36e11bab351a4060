"""What `refdp sensitivity` finds is a certificate of the kernel's: about a query wherever a rule says that.

Else it is about a question of the engine's; the format of before is read as such.
"""

import json
from pathlib import Path

import pytest

import refdp
from refdp.commands.check import replayed_file
from tests.forging.seeds import ASKED, QUERIES
from tests.sensitivities.earlier import earlier

QUERY, QUESTION = ("runs_stay_related", "query_moves_too_far"), ("engine_proves", "engine_refutes")
"""The rules about queries, and those about questions."""
EXACT = {name: one for name, one in ASKED.items() if "arithmetic" not in one[1]}
QUESTIONS = {"clipped"}
"""Parameters that are left open."""
SOURCE = """
def total(rows, cap=7):
    return sum(min(r, cap) for r in rows)


def raises(rows):
    return 1 / (1 - sum(1 for r in rows if r < 0))


def first(rows):
    return rows[0] if rows else 0


def last(rows):
    found = 0
    for r in rows:
        found = r
    return found


def mean(rows):
    return sum(rows) / len(rows)


def two(rows):
    return {"few": sum(1 for r in rows if r < 3), "many": sum(1 for r in rows if r >= 3)}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("queries")
    (made / "queries.py").write_text(QUERIES, encoding="utf-8")
    (made / "own.py").write_text(SOURCE, encoding="utf-8")
    return made


MADE = {}


def asked(folder, target, **words):
    """What is said of a function, and its certificate; each question is put once."""
    question = target, repr(words)
    if question not in MADE:
        found = refdp.sensitivity(f"{folder / target}", certificates=folder / "c", run=False, **words)
        assert found["certificate"], found
        MADE[question] = found, Path(found["certificate"]).read_text(encoding="utf-8")
    found, content = MADE[question]
    return found, json.loads(content)


def checked(folder, content):
    (folder / "one.json").write_text(json.dumps(content, indent=1), encoding="utf-8")
    found = replayed_file(folder / "one.json", None, None, 60.0)
    assert "internal_error" not in found
    return found


@pytest.mark.parametrize("name", EXACT)
def test_verdict_is_a_theorem_where_a_rule_says_it(name, folder):
    function, words = EXACT[name]
    found, content = asked(folder, f"queries.py:{function}", **words)
    [step] = content["steps"]
    assert step["rule"] == (QUESTION if name in QUESTIONS else QUERY)[found["verdict"] == "REFUTED"]
    again = checked(folder, content)
    assert (again["verdict"], again["trusts"]) == (found["verdict"], found["trusts"])
    assert (again["conclusion"], again["rules"], content["claim"]) == (content["conclusion"], [step["rule"]], "")
    said = "engine_claim(" if name in QUESTIONS else "stable("
    assert again["conclusion"].startswith(said if found["verdict"] == "PROVED" else f"refuted({said}")


WIDE = {"neighbours": "add_remove", "records": "0..10"}


@pytest.mark.parametrize(
    ("target", "words", "rules"),
    [
        ("total", {**WIDE, "claim": "7"}, QUERY),
        ("total", {**WIDE, "claim": "7", "edits": 1}, QUERY),
        ("total", {**WIDE, "claim": "14", "edits": 2}, QUERY),
        ("total", {**WIDE, "claim": "13", "edits": 2}, QUERY),
        ("total", {**WIDE, "claim": "7", "tables": "lists"}, QUERY),
        ("total", {**WIDE, "claim": "6", "tables": "lists"}, QUERY),
        ("two", {**WIDE, "neighbours": "change_one", "claim": "3*sqrt(2)", "edits": 3, "norm": "L2"}, QUERY),
        ("two", {**WIDE, "neighbours": "change_one", "claim": "2*sqrt(2)", "edits": 3, "norm": "L2"}, QUERY),
        ("two", {**WIDE, "claim": "-sqrt(2)", "norm": "L2"}, QUESTION),
        ("two", {**WIDE, "claim": "sqrt(2)", "norm": "L1"}, QUESTION),
        ("total", {**WIDE, "claim": "6"}, QUERY),
        ("total", {"neighbours": "add_remove", "records": "0..", "claim": "7"}, QUERY),
        ("total", {"neighbours": "add_remove", "records": "0..", "claim": "6"}, QUERY),
        ("total", {"neighbours": "change_one", "records": "integers -3..", "claim": "10"}, QUERY),
        ("two", {"neighbours": "add_remove", "records": "..5", "claim": "1"}, QUERY),
        ("two", {"neighbours": "add_remove", "records": "true | false", "claim": "1"}, QUESTION),
        ("total", {**WIDE, "claim": "abs(cap) + 10", "symbol": ["cap"]}, QUESTION),
        ("last", {**WIDE, "neighbours": "change_one", "claim": "10"}, QUERY),
        ("last", {**WIDE, "neighbours": "change_one", "claim": "20", "edits": 2}, QUERY),
        ("last", {**WIDE, "neighbours": "change_one", "claim": "9"}, QUERY),
        ("mean", {**WIDE, "neighbours": "change_one", "claim": "2", "assume": "n == 5"}, QUERY),
        ("mean", {**WIDE, "neighbours": "change_one", "claim": "10/n", "assume": "n == 5"}, QUERY),
        ("mean", {**WIDE, "neighbours": "change_one", "claim": "10/n", "assume": "n >= 5"}, QUESTION),
        ("mean", {**WIDE, "neighbours": "change_one", "claim": "1", "assume": "n == 5"}, QUERY),
        ("mean", {**WIDE, "neighbours": "change_one", "claim": "30/n", "assume": "n == 5", "edits": 3}, QUERY),
        ("raises", {**WIDE, "claim": "0"}, QUERY),
    ],
)
def test_which_claims_are_questions(target, words, rules, folder):
    found, content = asked(folder, f"own.py:{target}", **words)
    [step] = content["steps"]
    assert step["rule"] == rules[found["verdict"] == "REFUTED"], found
    again = checked(folder, content)
    assert (again["verdict"], again["trusts"]) == (found["verdict"], found["trusts"])
    if rules == QUESTION:
        [said] = again["said"]
        kind = f"{words.get('edits', 1)} x {words['neighbours']}, {found['tables']}, {found['norm']}"
        assert said.startswith(f"{target} moves by at most ")
        parts = [f"({kind}, exact arithmetic; records: {found['records']}", "; text sha256 "]
        parts += [f"; {key} = {text}" for key, text in found["parameters"].items()]
        assert [one for one in parts if one not in said] == []
        assert ("; assumed: " in said) == ("assume" in words)


@pytest.mark.parametrize("name", EXACT)
def test_format_of_before_shows_the_same(name, folder):
    function, words = EXACT[name]
    found, content = asked(folder, f"queries.py:{function}", **words)
    then, now = checked(folder, earlier(json.dumps(content))), checked(folder, content)
    assert then["verdict"] == now["verdict"] == found["verdict"]
    assert then["trusts"] == now["trusts"]
    assert (then["conclusion"], then["rules"]) == (now["conclusion"], now["rules"])


def test_proof_of_before_of_a_function_that_may_raise_is_no_theorem(folder):
    """That it answers on every table is not said there: it is about a question, and says no more than it did."""
    words = {"neighbours": "change_one", "records": "0..10", "claim": "2", "assume": "n == 5"}
    _, content = asked(folder, "own.py:mean", **words)
    assert json.loads(content["steps"][0]["data"]["evidence"])["total"] != []
    found = checked(folder, earlier(json.dumps(content)))
    assert (found["verdict"], found["rules"]) == ("PROVED", ["engine_proves"])
    [said] = found["said"]
    assert said.startswith("mean moves by at most 2 (")


def test_refutation_of_before_in_which_both_tables_raise_is_refused(folder):
    """There the same exception on both is no distance; that the function has no answer is another claim."""
    _, content = asked(folder, "own.py:total", **WIDE, claim="6")
    before = earlier(json.dumps(content))
    before["evidence"] |= {"first": [{"number": "1"}], "second": [{"number": "2"}]}
    before["claim"] |= {"function": "broken", "neighbours": "change_one"}
    before["claim"]["source"] += "\n\ndef broken(rows):\n    return 1 / (len(rows) - 1)\n"
    assert checked(folder, before)["verdict"] == "REJECTED"
    before["evidence"] |= {"first": [], "second": [{"number": "2"}]}
    before["claim"] |= {"neighbours": "add_remove"}
    found = checked(folder, before)
    assert found["verdict"] == "REFUTED", found["reason"]


NEAR_MISSES = {
    "a smaller bound": lambda d, e: d.update(bound="6"),
    "a wider domain": lambda d, e: d.update(rows="reals()"),
    "another cap": lambda d, e: d.update(arguments="list_of(fixed('cap', 8))"),
    "other neighbours": lambda d, e: d.update(neighbours="change_one", rows="interval(-10, 10)"),
    "whole answers": lambda d, e: d.update(step="1"),
    "another function": lambda d, e: d.update(function="mean"),
    "a public size under add_remove": lambda d, e: d.update(size="5"),
    "lists whose order plays a part, of which nothing is said": lambda d, e: d.update(tables="sets"),
    "edits, which a proof does not count": lambda d, e: d.update(edits="2"),
    "no relation": lambda d, e: e.update(invariants=[]),
    "no order": lambda d, e: e.update(order=[]),
    "fused": lambda d, e: e.update(fused=not e["fused"], invariants=[]),
    "nothing": lambda d, e: e.clear(),
    "the word of nobody": lambda d, e: d.update(by=[]),
    "the word of a stranger": lambda d, e: d.update(by=["me", "z3"]),
}


@pytest.mark.parametrize("change", NEAR_MISSES)
def test_proof_that_is_changed_is_not_confirmed(change, folder):
    _, content = asked(folder, "own.py:total", **WIDE, claim="7")
    data = content["steps"][0]["data"]
    evidence = json.loads(data["evidence"])
    NEAR_MISSES[change](data, evidence)
    data["evidence"] = json.dumps(evidence)
    assert checked(folder, content)["verdict"] in ("REJECTED", "UNKNOWN")


REFUTED_MISSES = {
    "a bound that is kept": lambda d, e: d.update(bound="7"),
    "tables that are none of the domain": lambda d, e: d.update(rows="interval(0, 1)"),
    "the same tables": lambda d, e: e.update(second=e["first"]),
    "no tables": lambda d, e: e.update(first=[], second=[]),
    "lists two edits apart": lambda d, e: (
        d.update(tables="lists"),
        e.update(first=[{"number": "5"}, {"number": "7"}], second=[{"number": "7"}, {"number": "5"}, {"number": "6"}]),
    ),
    "no edit": lambda d, e: d.update(edits="0"),
    "more edits": lambda d, e: d.update(edits="2"),
    "tables two edits apart": lambda d, e: e.update(first=[], second=[{"number": "5"}, {"number": "5"}]),
    "another size": lambda d, e: d.update(size="9", neighbours="change_one"),
    "a word too many": lambda d, e: d.update(step="1"),
}


@pytest.mark.parametrize("change", REFUTED_MISSES)
def test_refutation_that_is_changed_is_refused(change, folder):
    _, content = asked(folder, "own.py:total", **WIDE, claim="6")
    data = content["steps"][0]["data"]
    evidence = json.loads(data["evidence"])
    REFUTED_MISSES[change](data, evidence)
    data["evidence"] = json.dumps(evidence)
    assert checked(folder, content)["verdict"] == "REJECTED"


def test_proof_about_lists_is_none_about_multisets(folder):
    """The last row moves as far as one row does; where rows stand in another order, that is not so."""
    _, content = asked(folder, "own.py:last", neighbours="change_one", records="0..10", claim="10")
    data = content["steps"][0]["data"]
    assert data["tables"] == "lists"
    assert "hamming(d_in)" in content["conclusion"]
    data["tables"] = "multisets"
    assert checked(folder, content)["verdict"] == "UNKNOWN"  # what is left to prove is not so
    content["conclusion"] = content["conclusion"].replace("hamming(d_in)", "change_one(d_in)")
    assert checked(folder, content)["verdict"] == "UNKNOWN"
    data["tables"] = "lists"
    assert checked(folder, content)["verdict"] == "REJECTED"


def test_conclusion_that_says_more_is_refused(folder):
    _, content = asked(folder, "own.py:total", **WIDE, claim="7")
    wider = content["conclusion"].replace("interval(0, 10)", "reals()")
    assert checked(folder, {**content, "conclusion": wider})["verdict"] == "REJECTED"
    other = {key: text.replace("cap=7", "cap=3") for key, text in content["sources"].items()}
    assert checked(folder, {**content, "sources": other})["verdict"] == "REJECTED"
    step = {**content["steps"][0], "rule": "query_moves_too_far"}
    assert checked(folder, {**content, "steps": [step]})["verdict"] == "REJECTED"


@pytest.mark.parametrize(
    ("records", "told", "wider"),
    [("0..", "above(reals(), 0)", "reals()"), ("integers 0..", "above(grid(1), 0)", "grid(1)"),
     ("integers 0..", "above(grid(1), 0)", "above(reals(), 0)"), ("0..", "above(reals(), 0)", "above(reals(), -8)")],
)  # fmt: skip
def test_a_proof_about_rows_with_one_bound_is_none_about_more_rows(records, told, wider, folder):
    """Of rows that may be far below 0 the sum moves by more than 7, and half a row by half as much."""
    _, content = asked(folder, "own.py:total", neighbours="add_remove", records=records, claim="7")
    assert checked(folder, content)["verdict"] == "PROVED"
    text = json.dumps(content)
    assert told in text
    forged = json.loads(text.replace(told, wider))
    judged = checked(folder, forged)
    if wider == "above(reals(), 0)":  # true, and proved anew
        assert judged["verdict"] in ("PROVED", "UNKNOWN", "REJECTED")
    else:
        assert judged["verdict"] in ("UNKNOWN", "REJECTED")
    turned = json.loads(text.replace("above(", "below("))
    assert checked(folder, turned)["verdict"] in ("UNKNOWN", "REJECTED")
