"""Audits of OpenDP: every published defect is found, and what was fixed, or is right, is not refuted.

The campaigns themselves are run by `make test-long`, after `make audit-envs`.
"""

import tomllib
from pathlib import Path

import pytest

import refdp
from refdp.auditing.campaigns.files import campaign
from tests.auditing.environments import python_of

AUDITS = Path(__file__).resolve().parents[2] / "audits"
FILES = ("opendp-0.3.toml", "opendp-0.14.toml", "opendp-0.16.toml", "opendp-0.16-controls.toml")
PUBLISHED = {
    "OD-314", "OD-414", "OD-CSVW", "OD-2638", "OD-2707", "OD-2922", "OD-2923", "OD-2924", "OD-2926", "OD-2930",
    "OD-2933", "OD-2936", "OD-2938", "OD-2939", "OD-2944", "OD-2945", "OD-2949",
}  # fmt: skip
"""Defects with a public report, each by the first word of its targets' names."""
PUBLIC = ("https://github.com/opendp/opendp/issues/", "https://arxiv.org/abs/")
MOST = 60.0
"""Seconds of processor time for one target."""


def targets(name):
    """The targets of a file, with its defaults."""
    data = tomllib.loads((AUDITS / name).read_text(encoding="utf-8"))
    return [{**data.get("defaults", {}), **one} for one in data["target"]]


EVERY = [(name, one) for name in FILES for one in targets(name)]


@pytest.mark.parametrize("name", FILES)
def test_the_campaigns_are_read_and_their_judges_take_every_field(name):
    assert len(campaign(AUDITS / name).items) == len(targets(name))


def test_each_published_defect_is_expected_to_be_refuted_and_has_its_public_report():
    refuted = [one for _, one in EVERY if one.get("expected") == "REFUTED"]
    assert {one["name"].split()[0] for one in refuted} == PUBLISHED
    assert all(one["source"].startswith(PUBLIC) for one in refuted)
    assert all("expected" not in one for _, one in EVERY if not one["name"].startswith("OD-"))


@pytest.mark.long
@pytest.mark.parametrize(("name", "one"), EVERY, ids=[f"{name}: {one['name']}" for name, one in EVERY])
def test_targets_end_as_expected_within_a_minute_of_processor_time_and_are_reproduced(name, one, tmp_path):
    python_of(one["environment"])
    report = tmp_path / "report.json"
    found = refdp.audit(AUDITS / name, only=one["name"], workers=1, out=report)
    (judged,) = found["targets"]
    assert judged["verdict"] == one.get("expected", "NOT_REFUTED"), judged["sentence"]
    assert float(judged["processor_seconds"]) <= MOST
    again = refdp.audit(replay=report)
    assert again["replayed"] == 1
    assert not again["surprises"]
