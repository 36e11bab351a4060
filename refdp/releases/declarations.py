"""What a curator writes after --bounds, --granularity, --categories and --missing, read as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from refdp.numerics.exact import NotExact, exact
from refdp.releases.errors import InputError
from refdp.releases.queries import Declarations
from refdp.releases.tables import read_policy
from refdp.sensitivities.declaring import read_kind
from refdp.spec.distances import NEIGHBOURS


def read_declarations(
    neighbours: str,
    bounds: Sequence[str] = (),
    granularity: Sequence[str] = (),
    categories: Sequence[str] = (),
    missing: str | None = None,
    column: Mapping[str, str] | None = None,
    fixed: Mapping[str, str] | None = None,
    claim: Sequence[str] | Mapping[str, str] = (),
) -> Declarations:
    """The declarations; each entry is VALUE for all columns or COLUMN=VALUE.  Raises InputError.

    For functions of one's own: the kind of each column that they read, the values of their parameters, and of a
    function the bound that is claimed, in a mapping or as FUNCTION=BOUND.
    """
    if neighbours not in NEIGHBOURS:
        raise InputError(f"neighbours must be one of {', '.join(NEIGHBOURS)}, got {neighbours}")
    if missing is not None:
        read_policy(missing)
    for name, kind in (column or {}).items():
        try:
            read_kind(kind, {}, f"column {name}")
        except ValueError as error:
            raise InputError(str(error)) from None
    return Declarations(
        neighbours,
        {key: _bounds(value) for key, value in map(_split, bounds)},
        {key: _positive(value) for key, value in map(_split, granularity)},
        {key: _labels(key, value) for key, value in map(_split, categories)},
        column or {},
        fixed or {},
        dict(claim) if isinstance(claim, Mapping) else _named(claim, "claim", "FUNCTION=BOUND"),
        missing,
    )


def _named(entries: Sequence[str], parameter: str, form: str) -> dict[str, str]:
    """NAME=TEXT entries, each name once."""
    found: dict[str, str] = {}
    for entry in entries:
        name, equals, value = entry.partition("=")
        if not name or not equals or not value.strip() or name in found:
            raise InputError(f"{parameter} must be {form}, each name once, got {entry!r}")
        found[name] = value
    return found


def _split(entry: str) -> tuple[str, str]:
    """COLUMN=VALUE as a pair; a lone VALUE is for the column ""."""
    column, equals, value = entry.rpartition("=")
    return (column, value) if equals else ("", entry)


def _bounds(value: str) -> tuple[Fraction, Fraction]:
    """L,U with L <= U."""
    parts = value.split(",")
    if len(parts) != 2:
        raise InputError(f"bounds must be L,U or COLUMN=L,U, got {value!r}")
    lower, upper = (_number("bounds", part) for part in parts)
    if lower > upper:
        raise InputError(f"bounds must be L,U with L <= U, got {value!r}")
    return lower, upper


def _positive(value: str) -> Fraction:
    """A granularity > 0."""
    found = _number("granularity", value)
    if found <= 0:
        raise InputError(f"granularity must be > 0, got {value}")
    return found


def _labels(column: str, value: str) -> tuple[str, ...]:
    """A,B,... with different labels, none of them empty."""
    labels = tuple(value.split(","))
    if not column or not all(labels) or len(set(labels)) != len(labels):
        raise InputError(f"categories must be COLUMN=A,B,... with different labels, got {value!r}")
    return labels


def _number(parameter: str, value: str) -> Fraction:
    """An exact number."""
    try:
        return exact(value, parameter)
    except NotExact as error:
        raise InputError(str(error)) from None
