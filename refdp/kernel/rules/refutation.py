"""Refutations: two neighbouring inputs and an event, or two tables, that break a claim; checked exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from refdp.kernel.judgements import KernelError, Private, Refuted, Relation, Stable, require
from refdp.kernel.reading import relation
from refdp.kernel.rules.code import running
from refdp.kernel.theorem import Assuming, rule
from refdp.numerics.arithmetic import Intervals
from refdp.numerics.exact import Undecided, decide, lower_bound
from refdp.spec.distances import metric
from refdp.spec.domains import contains
from refdp.spec.semantics import data, has_loss, law, loss, value
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, exp, ln, names, number

PRECISIONS = (64, 128, 256, 512)
"""Bits at which probabilities are enclosed, in turn."""
EVENTS = ("pure", "approximate", "loss_tail", "ratio")
"""The measures that an event can break."""


@rule
def unlikely_elsewhere(*, claim: str, a: str, b: str, event: str) -> Refuted | Assuming:
    """
      distance(a, b) <= d_in     P[M(a) in E] > e^epsilon P[M(b) in E] + delta
    ----------------------------------------------------------------------------
      |- M : d_in |-> (epsilon, delta) is false

    Under ratio: P[M(a) in E] > (e^epsilon + delta) P[M(b) in E].
    Under loss_tail: P[M(a) in E] > delta, and P[M(a) = y] > e^epsilon P[M(b) = y] for every y in E.
    """
    m = closed_claim(claim)
    if not isinstance(m, Private) or m.measure not in EVENTS:
        raise KernelError(f"expected a claim under {', '.join(EVENTS)}, got {claim}")
    x, y = neighbours(m, a, b)
    outcomes = data(read(event))
    distinct = isinstance(outcomes, tuple) and 0 < len(set(outcomes)) == len(outcomes)
    require(distinct, f"an event must be tuple_of(different outcomes), got {event}")
    broken = _breaks_in_logarithms(m, x, y, outcomes) if has_loss(m.subject) else _breaks(m, x, y, outcomes)
    require(broken, f"the event {event} does not break {claim}")
    return running(Refuted(m), m.subject)


@rule
def unstable_pair(*, claim: str, a: str, b: str) -> Refuted | Assuming:
    """
      distance(a, b) <= d_in     distance(T(a), T(b)) > d_out
    -----------------------------------------------------------
      |- T : d_in |-> d_out is false
    """
    m = closed_claim(claim)
    if not isinstance(m, Stable):
        raise KernelError(f"expected a stable claim, got {claim}")
    x, y = neighbours(m, a, b)
    images, limit = (value(m.subject, x), value(m.subject, y)), Fraction(evaluate(m.d_out[0], {}))
    require(not metric(m.output_metric).within(*images, limit), f"the images are within {limit} of each other")
    return running(Refuted(m), m.subject)


def closed_claim(claim: str) -> Relation:
    """The closed claim without conditions that the text writes down."""
    m = relation(read(claim))
    require(not names(m.term) and not m.given, f"a counterexample is of a closed claim, got {claim}")
    return m


def neighbours(m: Relation, a: str, b: str) -> tuple[Any, Any]:
    """The two inputs, checked to be members of the domain at most d_in apart."""
    x, y = data(read(a)), data(read(b))
    require(contains(m.domain, x) and contains(m.domain, y), f"{a} and {b} must be members of {m.domain}")
    near = metric(m.metric).within(x, y, _rational(m.d_in))
    require(near, f"{a} and {b} are more than {m.d_in} apart under {m.metric}")
    return x, y


def _rational(d_in: Term) -> Fraction:
    """The closed distance, or a rational number below it: who is that near is near enough."""
    try:
        return Fraction(evaluate(d_in, {}))
    except TermError:
        return lower_bound(d_in)


def _limits(m: Private) -> tuple[Term, Term]:
    """epsilon and delta of a claim that an event can break."""
    return m.d_out[0], (*m.d_out, number(0))[1]


def _breaks_in_logarithms(m: Private, x: Any, y: Any, outcomes: tuple[Any, ...]) -> bool:
    """Additive noise, one outcome, delta = 0 except under ratio: the exact log ratio is more than epsilon."""
    epsilon, delta = _limits(m)
    if m.measure == "ratio":
        epsilon, delta = ln(exp(epsilon) + delta), number(0)
    require(len(outcomes) == 1 and delta == number(0), "additive noise is refuted by one outcome and with delta = 0")
    return decide(epsilon < number(loss(m.subject, outcomes[0], x, y)))


def _breaks(m: Private, x: Any, y: Any, outcomes: tuple[Any, ...]) -> bool:
    """The event breaks the claim, in rationals or by enclosures."""
    epsilon, delta = _limits(m)
    try:
        laws = [law(m.subject, z) for z in (x, y)]
        require(all(sum(one.values()) == 1 and min(one.values()) >= 0 for one in laws), f"{m.subject} has no law there")
        masses = [[number(one.get(o, Fraction(0))) for o in outcomes] for one in laws]
        return all(decide(a < b) for a, b in _excesses(m.measure, exp(epsilon), delta, *masses))
    except TermError:
        for bits in PRECISIONS:
            try:
                return _breaks_enclosed(m, x, y, outcomes, Intervals(bits))
            except Undecided:
                continue
    raise KernelError("the probabilities could not be told apart")


def _breaks_enclosed(m: Private, x: Any, y: Any, outcomes: tuple[Any, ...], arithmetic: Intervals) -> bool:
    """The same, decided on interval enclosures; Undecided where they overlap."""
    zero = arithmetic.number(Fraction(0))
    laws = [law(m.subject, z, arithmetic) for z in (x, y)]
    require(all(1 in sum(one.values(), zero) for one in laws), f"{m.subject} has no law there")
    masses = [[one.get(o, zero) for o in outcomes] for one in laws]
    epsilon, delta = (evaluate(t, {}, arithmetic) for t in _limits(m))
    pairs = _excesses(m.measure, arithmetic.function("exp", epsilon), delta, *masses)
    return all(arithmetic.holds("<", a, b) for a, b in pairs)


def _excesses(measure: str, factor: Any, delta: Any, p: list[Any], q: list[Any]) -> list[tuple[Any, Any]]:
    """Pairs (smaller, larger), all of which must be so ordered for an event with these masses to break the claim."""
    here, there = sum(p[1:], p[0]), sum(q[1:], q[0])
    match measure:
        case "loss_tail":
            return [(delta, here), *((factor * b, a) for a, b in zip(p, q, strict=True))]
        case "ratio":
            return [((factor + delta) * there, here)]
    return [(factor * there + delta, here)]
