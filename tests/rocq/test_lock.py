"""Rules and theorems of the library for Rocq, held together where no prover is at hand: by proofs/rocq/rules.lock."""

import re
import subprocess

import pytest

from refdp.kernel.theorem import RULES
from refdp.rocq import judgements
from refdp.rocq.claims import NOTHING
from refdp.rocq.terms import NotInRocq, real
from refdp.terms.reading import read
from refdp.terms.term import Term
from scripts import rocq

LIBRARY = sorted(rocq.LIBRARY.glob("*.v"))
LOCKED = rocq.LOCK.read_text(encoding="utf-8").splitlines()
KINDS = {"theorems", "evidence", "instances", "missing"}


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
    assert [" ".join(line.split()[:4]) for line in locked("claim")] == made


def test_the_lock_names_no_axiom_beyond_those_of_the_reals():
    names = {name for line in locked("axioms") for name in line.split()[2:]}
    assert {"ClassicalDedekindReals.sig_forall_dec", "Classical_Prop.classic"} < names
    assert sorted(name for name in names if not rocq.ALLOWED.fullmatch(name)) == []


def test_the_lock_says_of_each_theorem_of_a_claim_what_it_may_rest_on():
    proved = [line.split() for line in (*locked("claim"), *locked("general")) if line.split()[2] != NOTHING]
    assert {words[-1] for words in proved} <= {line.split()[1] for line in locked("axioms")}
    assert {len(words) for words in proved} == {5}


def test_definitions_and_statements_are_as_they_were_checked():
    assert locked("module") == list(rocq.module_lines())


def test_enough_claims_are_whole():
    statuses = [line.split()[2] for line in locked("claim")]
    assert statuses.count("whole") >= 300


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.name)
def test_nothing_in_the_library_is_assumed(path):
    assert rocq.forbidden(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        "Axiom none : False.",
        "Local Axiom none : False.",
        "#[local] Axiom none : False.",
        "Parameter some : nat.",
        "Conjecture none : False.",
        "Hypothesis none : False.",
        "Section s.\nEnd s.\nVariable none : False.",
        "Theorem none : False.\nProof. Admitted.",
        "Theorem none : False.\nProof. admit. Qed.",
        "Unset Guard Checking.",
        "#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.",
        "Set Universe Checking.",
        'Declare ML Module "x".',
    ],
)
def test_what_assumes_something_is_found(text):
    assert rocq.forbidden("Definition one := 1.\n" + text + "\n") != []


def test_examples_that_assume_nothing_are_found(tmp_path):
    text = (
        "Example one : 1 < 2.\nExample two : private (fun a b => a -> b) M (pure 1).\n"
        "Example three : ~ forall x, 0 < x.\n"
        "Example four x : 0 < x -> 0 <= x.\nExample five : forall x, 0 < x -> 0 <= x.\n"
        "Example six (p : 0 < 1) : 0 < 2.\n"
        "Example seven(p : 0 < 1) : 0 < 2.\nExample eight {X : Type} : 0 < 2.\nExample nine : 0 < 1 -> 0 < 2.\n"
        "Example ten : (0 < 1 -> 0 < 2).\nExample eleven := 1.\nTheorem twelve : 1 < 2.\n"
        "Section s.\n  Variable x : R.\n  Hypothesis h : 0 < x.\n  Example last : 0 <= x.\nEnd s.\n"
    )
    (tmp_path / "Some.v").write_text(text, encoding="utf-8")
    assert list(rocq.closed_examples(tmp_path)) == ["Some.one", "Some.two", "Some.three"]


def test_examples_are_those_that_apply_every_theorem_of_a_rule():
    """What they rest on, the prover said when it wrote the lock."""
    assert locked("applied") == [f"applied {len(list(rocq.closed_examples()))}"]


def test_a_theorem_that_no_example_applies_is_told(monkeypatch):
    theorems = {name for one in rocq.table().values() for name in one.get("theorems", ())}
    monkeypatch.setattr(rocq, "applied_theorems", lambda: theorems)
    assert rocq.applied() == f"applied {len(list(rocq.closed_examples()))}"
    monkeypatch.setattr(rocq, "applied_theorems", lambda: theorems - {"Privacy.weaken_pure"})
    with pytest.raises(rocq.Refused, match=r"no example applies Privacy.weaken_pure$"):
        rocq.applied()


def test_what_a_section_assumes_is_let_be():
    text = (
        "Section s.\n  Variable x : nat.\n  Hypothesis h : x = x.\n  Lemma l : x = x.\n  Proof. exact h. Qed.\nEnd s.\n"
    )
    assert rocq.forbidden(text) == []


SOURCES = {
    "refdp.kernel.one": "from refdp.kernel import two\nfrom refdp.kernel.two import helped as h\nLIMIT = 3\n"
    "def sums(a):\n    return h(a) + two.more(LIMIT)\n\ndef no():\n    pass\n",
    "refdp.kernel.two": "def helped(a):\n    return 2 * a\n\ndef more(a):\n    return a\n\n"
    "def other():\n    return 1\n",
}


def digest(module="", before="", after=""):
    changed = SOURCES | ({module: SOURCES[module].replace(before, after)} if module else {})
    assert not module or changed[module] != SOURCES[module]
    return rocq.digest_of("refdp.kernel.one", "sums", lambda name: rocq.read_module(changed.get(name, "")))


@pytest.mark.parametrize(
    ("module", "before", "after"),
    [
        ("refdp.kernel.one", "+ two", "- two"),
        ("refdp.kernel.one", "LIMIT = 3", "LIMIT = 4"),
        ("refdp.kernel.two", "2 * a", "3 * a"),
        ("refdp.kernel.two", "return a\n", "return -a\n"),
    ],
)
def test_a_changed_rule_or_what_it_calls_has_another_digest(module, before, after):
    assert digest(module, before, after) != digest()


@pytest.mark.parametrize(
    ("module", "before", "after"),
    [
        ("refdp.kernel.one", "return h(a) + two.more(LIMIT)", "return (h(a)\n            + two.more(LIMIT))  # why"),
        ("refdp.kernel.one", "pass", "return 3"),
        ("refdp.kernel.two", "return 1", "return 2"),
        ("refdp.kernel.two", "def helped(a):\n", 'def helped(a):\n    """What it does."""\n'),
    ],
)
def test_layout_and_what_a_rule_does_not_call_leave_its_digest(module, before, after):
    assert digest(module, before, after) == digest()


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


def test_a_changed_sum_is_another_text():
    whole = list(rocq.exported(["clipping.automatic_comes_close", "traps.halves_by_rank"]))
    changed = list(rocq.changed_sums(whole))
    assert len(changed) == 1
    assert changed[0] != whole[0]["text"]


@pytest.mark.once
def test_every_near_miss_changes_what_a_whole_claim_says():
    files = [*rocq.exported([claim for claim, _, _ in rocq.NEAR_MISSES]), *rocq.exported_general()]
    texts = {one["claim"]: one["text"] for one in files}
    changed = list(rocq.near_misses(files))
    assert len(changed) == len(rocq.NEAR_MISSES) >= 41
    assert all(texts[claim] != text for (claim, _, _), text in zip(rocq.NEAR_MISSES, changed, strict=True))
    with pytest.raises(LookupError, match="must be one of a claim that is proved"):
        list(rocq.near_misses(files[:1]))


def test_axioms_are_read_also_where_their_types_stand_below():
    said = "Axioms:\nshort : nat\nLong.name\n  : forall n : nat,\n    n = n\nlast : bool\n"
    three = {"short", "Long.name", "last"}
    assert rocq.axioms_in(said) == [three]
    assert rocq.axioms_in(f"{said}{rocq.NO_AXIOMS}\n{said}") == [three, set(), three]
    assert rocq.axioms_in("") == []
    for silent in ("Error: nothing", "Long.name\n", f"{rocq.NO_AXIOMS}\nLong.name\n"):
        with pytest.raises(RuntimeError, match="did not say"):
            rocq.axioms_in(silent)


@pytest.mark.parametrize("said", ["", f"{rocq.NO_AXIOMS}\n" * 3])
def test_a_prover_that_does_not_answer_each_question_is_not_believed(said, monkeypatch, tmp_path):
    monkeypatch.setattr(rocq, "BUILD", tmp_path)
    monkeypatch.setattr(rocq, "compiled", lambda path, longest: subprocess.CompletedProcess([], 0, said, ""))
    with pytest.raises(RuntimeError, match="asked 2 times"):
        rocq.printed_axioms("some", [], ["one"], ["two"])


def prover(says, monkeypatch, tmp_path):
    """A prover that says what each theorem rests on, by its name, and the files that it was asked for."""
    texts = []

    def compiled(path, longest):
        texts.append(path.read_text(encoding="utf-8"))
        asked = re.findall(r"Definition all_of_\d+ := (.*)\.", texts[-1])
        named = [re.findall(r"@[\w.]*\b(\w+)", one) for one in asked]
        axioms = [{axiom for theorem in one for axiom in says[theorem]} for one in named]
        return subprocess.CompletedProcess([], 0, "\n".join("\n".join(("Axioms:", *one)) for one in axioms), "")

    monkeypatch.setattr(rocq, "BUILD", tmp_path)
    monkeypatch.setattr(rocq, "compiled", compiled)
    return texts


FILES = [{"claim": f"claim_{name}", "names": [name], "body": [], "modules": []} for name in "abc"]
LITTLE, MUCH = frozenset({"reals"}), frozenset({"reals", "classic"})


def test_axioms_that_are_not_known_are_asked_for_of_claims_that_are_alike(monkeypatch, tmp_path):
    texts = prover({"a": LITTLE, "b": MUCH, "c": LITTLE}, monkeypatch, tmp_path)
    files = [*FILES[:1], *({**one, "modules": ["Noise"]} for one in FILES[1:])]
    rest, refused = rocq.checked_claims(files, {})
    assert rest == {"claim_a": LITTLE, "claim_b": MUCH, "claim_c": MUCH}
    assert refused == []
    assert [text.count("Print Assumptions") for text in texts] == [0, 0, 1, 1]


def test_a_claim_that_rests_on_more_than_the_lock_says_is_found(monkeypatch, tmp_path):
    known = {"claim_a": LITTLE, "claim_b": LITTLE, "claim_c": MUCH}
    texts = prover({"a": LITTLE, "b": LITTLE, "c": MUCH}, monkeypatch, tmp_path)
    assert rocq.checked_claims(FILES, known)[0] == known
    assert [text.count("Print Assumptions") for text in texts] == [0, 0, 1, 1]
    prover({"a": LITTLE, "b": MUCH, "c": MUCH}, monkeypatch, tmp_path)
    assert rocq.checked_claims(FILES, known)[0] == {**known, "claim_b": MUCH}


@pytest.mark.parametrize("stage", ["Print Assumptions", "Module claim_0."])
def test_one_claim_that_the_prover_refuses_costs_no_other(stage, monkeypatch, tmp_path):
    """Also where its file is accepted, and what its theorem rests on is not said."""
    prover({"a": LITTLE, "b": LITTLE, "c": LITTLE}, monkeypatch, tmp_path)
    accepting = rocq.compiled

    def compiled(path, longest):
        text = path.read_text(encoding="utf-8")
        wrong = stage in text and re.search(r"\bb\b", text)
        return subprocess.CompletedProcess([], 1, "", "Error: no") if wrong else accepting(path, longest)

    monkeypatch.setattr(rocq, "compiled", compiled)
    rest, refused = rocq.checked_claims([{**one, "body": one["names"]} for one in FILES], {})
    assert rest == {"claim_a": LITTLE, "claim_c": LITTLE}
    assert len(refused) == 1
    assert refused[0].startswith("claim_b: ")


def test_modules_are_compiled_after_those_that_they_need(monkeypatch, tmp_path):
    """Also where one is refused, which is told of."""
    order = []

    def compiled(path):
        order.append(path.stem)
        return subprocess.CompletedProcess([], int(path.stem == "Privacy"), "", "Error: no")

    monkeypatch.setattr(rocq, "BUILD", tmp_path / "build")
    monkeypatch.setattr(rocq, "compiled", compiled)
    assert rocq.compile_library() == ["Privacy.v: Error: no"]
    assert sorted(order) == sorted(path.stem for path in LIBRARY)
    for path in LIBRARY:
        needed = rocq.required(path.read_text(encoding="utf-8"))
        assert all(order.index(one) < order.index(path.stem) for one in needed)


def test_the_lock_says_what_each_claim_may_rest_on():
    lines = ["claim x.one whole 01", "claim x.two nothing 02", "general x.all whole 03"]
    rest = {"x.one": MUCH, "x.all": LITTLE}
    text = rocq.lock_text("8.16.1", LITTLE, "applied 3", lines, rest)
    assert rocq.known_axioms(text, lines) == rest
    assert rocq.known_axioms(text, ["claim x.one whole 04", "claim x.one premises 01", "claim x.three whole 01"]) == {}
    assert rocq.known_axioms("", lines) == {}


def test_what_must_be_refused_is_not_taken_for_refused(monkeypatch, tmp_path):
    """Files that are accepted, that end without an error of the prover, or that are not there, are no refusals."""
    monkeypatch.setattr(rocq, "BUILD", tmp_path)
    for code, error, count in ((0, "", 2), (1, "too late", 2), (1, "Error: no", 3)):
        done = rocq.subprocess.CompletedProcess([], code, "", error)
        monkeypatch.setattr(rocq, "compiled", lambda _, done=done: done)
        with pytest.raises(rocq.Refused):
            rocq.all_refused("near miss", ["a", "b"], count)
    assert rocq.all_refused("near miss", ["a", "b"], 2) == "near miss: 2 of 2 refused"


@pytest.mark.parametrize("check", [rocq.decided_alike, rocq.answered_alike])
def test_instances_that_are_refused_stop_the_run(check, monkeypatch, tmp_path):
    monkeypatch.setattr(rocq, "BUILD", tmp_path)
    for code in (0, 1):
        done = subprocess.CompletedProcess([], code, "", "Error: no")
        monkeypatch.setattr(rocq, "compiled", lambda _, done=done: done)
        if code:
            with pytest.raises(rocq.Refused, match=r"refdp and the library .*: Error: no$"):
                check()
        else:
            assert "alike" in check()


def test_names_that_statements_bind_are_no_names_of_claims():
    claim = read("private(discrete_laplace(total, 1), grid(1), absolute(1), pure(1 / total), 0 < total)")
    with pytest.raises(NotInRocq, match="total is bound in statements"):
        judgements.conditions(claim, claim.arguments[4:])


def test_an_opposite_is_no_negative_number():
    assert real(Term("negate", (read("1"),))) == "- (1)"
    assert real(read("-1")) == "(- 1)"


def test_a_second_run_in_the_same_folder_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(rocq, "BUILD", tmp_path / "build" / "rocq")
    with rocq.alone(), pytest.raises(rocq.Refused, match="another run is checking this folder"), rocq.alone():
        raise AssertionError("two runs at once")
    with rocq.alone():
        pass
