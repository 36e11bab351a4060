"""LaTeX of a term says the same as the term: precedence, fractions, names."""

import pytest

from refdp.report.latex import latex
from refdp.spec.terms import read


@pytest.mark.parametrize(
    ("term", "printed"),
    [
        ("-abs(z) / scale", r"\frac{-\left|z\right|}{\mathrm{scale}}"),
        ("d_in ** 2 / (2 * sigma ** 2)", r"\frac{d_{\mathrm{in}}^{2}}{2 \, \sigma^{2}}"),
        ("(a - b) ** 2", r"\left(a - b\right)^{2}"),
        ("a - (b - c)", r"a - \left(b - c\right)"),
        ("a - b - c", "a - b - c"),
        ("(a + b) * c", r"\left(a + b\right) \, c"),
        ("1/3", r"\frac{1}{3}"),
        ("a <= b", r"a \le b"),
        ("indicator(y == x)", r"\mathbf{1}\left[y = x\right]"),
        ("sqrt(2 * pi())", r"\sqrt{2 \, \pi}"),
        ("normal_tail(a / 2)", r"\overline{\Phi}\left(\frac{a}{2}\right)"),
        ("max(a, 0)", r"\max\left(a, 0\right)"),
        ("tail_rate(scale)", r"\mathrm{tail\_rate}\left(\mathrm{scale}\right)"),
    ],
)
def test_latex_of_a_term_is_what_it_says(term, printed):
    assert latex(read(term)) == printed
