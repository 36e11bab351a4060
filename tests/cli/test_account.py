"""`refdp account`: bounds that hold, a sentence for bad input, a code for widths not reached, no partial file."""

import json
from fractions import Fraction

import pytest
from mpmath import exp, findroot, mp, mpf, ncdf

import refdp
from refdp.cli.app import app
from tests.command_line import CliRunner

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
        (GAUSSIANS, ["--delta", "-0.1"], "delta must be at least 0 and below 1, got -1/10"),
        (GAUSSIANS, ["--delta", "1"], "delta must be at least 0 and below 1, got 1"),
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


SGD = ["account", "--sgd", "--noise-multiplier", "1.1", "--delta", "1e-5", "--json"]
STEPS = {"neighbours": "add_remove", "events": [{
    "mechanism": "gaussian", "sigma": "1.1", "count": 1000, "sampling": {"scheme": "poisson", "rate": "1/100"},
}]}  # fmt: skip


def asked(*words, given=None):
    """What the command answers."""
    return CliRunner().invoke(app, [*words], input=given)


def test_sgd_is_the_spec_of_its_steps(account):
    """By rate or by lot size and rows, by steps or by epochs: the bounds of the spec that says the same."""
    wanted = json.loads(account(STEPS, "--delta", "1e-5", "--json").stdout)["epsilon"]
    for words in (
        ["--rate", "0.01", "--steps", "1000"], ["--rate", "1/100", "--epochs", "10"],
        ["--lot-size", "600", "--rows", "60000", "--epochs", "10"],
        ["--lot-size", "6", "--rows", "600", "--steps", "1000"],
        ["--rate", "0.01", "--epochs", "9.995"], ["--rate", "0.01", "--steps", "1000", "--neighbours", "add_remove"],
    ):  # fmt: skip
        done = asked(*SGD, *words)
        assert done.exit_code == 0, done.output
        found = json.loads(done.stdout)
        assert (found["epsilon"], found["neighbours"]) == (wanted, "add_remove")
        assert found["events"] == ["1000 x gaussian(sigma=11/10, sensitivity=1) on a Poisson sample, rate 1/100"]
    replaced = json.loads(asked(*SGD, "--rate", "0.01", "--steps", "1000", "--neighbours", "change_one").stdout)
    assert Fraction(replaced["epsilon"]["lower"]) > Fraction(wanted["upper"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "rate, or lot_size and rows, must be given with sgd, and not both"),
        (["--rate", "0.1"], "one of epochs and steps must be given, got neither"),
        (["--rate", "0.1", "--steps", "1", "--epochs", "1"], "one of epochs and steps must be given, got both"),
        (["--rate", "0", "--steps", "1"], "rate must be > 0 and <= 1, got 0"),
        (["--rate", "1.5", "--steps", "1"], "rate must be > 0 and <= 1, got 3/2"),
        (["--rate", "0.1", "--lot-size", "1", "--rows", "9", "--steps", "1"], "and not both"),
        (["--rate", "0.1", "--rows", "9", "--steps", "1"], "rows must be given with lot_size alone, got it with rate"),
        (["--lot-size", "9", "--steps", "1"], "rate, or lot_size and rows, must be given with sgd"),
        (["--lot-size", "10", "--rows", "9", "--steps", "1"], "lot_size must be"),
        (["--rate", "0.1", "--steps", "0"], "steps must be"),
        (["--rate", "0.1", "--steps", "1", "--neighbours", "swap"], "neighbours must be one of"),
        (["spec.json", "--rate", "0.1", "--steps", "1"], "spec must not be given with sgd, got spec.json"),
    ],
)
def test_sgd_that_says_too_little_or_too_much_is_refused(words, said):
    done = asked(*SGD, *words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_sgd_has_the_sampling_that_is_said():
    words = ["account", "--sgd", "--noise-multiplier", "2", "--rate", "0.01", "--epochs", "3", "--json", "--width", "1"]
    done = asked(*words, "--sampling", "balls_in_bins", "--epsilon", "1", "--timeout", "3")
    found = json.loads(done.stdout)
    assert found["events"] == ["3 x gaussian(sigma=2, sensitivity=1) on 1 of 100 steps, by chance for each row"]
    assert (done.exit_code, Fraction(found["delta"]["lower"])) == (3, 0)
    assert "nothing is known from below" in found["reason"]
    assert json.loads(asked(*words, "--sampling", "poisson", "--epsilon", "1").stdout)["events"] == [
        "300 x gaussian(sigma=2, sensitivity=1) on a Poisson sample, rate 1/100"
    ]
    for scheme, said in (("shuffle", "not independent samples"), ("cyclic", "sampling must be one of poisson")):
        done = asked(*words, "--sampling", scheme, "--epsilon", "1")
        assert done.exit_code == 2
        assert said in done.stderr
    done = asked("account", "-", "--sampling", "poisson", "--delta", "0.1")
    assert "sampling must be given with sgd alone" in done.stderr


def test_words_of_sgd_are_for_it_alone(account):
    done = account(STEPS, "--delta", "1e-5", "--rate", "0.1")
    assert (done.exit_code, done.stderr) == (2, "refdp: rate must be given with sgd alone, got it without\n")
    done = asked("account", "--delta", "1e-5")
    assert (done.exit_code, done.stderr.partition(":")[2][:20]) == (2, " spec must be given:")
    done = asked("account", "--sgd", "--rate", "0.1", "--steps", "1", "--delta", "1e-5")
    assert done.stderr == "refdp: noise_multiplier must be given with sgd, got nothing\n"
    done = asked("account", "--sgd", "--noise-multiplier", "0", "--rate", "0.1", "--steps", "1", "--delta", "1e-5")
    assert done.stderr == "refdp: noise_multiplier must be > 0, got 0\n"


def test_a_spec_comes_on_standard_input_as_json_or_toml(account):
    wanted = json.loads(account(GAUSSIANS, "--delta", "1e-6", "--json").stdout)["epsilon"]
    toml = 'neighbours = "add_remove"\n[[events]]\nmechanism = "gaussian"\nsigma = "50"\ncount = 1000\n'
    for given in (json.dumps(GAUSSIANS), "\n " + json.dumps(GAUSSIANS), toml):
        done = asked("account", "-", "--delta", "1e-6", "--json", given=given)
        assert json.loads(done.stdout)["epsilon"] == wanted
    for given, said in (
        ("", "spec must be an object with neighbours"),
        ("{", "spec must be JSON"),
        ("\xff", "spec must be"),
    ):
        done = asked("account", "-", "--delta", "1e-6", given=given)
        assert done.exit_code == 2
        assert said in done.stderr


def test_a_history_of_an_accountant_is_read_as_its_decimals(account):
    """Rows [noise multiplier, rate, steps], alone or in the state that Opacus keeps; add_remove unless said."""
    rows = [[1.1, 0.01, 400], [1.1, 0.01, 600]]
    wanted = json.loads(account(STEPS, "--delta", "1e-5", "--json").stdout)["epsilon"]
    for given in (rows, {"history": rows, "mechanism": "rdp"}):
        found = json.loads(asked("account", "-", "--delta", "1e-5", "--json", given=json.dumps(given)).stdout)
        assert (found["epsilon"], found["neighbours"]) == (wanted, "add_remove")
        assert found["read"] == "a history: each number as the shortest decimal that it has"
    done = account(json.dumps(rows), "--delta", "1e-5", "--neighbours", "change_one")
    assert "neighbours change_one" in done.stdout
    assert "each number as the shortest decimal" in done.stdout
    done = account(json.dumps([[1.1, 0.01]]), "--delta", "1e-5")
    assert done.exit_code == 2
    assert "a row of a history must be (noise_multiplier, sample_rate, steps)" in done.stderr
    done = account(GAUSSIANS, "--delta", "1e-5", "--neighbours", "change_one")
    assert "neighbours must stand in the spec alone" in done.stderr


def test_a_history_of_floats_in_python_is_that_of_their_decimals():
    told = refdp.account({"history": [(1.1, 0.01, 1000)]}, neighbours="add_remove", delta="1e-5")["events"]
    assert told == ["1000 x gaussian(sigma=11/10, sensitivity=1) on a Poisson sample, rate 1/100"]


def test_noise_and_steps_of_sgd_are_found_for_a_target():
    """What is sought need not be given; the value beside what meets the target does not."""
    words = ["account", "--sgd", "--rate", "0.01", "--epsilon", "1", "--delta", "1e-5", "--digits", "3", "--json"]
    found = json.loads(asked(*words, "--steps", "100", "--calibrate", "sigma").stdout)
    sigma = found["calibrated"]["meets"]
    assert Fraction(found["answers"][0]["epsilon"]["upper"]) <= 1
    assert Fraction(found["calibrated"]["fails"]) < Fraction(sigma)
    found = json.loads(asked(*words, "--noise-multiplier", "1", "--calibrate", "count").stdout)["calibrated"]
    assert int(found["fails"]) == int(found["meets"]) + 1
    done = asked(*words, "--calibrate", "sigma")
    assert done.stderr == "refdp: one of epochs and steps must be given, got neither\n"


def test_sgd_has_a_picture(tmp_path):
    out = tmp_path / "sgd.svg"
    words = ["account", "--sgd", "--noise-multiplier", "2", "--rate", "0.1", "--steps", "3", "--epsilon", "1"]
    assert asked(*words, "--plot", "--out", str(out)).exit_code == 0
    assert "<svg" in out.read_text(encoding="utf-8")
