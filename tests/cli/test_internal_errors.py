"""An exception that nobody foresaw costs one verdict: the others are told, it refutes nothing, and the exit code is 4.

Each command that judges several things is run on several, with an exception planted where one of them is judged.
"""

import json
import subprocess
import sys

import pytest

import refdp.accounting.searching
import refdp.cli
import refdp.commands.check
import refdp.commands.prove
import refdp.commands.sensitivity
import refdp.commands.verify
import refdp.test_vectors.checking
from refdp.auditing.judges.exact import Exact
from refdp.cli.app import app
from refdp.logic.internal_errors import HEAD, KEY, error_sentence, lost
from tests.command_line import CliRunner

PROGRAMS = """
from refdp.programs import ALL, claim, laplace


@claim(epsilon="epsilon", adjacency=ALL)
def first(x: float, epsilon):
    return x + laplace(1 / epsilon)


@claim(epsilon="epsilon", adjacency=ALL)
def planted(x: float, epsilon):
    return x + laplace(2 / epsilon)


@claim(epsilon="{last}", adjacency=ALL, expected="{expected}")
def last(x: float, epsilon):
    return x + laplace(1 / epsilon)
"""
QUERIES = "def first(rows):\n    return sum(rows)\n\n\ndef planted(rows):\n    return len(rows)\n"
CAMPAIGN = """
file = "query.py"

[records]
numbers = "0..10"

[[question]]
function = "first"
records = "numbers"
neighbours = "add_remove"
claim = "{claim}"

[[question]]
function = "planted"
records = "numbers"
neighbours = "add_remove"
claim = "1"
expected = "PROVED"

[[question]]
function = "planted"
records = "numbers"
neighbours = "add_remove"
claim = "2"
"""


def invoked(*arguments):
    """Exit code and JSON object of a command."""
    done = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    return done.exit_code, json.loads(done.stdout)


def planted(function, wrong):
    """The function, with a KeyError where `wrong` says so of its arguments."""

    def judged(*arguments, **named):
        if wrong(*arguments, **named):
            raise KeyError("epsilon")
        return function(*arguments, **named)

    return judged


def plant(monkeypatch, module, name, wrong):
    monkeypatch.setattr(module, name, planted(getattr(module, name), wrong))


@pytest.fixture
def programs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plant(monkeypatch, refdp.commands.prove, "judge", lambda asked, *_: asked.function == "planted")

    def write(last="epsilon", expected="PROVED"):
        (tmp_path / "programs.py").write_text(PROGRAMS.format(last=last, expected=expected), encoding="utf-8")

    write()
    return write


def test_a_claim_that_is_lost_leaves_the_others_of_its_file(programs):
    code, found = invoked("prove", "programs.py")
    assert code == 4
    assert [one["verdict"] for one in found["claims"]] == ["PROVED", "UNKNOWN", "PROVED"]
    assert found["claims"][1][KEY].startswith("KeyError: 'epsilon'")
    assert HEAD in found["claims"][1]["reason"]
    assert not any(KEY in found["claims"][place] for place in (0, 2))
    assert (found["as_expected"], found["surprises"]) == (2, 0)


def test_what_is_refuted_beside_a_lost_claim_decides_the_exit_code(programs):
    programs(last="epsilon/2")
    code, found = invoked("prove", "programs.py")
    assert code == 1
    assert [one["verdict"] for one in found["claims"]] == ["PROVED", "UNKNOWN", "REFUTED"]


def test_a_lost_claim_is_not_what_was_expected_as_unknown(programs, tmp_path):
    text = (tmp_path / "programs.py").read_text(encoding="utf-8")
    text = text.replace("ALL)\ndef planted", 'ALL, expected="UNKNOWN")\ndef planted')
    (tmp_path / "programs.py").write_text(text, encoding="utf-8")
    code, found = invoked("prove", "programs.py")
    assert (code, found["as_expected"]) == (4, 2)


def test_a_lost_claim_alone_is_told_as_one(programs):
    done = CliRunner().invoke(app, ["prove", "programs.py:planted"])
    assert done.exit_code == 4
    assert HEAD in " ".join(done.stdout.split())
    assert "Traceback" not in done.output


def test_bad_input_is_still_bad_input(programs):
    assert CliRunner().invoke(app, ["prove", "programs.py", "--set", "gamma=1"]).exit_code == 2
    assert CliRunner().invoke(app, ["prove", "programs.py", "--adjacency", "SOME"]).exit_code == 2


def test_a_lost_bracket_leaves_the_verdict(programs, monkeypatch):
    plant(monkeypatch, refdp.commands.prove, "bracketed", lambda *_: True)
    code, found = invoked("prove", "programs.py:first", "--bracket")
    assert (code, found["verdict"]) == (4, "PROVED")
    assert found[KEY].startswith("KeyError")


@pytest.fixture
def queries(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "query.py").write_text(QUERIES, encoding="utf-8")
    wrong = lambda asked, _: asked.target.endswith("planted") and asked.claim == "1"  # noqa: E731
    plant(monkeypatch, refdp.commands.sensitivity, "judge", wrong)
    return tmp_path


@pytest.mark.parametrize(("claim", "first"), [("10", "PROVED"), ("9", "REFUTED")])
def test_a_question_that_is_lost_leaves_the_others_of_its_campaign(queries, claim, first):
    (queries / "campaign.toml").write_text(CAMPAIGN.format(claim=claim), encoding="utf-8")
    ended, found = invoked("sensitivity", "campaign.toml")
    assert [one["verdict"] for one in found["questions"]] == [first, "UNKNOWN", "PROVED"]
    assert KEY in found["questions"][1]
    assert (ended, found["surprises"]) == (4, 0)


def test_a_surprise_beside_a_lost_question_decides_the_exit_code(queries):
    text = CAMPAIGN.format(claim="9").replace('claim = "9"', 'claim = "9"\nexpected = "PROVED"')
    (queries / "campaign.toml").write_text(text, encoding="utf-8")
    assert invoked("sensitivity", "campaign.toml")[0] == 1


def test_a_question_that_is_lost_alone_is_told_as_one(queries):
    asked = ["sensitivity", "query.py:planted", "--neighbours", "add_remove", "--bounds", "0", "10", "--claim", "1"]
    code, found = invoked(*asked)
    assert (code, found["verdict"], found["function"]) == (4, "UNKNOWN", "planted")
    assert KEY in found
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 4
    assert HEAD in " ".join(done.stdout.split())
    assert "seconds" in done.stdout  # the last fact: nothing was lost in the telling


MODES = {
    "machine": ["--arithmetic", "float64", "--rows-at-most", "3"],
    "local": ["--at", "table.csv"],
    "score": ["--score", "r", "--candidates", "[1, 2]"],
}


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_of_sensitivity_tells_a_lost_question(queries, monkeypatch, mode):
    plant(monkeypatch, refdp.commands.sensitivity.Mode, "judged", lambda *_: True)
    asked = ["sensitivity", "query.py:planted", "--neighbours", "add_remove", "--bounds", "0", "10", *MODES[mode]]
    code, found = invoked(*asked)
    assert (code, found["verdict"]) == (4, "UNKNOWN")
    assert found[KEY].startswith("KeyError")
    assert HEAD in " ".join(CliRunner().invoke(app, asked).stdout.split())


def test_an_engine_of_an_account_that_fails_is_told_beside_true_bounds(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    spec = {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": "1"}]}
    (tmp_path / "spec.json").write_text(json.dumps(spec), encoding="utf-8")
    plant(monkeypatch, refdp.accounting.searching.Search, "_narrow", lambda *_: True)
    code, found = invoked("account", "spec.json", "--delta", "1e-6", "--delta", "1e-3")
    assert code == 4
    assert all(one[KEY].startswith("KeyError") for one in found["answers"])
    assert all(float(one["epsilon"]["lower"]) == 0 for one in found["answers"])
    assert all(one["epsilon"]["upper"] == "inf" for one in found["answers"])


def test_an_engine_that_fails_leaves_the_question_to_the_next(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    spec = {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": "1"}]}
    (tmp_path / "spec.json").write_text(json.dumps(spec), encoding="utf-8")
    engines = refdp.accounting.searching.engines.engines()

    class Failing:
        name = "failing"
        why_not = staticmethod(lambda _: None)
        curves = staticmethod(lambda *_: {}["epsilon"])

    monkeypatch.setattr(refdp.accounting.searching.engines, "engines", lambda: (Failing, *engines))
    code, found = invoked("account", "spec.json", "--delta", "1e-6")
    assert (code, KEY in found) == (0, False)


def test_a_claim_of_the_ledger_that_is_lost_leaves_the_others(tmp_path, monkeypatch):
    wrong = lambda claim, _: claim.identifier == "randomised_response.pure"  # noqa: E731
    plant(monkeypatch, refdp.commands.verify, "judgement", wrong)
    code, found = invoked("verify", "randomised_response.*", "--certificates", tmp_path)
    verdicts = {one["id"]: one["verdict"] for one in found["claims"]}
    assert code == 4
    assert verdicts.pop("randomised_response.pure") == "UNKNOWN"
    assert verdicts
    assert "UNKNOWN" not in verdicts.values()
    assert found["surprises"] == 0


def test_a_certificate_that_is_lost_leaves_the_others(tmp_path, monkeypatch):
    assert invoked("verify", "randomised_response.*", "--certificates", tmp_path)[0] == 0
    wrong = lambda data, *_: data["claim"] == "randomised_response.pure"  # noqa: E731
    plant(monkeypatch, refdp.commands.check, "replay", wrong)
    code, found = invoked("check", tmp_path)
    lost_ones = [one for one in found["certificates"] if KEY in one]
    assert code == 4
    assert [(one["verdict"], one["trusts"]) for one in lost_ones] == [("UNKNOWN", [])]
    assert found["replayed"] == len(found["certificates"]) - 1 > 0
    assert found["rejected"] == 0


TABLES = (
    'tables.yes = {{ yes = "3/4", no = "1/4" }}\ntables.no = {{ yes = "1/4", no = "3/4" }}\npairs = [["yes", "no"]]'
)
TARGET = f'[[target]]\nname = "{{name}}"\nkind = "exact"\n{TABLES}\nclaim.epsilon = "{{epsilon}}"\n'


@pytest.mark.parametrize(("epsilon", "code", "verdict"), [("ln(3)", 4, "PROVED"), ("ln(2)", 1, "REFUTED")])
@pytest.mark.parametrize("at", ["opening", "is_over", "result"])
def test_a_target_that_is_lost_leaves_the_others_of_its_campaign(tmp_path, monkeypatch, epsilon, code, verdict, at):
    names = [("one", epsilon), ("planted", "ln(5)"), ("two", epsilon)]
    text = "".join(TARGET.format(name=name, epsilon=claimed) for name, claimed in names)
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    plant(monkeypatch, Exact, at, lambda self, *_: str(self.claim) == "(ln(5), 0)-DP")
    ended, found = invoked("audit", tmp_path / "campaign.toml", "--workers", "1")
    verdicts = {one["target"]: one["verdict"] for one in found["targets"]}
    assert verdicts == {"one": verdict, "planted": "UNKNOWN", "two": verdict}
    assert [one["target"] for one in found["targets"] if KEY in one] == ["planted"]
    assert ended == code


def test_a_case_of_test_vectors_that_is_lost_leaves_the_others(tmp_path, monkeypatch):
    assert CliRunner().invoke(app, ["vectors", "write", str(tmp_path), "--type", "PrivacyProfile"]).exit_code == 0
    plant(monkeypatch, refdp.test_vectors.checking, "confirmed", lambda _, test: test["tcId"] == 3)
    code, found = invoked("vectors", "check", tmp_path)
    assert code == 4
    count = len([*tmp_path.iterdir()])
    assert (found["unreached"], found["failed"]) == (count, 0)
    assert found["passed"] == found["cases"] - count > 0
    assert any(KEY in one for one in found["files"])


def test_the_outermost_level_ends_with_a_sentence_too(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "refdp.cli.app", None)
    with pytest.raises(SystemExit) as ended:
        refdp.cli.main()
    printed = capsys.readouterr()
    assert (ended.value.code, printed.out) == (4, "")
    assert printed.err.startswith(f"refdp: {HEAD}: ")
    assert printed.err.count("\n") == 1


def test_a_process_whose_command_fails_exits_4_without_a_traceback():
    code = "import refdp.commands.explain as e; e.explain = None; from refdp.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "explain", "discrete_laplace.pure"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (4, "")
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_sentence_names_the_place_and_no_folder_of_the_machine():
    try:
        refdp.commands.prove.questions(5).__next__()
    except Exception as error:
        sentence = error_sentence(error)
    assert "(refdp/" in sentence
    assert ", line " in sentence
    assert str(refdp.commands.prove.__file__).rpartition("/")[0] not in sentence


def test_a_lost_judgement_is_unknown_and_says_why():
    assert lost(KeyError("x")) == {
        "verdict": "UNKNOWN", KEY: "KeyError: 'x'", "reason": f"{HEAD}: KeyError: 'x'",
    }  # fmt: skip
