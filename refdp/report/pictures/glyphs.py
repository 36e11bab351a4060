"""Characters that the fonts of a picture lack: PNG and PDF spell them out; in an SVG the reader has fonts."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.text import Text


def spell_out(figure: Figure) -> None:
    r"""Spell out what has no glyph, such as \u65e5, in every text and label of the figure."""
    from matplotlib.text import Text

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            labels = axis.get_ticklabels()
            if any(spelt_out(one) != one.get_text() for one in labels):
                axis.set_ticks(axis.get_ticklocs(), [spelt_out(one) for one in labels])
    for text in figure.findobj(Text):
        if isinstance(text, Text):
            text.set_text(spelt_out(text))


def spelt_out(text: Text) -> str:
    """The words of a text, spelt out where its font has no glyph."""
    from matplotlib.font_manager import findfont, get_font

    words, font = text.get_text(), get_font(findfont(text.get_fontproperties()))
    return "".join(c if c == "\n" or font.get_char_index(ord(c)) else ascii(c)[1:-1] for c in words)


@contextmanager
def left_to_the_reader() -> Iterator[None]:
    """Nothing is said of glyphs that are not here: the file holds the characters."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield
