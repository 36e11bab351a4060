"""The lemmas that the claims of one thing rest on, and the rule that makes each claim of them."""

from functools import cache

from refdp.kernel import rules
from refdp.kernel.rules import (
    decided,
    false_statement,
    instantiate,
    normalised,
    regularised_minimiser,
    rescaled_rows,
    row_by_row,
    sampler_law,
    selection_tail,
    sum_of_rows,
    sums_in_cells,
    tail_restated,
)
from refdp.kernel.rules.logic import obligation
from refdp.kernel.theorem import Theorem
from refdp.provers.lemmas import lemma, lemmas
from refdp.spec import accuracy, obligations
from refdp.spec import classical as classical_region
from refdp.spec.registry import kind_of
from refdp.spec.samplers import drawn_from
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.terms.term import TermError, name


def masses_sum_to_1(stem: str) -> Theorem:
    """|- the masses of `stem` sum to 1."""
    return normalised(*lemmas(stem, obligations.law(stem)), stem=stem)


def loss_is_unbounded(stem: str) -> Theorem:
    """|- the noise `stem` has no finite loss."""
    return rules.unbounded_loss(*lemmas(stem, obligations.unbounded_loss(stem)), stem=stem)


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


def rescaled_sum_is_stable(stem: str, neighbours: str) -> Theorem:
    """|- the stability map of a sum of rescaled rows."""
    return rescaled_rows(*lemmas(stem, obligations.stability(stem, neighbours)), stem=stem, neighbours=neighbours)


def minimiser_is_stable(stem: str, neighbours: str, norm: str = "l2") -> Theorem:
    """|- the stability map of a regularised minimiser."""
    needed = obligations.stability(stem)
    return regularised_minimiser(*lemmas(stem, needed), stem=stem, neighbours=neighbours, norm=norm)


def objective_is_private(stem: str, neighbours: str) -> Theorem:
    """|- the privacy map of a perturbed objective."""
    return rules.perturbed_objective(*lemmas(stem, obligations.privacy(stem)), stem=stem, neighbours=neighbours)


def cells_are_stable(stem: str, neighbours: str, norm: str) -> Theorem:
    """|- the stability map of a sum in cells."""
    needed = obligations.stability(stem, neighbours, norm)
    return sums_in_cells(*lemmas(stem, needed), stem=stem, neighbours=neighbours, norm=norm)


def rows_are_stable(stem: str, neighbours: str, sized: str = "no") -> Theorem:
    """|- the stability map of a row function."""
    needed = obligations.stability(stem)
    return row_by_row(*lemmas(stem, needed), stem=stem, neighbours=neighbours, sized=sized)


def choice_falls_short(stem: str) -> Theorem:
    """|- how likely the choice of a selection is far below the best."""
    kind = kind_of(stem)
    if not isinstance(kind, WeightedSelection | FlipSelection):
        raise TermError(f"{stem} is no selection")
    return selection_tail(*lemmas(stem, accuracy.selection_obligations(kind, True)), stem=stem, inverted="yes")


def choice_falls_short_by_logarithms(stem: str) -> Theorem:
    """|- how likely the choice of a selection is scale (ln(candidates) + t) below the best."""
    at_t = instantiate(choice_falls_short(stem), values={"beta": "exp(-t)"})
    values = {key: key for key in ("candidates", "scale", "t")}
    return tail_restated(at_t, lemma("accuracy.radius_of_a_selection"), values=values)


def noisy_count(scale: str) -> Theorem:
    """|- a count with discrete Laplace noise, one row added or removed: pure(1 / scale)."""
    counted = instantiate(sum_is_stable("count", "add_remove"), values={"rows": "records()", "d_in": "1"})
    needed = lemmas("discrete_laplace", obligations.privacy("discrete_laplace"))
    noise = rules.additive_noise(*needed, stem="discrete_laplace", measure="pure")
    return rules.chain(counted, instantiate(noise, values={"scale": scale, "granularity": "1", "d_in": "1"}))


def enumerated(
    subject: str, domain: str, measure: str = "pure", factor: str = "1", metric: str = "discrete", d_in: str = "1"
) -> Theorem:
    """|- the least loss of a finite mechanism, between any two inputs unless metric and d_in say otherwise."""
    near = {"metric": metric, "d_in": d_in}
    return rules.finite_mechanism(subject=subject, domain=domain, measure=measure, factor=factor, **near)


def classical(exact: Theorem, region: str, vector: str = "no") -> Theorem:
    """|- sigma = d_in sqrt(2 ln(constant / delta)) / epsilon gives (epsilon, delta)-DP on the region."""
    bounds = [_inequality(f"{classical_region.STEM}.{key}") for key in classical_region.inequalities(region)]
    return rules.classical_noise(exact, *bounds, stem="gaussian", region=region, vector=vector)


def _inequality(identifier: str) -> Theorem:
    """|- a named inequality: by the kernel alone where it is closed or its names are bounded, else by an oracle."""
    statement = obligation(identifier)
    if not statement.variables:
        return decided(obligation=identifier, digest=statement.digest)
    bounded = {b for g in statement.given for b in g.arguments[:1]}
    if all(name(v) in bounded for v in statement.variables):
        return rules.branch_and_bound(obligation=identifier, digest=statement.digest)
    return lemma(identifier)


def closed_statement(identifier: str) -> Theorem:
    """|- a statement without names, decided by the kernel."""
    return decided(obligation=identifier, digest=obligation(identifier).digest)


def false_at(identifier: str, **values: str) -> Theorem:
    """|- a statement is false, by the values of its names."""
    return false_statement(obligation=identifier, digest=obligation(identifier).digest, values=values)
