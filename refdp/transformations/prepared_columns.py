"""From records to what models read, row by row: columns scaled to [-1, 1], with the sign of a label or without it, and
columns coded as whole numbers.

Bounds, labels and the number of bins are public: whoever declares them must not have read them off the table.
Claims: d_out = d_in under both neighbouring relations, because each row is treated alone and none is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Any

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, PipelineError, Transformation, transformation
from refdp.spec.domains import domain
from refdp.spec.registry import register
from refdp.spec.rescaled import towards_zero
from refdp.spec.rows import RowFunction
from refdp.spec.signatures import function_signature
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, number, term, text
from refdp.transformations._parameters import label

NO_VALUE = Fraction(-1)
"""The code of a label that is none, and of a missing cell."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """A column of numbers with public bounds, lower < upper; further ones count as the bound."""

    column: str
    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        label(self.column, "column")
        for name in ("lower", "upper"):
            object.__setattr__(self, name, exact(getattr(self, name), f"{name} of {self.column}"))
        if not self.lower < self.upper:
            raise PipelineError(f"lower of {self.column} must be < upper, got {self.lower} and {self.upper}")


@dataclass(frozen=True, slots=True)
class Labels:
    """A column of texts with the public list of those that count."""

    column: str
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        label(self.column, "column")
        object.__setattr__(self, "labels", tuple(self.labels))
        if len(set(self.labels)) != len(self.labels) or not self.labels:
            raise PipelineError(f"labels of {self.column} must be one text or several different ones")
        for one in self.labels:
            label(one, f"labels of {self.column}")


def _scaled(record: Any, arguments: Mapping[str, Term]) -> tuple[Fraction, ...]:
    """Ones, then each number moved so that its bounds are -1 and 1, clamped and rounded towards zero to the grid."""
    step = Fraction(evaluate(arguments["granularity"], {}))
    found = [Fraction(1)] * int(evaluate(arguments["ones"], {}))
    listed = zip(*(arguments[key].arguments for key in ("columns", "lower", "upper")), strict=True)
    for column, lower, upper in listed:
        found.append(towards_zero(_share(record.get(column.value), _ends(lower, upper)) * 2 - 1, step))
    return tuple(found)


def _signed(record: Any, arguments: Mapping[str, Term]) -> tuple[Fraction, ...]:
    """The scaled columns for the positive label, less them for the negative one, zeros for any other."""
    label = record.get(arguments["target"].value)
    sign = (label == arguments["positive"].value) - (label == arguments["negative"].value)
    return tuple(sign * c for c in _scaled(record, arguments))


def _share(cell: Any, ends: tuple[Fraction, Fraction]) -> Fraction:
    """How far the number is from the lower to the upper bound, from 0 to 1; 1/2 where there is none."""
    lower, upper = ends
    if not isinstance(cell, Fraction) or not lower < upper:
        return Fraction(1, 2)
    return (min(upper, max(lower, cell)) - lower) / (upper - lower)


def _ends(lower: Term, upper: Term) -> tuple[Fraction, Fraction]:
    """The bounds as numbers."""
    return Fraction(evaluate(lower, {})), Fraction(evaluate(upper, {}))


def _coded(record: Any, arguments: Mapping[str, Term]) -> tuple[Fraction, ...]:
    """The place of each text among its labels, or the bin of each number; -1 where there is none."""
    labels, bins = [one.value for one in arguments["labels"].arguments], int(evaluate(arguments["bins"], {}))
    found, first = list[Fraction](), 0
    listed = zip(*(arguments[key].arguments for key in ("columns", "sizes", "lower", "upper")), strict=True)
    for column, written_size, lower, upper in listed:
        cell, size = record.get(column.value), max(0, int(evaluate(written_size, {})))
        if size > 0:
            own = labels[first : first + size]
            found.append(Fraction(own.index(cell)) if cell in own else NO_VALUE)
        else:
            place = min(bins - 1, floor(_share(cell, _ends(lower, upper)) * bins))
            found.append(Fraction(place) if isinstance(cell, Fraction) else NO_VALUE)
        first += size
    return tuple(found)


SCALED_COLUMNS = register(
    RowFunction(
        stem="scaled_columns",
        parameters=("columns", "lower", "upper", "features", "ones", "granularity"),
        conditions=(
            read("0 < granularity"),
            read("has_length(columns, features)"),
            read("has_length(lower, features)"),
            read("has_length(upper, features)"),
            read("1 <= features"),
            read("integer(ones)"),
            read("0 <= ones"),
            read("multiple(1, granularity)"),
        ),
        example={
            "columns": read("list_of('height', 'mass')"),
            "lower": read("tuple_of(0, 0)"),
            "upper": read("tuple_of(200, 100)"),
            "features": term(2),
            "ones": term(1),
            "granularity": term(1),
        },
        input_rows=domain("records"),
        output_rows=read("vector(grid(granularity), ones + features)"),
        run=_scaled,
    )
)
SIGNED_COLUMNS = register(
    replace(
        SCALED_COLUMNS,
        stem="signed_columns",
        parameters=("target", "negative", "positive", *SCALED_COLUMNS.parameters),
        example={
            "target": text("sex"),
            "negative": text("female"),
            "positive": text("male"),
            **SCALED_COLUMNS.example,
        },
        run=_signed,
    )
)
CODED_COLUMNS = register(
    RowFunction(
        stem="coded_columns",
        parameters=("columns", "labels", "sizes", "lower", "upper", "bins", "dimension"),
        conditions=(
            read("has_length(columns, dimension)"),
            read("has_length(sizes, dimension)"),
            read("has_length(lower, dimension)"),
            read("has_length(upper, dimension)"),
            read("1 <= dimension"),
            read("integer(bins)"),
            read("1 <= bins"),
        ),
        example={
            "columns": read("list_of('sex', 'mass')"),
            "labels": read("list_of('female', 'male')"),
            "sizes": read("tuple_of(2, 0)"),
            "lower": read("tuple_of(0, 0)"),
            "upper": read("tuple_of(0, 100)"),
            "bins": term(4),
            "dimension": term(2),
        },
        input_rows=domain("records"),
        output_rows=read("vector(grid(1), dimension)"),
        run=_coded,
    )
)


def scaled_columns(
    columns: Sequence[Numbers], granularity: Exactly, ones: int = 0, neighbours: str = "add_remove"
) -> Transformation:
    """records -> vectors: `ones` ones, then each column with its bounds moved to -1 and 1, on the grid.

    Numbers beyond the bounds count as the bounds, missing ones as the middle, and all are rounded towards zero to
    multiples of granularity, which must go into 1.  Raises ValueError for others.

    >>> scaled_columns([Numbers("mass", 0, 100)], "1/8", 1)(({"mass": 75}, {"mass": None}, {"mass": 999}))
    ((Fraction(1, 1), Fraction(1, 2)), (Fraction(1, 1), Fraction(0, 1)), (Fraction(1, 1), Fraction(1, 1)))
    """
    listed = _different(columns, Numbers)
    return transformation(
        SCALED_COLUMNS,
        function_signature(SCALED_COLUMNS, neighbours),
        columns=_texts(one.column for one in listed),
        lower=_numbers(one.lower for one in listed),
        upper=_numbers(one.upper for one in listed),
        features=term(len(listed)),
        ones=exact(ones, "ones"),
        granularity=exact(granularity, "granularity"),
    )


def signed_columns(
    target: Labels, columns: Sequence[Numbers], granularity: Exactly, ones: int = 0, neighbours: str = "add_remove"
) -> Transformation:
    """records -> the vectors of `scaled_columns` times -1 or 1, for the first or the second of the target's two labels.

    A record of another label, or of none, becomes zeros.  Raises ValueError for others.

    >>> mass, sex = Numbers("mass", 0, 100), Labels("sex", ("f", "m"))
    >>> signed_columns(sex, [mass], "1/8", 1)(({"mass": 75, "sex": "f"}, {"mass": 75, "sex": "m"}, {"mass": 75}))
    ((Fraction(-1, 1), Fraction(-1, 2)), (Fraction(1, 1), Fraction(1, 2)), (Fraction(0, 1), Fraction(0, 1)))
    """
    if not isinstance(target, Labels) or len(target.labels) != 2:
        found = len(target.labels) if isinstance(target, Labels) else "none"
        raise PipelineError(f"target must be a column of two labels, got {found}")
    listed = _different(columns, Numbers)
    if target.column in {one.column for one in listed}:
        raise PipelineError(f"target must be none of the columns, got {target.column}")
    negative, positive = target.labels
    return transformation(
        SIGNED_COLUMNS,
        function_signature(SIGNED_COLUMNS, neighbours),
        target=text(target.column),
        negative=text(negative),
        positive=text(positive),
        columns=_texts(one.column for one in listed),
        lower=_numbers(one.lower for one in listed),
        upper=_numbers(one.upper for one in listed),
        features=term(len(listed)),
        ones=exact(ones, "ones"),
        granularity=exact(granularity, "granularity"),
    )


def coded_columns(
    columns: Sequence[Numbers | Labels], bins: Exactly = 8, neighbours: str = "add_remove"
) -> Transformation:
    """records -> vectors of whole numbers: the place of each text among its labels, and the bin of each number.

    Bins cut the way between the bounds into equal parts.  What is no label, and a missing cell, is -1.
    Raises ValueError for others.

    >>> coded_columns([Labels("sex", ("f", "m")), Numbers("mass", 0, 100)], 4)(({"sex": "m", "mass": 60}, {"sex": "x"}))
    ((Fraction(1, 1), Fraction(2, 1)), (Fraction(-1, 1), Fraction(-1, 1)))
    """
    listed, nothing = _different(columns, (Numbers, Labels)), Fraction(0)
    labels = [text for one in listed if isinstance(one, Labels) for text in one.labels]
    return transformation(
        CODED_COLUMNS,
        function_signature(CODED_COLUMNS, neighbours),
        columns=_texts(one.column for one in listed),
        labels=_texts(labels),
        sizes=_numbers(Fraction(len(one.labels)) if isinstance(one, Labels) else nothing for one in listed),
        lower=_numbers(one.lower if isinstance(one, Numbers) else nothing for one in listed),
        upper=_numbers(one.upper if isinstance(one, Numbers) else nothing for one in listed),
        bins=exact(bins, "bins"),
        dimension=term(len(listed)),
    )


def _different(columns: Any, kinds: Any) -> Any:
    """The columns; PipelineError unless they are one or several different ones of these kinds."""
    listed = tuple(columns)
    if not listed or not all(isinstance(one, kinds) for one in listed):
        raise PipelineError(f"columns must be one or several declared columns, got {columns!r}")
    if len({one.column for one in listed}) != len(listed):
        raise PipelineError(f"columns must be different ones, got {', '.join(one.column for one in listed)}")
    return listed


def _texts(texts: Any) -> Term:
    """The texts as a term."""
    return apply("list_of", *map(text, texts))


def _numbers(numbers: Any) -> Term:
    """The numbers as a term."""
    return apply("tuple_of", *map(number, numbers))
