"""The published schema of --json: every command has its form there, and what is not of it is seen."""

import json
from copy import deepcopy

import pytest
import typer
from jsonschema import Draft202012Validator

import refdp
from refdp.cli.app import app
from tests.answers import closed, insist, validator
from tests.command_line import CliRunner
from tests.meta.repository import ROOT

TABLE = ROOT / "refdp" / "releases" / "examples" / "penguins.csv"
LINE = "--feature bill_length_mm=30..60 --feature bill_depth_mm=13..22"
AGES = ROOT / "examples/systems/ages.csv:age"
SPEC = ROOT / "benchmarks/specs/a_gaussian.json"
PROGRAMS = ROOT / "examples/systems/programs.py"
ASKED = {
    "account": f"account {SPEC} --delta 1e-5",
    "attack": "attack averaging --epsilon 1 --runs 50",
    "explain": "explain count.add_remove --cost",
    "export": "export count.add_remove",
    "fit": f"fit principal_components {TABLE} {LINE} --epsilon 1 --delta 1e-6",
    "prove": f"prove {PROGRAMS}:bucket_bits",
    "sample": "sample discrete_laplace --scale 1 -n 3",
    "sensitivity": f"sensitivity {ROOT / 'examples/sensitivity/queries.py'}:clamped_sum --neighbours change_one "
    "--records numbers --set lower=0 --set upper=100",
    "verify": "verify count.add_remove",
}
"""Command -> words of it that end soon."""
BOUNDED = "--bounds 0 120 --neighbours add_remove"
MODES = (
    f"sensitivity OWN:total {BOUNDED} --claim 120 --no-run",
    f"sensitivity OWN:total --at {AGES} {BOUNDED}",
    f"sensitivity --at {AGES} --statistic median --smooth 1/10 --bounds 0 120 --neighbours change_one",
    f"sensitivity --at {AGES} --statistic minimum --empty 0 --smooth 1/10 {BOUNDED}",
    f"sensitivity OWN:total --smooth-bound OWN:seven --smooth 1/10 {BOUNDED}",
    f"sensitivity OWN:seven --smooth-bound OWN:seven --smooth 1/10 {BOUNDED}",
    "sensitivity OWN:score --score r --candidates [1,2] --records integers --neighbours add_remove",
    f"sensitivity OWN:total {BOUNDED} --arithmetic float32 --sum kahan --rows-at-most 5 --specials",
    f"sensitivity OWN:total {BOUNDED} --arithmetic int8 --claim 120",
    "sensitivity --attacks",
    f"prove {PROGRAMS}:bucket_bits --no-run",
    f"prove {PROGRAMS}:prefixes_with_noise_of_one --bracket",
    f"account {SPEC} --calibrate sigma --epsilon 1 --delta 0",
    f"account {SPEC} --calibrate sigma --epsilon 1 --delta 1e-6",
    f"account {SPEC} --delta 1e-6 --delta 1e-5 --epsilon 1",
    f"account {SPEC} --delta 1/3000000000000000000000000000000000000000000000000001",
    f"account {SPEC} --delta 1/3000000000000000000000000000000000000000000000000001 --certificates FOLDER",
    "check OWN",
    "explain discrete_laplace.half_noise",
)
"""Words of commands in their other modes; OWN is a file, FOLDER one that is not there yet."""
OWN = """\
def total(rows):
    return sum(rows)


def seven(rows):
    return 7


def score(rows, r):
    return sum(1 for x in rows if x == r)
"""


def answer(words):
    done = CliRunner().invoke(app, [*words.split(), "--json"])
    return json.loads(done.stdout)


def test_the_schema_is_one_and_has_no_number_that_is_no_whole_number():
    schema = refdp.answer_schema()
    Draft202012Validator.check_schema(schema)
    assert '"number"' not in json.dumps(schema)
    named = {one["$ref"].removeprefix("#/$defs/") for one in schema["anyOf"]}
    commands = typer.main.get_command(app).commands
    groups = {
        f"{name}_{inner}".replace("-", "_") for name, one in commands.items() for inner in getattr(one, "commands", ())
    }
    assert named == {name for name, one in commands.items() if not hasattr(one, "commands")} | groups


@pytest.mark.parametrize("command", ASKED)
def test_answers_are_of_the_form_of_their_command(command):
    found = answer(ASKED[command])
    assert list(validator(command).iter_errors(found)) == []
    insist(found)


@pytest.mark.parametrize("words", MODES)
def test_answers_in_other_modes_are_of_the_form(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    done = CliRunner().invoke(app, [*words.replace("OWN", "own.py").replace("FOLDER", "made").split(), "--json"])
    found = json.loads(done.stdout)
    assert list(validator(words.split()[0]).iter_errors(found)) == []


def test_an_account_says_exactly_at_which_delta_it_is():
    found = answer(f"account {SPEC} --delta 1/3000000000000000000000000000000000000000000000000001")
    assert found["at"] == {"delta": "1/3000000000000000000000000000000000000000000000000001"}


def test_what_is_not_of_the_form_is_seen():
    found = answer(ASKED["verify"])
    for change, said in (
        (lambda one: one.pop("surprises"), "'surprises' is a required property"),
        (lambda one: one.update(more="1"), "'more' was unexpected"),
        (lambda one: one["claims"][0].update(verdict="TRUE"), "'TRUE' is not one of"),
        (lambda one: one["claims"][0].update(seconds=0.5), "0.5 is not of type 'string'"),
        (lambda one: one["claims"][0].pop("trusts"), "'trusts' is a required property"),
        (lambda one: one["obligations"].update(total=1.5), "1.5 is not of type 'integer'"),
    ):
        wrong = deepcopy(found)
        change(wrong)
        with pytest.raises(AssertionError, match=said):
            insist(wrong)
    with pytest.raises(AssertionError, match="no answer of refdp"):
        insist({})


def test_later_versions_may_add_keys():
    """The schema that is published takes what its closed form refuses."""
    found = answer(ASKED["verify"]) | {"more": "1"}
    assert Draft202012Validator(refdp.answer_schema()).is_valid(found)
    assert not Draft202012Validator(closed(refdp.answer_schema())).is_valid(found)
