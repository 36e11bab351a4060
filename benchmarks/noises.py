"""The samplers that are timed: what a user can call, without arguments, and how many draws it makes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from importlib import metadata, util
from typing import Any, NamedTuple

LAWS = ("laplace", "gaussian")
THIS, OPENDP, REFERENCE, FLOATS = "refdp", "OpenDP", "CKS20 in Python", "numpy's floats"


class Job(NamedTuple):
    """`run` makes `draws` draws."""

    run: Callable[[], Any]
    draws: int


def version_of(package: str) -> str | None:
    """The version of a package, None if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def jobs(law: str, scale: int, n: int) -> dict[str, Job]:
    """The samplers of n draws; OpenDP makes at most 20,000 at a time and CKS20 at most 300."""
    found = {THIS: this(law, scale, n), REFERENCE: reference(law, scale, min(n, 300)), FLOATS: floats(law, scale, n)}
    return found | ({OPENDP: opendp(law, scale, min(n, 20_000))} if util.find_spec("opendp") else {})


def measurement(law: str, scale: Any) -> Any:
    """Ours."""
    import refdp

    return {"laplace": refdp.discrete_laplace, "gaussian": refdp.discrete_gaussian}[law](scale)


def this(law: str, scale: int, n: int) -> Job:
    """`M.each(zeros)`, or `M(0)`, of which so many were made before that a table is worth making."""
    import numpy as np

    made, zeros = measurement(law, scale), np.zeros(n, np.int64)
    made.each(np.zeros(10_000, np.int64))
    return Job((lambda: made(0)) if n == 1 else (lambda: made.each(zeros)), n)


def in_place(law: str, scale: int, n: int) -> Job:
    """`M.each(xs, out=xs)`."""
    import numpy as np

    made, zeros = measurement(law, scale), np.zeros(n, np.int64)
    return Job(lambda: made.each(zeros, out=zeros), n)


def opendp(law: str, scale: int, n: int) -> Job:
    """OpenDP's measurement of a vector of int64, or of a number."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    made = {"laplace": dp.m.make_laplace, "gaussian": dp.m.make_gaussian}[law]
    atom = dp.atom_domain(T=dp.i64)
    if n == 1:
        one = made(atom, dp.absolute_distance(T=dp.i64), scale=float(scale))
        return Job(lambda: one(0), 1)
    distance = dp.l1_distance(T=dp.i64) if law == "laplace" else dp.l2_distance(T=dp.i64)
    many, zeros = made(dp.vector_domain(atom), distance, scale=float(scale)), [0] * n
    return Job(lambda: many(zeros), n)


def reference(law: str, scale: int, n: int) -> Job:
    """The published algorithm (CKS20 Alg. 2 and 3) on coin flips, as IBM's library has it: our own specification."""
    from refdp.sampling.coins import Coins
    from refdp.sampling.schemes import draw

    subject, coins, zero = measurement(law, scale).subject, Coins(), Fraction(0)
    return Job(lambda: [draw(subject, zero, coins) for _ in range(n)], n)


def floats(law: str, scale: int, n: int) -> Job:
    """numpy's own, which are not exact: how fast one may hope to be."""
    import numpy as np

    rng = np.random.default_rng()
    draw = {"laplace": rng.laplace, "gaussian": rng.normal}[law]
    return Job(lambda: draw(0.0, scale, n), n)
