"""`refdp fit`: what it prints, its certificates, its pictures, its exit codes and refusals."""

import json
from dataclasses import replace

import pytest

import refdp
from refdp.cli.app import app
from refdp.commands.fit import LATE, MODELS, declaration
from tests.command_line import CliRunner
from tests.exactness.refusals import refusal
from tests.meta.repository import ROOT

TABLE = str(ROOT / "refdp" / "releases" / "examples" / "penguins.csv")
NUMBERS = "--feature bill_length_mm=30..60 --feature bill_depth_mm=13..22"
SMALL = {
    "k_means": f"{NUMBERS} --epsilon 1 --clusters 2 --rounds 2",
    "linear_regression": f"{NUMBERS} --target body_mass_g=2500..6500 --epsilon 1 --delta 1e-6",
    "logistic_regression": f"{NUMBERS} --target sex=female,male --epsilon 1 --delta 1e-6",
    "naive_bayes": f"{NUMBERS} --feature species=Adelie,Gentoo --target sex=female,male --epsilon 1 --bins 3",
    "principal_components": f"{NUMBERS} --epsilon 1 --delta 1e-6",
}
KEYS = {
    "model", "neighbours", "claim", "verdict", "epsilon", "trusts", "noise", "fitted", "compared", "certificates",
    "seconds",
}  # fmt: skip


def run(words):
    return CliRunner().invoke(app, ["fit", *words.split()])


def found(words):
    done = run(f"{words} --json")
    return done, json.loads(done.stdout, parse_float=lambda text: pytest.fail(f"a float: {text}"))


def test_every_model_is_tried():
    assert SMALL.keys() == MODELS.keys()


@pytest.mark.parametrize("name", MODELS)
def test_fit_gives_a_model_with_its_claim_as_json(name):
    done, told = found(f"{name} {TABLE} {SMALL[name]}")
    assert (done.exit_code, done.stderr) == (0, "")
    assert told.keys() == KEYS | ({"delta"} if "delta" in SMALL[name] else set())
    assert (told["verdict"], told["epsilon"], told["compared"]) == ("PROVED", "1", None)
    assert told["trusts"] == ["code: refdp.sampling", "code: refdp.transformations"]
    assert told["claim"].startswith("private(")
    assert told["claim"].endswith("pure(1))" if "delta" not in told else "approximate(1, 1/1000000))")


def test_fit_perturbs_the_objective(tmp_path):
    words = f"logistic_regression {TABLE} {NUMBERS} --target sex=female,male --epsilon 1 --perturb objective"
    done, told = found(f"{words} --certificates {tmp_path}")
    assert (done.exit_code, done.stderr) == (0, "")
    assert (told["noise"]["mechanism"], told["noise"]["numbers"]) == ("rounded_logistic_objective", 3)
    assert told["claim"].endswith("pure(1))")
    names = ("logistic_regression", "rounded_logistic_objective.sampler_law")
    assert told["certificates"] == [str(tmp_path / f"{name}.json") for name in names]
    assert [one["verdict"] for one in refdp.check(*told["certificates"])["certificates"]] == ["PROVED"] * 2
    printed = " ".join(run(words).stdout.split())
    assert "3 coefficients with a random linear term of scale" in printed
    assert "in what is minimised" in printed


def test_fit_ends_with_its_time_whatever_it_does(monkeypatch):
    """A search that would not end is interrupted, and nothing is released."""

    def never(rows, task):
        while True:
            pass

    monkeypatch.setitem(MODELS, "k_means", replace(MODELS["k_means"], make=never))
    done = run(f"k_means {TABLE} {SMALL['k_means']} --timeout 0.1")
    assert (done.exit_code, done.stdout) == (3, "")
    assert LATE in done.stderr


@pytest.mark.parametrize("name", MODELS)
def test_fit_prints_the_model_and_says_what_is_not_private(name):
    plain, compared = run(f"{name} {TABLE} {SMALL[name]}"), run(f"{name} {TABLE} {SMALL[name]} --compare")
    assert (plain.exit_code, compared.exit_code) == (0, 0)
    assert plain.stdout.startswith(name)
    assert "PROVED: private(" in plain.stdout
    assert "not covered by the theorem" not in plain.stdout
    assert "without noise" in compared.stdout
    assert "computed from the table itself: not covered by the theorem" in compared.stdout


@pytest.mark.parametrize("name", MODELS)
def test_fit_writes_certificates_that_are_replayed(name, tmp_path):
    _, told = found(f"{name} {TABLE} {SMALL[name]} --neighbours change_one --certificates {tmp_path / 'c'}")
    replayed = refdp.check(*told["certificates"])
    assert [one["verdict"] for one in replayed["certificates"]] == ["PROVED"] * len(told["certificates"])
    assert replayed["certificates"][0]["conclusion"] == told["claim"]
    assert "change_one(1)" in told["claim"]
    assert len(told["certificates"]) == (4 if name == "k_means" else 2)
    assert sorted(map(str, (tmp_path / "c").iterdir())) == sorted(told["certificates"])


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("compare", ["", " --compare"])
def test_fit_draws_its_model(name, compare, tmp_path):
    out = tmp_path / "model.svg"
    _, told = found(f"{name} {TABLE} {SMALL[name]}{compare} --out {out}")
    text = out.read_text(encoding="utf-8")
    assert told["picture"]["path"] == str(out)
    assert f"{name}: epsilon 1" in text
    assert ("without noise" in text) == bool(compare)
    assert ("not covered by the theorem" in told["picture"]["caption"]) == bool(compare)


def test_fit_draws_one_column_one_class_and_many_features(tmp_path):
    for words in (
        "k_means {} --feature bill_length_mm=30..60 --epsilon 1 --compare --out {}/a.png",
        "naive_bayes {} --target sex=female --feature year=2000..2010 --epsilon 1 --compare --out {}/b.pdf",
        "naive_bayes {} --target island=Biscoe,Dream --feature year=2000..2010 --epsilon 1 --out {}/c.svg",
    ):
        assert run(words.format(TABLE, tmp_path)).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "b.pdf", "c.svg"]


def test_function_gives_what_the_command_prints():
    words = {"feature": ["bill_length_mm=30..60"], "epsilon": "1/2", "clusters": 2, "rounds": 1}
    told = refdp.fit("k_means", TABLE, **words)
    _, printed = found(f"k_means {TABLE} --feature bill_length_mm=30..60 --epsilon 1/2 --clusters 2 --rounds 1")
    same = ("model", "claim", "epsilon", "noise", "trusts", "neighbours")
    assert {key: told[key] for key in same} == {key: printed[key] for key in same}


@pytest.mark.parametrize("name", MODELS)
def test_fit_after_its_time_releases_nothing(name, tmp_path):
    words = {"target": "sex=female,male"} if name in ("naive_bayes", "logistic_regression") else {}
    words |= {"target": "year=2000..2010"} if name == "linear_regression" else {}
    words |= {} if name in ("naive_bayes", "k_means") else {"delta": "1e-6"}
    words |= {"certificates": tmp_path / "c", "timeout": 1e-9}
    with pytest.raises(TimeoutError, match=LATE):
        refdp.fit(name, TABLE, feature=["body_mass_g=0..9999"], epsilon=1, **words)
    assert list(tmp_path.iterdir()) == []


REFUSED = [
    ("median {} --feature x=0..1 --epsilon 1", "name must be one of k_means, linear_regression, logistic_reg"),
    ("k_means {} --feature bill_length_mm --epsilon 1", "feature must be COLUMN=LOWER..UPPER or COLUMN=LABEL,LABEL"),
    (
        "k_means {} --feature bill_length_mm=60..30 --epsilon 1",
        "lower of bill_length_mm must be < upper, got 60 and 30",
    ),
    ("k_means {} --feature bill_length_mm=a..b --epsilon 1", "feature must be COLUMN=LOWER..UPPER of exact numbers"),
    ("k_means {} --feature sex=male --epsilon 1", "features must be columns of numbers"),
    ("k_means {} --feature none=0..1 --epsilon 1", "must have a column 'none'"),
    ("k_means {} --feature sex=0..1 --epsilon 1", "must have a decimal number in every cell of column 'sex'"),
    ("k_means {} --feature year=0..1 --epsilon 0", "epsilon must be > 0"),
    ("k_means {} --feature year=0..1 --epsilon x", "epsilon must be"),
    ("k_means {} --feature year=0..1 --epsilon 1 --delta 1e-6", "delta must be left out of k_means"),
    ("k_means {} --feature year=0..1 --epsilon 1 --bins 3", "bins must be left out of k_means"),
    ("k_means {} --feature year=0..1 --epsilon 1 --rounds 0", "rounds must be a whole number >= 1, got 0"),
    ("k_means {} --feature year=0..1 --epsilon 1 --neighbours none", "neighbours must be add_remove or change_one"),
    ("naive_bayes {} --feature year=0..1 --epsilon 1", "target must be given for naive_bayes"),
    ("naive_bayes {} --feature year=0..1 --epsilon 1 --target year=0..1", "target must be COLUMN=LABEL,LABEL"),
    ("naive_bayes {} --feature sex=0..1 --epsilon 1 --target sex=male", "a column must be of numbers or of labels"),
    (
        "linear_regression {} --feature year=0..1 --epsilon 1 --target sex=male --delta 1e-6",
        "target must be COLUMN=LOW",
    ),
    ("linear_regression {} --feature year=0..1 --epsilon 1 --target sex=male", "delta must be given for linear_reg"),
    ("logistic_regression {} --feature year=0..1 --epsilon 1", "target must be given for logistic_regression"),
    ("logistic_regression {} --feature year=0..1 --epsilon 1 --target year=0..1", "target must be COLUMN=LABEL,LABEL"),
    ("logistic_regression {} --feature year=0..1 --epsilon 1 --target sex=male", "target must be a column of two"),
    ("logistic_regression {} --feature sex=a,b --epsilon 1 --target sex=female,male", "features must be columns"),
    ("logistic_regression {} --feature year=0..1 --epsilon 1 --target sex=a,b --delta 1", "delta must be > 0 and < 1"),
    ("logistic_regression {} --feature year=0..1 --epsilon 1 --target sex=a,b --bins 3", "bins must be left out of"),
    (
        "logistic_regression {} --feature year=0..1 --epsilon 1 --target sex=a,b --regularisation 0",
        "regularisation must be from 1/1000 to 10^6, got 0",
    ),
    (
        "logistic_regression {} --feature year=0..1 --epsilon 1 --target sex=a,b --perturb input",
        "perturb must be output or objective, got input",
    ),
    ("naive_bayes {} --feature year=0..1 --epsilon 1 --target sex=a,b --perturb objective", "perturb must be left out"),
    (
        "linear_regression {} --feature year=0..1 --epsilon 1 --target year=0..1 --delta 1e-6 --regularisation 1",
        "regularisation must be left out of linear_regression",
    ),
    ("principal_components {} --feature year=0..1 --epsilon 1 --delta 2", "delta must be > 0 and < 1, got 2"),
    ("principal_components {} --feature year=0..1 --epsilon 1 --delta 1e-6 --components 2", "components must be"),
    ("k_means nowhere.csv --feature year=0..1 --epsilon 1", "nowhere.csv"),
    ("k_means {} --feature year=0..1 --epsilon 1 --out x.txt", "out must be a file that ends in"),
    ("k_means {} --feature year=0..1 --epsilon 1 --certificates {}", "must be a folder, got a file"),
]


@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_fit_refuses_in_one_sentence(words, said):
    done = run(words.replace("{}", TABLE))
    assert done.exit_code == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("written", ["", "x", "=1..2", "x=", "x=1..", "x=..2", "x=1..inf", "x=nan..2"])
def test_declarations_of_nothing_are_refused(written):
    assert refusal(lambda: declaration(written, "feature")).startswith("feature must be")
