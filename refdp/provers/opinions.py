"""Opinions: what several oracles say of one statement, and whom one has to believe then."""

from __future__ import annotations

from refdp.provers.answers import Answer, SolverDisagreement
from refdp.provers.balls import decide
from refdp.provers.oracles import ENCODER, run
from refdp.provers.processes import SolverMissing
from refdp.spec.statements import Statement

Opinions = dict[str, Answer]
"""Oracle -> its answer."""


def ask(oracle: str, statement: Statement, seconds: float) -> Answer:
    """The oracle's answer, of arb too; "unknown" where it is not installed."""
    try:
        return decide(statement) if oracle == "arb" else run(oracle, statement, seconds)
    except SolverMissing as missing:
        return Answer("unknown", reason=str(missing))


def agreed(statement: Statement, opinions: Opinions) -> frozenset[str]:
    """Who is believed where those who answered agree; nobody if none proves it.  Raises SolverDisagreement.

    Of z3 and cvc5 one is believed, whichever: they become one name, "z3 VERSION and cvc5 VERSION".
    """
    proving = [answer for answer in opinions.values() if answer.verdict == "proved"]
    if proving and any(answer.contradicts for answer in opinions.values()):
        raise SolverDisagreement(f"{' and '.join(opinions)} contradict each other; one of them is wrong: {statement}")
    if len(proving) < 2:
        return frozenset().union(*(answer.trusts for answer in proving))
    helpers = frozenset().union(*(answer.trusts for answer in proving)) & {ENCODER}
    return helpers | {" and ".join(name for answer in proving for name in sorted(answer.trusts - helpers))}


__all__ = ["Opinions", "agreed", "ask"]
