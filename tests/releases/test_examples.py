"""The example tables are the published ones."""

from collections import Counter
from fractions import Fraction as F
from hashlib import sha256
from itertools import product
from pathlib import Path

import refdp.releases
from refdp.releases.tables import Missing, Table, read_table

EXAMPLES = Path(refdp.releases.__file__).parent / "examples"
MEASUREMENTS = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")


def penguins() -> Table:
    """Every column of the penguins."""
    return read_table(
        EXAMPLES / "penguins.csv",
        decimals=(*MEASUREMENTS, "year"),
        labels=("species", "island", "sex"),
        missing=Missing(frozenset({"NA"}), "drop"),
    )


def test_penguins_have_344_rows_and_their_published_counts() -> None:
    """Horst, Hill, Gorman 2020: counts per species, island and sex, and the extremes of body mass."""
    table = penguins()
    assert table.size == 344
    assert Counter(table.labels("species")) == {("Adelie",): 152, ("Gentoo",): 124, ("Chinstrap",): 68}
    assert Counter(table.labels("island")) == {("Biscoe",): 168, ("Dream",): 124, ("Torgersen",): 52}
    assert Counter(table.labels("sex")) == {("male",): 168, ("female",): 165}
    masses = table.decimals("body_mass_g")
    assert (min(masses), max(masses)) == ((F(2700),), (F(6300),))


def test_penguins_lack_the_sex_of_11_and_the_measurements_of_2() -> None:
    table = penguins()
    lacking_sex = {row for row, sex in enumerate(table.label_columns["sex"]) if sex is None}
    assert len(lacking_sex) == 11
    for column in MEASUREMENTS:
        lacking = {row for row, cell in enumerate(table.decimal_columns[column]) if cell is None}
        assert len(lacking) == 2
        assert lacking <= lacking_sex
    assert len(table.decimals(*MEASUREMENTS)) == 342


def test_penguins_digest_is_the_one_in_the_readme() -> None:
    digest = sha256((EXAMPLES / "penguins.csv").read_bytes()).hexdigest()
    assert digest in (EXAMPLES / "README.md").read_text()
    assert penguins().digest == f"sha256:{digest}"


def test_table_d_gives_the_answers_of_the_lecture() -> None:
    """Thresholds over the universe in binary order, attribute means, point functions."""
    rows = read_table(EXAMPLES / "table_d.csv", decimals=("D1", "D2", "D3")).decimals("D1", "D2", "D3")
    universe = [tuple(map(F, point)) for point in product((0, 1), repeat=3)]
    assert [F(sum(row <= y for row in rows), 10) for y in universe] == [F(n, 10) for n in (3, 4, 6, 6, 6, 9, 10, 10)]
    assert [sum(column) / 10 for column in zip(*rows, strict=True)] == [F(4, 10), F(3, 10), F(4, 10)]
    assert [rows.count(y) for y in universe] == [3, 1, 2, 0, 0, 3, 1, 0]
