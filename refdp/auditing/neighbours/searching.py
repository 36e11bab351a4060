"""The search: every pair where they are few; else the families in turn, then random pairs and climbing from the best.

It ends when the budget is spent.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from refdp import work
from refdp.auditing.neighbours.families import FAMILIES, Pair, chunks, random_pairs
from refdp.auditing.neighbours.running import EVERY, Runner, Scored
from refdp.auditing.neighbours.whole_spaces import every

CHUNK = 256
"""Pairs that are looked at together."""
COSTLY = {"crossing": 2}
"""Families whose pairs take long to make: fewer together, so that their share of the time is kept."""
KEPT = 5
"""How many of the best pairs climbing starts from."""
IDLE = 20
"""Rounds without a new input after which a space counts as known."""
SHARE = 1 / 4
"""Of the pairs, what one family may take before the next."""
WHOLE = 3 / 4
"""Of the work, what trying every pair may take before the families."""


def furthest(runner: Runner) -> Scored | None:
    """A pair that refutes the claim; else the one that comes nearest to it, if the target answered at all."""
    best = _every(runner)
    for name, family in FAMILIES.items():
        if runner.over or runner.is_whole:
            return best[0] if best else None
        best = _family(runner, best, name, family(runner.question.problem))
    return _climb(runner, best)


def _every(runner: Runner) -> list[Scored]:
    """The best of all pairs of the space, where they are few and the work suffices; else of those that were tried."""
    best: list[Scored] = []
    end = work.spent() + WHOLE * runner.settings.seconds
    pairs = every(runner.question.problem, runner.settings.pairs)
    for chunk in chunks(iter(pairs or ()), CHUNK):
        if runner.over or work.spent() > end:
            return best
        best = _better(runner, best, runner.scored(chunk, EVERY))
    if pairs is not None:
        runner.finished.add(EVERY)
    return best


def _family(runner: Runner, best: list[Scored], name: str, pairs: Iterator[Pair]) -> list[Scored]:
    """The best pairs after a family had its share of the budget."""
    spent = runner.share(SHARE)
    for chunk in chunks(pairs, COSTLY.get(name, CHUNK)):
        best = _better(runner, best, runner.scored(chunk, name))
        if runner.over or spent():
            return best
    runner.finished.add(name)
    return best


def _climb(runner: Runner, best: list[Scored]) -> Scored | None:
    """Random pairs and changes of the best ones, in turn."""
    random = Random(runner.settings.seed)
    fresh = chunks(random_pairs(runner.question.problem, runner.settings.seed), CHUNK // 4)
    idle = 0
    while not runner.over and idle < IDLE:
        before = runner.calls
        best = _better(runner, best, runner.scored(next(fresh), "random"))
        changed = [pair for scored in best for pair in _changes(runner, scored.pair, random)]
        best = _better(runner, best, runner.scored(changed, "climbing"))
        idle = 0 if runner.calls > before else idle + 1  # a small space is soon known whole
    return best[0] if best else None


def _changes(runner: Runner, pair: Pair, random: Random) -> Iterator[Pair]:
    """Pairs like this one: a row replaced in both or in one, two rows exchanged, a row doubled or dropped."""
    rows = runner.question.problem.rows
    u, v = pair
    for _ in range(CHUNK // 16):
        if not u or not v:
            return
        i, row = random.randrange(min(len(u), len(v))), random.choice(rows)
        j = random.randrange(min(len(u), len(v)))
        yield (*u[:i], row, *u[i + 1 :]), (*v[:i], row, *v[i + 1 :])
        yield u, (*v[:i], row, *v[i + 1 :])
        yield u, _exchanged(v, i, j)
        yield _exchanged(u, i, j), _exchanged(v, i, j)
        yield (*u[:i], u[i], *u[i:]), (*v[:i], v[i], *v[i:])
        yield u[:i] + u[i + 1 :], v[:i] + v[i + 1 :]


def _exchanged(rows: tuple[object, ...], i: int, j: int) -> tuple[object, ...]:
    """The rows with two of them exchanged."""
    found = list(rows)
    found[i], found[j] = found[j], found[i]
    return tuple(found)


def _better(runner: Runner, best: list[Scored], new: list[Scored]) -> list[Scored]:
    """The best of both; pairs whose outputs do not differ are not worth keeping."""
    bound = runner.question.bound
    found = [s for s in (*best, *new) if s.distance.amount != 0]
    best = sorted(found, key=lambda s: s.rank(bound), reverse=True)[:KEPT]
    if best and runner.exceeds(best[0]):
        runner.found_one()
    return best
