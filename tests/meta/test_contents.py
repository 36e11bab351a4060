"""Long pages begin with what is on them: a link for each section, and in soundness.md for each rule and lemma."""

import re

import pytest

from tests.meta.repository import ROOT

MARK = "**On this page:**"
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
WITH_CONTENTS = [name for name, page in PAGES.items() if MARK in page]
LONG = ("soundness.md", "accounting_proofs.md", "sensitivity.md", "machine_arithmetic.md", "bulk_sampling.md")


def headings(page):
    """The headings of sections, code blocks left out."""
    return re.findall(r"^## (.+)$", re.sub(r"^```.*?^```", "", page, flags=re.S | re.M), flags=re.M)


def anchor(heading):
    """What a heading is linked by."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def links(page):
    """The anchors that the contents link to, which end where the first section begins."""
    return re.findall(r"\]\(#([^)]+)\)", page.partition(MARK)[2].partition("\n## ")[0])


def test_long_pages_have_contents():
    assert set(LONG) <= set(WITH_CONTENTS)


@pytest.mark.parametrize("name", WITH_CONTENTS)
def test_contents_link_to_every_section_once(name):
    assert sorted(links(PAGES[name])) == sorted(map(anchor, headings(PAGES[name])))


@pytest.mark.parametrize("name", [name for name in WITH_CONTENTS if name != "soundness.md"])
def test_contents_are_in_the_order_of_the_page(name):
    assert links(PAGES[name]) == [anchor(heading) for heading in headings(PAGES[name])]
