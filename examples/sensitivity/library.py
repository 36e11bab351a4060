"""The transformations of this package as plain functions of a table, by the formulas of refdp/transformations.

A transformation from a table to a table stands here followed by the histogram of its rows: the L1 distance of two
histograms is the number of rows that must be added to and removed from one table to make the other.
library.toml holds the stability that the package claims of each, for any number of rows, and that no less will do.
"""


def histogram_of(rows, size):
    """How many rows are 0, 1, ..., size - 1."""
    counts = [0] * size
    for row in rows:
        if 0 <= row < size:
            counts[row] += 1
    return counts


def count(rows):
    """The number of rows."""
    return sum(1 for _ in rows)


def threshold_count(rows, threshold):
    """The number of rows at most a threshold."""
    return sum(1 if row <= threshold else 0 for row in rows)


def point_count(rows, point):
    """The number of rows equal to a point."""
    return sum(1 if row == point else 0 for row in rows)


def clamped_sum(rows, lower, upper):
    """The sum of the rows, each clamped."""
    return sum(max(lower, min(row, upper)) for row in rows)


def unclamped_sum(rows):
    """The sum of the rows as they are."""
    return sum(rows)


def mean(rows, lower, upper):
    """The mean of the rows, each clamped; their number is public."""
    size = len(rows)
    return sum(max(lower, min(row, upper)) / size for row in rows)


def histogram_3(rows):
    """The number of rows in each of three categories."""
    return histogram_of(rows, 3)


def histogram_8(rows):
    """The number of rows in each of eight categories."""
    return histogram_of(rows, 8)


def rank_scores(rows):
    """Of the candidates 0, 1 and 2: minus the imbalance of the rows above and below."""
    scores = []
    for candidate in range(3):
        total = 0
        for row in rows:
            total += (1 if candidate < row else 0) - (1 if row < candidate else 0)
        scores.append(-abs(total))
    return scores


def attribute_means(rows):
    """The means of three binary attributes; the number of rows is public."""
    size = len(rows)
    return [sum(max(0, min(1, row[i])) / size for row in rows) for i in range(3)]


def clamp(rows):
    """The table with every row clamped to 0..3, as a histogram."""
    return histogram_of([max(0, min(row, 3)) for row in rows], 4)


def column(records, granularity):
    """The column `age` rounded to the grid, 0 where it is missing; its sum."""
    total = 0
    for record in records:
        age = record["age"]
        total += 0 if age is None else round(age / granularity) * granularity
    return total


def category_of(records):
    """The place of the text among the labels, -1 if it is none of them, as a histogram from -1 on."""
    labels = {"Adelie": 0, "Gentoo": 1}
    places = [labels.get(r["species"], -1) for r in records]
    return histogram_of([place + 1 for place in places], 3)


def attributes(records):
    """Two columns as bits; their sums."""
    rows = [(1 if r["smoker"] == 1 else 0, 1 if r["employed"] == 1 else 0) for r in records]
    return [sum(row[0] for row in rows), sum(row[1] for row in rows)]


def binary_code(records):
    """Two columns as a binary number, as a histogram."""
    bits = [(1 if r["smoker"] == 1 else 0, 1 if r["employed"] == 1 else 0) for r in records]
    return histogram_of([2 * first + second for first, second in bits], 4)


def fill_missing(records, replacement=0):
    """The table with a value where the column is missing, as a histogram."""
    return histogram_of([replacement if r["grade"] is None else r["grade"] for r in records], 4)


def drop_missing(records):
    """The records whose column is not missing, as a histogram."""
    return histogram_of([r["grade"] for r in records if r["grade"] is not None], 4)


def map_rows(rows):
    """A function of each row, as a histogram."""
    return histogram_of([row % 3 for row in rows], 3)


def filter_rows(rows):
    """The rows for which a predicate holds, as a histogram."""
    return histogram_of([row for row in rows if row % 2 == 0], 8)
