"""Pages of prose with one part that is generated: what stands between two marks is made anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from refdp.report.arguments import arguments


def between(page: str, begin: str, end: str, made: Callable[[], str]) -> str:
    """The page with what stands between its marks made anew; ValueError where a mark is missing."""
    before, first, rest = page.partition(begin)
    _, last, after = rest.partition(end)
    if not first or not last:
        raise ValueError(f"the page must contain {begin} and {end}")
    return f"{before}{begin}\n{made()}\n{end}{after}"


def rewrite(module: str, says: str | None, updated: Callable[[str], str]) -> None:
    """The command of a module, which `says` in its docstring what it does, that rewrites the page of its argument."""
    page = Path(*arguments(module, says, "PAGE"))
    page.write_text(updated(page.read_text(encoding="utf-8")), encoding="utf-8")
