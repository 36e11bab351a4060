"""Pictures of losses and trade-off curves: bars hold the true probabilities, bands the true curves, rounded outward."""

from fractions import Fraction
from itertools import pairwise
from math import comb, exp, inf, isclose, log

import pytest

from refdp.accounting.accounts import Account
from refdp.accounting.events import Approximate, Event, Gaussian, Laplace, Poisson, RandomisedResponse
from refdp.claims import claim, ledger
from refdp.numerics.exact import ExactReal
from refdp.report.certificates import theorem_of
from refdp.report.pictures import losses, trade_offs
from refdp.report.pictures.accounts import Bounds, Picture, corners, draw
from refdp.report.pictures.files import drawn
from refdp.report.pictures.kinds import KINDS
from refdp.report.pictures.laws import Laws
from refdp.report.pictures.of_claims import claim_makers
from refdp.report.pictures.plans import plan_of

COUNT = 7
BITS = Account("none", (Event(RandomisedResponse(Fraction(3, 4)), COUNT),))
SAMPLED = Account("add_remove", (Event(Gaussian(Fraction(1)), 30, Poisson(Fraction(1, 10))),))
LEAKY = Account("change_one", (Event(Approximate(ExactReal(Fraction(1)), Fraction(1, 10))),))


def test_bars_of_a_lattice_are_the_binomial_law():
    (side,) = losses.sides_of(BITS, 20)
    assert side.is_lattice
    truth = {round((2 * k - COUNT) * log(3), 6): comb(COUNT, k) * 3**k / 4**COUNT for k in range(COUNT + 1)}
    bars = {round(bar.middle, 6): bar for bar in side.bars}
    for loss, mass in truth.items():
        if loss in bars:
            assert bars[loss].least <= mass <= bars[loss].most
    assert sum(mass for loss, mass in truth.items() if loss not in bars) < 0.01


def test_bars_hold_all_of_the_law_but_a_little():
    for side in losses.sides_of(SAMPLED, 20):
        assert sum(bar.least for bar in side.bars) <= 1
        assert sum(bar.most for bar in side.bars) > 0.995
        assert all(a.high == b.low for a, b in pairwise(side.bars))
        assert all(0 <= bar.least <= bar.most for bar in side.bars)


def test_directions_are_named_where_they_differ():
    assert [side.name for side in losses.sides_of(SAMPLED, 20)] == ["row removed", "row added"]
    assert [side.name for side in losses.sides_of(BITS, 20)] == [""]


def test_infinite_losses_are_told():
    (side,) = losses.sides_of(LEAKY, 20)
    assert isclose(side.infinite[0], 0.1)
    assert isclose(side.infinite[1], 0.1)
    assert "infinite with probability 0.1" in list(losses.remarks([side]))


def test_atoms_of_two_laws_are_grouped_by_loss():
    both = Laws((Fraction(0), Fraction(1), Fraction(2), Fraction(3)), (0.4, 0.4, 0.1, 0.1), (0.2, 0.2, 0.6, 0.0))
    side = losses.atoms_of(both)
    assert [(round(bar.low, 6), bar.most) for bar in side.bars] == [
        (round(log(1 / 6), 6), 0.1),
        (round(log(2), 6), 0.8),
    ]
    assert side.infinite == (0.1, 0.1)
    assert both.losses[3] == inf


def test_loose_bars_are_hatched_over_what_is_certain():
    side = losses.Side("", (losses.Bar(0, 1, 0.2, 0.5), losses.Bar(1, 2, 0.5, 0.5)))
    with drawn(lambda figure: losses.draw_sides([side], figure)) as figure:
        bars = figure.axes[0].patches
        assert [(b.get_y(), b.get_height()) for b in bars] == [(0, 0.2), (0, 0.5), (0.2, 0.3)]
        assert bars[-1].get_hatch()


def test_band_is_drawn_through_the_certified_corners_outward():
    band = trade_offs.band_of(SAMPLED, 20)
    lower, upper = band.corners
    for points, exact, below in ((lower, band.lower, True), (upper, band.upper, False)):
        for (a, f), (b, g) in zip(points, exact.corners, strict=True):
            assert (Fraction(f) <= g) if below else (Fraction(f) >= g)
            assert isclose(a, b, abs_tol=1e-15)
    with drawn(lambda figure: trade_offs.draw_band(band, figure)) as figure:
        solid, dashed, *_ = figure.axes[0].lines
        assert list(zip(*solid.get_data(), strict=True)) == upper
        assert list(zip(*dashed.get_data(), strict=True)) == lower


def test_profile_is_drawn_between_its_bounds_rounded_outward():
    third = Fraction(1, 3)
    points = tuple(Bounds((Fraction(k),) * 2, (third ** (k + 3), third ** (k + 1))) for k in range(5))
    xs, lows, highs = corners(points)
    for b, low, high in zip(points, lows, highs, strict=True):
        assert Fraction(low) <= b.delta[0]
        assert Fraction(high) >= b.delta[1]
    with drawn(lambda figure: draw(Picture("title", "", points, ()), figure)) as figure:
        (band,) = figure.axes[0].collections
        vertices = {tuple(v) for v in band.get_paths()[0].vertices}
        assert {*zip(xs, lows, strict=True), *zip(xs, highs, strict=True)} <= vertices
        words = {text.get_text() for text in figure.axes[0].texts}
        assert {"upper bound", "lower bound"} <= words


def test_bounds_that_look_like_one_line_are_told_in_words():
    points = tuple(Bounds((Fraction(k),) * 2, (Fraction(999, 10**6), Fraction(1, 1000))) for k in range(5))
    with drawn(lambda figure: draw(Picture("title", "", points, ()), figure)) as figure:
        assert any("at most 1.0e-03 of delta apart" in text.get_text() for text in figure.axes[0].texts)


@pytest.mark.parametrize(
    ("identifier", "kinds"),
    [
        ("laplace.pure", ["laws", "profile", "losses", "trade_off", "derivation"]),
        ("randomised_response.pure", ["laws", "profile", "divergences", "losses", "trade_off", "derivation"]),
        ("exponential.pure", ["laws", "profile", "divergences", "losses", "derivation"]),
        ("laplace.normalised", ["derivation"]),
        ("histogram.add_remove_bound_under_change_one", ["tables", "derivation"]),
    ],
)
def test_claims_have_the_pictures_that_fit(identifier, kinds):
    makers = claim_makers(claim(identifier), 20)
    assert sorted(makers) == sorted(kinds)
    for maker in makers.values():
        assert len(maker().content(".svg")) < 40_000


def test_every_claim_has_a_picture_and_the_one_of_its_page_is_the_first():
    for one in ledger():
        makers, plan = claim_makers(one, 20), plan_of(one, theorem_of(one))
        assert next(iter(makers)) == (plan.kind if plan else next(k for k in (*KINDS, "") if k in makers or not k))


@pytest.mark.parametrize("identifier", ["gaussian.classical", "discrete_laplace.pure", "permute_and_flip.pure"])
def test_claims_of_every_sort_are_drawn_in_every_kind_that_fits(identifier):
    for maker in claim_makers(claim(identifier), 20).values():
        assert "<svg" in maker().content(".svg")


def test_losses_of_laplace_noise_have_its_atoms():
    (side,) = losses.sides_of(Account("none", (Event(Laplace(Fraction(1))),)), 20)
    first, last = side.bars[0], max(side.bars, key=lambda bar: bar.most)
    assert isclose(last.most, 0.5, abs_tol=0.02)
    assert isclose(first.most, exp(-1) / 2, abs_tol=0.02)
