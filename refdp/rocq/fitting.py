"""Whether a subject reads inputs of the domain that a claim is about.

The library's mechanisms and functions of tables and vectors are defined for all inputs: they know neither the grid nor
the number of coordinates that those of refdp are of.  A claim is written only where its domains say so much.
"""

from __future__ import annotations

from refdp.rocq.terms import NotInRocq
from refdp.spec import registry
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.cells import CellSum
from refdp.spec.clamped import ClampedGeometric
from refdp.spec.domains import is_within
from refdp.spec.finite import FiniteLaw
from refdp.spec.level_sums import FORMS, LevelSums
from refdp.spec.linear import LinearMap
from refdp.spec.median_bounds import MedianBounds
from refdp.spec.noise import AdditiveNoise
from refdp.spec.rates import BitOfRate
from refdp.spec.rescaled import RescaledSum
from refdp.spec.rounding import Rounding
from refdp.spec.rows import RowFunction, RowSum
from refdp.spec.supported import SupportedLaw
from refdp.terms.term import Term, number, substitute

ON_ALL = ("compose", "repeated", "poisson_sampled", "fixed_size_sampled", "adaptive")
"""The mechanisms whose parts read what they read themselves, or a sample of its rows."""

OF_COORDINATES = ("coordinatewise", "public_coordinate")
"""The mechanisms of which one reads each coordinate, or one of them, of so many."""


def require_fitting(subject: Term, inputs: Term, outputs: Term | None = None) -> None:
    """Return unless a part of the subject is of other inputs, or its outputs do not lie in the domain.

    NotInRocq otherwise.
    """
    found = _outputs(subject, inputs)
    if found is not None and outputs is not None and not is_within(found, outputs):
        raise NotInRocq(f"{subject} has outputs in {found}, and not in {outputs}")


def _outputs(t: Term, inputs: Term | None) -> Term | None:
    """The domain of the outputs of a transformation; nothing for mechanisms, and where it is not known."""
    if t.operator == "chain":
        return _outputs(t.arguments[1], _outputs(t.arguments[0], inputs))
    if t.operator in ON_ALL:
        is_part = t.operator == "fixed_size_sampled" and inputs is not None and inputs.operator == "sized_table"
        for one in t.arguments:
            _outputs(one, Term("table", inputs.arguments[:1]) if is_part and inputs is not None else inputs)
        return None
    if t.operator in OF_COORDINATES:
        _outputs(t.arguments[0], None if inputs is None else _coordinates(t, inputs, t.arguments[1]))
        return None
    if t.operator == "reports_of_one":
        return _outputs(t.arguments[0], inputs)
    if t.operator == "listed":
        _require_within(t, inputs, Term("finite", (number(len(t.arguments[0].arguments)),)))
        return None
    if t.operator not in registry.stems():
        return None
    kind = registry.kind_of(t.operator)
    bound = registry.bound(kind, t)
    match kind:
        case AdditiveNoise() | ClampedGeometric() | FiniteLaw() | BitwiseLaw() | SupportedLaw() | BitOfRate():
            _require_within(t, inputs, substitute(kind.domain, bound))
        case RowSum() | CellSum() | RescaledSum():
            _require_within(t, inputs, substitute(kind.input_domain, bound))
            return substitute(kind.output_domain, bound)
        case MedianBounds():
            _require_within(t, inputs, substitute(kind.domain, bound))
            return substitute(kind.output_domain, bound)
        case RowFunction() if inputs is not None:
            rows, found = substitute(kind.input_rows, bound), substitute(kind.output_rows, bound)
            _require_within(t, inputs, Term("table", (rows,)))
            is_sized = inputs.operator == "sized_table" and kind.keeps_rows
            return Term("sized_table", (found, inputs.arguments[1])) if is_sized else Term("table", (found,))
        case LevelSums() if inputs is not None:
            entries, sums = (substitute(one, bound) for one in (FORMS[kind.form].entries, FORMS[kind.form].sums))
            return Term("vector", (_coordinates(t, inputs, entries), sums))
        case LinearMap() if inputs is not None:
            matrix = kind.matrix(t)
            _coordinates(t, inputs, number(len(matrix[0])))
            return None
        case Rounding() if inputs is not None:
            grid = Term("grid", (bound["granularity"],))
            return Term("vector", (grid, *inputs.arguments[1:])) if inputs.operator == "vector" else grid
    return None


def _require_within(t: Term, inputs: Term | None, domain: Term) -> None:
    """Return if the inputs, where they are known, are such as the transformation is of."""
    if inputs is not None and not is_within(inputs, domain):
        raise NotInRocq(f"{t} reads {domain}, and not {inputs}")


def _coordinates(t: Term, inputs: Term, count: Term) -> Term:
    """What the coordinates of vectors of that many are."""
    match inputs.operator, inputs.arguments:
        case "vector", (one, size) if size == count:
            return one
    raise NotInRocq(f"{t} reads vectors of {count} coordinates, and not {inputs}")
