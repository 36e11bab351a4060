"""Finite laws: mechanisms on {0, ..., size - 1} given by their mass function, and what it must meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.domains import domain, members
from refdp.spec.formulas import Formula, require_whole
from refdp.spec.statements import Statement, equal
from refdp.spec.tails import Estimator
from refdp.terms.evaluation import Arithmetic, evaluate
from refdp.terms.term import Term, both, ln, name, substitute


@dataclass(frozen=True, slots=True)
class FiniteLaw:
    """P[M(input) = output] = pmf(output, input) for inputs and outputs in {0, ..., size - 1}.

    cumulative(output, input) is P[M(input) <= output]; ratio_bound >= 1 bounds pmf(y, a) / pmf(y, b): the map is
    epsilon = ln(ratio_bound) between any two inputs.  hit and miss: the mass of the output that is the input, and of
    each other one, where the masses are of that form.  estimator: of the mean of the inputs, where one is claimed.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    size: Formula
    pmf: Formula
    cumulative: Formula
    ratio_bound: Formula
    hit: Formula | None = None
    miss: Formula | None = None
    estimator: Estimator | None = None
    reserved: ClassVar[str] = "output input a b order delta alpha beta mean n"

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        here = "output input"
        own = (self.size, ""), (self.pmf, here), (self.cumulative, here), (self.ratio_bound, "")
        more = ((f, "") for f in (self.hit, self.miss) if f is not None)
        return *own, *more, *(() if self.estimator is None else self.estimator.readings)

    @property
    def domain(self) -> Term:
        """The set that inputs and outputs range over."""
        return domain("finite", self.size.at())

    @property
    def epsilon(self) -> Term:
        """The privacy loss between any two inputs."""
        return ln(self.ratio_bound.at())

    def law(self, subject: Term, x: Fraction, arithmetic: Arithmetic) -> dict[Any, Any]:
        """Outcome -> probability of M(x)."""
        given = {key: arithmetic.number(value) for key, value in registry.values(self, subject).items()}
        ys = members(substitute(self.domain, registry.bound(self, subject)))
        point = {"input": arithmetic.number(x)}
        return {y: evaluate(self.pmf.term, given | point | {"output": arithmetic.number(y)}, arithmetic) for y in ys}


@dataclass(frozen=True, slots=True)
class FiniteWeights:
    """P[M(input) = output] proportional to exp(log_weight(output, input)) on {0, ..., size - 1}: no claim is made."""

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    size: Formula
    log_weight: Formula
    reserved: ClassVar[str] = "output input"

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        return (self.size, ""), (self.log_weight, "output input")

    @property
    def domain(self) -> Term:
        """The set that inputs and outputs range over."""
        return domain("finite", self.size.at())

    def law(self, subject: Term, x: Fraction, arithmetic: Arithmetic) -> dict[Any, Any]:
        """Outcome -> probability of M(x)."""
        given = registry.values(self, subject)
        ys = list(members(substitute(self.domain, registry.bound(self, subject))))
        exponents = (evaluate(self.log_weight.term, given | {"input": x, "output": y}) for y in ys)
        weights = [arithmetic.function("exp", arithmetic.number(e)) for e in exponents]
        total = sum(weights[1:], weights[0])
        return {y: w / total for y, w in zip(ys, weights, strict=True)}


def whole_parameters(m: FiniteLaw) -> tuple[str, ...]:
    """The parameters that its conditions make integers."""
    return tuple(p for p in m.parameters if registry.is_integer_parameter(m, p))


def law_obligations(m: FiniteLaw) -> dict[str, Statement]:
    """The masses are >= 0 and sum to 1, for every size: the cumulative mass starts at 0, grows by pmf, ends at 1."""
    require_whole(m.size, whole_parameters(m))
    y, x, size = name("output"), name("input"), m.size.at()
    integers = frozenset({"output", "input", *whole_parameters(m)})
    inside = (0 <= x, x <= size - 1)
    here = (*registry.hypotheses(m), *inside, 0 <= y, y <= size - 1)
    before, last = m.cumulative.at(output=-1), m.cumulative.at(output=size - 1)
    step = m.cumulative.at() - m.cumulative.at(output=y - 1)
    return {
        "masses_are_not_negative": Statement(here, 0 <= m.pmf.at(), integers),
        "cumulative_grows_by_the_mass": Statement(here, equal(step, m.pmf.at()), integers),
        "cumulative_runs_from_0_to_1": Statement(
            (*registry.hypotheses(m), *inside), both(equal(before, 0), equal(last, 1)), integers
        ),
    }


def privacy_obligations(m: FiniteLaw) -> dict[str, Statement]:
    """The law obligations, and: no output is more than ratio_bound times likelier under one input than another."""
    y, a, b, size = name("output"), name("a"), name("b"), m.size.at()
    integers = frozenset({"output", "a", "b", *whole_parameters(m)})
    inside = tuple(c for v in (y, a, b) for c in (0 <= v, v <= size - 1))
    show = m.pmf.at(input=a) <= m.ratio_bound.at() * m.pmf.at(input=b)
    bounded = Statement((*registry.hypotheses(m), *inside), both(show, 1 <= m.ratio_bound.at()), integers)
    return law_obligations(m) | {"ratio_is_bounded": bounded}
