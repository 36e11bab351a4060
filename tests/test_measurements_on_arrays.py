"""M(x) on vectors and arrays: the numbers of the certified samplers, in the type that was given, and no wrap."""

import random
from fractions import Fraction as F

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import refdp
from refdp import (
    clamped_sum,
    discrete_gaussian,
    discrete_laplace,
    exponential,
    k_ary_randomised_response,
    permute_and_flip,
    randomised_response,
    truncated_geometric,
)
from refdp.sampling.bulk import drawing as bulk
from refdp.sampling.bulk.drawing import _of_ints as of_ints
from refdp.sampling.bulk.drawing import _outputs as outputs_of
from refdp.sampling.bulk.drawing import _suits, scaled
from refdp.sampling.coins import Coins
from refdp.sampling.drawing import Randomness, WordFlips, chosen
from refdp.sampling.exponential import gaussian, laplace
from refdp.sampling.lookup import Exponentials, LookupDraws
from refdp.sampling.plans import Choice, Clamped, Noise, plan_of
from refdp.sampling.schemes import draw
from refdp.sampling.selection import flipped
from refdp.sampling.tables import BREAK_EVEN_OF_NOISE
from refdp.sampling.tree import Tape
from refdp.sampling.words import Recorded
from tests.counting import counted
from tests.examples import few
from tests.sampling import exact_elements
from tests.sampling.streams import Stream

MOST = 2**63 - 1
N = few(3000)
SCALARS = {
    "laplace": (discrete_laplace("22/7"), (-5, 5)),
    "laplace on a grid of 4": (discrete_laplace(9, 4), None),
    "gaussian": (discrete_gaussian(1000), (-5, 5)),
    "truncated": (truncated_geometric(6, -3, 12, 3), None),
    "binary": (randomised_response("3/4"), (0, 1)),
    "5-ary": (k_ary_randomised_response(5, "1/2"), (0, 4)),
}


def inputs(key: str) -> list[int]:
    """Inputs of the mechanism, all kinds of them."""
    ends = SCALARS[key][1]
    if ends is None:
        return [3 * (i % 6) - 3 for i in range(N)] if key == "truncated" else [4 * (i % 9) for i in range(N)]
    return [ends[0] + i % (ends[1] - ends[0] + 1) for i in range(N)]


@pytest.mark.parametrize("key", SCALARS)
def test_each_gives_the_same_on_tuples_and_arrays(key):
    m, xs, digits = SCALARS[key][0], inputs(key), [Stream(5), Stream(5)]
    drawn = m.each(tuple(xs), source=digits[0])
    found = m.each(np.array(xs), source=digits[1])
    assert found.dtype == np.int64
    assert list(drawn) == found.tolist()
    assert all(type(y) is int for y in drawn)
    assert digits[0].used == digits[1].used


@pytest.mark.parametrize("key", ["laplace", "gaussian"])
def test_each_adds_the_draws_of_the_certified_sampler(key):
    m, xs = SCALARS[key][0], inputs(key)
    table = Randomness(source=Stream(5)).table(plan_of(m.subject), 1)
    assert m.each(np.array(xs), source=Stream(5)).tolist() == [
        x + k for x, k in zip(xs, table.draws.many(N, Stream(5)), strict=True)
    ]


def test_each_keeps_the_shape_of_an_array():
    bits = np.arange(24).reshape(2, 3, 4) % 2
    found = randomised_response("3/4").each(bits.astype(np.int8), source=Stream(1))
    assert (found.dtype, found.shape) == (np.int64, (2, 3, 4))
    assert found.ravel().tolist() == list(randomised_response("3/4").each(bits.ravel().tolist(), source=Stream(1)))
    assert randomised_response("3/4").each(bits[:0]).shape == (0, 3, 4)


@pytest.mark.parametrize("m", [discrete_laplace(3), truncated_geometric(3, 0, 9), randomised_response("3/4")], ids=str)
def test_each_gives_an_array_of_no_dimension_for_one(m):
    """The sum of two such arrays would be a scalar of numpy, which warns where it wraps."""
    found = m.each(np.array(1), source=Stream(1))
    assert (type(found), found.dtype, found.shape) == (np.ndarray, np.int64, ())
    assert [int(found)] == list(m.each([1], source=Stream(1)))


def test_overflow_of_an_array_of_no_dimension_is_an_error_without_a_warning(recwarn):
    m = discrete_laplace(3)
    seed = next(seed for seed in range(100) if m.each([0], source=Stream(seed))[0] > 0)
    with pytest.raises(OverflowError, match="exceeds the range of int64"):
        m.each(np.array(MOST), source=Stream(seed))
    assert not recwarn.list


def test_scores_are_shifted_in_one_pass():
    """Looking for the least score at each of them would take seconds."""
    scores = [F(i) for i in range(20_000)]
    with counted() as calls:
        assert 0 <= chosen(scores, Choice(F(1, 10**4), by_flips=False), Stream(1)) < len(scores)
    assert calls.number < 50 * len(scores)


def test_scores_beyond_int64_take_no_longer_than_others():
    """Weights below e^-(2^20) are not worked out: their enclosures have a million digits."""
    scores = [F(i * 2**70) for i in range(300)]
    with counted() as calls:
        assert chosen(scores, Choice(F(1), by_flips=False), Stream(1)) == len(scores) - 1
    assert calls.number < 1000 * len(scores)


def test_scores_beyond_int64_name_the_candidate_of_the_table():
    fine = [F(i, 2**70) + i * F(1, 3) for i in range(1, 9)]
    table = LookupDraws(Exponentials(tuple(-F(1, 2) * s for s in fine)))
    for seed in range(few(200)):
        assert chosen(fine, Choice(F(1, 2), by_flips=False), Stream(seed)) == table.one(Stream(seed))


@pytest.mark.parametrize("m", [discrete_laplace(3, dimension=N), discrete_gaussian(10**6, dimension=N)], ids=str)
def test_vectors_give_vectors_of_their_own_type(m):
    data = np.arange(N) - 7
    found = m(data, source=Stream(2))
    assert found.dtype == np.int64
    assert m(data.tolist(), source=Stream(2)) == m(tuple(data.tolist()), source=Stream(2)) == tuple(found.tolist())
    assert data.tolist() == list(range(-7, N - 7))  # the data are as they were


def test_vectors_on_a_grid_of_fractions_are_exact():
    m = discrete_laplace(2, "1/3", dimension=3)
    drawn = m((F(1, 3), 0, 2), source=Stream(2))
    assert all((3 * y).denominator == 1 for y in drawn)


def test_a_table_given_as_an_array_is_a_table():
    m = clamped_sum(0, 5) >> discrete_laplace("1/10000")
    assert m(np.array([1, 2, 30])) == 8
    assert exponential("1/10000")(np.array([1, 4, 2])) == 1
    assert (clamped_sum(0, 5))(np.array([1, 2, 30])) == 8


def test_each_gives_what_single_calls_give():
    """Ints for ints on vectors and of selections, too."""
    assert discrete_laplace("1/10000", dimension=2).each([(1, 2), [3, 4]]) == ((1, 2), (3, 4))
    drawn = discrete_laplace(3, dimension=2).each([(1, 2), (F(3), 4)])
    assert [[type(y) for y in ys] for ys in drawn] == [[int, int], [F, F]]
    for m in (exponential(1), permute_and_flip(1)):
        assert [type(k) for k in m.each([(1, 2), np.array([1, 2]), (F(1, 2), 1)])] == [int, int, F]


def test_whole_numbers_of_numpy_are_whole_numbers():
    m = discrete_laplace("1/10000")
    assert [m(kind(3)) for kind in (np.int64, np.uint8, np.int16)] == [3, 3, 3]


FEW_FLIPS = random.Random(8).choices((0, 1), k=3000)


@pytest.mark.parametrize("m", [discrete_laplace(3), discrete_gaussian(2), randomised_response("3/4")], ids=str)
def test_flips_supplied_are_those_of_the_scheme(m):
    """A thousand draws have made tables; flips still go to the scheme that the claim is about."""
    m.each([0] * BREAK_EVEN_OF_NOISE)
    assert m(0, bits=Tape(FEW_FLIPS)) == draw(m.subject, F(0), Coins(Tape(FEW_FLIPS)))
    expected = Coins(Tape(FEW_FLIPS))
    wanted = [draw(m.subject, F(0), expected) for _ in range(4)]
    assert list(m.each([0] * 4, bits=Tape(FEW_FLIPS))) == wanted
    assert m.each(np.zeros(4, np.int64), bits=Tape(FEW_FLIPS)).tolist() == wanted


def test_each_draws_what_has_no_table_one_by_one():
    m, record = permute_and_flip(2), bytes(range(256))
    digits = Recorded(record)
    wanted = tuple(flipped(scores, F(1, 2), digits) for scores in ([1, 2], [3, 0]))
    assert m.each([(1, 2), (3, 0)], source=Recorded(record)) == wanted
    m = discrete_laplace(2, "1/3")
    assert m.each([F(1, 3)] * 9, source=Recorded(record * 9))[0].denominator in (1, 3)


def test_digits_of_a_source_are_flips_in_their_order():
    flips = WordFlips(Recorded(b"\x05\x80"))
    assert [flips() for _ in range(16)] == [0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0]


def test_scales_out_of_reach_of_tables_are_drawn_all_the_same():
    m = discrete_laplace(2**80)
    assert max(abs(y) for y in m.each([0] * 64)) > 2**60  # else: probability below 2^-19 each, 64 times


def test_each_draws_pipelines_one_by_one():
    m = clamped_sum(0, 5) >> discrete_laplace("1/10000")
    assert m.each([(1, 2), (), (9,)]) == (3, 0, 5)


def noises_at(x: int, n: int = 400):
    """Noise of scale 10^6 on n numbers x: all draws are on one side of 0 with probability below 2^-399."""
    return discrete_laplace(10**6).each(np.full(n, x))


@pytest.mark.parametrize("x", [MOST, -MOST - 1])
def test_overflow_is_an_error_on_both_sides(x):
    with pytest.raises(OverflowError, match="data plus noise exceeds the range of int64"):
        noises_at(x)
    with pytest.raises(OverflowError, match="data plus noise exceeds the range of int64"):
        discrete_laplace(10**6, dimension=400)(np.full(400, x))


def test_overflow_is_none_where_the_sums_fit():
    assert noises_at(MOST - 10**9).max() <= MOST  # noise beyond 10^9 has probability e^-1000


def test_overflow_of_the_scheme_is_an_error_too():
    with pytest.raises(OverflowError, match="exceeds the range of int64"):
        discrete_laplace(2**80).each(np.zeros(40, np.int64))  # all within int64: probability below 2^-17 each, 40 times


def test_overflow_of_noise_on_a_coarse_grid_is_an_error():
    m = discrete_laplace(2**62, 2**61)
    with pytest.raises(OverflowError, match="data plus noise exceeds the range of int64"):
        m.each(np.zeros(400, np.int64))  # a draw of 4 steps or more: probability above 1/5 each


@pytest.mark.parametrize(("lower", "upper"), [(-(2**63), MOST), (-(2**62), MOST)])
def test_clamped_noise_never_overflows(lower, upper):
    found = truncated_geometric(10**6, lower, upper).each(np.full(400, upper))
    assert found.max() == upper
    assert found.min() < upper


@pytest.mark.parametrize("scale", [2**62, 2**200])
def test_clamped_noise_beyond_int64_is_clamped(scale):
    """Without an error, which would leave a draw conditioned on being small to whoever tries again."""
    m, data = truncated_geometric(scale, 0, 5), np.array([0, 3, 5] * 30)
    drawn = m.each(data, source=Stream(5))
    assert drawn.tolist() == list(map(int, m.each(data.tolist(), source=Stream(5))))
    assert set(drawn.tolist()) == {0, 5}  # else: probability below 2^-60
    coarse = truncated_geometric(2 * scale, -6, 2**62, 2).each(np.zeros(60, int))
    assert {-6, 2**62} <= set(coarse.tolist()) or scale == 2**62
    assert not (coarse % 2).any()


def test_noise_beyond_int64_is_added_where_the_sum_fits():
    plan = plan_of(discrete_laplace(2**80).subject)
    assert of_ints(plan, np.array([-(2**63)]), [2**64 - 1]).tolist() == [MOST]
    with pytest.raises(OverflowError):
        of_ints(plan, np.array([-(2**63)]), [2**64])


def test_clamped_noise_in_a_range_beyond_int64_is_checked():
    with pytest.raises(OverflowError, match="exceeds the range of int64"):
        truncated_geometric(10**6, 0, 2**64).each(np.full(400, MOST))


INTS = np.array([1, 2])
MEMBERS = "every element of the array must be a member of "
WHOLE_GRID = "granularity must be whole for an array of whole numbers, got 1/2; give a tuple"
SHAPE = "the input must be an array of shape "
SHARED = "out must have elements that share no memory, got strides "
SQUARE = np.zeros((3, 3), int)
NOT_WHOLE = "an array must hold whole numbers of at most 64 digits, got "


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: discrete_laplace(1, dimension=2)(INTS + 0.0), NOT_WHOLE + "float64"),
        (lambda: discrete_laplace(1).each(np.array([2**63], np.uint64)), "an array must hold whole numbers below 2^63"),
        (lambda: discrete_laplace(1).each(INTS, out=[1, 2]), "out must be an array of whole numbers, got list"),
        (lambda: discrete_laplace(1).each(INTS, out=np.zeros(2)), "out must be an array of whole numbers, got float64"),
        (lambda: discrete_laplace(1).each(INTS, out=np.zeros(3, int)), "out must be writeable and of shape (2,)"),
        (lambda: discrete_laplace(1).each([1], out=INTS), "out must not be given but for an array"),
        (lambda: discrete_laplace(1).each(INTS, [1]), "scales must be a list, a tuple or an array of 2 numbers"),
        (lambda: discrete_laplace(1).each(INTS, np.ones(3, int)), "scales must be an array of shape (2,), got (3,)"),
        (lambda: discrete_laplace(1).each(INTS, [1, 0]), "scale must be > 0, got 0"),
        (lambda: discrete_laplace(1).each([1, 2], [1, -1]), "scale must be > 0, got -1"),
        (lambda: discrete_laplace(1, 4).each(INTS, [1, 1]), "every element of the array must be a multiple of 4"),
        (lambda: discrete_laplace(1, "1/2").each(INTS, [1, 1]), "granularity must be whole where scales are given"),
        (lambda: truncated_geometric(1, 0, 4).each(INTS, [1, 1]), "scales are for discrete_laplace and"),
        (lambda: discrete_laplace(1).each(INTS, [1, 1], bits=Tape([0])), "scales are for draws from a source"),
        (lambda: randomised_response("3/4").each(INTS == 1), NOT_WHOLE + "bool"),
        (lambda: randomised_response("3/4").each(INTS.astype(object)), NOT_WHOLE + "object"),
        (lambda: discrete_laplace(1).each(INTS.astype("m8[s]")), NOT_WHOLE + "timedelta64[s]"),
        (lambda: discrete_laplace(1).each(np.ma.array(INTS, mask=[0, 1])), NOT_WHOLE + "a masked array"),
        (lambda: clamped_sum(0, 1)(INTS + 0.0), NOT_WHOLE + "float64"),
        (lambda: discrete_laplace(1, dimension=3)(INTS), SHAPE + "(3,), got (2,)"),
        (lambda: discrete_laplace(1, dimension=2)(INTS[:, None]), SHAPE + "(2,), got (2, 1)"),
        (lambda: discrete_laplace(1)(INTS), "the input must be one number, a member of grid(1), got 2: for one vector"),
        (lambda: discrete_laplace(1)([1, 2]), "for independent draws, one of each number, call `each`"),
        (lambda: discrete_laplace(1, "1/2").each(INTS), WHOLE_GRID),
        (lambda: discrete_laplace(1, 2).each(INTS), MEMBERS + "grid(2)"),
        (lambda: randomised_response("3/4").each(INTS), MEMBERS + "finite(2)"),
        (lambda: randomised_response("3/4").each(INTS - 2), MEMBERS + "finite(2)"),
        (lambda: k_ary_randomised_response(10**6, "1/2").each(-INTS), MEMBERS),
        (lambda: truncated_geometric(1, 2, 4).each(INTS), MEMBERS + "bounded(1, 2, 4)"),
        (lambda: truncated_geometric(1, -2, 1).each(INTS), MEMBERS),
        (lambda: exponential(1).each(INTS), "arrays of independent inputs are for mechanisms on single numbers, got "),
        (lambda: discrete_laplace(1).each(3), "inputs must be a list, a tuple or an array, got 3"),
        (lambda: discrete_laplace(1).each([F(1, 2)]), "the input must be a member of grid(1)"),
        (lambda: discrete_laplace(1)(np.float64(3)), "input must be exact, got the float 3.0"),
        (lambda: discrete_laplace(1)(np.float32(3)), "the input must be a member of grid(1)"),
        (lambda: discrete_laplace(1)(np.timedelta64(3, "ns")), "the input must be a member of grid(1)"),
        (lambda: discrete_laplace(1).each([np.timedelta64(3, "D")]), "the input must be a member of grid(1)"),
        (lambda: discrete_laplace(1, dimension=2).each(INTS[:, None]), "for mechanisms on single numbers, got coord"),
        (lambda: (clamped_sum(0, 1) >> discrete_laplace(1)).each(INTS), "for mechanisms on single numbers, got chain"),
        (lambda: discrete_laplace(1, 2**63).each(INTS * 0, [1, 1]), "granularity must be below 2^63 for an array"),
        (lambda: discrete_laplace(1)(True), "the input must be a member of grid(1)"),
        (lambda: discrete_laplace(1)(0, bits=Tape([0]), source=Stream(0)), "bits and source must not both be given"),
        (lambda: discrete_laplace(1)(0, source=3), "source must have digits, octets and step, as "),
        (lambda: discrete_laplace(1).each([0], source="x"), "Source says, got 'x'"),
        (lambda: discrete_laplace(1).each(INTS, source=3), "source must have digits, octets and step"),
        (lambda: discrete_laplace(1)(0, bits=3), "bits must be a function that gives 0 or 1, got 3"),
        (lambda: discrete_laplace(1).each(INTS, out=as_strided(np.zeros(9, int), (2,), (0,))), SHARED + "(0,) at"),
        (lambda: discrete_laplace(1).each(INTS, out=as_strided(np.zeros(9, int), (2,), (4,))), SHARED + "(4,) at"),
        (lambda: discrete_laplace(1).each(INTS, [1, 1], out=as_strided(np.zeros(9, int), (2,), (0,))), SHARED),
        (lambda: discrete_laplace(1).each(SQUARE, out=as_strided(np.zeros(9, int), (3, 3), (8, 8))), SHARED),
        (lambda: discrete_laplace(1).each(SQUARE, out=as_strided(np.zeros(9, int), (3, 3), (16, 8))), SHARED),
        (lambda: discrete_laplace(1).each(SQUARE, out=as_strided(np.zeros(9, int)[4:], (3, 3), (-8, 8))), SHARED),
    ],
)  # fmt: skip
def test_arrays_are_refused_in_one_sentence(call, said):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        call()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_out_may_be_a_view_whose_axes_interleave():
    """Elements at 0, 2, 4 and at 3, 5, 7 words: no two in one place, though the axes' ranges overlap."""
    room = np.zeros(9, int)
    out = as_strided(room, (2, 3), (24, 16))
    discrete_laplace("1/10000").each(np.array([[1, 2, 3], [4, 5, 6]]), out=out)
    assert room.tolist() == [1, 0, 2, 4, 3, 5, 0, 6, 0]
    backwards = np.zeros(6, int)[::-1].reshape(2, 3)
    discrete_laplace("1/10000").each(np.array([[1, 2, 3], [4, 5, 6]]), out=backwards)
    assert backwards.tolist() == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize("kind", [getattr(np, f"{sign}int{size}") for sign in ("", "u") for size in (8, 16, 32, 64)])
def test_parameters_may_be_of_any_integer_type(kind):
    assert discrete_laplace(kind(2)) == discrete_laplace(2)
    assert truncated_geometric(1, kind(2), kind(4)) == truncated_geometric(1, 2, 4)
    assert discrete_laplace(2, dimension=kind(3)) == discrete_laplace(2, dimension=3)
    assert discrete_laplace(2).map(kind(3)) == F(3, 2)
    assert len(refdp.sample("discrete_laplace", kind(3), scale=kind(2))["draws"]) == 3


@pytest.mark.parametrize("wrong", [np.bool_(True), True, np.timedelta64(2, "s"), np.float32(2), np.array([2])])
def test_parameters_of_no_integer_type_are_refused(wrong):
    with pytest.raises(ValueError, match="scale must be"):
        discrete_laplace(wrong)


def test_whole_arrays_are_multiplied_up_to_the_ends_of_int64():
    ends = np.array([-(2**63), MOST], np.int64)
    assert scaled(ends, 1).tolist() == [-(2**63), MOST]
    assert scaled(np.array([-(MOST // 7), MOST // 7]), 7).tolist() == [-(MOST // 7) * 7, MOST // 7 * 7]
    for k in (MOST // 7 + 1, -(MOST // 7) - 1):
        with pytest.raises(OverflowError, match="range of int64"):
            scaled(np.array([0, k]), 7)


def test_a_range_suits_arrays_where_its_ends_and_its_width_are_int64():
    """As numbers of units both ends may be small, and the ends themselves not."""
    law = plan_of(discrete_laplace(3).subject).law
    for lower, upper, unit, suits in (
        (-3, 5, 2**61 - 1, False), (-5, 3, 2**61 - 1, False), (-3, 3, 2**61 - 1, True), (-(2**62), 2**62 - 1, 2, True),
        (-(2**62) - 1, 0, 2, False), (0, 2**62, 2, False), (-(2**62), 2**62, 1, False),
    ):  # fmt: skip
        assert _suits(Clamped(law, F(unit), lower, upper)) == suits, (lower, upper, unit)
    assert _suits(Noise(law, F(MOST)))
    assert not _suits(Noise(law, F(MOST + 1)))
    with pytest.raises(ValueError, match="granularity must be whole"):
        _suits(Noise(law, F(1, 2)))


KINDS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("key", ["laplace", "gaussian", "binary", "truncated"])
def test_every_integer_type_goes_in_and_comes_out(kind, key):
    """The same numbers, whatever holds the data or the outputs; a number that does not fit is an error."""
    m = {"laplace": discrete_laplace(2), "gaussian": discrete_gaussian(2), "binary": randomised_response("3/4"),
         "truncated": truncated_geometric(3, 0, 100)}[key]  # fmt: skip
    data = np.arange(500) % 2 if key == "binary" else np.full(500, 60)
    wanted = m.each(data, source=Stream(9))
    assert wanted.dtype == np.int64
    given, out = data.astype(kind), np.zeros(500, kind)
    assert m.each(given, source=Stream(9)).tolist() == wanted.tolist()
    assert m.each(data, out=out, source=Stream(9)) is out
    assert out.tolist() == wanted.tolist()
    assert m.each(given, out=given, source=Stream(9)) is given  # in place
    assert given.tolist() == wanted.tolist()


def test_outputs_that_do_not_fit_are_an_error():
    with pytest.raises(OverflowError, match="data plus noise exceeds the range of int8"):
        discrete_laplace(10**6).each(np.zeros(400, int), out=np.zeros(400, np.int8))
    with pytest.raises(OverflowError, match="data plus noise exceeds the range of uint64"):
        discrete_laplace(10**6).each(np.zeros(400, int), out=np.zeros(400, np.uint64))


def test_out_may_be_a_matrix():
    """Of which the first element is a row: a draw for it must not be added to all of them."""
    data, m = np.zeros((2, 40_000), int), discrete_laplace(2)
    wanted, out = m.each(data, source=Stream(4)), np.zeros((2, 40_000), int).view(np.matrix)
    assert m.each(data, out=out, source=Stream(4)) is out
    assert np.array_equal(np.asarray(out), wanted)
    few = np.zeros((1, 6), int)
    for seed in (147, 210, 637):  # the first rounds of elements 0, 0 and 4 are not decided by the table
        out = np.zeros((1, 6), int).view(np.matrix)
        assert m.each(few, out=out, source=Stream(seed)).tolist() == m.each(few, source=Stream(seed)).tolist()


def test_outputs_on_a_coarse_grid_need_only_fit_themselves():
    """Noise of 3 2^62, which is no int64, on -2^63 is."""
    plan = plan_of(discrete_laplace(2**62, 2**62).subject)
    assert outputs_of(plan, np.array([-(2**63)]), np.array([3])).tolist() == [2**62]
    assert outputs_of(plan, np.array([2**62]), np.array([-3])).tolist() == [-(2**63)]
    for x, k in ((-(2**63), -1), (0, 2), (2**62, 1)):
        with pytest.raises(OverflowError, match="data plus noise exceeds the range of int64"):
            outputs_of(plan, np.array([x]), np.array([k]))


def test_out_may_overlap_the_data_or_be_of_another_layout():
    data, m = np.arange(4000) % 7, discrete_laplace(1000)
    wanted = m.each(data[:-1], source=Stream(3)).tolist()
    moved = data.copy()
    assert m.each(moved[:-1], out=moved[1:], source=Stream(3)).tolist() == wanted
    spread = np.zeros(2 * len(wanted), int)
    assert m.each(data[:-1], out=spread[::2], source=Stream(3)).tolist() == wanted
    assert not spread[1::2].any()
    square = data.reshape(40, 100)
    assert (
        m.each(square.T, out=np.zeros((100, 40), int), source=Stream(3)).tolist()
        == m.each(square.T, source=Stream(3)).tolist()
    )


@pytest.mark.parametrize(("m", "family"), [(discrete_laplace(1), "laplace"), (discrete_gaussian(1), "gaussian")])
def test_scales_of_their_own_are_those_of_exact_arithmetic(m, family):
    """Arrays of scales, as arrays and as lists, against the exact samplers of tests; grids of 3 as steps of it."""
    chance = random.Random(4)
    scales = [F(chance.randint(1, 5000), chance.randint(1, 9)) for _ in range(300)]
    data = np.arange(300) * 3
    exact = getattr(exact_elements, family)
    drawn = exact(scales, Stream(6))
    assert m.each(data, scales, source=Stream(6)).tolist() == [int(x) + k for x, k in zip(data, drawn, strict=True)]
    by_threes = {"laplace": discrete_laplace, "gaussian": discrete_gaussian}[family](1, 3)
    drawn = exact([scale / 3 for scale in scales], Stream(6))
    found = by_threes.each(data, scales, source=Stream(6))
    assert found.tolist() == [int(x) + 3 * k for x, k in zip(data, drawn, strict=True)]
    whole = np.array([int(scale) + 1 for scale in scales], np.int32)
    drawn = exact([F(int(scale)) for scale in whole], Stream(6))
    out = data.copy()
    assert m.each(out, whole, out=out, source=Stream(6)) is out
    assert out.tolist() == [int(x) + k for x, k in zip(data, drawn, strict=True)]


def test_scales_may_be_nearly_2_to_the_50():
    """The proposal of a Gaussian draw has a scale one greater than the whole part of sigma."""
    for scale in (2**50 - 1, F(2**50 - 1, 3)):
        drawn = discrete_gaussian(1).each(np.zeros(20, int), [scale] * 20)
        assert abs(drawn).max() > 2**40  # else: probability below 2^-9 each
    with pytest.raises(ValueError, match="scale must be > 0, got -3"):
        discrete_laplace(1).each(np.zeros(2, int), np.array([1, -3]))


def test_scales_of_a_list_are_those_of_single_draws():
    found = discrete_laplace(1).each([5, 6, F(7)], [F(1, 3), "22/7", 2**70], source=Stream(2))
    digits = Stream(2)
    wanted = [x + laplace(*scale, digits) for x, scale in ((5, (1, 3)), (6, (22, 7)), (7, (2**70, 1)))]
    assert list(found) == wanted
    found = discrete_gaussian(1, 2).each([4, 6], [3, "5/2"], source=Stream(2))
    digits = Stream(2)
    assert found == (4 + 2 * gaussian(9, 4, digits), 6 + 2 * gaussian(25, 16, digits))
    assert {type(y) for y in found} == {int}


def test_what_has_no_plan_is_drawn_by_its_scheme():
    """A response among so many values has no table."""
    m = k_ary_randomised_response(2000, "1/2")
    assert plan_of(m.subject) is None
    drawn = Randomness(source=Stream(3)).several(m.subject, [F(7)] * 40)
    assert drawn == tuple(m.each([7] * 40, source=Stream(3)))
    assert drawn.count(7) > 5  # else: below 1e-6
    assert len(set(drawn)) > 5


def test_noise_on_whole_numbers_is_added_where_it_is_drawn(monkeypatch):
    monkeypatch.setattr(bulk, "_outputs", lambda *_: pytest.fail("drawn first, and added then"))
    monkeypatch.setattr(bulk, "_fits", lambda *_: pytest.fail("copied"))
    data = np.zeros(5000, int)
    assert discrete_laplace(3).each(data, out=data) is data
    assert data.any()


def test_draws_beyond_int64_are_clamped_on_a_coarse_grid():
    """Which part is the input, and which the draw, matters where the input is great, too."""
    plan = Clamped(plan_of(discrete_laplace(3).subject).law, F(2), -(2**62), 2**62 - 1)
    assert of_ints(plan, np.array([-(2**63), 2**63 - 2]), [2**63, -(2**64)]).tolist() == [2**63 - 2, -(2**63)]


@pytest.mark.parametrize("least", [-(2**63) - 5, 2**63 - 3, -(2**63), 0])
def test_scores_of_any_place_name_the_same_candidate(least):
    """Selections see differences alone: those of lists beyond int64 are shifted."""
    scores, choice = [least, least + 7, least + 5], Choice(F(1, 3), by_flips=False)
    for seed in range(30):
        found = bulk.selected_from(scores, least, choice, Stream(seed))
        assert found == bulk.selected_of(np.array([0, 7, 5]), choice, Stream(seed))


def test_outputs_are_written_as_they_are_made_only_where_nothing_is_read_after():
    data = np.arange(20)
    assert bulk._is_written_at_once(data, data)
    assert bulk._is_written_at_once(np.zeros(20, int), data)
    assert bulk._is_written_at_once(data[:10], data[10:])
    assert not bulk._is_written_at_once(data[1:], data[:-1])
    assert not bulk._is_written_at_once(np.zeros(20, np.int32), data)
    assert not bulk._is_written_at_once(np.zeros(40, int)[::2], data)
    assert not bulk._is_written_at_once(data[:4].reshape(2, 2), data[:4].reshape(2, 2).T)


def test_scales_in_an_array_may_be_any_exact_numbers():
    exact = np.array([F(1, 2), F(22, 7)], object)
    m = discrete_laplace(1)
    assert m.each(np.zeros(2, int), exact, source=Stream(1)).tolist() == list(
        m.each(np.zeros(2, int), exact.tolist(), source=Stream(1))
    )
