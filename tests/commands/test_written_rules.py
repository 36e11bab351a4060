"""Beside whom a theorem trusts stand the rules that it rests on: their proofs are written, and read by people."""

import json
import re

from refdp.cli.app import app
from refdp.kernel.theorem import RULES
from tests.command_line import CliRunner
from tests.kinds import CERTIFICATES
from tests.meta.repository import ROOT

LINE = re.compile(r"rules \(written proof\): ([\w, \n]+)\n1 certificate")


def said(*arguments):
    """What a command prints."""
    return CliRunner().invoke(app, list(arguments)).stdout


def test_check_and_explain_name_the_rules_of_a_derivation():
    path = CERTIFICATES / "composition.advanced.json"
    used = {step["rule"] for step in json.loads(path.read_text(encoding="utf-8"))["steps"]} - {"oracle"}
    (one,) = json.loads(said("check", str(path), "--json"))["certificates"]
    assert set(one["rules"]) == used
    assert used
    found = LINE.search(said("check", str(path)))
    assert found is not None
    assert set(re.split(r",\s+", found[1])) == used
    assert set(json.loads(said("explain", "composition.advanced", "--json"))["rules"]) == used
    assert "rules (written proof)" in said("explain", "composition.advanced")


def test_every_rule_but_the_oracle_has_a_written_proof():
    page = (ROOT / "docs" / "soundness.md").read_text(encoding="utf-8")
    assert [name for name in RULES if name != "oracle" and f"\n## {name}\n" not in page] == []
