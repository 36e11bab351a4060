"""Pages of prose with one part that is generated: what stands between two marks is made anew."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path


def between(page: str, begin: str, end: str, made: Callable[[], str]) -> str:
    """The page with what stands between its marks made anew; ValueError where a mark is missing."""
    before, first, rest = page.partition(begin)
    _, last, after = rest.partition(end)
    if not first or not last:
        raise ValueError(f"the page must contain {begin} and {end}")
    return f"{before}{begin}\n{made()}\n{end}{after}"


def rewrite(module: str, updated: Callable[[str], str]) -> None:
    """The command of a module that rewrites the page named by its one argument."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: python -m refdp.report.{module} PAGE")
    page = Path(sys.argv[1])
    page.write_text(updated(page.read_text(encoding="utf-8")), encoding="utf-8")
