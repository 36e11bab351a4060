"""Reports of audits, from the canonical JSON of a campaign: a page for people, and SARIF for code scanning.

They say nothing that the JSON does not say, and the page holds that JSON, so that whoever has the page can replay it.
"""

from __future__ import annotations

from importlib.util import find_spec


def require_libraries() -> None:
    """ValueError where a page could not be drawn: to be said before a campaign is run, not after it."""
    if find_spec("jinja2") is None:
        raise ValueError("pages of audits need jinja2; install it with: pip install 'refdp[report]'")
