"""Oracles: what they call proved holds wherever it is tried, what they call disproved fails where they say."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from refdp import work
from refdp.provers import oracles
from refdp.provers.answers import SolverDisagreement
from refdp.provers.oracles import ENCODER, run, version
from refdp.provers.processes import WORKERS, SolverMissing, WorkerLost
from refdp.provers.serving import OVER
from refdp.provers.smt.solvers import Finding
from refdp.spec.statements import Statement
from refdp.terms.term import Term, term
from tests.provers.random_statements import grid, holds_at, statements
from tests.provers.statements import FALSE, TRUE, statement

HARD = statement(["1 <= x", "1 <= y", "1 <= z"], "x**3 + y**3 != z**3", "x y z")


def agrees_with_enumeration(s: Statement, answer: oracles.Answer) -> bool:
    """Whether an answer is consistent with the exact truth of the statement at every point of the grid."""
    if answer.verdict == "proved":
        return all(holds_at(s, point) for point in grid(s))
    return answer.verdict == "unknown" or not holds_at(s, dict(answer.model or {}))


def test_z3_agrees_with_enumeration_on_1000_random_statements():
    found = Counter[str]()
    for s in statements(1, 1000):
        answer = run("z3", s, 2.0)
        assert agrees_with_enumeration(s, answer), f"{answer} is wrong: {s}"
        found[answer.verdict] += 1
    assert found["proved"] > 250
    assert found["disproved"] > 250
    assert found["unknown"] < 10


def test_cvc5_agrees_with_z3_and_with_enumeration_on_150_random_statements():
    unknown = 0
    for s in statements(2, 150):
        first, second = run("z3", s, 2.0), run("cvc5", s, 2.0)
        assert agrees_with_enumeration(s, second), f"{second} is wrong: {s}"
        assert {first.verdict, second.verdict} != {"proved", "disproved"}, f"z3 and cvc5 disagree: {s}"
        unknown += second.verdict == "unknown"
    assert unknown < 5


@pytest.mark.parametrize("oracle", ["z3", "cvc5"])
@pytest.mark.parametrize("case", TRUE)
def test_solvers_prove_the_obligation(oracle, case):
    answer = run(oracle, TRUE[case])
    assert answer.verdict == "proved", answer.reason
    assert answer.trusts == {version(oracle), ENCODER}


@pytest.mark.parametrize("oracle", ["z3", "cvc5"])
@pytest.mark.parametrize("case", FALSE)
def test_solvers_disprove_the_near_miss(oracle, case):
    answer = run(oracle, FALSE[case])
    assert answer.verdict == "disproved", answer.reason
    assert answer.trusts == frozenset()
    assert not holds_at(FALSE[case], dict(answer.model))


def test_both_names_the_two_solvers_as_one_and_the_encoder():
    answer = run("both", TRUE["k-ary ratio"])
    assert answer.verdict == "proved"
    assert answer.trusts == {f"{version('z3')} and {version('cvc5')}", ENCODER}


def test_both_disproves_with_a_model_that_needs_no_trust():
    answer = run("both", FALSE["linear losses add up"])
    assert (answer.verdict, answer.trusts) == ("disproved", frozenset())
    assert not holds_at(FALSE["linear losses add up"], dict(answer.model))


@pytest.mark.parametrize(
    ("z3", "cvc5"),
    [
        (Finding("proved", ""), Finding("refuted", "")),
        (Finding("refuted", ""), Finding("proved", "")),
        (Finding("refuted", "", {"x": Fraction(1)}), Finding("proved", "")),
        (Finding("proved", ""), Finding("refuted", "", {"x": Fraction(1)})),
    ],
)
def test_both_raises_where_the_solvers_disagree(monkeypatch, z3, cvc5):
    monkeypatch.setattr(oracles, "decide", lambda solver, *_: {"z3": z3, "cvc5": cvc5}[solver])
    with pytest.raises(SolverDisagreement, match="one of them is wrong"):
        run("both", statement([], "x == x"))


@pytest.mark.parametrize("silent", ["z3", "cvc5"])
def test_both_proves_nothing_where_one_solver_does_not_know(monkeypatch, silent):
    findings = {"z3": Finding("proved", ""), "cvc5": Finding("proved", ""), silent: Finding("unknown", "timeout")}
    monkeypatch.setattr(oracles, "decide", lambda solver, *_: findings[solver])
    answer = run("both", statement([], "x == x"))
    assert (answer.verdict, answer.trusts) == ("unknown", frozenset())
    assert version(silent) in answer.reason


@pytest.mark.parametrize("oracle", ["z3", "cvc5", "both"])
def test_solvers_do_not_know_what_cannot_be_encoded(oracle):
    answer = run(oracle, statement(["0 <= x"], "1 + x <= exp(x)"))
    assert answer.verdict == "unknown"
    assert "exp cannot be sent to a solver" in answer.reason


@pytest.mark.parametrize("oracle", ["z3", "cvc5"])
def test_solvers_do_not_disprove_with_an_irrational_counterexample(oracle):
    answer = run(oracle, statement(["x**2 == 2", "0 < x"], "x <= 1"))
    assert (answer.verdict, answer.model) == ("unknown", None)
    assert "rational" in answer.reason


@pytest.mark.parametrize("oracle", ["z3", "cvc5", "both"])
def test_solvers_return_when_their_work_is_done_and_answer_the_next_question(oracle):
    before = work.spent()
    answer = run(oracle, HARD, 1.5)
    assert 0.7 < work.spent() - before < 5, "a solver looks at its count now and then"
    assert answer.verdict == "unknown"
    assert OVER in answer.reason or "killed" in answer.reason
    assert run(oracle, TRUE["laplace loss"]).verdict == "proved"


def test_solvers_name_what_to_install_where_one_is_missing(monkeypatch):
    missing = WORKERS["cvc5"].__class__("tests.provers.absent_solver", "cvc5", "refdp[check]")
    monkeypatch.setitem(WORKERS, "cvc5", missing)
    for oracle in ("cvc5", "both"):
        with pytest.raises(SolverMissing, match=r"cvc5 cannot be loaded .*pip install 'refdp\[check\]'"):
            run(oracle, TRUE["laplace loss"])
    assert run("z3", TRUE["laplace loss"]).verdict == "proved"


def test_solvers_do_not_know_when_their_worker_cannot_start(monkeypatch):
    def lost(*_: object) -> None:
        raise WorkerLost("crashed, signal 9")

    monkeypatch.setattr(WORKERS["z3"].__class__, "start", lost)
    assert run("z3", TRUE["laplace loss"]) == oracles.Answer("unknown", reason="z3: crashed, signal 9")


def test_run_refuses_an_unknown_oracle_and_a_useless_timeout():
    with pytest.raises(ValueError, match="oracle must be one of z3, cvc5, both, sympy, got 'yices'"):
        run("yices", TRUE["laplace loss"])
    for timeout in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="timeout must be > 0"):
            run("z3", TRUE["laplace loss"], timeout)


@pytest.mark.parametrize("oracle", ["z3", "cvc5"])
def test_names_keep_their_meaning_whatever_they_are(oracle):
    """z3 knows `pi` and `abs`, SMT-LIB reserves `let`; a name with a command in it stays a name."""
    for x in ("pi", "abs", "let", "true", "Real", "to_real", "x))(assert false)(assert (= 0 (+ 0 ", "|", "\n", "é"):
        answer = run(oracle, Statement((), Term("name", (), x) <= 3))
        assert answer.verdict == "disproved", x
        assert answer.model[x] > term(3).rational
