"""Naive Bayes: noisy counts of the classes, and of each class with each value of each feature.

Source: VSBH13; the sensitivity is that of all counts together, dimension = 1 + features in L1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import log
from typing import Any

from refdp.derivations import theorem
from refdp.mechanisms.discrete_laplace import discrete_laplace
from refdp.models.fitting import Comparison, Fit, Record, exact_distance, loss_of, whole
from refdp.pipeline import Exactly, PipelineError, exact_data
from refdp.transformations.class_counts import class_counts
from refdp.transformations.prepared_columns import Labels, Numbers, coded_columns

MOST_BINS = 1_000
MOST_COUNTS = 1_000_000


def naive_bayes(
    rows: Sequence[Record],
    target: Labels,
    features: Sequence[Labels | Numbers],
    epsilon: Exactly,
    *,
    bins: int = 8,
    neighbours: str = "add_remove",
) -> Fit:
    """A naive Bayes classifier of the target by the features, epsilon-DP for one row added or removed, or replaced.

    Features are labels, or numbers in so many bins.  A missing feature counts nowhere, and a row without a class not at
    all.  Raises ValueError for what does not fit.
    """
    if not isinstance(target, Labels):
        raise PipelineError("target must be a column of labels for naive_bayes")
    loss, many, listed = loss_of(epsilon), whole(bins, "bins", MOST_BINS), tuple(features)
    coded = coded_columns((target, *listed), many, neighbours)
    sizes = tuple(len(one.labels) if isinstance(one, Labels) else many for one in listed)
    classes, values = len(target.labels), max((1, *sizes))
    counts = class_counts(classes, values, 1 + len(listed), neighbours)
    numbers = classes * (1 + len(listed) * values)
    if numbers > MOST_COUNTS:
        raise PipelineError(f"classes, features and values must make at most {MOST_COUNTS} counts, got {numbers}")
    scale, table = exact_distance(counts) / loss, tuple(rows)
    noisy = coded >> counts >> discrete_laplace(scale, dimension=numbers)
    proved, released = theorem(noisy, 1), noisy(table)
    shape = (classes, values, sizes)

    def compared() -> Comparison:
        """The share of rows whose class is named rightly."""
        vectors = [row for row in coded(exact_data(table)) if row[0] >= 0]
        both = [weights(found, *shape) for found in (released, counts(tuple(vectors)))]
        private, plain = (accuracy(vectors, by) for by in both)
        return Comparison("share of rows whose class is right", private, plain, told(both[1], target, listed, many))

    model = told(weights(released, *shape), target, listed, many)
    return Fit("naive_bayes", proved, "discrete_laplace", scale, numbers, released, model, compared, drawn=model)


Weights = tuple[list[float], list[list[list[float]]]]
"""Of each class its weight, and of each feature for each class those of its values: they sum to 1."""


def weights(counts: Sequence[Fraction], classes: int, values: int, sizes: Sequence[int]) -> Weights:
    """The weights of these counts, each below 0 as 0 and all 1 more, so that none is 0."""
    raised = [max(0.0, float(one)) + 1 for one in counts]
    found, first = list[list[list[float]]](), classes
    for size in sizes:
        parts = [raised[first + c * values : first + c * values + size] for c in range(classes)]
        found.append([[one / sum(part) for one in part] for part in parts])
        first += classes * values
    return [one / sum(raised[:classes]) for one in raised[:classes]], found


def likeliest(row: Sequence[Fraction], by: Weights) -> int:
    """The class of most weight, the first of several, of a row whose first entry is not looked at."""
    prior, features = by
    scores = [log(one) for one in prior]
    for value, parts in zip(row[1:], features, strict=True):
        if value >= 0:
            scores = [score + log(part[int(value)]) for score, part in zip(scores, parts, strict=True)]
    return scores.index(max(scores))


def accuracy(rows: Sequence[Sequence[Fraction]], by: Weights) -> float:
    """The share of rows whose class is the likeliest; 0 of none."""
    return sum(likeliest(row, by) == row[0] for row in rows) / max(1, len(rows))


def told(by: Weights, target: Labels, features: Sequence[Labels | Numbers], bins: int) -> Mapping[str, Any]:
    """The classifier as names and numbers."""
    prior, parts = by
    found: dict[str, Any] = {"classes": dict(zip(target.labels, prior, strict=True)), "features": {}}
    for feature, of_class in zip(features, parts, strict=True):
        names = feature.labels if isinstance(feature, Labels) else tuple(bin_names(feature, bins))
        found["features"][feature.column] = {
            label: dict(zip(names, part, strict=True)) for label, part in zip(target.labels, of_class, strict=True)
        }
    return found


def bin_names(column: Numbers, bins: int) -> list[str]:
    """The bounds of each bin."""
    width = (column.upper - column.lower) / bins
    ends = [float(column.lower + width * place) for place in range(bins + 1)]
    return [f"{low:g} to {high:g}" for low, high in pairwise(ends)]
