"""Every rule of inference.  A rule maps claims to a claim; its docstring is its inference line.

The written proof of each stands in docs/soundness.md under the rule's name.
"""

from refdp.kernel import theorem
from refdp.kernel.rules.accounted_rounds import account_rounds
from refdp.kernel.rules.accounts import account
from refdp.kernel.rules.accuracy import (
    estimate_tail,
    mistake_tail,
    noise_tail,
    selection_tail,
    tail_of_many,
    tail_restated,
)
from refdp.kernel.rules.adaptive import adaptive, compose_many
from refdp.kernel.rules.algebra import algebra
from refdp.kernel.rules.beyond import (
    above_threshold,
    bound_noise,
    monotone_selection,
    one_shot_law,
    peeled,
    perturbed_objective,
    propose_test_release,
    thresholded_counts,
)
from refdp.kernel.rules.bounds import laplace_bound_noise, likelier_far_out, student_bound_noise
from refdp.kernel.rules.composition import (
    compose,
    compose_failures,
    group,
    group_renyi,
    parallel,
    post_process,
    replaced_rows,
)
from refdp.kernel.rules.conversion import (
    concentrated_to_approximate,
    concentrated_to_renyi,
    pure_to_approximate,
    pure_to_concentrated,
    pure_to_renyi,
    renyi_at_smaller_order,
    renyi_to_approximate,
)
from refdp.kernel.rules.definitions import (
    approximate_to_loss_tail,
    loss_tail_to_approximate,
    never_private,
    pure_to_loss_tail,
    pure_to_ratio,
    ratio_to_pure,
)
from refdp.kernel.rules.densities import denser_elsewhere, level_noise, unbounded_loss, wrong_normaliser
from refdp.kernel.rules.engines import query_moves_too_far, runs_stay_related
from refdp.kernel.rules.estimates import (
    another_estimate,
    balanced_estimate,
    enumerated_estimate,
    frequency_estimate,
    number_estimate,
)
from refdp.kernel.rules.gaussian import (
    gaussian_noise,
    gaussian_to_approximate,
    gaussian_to_concentrated,
    pure_to_gaussian,
)
from refdp.kernel.rules.grid import grid_noise, grid_noise_exceeds
from refdp.kernel.rules.inaccuracy import another_probability, likelier_error, likelier_noise
from refdp.kernel.rules.instances import false_instance
from refdp.kernel.rules.laws import normalised, sampler_law
from refdp.kernel.rules.linear import another_squared_error, level_sums, linear_map, squared_error
from refdp.kernel.rules.local import bit_of_rate, bitwise_law, public_coordinate, reports_of_one, supported_law
from refdp.kernel.rules.logic import chain, instantiate, oracle, weaken
from refdp.kernel.rules.machines import machine_moves_too_far, machine_stays_near
from refdp.kernel.rules.normal import classical_noise, normal_noise, normal_noise_exceeds
from refdp.kernel.rules.optimal import compose_advanced, compose_many_optimal, compose_optimal
from refdp.kernel.rules.privacy import (
    additive_noise,
    clamped_noise,
    finite_law,
    finite_mechanism,
    flip_selection,
    weighted_selection,
)
from refdp.kernel.rules.programs import program_exceeds, program_is_private
from refdp.kernel.rules.questions import engine_proves, engine_refutes
from refdp.kernel.rules.refutation import unlikely_elsewhere, unstable_pair
from refdp.kernel.rules.renyi import renyi_bound, renyi_divergence, renyi_exceeded
from refdp.kernel.rules.sampling import fixed_size_sampled, poisson_sampled
from refdp.kernel.rules.selection import by_the_same_law, noisy_max, same_law
from refdp.kernel.rules.sequences import filtered, mapped_rounds, rounds
from refdp.kernel.rules.some_round import likelier_in_some_round
from refdp.kernel.rules.stability import (
    median_bounds,
    regularised_minimiser,
    rescaled_rows,
    rounded,
    row_by_row,
    row_exceeds_every_bound,
    sum_of_rows,
    sums_in_cells,
)
from refdp.kernel.rules.statements import branch_and_bound, decided, false_statement

theorem.seal()

__all__ = [
    "above_threshold",
    "account",
    "account_rounds",
    "adaptive",
    "additive_noise",
    "bit_of_rate",
    "bitwise_law",
    "bound_noise",
    "branch_and_bound",
    "approximate_to_loss_tail",
    "by_the_same_law",
    "another_probability",
    "another_estimate",
    "another_squared_error",
    "balanced_estimate",
    "enumerated_estimate",
    "frequency_estimate",
    "number_estimate",
    "algebra",
    "chain",
    "clamped_noise",
    "classical_noise",
    "compose",
    "compose_advanced",
    "compose_failures",
    "compose_many",
    "compose_many_optimal",
    "compose_optimal",
    "concentrated_to_approximate",
    "concentrated_to_renyi",
    "decided",
    "denser_elsewhere",
    "engine_proves",
    "engine_refutes",
    "estimate_tail",
    "false_instance",
    "false_statement",
    "filtered",
    "finite_law",
    "finite_mechanism",
    "fixed_size_sampled",
    "flip_selection",
    "gaussian_noise",
    "gaussian_to_approximate",
    "gaussian_to_concentrated",
    "grid_noise",
    "grid_noise_exceeds",
    "group",
    "group_renyi",
    "instantiate",
    "normal_noise",
    "normal_noise_exceeds",
    "loss_tail_to_approximate",
    "never_private",
    "laplace_bound_noise",
    "level_noise",
    "level_sums",
    "linear_map",
    "noisy_max",
    "likelier_error",
    "likelier_far_out",
    "likelier_in_some_round",
    "likelier_noise",
    "machine_moves_too_far",
    "machine_stays_near",
    "mapped_rounds",
    "median_bounds",
    "mistake_tail",
    "monotone_selection",
    "noise_tail",
    "normalised",
    "one_shot_law",
    "oracle",
    "parallel",
    "peeled",
    "perturbed_objective",
    "poisson_sampled",
    "program_exceeds",
    "propose_test_release",
    "public_coordinate",
    "reports_of_one",
    "program_is_private",
    "post_process",
    "query_moves_too_far",
    "pure_to_approximate",
    "pure_to_concentrated",
    "pure_to_gaussian",
    "pure_to_loss_tail",
    "pure_to_renyi",
    "pure_to_ratio",
    "ratio_to_pure",
    "regularised_minimiser",
    "renyi_to_approximate",
    "renyi_at_smaller_order",
    "replaced_rows",
    "renyi_bound",
    "renyi_divergence",
    "renyi_exceeded",
    "rescaled_rows",
    "rounded",
    "rounds",
    "row_by_row",
    "row_exceeds_every_bound",
    "runs_stay_related",
    "same_law",
    "sampler_law",
    "squared_error",
    "selection_tail",
    "sum_of_rows",
    "student_bound_noise",
    "sums_in_cells",
    "supported_law",
    "unbounded_loss",
    "tail_of_many",
    "tail_restated",
    "thresholded_counts",
    "unlikely_elsewhere",
    "unstable_pair",
    "weaken",
    "weighted_selection",
    "wrong_normaliser",
]
