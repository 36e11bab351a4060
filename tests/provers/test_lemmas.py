"""A lemma rests on the kernel's own means where there is one, else on both solvers; contradictions stop everything."""

from fractions import Fraction

import pytest

from refdp.kernel.judgements import KernelError
from refdp.provers import lemmas as module
from refdp.provers.answers import Answer, SolverDisagreement
from refdp.provers.lemmas import OPINIONS, NotProved, Unanswered, lemma
from refdp.provers.opinions import agreed, ask
from refdp.provers.oracles import ENCODER
from refdp.provers.processes import WORKERS
from refdp.spec.named_statements import NamedStatements
from tests.kinds import registered
from tests.provers.statements import FALSE, TRUE, statement

STATED = NamedStatements(
    "stated",
    {
        "true": TRUE["laplace loss"],
        "false": FALSE["laplace loss at twice the scale"],
        "closed": statement([], "1/2 + 1/3 == 5/6"),
        "logarithm": statement([], "ln(2) <= 7/10"),
        "wrong": statement([], "1/2 + 1/3 == 1"),
        "irrational": statement(["x**2 == 2", "0 < x"], "x <= 1"),
    },
)
Z3, CVC5 = Answer("proved", frozenset({"z3 1", ENCODER})), Answer("proved", frozenset({"cvc5 2", ENCODER}))
SILENT, DOUBTING = Answer("unknown", reason="timeout"), Answer("unknown", reason="irrational", unconfirmed=True)
REFUTING = Answer("disproved", model={"x": Fraction(1)})


@pytest.fixture(autouse=True)
def stated():
    with registered(STATED):
        yield
    for key, s in STATED.statements.items():
        module._PROVED.pop((f"stated.{key}", s.digest), None)
        OPINIONS.pop(s.digest, None)


def answering(monkeypatch, without_identity=False, **answers):
    """Oracles that answer so; without an identity if told."""
    monkeypatch.setattr(module, "ask", lambda oracle, *_: answers[oracle])
    if without_identity:
        monkeypatch.setattr(module, "identities", lambda *_: None)


def test_lemma_is_an_identity_that_the_kernel_checks_and_z3_is_asked_too():
    theorem = lemma("stated.true")
    assert (theorem.rule, theorem.trusts) == ("algebra", frozenset())
    assert OPINIONS[STATED.statements["true"].digest]["z3"].verdict == "proved"
    assert lemma("stated.true") is theorem


@pytest.mark.parametrize("key", ["closed", "logarithm"])
def test_lemma_without_names_is_decided_by_the_kernel(key):
    assert (lemma(f"stated.{key}").rule, lemma(f"stated.{key}").trusts) == ("decided", frozenset())


@pytest.mark.parametrize("key", ["false", "wrong"])
def test_lemma_that_is_false_is_refused(key):
    with pytest.raises(NotProved, match=f"stated.{key} is false at"):
        lemma(f"stated.{key}")


def test_lemma_with_an_irrational_counterexample_is_unknown():
    with pytest.raises(Unanswered, match="could not be made rational"):
        lemma("stated.irrational")


def test_lemma_that_the_kernel_proves_stands_where_no_solver_answers(monkeypatch):
    answering(monkeypatch, z3=SILENT)
    assert lemma("stated.true").trusts == frozenset()


def test_lemma_without_identity_names_both_solvers(monkeypatch):
    answering(monkeypatch, without_identity=True, z3=Z3, cvc5=CVC5)
    theorem = lemma("stated.true")
    assert (theorem.rule, theorem.trusts) == ("oracle", {"z3 1 and cvc5 2", ENCODER})


@pytest.mark.parametrize(
    ("answers", "who"), [({"z3": Z3, "cvc5": SILENT}, "z3 1"), ({"z3": SILENT, "cvc5": CVC5}, "cvc5 2")]
)
def test_lemma_that_one_solver_proves_names_that_one(monkeypatch, answers, who):
    answering(monkeypatch, without_identity=True, **answers)
    assert lemma("stated.true").trusts == {who, ENCODER}


def test_lemma_that_nobody_proves_is_unanswered(monkeypatch):
    answering(monkeypatch, without_identity=True, z3=SILENT, cvc5=SILENT)
    with pytest.raises(Unanswered, match=r"stated\.true is unknown: timeout; timeout"):
        lemma("stated.true")


@pytest.mark.parametrize("other", [REFUTING, DOUBTING])
def test_lemma_on_which_the_solvers_contradict_each_other_raises(monkeypatch, other):
    answering(monkeypatch, without_identity=True, z3=Z3, cvc5=other)
    with pytest.raises(SolverDisagreement, match="z3 and cvc5 contradict each other"):
        lemma("stated.true")


def test_lemma_that_the_kernel_proves_and_a_solver_denies_raises(monkeypatch):
    answering(monkeypatch, z3=DOUBTING)
    with pytest.raises(SolverDisagreement, match=r"the kernel proves stated\.true"):
        lemma("stated.true")


def test_lemma_is_never_made_of_a_wrong_identity(monkeypatch):
    """The search is not believed."""
    monkeypatch.setattr(module, "identities", lambda *_: ["vanishes(product(1))"] * 10)
    with pytest.raises(KernelError):
        lemma("stated.true")


def test_agreement_is_of_those_who_answer():
    s = STATED.statements["true"]
    assert agreed(s, {"z3": Z3, "cvc5": CVC5}) == {"z3 1 and cvc5 2", ENCODER}
    assert agreed(s, {"z3": SILENT, "cvc5": CVC5}) == {"cvc5 2", ENCODER}
    assert agreed(s, {"z3": SILENT}) == agreed(s, {"z3": REFUTING}) == frozenset()


def test_oracle_that_is_not_installed_does_not_know(monkeypatch):
    missing = WORKERS["cvc5"].__class__("tests.provers.absent_solver", "cvc5", "refdp[check]")
    monkeypatch.setitem(WORKERS, "cvc5", missing)
    answer = ask("cvc5", STATED.statements["true"], 5.0)
    assert answer.verdict == "unknown"
    assert "pip install 'refdp[check]'" in answer.reason
