"""Kinds without statistics say NOT_REFUTED only where a planted violation of the named strength was refuted."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.auditing.judges import accountant as accountants
from refdp.auditing.judges import noise_scale as scales
from refdp.auditing.judges.exact import Renyi
from refdp.auditing.judges.kinds import judge_of
from refdp.auditing.judges.noise_scale import Checked
from refdp.auditing.neighbours import Settings, Table, Whole, judge
from refdp.auditing.neighbours.distances import Distance
from refdp.auditing.neighbours.running import Runner
from refdp.auditing.targets import Claim, function
from refdp.verdicts import NOT_REFUTED, REFUTED
from tests.auditing.environments import PLACE
from tests.auditing.judges.asking import ALPHA, copy, judged, task
from tests.auditing.judges.test_accountant import HALVES, LAPLACE
from tests.auditing.judges.test_noise_scale import LAPLACE as SCALES

pytestmark = pytest.mark.once
MAPS = str(PLACE.parent / "tests" / "auditing" / "neighbours")
BLIND = "no violation would have been seen"


def opened(kind, name, **fields):
    asked = judge_of(task(kind, name, **fields), ALPHA)
    return asked, copy(asked.opening())


def share(found) -> F:
    """The share of the power sentence."""
    return F(next(word for word in found.power.split(" by ")[1].split() if word[0].isdigit()))


def test_the_share_that_an_accountant_may_be_too_low_is_one_that_is_refuted():
    """Not a plant: an accountant that is too low by that very share, but for a float's rounding."""
    found = judged("accountant", "accountants:laplace", **HALVES)
    assert found.verdict == NOT_REFUTED
    assert 0 < share(found) <= F("1e-6")
    assert judged("accountant", "accountants:low", **HALVES).verdict == REFUTED
    assert judged("accountant", "accountants:laplace", **{**HALVES, "rounding": 0}).verdict == NOT_REFUTED


def test_an_accountant_is_unknown_where_answers_that_are_too_low_are_not_refuted(monkeypatch):
    asked, opening = opened("accountant", "accountants:laplace", **HALVES)
    assert asked.result(opening, []).verdict == NOT_REFUTED
    honest = accountants.findings

    def blind(kind, at, reply, truth, allowance):
        return [replace(one, verdict="SOUND") for one in honest(kind, at, reply, truth, allowance)]

    monkeypatch.setattr(accountants, "findings", blind)
    found = asked.result(opening, [])
    assert (found.verdict, found.reason.startswith(BLIND)) == ("UNKNOWN", True)


def test_an_accountant_whose_truth_is_zero_has_nothing_to_be_too_low():
    found = judged("accountant", "accountants:laplace", **{**LAPLACE, "deltas": ["9/10"]})
    assert found.verdict != REFUTED


def test_a_scale_that_is_short_by_the_named_share_is_refuted():
    found = judged("noise_scale", "noise_sources:laplace_scale", **SCALES)
    assert found.verdict == NOT_REFUTED
    assert 0 < share(found) <= F("1e-6")
    assert judged("noise_scale", "noise_sources:laplace_scale_low", **SCALES).verdict == REFUTED


def test_scales_are_unknown_where_short_ones_are_not_refuted(monkeypatch):
    asked, opening = opened("noise_scale", "noise_sources:laplace_scale", **SCALES)
    assert asked.result(opening, []).verdict == NOT_REFUTED
    blind = lambda self, question, scale: Checked(question, str(float(scale)), "SOUND", "enough")  # noqa: E731
    monkeypatch.setattr(scales.NoiseScale, "_judged", blind)
    found = asked.result(opening, [])
    assert (found.verdict, found.reason.startswith(BLIND)) == ("UNKNOWN", True)


def stability(d_out, output="absolute"):
    target = function("wrong:total", search=(MAPS,))
    claim = Claim("symmetric", F(1), output, (F(d_out),))
    return judge(target, Table(Whole(0, 10)), claim, Settings(seconds=2.0, pairs=300))


def test_a_tight_map_is_not_refuted_and_a_blind_comparison_says_unknown(monkeypatch):
    assert stability(10).verdict == NOT_REFUTED
    for place, name, blind in (
        (Runner, "exceeds", lambda self, scored: False),
        (Distance, "exceeds", lambda self, bound: False),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(place, name, blind)
            found = stability(10)
        assert (found.verdict, found.reason.startswith(BLIND)) == ("UNKNOWN", True)


def test_a_comparison_that_sees_large_differences_only_is_still_blind_to_what_exceptions_show(monkeypatch):
    """What is planted is a number, a text, an exception: where none is seen, nothing is said."""
    monkeypatch.setattr("refdp.auditing.neighbours.running.outcomes_apart", lambda *_: Distance(F(0)))
    assert stability(10).verdict == "UNKNOWN"


def test_laws_are_not_refuted_at_orders_where_a_planted_divergence_is(monkeypatch):
    tables = {"a": {"yes": "3/4", "no": "1/4"}, "b": {"yes": "1/4", "no": "3/4"}}
    asked, opening = opened(
        "exact", None, tables=tables, pairs=[["a", "b"]], claim={"measure": "concentrated", "rho": "0.61"}
    )
    assert asked.result(opening, []).verdict == NOT_REFUTED
    honest = Renyi.decided

    def blind(self, first, second):
        return replace(honest(self, first, second), verdict=NOT_REFUTED)

    monkeypatch.setattr(Renyi, "decided", blind)
    found = asked.result(opening, [])
    assert (found.verdict, found.reason.startswith(BLIND)) == ("UNKNOWN", True)
