"""The site and a Git host read the same Markdown in different ways; what they make of these pages is the same."""

from collections import Counter
from html.parser import HTMLParser

import pytest
from markdown import Markdown
from markdown_it import MarkdownIt
from mkdocs.config import load_config

from scripts.docs_site import hooks
from tests.docs_site.pages import CLAIM_PAGES, FORMULA, WRITTEN, name, read
from tests.meta.repository import ROOT

pytestmark = [pytest.mark.once, pytest.mark.long]  # of make test-docs

COUNTED = {
    *("ul", "ol", "li", "table", "tr", "td", "th", "h1", "h2", "h3", "h4"),
    *("em", "strong", "code", "pre", "img", "a"),
}
HOST = MarkdownIt("commonmark").enable("table")


class Elements(HTMLParser):
    """Counts the elements outside formulas, less the links that headings have to themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.found: Counter[str] = Counter()

    def handle_starttag(self, tag, attrs):
        self.found[tag] += tag in COUNTED and ("class", "headerlink") not in attrs


def elements(html: str) -> dict[str, int]:
    parser = Elements()
    parser.feed(html)
    return {tag: count for tag, count in parser.found.items() if count}


@pytest.fixture(scope="module")
def site():
    """The reader of the site, as mkdocs makes it."""
    config = load_config(str(ROOT / "mkdocs.yml"))
    hooks.on_config(config)
    settings = {"extensions": config.markdown_extensions, "extension_configs": config.mdx_configs}
    return lambda text: Markdown(**settings).convert(text)


@pytest.mark.parametrize("path", [*WRITTEN, *CLAIM_PAGES[::40]], ids=name)
def test_pages_read_alike_on_the_site_and_on_a_git_host(path, site):
    hooks.LINKS.page = "index.md"
    text = FORMULA.sub("", read(path))
    assert elements(site(text)) == elements(HOST.render(text))


@pytest.mark.parametrize("path", WRITTEN, ids=name)
def test_pages_have_no_emphasis_by_underscores(path):
    """They stand in names and in mathematics, and a host would read them as the beginning of italics."""
    inline = (token for block in HOST.parse(read(path)) for token in block.children or ())
    assert [token.markup for token in inline if token.markup in ("_", "__")] == []


def test_pages_that_would_read_differently_are_found(site):
    for text in ("Let a be\n- b and no list.", "* one\n  * two"):
        assert elements(site(text)) != elements(HOST.render(text))


NESTED = [
    "- one\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n\n  and words\n  on two lines\n\n- two\n",
    "1. one\n\n   ![a](b.svg)\n\n2. two\n\nText.\n",
    "- one\n\n  ```text\n  a  b\n  ```\n\n- two\n",
]


@pytest.mark.parametrize("text", NESTED)
def test_pages_may_have_more_than_a_line_in_a_list(text, site):
    assert elements(site(text)) == elements(HOST.render(text))
