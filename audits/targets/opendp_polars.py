"""Queries on OpenDP's lazy frames, as its users write them; run by an interpreter that has opendp and polars.

A recipe cannot write such queries, so each is a function of a column's rows here.  Beside it stands what the library's
own map says: the epsilon of the release, or, for a release with next to no noise, the sensitivity that this epsilon
is for.  Noise of scale 1/100 on integers is another number than 0 with probability 10^-43 a release.
"""

import warnings
from functools import cache

import opendp.prelude as dp
import polars as pl

warnings.simplefilter("ignore")
dp.enable_features("contrib", "honest-but-curious")

NEXT_TO_NONE = 0.01
"""A scale of noise at which integers come out as they are, and floats with an error that rounding takes away."""
SCALE = 30.0


def private(columns, margin, query, metric=None, scale=None):
    """The measurement that OpenDP makes of a query, for pure differential privacy."""
    domain = dp.lazyframe_domain([dp.series_domain(name, of) for name, of in columns.items()])
    metric = metric or dp.frame_distance(dp.symmetric_distance())
    return dp.m.make_private_lazyframe(dp.with_margin(domain, margin), metric, dp.max_divergence(), query, scale)


def bound(rows):
    """A distance of so many rows, as lazy frames have it."""
    return [dp.polars.Bound(per_group=rows)]


def released(measurement, frame, column):
    """The one number that a query releases."""
    return measurement(frame).collect()[column].item()


# Sum by groups with public keys and at most three rows a group (issue 2945).

KEYED = {"key": pl.String, "value": pl.Int32}


@cache
def summed_by_groups(scale):
    """Sums of values from -10 to 10, of one group of at most three rows."""
    columns = {"key": dp.atom_domain(T=str), "value": dp.atom_domain(T=int)}
    margin = dp.polars.Margin(by=["key"], max_length=3, max_groups=1, invariant="keys")
    query = pl.LazyFrame(schema=KEYED).group_by("key").agg(pl.col("value").dp.sum((-10, 10), scale=scale))
    return private(columns, margin, query, dp.symmetric_distance())


def group_sum(rows):
    """A release for the rows of one group."""
    return released(summed_by_groups(SCALE), keyed(rows), "value")


def group_sum_epsilon(d_in):
    """What the map says of such a release."""
    return summed_by_groups(SCALE).map(d_in)


def group_sum_bare(rows):
    """The same with next to no noise."""
    return released(summed_by_groups(NEXT_TO_NONE), keyed(rows), "value")


def group_sum_sensitivity(d_in):
    """The sensitivity for which the map gives its epsilon, rounded up to a whole number."""
    return whole_above(summed_by_groups(NEXT_TO_NONE).map(d_in) * NEXT_TO_NONE)


def keyed(rows):
    """The rows as the values of one group."""
    return pl.LazyFrame({"key": ["a"] * len(rows), "value": rows}, schema=KEYED)


def whole_above(number):
    """The least whole number at or above a float, but for the last digits of the float."""
    return -int(-(number - 1e-9) // 1)


# Counts of a column that is said to have no missing values, in a table of public length (issues 2938 and 2939).

LENGTH = 3
FLOATS = {"x": pl.Float64}


@cache
def counted(step):
    """The count after a step that may make missing values; on a table of public length it costs nothing."""
    made = {
        "cast": lambda x: x.cast(pl.Int64, strict=False),
        "cut": lambda x: x.cut([1.5]),
    }[step](pl.col("x").fill_null(0.0))
    margin = dp.polars.Margin(max_length=LENGTH, invariant="lengths")
    query = pl.LazyFrame(schema=FLOATS).select(made.count().dp.noise())
    return private({"x": dp.option_domain(dp.atom_domain(T=float))}, margin, query, scale=1.0)


def count_after_cast(rows):
    """The released count after a cast that is not strict."""
    return released(counted("cast"), pl.LazyFrame({"x": rows}, schema=FLOATS), "x")


def count_after_cast_epsilon(d_in):
    """What the map says of it; where it is 0, releases must not differ at all."""
    return counted("cast").map(bound(d_in))


def count_after_cut(rows):
    """The released count after sorting into bins."""
    return released(counted("cut"), pl.LazyFrame({"x": rows}, schema=FLOATS), "x")


def count_after_cut_epsilon(d_in):
    """What the map says of it."""
    return counted("cut").map(bound(d_in))


# The sum of a column whose missing values are filled in (issues 2936 and 2935), and the same with 0 filled in.

MOST = 100


@cache
def filled_sum(filler, scale):
    """The noisy sum of values from 0 to 1 after missing ones are filled in, of at most MOST rows."""
    margin = dp.polars.Margin(max_length=MOST)
    query = pl.LazyFrame(schema=FLOATS).select(pl.col("x").fill_null(filler).clip(0.0, 1.0).sum().dp.noise(scale=scale))
    return private({"x": dp.option_domain(dp.atom_domain(T=float, nan=False))}, margin, query, scale=1.0)


def sum_filled_with_nan(rows):
    """A release, missing values being filled in with NaN."""
    return released(filled_sum(float("nan"), 1.0), pl.LazyFrame({"x": rows}, schema=FLOATS), "x")


def sum_filled_with_nan_epsilon(d_in):
    """What the map says of it."""
    return filled_sum(float("nan"), 1.0).map(bound(d_in))


def sum_filled_with_zero(rows):
    """A release, missing values being filled in with 0."""
    return released(filled_sum(0.0, 1.0), pl.LazyFrame({"x": rows}, schema=FLOATS), "x")


def sum_filled_with_zero_epsilon(d_in):
    """What the map says of it."""
    return filled_sum(0.0, 1.0).map(bound(d_in))


def sum_filled_with_nan_bare(rows):
    """A release with noise of 10^-9, rounded to 1/1024."""
    return round(released(filled_sum(float("nan"), 1e-9), pl.LazyFrame({"x": rows}, schema=FLOATS), "x") * 1024) / 1024


def sum_filled_with_nan_sensitivity(d_in):
    """The sensitivity for which the map gives its epsilon, and 1/512 for the rounding."""
    return filled_sum(float("nan"), 1e-9).map(bound(d_in)) * 1e-9 + 1 / 512


# Codes of bins, which are taken for a function of the row alone (issue 2944).


@cache
def summed_codes(scale):
    """The noisy sum of the codes of two bins."""
    margin = dp.polars.Margin(max_length=MOST)
    query = pl.LazyFrame(schema=FLOATS).select(pl.col("x").cut([1.0]).to_physical().dp.sum((0, 1), scale=scale))
    return private({"x": dp.atom_domain(T=float, nan=False)}, margin, query)


def sum_of_codes_bare(rows):
    """A release with next to no noise."""
    return released(summed_codes(NEXT_TO_NONE), pl.LazyFrame({"x": rows}, schema=FLOATS), "x")


def sum_of_codes_sensitivity(d_in):
    """The sensitivity for which the map gives its epsilon, rounded up to a whole number."""
    return whole_above(summed_codes(NEXT_TO_NONE).map(bound(d_in)) * NEXT_TO_NONE)


# Counts by groups that are merged after each user's groups were bounded (issue 2949).

GROUPS = 100
USERS = {"id": pl.Int64, "group": pl.Int64}


@cache
def merged_count(scale):
    """A noisy count, under zero-concentrated privacy, of one row for each user and group, all groups made one."""
    counts = (
        pl.LazyFrame(schema=USERS)
        .filter(pl.int_range(pl.len()).over("id", "group") < 1)
        .filter(pl.struct("group").rank("dense").over("id") < GROUPS + 1)
        .with_columns(group=pl.lit(0, dtype=pl.Int64))
        .group_by("group")
        .agg(dp.len(scale=scale, signed=True))
    )
    query = pl.LazyFrame({"group": [0]}).join(counts, on="group", how="left")
    domain = dp.lazyframe_domain([dp.series_domain(name, dp.atom_domain(T="i64")) for name in USERS])
    metric = dp.symmetric_id_distance(identifier=pl.col("id"))
    return dp.m.make_private_lazyframe(domain, metric, dp.zero_concentrated_divergence(), query)


def count_of_merged_groups(users):
    """A release for users who have one row in each of GROUPS groups."""
    ids = [user for user in users for _ in range(GROUPS)]
    frame = pl.LazyFrame({"id": ids, "group": list(range(GROUPS)) * len(users)}, schema=USERS)
    return released(merged_count(50.0), frame, "len")


def count_of_merged_groups_rho(d_in):
    """What the map says of it, for so many users added or removed."""
    return merged_count(50.0).map(d_in)
