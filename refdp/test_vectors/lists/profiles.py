"""PrivacyProfile: delta at epsilon of single mechanisms, and claims of wrong accountants."""

from __future__ import annotations

from collections.abc import Iterator

from refdp.test_vectors.lists.asked import Case, File, Group, case

LOOSENESS = "1000001/1000000"
WRONG = {
    "hair_below": "HairBelow", "float_below": "HairBelow", "half": "HairBelow", "zero": "PureClaim",
    "noise_doubled": "ClaimsMoreNoise", "noise_a_tenth_more": "ClaimsMoreNoise",
    "noise_a_thousandth_more": "ClaimsMoreNoise", "sensitivity_halved": "ClaimsLessSensitivity",
    "variance_for_deviation": "VarianceForDeviation", "classical_gaussian": "ClassicalGaussian",
}  # fmt: skip
RIGHT = {"upper_bound": "BoundClaim", "float_above": "BoundClaim", "twice": "LooseClaim"}
ASKED = {
    "laplace": [
        ({"scale": "1"}, ["0", "1/2", "999/1000", "1", "3"]),
        ({"scale": "10", "sensitivity": "3"}, ["1/10", "1/4", "3/10"]),
        ({"scale": "1/5"}, ["1", "4"]),
    ],
    "gaussian": [
        ({"sigma": "1"}, ["0", "1", "5", "20"]),
        ({"sigma": "1/2"}, ["1", "10", "50"]),
        ({"sigma": "5", "sensitivity": "2"}, ["1/10", "1"]),
        ({"sigma": "1000"}, ["1/1000", "1/100"]),
    ],
    "discrete_laplace": [
        ({"scale": "1"}, ["0", "1/3", "9/10"]),
        ({"scale": "3", "sensitivity": "2"}, ["1/5", "1/2"]),
        ({"scale": "5", "sensitivity": "1", "granularity": "1/2"}, ["1/20", "1/8"]),
        ({"scale": "1/3"}, ["1", "5/2"]),
    ],
    "discrete_gaussian": [
        ({"sigma": "1"}, ["0", "1", "4"]),
        ({"sigma": "5"}, ["1/5", "1"]),
        ({"sigma": "3", "sensitivity": "2"}, ["1/2", "2"]),
        ({"sigma": "1/2", "granularity": "1/4"}, ["2", "9"]),
    ],
    "randomised_response": [({"truth": "3/4"}, ["0", "1/2", "1", "11/10"]), ({"truth": "99/100"}, ["1", "4"])],
    "k_ary_randomised_response": [({"k": "5", "truth": "1/2"}, ["1/10", "1"]), ({"k": "100", "truth": "9/10"}, ["2"])],
}
"""Stem -> parameters, and the epsilons at which delta is asked."""
LOCAL = ("randomised_response", "k_ary_randomised_response")
"""Mechanisms of one row, with neighbours that replace it."""
CLASSICAL = (("1/2", "10"), ("1/5", "50"), ("3/4", "6"))
"""sigma and epsilon > 1 at which the classical formula is used nevertheless."""


def files() -> list[File]:
    """One file for each mechanism."""
    fields = {"looseness": LOOSENESS}
    return [File("PrivacyProfile", stem, [Group(stem, list(_cases(stem)), fields)]) for stem in ASKED]


def _cases(stem: str) -> Iterator[Case]:
    """At each epsilon the bounds; then claims, right, loose and wrong ones."""
    neighbours = "change_one" if stem in LOCAL else "add_remove"
    for params, epsilons in ASKED[stem]:
        for epsilon in epsilons:
            fields = {"params": params, "neighbours": neighbours, "epsilon": epsilon}
            yield case("Regular", "delta at epsilon", **fields)
        for place, (mutant, flag) in enumerate((WRONG | RIGHT).items()):
            if mutant == "classical_gaussian" or not _has(params, mutant):
                continue
            fields = {"params": params, "neighbours": neighbours, "epsilon": epsilons[place % len(epsilons)]}
            yield case(flag, f"a claim: {mutant.replace('_', ' ')}", **fields, mutant=mutant)
    if stem == "gaussian":
        for sigma, epsilon in CLASSICAL:
            fields = {"params": {"sigma": sigma}, "neighbours": neighbours, "epsilon": epsilon}
            yield case("ClassicalGaussian", "the classical formula beyond its range", **fields, mutant=WRONG_FORMULA)


WRONG_FORMULA = "classical_gaussian"


def _has(params: dict[str, str], mutant: str) -> bool:
    """Whether the defect changes one of the parameters."""
    if mutant == "sensitivity_halved":
        return "sensitivity" in params and "granularity" not in params
    if mutant == "variance_for_deviation":
        return "sigma" in params
    return not mutant.startswith("noise_") or bool({"scale", "sigma"} & set(params))
