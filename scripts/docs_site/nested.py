"""What belongs to an item of a list may be set in by the width of its mark, as on Git hosts; the site wants four."""

import re

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

AFTER_FENCES = 22
ITEM = re.compile(r"([-*+]|\d+[.)]) ")
INSIDE = re.compile(r" {2,3}(?=\S)")


class Nested(Extension):
    """Sets in what follows an empty line within an item."""

    def extendMarkdown(self, md: Markdown) -> None:
        md.preprocessors.register(Indenting(md), "nested", AFTER_FENCES)


class Indenting(Preprocessor):
    """Line by line: whether a list is open, and whether the paragraph at hand follows an empty line in it."""

    def run(self, lines: list[str]) -> list[str]:
        is_list = is_apart = False
        shown = []
        for line in lines:
            if line.strip() and not line.startswith(" "):
                is_list, is_apart = ITEM.match(line) is not None, False
            is_apart = is_apart or not line.strip()
            shown.append(INSIDE.sub("    ", line) if is_list and is_apart else line)
        return shown
