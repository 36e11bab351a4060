"""Noisy maxima: private by shifting the winner's noise, or by having the law of another selection."""

from __future__ import annotations

from dataclasses import replace

from refdp.kernel.judgements import Holds, Law, Private, merged, require
from refdp.kernel.rules.privacy import private, require_lemmas
from refdp.kernel.theorem import rule
from refdp.spec import obligations, registry, signatures
from refdp.spec.noisy_max import NoisyMax, same_law_as


@rule
def noisy_max(*lemmas: Holds, stem: str) -> Private:
    """
      |- the scale is positive     |- the density falls by at most e^map(d_in) over a shift of at most 2 d_in
    -----------------------------------------------------------------------------------------------------------
      |- M : linf(d_in) |-> pure(map(d_in)), for any number of candidates
    """
    kind = registry.lookup(stem, NoisyMax)
    require_lemmas(lemmas, stem, obligations.privacy(stem))
    return private(signatures.mechanism_signature(kind))


@rule
def same_law(*lemmas: Holds, stem: str) -> Law:
    """
      |- the flips are the survival of the noise, or the weights are its shifts
    -----------------------------------------------------------------------------
      |- M and the selection `same_law_as` have the same law at every vector of scores
    """
    kind = registry.lookup(stem, NoisyMax)
    require_lemmas(lemmas, stem, obligations.same_law(stem))
    given = (*kind.conditions, *signatures.counted("candidates"))
    return Law("same_law", registry.subject(kind), given, (registry.subject(same_law_as(kind)),))


@rule
def by_the_same_law(m: Private, law: Law) -> Private:
    """
      |- N : linf(d_in) |-> d_out     |- M and N have the same law at every vector of scores
    ------------------------------------------------------------------------------------------
      |- M : linf(d_in) |-> d_out
    """
    require(isinstance(m, Private), f"expected a private claim first, got {m}")
    require(isinstance(law, Law) and law.kind == "same_law", f"expected a claim of the same law second, got {law}")
    require((m.subject,) == law.said, f"{m.subject} is not the selection whose law it is")
    return replace(m, subject=law.subject, given=merged(m.given, law.given))
