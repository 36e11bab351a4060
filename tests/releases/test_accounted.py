"""A release under epsilon and delta is proved by an account where that needs less noise; several are added up."""

import json
from fractions import Fraction as F
from pathlib import Path

import pytest

import refdp
from refdp.commands.check import check
from refdp.numerics.exact import decide
from refdp.releases.accounted import SHARES, accounted, accounted_totals
from refdp.releases.errors import BudgetExceeded, InputError
from refdp.releases.spending import Spending, promised_total
from refdp.spec.noise import exact_delta
from refdp.terms.reading import read
from refdp.terms.term import number, sqrt
from tests.releases.replaying import replay_here

OWN = """
def heavy(rows, limit=4000):
    return sum(1 for r in rows if r > limit)


def scores(rows):
    return [sum(1 for r in rows if r > 4000), sum(1 for r in rows if r <= 4000)]
"""
WEIGHTS = "kilograms\n" + "\n".join(str(2000 + 37 * i % 5000) for i in range(60)) + "\n"
BOTH = {"epsilon": "1", "delta": "1/1000000"}
MILLIONTH = F(1, 10**6)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN, encoding="utf-8")
    Path("t.csv").write_text(WEIGHTS, encoding="utf-8")
    replay_here(monkeypatch)


def release(*queries, **given):
    words = {"neighbours": "add_remove", "bounds": "kilograms=2000,7000"} | given
    return refdp.release("t.csv", list(queries), words.pop("epsilon", None), words.pop("neighbours"), **words)


def conversion_sigma(queries, sensitivity=1):
    """The deviation of today's noise: an equal part of the greatest rho that a conversion allows."""
    rho = promised_total("concentrated", F(1), MILLIONTH, None) / queries
    return float(sensitivity) / float(2 * rho) ** 0.5


@pytest.mark.parametrize(
    ("queries", "sensitivities"),
    [(["count"], [1]), (["count", "threshold kilograms 4000"], [1, 1]), (["count", "sum kilograms"], [1, 7000])],
)
def test_release_has_less_noise_than_a_conversion_and_its_certificate_replays(queries, sensitivities):
    found = release(*queries, **BOTH)
    for answer, sensitivity in zip(found["answers"], sensitivities, strict=True):
        assert F(answer["scale"]) < F("0.85") * F(conversion_sigma(len(queries), sensitivity))
    assert found["theorem"]["d_out"] == ["1", "1/1000000"]
    assert {"Arb"} <= set(found["theorem"]["trusts"])
    assert [name for name in found["theorem"]["trusts"] if name.startswith("engine: ")]
    [judged] = check("refdp-certificates")["certificates"]
    assert (judged["verdict"], judged["conclusion"]) == ("PROVED", found["theorem"]["claim"])
    assert "account" in judged["rules"]


def test_noise_is_not_less_than_normal_noise_needs():
    """The deviation that the exact delta of noise on the reals asks for is a lower end, but for the grid."""
    scale = F(release("count", **BOTH)["answers"][0]["scale"])
    assert not decide(exact_delta(number(scale * F(98, 100)), number(1), number(1)) <= number(MILLIONTH))
    assert decide(exact_delta(number(scale), number(1), number(1)) <= number(MILLIONTH))


def test_function_of_ones_own_and_a_selection_are_in_one_account():
    column = {"kilograms": "integers 2000..7000"}
    found = release("own.py:heavy kilograms", "select own.py:scores kilograms", column=column, run=False, **BOTH)
    assert found["theorem"]["d_out"] == ["1", "1/1000000"]
    assert {one["verdict"] for one in check("refdp-certificates")["certificates"]} == {"PROVED"}


def test_sums_that_move_by_more_steps_than_a_grid_holds_are_released():
    """By an account where noise is wide, else by a conversion."""
    wide = {"bounds": "kilograms=0,300000"}
    found = release("sum kilograms", **wide, **BOTH)
    assert F(found["answers"][0]["scale"]) < F("0.85") * F(conversion_sigma(1, 300000))
    assert found["theorem"]["d_out"] == ["1", "1/1000000"]
    found = release("sum kilograms", **wide, **BOTH | {"epsilon": "100000"})
    assert found["theorem"]["d_out"] == ["100000", "1/1000000"]
    assert {one["verdict"] for one in check("refdp-certificates")["certificates"]} == {"PROVED"}


def test_change_one_is_accounted_too():
    found = release("sum kilograms", neighbours="change_one", **BOTH)
    assert F(found["answers"][0]["scale"]) < F("0.85") * F(conversion_sigma(1, 5000))


def test_where_no_engine_shows_it_the_conversion_is_used(monkeypatch):
    monkeypatch.setattr("refdp.accounting.evidence.evidence_for", lambda *_: None)
    found = release("count", **BOTH)
    assert float(F(found["answers"][0]["scale"])) == pytest.approx(conversion_sigma(1))
    assert not [name for name in found["theorem"]["trusts"] if name.startswith("engine: ")]


def test_budget_is_charged_epsilon_and_delta_by_sums():
    for _ in range(2):
        found = release("count", budget="b.json", total="2", total_delta="1/500000", **BOTH)
    assert found["together"].endswith("approximate(2, 1/500000))")
    held = json.loads(Path("b.json").read_text(encoding="utf-8"))
    assert [(one["epsilon"], one["delta"]) for one in held["charges"]] == [("1", "1/1000000")] * 2
    with pytest.raises(BudgetExceeded, match="epsilon must be at most what is left of the budget, 0 of 2"):
        release("count", budget="b.json", **BOTH)


def test_budget_that_would_run_an_account_again_is_refused():
    with pytest.raises(InputError, match="no account may be run again over releases chosen in view of answers"):
        release("count", budget="b.json", promise="3,1/1000", **BOTH)
    assert not Path("b.json").exists()
    release("count", rho="1/100", budget="b.json", promise="3,1/1000")
    with pytest.raises(InputError, match="the budget file says measure concentrated, got approximate"):
        release("count", budget="b.json", **BOTH)
    assert len(json.loads(Path("b.json").read_text(encoding="utf-8"))["charges"]) == 1


def test_totals_are_more_than_a_conversion_allows_and_none_under_other_measures():
    spending = Spending("approximate", F(1), MILLIONTH)
    found = list(accounted_totals(spending))
    assert found == sorted(found, reverse=True)
    assert 1 <= len(found) <= len(SHARES)
    assert all(whole > spending.divided for whole in found)
    for other in (Spending("pure", F(1)), Spending("concentrated", F(1)), Spending("renyi", F(1), None, F(8))):
        assert list(accounted_totals(other)) == []
    assert not decide(exact_delta(number(1), sqrt(number(2 * found[0] * F(1002, 1000))), read("1"))
                      <= number(MILLIONTH))  # fmt: skip


def test_theorems_that_cannot_be_shown_are_none():
    made = refdp.count() >> refdp.discrete_gaussian(2)
    assert accounted([made], Spending("approximate", F(1), MILLIONTH)) is None
    found = accounted([made], Spending("approximate", F(1), F(1, 5)))
    assert str(found.claim.term).endswith("approximate(1, 1/5))")
