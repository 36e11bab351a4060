"""rounded_to: rounding is monotone and keeps shifts by a step, so that a whole number of steps stays one."""

from refdp.kernel import rules
from refdp.kernel.theorem import Theorem


def number() -> Theorem:
    """Numbers a whole number of steps apart stay so."""
    return rules.rounded(stem="rounded_to", metric="absolute")


def vector_linf() -> Theorem:
    """In each coordinate."""
    return rules.rounded(stem="rounded_to", metric="linf")


def vector_l1() -> Theorem:
    """Each coordinate moves less than a step further."""
    return rules.rounded(stem="rounded_to", metric="l1")


def vector_l2() -> Theorem:
    """Each coordinate moves less than a step further."""
    return rules.rounded(stem="rounded_to", metric="l2")


def any_distance(claim: str) -> Theorem:
    """False: 2/5 and 3/5 are rounded to 0 and 1."""
    return rules.unstable_pair(claim=claim, a="2/5", b="3/5")
