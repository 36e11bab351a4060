"""Campaign files, stores and reports that were made to mislead: refused in a sentence, or found out."""

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

import refdp
from refdp.auditing.campaigns.sources import folders
from refdp.auditing.judges.task import TaskError
from refdp.report.audit_tables import print_audit, print_audit_replay

TABLES = """
[[target]]
name = "t"
kind = "exact"
tables = { a = { y = "1/2", n = "1/2" }, b = { y = "1/3", n = "2/3" } }
pairs = [["a", "b"]]
claim = { epsilon = "1", delta = "0" }
"""
NUMBER = """
[[target]]
name = "t"
kind = "noise_scale"
function = "math:sqrt"
noise = "gaussian"
epsilons = [%s]
"""


def written(tmp_path, text):
    (tmp_path / "c.toml").write_text(text, encoding="utf-8")
    return tmp_path / "c.toml"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"a = {'[' * 5000}{']' * 5000}", "c.toml: a campaign must not be nested so deeply"),
        (f"a = {'{b = ' * 2000}1{'}' * 2000}", "c.toml: a campaign must not be nested so deeply"),
        (NUMBER % ("1" + "0" * 400), "target 't': "),
        (NUMBER % '"1e999"', "epsilons must be a number"),
    ],
)
def test_what_is_nested_too_deeply_or_too_large_for_a_float_is_one_sentence(tmp_path, text, says):
    with pytest.raises(TaskError) as caught:
        refdp.audit(written(tmp_path, text))
    assert says in str(caught.value)


def test_thousands_of_targets_are_read_and_two_of_one_name_are_found(tmp_path):
    many = "".join(TABLES.replace('"t"', f'"t{i}"', 1) for i in range(2000))
    with pytest.raises(TaskError, match="target 't7': name must differ"):
        refdp.audit(written(tmp_path, many + TABLES.replace('"t"', '"t7"', 1)))


@pytest.mark.parametrize("alpha", ["0", "1", "-1e-9", "1e-400", "1e-201", "1e-9999999999", "nan"])
def test_an_error_must_be_one_that_can_be_shared(tmp_path, alpha):
    with pytest.raises(TaskError, match="alpha must be"):
        refdp.audit(written(tmp_path, f"alpha = {alpha!r}\n{TABLES}"))


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf")])
def test_a_timeout_must_be_a_time(tmp_path, timeout):
    with pytest.raises(TaskError, match="timeout must be > 0 and finite"):
        refdp.audit(written(tmp_path, TABLES), timeout=timeout)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A report of a refuted table, as JSON."""
    folder = tmp_path_factory.mktemp("report")
    refdp.audit(written(folder, TABLES.replace('"1", delta', '"ln(10/9)", delta')), out=folder / "r.json", workers=1)
    return json.loads((folder / "r.json").read_text(encoding="utf-8"))


def replay(report, tmp_path, change):
    data = json.loads(json.dumps(report))
    change(data)
    (tmp_path / "r.json").write_text(json.dumps(data), encoding="utf-8")
    return refdp.audit(replay=tmp_path / "r.json")


PARTS = [
    "target", "campaign", "kind", "source", "expected", "verdict", "claim", "sentence", "witness", "reason", "power",
    "samples", "error", "about", "scope", "not_tested", "trusts", "evidence", "attached",
]  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_whatever_a_report_says_beside_its_record_is_found_out(report, tmp_path, part):
    def lie(data):
        data["targets"][0][part] = "PROVED"

    assert report["targets"][0]["verdict"] == "REFUTED"
    assert replay(report, tmp_path, lambda _: None)["surprises"] == []
    found = replay(report, tmp_path, lie)
    assert len(found["surprises"]) == 1
    assert found["targets"][0]["recomputed"] != "the same"


def test_a_counterexample_that_was_changed_is_found_out(report, tmp_path):
    def lie(data):
        data["targets"][0]["evidence"]["counterexample"]["inputs"][0] = "'z'"

    assert replay(report, tmp_path, lie)["targets"][0]["recomputed"] == "another evidence"


def asked(data, **fields):
    """Other fields for the first target of a report."""
    task = data["targets"][0]["record"]["task"]
    task["fields"] = json.dumps(json.loads(task["fields"]) | fields)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(targets=[1]),
        lambda data: data.update(targets={}),
        lambda data: data["targets"][0].pop("target"),
        lambda data: data["targets"][0].pop("sentence"),
        lambda data: data["targets"][0].update(record=[]),
        lambda data: data["targets"][0]["record"].pop("chunks"),
        lambda data: data["targets"][0]["record"].update(opening=3),
        lambda data: data["targets"][0]["record"]["task"].update(fields="abc"),
        lambda data: data["targets"][0]["record"]["task"].update(kind=[]),
        lambda data: data["targets"][0]["record"]["task"].update(alpha="1e999999999"),
        lambda data: data["targets"][0]["record"]["task"].update(alpha={}),
        lambda data: data["targets"][0]["record"]["task"].update(target={"family": "function"}),
        lambda data: asked(data, pairs=10**400),
        lambda data: asked(data, claim={"input": "absolute", "d_in": 1, "epsilon": {"a": 1}}),
    ],
)
def test_a_report_that_was_made_up_is_bad_input(report, tmp_path, change):
    with pytest.raises(TaskError):
        replay(report, tmp_path, change)


def test_what_is_no_text_is_no_report(tmp_path):
    (tmp_path / "r.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TaskError, match="must be a report"):
        refdp.audit(replay=tmp_path / "r.json")


def test_a_folder_beside_the_report_with_other_code_is_not_taken_for_the_campaign_s(tmp_path):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "mine.py").write_text("raise SystemExit('other code')", encoding="utf-8")
    (own,) = folders(["code"], str(tmp_path), {"mine.py": "x = 1"})
    assert (Path(own) / "mine.py").read_text(encoding="utf-8") == "x = 1"
    (tmp_path / "code" / "mine.py").write_text("x = 1", encoding="utf-8")
    assert folders(["code"], str(tmp_path), {"mine.py": "x = 1"}) == [str(tmp_path / "code")]


@pytest.mark.parametrize("name", ["../mine.py", "/tmp/mine.py", "mine.txt", "a/b.py", "..py/../x.py"])
def test_the_code_of_a_report_stays_in_its_folder(tmp_path, name):
    with pytest.raises(ValueError, match="sources must be named as modules are"):
        folders(["code"], str(tmp_path), {name: ""})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("DELETE FROM target", "to what 'c / t' holds answers"),
        ("UPDATE chunk SET record = '{'", "can be read and written"),
        ("UPDATE chunk SET record = NULL, failed = NULL", ""),
        ("DROP TABLE chunk", ""),
        ("UPDATE chunk SET number = 5", "without gaps"),
        ("UPDATE target SET digest = 'x'", "another form of target"),
    ],
)
def test_a_store_that_was_changed_is_refused_or_as_good_as_before(tmp_path, change, says):
    campaign, place = written(tmp_path, TABLES), tmp_path / "s"
    first = refdp.audit(campaign, store=place, workers=1)
    with closing(sqlite3.connect(place)) as file, suppress(sqlite3.Error):
        file.execute(change)
        file.commit()
    if says:
        with pytest.raises(TaskError, match=says):
            refdp.audit(campaign, store=place, workers=1)
    else:
        assert refdp.audit(campaign, store=place, workers=1)["verdicts"] == first["verdicts"]


def test_the_table_prints_what_targets_say_without_obeying_it(report, capsys):
    """A lone surrogate cannot be printed, and neither colours nor lines are a target's to write."""
    found = json.loads(json.dumps(report))
    bad = "\ud800\x1b[31m [/x] \nrefdp: all is well"
    found["targets"][0] |= {"sentence": bad, "claim": bad, "witness": bad, "target": bad, "source": bad}
    print_audit(found)
    row = dict.fromkeys(("target", "verdict", "witness", "recomputed", "fresh"), bad) | {"again": ""}
    print_audit_replay({"targets": [row], "surprises": [], "campaign": {"seconds": "1"}})
    text = capsys.readouterr().out
    text.encode("utf-8")
    assert "\x1b" not in text
    assert not any(line.startswith("refdp: all") for line in text.splitlines())
