"""Rules and theorems of the library for Rocq, held together where no prover is at hand: by proofs/rocq/rules.lock."""

import re

import pytest

from refdp.kernel.theorem import RULES
from scripts import rocq

LIBRARY = sorted(rocq.LIBRARY.glob("*.v"))
LOCKED = rocq.LOCK.read_text(encoding="utf-8").splitlines()
KINDS = {"theorems", "evidence", "instances", "missing"}
AXIOMS = re.compile(
    r"ClassicalDedekindReals\.sig_(forall_dec|not_dec)|FunctionalExtensionality\.functional_extensionality_dep"
    r"|Classical_Prop\.classic|(Prim(Int63|Float)|Uint63|FloatAxioms|PrimFloat|Int63)[\w.]*"
)
"""What theorems may rest on: the real numbers, extensionality, excluded middle, and the machine's own arithmetic."""


def locked(word):
    return [line for line in LOCKED if line.startswith(f"{word} ")]


def test_every_rule_has_theorems_or_says_what_it_rests_on():
    table = rocq.table()
    assert set(table) == set(RULES)
    assert all(len(KINDS & set(told)) == 1 and set(told) <= KINDS | {"lacks"} for told in table.values())
    assert all(told["theorems"] for told in table.values() if "theorems" in told)


def test_rules_and_their_theorems_are_as_they_were_checked():
    assert locked("rule") == list(rocq.rule_lines())


@pytest.mark.once
def test_claims_are_exported_as_they_were_checked():
    made = [rocq.claim_line(one) for one in rocq.exported()]
    assert len(made) > 800
    assert locked("claim") == made


def test_the_lock_names_no_axiom_beyond_those_of_the_reals():
    names = [line.split()[1] for line in locked("axiom")]
    assert names
    assert [name for name in names if not AXIOMS.fullmatch(name)] == []


def test_enough_claims_are_whole():
    statuses = [line.split()[2] for line in locked("claim")]
    assert statuses.count("whole") >= 300


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.name)
def test_nothing_in_the_library_is_assumed(path):
    for sentence in rocq.sentences(path.read_text(encoding="utf-8")):
        assert not re.match(r"(Axioms?|Parameters?|Conjecture|Admitted|Admit Obligations)\b", sentence), sentence
        assert not re.search(r"\badmit\b|\bgive_up\b", sentence), sentence


def test_a_changed_rule_has_another_digest():
    source = "def sums(a):\n    return helped(a) + 1\n\n\ndef helped(a):\n    return 2 * a\n\n\ndef no():\n    pass\n"
    first = rocq.digest_of(source, "sums")
    assert first == rocq.digest_of(source.replace("return helped(a) + 1", "return (helped(a) + 1)  # why"), "sums")
    assert first == rocq.digest_of(source.replace("pass", "return 3"), "sums")
    assert first != rocq.digest_of(source.replace("+ 1", "- 1"), "sums")
    assert first != rocq.digest_of(source.replace("2 * a", "3 * a"), "sums")


def test_a_statement_is_read_with_what_its_section_assumes(tmp_path):
    text = (
        "(* a comment. (* one inside. *) Theorem none : False. *)\nSection one.\n  Variable x : R.\n"
        "  Hypothesis positive : 0 < x.\n  Theorem here : x <> 0.\n  Proof. lra. Qed.\nEnd one.\n"
        "Theorem there : 1 < 2.\nProof. lra. Qed.\n"
    )
    (tmp_path / "Some.v").write_text(text, encoding="utf-8")
    assert rocq.statements("Some", tmp_path) == {
        "here": "Variable x : R. Hypothesis positive : 0 < x. Theorem here : x <> 0",
        "there": "Theorem there : 1 < 2",
    }


def test_the_page_has_the_table_of_rules():
    text = rocq.PAGE.read_text(encoding="utf-8")
    assert rocq.page_with(text) == text
    assert text.count("\n| `") >= len(RULES)


def test_modules_stand_before_those_that_need_them():
    groups = rocq.in_order()
    place = {name: index for index, group in enumerate(groups) for name in group}
    assert set(place) == {path.stem for path in LIBRARY}
    for path in LIBRARY:
        needed = rocq.required(path.read_text(encoding="utf-8"))
        assert all(place[one] < place[path.stem] for one in needed)


def test_twins_are_pairs_that_refdp_decides_either_way():
    text = rocq.twins(200, seed=3)
    assert text.count("= true.") > 50
    assert text.count("= false.") > 20


def test_a_changed_sum_is_another_text():
    whole = list(rocq.exported(["clipping.automatic_comes_close", "traps.halves_by_rank"]))
    changed = list(rocq.changed_sums(whole))
    assert len(changed) == 1
    assert changed[0] != whole[0]["text"]
