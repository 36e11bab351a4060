"""What `refdp sensitivity --arithmetic` finds is a certificate of the kernel's.

It is about a query wherever a rule says that, else about a question of the engine's.  The format of before is read as
such, with the same verdict and all that is assumed.
"""

import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import refdp
from refdp.commands.check import replayed_file
from tests.sensitivities.machine.earlier import earlier

KERNELS = "refdp-certificate/2"
SOURCE = """
import math

import numpy as np


def total(rows, cap=0.5):
    return sum(min(r, cap) for r in rows)


def loop(rows):
    t = 0.0
    for r in rows:
        t += r
    return t


def exactly(rows):
    return math.fsum(rows)


def numpys(rows):
    return np.sum(np.array(rows))


def summed(rows):
    return sum(rows)


def mean(rows):
    return sum(rows) / len(rows)


def guarded(rows):
    if not rows:
        return 0.0
    return sum(rows) / len(rows)


def pay(people):
    return sum(p["pay"] for p in people if p["sex"] == "f")


def both(rows):
    return {"few": sum(rows), "more": 2 * sum(rows)}


def first(rows):
    return rows[0]
"""
UNIT = {"bounds": ("0", "1")}
ADD = {**UNIT, "neighbours": "add_remove", "arithmetic": "float64"}
PEOPLE = {"column": {"pay": "integers 0..100", "sex": "f | m"}, "neighbours": "add_remove"}
CHANGE = {**ADD, "neighbours": "change_one"}
WHOLE = {"records": "integers 0..100", "neighbours": "add_remove"}
ASKED = {
    "capped sum": ("total", {**ADD, "claim": "0.500001"}, "PROVED"),
    "cap that is set": ("total", {**ADD, "set": {"cap": "1/4"}, "claim": "0.250001"}, "PROVED"),
    "least bound": ("exactly", {**ADD, "rows_at_most": 3}, "PROVED"),
    "too small a bound": ("loop", {**ADD, "claim": "1"}, "REFUTED"),
    "multisets": ("loop", {**ADD, "claim": "1.00001", "tables": "multisets"}, "PROVED"),
    "two edits": ("loop", {**CHANGE, "claim": "2.00001", "edits": 2}, "PROVED"),
    "fsum": ("exactly", {**ADD, "claim": "1.00001"}, "PROVED"),
    "kahan": ("summed", {**ADD, "claim": "1.00001", "sum": "kahan"}, "PROVED"),
    "pairwise": ("summed", {**ADD, "claim": "1.00001", "sum": "pairwise:8"}, "PROVED"),
    "float32": ("loop", {**ADD, "claim": "1.001", "arithmetic": "float32"}, "PROVED"),
    "float32, less": ("loop", {**ADD, "claim": "1", "arithmetic": "float32"}, "REFUTED"),
    "numpy": ("summed", {**ADD, "claim": "1.001", "arithmetic": "float32", "sum": "numpy"}, "PROVED"),
    "mean": ("mean", {**CHANGE, "claim": "1.00001"}, "PROVED"),
    "mean of five": ("mean", {**CHANGE, "claim": "0.2000001", "rows_at_least": 5}, "PROVED"),
    "guarded mean": ("guarded", {**ADD, "claim": "0.5000001", "rows_at_least": 1}, "PROVED"),
    "mean of a public number": ("mean", {**CHANGE, "claim": "1.1", "assume": "n == 5"}, "PROVED"),
    "int16": ("pay", {**PEOPLE, "claim": "100", "arithmetic": "int16"}, "PROVED"),
    "int8": ("pay", {**PEOPLE, "claim": "100", "arithmetic": "int8"}, "REFUTED"),
    "saturating": ("summed", {**WHOLE, "claim": "100", "arithmetic": "int8_saturating"}, "PROVED"),
    "several answers": ("both", {**ADD, "claim": "2"}, "REFUTED"),
    "raises": ("first", {**ADD, "claim": "1"}, "REFUTED"),
    "specials": ("loop", {**ADD, "claim": "5", "specials": True}, "REFUTED"),
}
"""Function, question and verdict."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("machines")
    (made / "own.py").write_text(SOURCE, encoding="utf-8")
    return made


def asked(folder, function, **words):
    usual = {"rows_at_most": 100, "timeout": 10, "certificates": folder / "c", "sum": "naive"}
    found = refdp.sensitivity(f"{folder / 'own.py'}:{function}", **(usual | words))
    assert found["certificate"], found
    return found, json.loads(Path(found["certificate"]).read_text(encoding="utf-8"))


def checked(folder, content, solver=None):
    (folder / "one.json").write_text(json.dumps(content, indent=1), encoding="utf-8")
    found = replayed_file(folder / "one.json", solver, None, 60.0)
    assert "internal_error" not in found
    return {key: value for key, value in found.items() if key != "seconds"}


@pytest.mark.parametrize("name", ASKED)
def test_verdict_is_a_theorem_and_the_format_of_before_shows_the_same(name, folder):
    function, words, verdict = ASKED[name]
    found, content = asked(folder, function, **words)
    assert (found["verdict"], content["format"], content["claim"]) == (verdict, KERNELS, "")
    again = checked(folder, content)
    assert (again["verdict"], again["trusts"]) == (verdict, found["trusts"])
    assert again["conclusion"] == content["conclusion"]
    assert again["conclusion"].startswith("stable(" if verdict == "PROVED" else "refuted(stable(")
    assert again["rules"] == ["machine_stays_near" if verdict == "PROVED" else "machine_moves_too_far"]
    assert checked(folder, earlier(content)) == again


@pytest.mark.parametrize("name", ASKED)
def test_all_that_is_assumed_is_said(name, folder):
    function, words, _ = ASKED[name]
    found, content = asked(folder, function, **words)
    (said,) = checked(folder, content)["said"]
    size = 5 if "assume" in words else None
    most = size or words.get("rows_at_most", 100)
    least = size or max(words.get("rows_at_least", 0), 1 if function in ("mean", "guarded") else 0)
    for part in (
        f"{words.get('edits', 1)} x {words['neighbours']}, {words.get('tables', 'lists')}, L1, ",
        f"{words['arithmetic']}, sum: {words.get('sum', 'naive')}, {least} <= n <= {most}; records: ",
        found["records"],
        *(f"{key} = {text}" for key, text in found["parameters"].items()),
        "floats may be NaN, infinite or -0.0" if "specials" in words else "",
        "; text sha256 ",
    ):
        assert part in said


@pytest.mark.parametrize("solver", ["z3", "cvc5", "both"])
def test_solver_that_is_asked_is_named(solver, folder):
    _, content = asked(folder, "loop", **ADD, claim="1.00001")
    trusts = " ".join(checked(folder, content, solver)["trusts"])
    assert [name in trusts for name in ("z3", "cvc5")] == [solver != "cvc5", solver != "z3"]


def test_sum_of_python_is_written_as_what_it_is_in_this_version(folder):
    """So that it is replayed by every version; in the format of before, the version is read."""
    version = "python3.12" if sys.version_info >= (3, 12) else "python3.11"
    _, content = asked(folder, "summed", **ADD, claim="1.00001", sum="python")
    assert f"'{version}'" in content["conclusion"]
    then = earlier(content)
    then["machine"]["sum"] = then["evidence"]["order"] = "python"
    assert checked(folder, then)["conclusion"] == content["conclusion"]
    for written, order in (("before 3.12", "python3.11"), ("3.12 or later", "python3.12")):
        _, other = asked(folder, "summed", **ADD, claim="1.00001", sum=order)
        then = earlier(other)
        then["machine"] |= {"sum": "python", "python": written}
        then["evidence"]["order"] = "python"
        assert checked(folder, then)["conclusion"] == other["conclusion"]
    then["machine"]["python"] = "4"
    assert checked(folder, then)["verdict"] == "REJECTED"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("loop", {**ADD, "claim": "-1"}),
        ("loop", {**ADD, "claim": "1.1", "assume": "n >= 5"}),
        ("summed", {**ADD, "claim": "1.1", "assume": "n == 5"}),
        ("mean", {**WHOLE, "neighbours": "change_one", "claim": "101", "arithmetic": "float32"}),
        ("first", {"records": "true | false", "neighbours": "add_remove", "claim": "1/4", "arithmetic": "float64"}),
    ],
    ids=str,
)
def test_what_no_rule_about_queries_says_is_a_question(function, words, folder):
    """Bounds below 0, assumptions, quotients of ints in float32, rows that no domain has."""
    found, content = asked(folder, function, **words)
    again = checked(folder, content)
    assert (again["verdict"], again["trusts"]) == (found["verdict"], found["trusts"])
    assert again["rules"] == ["engine_proves" if found["verdict"] == "PROVED" else "engine_refutes"]
    [said] = again["said"]
    assert said.startswith(f"{function} moves by at most {Fraction(words['claim'])} (")
    assert f"{words['arithmetic']}, sum: {words.get('sum', 'naive')}, " in said
    assert ("; assumed: " in said) == ("assume" in words)
    assert checked(folder, earlier(content)) == again


PROOF_MISSES = {
    "a smaller bound": lambda d, e: d.update(bound="1"),
    "a smaller bound in both": lambda d, e: (d.update(bound="1"), e.update(bound="1")),
    "wider rows": lambda d, e: d.update(rows="interval(0, 2)"),
    "no bounds": lambda d, e: d.update(rows="reals()"),
    "whole rows": lambda d, e: d.update(rows="bounded(1, 0, 1)"),
    "other neighbours": lambda d, e: d.update(neighbours="change_one", rows="interval(-1, 1)"),
    "more edits": lambda d, e: d.update(edits="2"),
    "many more rows": lambda d, e: d.update(most="1000000000"),
    "float32": lambda d, e: d.update(arithmetic="float32"),
    "int64": lambda d, e: d.update(arithmetic="int64"),
    "another function": lambda d, e: d.update(function="total"),
    "another order": lambda d, e: e.update(order="fsum"),
    "no lemmas": lambda d, e: e.update(lemmas=[]),
    "one lemma": lambda d, e: e.update(lemmas=e["lemmas"][:1]),
    "nothing": lambda d, e: e.clear(),
    "specials": lambda d, e: d.update(numbers="special"),
    "the word of nobody": lambda d, e: d.update(by=[]),
    "the word of a stranger": lambda d, e: d.update(by=["me", "z3"]),
    "nobody for the floats": lambda d, e: d.update(by=[one for one in d["by"] if not one.startswith("IEEE")]),
}


@pytest.mark.parametrize("change", PROOF_MISSES)
def test_proof_that_is_changed_is_refused(change, folder):
    _, content = asked(folder, "loop", **ADD, claim="1.00001")
    data = content["steps"][0]["data"]
    evidence = json.loads(data["evidence"])
    PROOF_MISSES[change](data, evidence)
    data["evidence"] = json.dumps(evidence)
    assert checked(folder, content)["verdict"] == "REJECTED"


PAIR_MISSES = {
    "a bound that is kept": lambda d, e: d.update(bound="2"),
    "rows that are none of the domain": lambda d, e: d.update(rows="interval(0, 1/4)"),
    "the same tables": lambda d, e: e.update(second=e["first"]),
    "no tables": lambda d, e: e.update(first=[], second=[]),
    "tables two edits apart": lambda d, e: e.update(first=[], second=[[{"number": "1"}, "2"]]),
    "too many rows": lambda d, e: d.update(most="1"),
    "too few rows": lambda d, e: d.update(least="50"),
    "float32": lambda d, e: d.update(arithmetic="float32"),
    "changed rows": lambda d, e: d.update(neighbours="change_one"),
    "a word too many": lambda d, e: d.update(by=["me"]),
    "another sum": lambda d, e: d.update(sum="python"),
}


@pytest.mark.parametrize("change", PAIR_MISSES)
def test_refutation_that_is_changed_is_refused(change, folder):
    _, content = asked(folder, "loop", **ADD, claim="1")
    data = content["steps"][0]["data"]
    evidence = json.loads(data["evidence"])
    PAIR_MISSES[change](data, evidence)
    data["evidence"] = json.dumps(evidence)
    assert checked(folder, content)["verdict"] == "REJECTED"


def test_conclusion_that_says_more_is_refused(folder):
    _, content = asked(folder, "loop", **ADD, claim="1.00001")
    for then, now in (("machine('float64')", "reals()"), ("machine('float64')", "grid(1)"), ("0, 100", "0, 1000"),
                      ("'finite'", "'special'"), ("'naive'", "'kahan'"), ("insert_delete", "symmetric")):  # fmt: skip
        assert then in content["conclusion"]
        changed = content["conclusion"].replace(then, now)
        assert checked(folder, {**content, "conclusion": changed})["verdict"] == "REJECTED"
    other = {key: text.replace("t += r", "t += 2 * r") for key, text in content["sources"].items()}
    assert checked(folder, {**content, "sources": other})["verdict"] == "REJECTED"
    for rule in ("machine_moves_too_far", "runs_stay_related", "query_moves_too_far"):
        assert checked(folder, {**content, "steps": [{**content["steps"][0], "rule": rule}]})["verdict"] == "REJECTED"


def test_lemma_that_no_solver_proves_leaves_nothing_proved(folder, monkeypatch):
    from refdp.sensitivities.machine import theorems

    _, content = asked(folder, "loop", **ADD, claim="1.00001")
    monkeypatch.setattr(theorems, "unproved", lambda lemmas, solvers, seconds: "z3 does not prove the lemma")
    found = checked(folder, content)
    assert (found["verdict"], found["trusts"]) == ("UNKNOWN", [])
    assert "z3 does not prove the lemma" in found["reason"]
