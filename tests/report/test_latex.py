"""LaTeX of a term says the same as the term: precedence, fractions, names."""

import pytest

from refdp.report.latex.terms import latex
from refdp.terms.reading import read


@pytest.mark.parametrize(
    ("term", "printed"),
    [
        ("-abs(z) / scale", r"\frac{-\left|z\right|}{\mathrm{scale}}"),
        ("d_in ** 2 / (2 * sigma ** 2)", r"\frac{d_{\mathrm{in}}^{2}}{2 \, \sigma^{2}}"),
        ("(a - b) ** 2", r"\left(a - b\right)^{2}"),
        ("(a / b) ** 2", r"\left(\frac{a}{b}\right)^{2}"),
        ("(1/2) ** 2 * x", r"\frac{1}{4} \, x"),
        ("ln(x) ** 2", r"\left(\ln\left(x\right)\right)^{2}"),
        ("(-x) ** 2", r"\left(-x\right)^{2}"),
        ("-x ** 2", "-x^{2}"),
        ("-(a + b)", r"-\left(a + b\right)"),
        ("a - (b - c)", r"a - \left(b - c\right)"),
        ("a - b - c", "a - b - c"),
        ("a - -b", r"a - \left(-b\right)"),
        ("a * -b", r"a \, \left(-b\right)"),
        ("a + -3", r"a + \left(-3\right)"),
        ("(a + b) * c", r"\left(a + b\right) \, c"),
        ("d_in * 1", r"d_{\mathrm{in}} \cdot 1"),
        ("x * (1/2)", r"x \cdot \frac{1}{2}"),
        ("1/3", r"\frac{1}{3}"),
        ("-1/3", r"-\frac{1}{3}"),
        ("a <= b", r"a \le b"),
        ("(a <= b) == c", r"\left(a \le b\right) = c"),
        ("indicator(y == x)", r"\mathbf{1}\left[y = x\right]"),
        ("sqrt(2 * pi())", r"\sqrt{2 \, \pi}"),
        ("exp(epsilon)", r"e^{\varepsilon}"),
        ("exp(-x / y)", r"\exp\left(\frac{-x}{y}\right)"),
        ("exp(x) ** 2", r"\left(e^{x}\right)^{2}"),
        ("max(a, 0)", r"\max\left(a, 0\right)"),
        ("max(a, b, 0)", r"\max\left(a, b, 0\right)"),
        ("tail_rate(scale)", r"\mathrm{tail\_rate}\left(\mathrm{scale}\right)"),
        ("normal_tail(x)", r"\bar{\Phi}\left(x\right)"),
        ("t_1 * t_2", r"t_{1} \, t_{2}"),
        ("integral(exp(-x), x)", r"\int_{-\infty}^{\infty} e^{-x} \, \mathrm{d}x"),
        ("2 * integral(x, x)", r"2 \, \left(\int_{-\infty}^{\infty} x \, \mathrm{d}x\right)"),
        ("multiple(lower, granularity)", r"\mathrm{lower} \in \mathrm{granularity} \, \mathbb{Z}"),
        ("vector(grid(1), n)", r"\mathbb{Z}^{n}"),
        ("vector(bounded(1, 0, 1), n)", r"\left(\mathbb{Z} \cap \left[0, 1\right]\right)^{n}"),
        ("chain(clamp(a), noise(b))", r"\mathrm{noise}\left(b\right) \circ \mathrm{clamp}\left(a\right)"),
        ("finite(k)", r"\left\{0, \ldots, k - 1\right\}"),
        ("f('50% of_all & #1')", r"\mathrm{f}\left(\text{50\% of\_all \& \#1}\right)"),
    ],
)
def test_latex_of_a_term_is_what_it_says(term, printed):
    assert latex(read(term)) == printed
