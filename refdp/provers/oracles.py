"""The oracles a proof may name: z3, cvc5, both of them, and sympy."""

from __future__ import annotations

from refdp import work
from refdp.provers.answers import Answer, SolverDisagreement
from refdp.provers.processes import WORKERS, SolverMissing, WorkerLost
from refdp.provers.smt.encode import NotEncodable
from refdp.provers.smt.solvers import Finding, decide
from refdp.provers.symbolic.prover import prove
from refdp.spec.statements import Statement

ORACLES = ("z3", "cvc5", "both", "sympy")
ENCODER = "refdp SMT-LIB encoder"
"""The name under which `provers/smt`, and the cases of `refdp.spec`, are trusted."""


def run(oracle: str, statement: Statement, timeout: float = 20.0) -> Answer:
    """The answer of `oracle` on `statement` after at most about `timeout` seconds.

    Raises: SolverMissing if a solver is not installed; SolverDisagreement if two contradict each other.
    """
    if oracle not in ORACLES:
        raise ValueError(f"oracle must be one of {', '.join(ORACLES)}, got {oracle!r}")
    if not timeout > 0:
        raise ValueError(f"timeout must be > 0 seconds, got {timeout}")
    try:
        if oracle == "sympy":
            return prove(statement, timeout)
        return _both(statement, timeout) if oracle == "both" else _one(oracle, statement, timeout)
    except NotEncodable as refusal:
        return Answer("unknown", reason=str(refusal))
    except WorkerLost as lost:
        return Answer("unknown", reason=f"{oracle}: {lost}")


def version(solver: str) -> str:
    """Name and version of z3, cvc5 or sympy, as it says itself; SolverMissing if it is not installed."""
    return WORKERS[solver].start()


def _one(solver: str, statement: Statement, timeout: float) -> Answer:
    """The answer of one solver."""
    who, found = version(solver), decide(solver, statement, timeout)
    return _answer(found, frozenset({who, ENCODER}), who)


def _both(statement: Statement, timeout: float) -> Answer:
    """The answer of z3 and cvc5: proved only if each of them proves it."""
    who = version("z3"), version("cvc5")
    start = work.spent()
    first = decide("z3", statement, timeout / 2)
    if first.verdict == "unknown":
        return _answer(first, frozenset(), who[0])
    second = decide("cvc5", statement, timeout - (work.spent() - start))
    if {first.verdict, second.verdict} == {"proved", "refuted"}:
        raise SolverDisagreement(
            f"{who[0]} says {first.verdict} and {who[1]} says {second.verdict} of this statement; "
            f"one of them is wrong: {statement}"
        )
    if first.verdict == "refuted":
        return _answer(first if first.model or not second.model else second, frozenset(), who[0])
    return _answer(second, frozenset({" and ".join(who), ENCODER}), who[1])


def _answer(found: Finding, trusts: frozenset[str], who: str) -> Answer:
    """A finding as an answer; a counterexample needs nobody's trust."""
    if found.verdict == "proved":
        return Answer("proved", trusts, found.reason)
    if found.model is not None:
        return Answer("disproved", model=found.model)
    return Answer("unknown", reason=f"{who}: {found.reason}", unconfirmed=found.verdict == "refuted")


__all__ = ["ORACLES", "Answer", "SolverDisagreement", "SolverMissing", "run", "version"]
