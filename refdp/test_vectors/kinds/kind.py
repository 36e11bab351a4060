"""What a type of group is: fields that refdp works out, and how the answer of another implementation is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Any, Protocol

from refdp.test_vectors.numbers import LONGEST, VectorError, above, below, printed, shown

Test = Mapping[str, Any]
Group = Mapping[str, Any]
Fields = dict[str, Any]
VALID, INVALID, ACCEPTABLE = "valid", "invalid", "acceptable"
UNSUPPORTED = object()
"""What a subject answers to a question that it does not know."""
SHOWN = 17
"""Digits of a bound in a sentence."""
WIDEST_EXPONENT = 6000
"""Most decimal digits before or behind the point of an answer."""


class Subject(Protocol):
    """Someone else's implementation."""

    def ask(self, function: str, **arguments: Any) -> Any:
        """Its answer, or UNSUPPORTED."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one case: passed, failed, acceptable or unsupported; and why."""

    outcome: str
    why: str = ""


PASSED, NOT_SUPPORTED = Outcome("passed"), Outcome("unsupported")


def failed(why: str) -> Outcome:
    """A case that failed, and the reason in one word and a sentence."""
    return Outcome("failed", why)


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of group.

    computed: the fields of a case that `expected` works out from the others; a case has these and no other values.
    group_fields: what a group has besides tgId, type, algorithm and tests.
    """

    name: str
    computed: frozenset[str]
    expected: Callable[[Group, Test], Fields]
    judged: Callable[[Group, Test, Subject], Outcome]


def number_of(answer: Any) -> Fraction:
    """The exact number that an answer is: int, Fraction, Decimal, float or text; VectorError for others, NaN too."""
    if isinstance(answer, bool) or answer is None:
        raise VectorError(f"an answer must be a number, got {shown(answer)}")
    if isinstance(answer, int | Fraction):
        return _bounded(Fraction(answer))
    if isinstance(answer, Decimal):
        if (
            not answer.is_finite()
            or abs(answer.adjusted()) > WIDEST_EXPONENT
            or len(answer.as_tuple().digits) > LONGEST
        ):
            raise VectorError(f"an answer must be a finite number, got {shown(answer)}")
        return Fraction(answer)
    if isinstance(answer, float):
        if not isfinite(answer):
            raise VectorError(f"an answer must be a finite number, got {answer}")
        return Fraction(answer)
    if isinstance(answer, str):
        return printed(answer, "an answer")
    item = getattr(answer, "item", None)  # a scalar of an array library
    if callable(item) and getattr(answer, "shape", None) == ():
        return number_of(item())
    raise VectorError(f"an answer must be a number, got {shown(answer)}")


def _bounded(x: Fraction) -> Fraction:
    """The number, unless it is too long to be compared in reasonable time."""
    if max(x.numerator.bit_length(), x.denominator.bit_length()) > 4 * WIDEST_EXPONENT:
        raise VectorError("an answer must have a reasonable number of digits")
    return x


def near(answer: Any, lo: Fraction, hi: Fraction, tolerance: Fraction, what: str) -> Outcome:
    """Whether the answer is within [lo, hi], each end moved outward by the relative tolerance."""
    found = number_of(answer)
    if found < lo - abs(lo) * tolerance:
        return failed(f"wrong: {what} is below its lower bound {below(lo, SHOWN)}: {shown(answer)}")
    if found > hi + abs(hi) * tolerance:
        return failed(f"wrong: {what} is above its upper bound {above(hi, SHOWN)}: {shown(answer)}")
    return PASSED


def accepted(test: Test, kind: str, computed: frozenset[str], group: Group, subject: Subject) -> Outcome | None:
    """What a judge says of the claim of the case, if any: it must accept valid ones and reject invalid ones.

    It is shown what the case asks, and the claim: nothing that is worked out.
    """
    if "claimed" not in test or test["result"] == ACCEPTABLE:
        return None
    hidden = {*computed, "flags", "comment", "mutant", "tcId"} - {"claimed"}
    case = {key: value for key, value in test.items() if key not in hidden}
    said = subject.ask("accepts", type=kind, algorithm=group.get("algorithm", ""), case=case)
    if said is UNSUPPORTED:
        return None
    if not isinstance(said, bool):
        return failed(f"error: accepts must answer True or False, got {shown(said)}")
    if said == (test["result"] == VALID):
        return PASSED
    return failed(f"wrong: the judge {'accepts a claim that is invalid' if said else 'rejects a claim that is valid'}")
