"""Gaussian DP: what normal noise has, what it implies, and what implies it."""

from __future__ import annotations

from dataclasses import replace

from refdp.kernel.judgements import Holds, Private, merged
from refdp.kernel.rules.conversion import require_measure
from refdp.kernel.rules.privacy import is_yes, private, require_lemmas
from refdp.kernel.rules.settle import settled
from refdp.kernel.theorem import rule
from refdp.spec import obligations, registry, signatures
from refdp.spec.noise import AdditiveNoise, deviation_of, exact_delta
from refdp.terms.reading import read
from refdp.terms.term import exp, name, normal_tail, number, sqrt


@rule
def gaussian_noise(*lemmas: Holds, stem: str, vector: str = "no") -> Private:
    """
      |- the lemmas of normal_noise     sigma its deviation
    ------------------------------------------------------------------------------------------------
      |- x + Z : absolute(d_in) |-> gaussian(d_in^2 / sigma^2);   vectors of independent Z: l2(d_in)
    """
    kind = registry.lookup(stem, AdditiveNoise)
    require_lemmas(lemmas, stem, obligations.exact_delta(stem))
    m = private(signatures.normal_signature(kind, is_yes(vector)))
    given = tuple(c for c in m.given if c != (0 <= name("epsilon")))
    mu_squared = m.d_in**2 / deviation_of(kind).at() ** 2
    return replace(m, measure="gaussian", d_out=(mu_squared,), given=given)


@rule
def gaussian_to_approximate(m: Private, *, epsilon: str = "epsilon", d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> gaussian(mu^2)     0 < mu^2
    -----------------------------------------------------------------------------------------------------------  BW18
      |- M : d_in |-> approximate(epsilon, Q(epsilon / mu - mu / 2) - e^epsilon Q(epsilon / mu + mu / 2))
    """
    require_measure(m, "gaussian")
    (squared,), e = m.d_out, read(epsilon)
    losses = (e, exact_delta(number(1), sqrt(squared), e))
    return settled(replace(m, measure="approximate", d_out=losses, given=merged(m.given, (0 < squared,))), d_out)


@rule
def gaussian_to_concentrated(m: Private) -> Private:
    """
      |- M : d_in |-> gaussian(mu^2)
    ----------------------------------------
      |- M : d_in |-> concentrated(mu^2 / 2)
    """
    require_measure(m, "gaussian")
    return settled(replace(m, measure="concentrated", d_out=(m.d_out[0] / 2,)))


@rule
def pure_to_gaussian(m: Private, *, mu_squared: str = "mu_squared") -> Private:
    """
      |- M : d_in |-> pure(e)     0 <= mu^2     (1 + e^e) Q(mu / 2) <= 1
    --------------------------------------------------------------------
      |- M : d_in |-> gaussian(mu^2)
    """
    require_measure(m, "pure")
    squared, (e,) = read(mu_squared), m.d_out
    given = merged(m.given, (0 <= squared, (1 + exp(e)) * normal_tail(sqrt(squared) / 2) <= 1))
    return settled(replace(m, measure="gaussian", d_out=(squared,), given=given))
