"""Which of many cases are tried each time: the others are for the long run.

Under -O every twelfth of all cases is looked at: a step without a factor of 12 leaves few of the chosen there.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def mostly_long(cases: Iterable[Any], step: int) -> Sequence[Any]:
    """The cases, each the value of one parameter; all but every `step`-th are for the long run alone."""
    return [
        case if place % step == 0 else pytest.param(case, marks=pytest.mark.long) for place, case in enumerate(cases)
    ]
