"""Errors as one sentence on standard error, and exit codes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

REFUTED, BAD_INPUT, UNKNOWN = 1, 2, 3
LONGEST = 600
"""Most characters of a sentence: what was got may be long."""


def ending(*, refuted: bool, unknown: bool) -> None:
    """End the process with the exit code of a judgement, if it is not 0."""
    if refuted or unknown:
        raise SystemExit(REFUTED if refuted else UNKNOWN)


@contextmanager
def sentences() -> Iterator[None]:
    """Run a command: bad input ends it with one sentence and code 2, an exceeded budget with 1, a timeout with 3."""
    try:
        yield
    except KeyboardInterrupt:
        said("interrupted")
        raise SystemExit(130) from None
    except BrokenPipeError:
        raise
    except Exception as error:
        code = _code(error)
        if code is None:
            raise
        said(_sentence(error))
        raise SystemExit(code) from None


def _code(error: Exception) -> int | None:
    """The exit code of an expected error; None for a defect of refdp, which keeps its traceback."""
    from refdp.kernel.judgements import KernelError
    from refdp.provers.lemmas import NotProved
    from refdp.releases.errors import BudgetExceeded

    if isinstance(error, BudgetExceeded):
        return REFUTED
    if isinstance(error, NotProved | KernelError | TimeoutError):
        return UNKNOWN
    return BAD_INPUT if isinstance(error, ValueError | OSError) else None


def _sentence(error: Exception) -> str:
    """What must be, and what was got instead."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"the file must be one that can be used, got {error.filename}: {error.strerror}"
    if isinstance(error, UnicodeDecodeError):
        return f"the text must be UTF-8, got the octet {error.object[error.start]:#04x} at {error.start}"
    return str(error)


def said(sentence: str) -> None:
    """The sentence on standard error, in one line of printable characters."""
    line = " ".join(sentence.split())
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
    shown = line if len(line) <= LONGEST else f"{line[:LONGEST]}..."
    print(f"refdp: {shown}", file=sys.stderr)
