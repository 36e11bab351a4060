"""Two inputs whose exact delta, in certified digits, is more than the claimed one."""

from __future__ import annotations

from collections.abc import Iterator

from refdp.commands.delta_witness import claim_of, delta_of, deviation, farthest
from refdp.kernel.theorem import Theorem
from refdp.report.witnesses.tables import Row, more, table
from refdp.spec.noise import ends
from refdp.terms.term import exp, normal_tail, number


def exceeding(step: Theorem) -> Iterator[str]:
    """The worst event of the inputs farthest apart, and by how much its probability exceeds what is allowed."""
    claim, noise = claim_of(step)
    epsilon, delta = (*claim.d_out, number(0))[:2]
    yield f"- inputs `x = {farthest(claim, noise)}` and `x' = 0`, within `{claim.metric}({claim.d_in})`"
    yield from ("- the event `E`: an output with a loss above epsilon", "")
    rows, what = list[Row](), "the exact delta"
    if not noise.on_grid:
        sigma = deviation(claim, noise)
        near, far = ends(sigma, claim.d_in, epsilon)
        rows = [("`sigma`", sigma), ("`E` is the outputs above", far * sigma)]
        rows += [("`P[M(x) in E]`", normal_tail(near)), ("`e^epsilon P[M(x') in E]`", exp(epsilon) * normal_tail(far))]
        what = "their difference, the exact delta"
    found = delta_of(claim, noise)
    yield from table([*rows, (what, found), ("`delta`, as claimed", delta)])
    yield from ("", f"The claim says that the exact delta is at most delta; it is more: {more(found, delta)}.", "")
