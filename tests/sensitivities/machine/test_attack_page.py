"""The page on machine arithmetic shows the attacks as they are."""

from refdp.sensitivities.machine.attack_table import attack_table
from refdp.sensitivities.machine.formats import FORMATS
from refdp.sensitivities.machine.sums import SUMS
from tests.meta.repository import ROOT

PAGE = (ROOT / "docs" / "machine_arithmetic.md").read_text(encoding="utf-8")


def test_page_has_a_line_for_every_attack_and_no_other():
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and line.count("|") == 7]
    shown = [
        f"| {row.family} | {row.statement} | {row.function} | {row.arithmetic} | {row.n} | "
        f"{'infinite' if row.excess is None else f'{float(row.excess):.3g}'} |"
        for row in attack_table()
    ]
    assert lines[1:] == shown


def test_page_names_every_sum_and_the_formats():
    assert [name for name in SUMS if f"`{name}`" not in PAGE] == []
    assert [name for name in FORMATS if "float" in name and f"`{name}`" not in PAGE] == []
