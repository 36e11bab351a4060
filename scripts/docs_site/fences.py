"""Fences marked `math` become formulas; all others are left to the highlighter."""

from typing import Any

from pymdownx.superfences import SuperFencesException

from scripts.docs_site.formula_tokens import NotUnderstood
from scripts.docs_site.formulas import mathml


def formula(source: str, language: str, css_class: str, options: dict[str, Any], md: object, **_: Any) -> str:
    """The formula in a box that scrolls where it is too wide, and that the search leaves out."""
    try:
        return f'<div class="formula" tabindex="0" data-search-exclude>{mathml(source)}</div>'
    except NotUnderstood as wrong:
        raise SuperFencesException(f"{wrong}, in the formula\n{source}") from wrong


CUSTOM = [{"name": "math", "class": "formula", "format": formula}]
