"""Who does the work: processes of this machine, this process alone, a cluster through Dask, or any other executor."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from refdp.auditing.campaigns.working import BEGUN, LINES, LOCK
from refdp.auditing.judges.task import TaskError

PATIENCE = 3.0
"""Seconds that a worker gets to end its target's processes when it is told to stop."""


@dataclass(frozen=True, slots=True)
class Workers:
    """How an executor is made (again, if its processes died), ended, and how many steps it is given at once."""

    make: Callable[[], Executor]
    end: Callable[[Executor, bool], None]
    """The second argument: whether to end what runs, rather than to wait for it."""
    slots: int
    apart: bool = False
    """Whether steps run in processes of their own, that may be ended."""
    begun: Callable[[], set[tuple[str, int]]] | None = None
    """Digests and numbers of the steps that were begun and are not over, if that is known."""


class Inline(Executor):
    """Runs each step at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        """A future that is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*arguments, **keywords))
        except Exception as error:
            future.set_exception(error)
        return future


def workers(count: int | None, scheduler: str | None, executor: Executor | None) -> Workers:
    """The workers that the user asks for: a cluster, an executor, one process or several; else one a processor."""
    if sum(given is not None for given in (count, scheduler, executor)) > 1:
        raise TaskError("only one of workers, scheduler and executor must be given")
    if executor is not None:
        return Workers(lambda: executor, lambda _, now: None, processors() + 1)
    if scheduler is not None:
        return dask(scheduler)
    if count is not None and count < 1:
        raise TaskError(f"workers must be >= 1, got {count}")
    return processes(count or processors())


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processes(count: int) -> Workers:
    """So many processes, started anew (`spawn`): a fork would copy locks that threads of this process hold."""
    if count == 1:
        return Workers(Inline, lambda one, now: one.shutdown(), 1)
    pool = _Pool(count)
    return Workers(pool.make, pool.end, count + 1, True, pool.begun)


class _Pool:
    """Processes on two lines: one that is cut to end them, and one on which they say what they do."""

    def __init__(self, count: int) -> None:
        self.count, self.context = count, multiprocessing.get_context("spawn")
        self.alive: Connection | None = None
        self.said: Connection | None = None
        self.open: set[tuple[str, int]] = set()

    def make(self) -> Executor:
        """The executor."""
        line, self.alive = self.context.Pipe(duplex=False)
        self.open = set()
        self.said, tell = self.context.Pipe(duplex=False)
        return ProcessPoolExecutor(self.count, self.context, initializer=ready, initargs=(line, tell))

    def end(self, made: Executor, now: bool) -> None:
        """End the processes, at once or when they have done their steps."""
        if now and self.alive is not None:
            self.alive.close()
        made.shutdown(wait=True, cancel_futures=True)

    def begun(self) -> set[tuple[str, int]]:
        """The steps that are begun and not over; to be asked for often, or the line is full."""
        while self.said is not None and self.said.poll():
            text = self.said.recv_bytes().decode()
            digest, number = text[1:].split()
            (self.open.add if text[0] == BEGUN else self.open.discard)((digest, int(number)))
        return self.open


def ready(line: Connection, tell: Connection) -> None:
    """Make a worker process ready: an interrupt is the driver's business, and the worker ends when the line does.

    The driver holds the other end of the line; it is cut when the driver stops the work, or is killed.
    """
    LINES.append(tell)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _ended)
    threading.Thread(target=_watch, args=(line,), daemon=True).start()


def _ended(number: int, frame: Any) -> None:
    """End the step that runs, and with it the processes of its target; or the process, if it has nothing to do."""
    if not LOCK.locked():
        os._exit(0)
    raise Ended


class Ended(BaseException):
    """The worker is told to stop."""


def _watch(line: Connection) -> None:
    """Wait for the end of the line; then the step is ended, and soon after the process."""
    try:
        line.recv_bytes()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(PATIENCE)
        os._exit(1)


def dask(address: str) -> Workers:
    """The workers of a Dask cluster; refdp must be installed there, in the same version.  TaskError without them."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise TaskError("a scheduler needs Dask; install refdp[cluster]") from None
    try:
        client = distributed.Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise TaskError(f"scheduler must be the address of one that answers, got {address}: {error}") from None
    slots = sum(client.nthreads().values())
    if not slots:
        client.close()
        raise TaskError(f"scheduler must have workers, got none at {address}")

    def finish(made: Executor, now: bool) -> None:
        made.shutdown(wait=not now)
        client.close()

    return Workers(lambda: client.get_executor(pure=False), finish, slots + 1)
