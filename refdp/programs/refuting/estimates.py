"""Estimates of probabilities as functions of data and cut-offs: compiled once, in floats, to rank candidates.

A case is a product over connected components of draws; a component is a tree whose edges are inequalities of two
draws.  Leaves are closed forms, other draws are summed on a grid, from the leaves to the root.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from refdp.logic.terms import Term
from refdp.programs.execution import Drawn, Path
from refdp.programs.probabilities.cases import Case, Cases
from refdp.programs.probabilities.evaluation import Evaluation
from refdp.programs.probabilities.linear import Inequality
from refdp.programs.probabilities.numbers import Number
from refdp.programs.probabilities.signs import enclosure
from refdp.programs.refuting import laws
from refdp.programs.refuting.laws import Law

MOST_TABLES = 20_000
"""Messages that are kept."""


class NotEstimated(ValueError):
    """The inequalities are not a forest, or draws are of no known family."""


@dataclass(frozen=True, slots=True)
class Bound:
    """slope * other + offset(inputs) as an upper (or a lower) limit of a draw."""

    upper: bool
    strict: bool
    slope: float
    constant: float
    inputs: tuple[tuple[int, float], ...]

    def offset(self, values: Sequence[float]) -> float:
        """The offset at these inputs."""
        found = self.constant
        for place, factor in self.inputs:
            found += factor * values[place]
        return found


Found = tuple[bool, bool, float, float]
"""A bound at given inputs: upper, strict, slope, offset."""
TABLES: dict[tuple[object, ...], list[float]] = {}
"""Messages of leaves, by law, bounds and the law of whom they are for."""


@dataclass(frozen=True, slots=True)
class Node:
    """A draw of a tree, with what bounds it alone, and what bounds it and the one above it."""

    law: Law
    own: tuple[Bound, ...]
    edge: tuple[Bound, ...]
    children: tuple[Node, ...]

    def table(self, values: Sequence[float]) -> list[float]:
        """The weight of each node of the grid times what the children say there."""
        nodes = self.law.grid.nodes
        found = list(self.law.grid.weights)
        for child in self.children:
            found = [a * b for a, b in zip(found, child.message(values, self.law), strict=True)]
        low, high = limits(self.law, at(self.own, values), 0.0)
        if low > -inf or high < inf:
            return [a if low <= x <= high else 0.0 for a, x in zip(found, nodes, strict=True)]
        return found

    def message(self, values: Sequence[float], above: Law) -> list[float]:
        """The probability of this subtree at each node of the grid of the draw above."""
        bounds = (*at(self.own, values), *at(self.edge, values))
        nodes = above.grid.nodes
        if self.children:
            upto = above_all = self.law.grid.accumulated(self.table(values))
            edge = at(self.edge, values)
            gap = 1.0 if self.law.lattice else 0.0
            found = []
            for x in nodes:
                low, high = limits(self.law, edge, x)
                found.append(max(upto(high) - above_all(low - gap), 0.0))
            return found
        key = (self.law, bounds, above)
        if key not in TABLES:
            if len(TABLES) > MOST_TABLES:
                TABLES.clear()
            TABLES[key] = [self.law.between(*limits(self.law, bounds, x)) for x in nodes]
        return TABLES[key]

    def total(self, values: Sequence[float]) -> float:
        """The probability of the tree."""
        if not self.children:
            return self.law.between(*limits(self.law, at(self.own, values), 0.0))
        return sum(self.table(values))


def at(bounds: tuple[Bound, ...], values: Sequence[float]) -> tuple[Found, ...]:
    """The bounds at given inputs."""
    return tuple([(b.upper, b.strict, b.slope, b.offset(values)) for b in bounds])


def limits(law: Law, bounds: tuple[Found, ...], x: float) -> tuple[float, float]:
    """The limits where the draw above is x."""
    low, high, strict_low, strict_high = -inf, inf, False, False
    for upper, strict, slope, offset in bounds:
        t = slope * x + offset
        if upper and t <= high:
            high, strict_high = t, strict or (strict_high and t == high)
        elif not upper and t >= low:
            low, strict_low = t, strict or (strict_low and t == low)
    return law.limits(low, strict_low, high, strict_high)


@dataclass(frozen=True, slots=True)
class Check:
    """An inequality of inputs alone."""

    bound: Bound

    def holds(self, values: Sequence[float]) -> bool:
        """Whether it holds: the offset is <= 0, or < 0."""
        offset = self.bound.offset(values)
        return offset < -laws.ROUNDING if self.bound.strict else offset <= laws.ROUNDING


@dataclass(frozen=True, slots=True)
class Factors:
    """One case: its weight where the checks hold, times the probability of each tree."""

    weight: float
    checks: tuple[Check, ...]
    flags: tuple[tuple[int, bool], ...]
    trees: tuple[Node, ...]

    def value(self, values: Sequence[float]) -> float:
        """The probability at these inputs."""
        if any((values[place] != 0) != wanted for place, wanted in self.flags):
            return 0.0
        if not all(check.holds(values) for check in self.checks):
            return 0.0
        found = self.weight
        for tree in self.trees:
            found *= tree.total(values)
            if found == 0:
                break
        return found


@dataclass(slots=True)
class Estimate:
    """The probability of an event as a function of the inputs; what was worked out is kept."""

    cases: tuple[Factors, ...]
    known: dict[tuple[float, ...], float] = field(default_factory=dict)

    def __call__(self, values: tuple[float, ...]) -> float:
        if values not in self.known:
            self.known[values] = sum(case.value(values) for case in self.cases)
        return self.known[values]


def estimate(paths: Sequence[Path], conditions: Sequence[tuple[Term, ...]], inputs: Sequence[Term]) -> Estimate:
    """The probability that one of the paths is taken, each with its own conditions."""
    places = {one: place for place, one in enumerate(inputs)}
    found = []
    for path, given in zip(paths, conditions, strict=True):
        for case in Cases(path.drawn).of(given):
            found.append(factors(case, path.drawn, places))
    return Estimate(tuple(found))


def factors(case: Case, drawn: tuple[Drawn, ...], places: Mapping[Term, int]) -> Factors:
    """A case as a product.  NotEstimated where a component is no tree."""
    of = {one.variable: law_of(one) for one in drawn if one.variable not in case.known}
    checks: list[Check] = []
    own: dict[Term, list[Inequality]] = {}
    edges: dict[frozenset[Term], list[Inequality]] = {}
    for one in case.inequalities:
        draws = frozenset(v for v in one.form.coefficients if v in of)
        if not draws:
            checks.append(Check(bound(one, None, None, places)))
        elif len(draws) == 1:
            own.setdefault(next(iter(draws)), []).append(one)
        elif len(draws) == 2:
            edges.setdefault(draws, []).append(one)
        else:
            raise NotEstimated("an inequality of more than two draws")
    flags = tuple((places[v], bool(known)) for v, known in case.known.items() if v in places)
    return Factors(approximate(case.weight), tuple(checks), flags, tuple(trees(of, own, edges, places)))


def trees(
    of: Mapping[Term, Law],
    own: Mapping[Term, list[Inequality]],
    edges: Mapping[frozenset[Term], list[Inequality]],
    places: Mapping[Term, int],
) -> list[Node]:
    """The trees of the draws that are bounded, the draw of most inequalities at the root."""
    beside: dict[Term, set[Term]] = {v: set() for v in of}
    for pair in edges:
        first, second = pair
        beside[first].add(second)
        beside[second].add(first)
    done: set[Term] = set()

    def node(v: Term, above: Term | None) -> Node:
        if v in done:
            raise NotEstimated("the inequalities of draws form a circle")
        done.add(v)
        below = tuple(node(other, v) for other in sorted(beside[v], key=str) if other is not above)
        alone = tuple(bound(one, v, None, places) for one in own.get(v, ()))
        both = tuple(bound(one, v, above, places) for one in edges[frozenset((v, above))]) if above is not None else ()
        return Node(of[v], alone, both, below)

    ordered = sorted(of, key=lambda v: -len(beside[v]))
    return [node(v, None) for v in ordered if v not in done and (beside[v] or v in own)]


def bound(one: Inequality, v: Term | None, above: Term | None, places: Mapping[Term, int]) -> Bound:
    """The inequality as a limit of v; of none, as the left side."""
    own = float(one.form.coefficients[v]) if v is not None else -1.0
    slope = -float(one.form.coefficients[above]) / own if above is not None else 0.0
    inputs = tuple((places[x], -float(c) / own) for x, c in one.form.coefficients.items() if x not in (v, above))
    return Bound(own > 0, one.strict, slope, -float(one.form.constant) / own, inputs)


def law_of(one: Drawn) -> Law:
    """The law of a draw whose parameters are constant."""
    numbers = [approximate(Evaluation({}, frozenset()).number(p)) for p in one.parameters]
    match one.family, numbers:
        case "laplace", [b]:
            return laws.laplace(b)
        case "exponential", [b]:
            return laws.exponential(b)
        case "gaussian", [sigma]:
            return laws.gaussian(sigma)
        case "discrete_laplace", [b]:
            return laws.discrete_laplace(b)
        case "uniform", [low, high]:
            return laws.uniform(low, high)
    raise NotEstimated(f"{one.family} is not estimated")


def approximate(value: Number) -> float:
    """The number as a float."""
    if value.rational is not None:
        return float(value.rational)
    found = enclosure(value, 12)
    return float((found.lower + found.upper) / 2)
