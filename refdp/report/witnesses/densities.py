"""One output that is too much denser under one input; a divergence, or an integral, that is not what is claimed."""

from __future__ import annotations

from collections.abc import Iterator

from refdp.commands.witness import plain
from refdp.kernel.judgements import Private
from refdp.kernel.reading import relation
from refdp.kernel.theorem import Theorem
from refdp.report.witnesses.tables import chosen, inputs, more, table
from refdp.spec import registry
from refdp.spec.bound_laws import probability_beyond
from refdp.spec.densities import StatedDensity, log_ratio
from refdp.spec.noise import AdditiveNoise
from refdp.spec.semantics import data
from refdp.terms.reading import read
from refdp.terms.term import exp, number, substitute, term


def denser(step: Theorem) -> Iterator[str]:
    """An output at which the density under one input is too many times that under the other."""
    claim, output = relation(read(step.data["claim"])), read(step.data["output"])
    yield from inputs(step, claim.metric, claim.d_in)
    yield from (f"- the output `y = {plain(output)}`", "")
    found = log_ratio(claim.subject, data(output), *(data(read(step.data[key])) for key in ("a", "b")))
    if found is None:
        yield from ("`M(x')` is never near `y`, and `M(x)` is: no epsilon would do.", "")
        return
    limit = claim.d_out[0]
    yield from table([("`ln(density of M(x) at y / density of M(x') at y)`", term(found)), ("`epsilon`", limit)])
    yield from ("", f"The claim says that the logarithm is at most epsilon; it is more: {more(term(found), limit)}.")
    yield from ("", "(Both densities are continuous there, so small events around `y` have that ratio too.)", "")


def likelier(step: Theorem) -> Iterator[str]:
    """Two ends beyond which the outcome is too much likelier under one input."""
    claim, (below, above) = relation(read(step.data["claim"])), (read(step.data[key]) for key in ("below", "above"))
    yield from inputs(step, claim.metric, claim.d_in)
    yield from (f"- the event E that the outcome is at most {plain(below)} or at least {plain(above)}", "")
    ends = data(below), data(above)
    p, q = (probability_beyond(claim.subject, data(read(step.data[key])), ends) for key in ("a", "b"))
    epsilon, delta = (*claim.d_out, number(0))[:2]
    limit = exp(epsilon) * q + delta
    yield from table([("`P[M(x) in E]`", p), ("`P[M(x') in E]`", q), ("`e^epsilon P[M(x') in E] + delta`", limit)])
    yield from ("", f"The claim says that the first is at most the last; it is more: {more(p, limit)}.", "")


def divergent(step: Theorem) -> Iterator[str]:
    """The exact Renyi divergence, and the smaller number that is claimed."""
    claim, exact = relation(read(step.data["claim"])), step.premises[0].claim.term
    if not isinstance(claim, Private):
        raise ValueError(f"claim must be about privacy, got {claim.term}")
    yield from (f"The derivation proves `{exact}`.", "")
    found, limit = exact.arguments[-1].arguments[-1], claim.d_out[-1]
    yield from table([("the Renyi divergence of that order", found), ("`epsilon`, as claimed", limit)])
    yield from ("", f"The claim says that the first is at most the second; it is more: {more(found, limit)}.", "")


def abnormal(step: Theorem) -> Iterator[str]:
    """What the weights of a stated density integrate to, and what it was divided by."""
    values = {key: read(v) for key, v in step.data["values"].items()}
    noise, stated = registry.lookup(step.data["of"], AdditiveNoise), registry.lookup(step.data["stem"], StatedDensity)
    if noise.normaliser is None:
        raise ValueError(f"{noise.stem} must have a normaliser, got none")
    yield from chosen(step.data["values"])
    true, claimed = (substitute(f.term, values) for f in (noise.normaliser, stated.normaliser))
    rows = [("the integral of the weights", true), ("what the density divides them by", claimed)]
    yield from table([*rows, ("the integral of the density", true / claimed)])
    yield from ("", "The claim says that the last is 1; it is not.", "")
