"""Certificates of exact slots as text, in a group, so that every implementation draws by the same one."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import lru_cache
from typing import Any

from refdp.numerics.elementary import exp_bounds
from refdp.sampling.potentials import Potential
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.certificate import Block, Certificate, Tail
from refdp.sampling.slots.check import MOST_OFFSET_DIGITS, MOST_SLOT_DIGITS
from refdp.sampling.slots.draws import SlotDraws
from refdp.test_vectors.numbers import VectorError, rational, shown, whole

KEYS = {"coefficients", "sides", "slotDigits", "offsetDigits", "height", "slots", "full", "tails", "wordDigits"}
MOST_BLOCKS = 1000
FARTHEST = 2**60
LEVEL_BITS = 96


def text_of(potential: Potential) -> dict[str, Any]:
    """The certificate that refdp finds for the weights."""
    c = certificate(potential)
    return {
        "coefficients": [str(one) for one in potential.coefficients],
        "sides": "2" if potential.two_sided else "1",
        "slotDigits": str(c.slot_digits),
        "offsetDigits": str(c.offset_digits),
        "height": str(c.height),
        "slots": [str(b.slots) for b in c.blocks],
        "full": [str(b.full) for b in c.blocks],
        "tails": [[str(t.start), str(t.sign), str(t.slots)] for t in c.tails],
        "wordDigits": str(SlotDraws(c).word),
    }


def slots_of(group: Any) -> SlotDraws:
    """The sampler by the certificate of the group, which is checked; ValueError where it is not right."""
    found = group.get("certificate")
    if not isinstance(found, dict) or set(found) != KEYS:
        raise VectorError(f"certificate must have {', '.join(sorted(KEYS))}, got {shown(found)}")
    return _made(json.dumps(found, sort_keys=True))


@lru_cache(maxsize=16)
def _made(text: str) -> SlotDraws:
    """The sampler by a certificate."""
    found = json.loads(text)
    draws = SlotDraws(_read(found))
    if found["wordDigits"] != str(draws.word):
        raise VectorError(f"wordDigits must be {draws.word}, got {shown(found['wordDigits'])}")
    return draws


def _read(found: Any) -> Certificate:
    """The certificate in text."""
    coefficients = [rational(one, "coefficients") for one in _list(found["coefficients"], 8)]
    potential = Potential(tuple(coefficients), two_sided=whole(found["sides"], "sides", 1, 2) == 2)
    digits = whole(found["slotDigits"], "slotDigits", 0, MOST_SLOT_DIGITS)
    offset = whole(found["offsetDigits"], "offsetDigits", 0, MOST_OFFSET_DIGITS)
    slots, full = _list(found["slots"], MOST_BLOCKS), _list(found["full"], MOST_BLOCKS)
    height = rational(found["height"], "height")
    if len(slots) != len(full) or height <= 0:
        raise VectorError("slots and full must be as many, and height must be > 0")
    first = -(len(slots) // 2) if potential.two_sided else 0
    starts = [(first + j) << offset for j in range(len(slots))]
    blocks = [
        Block(start, _slots(n), _slots(f), _level(potential, height, start, offset))
        for start, n, f in zip(starts, slots, full, strict=True)
    ]
    tails = [_tail(one) for one in _list(found["tails"], 2)]
    rates = tuple(c.numerator / c.denominator for c in coefficients)
    return Certificate(potential, digits, offset, height, rates, tuple(blocks), tuple(tails))


def _level(potential: Potential, height: Fraction, start: int, offset: int) -> float:
    """About w(top) / height, which only the floats of arrays need: the same everywhere."""
    top = min(abs(start), abs(start + (1 << offset) - 1))
    level = exp_bounds(-potential(top), LEVEL_BITS)[0] / height
    return level.numerator / level.denominator


def _slots(text: Any) -> int:
    """A number of slots."""
    return whole(text, "slots", 0, 1 << MOST_SLOT_DIGITS)


def _tail(found: Any) -> Tail:
    """A tail: start, sign, slots."""
    if len(parts := _list(found, 3)) != 3:
        raise VectorError(f"a tail must be start, sign and slots, got {shown(found)}")
    return Tail(whole(parts[0], "start", 0, FARTHEST), whole(parts[1], "sign", -1, 1), _slots(parts[2]))


def _list(found: Any, most: int) -> list[Any]:
    """A list that is not long."""
    if not isinstance(found, list) or len(found) > most:
        raise VectorError(f"a certificate must have lists of at most {most}, got {shown(found)}")
    return found
