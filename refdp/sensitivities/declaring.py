"""What a user writes about records and parameters, read as data.

0..100      integers 0..120      numbers      Adelie | Chinstrap | Gentoo      0..100 or missing      lower..upper
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from refdp.logic.expressions import read_number, read_statement
from refdp.logic.operations import conjunction
from refdp.logic.terms import Sort, Term, is_number, number, variable
from refdp.numerics.exact import NotExact, exact
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.question import SIZE
from refdp.sensitivities.records import Category, Concrete, Fields, Kind, Label, Missing, Number

FORMS = "0..100, integers 0..120, numbers, integers, A | B | C, or one of these followed by 'or missing'"
OR_MISSING = " or missing"
NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
RESERVED = ("n", "row", "ghost", "ghost2")
"""Names that conditions use themselves: the number of rows, a record, and the records that differ."""
TRUTH: Mapping[str, bool] = {"true": True, "True": True, "false": False, "False": False}


def declaration(
    record: str | Mapping[str, str] | Sequence[str],
    values: Mapping[str, str] | None = None,
    symbols: Iterable[str] = (),
    assume: str | None = None,
) -> Declaration:
    """The declaration: `record` is one kind, or the kinds of named or numbered columns.  ValueError if it is not read.

    A symbol is NAME for every real number, or "NAME: integer"; `assume` is a statement about symbols and n.
    """
    sorts = dict(map(_symbol, symbols))
    names = {name: variable(name, sort) for name, sort in sorts.items()}
    known = {"n": SIZE, **names}
    assumption = conjunction(*([read_statement(assume, known, "assume")] if assume else []))
    fixed = {name: concrete(value) for name, value in (values or {}).items()}
    if both := sorted(set(fixed) & set(sorts)):
        raise ValueError(f"a parameter must be set or symbolic, got both for {', '.join(both)}")
    return Declaration(record_kind(record, names), fixed, sorts, assumption)


def record_kind(record: str | Mapping[str, str] | Sequence[str], names: Mapping[str, Term]) -> Kind:
    """The kind of the records."""
    if isinstance(record, str):
        return read_kind(record, names)
    pairs: list[tuple[str | int, str]]
    pairs = list(record.items()) if isinstance(record, Mapping) else list(enumerate(record))
    if not pairs:
        raise ValueError("columns must be at least one, got none")
    return Fields(tuple((key, read_kind(text, names)) for key, text in pairs))


def read_kind(text: str, names: Mapping[str, Term]) -> Number | Category | Missing:
    """The kind that a text declares."""
    text = text.strip()
    if text.endswith(OR_MISSING):
        return Missing(_present(text.removesuffix(OR_MISSING).strip(), names))
    return _present(text, names)


def _present(text: str, names: Mapping[str, Term]) -> Number | Category:
    """A kind without missing values."""
    if text in ("numbers", "integers"):
        return Number(is_integer=text == "integers")
    if "|" in text:
        return Category(_labels(text))
    whole, bounds = text.startswith("integers "), text.removeprefix("integers ")
    if bounds.count("..") != 1:
        raise ValueError(f"a kind of record must be {FORMS}, got {text!r}")
    lower, upper = (read_number(part, names, "a bound") if part.strip() else None for part in bounds.split(".."))
    if (
        lower is not None
        and upper is not None
        and is_number(lower)
        and is_number(upper)
        and number(lower) > number(upper)
    ):
        raise ValueError(f"bounds must be L..U with L <= U, got {text!r}")
    return Number(lower, upper, whole)


def _labels(text: str) -> tuple[Label, ...]:
    """A | B | C: different labels; all whole numbers are numbers, true and false are truth values, else text."""
    parts = [part.strip() for part in text.split("|")]
    found = _typed(parts)
    if not all(parts) or len(set(found)) != len(found):
        raise ValueError(f"labels must be different and not empty, got {text!r}")
    return found


def _typed(parts: Sequence[str]) -> tuple[Label, ...]:
    """Labels as truth values, as numbers or as text."""
    if all(part in TRUTH for part in parts):
        return tuple(TRUTH[part] for part in parts)
    if all(re.fullmatch(r"-?[0-9]{1,1000}", part) for part in parts):
        return tuple(int(part) for part in parts)
    return tuple(part.strip("'\"") for part in parts)


def concrete(text: str) -> Concrete:
    """A fixed value: an exact number, true or false, none, or text; [a, b, c] is a list of these."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return tuple(concrete(part) for part in text[1:-1].split(",") if part.strip())
    if text in TRUTH:
        return TRUTH[text]
    if text in ("none", "None"):
        return None
    try:
        return exact(text)
    except NotExact:
        return text.strip("'\"")


def _symbol(text: str) -> tuple[str, Sort]:
    """NAME, or NAME: integer."""
    name, colon, sort = (part.strip() for part in text.partition(":"))
    if not NAME.fullmatch(name) or name in RESERVED or (colon and sort not in ("integer", "real")):
        raise ValueError(f"a symbol must be a name other than {', '.join(RESERVED)}, or NAME: integer, got {text!r}")
    return name, "Int" if sort == "integer" else "Real"
