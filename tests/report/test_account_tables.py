"""The table of an account: digits under digits, widths rounded up, and the reason where a width was not reached."""

from fractions import Fraction

import pytest

from refdp.report.account_tables import PROOFS, aligned, print_account, width
from tests.meta.repository import ROOT

ANSWER = {
    "at": {"delta": "1e-6"},
    "epsilon": {"lower": "2.5", "upper": "2.500000001"},
    "engine": "closed forms",
    "trusts": ["Arb"],
    "seconds": "0.10",
}


def printed(capsys, *answers, **others):
    found = {"neighbours": "add_remove", "events": ["1 x gaussian(sigma=2)"], "width": "1e-9", "trusts": ["Arb"]}
    print_account(found | {"answers": list(answers)} | others)
    return capsys.readouterr().out


def test_table_has_a_row_for_each_question(capsys):
    of_delta = {**ANSWER, "at": {"epsilon": "1"}, "delta": {"lower": "2e-2", "upper": "3e-2"}}
    del of_delta["epsilon"]
    lines = [line.split() for line in printed(capsys, ANSWER, of_delta).splitlines()]
    assert ["1e-6", "2.500000000", "2.500000001", "1e-9", "closed", "forms", "0.10"] in lines
    assert ["1", "2e-2", "3e-2", "3.4e-1", "closed", "forms", "0.10"] in lines
    assert ["trusts", "Arb"] in lines
    assert not any("reason" in line for line in lines)


def test_table_says_why_a_width_was_not_reached(capsys):
    found = printed(capsys, ANSWER | {"reason": "the time is over"})
    assert "at delta 1e-6 the width 1e-9 was not reached: the time is over" in found


@pytest.mark.parametrize("engine", sorted(PROOFS))
def test_table_says_of_every_engine_where_it_is_proved(capsys, engine):
    assert f"proof   {engine}: {PROOFS[engine]}" in printed(capsys, ANSWER | {"engine": engine})


@pytest.mark.parametrize("place", sorted(PROOFS.values()))
def test_proofs_of_engines_are_in_the_page(place):
    kind, number, *_ = place.split()
    page = (ROOT / "docs" / "accounting_proofs.md").read_text(encoding="utf-8")
    assert (f"\n## {number} " if kind == "section" else f"\n**Lemma {number} ") in page


def test_table_counts_events_beyond_the_first(capsys):
    found = printed(capsys, ANSWER, events=[f"{k} x laplace(scale=1)" for k in range(1, 12)])
    assert "8 x laplace(scale=1)\n  and 3 more\n" in found


def test_table_says_where_the_engine_is_proved(capsys):
    lines = printed(
        capsys, ANSWER | {"engine": "contour integral (section 5 of docs/accounting_proofs.md)"}
    ).splitlines()
    assert ["2.500000001", "1e-9", "contour", "integral", "0.10"] in [line.split()[2:] for line in lines]
    assert "proof   contour integral: section 5 of docs/accounting_proofs.md" in [line.rstrip() for line in lines]


def test_table_names_the_picture(capsys):
    assert "out.svg" in printed(capsys, ANSWER, picture={"path": "out.svg", "caption": "bounds"})


@pytest.mark.parametrize(
    ("lower", "upper", "asked", "said"),
    [
        ("1", "1", "epsilon", "0"),
        ("1", "1.0000000001", "epsilon", "1e-10"),
        ("0", "2", "epsilon", "2"),
        ("5", "inf", "epsilon", "inf"),
        ("inf", "inf", "epsilon", "0"),
        ("0", "0", "delta", "0"),
        ("0", "1e-300", "delta", "1"),
        ("1e-20", "3e-20", "delta", "6.7e-1"),
    ],
)
def test_width_is_rounded_up(lower, upper, asked, said):
    assert width({"lower": lower, "upper": upper}, asked) == said


@pytest.mark.parametrize(
    ("lower", "upper"), [("2.5", "2.625"), ("3", "3.25"), ("0", "1.5"), ("0", "inf"), ("1e-3", "2e-3")]
)
def test_aligned_changes_no_number(lower, upper):
    for before, after in zip((lower, upper), aligned(lower, upper), strict=True):
        assert before == after == "inf" or Fraction(before) == Fraction(after)
