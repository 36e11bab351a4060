"""Sums of a stream of every length, level by level: a tree, a wavelet, blocks, prefixes.

Claims, for every number of levels: if one entry moves by d_in, all sums together move by at most d_in times the number
of levels in L1, and its square root in L2.
Source: CSS11 (the tree, blocks and prefixes), XWG10 (the wavelet).
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, PipelineError, Transformation, transformation
from refdp.spec.level_sums import LARGEST_LENGTH, LevelSums
from refdp.spec.linear_signatures import level_signature
from refdp.spec.registry import register
from refdp.terms.reading import read
from refdp.terms.term import TermError, term

TREE_SUMS = register(
    LevelSums(
        stem="tree_sums",
        parameters=("branching", "levels", "leaves"),
        conditions=(read("2 <= branching"),),
        example={"branching": term(2), "levels": term(3), "leaves": term(4)},
        form="tree",
    )
)
WAVELET_SUMS = register(
    LevelSums(
        stem="wavelet_sums",
        parameters=("levels", "leaves"),
        conditions=(),
        example={"levels": term(3), "leaves": term(4)},
        form="wavelet",
    )
)
TWO_LEVEL_SUMS = register(
    LevelSums(
        stem="two_level_sums",
        parameters=("block", "blocks"),
        conditions=(),
        example={"block": term(2), "blocks": term(3)},
        form="two_level",
    )
)
PREFIX_SUMS = register(
    LevelSums(
        stem="prefix_sums",
        parameters=("entries",),
        conditions=(),
        example={"entries": term(4)},
        form="prefixes",
    )
)


def tree_sums(levels: Exactly, branching: Exactly = 2, norm: str = "l1", granularity: Exactly = 1) -> Transformation:
    """vector of branching^(levels - 1) entries -> the sums of all nodes of the tree over it, the leaves first.

    Raises ValueError unless levels >= 1 and branching >= 2 are whole numbers.

    >>> tree_sums(3).map(1), tree_sums(3)((1, 0, 0, 5))[-3:]
    (Fraction(3, 1), (Fraction(1, 1), Fraction(5, 1), Fraction(6, 1)))
    """
    height, degree = _whole(levels, "levels"), _whole(branching, "branching", 2)
    leaves = _power(degree, height)
    return _sums(TREE_SUMS, norm, granularity, branching=degree, levels=height, leaves=leaves)


def wavelet_sums(levels: Exactly, norm: str = "l1", granularity: Exactly = 1) -> Transformation:
    """vector of 2^(levels - 1) entries -> its total, then first half less second half of every dyadic block.

    Raises ValueError unless levels >= 1 is a whole number.

    >>> wavelet_sums(2)((3, 1))
    (Fraction(4, 1), Fraction(2, 1))
    """
    height = _whole(levels, "levels")
    return _sums(WAVELET_SUMS, norm, granularity, levels=height, leaves=_power(2, height))


def two_level_sums(block: Exactly, blocks: Exactly, norm: str = "l1", granularity: Exactly = 1) -> Transformation:
    """vector of block * blocks entries -> its entries, then the sum of each block.

    Raises ValueError unless both are whole numbers >= 1.
    """
    length, count = _whole(block, "block"), _whole(blocks, "blocks")
    if length * count > LARGEST_LENGTH:
        raise PipelineError(f"block * blocks must be at most {LARGEST_LENGTH}, got {length * count}")
    return _sums(TWO_LEVEL_SUMS, norm, granularity, block=length, blocks=count)


def prefix_sums(entries: Exactly, norm: str = "l1", granularity: Exactly = 1) -> Transformation:
    """vector -> the sums of its first entry, its first two, and so on.

    Raises ValueError unless entries >= 1 is a whole number.
    """
    return _sums(PREFIX_SUMS, norm, granularity, entries=_whole(entries, "entries"))


def _sums(kind: LevelSums, norm: str, granularity: Exactly, **parameters: int) -> Transformation:
    """The transformation; PipelineError where there is none."""
    step = exact(granularity, "granularity")
    if step <= 0:
        raise PipelineError(f"granularity must be > 0, got {step}")
    try:
        signature = level_signature(kind, "one_coordinate", norm)
    except TermError as error:
        raise PipelineError(str(error)) from None
    return transformation(kind, signature, **{key: term(v) for key, v in parameters.items()}, granularity=step)


def _whole(value: Exactly, parameter: str, least: int = 1) -> int:
    """The whole number from `least` to LARGEST_LENGTH; PipelineError otherwise."""
    found = exact(value, parameter)
    if found.denominator != 1 or not least <= found <= LARGEST_LENGTH:
        raise PipelineError(f"{parameter} must be a whole number from {least} to {LARGEST_LENGTH}, got {found}")
    return int(found)


def _power(branching: int, levels: int) -> int:
    """branching^(levels - 1); PipelineError if it is more than LARGEST_LENGTH."""
    leaves = 1
    for _ in range(levels - 1):
        leaves *= branching
        if leaves > LARGEST_LENGTH:
            raise PipelineError(f"levels must be such that there are at most {LARGEST_LENGTH} leaves, got {levels}")
    return leaves
