"""Privacy of a mechanism that sees a random sample of the rows."""

from __future__ import annotations

from dataclasses import replace

from refdp.kernel.judgements import Private, merged, require
from refdp.kernel.rules.settle import settled
from refdp.kernel.theorem import rule
from refdp.spec.terms import Term, apply, exp, ln, number, read


@rule
def poisson_sampled(m: Private, *, rate: str = "rate", d_out: list[str] | None = None) -> Private:
    """
      |- M : symmetric(1) |-> e  on table(ROWS)     0 <= rate <= 1     0 <= e (approximate)
    ------------------------------------------------------------------------------------------  pure, approximate
      |- poisson_sampled(rate, M) : symmetric(1) |-> ln(1 + rate (e^e - 1));  delta becomes rate delta

    Each row is in the sample with probability `rate`, independently of the others and of the coins of M.
    """
    require(isinstance(m, Private), "poisson_sampled takes a private claim")
    shape = (m.domain.operator, m.metric, m.d_in)
    require(
        shape == ("table", "symmetric", number(1)), f"expected one row added to or removed from a table, got {m.term}"
    )
    require(m.measure in ("pure", "approximate"), f"sampling is stated for pure and approximate DP, got {m.measure}")
    gamma, epsilon, deltas = read(rate), m.d_out[0], m.d_out[1:]
    known = (
        () if m.measure == "pure" else (0 <= epsilon,)
    )  # pure DP has epsilon >= 0: the empty table is its own neighbour
    given = merged(m.given, (0 <= gamma, gamma <= 1), known)
    losses = (amplified(gamma, epsilon), *(gamma * delta for delta in deltas))
    return settled(replace(m, subject=apply("poisson_sampled", gamma, m.subject), d_out=losses, given=given), d_out)


def amplified(rate: Term, epsilon: Term) -> Term:
    """ln(1 + rate (e^epsilon - 1))."""
    return ln(1 + rate * (exp(epsilon) - 1))
