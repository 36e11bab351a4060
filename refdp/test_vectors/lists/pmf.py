"""Pmf: parameters, inputs and outputs of every discrete mechanism, and wrong laws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from refdp.test_vectors.lists.asked import Case, File, Group, case
from refdp.test_vectors.mutants import FITTING

TOLERANCE = "1/1000000000000"
FLAGS = {
    "half_scale": "NoiseScale", "scale_a_tenth_less": "NoiseScale", "double_zero": "DoubleZero",
    "granularity_ignored": "Units", "density_for_mass": "Density", "tail_cut": "TailCut", "off_by_one": "OffByOne",
    "base_two": "BaseTwo", "renormalised": "Renormalised", "edges_not_heaped": "Edges",
    "others_include_the_truth": "Response", "never_flipped": "NotApplied", "sign_of_score": "Selection",
    "first_of_ties": "Selection", "other_selection": "Selection", "uniform_candidate": "Selection",
}  # fmt: skip
"""The flag of each wrong law."""
LAPLACES = [
    ({"scale": "1"}, "0", ["0", "1", "-2", "5", "-20"]),
    ({"scale": "10"}, "0", ["0", "3", "-7", "40", "100"]),
    ({"scale": "1/3"}, "2", ["2", "3", "0", "9"]),
    ({"scale": "22/7", "granularity": "1/4"}, "1/2", ["1/2", "3/4", "-3", "31/4"]),
    ({"scale": "5", "granularity": "2"}, "4", ["4", "6", "-8", "44"]),
    ({"scale": "3", "granularity": "1/1024"}, "-1", ["-1", "-1023/1024", "7"]),
    ({"scale": "2"}, "1", ["1"]),
]
EXTREME_LAPLACES = [
    ({"scale": "1000000000000000000000000000000"}, "0", ["0", "1", "-1000000000000000000000000000000"]),
    ({"scale": "1/1000"}, "0", ["0", "1", "-3"]),
    ({"scale": "1"}, "0", ["700", "745", "-800", "5000"]),
    ({"scale": "1", "granularity": "1/1208925819614629174706176"}, "0", ["0", "1/1208925819614629174706176"]),
    ({"scale": "1/1048576", "granularity": "1/1073741824"}, "0", ["0", "1/1048576", "-1/1073741824"]),
    ({"scale": "7"}, "1000000000000000000000", ["1000000000000000000000", "1000000000000000000009"]),
]
GAUSSIANS = [
    ({"sigma": "1"}, "0", ["0", "1", "-2", "6"]),
    ({"sigma": "3"}, "-4", ["-4", "-3", "2", "-20"]),
    ({"sigma": "1/2"}, "0", ["0", "1", "-3"]),
    ({"sigma": "10"}, "0", ["0", "9", "-31", "75"]),
    ({"sigma": "22/7", "granularity": "1/4"}, "1/4", ["1/4", "5/4", "-6"]),
    ({"sigma": "40"}, "7", ["7", "90", "-200"]),
    ({"sigma": "4", "granularity": "2"}, "2", ["2", "4", "-12"]),
]
EXTREME_GAUSSIANS = [
    ({"sigma": "1/100"}, "0", ["0", "1"]),
    ({"sigma": "1"}, "0", ["38", "-39", "60"]),
    ({"sigma": "120"}, "0", ["0", "-600"]),
    ({"sigma": "1/1048576", "granularity": "1/4194304"}, "0", ["0", "-1/2097152"]),
]
TRUNCATED = [
    ({"scale": "2", "lower": "0", "upper": "10"}, "3", ["0", "3", "5", "10"]),
    ({"scale": "2", "lower": "0", "upper": "10"}, "10", ["0", "9", "10"]),
    ({"scale": "1/2", "lower": "-3", "upper": "3"}, "0", ["-3", "-2", "0", "3"]),
    ({"scale": "9", "lower": "0", "upper": "1"}, "1", ["0", "1"]),
    ({"scale": "3", "lower": "-1", "upper": "1", "granularity": "1/8"}, "1/4", ["-1", "1/4", "3/8", "1"]),
    ({"scale": "40", "lower": "0", "upper": "100"}, "100", ["0", "50", "99", "100"]),
]
EXTREME_TRUNCATED = [
    ({"scale": "1000000000000", "lower": "0", "upper": "4"}, "2", ["0", "2", "4"]),
    ({"scale": "1/200", "lower": "0", "upper": "4"}, "0", ["0", "1", "4"]),
]
BINARY = [({"truth": truth}, x, ["0", "1"]) for truth in ("1/2", "3/4", "2/3", "99/100") for x in ("0", "1")]
EXTREME_BINARY = [({"truth": "999999999999999999/1000000000000000000"}, "1", ["0", "1"])]
K_ARY = [
    ({"k": "3", "truth": "1/2"}, "1", ["0", "1", "2"]),
    ({"k": "10", "truth": "3/10"}, "0", ["0", "4", "9"]),
    ({"k": "100", "truth": "1/100"}, "7", ["7", "8"]),
    ({"k": "5", "truth": "4/5"}, "4", ["0", "3", "4"]),
]
EXTREME_K_ARY = [({"k": "200", "truth": "999999/1000000"}, "199", ["0", "199"])]
SCORES = [
    ({"scale": "2"}, ["0", "1", "3"]),
    ({"scale": "1"}, ["5", "5", "5", "5"]),
    ({"scale": "1/2"}, ["-1", "0", "1/3", "1"]),
    ({"scale": "10"}, ["0", "2", "4", "6", "8"]),
    ({"scale": "1"}, ["7"]),
    ({"scale": "3"}, ["-9/2", "4", "4"]),
]
EXTREME_SCORES = [
    ({"scale": "1/100"}, ["0", "5", "-5"]),
    ({"scale": "1000000000000"}, ["0", "1", "2"]),
    ({"scale": "1"}, ["1000000000000000000000", "1000000000000000000001"]),
]


def _of_scores(stated: list[tuple[dict[str, str], list[str]]]) -> list[tuple[dict[str, str], list[str], list[str]]]:
    """With every candidate as an output."""
    return [(params, scores, [str(i) for i in range(len(scores))]) for params, scores in stated]


ASKED: dict[str, tuple[list[Any], list[Any]]] = {
    "discrete_laplace": (LAPLACES, EXTREME_LAPLACES),
    "discrete_gaussian": (GAUSSIANS, EXTREME_GAUSSIANS),
    "truncated_geometric": (TRUNCATED, EXTREME_TRUNCATED),
    "randomised_response": (BINARY, EXTREME_BINARY),
    "k_ary_randomised_response": (K_ARY, EXTREME_K_ARY),
    "exponential": (_of_scores(SCORES), _of_scores(EXTREME_SCORES)),
    "permute_and_flip": (_of_scores(SCORES), _of_scores(EXTREME_SCORES)),
}
MUTATED = 5
"""So many of the regular sets of parameters are asked with wrong laws."""


def files() -> list[File]:
    """One file for each mechanism."""
    return [File("Pmf", stem, [Group(stem, list(_cases(stem)), {"tolerance": TOLERANCE})]) for stem in ASKED]


def _cases(stem: str) -> Iterator[Case]:
    """Right values, then claims of wrong laws and of floats."""
    for flag, stated in zip(("Regular", "Extreme"), ASKED[stem], strict=True):
        for params, x, outputs in stated:
            for y in outputs:
                yield case(flag, f"{flag.lower()} parameters", params=params, input=x, output=y)
    for params, x, outputs in ASKED[stem][0][:MUTATED]:
        for mutant in FITTING[stem]:
            y = outputs[-1] if mutant == "tail_cut" else outputs[len(mutant) % len(outputs)]
            comment = f"the law of a defect: {mutant.replace('_', ' ')}"
            yield case(FLAGS[mutant], comment, params=params, input=x, output=y, mutant=mutant)
        yield case(
            "NearestFloat", "the nearest float", params=params, input=x, output=outputs[0],
            mutant="nearest_binary64",
        )  # fmt: skip
    for params, x, outputs in ASKED[stem][1][2:3]:
        comment = "zero for a probability that is not zero"
        yield case("Underflow", comment, params=params, input=x, output=outputs[-1], mutant="underflow_to_zero")
