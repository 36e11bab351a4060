"""Foreign accountants beside certified bounds: what is below the truth is refuted, and what is not never is."""

import math
from fractions import Fraction

import pytest
from mpmath import mp, mpf

from refdp.accounting.judging.infima import ConcentratedInfimum, least_delta
from refdp.accounting.judging.readings import INFINITE
from refdp.auditing.judges.kinds import judge_of
from refdp.auditing.judges.task import TaskError
from refdp.auditing.targets import Limits, of_library
from tests.auditing.environments import python_of
from tests.auditing.judges.asking import ALPHA, judged, task

LAPLACE = {"neighbours": "none", "cases": [{"events": [{"mechanism": "laplace", "scale": 1}]}]}
HALVES = {**LAPLACE, "deltas": ["1/4", "1/8"]}
EPSILONS = {**LAPLACE, "epsilons": ["1/2", "1/4"]}
PURE = {
    "neighbours": "none", "grid": {"epsilon": ["1/4", 1], "count": [1, 3]},
    "events": [{"mechanism": "pure", "epsilon": "epsilon", "count": "count"}], "deltas": ["1e-6"],
}  # fmt: skip


def words(result):
    return [row.verdict.partition(":")[0] for row in result.evidence.rows]


@pytest.mark.once
@pytest.mark.parametrize(("name", "fields"), [("low", HALVES), ("delta_low", EPSILONS)])
def test_answers_that_are_a_millionth_too_low_are_refuted(name, fields):
    found = judged("accountant", f"accountants:{name}", **fields)
    assert found.verdict == "REFUTED"
    assert words(found) == ["UNSOUND"] * 2
    assert found.error == 0
    for row, x in zip(found.evidence.rows, (0.25, 0.125) if name == "low" else (0.5, 0.25), strict=True):
        truth = 1 + 2 * math.log1p(-x) if name == "low" else -math.expm1((x - 1) / 2)
        assert float(row.lower) <= truth * (1 + 1e-15)
        assert float(row.lower) == pytest.approx(truth, rel=1e-7)
        assert float(row.answer) == pytest.approx(truth * (1 - 1e-6), rel=1e-12)
    assert "too low" in found.witness
    assert len(found.witness) <= 80


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "fields", "verdicts"),
    [
        ("laplace", {**HALVES, "rounding": 0}, ["TIGHT"] * 2),
        ("delta", {**EPSILONS, "rounding": 0}, ["TIGHT"] * 2),
        ("loose", HALVES, ["LOOSE"] * 2),
        ("interval", HALVES, ["TIGHT"] * 4),
        ("simple", PURE, ["TIGHT"] * 4),
    ],
)
def test_answers_that_are_sound_are_not_refuted(name, fields, verdicts):
    found = judged("accountant", f"accountants:{name}", **fields)
    assert found.verdict == "NOT_REFUTED"
    assert words(found) == verdicts
    assert found.power


@pytest.mark.once
def test_what_is_short_by_rounding_alone_is_refuted_only_where_none_is_allowed():
    strict = judged("accountant", "accountants:an_ulp_low", **HALVES, rounding=0)
    assert strict.verdict == "REFUTED"
    allowed = judged("accountant", "accountants:an_ulp_low", **HALVES, rounding="1e-12")
    assert allowed.verdict == "NOT_REFUTED"
    assert any("rounding" in line and "1e-12" in line for line in allowed.scope)


@pytest.mark.once
def test_a_lower_bound_above_the_truth_is_refuted():
    found = judged("accountant", "accountants:high_below", **HALVES)
    assert found.verdict == "REFUTED"
    assert "too high" in found.witness


@pytest.mark.once
def test_gaussian_deltas_in_floats_are_right_up_to_the_rounding_that_is_declared():
    fields = {
        "neighbours": "none", "grid": {"sigma": [0.5, "3/10", 2]}, "epsilons": ["1/2", 1],
        "events": [{"mechanism": "gaussian", "sigma": "sigma"}], "rounding": "1e-9",
    }  # fmt: skip
    assert judged("accountant", "accountants:gaussian", **fields).verdict == "NOT_REFUTED"
    off = {**fields, "events": [{"mechanism": "gaussian", "sigma": "sigma", "sensitivity": "1.0001"}]}
    assert judged("accountant", "accountants:gaussian", **off).verdict == "REFUTED"


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("raises", "no theorem"), ("nothing", "NaN"), ("infinite", "infinite"), ("words", "no number"),
        ("late", "no answer after"), ("stops", "SystemExit"),
    ],
)  # fmt: skip
def test_an_accountant_without_an_answer_is_unknown_and_never_refuted(name, reason):
    found = judged("accountant", f"accountants:{name}", Limits(call=0.3, total=0.5), **HALVES)
    assert found.verdict == "UNKNOWN"
    assert reason in found.reason


@pytest.mark.once
def test_an_unsound_answer_refutes_whatever_the_others_are():
    found = judged("accountant", "accountants:sometimes", **HALVES)
    assert found.verdict == "REFUTED"
    assert words(found) == ["UNSOUND", "ERROR"]


@pytest.mark.once
def test_a_target_that_cannot_be_loaded_is_unknown():
    assert "cannot be loaded" in judged("accountant", "accountants:missing", **HALVES).reason


@pytest.mark.once
def test_broken_laws_are_told_and_do_not_refute():
    fields = {"neighbours": "none", "grid": {"scale": [1, 2]}, "events": [{"mechanism": "laplace", "scale": "scale"}]}
    found = judged("accountant", "accountants:rising", **fields, deltas=["1/4"], laws=True)
    assert found.verdict == "NOT_REFUTED"
    assert any("grows with every parameter" in line for line in found.scope)
    assert found.attached["laws"]
    assert not judged("accountant", "accountants:laplace", **fields, deltas=["1/4"], laws=False).attached


@pytest.mark.once
def test_the_conversion_of_concentrated_privacy_is_judged_by_its_best_order():
    fields = {"theorem": "zcdp", "grid": {"rho": ["1/2", 2]}, "rho": "rho", "epsilons": [1, 4], "rounding": 0}
    assert judged("accountant", "accountants:conversion", **fields).verdict == "NOT_REFUTED"
    assert judged("accountant", "accountants:conversion_low", **fields).verdict == "REFUTED"


@pytest.mark.parametrize(("rho", "epsilon"), [(0.5, 1.0), (2.0, 2.0), (0.1, 3.0), (8.0, 0.0)])
def test_the_best_value_of_the_conversion_is_the_least_over_a_grid_of_orders(rho, epsilon):
    def logarithm(a):
        return (a - 1) * (a * rho - epsilon) + a * math.log1p(-1 / a) - math.log(a - 1)

    least = math.exp(min(logarithm(1 + 2 ** (i / 200)) for i in range(-4000, 4000)))
    low, high = least_delta(Fraction(rho), Fraction(epsilon))
    assert 0 < low <= high <= Fraction(min(1.0, least)) * (1 + Fraction(1, 10**12))
    assert float(low) == pytest.approx(min(1.0, least), rel=1e-4)
    assert high - low <= high / 10**30


@pytest.mark.parametrize(("rho", "epsilon"), [(300, 0), (300, 250), (1000, 1000), (10**7, 10**7), (1e-9, 0), (1e-9, 1)])
def test_the_best_order_may_be_hardly_above_1_or_far_from_it(rho, epsilon):
    """It is about 1 + e^(epsilon - rho), which was halved down to: with a rho of 10^7 that had no end."""
    with mp.workdps(1_000):
        slope = lambda x: (1 + 2 * mp.exp(x)) * mpf(rho) - epsilon - mp.log1p(mp.exp(-x))  # noqa: E731
        low, high = mpf(-(10**8)), mpf(40)
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (low, middle) if slope(middle) > 0 else (middle, high)
        h = mp.exp(high)
        true = mp.exp(h * ((1 + h) * rho - epsilon) + h * high - (1 + h) * mp.log1p(h))
        low, high = least_delta(Fraction(rho), Fraction(epsilon))
        assert mpf(low.numerator) / low.denominator <= min(true, 1) * (1 + mpf(10) ** -40)
        assert min(true, 1) * (1 - mpf(10) ** -40) <= mpf(high.numerator) / high.denominator
        assert high - low < Fraction(1, 10**30)


@pytest.mark.parametrize("rho", [pytest.param("1e-300", marks=pytest.mark.long), "1e-9", "1", "1e7", "1e300"])
def test_the_least_epsilon_is_enclosed_at_every_rho_and_infinite_at_delta_0(rho):
    delta, truth = Fraction(1, 10**6), ConcentratedInfimum(Fraction(rho))
    low, high = truth.bounds("epsilon", delta)
    assert least_delta(Fraction(rho), low)[1] >= delta
    assert least_delta(Fraction(rho), high)[0] <= delta
    assert high - low <= Fraction(1, 10**20) * max(1, Fraction(rho))
    assert truth.bounds("epsilon", Fraction(0)) == (INFINITE, INFINITE)


@pytest.mark.once
@pytest.mark.parametrize(("name", "verdict"), [("concentrated", "NOT_REFUTED"), ("concentrated_low", "REFUTED")])
def test_a_tight_epsilon_of_any_rho_is_not_refuted_and_a_millionth_less_is(name, verdict):
    fields = {"theorem": "zcdp", "grid": {"rho": ["1e-6", 1, 1000, "1e7"]}, "rho": "rho", "deltas": ["1e-6"]}
    found = judged("accountant", f"accountants:{name}", **fields)
    assert found.verdict == verdict
    assert words(found) == ["UNSOUND" if verdict == "REFUTED" else "TIGHT"] * 4


@pytest.mark.once
@pytest.mark.parametrize(("name", "verdict"), [("infinite", "NOT_REFUTED"), ("simple", "REFUTED")])
def test_what_an_accountant_says_at_delta_0_is_judged(name, verdict):
    """The search for an epsilon at which the conversion gives delta 0 had no end."""
    fields = {"theorem": "zcdp", "grid": {"rho": [1, 2]}, "rho": "rho", "deltas": [0]}
    found = judged("accountant", f"accountants:{name}", **fields)
    assert found.verdict == verdict
    assert {str(row.lower) for row in found.evidence.rows} == {"infinite"}


BAD = [
    ({**HALVES, "neighbours": "some"}, "neighbours must be one of"),
    ({"neighbours": "none", "deltas": ["1/4"]}, "events must be given"),
    ({**HALVES, "epsilons": [1]}, "either deltas or epsilons"),
    ({**LAPLACE, "deltas": ["2"]}, "delta must be at least 0 and less than 1"),
    ({**LAPLACE, "deltas": ["1e-400"]}, "delta must be 0 or a number that no float rounds to 0"),
    ({**LAPLACE, "deltas": []}, "deltas must be a list"),
    ({**HALVES, "rounding": "1"}, "rounding must be at least 0 and below 1"),
    ({**HALVES, "wrong": 1}, "wrong is not known here"),
    ({**HALVES, "laws": True}, "laws are about"),
    ({**PURE, "grid": {"epsilon": ["x"]}}, "grid.epsilon must be a number"),
    ({**PURE, "events": [{"mechanism": "magic"}]}, "mechanism must be one of"),
    ({"theorem": "zcdp", "cases": [{"x": [1], "rho": 0}], "epsilons": [1]}, "rho must be > 0"),
]


@pytest.mark.parametrize(("fields", "sentence"), BAD)
def test_bad_fields_are_refused_in_one_sentence(fields, sentence):
    with pytest.raises(TaskError, match=sentence):
        judge_of(task("accountant", "accountants:laplace", **fields), ALPHA)


DPA = (
    "rdp.RdpAccountant(neighboring_relation=NeighboringRelation.{}).compose(GaussianDpEvent(x[0]), 1).get_epsilon(x[1])"
)


@pytest.mark.long
@pytest.mark.parametrize(
    ("relation", "neighbours", "verdict"),
    [("REPLACE_ONE", "change_one", "REFUTED"), ("ADD_OR_REMOVE_ONE", "add_remove", "NOT_REFUTED")],
)
def test_dp_accounting_is_unsound_where_a_row_is_replaced_and_sound_where_one_is_added(relation, neighbours, verdict):
    one = task("accountant", None, neighbours=neighbours, grid={"sigma": [2.0]}, deltas=["1e-5"], events=[
        {"mechanism": "gaussian", "sigma": "sigma", "sensitivity": 2 if neighbours == "change_one" else 1}
    ])  # fmt: skip
    target = of_library("dp_accounting", DPA.format(relation), python_of("dp-accounting-0.6.0"))
    judge = judge_of(type(one)(one.name, one.kind, target, one.fields), ALPHA)
    found = judge.result(judge.opening(), [])
    assert found.verdict == verdict
    if verdict == "REFUTED":
        assert found.evidence.rows[0].lower.startswith("4.377")
        assert found.evidence.rows[0].answer.startswith("2.1657")
