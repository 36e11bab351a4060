"""Whom one has to believe that a bound is smooth at every table: the solvers that prove the lemmas of its statistic."""

from __future__ import annotations

from collections.abc import Sequence

from refdp.provers.processes import WORKERS, SolverMissing
from refdp.sensitivities.question import Neighbours
from refdp.sensitivities.smoothing.lemmas import lemmas, undecided
from refdp.sensitivities.smoothing.parts import ADD_REMOVE
from refdp.sensitivities.smoothing.windows import FAMILIES, ORDER_MEAN, Family

SOLVERS = ("z3", "cvc5")
WRITTEN = "refdp's written proof of smoothness (docs/sensitivity.md)"
"""What makes a theorem of the lemmas: its inductions are read, not run."""


def families(statistic: str, neighbours: Neighbours) -> tuple[Family, ...]:
    """The families of windows that a statistic rests on."""
    return (ORDER_MEAN,) if neighbours == "change_one" else tuple(FAMILIES[n] for n in ADD_REMOVE[statistic])


def unproved_lemmas(
    statistic: str, neighbours: Neighbours, seconds: float = 5, solvers: Sequence[str] = SOLVERS
) -> dict[str, tuple[str, ...]]:
    """For each solver the lemmas that it does not prove: none where the bound is smooth over all tables."""
    wanted = tuple(lemma for family in families(statistic, neighbours) for lemma in lemmas(family))
    return {solver: undecided(wanted, solver, seconds) for solver in solvers}


def why_unproved(statistic: str, neighbours: Neighbours, seconds: float = 5, solvers: Sequence[str] = SOLVERS) -> str:
    """Which lemmas a solver does not prove, or that it is not installed; empty where each proves all."""
    try:
        found = unproved_lemmas(statistic, neighbours, seconds, solvers)
    except SolverMissing as missing:
        return str(missing)
    return "; ".join(f"{solver} does not prove {', '.join(names)}" for solver, names in found.items() if names)


def trusted(solvers: Sequence[str] = SOLVERS) -> tuple[str, ...]:
    """The written proof, and of several solvers that proved every lemma one, whichever."""
    return (WRITTEN, " and ".join(WORKERS[solver].start() for solver in solvers))
