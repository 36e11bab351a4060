"""A release of a real table: its theorem, its charge, and its refusals in one sentence each."""

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest

import refdp
from refdp.cli.app import app
from refdp.commands.check import check
from refdp.releases.account import read_account
from refdp.releases.errors import BudgetExceeded, Charged, InputError
from refdp.releases.queries import read_query
from refdp.releases.release import plan
from refdp.releases.spending import Spending
from refdp.sampling import coins as coins_module
from refdp.sampling.tree import Tape
from tests.command_line import CliRunner

EXAMPLES = Path(refdp.__file__).parent / "releases" / "examples"
PENGUINS, TABLE_D = str(EXAMPLES / "penguins.csv"), str(EXAMPLES / "table_d.csv")
ISLANDS = "island=Biscoe,Dream,Torgersen"
run = CliRunner().invoke


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(*arguments):
    return ["release", *map(str, arguments)]


def histogram(epsilon="1", *more):
    return command(PENGUINS, "--query", "histogram island", "--categories", ISLANDS, "--epsilon", epsilon,
                   "--neighbours", "add_remove", *more)  # fmt: skip


def test_release_of_the_penguins_has_answers_theorem_and_certificate(folder):
    found = json.loads(run(app, histogram("1", "--json")).stdout)
    [answer] = found["answers"]
    assert list(answer["answer"]) == ["Biscoe", "Dream", "Torgersen"]
    assert all(Fraction(v).denominator == 1 for v in answer["answer"].values())
    assert (answer["epsilon"], answer["scale"], answer["granularity"]) == ("1", "1", "1")
    theorem = found["theorem"]
    assert (theorem["metric"], theorem["d_in"], theorem["measure"], theorem["d_out"]) == (
        "symmetric",
        "1",
        "pure",
        ["1"],
    )
    assert theorem["trusts"] == ["code: refdp.sampling", "code: refdp.transformations"]
    assert found["samplers"] == ["sampler_law(discrete_laplace(scale, granularity), 0 < scale, 0 < granularity)"]
    [certificate] = check(found["certificate"])["certificates"]
    assert certificate["verdict"] == "PROVED"
    assert certificate["conclusion"] == theorem["claim"]


def test_release_answers_lie_within_their_accuracy_almost_always(folder):
    """The true counts are 168, 124, 52; P[|noise| > 60 scales] < 2 e^-60 each: false alarms below 1e-25."""
    [answer] = json.loads(run(app, histogram("1", "--json")).stdout)["answers"]
    true = {"Biscoe": 168, "Dream": 124, "Torgersen": 52}
    assert all(abs(Fraction(answer["answer"][k]) - n) <= 60 for k, n in true.items())


def test_release_accuracy_is_the_least_that_holds_with_95_percent(folder):
    """P[|Z| <= a] = 1 - 2 r^(a + 1) / (1 + r), r = e^-1: by mpmath, 3 is the least whole number above 95%."""
    import mpmath

    [answer] = json.loads(run(app, histogram("1", "--json")).stdout)["answers"]
    r = mpmath.exp(-1)
    within = [1 - 2 * r ** (a + 1) / (1 + r) for a in range(10)]
    assert int(answer["accuracy"]) == next(a for a, p in enumerate(within) if p >= 0.95)


def test_release_on_the_grid_of_a_decimal_column(folder):
    arguments = command(PENGUINS, "--query", "sum bill_length_mm", "--bounds", "bill_length_mm=32.1,59.6",
                        "--granularity", "bill_length_mm=0.1", "--missing", "drop", "--missing-marker", "NA",
                        "--epsilon", "1/2", "--neighbours", "add_remove", "--json")  # fmt: skip
    found = json.loads(run(app, arguments).stdout)
    [answer] = found["answers"]
    assert (Fraction(answer["answer"]) * 10).denominator == 1
    assert (answer["scale"], answer["granularity"]) == ("596/5", "1/10")
    assert "column('bill_length_mm', 1/10)" in found["theorem"]["claim"]
    assert "discrete_laplace(596/5, 1/10)" in found["theorem"]["claim"]


def test_release_of_table_d_under_change_one_has_a_public_size(folder):
    arguments = command(TABLE_D, "--query", "mean D1", "--query", "threshold binary:D1,D2,D3 3", "--bounds", "0,1",
                        "--epsilon", "2", "--neighbours", "change_one", "--json")  # fmt: skip
    found = json.loads(run(app, arguments).stdout)
    assert [a["granularity"] for a in found["answers"]] == ["1/10", "1"]
    assert [a["scale"] for a in found["answers"]] == ["1/10", "1"]
    assert "sized_table(records(), 10)" in found["theorem"]["claim"]


def test_release_of_dropped_rows_under_change_one_costs_twice(folder):
    """A replaced row may become a removed and an added one, so the noise doubles."""
    arguments = ["--missing", "drop", "--missing-marker", "NA", "--bounds", "body_mass_g=2700,6300", "--epsilon", "1",
                 "--neighbours", "change_one", "--json"]  # fmt: skip
    found = json.loads(run(app, command(PENGUINS, "--query", "sum body_mass_g", *arguments)).stdout)
    assert found["answers"][0]["scale"] == str(2 * 6300)
    refused = run(app, command(PENGUINS, "--query", "mean body_mass_g", *arguments))
    assert refused.exit_code == 2
    assert "mean must have a public number of rows, but rows with missing values are dropped" in refused.stderr


def test_release_replaces_missing_values_inside_the_bounds_only(folder):
    arguments = ["--query", "mean body_mass_g", "--missing-marker", "NA", "--bounds", "2700,6300", "--epsilon", "1",
                 "--neighbours", "change_one", "--json"]  # fmt: skip
    found = json.loads(run(app, command(PENGUINS, *arguments, "--missing", "replace=4200")).stdout)
    assert found["answers"][0]["scale"] == str(Fraction(3600, 344))
    refused = run(app, command(PENGUINS, *arguments, "--missing", "replace=1"))
    assert refused.exit_code == 2
    assert "must be in [2700, 6300], got 1" in refused.stderr


def test_release_charges_the_budget_and_refuses_what_it_does_not_cover(folder):
    first = run(app, histogram("3/4", "--budget", "budget.json", "--total", "1"))
    assert first.exit_code == 0
    assert "1/4 left in budget.json" in first.stdout
    before = Path("budget.json").read_bytes()
    second = run(app, histogram("1/3", "--budget", "budget.json"))
    assert second.exit_code == 1
    assert second.stdout == ""
    assert "what is left of the budget, 1/4 of 1, got 1/3" in second.stderr
    assert Path("budget.json").read_bytes() == before
    assert run(app, histogram("1/4", "--budget", "budget.json")).exit_code == 0


def test_release_budget_is_for_one_table_one_relation_and_one_total(folder):
    assert run(app, histogram("1/4", "--budget", "b.json", "--total", "1")).exit_code == 0
    other = command(TABLE_D, "--query", "count", "--epsilon", "1/4", "--neighbours", "add_remove", "--budget", "b.json")
    changed = histogram("1/4", "--budget", "b.json", "--total", "2")
    relation = [a if a != "add_remove" else "change_one" for a in histogram("1/4", "--budget", "b.json")]
    for arguments in (other, changed, relation):
        refused = run(app, arguments)
        assert refused.exit_code == 2
        assert "the budget file " in refused.stderr


def start(*more):
    environment = {**os.environ, "PYTHONPATH": str(Path(refdp.__file__).parents[1])}
    return subprocess.Popen(
        [sys.executable, "-m", "refdp", *histogram("1/10", "--budget", "b.json", "--total", "1", *more)],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip


def test_two_releases_at_once_cannot_overspend(folder):
    spent = run(app, histogram("17/20", "--budget", "b.json", "--total", "1"))
    assert spent.exit_code == 0
    racers = [start(), start()]
    codes = sorted((r.communicate(timeout=120), r.returncode)[1] for r in racers)
    assert codes == [0, 1]
    assert read_account(Path("b.json").read_bytes()).remaining == Fraction(1, 20)


def test_a_killed_release_that_showed_an_answer_has_its_charge(folder):
    shown = 0
    for delay in (0.3, 1.2, 1.8, 2.4, 60):
        process = start()
        time.sleep(min(delay, 2.6))
        if delay < 60:
            process.send_signal(signal.SIGKILL)
        shown += "histogram island" in process.communicate(timeout=120)[0]
    charges = read_account(Path("b.json").read_bytes()).charges
    assert 1 <= shown <= len(charges)


ROWS = "age,island\n31,A\n44,B\n"
BAD_FILES = {
    "empty": (b"", "must begin with a header line"),
    "header only": (b"age,island\n", "must have at least one row"),
    "not UTF-8": (b"age,island\n31,\xff\xfe\n", "must be UTF-8 text"),
    "NUL": (b"age,island\n31,A\x00\n", "got a NUL byte"),
    "short row": (b"age,island\n31\n", "as many fields in every row"),
    "text in a number": (b"age,island\nyoung,A\n", "must have a decimal number in every cell of column 'age'"),
    "NaN": (b"age,island\nNaN,A\n", "must have a decimal number in every cell of column 'age'"),
    "infinity": (b"age,island\ninf,A\n", "must have a decimal number in every cell of column 'age'"),
    "missing": (b"age,island\n,A\n", "got a missing one in line 2; declare a policy"),
    "no such column": (b"years,island\n31,A\n", "must have a column 'age'"),
    "repeated column": (b"age,age\n31,32\n", "unique column names"),
}


@pytest.mark.parametrize(("content", "sentence"), BAD_FILES.values(), ids=BAD_FILES)
def test_release_of_a_bad_table_is_refused_in_one_sentence(folder, content, sentence):
    Path("t.csv").write_bytes(content)
    arguments = command("t.csv", "--query", "sum age", "--bounds", "0,100", "--epsilon", "1", "--neighbours",
                        "add_remove", "--budget", "b.json")  # fmt: skip
    refused = run(app, arguments)
    assert_refused(refused, sentence)
    assert sorted(p.name for p in folder.iterdir()) == ["t.csv"]


def assert_refused(result, sentence):
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert sentence in result.stderr
    assert result.stderr.startswith("refdp: ")
    assert len(result.stderr.splitlines()) == 1


def test_release_of_a_million_rows_is_refused_with_the_limit(folder):
    Path("big.csv").write_text("age\n" + "1\n" * 1_000_000)
    arguments = command("big.csv", "--query", "count", "--epsilon", "1", "--neighbours", "add_remove")
    assert_refused(run(app, arguments), "must have at most 500000 rows")
    assert [p.name for p in folder.iterdir()] == ["big.csv"]


BAD_OPTIONS = {
    "epsilon nan": ({"--epsilon": "nan"}, "epsilon must be"),
    "epsilon inf": ({"--epsilon": "inf"}, "epsilon must be"),
    "epsilon 0": ({"--epsilon": "0"}, "epsilon must be > 0, got 0"),
    "epsilon negative": ({"--epsilon": "-1"}, "epsilon must be > 0, got -1"),
    "epsilon text": ({"--epsilon": "much"}, "epsilon must be"),
    "neighbours": ({"--neighbours": "both"}, "neighbours must be one of add_remove, change_one, got both"),
    "query": ({"--query": "median age"}, "query must be count, histogram COLUMN"),
    "histogram without categories": ({"--query": "histogram island"}, "categories of island must be declared"),
    "sum without bounds": ({"--bounds": "island=0,1"}, "bounds of age must be declared"),
    "bounds reversed": ({"--bounds": "5,1"}, "bounds must be L,U with L <= U"),
    "bounds off the grid": ({"--bounds": "0,1/2"}, "upper must be a whole multiple of granularity"),
    "bounds nan": ({"--bounds": "nan,1"}, "bounds must be"),
    "granularity 0": ({"--granularity": "0"}, "granularity must be > 0, got 0"),
    "granularity negative": ({"--granularity": "-1"}, "granularity must be > 0, got -1"),
    "mean under add_remove": ({"--query": "mean age"}, "mean must have a public number of rows, but neighbours is"),
    "missing": ({"--missing": "ignore"}, "drop or replace=VALUE"),
    "total 0": ({"--total": "0"}, "total must be > 0, got 0"),
    "count under change_one": (
        {"--query": "count", "--neighbours": "change_one"}, "count must depend on the rows"),
    "no such file": ({"data": "absent.csv"}, "can be read, got absent.csv"),
    "folder": ({"data": "."}, "must be a regular file"),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "sentence"), BAD_OPTIONS.values(), ids=BAD_OPTIONS)
def test_release_with_bad_options_is_refused_in_one_sentence(folder, changes, sentence):
    Path("t.csv").write_text(ROWS)
    options = {"--query": "sum age", "--bounds": "0,100", "--epsilon": "1", "--neighbours": "add_remove"} | changes
    data = options.pop("data", "t.csv")
    refused = run(app, command(data, *(f"{key}={value}" for key, value in options.items())))
    assert_refused(refused, sentence)
    assert [p.name for p in folder.iterdir()] == ["t.csv"]


@pytest.mark.parametrize("epsilon", [0.5, float("nan"), float("inf"), True, None])
def test_release_refuses_an_epsilon_that_is_not_exact(folder, epsilon):
    with pytest.raises(ValueError, match="epsilon must be"):
        refdp.release(TABLE_D, ["count"], epsilon, "add_remove")
    assert list(folder.iterdir()) == []


def test_release_needs_a_query(folder):
    with pytest.raises(InputError, match="query must be given at least once"):
        refdp.release(TABLE_D, [], "1", "add_remove")


def test_release_takes_a_text_alone_for_one_item(folder):
    Path("marked.csv").write_text("size\n1\nNA\n3\n", encoding="utf-8")
    one = {"bounds": "size=0,9", "granularity": "1", "missing": "drop", "missing_marker": "NA"}
    found = refdp.release("marked.csv", "sum size", "1", "add_remove", **one)
    assert [answer["query"] for answer in found["answers"]] == ["sum size"]


def test_release_insists_on_the_entropy_of_the_operating_system(folder, monkeypatch):
    monkeypatch.setattr("refdp.releases.release.Coins", lambda: coins_module.Coins(Tape([0] * 10_000)))
    with pytest.raises(InputError, match="operating system's entropy"):
        refdp.release(TABLE_D, ["count"], "1", "add_remove")


def test_release_shows_nothing_whose_theorem_does_not_replay(folder, monkeypatch):
    monkeypatch.setattr(
        "refdp.commands.release.check",
        lambda *paths, timeout: {"certificates": [{"verdict": "REJECTED", "reason": "forged", "trusts": []}]},
    )
    with pytest.raises(InputError, match="does not replay: forged"):
        refdp.release(TABLE_D, ["count"], "1", "add_remove", budget="b.json")
    assert list(folder.iterdir()) == []


def test_release_draws_only_after_the_charge(folder, monkeypatch):
    seen = []

    def answers(*_):
        seen.append(read_account(Path("b.json").read_bytes()).remaining)
        raise InputError("stopped before the draw")

    monkeypatch.setattr("refdp.commands.release.answers", answers)
    with pytest.raises(Charged, match="stopped"):
        refdp.release(TABLE_D, ["count"], "1/4", "add_remove", budget="b.json", total=1)
    assert seen == [Fraction(3, 4)]


def test_release_refuses_before_it_draws_when_the_budget_is_spent(folder, monkeypatch):
    assert refdp.release(TABLE_D, ["count"], "1", "add_remove", budget="b.json")["budget"]["left"] == "0"
    monkeypatch.setattr("refdp.commands.release.answers", lambda *_: pytest.fail("it drew without a budget"))
    with pytest.raises(BudgetExceeded):
        refdp.release(TABLE_D, ["count"], "1/100", "add_remove", budget="b.json")


def test_plan_needs_an_epsilon_that_covers_its_theorem():
    from refdp.releases.declarations import read_declarations

    found = plan([read_query("count")], read_declarations("add_remove"), 10, Spending("pure", Fraction(1, 3)))
    assert str(found.claim.d_out[0]) == "1/3"


def tampered(**changes):
    """A plan for a count whose parts are changed."""
    from dataclasses import replace

    from refdp.releases.declarations import read_declarations

    return replace(
        plan([read_query("count")], read_declarations("add_remove"), 10, Spending("pure", Fraction(1))), **changes
    )


def test_release_is_of_what_its_theorem_is_about():
    from refdp.kernel.judgements import KernelError
    from refdp.releases.release import require_about

    other = refdp.count() >> refdp.discrete_laplace(2)
    wider = refdp.count("grid(1)") >> refdp.discrete_laplace(1)
    assert require_about(tampered()) is None
    for wrong in (
        tampered(measurements=(other,)),
        tampered(measurements=(wider,)),
        tampered(measurements=(tampered().measurements[0],) * 2),
        tampered(privacy=refdp.theorem(tampered().measurements[0], 2)),
        tampered(spending=Spending("pure", Fraction(1, 2))),
        tampered(spending=Spending("concentrated", Fraction(1))),
        tampered(spending=Spending("approximate", Fraction(1), Fraction(1, 2))),
        tampered(samplers={"discrete_laplace": refdp.theorem(wider, 1)}),
    ):
        with pytest.raises(KernelError):
            require_about(wrong)
