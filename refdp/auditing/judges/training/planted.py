"""Defects that are planted in a loop, whosever it is: a judge that does not see them has no right to NOT_REFUTED.

Each is made of what the loop answers and of nothing else, so that it goes through the same adapter and processes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from refdp.auditing.judges.training.loops import Loop, Numbers, StepClaim
from refdp.sampling.words import SYSTEM_WORDS, Source

if TYPE_CHECKING:
    from refdp.auditing.judges.training.loops import Lot, Released


@dataclass(frozen=True, slots=True)
class Planted:
    """A loop with a defect; it claims what the loop claims."""

    loop: Loop
    defect: str
    kept: dict[int, Any] = field(default_factory=dict, repr=False)
    """Noise of a first step by its size, where it is used again."""

    def __post_init__(self) -> None:
        if self.defect not in DEFECTS:
            raise ValueError(f"defect must be one of {', '.join(DEFECTS)}, got {self.defect}")

    @property
    def name(self) -> str:
        """The loop's, and the defect."""
        return f"{self.loop.name}, {self.defect}"

    @property
    def plan(self) -> Numbers:
        """The loop's."""
        return self.loop.plan

    @property
    def claim(self) -> StepClaim:
        """The loop's."""
        return self.loop.claim

    def layers(self, size: int) -> Sequence[int]:
        """The loop's."""
        return self.loop.layers(size)

    def answer(self, gradients: Sequence[Any], size: int, noisy: bool) -> Released | None:
        """What the loop answers, changed by the defect."""
        found: Released | None = ANSWERS.get(self.defect, plain)(self, gradients, size, noisy)
        return found

    def lots(self, rows: int, steps: int) -> Sequence[Lot]:
        """The loop's, or others."""
        made = LOTS.get(self.defect)
        return self.loop.lots(rows, steps) if made is None else made(self.loop, rows, steps)

    def setup(self, rows: int) -> Mapping[str, Fraction]:
        """The loop's, or with the number of rows in it."""
        found = self.loop.setup(rows)
        return {**found, "divisor": rows * self.plan.rate} if self.defect == "divisor_of_the_table" else found


MOST_PLACES = 10**6
QUARTILE = 0.6745
"""Of standard normal noise."""
Answer = Callable[[Planted, Sequence[Any], int, bool], Any]


def plain(planted: Planted, gradients: Sequence[Any], size: int, noisy: bool) -> Any:
    """What the loop answers."""
    return planted.loop.answer(gradients, size, noisy)


def clipped_to_twice_the_norm(planted: Planted, gradients: Sequence[Any], size: int, noisy: bool) -> Any:
    """f(g) = 2 clip(g / 2)."""
    found = plain(planted, [one / 2 for one in gradients], size, noisy)
    return None if found is None else 2 * found


def divided_by_the_actual_size(planted: Planted, gradients: Sequence[Any], size: int, noisy: bool) -> Any:
    """The sum over the number of rows."""
    found = plain(planted, gradients, size, noisy)
    return None if found is None else found * (float(planted.plan.lot) / max(1, len(gradients)))


def skipped_empty_lots(planted: Planted, gradients: Sequence[Any], size: int, noisy: bool) -> Any:
    """Nothing of an empty lot."""
    return plain(planted, gradients, size, noisy) if gradients else None


def half_the_claimed_noise(planted: Planted, gradients: Sequence[Any], size: int, noisy: bool) -> Any:
    """Noise of half the deviation that is claimed, however much the loop adds."""

    def halved(noise: Any) -> Any:
        import numpy as np

        middle = float(np.median(np.abs(noise))) * float(planted.claim.unit)
        return noise * (float(planted.claim.deviation) * QUARTILE / 2 / middle) if middle > 0 else noise

    return changed(planted, gradients, size, noisy, halved)


def no_noise_in_every_second_step(planted: Planted, gradients: Sequence[Any], size: int, noisy: bool) -> Any:
    """Noise in the first step of two alone."""
    planted.kept[0] = planted.kept.get(0, 0) + noisy
    return plain(planted, gradients, size, noisy and planted.kept[0] % 2 == 1)


def skipped_empty_lots_with_noise(planted: Planted, gradients: Sequence[Any], size: int, noisy: bool) -> Any:
    """Nothing of an empty lot, where noise is asked for."""
    return plain(planted, gradients, size, noisy) if gradients or not noisy else None


def no_noise_on_the_last_layer(planted: Planted, gradients: Sequence[Any], size: int, noisy: bool) -> Any:
    """None of the noise of the last layer; of a single layer, of its second half."""
    first = size - (planted.layers(size)[-1] if len(planted.layers(size)) > 1 else size // 2)

    def dropped(noise: Any) -> Any:
        noise[first:] = 0
        return noise

    return changed(planted, gradients, size, noisy, dropped)


def one_noise_for_two_layers(planted: Planted, gradients: Sequence[Any], size: int, noisy: bool) -> Any:
    """The last layer has the noise of the one before; of a single layer, each other number that of its neighbour."""
    layers = planted.layers(size)

    def repeated(noise: Any) -> Any:
        if len(layers) == 1:
            noise[1::2] = noise[: size // 2 * 2 : 2]
            return noise
        count = min(layers[-2:])
        start, last = size - layers[-1] - layers[-2], size - layers[-1]
        noise[last : last + count] = noise[start : start + count]
        return noise

    return changed(planted, gradients, size, noisy, repeated)


def one_noise_for_all_steps(planted: Planted, gradients: Sequence[Any], size: int, noisy: bool) -> Any:
    """The noise of the first step, in every step."""
    return changed(planted, gradients, size, noisy, lambda noise: planted.kept.setdefault(size, noise))


def changed(planted: Planted, gradients: Sequence[Any], size: int, noisy: bool, change: Callable[[Any], Any]) -> Any:
    """What is answered without noise, and the noise of another step, changed."""
    import numpy as np

    found = plain(planted, gradients, size, False)
    noised = plain(planted, gradients, size, True) if noisy else None
    if found is None or noised is None:
        return found
    clean = np.asarray(found, dtype=np.float64)
    return clean + change(np.asarray(noised, dtype=np.float64) - clean)


def shuffled(loop: Loop, rows: int, steps: int) -> Sequence[Lot]:
    """Epochs of the rows in random order, cut into lots."""
    return cut_at_random(loop.plan.rate, rows, steps, SYSTEM_WORDS)


def cut_at_random(rate: Fraction, rows: int, steps: int, source: Source) -> list[Any]:
    """Epochs of rows in random order, each cut into as many lots as the inverse of the rate says, some of them empty.

    Of more than a million places rows are given any, so that two may have the same.
    """
    import numpy as np

    count = max(1, int(1 / rate))
    each = -(-rows // count)
    found: list[Any] = []
    while len(found) < steps:
        if count * each <= MOST_PLACES:
            places = np.argsort(np.frombuffer(source.octets(8 * count * each), "<u8"))[:rows] // each
        else:
            places = np.array([int.from_bytes(source.octets(8), "little") % count for _ in range(rows)])
        found += [places == lot for lot in range(min(count, steps - len(found)))]
    return found


def one_order_for_all_epochs(loop: Loop, rows: int, steps: int) -> Sequence[Lot]:
    """The lots of a first epoch, in every epoch."""
    first = loop.lots(rows, min(steps, max(1, int(1 / loop.plan.rate))))
    return [first[step % len(first)] for step in range(steps)]


def one_row_where_there_is_none(loop: Loop, rows: int, steps: int) -> Sequence[Lot]:
    """Lots of the loop; in place of an empty one, a row that is drawn."""
    import numpy as np

    found: list[Lot] = []
    for one in loop.lots(rows, steps):
        lot = np.array(one, dtype=np.int64)
        if not lot.any():
            lot[int.from_bytes(SYSTEM_WORDS.octets(8), "little") % rows] = 1
        found.append(lot)
    return found


def with_replacement(loop: Loop, rows: int, steps: int) -> Sequence[Lot]:
    """Every row of a lot is twice in it."""
    import numpy as np

    return [2 * np.asarray(one, dtype=np.int64) for one in loop.lots(rows, steps)]


def without_a_period(loop: Loop, rows: int, steps: int) -> Sequence[Lot]:
    """Independent coins for all lots, of the same number of rows on average."""
    from refdp.sampling.bulk.lanes import Lanes

    lanes = Lanes(SYSTEM_WORDS)
    return [lanes.bernoulli(rows, loop.plan.rate / loop.claim.period) for _ in range(steps)]


ANSWERS: Mapping[str, Answer] = {
    "clipped_to_twice_the_norm": clipped_to_twice_the_norm,
    "divided_by_the_actual_size": divided_by_the_actual_size,
    "skipped_empty_lots": skipped_empty_lots,
    "half_the_claimed_noise": half_the_claimed_noise,
    "no_noise_in_every_second_step": no_noise_in_every_second_step,
    "no_noise_on_the_last_layer": no_noise_on_the_last_layer,
    "one_noise_for_two_layers": one_noise_for_two_layers,
    "one_noise_for_all_steps": one_noise_for_all_steps,
    "skipped_empty_lots_with_noise": skipped_empty_lots_with_noise,
}
LOTS: Mapping[str, Callable[[Loop, int, int], Sequence[Lot]]] = {
    "shuffled": shuffled,
    "one_order_for_all_epochs": one_order_for_all_epochs,
    "one_row_where_there_is_none": one_row_where_there_is_none,
    "with_replacement": with_replacement,
    "without_a_period": without_a_period,
}
JUDGES: Mapping[str, tuple[str, ...]] = {
    "pairs": ("clipped_to_twice_the_norm", "divided_by_the_actual_size", "skipped_empty_lots"),
    "noise": (
        "half_the_claimed_noise",
        "no_noise_in_every_second_step",
        "no_noise_on_the_last_layer",
        "one_noise_for_two_layers",
        "one_noise_for_all_steps",
        "skipped_empty_lots_with_noise",
    ),
    "lots": (
        "shuffled",
        "one_order_for_all_epochs",
        "one_row_where_there_is_none",
        "with_replacement",
        "without_a_period",
    ),
    "set-up": ("divisor_of_the_table",),
}
"""Judge -> the defects that it must see."""
DEFECTS = tuple(one for found in JUDGES.values() for one in found)


def defects(judge: str, loop: Loop) -> list[str]:
    """Those that the judge must see in this loop, without those that are none there.

    Of all rows in all lots none is shuffled, and no lot is empty; where the divisor is 1 or less a mean is no further.
    """
    of_coins = {"shuffled", "one_order_for_all_epochs", "one_row_where_there_is_none"}
    idle = of_coins if loop.claim.period > 1 else {"without_a_period"}
    if loop.plan.rate == 1:
        idle |= of_coins
    if not loop.claim.may_be_empty:
        idle |= {"skipped_empty_lots", "skipped_empty_lots_with_noise"}
    if loop.plan.lot <= 1:
        idle.add("divided_by_the_actual_size")
    return [one for one in JUDGES[judge] if one not in idle]
