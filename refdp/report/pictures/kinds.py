"""The kinds of pictures by name, and a picture that is ready to be drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from refdp.report.pictures.files import Draw, rendered

if TYPE_CHECKING:
    from refdp.report.tree_layout import Drawing

LAWS, LOSSES, PROFILE, TRADE_OFF, DIVERGENCES = "laws", "losses", "profile", "trade_off", "divergences"
FRONTIER, DERIVATION, ALIGNMENT, TABLES = "frontier", "derivation", "alignment", "tables"
KINDS: Mapping[str, str] = {
    LAWS: "two neighbouring output laws, the event shaded, and the privacy loss of each outcome",
    LOSSES: "the law of the privacy loss, bin by bin",
    PROFILE: "delta(epsilon), between certified bounds or beside what is claimed",
    TRADE_OFF: "the trade-off curve of f-DP, between certified bounds",
    DIVERGENCES: "the Renyi divergence of each order, and what is claimed",
    FRONTIER: "where the classical Gaussian theorem holds, is proved, and is refuted",
    DERIVATION: "the derivation tree",
    ALIGNMENT: "two runs of a program side by side, what the second adds to which noise, and the cost",
    TABLES: "two tables, the rows in which they differ marked, and both answers",
}
"""Kind -> what it shows."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that is ready to be drawn; of a derivation also how its boxes stand."""

    title: str
    caption: str
    draw: Draw
    tree: Drawing | None = None

    def content(self, ending: str) -> str | bytes:
        """The content of a file with that ending."""
        if self.tree is not None and ending == ".svg":
            from refdp.report.tree_svg import svg_of

            return svg_of(self.tree, self.title)
        return rendered(self.draw, self.title, self.caption, ending)


Makers = Mapping[str, Callable[[], Picture]]
"""Kind -> the picture of that kind, made when it is asked for; the kind that is drawn unless said comes first."""
