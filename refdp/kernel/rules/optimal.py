"""Composition under approximate DP: the advanced form, and the least delta at a given epsilon, worked out exactly."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from math import comb, prod

from refdp.kernel.judgements import Private, merged, require
from refdp.kernel.rules.composition import alike
from refdp.kernel.rules.conversion import require_measure
from refdp.kernel.rules.settle import settled
from refdp.kernel.theorem import rule
from refdp.numerics.exact import decide, exact
from refdp.spec.signatures import counted
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, exp, ln, names, number, sqrt, substitute

LARGEST_SUM = 1_000
"""Most sums of losses that are told apart in an optimal composition."""
Loss = tuple[Term, Term]
"""Epsilon and delta."""


@rule
def compose_advanced(m: Private, *, k: str = "k", delta: str = "delta", d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> approximate(e, d)     k a whole number, at least 1     0 <= e     0 < delta < 1
    ---------------------------------------------------------------------------------------------------  DRV10 Thm 3.3
      |- repeated(M, k) : d_in |-> approximate(e sqrt(2 k ln(1 / delta)) + k e (e^e - 1) / (e^e + 1), k d + delta)
    """
    require_measure(m, "approximate")
    (e, d), times, more = m.d_out, read(k), read(delta)
    count = tuple(substitute(c, {"k": times}) for c in counted("k"))
    spread, mean = e * sqrt(2 * times * ln(1 / more)), times * e * (exp(e) - 1) / (exp(e) + 1)
    given = merged(m.given, count, (0 <= e, 0 < more, more < 1))
    subject = apply("repeated", m.subject, times)
    return settled(replace(m, subject=subject, d_out=(spread + mean, times * d + more), given=given), d_out)


@rule
def compose_optimal(*ms: Private, epsilon: str, d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> approximate(e_1, d_1)     |- N : d_in |-> approximate(e_2, d_2)     ...     0 <= e_i     d_i <= 1
    -------------------------------------------------------------------------------------------------------------------
      |- compose(M, N, ...) : d_in |-> approximate(epsilon, delta),  for the least delta that these losses allow

    delta = 1 - (1 - d_1) (1 - d_2) ... (1 - D), with D the sum over all signs s_i of
    (exp(sum of the e_i with s_i = 1) - exp(epsilon + sum of the others))+ / ((1 + exp(e_1)) (1 + exp(e_2)) ...).
    """
    first = alike("compose_optimal", ms)
    losses = [_loss(m) for m in ms]
    subject = apply("compose", *(m.subject for m in ms))
    far = (read(epsilon), least_delta(list(Counter(losses).items()), read(epsilon)))
    return settled(replace(first, subject=subject, d_out=far, given=merged(*(m.given for m in ms))), d_out)


@rule
def compose_many_optimal(m: Private, *, k: str, epsilon: str, d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> approximate(e, d)     k a whole number, at least 1     0 <= e     d <= 1
    ------------------------------------------------------------------------------------------  KOV15 Thm 3.3
      |- repeated(M, k) : d_in |-> approximate(epsilon, delta),  as under compose_optimal
    """
    times = exact(k, "k")
    require(times.denominator == 1 and 1 <= times < LARGEST_SUM, f"k must be 1 to {LARGEST_SUM - 1}, got {times}")
    far = (read(epsilon), least_delta([(_loss(m), int(times))], read(epsilon)))
    return settled(replace(m, subject=apply("repeated", m.subject, number(times)), d_out=far), d_out)


def _loss(m: Private) -> Loss:
    """The closed epsilon >= 0 and delta <= 1 of a claim under approximate DP."""
    require_measure(m, "approximate")
    e, d = m.d_out
    require(not names(e) and not names(d), f"epsilon and delta must be numbers, got {e} and {d}")
    require(decide(0 <= e) and decide(d <= 1), f"epsilon must be >= 0 and delta <= 1, got {e} and {d}")
    return e, d


def least_delta(losses: list[tuple[Loss, int]], epsilon: Term) -> Term:
    """The delta of `compose_optimal`, equal losses counted together; a closed term."""
    require(not names(epsilon), f"epsilon must be a number, got {epsilon}")
    sums = prod(count + 1 for _, count in losses)
    require(sums <= LARGEST_SUM, f"at most {LARGEST_SUM} sums of losses are told apart, got {sums}")
    everything = added([count * ln(1 + exp(e)) for (e, _), count in losses])
    excesses = []
    for chosen in product(*(range(count + 1) for _, count in losses)):
        ways = prod(comb(count, j) for (_, count), j in zip(losses, chosen, strict=True))
        above = added([j * e for ((e, _), _), j in zip(losses, chosen, strict=True)])
        below = epsilon + added([(count - j) * e for ((e, _), count), j in zip(losses, chosen, strict=True)])
        if decide(below < above):
            excesses.append(ways * (exp(above - everything) - exp(below - everything)))
    none_fails = number(1)
    for (_, d), count in losses:
        for _ in range(count):
            none_fails = none_fails * (1 - d)
    return 1 - none_fails * (1 - added(excesses))


def added(ts: list[Term]) -> Term:
    """The sum of the terms, bracketed evenly so that it is not deep."""
    if len(ts) <= 1:
        return ts[0] if ts else number(0)
    return added(ts[: len(ts) // 2]) + added(ts[len(ts) // 2 :])
