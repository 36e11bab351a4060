"""Beyond global sensitivity: what is above a threshold, selections of several, and what is kept of unknown keys."""

from __future__ import annotations

from dataclasses import replace

from refdp.kernel.judgements import Holds, Law, Private, merged, require
from refdp.kernel.rules.privacy import private, require_lemmas
from refdp.kernel.rules.settle import settled
from refdp.kernel.theorem import rule
from refdp.spec import obligations, registry, signatures
from refdp.spec.above_threshold import AboveThreshold
from refdp.spec.bound_noise import BoundNoise
from refdp.spec.domains import domain
from refdp.spec.noisy_max import NoisyMax
from refdp.spec.perturbed_objectives import PerturbedObjective
from refdp.spec.propose_test_release import METRIC, losses, pairs
from refdp.spec.selection import WeightedSelection
from refdp.spec.unknown_keys import ThresholdedCounts
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, name, names

CANDIDATES = name("candidates")


@rule
def above_threshold(*lemmas: Holds, stem: str, metric: str) -> Private:
    """
      |- the scales are positive     |- the threshold's noise moved by at most d_in is at most e^r rarer
      |- an answer's noise moved up by at most d is at most e^a(d) rarer
    -----------------------------------------------------------------------------------------------------
      |- M : linf(d_in) |-> pure(r + positives a(2 d_in));  monotone(d_in) |-> pure(r + positives a(d_in)),
         for any number of answers
    """
    kind = registry.lookup(stem, AboveThreshold)
    require_lemmas(lemmas, stem, obligations.privacy(stem))
    return private(signatures.threshold_signature(kind, metric))


@rule
def thresholded_counts(*lemmas: Holds, stem: str, neighbours: str) -> Private:
    """
      |- the scale is positive, the threshold at least 1     |- noise moved by at most d is at most e^loss(d) rarer
    ---------------------------------------------------------------------------------------------------------------
      |- M : symmetric(1) |-> approximate(loss(1), P[1 + Z >= threshold]);
         change_one(1) |-> approximate(2 loss(1), P[1 + Z >= threshold])
    """
    kind = registry.lookup(stem, ThresholdedCounts)
    require_lemmas(lemmas, stem, obligations.privacy(stem))
    return private(signatures.unknown_keys_signature(kind, neighbours))


@rule
def bound_noise(*lemmas: Holds, stem: str) -> Private:
    """
      |- a law exists     |- each t with t + 1/t > spread(c, h) / c bounds both ratios of the densities of Z and h + c Z
      |- spread(c, h) / (2 c) <= m(growth) where 1 <= c <= growth and |h| scale <= 1     |- 1 <= m
    --------------------------------------------------------------------------------------------------------------------
      |- value + scale bound Z : smooth(growth) |-> pure(arcosh(m(growth))), rounded or not
    """
    kind = registry.lookup(stem, BoundNoise)
    require_lemmas(lemmas, stem, obligations.privacy(stem))
    return private(signatures.bound_signature(kind))


@rule
def perturbed_objective(*lemmas: Holds, stem: str, neighbours: str) -> Private:
    """
      |- clipped rows are within reach     |- the slope of the loss is within steepness     |- it rises within curving
    --------------------------------------------------------------------------------------------------------------------
      |- M : symmetric(d_in) |-> pure(d_in (rate pull + k));  change_one(d_in) |-> pure(d_in (2 rate pull + k)),
         pull = steepness reach, k = ln(1 + curving reach^2 / regularisation), rounded or not
    """
    kind = registry.lookup(stem, PerturbedObjective)
    require_lemmas(lemmas, stem, obligations.privacy(stem))
    return private(signatures.objective_signature(kind, neighbours))


@rule
def monotone_selection(*lemmas: Holds, stem: str) -> Private:
    """
      |- a score moved by d_in moves its log weight by at most map(d_in) / 2     |- weights grow with the scores
    ------------------------------------------------------------------------------------------------------------
      |- M : monotone(d_in) |-> pure(map(d_in) / 2), for any number of candidates
    """
    kind = registry.lookup(stem, WeightedSelection)
    require_lemmas(lemmas, stem, obligations.monotone(stem))
    return private(signatures.monotone_signature(kind))


@rule
def peeled(m: Private, *, k: str = "k") -> Private:
    """
      |- M : linf(d_in) |-> pure(e), or monotone(d_in) |-> pure(e), for any number of candidates
      k a whole number, at least 1, at most the number of candidates
    --------------------------------------------------------------------------------------------
      |- peeled(M, k) : linf(d_in) |-> pure(k e), or monotone(d_in) |-> pure(k e)

    Each of k candidates is named by M among those that are left, on fresh coins.
    """
    require(isinstance(m, Private), "peeled takes a private claim")
    require(m.metric in ("linf", "monotone"), f"expected scores of which each moves, got {m.term}")
    require(m.measure == "pure", f"expected pure DP, got {m.measure}")
    require(m.domain == domain("vector", domain("reals"), CANDIDATES), f"expected any scores, got {m.domain}")
    count = signatures.counted("candidates")
    about = [t for t in (m.subject, m.d_in, *m.d_out, *m.given) if "candidates" in names(t) and t not in count]
    require(not about, f"expected a claim about any number of candidates, got {m.term}")
    times = read(k)
    require("candidates" not in names(times), f"k must not be chosen by the number of candidates, got {times}")
    given = merged(m.given, count, _so_many(times))
    return settled(replace(m, subject=apply("peeled", m.subject, times), d_out=(times * m.d_out[0],), given=given))


@rule
def propose_test_release(m: Private, *, scale: str, threshold: str, d_out: list[str] | None = None) -> Private:
    """
      |- M : absolute(d_in) |-> pure(e), or approximate(e, d)     0 < scale     0 <= e     t a whole number, at least 1
    --------------------------------------------------------------------------------------------------------------------
      |- tested(M, scale, t) : tested(d_in) |-> approximate(1 / scale + e, the greater of d and P[Z >= t])

    t is the threshold, Z discrete Laplace noise of that scale on whole numbers.  A closed d_out that is irrational is
    replaced by the rational upper bound given.
    """
    require(isinstance(m, Private), "propose_test_release takes a private claim")
    require(m.metric == "absolute", f"expected a claim about a number, got {m.term}")
    require(m.measure in ("pure", "approximate"), f"expected pure or approximate DP, got {m.measure}")
    width, least = read(scale), read(threshold)
    epsilon, *deltas = m.d_out
    given = merged(m.given, (0 < width, apply("integer", least), 1 <= least), (0 <= epsilon,) if deltas else ())
    subject = apply("tested", m.subject, width, least)
    return settled(
        Private(subject, pairs(m.domain), METRIC, m.d_in, "approximate", losses(m.d_out, width, least), given), d_out
    )


@rule
def one_shot_law(law: Law, *, k: str = "k") -> Law:
    """
      |- M, with Gumbel noise, and the selection N have the same law at every vector of scores
      k a whole number, at least 1, at most the number of candidates
    ------------------------------------------------------------------------------------------
      |- one_shot(M, k) and peeled(N, k) have the same law at every vector of scores
    """
    require(isinstance(law, Law) and law.kind == "same_law", f"expected a claim of the same law, got {law}")
    noise = registry.lookup(law.subject.operator, NoisyMax).noise
    require(noise == "gumbel", f"expected Gumbel noise, got {noise} noise")
    count = signatures.counted("candidates")
    require(set(count) <= set(law.given), f"expected a claim about any number of candidates, got {law.term}")
    times = read(k)
    require("candidates" not in names(times), f"k must not be chosen by the number of candidates, got {times}")
    one, other = (apply(how, m, times) for how, m in (("one_shot", law.subject), ("peeled", law.said[0])))
    return Law("same_law", one, merged(law.given, _so_many(times)), (other,))


def _so_many(times: Term) -> tuple[Term, ...]:
    """A whole number from 1 to the number of candidates."""
    return apply("integer", times), 1 <= times, times <= CANDIDATES
