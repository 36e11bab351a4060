"""The Renyi divergence of a mechanism exactly, as a bound at every distance, and against a claim that it is less."""

from __future__ import annotations

from refdp.kernel.judgements import Holds, KernelError, Law, Private, Refuted, require
from refdp.kernel.rules.privacy import require_lemmas
from refdp.kernel.rules.refutation import closed_claim
from refdp.kernel.theorem import rule
from refdp.numerics.exact import decide
from refdp.spec import obligations, registry, renyi
from refdp.terms.term import apply, names, substitute


@rule
def renyi_divergence(*lemmas: Holds, stem: str) -> Law:
    """
      |- log weights fall in proportion to |z|, or a Renyi exponent is a shifted weight, or masses are hit or miss
    ---------------------------------------------------------------------------------------------------------------
      |- inputs just d_in apart (or different ones of a finite law) have the Renyi divergence D(order, d_in)
    """
    require_lemmas(lemmas, stem, obligations.divergence(stem))
    kind = registry.kind_of(stem)
    metric, d_in, given = renyi.distance(kind)
    said = (apply(metric, d_in), apply("renyi", renyi.ORDER, renyi.divergence(kind)))
    return Law("renyi_divergence", registry.subject(kind), given, said)


@rule
def renyi_bound(*lemmas: Holds, stem: str) -> Private:
    """
      |- the lemmas of renyi_divergence
    ---------------------------------------------------------
      |- M : metric(d_in) |-> renyi(order, D(order, d_in))
    """
    require_lemmas(lemmas, stem, obligations.divergence(stem))
    kind = registry.kind_of(stem)
    metric, d_in, given = renyi.distance(kind)
    d_out = (renyi.ORDER, renyi.divergence(kind))
    return Private(registry.subject(kind), renyi.inputs(kind), metric, d_in, "renyi", d_out, given)


@rule
def renyi_exceeded(law: Law, *, claim: str) -> Refuted:
    """
      |- inputs just d_in apart have the Renyi divergence D     D > epsilon
    -------------------------------------------------------------------------
      |- M : metric(d_in) |-> renyi(order, epsilon) is false
    """
    require(isinstance(law, Law) and law.kind == "renyi_divergence", f"expected a Renyi divergence, got {law}")
    require(not names(law.term) and not law.given, f"expected a closed Renyi divergence, got {law.term}")
    m, (near, far) = closed_claim(claim), law.said
    if not isinstance(m, Private) or m.measure != "renyi":
        raise KernelError(f"expected a claim under Renyi DP, got {claim}")
    stated, known = (m.subject, apply(m.metric, m.d_in), m.d_out[0]), (law.subject, near, far.arguments[0])
    require(stated == known, f"{law.term} is not about {claim}")
    kind = registry.kind_of(m.subject.operator)
    require(
        m.domain == substitute(renyi.inputs(kind), registry.bound(kind, m.subject)), f"the inputs of {claim} are others"
    )
    require(decide(m.d_out[1] < far.arguments[1]), f"{far.arguments[1]} is not more than {m.d_out[1]}")
    return Refuted(m)
