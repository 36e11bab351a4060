"""The pictures of the pages: one for each claim that has one, as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from refdp.claims import GENERAL, PROGRAMS, matching
from refdp.commands.files import write_whole
from refdp.report.certificates import theorem_of
from refdp.report.paths import FOLDER, picture_path
from refdp.report.pictures.files import svg_text
from refdp.report.pictures.plans import Plan, plan_of

MARK = "<!-- Made by `python -m refdp.report.pictures docs/claims`. -->"


def write(folder: Path, pattern: str = "*") -> None:
    """Write the pictures of the claims that match; remove those of claims that have none, if all were asked for."""
    found = dict(pictures(pattern))
    for old in folder.glob("*/*.svg") if pattern == "*" else ():
        if MARK in old.read_text(encoding="utf-8")[:500] and old.relative_to(folder).as_posix() not in found:
            old.unlink()
    for name, text in found.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / name, text)


def pictures(pattern: str = "*") -> Iterator[tuple[str, str]]:
    """File name, from the folder of the pages, and SVG, of each claim that matches and has a picture."""
    for c in (one for one in matching(pattern) if one.book not in (GENERAL, PROGRAMS)):
        plan = plan_of(c, theorem_of(c))
        if plan is not None:
            yield picture_path(c.identifier).removeprefix(f"{FOLDER}/"), svg_of(plan)


def svg_of(plan: Plan) -> str:
    """The picture as SVG text; ValueError if matplotlib is not installed."""

    def drawn(figure: Any) -> None:
        from refdp.report.pictures.drawing import draw

        draw(plan, figure)

    return svg_text(drawn, plan.claim, plan.caption, MARK)
