"""The lemmas that the claims of one thing rest on, proved by their oracles."""

from refdp.kernel.rules import (
    branch_and_bound,
    classical_noise,
    decided,
    normal_noise,
    normalised,
    row_by_row,
    sampler_law,
    sum_of_rows,
)
from refdp.kernel.rules.logic import obligation
from refdp.kernel.theorem import Theorem
from refdp.provers.lemmas import lemma, lemmas
from refdp.spec import classical, obligations
from refdp.spec.terms import name


def privacy_lemmas(stem: str, measure: str = "pure", vector: bool = False) -> list[Theorem]:
    """What the privacy map of `stem` rests on."""
    return lemmas(stem, obligations.privacy(stem, measure, vector))


def exact_delta_lemmas(stem: str) -> list[Theorem]:
    """What the exact delta of the normal noise `stem` rests on."""
    return lemmas(stem, obligations.exact_delta(stem))


def exact_delta(stem: str, vector: str = "no") -> Theorem:
    """|- normal noise has its exact delta at every epsilon."""
    return normal_noise(*exact_delta_lemmas(stem), stem=stem, vector=vector)


def classical_theorem(stem: str, region: str, vector: str = "no") -> Theorem:
    """|- sigma = d_in sqrt(2 ln(constant / delta)) / epsilon gives (epsilon, delta)-DP on the region."""
    needed = [inequality(f"{classical.STEM}.{key}") for key in classical.inequalities(region)]
    return classical_noise(exact_delta(stem, vector), *needed, stem=stem, region=region, vector=vector)


def inequality(identifier: str) -> Theorem:
    """|- a named inequality: by the kernel alone where it is closed or its names are bounded, else by an oracle."""
    statement = obligation(identifier)
    if not statement.variables:
        return decided(obligation=identifier, digest=statement.digest)
    bounded = {b for g in statement.given for b in g.arguments[:1]}
    if all(name(v) in bounded for v in statement.variables):
        return branch_and_bound(obligation=identifier, digest=statement.digest)
    return lemma(identifier)


def masses_sum_to_1(stem: str) -> Theorem:
    """|- the masses of `stem` sum to 1."""
    return normalised(*lemmas(stem, obligations.law(stem)), stem=stem)


def sampler_draws_the_law(stem: str) -> Theorem:
    """|- the sampler of `stem` draws from its law."""
    return sampler_law(*lemmas(stem, obligations.sampler(stem)), stem=stem)


def sum_is_stable(stem: str, neighbours: str, norm: str = "absolute") -> Theorem:
    """|- the stability map of a sum of rows."""
    needed = obligations.stability(stem, neighbours, norm)
    return sum_of_rows(*lemmas(stem, needed), stem=stem, neighbours=neighbours, norm=norm)


def rows_are_stable(stem: str, neighbours: str, sized: str = "no") -> Theorem:
    """|- the stability map of a row function."""
    needed = obligations.stability(stem)
    return row_by_row(*lemmas(stem, needed), stem=stem, neighbours=neighbours, sized=sized)
