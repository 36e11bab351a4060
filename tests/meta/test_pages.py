"""The pages of docs/ do what they show: console blocks in a copy of the checkout, Python examples as doctests."""

import pytest

from tests.meta.readme import blocks
from tests.meta.repository import ROOT, compiled_copy_of_checkout
from tests.meta.test_readme import disagreements, failed_examples

pytestmark = pytest.mark.once
FOLDERS = ("docs", "docs/tutorials", "docs/how_to")
PAGES = {path.relative_to(ROOT).as_posix(): path for f in FOLDERS for path in sorted((ROOT / f).glob("*.md"))}


def languages(path):
    return {block.language for block in blocks(path.read_text(encoding="utf-8")) if block.is_run and not block.file}


def shown(name):
    """The page: `make test-docs` runs its commands, as they are many and slow."""
    return pytest.param(name, marks=pytest.mark.long)


@pytest.mark.parametrize("name", [shown(name) for name, path in PAGES.items() if "console" in languages(path)])
def test_pages_do_what_they_show(name, tmp_path):
    page = PAGES[name].read_text(encoding="utf-8")
    assert "\n\n".join(disagreements(page, compiled_copy_of_checkout(tmp_path / "refdp"))) == ""


@pytest.mark.parametrize("name", [name for name, path in PAGES.items() if languages(path) & {"python", "pycon"}])
def test_pages_have_examples_that_are_true(name):
    assert failed_examples(PAGES[name].read_text(encoding="utf-8")) == 0
