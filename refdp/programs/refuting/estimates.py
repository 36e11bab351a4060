"""Estimates of probabilities as functions of data and cut-offs: compiled once, in floats, to rank candidates.

Most events are stars: one draw in the middle, and others that are bounded by it alone.  The middle is summed on a grid
and what the others contribute at its nodes is kept.  Other events are left to refdp.programs.probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from refdp.numerics.floats import added
from refdp.programs import probabilities
from refdp.programs.execution import Drawn, Path
from refdp.programs.probabilities import approximately
from refdp.programs.probabilities.cases import Case, Cases
from refdp.programs.probabilities.evaluation import Evaluation
from refdp.programs.probabilities.linear import Inequality
from refdp.programs.probabilities.numbers import UNIT
from refdp.programs.refuting import laws
from refdp.programs.refuting.laws import ApproximateLaw
from refdp.programs.refuting.stars import Bound, Leaf, Star
from refdp.terms.term import Term
from refdp.work import step


class NotEstimated(ValueError):
    """Draws do not hang together as stars, or are of no family that has a law here."""


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
    """One case: its weight where the checks hold, times the probability of each star."""

    weight: float
    checks: tuple[Check, ...]
    flags: tuple[tuple[int, bool], ...]
    stars: tuple[Star, ...]

    def value(self, values: Sequence[float]) -> float:
        """The probability at these inputs."""
        if any((values[place] != 0) != wanted for place, wanted in self.flags):
            return 0.0
        if not all(check.holds(values) for check in self.checks):
            return 0.0
        found = self.weight
        for star in self.stars:
            found *= star.value(values)
            if found == 0:
                break
        return found


Function = Callable[[Sequence[float]], float]
STEPS_OF_FACTORS = 80
"""What taking a case apart counts as, by the time that it takes."""


@dataclass(slots=True)
class Estimate:
    """The probability of an event as a function of the inputs; what was worked out is kept."""

    summands: tuple[Function, ...]
    known: dict[tuple[float, ...], float] = field(default_factory=dict)

    def __call__(self, values: tuple[float, ...]) -> float:
        if values not in self.known:
            step(2 * len(self.summands))  # as long as it takes
            self.known[values] = added(one(values) for one in self.summands)
        return self.known[values]


def estimate(paths: Sequence[Path], conditions: Sequence[tuple[Term, ...]], inputs: Sequence[Term]) -> Estimate:
    """The probability that one of the paths is taken, each with its own conditions."""
    places = {one: place for place, one in enumerate(inputs)}
    found: list[Function] = []
    for path, given in zip(paths, conditions, strict=True):
        try:
            found += [factors(case, path.drawn, places).value for case in Cases(path.drawn).of(given, Case({}, UNIT))]
        except NotEstimated:
            if any(one.sort == "Bool" for one in inputs):
                raise
            found.append(otherwise(given, path.drawn, inputs))
    return Estimate(tuple(found))


def otherwise(conditions: tuple[Term, ...], drawn: tuple[Drawn, ...], inputs: Sequence[Term]) -> Function:
    """The estimate of any event."""
    found = probabilities.estimate(conditions, drawn)
    return lambda values: found.at(dict(zip(inputs, values, strict=True)))


def factors(case: Case, drawn: tuple[Drawn, ...], places: Mapping[Term, int]) -> Factors:
    """A case as a product.  NotEstimated where draws hang together otherwise than as stars."""
    step(STEPS_OF_FACTORS)
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
    return Factors(approximately(case.weight), tuple(checks), flags, tuple(stars(of, own, edges, places)))


def stars(
    of: Mapping[Term, ApproximateLaw],
    own: Mapping[Term, list[Inequality]],
    edges: Mapping[frozenset[Term], list[Inequality]],
    places: Mapping[Term, int],
) -> Iterator[Star]:
    """The stars of the draws that are bounded.  NotEstimated where draws hang together otherwise."""
    beside: dict[Term, set[Term]] = {v: set() for v in of}
    for first, second in edges:
        beside[first].add(second)
        beside[second].add(first)
    done: set[Term] = set()
    for middle in sorted(of, key=lambda v: (-len(beside[v]), not of[v].has_grid)):
        if middle in done or not beside[middle] and middle not in own:
            continue
        done |= {middle, *beside[middle]}
        if any(beside[v] != {middle} for v in beside[middle]):
            raise NotEstimated("draws do not hang together as stars")
        if beside[middle] and not of[middle].has_grid:
            raise NotEstimated("a scale is too far from 1 to sum over its draws")
        leaves = []
        for v in beside[middle]:
            bounds = [bound(one, v, None, places) for one in own.get(v, ())]
            bounds += [bound(one, v, middle, places) for one in edges[frozenset((v, middle))]]
            leaves.append(Leaf(of[v], tuple(bounds)))
        yield Star(of[middle], tuple(bound(one, middle, None, places) for one in own.get(middle, ())), tuple(leaves))


def bound(one: Inequality, v: Term | None, above: Term | None, places: Mapping[Term, int]) -> Bound:
    """The inequality as a limit of v; of none, as the left side."""
    own = float(one.form.coefficients[v]) if v is not None else -1.0
    slope = -float(one.form.coefficients[above]) / own if above is not None else 0.0
    inputs = tuple((places[x], -float(c) / own) for x, c in one.form.coefficients.items() if x not in (v, above))
    return Bound(own > 0, one.strict, slope, -float(one.form.constant) / own, inputs)


def law_of(one: Drawn) -> ApproximateLaw:
    """The law of a draw whose parameters are constant."""
    numbers = [approximately(Evaluation({}, frozenset()).number(p)) for p in one.parameters]
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
