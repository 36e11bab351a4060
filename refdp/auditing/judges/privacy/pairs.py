"""Which inputs are compared: the pairs of the task, or a few far apart ones out of a space."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from refdp.auditing.judges import inputs
from refdp.auditing.judges.privacy.claims import Claimed
from refdp.auditing.judges.task import Fields, TaskError
from refdp.auditing.neighbours.distances import Apart, apart
from refdp.auditing.neighbours.families import FAMILIES, Pair, Problem, problem
from refdp.auditing.neighbours.spaces import Space, neighbours

Inputs = tuple[Any, Any]
MOST_PAIRS = 32
TRIED = 400
"""Most pairs of a family that are looked at."""
CHOSEN = 4
"""So many pairs of a space are compared, unless the task says otherwise."""


def pairs(fields: Fields, asked: Claimed) -> list[Inputs]:
    """The pairs of inputs, at most MOST_PAIRS; TaskError where one is not neighbouring, or there is none."""
    if fields.has("pairs") == fields.has("space"):
        raise TaskError("one of pairs and space must be given")
    if fields.has("space"):
        return of_space(fields, asked)
    given = fields.of("pairs", list, "a list of pairs of inputs")
    if not 1 <= len(given) <= MOST_PAIRS or not all(isinstance(pair, list) and len(pair) == 2 for pair in given):
        raise TaskError(f"pairs must be 1 to {MOST_PAIRS} lists of two inputs, got {str(given)[:80]}")
    found = [(inputs.read(u, "pairs"), inputs.read(v, "pairs")) for u, v in given]
    for pair in found:
        _check(pair, asked)
    return found


def _check(pair: Inputs, asked: Claimed) -> None:
    """TaskError unless the inputs are neighbouring, where the claim says what that means."""
    if asked.metric is None:
        return
    try:
        distance = apart(asked.metric, *pair)
    except (Apart, TypeError, ValueError) as error:
        raise TaskError(f"pairs must be inputs that {asked.metric} measures: {error}") from None
    if distance.exceeds(asked.d_in):
        told = f"{inputs.shown(pair[0], 40)} and {inputs.shown(pair[1], 40)}, which are {distance} apart"
        raise TaskError(f"pairs must be within {asked.d_in} under {asked.metric}, got {told}")


def of_space(fields: Fields, asked: Claimed) -> list[Inputs]:
    """A few pairs of a space: of each family the one whose rows differ most, as far as floats tell."""
    from refdp.auditing.judges.spaces import space

    found, most = space(fields), fields.whole("pairs_of_space", CHOSEN)
    if asked.metric is None:
        raise TaskError("claim.input must be given where pairs are those of a space")
    p = problem(found, asked.metric, asked.d_in)
    chosen = list(_extremes(p, found, asked))[: min(most, MOST_PAIRS)]
    if not chosen:
        raise TaskError(f"space must have two inputs within {asked.d_in} under {asked.metric}")
    return [(found.as_input(u), found.as_input(v)) for u, v in chosen]


def _extremes(p: Problem, space: Space, asked: Claimed) -> Iterator[Pair]:
    """The furthest pair of each family, those of other inputs only; further families first."""
    best: dict[str, tuple[float, Pair]] = {}
    for name, family in families().items():
        near = (pair for pair in islice(family(p), TRIED) if neighbours(space, p.metric, p.d_in, *pair))
        scored = [(_far(pair), i, pair) for i, pair in enumerate(near)]
        if scored:
            far, _, pair = max(scored, key=lambda s: (s[0], -s[1]))
            best[name] = far, pair
    seen: list[Pair] = []
    for _, pair in sorted(best.values(), key=lambda s: -s[0]):
        if pair not in seen and repr(pair[0]) != repr(pair[1]):
            seen.append(pair)
            yield pair


def families() -> Mapping[str, Any]:
    """The families of pairs, but for those that only exchange the order of rows."""
    return {name: family for name, family in FAMILIES.items() if name != "orders"}


def _far(pair: Pair) -> float:
    """About by how much the sums of the rows differ, as numbers of a moderate size; other rows count 1 each."""
    total = abs(sum(map(_size, pair[0])) - sum(map(_size, pair[1])))
    return total + sum(1 for a, b in zip(*pair, strict=False) if repr(a) != repr(b))


def _size(row: Any) -> float:
    """A number of the row."""
    if isinstance(row, (tuple, list)):
        return sum(map(_size, row))
    if isinstance(row, bool) or not isinstance(row, (int, float, Fraction)) or row != row:
        return 0.0
    return float(max(-(10**12), min(10**12, row)))


def told(pair: Sequence[Any]) -> str:
    """Both inputs, for a reader."""
    return f"{inputs.shown(pair[0], 80)} and {inputs.shown(pair[1], 80)}"
