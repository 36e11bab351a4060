"""The pages about programs do what they show: commands in a copy of the checkout, examples as doctests."""

import pytest

from tests.meta.repository import ROOT, compiled_copy_of_checkout
from tests.meta.test_readme import disagreements, failed_examples

pytestmark = pytest.mark.once
PAGES = ("programs.md", "wrong_programs.md")


@pytest.mark.parametrize("name", PAGES)
def test_pages_do_what_they_show(name, tmp_path):
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert "\n\n".join(disagreements(page, compiled_copy_of_checkout(tmp_path / "refdp"))) == ""


def test_pages_have_examples_that_are_true():
    assert failed_examples((ROOT / "docs" / "programs.md").read_text(encoding="utf-8")) == 0
