"""Pictures of counterexamples: the outcomes are all there are, their probabilities exact ones, the event shaded."""

import re
from importlib import resources
from math import isclose, isinf, log

import pytest
from typer.testing import CliRunner

from refdp.cli.app import app
from refdp.report.pictures.programs import picture_of
from tests.meta.repository import ROOT

FOLDER = resources.files("refdp") / "proofs" / "certificates" / "programs"


def picture(identifier):
    return picture_of((FOLDER / f"{identifier}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("identifier", ["chen.all", "stoddard.all", "lee_clifton.all"])
def test_picture_has_every_outcome_once_and_its_event(identifier):
    found = picture(identifier)
    assert isclose(sum(o.old for o in found.outcomes), 1, rel_tol=1e-9)
    assert isclose(sum(o.new for o in found.outcomes), 1, rel_tol=1e-9)
    [shaded] = [o for o in found.outcomes if o.is_in_event]
    assert shaded.loss > found.epsilon
    assert isinf(shaded.loss) == (identifier == "stoddard.all")


def test_picture_of_a_number_cuts_the_line_at_the_event():
    found = picture("partial_sum.all")
    old, new = (sum(getattr(o, side) for o in found.outcomes if o.is_in_event) for side in ("old", "new"))
    assert isclose(sum(o.old for o in found.outcomes), 1, rel_tol=1e-9)
    assert log(old / new) > found.epsilon


def test_plot_draws_a_certificate_and_a_claim_of_the_ledger(tmp_path):
    for name in (str(FOLDER / "chen.all.json"), "chen.all"):
        out = tmp_path / "picture.svg"
        done = CliRunner().invoke(app, ["plot", name, "--out", str(out)])
        assert done.exit_code == 0
        assert "<svg " in out.read_text(encoding="utf-8")
        assert "the event is shaded" in done.stdout


def test_plot_refuses_the_certificate_of_a_proof(tmp_path):
    done = CliRunner().invoke(app, ["plot", "sparse_vector.all", "--out", str(tmp_path / "picture.svg")])
    assert done.exit_code == 2
    assert done.stderr == "refdp: a picture needs the certificate of a counterexample\n"


def test_picture_in_the_documents_is_what_plot_draws(tmp_path):
    out = tmp_path / "wrong_program.svg"
    CliRunner().invoke(app, ["plot", "chen.all", "--out", str(out)])
    assert described(out) == described(ROOT / "docs" / "wrong_program.svg")


def described(path):
    """The caption, in which the data stand, and every text of the picture."""
    text = path.read_text(encoding="utf-8")
    return re.findall(r"<dc:description>(.*?)</dc:description>|<text[^>]*>([^<]*)</text>", text)
