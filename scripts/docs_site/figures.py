"""Figures and tables of pages of prose: git has the page without them, and the site makes them when it is built."""

from collections.abc import Callable, Mapping

from refdp.report import accuracy_page, reading_list, trust_page
from scripts.docs_site.places import ROOT

FILLED: Mapping[str, Callable[[str], str]] = {
    "accuracy.md": accuracy_page.updated,
    "trust.md": lambda page: trust_page.updated(page, ROOT / "refdp"),
    "why_believe_it.md": reading_list.updated,
}
"""Page of docs/ -> what puts the figures between its marks."""
