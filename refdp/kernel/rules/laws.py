"""The masses of a mechanism sum to 1, and its sampler draws from them."""

from __future__ import annotations

from refdp.kernel.judgements import Holds, Law, require
from refdp.kernel.rules.privacy import require_lemmas
from refdp.kernel.theorem import Assuming, rule
from refdp.spec import obligations, registry, samplers
from refdp.spec.above_threshold import AboveThreshold
from refdp.spec.noisy_max import NoisyMax
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.spec.signatures import counted
from refdp.terms.term import Term

SAMPLING_CODE = "code: refdp.sampling"
"""What a sampler theorem trusts besides its lemmas: that refdp.sampling takes the steps they speak of."""


@rule
def normalised(*lemmas: Holds, stem: str) -> Law:
    """
      |- the law obligations of M
    -------------------------------
      |- the masses of M sum to 1
    """
    require_lemmas(lemmas, stem, obligations.law(stem))
    return Law("normalised", registry.subject(registry.kind_of(stem)), _conditions(stem))


@rule
def sampler_law(*premises: Holds | Law, stem: str) -> Assuming:
    """
      |- the steps of M's sampler make M's masses     |- each primitive it calls draws from its law
    ------------------------------------------------------------------------------------------------ [refdp.sampling]
      |- the sampler of M draws from the law of M
    """
    needed, calls = obligations.sampler(stem), samplers.drawn_from(stem)
    require_lemmas(premises[: len(needed)], stem, needed)
    laws = premises[len(needed) :]
    require(laws == tuple(map(_drawn, calls)), f"the premises must end in the laws of {', '.join(calls) or 'nothing'}")
    return Assuming(_drawn(stem), frozenset({SAMPLING_CODE}))


def _drawn(stem: str) -> Law:
    """That the sampler of M draws from the law of M."""
    return Law("sampler_law", registry.subject(registry.kind_of(stem)), _conditions(stem))


def _conditions(stem: str) -> tuple[Term, ...]:
    """The conditions on the parameters; a selection has at least one candidate, a run at least one
    answer."""
    kind = registry.kind_of(stem)
    if isinstance(kind, WeightedSelection | FlipSelection | NoisyMax):
        return (*kind.conditions, *counted("candidates"))
    return (*kind.conditions, *counted("n")) if isinstance(kind, AboveThreshold) else kind.conditions
