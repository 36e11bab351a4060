"""The witness of a refutation in numbers that a person can check by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, cast

from refdp.commands import delta_witness, tail_witness
from refdp.commands.statement_witness import statement_sentences
from refdp.kernel.judgements import Law, Private, Refuted, Stable
from refdp.kernel.reading import relation
from refdp.kernel.theorem import Theorem
from refdp.numerics.intervals import Interval
from refdp.numerics.masses import masses
from refdp.spec import registry
from refdp.spec.bound_laws import probability_beyond
from refdp.spec.densities import StatedDensity, log_ratio
from refdp.spec.formulas import Formula
from refdp.spec.linear import LinearMap, product_of
from refdp.spec.noise import AdditiveNoise
from refdp.spec.semantics import data, has_loss, loss, value, written
from refdp.terms.reading import read
from refdp.terms.term import Term, number, substitute


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
    if step.rule in WITNESSES:
        yield from WITNESSES[step.rule](step)


def _instance(step: Theorem) -> Iterator[str]:
    """Values of the variables at which the statement is false."""
    yield f"where {_values(step)}"


def _values(step: Theorem) -> str:
    """The values of an instance."""
    return ", ".join(f"{key} = {v}" for key, v in step.data["values"].items())


def _integrals(step: Theorem) -> Iterator[str]:
    """What the weights integrate to, and what was stated."""
    values = {key: read(v) for key, v in step.data["values"].items()}
    integrals = (str(substitute(f.term, values)) for f in _normalisers(step))
    yield f"where {_values(step)}, the weights integrate to {' and not to '.join(integrals)}"


def _divergence(step: Theorem) -> Iterator[str]:
    """The exact divergence, and the bound that it exceeds."""
    yield f"but {step.premises[0].claim.term}, which is more than {relation(read(step.data['claim'])).d_out[1]}"


def _inputs(step: Theorem) -> str:
    """The two inputs, and how far they are apart at most."""
    claim, a, b = relation(read(step.data["claim"])), *_pair(step)
    return f"a = {plain(a)} and b = {plain(b)} are within {claim.metric} distance {claim.d_in}"


def _pair(step: Theorem) -> tuple[Term, Term]:
    """The two inputs as terms."""
    return read(step.data["a"]), read(step.data["b"])


def _images(step: Theorem) -> Iterator[str]:
    """Two inputs that a transformation sends too far apart."""
    yield _inputs(step)
    claim = cast(Stable, relation(read(step.data["claim"])))
    images = (plain(written(value(claim.subject, data(x)))) for x in _pair(step))
    yield f"but T sends them to {' and '.join(images)}, more than {claim.d_out[0]} apart in {claim.output_metric}"


def _densities(step: Theorem) -> Iterator[str]:
    """Two inputs, and an output near which the first is too much likelier."""
    yield _inputs(step)
    claim, output = relation(read(step.data["claim"])), read(step.data["output"])
    found = log_ratio(claim.subject, data(output), *map(data, _pair(step)))
    said = "M(b) is never near it" if found is None else f"ln(density of M(a) / density of M(b)) = {found}"
    yield f"but at {plain(output)} {said}, more than {claim.d_out[0]}"


def _event(step: Theorem) -> Iterator[str]:
    """Two inputs, and an event that is too much likelier under the first."""
    yield _inputs(step)
    claim, event = cast(Private, relation(read(step.data["claim"]))), read(step.data["event"])
    a, b = map(data, _pair(step))
    yield (_loss if has_loss(claim.subject) else _probabilities)(claim, a, b, event)


def _loss(claim: Private, a: Any, b: Any, event: Term) -> str:
    """The exact privacy loss at the event's one outcome."""
    known = loss(claim.subject, data(event)[0], a, b)
    limit = f"ln(e^({claim.d_out[0]}) + {claim.d_out[1]})" if claim.measure == "ratio" else claim.d_out[0]
    return f"but ln(P[M(a) in {plain(event)}] / P[M(b) in {plain(event)}]) = {known}, more than {limit}"


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


def _far_out(step: Theorem) -> Iterator[str]:
    """The two inputs, and how likely what is beyond two ends is under both."""
    claim = cast(Private, cast(Refuted, step.claim).claim)
    below, above = (read(step.data[key]) for key in ("below", "above"))
    p, q = (probability_beyond(claim.subject, x, (data(below), data(above))) for x in map(data, _pair(step)))
    yield _inputs(step)
    event = f"<= {plain(below)} or >= {plain(above)}"
    yield f"but P[M(a) {event}] = {p} and P[M(b) {event}] = {q}: the first exceeds {_beyond(claim)}"


def _round(step: Theorem) -> Iterator[str]:
    """Two inputs, and what is likelier to happen in some round on the first."""
    claim = cast(Private, cast(Refuted, step.claim).claim)
    subject, (a, b) = claim.term.arguments[0], (plain(read(step.data[key])) for key in ("a", "b"))
    yield f"the inputs a = {a} and b = {b}; the event that in some of {subject.arguments[1]} rounds the outcome is"
    yield f"{_event_in_words(read(step.data['event']))}, which is more likely under a than {_beyond(claim)}"


def _event_in_words(event: Term) -> str:
    """At least a number, or one of some outcomes."""
    if event.operator == "at_least":
        return f"at least {plain(event.arguments[0])}"
    return f"one of {plain(event)}"


def _squared_error(step: Theorem) -> Iterator[str]:
    """An entry of what the decoder makes that the workload has not, or what the squares of its entries add up to."""
    claim = cast(Refuted, step.claim).claim
    strategy, decoder, workload, total = cast(Law, claim).term.arguments
    c, b, w = (registry.lookup(t.operator, LinearMap).matrix(t) for t in (strategy, decoder, workload))
    made = product_of(b, c)
    if len(made) != len(w) or len(made[0]) != len(w[0]):
        yield f"the decoder makes {len(made)} answers of {len(made[0])} entries, the workload {len(w)} of {len(w[0])}"
    elif made != w:
        i, j = next((i, j) for i, row in enumerate(w) for j, entry in enumerate(row) if made[i][j] != entry)
        yield f"the decoded answer {i + 1} has entry {j + 1} of x times {made[i][j]}, and the workload times {w[i][j]}"
    else:
        squares = sum((entry**2 for row in b for entry in row), Fraction(0))
        yield f"the squares of the entries of the decoder add up to {squares}, and not to {total}"


def _estimate(step: Theorem) -> Iterator[str]:
    """For which inputs the mean of the estimate, or its variance, is not what was claimed."""
    values = ", ".join(f"{key} = {value}" for key, value in step.data["values"].items())
    yield f"at {values or 'these numbers'}, for the inputs {plain(read(step.data['inputs']))} and the value "
    yield f"{plain(read(step.data['value']))}, the mean of the estimate is another one, or its variance is"


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


WITNESSES: Mapping[str, Callable[[Theorem], Iterator[str]]] = {
    "false_instance": _instance,
    "wrong_normaliser": _integrals,
    "renyi_exceeded": _divergence,
    "false_statement": statement_sentences,
    "unstable_pair": _images,
    "denser_elsewhere": _densities,
    "likelier_far_out": _far_out,
    "likelier_in_some_round": _round,
    "unlikely_elsewhere": _event,
    "another_estimate": _estimate,
    "another_squared_error": _squared_error,
    **dict.fromkeys(delta_witness.RULES, delta_witness.delta_sentences),
    **dict.fromkeys(tail_witness.RULES, tail_witness.tail_sentences),
}
"""What tells the witness of each rule that refutes."""
