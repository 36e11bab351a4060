"""The page about accuracy has the table that the code makes, and its masses are the binomial law."""

from fractions import Fraction as F
from itertools import product
from pathlib import Path

import pytest

import refdp
from refdp.report.accuracy_page import BEGIN, exact_radius, masses, off, shown, tail, updated

PAGE = Path(refdp.__file__).resolve().parents[1] / "docs" / "accuracy.md"


def test_accuracy_page_has_a_row_for_each_truth_and_size():
    rows = [line for line in updated(PAGE.read_text(encoding="utf-8")).splitlines() if line.startswith("| ")]
    assert [row.split(" | ")[:2] for row in rows[-6:]] == [
        [f"| {truth}", str(n)] for truth in ("3/4", "9/10") for n in (10, 100, 1000)
    ]
    assert "| 9/10 | 1000 | 0.0537 | 0.0000113 | 0.0238 |" in rows


def test_accuracy_page_without_its_marks_is_refused():
    with pytest.raises(ValueError, match="the page must contain"):
        updated(f"a page\n{BEGIN}\n")


@pytest.mark.parametrize("ones", range(5))
def test_masses_are_those_of_every_sequence_of_answers(ones):
    truth, bits = F(3, 4), [1] * ones + [0] * (4 - ones)
    found = [F(0)] * 5
    for answers in product((0, 1), repeat=4):
        p = F(1)
        for x, y in zip(bits, answers, strict=True):
            p *= truth if x == y else 1 - truth
        found[sum(answers)] += p
    assert [F(m, 4**4) for m in masses(truth, 4, ones)] == found


@pytest.mark.parametrize("ones", [0, 3, 6])
def test_exact_radius_is_the_least_that_is_exceeded_so_rarely(ones):
    truth, n = F(4, 5), 6
    law = masses(truth, n, ones)
    sizes = sorted({off(truth, n, ones, k) for k in range(n + 1)})
    found = exact_radius(truth, n, ones, law)

    def exceeded(a):
        return tail(truth, n, ones, law, a) - sum(F(law[k], 5**n) for k in range(n + 1) if off(truth, n, ones, k) == a)

    assert exceeded(found) <= F(1, 20) < min((exceeded(a) for a in sizes if a < found), default=F(1))


@pytest.mark.parametrize(
    ("x", "text"), [(F(1, 2), "0.500"), (F(1, 3), "0.334"), (F(1, 300), "0.00334"), (F(0), "0"), (F(27, 20), "1.350")]
)
def test_shown_rounds_up(x, text):
    assert shown(x) == text
