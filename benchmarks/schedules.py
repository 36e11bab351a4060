"""Accounts of many different events, and of few: the documents of the tables `Schedules` and `Small products`."""

from __future__ import annotations

from typing import Any


def schedule(steps: int) -> dict[str, Any]:
    """Training in which the noise grows from 0.8 to 1.8 and the rate from 1/100 to 2/100, in so many parts."""
    count = max(1, 2000 // steps)
    return stated(
        {
            "mechanism": "gaussian", "sigma": f"{8 * steps + 10 * i}/{10 * steps}", "sensitivity": "1", "count": count,
            "sampling": {"scheme": "poisson", "rate": f"{steps + i}/{100 * steps}"},
        }
        for i in range(steps)
    )  # fmt: skip


def pure_epsilons(count: int) -> dict[str, Any]:
    """Different pure epsilons from 0.01 to 0.1 on no common lattice that is coarse enough to be used."""
    return stated(
        {"mechanism": "pure", "epsilon": f"{10**7 + (i * 777_767) % (9 * 10**7)}/1000000000"} for i in range(count)
    )


def whole_epsilons(count: int) -> dict[str, Any]:
    """Different pure epsilons, each a whole multiple of 1/1000."""
    return stated({"mechanism": "pure", "epsilon": f"{i + 1}/1000"} for i in range(count))


def discrete(count: int, sigma: str, rate: str) -> dict[str, Any]:
    """Sampled discrete Gaussian noise."""
    sampling = {"scheme": "poisson", "rate": rate}
    return stated([{"mechanism": "discrete_gaussian", "sigma": sigma, "count": count, "sampling": sampling}])


def different(count: int) -> dict[str, Any]:
    """Discrete Gaussian noise of different sizes, sampled at different rates."""
    return stated(
        {
            "mechanism": "discrete_gaussian", "sigma": f"{30 + 7 * i}/10",
            "sampling": {"scheme": "poisson", "rate": f"{i + 1}/17"},
        }
        for i in range(count)
    )  # fmt: skip


def laplaces(count: int) -> dict[str, Any]:
    """Sampled Laplace noise."""
    sampling = {"scheme": "poisson", "rate": "1/100"}
    return stated([{"mechanism": "laplace", "scale": "1", "count": count, "sampling": sampling}])


def fixed_size(count: int) -> dict[str, Any]:
    """Gaussian noise on samples of a fixed size, where a row is replaced."""
    sampling = {"scheme": "fixed_size", "rows": 1000, "sample": 10}
    return stated([{"mechanism": "gaussian", "sigma": "2", "count": count, "sampling": sampling}], "change_one")


def stated(events: Any, neighbours: str = "add_remove") -> dict[str, Any]:
    """A document."""
    return {"neighbours": neighbours, "events": list(events)}


SCHEDULES = (
    ("20 different sampled Gaussians", schedule(20), "1e-9"),
    ("200 different sampled Gaussians", schedule(200), "1e-9"),
    ("2000 different sampled Gaussians", schedule(2000), "1e-9"),
    ("200 different pure epsilons", pure_epsilons(200), "1e-6"),
    ("200 multiples of 1/1000 as pure epsilons", whole_epsilons(200), "1e-6"),
)
"""Name, document, the width that is asked for."""
SMALL = (
    ("2 sampled discrete Gaussians, sigma 3", discrete(2, "3", "1/10"), "1e-9"),
    ("5 sampled discrete Gaussians, sigma 3", discrete(5, "3", "1/10"), "1e-9"),
    ("5 different sampled discrete Gaussians", different(5), "1e-9"),
    ("2 sampled discrete Gaussians, sigma 60", discrete(2, "60", "1/10"), "1e-9"),
    ("1000 sampled Laplace", laplaces(1000), "1e-6"),
    ("1000 samples of a fixed size, Gaussian", fixed_size(1000), "1e-6"),
)
