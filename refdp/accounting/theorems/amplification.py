"""Amplification by sampling: one row for each (scheme, neighbouring relation, what the base mechanism satisfies).

A row is a theorem with its proof, or a sentence that says why there is none.  What has no row is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from refdp.accounting.theorems.composition import DIGITS, group, replaced, term
from refdp.accounting.theorems.guarantees import RELATIONS, Guarantee, Neighbours, Number, require
from refdp.numerics.exact import NotExact, exact, exact_number, upper_bound
from refdp.terms.term import exp, ln, number

Scheme = Literal["poisson", "fixed_size", "shuffled"]
SCHEMES = ("poisson", "fixed_size", "shuffled")
"""Each row with the rate as its probability, on its own; so many rows, every set of them as likely; all, reordered."""
Key = tuple[str, str, str]
"""Scheme, relation of the sampled mechanism, relation of the base."""


@dataclass(frozen=True, slots=True)
class Row:
    """The theorem's name and the measures that it is of, or why there is none."""

    theorem: str = ""
    measures: tuple[str, ...] = ()
    why_not: str = ""
    steps: Literal["directly", "then two rows", "after two rows"] = "directly"


EPSILONS = ("pure", "approximate")
NO_SIZE = "a sample of a fixed size is of a table of public size, which has no neighbours under add_remove"
NO_SHUFFLE = "no theorem is stated for shuffled rows: a shuffled batch is no Poisson sample"
NO_EMPTY = (
    "Poisson sampling of a mechanism that is private under replacement only gives nothing under {}: "
    "nothing is known of tables of another size"
)
ROWS: Mapping[Key, Row] = {
    ("poisson", "add_remove", "add_remove"): Row("kernel rule poisson_sampled", EPSILONS),
    ("poisson", "change_one", "add_remove"): Row(
        "kernel rules poisson_sampled, group, replaced_rows", EPSILONS, steps="then two rows"
    ),
    ("poisson", "add_remove", "change_one"): Row(why_not=NO_EMPTY.format("add_remove")),
    ("poisson", "change_one", "change_one"): Row(why_not=NO_EMPTY.format("change_one")),
    ("fixed_size", "change_one", "change_one"): Row("kernel rule fixed_size_sampled", EPSILONS),
    ("fixed_size", "change_one", "add_remove"): Row(
        "kernel rules group, replaced_rows, fixed_size_sampled", EPSILONS, steps="after two rows"
    ),
    ("fixed_size", "add_remove", "add_remove"): Row(why_not=NO_SIZE),
    ("fixed_size", "add_remove", "change_one"): Row(why_not=NO_SIZE),
    **{("shuffled", after, base): Row(why_not=NO_SHUFFLE) for after in RELATIONS for base in RELATIONS},
}
OTHER_MEASURES = (
    "sampling is proved for pure and approximate DP here, got {}: "
    "account the pair of laws of the sampled mechanism, or convert first"
)


def row(scheme: str, neighbours: str, satisfies: Guarantee) -> Row:
    """The row for a mechanism that satisfies the guarantee, sampled; HypothesisError where there is no theorem."""
    require(scheme in SCHEMES, f"scheme must be one of {', '.join(SCHEMES)}, got {scheme}")
    require(neighbours in RELATIONS, f"neighbours must be {' or '.join(RELATIONS)}, got {neighbours}")
    found = ROWS[scheme, neighbours, satisfies.neighbours]
    require(not found.why_not, found.why_not)
    require(satisfies.measure in found.measures, OTHER_MEASURES.format(satisfies.measure))
    require(satisfies.edits == 1, f"sampling is stated for one edit of the base mechanism, got {satisfies.edits}")
    return found


def amplified(scheme: Scheme, neighbours: Neighbours, satisfies: Guarantee, rate: object) -> Guarantee:
    """The guarantee of the sampled mechanism: epsilon rounded up unless it is a + ln b; delta times the rate.

    `rate` is the probability of each row, or the share of the rows that is in the sample: 0 <= rate <= 1.

    >>> from refdp.accounting.theorems.guarantees import guarantee
    >>> base = guarantee("approximate", "ln(3)", "1/10", neighbours="add_remove")
    >>> [str(x) for x in amplified("poisson", "add_remove", base, "1/2").loss]
    ['ln(2)', '1/20']
    """
    found, share = row(scheme, neighbours, satisfies), exact(rate, "rate")
    require(0 <= share <= 1, f"rate must be between 0 and 1, got {share}")
    base = replaced(group(satisfies, 2)) if found.steps == "after two rows" else satisfies
    loss = (_epsilon(share, base.loss[0]), *((share * base.delta,) if base.measure == "approximate" else ()))
    sampled = replace(base, loss=loss)
    return replaced(group(sampled, 2)) if found.steps == "then two rows" else sampled


def _epsilon(rate: Fraction, epsilon: Number) -> Number:
    """ln(1 + rate (e^epsilon - 1)), exactly where it is a + ln b."""
    loss = ln(1 + number(rate) * (exp(term(epsilon)) - 1))
    try:
        found = exact_number(loss)
    except NotExact:
        return upper_bound(loss, DIGITS)
    return found
