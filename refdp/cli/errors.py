"""Errors as one sentence on standard error, and exit codes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

REFUTED, BAD_INPUT, UNKNOWN = 1, 2, 3


def ending(*, refuted: bool, unknown: bool) -> None:
    """End the process with the exit code of a judgement, if it is not 0."""
    if refuted or unknown:
        raise SystemExit(REFUTED if refuted else UNKNOWN)


@contextmanager
def sentences() -> Iterator[None]:
    """Run a command: bad input ends it with one sentence and code 2, an exceeded budget with code 1."""
    try:
        yield
    except KeyboardInterrupt:
        said("interrupted")
        raise SystemExit(130) from None
    except Exception as error:
        code = _code(error)
        if code is None:
            raise
        said(str(error))
        raise SystemExit(code) from None


def _code(error: Exception) -> int | None:
    """The exit code of an expected error; None for a defect of refdp, which keeps its traceback."""
    from refdp.kernel.judgements import KernelError
    from refdp.provers.lemmas import NotProved
    from refdp.releases.errors import BudgetExceeded

    if isinstance(error, BudgetExceeded):
        return REFUTED
    if isinstance(error, NotProved | KernelError):
        return UNKNOWN
    return BAD_INPUT if isinstance(error, ValueError | OSError) else None


def said(sentence: str) -> None:
    """The sentence on standard error, in one line."""
    print(f"refdp: {' '.join(sentence.split())}", file=sys.stderr)
