"""Running a campaign: steps are handed to an executor, a bounded number at once, and looked at in their order.

Of the targets that are not decided, as many as there are slots are worked at, each with the fewest steps on their
way first.  A step in the midst of which its process died ends its target: asked for again, its draws would be chosen by
what they did.  Steps that were ended with it are asked for again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass, field

from refdp.auditing.campaigns.executors import Workers
from refdp.auditing.campaigns.items import Item
from refdp.auditing.campaigns.standing import OPENING, Standing
from refdp.auditing.campaigns.store import Store
from refdp.auditing.campaigns.working import GRACE, Step, Worked, worked
from refdp.auditing.judges.task import TaskError
from refdp.auditing.targets import Session, TargetError

TIMEOUT = 3600.0
"""Seconds of work for one target, unless others are given."""
LOOK = 0.5
"""Seconds after which one looks for steps that are overdue."""
BREAKS = 3
"""How often processes may die that had nothing to do."""
DIED = "the process that worked at it died"
INTERRUPTED = "the campaign was interrupted"

Watch = Callable[[Sequence[Standing]], None]


@dataclass(slots=True)
class Run:
    """A campaign under way."""

    standings: list[Standing]
    store: Store
    workers: Workers
    timeout: float
    watch: Watch
    executor: Executor
    flying: dict[Future[Worked], tuple[Standing, int, float]] = field(default_factory=dict)
    """What is on its way: of which target, which number, and when it is overdue."""
    breaks: int = 0

    def all(self) -> None:
        """Work until every target is decided."""
        while any(not one.over for one in self.standings):
            self._fill()
            self._land()
            self.watch(self.standings)

    def _fill(self) -> None:
        """Ask for steps as long as there is a free slot and something to ask for."""
        while len(self.flying) < self.workers.slots and (found := self._next()) is not None:
            self._ask(*found)

    def _next(self) -> tuple[Standing, int] | None:
        """The step to ask for next."""
        begun = [one for one in self.standings if not one.over][: self.workers.slots]
        for one in sorted(begun, key=lambda one: len(one.asked)):
            if (number := one.wanted()) is not None:
                return one, number
        return None

    def _ask(self, one: Standing, number: int) -> None:
        opening = None if number == OPENING or one.opening is None else dict(one.opening)
        limit = max(self.timeout - one.spent, 1.0) if number == OPENING else self.timeout + GRACE
        step = Step(one.item, number, opening, limit, apart=self.workers.apart)
        one.asked.add(number)
        future = self._submitted(step)
        self.flying[future] = (one, number, time.monotonic() + (limit + 2 * GRACE) * self.workers.slots)

    def _submitted(self, step: Step) -> Future[Worked]:
        """The future of the step; broken where the executor is."""
        try:
            return self.executor.submit(worked, step)
        except (BrokenExecutor, RuntimeError) as error:
            lost: Future[Worked] = Future()
            lost.set_exception(error if isinstance(error, BrokenExecutor) else BrokenExecutor(str(error)))
            return lost

    def _land(self) -> None:
        """Take what is done; give up what is overdue."""
        done, _ = wait(list(self.flying), timeout=LOOK, return_when=FIRST_COMPLETED)
        if self.workers.begun is not None:
            self.workers.begun()
        lost = []
        for future in sorted(done, key=lambda future: self.flying[future][1]):
            one, number, _ = self.flying.pop(future)
            if not self._taken(future, one, number):
                lost.append((one, number))
        for future, (one, number, end) in list(self.flying.items()):
            if one.over and future.cancel():
                del self.flying[future]
            elif time.monotonic() > end:
                del self.flying[future]
                one.asked.discard(number)
                one.fail("the executor gave no answer in time")
        if lost:
            self._anew(lost + [(one, number) for one, number, _ in self.flying.values()])

    def _taken(self, future: Future[Worked], one: Standing, number: int) -> bool:
        """Hand in the result of a step; False where it was lost with the executor."""
        try:
            found = future.result()
        except (BrokenExecutor, CancelledError):
            return False
        except Exception as error:  # such as Dask's KilledWorker, or a record that cannot be brought over
            one.asked.discard(number)
            one.fail(f"the executor lost the step: {type(error).__name__}: {error}")
            return True
        one.hand_in(number, found, self.store)
        if not one.over and one.spent >= self.timeout:
            one.stop(f"the time of {self.timeout:g} s was over")
        return True

    def _anew(self, lost: Sequence[tuple[Standing, int]]) -> None:
        """Another executor in the place of one whose processes died; who was innocent is asked again."""
        self.flying.clear()
        self.workers.end(self.executor, True)
        died = None if self.workers.begun is None else self.workers.begun()
        self.breaks += died == set()
        for one, number in lost:
            if died is None or (one.item.digest, number) in died or self.breaks > BREAKS:
                one.hand_in(number, Worked(None, DIED, 0.0, 0.0), self.store)
            one.asked.discard(number)
        self.executor = self.workers.make()


def begun(items: Sequence[Item], store: Store) -> list[Standing]:
    """The targets with what the store has of them; TaskError where it has answers to other tasks, or of a release."""
    found = [Standing(item, item.judge(ready=False)) for item in items]
    for one in found:
        one.recall(store.begun(one.item))
        if one.opening is not None and not one.over and (now := another_release(one)):
            raise TaskError(f"store {store.path} holds answers of {now}; give another --store, or remove that file")
    return found


def another_release(one: Standing) -> str:
    """What was opened and what is there now, where they are not the same release; else an empty text."""
    before = (one.opening or {}).get("about")
    try:
        target = one.item.task().target
        if target is None or not isinstance(before, Mapping) or "version" not in before:
            return ""
        with Session(target) as session:
            now = session.about
    except TargetError:
        return ""  # its chunks will say so
    was, is_now = (f"{about.get('library')} {about.get('version')}" for about in (before, now))
    return "" if was == is_now else f"{was} to {one.item.key!r}, which now is {is_now}"


def run(
    items: Sequence[Item], store: Store, workers: Workers, timeout: float = TIMEOUT, watch: Watch = lambda _: None
) -> list[Standing]:
    """Where each target stands at the end; an interrupt ends the work, and what was decided by then stays."""
    standings = begun(items, store)
    if all(one.over for one in standings):
        return standings
    now = True
    work = Run(standings, store, workers, timeout, watch, workers.make())
    try:
        work.all()
        now = bool(work.flying)
    except KeyboardInterrupt:
        for one in standings:
            if not one.over:
                one.stop(INTERRUPTED)
    finally:
        workers.end(work.executor, now)
    return standings
