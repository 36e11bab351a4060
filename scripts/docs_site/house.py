"""How the house is built: its packages, what imports what, and rules that the imports keep, read off the sources."""

import ast
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from refdp.commands.trusted_base import GROUPS, groups
from scripts.docs_site.places import ROOT

PAGE = "reference/house.md"
PACKAGE = ROOT / "refdp"
BELIEVED, READ, PROPOSES, SHOWS = "is believed", "is what claims are about", "proposes", "shows, or draws"
COLOURS = {BELIEVED: "#3f6fb5", READ: "#9dc3e6", PROPOSES: "#e3a33b", SHOWS: "#9a9a9a"}
SEARCHING = ("search", "judging other", "the second judge", "what audits look for", "sums of floats")
"""How the groups of files begin that find what others check."""
RULES = (
    (
        "What is believed imports nothing that proposes or shows.",
        "what is believed imports nothing that proposes or shows",
    ),
    ("What proposes imports nothing that shows.", "what proposes imports nothing that shows"),
    (
        "Solvers are asked, in processes of their own, through one door each, and every theorem names who answered.",
        "z3 and cvc5 are reached through provers.smt",
    ),
)
"""The three rules, each with the contract of pyproject.toml that keeps it."""
WIDE, HIGH, BETWEEN, WIDTH = 118, 40, 44, 1200
GROUND = "var(--md-default-bg-color, white)"


OPENING = (
    '<svg viewBox="0 0 {width} {height}" role="img" aria-label="The packages of refdp and what imports what" '
    'xmlns="http://www.w3.org/2000/svg" font-family="inherit" font-size="14" fill="currentColor">'
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0,0 L8,4 L0,8 z" fill="currentColor"/></marker></defs>'
)


WORDS = """\
# How the house is built

A room is a package of `refdp`, or a module beside them. An arrow leads to what is imported; it is left out where a
longer way leads there, too. The bar in a room says what its lines are:

<p>{key}</p>

<div class="house">{picture}</div>

## Three rules

{rules}

Each is a contract of import-linter in `pyproject.toml`, which `make check` and `make test` hold the imports against,
indirect ones too. The first speaks of the kernel, of what its rules read, and of the checkers of programs and of
sensitivities with their readers. It does not speak of the smooth bounds and the bounds near a table
(`sensitivities.smoothing`, `nearby`, `scoring`), which search and check in one place, nor of audits, training, models
and attacks, whose verdicts are no theorems of the kernel.

## The rooms

From the top down; what each file is believed for, [the table of trust](../../docs/trust.md) says.

| room | what it is for | lines |
|---|---|--:|
{rows}
"""


@dataclass(frozen=True)
class Room:
    """A package of refdp, or a module beside them: what it is for, its lines by kind, and what it imports."""

    name: str
    sentence: str
    lines: Mapping[str, int]
    imports: frozenset[str]


@cache
def kinds() -> dict[Path, str]:
    """What each file of refdp is, by the group of the trusted base that it belongs to."""
    found = {}
    for group, files in groups(PACKAGE).items():
        if group in GROUPS:
            kind = BELIEVED
        elif group.startswith(SEARCHING):
            kind = PROPOSES
        else:
            kind = READ if group.startswith("what claims are about") else SHOWS
        found |= dict.fromkeys(files, kind)
    # Proofs are Python in a folder of their own: what they find is a certificate, which is checked.
    return found | dict.fromkeys((PACKAGE / "proofs").glob("*.py"), PROPOSES)


@cache
def rooms() -> dict[str, Room]:
    """Every package, and every module beside them, by name."""
    files = {path.name: sorted(path.rglob("*.py")) for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    files |= {path.stem: [path] for path in PACKAGE.glob("*.py") if not path.name.startswith("__")}
    return {name: room(name, files[name], files.keys()) for name in sorted(files)}


def room(name: str, files: list[Path], names: Iterable[str]) -> Room:
    """One of them, read from its files."""
    lines, imported = Counter[str](), set[str]()
    for file in files:
        text = file.read_text(encoding="utf-8")
        lines[kinds()[file]] += text.count("\n")
        imported |= {part for module in modules(ast.parse(text)) for part in module.split(".")[1:2]}
    said = ast.get_docstring(ast.parse(files[0].read_text(encoding="utf-8"))) or ""
    return Room(name, said.partition("\n\n")[0].replace("\n", " "), lines, frozenset(imported & set(names) - {name}))


def modules(tree: ast.Module) -> Iterator[str]:
    """The modules of refdp that a file imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "refdp":
            yield from (f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name.startswith("refdp."))


@cache
def reached(name: str) -> frozenset[str]:
    """What a room imports, and what that imports, and so on."""
    found = rooms()[name].imports
    return found.union(*map(reached, found))


def arrows() -> list[tuple[str, str]]:
    """The imports that no other imports tell: an arrow is left out where a longer way leads there, too."""
    return [
        (name, one)
        for name, each in rooms().items()
        for one in sorted(each.imports)
        if not any(one in reached(other) for other in each.imports - {one})
    ]


@cache
def depth(name: str) -> int:
    """How many rooms stand below one another under it."""
    return 1 + max(map(depth, rooms()[name].imports), default=-1)


@cache
def level(name: str) -> int:
    """On which level it stands, from the bottom: right below the lowest that imports it, if any does."""
    above = [level(one) for one, each in rooms().items() if name in each.imports]
    return min(above) - 1 if above else depth(name)


def places() -> dict[str, tuple[float, float]]:
    """The middle of each room's box: levels from the top down, each ordered by where what imports it stands."""
    found: dict[str, tuple[float, float]] = {}
    highest, lowest = max(map(level, rooms())), min(map(level, rooms()))
    for height in range(highest, lowest - 1, -1):
        here = [name for name in rooms() if level(name) == height]
        above = {name: [found[at][0] for at, one in arrows() if one == name] or [WIDTH] for name in here}
        here.sort(key=lambda name: (sum(above[name]) / len(above[name]), name))
        for place, name in enumerate(here):
            found[name] = (WIDTH * (place + 0.5) / len(here), (highest - height + 0.5) * (HIGH + BETWEEN))
    return found


def picture() -> str:
    """The rooms as boxes, each with a bar of its kinds by lines, and the arrows between them, as SVG."""
    at = places()
    height = max(y for _, y in at.values()) + HIGH
    drawn = [OPENING.format(width=WIDTH, height=round(height))]
    drawn += [curve(at[name], at[one]) for name, one in arrows()]
    drawn += [box(rooms()[name], x - WIDE / 2, y - HIGH / 2) for name, (x, y) in at.items()]
    return "".join([*drawn, "</svg>"])


def curve(start: tuple[float, float], end: tuple[float, float]) -> str:
    """An arrow from below one box to above another."""
    (x, top), (to, bottom) = start, end
    top, bottom = top + HIGH / 2, bottom - HIGH / 2
    bend = max(BETWEEN, (bottom - top) / 2)
    line = f"M{x:.0f},{top:.0f} C{x:.0f},{top + bend:.0f} {to:.0f},{bottom - bend:.0f} {to:.0f},{bottom:.0f}"
    return f'<path d="{line}" fill="none" stroke="currentColor" stroke-opacity="0.4" marker-end="url(#tip)"/>'


def box(one: Room, left: float, top: float) -> str:
    """A room: its name, and a bar as long as the box, cut by kinds."""
    whole, x, bar = sum(one.lines.values()), left + 6, ""
    for kind, colour in COLOURS.items():
        share = (WIDE - 12) * one.lines.get(kind, 0) / whole
        if share:
            bar += f'<rect x="{x:.1f}" y="{top + 28:.0f}" width="{share:.1f}" height="6" fill="{colour}"/>'
        x += share
    frame = f'x="{left:.0f}" y="{top:.0f}" width="{WIDE}" height="{HIGH}" rx="4" stroke="currentColor"'
    name = f'<text x="{left + WIDE / 2:.0f}" y="{top + 19:.0f}" text-anchor="middle">{escape(one.name)}</text>'
    return f'<g><title>{escape(one.sentence)}</title><rect {frame} fill="{GROUND}"/>{name}{bar}</g>'


def contracts() -> dict[str, dict[str, object]]:
    """The rules of imports in pyproject.toml, by name."""
    read = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {one["name"]: one for one in read["tool"]["importlinter"]["contracts"]}


def page() -> str:
    """The page, in Markdown."""
    key = ", ".join(f'<span style="color: {colour}">&#9632;</span> {kind}' for kind, colour in COLOURS.items())
    kept = [f"{number}. {rule} *Contract: {name}.*" for number, (rule, name) in enumerate(RULES, 1)]
    rows = [
        f"| `{one.name}` | {one.sentence.replace('|', chr(92) + '|')} | {sum(one.lines.values()):,} |"
        for one in sorted(rooms().values(), key=lambda one: (-level(one.name), one.name))
    ]
    return WORDS.format(key=key, picture=picture(), rules="\n".join(kept), rows="\n".join(rows))
