"""A judge of a task about a function beside the tests, through JSON as a campaign stores it."""

import json
from fractions import Fraction
from pathlib import Path

from refdp.auditing.judges.kinds import judge_of
from refdp.auditing.judges.task import Task
from refdp.auditing.targets import Limits, function

HERE = str(Path(__file__).parent)
ALPHA = Fraction(1, 10**9)


def task(kind, name, limits=None, **fields):
    target = function(name, limits=limits or Limits(call=20.0), search=(HERE,)) if name else None
    return Task(name or "tables", kind, target, fields)


def judged(kind, name, limits=None, **fields):
    """The result, which is the same a second time from the record alone."""
    judge = judge_of(task(kind, name, limits, **fields), ALPHA)
    opening, chunks = copy(judge.opening()), []
    while not judge.is_over(opening, chunks):
        chunks.append(copy(judge.chunk(len(chunks) + 1, opening)))
    found = judge.result(opening, chunks)
    if judge_of(task(kind, name, limits, **fields), ALPHA).result(opening, chunks) != found:
        raise RuntimeError("the record alone gives another result")
    return found


def copy(record):
    return json.loads(json.dumps(record, allow_nan=False))
