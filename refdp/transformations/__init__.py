"""Transformations of tables, one file each: function and stability map.  Importing this package registers them all."""

from refdp.transformations import strategies
from refdp.transformations.any_row import ANY_ROW
from refdp.transformations.attribute_means import attribute_means
from refdp.transformations.clamp import clamp
from refdp.transformations.clamped_sum import clamped_sum
from refdp.transformations.clamped_vector_sum import CLAMPED_VECTOR_SUM
from refdp.transformations.class_counts import class_counts
from refdp.transformations.clipped_vector_mean import clipped_mean_of_sized, clipped_vector_mean
from refdp.transformations.clipped_vector_sum import clipped_vector_sum
from refdp.transformations.clipping_idioms import CLIPPED_TOTAL
from refdp.transformations.cluster_sums import cluster_sums
from refdp.transformations.columns import attributes, binary_code, category_of, column
from refdp.transformations.count import count
from refdp.transformations.declared import declared_column, declared_columns
from refdp.transformations.histogram import histogram
from refdp.transformations.level_sums import prefix_sums, tree_sums, two_level_sums, wavelet_sums
from refdp.transformations.linear import linear, toeplitz
from refdp.transformations.mean import mean
from refdp.transformations.median_bounds import (
    MEDIAN_WITH_DOUBLED_DISTANCE,
    MEDIAN_WITH_LOCAL_BOUND,
    median_with_distance,
    median_with_smooth_bound,
)
from refdp.transformations.missing import drop_missing, fill_missing
from refdp.transformations.outputs import CLAMP_OUTPUT, MULTIPLY_OUTPUT
from refdp.transformations.point_count import point_count
from refdp.transformations.prepared_columns import coded_columns, scaled_columns, signed_columns
from refdp.transformations.quantile_scores import quantile_scores
from refdp.transformations.rank_scores import rank_scores
from refdp.transformations.regularised_minimisers import huber_minimiser, logistic_minimiser
from refdp.transformations.rounded_to import rounded_to
from refdp.transformations.second_moments import second_moments
from refdp.transformations.threshold_count import threshold_count
from refdp.transformations.unclamped_sum import UNCLAMPED_SUM
from refdp.transformations.user_rows import filter_rows, map_rows

__all__ = [
    "ANY_ROW",
    "CLAMPED_VECTOR_SUM",
    "CLAMP_OUTPUT",
    "CLIPPED_TOTAL",
    "MEDIAN_WITH_DOUBLED_DISTANCE",
    "MEDIAN_WITH_LOCAL_BOUND",
    "MULTIPLY_OUTPUT",
    "UNCLAMPED_SUM",
    "attribute_means",
    "attributes",
    "binary_code",
    "category_of",
    "clamp",
    "clamped_sum",
    "class_counts",
    "clipped_mean_of_sized",
    "clipped_vector_mean",
    "clipped_vector_sum",
    "cluster_sums",
    "coded_columns",
    "column",
    "count",
    "declared_column",
    "declared_columns",
    "drop_missing",
    "fill_missing",
    "filter_rows",
    "histogram",
    "huber_minimiser",
    "linear",
    "logistic_minimiser",
    "map_rows",
    "mean",
    "median_with_distance",
    "median_with_smooth_bound",
    "point_count",
    "prefix_sums",
    "quantile_scores",
    "rank_scores",
    "rounded_to",
    "scaled_columns",
    "second_moments",
    "signed_columns",
    "strategies",
    "threshold_count",
    "toeplitz",
    "tree_sums",
    "two_level_sums",
    "wavelet_sums",
]
