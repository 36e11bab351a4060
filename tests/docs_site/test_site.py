"""The whole site, built: every link leads somewhere, and nothing is fetched from another place when it is read."""

import os
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from scripts.certificates_lock import read_lock
from tests.docs_site.pages import WRITTEN
from tests.meta.repository import ROOT

pytestmark = [pytest.mark.long, pytest.mark.once]
LOADS = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("object", "data")}
LARGEST = 128 * 2**10
"""Bytes of the whole site for each claim, which brings a page, its pictures, its certificate and its source."""
FETCHED = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])(https?:)?//""")


class Page(HTMLParser):
    """What a page links to, what it loads, and its anchors."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.anchors: set[str] = {""}
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors |= {given[key] for key in ("id", "name") if given.get(key)}
        if tag == "a" and given.get("href"):
            self.links.add(given["href"])
        is_data = given.get("rel") in ("canonical", "prev", "next")
        self.loads |= {given[key] for each, key in LOADS if tag == each and given.get(key) and not is_data}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder with the site; a warning of mkdocs is an error."""
    folder = tmp_path_factory.mktemp("built") / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    )
    assert done.returncode == 0, done.stderr
    return folder


@cache
def page(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def broken(path: Path, links: set[str]) -> list[str]:
    """Those of the links within the site that lead to no file, or to no anchor of a page."""
    found = []
    for link in sorted(links):
        parts = urlsplit(link)
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        is_there = target.is_file() and (target.suffix != ".html" or unquote(parts.fragment) in page(target).anchors)
        if not (parts.scheme or is_there):
            found.append(link)
    return found


def test_site_has_no_link_that_leads_nowhere(site):
    pages = [path for path in site.rglob("*.html") if path.name != "404.html"]
    assert len(pages) > 1_000
    assert {str(path): found for path in pages if (found := broken(path, page(path).links | page(path).loads))} == {}


def test_site_loads_nothing_from_elsewhere(site):
    loads = {str(path): [each for each in page(path).loads if "//" in each] for path in site.rglob("*.html")}
    assert {path: found for path, found in loads.items() if found} == {}
    sheets = {str(path): FETCHED.findall(path.read_text(encoding="utf-8")) for path in site.rglob("*.css")}
    assert {path: found for path, found in sheets.items() if found} == {}


def test_site_has_every_written_page(site):
    docs = ROOT / "docs"
    pages = [path.relative_to(docs).with_suffix(".html") for path in WRITTEN if path.is_relative_to(docs)]
    assert [str(path) for path in pages if not (site / path).is_file()] == []


def test_site_has_formulas_in_a_font_that_it_brings(site):
    assert "<math" in (site / "claims" / "laplace" / "pure.html").read_text(encoding="utf-8")
    for font in re.findall(r'url\("([^"]*)"\)', (site / "assets" / "fonts" / "fonts.css").read_text(encoding="utf-8")):
        assert (site / "assets" / "fonts" / font).stat().st_size > 10_000


def test_site_is_small(site):
    claims = len(read_lock(ROOT / "proofs" / "certificates.lock"))
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < LARGEST * claims


def test_site_names_no_folder_of_the_machine_that_built_it(site):
    machine = str(ROOT)
    assert [str(path) for path in site.rglob("*.html") if machine in path.read_text(encoding="utf-8")] == []
