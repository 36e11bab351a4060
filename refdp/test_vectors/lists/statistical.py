"""SamplerStatistical: laws by cells for samplers in floats or without a tape, and mutants that must be betrayed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from refdp.test_vectors.kinds.statistical import NORMALISED
from refdp.test_vectors.lists.asked import Case, File, Group, case
from refdp.test_vectors.lists.pmf import FLAGS
from refdp.test_vectors.mutants import FITTING

ALPHA, SAMPLES = "1/1000000000000", "20000"
"""Error of one case; samples of another implementation that `check --against` asks for."""
ASKED: dict[str, list[tuple[dict[str, str], Any, list[str]]]] = {
    "discrete_laplace": [
        ({"scale": "1"}, "0", ["-3", "-2", "-1", "0", "1", "2"]),
        ({"scale": "3"}, "0", ["-6", "-3", "-2", "-1", "0", "1", "2", "5"]),
        ({"scale": "5", "granularity": "2"}, "4", ["-8", "-2", "2", "4", "6", "10", "16"]),
        ({"scale": "10"}, "0", ["-30", "-20", "-12", "-6", "-3", "-1", "0", "2", "5", "11", "19", "29"]),
    ],
    "discrete_gaussian": [
        ({"sigma": "1"}, "0", ["-2", "-1", "0", "1"]),
        ({"sigma": "3"}, "-4", ["-9", "-7", "-5", "-4", "-3", "-1", "1"]),
        ({"sigma": "4", "granularity": "1/2"}, "0", ["-6", "-3", "-1", "0", "1", "3", "6"]),
        ({"sigma": "10"}, "0", ["-20", "-12", "-7", "-3", "0", "2", "6", "11", "19"]),
    ],
    "truncated_geometric": [
        ({"scale": "2", "lower": "0", "upper": "10"}, "3", ["0", "1", "2", "3", "4", "6", "9"]),
        ({"scale": "5", "lower": "-3", "upper": "3"}, "3", ["-3", "-1", "1", "2"]),
    ],
    "randomised_response": [({"truth": "3/4"}, "1", ["0"]), ({"truth": "3/5"}, "0", ["0"])],
    "k_ary_randomised_response": [
        ({"k": "5", "truth": "1/2"}, "1", ["0", "1", "2", "3"]), ({"k": "10", "truth": "3/10"}, "9", ["4", "8"]),
    ],
    "exponential": [
        ({"scale": "2"}, ["0", "1", "3"], ["0", "1"]), ({"scale": "1"}, ["1", "0", "1", "1/2"], ["0", "1", "2"]),
    ],
    "permute_and_flip": [
        ({"scale": "2"}, ["0", "1", "3"], ["0", "1"]), ({"scale": "1"}, ["1", "0", "1", "1/2"], ["0", "1", "2"]),
    ],
}  # fmt: skip


def files() -> list[File]:
    """One file, a group for each mechanism."""
    fields = {"alpha": ALPHA, "samples": SAMPLES}
    groups = [Group(stem, list(_cases(stem)), fields) for stem in ASKED]
    return [File("SamplerStatistical", "SamplerStatistical", groups)]


def _cases(stem: str) -> Iterator[Case]:
    """The law, then each mutant that is a law and another one."""
    for params, x, cuts in ASKED[stem]:
        fields = {"params": params, "input": x, "cuts": cuts}
        yield case("Regular", "the law", **fields)
        for mutant in FITTING[stem]:
            if mutant in NORMALISED and not (mutant == "granularity_ignored" and "granularity" not in params):
                yield case(FLAGS[mutant], f"a mutant: {mutant.replace('_', ' ')}", **fields, mutant=mutant)
