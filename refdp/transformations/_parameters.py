"""Parameters that several transformations share: the public size of a table, names of columns."""

from __future__ import annotations

from fractions import Fraction

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, PipelineError
from refdp.terms.term import Term, apply, text


def public_size(size: Exactly | None) -> dict[str, Fraction]:
    """The public number of rows as a parameter, none where it is private; PipelineError unless it is whole and >= 1."""
    if size is None:
        return {}
    n = exact(size, "size")
    if n.denominator != 1 or n < 1:
        raise PipelineError(f"size must be a whole number >= 1, got {n}")
    return {"size": n}


def label(written: object, parameter: str) -> Term:
    """The text `written`, such as the name of a column, as a term; PipelineError if it is no text."""
    if not isinstance(written, str):
        raise PipelineError(f"{parameter} must be text, got {written!r}")
    return text(written)


def list_of(written: object, parameter: str) -> Term:
    """One text or several different ones as a term; PipelineError if they are not a tuple or list of such."""
    texts = [label(one, parameter) for one in written] if isinstance(written, tuple | list) else []
    if not texts or len(set(texts)) != len(texts):
        raise PipelineError(f"{parameter} must be a tuple of one text or several different ones, got {written!r}")
    return apply("list_of", *texts)
