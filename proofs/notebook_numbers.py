"""notebook_numbers: the numbers that a notebook prints about sums with Laplace noise of scale 25."""

from fractions import Fraction

from refdp.kernel.rules import instantiate
from refdp.kernel.theorem import Theorem
from refdp.proofs import laplace
from refdp.proofs.lemmas import closed_statement, false_at
from refdp.provers.witnesses import refuted_by_output


def distance_without_alice() -> Theorem:
    """12 is in u only."""
    return closed_statement("notebook_numbers.distance_without_alice")


def distance_with_a_row_changed() -> Theorem:
    """12 is in u only, and 10 once more in v."""
    return closed_statement("notebook_numbers.distance_with_a_row_changed")


def areas() -> Theorem:
    """By enclosures of exponentials."""
    return closed_statement("notebook_numbers.areas")


def divergence_of_12() -> Theorem:
    """S lies above both sums: the densities differ by the factor e^(12/25) throughout."""
    return closed_statement("notebook_numbers.divergence_of_12")


def divergence_of_100() -> Theorem:
    """S lies between the sums 25 and 125, nearer to 25."""
    return closed_statement("notebook_numbers.divergence_of_100")


def divergence_of_48() -> Theorem:
    """S lies in the middle between the sums 25 and 73."""
    return closed_statement("notebook_numbers.divergence_of_48")


def divergence_grows(claim: str) -> Theorem:
    """False: a contribution of 12 has divergence 12/25 on S, one of 48 has 0."""
    return false_at("notebook_numbers.divergence_grows", contribution="12", larger="48")


def divergence_of_100_as_printed(claim: str) -> Theorem:
    """False: M(u) is the less likely in S."""
    return false_at("notebook_numbers.divergence_of_100_as_printed")


def greatest_divergence() -> Theorem:
    """The sums are 12 apart."""
    return instantiate(laplace.pure(), values={"scale": "25", "d_in": "12"})


def greatest_divergence_of_100() -> Theorem:
    """The sums are 100 apart."""
    return instantiate(laplace.pure(), values={"scale": "25", "d_in": "100"})


def printed_divergence_is_the_greatest(claim: str) -> Theorem:
    """False: at an output of 125 or more the loss is 4."""
    return refuted_by_output(claim, {}, [Fraction(125), Fraction(25)], [Fraction(125)])
