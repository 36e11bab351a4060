"""Claims, adjacencies and parameters are read as they are written."""

from fractions import Fraction

import pytest

from refdp.logic.asking import valid
from refdp.programs.adjacency import ALL, L1, LENGTH, MONO, NEW, OLD
from refdp.programs.language.reading import programs_in
from refdp.programs.syntax import Claim, Program
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import integer, rational, variable
from refdp.terms.operations import equal, exponential, less, logarithm, modulo, power
from refdp.terms.term import Term

HEAD = "from refdp.programs import *\n"
EPSILON = variable("epsilon", "Real")


def read(text: str) -> Program:
    """The one program of a text."""
    (program,) = programs_in(HEAD + text, "file.py")
    return program


def claimed(words: str, parameters: str = "epsilon, N", before: str = "") -> Claim:
    """The claim of those words."""
    (claim,) = read(f"{before}@claim({words})\ndef f(q, {parameters}):\n    return q[0]\n").claims
    return claim


def test_a_claim_is_an_expression_in_public_parameters() -> None:
    claim = claimed('epsilon="(1 + 6*N)/4*epsilon", adjacency=ALL, source="Lyu", expected="REFUTED"')
    assert claim.epsilon is not None
    values = {EPSILON: Fraction(2), variable("N", "Int"): Fraction(3)}
    assert evaluate(claim.epsilon, values) == Fraction(19, 2)
    assert (claim.text, claim.source, claim.expected) == ("epsilon=(1 + 6*N)/4*epsilon", "Lyu", "REFUTED")
    assert claim.adjacency is ALL


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("ln(3)", logarithm(rational(3))),
        ("log(exp(epsilon))", EPSILON),
        ("exp(0)", rational(1)),
        ("0.1", rational(Fraction(1, 10))),
        ("1_000", integer(1000)),
        ("2**-1", rational(Fraction(1, 2))),
        ("7 % 3 + 7 // 3", integer(3)),
    ],
)
def test_numbers_are_exact(text: str, wanted: Term) -> None:
    assert claimed(f'epsilon="{text}", adjacency=ALL').epsilon is wanted


def test_a_claim_may_be_about_delta_or_rho_for_given_parameters() -> None:
    claim = claimed('epsilon="epsilon", delta="1/1000", adjacency=L1, given={"N": 1, "epsilon": "1/3"}')
    assert claim.delta is rational(Fraction(1, 1000))
    assert claim.given == {"N": integer(1), "epsilon": rational(Fraction(1, 3))}
    assert claim.adjacency is L1
    rho = claimed('rho="epsilon**2/8", adjacency=MONO')
    assert rho.epsilon is None
    assert rho.rho is not None
    assert rho.adjacency is MONO


def test_what_a_claim_needs_to_have_a_value_is_among_its_conditions() -> None:
    claim = claimed('epsilon="1/(epsilon - 1)", adjacency=ALL, where="epsilon > 0 and n >= 2"')
    values = {LENGTH: Fraction(2)}
    assert evaluate(claim.where, {**values, EPSILON: Fraction(2)}) is True
    assert evaluate(claim.where, {**values, EPSILON: Fraction(1)}) is False


def test_claims_are_in_the_order_in_which_they_stand() -> None:
    program = read("@claim(epsilon=1, adjacency=ALL)\n@claim(epsilon=2, adjacency=ONE)\ndef f(q):\n    return q[0]\n")
    assert [one.epsilon for one in program.claims] == [integer(1), integer(2)]


@pytest.mark.parametrize(
    ("home", "prefix"),
    [
        ("import refdp.programs as p", "p."),
        ("from refdp import programs", "programs."),
        ("import refdp.programs", "refdp.programs."),
        ("from refdp.programs import claim, ALL, laplace", ""),
    ],
)
def test_names_may_be_imported_in_any_way(home: str, prefix: str) -> None:
    body = f"@{prefix}claim(epsilon=1, adjacency={prefix}ALL)\ndef f(q):\n    return q[0] + {prefix}laplace(1)\n"
    (program,) = programs_in(f"{home}\n{body}", "file.py")
    assert program.claims[0].adjacency is ALL


NEAR = """
def near(x, y):
    'Both from 0 to 5, and near.'
    if x < 0 or y < 0:
        return False
    return x <= 5 >= y and abs(x - y) <= 2
"""
ABOVE = "def near(x, y):\n    least = x - 1\n    return least < y <= x\n"


def test_a_predicate_says_which_elements_are_related() -> None:
    adjacency = claimed("epsilon=1, adjacency=near", before=NEAR).adjacency
    (relation,) = adjacency.parts
    for x, y in [(0, 2), (0, 3), (5, 6), (-1, 0), (5, 4)]:
        related = evaluate(relation.related, {OLD: Fraction(x), NEW: Fraction(y)})
        assert related is (0 <= min(x, y) and max(x, y) <= 5 and abs(x - y) <= 2)
    assert not adjacency.one_direction
    assert claimed("epsilon=1, adjacency=near", before=ABOVE).adjacency.one_direction


def test_each_keeps_within_budgets() -> None:
    adjacency = claimed('epsilon=1, adjacency=each(near, changed=2, total="3/2")', before=NEAR).adjacency
    (relation,) = adjacency.parts
    assert (relation.changed, relation.total, relation.squares) == (2, Fraction(3, 2), None)
    (relation,) = claimed("epsilon=1, adjacency=each(ALL, 1)").adjacency.parts
    assert (relation.related, relation.changed) == (ALL.parts[0].related, 1)


def test_parameters_have_the_sorts_of_their_names_or_annotations() -> None:
    heading = "def f(q, epsilon, N, T, size: int, on: bool, n, k=3, *, sigma=1):"
    program = read(f"@claim(epsilon=1, adjacency=ALL)\n{heading}\n    return q[0]\n")
    assert program.parameters == {
        "epsilon": "Real", "N": "Int", "T": "Real", "size": "Int", "on": "Bool", "k": "Int", "sigma": "Real",
    }  # fmt: skip
    assert program.length == "n"
    for name, least in (("N", 1), ("k", 1), ("epsilon", 0), ("sigma", 0)):
        goal = less(rational(least - 1 if name in "Nk" else 0), variable(name, "Int" if name in "Nk" else "Real"))
        assert valid("z3", (program.assumption,), goal, 5).verdict == "unsat"


@pytest.mark.parametrize(
    ("heading", "is_list", "sort"),
    [
        ("q: list[int]", True, "Int"),
        ("q: 'list[bool]'", True, "Bool"),
        ("q: list", True, "Real"),
        ("q: float", False, "Real"),
        ("q: int", False, "Int"),
        ("q", False, "Real"),
    ],
)
def test_data_are_what_their_annotation_or_their_use_says(heading: str, is_list: bool, sort: str) -> None:
    used = "len(q)" if is_list else "q + 0"
    program = read(f"@claim(epsilon=1, adjacency=ALL)\ndef f({heading}):\n    return {used}\n")
    assert (program.data.is_list, program.data.sort) == (is_list, sort)


def test_functions_are_worked_out_where_they_are_rational() -> None:
    assert power(integer(2), integer(10)) is integer(1024)
    assert power(rational(2), integer(-2)) is rational(Fraction(1, 4))
    assert modulo(integer(-7), integer(3)).rational == 2
    assert exponential(logarithm(EPSILON)) is EPSILON
    assert equal(power(EPSILON, integer(0)), rational(1)).value is True
    assert power(integer(2), variable("k", "Int")).operator == "**"
