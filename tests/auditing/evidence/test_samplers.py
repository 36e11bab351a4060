"""Verdicts on samplers: what is wrong is found within so many draws, what is right never, and what is no value is said.

All streams are fixed, so that each test is deterministic.
"""

from fractions import Fraction as F
from functools import cache
from random import Random

import pytest

from refdp.auditing.evidence.law_tests import finite_test, float_test, lattice_test
from refdp.auditing.evidence.sampler_tests import Outcome
from refdp.auditing.evidence.tallies import Tally
from refdp.laws import discrete_gaussian, discrete_laplace, gaussian, laplace
from refdp.numerics.intervals import Interval
from tests.auditing.evidence.looking import run_sampler
from tests.auditing.evidence.samplers import biased, changed, cut, doubled_zero, normal, right
from tests.counting import counted

law_test = cache(lattice_test)
TEST = law_test(discrete_laplace(22))
WRONG = {
    "scale 0.8": (lambda seed: right(F(88, 5), seed), 2_600, "scale"),
    "scale 0.9": (lambda seed: right(F(99, 5), seed), 8_000, "scale"),
    "scale 0.95": (lambda seed: right(F(209, 10), seed), 35_000, "scale"),
    "scale 1.05": (lambda seed: right(F(231, 10), seed), 35_000, "scale"),
    "zero doubled": (lambda seed: doubled_zero(22, seed), 5_800, "mass of 0"),
    "cut at 5 scales": (lambda seed: cut(22, seed), 20_000, "nothing in"),
    "gaussian": (lambda seed: normal(31, seed), 1_000, ""),
    "even": (lambda seed: changed(11, seed, lambda k, u: 2 * k), 200, "digits"),
    "shifted": (lambda seed: changed(22, seed, lambda k, u: k + 1), 60_000, "shift"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_samplers_are_found_within_the_draws_stated(name):
    make, most, arm = WRONG[name]
    verdict, counted = run_sampler(TEST, make(1), most, on=True)
    assert verdict.outcome is Outcome.FAIL
    assert arm in verdict.witness.arm
    assert verdict.error == F(1, 10**9)
    assert verdict.e_value.refutes(verdict.error)
    again = TEST.judge(counted)
    assert (again.outcome, again.reason, again.e_value) == (verdict.outcome, verdict.reason, verdict.e_value)


@pytest.mark.parametrize("seed", range(1))
def test_right_samplers_pass_with_their_power(seed):
    verdict, counted = run_sampler(TEST, right(22, 100 + seed), 10**5)
    assert verdict.outcome is Outcome.PASS
    assert counted.draws == verdict.draws == TEST.draws_needed < 60_000
    assert all(power >= F(999, 1000) for _, power in verdict.power)
    assert "scale times 19/20" in verdict.reason


@pytest.mark.parametrize(
    ("law", "draw"),
    [
        (discrete_laplace(F(1, 3)), lambda: right(F(1, 3), 5)),
        (discrete_laplace(2**48), lambda: right(2**48, 5)),
        (discrete_gaussian(F(22, 7)), lambda: normal(F(22, 7), 5)),
        (discrete_gaussian(10**12), lambda: normal(10**12, 5)),
    ],
    ids=["laplace 1/3", "laplace 2^48", "gaussian 22/7", "gaussian 10^12"],
)
def test_right_samplers_of_any_scale_are_not_refuted(law, draw):
    verdict, _ = run_sampler(law_test(law), draw(), 5_000)
    assert verdict.outcome in (Outcome.PASS, Outcome.INCONCLUSIVE)
    assert not verdict.e_value.refutes("1/100")


def test_wrong_samplers_of_huge_scales_are_found():
    test = law_test(discrete_gaussian(10**12))
    assert run_sampler(test, normal(9 * 10**11, 3), 10_000)[0].outcome is Outcome.FAIL
    test = law_test(discrete_laplace(2**48))
    rounded = run_sampler(test, lambda n: [k - k % 4 for k in right(2**48, 3)(n)], 1_000)[0]
    assert rounded.outcome is Outcome.FAIL
    assert "digits" in rounded.witness.arm


def test_budget_that_ends_early_is_inconclusive_and_says_so():
    verdict, counted = run_sampler(TEST, right(22, 9), 1000)
    assert (verdict.outcome, counted.draws) == (Outcome.INCONCLUSIVE, 1000)
    assert all(power < F(999, 1000) for _, power in verdict.power)


@pytest.mark.parametrize("value", [float("nan"), "3", None, True, 1.0, [1], object()])
def test_what_is_no_value_is_an_error(value):
    verdict, _ = run_sampler(TEST, lambda n: [value, *right(22, 1)(n - 1)], 10_000)
    assert verdict.outcome is Outcome.ERROR
    assert verdict.draws == 128


def test_what_the_law_never_gives_refutes_by_itself():
    halves = lattice_test(discrete_laplace(3), location="1/4", granularity="1/2")
    assert halves.tally([0.75, F(1, 4), -1.25]).counts[0] != halves.empty.counts[0]
    verdict = halves.judge(halves.tally([0.75, 0.5]))
    assert (verdict.outcome, verdict.error) == (Outcome.FAIL, 0)
    assert "0.5" in verdict.reason
    coin = finite_test({"a": F(1, 2), "b": F(1, 2)})
    assert coin.judge(coin.tally(["a", "c"])).outcome is Outcome.FAIL
    assert coin.judge(coin.tally(["a", 1])).outcome is Outcome.ERROR
    test = float_test(laplace(1))
    assert test.judge(test.tally([float("inf")])).outcome is Outcome.FAIL
    assert test.judge(test.tally([1])).outcome is Outcome.ERROR


def test_floats_beside_a_grid_that_has_no_floats_refute_nothing():
    """0.1 is not 1/10, and whoever claims multiples of 1/10 means what a library of floats gives for them."""
    tenths = lattice_test(discrete_laplace(3), granularity="1/10")
    assert tenths.judge(tenths.tally([0.1, 0.2])).outcome is Outcome.ERROR
    assert tenths.judge(tenths.tally([F(1, 10), 3])).outcome is Outcome.INCONCLUSIVE
    assert tenths.judge(tenths.tally([F(1, 20)])).outcome is Outcome.FAIL


def test_tallies_add_up_whatever_the_order():
    values = right(22, 4)(600)
    parts = [TEST.tally(values[i : i + 200]) for i in (0, 200, 400)]
    whole = TEST.tally(values)
    assert (
        (parts[0] + parts[1]) + parts[2] == parts[0] + (parts[1] + parts[2]) == parts[2] + parts[0] + parts[1] == whole
    )
    assert whole + TEST.empty == whole
    with pytest.raises(ValueError, match="same views"):
        whole + Tally(((1, 2),))


def test_evidence_of_earlier_nights_is_carried_on():
    draw = right(F(209, 10), 11)
    first, counted = run_sampler(TEST, draw, 8_000)
    assert first.outcome is Outcome.INCONCLUSIVE
    verdict, total = run_sampler(TEST, draw, 40_000, counted)
    assert verdict.outcome is Outcome.FAIL
    assert total.draws > 8_000


def test_draw_must_give_what_it_is_asked_for():
    with pytest.raises(ValueError, match="128 values, got 3"):
        run_sampler(TEST, lambda n: [0, 1, 2], 1000)


def floats(spread: float, seed: int, family: str = "laplace"):
    random = Random(seed)
    one = (lambda: random.gauss(0, spread)) if family == "gaussian" else (lambda: spread * laplace_draw(random))
    return lambda n: [one() for _ in range(n)]


def laplace_draw(random: Random) -> float:
    return random.expovariate(1) * random.choice((1, -1))


@pytest.mark.parametrize("family", ["laplace", pytest.param("gaussian", marks=pytest.mark.long)])
def test_float_samplers_are_judged_by_their_continuous_law(family):
    test = float_test({"laplace": laplace, "gaussian": gaussian}[family]("5/2"))
    verdict, _ = run_sampler(test, floats(2.5, 1, family), 60_000)
    assert verdict.outcome is Outcome.PASS
    other = "gaussian" if family == "laplace" else "laplace"
    assert run_sampler(test, floats(2.5, 1, other), 3_000)[0].outcome is Outcome.FAIL


def test_float_samplers_around_a_location_may_round_as_floats_do():
    test = float_test(laplace(1), location=2**30)
    noise = floats(1.0, 2)
    assert run_sampler(test, lambda n: [2.0**30 + z for z in noise(n)], 5_000)[0].outcome is Outcome.INCONCLUSIVE
    coarse = run_sampler(test, lambda n: [2.0**30 + round(z) for z in noise(n)], 5_000)[0]
    assert coarse.outcome is Outcome.FAIL


def response(p: float, seed: int):
    random = Random(seed)
    return lambda n: [random.random() < p for _ in range(n)]


def test_finite_laws_given_by_enclosures_are_tested():
    e = F(2718281828459045, 10**15)
    tiny = F(1, 10**15)
    masses = {
        True: Interval(e / (1 + e) - tiny, e / (1 + e) + tiny),
        False: Interval(1 / (1 + e) - tiny, 1 / (1 + e) + tiny),
    }
    test = finite_test(masses, name="randomised response")
    assert run_sampler(test, response(0.7310586, 1), 30_000)[0].outcome is Outcome.PASS
    verdict, _ = run_sampler(test, response(0.70, 1), 15_000)
    assert verdict.outcome is Outcome.FAIL
    assert verdict.witness.cell in ("True", "False")
    assert run_sampler(test, lambda n: [1] * n, 200)[0].outcome is Outcome.ERROR  # 1 is not True


def test_long_finite_laws_are_tested_and_pass_speaks_of_blocks():
    random = Random(3)
    test = finite_test({k: F(1, 100) for k in range(100)})
    verdict, _ = run_sampler(test, lambda n: [random.randrange(100) for _ in range(n)], 30_000)
    assert verdict.outcome is Outcome.PASS
    assert any("one of 0 to 6" in name for name, _ in verdict.power)
    odd = run_sampler(test, lambda n: [random.randrange(100) | (random.random() < 0.2) for _ in range(n)], 10_000)[0]
    assert odd.outcome is Outcome.FAIL


def test_laws_of_one_outcome_are_refuted_by_any_other_and_never_pass():
    test = finite_test({"a": F(1)})
    assert run_sampler(test, lambda n: ["a"] * n, 1000)[0].outcome is Outcome.INCONCLUSIVE
    other = finite_test({"a": F(1), "b": F(0)})
    assert run_sampler(other, lambda n: ["a"] * (n - 1) + ["b"], 1000)[0].outcome is Outcome.FAIL


@pytest.mark.parametrize("masses", [{}, {0: F(1, 2)}, {0: F(3, 2), 1: F(-1, 2)}, {0: 0.5, 1: 0.5}])
def test_finite_laws_refuse_masses_of_no_law(masses):
    with pytest.raises((ValueError, TypeError)):
        finite_test(masses)


def test_hundred_thousand_draws_are_judged_with_a_few_calls_each():
    draws = right(22, 2)(10**5)
    waiting = iter(draws)
    with counted() as calls:
        verdict, _ = run_sampler(TEST, lambda n: [next(waiting) for _ in range(n)], 10**5, on=True)
    assert verdict.outcome is Outcome.PASS
    assert calls.number < 20 * 10**5


def test_witness_is_the_cell_farthest_from_its_expectation():
    verdict, _ = run_sampler(TEST, doubled_zero(22, 6), 10_000)
    assert verdict.witness.cell == "0"
    assert verdict.witness.count > verdict.witness.expected
    assert "in 0: " in verdict.reason


@pytest.mark.long
@pytest.mark.parametrize(
    ("law", "draw"),
    [
        (discrete_laplace(22), lambda: right(22, 1)),
        (discrete_gaussian(1000), lambda: normal(1000, 2)),
        (discrete_laplace(2**48), lambda: right(2**48, 3)),
    ],
    ids=["laplace", "gaussian", "huge"],
)
def test_right_samplers_are_never_refuted_by_ten_million_draws(law, draw):
    verdict, counted = run_sampler(law_test(law), draw(), 10**7, on=True)
    assert counted.draws == 10**7
    assert verdict.outcome is Outcome.PASS


@pytest.mark.long
@pytest.mark.parametrize(
    ("make", "median"),
    [
        (lambda seed: right(F(88, 5), seed), 1_500),
        (lambda seed: right(F(99, 5), seed), 6_200),
        (lambda seed: right(F(209, 10), seed), 28_000),
        (lambda seed: right(F(539, 25), seed), 189_000),
        (lambda seed: doubled_zero(22, seed), 3_900),
        (lambda seed: biased(22, seed), 172_000),
        (lambda seed: cut(22, seed), 69_000),
    ],
    ids=["0.8", "0.9", "0.95", "0.98", "zero", "sign", "tail"],
)
def test_median_of_draws_needed_is_as_stated(make, median):
    needed = sorted(run_sampler(TEST, make(seed), 10**6, on=True)[0].draws for seed in range(9))
    assert needed[4] <= median
