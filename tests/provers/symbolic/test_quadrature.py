"""The numerical opinion alone: it sees every wrong equality, and uses nothing of sympy."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

from refdp.provers.symbolic.quadrature import DIGITS, POINTS, difference, sample, value
from refdp.terms.evaluation import evaluate, truth
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.provers.random_statements import grid, is_defined, statements
from tests.provers.statements import statement
from tests.provers.symbolic.equalities import FALSE, TRUE


@pytest.mark.parametrize("case", TRUE)
def test_quadrature_agrees(case):
    assert difference(TRUE[case]) == ("", None)


@pytest.mark.parametrize("case", FALSE)
def test_quadrature_sees_what_is_wrong(case):
    reason, point = difference(FALSE[case])
    assert "the sides are" in reason or "does not converge" in reason
    assert all(truth(g, point) for g in FALSE[case].given)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("integral(exp(-abs(z - 1/3)), z)", lambda: mpmath.mpf(2)),
        ("integral(max(0, 1 - z) * indicator(-1 <= z), z)", lambda: mpmath.mpf(2)),
        ("integral(indicator(z <= 2) * indicator(-1 < z) * z, z)", lambda: mpmath.mpf(3) / 2),
        ("integral(exp(-z**2) * z**2, z)", lambda: mpmath.sqrt(mpmath.pi) / 2),
        ("integral(1 / (1 + z**2), z)", lambda: +mpmath.pi),
    ],
)
def test_quadrature_finds_the_kinks(text, expected):
    with mpmath.workdps(DIGITS):
        assert abs(value(read(text), {}) - expected()) < mpmath.mpf(10) ** -12


def test_quadrature_says_so_where_it_misses_a_kink():
    with pytest.raises(TermError, match="does not converge"):
        value(read("integral(max(0, 1 - abs(z)), z)"), {})


@pytest.mark.parametrize("text", ["ln(-1)", "sqrt(-1)", "table(1)", "indicator(x)", "ln(0)", "1 / (x - x)"])
def test_what_has_no_real_value_has_none(text):
    with pytest.raises((TermError, ValueError, ZeroDivisionError)):
        value(read(text), {"x": mpmath.mpf(1)})


def test_value_is_the_exact_value_rounded():
    compared = 0
    with mpmath.workdps(DIGITS):
        for s in statements(31, 150):
            for point in list(grid(s))[::9]:
                side = s.show.arguments[0]
                if is_defined(side, point):
                    rounded = {v: mpmath.mpf(x.numerator) / x.denominator for v, x in point.items()}
                    exact: Fraction = evaluate(side, point)
                    assert abs(value(side, rounded) * exact.denominator - exact.numerator) < mpmath.mpf(10) ** -20
                    compared += 1
    assert compared > 500


def test_sample_satisfies_the_hypotheses_and_is_always_the_same():
    s = statement(["0 < x", "x < y", "integer(n)", "0 <= n"], "x + y + n == y + x + n")
    points = list(sample(s))
    assert len(points) == POINTS
    assert points == list(sample(s))
    assert all(truth(g, p) for g in s.given for p in points)


def test_nothing_is_agreed_where_no_point_was_found():
    reason, point = difference(statement(["0 < x", "x < 0"], "x == x"))
    assert (reason, point) == ("no point was found that satisfies the hypotheses", None)


def test_quadrature_does_not_load_sympy():
    code = "import sys, refdp.provers.symbolic.quadrature; print('sympy' in sys.modules)"
    root = Path(__file__).resolve().parents[3]
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert found.stdout.strip() == "False"
