"""`check`: every flipped digit is found; right implementations pass, wrong ones fail the right cases."""

import json
from copy import deepcopy
from fractions import Fraction as F
from random import Random

import pytest

from refdp.commands.vectors import check
from refdp.test_vectors.checking import cases, confirmed, consistent
from refdp.test_vectors.kinds.kind import near, number_of
from refdp.test_vectors.kinds.registry import KINDS
from refdp.test_vectors.numbers import VectorError
from tests.test_vectors.committed import FILES, FOLDER, kept, of
from tests.test_vectors.implementations import AcceptsAll, Floats, HalfScale, OffByOne, Right

FLIPS = 200
SLOW = ("accounting_test.json",)
"""Checked with every twentieth case only."""


@pytest.fixture(scope="module")
def everything():
    return {name: kept(name) for name in FILES}


def leaves(found, path=()):
    """The places of texts with digits."""
    if isinstance(found, str):
        yield from ((path, i) for i, c in enumerate(found) if c.isdigit())
    elif isinstance(found, list | dict):
        for key, value in found.items() if isinstance(found, dict) else enumerate(found):
            yield from leaves(value, (*path, key))


def flipped(test, path, place, random):
    """The case with one digit at that place changed."""
    changed = deepcopy(test)
    *way, last = path
    holder = changed
    for key in way:
        holder = holder[key]
    text = holder[last]
    holder[last] = text[:place] + random.choice([d for d in "0123456789" if d != text[place]]) + text[place + 1 :]
    return changed


def test_check_finds_every_flipped_digit(everything):
    random, names, missed = Random(8), sorted(everything), []
    for i in range(FLIPS):
        data = everything[names[i % len(names)]]
        chosen = list(cases(data))[:20] if names[i % len(names)] in SLOW else list(cases(data))
        group, test = random.choice(chosen)
        computed = {key: test[key] for key in test if key in KINDS[group["type"]].computed}
        places = list(leaves(computed))
        if not places:
            places = [(("result",), None)]
        path, place = random.choice(places)
        changed = flipped(test, path, place, random) if place is not None else {**test, "result": "acceptable"}
        if confirmed(group, changed).outcome != "failed":
            missed.append((names[i % len(names)], test["tcId"], path))
    assert missed == []


@pytest.mark.parametrize("result", ["valid", "invalid", "acceptable"])
def test_check_finds_another_result(everything, result):
    for name in sorted(set(everything) - set(SLOW)):
        group, test = next((g, t) for g, t in cases(everything[name]) if t["result"] != result)
        assert confirmed(group, test | {"result": result}).outcome == "failed"


def test_check_finds_a_missing_and_an_additional_value(everything):
    for name in sorted(set(everything) - set(SLOW)):
        group, test = next((g, t) for g, t in cases(everything[name]) if t["result"] == "invalid")
        assert confirmed(group, {k: v for k, v in test.items() if k != "reason"}).outcome == "failed"
        group, test = next((g, t) for g, t in cases(everything[name]) if t["result"] == "valid")
        assert confirmed(group, test | {"reason": "none"}).outcome == "failed"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d | {"numberOfTests": d["numberOfTests"] + 1}, "numberOfTests must be"),
        (lambda d: d | {"notes": {**d["notes"], "Other": next(iter(d["notes"].values()))}}, "notes must be"),
        (lambda d: d | {"testGroups": [d["testGroups"][0] | {"tgId": 2}]}, "tgId must count"),
        (
            lambda d: d | {"testGroups": [d["testGroups"][0] | {"tests": d["testGroups"][0]["tests"][::-1]}]},
            "tcId must",
        ),
    ],
)
def test_check_refuses_counts_that_do_not_fit(everything, change, message):
    with pytest.raises(VectorError, match=message):
        consistent(change(everything["pmf_exponential_test.json"]))


def outcomes(subject, *names, **options):
    """The reports of the files against an implementation."""
    found = {name: check(FOLDER / name, against=subject, **options) for name in names}
    return found if len(names) > 1 else found[names[0]]


def failing(found):
    """The flags of the cases that failed."""
    return {flag for file in found["files"] for one in file["findings"] for flag in one["flags"]}


@pytest.mark.parametrize(
    "name",
    ["pmf_discrete_laplace_test.json", "pmf_exponential_test.json", "sampler_bitstream_scalar_test.json",
     "sampler_bitstream_words_test.json", "stability_map_test.json"],
)  # fmt: skip
def test_right_implementation_passes(name):
    found = outcomes(Right(), name)
    assert (found["verdict"], found["failed"]) == ("NOT_REFUTED", 0)
    assert found["passed"] + found["acceptable"] > 0


def test_right_accountant_passes_profiles():
    found = outcomes(Right(), "privacy_profile_gaussian_test.json")
    assert (found["failed"], found["passed"]) == (0, found["cases"])


def test_half_scale_fails_every_mass_and_every_privacy_profile():
    found = outcomes(HalfScale(), "pmf_discrete_laplace_test.json", "privacy_profile_gaussian_test.json")
    masses, profiles = found["pmf_discrete_laplace_test.json"], found["privacy_profile_gaussian_test.json"]
    assert masses["verdict"] == profiles["verdict"] == "REFUTED"
    assert masses["failed"] == masses["cases"] - 1  # at scale 1/1000 either has all its mass at 0
    assert profiles["failed"] >= profiles["cases"] - 2  # delta(0) may be too small by less
    assert all("unsound" in one["why"] for file in profiles["files"] for one in file["findings"])


def test_sampler_that_is_off_by_one_fails_every_tape_that_does_not_run_out():
    found = outcomes(OffByOne(), "sampler_bitstream_words_test.json")
    group_tests = of("sampler_bitstream_words_test.json")
    ending = sum(test["output"] != "out_of_tape" for _, test in group_tests)
    assert found["failed"] == ending > 100


def test_floats_fail_where_they_cancel_and_where_they_round_to_nearest():
    masses = outcomes(Floats(), "pmf_discrete_laplace_test.json")
    assert 0 < masses["failed"] < masses["cases"]
    assert failing(masses) == {"Extreme"}
    profiles = outcomes(Floats(), "privacy_profile_laplace_test.json")
    assert {"unsound: below the certified lower bound, by less than a billionth: it is rounded the wrong way"} == {
        one["why"] for file in profiles["files"] for one in file["findings"]
    }


def test_judge_that_accepts_everything_fails_the_invalid_cases_and_only_these():
    found = outcomes(AcceptsAll(), "stability_map_test.json")
    invalid = {test["tcId"] for _, test in of("stability_map_test.json") if test["result"] == "invalid"}
    assert {one["tcId"] for file in found["files"] for one in file["findings"]} == invalid


def test_functions_that_are_missing_are_counted():
    found = outcomes(AcceptsAll(), "sampler_statistical_test.json")
    assert found["unsupported"] == sum(t["result"] == "valid" for _, t in of("sampler_statistical_test.json"))


@pytest.mark.parametrize("answer", [float("nan"), None, True, "0.1x", [], float("inf"), "1e99999"])
def test_answers_that_are_no_numbers_fail(answer):
    class Odd:
        def pmf(self, **_):
            return answer

    found = outcomes(Odd(), "pmf_randomised_response_test.json")
    assert found["failed"] == found["cases"]


PRINTED = [
    ("1e-06", F(1, 10**6)),
    ("2.5E+3", 2500),
    ("3.", 3),
    ("0x1p-1", F(1, 2)),
    ("+0x1.8p1", 3),
    ("-0.50", F(-1, 2)),
]


@pytest.mark.parametrize(("text", "value"), PRINTED)
def test_answers_may_be_decimals_and_floats_as_languages_print_them(text, value):
    assert number_of(text) == value


@pytest.mark.parametrize("text", ["1e", "e5", "1e99999", "0x2p0", "0x1p99999", "nan", "1_0", "1 ", "1/02"])
def test_answers_of_other_forms_are_refused(text):
    with pytest.raises(VectorError):
        number_of(text)


def test_exceptions_of_an_implementation_are_failures():
    class Raises:
        def delta(self, **_):
            raise ZeroDivisionError("no")

    found = outcomes(Raises(), "privacy_profile_laplace_test.json")
    assert found["failed"] == found["cases"]
    assert "ZeroDivisionError" in found["files"][0]["findings"][0]["why"]


def test_time_that_is_over_leaves_cases_unreached():
    found = outcomes(Right(), "pmf_exponential_test.json", timeout=0)
    assert (found["unreached"], found["verdict"]) == (found["cases"], "UNKNOWN")


def test_samplers_of_the_right_law_pass_and_of_half_the_scale_fail():
    """False alarms of the six right cases have probability 6e-12 at most; half the scale is seen in 1,000 of 20,000."""
    from refdp.sampling.bulk.slots import bulk_slots
    from tests.sampling.noises import gaussian, laplace

    class Samples:
        def __init__(self, share):
            self.share = share

        def samples(self, algorithm, params, input, count):  # noqa: A002
            from fractions import Fraction

            if algorithm not in ("discrete_laplace", "discrete_gaussian") or "granularity" in params:
                return NotImplemented
            make, name = (laplace, "scale") if algorithm == "discrete_laplace" else (gaussian, "sigma")
            drawn = bulk_slots(make(Fraction(params[name]) * self.share)).sample(count)
            return (drawn + int(input)).tolist()

    from fractions import Fraction

    right = outcomes(Samples(Fraction(1)), "sampler_statistical_test.json")
    wrong = outcomes(Samples(Fraction(1, 2)), "sampler_statistical_test.json")
    assert (right["passed"], right["failed"]) == (6, 0)
    assert wrong["failed"] == 6


def test_report_is_plain_json():
    assert json.loads(json.dumps(outcomes(AcceptsAll(), "pmf_exponential_test.json")))


def test_answers_of_more_digits_than_python_writes_fail_in_a_sentence():
    found = near(10**5000, F(0), F(1), F(0), "x")
    assert found.outcome == "failed"
    assert found.why == "wrong: x is above its upper bound 1: of int, with very many digits"
