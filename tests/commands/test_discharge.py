"""What is discharged twice, and what not and why, is read off the theorems and asked of solvers."""

import pytest

import refdp
from refdp.claims import claim
from refdp.cli.app import app
from refdp.commands import discharge as module
from refdp.commands.discharge import discharged, leaves, oracles_in
from refdp.commands.verify import trusted
from refdp.kernel import rules
from refdp.kernel.rules.logic import obligation
from refdp.proofs.lines import prove
from refdp.provers.answers import Answer
from refdp.provers.lemmas import OPINIONS, lemma
from refdp.provers.oracles import ENCODER, version
from refdp.spec.named_statements import NamedStatements
from tests.command_line import CliRunner
from tests.kinds import believed, noisy_count, registered
from tests.provers.statements import statement

run = CliRunner().invoke
WEAKEN = "composition.weaken"
SILENT = Answer("unknown", reason="timeout")


@pytest.fixture
def fresh():
    """Nothing was asked about the obligation before."""
    before = OPINIONS.pop(obligation(WEAKEN).digest, None)
    yield
    if before is not None:
        OPINIONS[obligation(WEAKEN).digest] = before


def answering(monkeypatch, **answers):
    monkeypatch.setattr(module, "ask", lambda oracle, *_: answers[oracle])


def test_leaves_of_a_theorem_are_the_obligations_it_rests_on():
    theorem = prove(claim("discrete_laplace.pure"))
    assert dict(leaves(theorem)) == {
        "discrete_laplace.tail_is_geometric": ("rule algebra",),
        "discrete_laplace.loss_is_bounded": ("rule algebra",),
    }
    assert dict(leaves(believed(WEAKEN))) == {WEAKEN: ("a test",)}
    assert dict(leaves(prove(claim("composition.finite_mechanism")))) == {}
    assert set(dict(leaves(noisy_count())).values()) == {("a test",)}


def test_encoders_are_no_oracles_and_two_solvers_are_two():
    assert oracles_in([ENCODER, "z3 1 and cvc5 2"]) == ("z3 1", "cvc5 2")
    assert oracles_in(["Arb (python-flint 0.9.0)"]) == ("Arb (python-flint 0.9.0)",)


def test_an_identity_and_a_solver_are_two_means():
    lemma(WEAKEN)
    found = discharged({WEAKEN: ("rule algebra",)})
    assert found == {
        "total": 1, "twice": 1, "pairs": {f"rule algebra and {version('z3')}": 1}, "once": [], "disagreements": 0,
        "contradicted": [],
    }  # fmt: skip


def test_a_solver_is_asked_for_a_second_opinion_where_nobody_was(fresh):
    assert discharged({WEAKEN: ("Arb (python-flint 1)",)})["pairs"] == {f"Arb (python-flint 1) and {version('z3')}": 1}


def test_the_same_solver_twice_is_not_two_means(fresh, monkeypatch):
    z3 = Answer("proved", frozenset({"z3 1", ENCODER}))
    answering(monkeypatch, z3=z3, cvc5=SILENT)
    assert discharged({WEAKEN: ("z3 1",)})["once"] == [{"obligation": WEAKEN, "reason": "z3 1; cvc5: timeout"}]
    answering(monkeypatch, z3=z3, cvc5=Answer("proved", frozenset({"cvc5 2", ENCODER})))
    assert discharged({WEAKEN: ("z3 1",)})["pairs"] == {"z3 1 and cvc5 2": 1}


def test_what_no_solver_reads_is_discharged_once():
    found = discharged({"laplace.integral_is_the_normaliser": ("sympy 1.14.0",)})
    assert (found["total"], found["twice"]) == (1, 0)
    [once] = found["once"]
    assert once["reason"].startswith("sympy 1.14.0; z3: integral is not arithmetic that a solver decides")


def test_arb_is_a_second_means_for_numbers_alone():
    numbers = NamedStatements("numbers", {"logarithm": statement([], "ln(2) <= 7/10")})
    with registered(numbers):
        [pair] = discharged({"numbers.logarithm": ("rule decided",)})["pairs"]
    assert pair.startswith("rule decided and Arb (python-flint ")


@pytest.mark.parametrize("other", [Answer("disproved", model={}), Answer("unknown", unconfirmed=True)])
def test_a_contradiction_is_a_disagreement_and_ends_in_1(fresh, monkeypatch, tmp_path, other):
    answering(monkeypatch, z3=other, cvc5=SILENT)
    found = discharged({WEAKEN: ("rule algebra",)})
    assert (found["disagreements"], found["twice"], found["once"]) == (1, 0, [])
    assert "rule algebra proves it, and a solver has a counterexample" in found["contradicted"][0]["reason"]
    lemma(WEAKEN)
    OPINIONS[obligation(WEAKEN).digest] = {"z3": other}
    done = run(app, ["verify", "composition.pointwise_weaken", "--certificates", str(tmp_path)])
    assert done.exit_code == 1
    assert "1 disagreements" in done.stdout
    assert f"CONTRADICTED: {WEAKEN}" in done.stdout


def test_verify_counts_claims_by_whom_they_trust_and_obligations_by_their_means(tmp_path):
    found = refdp.verify("laplace.*", certificates=tmp_path)
    assert found["trusts"]["nothing"] >= 2
    assert found["trusts"]["refdp sympy translator"] >= 1
    o = found["obligations"]
    assert o["total"] == o["twice"] + len(o["once"])
    assert "laplace.integral_is_the_normaliser" in [one["obligation"] for one in o["once"]]
    assert o["disagreements"] == 0
    assert float(found["seconds"]) > 0


def test_verify_prints_the_table_of_trust(tmp_path):
    done = run(app, ["verify", "laplace.*", "--certificates", str(tmp_path)])
    assert done.exit_code == 0
    assert "discharged twice" in done.stdout
    assert "once: laplace.integral_is_the_normaliser: sympy" in done.stdout
    assert "of processor time" in done.stdout


def test_trust_is_counted_over_decided_claims():
    judged = [
        {"verdict": "PROVED", "trusts": []},
        {"verdict": "REFUTED", "trusts": []},
        {"verdict": "PROVED", "trusts": ["a", "b"]},
        {"verdict": "UNKNOWN", "trusts": []},
    ]
    assert trusted(judged) == {"nothing": 2, "a": 1, "b": 1}


def test_a_theorem_of_an_oracle_with_premises_above_it_keeps_its_means():
    theorem = rules.weaken(noisy_count(), d_out=["2"])
    assert set(dict(leaves(theorem))) == set(dict(leaves(noisy_count())))
