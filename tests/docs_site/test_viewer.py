"""Every file that a page links to has a page of its own, in which every line has its anchor."""

import re
from html import unescape

import pytest

from scripts.docs_site.folders import children, summary
from scripts.docs_site.mentioned import links, mentioned, with_folders
from scripts.docs_site.places import ORIGINS, PAGES, ROOT, origin, place
from scripts.docs_site.sources import source_html, trail
from scripts.docs_site.viewer import SHOWN, pages

FILES = ["refdp/mechanisms/discrete_laplace.py", "Makefile", "docs/sources.bib", "refdp/kernel/theorem.py",
         "proofs/certificates/laplace.pure.json", "examples/sensitivity/penguins.toml"]  # fmt: skip


@pytest.mark.parametrize("path", FILES)
def test_viewer_shows_every_line_as_it_is_with_its_anchor(path):
    shown = re.findall(r'<span id="L(\d+)"><a [^>]*></a>(.*?)\n</span>', source_html(path), re.DOTALL)
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    assert [int(number) for number, _ in shown] == list(range(1, len(lines) + 1))
    assert [unescape(re.sub(r"</?i[^>]*>", "", line)) for _, line in shown] == lines


def test_viewer_marks_what_has_a_colour():
    assert '<i class="k">def</i> <i class="nf">log_weight</i>(z: Real' in source_html(FILES[0])


def test_viewer_finds_links_outside_code_alone():
    assert links("[a](x.py#L3) ![b](y.svg)\n```text\n[c](z.py)\n```\n[d](https://e.org)") == {"x.py", "y.svg"}


def test_viewer_has_a_page_for_what_is_mentioned_and_the_folders_above():
    found = mentioned([("trust.md", "[a](../refdp/terms/term.py) [b](soundness.md) [c](../README.md) [d](gone.py)")])
    assert found == {"refdp/terms/term.py"}
    assert with_folders(found) == {"refdp/terms/term.py", "refdp/terms", "refdp", "."}


def test_viewer_leaves_pages_of_the_site_alone():
    """A folder of docs/ that has an index of its own is shown by that index."""
    assert "index.md" not in pages([("trust.md", "[a](how_to/) [b](claims/)")])
    assert SHOWN == {"source/docs/how_to/index.html": "docs/how_to", "source/index.html": "."}


def test_viewer_lists_folders_first_with_what_they_are_for():
    listed = children("refdp/kernel")
    assert listed[0] == "refdp/kernel/rules"
    assert "refdp/kernel/theorem.py" in listed
    assert (
        summary("refdp/kernel")
        == "The trusted kernel: what a theorem is, the rules that make one, certificates and their replay."
    )
    assert summary("Makefile") == ""


def test_viewer_leads_back_to_the_root():
    assert trail("refdp/kernel") == [("sources", "."), ("refdp", "refdp"), ("kernel", "refdp/kernel")]
    assert trail(".") == [("sources", ".")]


@pytest.mark.parametrize("path", PAGES)
def test_viewer_knows_where_pages_from_elsewhere_come_from(path):
    assert origin(place(path)) == path
    assert ORIGINS[place(path)] == path
