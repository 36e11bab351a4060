"""`refdp account`: one object, numbers as text on the safe side."""

import json
from fractions import Fraction
from math import nan

import pytest

import refdp
from refdp.accounting.accounts import Account
from refdp.accounting.events import Event, FixedSize, Gaussian, NoTheorem, Poisson, Profile, RandomisedResponse, Renyi
from refdp.accounting.losses import LossError
from refdp.commands.account import account_of

SPEC = {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": "50", "count": 1000}]}
TRUTH = Fraction("2.921600590427045861688551")


class GaussianDpEvent:
    def __init__(self, noise_multiplier):
        self.noise_multiplier = noise_multiplier


def test_one_question_is_answered_at_the_top():
    found = refdp.account(SPEC, delta="1e-6")
    low, high = (Fraction(found["epsilon"][end]) for end in ("lower", "upper"))
    assert low <= TRUTH <= high
    assert high - low <= Fraction(11, 10**10)
    assert found["at"] == {"delta": "1e-6"}
    assert (found["neighbours"], found["width"], found["engine"]) == ("add_remove", "1e-9", "closed forms")
    assert found["events"] == ["1000 x gaussian(sigma=50, sensitivity=1)"]
    assert "reason" not in found
    assert float(found["seconds"]) >= 0
    assert json.loads(json.dumps(found)) == found


def test_events_are_told_in_words():
    events = [Event(Gaussian(2), 3, Poisson("1/100")), Event(Gaussian(2), 4, Poisson("1/100")), Event(Gaussian("1/3"))]
    found = refdp.account(events, neighbours="change_one", delta="1e-3", width="1/10")
    assert found["events"] == [
        "7 x gaussian(sigma=2, sensitivity=1) on a Poisson sample, rate 1/100",
        "1 x gaussian(sigma=1/3, sensitivity=1)",
    ]
    assert (
        str(Event(Renyi(((2, 1), (3, 1))), 2, FixedSize(10, 2)))
        == "2 x renyi(bounds=2 pairs) on a sample of 2 of 10 rows"
    )
    assert str(Event(Profile("mine", lambda e: e))) == "1 x profile(name=mine)"


def test_several_questions_have_an_answer_each():
    found = refdp.account(SPEC, delta=["1e-6", 0.5**10], epsilon=1)
    assert "epsilon" not in found
    first, second, third = found["answers"]
    assert Fraction(first["epsilon"]["lower"]) > Fraction(second["epsilon"]["upper"])
    assert second["at"] == {"delta": "9.765625e-4"}
    low, high = (Fraction(third["delta"][end]) for end in ("lower", "upper"))
    assert 0 < high - low <= high / 10**9
    at_most = refdp.account(SPEC, epsilon=first["epsilon"]["upper"])
    assert Fraction(at_most["delta"]["lower"]) <= Fraction("1e-6")


def test_a_spec_may_be_a_file_its_data_events_or_an_account(tmp_path):
    path = tmp_path / "spec.json"
    path.write_text(json.dumps(SPEC))
    answers = [
        refdp.account(spec, delta="1e-6", neighbours=neighbours)["epsilon"]
        for spec, neighbours in (
            (SPEC, None),
            (path, None),
            (str(path), None),
            (SPEC["events"][0], "add_remove"),
            (SPEC["events"], "add_remove"),
            (Event(Gaussian(50), 1000), "add_remove"),
            (Account("add_remove", (Event(Gaussian(50), 1000),)), None),
            ([GaussianDpEvent(50)] * 1000, "ADD_OR_REMOVE_ONE"),
        )
    ]
    assert all(answer == answers[0] for answer in answers)


def test_the_digits_are_as_many_as_the_width_asks_for():
    coarse, fine = (refdp.account(SPEC, delta="1e-6", width=width)["epsilon"] for width in ("1/10", "1e-20"))
    assert len(coarse["lower"]) <= 6
    assert len(fine["lower"]) >= 20
    assert Fraction(coarse["lower"]) <= Fraction(fine["lower"]) <= TRUTH
    assert TRUTH <= Fraction(fine["upper"]) <= Fraction(coarse["upper"])


def test_infinity_is_text():
    event = {"mechanism": "approximate", "epsilon": 1, "delta": "1/10"}
    found = refdp.account(event, neighbours="none", delta="1e-3")
    assert found["epsilon"] == {"lower": "inf", "upper": "inf"}
    assert found["engine"] == "mass of infinite loss"


def test_what_is_not_reached_has_a_reason():
    spec = {"neighbours": "none", "events": [{"mechanism": "profile", "points": [[1, "1e-3"]]}]}
    found = refdp.account(spec, delta="1e-2", timeout=1)
    assert found["reason"]
    assert Fraction(found["epsilon"]["lower"]) == 0


def test_what_is_proved_of_the_other_relation_is_not_taken():
    with pytest.raises(NoTheorem, match="randomised_response answers for each row"):
        refdp.account(Event(RandomisedResponse("3/4")), delta="1e-6", neighbours="add_remove")


@pytest.mark.parametrize(
    ("spec", "asked", "sentence"),
    [
        (SPEC, {}, "a question must be asked: delta or epsilon must be given, got neither"),
        (SPEC, {"delta": "-1/10"}, "delta must be at least 0 and below 1, got -1/10"),
        (SPEC, {"delta": 1}, "delta must be at least 0 and below 1, got 1"),
        (SPEC, {"delta": [0.5, nan]}, "delta must be a number"),
        (SPEC, {"epsilon": -1}, "epsilon must be between 0 and"),
        (SPEC, {"delta": "1e-6", "neighbours": "add_remove"}, "neighbours must stand in the spec alone"),
        (SPEC, {"delta": "1e-6", "width": 0}, "width must be > 0"),
        (SPEC, {"delta": "1e-6", "timeout": 0}, "timeout must be > 0"),
        (SPEC, {"delta": "1e-6", "memory": -1}, "memory must be > 0"),
        (Event(Gaussian(1)), {"delta": "1e-6"}, "neighbours must be given with events"),
        (Event(Gaussian(1)), {"delta": "1e-6", "neighbours": "near"}, "neighbours must be one of"),
        (Account("add_remove", ()), {"delta": "1e-6", "neighbours": "change_one"}, "in the spec alone, got change_one"),
        (SPEC, {"delta": "1e-6", "epsilon": 1, "calibrate": "sigma", "neighbours": "change_one"}, "in the spec alone"),
    ],
)
def test_bad_input_gets_one_clear_sentence(spec, asked, sentence):
    with pytest.raises(LossError, match=sentence):
        refdp.account(spec, **asked)


def test_progress_is_told():
    told = []
    refdp.account(Event(Gaussian(1), 400, Poisson("1/100")), delta="1e-6", neighbours="add_remove",
                  step=lambda *message: told.append(message))  # fmt: skip
    assert told[0] == (0, 2, "remove")
    assert any("contour" in text for _, _, text in told)


def test_an_account_is_taken_as_it_is():
    stated = Account("change_one", (Event(Gaussian(1)),))
    assert account_of(stated) is stated
