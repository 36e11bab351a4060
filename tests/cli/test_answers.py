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
ASKED = {
    "account": f"account {ROOT / 'benchmarks/specs/a_gaussian.json'} --delta 1e-5",
    "attack": "attack averaging --epsilon 1 --runs 50",
    "explain": "explain count.add_remove --cost",
    "fit": f"fit principal_components {TABLE} {LINE} --epsilon 1 --delta 1e-6",
    "prove": f"prove {ROOT / 'examples/systems/programs.py'}:bucket_bits",
    "sample": "sample discrete_laplace --scale 1 -n 3",
    "sensitivity": f"sensitivity {ROOT / 'examples/sensitivity/queries.py'}:clamped_sum --neighbours change_one "
    "--records numbers --set lower=0 --set upper=100",
    "verify": "verify count.add_remove",
}
"""Command -> words of it that end soon."""


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
