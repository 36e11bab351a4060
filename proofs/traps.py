"""traps: rules of thumb that are false, each by a mechanism with a handful of outcomes."""

from fractions import Fraction

from refdp.kernel.rules import finite_mechanism, unlikely_elsewhere
from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import false_at
from refdp.provers.witnesses import refuted_by_event

BITS = (Fraction(0), Fraction(1))
BLINDED = "listed(tuple_of(tuple_of(1/2, 1/2), tuple_of(1/2, 1/2)))"


def blinded_bit() -> Theorem:
    """x xor R is a fair bit, whatever x is; so is R."""
    return finite_mechanism(subject=BLINDED, domain="finite(2)", metric="discrete", d_in="1")


def shared_coins(claim: str) -> Theorem:
    """False: x xor R together with R tells x."""
    return refuted_by_event(claim, {}, BITS)


def response_under_add_remove(claim: str) -> Theorem:
    """False: one half is no mean of one answer."""
    return refuted_by_event(claim, {}, BITS)


def noise_scaled_to_local_sensitivity(claim: str) -> Theorem:
    """False: where no neighbour has another median there is no noise, elsewhere there is."""
    return refuted_by_event(claim, {}, BITS)


def stability_map_as_privacy_map(claim: str) -> Theorem:
    """False: the sum without noise tells whether the row is there."""
    return refuted_by_event(claim, {}, BITS)


def not_private_yet_close(claim: str) -> Theorem:
    """False: the answer is 3 times likelier under one bit than the other, a little more than 299/100."""
    return refuted_by_event(claim, {}, BITS)


def naive_laplace_on_doubles(claim: str) -> Theorem:
    """False: the sum 37 has the output, the sum 25 has not."""
    return unlikely_elsewhere(claim=claim, a="0", b="1", event="tuple_of(0)")


def halves_by_rank(claim: str) -> Theorem:
    """False: a 0 added to four ones goes into the smaller half, and pushes a 1 into the larger."""
    return false_at("traps.halves_by_rank", added="0", a="1", b="1", c="1", d="1")
