"""Formulas within sentences, between dollar signs, as Git hosts read them."""

from re import Match

from markdown import Extension, Markdown
from markdown.inlinepatterns import InlineProcessor

from scripts.docs_site.formulas import mathml

DISPLAY = r"(?<!\\)\$\$(?P<latex>[^$]+)\$\$"
INLINE = r"(?<![\\$\w])\$(?=\S)(?P<latex>[^$]+)(?<=\S)\$(?![\w$])"
PRIORITIES = {"block": 186, "inline": 185}
"""After `code` (190), so that a formula in it is code; before escapes (180), which formulas have none of."""


class InlineFormulas(Extension):
    """Reads $x$ and $$x$$."""

    def extendMarkdown(self, md: Markdown) -> None:
        for display, pattern in (("block", DISPLAY), ("inline", INLINE)):
            md.inlinePatterns.register(Formula(pattern, md, display), f"formula_{display}", PRIORITIES[display])


class Formula(InlineProcessor):
    """One formula; LaTeX that is not understood stops the build."""

    def __init__(self, pattern: str, md: Markdown, display: str) -> None:
        super().__init__(pattern, md)
        self.display = display

    def handleMatch(self, m: Match[str], data: str) -> tuple[str, int, int]:
        found = mathml(m["latex"].replace("\n", " "), self.display)
        return self.md.htmlStash.store(found.replace("<math ", "<math data-search-exclude ", 1)), m.start(0), m.end(0)
