"""Where spaces stand: around the names of functions, and beside a minus that is a sign."""

from scripts.docs_site.formula_words import BAR

THIN = '<mspace width="0.1667em"/>'
OPENING = ("", "(", "[", "\\left", "\\bigl", "\\,", "}", "&", "\\right")
"""What may follow the name of a function without a space."""


def is_space(item: str) -> bool:
    """Whether an item is a space."""
    return item.startswith("<mspace")


def wants_more(items: list[str]) -> bool:
    """Whether the last item that is no space is an operator that something must follow, so that a minus is a sign."""
    last = [item for item in items if not is_space(item)][-1]
    return last.startswith(("<mo>", "<mo ")) and 'form="postfix"' not in last and last != BAR
