"""Privacy of a mechanism that sees a random sample of the rows."""

from __future__ import annotations

from dataclasses import replace

from refdp.kernel.judgements import Private, merged, require
from refdp.kernel.rules.settle import settled
from refdp.kernel.theorem import rule
from refdp.spec.conversions import amplified
from refdp.spec.domains import domain, is_table, rows_of
from refdp.terms.reading import read
from refdp.terms.term import apply, number


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


@rule
def fixed_size_sampled(
    m: Private, *, sample: str = "sample", size: str = "size", d_out: list[str] | None = None
) -> Private:
    """
      |- M : change_one(1) |-> e  on table(ROWS), or on sized_table(ROWS, sample)     1 <= sample <= size, whole
    --------------------------------------------------------------------------------------------  0 <= e (approximate)
      |- fixed_size_sampled(sample, M) on sized_table(ROWS, size) : change_one(1) |-> ln(1 + (sample / size) (e^e - 1));
         delta becomes (sample / size) delta          pure, approximate; BBG18 Thm 9

    The sample is one of the sets of `sample` rows out of `size`, each as likely as any other, whatever the coins of M.
    """
    require(isinstance(m, Private), "fixed_size_sampled takes a private claim")
    require((m.metric, m.d_in) == ("change_one", number(1)), f"expected one replaced row of a table, got {m.term}")
    require(m.measure in ("pure", "approximate"), f"sampling is stated for pure and approximate DP, got {m.measure}")
    drawn, n, epsilon = read(sample), read(size), m.d_out[0]
    sized = m.domain.operator == "sized_table"
    require(is_table(m.domain), f"expected a table, got {m.domain}")
    require(not sized or m.domain.arguments[1] == drawn, f"{m.subject} does not read tables of {drawn} rows")
    whole = (apply("integer", drawn), apply("integer", n), 1 <= drawn, drawn <= n)
    given = merged(m.given, whole, () if m.measure == "pure" else (0 <= epsilon,))
    losses = (amplified(drawn / n, epsilon), *(drawn / n * delta for delta in m.d_out[1:]))
    inputs, subject = domain("sized_table", rows_of(m.domain), n), apply("fixed_size_sampled", drawn, m.subject)
    return settled(replace(m, subject=subject, domain=inputs, d_out=losses, given=given), d_out)
