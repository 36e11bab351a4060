"""sensitivity_examples: how far small queries of numbers move, and which noise is the larger."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import false_at
from refdp.provers.lemmas import lemma


def identity() -> Theorem:
    """x itself."""
    return lemma("sensitivity_examples.identity")


def twice() -> Theorem:
    """x + x."""
    return lemma("sensitivity_examples.twice")


def tenfold() -> Theorem:
    """10 x."""
    return lemma("sensitivity_examples.tenfold")


def square_is_unbounded() -> Theorem:
    """From bound to bound + 1 the square moves by 2 bound + 1."""
    return lemma("sensitivity_examples.square_is_unbounded")


def square_between_bounds() -> Theorem:
    """On [0, 12] the square moves by at most 12^2 - 11^2."""
    return lemma("sensitivity_examples.square_between_bounds")


def clamp_bound_without_bars() -> Theorem:
    """If upper < 0 then |lower| is the larger anyway."""
    return lemma("sensitivity_examples.clamp_bound_without_bars")


def clamp_bound_in_any_order(claim: str) -> Theorem:
    """False: with lower = 0 and upper = -1 the bound is 0, but |upper| is 1."""
    return false_at("sensitivity_examples.clamp_bound_in_any_order", lower="0", upper="-1")


def average_of_a_count() -> Theorem:
    """A count that moves by 1, over n."""
    return lemma("sensitivity_examples.average_of_a_count")


def count_below_mean(claim: str) -> Theorem:
    """False: of two rows between 0 and 1 the mean moves by 1/2."""
    return false_at("sensitivity_examples.count_below_mean", lower="0", upper="1", n="2")


def mean_below_count(claim: str) -> Theorem:
    """False: of two rows between 0 and 10 the mean moves by 5."""
    return false_at("sensitivity_examples.mean_below_count", lower="0", upper="10", n="2")


def no_constant_over_n() -> Theorem:
    """The number bound + 1 is larger than bound."""
    return lemma("sensitivity_examples.no_constant_over_n")


def noise_falls_with_epsilon() -> Theorem:
    """A larger divisor."""
    return lemma("sensitivity_examples.noise_falls_with_epsilon")


def median_is_unbounded() -> Theorem:
    """(0, 0, bound + 1) and (0, bound + 1, bound + 1) differ in one number."""
    return lemma("sensitivity_examples.median_is_unbounded")


def rank_score() -> Theorem:
    """The triangle inequality."""
    return lemma("sensitivity_examples.rank_score")
