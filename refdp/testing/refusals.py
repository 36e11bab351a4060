"""What is wrong with a statement, told at collection in one sentence with its place."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

HERE = Path(__file__).parent


class StatementError(pytest.Collector.CollectError, ValueError):
    """A statement that cannot be tested; pytest prints its sentence at collection, with the line that it is on."""

    def __init__(self, sentence: str) -> None:
        super().__init__(f"{_place()}{sentence}")


def _place() -> str:
    """FILE:LINE of the nearest caller that is not of this package."""
    frame = sys._getframe(1)
    while frame is not None and _ours(frame.f_code.co_filename):
        frame = frame.f_back  # type: ignore[assignment]
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}: " if frame is not None else ""


def _ours(name: str) -> bool:
    """Whether the file is of this package, or makes context managers."""
    return Path(name).parent == HERE or name.endswith("contextlib.py")


@contextmanager
def refused() -> Iterator[None]:
    """ValueErrors and TypeErrors inside become StatementErrors with the same sentence."""
    try:
        yield
    except StatementError:
        raise
    except (ValueError, TypeError) as error:
        raise StatementError(str(error)) from None
