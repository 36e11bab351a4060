"""Neighbouring relations by refdp's names and by dp_accounting's."""

from __future__ import annotations

from dataclasses import dataclass

from refdp.accounting.events import NEIGHBOURS
from refdp.accounting.losses import LossError
from refdp.accounting.numbers import shown


@dataclass(frozen=True, slots=True)
class Relation:
    """A neighbouring relation; special: a row is replaced by a record that adds nothing to any sum."""

    relation: str
    special: bool = False


NAMES: dict[str, Relation] = {
    **{str(name): Relation(name) for name in NEIGHBOURS},
    "ADD_OR_REMOVE_ONE": Relation("add_remove"),
    "REPLACE_ONE": Relation("change_one"),
    "REPLACE_SPECIAL": Relation("add_remove", special=True),
}
"""The relations by refdp's names and by dp_accounting's."""


def neighbours_of(value: object) -> Relation:
    """The relation by its name, or by a member of an enumeration of such names; LossError for others."""
    if isinstance(value, Relation):
        return value
    name = value if isinstance(value, str) else getattr(value, "name", None)
    if not isinstance(name, str) or name not in NAMES:
        raise LossError(f"neighbours must be one of {', '.join(NAMES)}, got {shown(value)}")
    return NAMES[name]
