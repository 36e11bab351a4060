"""Releases of functions of one's own: proved before they are charged, run exactly as read, under every measure."""

import json
import subprocess
import sys
from fractions import Fraction as F
from pathlib import Path

import pytest

import refdp
from refdp.commands import own_query
from refdp.commands.check import check
from refdp.kernel import rules
from refdp.numerics.exact import decide
from refdp.pipeline import PipelineError
from refdp.releases.account import Account, read_account, text_of
from refdp.releases.errors import BudgetExceeded, InputError
from refdp.releases.spending import Spending, promised_total, read_spending
from refdp.terms.reading import read
from refdp.terms.term import number
from tests.releases.replaying import replay_here

PENGUINS = str(Path(refdp.__file__).parent / "releases" / "examples" / "penguins.csv")
OWN = """
import os

def heavy(rows, limit=4000):
    return sum(1 for r in rows if r["body_mass_g"] is not None and r["body_mass_g"] > limit)


def mass_by_sex(rows):
    total = {"female": 0, "male": 0}
    for r in rows:
        if r["sex"] is not None and r["body_mass_g"] is not None:
            total[r["sex"]] += r["body_mass_g"]
    return total


def count_by_sex(rows):
    total = {"female": 0, "male": 0}
    for r in rows:
        if r["sex"] is not None:
            total[r["sex"]] += 1
    return total


def mean(masses):
    known = [m for m in masses if m is not None]
    return sum(known) / len(known) if known else 0


def plain_mean(masses):
    return sum(masses) / len(masses)


def first(masses):
    return masses[0] if masses else 0


def nobody(rows):
    return sum(0.5 - 0.5 for r in rows)


def islands(rows):
    return {name: sum(1 for r in rows if r["island"] == name) for name in ("Biscoe", "Dream", "Torgersen")}
""".replace("import os\n", "")
COLUMNS = {"body_mass_g": "integers 2700..6300 or missing", "sex": "female | male or missing"}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, with the functions."""
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN, encoding="utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def replayed_here(monkeypatch):
    """In a fresh process replay what `check` is asked about, and what the releases of processes rest on."""
    replay_here(monkeypatch)


@pytest.fixture(autouse=True)
def proved_once(monkeypatch):
    """The search for a proof is made once for each text and question, however many releases go on from it."""
    real = own_query.proved

    def proved(asked, timeout, run):
        text = Path(asked.target.rpartition(":")[0]).read_text(encoding="utf-8")
        key = (text, repr(asked), run)
        if key not in PROVED:
            PROVED[key] = real(asked, timeout, run)
        return PROVED[key]

    monkeypatch.setattr(own_query, "proved", proved)


PROVED = {}


def release(query, **given):
    columns = {"column": COLUMNS, "missing_marker": "NA", "neighbours": "add_remove", "run": False}
    return refdp.release(PENGUINS, query, **(columns | given))


def spent(path="b.json"):
    return read_account(Path(path).read_bytes())


def test_count_of_ones_own_is_charged_answered_and_certified():
    """The true count is 172; P[|noise| > 60 scales] < 2 e^-60: false alarms below 1e-25."""
    found = release("own.py:heavy", epsilon=1, budget="b.json", total=2)
    [answer] = found["answers"]
    assert abs(F(answer["answer"]) - 172) <= 60
    assert (answer["epsilon"], answer["scale"]) == ("1", "1")
    assert found["theorem"]["d_out"] == ["1"]
    assert "refdp's reading of Python" in found["theorem"]["trusts"]
    assert found["together"] == "private(filtered(pure(2)), table(records()), symmetric(1), pure(2))"
    assert found["budget"] == {"file": "b.json", "left": "1"}
    judged = check("refdp-certificates")["certificates"]
    assert [one["verdict"] for one in judged] == ["PROVED"] * 2
    assert {one["conclusion"] for one in judged} == {found["theorem"]["claim"], found["together"]}


def test_what_was_read_runs_and_never_python():
    """The function would leave a trace if Python ran it; it is not even allowed to."""
    Path("own.py").write_text("def f(rows):\n    open('trace', 'w')\n    return len(rows)\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"not read|nothing is proved"):
        release("own.py:f", epsilon=1)
    assert not Path("trace").exists()


@pytest.mark.parametrize(
    ("given", "measure", "charged"),
    [
        ({"rho": "1/8"}, "concentrated", {"rho": "1/8"}),
        ({"epsilon": 1, "delta": "1/1000000"}, "approximate", {"epsilon": "1", "delta": "1/1000000"}),
        ({"epsilon": 2, "order": 8}, "renyi", {"epsilon": "2"}),
    ],
)
def test_gaussian_noise_is_within_what_is_charged(given, measure, charged):
    """Two queries, with labels and without, under one theorem of the measure that is charged."""
    queries = ["own.py:heavy", "own.py:count_by_sex"] if measure == "approximate" else ["own.py:mass_by_sex"]
    found = release(queries, **given, budget="b.json")
    theorem = found["theorem"]
    assert theorem["measure"] == measure
    loss = read_spending(**given).loss
    assert all(decide(read(one) <= limit) for one, limit in zip(theorem["d_out"], loss.arguments, strict=True))
    assert set(found["answers"][-1]["answer"]) == {"female", "male"}
    held = json.loads(Path("b.json").read_text(encoding="utf-8"))
    assert {key: value for key, value in held["charges"][0].items() if key not in ("query", "time")} == charged
    assert held["measure"] == measure
    with pytest.raises(BudgetExceeded):
        spent().charged(spent().charges[0])


def test_widest_gaussian_noise_has_its_accuracy_before_it_is_charged(monkeypatch):
    """An answer must never be lost after the charge for want of its accuracy."""
    given = {"rho": "1/1000", "bounds": "body_mass_g=0,1000000000", "missing": "drop", "budget": "b.json"}
    [answer] = release("sum body_mass_g", column={}, **given)["answers"]
    assert F("1.95") <= F(answer["accuracy"]) / F(answer["scale"]) <= F("1.97")
    monkeypatch.setattr("refdp.releases.release.accuracy", lambda *_: F("nothing"))
    Path("b.json").unlink()
    with pytest.raises(ValueError, match="nothing"):
        release("sum body_mass_g", column={}, **given)
    assert not Path("b.json").exists()


def test_candidate_is_selected_by_scores_of_ones_own():
    found = release("select own.py:islands", epsilon=50, column={"island": "Biscoe | Dream | Torgersen"})
    [answer] = found["answers"]
    assert answer["answer"] == "Biscoe"  # 44 more than the second: another is chosen with probability e^-1100
    assert "accuracy" not in answer
    assert found["theorem"]["d_out"] == ["50"]


def test_real_answer_is_rounded_to_a_grid_that_does_not_depend_on_the_table():
    [answer] = release("own.py:mean body_mass_g", epsilon=1)["answers"]
    assert F(answer["granularity"]) == 1
    [finer] = release("own.py:mean body_mass_g", epsilon=1, granularity="mean=1/8")["answers"]
    assert finer["granularity"] == "1/8"


def test_mean_of_a_public_number_of_rows_is_not_released_under_add_remove():
    columns = {"body_mass_g": "integers 2700..6300"}
    given = {"epsilon": 1, "column": columns, "missing": "replace=4000"}
    found = release("own.py:plain_mean body_mass_g", neighbours="change_one", **given)
    assert found["answers"][0]["scale"] == str(F(3600, 344))
    assert "sized_table(records(), 344), change_one(1)" in found["theorem"]["claim"]
    with pytest.raises(PipelineError, match=r"plain_mean raises ZeroDivisionError on \[\]"):
        release("own.py:plain_mean body_mass_g", budget="b.json", **given)
    assert not Path("b.json").exists()


@pytest.mark.parametrize(
    ("query", "given", "reason"),
    [
        ("own.py:first body_mass_g", {}, "nothing is proved of first|first moves further"),
        ("own.py:heavy", {"claim": ["heavy=1/2"]}, "moves further than claimed"),
        (
            "own.py:heavy",
            {"column": {"body_mass_g": "Integers 0..9"}},
            r"column body_mass_g must be 0\.\.100, integers 0\.\.120, numbers, .*, got 'Integers 0\.\.9'",
        ),
        ("own.py:heavy", {"column": None}, "column must say what the cells are"),
        ("own.py:heavy year", {}, "column must say what the cells of year are|must be declared"),
        ("own.py:nothing", {}, "must define the function nothing"),
        ("count", {}, "column must be left out"),
        ("own.py:heavy", {"set": {"limits": 3}}, "set must be for a parameter of heavy"),
        ("own.py:heavy", {"claim": ["other=1"]}, "claim must be about a function that is queried"),
        ("own.py:heavy", {"promise": "3,1/1000"}, "promise must be left out"),
        ("select own.py:heavy", {}, "must give the scores of several candidates"),
        ("own.py:heavy", {"set": {"limit": 6300}}, "heavy must depend on the rows, but under add_remove its answer is"),
        ("own.py:nobody", {}, "nobody must depend on the rows, but under add_remove its answer is public"),
    ],
)
def test_release_of_what_is_not_proved_or_not_declared_charges_nothing(query, given, reason):
    with pytest.raises(ValueError, match=reason):
        release(query, **({"epsilon": 1, "budget": "b.json"} | given))
    assert not Path("b.json").exists()


def test_cells_that_are_not_as_declared_are_moved():
    """Two rows of 5,000 and of nothing; the others' cells are out of bounds, texts or unknown labels."""
    Path("t.csv").write_text("body_mass_g,sex\n99999,female\n0,male\n5000,?\n,male\n", encoding="utf-8")
    columns = {"column": COLUMNS, "epsilon": 10_000, "neighbours": "add_remove", "run": False}
    [answer] = refdp.release("t.csv", "own.py:mass_by_sex", claim=["mass_by_sex=6300"], **columns)["answers"]
    assert abs(F(answer["answer"]["female"]) - 6300) < 60
    assert abs(F(answer["answer"]["male"]) - 2700) < 60


COMMAND = ["-m", "refdp", "release", PENGUINS, "--column", "body_mass_g=integers 2700..6300 or missing",
           "--missing-marker", "NA", "--neighbours", "add_remove", "--claim", "heavy=1", "--json",
           "--no-run"]  # fmt: skip


def run(*arguments):
    return subprocess.run([sys.executable, *COMMAND, *arguments], capture_output=True, text=True, check=False)


def test_two_processes_charge_in_turn_and_the_second_chooses_by_the_answer_of_the_first():
    promise = ["--budget", "b.json", "--promise", "3,1/1000000"]
    one = json.loads(run("--query", "own.py:heavy", "--rho", "1/50", *promise).stdout)
    limit = "5000" if F(one["answers"][0]["answer"]) > 100 else "3000"
    other = run("--query", "own.py:heavy", "--set", f"limit={limit}", "--rho", "1/20", "--budget", "b.json")
    two = json.loads(other.stdout)
    assert f"fixed('limit', {limit})" in two["theorem"]["claim"]
    assert one["together"] == two["together"]
    assert two["together"].endswith("symmetric(1), approximate(3, 1/1000000))")
    account = spent()
    assert [charge.amount for charge in account.charges] == [F(1, 50), F(1, 20)]
    assert account.promised == 3
    with pytest.raises(BudgetExceeded, match="rho must be at most what is left of the budget, "):
        release("own.py:heavy", rho="1/10", budget="b.json")
    assert len(spent().charges) == 2
    assert {one["verdict"] for one in check("refdp-certificates")["certificates"]} == {"PROVED"}


def test_budget_is_not_read_as_one_under_another_measure():
    release("own.py:heavy", epsilon=1, budget="b.json", total=10)
    with pytest.raises(InputError, match="the budget file says measure pure, got concentrated"):
        release("own.py:heavy", rho=1, budget="b.json")
    assert len(spent().charges) == 1
    other = Account("add_remove", "a table", F(1), (), "renyi", order=F(4))
    for wrong in (
        Account("add_remove", "a table", F(1)),
        Account("add_remove", "a table", F(1), (), "renyi", order=F(5)),
    ):
        with pytest.raises(InputError, match=r"the budget file says (measure|order)"):
            other.require(wrong)


def test_account_that_would_be_run_again_is_no_budget():
    held = json.loads(text_of(Account("add_remove", "a table", F(1))))
    with pytest.raises(InputError, match="measure must be one of pure, approximate, concentrated, renyi"):
        read_account(json.dumps(held | {"measure": "account"}).encode())


def test_promise_that_is_enlarged_by_hand_or_not_met_is_refused():
    total = promised_total("concentrated", F(3), F(1, 10**6), None)
    good = Account("add_remove", "a table", total, (), "concentrated", delta=F(1, 10**6), promised=F(3))
    held = json.loads(text_of(good))
    assert read_account(text_of(good).encode()) == good
    for changed, reason in (
        ({"total": "1"}, "must be within the epsilon of 3 that is promised"),
        ({"promised": "2"}, "must be within the epsilon of 2 that is promised"),
        ({"delta": "1/1000000000"}, "must be within the epsilon of 3 that is promised"),
        ({"delta": "0"}, "delta must be > 0 and < 1"),
        ({"order": "2"}, "order must be given for a budget in Renyi DP, and for no other"),
        ({"measure": "pure"}, "delta must be left out of a budget in pure DP"),
        ({"measure": "approximate"}, "a total of epsilon and one of delta"),
    ):
        with pytest.raises(InputError, match=reason):
            read_account(json.dumps(held | changed).encode())
    with pytest.raises(InputError, match="a promise must be an epsilon and a delta"):
        read_account(json.dumps({key: one for key, one in held.items() if key != "delta"}).encode())


@pytest.mark.parametrize(("epsilon", "delta"), [("1", "1/1000"), ("3", "1/1000000"), ("1/10", "1/10"), ("20", "1/3")])
def test_promised_total_is_the_greatest_that_is_within_it(epsilon, delta):
    rho = promised_total("concentrated", F(epsilon), F(delta), None)
    theorem = rules.filtered(domain="table(records())", near="symmetric", d_in="1", total=f"concentrated({rho})")
    bounds = [epsilon, delta]
    assert rules.concentrated_to_approximate(theorem, delta=delta, d_out=bounds).claim.d_out[0] == number(F(epsilon))
    more = rules.filtered(
        domain="table(records())", near="symmetric", d_in="1", total=f"concentrated({rho * F(1001, 1000)})"
    )
    with pytest.raises(Exception, match="is not an upper bound"):
        rules.concentrated_to_approximate(more, delta=delta, d_out=bounds)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, "epsilon must be given, or rho"),
        ({"epsilon": 1, "rho": 1}, "epsilon must be left out where rho is spent"),
        ({"rho": 1, "delta": "1/2"}, "rho must be spent alone"),
        ({"rho": 1, "order": 2}, "rho must be spent alone"),
        ({"epsilon": 1, "delta": "1/2", "order": 2}, "delta must be left out where an epsilon at an order is spent"),
        ({"epsilon": 1, "delta": 1}, "delta must be < 1"),
        ({"epsilon": 1, "delta": 0}, "delta must be > 0"),
        ({"epsilon": 1, "order": 1}, "order must be > 1"),
        ({"rho": 0}, "rho must be > 0"),
        ({"rho": 10**7}, "rho must be at most"),
    ],
)
def test_spending_that_is_none_is_refused(given, reason):
    with pytest.raises(InputError, match=reason):
        read_spending(**given)


def test_spending_says_what_it_is():
    assert Spending("approximate", F(1), F(1, 8)).text == "epsilon 1 and delta 1/8"
    assert Spending("renyi", F(1, 2), None, F(8)).text == "epsilon 1/2 at order 8"
    assert str(Spending("renyi", F(1, 2), None, F(8)).loss) == "renyi(8, 1/2)"
    assert Spending("renyi", F(1, 2), None, F(8)).divided == F(1, 16)
    with pytest.raises(InputError, match="nothing may be spent within it"):
        promised_total("renyi", F(1, 2), F(1, 1000), F(2))


def test_file_that_is_not_there_is_no_query():
    with pytest.raises(OSError, match=r"nowhere\.py"):
        release("nowhere.py:f", epsilon=1)
