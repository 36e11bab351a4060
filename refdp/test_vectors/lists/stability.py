"""StabilityMap: pairs of neighbouring inputs for refdp's transformations, claims, and pairs that show real defects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from refdp.test_vectors.lists.asked import Case, File, Group, case

ADD, CHANGE = {"neighbours": "add_remove"}, {"neighbours": "change_one"}
Pair = tuple[list[Any], list[Any]]
Stated = tuple[dict[str, str], str, Pair]
"""Parameters, d_in, and two inputs that are so far apart, whose outputs are as far apart as can be."""


def rows(text: str) -> list[str]:
    """Rows that stand in one text."""
    return text.split()


OWN: dict[str, list[Stated]] = {
    "count": [
        (ADD, "1", (rows("1 2"), rows("1 2 9"))), (ADD, "3", ([], rows("5 5 5"))),
        (CHANGE, "1", (rows("1"), rows("2"))),
    ],
    "clamp": [
        (ADD | {"lower": "0", "upper": "10"}, "1", (rows("3 99"), rows("3"))),
        (CHANGE | {"lower": "-1", "upper": "1", "granularity": "1/2"}, "1", (rows("-7 1/2"), rows("1/2 7"))),
    ],
    "clamped_sum": [
        (ADD | {"lower": "0", "upper": "12"}, "1", (rows("1"), rows("1 12"))),
        (ADD | {"lower": "-20", "upper": "5"}, "2", (rows("1"), rows("1 -20 -99"))),
        (CHANGE | {"lower": "-20", "upper": "5"}, "1", (rows("1 5"), rows("1 -20"))),
        (CHANGE | {"lower": "0", "upper": "1", "granularity": "1/1024"}, "1", (rows("1/2 0"), rows("1/2 1"))),
        (ADD | {"lower": "0", "upper": "1000000000000000000000"}, "1", ([], rows("1000000000000000000000"))),
        (CHANGE | {"lower": "1125899906842624", "upper": "1125899906842625"}, "1",
         (rows("1125899906842624 1125899906842624"), rows("1125899906842624 1125899906842625"))),
        (ADD | {"lower": "0", "upper": "0"}, "5", ([], rows("1 2 3 4 5"))),
    ],
    "mean": [
        (CHANGE | {"lower": "0", "upper": "1", "size": "4"}, "1", (rows("0 0 0 0"), rows("0 0 1 0"))),
        (CHANGE | {"lower": "-3", "upper": "7", "size": "3"}, "2", (rows("-9 -9 1"), rows("9 9 1"))),
        (CHANGE | {"lower": "0", "upper": "100", "size": "1"}, "1", (rows("0"), rows("100"))),
    ],
    "histogram": [
        (ADD | {"dimension": "3", "norm": "l1"}, "1", (rows("0 1"), rows("0 1 2"))),
        (CHANGE | {"dimension": "3", "norm": "l1"}, "1", (rows("0 1"), rows("0 2"))),
        (ADD | {"dimension": "3", "norm": "l2"}, "2", (rows("0"), rows("0 1 1"))),
        (CHANGE | {"dimension": "2", "norm": "l2"}, "1", (rows("0"), rows("1"))),
        (ADD | {"dimension": "5", "norm": "l1"}, "4", (rows("0 0 0 0"), [])),
    ],
    "point_count": [
        (ADD | {"point": "3"}, "1", (rows("1 3"), rows("1 3 3"))),
        (CHANGE | {"point": "3"}, "1", (rows("1 3"), rows("1 2"))),
    ],
    "threshold_count": [
        (ADD | {"threshold": "3"}, "2", (rows("1 9"), rows("1 9 3 2"))),
        (CHANGE | {"threshold": "1/2", "granularity": "1/4"}, "1", (rows("1/4 1"), rows("3/4 1"))),
    ],
    "rank_scores": [
        (ADD | {"dimension": "3"}, "1", (rows("0 1"), rows("0 1 9"))),
        (CHANGE | {"dimension": "2"}, "1", (rows("-5 -5"), rows("-5 9"))),
    ],
    "attribute_means": [
        (CHANGE | {"dimension": "2", "size": "4", "norm": "l1"}, "1",
         ([["1", "0"], ["1", "1"], ["0", "0"], ["0", "0"]], [["1", "0"], ["1", "1"], ["0", "0"], ["1", "1"]])),
        (CHANGE | {"dimension": "3", "size": "2", "norm": "l2"}, "1",
         ([["1", "0", "0"], ["0", "0", "0"]], [["1", "0", "0"], ["1", "1", "1"]])),
    ],
}  # fmt: skip
"""refdp's transformations; the pair attains the map, so that any smaller claim is invalid."""
WRONG = {"half": "HalfBound", "zero": "HalfBound", "hair_below": "HairBelow", "integer_division": "IntegerDivision"}


def floats(*parts: tuple[float, int]) -> list[str]:
    """Floats, each so many times."""
    return [value.hex() for value, times in parts for _ in range(times)]


LARGE, WIDE = float(2**52), float(2**50)
HALF = 0.5
FOREIGN: list[tuple[str, str, str, dict[str, str], str, list[Any], list[Any]]] = [
    ("FloatSum", "rounding to even, once down and once up", "float_sum",
     {"lower": str(2**52), "upper": str(2**52 + 1)}, "1",
     floats((LARGE + 1, 1000)), floats((LARGE + 1, 1), (LARGE, 1), (LARGE + 1, 998))),
    ("FloatSum", "the same rows in another order", "float_sum_of_multiset", {"lower": "0", "upper": "1"}, "0",
     floats((0.1, 1), (0.2, 1), (0.3, 1)), floats((0.3, 1), (0.2, 1), (0.1, 1))),
    ("FloatSum", "a large row hides small ones", "float_sum_of_multiset",
     {"lower": f"-{2**53}", "upper": str(2**53)}, "0",
     floats((LARGE * 2, 1), (1.0, 9), (-LARGE * 2, 1)), floats((LARGE * 2, 1), (-LARGE * 2, 1), (1.0, 9))),
    ("FloatSum", "a tenth, ten times", "float_sum_of_multiset", {"lower": "0", "upper": "1"}, "0",
     floats((0.1, 10), (1.0, 1)), floats((1.0, 1), (0.1, 10))),
    ("SquaredDeviations", "1024 rows near 2^50", "float_squared_deviations",
     {"lower": str(2**50), "upper": f"{2**52 + 1}/4", "size": "1024"}, "1",
     floats((WIDE + HALF / 2, 1024)), floats((WIDE, 1), (WIDE + HALF / 2, 1023))),
    ("SquaredDeviations", "16 rows near 2^50", "float_squared_deviations",
     {"lower": str(2**50), "upper": f"{2**52 + 1}/4", "size": "16"}, "1",
     floats((WIDE + HALF / 2, 16)), floats((WIDE, 1), (WIDE + HALF / 2, 15))),
    ("OrderedMetric", "all rows move up a place", "in_order", {}, "2", rows("0 1 2"), rows("1 2 3")),
    ("OrderedMetric", "six rows move up a place", "in_order", {}, "2", rows("1 2 3 4 5 6"),
     rows("2 3 4 5 6 9")),
    ("Tree", "four leaves under one node", "b_ary_tree", {"leaves": "4", "branching": "4"}, "2", rows("0 0 0 0"),
     rows("1 1 1 1")),
    ("Tree", "nine leaves under three nodes", "b_ary_tree", {"leaves": "9", "branching": "3"}, "3", ["0"] * 9,
     ["1"] * 9),
    ("Tree", "64 leaves, branching 8", "b_ary_tree", {"leaves": "64", "branching": "8"}, "8", ["0"] * 64, ["1"] * 64),
    ("GroupSize", "all rows of a group are replaced", "capped_sum", {"lower": "-10", "upper": "10", "rows": "3"}, "6",
     rows("10 10 10"), rows("-10 -10 -10")),
    ("GroupSize", "a group of one row", "capped_sum", {"lower": "-1", "upper": "1", "rows": "1"}, "2", rows("1"),
     rows("-1")),
    ("Cast", "one of sixteen rows is no number", "numbers_counted", {}, "1", ["1"] * 16, ["1"] * 15 + ["NaN"]),
    ("Cast", "the only row is no number", "numbers_counted", {}, "1", ["7"], ["seven"]),
    ("NotANumber", "NaN against a number", "float_sum", {"lower": "0", "upper": "1"}, "1",
     [*floats((HALF, 3)), "nan"], floats((HALF, 4))),
    ("NotANumber", "NaN is added", "float_sum_of_multiset", {"lower": "0", "upper": "100"}, "1",
     floats((100.0, 2)), [*floats((100.0, 2)), "nan"]),
    ("WrongBound", "the lower bound is zero", "squares", {"lower": "0", "upper": "100"}, "1", [], rows("100")),
    ("WrongBound", "the lower bound is near zero", "squares", {"lower": "-1", "upper": "9"}, "2", [], rows("9 9")),
    ("Labels", "a label of one row", "labels_seen", {}, "1", rows("0 1"), rows("0 7")),
    ("Labels", "one label less", "labels_seen", {}, "1", rows("a a b"), rows("a a a")),
    ("Overflow", "eight bits", "wrapping_sum", {"lower": "0", "upper": "1", "bits": "8"}, "1", ["1"] * 127 + ["0"],
     ["1"] * 128),
    ("Overflow", "64 bits", "wrapping_sum", {"lower": "0", "upper": str(2**62), "bits": "64"}, "1",
     [str(2**62), str(2**62 - 1)], [str(2**62), str(2**62)]),
    ("UnknownSize", "no rows", "float_mean", {"lower": "0", "upper": "1", "size": "10"}, "1", [], floats((1.0, 1))),
    ("UnknownSize", "one row and two", "float_mean", {"lower": "0", "upper": "1", "size": "100"}, "1",
     floats((0.0, 1)), floats((0.0, 1), (1.0, 1))),
    ("Median", "three rows", "median", {"lower": "0", "upper": "100", "size": "3"}, "1", rows("0 0 100"),
     rows("0 100 100")),
    ("Median", "101 rows", "median", {"lower": "-1", "upper": "1", "size": "101"}, "1",
     ["-1"] * 51 + ["1"] * 50, ["-1"] * 50 + ["1"] * 51),
]  # fmt: skip
"""Flag, comment, model, parameters, d_in, and a pair that moves further than is stated."""


def files() -> list[File]:
    """One file; a group for each transformation."""
    groups = [Group(name, list(_own(stated)), {}) for name, stated in OWN.items()]
    for name in dict.fromkeys(row[2] for row in FOREIGN):
        groups.append(Group(name, [_foreign(row) for row in FOREIGN if row[2] == name], {}))
    return [File("StabilityMap", "StabilityMap", groups)]


def _own(stated: list[Stated]) -> Iterator[Case]:
    """The map; the map as a claim; smaller claims."""
    for params, d_in, (left, right) in stated:
        fields = {"params": params, "dIn": d_in, "left": left, "right": right}
        yield case("Regular", "a pair that attains the map", **fields)
        yield case("BoundClaim", "the map that is proved", **fields, mutant="proved")
        for mutant, flag in WRONG.items():
            if _fits(mutant, params, left):
                yield case(flag, f"a claim: {mutant.replace('_', ' ')}", **fields, mutant=mutant)


def _fits(mutant: str, params: dict[str, str], left: list[Any]) -> bool:
    """Whether the claim is one that the pair refutes."""
    degenerate = params.get("upper") == "0" or "dimension" not in params and len(params) == 1 and left == ["1"]
    return not degenerate and (mutant != "hair_below" or params.get("norm") != "l2")


def _foreign(row: Any) -> Case:
    """A pair that refutes what is stated."""
    flag, comment, _, params, d_in, left, right = row
    return case(flag, comment, params=params, dIn=d_in, left=left, right=right, mutant="stated")
