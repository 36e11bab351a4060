"""What shells complete: claims, mechanisms and the words that options take; none of it loads a prover."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path


def among(*words: str) -> Callable[[str], list[str]]:
    """Completes to one of these words."""

    def begun(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return begun


neighbours = among("add_remove", "change_one")
samplings = among("poisson", "fixed_size", "balls_in_bins")
adjacencies = among("ALL", "ONE", "L1", "L2", "MONO", "ADD_REMOVE")
solvers = among("z3", "cvc5", "both")
norms = among("L1", "L2", "Linf")
tables = among("lists", "multisets")
arithmetics = among("exact", "float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8")
sums = among("python", "naive", "pairwise", "kahan", "neumaier", "numpy", "fsum")
statistics = among("median", "minimum", "maximum", "quantile ", "rank ")
queries = among("count", "histogram ", "sum ", "mean ", "threshold ", "select ")
pictures = among(
    "laws", "losses", "profile", "trade_off", "divergences", "frontier", "derivation", "alignment", "tables"
)
attacks = among("averaging", "correlation", "differencing", "inference", "linkage", "membership", "reconstruction")
trained = among("logistic", "linear")
training_noise = among("gaussian", "discrete_gaussian")
models = among("k_means", "linear_regression", "logistic_regression", "naive_bayes", "principal_components")
methods = among("likelihood", "mean", "least_squares", "linear_programming")
parameters = among("sigma", "scale", "rate", "count", "sensitivity", "epsilon", "rho")


@cache
def identifiers(programs: bool = True, general: bool = False) -> tuple[str, ...]:
    """Every claim of the ledger, as its files list them; those about all mechanisms only where it is said."""
    import tomllib

    folder = Path(__file__).parents[1] / "ledger"
    books = sorted(one.name for one in folder.iterdir() if one.name.endswith(".toml"))
    if not general:
        books.remove("general.toml")
    if not programs:
        books.remove("programs.toml")
    read = (tomllib.loads((folder / name).read_text(encoding="utf-8")) for name in books)
    return tuple(f"{stem}.{notion}" for book in read for stem, notions in book.items() for notion in notions)


def claims(incomplete: str) -> list[str]:
    """The claims that can be explained and begin so."""
    return [one for one in identifiers(programs=False) if one.startswith(incomplete)]


def drawn(incomplete: str) -> list[str]:
    """The claims that begin so, those about programs among them, and the frontier."""
    return [one for one in ("frontier", *identifiers()) if one.startswith(incomplete)]


def patterns(incomplete: str) -> list[str]:
    """A pattern for each stem that begins so; within a stem its claims."""
    if "." in incomplete:
        return [one for one in identifiers(general=True) if one.startswith(incomplete)]
    stems = dict.fromkeys(f"{one.partition('.')[0]}.*" for one in identifiers(general=True))
    return [one for one in stems if one.startswith(incomplete)]


def mechanisms(incomplete: str) -> list[str]:
    """The mechanisms with a sampler of numbers that begin so."""
    from refdp.commands.sample_requests import constructors

    return [name for name in constructors() if name.startswith(incomplete)]


def types(incomplete: str) -> list[str]:
    """The types of groups of test vectors that begin so."""
    from refdp.test_vectors.schemas import SCHEMAS

    return [one for one in SCHEMAS if one.startswith(incomplete)]
