"""The pictures of the documents are what the code draws, small, described, and shown by a page."""

from xml.etree import ElementTree as ET

import pytest

from refdp.report.pictures.gallery import GALLERY, RUNS, what_of
from refdp.report.pictures.plotting import plot
from tests.meta.repository import ROOT
from tests.report.drawings import differences

pytestmark = pytest.mark.once
LARGEST = 40_000


@pytest.mark.parametrize("name", GALLERY)
def test_gallery_is_what_plot_draws(name, tmp_path):
    what, kind = GALLERY[name]
    out = tmp_path / "picture.svg"
    found = plot(what_of(what), out, kind=kind)
    made = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert differences(out.read_text(encoding="utf-8"), made) == []
    assert len(made) < LARGEST
    assert found["kind"] in (kind, found["kinds"][0])


@pytest.mark.parametrize("name", [*GALLERY, *RUNS])
def test_gallery_has_a_title_and_turns_dark(name):
    root = ET.fromstring((ROOT / "docs" / name).read_text(encoding="utf-8"))
    parts = {e.tag.rpartition("}")[2]: e.text for e in root}
    assert parts["title"]
    assert "@media (prefers-color-scheme:dark){" in parts["style"]


def test_every_picture_of_the_gallery_is_on_a_page():
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))
    assert [name for name in (*GALLERY, *RUNS) if f"{name})" not in pages] == []
