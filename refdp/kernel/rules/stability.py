"""From lemmas about what one row contributes to the stability of a transformation of tables."""

from __future__ import annotations

from refdp.kernel.judgements import Holds, KernelError, Law, Refuted, Stable
from refdp.kernel.rules.code import ROW_ASSUMPTION, ROW_CODE
from refdp.kernel.rules.privacy import is_yes, require_lemmas
from refdp.kernel.theorem import Assuming, rule
from refdp.spec import obligations, registry, signatures
from refdp.spec.cells import CellSum
from refdp.spec.median_bounds import MedianBounds
from refdp.spec.minimisers import Minimiser
from refdp.spec.rescaled import RescaledSum
from refdp.spec.rounding import Rounding
from refdp.spec.rows import RowFunction, RowSum


@rule
def row_by_row(*lemmas: Holds, stem: str, neighbours: str, sized: str = "no") -> Stable | Assuming:
    """
      |- a formula keeps its rows in the output domain
    -----------------------------------------------------------------------------------------------
      |- T : symmetric(d_in) |-> symmetric(d_in);  change_one(d_in) |-> change_one(d_in) where T keeps
         every row, symmetric(2 d_in) where it may drop some

    That a function without a formula reads only its row and stays in the output domain is what its code is
    trusted for; of a user's own function it is a named assumption.
    """
    kind = registry.lookup(stem, RowFunction)
    require_lemmas(lemmas, stem, obligations.stability(stem))
    claim = stable(signatures.function_signature(kind, neighbours, is_yes(sized)))
    if kind.formula is not None:
        return claim
    return Assuming(claim, frozenset({ROW_ASSUMPTION if kind.is_user_code else ROW_CODE}))


@rule
def sum_of_rows(*lemmas: Holds, stem: str, neighbours: str, norm: str) -> Stable:
    """
      |- the sum stays on its grid     |- one edit moves it by at most bound (squared in L2) in the norm
    ------------------------------------------------------------------------------------------------------
      |- T : d_in edits |-> norm(d_in bound), in L2 norm(d_in sqrt(bound))
    """
    require_lemmas(lemmas, stem, obligations.stability(stem, neighbours, norm))
    return stable(signatures.sum_signature(registry.lookup(stem, RowSum), neighbours, norm))


@rule
def row_exceeds_every_bound(*lemmas: Holds, stem: str) -> Refuted:
    """
      |- for every whole bound there is a row on the grid that contributes more
    ----------------------------------------------------------------------------
      |- no finite d_out: finite_sensitivity(T) is false
    """
    kind = registry.lookup(stem, RowSum)
    require_lemmas(lemmas, stem, obligations.unbounded(stem))
    return Refuted(Law("finite_sensitivity", registry.subject(kind), kind.conditions))


@rule
def rescaled_rows(*lemmas: Holds, stem: str, neighbours: str) -> Stable:
    """
      |- the factor keeps a vector of any square within reach     |- what rounding and layers add up to
      |- vectors of squares at most length^2 differ by at most 2 length
    ----------------------------------------------------------------------------------------------------
      |- T : symmetric(d_in) |-> l2(d_in length);  change_one(d_in) |-> l2(d_in (2 length)), and so under
         both where the sum of the rows is rescaled;  length = sqrt(layers) reach / divisor
         of moments:  l2(d_in reach^2) and l2(d_in sqrt(2) reach^2)
    """
    require_lemmas(lemmas, stem, obligations.stability(stem, neighbours))
    return stable(signatures.rescaled_signature(registry.lookup(stem, RescaledSum), neighbours))


@rule
def sums_in_cells(*lemmas: Holds, stem: str, neighbours: str, norm: str) -> Stable:
    """
      |- what a row adds to a cell is within alone     |- hits alone <= bound; with a row replaced 2 hits alone, and
      |- by what two rows in one cell differ there is within together     |- hits together <= bound
    ----------------------------------------------------------------------------------------------------------------
      |- T : d_in edits |-> l1(d_in bound), l2(d_in sqrt(bound));  hits = 1 by the nearest centre, else dimension
    """
    require_lemmas(lemmas, stem, obligations.stability(stem, neighbours, norm))
    return stable(signatures.sum_signature(registry.lookup(stem, CellSum), neighbours, norm))


@rule
def rounded(*, stem: str, metric: str) -> Stable:
    """
      d_in a whole multiple of granularity (absolute, linf)
    ----------------------------------------------------------------------------------------------------------
      |- T : absolute(d_in) |-> absolute(d_in);  linf(d_in) |-> linf(d_in);
         l1(d_in) |-> l1(d_in + dimension granularity);  l2(d_in) |-> l2(d_in + sqrt(dimension) granularity)
    """
    return stable(signatures.rounding_signature(registry.lookup(stem, Rounding), metric))


@rule
def median_bounds(*, stem: str, neighbours: str) -> Stable:
    """
      lower < upper     1 <= growth, or 0 <= bound
    ----------------------------------------------------------------------------------------------------------------
      |- T : symmetric(1), change_one(1) |-> smooth(growth), or tested(bound), on tables of rows from lower to upper
    """
    return stable(signatures.median_signature(registry.lookup(stem, MedianBounds), neighbours))


@rule
def regularised_minimiser(*lemmas: Holds, stem: str, neighbours: str, norm: str = "l2") -> Stable:
    """
      |- clipped rows are within reach     |- the slope of the loss is within steepness     |- it does not fall
    -----------------------------------------------------------------------------------------------------------------
      |- T : symmetric(d_in) |-> l2((d_in pull + 2 tolerance) / regularisation);
         change_one(d_in) |-> l2((d_in (2 pull) + 2 tolerance) / regularisation);  pull = steepness reach;
         in l1 sqrt(dimension) times as far
    """
    kind = registry.lookup(stem, Minimiser)
    require_lemmas(lemmas, stem, obligations.stability(stem))
    return stable(signatures.minimiser_signature(kind, neighbours, norm))


def stable(s: signatures.Signature) -> Stable:
    """The stability claim of a signature."""
    if s.output_domain is None:
        raise KernelError(f"{s.subject} is not a transformation")
    return Stable(s.subject, s.domain, s.metric, s.d_in, s.output_domain, s.far, s.d_out, s.conditions)
