"""Why nothing was decided, in sentences about the user's text: names of terms that proofs are made of stay inside."""

from __future__ import annotations

import re

from refdp.numerics.elementary import Undecided
from refdp.programs.checking.public import Refused
from refdp.programs.execution import TooManyPaths
from refdp.programs.probabilities import NotComputed
from refdp.programs.proving.guessing import NoGuess
from refdp.programs.steps import BeyondSteps

INTERNAL = re.compile(
    r"\b(unknown|draw|data|other|others|public|power|cost|bound|change|rest|invariant|released|budget|unset)\.\w"
    r"|\w\.(loop|seen|last|spent)\b|\w\.[12]\b|\bdraw \d|\bsteps \d|Error\b|Exception\b|Spacer|z3|cvc5|nlsat|smt"
    r"|\binteger division\b|\bint too large\b|\bite\b|\(-?\d+ if |\(\d+, '|\)\)\)|!\d",
    re.IGNORECASE,
)
"""What stands in no text of a user: names of terms, of conditions, of Python's exceptions and of solvers."""
SPOKEN = (Refused, NoGuess, NotComputed, Undecided, TooManyPaths, BeyondSteps)
"""Exceptions that say in words why a way does not reach a program."""
WAYS = {
    "compared": "the comparison of laws",
    "proved": "the search for a proof",
    "refuted": "the search for a counterexample",
}
CONDITIONS = (
    (r"draw \d+", "a draw is not shown to exist, and to lose what it is charged, for all parameters that are allowed"),
    (r".*a possible draw", "a draw of the second run is not shown to be possible"),
    (r".*not seen alike", "the two runs are not shown to take the same way"),
    (r".*released", "the two runs are not shown to release the same"),
    (r".*a weight", "the weights of a choice are not shown to change by as much as is charged"),
    (r".*invariant", "what holds in each round of a loop is not shown to hold in the next"),
    (r".*charges", "the privacy loss of a run is not shown to stay within the bound"),
    (r".*run [12].*", "an exception is not shown to be raised by both runs, or by none"),
    (r"a rate|the claim|delta is not negative", "the sum of the losses is not shown to be within the claim"),
    (r"the laws", "the laws of neighbours are not shown to be within the claim for all parameters that are allowed"),
)
"""What it says where a condition of the checker is not proved."""
NO_RULE = "it comes to something that no rule speaks of"
UNPROVED = "not proved: "


def plain(reason: str) -> str:
    """The reason as one English sentence.

    >>> plain("not proved: steps 0 and 1, released")
    'the two runs are not shown to release the same'
    >>> plain("laplace draw cannot be shifted by (-2 if (unknown.6 == 4) else 0)")
    'it comes to something that no rule speaks of'
    """
    if reason.startswith(UNPROVED):
        name = reason.removeprefix(UNPROVED)
        return next((said for pattern, said in CONDITIONS if re.fullmatch(pattern, name)), NO_RULE)
    line = " ".join(reason.split())
    return NO_RULE if INTERNAL.search(line) or not line else line


def why(way: str, error: Exception) -> str:
    """Why a way that raised an exception does not reach a program."""
    head = WAYS[way]
    if isinstance(error, SPOKEN):
        return f"{head} gives up: {plain(str(error))}"
    if isinstance(error, OverflowError):
        return f"{head} gives up: it comes to numbers that are too large"
    if isinstance(error, RecursionError):
        return f"{head} gives up: it comes to terms that are nested too deeply"
    return f"{head} gives up: {NO_RULE}"
