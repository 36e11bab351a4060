"""An exact delta that is more than is claimed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor

from refdp.kernel.judgements import Private
from refdp.kernel.reading import relation
from refdp.kernel.theorem import Theorem
from refdp.numerics.lattice import grid_delta
from refdp.report.decimals import BITS
from refdp.report.witnesses.tables import Row, more, table
from refdp.spec import registry
from refdp.spec.evaluation import evaluate
from refdp.spec.noise import AdditiveNoise
from refdp.spec.normal import deviation_of, ends, exact_delta
from refdp.spec.terms import exp, normal_tail, number, read, substitute

HALF_LINE = "For inputs {} apart the worst event is the half line of all outputs with a loss of epsilon or more."


def _claim(step: Theorem) -> tuple[Private, AdditiveNoise]:
    """The closed claim that the step refutes, and the noise that it is about."""
    claim = relation(read(step.data["claim"]))
    if not isinstance(claim, Private):
        raise ValueError(f"claim must be about privacy, got {claim.term}")
    return claim, registry.lookup(claim.subject.operator, AdditiveNoise)


def normal(step: Theorem) -> Iterator[str]:
    """The exact delta of normal noise from two normal tails."""
    claim, kind = _claim(step)
    sigma = substitute(deviation_of(kind).at(), registry.bound(kind, claim.subject))
    epsilon, delta = (*claim.d_out, number(0))[:2]
    near, far = ends(sigma, claim.d_in, epsilon)
    found = exact_delta(sigma, claim.d_in, epsilon)
    yield HALF_LINE.format(claim.d_in)
    yield from ("It begins `a` deviations above the mean of one law and `b` above that of the other.", "")
    rows: list[Row] = [("`sigma`", sigma), ("`epsilon`", epsilon), ("`a`", near), ("`b`", far)]
    rows += [("`normal_tail(a)`", normal_tail(near)), ("`e^epsilon normal_tail(b)`", exp(epsilon) * normal_tail(far))]
    yield from table([*rows, ("their difference, the exact delta", found), ("`delta`, as claimed", delta)])
    yield from ("", f"The claim says that the exact delta is at most delta; it is more: {more(found, delta)}.", "")


def on_grid(step: Theorem) -> Iterator[str]:
    """The exact delta of noise on a grid by sums with bounded tails."""
    claim, kind = _claim(step)
    values, (epsilon, delta) = registry.values(kind, claim.subject), claim.d_out
    steps = floor(Fraction(evaluate(claim.d_in, {})) / values["granularity"])
    found = grid_delta(kind, values, steps, epsilon, BITS)
    yield HALF_LINE.format(claim.d_in)
    yield from ("Its masses, summed with a bound for the rest:", "")
    yield from table([("`epsilon`", epsilon), ("the exact delta", found), ("`delta`, as claimed", delta)])
    yield from ("", f"The claim says that the exact delta is at most delta; it is more: {more(found, delta)}.", "")
