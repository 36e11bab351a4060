"""From lemmas about formulas to the privacy of a mechanism, and exact enumeration of finite ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from refdp.kernel.judgements import Holds, KernelError, Private, require
from refdp.kernel.rules.code import running
from refdp.kernel.theorem import Assuming, rule
from refdp.numerics.exact import exact
from refdp.spec import obligations, registry, signatures
from refdp.spec.clamped import ClampedGeometric
from refdp.spec.distances import greatest_ratio, hockey_stick, loss_tail
from refdp.spec.distances import metric as metric_named
from refdp.spec.domains import members
from refdp.spec.finite import FiniteLaw
from refdp.spec.noise import AdditiveNoise
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.spec.semantics import law
from refdp.spec.statements import Statement
from refdp.terms.reading import read
from refdp.terms.term import Term, ln, names, number

LARGEST_ENUMERATION = 1_000_000
"""Most probabilities that `finite_mechanism` compares: each input's law with that of every other."""

WITH_FACTOR = ("approximate", "loss_tail", "ratio")
"""The measures with an epsilon that the caller of `finite_mechanism` chooses, as ln(factor)."""


def require_lemmas(lemmas: tuple[Any, ...], stem: str, needed: dict[str, Statement]) -> None:
    """The premises are just the needed lemmas about `stem`, in order, about its formulas as they stand."""
    if lemmas != tuple(Holds(stem, key, s.digest) for key, s in needed.items()):
        raise KernelError(f"the premises must be the lemmas {', '.join(needed) or 'none'} of {stem}")


def is_yes(answer: str) -> bool:
    """Whether the answer is yes; KernelError if it is neither yes nor no."""
    require(answer in ("yes", "no"), f"expected yes or no, got {answer}")
    return answer == "yes"


def private(s: signatures.Signature) -> Private:
    """The privacy claim of a signature."""
    return Private(s.subject, s.domain, s.metric, s.d_in, s.far, s.d_out, s.conditions)


@rule
def additive_noise(*lemmas: Holds, stem: str, measure: str, vector: str = "no") -> Private:
    """
      |- a law exists     |- loss or Renyi exponent is bounded by the map     (vector: |- losses accumulate)
    ---------------------------------------------------------------------------------------------------------
      |- x + Z : absolute(d_in) |-> map(d_in);  vectors of independent Z: l1 under pure, l2 under concentrated
    """
    kind, many = registry.lookup(stem, AdditiveNoise), is_yes(vector)
    require_lemmas(lemmas, stem, obligations.privacy(stem, measure, many))
    return private(signatures.noise_signature(kind, measure, many))


@rule
def finite_law(*lemmas: Holds, stem: str) -> Private:
    """
      |- the masses are >= 0 and sum to 1     |- pmf(y, a) <= ratio_bound pmf(y, b)
    ---------------------------------------------------------------------------------
      |- M : discrete(1) |-> pure(ln(ratio_bound))
    """
    return _from_lemmas(lemmas, registry.lookup(stem, FiniteLaw))


@rule
def clamped_noise(*lemmas: Holds, stem: str) -> Private:
    """
      |- the masses are positive, scale with the weight and sum to 1     |- log weights move by at most the map
    -------------------------------------------------------------------------------------------------------------
      |- clamp(x + Z) : absolute(d_in) |-> pure(map(d_in))
    """
    return _from_lemmas(lemmas, registry.lookup(stem, ClampedGeometric))


@rule
def weighted_selection(*lemmas: Holds, stem: str) -> Private:
    """
      |- a score moved by d_in moves its log weight by at most map(d_in) / 2
    --------------------------------------------------------------------------
      |- M : linf(d_in) |-> pure(map(d_in)), for any number of candidates
    """
    return _from_lemmas(lemmas, registry.lookup(stem, WeightedSelection))


@rule
def flip_selection(*lemmas: Holds, stem: str) -> Private:
    """
      |- the flips are one-sided noise without memory     |- 2 d_in more noise is at most e^map(d_in) rarer
    ---------------------------------------------------------------------------------------------------------
      |- M : linf(d_in) |-> pure(map(d_in)), for any number of candidates
    """
    return _from_lemmas(lemmas, registry.lookup(stem, FlipSelection))


def _from_lemmas(lemmas: tuple[Holds, ...], kind: registry.Kind) -> Private:
    """The claim of a mechanism whose obligations the lemmas are."""
    require_lemmas(lemmas, kind.stem, obligations.privacy(kind.stem))
    return private(signatures.mechanism_signature(kind))


@rule
def finite_mechanism(
    *, subject: str, domain: str, metric: str, d_in: str, measure: str = "pure", factor: str = "1"
) -> Private | Assuming:
    """
    ------------------------------------------------------------------  every law computed in rationals
      |- M : metric(d_in) |-> pure(ln(greatest ratio)), or approximate(ln(factor), greatest hockey stick),
         or loss_tail(ln(factor), greatest tail), or ratio(ln(factor), greatest ratio - factor, at least 0)
    """
    m, inputs, distance, t = read(subject), read(domain), exact(d_in, "d_in"), exact(factor, "factor")
    require(not names(m) and t >= 1, f"subject must be closed and factor >= 1, got {m} and {t}")
    require(measure in WITH_FACTOR or t == 1, f"a factor belongs to {', '.join(WITH_FACTOR)}, got {measure}")
    laws = {}
    for x in members(inputs):
        one = laws[x] = law(m, x)
        require(sum(one.values()) == 1 and min(one.values()) >= 0, f"the masses of {m} at {x} are not a law")
        require(len(laws) ** 2 * len(one) <= LARGEST_ENUMERATION, f"{m} is too large to enumerate")
    within = metric_named(metric).within
    pairs = [(laws[a], laws[b]) for a, b in product(laws, repeat=2) if within(a, b, distance)]
    require(bool(pairs), f"no two members of {inputs} are within {distance}: the claim would be empty")
    d_out = _worst(pairs, measure, t)
    return running(Private(m, inputs, metric, number(distance), measure, d_out), m)


def _worst(pairs: list[tuple[dict[Any, Fraction], dict[Any, Fraction]]], measure: str, t: Fraction) -> tuple[Term, ...]:
    """The greatest divergence over the pairs of laws."""
    if measure == "approximate":
        return ln_of(t), number(max(hockey_stick(p, q, t) for p, q in pairs))
    if measure == "loss_tail":
        return ln_of(t), number(max(loss_tail(p, q, t) for p, q in pairs))
    require(measure in ("pure", "ratio"), f"measure must be pure or one of {', '.join(WITH_FACTOR)}, got {measure}")
    ratios = [greatest_ratio(p, q) for p, q in pairs]
    finite = [r for r in ratios if r is not None]
    require(len(finite) == len(ratios), "some output is possible under only one of two neighbours")
    greatest = max(finite)
    return (ln_of(greatest),) if measure == "pure" else (ln_of(t), number(max(greatest - t, Fraction(0))))


def ln_of(x: Fraction) -> Term:
    """ln(x) in normal form."""
    return number(0) if x == 1 else ln(number(x))
