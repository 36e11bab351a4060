"""Emphasis is written with stars on these pages: an underscore belongs to a name or to mathematics."""

from markdown import Extension, Markdown


class StarsAlone(Extension):
    """Leaves underscores alone."""

    def extendMarkdown(self, md: Markdown) -> None:
        md.delimiters.remove("_")
