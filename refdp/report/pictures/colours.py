"""The colours of the pictures, which every kind of colour vision tells apart (Okabe and Ito's), and those at night.

No colour says anything alone: lines differ in their dashes, areas in their hatching, rows in their signs.
"""

from __future__ import annotations

GROUND, INK, QUIET = "#ffffff", "#1b1f24", "#5b6470"
"""What everything stands on, text and axes, what matters less."""
FIRST, SECOND, BOUND, SHADE = "#0072b2", "#d55e00", "#22262b", "#f5e6a8"
"""M(x) or an upper bound, M(x') or a lower bound, what is claimed, an event."""
BAND, GAIN, GAIN_FILL, LOSS_FILL = "#c9e2f2", "#007a5a", "#dff3ec", "#fbe6dc"
"""Between two bounds; a row more; behind that; behind a row less."""
ORACLE, ORACLE_FILL, FALSE, KERNEL_FILL = "#b36b00", "#fdf0d5", "#b84a00", "#e3f0fa"
"""Frames and grounds of the steps of a derivation."""

NIGHT = {
    GROUND: "#14171c",
    INK: "#e6e9ee",
    QUIET: "#a0a8b4",
    FIRST: "#56b4e9",
    SECOND: "#f58f4c",
    BOUND: "#e7eaef",
    SHADE: "#4d4420",
    BAND: "#1f4662",
    GAIN: "#3cc79b",
    GAIN_FILL: "#123c30",
    LOSS_FILL: "#4a2615",
    ORACLE: "#e0a030",
    ORACLE_FILL: "#40330f",
    FALSE: "#ff8f57",
    KERNEL_FILL: "#14344d",
}
"""Colour -> what it is where the reader prefers dark pages."""


def night_style(used: str) -> str:
    """The style sheet by which a picture turns dark; only of the colours that stand in its text."""
    rules = [
        f'[style*="{kind}: {day}"],[{kind}="{day}"]{{{kind}:{night}!important}}'
        for day, night in NIGHT.items()
        for kind in ("fill", "stroke")
        if f"{kind}: {day}" in used or f'{kind}="{day}"' in used
    ]
    return f"@media (prefers-color-scheme:dark){{{''.join(rules)}}}"
