"""Noise by levels, losses without bound, and refutations by densities: one output, or one wrong normaliser."""

from __future__ import annotations

from refdp.kernel.judgements import Holds, Law, Private, Refuted, require
from refdp.kernel.rules.code import running
from refdp.kernel.rules.privacy import private, require_lemmas
from refdp.kernel.rules.refutation import closed_claim, neighbours
from refdp.kernel.rules.settle import holds
from refdp.kernel.theorem import Assuming, rule
from refdp.numerics.exact import decide
from refdp.spec import obligations, registry, signatures
from refdp.spec.densities import StatedDensity, log_ratio
from refdp.spec.level_noise import LevelNoise
from refdp.spec.noise import AdditiveNoise
from refdp.spec.semantics import data
from refdp.spec.statements import term_is_not_zero
from refdp.terms.reading import read
from refdp.terms.term import apply, name, number, substitute, term


@rule
def level_noise(*lemmas: Holds, stem: str) -> Private:
    """
      |- the steps fall by one factor, and have an integral     |- steps at most one width apart differ by the map
    ----------------------------------------------------------------------------------------------------------------
      |- x + Z : absolute(width) |-> pure(map)
    """
    kind = registry.lookup(stem, LevelNoise)
    require_lemmas(lemmas, stem, obligations.privacy(stem))
    return private(signatures.mechanism_signature(kind))


@rule
def unbounded_loss(*lemmas: Holds, stem: str) -> Law:
    """
      |- a law exists     |- at and below far_output(bound, d_in) the loss between 0 and d_in exceeds the bound
    --------------------------------------------------------------------------------------------------------------
      |- between any two inputs just d_in > 0 apart x + Z has no finite loss, at any parameters
    """
    kind = registry.lookup(stem, AdditiveNoise)
    require_lemmas(lemmas, stem, obligations.unbounded_loss(stem))
    d_in = name("d_in")
    on_grid = (apply("multiple", d_in, name("granularity")),) if kind.on_grid else ()
    given = (*kind.conditions, 0 < d_in, *on_grid)
    return Law("unbounded_loss", registry.subject(kind), given, (apply("absolute", d_in),))


@rule
def denser_elsewhere(*, claim: str, a: str, b: str, output: str) -> Refuted | Assuming:
    """
      distance(a, b) <= d_in     ln(density of M(a) / density of M(b)) > epsilon at the output, both continuous there
    -----------------------------------------------------------------------------------------------------------------
      |- M : d_in |-> epsilon is false
    """
    m = closed_claim(claim)
    pure = isinstance(m, Private) and (m.measure == "pure" or (m.measure, m.d_out[1:]) == ("approximate", (number(0),)))
    require(pure, f"expected a claim under pure DP, got {claim}")
    x, y = neighbours(m, a, b)
    found = log_ratio(m.subject, data(read(output)), x, y)
    require(found is None or decide(m.d_out[0] < term(found)), f"the output {output} does not break {claim}")
    return running(Refuted(m), m.subject)


@rule
def wrong_normaliser(found: Holds, *, stem: str, of: str, values: dict[str, str]) -> Refuted:
    """
      |- the integral of exp(w) is N     N differs from the normaliser of a stated density exp(w) / N' at the values
    -----------------------------------------------------------------------------------------------------------------
      |- the stated density integrates to 1, for all parameters, is false
    """
    stated, noise = registry.lookup(stem, StatedDensity), registry.lookup(of, AdditiveNoise)
    require_lemmas((found,), of, obligations.law(of))
    same = (stated.parameters, stated.log_weight.term) == (noise.parameters, noise.log_weight.term)
    require(
        same and sorted(values) == sorted(stated.parameters), f"{stem} must have the log weight of {of}, and values"
    )
    chosen = {key: read(value) for key, value in values.items()}
    for condition in (*stated.conditions, *noise.conditions):
        require(holds(substitute(condition, chosen)), f"the condition {condition} does not hold")
    true, claimed = (substitute(f.term, chosen) for f in (noise.normaliser, stated.normaliser) if f is not None)
    require(holds(term_is_not_zero(claimed)) and holds(term_is_not_zero(true - claimed)), f"{stem} integrates to 1")
    return Refuted(Law("normalised", registry.subject(stated), stated.conditions))
