"""The lemmas that the claims of one thing rest on, proved by their oracles."""

from refdp.kernel.rules import false_statement, normalised, row_by_row, sampler_law, sum_of_rows
from refdp.kernel.rules.logic import obligation
from refdp.kernel.theorem import Theorem
from refdp.provers.lemmas import lemmas
from refdp.spec import obligations


def privacy_lemmas(stem: str, measure: str = "pure", vector: bool = False) -> list[Theorem]:
    """What the privacy map of `stem` rests on."""
    return lemmas(stem, obligations.privacy(stem, measure, vector))


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


def false_at(identifier: str, **values: str) -> Theorem:
    """|- the statement is false: at these values its hypotheses hold and its conclusion does not."""
    return false_statement(obligation=identifier, digest=obligation(identifier).digest, values=values)
