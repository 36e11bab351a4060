"""What only a test knows: variants of registered kinds, and theorems and certificates for which no solver is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import refdp
import refdp.mechanisms
import refdp.statements
import refdp.transformations
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.logic import obligation
from refdp.kernel.theorem import Theorem
from refdp.spec import obligations, registry
from refdp.spec.samplers import drawn_from
from refdp.spec.statements import Statement
from tests.made import certificate_of

CERTIFICATES = Path(refdp.__file__).parent / "proofs" / "certificates"
"""Where the certificates of the ledger are; tests/conftest.py says which tests find them there."""
SOLVER = ("refdp SMT-LIB encoder", "z3 5.4.0")
"""Who vouches for a lemma that a solver was asked about."""
BELIEVER = "a test"
"""Who vouches for a lemma that no solver was asked about."""

BY_KIND: dict[str, Callable[..., Theorem]] = {
    "FiniteLaw": rules.finite_law,
    "ClampedGeometric": rules.clamped_noise,
    "WeightedSelection": rules.weighted_selection,
    "FlipSelection": rules.flip_selection,
    "LevelNoise": rules.level_noise,
    "NoisyMax": rules.noisy_max,
    "BitwiseLaw": rules.bitwise_law,
    "SupportedLaw": rules.supported_law,
    "BitOfRate": rules.bit_of_rate,
    "AboveThreshold": partial(rules.above_threshold, metric="linf"),
    "BoundNoise": rules.bound_noise,
    "PerturbedObjective": partial(rules.perturbed_objective, neighbours="add_remove"),
    "ThresholdedCounts": partial(rules.thresholded_counts, neighbours="add_remove"),
}


@contextmanager
def registered(*kinds: registry.Kind) -> Iterator[None]:
    """Inside, the kinds are registered under their own stems, as any other; after, as before.

    A kind of a test stands in for another of a test with its stem.
    """
    before = dict(registry._KINDS)
    try:
        for kind in kinds:
            if len(kind.stem.partition("_")[0]) == 1:
                registry._KINDS.pop(kind.stem, None)
            registry.register(kind)
        yield
    finally:
        registry._KINDS.clear()
        registry._KINDS.update(before)


@contextmanager
def instead(kind: registry.Kind) -> Iterator[None]:
    """Inside, the kind stands in the registry in place of the one of the same stem; after, as before."""
    before = registry._KINDS.pop(kind.stem)
    try:
        with registered(kind):
            yield
    finally:
        registry._KINDS[kind.stem] = before


def believed(identifier: str) -> Theorem:
    """|- the obligation, vouched for by a test."""
    return rules.oracle(obligation=identifier, digest=obligation(identifier).digest, by=[BELIEVER])


def lemmas(stem: str, needed: dict[str, Statement]) -> list[Theorem]:
    """The needed obligations of the stem, vouched for by a test."""
    return [believed(f"{stem}.{key}") for key in needed]


def sampler_premises(stem: str) -> list[Theorem]:
    """The lemmas of the sampler of the stem, vouched for by a test, and the laws of the primitives that it calls."""
    return [*lemmas(stem, obligations.sampler(stem)), *map(sampler, drawn_from(stem))]


def sampler(stem: str) -> Theorem:
    """|- the sampler of the stem draws from its law."""
    return rules.sampler_law(*sampler_premises(stem), stem=stem)


def noise(stem: str = "discrete_laplace", measure: str = "pure", vector: str = "no") -> Theorem:
    """|- the privacy map of an additive noise."""
    needed = obligations.privacy(stem, measure, vector == "yes")
    return rules.additive_noise(*lemmas(stem, needed), stem=stem, measure=measure, vector=vector)


def mechanism(stem: str) -> Theorem:
    """|- the privacy map of a mechanism that is no additive noise."""
    rule = BY_KIND[type(registry.kind_of(stem)).__name__]
    return rule(*lemmas(stem, obligations.privacy(stem)), stem=stem)


def summed(stem: str, neighbours: str = "add_remove", norm: str = "absolute") -> Theorem:
    """|- the stability map of a sum of rows."""
    needed = obligations.stability(stem, neighbours, norm)
    return rules.sum_of_rows(*lemmas(stem, needed), stem=stem, neighbours=neighbours, norm=norm)


def rowwise(stem: str, neighbours: str = "add_remove", sized: str = "no") -> Theorem:
    """|- the stability map of a row function."""
    return rules.row_by_row(*lemmas(stem, obligations.stability(stem)), stem=stem, neighbours=neighbours, sized=sized)


def noisy_count(scale: str = "1", rows: str = "records()", d_in: str = "1") -> Theorem:
    """|- a count with discrete Laplace noise: symmetric(d_in) |-> pure(d_in / scale)."""
    counted = rules.instantiate(summed("count"), values={"rows": rows, "d_in": d_in})
    return rules.chain(counted, rules.instantiate(noise(), values={"scale": scale, "granularity": "1", "d_in": d_in}))


def gaussian_at_1() -> Theorem:
    """|- discrete Gaussian noise with sigma = 2: absolute(1) |-> concentrated(1/8)."""
    return rules.instantiate(
        noise("discrete_gaussian", "concentrated"), values={"sigma": "2", "granularity": "1", "d_in": "1"}
    )


def response(measure: str = "pure", factor: str = "1") -> Theorem:
    """|- randomised response with truth 3/4, enumerated: discrete(1) |-> pure(ln(3)), or approximate(ln(factor), .)."""
    return rules.finite_mechanism(
        subject="randomised_response(3/4)", domain="finite(2)", metric="discrete", d_in="1", measure=measure,
        factor=factor,
    )  # fmt: skip


def vouched(identifier: str, *by: str) -> dict[str, Any]:
    """The certificate with a solver, or whoever is named, in place of each identity that the kernel checks."""
    found, names = certificate_of(identifier), sorted(by or SOLVER)
    for step in found["steps"]:
        if step["rule"] == "algebra":
            kept = {key: step["data"][key] for key in ("obligation", "digest")}
            step |= {"rule": "oracle", "data": {**kept, "by": names}}
            found["trusts"] = sorted({*found["trusts"], *names})
    return found


def believing(statement: Statement, by: tuple[str, ...]) -> frozenset[str]:
    """An oracle that vouches for whatever it is asked."""
    return frozenset({BELIEVER})


def doubting(statement: Statement, by: tuple[str, ...]) -> frozenset[str]:
    """An oracle that vouches for nothing."""
    raise KernelError(f"nobody vouches for {statement}")
