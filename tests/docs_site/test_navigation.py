"""The navigation reaches every page, those that were not there when it was written too."""

from scripts.docs_site.navigation import navigation
from scripts.docs_site.places import PAGES
from tests.docs_site.pages import WRITTEN
from tests.meta.repository import ROOT


def reached(entries) -> list[str]:
    """The pages of the entries, in their order."""
    if isinstance(entries, str):
        return [entries]
    inside = entries.values() if isinstance(entries, dict) else entries
    return [page for each in inside for page in reached(each)]


def test_navigation_reaches_every_written_page_once():
    docs = ROOT / "docs"
    pages = sorted(
        [*PAGES.values(), *(path.relative_to(docs).as_posix() for path in WRITTEN if path.is_relative_to(docs))]
    )
    assert sorted(reached(navigation(pages))) == pages


def test_navigation_has_a_place_for_a_new_page():
    pages = ["index.md", "something_new.md", "tutorials/a_new_one.md", "how_to/fly.md", "claims/index.md",
             "claims/new_stem.md", "decisions/0099-new.md"]  # fmt: skip
    assert sorted(reached(navigation(pages))) == sorted(pages)


def test_navigation_leaves_the_claims_to_the_pages_of_their_stems():
    found = navigation(["index.md", "claims/index.md", "claims/laplace.md", "claims/laplace/pure.md"])
    assert reached(found) == ["index.md", "claims/index.md", "claims/laplace.md"]
