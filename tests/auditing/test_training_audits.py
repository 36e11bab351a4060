"""The campaigns of training steps, of Opacus and of jax_privacy, against the pinned releases."""

import tomllib
from pathlib import Path

import pytest

from refdp.auditing.campaigns.files import campaign
from refdp.cli.app import app
from refdp.commands.audit import audit
from tests.auditing.environments import python_of
from tests.auditing.judges.asking import HERE
from tests.command_line import CliRunner

AUDITS = Path(__file__).parents[2] / "audits"
CAMPAIGNS = {"opacus_training": "opacus-training-1.6.0", "jax_privacy_training": "jax_privacy-2.0.0"}


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_campaigns_are_read_and_every_defect_has_a_public_source(name):
    assert {one.kind for one in campaign(AUDITS / f"{name}.toml").items} == {"training"}
    targets = tomllib.loads((AUDITS / f"{name}.toml").read_text(encoding="utf-8"))["target"]
    assert all(one["expected"] != "REFUTED" or one["source"].startswith("https://") for one in targets)
    assert {one["expected"] for one in targets} == {"REFUTED", "NOT_REFUTED"}


SHORT = """
[defaults]
kind = "training"
function = "training_steps:step"
judges = ["pairs", "set-up"]

[[target]]
name = "right"

[[target]]
name = "wrong"
expected = "REFUTED"
options = { wrong = "private size" }
"""


def test_what_each_judge_looked_at_is_printed(tmp_path):
    (tmp_path / "short.toml").write_text(SHORT.replace("[[target]]", f"search = ['{HERE}']\n\n[[target]]", 1))
    done = CliRunner().invoke(app, ["audit", str(tmp_path / "short.toml"), "--workers", "1"])
    assert (done.exit_code, done.stderr) == (0, "")
    said = " ".join(done.stdout.split())
    for name in ("right", "wrong"):
        assert f" {name} pairs: largest distance 0.1 (" in said
    assert "NOT_REFUTED; planted and seen: clipped_to_twice_the_norm, divided_by_the_actual_size, skipped" in said
    assert "set-up: 1 / 2 rows: rate 1/10, divisor 0.1 / rate 1/10, divisor 0.2. REFUTED" in said


def test_a_step_that_is_not_there_costs_no_other_target_its_verdict(tmp_path):
    """The table once had a row for every judge, and none asked was an internal error after all verdicts."""
    missing = '[[target]]\nname = "missing"\nfunction = "training_steps:nothere"\n\n[[target]]\nname = "right"'
    text = SHORT.replace('[[target]]\nname = "right"', missing)
    (tmp_path / "short.toml").write_text(text.replace("[[target]]", f"search = ['{HERE}']\n\n[[target]]", 1))
    words = ["audit", str(tmp_path / "short.toml"), "--workers", "1", "--html", str(tmp_path / "page.html")]
    done = CliRunner().invoke(app, words)
    assert (done.exit_code, done.stderr) == (3, "")
    said = " ".join(done.stdout.split())
    assert "missing: UNKNOWN: the target cannot be loaded" in said
    assert "right pairs: largest distance 0.1 (" in said
    assert "3 targets: 1 REFUTED, 1 NOT_REFUTED, 1 UNKNOWN;" in said
    assert "missing" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_every_defect_is_found_and_no_right_step_is_refuted(name):
    python_of(CAMPAIGNS[name])
    found = audit(AUDITS / f"{name}.toml", workers=1)
    assert {one["target"]: one["verdict"] for one in found["targets"]} == {
        one["target"]: one["expected"] for one in found["targets"]
    }
    assert all(one["evidence"]["rows"] for one in found["targets"])
