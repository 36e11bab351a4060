"""What oracles prove holds: every obligation at random points, by exact evaluation and by Python's own."""

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction as F
from random import Random
from typing import Any

import pytest

import refdp.derivations  # noqa: F401  (it registers what the obligations are about)
from refdp.claims import ledger
from refdp.provers.lemmas import lemma, oracle_for
from refdp.spec import registry
from refdp.spec.obligations import obligations
from refdp.spec.statements import Statement
from refdp.terms.evaluation import truth
from refdp.terms.term import Term, equal, names
from tests.exactness.enumeration import quotient, source

POINTS = 1000
NUMBERS = sorted({F(n, d) for n in range(-6, 7) for d in (1, 2, 3)})
UNIT = sorted({F(n, d) for d in range(1, 8) for n in range(d + 1)})


def by_kind():
    """Kind -> the obligations of its stems that are rational arithmetic and not refuted, by identifier."""
    found, false = defaultdict(dict), {claim.formal for claim in ledger() if claim.expected == "REFUTED"}
    for stem in registry.stems():
        for key, statement in obligations(stem).items():
            if oracle_for(statement) == "z3" and str(statement) not in false:
                found[type(registry.kind_of(stem)).__name__][f"{stem}.{key}"] = statement
    return dict(found)


OBLIGATIONS = by_kind()


def independent_bits(chance: Random) -> dict[str, F]:
    """Two bits that are independent a priori, and an answer that is within a factor under neighbours."""
    first, second = chance.choice(UNIT), chance.choice(UNIT)
    point = {f"p_{i}{j}": chance.choice(UNIT[1:]) for i in (0, 1) for j in (0, 1)}
    ratios = [point[f"p_{a}"] / point[f"p_{b}"] for a, b in (("00", "01"), ("00", "10"), ("11", "01"), ("11", "10"))]
    point["t"] = max(max(r, 1 / r) for r in ratios)
    weights = ((1 - first, first), (1 - second, second))
    return point | {f"w_{i}{j}": weights[0][i] * weights[1][j] for i in (0, 1) for j in (0, 1)}


MADE = {"posterior.odds_where_others_are_independent": independent_bits}
"""How points are made whose hypotheses no random numbers fulfil."""


class Points:
    """Random points at which the hypotheses of a statement hold, all of its names being numbers."""

    def __init__(self, identifier: str, statement: Statement) -> None:
        self.statement, self.chance, self.variables = statement, Random(identifier), statement.variables
        self.made = MADE.get(identifier)
        self.known: dict[str, object] = {"quotient": quotient}
        self.allowed = self._compiled(" and ".join(source(g, self.known) for g in statement.given) or "True")
        self.holds = self._compiled(source(statement.conclusion, self.known))
        equations = [g for g in statement.given if g.operator == "=="]
        self.axes = [(self._excess(g), sorted(names(g) - statement.integers)) for g in equations]

    def _compiled(self, text: str) -> Callable[..., Any]:
        """The Python expression as a function of the names of the statement, in order."""
        return eval(f"lambda {', '.join(f'v_{v}' for v in self.variables)}: {text}", self.known)

    def _excess(self, equation: Term) -> Callable[..., F]:
        """The left side without the right one."""
        return self._compiled(source(equation.arguments[0] - equation.arguments[1], self.known))

    def some(self, count: int) -> list[dict[str, F]]:
        """So many points, or as many as are found."""
        found = []
        for _ in range(400 * count):
            point = self._point()
            if self.allowed(*point.values()):
                found.append(point)
                if len(found) == count:
                    break
        return found

    def _point(self) -> dict[str, F]:
        """A number for each name, at which the hypotheses may hold."""
        if self.made is None:
            return self._solved({v: self._number(v) for v in self.variables})
        made = self.made(self.chance)
        return {v: made[v] for v in self.variables}

    def _solved(self, point: dict[str, F]) -> dict[str, F]:
        """The point, moved along one axis to where an equation among the hypotheses holds, if that axis leads there."""
        for excess, axes in self.axes:
            for v in axes:
                at = [excess(*(point | {v: F(k)}).values()) for k in (0, 1, 2)]
                if at[0] != at[1] and at[2] - at[1] == at[1] - at[0]:
                    point = point | {v: F(at[0]) / (at[0] - at[1])}
                    break
        return point

    def _number(self, name: str) -> F:
        """A number for the name; half of them in [0, 1], or whole from 0 to 2, where much is decided."""
        few = self.chance.random() < 0.5
        if name in self.statement.integers:
            return F(self.chance.randint(0, 2) if few else self.chance.randint(-2, 5))
        return self.chance.choice(UNIT if few else NUMBERS)


def test_obligations_are_of_every_kind():
    assert set(OBLIGATIONS) == {
        "AdditiveNoise", "FiniteLaw", "ClampedGeometric", "WeightedSelection", "FlipSelection", "RowSum", "RowFunction",
        "RescaledSum", "CellSum", "NamedStatements", "LevelNoise", "NoisyMax", "Primitive", "BitwiseLaw",
        "SupportedLaw", "BitOfRate", "AboveThreshold", "ThresholdedCounts", "BoundNoise", "Minimiser",
        "PerturbedObjective",
    }  # fmt: skip
    assert sum(map(len, OBLIGATIONS.values())) > 80


@pytest.mark.parametrize("kind", OBLIGATIONS)
def test_what_is_proved_of_a_kind_holds_at_random_points(kind):
    """At least 1,000 points a kind, at least 30 an obligation, by `spec.evaluation` on some and by Python on all."""
    tried, each = 0, -(-POINTS // len(OBLIGATIONS[kind]))
    for identifier, statement in OBLIGATIONS[kind].items():
        assert lemma(identifier).claim.digest == statement.digest
        points = Points(identifier, statement)
        found = points.some(each + 30)
        assert len(found) >= 30 or not statement.variables, identifier
        assert all(points.holds(*p.values()) for p in found), identifier
        assert all(truth(g, p) for p in found[:5] for g in statement.given)
        assert all(truth(statement.conclusion, p) for p in found)
        tried += len(found)
    assert tried >= POINTS


def test_random_points_find_what_is_false_by_a_thousandth():
    """Each equation, 1/1000 added on one side, fails at some of the points: they are no formality."""
    found = Counter()
    for kind, statements in OBLIGATIONS.items():
        for identifier, statement in statements.items():
            if statement.show.operator != "==" or not names(statement.show):
                continue
            left, right = statement.show.arguments
            wrong = equal(left + F(1, 1000), right)
            points = Points(identifier, Statement(statement.given, wrong, statement.integers))
            found[kind, all(points.holds(*p.values()) for p in points.some(20))] += 1
    assert {failed for _, failed in found} == {False}
    assert sum(found.values()) >= 10
