"""Colours of the page, on light and on dark ground, and how well one reads on another (WCAG 2.1)."""

from __future__ import annotations

PALETTE: dict[str, tuple[str, str]] = {
    "ground": ("#f4f5f7", "#0f1318"),
    "card": ("#ffffff", "#181d24"),
    "sunk": ("#f4f5f7", "#10151b"),
    "ink": ("#1b2027", "#e6e9ed"),
    "faint": ("#545d68", "#a2acb8"),
    "edge": ("#d6dbe1", "#323b46"),
    "link": ("#0b57a4", "#79b8f8"),
    "refuted": ("#a31519", "#ff9f9a"),
    "refuted-ground": ("#fdebea", "#3b1a1d"),
    "not-refuted": ("#0d4f8b", "#8cc4f9"),
    "not-refuted-ground": ("#e6f0fa", "#14293d"),
    "proved": ("#17613a", "#83d6a3"),
    "proved-ground": ("#e4f4ea", "#12301f"),
    "unknown": ("#7a4a00", "#f3c46c"),
    "unknown-ground": ("#fdf1d8", "#382b10"),
    "measured": ("#4c4670", "#c3bcee"),
    "measured-ground": ("#eeecf7", "#27243c"),
    "first": ("#0067a3", "#5fb6ee"),
    "second": ("#b84a00", "#ff9f5a"),
    "bound": ("#1b2027", "#e6e9ed"),
    "alarm": ("#a31519", "#ff9f9a"),
    "event": ("#fbeec2", "#3d3414"),
    "band": ("#e6edf3", "#222c37"),
}
"""Name -> colour on light ground, colour on dark ground."""
LIGHT, DARK = 0, 1


def variables(theme: int) -> str:
    """The colours as variables of CSS."""
    return "".join(f"--{name}:{colours[theme]};" for name, colours in PALETTE.items())
