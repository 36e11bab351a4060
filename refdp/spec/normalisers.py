"""What must hold for the weights of additive noise to sum (integrate) to its `normaliser`, or to any finite number."""

from __future__ import annotations

from refdp.spec import registry
from refdp.spec.noise import AdditiveNoise, log_concavity, tail_is_geometric
from refdp.spec.statements import Statement, equal
from refdp.terms.term import apply, both, exp, name


def normaliser_obligations(noise: AdditiveNoise) -> dict[str, Statement]:
    """What must hold for `normaliser` to be the sum of the weights over the grid, or their integral."""
    if noise.normaliser is None:
        return {"tail_is_geometric": tail_is_geometric(noise)} | log_concavity(noise)
    if not noise.on_grid:
        integral = apply("integral", exp(noise.log_weight.at()), name("z"))
        return {
            "integral_is_the_normaliser": Statement(registry.hypotheses(noise), equal(integral, noise.normaliser.at()))
        }
    ratio = name("ratio")
    closed = noise.normaliser.at() * (1 - ratio)
    return {
        "weights_are_geometric": weights_are_geometric(noise),
        "sum_is_the_normaliser": Statement((0 < ratio, ratio < 1), equal(closed, 1 + ratio)),
    }


def weights_are_geometric(noise: AdditiveNoise) -> Statement:
    """log_weight(k granularity) = |k| log_weight(granularity) < 0: weight ratio^|k| at the k-th grid point."""
    k, step = name("k"), name("granularity")
    one = noise.log_weight.at(z=step)
    return Statement(registry.hypotheses(noise), both(equal(noise.log_weight.at(z=k * step), abs(k) * one), one < 0))
