"""What is known of a mechanism, as data, so that a theorem can check its hypotheses before it says anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from refdp.numerics.exact import ExactReal, exact, exact_real

Measure = Literal["pure", "approximate", "concentrated", "gaussian", "renyi"]
Neighbours = Literal["add_remove", "change_one"]
PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "pure": ("epsilon",),
    "approximate": ("epsilon", "delta"),
    "concentrated": ("rho",),
    "gaussian": ("mu_squared",),
    "renyi": ("order", "epsilon"),
}
"""Measure -> the names of its numbers, as in `refdp.spec.distances`."""
RELATIONS = ("add_remove", "change_one")
WHOLE = "the data"
"""The name of the data that every mechanism reads, unless it is said to read a part of it."""
Number = Fraction | ExactReal
"""A rational number, or a + ln b."""


class HypothesisError(ValueError):
    """A theorem's hypothesis does not hold; the sentence says which."""


def require(condition: bool, sentence: str) -> None:
    """HypothesisError with the sentence unless the condition holds."""
    if not condition:
        raise HypothesisError(sentence)


@dataclass(frozen=True, slots=True)
class Guarantee:
    """One mechanism, for one edit under `neighbours`: `loss` under `measure`.

    `reads` names the part of the data that it reads.  `chosen` says when its loss was fixed: "before" any outcome was
    seen, or "adaptively", after earlier outcomes; in either case the mechanism itself may depend on earlier outcomes.
    `edits` is the number of edits of the group that it is about.
    """

    measure: Measure
    loss: tuple[Number, ...]
    neighbours: Neighbours
    reads: str = WHOLE
    chosen: Literal["before", "adaptively"] = "before"
    edits: int = 1

    def __post_init__(self) -> None:
        require(self.measure in PARAMETERS, f"measure must be one of {', '.join(PARAMETERS)}, got {self.measure}")
        require(self.neighbours in RELATIONS, f"neighbours must be {' or '.join(RELATIONS)}, got {self.neighbours}")
        names = PARAMETERS[self.measure]
        require(len(self.loss) == len(names), f"{self.measure} DP has {', '.join(names)}, got {len(self.loss)} numbers")
        for name, value in zip(names, self.loss, strict=True):
            least = 1 if name == "order" else 0
            good = least < value if name == "order" else least <= value
            require(good, f"{name} must be {'> 1' if name == 'order' else '>= 0'}, got {value}")
        require(self.edits >= 1, f"edits must be >= 1, got {self.edits}")

    @property
    def delta(self) -> Fraction:
        """The delta of approximate DP, 0 under pure DP."""
        return rational(self.loss[1]) if self.measure == "approximate" else Fraction(0)


def guarantee(measure: Measure, *loss: object, neighbours: Neighbours, **more: str) -> Guarantee:
    """The guarantee with numbers read exactly: an epsilon may be a + ln b, every other number is rational.

    >>> guarantee("approximate", "ln(3)", "1e-6", neighbours="add_remove").delta
    Fraction(1, 1000000)
    """
    names = PARAMETERS.get(measure, ())
    numbers = tuple(
        exact_real(x, name) if name == "epsilon" else exact(x, name) for name, x in zip(names, loss, strict=False)
    )
    require(len(numbers) == len(loss), f"measure must be one of {', '.join(PARAMETERS)}, got {measure}")
    return Guarantee(measure, numbers, neighbours, **more)  # type: ignore[arg-type]


def rational(x: Number) -> Fraction:
    """x, which is a rational number; HypothesisError for a + ln b."""
    if isinstance(x, Fraction):
        return x
    require(x.argument == 1, f"expected a rational number, got {x}")
    return x.rational


def alike(parts: Iterable[Guarantee], theorem: str) -> Guarantee:
    """The first of at least one guarantee, all under one measure and relation, for as many edits."""
    every = list(parts)
    require(len(every) > 0, f"{theorem} needs at least one mechanism")
    for what in ("measure", "neighbours", "edits"):
        found = {getattr(g, what): None for g in every}
        require(len(found) == 1, f"{theorem} needs one {what} throughout, got {', '.join(map(str, found))}")
    return every[0]
