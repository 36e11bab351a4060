"""One step of one target, in whatever process: the opening or a chunk, within a time, as plain JSON or a sentence."""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from refdp import __version__
from refdp.auditing.campaigns.items import Item
from refdp.auditing.judges.task import Judge, TaskError
from refdp.auditing.targets import TargetError
from refdp.logic.internal_errors import reason

GRACE = 30.0
"""Seconds after which a process that a step holds on to is ended from outside Python."""
KEPT = 4
"""Most judges that a process keeps."""
LOCK = threading.Lock()
"""One step at a time in a process: the precision of Arb belongs to the process."""
JUDGES: OrderedDict[tuple[str, str], Judge] = OrderedDict()
"""The judges of the last items, by digest and folder."""


LINES: list[Connection] = []
"""The way to the driver, in a process that it started."""
BEGUN, OVER = "+", "-"


class Late(BaseException):
    """A step has had its time; no `except Exception` on the way may take it for something else."""


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be done: the opening (number 0) or a chunk of a target, in so many seconds."""

    item: Item
    number: int
    opening: dict[str, Any] | None
    seconds: float
    version: str = __version__
    apart: bool = False
    """Whether it runs in a process that may be ended if nothing else helps."""


@dataclass(frozen=True, slots=True)
class Worked:
    """What came of a step: a record as JSON text, or why there is none; and what it took."""

    record: str | None
    failed: str | None
    seconds: float
    processor: float


def worked(step: Step) -> Worked:
    """Do the step; whatever happens is told, and only the end of the process is not."""
    with LOCK, told(step):
        began, spent = time.monotonic(), processor_seconds()
        record, failed = attempted(step)
        return Worked(record, failed, time.monotonic() - began, processor_seconds() - spent)


@contextmanager
def told(step: Step) -> Iterator[None]:
    """Tell the driver that the step begins and that it is over, so that it knows which one a process died of."""
    for line in LINES:
        line.send_bytes(f"{BEGUN}{step.item.digest} {step.number}".encode())
    try:
        yield
    finally:
        for line in LINES:
            line.send_bytes(f"{OVER}{step.item.digest} {step.number}".encode())


def attempted(step: Step) -> tuple[str | None, str | None]:
    """The record, or the sentence that says why there is none."""
    if step.version != __version__:
        return None, f"the worker has refdp {__version__}, the campaign {step.version}"
    try:
        with limited(step):
            found = asked(step)
        return json.dumps(found, allow_nan=False, sort_keys=True), None  # what a report keeps has no order of keys
    except Late:
        return None, f"no answer within {step.seconds:g} s"
    except (TargetError, TaskError) as error:
        return None, str(error)
    except Exception as error:  # a defect of a judge must not end the campaign
        return None, reason(error)


def asked(step: Step) -> Any:
    """What the judge gives."""
    judge = judge_of(step)
    return judge.opening() if step.opening is None else judge.chunk(step.number, step.opening)


def judge_of(step: Step) -> Judge:
    """The judge, made once for each process; for each chunk where it has bits of its own."""
    if step.item.replays_bits:
        return step.item.judge(step.number)
    which = (step.item.digest, step.item.folder)
    if which not in JUDGES:
        JUDGES[which] = step.item.judge()
    JUDGES.move_to_end(which)
    while len(JUDGES) > KEPT:
        JUDGES.popitem(last=False)
    return JUDGES[which]


@contextmanager
def limited(step: Step) -> Iterator[None]:
    """End the step with Late when its time is over; where that does not help, and it is apart, its process."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield  # threads of a cluster: the driver gives up waiting
        return
    before = signal.signal(signal.SIGALRM, _late)
    signal.setitimer(signal.ITIMER_REAL, step.seconds)
    sink = open(os.devnull, "w") if step.apart else None  # noqa: SIM115
    if sink is not None:
        faulthandler.dump_traceback_later(step.seconds + GRACE, exit=True, file=sink)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if sink is not None:
            faulthandler.cancel_dump_traceback_later()
            sink.close()


def _late(number: int, frame: Any) -> None:
    raise Late


def processor_seconds() -> float:
    """Seconds of the processor of this process and of those that it has waited for."""
    found = os.times()
    return found.user + found.system + found.children_user + found.children_system
