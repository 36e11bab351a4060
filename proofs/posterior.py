"""posterior: what an answer tells about a person."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import false_at
from refdp.provers.lemmas import lemma


def odds_move_by_the_factor() -> Theorem:
    """Bayes' rule: the odds are multiplied by p / q."""
    return lemma("posterior.odds_move_by_the_factor")


def nothing_new(claim: str) -> Theorem:
    """False: with truth 3/4, an answer 1 takes a prior of 1/2 to 3/4."""
    return false_at("posterior.nothing_new", p="3/4", q="1/4", t="3", prior="1/2")
