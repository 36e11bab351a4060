"""k-means in rounds that are fixed in advance: noisy sizes and sums of the clusters around the centres of the round.

The centres are public: those of the first round do not depend on the table, those of a later one follow from the noisy
answers before it.
Source: BDMN05 Section 5.1; SCLBJ16 (DPLloyd).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from refdp.derivations import theorem
from refdp.kernel import rules
from refdp.kernel.theorem import Theorem
from refdp.mechanisms.discrete_laplace import discrete_laplace
from refdp.models.fitting import STEP, Comparison, Fit, Record, exact_distance, loss_of, whole
from refdp.pipeline import Exactly, PipelineError, exact_data
from refdp.spec.cells import nearest
from refdp.spec.rescaled import towards_zero
from refdp.transformations.cluster_sums import cluster_sums
from refdp.transformations.prepared_columns import Numbers, scaled_columns

MOST_CLUSTERS, MOST_ROUNDS = 100, 100
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71)
"""As many columns as there are primes may be clustered, unless centres are given."""
Point = tuple[Fraction, ...]


def k_means(
    rows: Sequence[Record],
    features: Sequence[Numbers],
    clusters: int,
    epsilon: Exactly,
    *,
    rounds: int = 5,
    neighbours: str = "add_remove",
    centres: Sequence[Sequence[Exactly]] | None = None,
    watch: Callable[[int], None] = lambda _: None,
) -> Fit:
    """Centres of clusters of the scaled features, epsilon-DP for one row added or removed, or replaced.

    Each round costs epsilon / rounds.  `centres` are those to begin with, from -1 to 1 in each coordinate, and must be
    public; without them they are spread evenly.  A cluster whose noisy size is below 1 keeps its centre.  `watch`
    hears which round begins, and may end the work by an exception.  Raises ValueError for what does not fit.
    """
    many, times = whole(clusters, "clusters", MOST_CLUSTERS), whole(rounds, "rounds", MOST_ROUNDS)
    listed, loss, table = tuple(features), loss_of(epsilon) / times, tuple(rows)
    scaled = scaled_columns(listed, STEP, 0, neighbours)
    start = spread_evenly(many, len(listed)) if centres is None else checked(centres, many, len(listed))
    at, parts, released, scale = start, list[tuple[str, Theorem]](), list[tuple[Fraction, ...]](), Fraction(0)
    for place in range(times):
        sums = cluster_sums(at, 1, STEP, neighbours)
        scale = exact_distance(sums) / loss
        noisy = scaled >> sums >> discrete_laplace(scale, STEP, dimension=many * (len(listed) + 1))
        watch(place)
        parts.append((f"round_{place + 1}", rules.weaken(theorem(noisy, 1), d_out=[str(loss)])))
        released.append(noisy(table))
        at = moved(at, released[-1])
    near = "symmetric" if neighbours == "add_remove" else "change_one"
    whole_run = rules.rounds(domain="table(records())", near=near, d_in="1", losses=[f"pure({loss})"] * times)
    sizes = [max(0.0, float(cell[0])) for cell in cells_of(released[-1], many)]

    def compared() -> Comparison:
        """The mean square of the distance to the nearest centre."""
        points = scaled(exact_data(table))
        best = without_noise(points, start, times)
        private, plain = (mean_square_distance(points, c) for c in (at, best))
        drawn = {"centres": best, "points": points}
        return Comparison("mean square of the scaled distance to the nearest centre", private, plain, drawn)

    model = {
        "centres": [{one.column: unscaled(x, one) for one, x in zip(listed, c, strict=True)} for c in at],
        "noisy_sizes_before_the_last_move": sizes,
    }
    numbers = times * many * (len(listed) + 1)
    return Fit(
        "k_means", whole_run, "discrete_laplace", scale, numbers, tuple(released), model, compared, tuple(parts),
        {"centres": at, "columns": listed, "start": start},
    )  # fmt: skip


def checked(centres: Sequence[Sequence[Exactly]], clusters: int, dimension: int) -> tuple[Point, ...]:
    """The centres as exact points; PipelineError unless they are so many, of that dimension and from -1 to 1."""
    from refdp.transformations.linear import exact_matrix

    found = exact_matrix(centres, "centres")
    if len(found) != clusters or len(found[0]) != dimension or any(abs(x) > 1 for c in found for x in c):
        raise PipelineError(f"centres must be {clusters} points of {dimension} coordinates from -1 to 1")
    return found


def spread_evenly(clusters: int, dimension: int) -> tuple[Point, ...]:
    """The first points of Halton's sequence, in [-1, 1]^dimension: they are the same for every table.

    >>> spread_evenly(3, 1)
    ((Fraction(0, 1),), (Fraction(-1, 2),), (Fraction(1, 2),))
    """
    if dimension > len(PRIMES):
        raise PipelineError(f"columns must be at most {len(PRIMES)} where no centres are given, got {dimension}")
    return tuple(
        tuple(towards_zero(2 * turned(place, base) - 1, STEP) for base in PRIMES[:dimension])
        for place in range(1, clusters + 1)
    )


def turned(place: int, base: int) -> Fraction:
    """The digits of the place in that base, behind the point in turned order."""
    found, share = Fraction(0), Fraction(1, base)
    while place:
        place, digit = divmod(place, base)
        found, share = found + digit * share, share / base
    return found


def cells_of(released: Sequence[Fraction], clusters: int) -> list[Sequence[Fraction]]:
    """The size and the sums of each cluster."""
    width = len(released) // clusters
    return [released[place * width : (place + 1) * width] for place in range(clusters)]


def moved(centres: Sequence[Point], released: Sequence[Fraction]) -> tuple[Point, ...]:
    """The centres that follow from noisy sizes and sums; one of a size below 1 stays where it is."""
    found = list[Point]()
    for centre, (size, *sums) in zip(centres, cells_of(released, len(centres)), strict=True):
        means = tuple(max(Fraction(-1), min(Fraction(1), s / size)) for s in sums) if size >= 1 else centre
        found.append(tuple(towards_zero(x, STEP) for x in means))
    return tuple(found)


def without_noise(points: Sequence[Point], start: Sequence[Point], rounds: int) -> tuple[Point, ...]:
    """The centres after as many rounds of the exact sizes and sums."""
    at, run = tuple(start), tuple(points)
    for _ in range(rounds):
        at = moved(at, cluster_sums(at, 1, STEP)(run))
    return at


def mean_square_distance(points: Sequence[Point], centres: Sequence[Point]) -> float:
    """The mean of the square of the distance of a point to its nearest centre; 0 of no point."""
    total = Fraction(0)
    for point in points:
        total += sum(((a - b) ** 2 for a, b in zip(point, centres[nearest(point, centres)], strict=True)), Fraction(0))
    return float(total / max(1, len(points)))


def unscaled(x: Fraction, column: Numbers) -> float:
    """A scaled coordinate in the unit of its column."""
    return float(column.lower + (x + 1) / 2 * (column.upper - column.lower))
