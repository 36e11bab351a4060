"""Randomised programs: read, proved for all inputs, refuted by an exact counterexample, and run with exact draws.

The names here are those that a program is written with; `run` and `law` run it.

>>> @claim(epsilon="ln((1 - p)/p)", adjacency=ALL, where="p < 1/2")
... def flipped(bit: bool, p: float) -> bool:
...     return not bit if bernoulli(p) else bit
>>> law(flipped, True, p="1/3")[True]
2/3
"""

from refdp.programs.adjacency import ADD_REMOVE, ALL, L1, L2, MONO, ONE
from refdp.programs.running.claiming import claim, each
from refdp.programs.running.draws import (
    argmax,
    bernoulli,
    choice,
    discrete_laplace,
    exponential,
    gaussian,
    laplace,
    uniform,
)
from refdp.programs.running.enumeration import law
from refdp.programs.running.numbers import exp, log
from refdp.programs.running.sources import drawing_from, run

__all__ = [
    "claim", "each", "ALL", "ONE", "L1", "L2", "MONO", "ADD_REMOVE",
    "laplace", "discrete_laplace", "exponential", "gaussian", "bernoulli", "choice", "uniform",
    "exp", "log", "argmax", "run", "law", "drawing_from",
]  # fmt: skip
