"""The campaigns of training steps, of Opacus and of jax_privacy, against the pinned releases."""

import tomllib
from pathlib import Path

import pytest

from refdp.auditing.campaigns.files import campaign
from refdp.commands.audit import audit
from tests.auditing.environments import python_of

AUDITS = Path(__file__).parents[2] / "audits"
CAMPAIGNS = {"opacus_training": "opacus-training-1.6.0", "jax_privacy_training": "jax_privacy-2.0.0"}


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_campaigns_are_read_and_every_defect_has_a_public_source(name):
    assert {one.kind for one in campaign(AUDITS / f"{name}.toml").items} == {"training"}
    targets = tomllib.loads((AUDITS / f"{name}.toml").read_text(encoding="utf-8"))["target"]
    assert all(one["expected"] != "REFUTED" or one["source"].startswith("https://") for one in targets)
    assert {one["expected"] for one in targets} == {"REFUTED", "NOT_REFUTED"}


@pytest.mark.long
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_every_defect_is_found_and_no_right_step_is_refuted(name):
    python_of(CAMPAIGNS[name])
    found = audit(AUDITS / f"{name}.toml", workers=1)
    assert {one["target"]: one["verdict"] for one in found["targets"]} == {
        one["target"]: one["expected"] for one in found["targets"]
    }
    assert all(one["evidence"]["rows"] for one in found["targets"])
