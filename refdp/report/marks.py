"""Pages of prose with one part that is generated: what stands between two marks is made when the site is built."""

from __future__ import annotations

from collections.abc import Callable


def between(page: str, begin: str, end: str, made: Callable[[], str]) -> str:
    """The page with what stands between its marks made anew; ValueError where a mark is missing."""
    before, first, rest = page.partition(begin)
    _, last, after = rest.partition(end)
    if not first or not last:
        raise ValueError(f"the page must contain {begin} and {end}")
    return f"{before}{begin}\n{made()}\n{end}{after}"
