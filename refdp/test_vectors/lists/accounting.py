"""Accounting: compositions, their epsilon at delta and delta at epsilon, and what wrong accountants say of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from refdp.test_vectors.lists.asked import Case, File, Group, case

LOOSENESS = "21/20"
FLAGS = {
    "one_query_fewer": "FewerQueries", "one_query_in_all": "FewerQueries", "queries_halved": "FewerQueries",
    "first_event_alone": "FewerQueries", "rate_halved": "LowerRate",
    "central_limit": "CentralLimit", "sensitivity_halved": "ClaimsLessSensitivity", "noise_doubled": "ClaimsMoreNoise",
    "noise_a_tenth_more": "ClaimsMoreNoise", "hair_below": "HairBelow", "float_below": "HairBelow", "half": "HairBelow",
    "variance_for_deviation": "VarianceForDeviation", "upper_bound": "BoundClaim", "float_above": "BoundClaim",
    "twice": "LooseClaim",
}  # fmt: skip


def gaussian(sigma: str, count: int = 1, **more: Any) -> dict[str, Any]:
    """Gaussian noise, so many times."""
    return {"mechanism": "gaussian", "sigma": sigma, "count": count, **more}


def sampled(event: dict[str, Any], rate: str) -> dict[str, Any]:
    """The event on Poisson samples."""
    return event | {"sampling": {"scheme": "poisson", "rate": rate}}


LAPLACE = {"mechanism": "laplace", "scale": "20", "count": 30}
DISCRETE = {"mechanism": "discrete_laplace", "scale": "10", "count": 20}
DISCRETE_GAUSSIAN = {"mechanism": "discrete_gaussian", "sigma": "8", "count": 10}
RESPONSE = {"mechanism": "randomised_response", "truth": "3/5", "count": 12}
PURE = {"mechanism": "pure", "epsilon": "1/10", "count": 25}
APPROXIMATE = {"mechanism": "approximate", "epsilon": "1/20", "delta": "1/10000000", "count": 16}
FINITE = {"mechanism": "finite", "outcomes": [["1/2", "1/3"], ["1/2", "2/3"]], "count": 6}
ASKED: list[tuple[str, list[dict[str, Any]], list[dict[str, str]]]] = [
    ("add_remove", [gaussian("50", 1000)], [{"delta": "1/1000000"}, {"epsilon": "2"}, {"delta": "1/1000000000000"}]),
    ("change_one", [gaussian("20", 64, sensitivity="2")], [{"delta": "1/100000"}, {"epsilon": "3"}]),
    ("add_remove", [LAPLACE], [{"delta": "1/1000000"}, {"epsilon": "1"}]),
    ("add_remove", [DISCRETE], [{"delta": "1/1000000"}, {"epsilon": "1/2"}]),
    ("add_remove", [DISCRETE_GAUSSIAN], [{"delta": "1/100000"}, {"epsilon": "1"}]),
    ("change_one", [RESPONSE], [{"delta": "1/1000"}, {"epsilon": "2"}]),
    ("add_remove", [PURE], [{"delta": "1/1000000"}, {"epsilon": "1"}]),
    ("add_remove", [APPROXIMATE], [{"delta": "1/100000"}, {"epsilon": "1/2"}]),
    ("none", [FINITE], [{"delta": "1/1000"}, {"epsilon": "1"}]),
    ("add_remove", [gaussian("30", 100), LAPLACE], [{"delta": "1/1000000"}, {"epsilon": "2"}]),
    ("add_remove", [DISCRETE, PURE | {"count": 5}], [{"delta": "1/1000000"}]),
    ("add_remove", [sampled(gaussian("2", 500), "1/100")], [{"delta": "1/100000"}, {"epsilon": "1"}]),
    ("add_remove", [sampled(gaussian("1", 1000), "1/100")], [{"delta": "1/100000"}]),
    ("add_remove", [sampled(gaussian("4/5", 100), "1/50")], [{"delta": "1/100000"}, {"epsilon": "2"}]),
    ("add_remove", [sampled(gaussian("3", 2000), "1/1000")], [{"delta": "1/10000000"}]),
    ("add_remove", [{"mechanism": "laplace", "scale": "1000000", "count": 1}], [{"epsilon": "1/10000000"}]),
    ("add_remove", [gaussian("1", 1)], [{"delta": "1/2"}, {"epsilon": "0"}]),
]
"""Neighbours, events, and what is asked of them."""


def files() -> list[File]:
    """One file."""
    return [File("Accounting", "Accounting", [Group("Accounting", list(_cases()), {"looseness": LOOSENESS})])]


def _cases() -> Iterator[Case]:
    """Each question; then a claim of every accountant that fits the events."""
    for neighbours, events, questions in ASKED:
        for question in questions:
            fields = {"neighbours": neighbours, "events": events, "question": question}
            yield case("Regular", f"{next(iter(question))} is given", **fields)
            for mutant, flag in FLAGS.items():
                if fits(mutant, events, question):
                    yield case(flag, f"a claim: {mutant.replace('_', ' ')}", **fields, mutant=mutant)


def fits(mutant: str, events: list[dict[str, Any]], question: dict[str, str]) -> bool:
    """Whether an accountant with the defect is asked about these events."""
    is_sampled = "sampling" in events[0]
    match mutant:
        case "rate_halved":
            return is_sampled
        case "central_limit":
            return is_sampled and "delta" in question
        case "first_event_alone":
            return len(events) > 1
        case "sensitivity_halved":
            return "sensitivity" in events[0]
        case "variance_for_deviation" | "noise_doubled" | "noise_a_tenth_more":
            return not is_sampled and len(events) == 1 and bool({"scale", "sigma"} & set(events[0]))
        case "one_query_in_all":
            return events[0]["count"] > 1 and len(events) == 1 and not is_sampled
        case "one_query_fewer" | "queries_halved":
            return events[0]["count"] > 1 and (not is_sampled or mutant == "queries_halved")
    return mutant != "half" or not is_sampled
