"""Claims about all mechanisms: PROVED by the theorem that the lock says Rocq has checked, and by nothing else."""

import re
import shutil
from dataclasses import replace

import pytest

import refdp.mechanisms
import refdp.transformations  # noqa: F401  (importing them registers what claims are about)
from refdp import claims
from refdp.claims import general
from refdp.commands.export import export
from refdp.commands.verify import is_open, verify
from refdp.general import WRITTEN_PROOF, read_general
from refdp.kernel.theorem import RULES
from refdp.rocq import lock
from refdp.rocq.claims import HEAD, NOTHING, WHOLE
from refdp.rocq.general import PROOFS, general_file, general_line
from refdp.rocq.library import LIBRARY
from refdp.rocq.lock import LOCK, STATED, standing
from refdp.terms.term import TermError
from scripts import rocq
from tests.test_general import MUTANTS

GENERAL = {c.identifier: c for c in general()}
LINES = LOCK.read_text(encoding="utf-8").splitlines()
ONE = "private(M, table(rows), symmetric(1), pure(a))"
TWO = "private(N, table(rows), symmetric(1), pure(b))"


def file_of(claim):
    return general_file(read_general(claim.formal), claim.proof, claim.identifier, claim.sentence)


def stated(text):
    """The statement of the theorem at the end of a file."""
    return re.search(r"\nTheorem for_all_mechanisms :(.*?)\nProof\.", text, re.DOTALL)[1]


def locked_at(tmp_path, lines):
    path = tmp_path / "rules.lock"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_lock_is_the_one_beside_the_library():
    assert LOCK.resolve() == rocq.LOCK
    assert [line.rpartition(" ")[0] for line in LINES if line.startswith("general ")] == list(
        rocq.general_lines(list(rocq.exported_general()))
    )


@pytest.mark.parametrize("identifier", GENERAL)
def test_each_is_whole_locked_and_proved(identifier):
    one = GENERAL[identifier]
    found = file_of(one)
    assert (found["status"], found["missing"], found["premises"]) == (WHOLE, {}, [])
    assert found["text"].count("Theorem ") == 1
    assert sum(line.startswith(f"{general_line(found)} set_") for line in LINES) == 1
    (prover,) = (line.removeprefix("prover ") for line in LINES if line.startswith("prover "))
    told = standing(one)
    assert (told.verdict, told.trusts) == ("PROVED", (f"Rocq {prover}, by proofs/rocq/rules.lock", STATED))


@pytest.mark.parametrize("identifier", GENERAL)
def test_mechanisms_and_outcomes_are_variables_and_every_name_is_quantified(identifier):
    claim = GENERAL[identifier]
    text = stated(file_of(claim)["text"])
    head, _, body = text.partition(",\n")
    for m, space in zip(read_general(claim.formal).mechanisms, "OP", strict=False):
        assert re.search(rf"\({m} : mechanism \(Tables\.table [\w.]+\) {space}\)", head)
        assert f") {m} (" in body or f") {m} (" in text
    assert re.search(r"\(O( P)? : space\)", head)
    assert "plain" not in text
    assert "discrete" not in text
    assert text.count("private") == 1 + len(read_general(claim.formal).given)


@pytest.mark.parametrize(("identifier", "before", "after"), MUTANTS)
def test_what_says_another_thing_is_never_proved(identifier, before, after, monkeypatch):
    """Not by its rule, nor by the lock: its theorem has another digest, or none can be written."""
    one = GENERAL[identifier]
    mutant = replace(one, formal=one.formal.replace(before, after))
    assert mutant.formal != one.formal
    try:
        assert standing(mutant).verdict == "UNKNOWN"
    except TermError:
        return
    if after == "user_function('g')":
        assert general_line(file_of(mutant)) == general_line(file_of(one)), "the theorem is about any function"
        return
    monkeypatch.setattr(lock, "is_said", lambda _: True)
    told = standing(mutant)
    assert told.verdict == "UNKNOWN"
    assert "Rocq has not checked this theorem" in told.reason or "not stated for Rocq" in told.reason
    assert told.trusts == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda line: line[:-1] + "0",
        lambda line: line.rpartition(" ")[0],
        lambda line: re.sub(r"(\w)( set_\d+)$", lambda at: ("0" if at[1] != "0" else "1") + at[2], line),
        lambda line: line.replace(" whole ", " nothing "),
        lambda line: line.replace("group_pure", "group_concentrated"),
        lambda _: "",
        lambda line: f"# {line}",
        lambda line: f"claim{line.removeprefix('general')}",
        lambda line: f"{line}\n{line[:-1]}x",
    ],
)
def test_a_changed_line_of_the_lock_proves_nothing(change, tmp_path):
    lines = [change(line) if line.startswith("general every_mechanism.group_pure ") else line for line in LINES]
    assert lines != LINES
    told = standing(GENERAL["every_mechanism.group_pure"], locked_at(tmp_path, lines))
    assert told.verdict == "UNKNOWN"
    assert told.reason == "rule group, written proof; Rocq has not checked this theorem, by proofs/rocq/rules.lock"
    assert not told.unanswered


@pytest.mark.parametrize("provers", [[], ["prover "], ["prover 8.16.1", "prover 8.17.0"], ["prover 8 or \x1b[31mnone"]])
def test_a_lock_that_does_not_name_one_prover_proves_nothing(provers, tmp_path):
    lines = [*provers, *(line for line in LINES if not line.startswith("prover "))]
    assert standing(GENERAL["every_mechanism.group_pure"], locked_at(tmp_path, lines)).verdict == "UNKNOWN"


@pytest.mark.parametrize("opened", ["Open Scope Z_scope.", "Notation pure := (fun _ => True)."])
def test_what_stands_before_a_statement_is_part_of_what_was_checked(opened, monkeypatch):
    """Scopes and notations decide what a statement means."""
    monkeypatch.setattr("refdp.rocq.claims.HEAD", (*HEAD, opened))
    assert standing(GENERAL["every_mechanism.sequential_pure"]).verdict == "UNKNOWN"


@pytest.mark.parametrize("kind", ["folder", "no text", "dangling"])
def test_a_library_that_cannot_be_read_proves_nothing(kind, tmp_path):
    place = tmp_path / "General.v"
    {
        "folder": place.mkdir,
        "no text": lambda: place.write_bytes(b"\xff"),
        "dangling": lambda: place.symlink_to("nowhere"),
    }[kind]()
    told = standing(GENERAL["every_mechanism.group_pure"], None, tmp_path)
    assert (told.verdict, told.unanswered) == ("UNKNOWN", False)
    assert "the library for Rocq is not the one that was checked" in told.reason


def test_a_changed_statement_proves_nothing(monkeypatch):
    """Whatever is written for Rocq otherwise than it was checked."""
    proofs = {**PROOFS, "group": lambda s, data: [*PROOFS["group"](s, data), "idtac."]}
    monkeypatch.setattr("refdp.rocq.general.PROOFS", proofs)
    assert standing(GENERAL["every_mechanism.group_pure"]).verdict == "UNKNOWN"
    assert standing(GENERAL["every_mechanism.sequential_pure"]).verdict == "PROVED"


@pytest.mark.parametrize("content", [None, b"\xff\xfe general"])
def test_without_a_lock_that_can_be_read_a_claim_is_unknown_and_nothing_fails(content, monkeypatch, tmp_path):
    path = tmp_path / "none" / "rules.lock"
    if content is not None:
        path.parent.mkdir()
        path.write_bytes(content)
    monkeypatch.setattr(lock, "LOCK", path)
    found = verify("every_mechanism.*", tmp_path / "certificates")
    assert {c["verdict"] for c in found["claims"]} == {"UNKNOWN"}
    assert all(f", {WRITTEN_PROOF}; proofs/rocq/rules.lock, which says" in c["reason"] for c in found["claims"])
    assert found["surprises"] == 0
    assert all(map(is_open, found["claims"]))


def test_a_lock_that_says_otherwise_is_a_surprise(monkeypatch, tmp_path):
    monkeypatch.setattr(lock, "LOCK", locked_at(tmp_path, ["prover 8.16.1"]))
    found = verify("every_mechanism.group_pure", tmp_path / "certificates")
    assert (found["as_expected"], found["surprises"]) == (0, 1)


NOT_WRITTEN = [
    ("M", ONE, "chain(sort(), M)", "pure(a)", "chain(M)", "the rule chain says of all mechanisms is not written"),
    ("M, N", f"{ONE} and {TWO}", "compose(N, M)", "pure(a + b)", "compose(M, N)", "compose(N, M) is not written"),
    ("O", ONE.replace("M", "O"), "O", "approximate(a, 0)", "pure_to_approximate(O)", "O is bound in statements"),
    ("M", ONE.replace("pure(a)", "pure(tell)"), "M", "approximate(tell, 0)", "pure_to_approximate(M)",
     "tell is bound in statements"),
    ("M", ONE.replace("pure(a)", "pure(a), 0 <= a"), "M", "approximate(a, 0)", "pure_to_approximate(M)",
     "a hypothesis with conditions"),
    ("M", ONE.replace("rows", "category(3)"), "M", "approximate(a, 0)", "pure_to_approximate(M)", "for records"),
]  # fmt: skip


@pytest.mark.parametrize(("variables", "given", "subject", "loss", "proof", "said"), NOT_WRITTEN)
def test_what_has_no_words_is_not_written_at_all(variables, given, subject, loss, proof, said):
    rows = "category(3)" if "category" in given else "rows"
    show = f"private({subject}, table({rows}), symmetric(1), {loss})"
    claim = read_general(f"for all mechanisms {variables}: if {given} then {show}")
    found = general_file(claim, proof, "some.claim", "Some.")
    assert found["status"] == NOTHING
    assert found["body"] == []
    assert any(said in why for why in found["missing"].values())
    assert proof.partition("(")[0] in RULES


def test_a_claim_about_all_mechanisms_is_exported_with_its_verdict(monkeypatch, tmp_path):
    found = export("every_mechanism.sequential_pure", out=tmp_path / "x.v")
    assert (found["verdict"], found["status"], found["theorem"]) == ("PROVED", "whole", "for_all_mechanisms")
    assert "private" in stated((tmp_path / "x.v").read_text(encoding="utf-8"))
    monkeypatch.setattr(lock, "LOCK", tmp_path / "none")
    assert export("every_mechanism.sequential_pure")["verdict"] == "UNKNOWN"


def test_near_misses_are_there_for_every_claim():
    """Each says a little too much; `make rocq` has the prover refuse them."""
    of_all = [miss for miss in rocq.NEAR_MISSES if miss[0] in GENERAL]
    assert {miss[0] for miss in of_all} == set(GENERAL)
    assert claims.general() == tuple(GENERAL.values())


def library_with(tmp_path, name, change):
    """A copy of the library in which one file is another, or is not there."""
    folder = tmp_path / "library"
    shutil.copytree(LIBRARY, folder, ignore=shutil.ignore_patterns("*.vo*", "*.glob"))
    text = change((folder / name).read_text(encoding="utf-8"))
    (folder / name).unlink() if text is None else (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("Privacy.v", lambda text: text.replace("forall x y, near x y -> m (M x) (M y).", "True.", 1)),
        ("Tables.v", lambda text: text.replace("INR (length removed + length added) <= d_in.", "INR 0 <= d_in.", 1)),
        ("Privacy.v", lambda text: None),
        ("Laws.v", lambda text: ""),
    ],
)
def test_a_library_that_says_something_else_proves_nothing(tmp_path, name, change):
    told = standing(GENERAL["every_mechanism.sequential_pure"], folder=library_with(tmp_path, name, change))
    assert (told.verdict, told.trusts) == ("UNKNOWN", ())
    assert "the library for Rocq is not the one that was checked" in told.reason


def test_comments_of_the_library_say_nothing(tmp_path):
    folder = library_with(tmp_path, "Privacy.v", lambda text: f"(* Another comment. *)\n{text}")
    assert standing(GENERAL["every_mechanism.sequential_pure"], folder=folder).verdict == "PROVED"


def test_without_its_library_the_lock_proves_nothing(tmp_path):
    assert standing(GENERAL["every_mechanism.sequential_pure"], folder=tmp_path).verdict == "UNKNOWN"
