"""Additive noise on a grid under approximate DP: its delta at closed parameters, enclosed by certified sums."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from refdp.kernel.judgements import Holds, KernelError, Private, Refuted, require
from refdp.kernel.reading import relation
from refdp.kernel.rules.privacy import require_lemmas
from refdp.kernel.theorem import rule
from refdp.numerics.exact import decide
from refdp.numerics.intervals import Interval
from refdp.numerics.lattice import grid_delta
from refdp.spec import obligations, registry
from refdp.spec.noise import AdditiveNoise
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import name, names, substitute

PRECISIONS = (32, 64, 128, 256)
"""Bits with which the sums are enclosed, in turn."""


@rule
def grid_noise(*lemmas: Holds, claim: str) -> Private:
    """
      |- the weights are symmetric and log-concave     the sums over the worst half line come to at most delta
    ----------------------------------------------------------------------------------------------------------
      |- x + Z : absolute(d_in) |-> approximate(epsilon, delta), all parameters being numbers
    """
    m, kind = _closed(claim), _noise(claim)
    require_lemmas(lemmas, kind.stem, obligations.log_concavity(kind.stem))
    require(_is_at_most(m, kind) is True, f"the sums do not show {claim}")
    return m


@rule
def grid_noise_exceeds(*lemmas: Holds, claim: str) -> Refuted:
    """
      |- the weights are symmetric and log-concave     the sums over the worst half line come to more than delta
    ------------------------------------------------------------------------------------------------------------
      |- x + Z : absolute(d_in) |-> approximate(epsilon, delta) is false
    """
    m, kind = _closed(claim), _noise(claim)
    require_lemmas(lemmas, kind.stem, obligations.log_concavity(kind.stem))
    require(_is_at_most(m, kind) is False, f"the sums do not refute {claim}")
    return Refuted(m)


def _closed(claim: str) -> Private:
    """The closed claim of approximate DP that the text writes down."""
    m = relation(read(claim))
    if not isinstance(m, Private) or m.measure != "approximate" or names(m.term) or m.given:
        raise KernelError(f"expected a closed claim under approximate DP, got {claim}")
    return m


def _noise(claim: str) -> AdditiveNoise:
    """The noise on a grid that the claim is about."""
    kind = registry.lookup(relation(read(claim)).subject.operator, AdditiveNoise)
    registry.require_conditions(kind, 0 < name("granularity"))
    return kind


def _is_at_most(m: Private, kind: AdditiveNoise) -> bool | None:
    """Whether the exact delta is at most the claim's; None where the enclosures do not tell."""
    limit = Fraction(evaluate(m.d_out[1], {}))
    for bits in PRECISIONS:
        found = _delta(m, kind, bits)
        if found.upper <= limit:
            return True
        if limit < found.lower:
            return False
    return None


def _delta(m: Private, kind: AdditiveNoise, bits: int) -> Interval:
    """The exact delta of the farthest inputs within d_in, whose delta is the largest."""
    values = registry.values(kind, m.subject)
    require(m.domain == substitute(kind.domain, registry.bound(kind, m.subject)), f"{m.domain} is another grid")
    require(m.metric == "absolute", f"expected numbers by distance, got {m.metric}")
    require(decide(0 <= m.d_out[0]), f"epsilon must be >= 0, got {m.d_out[0]}")
    steps = floor(evaluate(m.d_in, {}) / values["granularity"])
    require(steps >= 1, f"no two different inputs are {m.d_in} apart")
    return grid_delta(kind, values, steps, m.d_out[0], bits)
