"""The sympy oracle: proved only where both opinions agree."""

from __future__ import annotations

import pytest

from refdp.provers.oracles import run, version
from refdp.provers.symbolic.prover import TRANSLATOR, written
from refdp.spec.statements import Statement
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, equal
from tests.provers.random_statements import holds_at
from tests.provers.statements import statement
from tests.provers.symbolic.equalities import FALSE, TRUE, UNDEFINED


@pytest.mark.parametrize("case", TRUE)
def test_sympy_proves_the_equality(case):
    answer = run("sympy", TRUE[case])
    assert answer.verdict == "proved", answer.reason
    assert answer.trusts == {version("sympy"), TRANSLATOR}


@pytest.mark.parametrize("case", FALSE)
def test_sympy_does_not_prove_a_wrong_equality(case):
    answer = run("sympy", FALSE[case])
    assert answer.verdict in ("unknown", "disproved")
    assert answer.trusts == frozenset()
    if answer.verdict == "disproved":
        assert not holds_at(FALSE[case], dict(answer.model))


@pytest.mark.parametrize("case", UNDEFINED)
def test_sympy_does_not_prove_what_may_have_no_value(case):
    assert run("sympy", UNDEFINED[case][0]).verdict != "proved"


def test_sympy_disproves_with_a_model_where_no_integral_is_in_the_way():
    answer = run("sympy", FALSE["binomial without 2"])
    assert answer.verdict == "disproved"
    assert not holds_at(FALSE["binomial without 2"], dict(answer.model))
    assert run("sympy", statement([], "x / x == 1")).model == {"x": 0}


@pytest.mark.parametrize("wrong", ["x + 1", "x)(", "lambda", "x y", ""])
def test_sympy_does_not_read_a_name_as_something_else(wrong):
    s = Statement((), equal(Term("name", (), wrong), Term("name", (), wrong)))
    assert run("sympy", s).verdict == "unknown"


def test_written_refuses_what_would_be_read_as_something_else():
    assert written(read("-x + 1/3")) == "-x + 1/3"
    written_names = (Term("name", (), n) for n in ("x + 1", "\N{LATIN SMALL LIGATURE FI}", "if"))
    for t in (*written_names, Term("integral", (Term("name", (), "f"), Term("name", (), "2")))):
        with pytest.raises(TermError):
            written(t)


def test_sympy_is_stopped_by_the_clock_and_answers_the_next_question():
    slow = "integral(exp(-z**4 - abs(z - a)), z) == integral(exp(-z**4 - abs(z + a)), z)"
    answer = run("sympy", statement([], slow), 0.02)
    assert answer.verdict == "unknown"
    assert "killed" in answer.reason
    assert run("sympy", TRUE["binomial"]).verdict == "proved"
