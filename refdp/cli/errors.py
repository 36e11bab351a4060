"""Errors as one sentence on standard error, and exit codes."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

REFUTED, BAD_INPUT, UNKNOWN, INTERNAL, CHARGED = 1, 2, 3, 4, 5
LONGEST = 600
"""Most characters of a sentence: what was got may be long."""


def ending(*, refuted: bool, unknown: bool, internal: bool = False) -> None:
    """End the process with the exit code of a judgement, if it is not 0.

    `internal`: a verdict was lost to an internal error; that goes before UNKNOWN, and what is refuted before that.
    """
    if refuted or internal or unknown:
        raise SystemExit(REFUTED if refuted else INTERNAL if internal else UNKNOWN)


@contextmanager
def sentences() -> Iterator[None]:
    """Run a command: each error ends it with one sentence and its code.

    2 for bad input, 1 for an exceeded budget, 3 for a timeout, 5 where a release was charged and then failed, and 4
    for whatever nobody foresaw: that is a defect of refdp, and refutes nothing.
    """
    try:
        with terminable():
            yield
    except KeyboardInterrupt as interrupt:
        said(str(interrupt) or "interrupted", whole=True)
        raise SystemExit(130) from None
    except BrokenPipeError:
        raise
    except Exception as error:
        code = _code(error)
        said(internal_sentence(error) if code == INTERNAL else _sentence(error), whole=code == CHARGED)
        raise SystemExit(code) from None


@contextmanager
def terminable() -> Iterator[None]:
    """What ends a job (SIGTERM) ends it as an interrupt does, unless it is ignored: files are removed or whole."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def internal_sentence(error: BaseException) -> str:
    """What is said of an internal error."""
    from refdp.logic.internal_errors import reason

    return reason(error)


def _code(error: Exception) -> int:
    """The exit code of an error."""
    from refdp.kernel.judgements import KernelError
    from refdp.provers.lemmas import NotProved
    from refdp.releases.errors import BudgetExceeded, Charged

    if isinstance(error, Charged):
        return CHARGED
    if isinstance(error, BudgetExceeded):
        return REFUTED
    if isinstance(error, NotProved | KernelError | TimeoutError):
        return UNKNOWN
    return BAD_INPUT if isinstance(error, ValueError | OSError) else INTERNAL


def _sentence(error: Exception) -> str:
    """What must be, and what was got instead."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"the file must be one that can be used, got {error.filename}: {error.strerror}"
    if isinstance(error, UnicodeDecodeError):
        return f"the text must be UTF-8, got the octet {error.object[error.start]:#04x} at {error.start}"
    return str(error)


def said(sentence: str, *, whole: bool = False) -> None:
    """The sentence on standard error, in one line of printable characters, cut off where it is long unless `whole`."""
    line = " ".join(sentence.split())
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
    shown = line if whole or len(line) <= LONGEST else f"{line[:LONGEST]}..."
    with suppress(OSError):  # nobody can be told, but the exit code still says it
        print(f"refdp: {shown}", file=sys.stderr, flush=True)
