"""normal_law: the tail of the standard normal law, and the exact delta of normal noise, as integrals."""

from refdp.kernel.theorem import Theorem
from refdp.provers.lemmas import lemma


def is_the_integral() -> Theorem:
    """By the error function."""
    return lemma("normal_law.is_the_integral")


def exact_delta() -> Theorem:
    """By the error function: the excess of one density over e^epsilon times the other, over the worst half line."""
    return lemma("normal_law.exact_delta")
