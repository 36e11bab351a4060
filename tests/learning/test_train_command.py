"""`refdp train`: the run, its theorems, judged loops, refusals, the picture."""

import json
from fractions import Fraction as F

import pytest

import refdp
from refdp.cli.app import app
from refdp.learning.gradients import OwnModel
from tests.command_line import CliRunner
from tests.sampling.streams import Stream

QUICK = "--steps 2 --noise-multiplier 3"


def run(words, folder):
    return CliRunner().invoke(app, ["train", *words.split(), "--certificates", str(folder)])


def test_a_run_has_a_theorem_that_replays_and_numbers_as_text(tmp_path):
    done = run(f"{QUICK} --json", tmp_path)
    assert (done.exit_code, done.stderr) == (0, "")
    found = json.loads(done.stdout, parse_float=lambda text: pytest.fail(f"a float: {text}"))
    assert found["verdict"] == "PROVED"
    assert F(found["epsilon"]["lower"]) <= F(found["epsilon"]["upper"])
    assert "poisson_sampled(1/10, chain(l2(1), gaussian(3)))" in found["conclusion"]
    assert len(found["weights"]) == 5
    assert [one["step"] for one in found["curve"]] == [0, 1, 2]
    assert {one["verdict"] for one in refdp.check(tmp_path)["certificates"]} == {"PROVED"}
    assert len(list(tmp_path.iterdir())) == 2


def test_the_numbers_of_the_theorem_are_those_of_the_run(tmp_path):
    found = refdp.train(steps=3, norm="1/2", noise_multiplier=4, rate="1/4", certificates=tmp_path)
    assert "repeated(poisson_sampled(1/4, chain(l2(1/2), gaussian(2))), 3)" in found["conclusion"]
    assert "clipped_vector_sum(1/2, 5, 1/1024)" in found["sum"]["conclusion"]


def test_a_row_replaced_costs_more(tmp_path):
    one, other = (
        refdp.train(steps=2, neighbours=n, certificates=tmp_path)["epsilon"] for n in ("add_remove", "change_one")
    )
    assert F(one["upper"]) < F(other["lower"])


def test_a_run_trusts_its_code_and_a_model_of_ones_own_is_assumed_to_read_one_row(tmp_path):
    """The theorems are about clipped sums and rounds; that the run makes those is the code's word, or the user's."""
    own = OwnModel(lambda weights, features, label: (weights @ features - label) * features, size=5)
    built_in, by_hand = (refdp.train(model=m, steps=1, certificates=tmp_path)["trusts"] for m in ("logistic", own))
    assert {"code: refdp.learning", "code: refdp.sampling"} <= set(built_in)
    assert set(by_hand) - set(built_in) == {
        "assumption: the gradient of a row is a function of that row and the weights"
    }


def test_linear_models_are_trained_too(tmp_path):
    done = run(f"{QUICK} --model linear --feature flipper_length_mm=170,235 --label body_mass_g=2500,6500", tmp_path)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "mean square error" in done.stdout


def test_supplied_digits_are_said(tmp_path):
    runs = [refdp.train(steps=2, certificates=tmp_path, source=Stream(1)) for _ in range(2)]
    assert runs[0]["weights"] == runs[1]["weights"]
    assert runs[0]["entropy"] == "digits supplied"


def test_a_picture_is_drawn_of_the_curve(tmp_path):
    done = run(f"{QUICK} --out {tmp_path / 'curve.svg'}", tmp_path / "c")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "<svg" in (tmp_path / "curve.svg").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--rate 0", "rate must be > 0 and <= 1, got 0"),
        ("--steps 1.5", "steps must be a whole number >= 1, got 1.5"),
        ("--steps 0", "steps must be a whole number from 1 to 1000000, got 0"),
        ("--noise-multiplier -1", "noise_multiplier must be > 0, got -1"),
        ("--delta 0", "delta must be one at which epsilon is finite, got 0"),
        ("--delta x", "delta must be"),
        ("--neighbours none", "neighbours must be add_remove or change_one, got none"),
        ("--model tree", "model must be logistic or linear, got tree"),
        ("--label sex", "label must be COLUMN=POSITIVE,NEGATIVE, got sex"),
        ("--label sex=male,male", "label sex must have two different values, got male,male"),
        ("--feature year", "feature must be COLUMN=L,U, got year"),
        ("--feature year=3,2", "bounds of year must be L,U with L < U, got 3,2"),
        ("--feature nothing=0,1", "must have a column 'nothing'"),
        ("--feature year=0,1 --feature year=0,1", "features must be columns, each once"),
        ("--error 0", "error must be > 0 and < 1, got 0"),
        ("no.csv", "feature and label must be given with a table of one's own"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_no_file(words, said, tmp_path):
    done = run(f"{words}", tmp_path / "c")
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "c").exists()
