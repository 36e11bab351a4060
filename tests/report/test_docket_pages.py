"""The pages of the docket show what the entries say, and link to claims that have pages."""

import re
from fractions import Fraction

import pytest

from refdp.claims import ledger
from refdp.docket import VERDICTS, entries
from refdp.report.docket_pages import FOLDER, GENERATED, INDEX, pages, write
from refdp.report.paths import link_from, page_path
from tests.made import pages as pages_made
from tests.meta.repository import ROOT

FOUND = pages()
CLAIMS = {link_from(INDEX, page_path(c.identifier)) for c in ledger()}


def test_docket_has_a_page_for_each_entry_and_an_index():
    assert set(FOUND) == {"index.md", *(f"{one.slug}.md" for one in entries())}


def test_pages_are_those_that_are_made():
    made = {path.name: path for path in pages_made() if path.parent == ROOT / FOLDER}
    assert {name: path.read_text(encoding="utf-8") for name, path in made.items()} == FOUND


def test_index_counts_the_verdicts_of_its_rows():
    counts = {word: int(n) for word, n in re.findall(r"^\| ([A-Z_]+) \| (\d+) \|", FOUND["index.md"], re.MULTILINE)}
    assert set(counts) == set(VERDICTS)
    assert sum(counts.values()) == len(entries())
    rows = [
        line.replace("\\_", "_")
        for line in FOUND["index.md"].splitlines()
        if re.match(r"\| \[.*(yes|no\*\*|published|parts) \|$", line)
    ]
    assert {word: sum(f"| {word} |" in row for row in rows) for word in counts} == counts


def test_index_lists_what_does_not_add_up():
    listed = FOUND["index.md"].partition("## What does not add up")[2]
    for one in entries():
        assert listed.count(f"({one.slug}.md)") == len(list(one.failures())), one.slug


@pytest.mark.parametrize("name", FOUND)
def test_links_of_a_page_lead_to_claims_or_entries(name):
    links = re.findall(r"\]\(([^)]+)\)", FOUND[name])
    assert set(links) <= CLAIMS | set(FOUND) | {"../claims/docket.md"}


def test_page_of_an_entry_says_parts_condition_and_what_is_not_claimed():
    page = FOUND["google_mobility_reports.md"]
    assert "They add up to 2.64, which is the published epsilon." in page
    assert "is refuted." in page.partition("## Condition")[2].partition("##")[0]
    assert "more than one day" in page.partition("## Not claimed")[2]
    assert "**and 15.29 is published**" in FOUND["census_dhc.md"]


@pytest.mark.parametrize("one", [one for one in entries() if one.parts], ids=lambda one: one.slug)
def test_sum_that_a_page_calls_published_is_among_the_published_numbers(one):
    summed, said = re.search(r"They add up to ([0-9.]+), (.*)\.\n", FOUND[f"{one.slug}.md"]).groups()
    assert (said == f"which is the published {one.summed}") == (
        Fraction(summed) == Fraction(one.parameters[one.summed])
    )


def test_index_says_where_parts_that_add_up_are_unconfirmed():
    rows = [row for row in FOUND["index.md"].splitlines() if row.endswith("| yes, of unconfirmed parts |")]
    unconfirmed = [one for one in entries() if one.sum_checked and any(p.certainty == "u" for p in one.parts)]
    assert [f"({one.slug}.md)" in row for one, row in zip(unconfirmed, rows, strict=True)] == [True] * len(rows) != []


def test_pages_of_proved_entries_say_how_noise_is_rounded():
    for slug in ("apple_safari_domains", "wikimedia_page_views"):
        assert "rounded up, slightly more than published" in VERDICTS["PROVED"]
        assert "rounded up" in FOUND[f"{slug}.md"].partition("## Assumed")[2].partition("##")[0]


def test_pages_of_entries_that_are_no_more_are_removed_and_others_stay(tmp_path):
    (tmp_path / "old.md").write_text(f"{GENERATED}\n")
    (tmp_path / "own.md").write_text("mine\n")
    write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*FOUND, "own.md"}
