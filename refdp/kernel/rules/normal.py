"""Normal noise under approximate DP: its exact delta, the classical theorem on a region, and what they refute."""

from __future__ import annotations

from refdp.kernel.judgements import Holds, KernelError, Private, Refuted, require
from refdp.kernel.reading import relation
from refdp.kernel.rules.privacy import is_yes, private, require_lemmas
from refdp.kernel.rules.settle import holds
from refdp.kernel.theorem import rule
from refdp.numerics.exact import decide
from refdp.spec import classical, obligations, registry, signatures
from refdp.spec.domains import domain
from refdp.spec.noise import AdditiveNoise, deviation_of, exact_delta
from refdp.terms.reading import read
from refdp.terms.term import name, names, number, substitute


@rule
def normal_noise(*lemmas: Holds, stem: str, vector: str = "no") -> Private:
    """
      |- the weight is normal     |- the loss is linear, so the worst event is a half line with these ends
    -------------------------------------------------------------------------------------------------------
      |- x + Z : absolute(d_in) |-> approximate(epsilon, the exact delta); vectors of independent Z: l2(d_in)
    """
    kind = registry.lookup(stem, AdditiveNoise)
    require_lemmas(lemmas, stem, obligations.exact_delta(stem))
    return private(signatures.normal_signature(kind, is_yes(vector)))


@rule
def classical_noise(exact: Private, *lemmas: Holds, stem: str, region: str, vector: str = "no") -> Private:
    """
      |- x + Z : d_in |-> approximate(epsilon, the exact delta)     |- that is at most delta on the region
    ------------------------------------------------------------------------------------------------------
      |- x + Z with sigma = d_in sqrt(2 ln(constant / delta)) / epsilon : d_in |-> approximate(epsilon, delta)
         for epsilon and delta in the region
    """
    kind, chosen, many = registry.lookup(stem, AdditiveNoise), classical.region(region), is_yes(vector)
    s = signatures.normal_signature(kind, many)
    require(exact == private(s), f"the first premise must be the exact delta of {stem}")
    require_lemmas(lemmas, classical.STEM, classical.inequalities(region))
    subject = substitute(s.subject, {_only_parameter(kind): classical.calibration(chosen.constant)})
    epsilon, delta = name("epsilon"), name("delta")
    near = (0 < name("d_in"), 0 < epsilon, epsilon <= chosen.largest_epsilon)
    given = (*near, 0 < delta, delta <= number(chosen.largest_delta))
    counted = signatures.counted("dimension") if many else ()
    return Private(subject, s.domain, s.metric, s.d_in, s.far, (epsilon, delta), (*given, *counted))


def _only_parameter(kind: AdditiveNoise) -> str:
    """The parameter that is the deviation, if there is no other and any positive number will do for it."""
    (sigma,) = kind.parameters
    require(deviation_of(kind).at() == name(sigma), f"the deviation of {kind.stem} must be its parameter")
    require(kind.conditions == (0 < name(sigma),), f"{kind.stem} must be there for every deviation > 0")
    return sigma


@rule
def normal_noise_exceeds(*lemmas: Holds, claim: str) -> Refuted:
    """
      |- the weight is normal     |- the loss is linear, ...     the exact delta at d_in is more than delta
    -------------------------------------------------------------------------------------------------------
      |- x + Z : absolute(d_in) |-> (epsilon, delta) is false
    """
    m = relation(read(claim))
    require(not names(m.term) and not m.given, f"expected a closed claim, got {claim}")
    if not isinstance(m, Private) or m.measure not in ("pure", "approximate"):
        raise KernelError(f"expected a claim under pure or approximate DP, got {claim}")
    kind = registry.lookup(m.subject.operator, AdditiveNoise)
    require_lemmas(lemmas, kind.stem, obligations.exact_delta(kind.stem))
    parameters = registry.bound(kind, m.subject)
    for condition in kind.conditions:
        require(holds(substitute(condition, parameters)), f"{m.subject} breaks {condition}")
    require((m.domain, m.metric) == (domain("reals"), "absolute"), f"expected numbers by distance, got {m.domain}")
    require(decide(0 < m.d_in), f"d_in must be > 0, got {m.d_in}")
    epsilon, delta = (*m.d_out, number(0))[:2]
    exact = exact_delta(substitute(deviation_of(kind).at(), parameters), m.d_in, epsilon)
    require(decide(delta < exact), f"the exact delta {exact} is not more than {delta}")
    return Refuted(m)
