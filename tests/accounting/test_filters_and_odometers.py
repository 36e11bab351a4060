"""Filters, odometers and the table of sampling: random interactions, whole laws of transcripts, and every refusal."""

from fractions import Fraction as F
from random import Random

import pytest
from mpmath import mp, mpf

from refdp.accounting.theorems.amplification import ROWS, SCHEMES, amplified
from refdp.accounting.theorems.filters import (
    LEMMAS,
    NO_FILTER,
    Exhausted,
    advanced_filter,
    advanced_loss,
    privacy_filter,
    refuse,
)
from refdp.accounting.theorems.guarantees import PARAMETERS, RELATIONS, HypothesisError, guarantee
from refdp.accounting.theorems.odometers import odometer
from refdp.numerics.exact import Ln, exact_real
from refdp.spec.distances import greatest_ratio, hockey_stick, renyi_moment
from tests.exactness.test_gaussian_privacy import mu_of


def known(measure, *loss, neighbours="add_remove"):
    return guarantee(measure, *loss, neighbours=neighbours)


def to_mp(x):
    return mpf(x.numerator) / x.denominator


def random_pair(chance, least):
    """Two laws of two outcomes, near to each other."""
    masses = [F(chance.randint(least, 5), 10), F(chance.randint(least, 5), 10)]
    return tuple({0: m, 1: 1 - m} for m in masses)


def ln_of(x):
    return F(0) if x == 1 else Ln(x)


def event_of(measure, pair, chance):
    """A true guarantee of the pair, both ways."""
    both = [pair, pair[::-1]]
    if measure == "pure":
        return known("pure", ln_of(max(greatest_ratio(*one) for one in both)))
    if measure == "approximate":
        t = F(chance.randint(4, 8), 4)
        return known("approximate", ln_of(t), max(hockey_stick(*one, t) for one in both))
    if measure == "renyi":
        with mp.workdps(20):
            e = max(mp.log(to_mp(renyi_moment(*one, 3))) / 2 for one in both)
            return known("renyi", 3, F(int(e * 10**6) + 1, 10**6))
    with mp.workdps(20):
        return known("gaussian", F(int(mu_of(both) ** 2 * 10**6) + 1, 10**6))


def transcript(chance, measure, filter_, rounds, least):
    """The laws of (P, Q) of an interaction: after each outcome another mechanism is chosen, if it is admitted."""
    if rounds == 0 or chance.random() < 0.15:
        return {(): F(1)}, {(): F(1)}
    for _ in range(4):
        pair = random_pair(chance, least)
        event = event_of(measure, pair, chance)
        if filter_.admits(event):
            break
    else:
        return {(): F(1)}, {(): F(1)}
    p, q = {}, {}
    for y in (0, 1):
        first, second = transcript(chance, measure, filter_.spend(event), rounds - 1, least)
        p |= {(y, *rest): pair[0][y] * m for rest, m in first.items()}
        q |= {(y, *rest): pair[1][y] * m for rest, m in second.items()}
    return p, q


BUDGETS = {
    "pure": known("pure", "ln(6)"),
    "approximate": known("approximate", "ln(4)", "1/4"),
    "renyi": known("renyi", 3, "1/2"),
    "gaussian": known("gaussian", "1"),
}


@pytest.mark.parametrize("measure", BUDGETS)
def test_transcript_of_an_interaction_is_within_the_budget(measure):
    """Up to four rounds; the budget is used up to more than half in some of them."""
    far, budget = 0, BUDGETS[measure]
    for seed in range(60 if measure == "gaussian" else 150):
        chance = Random(f"{measure} {seed}")
        p, q = transcript(chance, measure, privacy_filter(budget), 4, int(measure != "approximate"))
        for one in ((p, q), (q, p)):
            if measure == "pure":
                assert greatest_ratio(*one) <= 6
                far += greatest_ratio(*one) > 3
            elif measure == "approximate":
                assert hockey_stick(*one, F(4)) <= F(1, 4)
                far += hockey_stick(*one, F(4)) > F(1, 16)
            elif measure == "renyi":
                with mp.workdps(20):
                    divergence = mp.log(to_mp(renyi_moment(*one, 3))) / 2
                assert divergence <= 0.5
                far += divergence > 0.25
            else:
                mu = mu_of([one]) if len(one[0]) > 1 else 0
                assert mu <= 1
                far += mu > 0.7
    assert far > 5


def test_filter_admits_just_what_is_left():
    start = privacy_filter(known("approximate", "1", "1/10"))
    half = start.spend(known("approximate", "1/2", "1/20"))
    assert half.admits(known("approximate", "1/2", "1/20"))
    assert not half.admits(known("approximate", "1/2", "1/19"))
    assert half.why_not(known("approximate", "51/100", "0")) == "101/100 would be spent of 1"
    with pytest.raises(Exhausted, match="would be spent of 1"):
        half.spend(known("approximate", "51/100", "0"))
    assert start.admits(known("approximate", "1", "1/10"))
    full = privacy_filter(known("pure", "ln(6)")).spend(known("pure", "ln(3)"))
    assert full.admits(known("pure", "ln(2)"))
    assert not full.admits(known("pure", "ln(201/100)"))
    renyi = privacy_filter(known("renyi", 3, 1)).spend(known("renyi", 3, "1/2"))
    assert renyi.spent == (F(1, 2),)
    assert not renyi.admits(known("renyi", 3, "51/100"))


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (known("concentrated", 1), "the filter is of measure pure, got concentrated"),
        (known("pure", 0, neighbours="change_one"), "the filter is of neighbours add_remove, got change_one"),
    ],
)
def test_filter_refuses_what_it_is_not_of(event, sentence):
    assert privacy_filter(known("pure", 1)).why_not(event) == sentence


def test_filter_of_one_order_refuses_another():
    assert "of order 2, got 3" in privacy_filter(known("renyi", 2, 1)).why_not(known("renyi", 3, 0))


def test_filters_are_there_for_every_measure_and_refused_without_a_theorem():
    assert set(LEMMAS) == set(PARAMETERS)
    assert "chosen adaptively" in str(refuse("profile"))
    assert "fixed beforehand" in str(refuse("optimal"))
    assert str(refuse("anything")) == "there is no filter of anything"
    assert not set(NO_FILTER) & set(LEMMAS)


def test_advanced_filter_spends_squares_and_names_whom_it_trusts():
    start = advanced_filter("1", "1e-6", "add_remove", failures="1/100")
    event = known("pure", "1/100")
    spent = 0
    current = start
    while current.admits(event):
        current, spent = current.spend(event), spent + 1
    with mp.workdps(30):
        most = max(k for k in range(1000) if mp.sqrt(2 * mp.log(10**6) * k / mpf(10**4)) + k / mpf(2 * 10**4) <= 1)
    assert spent == most
    with pytest.raises(Exhausted, match="would be spent of 1"):
        current.spend(event)
    assert current.trusts == frozenset()
    assert current.guarantee.loss == (1, F(1, 100) + F(1, 10**6))
    assert start.spend(known("approximate", "1/100", "1/100")).trusts == {"WRRW23 Thm 1"}
    assert "deltas of 1/50 would be spent" in start.why_not(known("approximate", "1/100", "1/50"))
    assert "pure and approximate DP" in start.why_not(known("concentrated", 1))
    assert "of one edit under add_remove" in start.why_not(known("pure", 1, neighbours="change_one"))
    with mp.workdps(30):
        truth = mp.sqrt(2 * mp.log(10**6) / 4) + mpf(1) / 8
        assert 0 <= to_mp(advanced_loss(F(1, 4), F(1, 10**6))) - truth < mpf(10) ** -17


@pytest.mark.parametrize(("epsilon", "slack", "failures"), [(-1, "1/2", 0), (1, 0, 0), (1, 1, 0), (1, "1/2", -1)])
def test_advanced_filter_out_of_range_is_refused(epsilon, slack, failures):
    with pytest.raises(HypothesisError, match="must be"):
        advanced_filter(epsilon, slack, "add_remove", failures)


def test_odometer_of_pure_dp_reads_the_sum():
    reading = odometer("pure", "add_remove").spend(known("pure", "ln(2)")).spend(known("pure", "1/2")).reading
    assert reading.loss == (exact_real("ln(2) + 1/2"),)
    assert odometer("pure", "add_remove").reading.loss == (0,)


def test_odometer_of_concentrated_dp_reads_the_level_above_what_was_spent():
    start = odometer("concentrated", "add_remove", "1e-6", "1/100")
    assert start.reading.loss == (0, F(1, 10**6))
    for spent, level in (("1/100", 0), ("11/1000", 1), ("2/100", 1), ("1/10", 4)):
        one = start.spend(known("concentrated", spent))
        assert one.level == level
        with mp.workdps(30):
            rho, share = mpf(2) ** level / 100, mpf(10) ** -6 / ((level + 1) * (level + 2))
            truth = rho + 2 * mp.sqrt(rho * mp.log(1 / share))
            assert 0 <= to_mp(one.reading.loss[0]) - truth < mpf(10) ** -16
    assert one.spend(known("concentrated", "1/100")).spent == F(11, 100)


def test_odometer_levels_share_delta_and_are_all_right_at_once():
    """Random walks of losses of zCDP mechanisms, both ways: exact probability that some reading is ever too small."""
    t = F(3, 2)
    rho = F(83, 1000)  # (ln 3/2)^2 / 2 = 0.0822, rounded up
    delta = F(1, 4)
    walk = {0: F(1)}
    start, wrong = odometer("concentrated", "add_remove", delta, rho), F(0)
    for _ in range(12):
        start = start.spend(known("concentrated", rho))
        bound = start.reading.loss[0]
        stepped = {}
        for height, mass in walk.items():
            for up, p in ((1, t / (1 + t)), (-1, 1 / (1 + t))):
                stepped[height + up] = stepped.get(height + up, F(0)) + mass * p
        walk = {}
        for height, mass in stepped.items():
            if height > 0 and height * Ln(t) > bound:
                wrong += mass
            else:
                walk[height] = mass
    assert wrong <= delta


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: odometer("gaussian", "add_remove"), "an odometer is stated for"),
        (lambda: odometer("pure", "add_remove", "1/2"), "has no delta"),
        (lambda: odometer("concentrated", "add_remove", 0), "delta must be in"),
        (lambda: odometer("concentrated", "add_remove", "1/2", 0), "step > 0"),
        (lambda: odometer("pure", "add_remove").spend(known("approximate", 1, 0)), "an odometer is stated for"),
        (lambda: odometer("pure", "add_remove").spend(known("concentrated", 1)), "of pure DP, got concentrated"),
        (lambda: odometer("pure", "add_remove").spend(known("pure", 1, neighbours="change_one")), "of one edit under"),
    ],
)
def test_odometer_without_a_theorem_is_refused(call, sentence):
    with pytest.raises(HypothesisError, match=sentence):
        call()


def test_table_of_sampling_has_a_row_for_everything():
    assert set(ROWS) == {(s, a, b) for s in SCHEMES for a in RELATIONS for b in RELATIONS}
    assert all(bool(row.theorem) != bool(row.why_not) for row in ROWS.values())
    assert sum(bool(row.theorem) for row in ROWS.values()) == 4


def test_sampled_losses_are_those_of_the_rules():
    base = known("approximate", "ln(3)", "1/10")
    replaced = known("approximate", "ln(3)", "1/10", neighbours="change_one")
    assert amplified("poisson", "add_remove", base, "1/2").loss == (Ln(2), F(1, 20))
    assert amplified("fixed_size", "change_one", replaced, "1/2").loss == (Ln(2), F(1, 20))
    twice = amplified("poisson", "change_one", base, "1/2")
    assert (twice.loss, twice.neighbours) == ((Ln(4), F(3, 20)), "change_one")
    after = amplified("fixed_size", "change_one", base, "1/2")  # (ln 9, 4/10) for a replaced row, then 5 and 1/5
    assert (after.loss, after.neighbours) == ((Ln(5), F(1, 5)), "change_one")
    with mp.workdps(40):
        found = amplified("poisson", "add_remove", known("pure", "1"), "1/10").loss[0]
        assert 0 <= to_mp(found) - mp.log(1 + (mp.e - 1) / 10) < mpf(10) ** -18
    assert amplified("poisson", "add_remove", base, 0).loss == (0, 0)
    assert amplified("poisson", "add_remove", base, 1).loss == base.loss


@pytest.mark.parametrize(
    ("scheme", "neighbours", "base", "sentence"),
    [
        ("poisson", "change_one", known("pure", 1, neighbours="change_one"), "gives nothing under change_one"),
        ("poisson", "add_remove", known("pure", 1, neighbours="change_one"), "gives nothing under add_remove"),
        ("fixed_size", "add_remove", known("pure", 1), "has no neighbours under add_remove"),
        ("fixed_size", "add_remove", known("pure", 1, neighbours="change_one"), "has no neighbours under add_remove"),
        ("shuffled", "add_remove", known("pure", 1), "no theorem is stated for shuffled rows"),
        ("poisson", "add_remove", known("gaussian", 1), "proved for pure and approximate DP here, got gaussian"),
        ("fixed_size", "change_one", known("concentrated", 1, neighbours="change_one"), "got concentrated"),
        ("cyclic", "add_remove", known("pure", 1), "scheme must be one of"),
        ("poisson", "hamming", known("pure", 1), "neighbours must be"),
    ],
)
def test_sampling_without_a_theorem_is_refused(scheme, neighbours, base, sentence):
    with pytest.raises(HypothesisError, match=sentence):
        amplified(scheme, neighbours, base, "1/2")


@pytest.mark.parametrize("rate", ["-1/10", "11/10"])
def test_sampling_at_no_probability_is_refused(rate):
    with pytest.raises(HypothesisError, match="rate must be between 0 and 1"):
        amplified("poisson", "add_remove", known("pure", 1), rate)
