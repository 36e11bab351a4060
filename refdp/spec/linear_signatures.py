"""Signatures of linear maps of vectors: C x for a matrix that is written down, and sums level by level."""

from __future__ import annotations

from fractions import Fraction

from refdp.spec import registry
from refdp.spec.column_norms import greatest_move, is_bound_in_l2
from refdp.spec.contributions import SINGLE
from refdp.spec.domains import domain
from refdp.spec.level_sums import FORMS, LevelSums
from refdp.spec.linear import LinearMap, lies_on
from refdp.spec.signatures import D_IN, Signature, counted
from refdp.terms.term import Term, TermError, name, number, sqrt

STEP = name("granularity")
"""The step of the grid that the entries of x lie on."""


def linear_signature(
    m: LinearMap, subject: Term, near: str, far: str, step: Fraction, squared: Fraction | None = None
) -> Signature:
    """d_in |-> l1(d_in K), or l2(d_in sqrt(K)): entries on grid(granularity) go to grid(granularity step).

    K is the greatest move, under l2 its square.  From l2 to l2 it is `squared`, which must bound |C z|^2 / |z|^2.
    TermError unless every entry of C is a whole multiple of step > 0.
    """
    matrix = m.matrix(subject)
    if not lies_on(matrix, step):
        raise TermError(f"every entry of the matrix must be a whole multiple of {step}, which must be > 0")
    if near == "l2" == far and squared is not None:
        if not is_bound_in_l2(matrix, squared):
            raise TermError(f"sqrt({squared}) does not bound how far the matrix moves from l2 to l2")
        bound = squared
    elif squared is None:
        bound = greatest_move(matrix, near, far).bound
    else:
        raise TermError("a bound is given from l2 to l2 only")
    inputs = domain("vector", domain("grid", STEP), number(len(matrix[0])))
    outputs = domain("vector", domain("grid", STEP if step == 1 else STEP * number(step)), number(len(matrix)))
    return Signature(subject, inputs, near, D_IN, far, (_moved(far, number(bound)),), _CONDITIONS, outputs)


def level_signature(m: LevelSums, near: str, far: str) -> Signature:
    """one_coordinate(d_in), or l1(d_in) |-> l1(d_in levels), or l2(d_in sqrt(levels)), on one grid."""
    if near not in SINGLE or far not in ("l1", "l2"):
        raise TermError(f"{m.stem} has no map from {near} to {far}")
    form = FORMS[m.form]
    whole = tuple(condition for p in m.parameters for condition in counted(p))
    inputs, outputs = (domain("vector", domain("grid", STEP), n) for n in (form.entries, form.sums))
    given = tuple(dict.fromkeys((*m.conditions, *whole, *form.conditions, *_CONDITIONS)))
    return Signature(registry.subject(m), inputs, near, D_IN, far, (_moved(far, form.count),), given, outputs)


_CONDITIONS = (0 < STEP, 0 <= D_IN)


def _moved(far: str, bound: Term) -> Term:
    """d_in times the bound, or under l2 its square root."""
    return D_IN * (sqrt(bound) if far == "l2" else bound)
