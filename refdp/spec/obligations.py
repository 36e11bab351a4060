"""Every obligation of a registered thing, by name: the one list that provers prove and the kernel compares with."""

from __future__ import annotations

import operator

from refdp.spec import (
    above_threshold,
    accuracy,
    bitwise,
    bound_noise,
    cells,
    clamped,
    estimates,
    finite,
    level_noise,
    minimisers,
    noise,
    noisy_max,
    normalisers,
    perturbed_objectives,
    primitives,
    rates,
    registry,
    renyi,
    rescaled,
    rows,
    samplers,
    selection,
    supported,
    unknown_keys,
)
from refdp.spec.named_statements import NamedStatements
from refdp.spec.statements import Statement
from refdp.terms.term import TermError


def privacy(stem: str, measure: str = "pure", vector: bool = False) -> dict[str, Statement]:
    """What must hold for the privacy map of the mechanism `stem`, by name, in order."""
    match registry.kind_of(stem):
        case noise.AdditiveNoise() as m:
            return noise.privacy_obligations(m, measure, vector)
        case finite.FiniteLaw() as m:
            return finite.privacy_obligations(m)
        case bitwise.BitwiseLaw() as m:
            return bitwise.privacy_obligations(m)
        case supported.SupportedLaw() as m:
            return supported.privacy_obligations(m)
        case rates.BitOfRate() as m:
            return rates.privacy_obligations(m)
        case clamped.ClampedGeometric() as m:
            return clamped.privacy_obligations(m)
        case selection.WeightedSelection() as m:
            return selection.weighted_obligations(m)
        case selection.FlipSelection() as m:
            return selection.flip_privacy_obligations(m)
        case level_noise.LevelNoise() as m:
            return level_noise.privacy_obligations(m)
        case noisy_max.NoisyMax() as m:
            return noisy_max.privacy_obligations(m)
        case above_threshold.AboveThreshold() as m:
            return above_threshold.privacy_obligations(m)
        case unknown_keys.ThresholdedCounts() as m:
            return unknown_keys.privacy_obligations(m)
        case bound_noise.BoundNoise() as m:
            return bound_noise.privacy_obligations(m)
        case perturbed_objectives.PerturbedObjective() as m:
            return perturbed_objectives.privacy_obligations(m)
    raise TermError(f"{stem} has no privacy map")


def log_concavity(stem: str) -> dict[str, Statement]:
    """What must hold for the worst event of the noise `stem` on a grid to be a half line."""
    return noise.log_concavity(registry.lookup(stem, noise.AdditiveNoise))


def exact_delta(stem: str) -> dict[str, Statement]:
    """What must hold for the exact delta of the normal noise `stem`, by name, in order."""
    return noise.normal_obligations(registry.lookup(stem, noise.AdditiveNoise))


def law(stem: str) -> dict[str, Statement]:
    """What must hold for the masses of the mechanism `stem` to sum to 1."""
    match registry.kind_of(stem):
        case noise.AdditiveNoise() as m:
            return normalisers.normaliser_obligations(m)
        case finite.FiniteLaw() as m:
            return finite.law_obligations(m)
        case bitwise.BitwiseLaw() as m:
            return bitwise.law_obligations(m)
        case supported.SupportedLaw() as m:
            return supported.law_obligations(m)
        case rates.BitOfRate() as m:
            return rates.law_obligations(m)
        case clamped.ClampedGeometric() as m:
            return clamped.law_obligations(m)
        case selection.WeightedSelection() | finite.FiniteWeights():
            return {}
        case selection.FlipSelection() as m:
            return selection.flip_law_obligations(m)
        case level_noise.LevelNoise() as m:
            return level_noise.law_obligations(m)
        case noisy_max.NoisyMax() as m:
            return noisy_max.law_obligations(m)
        case above_threshold.AboveThreshold() as m:
            return above_threshold.law_obligations(m)
        case unknown_keys.ThresholdedCounts() as m:
            return unknown_keys.law_obligations(m)
    raise TermError(f"{stem} has no law")


def decoding(stem: str) -> dict[str, Statement]:
    """What must hold for an estimate from reports of the mechanism `stem` to be unbiased, with its variance."""
    match registry.kind_of(stem):
        case rates.BitOfRate() as m:
            return estimates.number_obligations(m)
        case bitwise.BitwiseLaw() | supported.SupportedLaw() | finite.FiniteLaw() as m:
            return estimates.obligations(m)
    raise TermError(f"reports of {stem} say nothing of values")


def stability(stem: str, neighbours: str = "", norm: str = "") -> dict[str, Statement]:
    """What must hold for the stability map of the transformation `stem`."""
    match registry.kind_of(stem):
        case rows.RowSum() as m:
            return rows.sum_obligations(m, neighbours, norm)
        case rows.RowFunction() as m:
            return rows.function_obligations(m)
        case rescaled.RescaledSum() as m:
            return rescaled.rescaled_obligations(m, neighbours)
        case cells.CellSum() as m:
            return cells.cell_obligations(m, neighbours, norm)
        case minimisers.Minimiser() as m:
            return minimisers.minimiser_obligations(m)
    raise TermError(f"{stem} has no stability map")


def unbounded_loss(stem: str) -> dict[str, Statement]:
    """What must hold for the noise `stem` to have no finite loss."""
    return noise.unbounded_obligations(registry.lookup(stem, noise.AdditiveNoise))


def divergence(stem: str) -> dict[str, Statement]:
    """What must hold for the mechanism `stem` to have its Renyi divergence in closed form."""
    return renyi.divergence_obligations(registry.kind_of(stem))


def same_law(stem: str) -> dict[str, Statement]:
    """What must hold for the noisy maximum `stem` to have the law of another selection."""
    return noisy_max.same_law_obligations(registry.lookup(stem, noisy_max.NoisyMax))


def monotone(stem: str) -> dict[str, Statement]:
    """What must hold for the selection `stem` to lose half where no score rises while another falls."""
    return selection.monotone_obligations(registry.lookup(stem, selection.WeightedSelection))


def unbounded(stem: str) -> dict[str, Statement]:
    """What must hold for the transformation `stem` to have no finite sensitivity."""
    return rows.unbounded_obligations(registry.lookup(stem, rows.RowSum))


def sampler(stem: str) -> dict[str, Statement]:
    """What must hold for the sampler of `stem` to draw from its law, its names marked `sampler.`."""
    return {f"sampler.{key}": s for key, s in samplers.sampler_obligations(stem).items()}


class _Made:
    """The obligations that were made, by stem, in a world of the registered things that are in it and no others."""

    __slots__ = ("by_stem", "world")

    def __init__(self, world: tuple[object, ...]) -> None:
        self.world, self.by_stem = world, dict[str, dict[str, Statement]]()

    def is_of(self, world: tuple[object, ...]) -> bool:
        """Whether every thing in the world is still the same object."""
        return len(world) == len(self.world) and all(map(operator.is_, world, self.world))


_kept = _Made(())


def obligations(stem: str) -> dict[str, Statement]:
    """Every obligation of `stem`, whatever it is for: made once, and anew where anything else is registered."""
    global _kept
    kept, world = _kept, (*registry.kinds(), *samplers.SCHEMES, *samplers.SCHEMES.values())
    if not kept.is_of(world):
        _kept = kept = _Made(world)
    found = kept.by_stem.get(stem)
    if found is None:
        found = kept.by_stem[stem] = _made(stem)
    return dict(found)


def _made(stem: str) -> dict[str, Statement]:
    """The same, worked out."""
    kind, found = registry.kind_of(stem), dict[str, Statement]()
    match kind:
        case NamedStatements():
            return dict(kind.statements)
        case primitives.Primitive():
            return sampler(stem)
        case noise.AdditiveNoise():
            found |= _of_noise(kind)
        case (
            finite.FiniteLaw() | clamped.ClampedGeometric() | selection.WeightedSelection() | selection.FlipSelection()
        ) | level_noise.LevelNoise():
            found |= privacy(stem)
        case bitwise.BitwiseLaw() | supported.SupportedLaw():
            found |= privacy(stem)
        case rates.BitOfRate():
            found |= privacy(stem) | (decoding(stem) if kind.estimator is not None else {})
        case above_threshold.AboveThreshold():
            found |= privacy(stem) if above_threshold.is_complete(kind) else {}
        case unknown_keys.ThresholdedCounts():
            found |= privacy(stem)
        case perturbed_objectives.PerturbedObjective():
            return privacy(stem) | _sampler(stem)
        case bound_noise.BoundNoise():
            return (privacy(stem) if kind.spread is not None else {}) | _sampler(stem)
        case noisy_max.NoisyMax():
            found |= privacy(stem) if kind.privacy_map is not None else {}
            found |= same_law(stem) if kind.same_law_as else {}
        case rows.RowSum():
            for neighbours, norm in kind.edits:
                found |= stability(stem, neighbours, norm)
            return found | (unbounded(stem) if kind.unbounded_row is not None else {})
        case cells.CellSum():
            for neighbours, norm in kind.edits:
                found |= stability(stem, neighbours, norm)
            return found
        case rows.RowFunction() | minimisers.Minimiser():
            return stability(stem)
        case rescaled.RescaledSum():
            return stability(stem, "add_remove") | stability(stem, "change_one")
        case _:
            return {}
    if isinstance(kind, selection.WeightedSelection):
        found |= monotone(stem)
    if renyi.has_divergence(kind):
        found |= divergence(stem)
    return found | law(stem) | accuracy.every_obligation(kind) | _sampler(stem)


def _of_noise(kind: noise.AdditiveNoise) -> dict[str, Statement]:
    """What is claimed of the losses of additive noise, by the formulas that it brings."""
    found = dict[str, Statement]()
    for measure in kind.privacy_maps:
        found |= privacy(kind.stem, measure, vector=True)
    found |= exact_delta(kind.stem) if kind.deviation is not None else {}
    found |= log_concavity(kind.stem) if kind.on_grid else {}
    return found | (unbounded_loss(kind.stem) if kind.far_output is not None else {})


def _sampler(stem: str) -> dict[str, Statement]:
    """The sampler's obligations, if the mechanism has a sampler."""
    return sampler(stem) if stem in samplers.SCHEMES else {}
