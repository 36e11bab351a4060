"""Every claim and every obligation prints as LaTeX that is well formed and leaves nothing out."""

import re

import pytest

import refdp.mechanisms
import refdp.statements
import refdp.transformations  # noqa: F401
from refdp.claims import ledger
from refdp.report.latex.claims import claim_latex, formula_latex, statement_latex
from refdp.report.latex.terms import name_of
from refdp.spec import registry
from refdp.spec.obligations import obligations
from refdp.terms.term import TermError, names

OBLIGATIONS = {f"{stem}.{key}": s for stem in registry.stems() for key, s in obligations(stem).items()}
FORMULAS = [f for stem in registry.stems() for f, _ in registry.kind_of(stem).readings]
TOKEN = re.compile(r"\\(?:left|right|middle)(?:\\[{}|]|[()\[\].|]|\\Vert)|\\(?:begin|end)\{\w+\}|\\.|[{}&]")


def closes(opened: str, token: str) -> bool:
    """Whether a token closes what another opened."""
    if opened.startswith("\\begin"):
        return token == opened.replace("begin", "end")
    return token.startswith("\\right") if opened.startswith("\\left") else (opened, token) == ("{", "}")


def unbalanced(text: str) -> str:
    """What is wrong with the nesting of braces, \\left ... \\right and environments; empty if nothing is."""
    open_ones: list[str] = []
    for token in TOKEN.findall(text):
        if token == "{" or token.startswith(("\\left", "\\begin")):
            open_ones.append(token)
        elif token == "}" or token.startswith(("\\right", "\\end")):
            opened = open_ones.pop() if open_ones else ""
            if not closes(opened, token):
                return f"{opened!r} is closed by {token!r}"
    return f"{open_ones[-1]!r} is not closed" if open_ones else ""


@pytest.mark.parametrize("text", [r"\frac{a}{b", r"a}", r"\left(a", r"\left(a}", r"\begin{aligned} a", r"{\right)}"])
def test_latex_check_finds_what_is_not_closed(text):
    assert unbalanced(text)


@pytest.mark.parametrize("text", [r"\left\{a\right\}", r"\{a", r"\begin{x}\frac{a}{\left(b\right)}\end{x}"])
def test_latex_check_passes_what_is_closed(text):
    assert unbalanced(text) == ""


def test_latex_of_every_claim_is_balanced():
    assert {c.identifier: found for c in ledger() if (found := unbalanced(claim_latex(c.formal)))} == {}


def test_latex_of_every_obligation_is_balanced():
    assert {key: found for key, s in OBLIGATIONS.items() if (found := unbalanced(claim_latex(str(s))))} == {}


def test_latex_of_every_obligation_has_all_its_names_and_conditions():
    for key, statement in OBLIGATIONS.items():
        printed = claim_latex(str(statement))
        for variable in statement.variables:
            assert name_of(variable) in printed, key
        assert (r"\text{if } " in printed) == bool(statement.given), key


def test_latex_of_every_formula_is_balanced_and_names_its_parameters():
    for f in FORMULAS:
        printed = formula_latex(str(f))
        assert unbalanced(printed) == ""
        assert all(name_of(p) in printed for p in names(f.term)), f.name


def test_latex_of_a_privacy_claim_says_what_the_measure_means():
    printed = claim_latex("private(m(a), reals(), absolute(d_in), approximate(epsilon, delta / 2), 0 < a)")
    assert r"\left|x - x'\right| \le d_{\mathrm{in}}" in printed
    assert r"\le e^{\varepsilon} \, \Pr\left[M(x') \in S\right] + \delta" in printed
    assert r"\text{where } \delta = \frac{\delta}{2}" in printed
    assert r"\text{for all } 0 < a" in printed


def test_latex_of_a_stability_claim_has_both_metrics():
    printed = claim_latex("stable(t(), table(grid(1)), symmetric(2), vector(grid(1), n), l1(4))")
    assert r"\mathrm{d}_{\mathrm{symmetric}}\left(x, x'\right) \le 2" in printed
    assert r"\left\|T(x) - T(x')\right\|_{1} \le 4" in printed


@pytest.mark.parametrize(
    ("claim", "printed"),
    [
        ("tail(m(a), b, 0 < a)", r"\mathrm{tail}\left(\mathrm{m}\left(a\right), b\right)"),
        ("private(m(), reals(), absolute(1), new_measure(2))", r"\mathrm{new\_measure}\left(2\right)"),
        ("private(m())", r"\mathrm{private}\left(\mathrm{m}\left(\right)\right)"),
        ("stable(t(), d(), near(1), e(), far(2))", r"\mathrm{d}_{\mathrm{far}}\left(T(x), T(x')\right) \le 2"),
    ],
)
def test_latex_of_what_is_not_known_prints_it_as_itself(claim, printed):
    assert printed in claim_latex(claim)
    assert unbalanced(claim_latex(claim)) == ""


def test_latex_of_a_statement_has_its_parts_in_order():
    printed = statement_latex("for all real a and integer k: if 0 <= a and 0 < k then a <= k * a and k != 0")
    assert printed.splitlines()[1:-1] == [
        r"& \text{for all } a \in \mathbb{R},\; k \in \mathbb{Z} \\",
        r"& \text{if } 0 \le a,\; 0 < k \\",
        r"& \text{then } a \le k \, a,\; k \ne 0",
    ]


def test_latex_of_a_closed_statement_is_one_line():
    assert statement_latex("0 <= 1 and 1 == 1") == r"0 \le 1,\; 1 = 1"


def test_latex_of_no_statement_is_refused():
    with pytest.raises(TermError):
        statement_latex("for all real a: if 0 <= a then")
