"""Every rule of inference.  A rule maps claims to a claim; its docstring is its inference line.

The written proof of each stands in docs/soundness.md under the rule's name.
"""

from refdp.kernel import theorem
from refdp.kernel.rules.composition import compose, group, parallel, post_process
from refdp.kernel.rules.conversion import (
    concentrated_to_approximate,
    concentrated_to_renyi,
    pure_to_approximate,
    pure_to_concentrated,
)
from refdp.kernel.rules.laws import normalised, sampler_law
from refdp.kernel.rules.logic import chain, instantiate, oracle, weaken
from refdp.kernel.rules.normal import classical_noise, normal_noise, normal_noise_exceeds
from refdp.kernel.rules.privacy import (
    additive_noise,
    clamped_noise,
    finite_law,
    finite_mechanism,
    flip_selection,
    weighted_selection,
)
from refdp.kernel.rules.refutation import false_instance, unlikely_elsewhere, unstable_pair
from refdp.kernel.rules.stability import row_by_row, row_exceeds_every_bound, sum_of_rows
from refdp.kernel.rules.statements import branch_and_bound, decided, false_statement

theorem.seal()

__all__ = [
    "additive_noise",
    "branch_and_bound",
    "chain",
    "clamped_noise",
    "classical_noise",
    "compose",
    "concentrated_to_approximate",
    "concentrated_to_renyi",
    "decided",
    "false_instance",
    "false_statement",
    "finite_law",
    "finite_mechanism",
    "flip_selection",
    "group",
    "instantiate",
    "normal_noise",
    "normal_noise_exceeds",
    "normalised",
    "oracle",
    "parallel",
    "post_process",
    "pure_to_approximate",
    "pure_to_concentrated",
    "row_by_row",
    "row_exceeds_every_bound",
    "sampler_law",
    "sum_of_rows",
    "unlikely_elsewhere",
    "unstable_pair",
    "weaken",
    "weighted_selection",
]
