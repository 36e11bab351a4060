"""A derivation drawn as SVG: one box for each step, on a light ground in print and on light pages, else on a dark one.

Who vouches is told by the frame as well as the colour: dashed where an oracle does.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from refdp.kernel.theorem import Theorem
from refdp.report.pictures import colours
from refdp.report.pictures.files import printable
from refdp.report.steps import step_of
from refdp.report.tree_layout import BOX_WIDTH, LINE, PADDING, Box, Drawing, Line, drawing

GENERATED_TREE = "<!-- Made by `python -m refdp.report.claim_pages docs/claims`. -->"
MARGIN, LEGEND = 20, 30
ORACLE, KERNEL, RULE, FALSE = "oracle", "kernel", "rule", "false"
COLOURS = {
    ORACLE: (colours.ORACLE_FILL, colours.ORACLE),
    KERNEL: (colours.KERNEL_FILL, colours.FIRST),
    RULE: (colours.GROUND, colours.QUIET),
    FALSE: (colours.LOSS_FILL, colours.FALSE),
}
"""Kind of step -> ground and frame of its box; they differ for every kind of colour vision."""
STYLE = {
    kind: f'fill="{fill}" stroke="{frame}"' + (' stroke-dasharray="5 3"' if kind == ORACLE else "")
    for kind, (fill, frame) in COLOURS.items()
}
"""Kind of step -> how its box looks."""
MEANING = {
    ORACLE: "vouched for by the solver or code named",
    KERNEL: "checked by the kernel alone",
    RULE: "follows by the rule",
    FALSE: "refuted",
}
SANS = "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\""
MONO = "font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\""


def tree_svg(theorem: Theorem, title: str) -> str:
    """The SVG of the derivation of a theorem."""
    return svg_of(drawing(step_of(theorem)), title)


def svg_of(d: Drawing, title: str) -> str:
    """The SVG of a laid out tree."""
    used = [kind for kind in STYLE if any(kind_of(b) == kind for b in d.boxes)]
    legend = list(_legend(used, d.height + 2 * MARGIN))
    width = whole_width(d, used)
    height = d.height + 2 * MARGIN + LEGEND
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    ground = f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{colours.GROUND}"/>'
    moved = d.moved(MARGIN, MARGIN)
    body = (ground, *map(_line, moved.lines), *(part for b in moved.boxes for part in _box(b)), *legend)
    head = (
        GENERATED_TREE,
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{escape(printable(title))}</title>",
        f"<desc>{len(d.boxes)} steps, each below those that it rests on; the last one is what is concluded.</desc>",
        f"<style>{colours.night_style(''.join(body))}</style>",
    )
    return "\n".join((*head, *body, "</svg>", ""))


def kind_of(box: Box) -> str:
    """How the step of a box is justified."""
    step = box.step
    if step.said[0].startswith("false: "):
        return FALSE
    if step.by:
        return ORACLE
    return KERNEL if step.is_leaf and not step.repeats else RULE


def _line(points: Line) -> str:
    """A line from a premise to its conclusion."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colours.QUIET}" stroke-width="1.3"/>'


def _box(box: Box) -> Iterator[str]:
    """A box: its frame, its title, its lines."""
    left, width = box.x - BOX_WIDTH / 2, 2.4 if box.is_root else 1.3
    yield (
        f'<rect x="{left:g}" y="{box.y:g}" width="{BOX_WIDTH}" height="{box.height}" rx="5" '
        f'{STYLE[kind_of(box)]} stroke-width="{width}"/>'
    )
    y = box.y + PADDING + LINE - 4
    title = box.step.title
    yield _text(left + PADDING, y, title, f'{SANS} font-size="{size_of(title):g}" font-weight="bold"')
    for line in box.lines:
        y += LINE
        yield _text(left + PADDING, y, line, f'{MONO} font-size="11.5"')


def size_of(title: str) -> float:
    """The size at which a bold title fits its box."""
    return min(13, round((BOX_WIDTH - 2 * PADDING) / (0.58 * len(title)), 1))


def _text(x: float, y: float, line: str, style: str) -> str:
    """A line of text."""
    return f'<text x="{x:g}" y="{y:g}" fill="{colours.INK}" {style}>{escape(printable(line))}</text>'


def _legend(kinds: list[str], y: float) -> Iterator[str]:
    """What the frames mean."""
    x = float(MARGIN)
    for kind in kinds:
        yield f'<rect x="{x:g}" y="{y:g}" width="18" height="12" rx="2" {STYLE[kind]} stroke-width="1.3"/>'
        yield _text(x + 25, y + 10, MEANING[kind], f'{SANS} font-size="12"')
        x += legend_width(kind)


def whole_width(d: Drawing, used: list[str]) -> float:
    """The width of the picture: room for every box, and for the legend of the kinds that are used."""
    return max(d.width, sum(legend_width(kind) for kind in used)) + 2 * MARGIN


def legend_width(kind: str) -> float:
    """The width of one entry of the legend."""
    return 50 + 6.6 * len(MEANING[kind])
