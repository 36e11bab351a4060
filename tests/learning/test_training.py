"""DP-SGD in exact steps: clips, lots, noise, the whole run, and what is refused."""

from fractions import Fraction as F
from math import isqrt

import numpy as np
import pytest

import refdp
from refdp.auditing.evidence.binomial import tail
from refdp.learning import clipping
from refdp.learning.clipping import Clip, NotClipped, square_of
from refdp.learning.examples import PENGUINS, Bounded, Classes, examples_of
from refdp.learning.gradients import Linear, Logistic, OwnModel, from_loss
from refdp.learning.training import Plan, lot_of, noised, stepped, summed, trained
from tests.sampling.streams import Stream

PLAN = Plan(F(1, 10), 20, F(2), F(33), F(2))
FEATURES = [Bounded("bill_length_mm", F(30), F(60)), Bounded("body_mass_g", F(2500), F(6500))]
SEX = Classes("sex", "male", "female")
RNG = np.random.default_rng(5)


def exact_square(units):
    return sum(int(x) ** 2 for x in units.tolist())


@pytest.mark.parametrize("size", [1, 2, 5, 70_000])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3, 1e12, 1e300])
def test_a_clipped_vector_is_no_longer_than_its_bound_whatever_comes_in(size, scale):
    for clip in (Clip(F(1), F(1, 1024)), Clip(F(3, 7), F(1, 5)), Clip(F(1), F(1)), Clip(F(1), F(1, 2**30))):
        units = clip(RNG.normal(size=size) * scale)
        assert exact_square(units) <= clip.bound <= (clip.norm / clip.granularity) ** 2
        assert exact_square(units) == square_of(units)


def test_a_thousand_clipped_vectors_are_short_and_those_within_the_norm_are_kept():
    clip = Clip(F(1), F(1, 1024))
    for _ in range(1000):
        vector = RNG.normal(size=4) * RNG.choice([0.1, 0.5, 2.0])
        units, kept = clip(vector), np.trunc(vector * 1024).astype(np.int64)
        assert exact_square(units) <= clip.bound
        if exact_square(kept) <= clip.bound:
            assert (units == kept).all()
        else:  # nearly as long as it may be, in the same direction: each coordinate lost a unit at most
            assert exact_square(units) >= (isqrt(clip.bound) - 3) ** 2
            assert (units * kept >= 0).all()


def test_clips_are_those_of_the_transformation_but_for_a_unit():
    clip, step = Clip(F(5), F(1)), refdp.clipped_vector_sum(norm=5, dimension=2)
    for vector in ((6, 8), (-1, 2), (0, 0), (100, 0), (-30, 40), (3, 4), (-7, -7)):
        ours = clip(np.array(vector, dtype=np.float64)).tolist()
        assert all(abs(a - b) <= 1 for a, b in zip(ours, step([vector]), strict=True))


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_what_is_no_number_is_clipped_too(bad):
    clip = Clip(F(1), F(1, 1024))
    units = clip(np.array([bad, 1.0, -1.0]))
    assert exact_square(units) <= clip.bound
    assert np.isnan(bad) == (units[0] == 0)


def test_a_vector_that_stayed_too_long_is_not_used(monkeypatch):
    monkeypatch.setattr(clipping, "isqrt", lambda _: 1 << 30)
    with pytest.raises(NotClipped):
        Clip(F(1), F(1, 1024))(np.array([2.0, 2.0]))


@pytest.mark.parametrize("units", [[2**32] * 3, [-(2**32), 2**31 + 12345], [0], [], [2**31] * 70_000, [-5, 3]])
def test_squares_are_exact(units):
    assert square_of(np.array(units, np.int64)) == sum(x * x for x in units)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"rate": F(0)}, "rate must be > 0 and <= 1, got 0"),
        ({"rate": F(11, 10)}, "rate must be > 0 and <= 1, got 11/10"),
        ({"steps": 0}, "steps must be a whole number from 1 to 1000000, got 0"),
        ({"steps": True}, "steps must be"),
        ({"noise_multiplier": F(0)}, "noise_multiplier must be > 0, got 0"),
        ({"noise_multiplier": F(10**7)}, "noise_multiplier must be at most"),
        ({"lot": F(0)}, "lot must be > 0, got 0"),
        ({"learning_rate": F(-1)}, "learning_rate must be > 0, got -1"),
        ({"norm": F(0)}, "granularity must be > 0 and at most the norm 0"),
        ({"granularity": F(0)}, "granularity must be > 0"),
        ({"granularity": F(2)}, "granularity must be > 0 and at most the norm 1, got 2"),
        ({"granularity": F(1, 2**31)}, "norm must be at most 2\\^30 times granularity"),
        ({"noise_multiplier": F(1, 2000)}, "granularity must be at most the deviation of the noise"),
    ],
)
def test_plans_that_are_none_are_refused(changed, said):
    words = {"rate": F(1, 10), "steps": 20, "noise_multiplier": F(2), "lot": F(33), "learning_rate": F(2)}
    with pytest.raises(ValueError, match=said):
        Plan(**words | changed)


def test_examples_are_scaled_by_public_bounds_and_rows_without_a_label_are_kept():
    found = examples_of(PENGUINS, FEATURES, SEX)
    assert (found.size, int(found.known.sum())) == (344, 333)
    assert found.features[0].tolist() == [float((F("39.1") * 2 - 90) / 30), (2 * 3750 - 9000) / 4000, 1.0]
    assert found.features[3].tolist() == [0.0, 0.0, 1.0]
    assert not found.known[3]
    assert np.abs(found.features).max() <= 1


def test_cells_beyond_the_bounds_are_cut_off():
    assert [Bounded("x", F(0), F(2)).scaled(c) for c in (F(-9), F(0), F(1), F(3, 2), F(9), None)] == [
        -1,
        -1,
        0,
        0.5,
        1,
        0,
    ]


def test_gradients_are_those_of_the_losses():
    """By differences of the loss: the oracle is its definition."""
    weights, x, h = np.array([0.3, -0.2, 0.1]), np.array([0.5, -1.0, 1.0]), 1e-6

    def log_loss(w, y):
        p = 1 / (1 + np.exp(-w @ x))
        return -(y * np.log(p) + (1 - y) * np.log(1 - p))

    losses = ((Logistic(), log_loss, (0.0, 1.0)), (Linear(), lambda w, y: (w @ x - y) ** 2 / 2, (0.3, -0.7)))
    for model, loss, labels in losses:
        for label in labels:
            expected = [(loss(weights + h * e, label) - loss(weights - h * e, label)) / (2 * h) for e in np.eye(3)]
            assert np.allclose(model.gradient(weights, x, label), expected, atol=1e-7)


def test_the_sum_of_a_lot_is_that_of_its_rows_and_rows_without_a_label_add_nothing():
    examples, weights = examples_of(PENGUINS, FEATURES, SEX), np.array([0.5, -0.5, 0.1])
    lot = np.zeros(344, np.bool_)
    assert summed(PLAN, Logistic(), weights, examples, lot).tolist() == [0, 0, 0]
    lot[[0, 3, 7]] = True
    one = [PLAN.clip(Logistic().gradient(weights, examples.features[i], examples.labels[i])) for i in (0, 7)]
    assert (summed(PLAN, Logistic(), weights, examples, lot) == one[0] + one[1]).all()


def test_noise_has_the_deviation_of_the_sum_and_not_of_the_mean():
    """P[|Z| <= 0.6745 sigma C] is 1/2 but for the grid; false alarms below 1e-10 on each side."""
    drawn = noised(PLAN, np.zeros(20_000, np.int64))
    inside = int((np.abs(drawn) <= 0.6745 * 2048).sum())
    assert tail(20_000, inside, F(501, 1000)).upper > F(1, 10**10)
    assert tail(20_000, 20_000 - inside, F(501, 1000)).upper > F(1, 10**10)


def test_lots_are_coins_even_of_no_row():
    assert lot_of(PLAN, 0).shape == (0,)
    sizes = sum(int(lot_of(PLAN, 1000).sum()) for _ in range(20))
    assert tail(20_000, sizes, F(1, 10)).upper > F(1, 10**10)
    assert tail(20_000, 20_000 - sizes, F(9, 10)).upper > F(1, 10**10)


def test_a_step_divides_by_the_public_number():
    found = stepped(PLAN, np.zeros(1), np.array([1024 * 33]))
    assert np.allclose(found, [-2.0])


def test_a_table_without_rows_is_noised_and_stepped_all_the_same():
    examples = examples_of(PENGUINS, FEATURES, SEX)
    nothing = type(examples)(examples.features[:0], examples.labels[:0], examples.known[:0])
    run = trained(PLAN, Logistic(), nothing)
    assert (run.weights != 0).all()
    assert (run.plain == 0).all()


def test_a_run_is_a_function_of_the_digits_and_learns():
    depth, length = Bounded("bill_depth_mm", F(13), F(22)), Bounded("flipper_length_mm", F(170), F(235))
    examples = examples_of(PENGUINS, [*FEATURES, depth, length], SEX)
    runs = [trained(PLAN, Logistic(), examples, Stream(3)) for _ in range(2)]
    assert (runs[0].weights == runs[1].weights).all()
    assert runs[0].marks[-1].step == 20
    assert runs[0].marks[-1].plain > 0.8  # of 12 streams none gave less than 0.85
    assert trained(PLAN, Logistic(), examples, Stream(4)).weights.tolist() != runs[0].weights.tolist()


def test_a_model_of_ones_own_is_trained_like_the_built_in_one():
    own = OwnModel(Logistic().gradient, 3, Logistic().measure)
    examples = examples_of(PENGUINS, FEATURES, SEX)
    assert (
        trained(PLAN, own, examples, Stream(3)).weights == trained(PLAN, Logistic(), examples, Stream(3)).weights
    ).all()


def test_a_gradient_of_another_shape_is_refused():
    own = OwnModel(lambda w, x, y: [1.0], 3)
    with pytest.raises(ValueError, match=r"a gradient must have the shape \(3,\)"):
        own.gradient(np.zeros(3), np.zeros(3), 0.0)


def test_a_loss_needs_jax(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(ValueError, match="a loss needs jax"):
        from_loss(lambda w, x, y: 0, 3)


def test_noise_of_a_step_of_a_hundred_thousand_numbers_is_fewer_operations_than_its_gradients():
    """Counted, not timed: numbers that pass through arrays.  benchmarks/training.py has the processor time of both.

    A row's gradient alone goes through at least ten arrays of 10^5 numbers, and a lot has dozens of rows; the noise of
    the step is asked for once, of 10^5 numbers.
    """
    size, rows, asked = 100_000, 40, []
    plan = Plan(F(1), 1, F(2), F(40), F(1))
    examples = type(examples_of(PENGUINS, FEATURES, SEX))(np.ones((rows, size)), np.ones(rows), np.ones(rows, np.bool_))

    class Counted(Logistic):
        def gradient(self, weights, features, label):
            asked.append(features.size)
            return super().gradient(weights, features, label)

    class Digits(Stream):
        def octets(self, count):
            asked_digits.append(count)
            return super().octets(count)

    asked_digits = []
    total = summed(plan, Counted(), np.zeros(size), examples, np.ones(rows, np.bool_))
    noised(plan, total, Digits(1))
    assert sum(asked) == rows * size
    assert sum(asked_digits) < sum(asked) * 8


KINDS = [np.float16, np.float32, np.longdouble, np.int8, np.int64, np.uint64, np.bool_]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("granularity", [F(1), F(1, 1024), F(1, 2**30)])
def test_a_vector_of_any_type_is_clipped(kind, granularity):
    """In float16 the ends to which coordinates are clipped are infinite, and what is infinite is no int64."""
    clip = Clip(F(1), granularity)
    for vector in (np.array([100, 100], kind), np.full(50, 100, kind), np.zeros(3, kind), np.array([], kind)):
        units = clip(vector)
        assert units.dtype == np.int64
        assert exact_square(units) <= clip.bound


def test_units_beyond_what_squares_are_exact_of_are_refused():
    """The square of two numbers -2^63 would come out as 0."""
    for units in ([-(2**63)] * 2, [2**33, 0], [-(2**32) - 1]):
        with pytest.raises(NotClipped, match="at most 2\\^32"):
            square_of(np.array(units, np.int64))
    assert square_of(np.array([2**32, -(2**32)], np.int64)) == 2**65


@pytest.mark.parametrize("granularity", [F(1, 10**330), F(1, 2**1000), F(2**1000), F(10**400)])
def test_a_granularity_that_is_no_usual_float_is_refused(granularity):
    with pytest.raises(ValueError, match=r"granularity must be from 2\^-900 to 2\^900"):
        Clip(granularity * 4, granularity)


@pytest.mark.parametrize("shape", [(1,), (2,), (4, 4), ()])
def test_a_gradient_that_would_be_added_to_every_weight_is_refused(shape):
    class Odd(Logistic):
        def gradient(self, weights, features, label):
            return np.full(shape, 5.0)

    examples = examples_of(PENGUINS, FEATURES, SEX)
    with pytest.raises(ValueError, match="a gradient must"):
        summed(PLAN, Odd(), np.zeros(3), examples, np.ones(len(examples.labels), bool))
