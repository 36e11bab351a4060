"""Noise scaled to a bound whose law is known by name: Laplace's with a delta, Student's without, and events far out."""

from __future__ import annotations

from refdp.kernel.judgements import KernelError, Private, Refuted, require
from refdp.kernel.rules.code import running
from refdp.kernel.rules.privacy import is_yes, private
from refdp.kernel.rules.refutation import closed_claim, neighbours
from refdp.kernel.theorem import Assuming, rule
from refdp.numerics.exact import decide
from refdp.spec import registry, signatures
from refdp.spec.bound_laws import probability_beyond
from refdp.spec.bound_noise import PAIRS, BoundNoise
from refdp.spec.semantics import data
from refdp.terms.reading import read
from refdp.terms.term import Term, exp, number


@rule
def laplace_bound_noise(*, stem: str) -> Private:
    """
      Z has the density e^-|z| / 2     1 < g     1 / scale <= e     ln g + 1 / (g scale) <= e
    -----------------------------------------------------------------------------------------------------------
      |- value + scale bound Z : smooth(g) |-> approximate(e, d), d = (1 - 1/g) e^(-(e + ln g) / (g - 1))
         cosh(1 / (scale (g - 1))), rounded or not
    """
    return private(signatures.laplace_bound_signature(registry.lookup(stem, BoundNoise)))


@rule
def student_bound_noise(*, stem: str, linear: str = "no") -> Private:
    """
      Z has a density in proportion to 1 / (1 + z^2 / n)^k, k = (n + 1) / 2     1 <= n     1 <= g     h^2 n scale^2 = 1
    -------------------------------------------------------------------------------------------------------------------
      |- value + scale bound Z : smooth(g) |-> pure(the greater of k arcosh(1 + h^2 / 2) and
         k arcosh((1 + g^2 + h^2) / (2 g)) + (k - 1) ln g);  linear: pure(n ln g + (n + 1) / (2 sqrt(n) scale))
    """
    return private(signatures.student_bound_signature(registry.lookup(stem, BoundNoise), is_yes(linear)))


@rule
def likelier_far_out(*, claim: str, a: str, b: str, below: str, above: str) -> Refuted | Assuming:
    """
      distance(a, b) <= d_in     P[M(a) in E] > e^epsilon P[M(b) in E] + delta     E = (-oo, below] or [above, oo)
    --------------------------------------------------------------------------------------------------------------
      |- M : d_in |-> (epsilon, delta) is false, for Laplace's or normal noise scaled to a bound
    """
    m = closed_claim(claim)
    if not isinstance(m, Private) or m.measure not in ("pure", "approximate"):
        raise KernelError(f"expected a claim under pure or approximate DP, got {claim}")
    ends = data(read(below)), data(read(above))
    here, there = (probability_beyond(m.subject, x, ends) for x in neighbours(m, a, b))
    require(m.subject.operator == "chain" or m.domain == PAIRS, f"{m.subject} reads no member of {m.domain}")
    require(decide(_limit(m, there) < here), f"what is beyond {below} and {above} does not break {claim}")
    return running(Refuted(m), m.subject)


def _limit(m: Private, there: Term) -> Term:
    """e^epsilon P[M(b) in E] + delta."""
    epsilon, delta = (*m.d_out, number(0))[:2]
    return exp(epsilon) * there + delta
