"""How a declaration was read, in words: the records, the values of parameters, what is assumed of symbols."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from refdp.logic.digests import digest
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.records import Category, Concrete, Fields, Kind, Missing
from refdp.terms.leaves import TRUE

if TYPE_CHECKING:
    from refdp.sensitivities.checking.certificate import Claim


def described(given: Declaration) -> dict[str, Any]:
    """The records, each parameter and the assumption as texts: keys of every judgement about a function."""
    values = {name: value_text(value) for name, value in given.values.items()}
    symbols = {name: f"every {'whole ' * (sort == 'Int')}number" for name, sort in given.symbolic.items()}
    assumption = None if given.assumption is TRUE else str(given.assumption)
    return {"records": records_text(given.record), "parameters": values | symbols, "assumption": assumption}


def sentence(given: Declaration) -> str:
    """The same in one line."""
    said = described(given)
    parts = [f"records: {said['records']}", *(f"{name} = {text}" for name, text in said["parameters"].items())]
    return "; ".join([*parts, *([f"assumed: {said['assumption']}"] if said["assumption"] else [])])


def moves(claim: Claim, arithmetic: str, special: str = "") -> str:
    """What a certificate says: how far which function moves, on which tables, in which arithmetic, of which text."""
    kind = f"{claim.edits} x {claim.neighbours}, {claim.tables}, {claim.norm}"
    told = f"{kind}, {arithmetic}; {sentence(claim.declaration)}{special}; text {digest(claim.source)}"
    return f"{claim.function} moves by at most {claim.claim} ({told})"


def records_text(kind: Kind) -> str:
    """What a record is.

    >>> from refdp.sensitivities.declaring import declaration
    >>> records_text(declaration({"age": "integers 0..120", "sex": "F | M or missing"}).record)
    "'age': whole numbers from 0 to 120, 'sex': one of the texts 'F', 'M', or None"
    """
    if isinstance(kind, Missing):
        return f"{records_text(kind.kind)}, or None"
    if isinstance(kind, Category):
        if all(isinstance(label, str) for label in kind.labels):
            return f"one of the texts {', '.join(map(repr, kind.labels))}"
        return f"one of {', '.join(map(repr, kind.labels))}"
    if isinstance(kind, Fields):
        return ", ".join(f"{key!r}: {records_text(inner)}" for key, inner in kind.kinds)
    numbers = "whole numbers" if kind.is_integer else "numbers"
    ends = [("from", kind.lower), ("to", kind.upper)]
    return " ".join([numbers, *(f"{word} {end}" for word, end in ends if end is not None)])


def value_text(value: Concrete) -> str:
    """What a parameter is.

    >>> value_text(Fraction(1, 2)), value_text("1/2"), value_text((Fraction(1), None))
    ('the number 1/2', "the text '1/2'", 'the list [the number 1, None]')
    """
    if isinstance(value, tuple):
        return f"the list [{', '.join(map(value_text, value))}]"
    if isinstance(value, Fraction):
        return f"the number {value}"
    return f"the text {value!r}" if isinstance(value, str) else str(value)
