"""posterior: what an answer tells about a person."""

from itertools import product

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import false_at


def whatever_the_prior(claim: str) -> Theorem:
    """False: all three bits are equal, and three answers of randomised response with truth 3/4 say so: 27, not 3."""
    tables = ["".join(bits) for bits in product("01", repeat=3)]
    weights = {f"w_{table}": "1/2" if table in ("000", "111") else "0" for table in tables}
    masses = {f"p_{table}": f"{3 ** table.count('1')}/64" for table in tables}
    return false_at("posterior.whatever_the_prior", t="3", **weights, **masses)


def participation_whatever_the_prior(claim: str) -> Theorem:
    """False: a family of four is all in or all out, and the noisy count is 4: e^4, not e."""
    nobody = {f"w_{person}{relatives}": "0" for person, relatives in product("01", "0123")}
    return false_at("posterior.participation_whatever_the_prior", y="4", **nobody | {"w_13": "1/2", "w_00": "1/2"})
