"""`refdp audit --html --sarif`: a real campaign as a page and as SARIF, which replay; nothing is begun in vain."""

import json

import pytest

from refdp.auditing.campaigns.pages import extracted
from refdp.cli.app import app
from refdp.report import audits
from tests.command_line import CliRunner

pytestmark = pytest.mark.once

CODE = "def doubled(x):\n    return 2 * x\n"
CAMPAIGN = """name = "Mine"

[[target]]
name = "doubled"
kind = "stability"
function = "mine:doubled"
search = ["."]
expected = "REFUTED"
space = { number = { whole = [0, 9] } }
claim = { input = "absolute", d_in = 1, output = "absolute", d_out = 1 }
"""


def audit(*options):
    return CliRunner().invoke(app, ["audit", *map(str, options)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A campaign that was run, with its reports."""
    place = tmp_path_factory.mktemp("reports")
    (place / "mine.py").write_text(CODE, encoding="utf-8")
    (place / "c.toml").write_text(CAMPAIGN, encoding="utf-8")
    reports = ("--out", place / "r.json", "--html", place / "r.html", "--sarif", place / "r.sarif")
    done = audit(place / "c.toml", "--workers", 1, *reports)
    assert done.exit_code == 0, done.output
    return place


def test_a_page_of_a_campaign_holds_its_json_and_shows_its_counterexample(folder):
    page = (folder / "r.html").read_text(encoding="utf-8")
    assert extracted(page) == json.loads((folder / "r.json").read_text(encoding="utf-8"))
    shown = page.split('<script type="application/json"')[0]
    assert 'data-verdict="REFUTED"' in shown
    assert "0 / 1: 2 &gt; 1" in shown


def test_findings_of_a_campaign_point_to_its_line(folder):
    (run,) = json.loads((folder / "r.sarif").read_text(encoding="utf-8"))["runs"]
    (found,) = run["results"]
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("/c.toml")
    assert place["region"] == {"startLine": 4}
    assert (found["ruleId"], found["level"]) == ("refdp/stability", "error")


def test_a_page_replays_and_is_drawn_again_the_same(folder, tmp_path):
    done = audit("--replay", folder / "r.html", "--html", tmp_path / "again.html")
    assert done.exit_code == 0, done.output
    assert "the same" in done.output
    assert (tmp_path / "again.html").read_bytes() == (folder / "r.html").read_bytes()


def test_a_page_that_could_not_be_drawn_is_refused_before_the_campaign_is_run(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(audits, "find_spec", lambda name: None)
    done = audit(folder / "c.toml", "--html", tmp_path / "r.html", "--out", tmp_path / "r.json")
    assert done.exit_code == 2
    assert "pip install 'refdp[report]'" in done.stderr
    assert list(tmp_path.iterdir()) == []
