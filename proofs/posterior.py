"""posterior: what an answer tells about a person."""

from itertools import product

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import closed_statement, false_at
from refdp.provers.lemmas import lemma


def odds_move_by_the_factor() -> Theorem:
    """Bayes' rule: the odds are multiplied by p / q."""
    return lemma("posterior.odds_move_by_the_factor")


def odds_where_others_are_independent() -> Theorem:
    """The other bit has the same odds beside a 1 as beside a 0: each of its values adds up its own inequality."""
    return lemma("posterior.odds_where_others_are_independent")


def whatever_the_prior(claim: str) -> Theorem:
    """False: all three bits are equal, and three answers of randomised response with truth 3/4 say so: 27, not 3."""
    tables = ["".join(bits) for bits in product("01", repeat=3)]
    weights = {f"w_{table}": "1/2" if table in ("000", "111") else "0" for table in tables}
    masses = {f"p_{table}": f"{3 ** table.count('1')}/64" for table in tables}
    return false_at("posterior.whatever_the_prior", t="3", **weights, **masses)


def three_equal_bits() -> Theorem:
    """(3/4)^3 is 27 times (1/4)^3."""
    return lemma("posterior.three_equal_bits")


def participation_whatever_the_prior(claim: str) -> Theorem:
    """False: a family of four is all in or all out, and the noisy count is 4: e^4, not e."""
    nobody = {f"w_{person}{relatives}": "0" for person, relatives in product("01", "0123")}
    return false_at("posterior.participation_whatever_the_prior", y="4", **nobody | {"w_13": "1/2", "w_00": "1/2"})


def family_of_four() -> Theorem:
    """The masses of 4 under the counts 4 and 0."""
    return closed_statement("posterior.family_of_four")


def nothing_new(claim: str) -> Theorem:
    """False: with truth 3/4, an answer 1 takes a prior of 1/2 to 3/4."""
    return false_at("posterior.nothing_new", p="3/4", q="1/4", t="3", prior="1/2")
