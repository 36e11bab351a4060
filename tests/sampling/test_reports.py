"""Reports in bulk: each is what its scheme makes of the flips of that report; counts have the law; what is refused."""

from collections import Counter
from fractions import Fraction as F
from math import log, sqrt

import numpy as np
import pytest

import refdp
from refdp.sampling import schemes
from refdp.sampling.bulk import reports as bulk
from refdp.sampling.bulk.lanes import AT_ONCE, Lanes, packed, unpacked
from refdp.sampling.coins import Coins
from refdp.sampling.tree import Tape
from refdp.sampling.words import Recorded
from refdp.spec.semantics import law
from tests.exactness.refusals import refusal
from tests.sampling.streams import Stream


class Watched(Lanes):
    """Lanes of which every event is kept: the tape of flips of each lane, and what came of it."""

    def __init__(self, source):
        super().__init__(source)
        self.events, self.is_coin = [], False

    def bernoulli(self, n, p):
        self.is_coin = True
        found = super().bernoulli(n, p)
        self.is_coin = False
        self.events[-1] = "coin", self.events[-1][1], found
        return found

    def bits(self, where, one, zero):
        self.events.append(("bits", [[] for _ in range(64 * where.size)], None))
        return super().bits(where, one, zero)

    def planes(self, active):
        words = super().planes(active)
        for i, word in zip(active.tolist(), words.tolist(), strict=True):
            for j in range(64):
                self.events[-1][1][64 * i + j].append(word >> j & 1)
        return words

    def bernoulli_each(self, which, chances):
        self.events.append(("coins", [[] for _ in range(which.size)], None))
        return super().bernoulli_each(which, chances)

    def uniform_each(self, which, bounds):
        self.events.append(("uniform", [[] for _ in range(which.size)], None))
        return super().uniform_each(which, bounds)

    def digits(self, active, counts):
        found = super().digits(active, counts)
        for i, value, count in zip(active.tolist(), found.tolist(), np.broadcast_to(counts, found.shape), strict=True):
            self.events[-1][1][i].extend(value >> place & 1 for place in range(int(count) - 1, -1, -1))
        return found


class Replayed(Coins):
    """Coins each of whose choices reads the next of these tapes from its beginning."""

    def __init__(self, tapes):
        super().__init__()
        object.__setattr__(self, "tapes", iter(tapes))

    __slots__ = ("tapes",)

    def bernoulli(self, p):
        return Coins(Tape(next(self.tapes))).bernoulli(p)

    def uniform(self, n):
        return Coins(Tape(next(self.tapes))).uniform(n)


def tapes_of(events, n, width):
    """The tapes of each report, in the order in which its scheme reads them."""
    found, told = [[] for _ in range(n)], np.ones(n, bool)
    for what, tapes, result in events:
        if what == "bits":
            row = len(tapes) // n
            for i in range(n):
                found[i] += tapes[i * row : i * row + width]
        elif what == "coin":
            told = result
            for i in range(n):
                found[i].append(tapes[i])
        elif len(tapes) % n == 0 and len(tapes):
            row = len(tapes) // n
            for i in range(n):
                found[i] += tapes[i * row : (i + 1) * row]
        else:
            for i, tape in zip(np.flatnonzero(~told).tolist(), tapes, strict=True):
                found[i].append(tape)
    return found


FILTERS = [[i >> j & 1 for j in range(5)] for i in range(32)] * 3
CASES = [
    (refdp.symmetric_unary_encoding(3, "2/3"), [-1, 0, 1, 2] * 20),
    (refdp.symmetric_unary_encoding(1, "1/2"), [-1, 0] * 20),
    (refdp.symmetric_unary_encoding(64, "999/1000"), [-1, 0, 63] * 5),
    (refdp.symmetric_unary_encoding(65, "3/4"), [-1, 64, 5] * 5),
    (refdp.optimised_unary_encoding(70, 4), [-1, 0, 69, 64, 63] * 4),
    (refdp.optimised_unary_encoding(3, "1000000"), [-1, 0, 2] * 9),
    (refdp.permanent_response(5, "1/3"), FILTERS),
    (refdp.permanent_response(5, 1), FILTERS),
    (refdp.rappor(5, "1/2", "1/2", "3/4"), FILTERS),
    (refdp.rappor(5, 0, "1/7", "6/7"), FILTERS),
    (refdp.d_bit_flip(4, 2, "2/3"), [-1, 0, 3] * 20),
    (refdp.d_bit_flip(5, 5, "2/3"), [-1, 0, 4] * 20),
    (refdp.d_bit_flip(70, 66, "2/3"), [-1, 0, 69] * 4),
    (refdp.one_bit_flip(5, "4/5"), [0, 1, 4] * 30),
    (refdp.one_bit_flip(1, "4/5"), [0] * 30),
    (refdp.subset_selection(5, 2, "8/11"), [0, 2, 4] * 30),
    (refdp.subset_selection(5, 1, "8/11"), [0, 2, 4] * 30),
    (refdp.subset_selection(5, 4, "8/9"), [0, 2, 4] * 30),
    (refdp.subset_selection(2, 1, "1/2"), [0, 1] * 30),
    (refdp.subset_selection(64, 13, "1/2"), [0, 63, 17] * 9),
    (refdp.hadamard_response(3, "4/5"), [0, 1, 2] * 30),
    (refdp.hadamard_response(1024, "4/5"), [0, 1023, 511, 512] * 30),
    (refdp.hadamard_entry_response(4, "4/5"), [0, 1, 2, 3] * 30),
    (refdp.hadamard_entry_response(5, "4/5"), [0, 1, 4] * 30),
    (refdp.one_bit_mean(6, 4), [0, 1, 5, 6] * 30),
    (refdp.one_bit_mean("7/2", 1), [0, "1/3", 2, "7/2"] * 30),
    (refdp.k_ary_randomised_response(5, "1/2"), [0, 2, 4] * 30),
    (refdp.k_ary_randomised_response(2000, "1/3"), [0, 1999, 4] * 30),
    (refdp.k_ary_randomised_response(2, "3/4"), [0, 1] * 30),
    (refdp.randomised_response("3/4"), [0, 1] * 30),
]
HASHES = np.array([[0, 1, 2], [2, 2, 2], [3, 0, 1]])
SKETCHES = [
    refdp.count_mean_sketch(3, 4, "2/3"),
    refdp.hadamard_count_mean_sketch(3, 4, "4/5"),
    refdp.local_hashing(3, 4, "1/2"),
]
NAMES = [f"{m.subject}" for m, _ in CASES]


def watched(m, inputs, hashes, seed, monkeypatch):
    """Reports, and the tapes of each."""
    kept = []
    monkeypatch.setattr(bulk, "Lanes", lambda source: kept.append(Watched(source)) or kept[-1])
    found = m.reports(inputs, hashes, source=Stream(seed))
    return found, tapes_of(kept[0].events, len(found), found.width)


@pytest.mark.parametrize(("m", "inputs"), CASES, ids=NAMES)
def test_report_is_what_its_scheme_makes_of_its_flips(m, inputs, monkeypatch):
    found, tapes = watched(m, inputs, None, 1, monkeypatch)
    for i, x in enumerate(inputs):
        exact = tuple(map(F, x)) if isinstance(x, list) else F(x)
        coins = Replayed(tapes[i])
        assert found[i] == schemes.draw(m.subject, exact, coins)
        assert next(coins.tapes, None) is None


@pytest.mark.parametrize("m", SKETCHES, ids=str)
def test_report_of_a_sketch_is_what_its_scheme_makes_of_its_flips(m, monkeypatch):
    inputs = [0, 1, 2] * 40
    found, tapes = watched(m, inputs, HASHES, 2, monkeypatch)
    assert len({report[0] for report in found}) == 3
    for i, x in enumerate(inputs):
        coins = Replayed(tapes[i])
        assert found[i] == schemes.draw(m.subject, tuple(map(F, HASHES[x].tolist())), coins)
        assert next(coins.tapes, None) is None


@pytest.mark.parametrize(("m", "inputs"), CASES, ids=NAMES)
def test_reports_in_parts_are_those_of_the_parts_one_after_another(m, inputs, monkeypatch):
    monkeypatch.setattr(bulk, "ROWS", 7)
    source, parts = Stream(3), []
    for start in range(0, len(inputs), 7):
        parts += m.reports(inputs[start : start + 7], source=source)
    assert list(m.reports(inputs, source=Stream(3))) == parts
    assert [report for part in m.reports(inputs, source=Stream(3)).parts() for report in part] == parts


def test_a_bit_far_beyond_the_first_flips_is_decided_by_all_of_them():
    """Flips that are the digits of p but for the last leave the lane open to there: words of one such lane."""
    p = F(0b1011001110001111, 1 << 16) + F(1, 3 << 20)
    for place in range(20):
        flips, rest = [], p
        for _ in range(place + 1):
            flips.append(int(2 * rest >= 1))
            rest = 2 * rest - flips[-1]
        flips[-1] ^= 1
        words = b"".join((2**64 - 1 if flip else 0).to_bytes(8, "little") for flip in flips)
        tape = Recorded(words + bytes(8 * max(0, AT_ONCE - place - 1)))
        found = Lanes(tape).bits(np.zeros(1, "<u8"), p, p)
        assert found.tolist() == [(2**64 - 1) * (flips[-1] == 0)]
        assert tape.used == len(tape.content)


def test_bits_read_no_more_for_words_that_are_decided():
    tape = Stream(4)
    Lanes(tape).bits(np.zeros(1000, "<u8"), F(1, 3), F(1, 3))
    assert 8 * 1000 * AT_ONCE < tape.used < 8 * 1000 * (AT_ONCE + 4)
    for n, p, expected in ((70, F(0), False), (70, F(1), True), (0, F(1, 3), True)):
        found = Lanes(Stream(5)).bernoulli(n, p)
        assert found.shape == (n,)
        assert (found == expected).all()


def test_packed_bits_are_unpacked():
    for n in (0, 1, 63, 64, 65, 200):
        bits = np.arange(n) % 3 == 1
        assert (unpacked(packed(bits))[:n] == bits).all()
        assert not unpacked(packed(bits))[n:].any()


@pytest.mark.parametrize(("m", "inputs"), CASES, ids=NAMES)
def test_reports_have_the_law(m, inputs):
    """Each outcome of small laws, by Hoeffding's bound, 10^-9 for all outcomes of a case and 500 cases together."""
    x = inputs[-1]
    exact = tuple(map(F, x)) if isinstance(x, list) else F(x)
    n = 4_000
    try:
        masses = law(m.subject, exact)
    except Exception:
        pytest.skip("the law has too many outcomes to be listed")
    if len(masses) > 2000:
        pytest.skip("the law has too many outcomes")
    seen = Counter(m.reports([x] * n))
    assert set(seen) <= set(masses)
    allowed = sqrt(log(2 * 500 * len(masses) / 1e-9) / (2 * n))
    assert all(abs(seen[y] / n - p) <= allowed for y, p in masses.items())


def test_reports_of_arrays_of_any_integers_are_those_of_lists():
    m, filters = refdp.symmetric_unary_encoding(9, "2/3"), refdp.rappor(5, "1/2", "1/2", "3/4")
    for kind in (np.int8, np.int16, np.uint8, np.uint64, np.int64, ">i4"):
        array = np.array([0, 8, 3], kind)
        assert list(m.reports(array, source=Stream(6))) == list(m.reports([0, 8, 3], source=Stream(6)))
        same = filters.reports(np.array(FILTERS, kind), source=Stream(6))
        assert (same.octets == filters.reports(FILTERS, source=Stream(6)).octets).all()
    truth = np.array(FILTERS, bool)
    assert (filters.reports(truth, source=Stream(6)).octets == same.octets).all()
    assert (filters.reports(np.asfortranarray(truth), source=Stream(6)).octets == same.octets).all()
    assert len(m.reports([])) == len(m.reports(np.empty(0, np.int64))) == 0
    assert list(m.reports([])) == []


def test_permanent_responses_are_filters_of_the_reports_that_follow():
    """RAPPOR in two steps: a permanent response, and reports of it without one."""
    permanent = refdp.permanent_response(5, "1/2").reports(FILTERS)
    found = refdp.rappor(5, 0, "1/2", "3/4").reports(permanent.bits())
    assert found.bits().shape == (len(FILTERS), 5)


def test_report_is_found_by_its_place_only_where_there_is_one():
    found = refdp.one_bit_flip(3, "4/5").reports([0, 1])
    assert found[-1] == found[1]
    with pytest.raises(IndexError, match="there are 2 reports, got 2"):
        found[2]


SUE = refdp.symmetric_unary_encoding(3, "2/3")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: SUE.reports([3]), "every input must be from -1 to 2"),
        (lambda: SUE.reports([-2]), "every input must be from -1 to 2"),
        (lambda: SUE.reports([[0]]), "inputs must be an array of one dimension, got the shape (1, 1)"),
        (lambda: SUE.reports(np.int64(1)), "inputs must be a list, a tuple or an array, got np.int64(1)"),
        (lambda: SUE.reports(3), "inputs must be a list, a tuple or an array, got 3"),
        (lambda: SUE.reports([0.0]), "an array must hold whole numbers of at most 64 digits, got float64"),
        (lambda: SUE.reports([2**70]), "an array must hold whole numbers of at most 64 digits, got object"),
        (
            lambda: SUE.reports(np.ma.array([0, 1], mask=[0, 1])),
            "an array must hold whole numbers of at most 64 digits, got a masked array",
        ),
        (
            lambda: SUE.reports([0], [[0]]),
            f"hashes must be given for a choice of functions, and for nothing else, got {SUE.subject}",
        ),
        (lambda: refdp.one_bit_flip(3, "4/5").reports([-1]), "every input must be from 0 to 2"),
        (lambda: refdp.one_bit_mean(3, 4).reports([4]), "every input must be in [0, 3]"),
        (lambda: refdp.one_bit_mean(3, 4).reports(np.array([0, 4])), "every input must be in [0, 3]"),
        (
            lambda: refdp.one_bit_mean(3, 4).reports([0.5]),
            'input must be exact, got the float 0.5; write "0.5" for 1/2',
        ),
        (
            lambda: refdp.rappor(2, 0, "1/2", "3/4").reports([0, 1]),
            "inputs must be an array with a row of 2 bits each, got the shape (2,)",
        ),
        (lambda: refdp.rappor(2, 0, "1/2", "3/4").reports([(0, 2)]), "every bit of a filter must be 0 or 1"),
        (lambda: refdp.rappor(2, 0, "1/2", "3/4").reports([(0, 1), (0,)]), "inputs must be rows of the same length"),
        (
            lambda: SKETCHES[0].reports([0]),
            "hashes must be given for a choice of functions, and for nothing else, got ",
        ),
        (
            lambda: SKETCHES[0].reports([0], [[0, 1]]),
            "hashes must be an array with a row of 3 for each value, got (1, 2)",
        ),
        (lambda: SKETCHES[1].reports([0], [[0, 1, 4]]), "every hash must be from 0 to 3"),
        (lambda: SKETCHES[1].reports([0], [[0, 1, -1]]), "every hash must be from 0 to 3"),
        (
            lambda: SKETCHES[2].reports([3], HASHES),
            "every input must be a value from 0 to 2, which hashes has a row of",
        ),
        (
            lambda: SKETCHES[2].reports([2], HASHES[:2]),
            "every input must be a value from 0 to 1, which hashes has a row of",
        ),
        (
            lambda: SKETCHES[2].reports([-1], HASHES),  # which would be numpy's last row
            "every input must be a value from 0 to 2, which hashes has a row of",
        ),
        (
            lambda: refdp.discrete_laplace(1).reports([0]),
            "reports in bulk are of local randomisers, got discrete_laplace(1, 1)",
        ),
        (lambda: SUE.reports([0], source=3), "source must have digits, octets and step, as refdp.sampling.words.Sou"),
    ],
)
def test_reports_are_refused_in_one_sentence(call, said):
    assert refusal(call).startswith(said)


def test_octets_are_not_copied():
    filters = np.zeros((3, 8), np.uint8)
    assert bulk._whole(filters) is filters
    assert bulk._whole(filters.astype(np.int16)).dtype == np.int64
