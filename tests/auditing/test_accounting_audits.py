"""The campaigns of dp_accounting, Opacus, Flower and of OpenDP's conversions and noise, against the pinned releases."""

import tomllib
from pathlib import Path

import pytest

from refdp.commands.audit import audit
from tests.auditing.environments import python_of

AUDITS = Path(__file__).parents[2] / "audits"
CAMPAIGNS = {
    "dp_accounting": ("dp-accounting-0.6.0",),
    "opacus": ("opacus-1.6.0",),
    "flwr": ("flwr-1.41.0",),
    "opendp_maps": ("opendp-0.15.1", "opendp-0.16.0"),
    "opendp_timing": ("opendp-0.16.0",),
}


@pytest.mark.long
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_every_defect_is_found_and_no_clean_control_is_refuted(name):
    for environment in CAMPAIGNS[name]:
        python_of(environment)
    found = audit(AUDITS / f"{name}.toml", workers=1)
    assert {one["target"]: one["verdict"] for one in found["targets"]} == {
        one["target"]: one["expected"] for one in found["targets"]
    }
    assert all(float(one["seconds"]) < 60 for one in found["targets"])


def test_every_refuted_target_names_its_public_source():
    for name in CAMPAIGNS:
        for target in tomllib.loads((AUDITS / f"{name}.toml").read_text(encoding="utf-8"))["target"]:
            assert target["expected"] != "REFUTED" or target["source"].startswith("https://")
