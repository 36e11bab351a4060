"""Long names may break after their dots and underscores: in narrow columns they would push others out of sight."""

import re
from xml.etree.ElementTree import Element, SubElement

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor

AFTER_INLINE = 9
SHORT = 20
"""Names of so many characters never break."""
PART = re.compile(r"[^._/]*[._/]?")


class Breaks(Extension):
    """Marks where the text of links may break."""

    def extendMarkdown(self, md: Markdown) -> None:
        md.treeprocessors.register(Breaking(md), "breaks", AFTER_INLINE)


class Breaking(Treeprocessor):
    """Every link whose text is one long name, or is one in `code`."""

    def run(self, root: Element) -> None:
        for link in root.iter("a"):
            for each in (link, *link.iter("code")):
                if not len(each) and is_long_name(each.text or ""):
                    breakable(each, each.text or "")


def is_long_name(text: str) -> bool:
    """Whether a text is one long word."""
    return len(text) > SHORT and " " not in text and text.isprintable()


def breakable(element: Element, name: str) -> None:
    """The name again, with a place to break after each of its parts."""
    first, *others = filter(None, PART.findall(name))
    element.text = first
    for part in others:
        SubElement(element, "wbr").tail = part
