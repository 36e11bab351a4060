"""Independent outputs of mechanisms, by the fastest exact sampler at hand: the law is always that of the schemes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from math import lcm
from typing import Any

from refdp.sampling import schemes
from refdp.sampling.coins import Coins
from refdp.sampling.entropy import Bits
from refdp.sampling.exponential import Draw, draw_of, gaussian, laplace, scales_of
from refdp.sampling.lookup import Categorical
from refdp.sampling.plans import Choice, Noise, Tabled, plan_of, selection_of
from refdp.sampling.potentials import Potential
from refdp.sampling.selection import LIMIT, enclosed, flipped, selected
from refdp.sampling.tables import SHELF, Table, is_array, uses_arrays
from refdp.sampling.words import SYSTEM_WORDS, Source, is_system
from refdp.spec import registry
from refdp.spec.samplers import SCHEMES
from refdp.spec.semantics import value
from refdp.terms.term import Term


class WordFlips:
    """The digits of a source as single flips, the first digit of each octet first."""

    __slots__ = ("_flips", "source")

    def __init__(self, source: Source) -> None:
        self.source, self._flips = source, list[int]()

    def __call__(self) -> int:
        """The next flip."""
        if not self._flips:
            octet = self.source.digits(8)
            self._flips = [octet >> i & 1 for i in range(8)]
        return self._flips.pop()


def require_source(source: object, parameter: str = "source") -> None:
    """ValueError unless this is None or has what a source of digits has."""
    if source is not None and not all(hasattr(source, name) for name in ("digits", "octets", "step")):
        raise ValueError(
            f"{parameter} must have digits, octets and step, as refdp.sampling.words.Source says, got {source!r:.60}"
        )


@dataclass(frozen=True, slots=True)
class Randomness:
    """Where draws come from: the operating system, unless one of two things is supplied.

    `bits` are single flips, for the schemes that the claims STEM.sampler_law are about.  Of `source` draws are a
    function: a table is made for them wherever there can be one.
    """

    bits: Bits | None = None
    source: Source | None = None

    def __post_init__(self) -> None:
        if self.bits is not None and self.source is not None:
            raise ValueError("bits and source must not both be given")
        if self.bits is not None and not callable(self.bits):
            raise ValueError(f"bits must be a function that gives 0 or 1, got {self.bits!r:.60}")
        require_source(self.source)

    @property
    def flips(self) -> bool:
        """Whether flips are supplied."""
        return self.bits is not None

    def coins(self) -> Coins:
        """Coins for the schemes; of the system's source nothing is kept between flips, which a fork would copy."""
        if self.source is not None and not is_system(self.source):
            return Coins(WordFlips(self.source))
        return Coins() if self.bits is None else Coins(self.bits)

    def table(self, plan: Tabled, n: int) -> Table | None:
        """The table from which n draws are made; None where the scheme makes them."""
        return None if self.bits is not None else SHELF.find(plan.law, n, at_once=self.source is not None)

    def draw(self, subject: Term, x: Any, transformed: Callable[[Term, Any], Any] = value) -> Any:
        """One output of the closed mechanism `subject` at the input `x`; `transformed` as in `schemes.run`."""
        coins = self.coins()
        return schemes.run(subject, x, lambda m, inputs: self.several(m, inputs, coins), coins, transformed)

    def several(self, subject: Term, inputs: Sequence[Any], coins: Coins | None = None) -> tuple[Any, ...]:
        """Independent outputs of a registered mechanism, one for each input; `coins` are for its scheme."""
        plan, selection = plan_of(subject), selection_of(subject)
        if selection is not None and self.bits is None:
            return tuple(Fraction(chosen(scores, selection, self.source or SYSTEM_WORDS)) for scores in inputs)
        drawn = None if plan is None else self.integers(plan, len(inputs))
        if plan is None or drawn is None:
            return schemes.drawn(subject, inputs, coins or self.coins())
        return tuple(output(plan, x, k) for x, k in zip(inputs, drawn, strict=True))

    def integers(self, plan: Tabled, n: int) -> list[int] | None:
        """n draws of a plan's law, by its table or by the one table of every scale; None where the scheme makes them.

        A single one of the system's digits is made without an array.
        """
        table, source = self.table(plan, n), self.source or SYSTEM_WORDS
        if table is not None:
            return [table.one(source)] if n == 1 and self.source is None else table.many(n, source)
        draw = None if self.bits is not None else of_any_scale(plan.law)
        return None if draw is None else [draw(source) for _ in range(n)]

    def on_array(self, subject: Term, data: Any, out: Any = None) -> Any:
        """Independent outputs of a registered mechanism, one for each element of an array of whole numbers."""
        return import_module("refdp.sampling.bulk.drawing").drawn(subject, data, self, out)

    def choice(self, subject: Term, scores: Any) -> int | None:
        """The candidate that a selection names, of whole scores in an array, a list or a tuple; None of others."""
        if is_array(scores):
            is_whole = scores.ndim == 1 and scores.size > 0
        else:
            is_whole = isinstance(scores, list | tuple) and len(scores) > 0 and all(s.__class__ is int for s in scores)
        selection = selection_of(subject) if is_whole and subject.operator in SCHEMES else None
        if selection is None:
            return None
        if is_array(scores):
            arrays = import_module("refdp.sampling.bulk.drawing")
            return int(arrays.selected_of(arrays.checked(scores), selection, self.source or SYSTEM_WORDS))
        return whole_choice(scores, selection, self.source or SYSTEM_WORDS)

    def at_scales(self, subject: Term, inputs: Any, scales: Any, out: Any = None) -> Any:
        """Independent outputs of a noise that has another scale, its first parameter, for each of the inputs.

        Lists are drawn one by one, arrays of whole numbers in arrays: from the same law, but not from the same digits.
        """
        if self.bits is not None:
            raise ValueError("scales are for draws from a source: flips (bits) are for the schemes")
        family, unit = family_of(subject)
        if is_array(inputs):
            arrays = import_module("refdp.sampling.bulk.scales")
            return arrays.drawn(family, unit, inputs, scales, self.source or SYSTEM_WORDS, out)
        draw, source, exactly = FAMILIES[family], self.source or SYSTEM_WORDS, scales_of(scales, len(inputs))
        return tuple(x + unit * draw(scale / unit, source) for x, scale in zip(inputs, exactly, strict=True))


FAMILIES: dict[str, Callable[[Fraction, Source], int]] = {
    "discrete_laplace": lambda scale, source: laplace(scale.numerator, scale.denominator, source),
    "discrete_gaussian": lambda sigma, source: gaussian(sigma.numerator**2, sigma.denominator**2, source),
}
"""Noise whose scale is its first parameter: one draw at a scale, in steps of its grid."""


def family_of(subject: Term) -> tuple[str, int]:
    """The stem of a noise that may have a scale for each input, and its whole granularity; ValueError otherwise."""
    if subject.operator not in FAMILIES:
        raise ValueError(f"scales are for {' and '.join(FAMILIES)}, got {subject.operator}")
    granularity = registry.values(registry.kind_of(subject.operator), subject)["granularity"]
    if granularity.denominator != 1:
        raise ValueError(f"granularity must be whole where scales are given, got {granularity}")
    return subject.operator, int(granularity)


def of_any_scale(law: Potential | Categorical) -> Draw | None:
    """One draw of a law without a table of its own, where that takes microseconds."""
    return draw_of(law) if isinstance(law, Potential) else None


def chosen(scores: Sequence[Fraction], selection: Choice, source: Source) -> int:
    """The candidate that a selection names."""
    unit = lcm(*(score.denominator for score in scores))
    return whole_choice([int(score * unit) for score in scores], replace(selection, rate=selection.rate / unit), source)


def whole_choice(scores: Sequence[int], selection: Choice, source: Source) -> int:
    """The same of whole scores."""
    least = min(scores)
    if max(scores) - least >= LIMIT:  # none is an int64: by enclosures alone
        shifted = [score - least for score in scores]
        return (flipped if selection.by_flips else enclosed)(shifted, selection.rate, source)
    if not uses_arrays(len(scores)):
        shifted = [score - least for score in scores]
        return (flipped if selection.by_flips else selected)(shifted, selection.rate, source)
    found: int = import_module("refdp.sampling.bulk.drawing").selected_from(scores, least, selection, source)
    return found


def output(plan: Tabled, x: Fraction, k: int) -> Fraction:
    """The output that the draw k makes of the input x."""
    if isinstance(plan, Noise):
        return x + plan.unit * k
    return plan.unit * sum(plan.split(int(x / plan.unit), k))
