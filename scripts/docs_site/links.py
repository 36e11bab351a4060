"""Links to files of the repository, turned into links to the pages that show them, while Markdown becomes HTML."""

import logging
from collections.abc import Iterator
from posixpath import dirname, relpath
from urllib.parse import urlsplit, urlunsplit
from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor

from scripts.docs_site.places import ROOT, SOURCE, place, resolved

log = logging.getLogger("mkdocs.hooks.links")
AFTER_INLINE, BEFORE_MKDOCS = 20, 0
"""Priorities: the links of a page are there after the first, and are checked at the second."""


class Links(Extension):
    """Rewrites the links of one page after another; `page` names the one at hand."""

    page = ""

    def extendMarkdown(self, md: Markdown) -> None:
        md.treeprocessors.register(Rewriting(self), "links", (AFTER_INLINE + BEFORE_MKDOCS) // 2)


class Rewriting(Treeprocessor):
    """Gives each link of the tree its target on the site."""

    def __init__(self, links: Links) -> None:
        self.links = links

    def run(self, root: Element) -> None:
        for element, attribute in linking(root):
            element.set(attribute, rewritten(self.links.page, element.get(attribute, "")))


def linking(root: Element) -> Iterator[tuple[Element, str]]:
    """The elements that link, each with the attribute that holds the link."""
    for element in root.iter():
        for tag, attribute in (("a", "href"), ("img", "src")):
            if element.tag == tag and element.get(attribute):
                yield element, attribute


def rewritten(page: str, link: str) -> str:
    """The link as it must be on the site; one that leads to nothing stays as it is, for mkdocs to complain of."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc or not parts.path or (path := resolved(page, parts.path)) is None:
        return link
    target = place(path)
    if target.startswith(SOURCE) and parts.fragment:
        check_line(page, link, path, parts.fragment)
    return urlunsplit(parts._replace(path=relpath(target, dirname(page) or ".")))


def check_line(page: str, link: str, path: str, fragment: str) -> None:
    """Warns of a link to a line that its file does not have: mkdocs checks the anchors of Markdown pages only."""
    lines = len((ROOT / path).read_text(encoding="utf-8").splitlines()) if (ROOT / path).is_file() else 0
    if not (fragment.startswith("L") and fragment[1:].isdigit() and 1 <= int(fragment[1:]) <= lines):
        log.warning("%s links to %s, but %s has no line %s", page, link, path, fragment)
