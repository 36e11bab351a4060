"""The page on machine arithmetic shows the attacks as they are."""

from fractions import Fraction

from refdp.sensitivities.machine.attack_table import attack_table
from refdp.sensitivities.machine.error_bounds import BOUNDS, sum_error
from refdp.sensitivities.machine.formats import FLOAT64, FORMATS
from refdp.sensitivities.machine.summands import summands
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


CONSTANTS = {
    "naive": lambda n, u, w, m: min(w * m / (1 - w * n / 2) * (Fraction(n * (n + 1), 2) - 1), (n - 1) * u * n * m),
    "pairwise": lambda n, u, w, m: ((1 + w) ** (n - 1).bit_length() - 1) * n * m,
    "numpy": lambda n, u, w, m: ((1 + w) ** 24 - 1) * n * m,
}
"""The formulas of the table of bounds."""


def test_table_of_bounds_has_a_line_for_every_order_and_its_formulas_are_those_of_the_code():
    lines = [line for line in PAGE.splitlines() if line.startswith("| `") and line.count("|") == 6]
    named = {name.partition(":")[0] for line in lines for name in line.split("|")[1].replace("`", "").split(", ")}
    assert {name.strip() for name in named} == set(BOUNDS) - {"python", "python3.11", "mixed"}
    u = FLOAT64.unit
    w = u / (1 + u)
    for order, formula in CONSTANTS.items():
        for n in (2, 16, 100, 128) if order != "numpy" else (128,):
            limit = formula(n, u, w, Fraction(1, 3))
            least = min(limit, CONSTANTS["naive"](n, u, w, Fraction(1, 3)))
            assert sum_error(order, summands(FLOAT64, n, Fraction(1, 3))).error == least
