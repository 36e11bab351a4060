"""Sums of a vector, level by level: at each level blocks of consecutive entries, each summed with signs.

What is known of all of them, for any number of levels: each entry stands in at most one block of a level, with a sign.
The forms are fixed here; a transformation gives its form and what its levels, entries and sums are called.

    tree         level i: all blocks of branching^i entries, i = 0, ..., levels - 1, of branching^(levels - 1) entries
    wavelet      the total, and at each level i > 0 the first half less the second half of each block of 2^i entries
    two_level    the entries, and each block of `block` entries
    prefixes     level i: one block, of the first i + 1 entries
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.formulas import Formula
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term, TermError, equal, exp, ln, name, number

LARGEST_LENGTH = 1_000_000
"""Most entries, and most sums, that are worked out."""


@dataclass(frozen=True, slots=True)
class Level:
    """The first `count` blocks of `size` consecutive entries; signed, the second half of each is taken off."""

    size: int
    count: int
    is_signed: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """What the levels are, and their number, that of entries and that of sums as terms, under conditions."""

    levels: Callable[[Mapping[str, int]], Iterator[Level]]
    entries: Term
    count: Term
    sums: Term
    conditions: tuple[Term, ...] = ()


def _tree(values: Mapping[str, int]) -> Iterator[Level]:
    """The blocks of a power of `branching` entries, from single entries to all of them."""
    size = 1
    for _ in range(values["levels"]):
        yield Level(size, values["leaves"] // size)
        size *= values["branching"]


def _wavelet(values: Mapping[str, int]) -> Iterator[Level]:
    """The total, and the differences of halves."""
    yield Level(values["leaves"], 1)
    for i in range(1, values["levels"]):
        yield Level(2**i, values["leaves"] // 2**i, is_signed=True)


def _two_level(values: Mapping[str, int]) -> Iterator[Level]:
    """Single entries and blocks."""
    yield Level(1, values["block"] * values["blocks"])
    yield Level(values["block"], values["blocks"])


def _prefixes(values: Mapping[str, int]) -> Iterator[Level]:
    """The first entry, the first two, and so on."""
    return (Level(length, 1) for length in range(1, values["entries"] + 1))


def _perfect(branching: Term) -> Term:
    """That branching^levels = branching * leaves: the tree is perfect."""
    return equal(branching * name("leaves"), exp(name("levels") * ln(branching)))


_LEAVES, _BRANCHING, _BLOCKS = name("leaves"), name("branching"), name("blocks")
FORMS: Mapping[str, Form] = {
    "tree": Form(
        _tree, _LEAVES, name("levels"), (_BRANCHING * _LEAVES - 1) / (_BRANCHING - 1), (_perfect(_BRANCHING),)
    ),
    "wavelet": Form(_wavelet, _LEAVES, name("levels"), _LEAVES, (_perfect(number(2)),)),
    "two_level": Form(_two_level, name("block") * _BLOCKS, number(2), name("block") * _BLOCKS + _BLOCKS),
    "prefixes": Form(_prefixes, name("entries"), name("entries"), name("entries")),
}


@dataclass(frozen=True, slots=True)
class LevelSums:
    """T(x) = the sums of the blocks of every level, level after level; all parameters are whole numbers >= 1."""

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    form: str
    reserved: ClassVar[str] = "d_in granularity"
    readings: ClassVar[tuple[tuple[Formula, str], ...]] = ()

    def apply(self, subject: Term, x: Any) -> tuple[Fraction, ...]:
        """The sums; TermError unless x has as many entries as the levels are of, and the tree is perfect."""
        form, values = FORMS[self.form], self._whole(subject)
        entries, sums = (_length(t, values) for t in (form.entries, form.sums))
        if not isinstance(x, tuple) or len(x) != entries:
            raise TermError(f"{subject} reads vectors of {entries} numbers")
        found = tuple(total for level in form.levels(values) for total in _sums(level, x))
        if len(found) != sums:
            raise TermError(f"{subject} has no such levels")
        return found

    def _whole(self, subject: Term) -> Mapping[str, int]:
        """The parameters; TermError unless they are whole numbers >= 1, and a tree that they speak of is perfect."""
        exact = registry.values(self, subject)
        if any(v.denominator != 1 or not 1 <= v <= LARGEST_LENGTH for v in exact.values()):
            raise TermError(f"the parameters of {subject} must be whole numbers from 1 to {LARGEST_LENGTH}")
        values = {key: int(v) for key, v in exact.items()}
        if "leaves" in values:
            size, branching = 1, values.get("branching", 2)
            for _ in range(values["levels"] - 1):
                size *= branching
                if size > LARGEST_LENGTH or branching < 2:
                    break
            if size != values["leaves"]:
                raise TermError(f"{subject} must have branching^(levels - 1) leaves")
        return values


def _length(t: Term, values: Mapping[str, int]) -> int:
    """The value of a number of entries or sums."""
    found = Fraction(evaluate(t, {key: Fraction(v) for key, v in values.items()}))
    if found.denominator != 1 or found > 2 * LARGEST_LENGTH:
        raise TermError(f"{t} must be a whole number of at most {2 * LARGEST_LENGTH}")
    return int(found)


def _sums(level: Level, x: tuple[Any, ...]) -> Iterator[Fraction]:
    """The sum of each block of a level; its first half less its second where it is signed."""
    for start in range(0, level.size * level.count, level.size):
        block = x[start : start + level.size]
        middle = len(block) // 2 if level.is_signed else len(block)
        yield sum(block[:middle], Fraction(0)) - sum(block[middle:], Fraction(0))
