"""JSON read strictly: not deep, no key twice; of certificates, numbers are text, and nothing else is expected."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

LARGEST_FILE = 5_000_000
"""Longest certificate that is read, in bytes."""
EXACT = re.compile(r"-?[0-9]{1,1000}(/[0-9]{1,1000})?")
Json = Any


class Forged(ValueError):
    """A certificate that is not of the right form, or does not show what it claims."""


def insist(condition: bool, what: str) -> None:
    """Forged unless the condition holds."""
    if not condition:
        raise Forged(what)


def exact(text: Json) -> Fraction:
    """The number that a text such as -1/3 is."""
    insist(isinstance(text, str) and EXACT.fullmatch(text) is not None, f"a number must be p/q, got {str(text)[:40]}")
    insist("/" not in text or int(text.split("/")[1]) != 0, "a denominator must not be 0")
    return Fraction(text)


def whole(text: Json) -> int:
    """The whole number that a text is."""
    insist(exact(text).denominator == 1, f"a whole number is needed, got {str(text)[:40]}")
    return int(exact(text))


def entries(found: Json, *keys: str) -> list[Json]:
    """The values of an object that has these keys and no others."""
    insist(isinstance(found, dict) and set(found) == set(keys), f"an object must have the keys {', '.join(keys)}")
    return [found[key] for key in keys]


def items(found: Json) -> list[Json]:
    """The elements of a list."""
    insist(isinstance(found, list), f"a list is needed, got {str(found)[:40]}")
    return list(found)


def text_of(found: Json) -> str:
    """A text."""
    insist(isinstance(found, str), f"a text is needed, got {str(found)[:40]}")
    return str(found)


def one_entry(found: Json) -> tuple[str, Json]:
    """The key and the value of an object that has only one."""
    insist(isinstance(found, dict) and len(found) == 1, f"an object with one key is needed, got {str(found)[:40]}")
    ((key, value),) = found.items()
    return key, value


def loaded(text: str) -> Json:
    """The JSON of a text; ValueError where it is large or deep, has a key twice, or holds a number."""
    insist(len(text.encode()) <= LARGEST_FILE, f"a certificate must have at most {LARGEST_FILE} bytes")
    try:
        found = json.loads(
            text,
            object_pairs_hook=unrepeated(ValueError),
            parse_float=_refuse,
            parse_int=_refuse,
            parse_constant=_refuse,
        )
    except RecursionError:
        raise ValueError("a certificate is nested too deep") from None
    return found


def unrepeated(refusal: type[ValueError]) -> Callable[[list[tuple[str, Json]]], dict[str, Json]]:
    """Pairs -> a JSON object whose keys are all different; the refusal where they are not."""

    def read(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for key, value in pairs:
            if key in found:
                raise refusal(f"a key must stand once in an object, got {key[:40]!r} twice")
            found[key] = value
        return found

    return read


def require_shallow(text: str, deepest: int, what: str, refusal: type[ValueError]) -> None:
    """The refusal where brackets, those within strings included, are nested too deep."""
    depth = 0
    for character in text:
        depth += (character in "[{") - (character in "]}")
        if depth > deepest:
            raise refusal(f"{what} must be nested at most {deepest} deep, got more")


def _refuse(literal: str) -> None:
    """No JSON number carries a claim."""
    raise ValueError(f"the number {literal[:40]} is no text")
