"""Two inputs and an event that is too unlikely under one of them; two inputs whose images are too far apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from refdp.commands.witness import plain
from refdp.kernel.judgements import Private, Stable
from refdp.kernel.reading import relation
from refdp.kernel.theorem import Theorem
from refdp.numerics.arithmetic import Intervals
from refdp.numerics.intervals import Interval
from refdp.numerics.masses import mass, masses
from refdp.report.decimals import BITS
from refdp.report.witnesses.tables import Row, inputs, more, table
from refdp.spec import distances
from refdp.spec.semantics import data, has_loss, loss, value, written
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, exp, ln, number


def unlikely(step: Theorem) -> Iterator[str]:
    """Two inputs and an event whose probabilities are too far apart."""
    claim, x, y, event = private_claim(step)
    yield from inputs(step, claim.metric, claim.d_in)
    outcomes = ", ".join(map(plain, read(step.data["event"]).arguments))
    yield f"- the event `E = {{{outcomes}}}`"
    yield ""
    if has_loss(claim.subject):
        yield from _by_loss(claim, x, y, event[0])
    else:
        yield from _by_probability(claim, x, y, event)


def private_claim(step: Theorem) -> tuple[Private, Any, Any, tuple[Any, ...]]:
    """The closed claim that the step refutes, both inputs and the event."""
    claim = relation(read(step.data["claim"]))
    if not isinstance(claim, Private):
        raise ValueError(f"claim must be about privacy, got {claim.term}")
    return claim, data(read(step.data["a"])), data(read(step.data["b"])), data(read(step.data["event"]))


def _by_probability(claim: Private, x: Any, y: Any, event: tuple[Any, ...]) -> Iterator[str]:
    """The probability of the event under both inputs, and what the claim allows."""
    p, q = (probability(claim.subject, z, event) for z in (x, y))
    epsilon, *rest = claim.d_out
    rows: list[Row] = [("`P[M(x) in E]`", p), ("`P[M(x') in E]`", q), ("`epsilon`", epsilon)]
    rows += [("`delta`", delta) for delta in rest]
    what, allowed = _allowed(claim, q)
    yield from table([*rows, (what, allowed)])
    yield from ("", f"The claim says that the first is at most the last; it is more: {more(p, allowed)}.", "")
    if claim.measure == "loss_tail":
        yield from ("Each outcome in E is more than e^epsilon times as likely under x as under x'.", "")


def probability(subject: Term, x: Any, event: Sequence[Any]) -> Interval:
    """P[M(x) in event] for a mechanism with finitely many outcomes."""
    found = masses(subject, x, BITS)
    inside = [found[y] for y in event if y in found]
    if all(one.lower == one.upper for one in inside):
        total = sum((one.lower for one in inside), Fraction(0))
        return Interval(total, total)
    return sum(inside[1:], inside[0])


def _allowed(claim: Private, q: Interval) -> tuple[str, Interval | Term]:
    """What the claim says that the probability is at most, in words and as a number; a term where q is exact."""
    epsilon, delta = claim.d_out[0], (*claim.d_out, number(0))[1]
    match claim.measure:
        case "loss_tail":
            return "`delta`, the most that is claimed", delta
        case "ratio":
            what, factor, beyond = "`(e^epsilon + delta) P[M(x') in E]`", exp(epsilon) + delta, number(0)
        case "approximate":
            what, factor, beyond = "`e^epsilon P[M(x') in E] + delta`", exp(epsilon), delta
        case _:
            what, factor, beyond = "`e^epsilon P[M(x') in E]`", exp(epsilon), number(0)
    if q.lower == q.upper:
        return what, factor * number(q.lower) + beyond
    arithmetic = Intervals(BITS)
    one, other = (evaluate(t, {}, arithmetic) for t in (factor, beyond))
    found: Interval = one * q + other
    return what, found


def largest_loss(claim: Private) -> Term:
    """What the claim says that the loss of an outcome is at most: epsilon, or ln(e^epsilon + delta) under ratio."""
    epsilon, *rest = claim.d_out
    return ln(exp(epsilon) + rest[0]) if claim.measure == "ratio" else epsilon


def _by_loss(claim: Private, x: Any, y: Any, output: Any) -> Iterator[str]:
    """The loss of one output of additive noise, exactly; its probabilities where they can be enclosed."""
    rows: list[Row] = []
    with suppress(TermError):
        rows = [(f"`P[M({z}) in E]`", mass(claim.subject, output, v, BITS)) for z, v in (("x", x), ("x'", y))]
    lost = loss(claim.subject, output, x, y)
    limit = largest_loss(claim)
    word = "`epsilon`" if limit == claim.d_out[0] else "`ln(e^epsilon + delta)`"
    rows += [("`ln(P[M(x) in E] / P[M(x') in E])`", lost), (word, limit)]
    yield from table(rows)
    yield from ("", f"The claim says that the first logarithm is at most {word}; it is more: {more(lost, limit)}.")
    yield from ("", "(The normaliser is the same under both inputs, so the logarithm is exact.)", "")


def unstable(step: Theorem) -> Iterator[str]:
    """Two inputs whose images are too far apart."""
    claim = relation(read(step.data["claim"]))
    if not isinstance(claim, Stable):
        raise ValueError(f"claim must be about stability, got {claim.term}")
    yield from inputs(step, claim.metric, claim.d_in)
    u, v = images = [value(claim.subject, data(read(step.data[key]))) for key in ("a", "b")]
    yield from (f"- `T({z}) = {plain(written(w))}`" for z, w in zip(("x", "x'"), images, strict=True))
    yield ""
    apart, limit = DISTANCES.get(claim.output_metric), claim.d_out[0]
    if apart is not None:
        far = apart(u, v)
        yield from table([(f"distance of `T(x)` and `T(x')` ({claim.output_metric})", far), ("claimed bound", limit)])
        yield from ("", f"The claim says that the first is at most the second; it is more: {more(far, limit)}.", "")
    else:
        yield from (f"They are more than `{limit}` apart under {claim.output_metric}.", "")


DISTANCES: Mapping[str, Callable[[Any, Any], Any]] = {
    "absolute": lambda u, v: abs(Fraction(u) - v),
    "l1": distances.l1_distance,
    "linf": distances.linf_distance,
    "symmetric": distances.symmetric_distance,
}
"""Metric -> the exact distance, where it is a rational."""
