"""Specs: what they say, and one clear sentence for each way of saying it wrong."""

import json
from fractions import Fraction
from math import nan

import pytest

from refdp.accounting import events
from refdp.accounting.events import Event, FixedSize, FixedSizeOfAtLeast, Poisson
from refdp.accounting.inputs.documents import DEEPEST, LARGEST_FILE, read_json, read_toml
from refdp.accounting.inputs.spec import MECHANISMS, read_event, read_spec
from refdp.accounting.losses import LossError

GAUSSIAN = {"mechanism": "gaussian", "sigma": "1"}
GOOD = {
    "gaussian": ({"sigma": "2", "sensitivity": "3"}, events.Gaussian(2, 3)),
    "laplace": ({"scale": "2"}, events.Laplace(2)),
    "discrete_laplace": ({"scale": 2, "sensitivity": 1, "granularity": "1/4"}, events.DiscreteLaplace(2, 1, "1/4")),
    "discrete_gaussian": ({"sigma": 2}, events.DiscreteGaussian(2)),
    "randomised_response": ({"truth": "3/4"}, events.RandomisedResponse("3/4")),
    "k_ary_randomised_response": ({"k": 3, "truth": "3/4"}, events.KAryRandomisedResponse(3, "3/4")),
    "shuffled_randomised_response": (
        {"users": 9, "truth": "3/4"},
        events.ShuffledRandomisedResponse(9, "3/4"),
    ),
    "shuffled": ({"users": "9", "epsilon": "ln(3)"}, events.Shuffled(9, "ln(3)")),
    "exponential": ({"scale": 4, "monotone": True}, events.Exponential(4, 1, True)),
    "gumbel_noisy_max": ({"scale": 4, "sensitivity": 2}, events.Exponential(4, 2)),
    "permute_and_flip": ({"scale": 4}, events.PermuteAndFlip(4)),
    "exponential_noisy_max": ({"scale": 4}, events.PermuteAndFlip(4)),
    "laplace_noisy_max": ({"scale": 4, "sensitivity": 2}, events.LaplaceNoisyMax(4, 2)),
    "repeat_and_select": (
        {"events": [{"mechanism": "laplace", "scale": 2}], "shape": 1, "gamma": "1/10"},
        events.RepeatAndSelect((Event(events.Laplace(2)),), 1, "1/10"),
    ),
    "given_votes": ({"votes": [7, 2], "sigma": 3}, events.GivenVotes((7, 2), 3)),
    "bounded_range": ({"epsilon": "ln(3)"}, events.BoundedRange("ln(3)")),
    "pure": ({"epsilon": "ln(3)"}, events.Approximate("ln(3)")),
    "approximate": ({"epsilon": "1/2", "delta": "1e-6"}, events.Approximate("1/2", "1e-6")),
    "zcdp": ({"rho": "1/2"}, events.Concentrated("1/2")),
    "renyi": ({"bounds": [["2", "1/2"], [3, 1]]}, events.Renyi(((2, "1/2"), (3, 1)))),
    "finite": ({"outcomes": [["1/2", "1/4"], ["1/2", "3/4"]]}, events.Finite((("1/2", "1/4"), ("1/2", "3/4")))),
    "trade_off": ({"points": [["1/2", "1/4"]]}, events.TradeOff((("1/2", "1/4"),))),
    "profile": ({"points": [[1, "1/4"], [0, "1/2"]]}, events.stated_profile([[0, "1/2"], [1, "1/4"]])),
}


def spec(**changes):
    return {"neighbours": "add_remove", "events": [GAUSSIAN]} | changes


def test_every_mechanism_of_the_language_is_tried():
    assert set(GOOD) == set(MECHANISMS)


@pytest.mark.parametrize("stem", GOOD)
def test_each_mechanism_is_read(stem):
    parameters, mechanism = GOOD[stem]
    assert read_event({"mechanism": stem, **parameters, "count": "7"}) == Event(mechanism, 7)


def test_a_stated_profile_is_what_its_points_say():
    profile = GOOD["profile"][1].upper
    values = [profile(Fraction(e)) for e in ("0", "9/10", "1", "5")]
    assert values == [Fraction(1, 2), Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]
    assert events.stated_profile([[1, "1/4"]]).upper(Fraction(1, 2)) == 1


def test_sampling_is_read():
    poisson = read_event({**GAUSSIAN, "sampling": {"scheme": "poisson", "rate": "1/100"}})
    assert poisson.sampling == Poisson(Fraction(1, 100))
    fixed = read_event({**GAUSSIAN, "sampling": {"scheme": "fixed_size", "rows": 1000, "sample": 10}})
    assert fixed.sampling == FixedSize(1000, 10)
    at_least = read_event({**GAUSSIAN, "sampling": {"scheme": "fixed_size", "least_rows": 1000, "sample": 10}})
    assert at_least.sampling == FixedSizeOfAtLeast(1000, 10)
    cut = {"scheme": "truncated_poisson", "rate": "1/100", "largest": 20, "most_rows": 1000}
    assert read_event({**GAUSSIAN, "sampling": cut}).sampling == events.TruncatedPoisson("1/100", 20, 1000)
    bins = {"scheme": "balls_in_bins", "steps": 100, "turns": 2}
    assert read_event({**GAUSSIAN, "sampling": bins}).sampling == events.BallsInBins(100, 2)
    turns = {"scheme": "cyclic_poisson", "rate": "1/2", "batches": 3, "steps": 100}
    assert read_event({**GAUSSIAN, "sampling": turns}).sampling == events.CyclicPoisson("1/2", 3, 100)
    drawn = {"scheme": "with_replacement", "rows": 1000, "sample": 10}
    assert read_event({**GAUSSIAN, "sampling": drawn}).sampling == events.WithReplacement(1000, 10)


def test_numbers_of_documents_are_the_decimals_that_are_written(tmp_path):
    text = '{"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": 0.1, "count": 1e3}]}'
    path = tmp_path / "spec.json"
    path.write_text(text)
    assert read_spec(path).events == (Event(events.Gaussian("1/10"), 1000),)
    assert read_spec(str(path)) == read_spec(read_json(text))
    toml = 'neighbours = "change_one"\n[[events]]\nmechanism = "gaussian"\nsigma = 0.1\ncount = 1000\n'
    (tmp_path / "spec.toml").write_text(toml)
    assert read_spec(tmp_path / "spec.toml").events == read_spec(path).events
    assert read_spec(tmp_path / "spec.toml").neighbours == "change_one"


def test_floats_of_python_are_themselves():
    assert read_event({"mechanism": "gaussian", "sigma": 0.1}).mechanism.sigma == Fraction(*(0.1).as_integer_ratio())


BAD = {
    "no object": ([], "spec must be an object, got []"),
    "no neighbours": ({"events": [GAUSSIAN]}, "spec must be an object with neighbours"),
    "other neighbours": (spec(neighbours="bounded"), "neighbours must be one of add_remove, change_one, none"),
    "neighbours no text": (spec(neighbours=["add_remove"]), "neighbours must be one of"),
    "no events": ({"neighbours": "none"}, "spec must be an object with events"),
    "no event": (spec(events=[]), "events must be 1 to 10000 events, got 0"),
    "events a text": (spec(events="gaussian"), "events must be a list"),
    "an event a text": (spec(events=["gaussian"]), "events[0]: an event must be an object"),
    "unknown key": (spec(extra=1), "spec must be an object with no keys but neighbours, events, got 'extra'"),
    "unknown mechanism": (spec(events=[{"mechanism": "gauss"}]), "events[0]: mechanism must be one of gaussian"),
    "no mechanism": (spec(events=[{"sigma": 1}]), "mechanism must be one of"),
    "mechanism a list": (spec(events=[{"mechanism": []}]), "mechanism must be one of"),
    "no sigma": (spec(events=[{"mechanism": "gaussian"}]), "gaussian must be an object with sigma"),
    "unknown parameter": (spec(events=[{**GAUSSIAN, "scale": 1}]), "no keys but mechanism, sigma, sensitivity"),
    "negative sigma": (spec(events=[{**GAUSSIAN, "sigma": "-1"}]), "events[0]: sigma must be > 0, got -1"),
    "sigma 0": (spec(events=[{**GAUSSIAN, "sigma": 0}]), "sigma must be > 0, got 0"),
    "sigma NaN": (spec(events=[{**GAUSSIAN, "sigma": nan}]), "sigma must be a number such as"),
    "sigma a list": (spec(events=[{**GAUSSIAN, "sigma": [1]}]), "sigma must be a number such as"),
    "sigma true": (spec(events=[{**GAUSSIAN, "sigma": True}]), "sigma must be a number such as"),
    "sigma huge": (spec(events=[{**GAUSSIAN, "sigma": "1e999"}]), "sigma must be 0 or between 1e-300 and 1e300"),
    "sensitivity 0": (spec(events=[{**GAUSSIAN, "sensitivity": 0}]), "sensitivity must be > 0, got 0"),
    "count 0": (spec(events=[{**GAUSSIAN, "count": 0}]), "count must be a whole number from 1 to 1000000000, got 0"),
    "count 10^18": (spec(events=[{**GAUSSIAN, "count": 10**18}]), "count must be a whole number from 1 to 1000000000"),
    "count 1/2": (spec(events=[{**GAUSSIAN, "count": "1/2"}]), "count must be a whole number"),
    "count -1": (spec(events=[{**GAUSSIAN, "count": -1}]), "count must be a whole number"),
    "sampling a text": (spec(events=[{**GAUSSIAN, "sampling": "poisson"}]), "sampling must be an object"),
    "unknown scheme": (spec(events=[{**GAUSSIAN, "sampling": {"scheme": "shuffle"}}]), "scheme must be poisson or"),
    "no scheme": (spec(events=[{**GAUSSIAN, "sampling": {"rate": "1/2"}}]), "scheme must be poisson or fixed_size"),
    "no rate": (spec(events=[{**GAUSSIAN, "sampling": {"scheme": "poisson"}}]), "poisson must be an object with rate"),
    "rate 2": (spec(events=[{**GAUSSIAN, "sampling": {"scheme": "poisson", "rate": 2}}]), "rate must be at most 1"),
    "rate 0": (spec(events=[{**GAUSSIAN, "sampling": {"scheme": "poisson", "rate": 0}}]), "rate must be > 0, got 0"),
    "sample too large": (
        spec(events=[{**GAUSSIAN, "sampling": {"scheme": "fixed_size", "rows": 10, "sample": 11}}]),
        "sample must be at most rows = 10, got 11",
    ),
    "rows and rate": (
        spec(events=[{**GAUSSIAN, "sampling": {"scheme": "fixed_size", "rows": 10, "sample": 1, "rate": 1}}]),
        "no keys but scheme, rows, sample, got 'rate'",
    ),
    "rows and least rows": (
        spec(events=[{**GAUSSIAN, "sampling": {"scheme": "fixed_size", "rows": 10, "least_rows": 9, "sample": 1}}]),
        "no keys but scheme, rows, sample, got 'least_rows'",
    ),
    "least rows without a sample": (
        spec(events=[{**GAUSSIAN, "sampling": {"scheme": "fixed_size", "least_rows": 9}}]),
        "fixed_size must be an object with sample",
    ),
    "truth 1": (spec(events=[{"mechanism": "randomised_response", "truth": 1}]), "truth must be at least 1/2 and"),
    "truth low": (spec(events=[{"mechanism": "randomised_response", "truth": "0.4"}]), "truth must be at least 1/2"),
    "k 1": (spec(events=[{"mechanism": "k_ary_randomised_response", "k": 1, "truth": "1/2"}]), "k must be >= 2"),
    "k truth low": (
        spec(events=[{"mechanism": "k_ary_randomised_response", "k": 3, "truth": "1/4"}]),
        "truth must be at least 1/k",
    ),
    "epsilon negative": (spec(events=[{"mechanism": "pure", "epsilon": "-1"}]), "epsilon must be >= 0, got -1"),
    "epsilon no number": (spec(events=[{"mechanism": "pure", "epsilon": "ln(x)"}]), "epsilon must be a number"),
    "delta 2": (spec(events=[{"mechanism": "approximate", "epsilon": 1, "delta": 2}]), "delta must be at most 1"),
    "delta negative": (spec(events=[{"mechanism": "approximate", "epsilon": 1, "delta": "-1"}]), "delta must be >= 0"),
    "rho 0": (spec(events=[{"mechanism": "zcdp", "rho": 0}]), "rho must be > 0, got 0"),
    "order 1": (spec(events=[{"mechanism": "renyi", "bounds": [[1, 1]]}]), "order must be > 1, got 1"),
    "bounds empty": (spec(events=[{"mechanism": "renyi", "bounds": []}]), "bounds must be 1 to 10000 pairs"),
    "bounds no pairs": (spec(events=[{"mechanism": "renyi", "bounds": [[1, 2, 3]]}]), "bounds must be 1 to 10000"),
    "bounds a text": (spec(events=[{"mechanism": "renyi", "bounds": "2"}]), "bounds must be 1 to 10000 pairs"),
    "no law": (spec(events=[{"mechanism": "finite", "outcomes": [["1/2", "1/2"]]}]), "the sum of P must be 1, got 1/2"),
    "negative law": (
        spec(events=[{"mechanism": "finite", "outcomes": [["-1/2", "1/2"], ["3/2", "1/2"]]}]),
        "each probability of P must be >= 0",
    ),
    "alpha 2": (spec(events=[{"mechanism": "trade_off", "points": [[2, 0]]}]), "alpha in points must be between 0"),
    "beta large": (spec(events=[{"mechanism": "trade_off", "points": [["1/2", 1]]}]), "beta in points must be between"),
    "profile below 0": (spec(events=[{"mechanism": "profile", "points": [[-1, 1]]}]), "epsilon in points must be >= 0"),
    "profile above 1": (spec(events=[{"mechanism": "profile", "points": [[1, 2]]}]), "delta in points must be between"),
    "not on the grid": (
        spec(events=[{"mechanism": "discrete_laplace", "scale": 1, "granularity": "2/3"}]),
        "sensitivity must be a multiple of the granularity 2/3, got 1",
    ),
    "too many steps": (
        spec(events=[{"mechanism": "discrete_gaussian", "sigma": 1, "granularity": "1e-9"}]),
        "sensitivity / granularity must be at most 100000, got 1000000000",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_spec_gets_one_clear_sentence(case):
    wrong, sentence = BAD[case]
    with pytest.raises(LossError) as error:
        read_spec(wrong)
    assert sentence in str(error.value)
    assert len(str(error.value)) < 500
    assert "\n" not in str(error.value)


BAD_FILES = {
    "not JSON": ("a.json", "{", "spec must be JSON"),
    "not TOML": ("a.toml", "= 1", "spec must be TOML"),
    "other kind": ("a.yaml", "", "spec must be a .json or .toml file, got a.yaml"),
    "twice": ("a.json", '{"events": 1, "events": 2}', "a key must stand once in an object, got 'events' twice"),
    "NaN": ("a.json", '{"neighbours": NaN}', "numbers in a spec must be finite, got NaN"),
    "infinite": ("a.json", '{"neighbours": -Infinity}', "numbers in a spec must be finite"),
    "deep": ("a.json", "[" * 50000, f"spec must be nested at most {DEEPEST} deep, got more"),
    "deep toml": ("a.toml", "a = " + "[" * 50000, f"spec must be nested at most {DEEPEST} deep, got more"),
    "huge": ("a.json", " " * (LARGEST_FILE + 1), f"spec must have at most {LARGEST_FILE} bytes"),
    "long number": ("a.json", '{"a": ' + "9" * 5000 + "}", "numbers in a spec must have at most 400 characters"),
    "long toml number": ("a.toml", "a = " + "9" * 5000, "numbers in a spec must have at most 400 characters"),
    "huge exponent": ("a.json", '{"a": 1e9999999999999999999999}', "numbers in a spec must have an exponent of a few"),
    "not text": ("a.json", b"\xff\xfe", "spec must be UTF-8 text"),
    "toml NaN": ("a.toml", 'neighbours = "none"\n[[events]]\nmechanism = "zcdp"\nrho = nan', "rho must be a number"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_file_gets_one_clear_sentence(case, tmp_path):
    name, content, sentence = BAD_FILES[case]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(LossError) as error:
        read_spec(path)
    assert sentence in str(error.value)
    assert len(str(error.value)) < 500


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(LossError, match=r"spec must be a readable file, got .*none\.json: No such file"):
        read_spec(tmp_path / "none.json")


def test_texts_are_bounded():
    for read in (read_json, read_toml):
        with pytest.raises(LossError, match="spec must have at most"):
            read(" " * (LARGEST_FILE + 1))
    assert read_json(json.dumps([[[1]]])) == [[[1]]]
