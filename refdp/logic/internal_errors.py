"""Internal errors: an exception that no input should cause, told as a sentence.

It costs one verdict, and refutes nothing.
"""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

import refdp

KEY = "internal_error"
"""The key of a judgement that was lost to an internal error; it is there only then."""
HEAD = "an internal error of refdp, by which nothing is refuted or proved"
"""How the reason of such a judgement begins."""
LONGEST = 300
"""Most characters of what an exception says."""
ROOT = Path(refdp.__file__).parent


def error_sentence(error: BaseException) -> str:
    """What was raised, and where in refdp, in one line.

    >>> try:
    ...     {}["x"]
    ... except KeyError as found:
    ...     print(error_sentence(found))
    KeyError: 'x'
    """
    said = " ".join(f"{type(error).__name__}: {error}"[:LONGEST].split()).removesuffix(":")
    place = where(error)
    return f"{said} ({place})" if place else said


def where(error: BaseException) -> str:
    """The innermost line of refdp that the exception came through; an empty text where there is none."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(ROOT):
            return f"{path.relative_to(ROOT.parent).as_posix()}, line {frame.lineno}"
    return ""


def reason(error: BaseException) -> str:
    """Why there is no verdict."""
    return f"{HEAD}: {error_sentence(error)}"


def lost(error: BaseException) -> dict[str, Any]:
    """What a judgement says that was lost to an exception."""
    return {"verdict": "UNKNOWN", KEY: error_sentence(error), "reason": reason(error)}


def sentence_in(text: str) -> str | None:
    """The sentence of the internal error that a reason tells of; None where it tells of none."""
    _, found, sentence = text.partition(f"{HEAD}: ")
    return sentence if found else None


def is_lost(found: Any) -> bool:
    """Whether a judgement, or one in it, was lost to an internal error."""
    if isinstance(found, dict):
        return KEY in found or any(map(is_lost, found.values()))
    return isinstance(found, list | tuple) and any(map(is_lost, found))
