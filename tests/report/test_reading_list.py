"""docs/why_believe_it.md: its figures are those of the code, its hour is an hour, what it points to is there."""

import re

import pytest

from refdp.claims import ledger
from refdp.commands.trusted_base import ROOT
from refdp.report.reading_list import BEGIN, END, claims, updated

PAGE = ROOT / "docs" / "why_believe_it.md"


def test_figures_are_put_where_the_page_has_its_marks():
    page = PAGE.read_text(encoding="utf-8")
    shown = updated(page)
    assert claims(ROOT) in shown
    assert shown.partition(END)[2] == page.partition(END)[2]


def test_hour_of_reading_is_an_hour():
    rows = re.findall(r"^\| (\d+) \| \[[^]]*\]\(([^)]*)\) \| .* \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sum(int(minutes) for minutes, _ in rows) == 60
    assert len({name for _, name in rows}) == len(rows)
    assert [name for _, name in rows if not (PAGE.parent / name).is_file()] == []


def test_claims_that_trust_nobody_are_counted_apart():
    numbers = [int(n) for n in re.findall(r"\d+", claims(ROOT))]
    total, proved, refuted, alone, named = numbers
    assert total == len(ledger()) == proved + refuted == alone + named
    assert min(proved, refuted, alone, named) > 0


@pytest.mark.parametrize("page", ["", BEGIN, END, "no marks"])
def test_page_without_marks_is_refused(page):
    with pytest.raises(ValueError, match="the page must contain"):
        updated(page)
