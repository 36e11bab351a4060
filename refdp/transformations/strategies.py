"""Named strategies and workloads as exact matrices, for `refdp.linear`; decoders, and the error that they have.

A strategy C is answered with noise; a workload W is what one wants to know; a decoder B with B C = W leads from one to
the other.  Rows are queries, columns entries of the stream or cells of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, PipelineError
from refdp.spec.column_norms import Move, greatest_move
from refdp.spec.linear import LARGEST_SIDE, Matrix, gram, product_of, toeplitz_matrix
from refdp.terms.term import TermError
from refdp.transformations.linear import exact_matrix, squared_factor

ZERO, ONE = Fraction(0), Fraction(1)
Node = tuple[int, int]
"""A node of the binary tree: the first entry that it sums, and how many entries."""


def identity(n: int) -> Matrix:
    """Every entry by itself."""
    side = _side(n)
    return tuple(_row(side, [i]) for i in range(side))


def prefixes(n: int) -> Matrix:
    """The sums of the first entry, the first two, and so on."""
    side = _side(n)
    return tuple(_row(side, range(i + 1)) for i in range(side))


def ranges(n: int) -> Matrix:
    """The sums of all ranges of consecutive entries."""
    side = _side(n)
    return tuple(_row(side, range(a, b)) for a in range(side) for b in range(a + 1, side + 1))


def total(n: int) -> Matrix:
    """The sum of all entries."""
    side = _side(n)
    return (_row(side, range(side)),)


def blocks(n: int, block: int) -> Matrix:
    """Every entry, and every complete block of `block` consecutive ones."""
    side, size = _side(n), _side(block, "block")
    return (*identity(side), *(_row(side, range(s, s + size)) for s in range(0, side - size + 1, size)))


def tree(n: int, branching: int = 2) -> Matrix:
    """The sums of all nodes that are complete after n entries, level after level, the single entries first."""
    side, degree, size, found = _side(n), _side(branching, "branching", 2), 1, list[tuple[Fraction, ...]]()
    while size <= side:
        found += [_row(side, range(s, s + size)) for s in range(0, side - size + 1, size)]
        size *= degree
    return tuple(found)


def wavelet(n: int) -> Matrix:
    """The total, and the first half less the second half of every dyadic block; n is a power of two."""
    side = _side(n)
    if side & (side - 1):
        raise PipelineError(f"n must be a power of 2, got {n}")
    found, size = [*total(side)], 2
    while size <= side:
        for start in range(0, side, size):
            first, second = (_row(side, range(s, s + size // 2)) for s in (start, start + size // 2))
            found.append(tuple(a - b for a, b in zip(first, second, strict=True)))
        size *= 2
    return tuple(found)


def square_root_coefficients(n: int, bands: int | None = None) -> tuple[Fraction, ...]:
    """binom(2 k, k) / 4^k for k < n: with B = C = their Toeplitz matrix, B C sums prefixes; 0 from `bands` on."""
    side = _side(n)
    kept = side if bands is None else _side(bands, "bands")
    return tuple(Fraction(comb(2 * k, k), 4**k) if k < kept else ZERO for k in range(side))


def square_root(n: int, bands: int | None = None) -> Matrix:
    """The Toeplitz matrix of the square-root coefficients, the square root of `prefixes(n)` where no band is cut."""
    return toeplitz_matrix(square_root_coefficients(n, bands))


def marginals(shape: Sequence[int], order: int) -> Matrix:
    """The counts of every marginal of that many attributes, over the cells of a table, the last attribute fastest."""
    given: object = shape
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise PipelineError(f"shape must be a list of numbers of values, one for each attribute, got {shape!r}")
    sizes = [_side(size, "shape") for size in shape]
    if not sizes or not isinstance(order, int) or isinstance(order, bool) or not 0 <= order <= len(sizes):
        raise PipelineError(f"order must be from 0 to {len(sizes)}, the number of attributes, got {order}")
    cells = list(product(*map(range, sizes)))
    found = []
    for chosen in combinations(range(len(sizes)), order):
        for values in product(*(range(sizes[a]) for a in chosen)):
            wanted = dict(zip(chosen, values, strict=True))
            found.append(tuple(Fraction(int(all(cell[a] == v for a, v in wanted.items()))) for cell in cells))
    return _checked(found)


def hierarchy(regions: Mapping[str, object]) -> Matrix:
    """The total of every region: a region maps names to regions, or is None, a single cell; cells in their order.

    >>> len(hierarchy({"north": {"a": None, "b": None}, "south": {"c": None}}))
    6
    """
    count, spans = 0, list[tuple[int, int]]()

    def visit(region: object) -> None:
        nonlocal count
        first = count
        if region is None:
            count += 1
        elif isinstance(region, Mapping) and region:
            for part in region.values():
                visit(part)
        else:
            raise PipelineError(f"regions must map names to regions or to None, a single cell, got {region!r}")
        spans.append((first, count))

    visit(regions)
    return _checked([_row(count, range(a, b)) for a, b in sorted(spans, key=lambda span: (span[0] - span[1], span[0]))])


def stacked(*strategies: Matrix) -> Matrix:
    """The queries of all of them, one after another."""
    return _checked([row for strategy in strategies for row in exact_matrix(strategy, "strategies")])


def least_squares(strategy: Sequence[Sequence[Exactly]], workload: Sequence[Sequence[Exactly]]) -> Matrix:
    """The decoder B with B C = W of the least squared error: W (C^T C)^-1 C^T.

    PipelineError unless the columns of C are independent.
    """
    c, w = exact_matrix(strategy, "strategy"), exact_matrix(workload, "workload")
    transposed = tuple(zip(*c, strict=True))
    return _product(w, _solved(gram(c), transposed))


def tree_decoder(n: int) -> Matrix:
    """From the binary tree's nodes to prefixes by the fewest nodes: one for each bit that is 1 in a prefix's length."""
    return _of_prefixes(n, lambda node: {node: ONE})


def honaker_decoder(n: int) -> Matrix:
    """The same, each node replaced by the best estimate from the nodes below it and itself (Honaker 2015).

    A node of height i is weighed by 2^i / (2^(i+1) - 1), the sum of the estimates of its two children by the rest.
    """
    return _of_prefixes(n, _bottom_up)


def squared_error(decoder: Sequence[Sequence[Exactly]]) -> Fraction:
    """The total squared error of B y on W x, where y is C x with uncorrelated noise of mean 0 and variance 1."""
    return sum((entry**2 for row in exact_matrix(decoder, "decoder") for entry in row), ZERO)


def sensitivity(strategy: Sequence[Sequence[Exactly]], neighbours: str = "one_coordinate", norm: str = "l1") -> Move:
    """The greatest distance of C x and C x' for x, x' at distance 1, under l2 its square; and if it is attained.

    From l2 to l2 it is a bound, the square of the greatest singular value rounded up to a binary fraction.
    """
    matrix = exact_matrix(strategy, "strategy")
    if norm not in ("l1", "l2"):
        raise PipelineError(f"norm must be l1 or l2, got {norm!r}")
    if not isinstance(neighbours, str):
        raise PipelineError(f"neighbours must be the name of a relation, got {neighbours!r}")
    if neighbours == "l2" == norm:
        return Move(squared_factor(matrix), False)
    try:
        return greatest_move(matrix, neighbours, norm)
    except TermError as error:
        raise PipelineError(str(error)) from None


def total_error(
    strategy: Sequence[Sequence[Exactly]],
    workload: Sequence[Sequence[Exactly]],
    decoder: Sequence[Sequence[Exactly]] | None = None,
    neighbours: str = "one_coordinate",
    norm: str = "l2",
) -> Fraction:
    """Total squared error times the square of the sensitivity: what to compare strategies by.

    Under l2 it is times 1 / (2 rho), with Gaussian noise for rho-zCDP; under l1 times 2 / epsilon^2, with Laplace
    noise.  The decoder is that of least squares unless one is given.  PipelineError unless B C = W.  Where the
    sensitivity is a bound, from l2 to l2, so is this.

    >>> total_error(square_root(4), prefixes(4))  # 7.633...
    Fraction(500253, 65536)
    """
    c, w = exact_matrix(strategy, "strategy"), exact_matrix(workload, "workload")
    b = least_squares(c, w) if decoder is None else exact_matrix(decoder, "decoder")
    if len(b[0]) != len(c):
        raise PipelineError(f"decoder must have a column for each of the {len(c)} queries, got {len(b[0])} columns")
    if _product(b, c) != w:
        raise PipelineError("the decoder times the strategy must be the workload")
    bound = sensitivity(c, neighbours, norm).bound
    return squared_error(b) * (bound if norm == "l2" else bound**2)


def _of_prefixes(n: int, estimate: Callable[[Node], dict[Node, Fraction]]) -> Matrix:
    """A row of weights of nodes for each prefix: the estimates of its dyadic nodes, added up."""
    nodes: dict[Node, int] = {}
    side, size = _side(n), 1
    while size <= side:
        for start in range(0, side - size + 1, size):
            nodes[start, size] = len(nodes)
        size *= 2
    found = []
    for t in range(1, side + 1):
        weights, start = [ZERO] * len(nodes), 0
        for power in reversed(range(t.bit_length())):
            if t >> power & 1:
                for node, weight in estimate((start, 2**power)).items():
                    weights[nodes[node]] += weight
                start += 2**power
        found.append(tuple(weights))
    return _checked(found)


def _bottom_up(node: Node) -> dict[Node, Fraction]:
    """The weights of a node and all below it in its estimate."""
    start, size = node
    weight = Fraction(size, 2 * size - 1)
    found = {node: weight}
    if size > 1:
        for child in ((start, size // 2), (start + size // 2, size // 2)):
            for below, w in _bottom_up(child).items():
                found[below] = (1 - weight) * w
    return found


def _solved(square: Matrix, right: Matrix) -> Matrix:
    """The matrix X with S X = R, by elimination; PipelineError if S has no inverse."""
    rows = [[*a, *b] for a, b in zip(square, right, strict=True)]
    for i in range(len(rows)):
        pivot = next((k for k in range(i, len(rows)) if rows[k][i] != 0), None)
        if pivot is None:
            raise PipelineError("strategy must have independent columns: it does not determine every workload")
        rows[i], rows[pivot] = rows[pivot], rows[i]
        first = rows[i] = [v / rows[i][i] for v in rows[i]]
        for k, row in enumerate(rows):
            if k != i and row[i] != 0:
                factor = row[i]
                rows[k] = [v - factor * w for v, w in zip(row, first, strict=True)]
    return tuple(tuple(row[len(square) :]) for row in rows)


def _product(first: Matrix, second: Matrix) -> Matrix:
    """The product; PipelineError where the sides do not meet."""
    try:
        return product_of(first, second)
    except TermError as error:
        raise PipelineError(str(error)) from None


def _row(n: int, positions: Iterable[int]) -> tuple[Fraction, ...]:
    """1 at these positions, else 0."""
    held = set(positions)
    return tuple(ONE if j in held else ZERO for j in range(n))


def _checked(rows: Sequence[Sequence[Fraction]]) -> Matrix:
    """The rows, if they are those of a matrix."""
    return exact_matrix(rows, "strategy")


def _side(value: object, parameter: str = "n", least: int = 1) -> int:
    """The whole number from `least` to LARGEST_SIDE; PipelineError otherwise."""
    found = exact(value, parameter)
    if found.denominator != 1 or not least <= found <= LARGEST_SIDE:
        raise PipelineError(f"{parameter} must be a whole number from {least} to {LARGEST_SIDE}, got {found}")
    return int(found)
