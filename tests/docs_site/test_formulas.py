"""LaTeX becomes MathML as it is meant, and what is not understood is refused."""

from xml.etree.ElementTree import fromstring

import pytest

from scripts.docs_site.formula_tokens import NotUnderstood
from scripts.docs_site.formulas import mathml
from tests.docs_site.pages import CLAIM_PAGES, formulas, read

MATHML = "{http://www.w3.org/1998/Math/MathML}"


def shown(latex: str) -> str:
    """The tree as text: names of elements and what they hold, without the LaTeX that is kept beside."""
    return told(fromstring(mathml(latex))[0][0])


def told(element) -> str:
    inside = "".join(map(told, element)) or (element.text or element.get("width", ""))
    return f"{element.tag.removeprefix(MATHML)}({inside})"


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        (r"\frac{a}{2}", "mrow(mfrac(mrow(mi(a))mrow(mn(2))))"),
        (r"\frac12", "mrow(mfrac(mn(1)mn(2)))"),
        (r"d_{\mathrm{in}}^2", "mrow(msubsup(mi(d)mrow(mrow(mi(in)))mrow(mn(2))))"),
        (r"x'_1", "mrow(msub(mrow(mi(x)mo(\N{PRIME}))mrow(mn(1))))"),
        (r"\mathrm{discrete\_laplace}", "mrow(mi(discrete_laplace))"),
        (r"\sqrt{2 \, \pi}", "mrow(msqrt(mrow(mn(2)mspace(0.1667em)mi(\N{GREEK SMALL LETTER PI}))))"),
        (r"\left|x\right|", "mrow(mrow(mo(|)mi(x)mo(|)))"),
        (r"\bigl(x\bigr)", "mrow(mo(()mi(x)mo()))"),
        (r"\bar{\Phi}", "mrow(mover(mrow(mi(\N{GREEK CAPITAL LETTER PHI}))mo(\N{MACRON})))"),
        (r"\mathbb{Z}", "mrow(mi(\N{DOUBLE-STRUCK CAPITAL Z}))"),
        (r"\mathbf{1}", "mrow(mn(\N{MATHEMATICAL BOLD DIGIT ONE}))"),
        (r"\text{for all } k", "mrow(mtext(for\N{NO-BREAK SPACE}all\N{NO-BREAK SPACE})mi(k))"),
        (r"a \sin\theta", "mrow(mi(a)mspace(0.1667em)mi(sin)mspace(0.1667em)mi(\N{GREEK SMALL LETTER THETA}))"),
        (r"2 \, \ln\left(a\right)", "mrow(mn(2)mspace(0.1667em)mi(ln)mrow(mo(()mi(a)mo())))"),
        (r"a < b \le c", "mrow(mi(a)mo(<)mi(b)mo(\N{LESS-THAN OR EQUAL TO})mi(c))"),
    ],
)
def test_formulas_are_read_as_they_are_meant(latex, tree):
    assert shown(latex) == tree


def test_formulas_have_brackets_that_grow_with_what_is_high():
    assert 'stretchy="true"' in mathml(r"\left(\frac{a}{b}\right)")
    assert 'stretchy="true"' not in mathml(r"\left(a, b\right)")


def test_formulas_have_rows_that_are_aligned_at_their_marks():
    tree = shown(r"\begin{aligned} & a \\[0.4em] b & c \end{aligned}")
    assert tree == "mrow(mtable(mtr(mtd(mrow())mtd(mrow(mi(a))))mtr(mtd(mrow(mi(b)))mtd(mrow(mi(c))))))"


@pytest.mark.parametrize(
    ("latex", "signs"),
    [("-x", 1), ("a - x", 0), (r"a + -25", 1), (r"\left|x\right| - 1", 0), (r"a,\; -1", 1), ("|x| - 1", 0)],
)
def test_formulas_tell_a_sign_from_a_difference(latex, signs):
    assert mathml(latex).count('<mo form="prefix">\N{MINUS SIGN}') == signs


@pytest.mark.parametrize(
    "latex",
    [r"\nosuch{x}", r"\mathbb{X}", r"\frac{a}", r"\left(x", r"x \&", r"\left q x \right)", r"\text{a $b$}", "a # b",
     r"\begin{cases} a \end{cases}"],
)  # fmt: skip
def test_formulas_that_are_not_understood_are_refused(latex):
    with pytest.raises(NotUnderstood):
        mathml(latex)


def test_formulas_keep_their_latex_for_whoever_copies_them():
    assert fromstring(mathml("a < b"))[0][1].text == "a < b"


@pytest.mark.parametrize("path", CLAIM_PAGES[::25], ids=lambda path: path.stem)
def test_formulas_of_claim_pages_are_understood(path):
    found = formulas(read(path))
    assert found
    for latex in found:
        fromstring(mathml(latex))
