"""The lemmas that the claims of one thing rest on, and the rule that makes each claim of them."""

from functools import cache

from refdp.kernel import rules
from refdp.kernel.rules import (
    decided,
    false_statement,
    instantiate,
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
from refdp.spec import accuracy, obligations
from refdp.spec.registry import kind_of
from refdp.spec.samplers import drawn_from
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.spec.terms import TermError


def masses_sum_to_1(stem: str) -> Theorem:
    """|- the masses of `stem` sum to 1."""
    return normalised(*lemmas(stem, obligations.law(stem)), stem=stem)


def loss_is_unbounded(stem: str) -> Theorem:
    """|- the noise `stem` has no finite loss."""
    return rules.unbounded_loss(*lemmas(stem, obligations.unbounded_loss(stem)), stem=stem)


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


def closed_statement(identifier: str) -> Theorem:
    """|- a statement without names, decided by the kernel."""
    return decided(obligation=identifier, digest=obligation(identifier).digest)


def false_at(identifier: str, **values: str) -> Theorem:
    """|- a statement is false, by the values of its names."""
    return false_statement(obligation=identifier, digest=obligation(identifier).digest, values=values)
