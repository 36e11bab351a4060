"""Programs for tests of judges: some are right, some end in ways of their own.  Only the standard library."""

import os
from random import Random, expovariate, gauss

CALLS = []
ONE_STATE = Random(5)


def normal(x, n):
    """x plus Gaussian noise of standard deviation 2, n times."""
    return [gauss(x, 2.0) for _ in range(n)]


def half_laplace(x, n):
    """x plus Laplace noise of scale 1/2, n times."""
    return [x + 0.5 * (expovariate(1.0) - expovariate(1.0)) for _ in range(n)]


def epsilon(d_in):
    """What a library would say of it."""
    return float(d_in)


def from_one_state(x, n):
    """The noise of every process is the same."""
    return [ONE_STATE.gauss(x, 1.0) for _ in range(n)]


def dies_late(x):
    """The process ends at its 300th call, whatever the input: more than the training part asks for."""
    CALLS.append(x)
    if len(CALLS) == 300:
        os._exit(3)
    return gauss(x, 1.0)


def exits(x):
    """Leaves by SystemExit for one input."""
    if x:
        raise SystemExit(2)
    return 0


def nan(x, n):
    """Not a number, among numbers."""
    return [float("nan"), *(gauss(x, 2.0) for _ in range(n - 1))]
