"""Theorems of the kernel that a loop is not private: steps on lots of at most one row, and an event in some of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import refdp.mechanisms
import refdp.transformations  # noqa: F401  (importing them registers what the claims are about)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.theorem import Theorem
from refdp.learning.training import Plan
from refdp.learning.variants import Claim, Judged
from refdp.spec.distances import NEIGHBOURS

NO_ROW = "tuple_of()"
WHETHER = "listed(tuple_of(tuple_of(1, 0), tuple_of(0, 1)))"
"""The answer itself, 0 or 1."""
WITHOUT: Mapping[str, str] = {
    "clipped_after_averaging": "the kernel has no rule for the lower end of an account, which refutes it",
    "shuffled": "the kernel has no words for lots that are cut of a shuffled table",
    "shuffled_as_published": "the kernel has no words for lots that are cut of a shuffled table",
}
"""Why there is no theorem of a loop that is refuted."""


def refutation(found: Judged, plan: Plan) -> Theorem | str:
    """|- the loop does not keep its claim, for gradients of one number; else why there is no such theorem."""
    if found.name not in WITNESSES:
        return WITHOUT.get(found.name, "no witness is known that the kernel reads")
    try:
        return WITNESSES[found.name](plan, found.claim)
    except KernelError as error:
        return f"the kernel does not find it so: {error}"


def some_step_is_far(transformation: str) -> Callable[[Plan, Claim], Theorem]:
    """Of noise sigma C / L: no row against one of norm C, which a step moves by C."""

    def theorem(plan: Plan, claim: Claim) -> Theorem:
        row = plan.granularity * (plan.norm // plan.granularity)
        noise = f"coordinatewise(gaussian({plan.deviation / plan.lot}), 1)"
        step = f"chain({transformation}({plan.norm}, 1, {plan.granularity}), {noise})"
        return rules.likelier_in_some_round(
            claim=claim_of(step, "table(vector(reals(), 1))", plan, claim),
            a=f"tuple_of(tuple_of({row}))",
            b=NO_ROW,
            event=f"at_least({row / 2})",
        )

    return theorem


def some_step_is_made(plan: Plan, claim: Claim) -> Theorem:
    """Of skipped empty lots: no row against one row, in view of which steps were made."""
    return rules.likelier_in_some_round(
        claim=claim_of(f"chain(any_row(grid(1)), {WHETHER})", "table(grid(1))", plan, claim),
        a="tuple_of(0)",
        b=NO_ROW,
        event="tuple_of(1)",
    )


def claim_of(step: str, tables: str, plan: Plan, claim: Claim) -> str:
    """The claim about all steps, each on a lot of its own."""
    near = f"{NEIGHBOURS[claim.neighbours]}(1)"
    rounds = f"repeated(poisson_sampled({plan.rate}, {step}), {plan.steps})"
    return f"private({rounds}, {tables}, {near}, approximate({Fraction(claim.epsilon)}, {claim.delta}))"


WITNESSES: Mapping[str, Callable[[Plan, Claim], Theorem]] = {
    "noise_of_the_mean_on_the_sum": some_step_is_far("clipped_vector_sum"),
    "divided_by_the_actual_size": some_step_is_far("clipped_mean_by_count"),
    "skipped_empty_lots": some_step_is_made,
}
"""How the theorem of a refuted loop is made."""
