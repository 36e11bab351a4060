"""`refdp sensitivity`: verdicts, evidence, exit codes, and what bad input is told."""

import json
import subprocess
import sys
from fractions import Fraction

import pytest

import refdp
from refdp.cli.app import app
from refdp.commands import sensitivity
from refdp.sensitivities.smoothing import believing
from tests.command_line import CliRunner

QUERIES = """
def mean(rows):
    return sum(min(max(x, 0), 10) for x in rows) / len(rows) if rows else 0


def median(rows):
    ordered = sorted(rows)
    return ordered[len(ordered) // 2]


def counts(rows):
    found = {"a": 0, "b": 0}
    for row in rows:
        found[row["kind"]] += 1
    return found


def moving(rows):
    found = 0
    for x in rows:
        found = found / 2 + x
    return found


def distance_from(rows, candidate):
    return -sum(1 for x in rows if x < candidate)


def looping(rows):
    with open("elsewhere"):
        return 0
"""
KEYS = {"verdict", "claim", "trusts", "seconds", "bound", "any_n", "pair", "certificate"}


@pytest.fixture
def queries(tmp_path):
    path = tmp_path / "queries.py"
    path.write_text(QUERIES, encoding="utf-8")
    return path


def asked(*arguments):
    """The command's exit code, and its standard output and error."""
    done = CliRunner().invoke(app, ["sensitivity", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def test_sensitivity_that_is_proved_has_a_certificate_that_check_replays(queries, tmp_path):
    found = refdp.sensitivity(
        f"{queries}:mean", "add_remove", bounds=(0, 10), claim=10, certificates=tmp_path / "certificates"
    )
    assert KEYS <= set(found)
    assert (found["verdict"], found["any_n"], found["tables"]) == ("PROVED", True, "multisets")
    for solver in ("z3", "cvc5"):
        replayed = refdp.check(tmp_path / "certificates", solver=solver)
        assert [one["verdict"] for one in replayed["certificates"]] == ["PROVED"]


def test_sensitivity_that_is_refuted_has_a_pair_that_its_script_shows(queries, tmp_path):
    found = refdp.sensitivity(f"{queries}:mean", "add_remove", bounds=(0, 10), claim="9.99", certificates=tmp_path)
    assert found["verdict"] == "REFUTED"
    assert Fraction(found["pair"]["distance"]) > Fraction("9.99")
    shown = subprocess.run([sys.executable, "-c", found["pair"]["script"]], capture_output=True, text=True, check=True)
    assert Fraction(shown.stdout.splitlines()[-1].removeprefix("distance: ")) == Fraction(found["pair"]["distance"])
    assert refdp.check(found["certificate"])["certificates"][0]["verdict"] == "REFUTED"


def test_sensitivity_without_a_claim_finds_the_least(queries):
    found = refdp.sensitivity(f"{queries}:counts", "change_one", column={"kind": "a | b"}, norm="L2")
    assert (found["verdict"], found["bound"], found["tight"]) == ("PROVED", "sqrt(2)", True)


def test_sensitivity_says_for_which_tables_it_is_proved(queries):
    found = refdp.sensitivity(f"{queries}:moving", "change_one", bounds=(0, 1), claim=1)
    assert (found["verdict"], found["tables"]) == ("PROVED", "lists")
    found = refdp.sensitivity(f"{queries}:moving", "change_one", bounds=(0, 1), claim=1, tables="multisets")
    assert found["verdict"] == "REFUTED"


def test_sensitivity_of_no_fold_is_unknown_with_the_rows_that_were_checked(queries):
    found = refdp.sensitivity(f"{queries}:median", "change_one", bounds=(0, 1), claim=1, timeout=5)
    assert (found["verdict"], found["any_n"]) == ("UNKNOWN", False)
    assert f"no violation for n <= {found['checked_rows']}" in found["reason"]


def test_sensitivity_of_a_score_says_its_direction(queries):
    found = refdp.sensitivity(
        f"{queries}:distance_from", "add_remove", bounds=(0, 9), symbol=["candidate"], score="candidate", claim=1
    )
    assert (found["verdict"], found["monotone"], found["needs_factor_2"]) == ("PROVED", "decreasing", False)
    assert KEYS <= set(found)
    assert "refdp's reading of Python" in found["trusts"]


def test_sensitivity_of_a_score_rests_on_certificates_that_check_replays(queries, tmp_path):
    """On that of its sensitivity, and on that of its direction."""
    found = refdp.sensitivity(
        f"{queries}:distance_from", "add_remove", bounds=(0, 9), symbol=["candidate"], score="candidate", claim=1,
        certificates=tmp_path / "c",
    )  # fmt: skip
    assert found["certificate"] in found["evidence"]
    assert len(found["evidence"]) >= 2
    replayed = refdp.check(*found["evidence"])["certificates"]
    assert "PROVED" in {one["verdict"] for one in replayed} <= {"PROVED", "REFUTED"}
    assert set(found["trusts"]) == {who for one in replayed for who in one["trusts"]}


def test_sensitivity_at_a_table_and_its_smooth_bound(queries, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("x\n1\n2\n9\n", encoding="utf-8")
    known = {"bounds": (0, 10), "at": f"{table}:x"}
    local = refdp.sensitivity(f"{queries}:median", "change_one", **known)
    assert KEYS <= set(local)
    assert (local["verdict"], local["bound"], local["attained"]) == ("PROVED", "7", True)
    assert local["pair"]["first"] == ["1", "2", "9"]
    smooth = refdp.sensitivity(
        "", "change_one", **known, statistic="median", smooth="1/10", certificates=tmp_path / "smooth"
    )
    assert KEYS <= set(smooth)
    assert smooth["verdict"] == "PROVED"
    assert any(one.startswith("z3 ") and " and cvc5 " in one for one in smooth["trusts"])
    assert Fraction(smooth["bound"]) >= Fraction(local["bound"])
    [replayed] = refdp.check(smooth["certificate"])["certificates"]
    assert (replayed["verdict"], replayed["trusts"]) == ("PROVED", smooth["trusts"])


def test_sensitivity_at_a_table_judges_no_claim(queries, tmp_path):
    """A verdict about the bound that was found would be read as one about the claim."""
    table = tmp_path / "table.csv"
    table.write_text("x\n1\n2\n9\n", encoding="utf-8")
    known = {"bounds": (0, 10), "at": f"{table}:x", "claim": 5}
    for more in ({}, {"statistic": "median", "smooth": "1/10"}):
        with pytest.raises(ValueError, match="claim must be left out at one table and for smooth bounds, got 5"):
            refdp.sensitivity(f"{queries}:median", "change_one", **known, **more)


@pytest.mark.parametrize(
    ("more", "name"),
    [({"edits": 3}, "edits"), ({"tables": "lists"}, "tables"), ({"assume": "n == 7"}, "assume"),
     ({"norm": "L2"}, "norm"), ({"set": {"p": 1}}, "set"), ({"symbol": ["p"]}, "symbol")],
)  # fmt: skip
def test_what_a_question_about_a_table_does_not_look_at_is_refused(more, name, queries, tmp_path):
    """It was passed over: three edits were asked about, and one was answered."""
    table = tmp_path / "table.csv"
    table.write_text("x\n1\n2\n9\n", encoding="utf-8")
    known = {"neighbours": "change_one", "bounds": (0, 10), "at": f"{table}:x", **more}
    with pytest.raises(ValueError, match=f"{name} must be left out at one table and for smooth bounds"):
        refdp.sensitivity(**known, statistic="median", smooth="1/10")
    if name in ("edits", "tables", "assume"):
        with pytest.raises(ValueError, match=f"{name} must be left out at one table and for smooth bounds"):
            refdp.sensitivity(f"{queries}:median", **known)


def test_what_may_be_more_than_the_local_sensitivity_is_called_so(tmp_path):
    """At [3] the median of bounded numbers moves by 7/2 to (3 + 10) / 2, and by 2 to the empty table's 5."""
    (tmp_path / "table.csv").write_text("x\n3\n", encoding="utf-8")
    known = {"at": f"{tmp_path / 'table.csv'}:x", "statistic": "median", "smooth": "1/10", "bounds": (0, 10)}
    found = refdp.sensitivity(neighbours="add_remove", empty=5, **known)
    assert (found["least"], found["local"], found["local_at_most"]) == (False, None, "10")
    found = refdp.sensitivity(neighbours="change_one", **known)
    assert (found["least"], found["local"], found["local_at_most"]) == (True, "7", None)


def test_sensitivity_whose_solvers_do_not_prove_the_lemmas_is_unknown(tmp_path, monkeypatch):
    table = tmp_path / "table.csv"
    table.write_text("x\n1\n2\n9\n", encoding="utf-8")
    monkeypatch.setattr(believing, "undecided", lambda lemmas, solver, seconds: (lemmas[0].name,))
    found = refdp.sensitivity("", "change_one", bounds=(0, 10), at=f"{table}:x", statistic="median", smooth="1/10")
    assert (found["verdict"], found["trusts"]) == ("UNKNOWN", [])
    assert found["reason"].startswith("z3 does not prove ")


def test_sensitivity_of_a_smooth_bound_of_ones_own_has_every_key(queries):
    queries.write_text(QUERIES + "\n\ndef claimed_bound(rows):\n    return 1\n", encoding="utf-8")
    found = refdp.sensitivity(
        f"{queries}:median", "change_one", bounds=(0, 9), smooth="1/10", smooth_bound=f"{queries}:claimed_bound"
    )
    assert KEYS <= set(found)
    assert (found["verdict"], found["violation"]) == ("REFUTED", "below the local sensitivity")
    assert found["trusts"] == ["refdp's interpreter of Python"]
    assert "reason" not in found


def test_sensitivity_of_a_machine_is_more_than_that_of_the_numbers(tmp_path):
    (tmp_path / "total.py").write_text("def total(rows):\n    return sum(rows)\n", encoding="utf-8")
    known = {"bounds": (0, 1), "arithmetic": "float64", "sum": "naive", "rows_at_most": 100}
    target = f"{tmp_path / 'total.py'}:total"
    assert refdp.sensitivity(target, "add_remove", claim=1, **known)["verdict"] == "REFUTED"
    proved = refdp.sensitivity(target, "add_remove", claim="1.000001", **known)
    assert proved["verdict"] == "PROVED"
    assert KEYS <= set(proved)
    assert refdp.sensitivity(target, "add_remove", claim=1, bounds=(0, 1))["verdict"] == "PROVED"


def test_sensitivity_exit_codes_are_of_the_verdict(queries, tmp_path):
    common = ("--neighbours", "add_remove", "--bounds", "0", "10", "--certificates", tmp_path / "c", "--timeout", "5")
    assert asked(f"{queries}:mean", *common, "--claim", "10")[0] == 0
    assert asked(f"{queries}:mean", *common, "--claim", "9")[0] == 1
    code, output, _ = asked(f"{queries}:median", *common, "--claim", "11", "--json")
    assert (code, json.loads(output)["verdict"]) in ((3, "UNKNOWN"), (1, "REFUTED"))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["{}:mean", "--bounds", "0", "1"], "neighbours must be"),
        (["{}:mean", "--neighbours", "add_remove"], "records must be declared"),
        (["{}:none", "--neighbours", "add_remove", "--bounds", "0", "1"], "must define the function none"),
        (["{}:mean", "--neighbours", "add_remove", "--bounds", "2", "1"], "L <= U"),
        (["{}:mean", "--neighbours", "add_remove", "--bounds", "0", "1", "-k", "0"], "edits must be"),
        (["{}:mean", "--neighbours", "add_remove", "--bounds", "0", "1", "--claim", "f(1)"], "claim must be"),
        (["{}:mean", "--neighbours", "add_remove", "--bounds", "0", "1", "--assume", "n < 0"], "contradiction"),
        (["{}:mean", "--neighbours", "change_one", "--bounds", "0", "1", "--assume", "n < 1"], "contradiction"),
        (["{}:mean", "--neighbours", "add_remove", "--bounds", "0", "1", "--set", "a"], "set must be NAME=VALUE"),
        (["{}:looping", "--neighbours", "add_remove", "--bounds", "0", "1"], "with is not read"),
        (["{}:mean", "--neighbours", "add_remove", "--bounds", "0", "1", "--arithmetic", "float7"], "float7"),
        (["{}.toml"], "No such file"),
    ],
)
def test_sensitivity_tells_bad_input_in_one_sentence(queries, arguments, told):
    code, output, error = asked(*(a.format(queries) for a in arguments))
    assert (code, output) == (2, "")
    assert told in error
    assert error.count("\n") == 1


CAMPAIGN = """
file = "queries.py"
[records]
numbers = "0..10"
[[question]]
function = "mean"
records = "numbers"
neighbours = "add_remove"
claim = "10"
expected = "PROVED"
[[question]]
function = "looping"
records = "numbers"
neighbours = "add_remove"
claim = "1"
"""


def test_campaign_judges_each_question(queries):
    path = queries.with_name("campaign.toml")
    path.write_text(CAMPAIGN, encoding="utf-8")
    code, output, _ = asked(path, "--json", "--certificates", queries.with_name("c"))
    found = json.loads(output)
    assert [one["verdict"] for one in found["questions"]] == ["PROVED", "UNKNOWN"]
    assert "with is not read" in found["questions"][1]["reason"]
    assert (code, found["surprises"]) == (3, 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [("claim", "claims"), ('"10"', "10.5"), ('"numbers"', '"words"'), ("add_remove", "near"), ('"0..10"', "7"),
     ('file = "queries.py"', ""), ("PROVED", "TRUE"), ("[[question]]", "[question]"), ("[records]", "[records")],
)  # fmt: skip
def test_campaign_that_is_none_is_refused_in_one_sentence(queries, old, new):
    path = queries.with_name("campaign.toml")
    path.write_text(CAMPAIGN.replace(old, new, 1), encoding="utf-8")
    code, output, error = asked(path)
    assert (code, output) == (2, "")
    assert "campaign.toml" in error


def test_campaign_that_is_interrupted_keeps_what_it_decided(queries, monkeypatch):
    path = queries.with_name("campaign.toml")
    path.write_text(CAMPAIGN, encoding="utf-8")

    def interrupted(asked, *_):
        if asked.target.endswith("looping"):
            raise KeyboardInterrupt
        return judgement(asked, 30)

    judgement = sensitivity.judge
    monkeypatch.setattr(sensitivity, "judge", interrupted)
    found = sensitivity.campaign(path)
    assert [one["verdict"] for one in found["questions"]] == ["PROVED", "UNKNOWN"]
    assert found["questions"][1]["reason"] == "interrupted"


CLAMPED = """
def clamped(rows, lower, upper):
    return sum(max(lower, min(upper, x)) for x in rows)
"""
SYMBOLS = (
    "--records",
    "integers",
    "--symbol",
    "lower:integer",
    "--symbol",
    "upper:integer",
    "--assume",
    "lower <= upper",
)


@pytest.fixture
def clamped(tmp_path):
    path = tmp_path / "clamped.py"
    path.write_text(CLAMPED, encoding="utf-8")
    return (
        f"{path}:clamped",
        "--neighbours",
        "change_one",
        *SYMBOLS,
        "--certificates",
        tmp_path / "c",
    )


def test_what_was_not_claimed_is_not_said_to_be_exceeded(clamped):
    code, output, _ = asked(*clamped, "--timeout", "20")
    words = " ".join(output.split())
    assert code == 3
    assert "no bound was claimed, and none that was tried is proved for every table (of the last, 2: Spacer" in words
    assert "moves by 0" not in words
    assert "the claim" not in words


def test_bounds_in_symbols_have_a_minus_sign_for_readers_and_certificates_their_text(clamped):
    code, output, _ = asked(*clamped, "--claim", "upper - lower")
    assert code == 0
    assert "moves by at most upper - lower, for any number of rows" in " ".join(output.split())
    code, output, _ = asked(*clamped, "--claim", "upper - lower", "--json")
    found = json.loads(output)
    assert found["bound"] == "upper + (-1*lower)"
    checked = CliRunner().invoke(app, ["check", found["certificate"]])
    assert "moves by at most upper - lower" in " ".join(checked.stdout.split())
    assert "1 certificate: 1 PROVED" in checked.stdout
