"""`refdp account`: bounds that hold, a sentence for bad input, a code for widths not reached, no partial file."""

import json
from fractions import Fraction

import pytest
from mpmath import exp, findroot, mp, mpf, ncdf
from typer.testing import CliRunner

from refdp.cli.app import app

GAUSSIANS = {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": "50", "count": 1000}]}
UNBOUNDED = {"neighbours": "add_remove", "events": [{"mechanism": "approximate", "epsilon": 1, "delta": "1/100"}]}
FEW_ORDERS = {"neighbours": "add_remove", "events": [{"mechanism": "renyi", "bounds": [[2, "1/10"]]}]}


@pytest.fixture
def account(tmp_path):
    """Runs the command on a spec, in a folder that holds nothing else."""

    def run(stated, *options):
        path = tmp_path / "spec.json"
        path.write_text(stated if isinstance(stated, str) else json.dumps(stated), encoding="utf-8")
        return CliRunner().invoke(app, ["account", str(path), *options])

    return run


def gaussian_delta(epsilon, mu):
    """delta at epsilon of Gaussian noise, by its closed form (BW18 Thm 8)."""
    return ncdf(-epsilon / mu + mu / 2) - exp(epsilon) * ncdf(-epsilon / mu - mu / 2)


def test_account_bounds_epsilon_from_both_sides(account):
    done = account(GAUSSIANS, "--delta", "1e-6", "--json")
    found = json.loads(done.stdout)
    with mp.workdps(50):
        mu = mp.sqrt(1000) / 50
        truth = findroot(lambda e: mp.log(gaussian_delta(e, mu)) - mp.log(mpf(10) ** -6), 3)
        lower, upper = (mpf(found["epsilon"][end]) for end in ("lower", "upper"))
        assert lower <= truth <= upper
        assert upper - lower <= mpf(10) ** -9
    assert done.exit_code == 0
    assert found["answers"][0]["epsilon"] == found["epsilon"]
    assert found["neighbours"] == "add_remove"
    assert found["engine"]


def test_account_bounds_delta_from_both_sides(account):
    done = account(GAUSSIANS, "--epsilon", "1", "--width", "1e-12", "--json")
    found = json.loads(done.stdout)
    with mp.workdps(50):
        truth = gaussian_delta(mpf(1), mp.sqrt(1000) / 50)
        lower, upper = (mpf(found["delta"][end]) for end in ("lower", "upper"))
        assert lower <= truth <= upper
        assert upper - lower <= truth / 10**12
    assert done.exit_code == 0


def test_account_answers_every_question(account):
    done = account(GAUSSIANS, "--delta", "1e-6", "--delta", "1e-12", "--epsilon", "1/2", "--json")
    answers = json.loads(done.stdout)["answers"]
    assert [one["at"] for one in answers] == [{"delta": "1e-6"}, {"delta": "1e-12"}, {"epsilon": "5e-1"}]
    assert Fraction(answers[0]["epsilon"]["upper"]) < Fraction(answers[1]["epsilon"]["lower"])


def test_account_prints_a_table(account):
    done = account(GAUSSIANS, "--delta", "1e-6", "--epsilon", "1")
    assert done.exit_code == 0
    assert "1000 x gaussian(sigma=50, sensitivity=1)" in done.stdout
    assert "2.92160059" in done.stdout
    assert "2.44210262" in done.stdout


def test_account_exits_3_where_the_width_is_not_reached(account):
    done = account(FEW_ORDERS, "--delta", "1e-6")
    assert done.exit_code == 3
    assert "at delta 1e-6 the width 1e-9 was not reached: " in done.stdout


def test_account_says_that_epsilon_is_infinite(account):
    done = account(UNBOUNDED, "--delta", "1/1000", "--json")
    assert json.loads(done.stdout)["epsilon"] == {"lower": "inf", "upper": "inf"}
    assert done.exit_code == 0


def noise(**changed):
    return {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": "1"} | changed]}


POISSON = {"scheme": "poisson", "rate": "11/10"}


@pytest.mark.parametrize(
    ("stated", "options", "sentence"),
    [
        (noise(sigma="-1"), ["--delta", "1e-6"], "events[0]: sigma must be > 0, got -1"),
        (noise(sampling=POISSON), ["--delta", "1e-6"], "events[0]: rate must be at most 1, got 11/10"),
        (noise(count=0), ["--delta", "1e-6"], "count must be a whole number from 1 to "),
        (noise(count=10**18), ["--delta", "1e-6"], "count must be a whole number from 1 to "),
        ({"events": []}, ["--delta", "1e-6"], "spec must be an object with neighbours, got "),
        ('{"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": NaN}]}', ["--delta", "1e-6"],
         "numbers in a spec must be finite, got NaN"),
        ("{", ["--delta", "1e-6"], "spec must be JSON, got "),
        (GAUSSIANS, [], "a question must be asked: delta or epsilon must be given, got neither"),
        (GAUSSIANS, ["--delta", "0"], "delta must be strictly between 0 and 1, got 0"),
        (GAUSSIANS, ["--delta", "1"], "delta must be strictly between 0 and 1, got 1"),
        (GAUSSIANS, ["--delta", "nan"], "delta must be a number such as "),
        (GAUSSIANS, ["--epsilon", "-1"], "epsilon must be between 0 and 2^20, got -1"),
        (GAUSSIANS, ["--delta", "1e-6", "--width", "0"], "width must be > 0 and at most 1, got 0"),
        (GAUSSIANS, ["--delta", "1e-6", "--memory", "-1"], "memory must be a whole number from 1 to "),
        (GAUSSIANS, ["--delta", "1e-6", "--timeout", "inf"], "timeout must be a number of seconds from 0.1 to "),
        (GAUSSIANS, ["--delta", "1e-6", "--plot"], "out must be given with --plot: a file that ends in .svg, .png or "),
        (GAUSSIANS, ["--delta", "1e-6", "--out", "a.svg"], "out is the file of a picture, and must be given with "),
        (GAUSSIANS, ["--delta", "1e-6", "--plot", "--out", "a.jpg"], "out must be a file that ends in .svg, .png or "),
        (GAUSSIANS, ["--delta", "1e-6", "--plot", "--out", "no/a.svg"], "out must be a file in a folder that exists"),
    ],
)  # fmt: skip
def test_account_refuses_bad_input_in_one_sentence(account, stated, options, sentence):
    done = account(stated, *options)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert sentence in done.stderr


def test_account_refuses_a_missing_file():
    done = CliRunner().invoke(app, ["account", "nowhere.json", "--delta", "1e-6"])
    assert done.exit_code == 2
    assert done.stderr == "refdp: spec must be a readable file, got nowhere.json: No such file or directory\n"


def test_account_draws_what_has_no_finite_epsilon(account, tmp_path):
    done = account(UNBOUNDED, "--delta", "1/1000", "--plot", "--out", str(tmp_path / "out.svg"))
    assert done.exit_code == 0
    assert "inf" in done.stdout


def test_account_leaves_no_file_where_it_refuses(account, tmp_path):
    done = account(noise(sigma=0), "--delta", "1e-6", "--plot", "--out", str(tmp_path / "out.svg"))
    assert done.exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["spec.json"]


def test_account_draws_a_picture(account, tmp_path):
    out = tmp_path / "out.svg"
    done = account(GAUSSIANS, "--delta", "1e-6", "--plot", "--out", str(out), "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["picture"]["path"] == str(out)
    assert "<svg " in out.read_text(encoding="utf-8")


def test_account_has_help_with_an_example():
    done = CliRunner().invoke(app, ["account", "--help"])
    assert "Example: refdp account" in done.stdout
