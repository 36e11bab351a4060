"""Mechanisms, one file each: formulas, map, sampling scheme.  Importing this package registers them all."""

from refdp.mechanisms.above_exact_threshold import ABOVE_EXACT_THRESHOLD
from refdp.mechanisms.above_threshold import ABOVE_THRESHOLD
from refdp.mechanisms.all_above_threshold import ALL_ABOVE_THRESHOLD
from refdp.mechanisms.d_bit_flip import d_bit_flip
from refdp.mechanisms.discrete_above_threshold import discrete_above_threshold
from refdp.mechanisms.discrete_gaussian import discrete_gaussian
from refdp.mechanisms.discrete_laplace import discrete_laplace
from refdp.mechanisms.exact_answers_above_threshold import EXACT_ANSWERS_ABOVE_THRESHOLD
from refdp.mechanisms.exponential import exponential
from refdp.mechanisms.exponential_noisy_max import EXPONENTIAL_NOISY_MAX
from refdp.mechanisms.gaussian import GAUSSIAN
from refdp.mechanisms.gumbel_noisy_max import GUMBEL_NOISY_MAX
from refdp.mechanisms.hadamard_entry_response import hadamard_entry_response
from refdp.mechanisms.hadamard_response import hadamard_response
from refdp.mechanisms.k_ary_randomised_response import k_ary_randomised_response
from refdp.mechanisms.laplace import LAPLACE
from refdp.mechanisms.laplace_noisy_max import LAPLACE_NOISY_MAX
from refdp.mechanisms.laplace_stability_histogram import LAPLACE_STABILITY_HISTOGRAM
from refdp.mechanisms.laplace_stability_keys import LAPLACE_STABILITY_KEYS
from refdp.mechanisms.logistic_objective import LOGISTIC_OBJECTIVE
from refdp.mechanisms.one_bit_flip import one_bit_flip
from refdp.mechanisms.one_bit_mean import one_bit_mean
from refdp.mechanisms.optimised_unary_encoding import optimised_unary_encoding
from refdp.mechanisms.permanent_response import permanent_response
from refdp.mechanisms.permute_and_flip import permute_and_flip
from refdp.mechanisms.randomised_response import randomised_response
from refdp.mechanisms.rappor import rappor
from refdp.mechanisms.renormalised_geometric import RENORMALISED_GEOMETRIC
from refdp.mechanisms.rounded_logistic_objective import rounded_logistic_objective
from refdp.mechanisms.rounded_scaled_cauchy import rounded_scaled_cauchy
from refdp.mechanisms.rounded_scaled_laplace import rounded_scaled_laplace
from refdp.mechanisms.rounded_scaled_student import rounded_scaled_student
from refdp.mechanisms.scaled_cauchy import SCALED_CAUCHY
from refdp.mechanisms.scaled_gaussian import SCALED_GAUSSIAN
from refdp.mechanisms.scaled_laplace import SCALED_LAPLACE
from refdp.mechanisms.scaled_student import SCALED_STUDENT
from refdp.mechanisms.stability_histogram import stability_histogram
from refdp.mechanisms.stability_keys import stability_keys
from refdp.mechanisms.staircase import STAIRCASE
from refdp.mechanisms.subset_selection import subset_selection
from refdp.mechanisms.symmetric_unary_encoding import symmetric_unary_encoding
from refdp.mechanisms.truncated_geometric import truncated_geometric

__all__ = [
    "ABOVE_EXACT_THRESHOLD",
    "ABOVE_THRESHOLD",
    "ALL_ABOVE_THRESHOLD",
    "EXACT_ANSWERS_ABOVE_THRESHOLD",
    "EXPONENTIAL_NOISY_MAX",
    "GAUSSIAN",
    "GUMBEL_NOISY_MAX",
    "LAPLACE",
    "LAPLACE_NOISY_MAX",
    "LAPLACE_STABILITY_HISTOGRAM",
    "LAPLACE_STABILITY_KEYS",
    "LOGISTIC_OBJECTIVE",
    "RENORMALISED_GEOMETRIC",
    "SCALED_CAUCHY",
    "SCALED_GAUSSIAN",
    "SCALED_LAPLACE",
    "SCALED_STUDENT",
    "STAIRCASE",
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
]
