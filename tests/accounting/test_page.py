"""The page about accounts does what it shows: commands in a copy of the checkout, examples as doctests."""

import pytest

from tests.meta.repository import ROOT, compiled_copy_of_checkout
from tests.meta.test_readme import disagreements, failed_examples

pytestmark = pytest.mark.once
PAGE = ROOT / "docs" / "accounting.md"


def test_page_does_what_it_shows(tmp_path):
    page = PAGE.read_text(encoding="utf-8")
    assert "\n\n".join(disagreements(page, compiled_copy_of_checkout(tmp_path / "refdp"))) == ""


def test_page_has_examples_that_are_true():
    assert failed_examples(PAGE.read_text(encoding="utf-8")) == 0
