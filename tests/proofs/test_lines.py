"""Proof lines: what they may say, what they are refused for, and that none of them decides what is proved."""

from dataclasses import replace
from fractions import Fraction

import pytest

from refdp.claims import UnknownClaim, claim, ledger, place, verdict
from refdp.kernel.judgements import KernelError
from refdp.proofs.lines import FUNCTIONS, Line, ProofLineError, called, prove, proved, tree
from tests.meta.repository import ROOT

PURE = claim("discrete_laplace.pure")


def value(line):
    return Line(PURE).value(tree(line))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1", Fraction(1)), ("-200", Fraction(-200)), ("1/4", Fraction(1, 4)), ("'1/4'", "1/4"), ("True", True),
        ("[0, (1, 2)]", [0, (1, 2)]), ("{'a': '1', 'b': ['2']}", {"a": "1", "b": ["2"]}), ("stem", "discrete_laplace"),
        ("claim", PURE.formal), ("likelier_noise", FUNCTIONS["likelier_noise"]), ("{}", {}),
    ],
)  # fmt: skip
def test_parts_of_a_line_are_what_they_say(line, said):
    assert value(line) == said
    assert type(value(line)) is type(said)


def test_names_are_theorems_of_claims():
    assert value("pure").claim == proved("discrete_laplace.pure").claim
    assert value("count.add_remove").claim == proved("count.add_remove").claim


@pytest.mark.parametrize(
    "line",
    [
        "__import__('os')", "open('/etc/passwd')", "().__class__", "pure.claim.term", "[x for x in [1]]", "lambda: 1",
        "1 + 1", "2 ** 9", "1 if True else 2", "f'{1}'", "1.5", "None", "b'1'", "{**{}}", "(x := 1)", "eval('1')",
        "stem[0]", "lemmas.__globals__", "(pure_to_approximate)(pure).data", "{1, 2}", "...", "1 < 2",
        "not True", "'a' 'b' + 'c'",
    ],
)  # fmt: skip
def test_what_a_line_may_not_say_is_refused(line):
    with pytest.raises((ProofLineError, UnknownClaim)):
        value(line)


@pytest.mark.parametrize("line", ["pure(", "pure; pure", "import os", "", "x = 1"])
def test_what_is_no_expression_is_refused(line):
    with pytest.raises(ProofLineError, match="is no expression"):
        tree(line)


def test_line_that_makes_no_theorem_is_refused():
    with pytest.raises(ProofLineError, match="is no theorem"):
        prove(replace(PURE, proof="[pure]"))


def test_line_of_another_claim_proves_that_one_and_not_this():
    """The line brings no statement: what it makes is compared with the formal claim."""
    for other in ("laplace.pure", "pure_vector", "normalised", "pure_to_approximate(pure)"):
        found = prove(replace(PURE, proof=other))
        assert verdict(found.claim, PURE.formal) is None


@pytest.mark.parametrize(
    "line",
    [
        "additive_noise(*lemmas(stem, 'privacy'), stem='laplace', measure='pure')",
        "additive_noise(*lemmas('laplace', 'privacy'), stem=stem, measure='pure')",
        "additive_noise(stem=stem, measure='pure')",
        "additive_noise(*lemmas(stem, 'law'), stem=stem, measure='pure')",
        "additive_noise(*lemmas(stem, 'privacy'), stem=stem, measure='concentrated')",
    ],
)
def test_line_with_other_lemmas_is_refused_by_the_kernel(line):
    with pytest.raises((KernelError, ValueError)):
        prove(replace(PURE, proof=line))


def test_claims_say_where_they_stand():
    for one in ledger():
        file, first, last = place(one)
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines()[first - 1 : last]
        assert lines[0] == f"[{one.identifier}]"
        assert not any(line.startswith("[") for line in lines[1:])
        assert lines[-1].strip()
        assert any(line.startswith("proof = ") for line in lines) == (one.proof != "")


def test_lines_call_what_is_known_and_say_why():
    for one in ledger():
        if one.proof:
            assert set(called(one)) <= set(FUNCTIONS)
            assert one.why == "" or one.why.endswith(".")
