"""refdp: an executable reference for differential privacy; every claim in it carries a proof that anyone can replay."""

from __future__ import annotations

import os.path
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing `typing` would let any folder of PYTHONPATH answer for it before a replay is isolated
    from typing import Any

__version__ = "0.1.0"

_HERE = os.path.dirname(__file__)
if not os.path.isdir(os.path.join(_HERE, "proofs")) and os.path.isdir(os.path.join(_HERE, os.pardir, "proofs")):
    raise ImportError(
        "refdp/proofs must be a link to ../proofs: make it one, or install refdp with `make` or `pip install .`"
    )

_COMMANDS = {
    name: f"refdp.commands.{name}"
    for name in (
        "verify",
        "check",
        "explain",
        "export",
        "release",
        "sensitivity",
        "prove",
        "account",
        "sample",
        "vectors",
        "audit",
        "attack",
        "fit",
        "train",
    )
}
_MECHANISMS = (
    "d_bit_flip",
    "discrete_above_threshold",
    "discrete_gaussian",
    "discrete_laplace",
    "exponential",
    "hadamard_entry_response",
    "hadamard_response",
    "k_ary_randomised_response",
    "one_bit_flip",
    "one_bit_mean",
    "optimised_unary_encoding",
    "permanent_response",
    "permute_and_flip",
    "randomised_response",
    "rappor",
    "rounded_logistic_objective",
    "rounded_scaled_cauchy",
    "rounded_scaled_laplace",
    "rounded_scaled_student",
    "stability_histogram",
    "stability_keys",
    "subset_selection",
    "symmetric_unary_encoding",
    "truncated_geometric",
)
_TRANSFORMATIONS = (
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
)
HOME: dict[str, str] = {
    **_COMMANDS,
    "query": "refdp.commands.own_query",
    "program": "refdp.commands.own_program",
    **dict.fromkeys(_MECHANISMS, "refdp.mechanisms"),
    **dict.fromkeys(_TRANSFORMATIONS, "refdp.transformations"),
    **dict.fromkeys(("Measurement", "Transformation"), "refdp.pipeline"),
    **dict.fromkeys(
        (
            "compose",
            "sampled",
            "propose_test_release",
            "public_coordinate",
            "clamp_output",
            "decode_output",
            "multiply_output",
        ),
        "refdp.combining",
    ),
    "top_k": "refdp.selections",
    **dict.fromkeys(("count_mean_sketch", "hadamard_count_mean_sketch", "local_hashing"), "refdp.sketches"),
    **dict.fromkeys(("ExactReal", "Ln", "Undecided", "exact", "exact_real"), "refdp.numerics.exact"),
    "on_grid": "refdp.sampling.grids",
    "theorem": "refdp.derivations",
    "write_certificate": "refdp.commands.certificates",
    "answer_schema": "refdp.commands.answers",
    **dict.fromkeys(("accuracy", "scale_for"), "refdp.accuracies"),
    "estimate": "refdp.estimates",
    "plot": "refdp.report.pictures.plotting",
    "plot_account": "refdp.report.pictures.accounts",
    "plot_attack": "refdp.report.pictures.attacks",
    "plot_fit": "refdp.report.pictures.models",
    "plot_train": "refdp.report.pictures.training",
    "audit_accountant": "refdp.accounting.judging.audit",
    "Accountant": "refdp.accounting.accountant",
    "calibrate": "refdp.accounting.calibrating",
    "sgd_account": "refdp.accounting.sgd",
}
"""The module in which each public name is defined; a name is imported when it is first used."""
__all__ = list(HOME)

CONTINUOUS = ("gaussian", "laplace")
"""Noise that no computer draws exactly."""


def __getattr__(name: str) -> Any:
    if name not in HOME:
        why = ": it has no sampler; refdp.account and refdp.testing.law know it" if name in CONTINUOUS else ""
        raise AttributeError(f"refdp has no {name!r}{why}")
    return getattr(import_module(HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *HOME])
