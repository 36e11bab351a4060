"""Pairs of tables as scripts that run with Python, and numpy where a format needs it, and print the exact distance."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from refdp.sensitivities.machine.formats import BFLOAT16, FLOAT64, Format, IntegerFormat
from refdp.sensitivities.machine.pair import MachineRow
from refdp.sensitivities.machine.runs import Runs

TOTALS: Mapping[str, str] = {
    "naive": """
def total(rows):
    found = T(0)
    for x in rows:
        found = found + x
    return found
""",
    "saturating": """
def total(rows):
    found = 0
    for x in rows:
        found = max(LOWEST, min(HIGHEST, found + x))
    return found
""",
    "pairwise": """
BASE = 1


def total(rows):
    if len(rows) <= BASE:
        found = rows[0] if rows else T(0)
        for x in rows[1:]:
            found = found + x
        return found
    middle = len(rows) // 2
    return total(rows[:middle]) + total(rows[middle:])
""",
    "kahan": """
def total(rows):
    found = lost = T(0)
    for x in rows:
        wanted = x - lost
        new = found + wanted
        lost = (new - found) - wanted
        found = new
    return found
""",
    "neumaier": """
def total(rows):
    found = lost = T(0)
    for x in rows:
        new = found + x
        lost = lost + ((found - new) + x if abs(found) >= abs(x) else (x - new) + found)
        found = new
    return found + lost
""",
    "numpy": """
def total(rows):
    return numpy.sum(numpy.array(rows, dtype=T), dtype=T)
""",
    "fsum": """
def total(rows):
    return T(math.fsum(rows))
""",
    "python": """
def total(rows):
    return sum(rows)
""",
    "python3.12": """
def total(rows):
    found = lost = T(0)
    for x in rows:
        new = found + x
        lost = lost + ((found - new) + x if abs(found) >= abs(x) else (x - new) + found)
        found = new
    return found + lost if lost and math.isfinite(lost) else found
""",
}
"""The text of each sum; Python 3.12's is that of its floats."""
QUERIES: Mapping[str, str] = {
    "sum": "query = total",
    "mean": """
def query(rows):
    return total(rows) / T(len(rows))
""",
    "mean of integers": """
def query(rows):
    return float(total(rows)) / len(rows)
""",
    "squared deviations": """
def query(rows):
    centre = total(rows) / T(len(rows))
    return total([(x - centre) * (x - centre) for x in rows])
""",
    "numpy.var": """
def query(rows):
    return numpy.var(numpy.array(rows, dtype=T))
""",
    "sum of absolute values": """
def query(rows):
    return total([abs(x) for x in rows])
""",
}
"""The text of each function of a table, which uses `total`."""
MEASURE = """
def exact(value):
    if type(value).__name__.lstrip("u").startswith("int"):
        return Fraction(int(value))
    return Fraction(float(value)) if math.isfinite(value) else str(float(value))


first, second = exact(query(x)), exact(query(y))
if isinstance(first, Fraction) and isinstance(second, Fraction):
    print(first, second, abs(first - second))
else:
    print(first, second, 0 if first == second else "infinitely far")
"""


def total_text(total: str, form: Format) -> str:
    """The text of the sum of that name for numbers of the format."""
    known, _, base = total.partition(":")
    if base:
        return TOTALS[known].replace("BASE = 1", f"BASE = {base}")
    if total == "python3.11" or total == "python3.12" and form != FLOAT64:
        return TOTALS["naive"]
    return TOTALS[total]


def script(query: str, total: str, form: Format, first: Runs, second: Runs) -> str:
    """A script that computes the query of both tables in the format, and prints both answers and their distance."""
    saturates = isinstance(form, IntegerFormat) and form.overflow == "saturate"
    text = (TOTALS["saturating"] if saturates else total_text(total, form)) + "\n" + QUERIES[query]
    kind, written = number_type(form)
    lines = ["import math", "from fractions import Fraction", *imports(kind + text), f"T = {kind}"]
    if isinstance(form, IntegerFormat) and saturates:
        lines += [f"LOWEST, HIGHEST = {form.lowest}, {form.highest}"]
    lines += [f"x = {table_text(first, form, written)}", f"y = {table_text(second, form, written)}", ""]
    return "\n".join(lines) + text + "\n" + MEASURE


def imports(text: str) -> list[str]:
    """The lines that import what stands in the text."""
    if "numpy." not in text and "ml_dtypes." not in text:
        return [""]
    extra = ["import ml_dtypes"] if "ml_dtypes." in text else []
    return ["", *extra, "import numpy", "", 'numpy.seterr(all="ignore")']


def number_type(form: Format) -> tuple[str, str]:
    """What makes a number of the format, and how one is written."""
    if isinstance(form, IntegerFormat):
        return ("int", "{}") if form.overflow == "saturate" else (f"numpy.{form.name}", "T({})")
    if form == FLOAT64:
        return "float", "{}"
    return ("ml_dtypes." if form == BFLOAT16 else "numpy.") + form.name, "T({})"


def table_text(table: Runs, form: Format, written: str = "{}") -> str:
    """A table as Python builds it from its runs; floats are written so that they are read back exactly."""
    parts = []
    for value, count in table.parts:
        text = row_text(value, form, written)
        parts.append(f"[{text}]" + (f" * {count}" if count > 1 else ""))
    return " + ".join(parts) or "[]"


def row_text(row: MachineRow, form: Format, written: str = "{}") -> str:
    """A row as Python writes it, each number with a point unless the format is one of integers."""
    if isinstance(row, tuple):
        return f"({', '.join(row_text(part, form, written) for part in row)}{',' * (len(row) == 1)})"
    if not isinstance(row, Fraction):
        return repr(row)
    return written.format(repr(int(row)) if isinstance(form, IntegerFormat) else repr(float(row)))
