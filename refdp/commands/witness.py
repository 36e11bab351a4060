"""The witness of a refutation in numbers that a person can check by hand."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from refdp.commands import delta_witness
from refdp.commands.statement_witness import statement_sentences
from refdp.commands.tail_witness import RULES, tail_sentences
from refdp.kernel.judgements import Private, Stable
from refdp.kernel.reading import relation
from refdp.kernel.theorem import Theorem
from refdp.numerics.intervals import Interval
from refdp.numerics.masses import masses
from refdp.spec import registry
from refdp.spec.densities import StatedDensity, log_ratio
from refdp.spec.formulas import Formula
from refdp.spec.noise import AdditiveNoise
from refdp.spec.semantics import data, has_loss, loss, value, written
from refdp.spec.terms import Term, number, read, substitute


def by_hand(theorem: Theorem) -> list[str]:
    """One sentence for each counterexample in the derivation; none for a proof."""
    return [sentence for step in steps(theorem) for sentence in _sentences(step)]


def steps(theorem: Theorem) -> Iterator[Theorem]:
    """The theorem and every theorem that it was derived from."""
    yield theorem
    for premise in theorem.premises:
        yield from steps(premise)


def _sentences(step: Theorem) -> Iterator[str]:
    """What the step's witness shows, if it has one."""
    if step.rule == "false_instance":
        yield "where " + ", ".join(f"{key} = {v}" for key, v in step.data["values"].items())
    if step.rule == "wrong_normaliser":
        at, values = ", ".join(f"{k} = {v}" for k, v in step.data["values"].items()), step.data["values"]
        integrals = (substitute(f.term, {k: read(v) for k, v in values.items()}) for f in _normalisers(step))
        yield f"where {at}, the weights integrate to {' and not to '.join(map(str, integrals))}"
    if step.rule == "renyi_exceeded":
        yield f"but {step.premises[0].claim.term}, which is more than {relation(read(step.data['claim'])).d_out[1]}"
    if step.rule == "false_statement":
        yield from statement_sentences(step)
    if step.rule in delta_witness.RULES:
        yield from delta_witness.delta_sentences(step)
    if step.rule in RULES:
        yield from tail_sentences(step)
    if step.rule not in ("unlikely_elsewhere", "unstable_pair", "denser_elsewhere"):
        return
    claim, a, b = relation(read(step.data["claim"])), step.data["a"], step.data["b"]
    yield f"a = {plain(read(a))} and b = {plain(read(b))} are within {claim.metric} distance {claim.d_in}"
    if isinstance(claim, Stable):
        images = (plain(written(value(claim.subject, data(read(x))))) for x in (a, b))
        yield f"but T sends them to {' and '.join(images)}, more than {claim.d_out[0]} apart in {claim.output_metric}"
    elif step.rule == "denser_elsewhere":
        output = read(step.data["output"])
        found = log_ratio(claim.subject, data(output), data(read(a)), data(read(b)))
        said = "M(b) is never near it" if found is None else f"ln(density of M(a) / density of M(b)) = {found}"
        yield f"but at {plain(output)} {said}, more than {claim.d_out[0]}"
    elif has_loss(claim.subject):
        event = read(step.data["event"])
        known = loss(claim.subject, data(event)[0], data(read(a)), data(read(b)))
        limit = f"ln(e^({claim.d_out[0]}) + {claim.d_out[1]})" if claim.measure == "ratio" else claim.d_out[0]
        yield f"but ln(P[M(a) in {plain(event)}] / P[M(b) in {plain(event)}]) = {known}, more than {limit}"
    else:
        yield _probabilities(claim, data(read(a)), data(read(b)), read(step.data["event"]))


def _normalisers(step: Theorem) -> list[Formula]:
    """The normaliser that is the integral of the weights, and the one that was stated."""
    noise, stated = registry.lookup(step.data["of"], AdditiveNoise), registry.lookup(step.data["stem"], StatedDensity)
    return [f for f in (noise.normaliser, stated.normaliser) if f is not None]


def _probabilities(claim: Private, a: Any, b: Any, event: Term) -> str:
    """The probability of the event under both inputs."""
    p, q = (_probability(claim.subject, x, data(event)) for x in (a, b))
    return f"but P[M(a) in {plain(event)}] {p} and P[M(b) in {plain(event)}] {q}: the first exceeds {_beyond(claim)}"


def _beyond(claim: Private) -> str:
    """What the event's first probability is more than, under the claim's measure."""
    epsilon, deltas = claim.d_out[0], claim.d_out[1:]
    if claim.measure == "ratio":
        return f"(e^({epsilon}) + {deltas[0]}) times the second"
    if claim.measure == "loss_tail":
        return f"{deltas[0]}, and each outcome in it is more than e^({epsilon}) times as likely under a as under b"
    return " plus ".join([f"e^({epsilon}) times the second", *map(str, deltas)])


def _probability(subject: Term, x: Any, event: tuple[Any, ...]) -> str:
    """`= 3/4`, or an enclosure of 9 digits where it is irrational."""
    found = masses(subject, x)
    zero = Interval(Fraction(0), Fraction(0))
    ends = [found.get(y, zero) for y in event]
    lower, upper = sum((i.lower for i in ends), Fraction(0)), sum((i.upper for i in ends), Fraction(0))
    if lower == upper:
        return f"= {lower}"
    step = Fraction(1, 10**9)
    return f"in [{_decimal(lower // step)}, {_decimal(-(-upper // step))}]"


def _decimal(billionths: int) -> str:
    """A number in [0, 10) given in billionths, as a decimal."""
    return f"{billionths // 10**9}.{billionths % 10**9:09d}"


def plain(t: Term) -> str:
    """Inputs and outcomes as people write them: tuples in brackets."""
    if t.operator == "tuple_of":
        return f"({', '.join(map(plain, t.arguments))})"
    return str(number(t.rational)) if t.operator == "number" else str(t)
