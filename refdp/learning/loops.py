"""refdp's own training step as an audit sees it, with the usual mistakes on demand.

It is one of the loops that `refdp.auditing.judges.training.loops` describes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from refdp.auditing.judges.training.loops import StepClaim
from refdp.auditing.judges.training.planted import cut_at_random
from refdp.learning.clipping import Clip
from refdp.learning.training import Plan, lot_of
from refdp.sampling.words import SYSTEM_WORDS, Source

if TYPE_CHECKING:
    from refdp.learning.clipping import Integers
    from refdp.learning.examples import Floats, Mask


MISTAKES: Mapping[str, str] = {
    "none": "the step as it should be",
    "noise_of_the_mean_on_the_sum": "noise of deviation sigma C / L on the sum",
    "divided_by_the_actual_size": "the sum over the number of rows in the lot, with noise for the sum over L",
    "noise_divided_by_the_actual_size": "sum and noise together over the number of rows in the lot",
    "clipped_after_averaging": "the mean of the lot is clipped, with noise for C",
    "skipped_empty_lots": "no step where a lot is empty",
    "drawn_again": "a lot is drawn again until it has a row",
    "shuffled": "the table is shuffled and cut into lots",
    "halved_noise": "half the noise",
    "repeated_noise": "one draw of noise for all numbers of a step",
    "clipped_by_coordinate": "each coordinate is clipped to C",
    "sized_setup": "rate, steps and divisor are worked out from the number of rows",
}
"""What may be wrong with a loop."""
TWINS: Mapping[str, str] = {
    "noise_of_the_sum_on_the_mean": "noise of deviation sigma C on the mean: more than is needed",
    "clipped_after_averaging_with_twice_the_noise": "the mean of the lot is clipped, with noise for 2 C",
}
"""What looks wrong, and is private."""


@dataclass(frozen=True, slots=True)
class StepLoop:
    """refdp's own step, or one of the mistakes in it; rows are put into lots by independent coins."""

    plan: Plan
    mistake: str = "none"
    source: Source = SYSTEM_WORDS
    noise_units: Fraction = field(init=False, repr=False)
    """The deviation of the noise that is drawn, in units."""
    clip: Clip = field(init=False, repr=False)
    scale: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        known = {**MISTAKES, **TWINS}
        if self.mistake not in known:
            raise ValueError(f"mistake must be one of {', '.join(known)}, got {self.mistake}")
        factor = {
            "noise_of_the_mean_on_the_sum": 1 / self.plan.lot,
            "noise_of_the_sum_on_the_mean": self.plan.lot,
            "halved_noise": Fraction(1, 2),
        }.get(self.mistake, Fraction(1))
        object.__setattr__(self, "noise_units", factor * self.claim.deviation / self.claim.unit)
        object.__setattr__(self, "clip", self.plan.clip)
        object.__setattr__(self, "scale", float(self.plan.lot))

    @property
    def name(self) -> str:
        """The mistake."""
        return self.mistake

    @property
    def by_mean(self) -> bool:
        """Whether what is released is a mean that was clipped, and the norm has no divisor."""
        return self.mistake.startswith("clipped_after_averaging")

    @property
    def claim(self) -> StepClaim:
        """A row moves a step by C / L, and a mean that was clipped by C or 2 C; steps are whole numbers of units."""
        twice, divisor = 1 + self.mistake.endswith("twice_the_noise"), 1 if self.by_mean else self.plan.lot
        sensitivity, unit = self.plan.norm * twice / divisor, self.plan.granularity / divisor
        return StepClaim(sensitivity, self.plan.noise_multiplier * sensitivity, unit, unit)

    def layers(self, size: int) -> Sequence[int]:
        """All numbers are one layer."""
        return (size,)

    def answer(self, gradients: Sequence[Floats], size: int, noisy: bool) -> Floats | Integers | None:
        """The sum of clipped gradients with noise, in units of the grid over L; or what the mistake makes of it."""
        import numpy as np

        from refdp.sampling.bulk.rounded_normal import rounded_normals

        if self.mistake == "skipped_empty_lots" and not gradients:
            return None
        noise = np.zeros(size, np.int64)
        if noisy:
            one = self.mistake == "repeated_noise"
            noise = np.resize(rounded_normals(self.noise_units, 1 if one else size, self.source), size)
        if self.by_mean:
            mean = sum(gradients, np.zeros(size)) / max(1, len(gradients))
            return np.asarray(self.clip(mean) + noise)
        total = np.zeros(size, np.int64)
        for gradient in gradients:
            if gradient.shape != total.shape:
                raise ValueError(f"a gradient must have the shape {total.shape}, got {gradient.shape}")
            total += self._clipped(gradient)
        scale = self.scale / max(1, len(gradients))
        if self.mistake == "divided_by_the_actual_size":
            return np.asarray(total * scale + noise)
        if self.mistake == "noise_divided_by_the_actual_size":
            return np.asarray((total + noise) * scale)
        return np.asarray(total + noise)

    def _clipped(self, gradient: Floats) -> Integers:
        """The gradient in units of the grid."""
        import numpy as np

        if self.mistake != "clipped_by_coordinate":
            return self.clip(gradient)
        ends = float(self.plan.norm / self.plan.granularity)
        return np.clip(gradient / float(self.plan.granularity), -ends, ends).astype(np.int64)

    def lots(self, rows: int, steps: int) -> list[Mask]:
        """Independent coins for each row and lot; or what the mistake makes of it."""
        if self.mistake == "shuffled":
            return cut_at_random(self.plan.rate, rows, steps, self.source)
        found: list[Mask] = []
        while len(found) < steps:
            lot = lot_of(self.plan, rows, self.source)
            if lot.any() or self.mistake != "drawn_again" or not rows:
                found.append(lot)
        return found

    def setup(self, rows: int) -> Mapping[str, Fraction]:
        """Rate, steps and divisor, as arguments; or what the mistake makes of the number of rows."""
        plan = self.plan
        if self.mistake != "sized_setup":
            return {"rate": plan.rate, "steps": Fraction(plan.steps), "divisor": plan.lot}
        batches = -(-rows // max(1, int(plan.lot)))
        rate = Fraction(1, max(1, batches))
        return {"rate": rate, "steps": Fraction(batches), "divisor": Fraction(int(rows * rate))}
