"""A budget in a file: locked while it is open, charged durably before any answer is shown.

Why no charge is lost.  `charge` writes the new state to a temporary file in the same directory, flushes it to the
disk, renames it over the budget file and flushes the directory, and only then returns; a rename replaces the old
state by the new one or not at all.  So at any moment the file holds a whole state, and an answer shown after `charge`
returned has its charge in the file.  The converse is not promised: a process that dies between the charge and the
answer has spent without an answer.  Where the disk fails, `charge` says which it is: InputError if the old state
stands, ChargeStands if the new one does but may not outlive the machine, so that no answer may be drawn on it.

Why two processes cannot overspend.  Everything from reading the state to returning from `charge` happens under one
exclusive lock (`flock`) on a file beside the budget, which is never removed; every charge starts from the state read
then.  Nothing after `charge` needs the lock: the state that was read is never written again, and an answer is drawn on
a charge that is in the file already.  So the lock is given up before answers are computed, which may take minutes.

Not covered: a copy of the budget file is another budget; a program that writes the file without the lock; a file
system whose locks or renames do not keep their promise (some network file systems).  POSIX only.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from refdp.numerics.exact import Exactly
from refdp.releases.account import (
    MAXIMUM_BYTES,
    Account,
    Charge,
    checked_amount,
    checked_delta,
    read_account,
    text_of,
)
from refdp.releases.answer_files import flush_folder
from refdp.releases.errors import ChargeStands, InputError

POLL = 0.02
"""Seconds between two attempts at the lock."""


class Budget:
    """An open budget: made by `open_budget`, of use only inside its `with` block and in its process."""

    __slots__ = ("_lock", "_process", "_thread", "path", "terms")

    def __init__(self, path: Path, terms: Account, lock: int) -> None:
        self.path = path
        self.terms = terms
        """What the file must say: its measure, neighbours, data and total."""
        self._lock: int | None = lock
        self._process = os.getpid()
        self._thread = threading.Lock()

    def read(self) -> Account:
        """The state in the file now, or a fresh one where there is no file yet."""
        self._require_lock()
        content = content_of(self.path)
        if content is None:
            return self.terms
        try:
            account = read_account(content)
        except InputError as error:
            raise InputError(f"the budget file {self.path} is malformed: {error}") from None
        account.require(self.terms)
        return account

    @property
    def remaining(self) -> Fraction:
        """What is left, exactly."""
        return self.read().remaining

    def charge(self, amount: Exactly, query: str, delta: Exactly | None = None) -> Fraction:
        """Spend `amount` > 0, and delta under approximate DP, on `query`, durably, and return what is left of it.

        Draw the answer after that, not before.  Raises BudgetExceeded or InputError and leaves the file as it was, or
        ChargeStands.
        """
        self._require_lock()
        with self._thread:
            account = self.after(amount, query, delta)
            try:
                write_durably(self.path, text_of(account).encode())
            except Unconfirmed as error:
                raise ChargeStands(account.left, str(error)) from None
            except OSError as error:
                raise InputError(f"the budget file {self.path} cannot be written: {error.strerror}") from None
        return account.remaining

    def after(self, amount: Exactly, query: str, delta: Exactly | None = None) -> Account:
        """The state after such a charge; BudgetExceeded or InputError where it is refused."""
        now, failures = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), None
        if delta is not None:
            failures = checked_delta("delta", delta)
        spent = Charge(checked_amount(self.terms.amount, amount), query, now, failures)
        account = self.read().charged(spent)
        if len(text_of(account).encode()) > MAXIMUM_BYTES:
            raise InputError(f"the budget file {self.path} must have at most {MAXIMUM_BYTES} bytes, got more")
        return account

    def close(self) -> None:
        """Give up the lock, unless it belongs to the process that this one was forked from."""
        if self._lock is not None and os.getpid() == self._process:
            fcntl.flock(self._lock, fcntl.LOCK_UN)
        self._lock = None

    def _require_lock(self) -> None:
        """The lock is held, by this process, and is the one that other processes would wait for."""
        if os.getpid() != self._process:
            raise InputError(f"the budget file {self.path} must be used by the process that opened it, got another one")
        if self._lock is None:
            raise InputError(f"the budget file {self.path} must be open, got it closed")
        if not _is_current(self._lock, self.path):
            raise InputError(f"the lock of the budget file {self.path} must stay in its place, got it removed")


@contextlib.contextmanager
def open_budget(
    path: str | os.PathLike[str],
    *,
    total: Exactly,
    neighbours: str,
    data: str,
    timeout: float = 10,
    measure: str = "pure",
    delta: Exactly | None = None,
    order: Exactly | None = None,
    promised: Exactly | None = None,
) -> Iterator[Budget]:
    """The budget in the file at `path`, locked until the `with` block ends; the first charge makes the file.

    `measure`, `delta`, `order` and `promised` are as in `Account`.  `timeout`: seconds to wait for another process.
    Raises InputError where the file is malformed or says another total, measure, neighbouring relation or data.  The
    lock, an empty file beside it, stays for good.
    """
    terms = Account(
        neighbours,
        data,
        checked_amount("total", total),
        measure=measure,
        delta=None if delta is None else checked_delta("delta", delta),
        order=None if order is None else checked_amount("order", order),
        promised=None if promised is None else checked_amount("epsilon", promised),
    )
    if "\0" in os.fspath(path):
        raise InputError("the path of a budget file must not hold NUL, got one")
    with contextlib.ExitStack() as stack:
        try:
            place = Path(os.path.realpath(path))  # through symbolic links: all names of a file share one lock
            lock = stack.enter_context(_locked(place, timeout))
            _temporary(place).unlink(missing_ok=True)  # left by a process that was killed
        except OSError as error:
            raise InputError(
                f"the budget must be a file that can be locked, got {os.fspath(path)}: {error.strerror}"
            ) from None
        budget = Budget(place, terms, lock)
        stack.callback(budget.close)
        budget.read()
        yield budget


class Unconfirmed(Exception):
    """The new file stands, but the disk did not say that it will."""


def write_durably(path: Path, content: bytes) -> None:
    """Replace the file at `path` by `content`: whole or not at all, and on the disk before this returns.

    The caller holds the lock, so that one temporary name is enough.  OSError where the old file stands, Unconfirmed
    where the new one does but its name may not be on the disk.
    """
    temporary = _temporary(path)
    temporary.unlink(missing_ok=True)
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o600
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    try:
        flush_folder(path.parent)
    except OSError as error:
        raise Unconfirmed(error.strerror) from None


@contextlib.contextmanager
def _locked(path: Path, timeout: float) -> Iterator[int]:
    """The lock file of the budget at `path`, open and locked; InputError after `timeout` seconds."""
    if path.is_dir():
        raise InputError(f"the budget file {path} must be a file, got a directory")
    deadline = time.monotonic() + timeout
    while True:
        lock = os.open(_beside(path, ".lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            if _taken(lock) and _is_current(lock, path):
                yield lock
                return
        finally:
            os.close(lock)
        if time.monotonic() >= deadline:
            raise InputError(
                f"the budget file {path} must be free within {timeout} s, got it locked by another process"
            )
        time.sleep(POLL)


def _taken(lock: int) -> bool:
    """Take the lock if it is free; whether it was."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_current(lock: int, path: Path) -> bool:
    """Whether the open lock file is still the one beside `path`: removed, it would keep nobody out."""
    try:
        return os.path.samestat(os.fstat(lock), os.stat(_beside(path, ".lock")))
    except FileNotFoundError:
        return False


def content_of(path: Path) -> bytes | None:
    """The bytes of the budget file, at most one too many; None where there is no file."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:  # a pipe is not waited for
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise InputError(f"the budget file {path} must be a regular file")
            if found.st_nlink != 1:  # another name, hence another lock
                raise InputError(f"the budget file {path} must have one name, got hard links to it")
            return file.read(MAXIMUM_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"the budget must be a file that can be read, got {path}: {error.strerror}") from None


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _temporary(path: Path) -> Path:
    return _beside(path, ".temporary")
