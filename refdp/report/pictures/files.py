"""Pictures as files that are the same every time: SVG with text as text and a style for dark pages, PNG, PDF."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from refdp.report.pictures.colours import GROUND, INK, night_style
from refdp.report.pictures.glyphs import left_to_the_reader, spell_out

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".svg", ".png", ".pdf")
WIDTH = 5.0
"""Inches of a picture for one column; printed 3.5 inches wide, its smallest text is 8 points high."""
WIDE = 7.2
"""Inches of a picture for the width of a page."""
SIZE = 11.5
"""Points of the smallest text in a picture for one column."""
DOTS = 200
"""Dots in an inch of a PNG."""
STYLE = {
    "svg.hashsalt": "refdp",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "path.simplify": True,
    "path.simplify_threshold": 0.2,
    "hatch.linewidth": 0.8,
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Helvetica", "Arial"],
    "font.size": SIZE,
    "axes.labelsize": SIZE,
    "xtick.labelsize": SIZE,
    "ytick.labelsize": SIZE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": GROUND,
    "savefig.facecolor": GROUND,
    "axes.facecolor": "none",
    "figure.constrained_layout.use": True,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "lines.linewidth": 1.8,
}
MARK = "<!-- Made by `refdp plot`. -->"
FAMILY = "'DejaVu Sans', 'Helvetica', 'Arial', sans-serif"
LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
NO_TURN = re.compile(r' transform="rotate\(-?0 [^"]*\)"')
Draw = Callable[["Figure"], None]


def picture_file(out: str | Path) -> Path:
    """The file for a picture; ValueError, before any work, where it is none."""
    path = Path(out)
    if path.suffix not in ENDINGS:
        raise ValueError(f"out must be a file that ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}, got {out}")
    if not path.parent.is_dir():
        raise ValueError(f"out must be a file in a folder that exists, got {out}")
    return path


def rendered(draw: Draw, title: str, caption: str, ending: str) -> str | bytes:
    """What is drawn on an empty figure, as the content of a file; ValueError if matplotlib is not installed."""
    writers: dict[str, Callable[[Draw, str, str], str | bytes]] = {".svg": svg_text, ".png": png, ".pdf": pdf}
    return writers[ending](draw, title, caption)


def png(draw: Draw, title: str, caption: str) -> bytes:
    """A PNG on a white ground; characters without a glyph are spelt out."""
    with drawn(draw) as figure:
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        written = io.BytesIO()
        about = {"Title": title, "Description": caption, "Software": None}
        figure.set_dpi(DOTS)
        spell_out(figure)
        FigureCanvasAgg(figure).print_png(written, metadata=about)
    return written.getvalue()


def pdf(draw: Draw, title: str, caption: str) -> bytes:
    """A PDF on a white ground, its text as text; characters without a glyph are spelt out."""
    with drawn(draw) as figure:
        from matplotlib.backends.backend_pdf import FigureCanvasPdf

        written = io.BytesIO()
        about = {"Title": title, "Subject": caption, "Creator": None, "Producer": None, "CreationDate": None}
        spell_out(figure)
        FigureCanvasPdf(figure).print_pdf(written, metadata=about)
    return written.getvalue()


def svg_text(draw: Draw, title: str, caption: str, mark: str = MARK) -> str:
    """An SVG that turns dark where its reader prefers that."""
    with drawn(draw) as figure, left_to_the_reader():
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        written = io.StringIO()
        FigureCanvasSVG(figure).print_svg(written, metadata={"Date": None, "Creator": None, "Format": None})
    return tidied(printable(written.getvalue()), printable(title), printable(caption), mark)


def printable(text: str) -> str:
    r"""A text without characters that XML forbids or that turn the direction of reading: they are spelt out.

    >>> printable("a\x01b\u202e\n")
    'a\\x01b\\u202e\n'
    """
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


@contextmanager
def drawn(draw: Draw) -> Iterator[Figure]:
    """A figure with what is drawn, in the one style."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise ValueError("pictures need matplotlib, which the extra `report` of refdp installs") from None
    with rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, WIDTH * 0.62))
        draw(figure)
        yield figure


def tidied(svg: str, title: str, caption: str, mark: str) -> str:
    """An SVG of matplotlib's with its title, description and night colours, and without what nobody needs."""
    _, _, body = svg.partition("<svg ")
    root, _, body = body.partition(">")
    body = METADATA.sub("", body)
    body = TAG.sub(lambda tag: LONG_NUMBER.sub(lambda found: shortened(found[0]), tag[0]), NO_TURN.sub("", body))
    body = body.replace(f"font-family: {FAMILY}; ", "").replace("; stroke-linejoin: miter", "")
    body = re.sub(r"\s*\n\s*(?=[A-Za-z\"]|-?\d)", " ", body)
    body = re.sub(r"\n +", "\n", body)
    head = (
        f'<svg {root} role="img" font-family="{FAMILY}">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(caption)}</desc>",
        f"<style>{night_style(body)}</style>",
    )
    return "\n".join((mark, *head, body.lstrip()))


def shortened(number: str) -> str:
    """A number with two digits after the point.

    >>> shortened("-57.02499"), shortened("12.000001")
    ('-57.02', '12')
    """
    return f"{float(number):.2f}".rstrip("0").rstrip(".")
