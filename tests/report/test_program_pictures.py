"""Pictures of counterexamples: the outcomes are all there are, their probabilities exact ones, the event shaded."""

from importlib import resources
from math import isclose, isinf, log

import pytest
from matplotlib.colors import to_hex

from refdp.cli.app import app
from refdp.report.pictures.colours import SHADE
from refdp.report.pictures.files import drawn
from refdp.report.pictures.program_drawing import draw_program
from refdp.report.pictures.programs import picture_of
from tests.command_line import CliRunner

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


def test_plot_draws_no_event_of_a_proof(tmp_path):
    done = CliRunner().invoke(app, ["plot", "sparse_vector.all", "--kind", "laws", "--out", str(tmp_path / "a.svg")])
    assert done.exit_code == 2
    assert done.stderr == "refdp: kind must be one of those that fit sparse_vector.all (alignment), got laws\n"


@pytest.mark.parametrize("kind", [(), ("--kind", "laws"), ("--kind", "alignment")])
def test_plot_names_no_kind_of_what_cannot_be_drawn(kind, tmp_path):
    claim = "noisy_max_exponential.concentrated"
    done = CliRunner().invoke(app, ["plot", claim, *kind, "--out", str(tmp_path / "a.svg")])
    said = "refdp: claim must be one about epsilon that one event refutes, to have a picture\n"
    assert (done.exit_code, done.stderr) == (2, said)


def test_event_is_shaded_over_just_its_outcomes():
    for identifier in ("chen.all", "partial_sum.all"):
        found = picture(identifier)
        with drawn(lambda figure, found=found: draw_program(found, figure)) as figure:
            for axes in figure.axes:
                spans = [(p.get_x(), p.get_x() + p.get_width()) for p in axes.patches if to_hex(p.get_fc()) == SHADE]
                covered = {x for x in range(len(found.outcomes)) if any(a < x < b for a, b in spans)}
                assert covered == {x for x, o in enumerate(found.outcomes) if o.is_in_event}
                assert sum(b - a for a, b in spans) == len(covered)
