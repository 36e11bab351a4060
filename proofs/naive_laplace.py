"""naive_laplace: outputs of doubles that tell 37 from 25, and the probability that they have."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import closed_statement
from refdp.provers.lemmas import lemma


def draws_have_a_gap() -> Theorem:
    """Modulo 8 the values of w are 0, 1, 4 and 7."""
    return lemma("naive_laplace.draws_have_a_gap")


def gap_straddles_the_output() -> Theorem:
    """By enclosures of two logarithms."""
    return closed_statement("naive_laplace.gap_straddles_the_output")


def output_is_reached() -> Theorem:
    """By an enclosure of a logarithm."""
    return closed_statement("naive_laplace.output_is_reached")


def largest_draw() -> Theorem:
    """By an enclosure of ln 2."""
    return closed_statement("naive_laplace.largest_draw")
