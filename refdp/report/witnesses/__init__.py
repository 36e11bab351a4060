"""The witness of a refutation, worked out by hand: inputs, event, both values, and the inequality that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from refdp.commands.witness import steps
from refdp.kernel.judgements import Refuted
from refdp.kernel.theorem import Theorem
from refdp.report.witnesses import deltas, densities, relations, statements, tails
from refdp.report.witnesses.tables import chosen

WORKINGS: Mapping[str, Callable[[Theorem], Iterator[str]]] = {
    "unlikely_elsewhere": relations.unlikely,
    "unstable_pair": relations.unstable,
    "denser_elsewhere": densities.denser,
    "likelier_far_out": densities.likelier,
    "renyi_exceeded": densities.divergent,
    "normal_noise_exceeds": deltas.exceeding,
    "grid_noise_exceeds": deltas.exceeding,
    "wrong_normaliser": densities.abnormal,
    "likelier_noise": tails.likelier_noise,
    "likelier_error": tails.likelier_error,
    "another_probability": tails.another_probability,
    "false_statement": statements.false,
    "row_exceeds_every_bound": statements.unbounded,
}
"""Rule of refutation -> how its witness is worked out."""


def worked(theorem: Theorem) -> Iterator[str]:
    """The lines of Markdown that show why the claim is false; none for a proof."""
    if not isinstance(theorem.claim, Refuted):
        return
    for step in steps(theorem):
        if step.rule == "false_instance":
            yield from chosen(step.data["values"])
        elif isinstance(step.claim, Refuted):
            yield from WORKINGS.get(step.rule, given)(step)


def given(step: Theorem) -> Iterator[str]:
    """What the step of any other rule was given."""
    yield from (f"By the rule `{step.rule}`, with:", "")
    for key, v in step.data.items():
        parts = [f"{k} = {x}" for k, x in v.items()] if isinstance(v, Mapping) else [v] if isinstance(v, str) else v
        yield f"- {key}: `{', '.join(parts)}`"
    yield ""
