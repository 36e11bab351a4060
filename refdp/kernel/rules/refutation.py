"""Refutations: two neighbouring inputs and an event, or two tables, that break a claim; checked exactly."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from refdp.kernel.judgements import KernelError, Private, Refuted, Relation, Stable, Tail, require
from refdp.kernel.reading import claimed, relation
from refdp.kernel.rules.settle import holds, substituted, tail_at
from refdp.kernel.theorem import rule
from refdp.numerics.arithmetic import Intervals
from refdp.numerics.exact import Undecided, decide
from refdp.spec.domains import contains
from refdp.spec.evaluation import evaluate
from refdp.spec.metrics import metric
from refdp.spec.semantics import data, has_loss, law, loss, value
from refdp.spec.terms import Term, TermError, exp, ln, names, number, read

PRECISIONS = (64, 128, 256, 512)
"""Bits at which probabilities are enclosed, in turn."""
EVENTS = ("pure", "approximate", "loss_tail", "ratio")
"""The measures that an event can break."""


@rule
def unlikely_elsewhere(*, claim: str, a: str, b: str, event: str) -> Refuted:
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
    return Refuted(m)


@rule
def unstable_pair(*, claim: str, a: str, b: str) -> Refuted:
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
    return Refuted(m)


@rule
def false_instance(refuted: Refuted, *, claim: str, values: dict[str, str]) -> Refuted:
    """
      |- an instance of CLAIM, with values that its conditions allow, is false
    ----------------------------------------------------------------------------
      |- CLAIM, for all values, is false
    """
    refutable = isinstance(refuted, Refuted) and isinstance(refuted.claim, Private | Stable | Tail)
    require(refutable, "expected a refuted instance")
    general, false = claimed(read(claim)), refuted.claim
    instance = _instance(general, {key: read(v) for key, v in values.items()})
    require(set(values) <= names(general.term), f"some of {', '.join(values)} does not occur in {claim}")
    require(not names(instance.term), f"the values leave a name in {instance.term}")
    for condition in instance.given:
        require(holds(condition), f"the condition {condition} does not hold")
    require(_implies(instance, false), f"{false.term} is no instance of {claim}")
    return Refuted(general)


def _instance(general: Relation | Tail, values: dict[str, Term]) -> Relation | Tail:
    """The claim with names replaced."""
    if isinstance(general, Tail):
        return tail_at(general, values)
    return substituted(general, values)


def _implies(instance: Relation | Tail, false: Any) -> bool:
    """Whether the instance, without its conditions, is the false claim, or says more."""
    if isinstance(instance, Tail) or isinstance(false, Tail):
        return bool(replace(instance, given=()) == false)
    return isinstance(false, Private | Stable) and _at_least_as_strong(instance, false)


def _at_least_as_strong(instance: Relation, false: Relation) -> bool:
    """Whether the instance says no less than the false claim: all else equal, its d_out is no larger."""
    shapes = [_shape(instance), _shape(false)]
    return shapes[0] == shapes[1] and all(decide(x <= y) for x, y in zip(instance.d_out, false.d_out, strict=True))


def _shape(m: Relation) -> tuple[Any, ...]:
    """All of a closed claim but its d_out and its conditions; the order of a Renyi claim is no loss."""
    if isinstance(m, Stable):
        return (m.subject, m.domain, m.metric, m.d_in, m.output_domain, m.output_metric)
    order = m.d_out[:1] if m.measure == "renyi" else ()
    return (m.subject, m.domain, m.metric, m.d_in, m.measure, *order)


def closed_claim(claim: str) -> Relation:
    """The closed claim without conditions that the text writes down."""
    m = relation(read(claim))
    require(not names(m.term) and not m.given, f"a counterexample is of a closed claim, got {claim}")
    return m


def neighbours(m: Relation, a: str, b: str) -> tuple[Any, Any]:
    """The two inputs, checked to be members of the domain at most d_in apart."""
    x, y = data(read(a)), data(read(b))
    require(contains(m.domain, x) and contains(m.domain, y), f"{a} and {b} must be members of {m.domain}")
    near = metric(m.metric).within(x, y, Fraction(evaluate(m.d_in, {})))
    require(near, f"{a} and {b} are more than {m.d_in} apart under {m.metric}")
    return x, y


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
