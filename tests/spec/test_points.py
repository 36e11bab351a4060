"""Every obligation holds at exact points: no solver is believed here, and none could prove what fails at one."""

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction

import pytest

import refdp.mechanisms
import refdp.transformations  # noqa: F401  (importing them registers what the obligations are about)
from refdp.provers.lemmas import oracle_for
from refdp.spec import obligations, registry
from refdp.spec.named_statements import NamedStatements
from refdp.spec.statements import Statement
from refdp.terms.evaluation import truth
from refdp.terms.reading import read

STATEMENTS = {
    f"{stem}.{key}": s
    for stem in registry.stems()
    for key, s in obligations.obligations(stem).items()
    if oracle_for(s) == "z3" and not isinstance(registry.kind_of(stem), NamedStatements)  # some of these are false
}
VALUES = sorted({Fraction(n, d) * sign for n in range(5) for d in (1, 2, 3, 4) for sign in (1, -1)})
POINTS = 5


def points(statement: Statement, most: int = 20_000) -> Iterator[Mapping[str, Fraction]]:
    """Points that satisfy the hypotheses; the same ones for the same statement."""
    chance = random.Random(str(statement))
    for _ in range(most):
        point = {v: Fraction(chance.randint(-2, 4)) if v in statement.integers else chance.choice(VALUES)
                 for v in statement.variables}  # fmt: skip
        if all(truth(g, point) for g in statement.given):
            yield point


def held(statement: Statement) -> list[bool]:
    """Whether the conclusion holds at each of the first POINTS points."""
    found = points(statement)
    return [truth(statement.conclusion, p) for p, _ in zip(found, range(POINTS), strict=False)]


@pytest.mark.parametrize("identifier", STATEMENTS)
def test_obligation_holds_at_exact_points(identifier):
    assert held(STATEMENTS[identifier]) == [True] * POINTS


def test_obligation_that_is_false_fails_at_a_point():
    assert False in held(Statement((read("0 <= x"),), read("x <= 1")))
    assert held(Statement((read("x < 0"), read("0 < x")), read("x <= 1"))) == []
