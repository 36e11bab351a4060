"""printed_proofs: steps of proofs as documents print them."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import false_at
from refdp.provers.lemmas import lemma


def reverse_triangle() -> Theorem:
    """The triangle inequality for z - h = (z - g) + (g - h)."""
    return lemma("printed_proofs.reverse_triangle")


def constant_cancels() -> Theorem:
    """Above and below the line."""
    return lemma("printed_proofs.constant_cancels")


def coordinates_add_up() -> Theorem:
    """epsilon times a share of at most 1."""
    return lemma("printed_proofs.coordinates_add_up")


def shift_of_at_most_the_sensitivity() -> Theorem:
    """Every shift, in both directions."""
    return lemma("printed_proofs.shift_of_at_most_the_sensitivity")


def shift_of_the_sensitivity_is_any(claim: str) -> Theorem:
    """False: a shift of 0 changes nothing, a shift of the sensitivity does."""
    return false_at("printed_proofs.shift_of_the_sensitivity_is_any", epsilon="1", sensitivity="1", shift="0", z="0")


def rectangles_minimum() -> Theorem:
    """A probability is at most 1, and so is its part before delta is added."""
    return lemma("printed_proofs.rectangles_minimum")


def rectangles() -> Theorem:
    """The document's chain of inequalities, from its first line to its last."""
    return lemma("printed_proofs.rectangles")


def delta_inside_the_minimum(claim: str) -> Theorem:
    """False: with u = 0 the right side is 0, and delta_1 is still there on the left."""
    return false_at("printed_proofs.delta_inside_the_minimum", p="1/2", q="0", u="0", v="0", d_1="1/2", d_2="0")


def factor_dropped(claim: str) -> Theorem:
    """False: 1 is at most twice 1/2, and more than 1/2."""
    return false_at("printed_proofs.factor_dropped", p="1", q="1/2", t="2", d="0")


def estimate_is_unbiased() -> Theorem:
    """The expected share of ones, turned back."""
    return lemma("printed_proofs.estimate_is_unbiased")


def raw_mean_is_unbiased(claim: str) -> Theorem:
    """False: where every bit is 1 and the truth is told with 3/4, three quarters of the answers are 1."""
    return false_at("printed_proofs.raw_mean_is_unbiased", t="3", k="1")
