"""The expected values, by other means: mpmath for masses and privacy, arrays for samplers, fractions for maps."""

from fractions import Fraction

import pytest
from mpmath import exp, mp, mpf, ncdf

from refdp.sampling.bulk.lookup import bulk_lookup
from refdp.sampling.bulk.slots import BulkSlots
from refdp.sampling.lookup import Exponentials, Masses
from refdp.sampling.tree import OutOfBits
from refdp.sampling.words import Recorded
from refdp.test_vectors.certificates import slots_of
from refdp.test_vectors.numbers import real
from refdp.test_vectors.samplers import EXHAUSTED
from tests.test_vectors.committed import of


def within(value, ends):
    """mpmath's value, of 60 digits, against an enclosure of 30."""
    slack = mpf(10) ** -50
    lo, hi = (mpf(real(end).numerator) / real(end).denominator for end in (ends["lo"], ends["hi"]))
    return lo * (1 - slack) <= value <= hi * (1 + slack)


def rational(text):
    return mpf(Fraction(text).numerator) / Fraction(text).denominator


def test_masses_of_discrete_laplace_are_those_of_mpmath():
    with mp.workdps(60):
        for _, test in of("pmf_discrete_laplace_test.json"):
            scale, step = (rational(test["params"].get(key, "1")) for key in ("scale", "granularity"))
            k = (Fraction(test["output"]) - Fraction(test["input"])) / Fraction(test["params"].get("granularity", "1"))
            r, n = exp(-step / scale), int(k)
            with mp.workdps(120):  # 1 - r cancels
                r = exp(-step / scale)
                mass = (1 - r) / (1 + r) * r ** abs(n)
                below = r**-n / (1 + r) if n < 0 else 1 - r ** (n + 1) / (1 + r)
            assert within(mass, test["pmf"]), test
            assert within(below, test["cdf"]), test


def test_masses_of_discrete_gaussian_are_those_of_mpmath():
    with mp.workdps(60):
        for _, test in of("pmf_discrete_gaussian_test.json")[:20]:
            step = Fraction(test["params"].get("granularity", "1"))
            sigma, n = (
                rational(test["params"]["sigma"]),
                int((Fraction(test["output"]) - Fraction(test["input"])) / step),
            )
            unit = rational(step)

            def weight(k, sigma=sigma, unit=unit):
                return exp(-((k * unit) ** 2) / (2 * sigma**2))

            reach = int(20 * sigma / unit) + 3 + abs(n)
            whole = sum(weight(k) for k in range(-reach, reach + 1))
            assert within(weight(n) / whole, test["pmf"]), test
            below = sum(weight(k) for k in range(-reach, n + 1)) / whole
            assert within(below, test["cdf"]), test


def test_profiles_of_gaussian_noise_are_those_of_mpmath():
    with mp.workdps(60):
        for _, test in of("privacy_profile_gaussian_test.json"):
            ratio = rational(test["params"].get("sensitivity", "1")) / rational(test["params"]["sigma"])
            epsilon = rational(test["epsilon"])
            with mp.workdps(400):  # the two terms cancel
                delta = ncdf(ratio / 2 - epsilon / ratio) - exp(epsilon) * ncdf(-ratio / 2 - epsilon / ratio)
            assert within(delta, test["delta"]), test


def test_profiles_of_discrete_laplace_are_sums_of_mpmath():
    with mp.workdps(40):
        for _, test in of("privacy_profile_discrete_laplace_test.json")[::5]:
            scale, step = (rational(test["params"].get(key, "1")) for key in ("scale", "granularity"))
            shift = int(
                Fraction(test["params"].get("sensitivity", "1")) / Fraction(test["params"].get("granularity", "1"))
            )
            r, e = exp(-step / scale), exp(rational(test["epsilon"]))

            def excess(k, r=r, e=e, shift=shift):
                return max((1 - r) / (1 + r) * (r ** abs(int(k)) - e * r ** abs(int(k) - shift)), 0)

            delta = sum(excess(k) for k in range(-2000, shift + 1))
            lo, hi = (mpf(str(test["delta"][end])) for end in ("lo", "hi"))
            assert abs(delta - lo) <= (hi - lo) + mpf(10) ** -25, test


def test_maximum_is_above_the_bounds_and_claims_stand_where_they_say():
    for name in ("accounting_test.json", "privacy_profile_laplace_test.json"):
        for group, test in of(name):
            bounds = test["delta" if group["type"] == "PrivacyProfile" else "answer"]
            lo, hi, most = real(bounds["lo"]), real(bounds["hi"]), real(test["statedMaximum"])
            assert lo <= hi <= most
            if "claimed" in test:
                claimed = real(test["claimed"])
                below, above = claimed < lo, claimed > most
                assert test["result"] == ("invalid" if below else "acceptable" if above else "valid")


def arrays(group, test):
    """What numpy's arrays make of the tape."""
    source, n = Recorded(bytes.fromhex(test["tape"])), int(test["params"]["count"])
    try:
        if group["algorithm"] == "words.slots.many":
            drawn = BulkSlots(slots_of(group)).sample(n, source)
        else:
            masses = test["params"].get("masses")
            law = Masses if masses else Exponentials
            drawn = bulk_lookup(law(tuple(map(Fraction, masses or test["params"]["exponents"])))).sample(n, source)
    except OutOfBits:
        return EXHAUSTED, None
    return [str(k) for k in drawn.tolist()], str(source.used)


def test_arrays_draw_what_the_tapes_say():
    seen = [(g, t) for g, t in of("sampler_bitstream_words_test.json") if g["algorithm"].endswith(".many")]
    assert len(seen) > 40
    for group, test in seen:
        assert arrays(group, test) == (test["output"], test.get("used")), test["tcId"]


def test_cells_of_a_law_sum_to_one_and_mutants_differ():
    for _, test in of("sampler_statistical_test.json"):
        for field in {"cells", "mutantCells"} & set(test):
            assert sum(real(c["lo"]) for c in test[field]) <= 1 <= sum(real(c["hi"]) for c in test[field])
        if "mutant" in test:
            event = [int(i) for i in test["event"]]
            law, other = (sum(real(test[f][i][e]) for i in event) for f, e in (("cells", "hi"), ("mutantCells", "lo")))
            assert law < other
            # With n samples and a threshold between, both errors are at most alpha: by Hoeffding n is not larger than
            # 2 ln(1/alpha) / (other - law)^2, up to the rounding of the threshold.
            assert int(test["maximumSamples"]) <= 2 * 28 / float(other - law) ** 2 + 2


def test_refuted_maps_move_further_than_is_claimed():
    for group, test in of("stability_map_test.json"):
        if test["result"] != "invalid" or test["outputMetric"] != "absolute" or test.get("distance") == "inf":
            continue
        left, right = (real(test[f"{side}Output"]) for side in ("left", "right"))
        assert abs(left - right) == Fraction(test["distance"]) > real(test["claimed"]), group["algorithm"]


@pytest.mark.parametrize(
    ("flag", "algorithm", "distance", "claimed"),
    [
        ("FloatSum", "float_sum", "512", "1"),
        ("OrderedMetric", "in_order", "3", "1"),
        ("Cast", "numbers_counted", "1", "0"),
    ],
)
def test_published_defects_move_as_far_as_is_published(flag, algorithm, distance, claimed):
    found = [t for g, t in of("stability_map_test.json") if g["algorithm"] == algorithm and flag in t["flags"]]
    assert (found[0]["distance"], found[0]["claimed"]) == (distance, claimed)


def test_published_tree_moves_by_the_root_of_20_where_4_is_claimed():
    found = [t for g, t in of("stability_map_test.json") if g["algorithm"] == "b_ary_tree"]
    assert (found[0]["distanceSquared"], found[0]["claimed"]) == ("20", "4")
