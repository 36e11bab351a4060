"""A judge driven in this process, chunk after chunk, every record through JSON as a store would have it."""

import json
from fractions import Fraction as F
from random import Random

from refdp.auditing.judges.law import judge as law
from refdp.auditing.judges.privacy import judge as privacy
from refdp.auditing.judges.result import Result
from refdp.auditing.judges.task import Task
from tests.auditing.judges.local import Local

ALPHA = F(1, 10**9)


def recorded(judge) -> tuple[dict, list[dict]]:
    """The opening and the chunks until the judge has enough."""
    opening, chunks = through_json(judge.opening()), []
    while not judge.is_over(opening, chunks):
        chunks.append(through_json(judge.chunk(len(chunks) + 1, opening)))
    return opening, chunks


def through_json(record) -> dict:
    return json.loads(json.dumps(record, allow_nan=False))


def driven(judge) -> Result:
    """The result of the whole record."""
    return judge.result(*recorded(judge))


def law_judge(draw, alpha=ALPHA, **fields) -> law.LawJudge:
    """A sampler of this process: draw(x, n) gives n draws."""
    return law.judge(Task("sampler", "law", None, fields), alpha, lambda: Local(draw, batched=True))


def privacy_judge(run, alpha=ALPHA, batched=False, privacy_map=None, **fields) -> privacy.PrivacyJudge:
    """A program of this process: run(x) gives an output, or run(x, n) a list of them."""
    opened = lambda: Local(run, batched=batched, privacy_map=privacy_map)  # noqa: E731
    return privacy.judge(Task("program", "privacy", None, fields), alpha, opened)


def laplace(seed, scale=1.0):
    """Floats x + Laplace noise from a fixed stream."""
    random = Random(seed)
    return lambda x, n: [x + scale * (random.expovariate(1) - random.expovariate(1)) for _ in range(n)]


def gaussian(seed, sigma=1.0):
    random = Random(seed)
    return lambda x, n: [random.gauss(x, sigma) for _ in range(n)]
