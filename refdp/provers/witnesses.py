"""Search for witnesses against false claims: small inputs, exact laws, the worst event.  Untrusted search.

What is found is handed to a kernel rule, which checks it exactly; replay needs no search.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from refdp.kernel.judgements import KernelError, Private, Relation, Stable
from refdp.kernel.reading import relation, tail
from refdp.kernel.rules import (
    denser_elsewhere,
    false_instance,
    grid_noise_exceeds,
    instantiate,
    likelier_far_out,
    likelier_in_some_round,
    normal_noise_exceeds,
    renyi_exceeded,
    unlikely_elsewhere,
    unstable_pair,
)
from refdp.kernel.rules.settle import settled, substituted, tail_at
from refdp.kernel.theorem import Theorem
from refdp.numerics.exact import NotExact, decide, exact_number, lower_bound, upper_bound
from refdp.numerics.masses import masses
from refdp.spec.distances import metric
from refdp.spec.domains import contains
from refdp.spec.semantics import loss, value, written
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, exp, ln, names, number


class NoWitness(Exception):
    """The search found nothing; that proves nothing."""


def refuted_by_event(claim: str, values: Mapping[str, str], inputs: Iterable[Any]) -> Theorem:
    """|- the claim is false: an instance, two of the inputs, and an event too unlikely under one of them."""
    closed = instance(claim, values)
    if not isinstance(closed, Private):
        raise NoWitness(f"not a privacy claim: {claim}")
    for a, b in near_pairs(closed, inputs):
        event = worst_event(closed, a, b)
        if event:
            witness = {"a": written(a), "b": written(b), "event": apply("tuple_of", *map(written, event))}
            return _lifted(unlikely_elsewhere, closed, claim, values, witness)
    raise NoWitness(f"no event among these inputs breaks {claim}")


def refuted_by_output(claim: str, values: Mapping[str, str], inputs: Iterable[Any], outputs: Sequence[Any]) -> Theorem:
    """|- the claim about additive noise is false: two inputs and one output with too large a loss."""
    closed = instance(claim, values)
    if not isinstance(closed, Private):
        raise NoWitness(f"not a privacy claim: {claim}")
    limit = ln(exp(closed.d_out[0]) + closed.d_out[1]) if closed.measure == "ratio" else closed.d_out[0]
    for (a, b), y in product(near_pairs(closed, inputs), outputs):
        if decide(limit < number(loss(closed.subject, y, a, b))):
            witness = {"a": written(a), "b": written(b), "event": apply("tuple_of", written(y))}
            return _lifted(unlikely_elsewhere, closed, claim, values, witness)
    raise NoWitness(f"no output among these breaks {claim}")


def refuted_by_exact_delta(claim: str, values: Mapping[str, str], lemmas: Sequence[Theorem]) -> Theorem:
    """|- the claim about normal noise is false: at these values the exact delta is larger."""
    m = substituted(relation(read(claim)), {key: read(v) for key, v in values.items()})
    refuted = normal_noise_exceeds(*lemmas, claim=replace(m, given=()).term)
    return false_instance(refuted, claim=claim, values=dict(values)) if values else refuted


def refuted_by_density(claim: str, values: Mapping[str, str], a: Any, b: Any, output: Any) -> Theorem:
    """|- the claim is false: two inputs and one output, too much denser under a than under b."""
    witness = {"a": written(a), "b": written(b), "output": written(output)}
    return _lifted(denser_elsewhere, instance(claim, values), claim, values, witness)


def refuted_by_ends(claim: str, values: Mapping[str, str], a: Any, b: Any, ends: tuple[Any, Any]) -> Theorem:
    """|- the claim about noise scaled to a bound is false: two inputs, and what is beyond two ends."""
    below, above = map(written, ends)
    witness = {"a": written(a), "b": written(b), "below": below, "above": above}
    return _lifted(likelier_far_out, instance(claim, values), claim, values, witness)


def refuted_by_divergence(claim: str, values: Mapping[str, str], divergence: Theorem) -> Theorem:
    """|- the claim under Renyi DP is false: at these values the exact divergence is more, by over 10^-12."""
    general = relation(read(claim))
    closed = substituted(general, {key: read(v) for key, v in values.items()})
    bounds = [str(closed.d_out[0]), str(upper_bound(closed.d_out[1]))]
    exact = instantiate(divergence, values={k: v for k, v in values.items() if k in names(divergence.claim.term)})
    refuted = renyi_exceeded(exact, claim=settled(closed, bounds).term)
    return false_instance(refuted, claim=claim, values=dict(values))


def refuted_by_sums(claim: str, lemmas: Sequence[Theorem]) -> Theorem:
    """|- the closed claim about noise on a grid is false: the sums over the worst half line come to more than delta."""
    return grid_noise_exceeds(*lemmas, claim=claim)


def refuted_by_round(claim: str, values: Mapping[str, str], a: Any, b: Any, event: str) -> Theorem:
    """|- the claim about rounds is false: at these values, two inputs, and an event in some round."""
    witness = {"a": written(a), "b": written(b), "event": event}
    return _lifted(likelier_in_some_round, instance(claim, values), claim, values, witness)


def refuted_by_tables(claim: str, values: Mapping[str, str], rows: Sequence[Any], most_rows: int = 2) -> Theorem:
    """|- the stability claim is false: the smallest pair of tables over these rows that moves too far."""
    closed = instance(claim, values)
    if not isinstance(closed, Stable):
        raise NoWitness(f"not a stability claim: {claim}")
    tables = [t for n in range(most_rows + 1) for t in combinations_with_replacement(rows, n)]
    limit, within = Fraction(evaluate(closed.d_out[0], {})), metric(closed.output_metric).within
    for a, b in near_pairs(closed, tables):
        if not within(value(closed.subject, a), value(closed.subject, b), limit):
            return _lifted(unstable_pair, closed, claim, values, {"a": written(a), "b": written(b)})
    raise NoWitness(f"no pair of tables of at most {most_rows} rows breaks {claim}")


def refuted_by_pair(claim: str, values: Mapping[str, str], a: Any, b: Any) -> Theorem:
    """|- the stability claim is false: these two inputs; an irrational d_out is refuted with a rational upper bound."""
    m = substituted(relation(read(claim)), {key: read(v) for key, v in values.items()})
    closed = settled(m, [str(upper_bound(t)) for t in m.d_out] if "sqrt" in str(m.d_out) else None)
    return _lifted(unstable_pair, closed, claim, values, {"a": written(a), "b": written(b)})


def refuted_by_tail(claim: str, values: Mapping[str, str], rule: Any, *premises: Theorem, **witness: str) -> Theorem:
    """|- the claim about an error is false: by the kernel rule, its premises and witness, at these values."""
    general, chosen = tail(read(claim)), {key: read(v) for key, v in values.items()}
    closed = replace(tail_at(general, chosen), given=())
    refuted: Theorem = rule(*premises, claim=closed.term, **witness)
    return refuted if not values else false_instance(refuted, claim=claim, values=dict(values))


def instance(claim: str, values: Mapping[str, str]) -> Relation:
    """The closed instance of a claim at these values, its conditions decided; of an irrational number in d_out that is
    no a + ln b the instance has a rational upper bound, so that what breaks it breaks the claim."""
    m = substituted(relation(read(claim)), {key: read(v) for key, v in values.items()})
    try:
        return settled(m)
    except NotExact:
        return settled(m, [str(_exactly(t)) for t in m.d_out])


def _exactly(t: Term) -> object:
    """The closed number, or a rational upper bound of it."""
    try:
        return exact_number(t)
    except NotExact:
        return upper_bound(t)


def near_pairs(closed: Relation, inputs: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Pairs of inputs in the domain at most d_in apart.  NoWitness where no input lies in it."""
    members, distance = [x for x in inputs if contains(closed.domain, x)], Fraction(evaluate(closed.d_in, {}))
    near = metric(closed.metric).within
    if not members:
        raise NoWitness(f"no input is a member of {closed.domain}; its numbers are written Fraction(0)")
    return ((a, b) for a, b in product(members, repeat=2) if a != b and near(a, b, distance))


def worst_event(closed: Private, a: Any, b: Any) -> list[Any]:
    """The outcomes y with P[M(a) = y] > e^epsilon P[M(b) = y], if their excess is more than delta; else none.

    Under loss_tail they must have a probability of more than delta; under ratio the factor is e^epsilon + delta.
    """
    epsilon, delta = closed.d_out[0], (*closed.d_out, number(0))[1].rational
    factor = lower_bound(exp(epsilon) + delta if closed.measure == "ratio" else exp(epsilon))
    p, q = masses(closed.subject, a), masses(closed.subject, b)
    zero = Fraction(0)
    excess = {y: p[y].lower - factor * (q[y].upper if y in q else zero) for y in p}
    event = [y for y, e in excess.items() if e > Fraction(1, 10**9)]
    broken = sum((p[y].lower if closed.measure == "loss_tail" else excess[y] for y in event), zero)
    return event if broken > (zero if closed.measure == "ratio" else delta) else []


def _lifted(rule: Any, closed: Relation, claim: str, values: Mapping[str, str], witness: Mapping[str, Any]) -> Theorem:
    """The closed claim refuted by the kernel rule, then the general one by its false instance."""
    refuted: Theorem = rule(claim=closed.term, **witness)
    if str(closed.term) == str(read(claim)):
        return refuted
    return false_instance(refuted, claim=claim, values=dict(values))


__all__ = [
    "KernelError", "NoWitness", "refuted_by_density", "refuted_by_divergence", "refuted_by_ends",
    "refuted_by_event", "refuted_by_exact_delta", "refuted_by_output", "refuted_by_pair", "refuted_by_round",
    "refuted_by_sums", "refuted_by_tables", "refuted_by_tail",
]  # fmt: skip
