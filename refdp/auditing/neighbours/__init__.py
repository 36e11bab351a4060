"""Neighbouring pairs on which foreign code moves further than its map says.

`judge(target, space, claim)` gives REFUTED with a pair that was confirmed in fresh processes, or what was searched.
"""

from refdp.auditing.neighbours.judging import Judgement, judge
from refdp.auditing.neighbours.settings import Settings
from refdp.auditing.neighbours.spaces import Choice, Real, Record, Table, Vector, Whole
from refdp.auditing.neighbours.witnesses import Witness, confirmed, witness

__all__ = [
    "Choice", "Judgement", "Real", "Record", "Settings", "Table", "Vector",
    "Whole", "Witness", "confirmed", "judge", "witness",
]  # fmt: skip
