"""The picture of where the classical Gaussian theorem holds: its points are decided, its file is up to date."""

from fractions import Fraction
from xml.etree import ElementTree as ET

from refdp.numerics.calibration import classical_holds
from refdp.report.pictures import frontier
from refdp.spec.classical import REGIONS
from tests.meta.repository import ROOT


def test_frontier_is_drawn_as_the_code_decides_it():
    committed = (ROOT / "docs" / "frontier.svg").read_text(encoding="utf-8")
    assert committed == frontier.svg(), "run: python -m refdp.report.pictures.frontier docs/frontier.svg"
    assert ET.fromstring(committed).tag.endswith("svg")
    assert len(committed) < 40_000


def test_frontier_marks_the_points_that_refute():
    found = frontier.witnesses()
    assert len(found) == len(frontier.REFUTED)
    assert not any(classical_holds(epsilon, delta) for delta, epsilon in found)
    assert (Fraction(1, 2), Fraction(2233, 500)) in found


def test_frontier_shades_regions_that_have_the_classical_constant():
    assert sum(r.constant == Fraction(5, 4) for r in REGIONS.values()) == len(REGIONS) - 1
