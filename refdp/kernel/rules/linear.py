"""Linear maps of vectors: how far they move, and how far from a workload their decoded noisy answers are."""

from __future__ import annotations

from fractions import Fraction

from refdp.kernel.judgements import Law, Refuted, Stable, require
from refdp.kernel.rules.stability import stable
from refdp.kernel.theorem import rule
from refdp.numerics.exact import exact
from refdp.spec import registry
from refdp.spec.level_sums import LevelSums
from refdp.spec.linear import LinearMap, Matrix, product_of
from refdp.spec.linear_signatures import level_signature, linear_signature
from refdp.terms.reading import read
from refdp.terms.term import Term, number

SQUARED_ERROR = "squared_error"


@rule
def linear_map(*, subject: str, near: str, far: str, step: str = "1", squared: str | None = None) -> Stable:
    """
      every entry of C is a whole multiple of step > 0     K = the greatest move (squared in L2) at distance 1
    ----------------------------------------------------------------------------------------------------------
      |- x -> C x : near(d_in) |-> l1(d_in K), l2(d_in sqrt(K));  grid(granularity) goes to grid(granularity step)

    From l2 to l2: K is `squared`, and K I - C^T C is positive semidefinite.
    """
    m = read(subject)
    bound = None if squared is None else exact(squared, "squared")
    kind = registry.lookup(m.operator, LinearMap)
    return stable(linear_signature(kind, m, near, far, exact(step, "step"), bound))


@rule
def level_sums(*, stem: str, near: str, far: str) -> Stable:
    """
      each entry stands in at most one sum of each of so many levels, with coefficient 1 or -1
    ------------------------------------------------------------------------------------------
      |- T : one_coordinate(d_in), l1(d_in) |-> l1(d_in levels), l2(d_in sqrt(levels))
    """
    return stable(level_signature(registry.lookup(stem, LevelSums), near, far))


@rule
def squared_error(*, strategy: str, decoder: str, workload: str) -> Law:
    """
      B C = W     K = the sum of the squares of the entries of B
    ------------------------------------------------------------------------------------------------
      |- B (C x + Z) has total squared error K on W x, for uncorrelated Z_i of mean 0 and variance 1
    """
    c, b, w = map(read, (strategy, decoder, workload))
    require(product_of(_matrix(b), _matrix(c)) == _matrix(w), "the decoder times the strategy is not the workload")
    return Law(SQUARED_ERROR, c, (), (b, w, number(_sum_of_squares(_matrix(b)))))


@rule
def another_squared_error(*, claim: str) -> Refuted:
    """
      K a rational number     B C = W, and the sum of the squares of the entries of B is not K;  or B C is not W
    ------------------------------------------------------------------------------------------------------------
      |- squared_error(C, B, W, K) is false
    """
    said = read(claim)
    require(said.operator == SQUARED_ERROR and len(said.arguments) == 4, f"expected {SQUARED_ERROR}(C, B, W, K)")
    c, b, w, total = said.arguments
    shape = len(_matrix(b)), len(_matrix(c)[0])
    require((len(_matrix(w)), len(_matrix(w)[0])) == shape, f"the workload must have the shape {shape} of the product")
    stated = total.rational  # a total without a value would make the claim say nothing, and so be true
    unbiased = product_of(_matrix(b), _matrix(c)) == _matrix(w)
    require(not unbiased or _sum_of_squares(_matrix(b)) != stated, "the claim is true")
    return Refuted(Law(SQUARED_ERROR, c, (), (b, w, total)))


def _matrix(subject: Term) -> Matrix:
    """The matrix of a linear map."""
    return registry.lookup(subject.operator, LinearMap).matrix(subject)


def _sum_of_squares(matrix: Matrix) -> Fraction:
    """The squared Frobenius norm."""
    return sum((entry**2 for row in matrix for entry in row), Fraction(0))
