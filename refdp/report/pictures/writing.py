"""Pictures as SVG files that are the same every time: no date, no random names, text as text."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from refdp.claims import PROGRAMS, Claim, claim, matching, programs
from refdp.commands.files import write_whole
from refdp.commands.verify import shipped_certificates
from refdp.report.certificates import theorem_of
from refdp.report.paths import FOLDER, picture_path
from refdp.report.pictures.plans import Plan, plan_of

STYLE = {
    "svg.hashsalt": "refdp",
    "svg.fonttype": "none",
    "path.simplify": True,
    "path.simplify_threshold": 0.2,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Helvetica", "Arial"],
    "font.size": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
}
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
    for c in (one for one in matching(pattern) if one.book != PROGRAMS):
        plan = plan_of(c, theorem_of(c))
        if plan is not None:
            yield picture_path(c.identifier).removeprefix(f"{FOLDER}/"), svg_of(plan)


def svg_of(plan: Plan) -> str:
    """The picture as SVG text; ValueError if matplotlib is not installed."""

    def drawn(figure: Any) -> None:
        from refdp.report.pictures.drawing import draw

        draw(plan, figure)

    return svg_text(drawn, plan.claim, plan.caption)


def svg_text(draw: Callable[[Any], None], title: str, caption: str) -> str:
    """What is drawn on an empty figure, as SVG text; ValueError if matplotlib is not installed."""
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError:
        raise ValueError("pictures need matplotlib, which the extra `report` of refdp installs") from None
    with rc_context(STYLE):
        figure, written = Figure(), io.StringIO()
        draw(figure)
        about = {"Title": title, "Description": caption, "Date": None, "Creator": None}
        FigureCanvasSVG(figure).print_svg(written, metadata=about)
    head, root, body = written.getvalue().partition("<svg ")
    return f"{head}{MARK}\n{root}{body}"


def plot(name: str, out: str | Path) -> dict[str, Any]:
    """Draw the picture of a claim into a file, as the object of `refdp plot --json`; ValueError if it has none.

    `name` may also be the file of a certificate that `refdp prove` wrote, ending in .json.
    """
    path = Path(out)
    if path.suffix != ".svg":
        raise ValueError(f"out must be a file that ends in .svg, got {out}")
    if name.endswith(".json") or any(name == one.identifier for one in programs()):
        text, caption = program_picture(name)
    else:
        found: Claim = claim(name)
        plan = plan_of(found, theorem_of(found))
        if plan is None:
            raise ValueError(f"claim must be one that has a picture, got {name}")
        text, caption = svg_of(plan), plan.caption
    write_whole(path, text)
    return {"claim": name, "path": str(path), "caption": caption}


def program_picture(name: str) -> tuple[str, str]:
    """The picture of a counterexample to what a program claims, as SVG text, and its caption."""
    from refdp.report.pictures.programs import draw_program, picture_of

    path = Path(name) if name.endswith(".json") else shipped_certificates() / PROGRAMS / f"{name}.json"
    if not path.exists():
        raise ValueError(f"certificate must be a file, got {path}")
    found = picture_of(path.read_text(encoding="utf-8"))
    return svg_text(lambda figure: draw_program(found, figure), found.title, found.caption), found.caption
