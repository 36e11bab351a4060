"""What is true of a small discrete program, by exact enumeration of the Python function itself.

Nothing here reads the program: neighbours, bounds and probabilities are made anew, and independently of the prover.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from refdp.programs import exp, law, log
from refdp.programs.running.enumeration import OutputProbabilities
from refdp.programs.running.numbers import Exact, exact_of
from tests.programs.grammar import Sample

Data = tuple[int, ...]
"""Numbers, or truth values."""
MOST_DRAWS = 6
"""Longer runs are not followed."""
RELATED: Mapping[str, Callable[[Data], bool]] = {
    "ALL": lambda changes: all(abs(d) <= 1 for d in changes),
    "ONE": lambda changes: all(abs(d) <= 1 for d in changes) and sum(map(bool, changes)) <= 1,
    "L1": lambda changes: sum(map(abs, changes)) <= 1,
    "MONO": lambda changes: {*changes} <= {0, 1} or {*changes} <= {0, -1},
    "each(anything, changed=1)": lambda changes: sum(map(bool, changes)) <= 1,
}


@dataclass(frozen=True)
class Violation:
    """An output that breaks the bound, whatever was not enumerated."""

    old: Data
    new: Data
    output: Hashable
    before: Exact
    after: Exact


def function_of(sample: Sample) -> Callable[..., Any]:
    """The Python function."""
    namespace: dict[str, Any] = {}
    exec(compile(sample.text, "sample.py", "exec"), namespace)
    function: Callable[..., Any] = namespace["program"]
    return function


def bound_of(sample: Sample, n: int, settings: Mapping[str, str] | None = None) -> Exact:
    """e^claim for n data, where the parameters have these values, or those of the sample."""
    values = {name: exact_of(text, name) for name, text in (settings or sample.settings).items()} | {
        "n": exact_of(n, "n")
    }
    return exp(eval(sample.epsilon, {"ln": log, "exp": exp}, values))


def pairs(sample: Sample, n: int) -> Iterator[tuple[Data, Data]]:
    """Every two neighbouring data of that length, both ways round."""
    for old, new in product(product(sample.values, repeat=n), repeat=2):
        if old != new and RELATED[sample.adjacency](tuple(int(y) - int(x) for x, y in zip(old, new, strict=True))):
            yield old, new


def laws(sample: Sample, n: int) -> dict[Data, OutputProbabilities]:
    """The law of the output for all data of that length; of data that are one number n is 1."""
    function, limits = function_of(sample), {"reach": sample.reach, "most_draws": MOST_DRAWS}
    return {
        data: law(function, data[0] if sample.scalar else list(data), **limits, **sample.settings)
        for data in product(sample.values, repeat=n)
    }


def violations(sample: Sample, most: int) -> Iterator[Violation]:
    """Every output by which data of at most that length break the bound, as far as the enumeration shows."""
    for n in range(1, 2 if sample.scalar else most + 1):
        known, bound = laws(sample, n), bound_of(sample, n)
        for old, new in pairs(sample, n):
            for output, before in known[old].items():
                after = known[new].get(output, exact_of(0, "nothing")) + known[new].unresolved
                if before > bound * after:
                    yield Violation(old, new, output, before, after)
