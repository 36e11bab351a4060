"""The anchors of headings, as Git hosts make them, so that one link serves both."""

import re

DROPPED = re.compile(r"[^\w\- ]")


def slug(heading: str, separator: str = "-") -> str:
    """Small letters; no signs but - and _; each space a hyphen.

    >>> slug("discrete_laplace.pure: PROVED")
    'discrete_laplacepure-proved'
    """
    return DROPPED.sub("", heading.strip().lower()).replace(" ", separator)
