"""Where the boxes of a derivation tree stand: premises above their conclusion, no two boxes over each other.

Premises that rest on nothing are stacked in one column; each other premise stands in a column of its own.  A tree that
is too wide so is drawn as an outline, one box under the other, premises farther right.  Lengths are in pixels, y grows
downwards.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace

from refdp.report.steps import Step

COLUMNS = 40
"""Characters in a line of a box."""
MOST_LINES = 3
"""Lines that one sentence in a box may take."""
BOX_WIDTH, LINE, PADDING = 312, 16, 9
GAP, STACK_GAP, COLUMN_GAP = 34, 8, 28
LONGEST_STACK = 3
WIDEST = 1100
"""Widest tree that is drawn with its premises side by side."""
INDENT = 40
SPINE = 12
"""How far left of a stack the line stands that joins its boxes."""


@dataclass(frozen=True, slots=True)
class Box:
    """A step with its lines and its place; its centre is at x."""

    step: Step
    lines: tuple[str, ...]
    x: float
    y: float
    is_root: bool = False

    @property
    def height(self) -> int:
        """As many lines as it has, the title among them."""
        return 2 * PADDING + LINE * (len(self.lines) + 1)


Line = tuple[tuple[float, float], ...]
"""Points joined by straight lines."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes and lines in a rectangle from (0, 0), the lowest box last; at its lower edge, a line leaves at `foot`."""

    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    width: float
    height: float
    foot: float

    def moved(self, x: float, y: float) -> Drawing:
        """The same elsewhere."""
        boxes = tuple(replace(b, x=b.x + x, y=b.y + y) for b in self.boxes)
        lines = tuple(tuple((px + x, py + y) for px, py in line) for line in self.lines)
        return Drawing(boxes, lines, self.width, self.height, self.foot + x)


def drawing(step: Step) -> Drawing:
    """The tree of a derivation: side by side if that is not too wide."""
    found = tree(step, is_root=True)
    return found if found.width <= WIDEST else outline(step)


def outline(step: Step) -> Drawing:
    """Every step in a row of its own, after its premises, which stand farther right."""
    boxes, lines, depths = list[Box](), list[Line](), list[int]()

    def add(s: Step, depth: int) -> Box:
        above = [add(p, depth + 1) for p in s.premises]
        top = boxes[-1].y + boxes[-1].height + STACK_GAP if boxes else 0.0
        box = Box(s, tuple(lines_of(s)), depth * INDENT + BOX_WIDTH / 2, top, depth == 0)
        spine = (depth + 0.5) * INDENT
        joints = [(p.x - BOX_WIDTH / 2, p.y + p.height / 2) for p in above]
        lines.extend(((left, middle), (spine, middle), (spine, top)) for left, middle in joints)
        boxes.append(box)
        depths.append(depth)
        return box

    root = add(step, 0)
    return Drawing(tuple(boxes), tuple(lines), max(depths) * INDENT + BOX_WIDTH, root.y + root.height, root.x)


def tree(step: Step, is_root: bool) -> Drawing:
    """The tree above and with a step, premises side by side."""
    box = Box(step, tuple(lines_of(step)), BOX_WIDTH / 2, 0, is_root)
    above = [tree(p, is_root=False) for p in step.premises if not p.is_leaf]
    leaves = [p for p in step.premises if p.is_leaf]
    above = [*map(stack, columns(leaves, alone=not above)), *above]
    return under(above, box) if above else Drawing((box,), (), BOX_WIDTH, box.height, BOX_WIDTH / 2)


def columns(leaves: list[Step], alone: bool) -> list[list[Step]]:
    """The leaves in one column, or in two where they are many and nothing stands beside them; no column if none."""
    if alone and len(leaves) > LONGEST_STACK:
        half = (len(leaves) + 1) // 2
        return [leaves[:half], leaves[half:]]
    return [leaves] if leaves else []


def stack(leaves: list[Step]) -> Drawing:
    """Steps that rest on nothing, one over the other, joined by a line at their left."""
    left = SPINE if len(leaves) > 1 else 0
    boxes, y = list[Box](), 0.0
    for leaf in leaves:
        boxes.append(Box(leaf, tuple(lines_of(leaf)), left + BOX_WIDTH / 2, y))
        y += boxes[-1].height + STACK_GAP
    height = y - STACK_GAP
    if not left:
        return Drawing(tuple(boxes), (), BOX_WIDTH, height, BOX_WIDTH / 2)
    ticks = [((0.0, b.y + b.height / 2), (float(left), b.y + b.height / 2)) for b in boxes]
    spine = ((0.0, ticks[0][0][1]), (0.0, height))
    return Drawing(tuple(boxes), (spine, *ticks), left + BOX_WIDTH, height, 0.0)


def under(above: list[Drawing], box: Box) -> Drawing:
    """The drawings side by side, their feet at one height, and the box under them."""
    tallest = max(d.height for d in above)
    placed, x = list[Drawing](), 0.0
    for d in above:
        placed.append(d.moved(x, tallest - d.height))
        x += d.width + COLUMN_GAP
    width, top = x - COLUMN_GAP, tallest + GAP
    centre = (placed[0].boxes[-1].x + placed[-1].boxes[-1].x) / 2
    root = replace(box, x=centre, y=top)
    joint = tallest + GAP / 2
    lines = [((d.foot, tallest), (d.foot, joint), (centre, joint), (centre, top)) for d in placed]
    boxes = (*(b for d in placed for b in d.boxes), root)
    inner = (line for d in placed for line in d.lines)
    return Drawing(boxes, (*inner, *lines), max(width, centre + BOX_WIDTH / 2), top + root.height, centre)


def lines_of(step: Step) -> list[str]:
    """The lines of a box below its title."""
    sentences = [*step.said]
    if step.repeats:
        sentences.append("as drawn already")
    if step.title != step.rule and step.rule != "oracle":
        sentences.append(f"by the rule {step.rule}")
    if step.by:
        sentences.append(f"by {', '.join(step.by)}")
    return [line for sentence in sentences for line in wrapped(sentence)]


def wrapped(sentence: str) -> list[str]:
    """The sentence in lines that fit a box, shortened where it needs too many."""
    return textwrap.wrap(sentence, COLUMNS, max_lines=MOST_LINES, placeholder=" \N{HORIZONTAL ELLIPSIS}") or [""]
