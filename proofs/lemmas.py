"""The lemmas that the claims of one thing rest on, and the rule that makes each claim of them."""

from functools import cache

from refdp.kernel import rules
from refdp.kernel.rules import (
    branch_and_bound,
    classical_noise,
    decided,
    estimate_tail,
    false_statement,
    grid_noise,
    instantiate,
    mistake_tail,
    noise_tail,
    normal_noise,
    normalised,
    row_by_row,
    sampler_law,
    selection_tail,
    sum_of_rows,
    tail_restated,
)
from refdp.kernel.rules.logic import obligation
from refdp.kernel.theorem import Theorem
from refdp.provers.lemmas import lemma, lemmas
from refdp.spec import accuracy, classical, obligations
from refdp.spec.finite import FiniteLaw
from refdp.spec.noise import AdditiveNoise
from refdp.spec.registry import kind_of, lookup
from refdp.spec.samplers import drawn_from
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.spec.terms import TermError, name


def privacy_lemmas(stem: str, measure: str = "pure", vector: bool = False) -> list[Theorem]:
    """What the privacy map of `stem` rests on."""
    return lemmas(stem, obligations.privacy(stem, measure, vector))


def log_concavity_lemmas(stem: str) -> list[Theorem]:
    """What the worst event of the noise `stem` on a grid rests on."""
    return lemmas(stem, obligations.log_concavity(stem))


def exact_sums(stem: str, claim: str) -> Theorem:
    """|- the closed claim of approximate DP about the noise `stem` on a grid."""
    return grid_noise(*log_concavity_lemmas(stem), claim=claim)


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


def loss_is_unbounded(stem: str) -> Theorem:
    """|- the noise `stem` has no finite loss."""
    return rules.unbounded_loss(*lemmas(stem, obligations.unbounded_loss(stem)), stem=stem)


def renyi_divergence(stem: str) -> Theorem:
    """|- the exact Renyi divergence of `stem`."""
    return rules.renyi_divergence(*lemmas(stem, obligations.divergence(stem)), stem=stem)


def renyi_bound(stem: str) -> Theorem:
    """|- the exact Renyi divergence of `stem` as a bound within every distance."""
    return rules.renyi_bound(*lemmas(stem, obligations.divergence(stem)), stem=stem)


def has_the_same_law(stem: str) -> Theorem:
    """|- the noisy maximum `stem` has the law of another selection."""
    return rules.same_law(*lemmas(stem, obligations.same_law(stem)), stem=stem)


def sampler_draws_the_law(stem: str) -> Theorem:
    """|- the sampler of `stem` draws from its law, as what it calls does."""
    return sampler_law(
        *lemmas(stem, obligations.sampler(stem)), *map(called_draws_its_law, drawn_from(stem)), stem=stem
    )


@cache
def called_draws_its_law(stem: str) -> Theorem:
    """|- the same, of what other samplers call: one theorem, however many rest on it."""
    return sampler_draws_the_law(stem)


def sum_is_stable(stem: str, neighbours: str, norm: str = "absolute") -> Theorem:
    """|- the stability map of a sum of rows."""
    needed = obligations.stability(stem, neighbours, norm)
    return sum_of_rows(*lemmas(stem, needed), stem=stem, neighbours=neighbours, norm=norm)


def rows_are_stable(stem: str, neighbours: str, sized: str = "no") -> Theorem:
    """|- the stability map of a row function."""
    needed = obligations.stability(stem)
    return row_by_row(*lemmas(stem, needed), stem=stem, neighbours=neighbours, sized=sized)


def noise_error(stem: str, event: str = "at_least", exactly: str = "no", inverted: str = "no") -> Theorem:
    """|- how likely the error of additive noise is at least, or more than, a number."""
    kind = lookup(stem, AdditiveNoise)
    needed = lemmas(stem, accuracy.noise_obligations(kind, exactly == "yes", inverted == "yes"))
    return noise_tail(*needed, stem=stem, event=event, exactly=exactly, inverted=inverted)


def choice_falls_short(stem: str) -> Theorem:
    """|- how likely the choice of a selection is far below the best."""
    kind = kind_of(stem)
    if not isinstance(kind, WeightedSelection | FlipSelection):
        raise TermError(f"{stem} is no selection")
    return selection_tail(*lemmas(stem, accuracy.selection_obligations(kind, True)), stem=stem, inverted="yes")


def output_is_mistaken(stem: str) -> Theorem:
    """|- how likely the output of a finite law is not its input."""
    return mistake_tail(*lemmas(stem, accuracy.mistake_obligations(lookup(stem, FiniteLaw))), stem=stem)


def estimate_is_off(stem: str) -> Theorem:
    """|- how likely the estimate from n outputs is far off."""
    return estimate_tail(*lemmas(stem, accuracy.estimate_obligations(lookup(stem, FiniteLaw))), stem=stem)


def choice_falls_short_by_logarithms(stem: str) -> Theorem:
    """|- how likely the choice of a selection is scale (ln(candidates) + t) below the best."""
    at_t = instantiate(choice_falls_short(stem), values={"beta": "exp(-t)"})
    values = {key: key for key in ("candidates", "scale", "t")}
    return tail_restated(at_t, lemma("accuracy.radius_of_a_selection"), values=values)


def closed_statement(identifier: str) -> Theorem:
    """|- a statement without names, decided by the kernel."""
    return decided(obligation=identifier, digest=obligation(identifier).digest)


def false_at(identifier: str, **values: str) -> Theorem:
    """|- a statement is false, by the values of its names."""
    return false_statement(obligation=identifier, digest=obligation(identifier).digest, values=values)
