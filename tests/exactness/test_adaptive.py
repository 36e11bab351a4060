"""Adaptive composition and repetition against their definition: arbitrary second mechanisms for each first outcome."""

from dataclasses import dataclass
from fractions import Fraction as F
from random import Random
from typing import Any

import pytest

from refdp.kernel import rules
from refdp.spec import registry
from refdp.spec.semantics import law as law_of
from refdp.terms.term import number
from tests.exactness.claims import MEASURES, least_impossible, private, tight
from tests.exactness.definition import near, pairs_of, satisfied
from tests.exactness.entering import ONE, Lookup, entered, given, lookup, written
from tests.exactness.laws import chances, joint, random_laws, share

pytestmark = pytest.mark.usefixtures("nameless")

INPUTS = tuple(range(3))
ADDITIVE = (*MEASURES, "loss_tail")


@dataclass(frozen=True, slots=True)
class Chosen(Lookup):
    """A mechanism whose law is looked up by its parameter and its input; `ratio_bound` reads the parameter."""

    def law(self, subject: Any, x: Any, arithmetic: Any) -> Any:
        """Outcome -> probability of M(x)."""
        choice = registry.values(self, subject)["choice"]
        return {y: arithmetic.number(p) for y, p in self.laws[choice][x].items()}


def chosen(stem, inputs, laws):
    """The mechanism of these laws by choice and input."""
    ratio = written("ratio_bound", "choice", "1 + 0 * choice")
    return Chosen(
        stem, ("choice",), (), {"choice": number(0)}, size=ONE, pmf=ONE, cumulative=ONE, ratio_bound=ratio, laws=laws,
        inputs=inputs,
    )  # fmt: skip


class Last(Random):
    """Chooses the last of the options."""

    def choice(self, options):
        return options[-1]


def worst_of(measure, losses):
    """The greatest of the losses at one epsilon or order: what holds for every choice."""
    return max(losses, key=lambda loss: [t.rational if not t.arguments else t.arguments[0].rational for t in loss][-1])


def test_adaptive_is_never_exceeded_by_the_joint_law():
    """The second law depends on the input and on the first outcome; that of the fixed second choice is one case."""
    sharp = 0
    for chance in chances("adaptive", 1500):
        measure, outcomes = chance.choice(ADDITIVE), chance.choice([2, 2, 3])
        least = least_impossible(measure)
        near_metric, d_in = chance.choice([("discrete", 1), ("absolute", 1)])
        close = near(INPUTS, near_metric, d_in)
        first = random_laws(chance, INPUTS, outcomes, least)
        seconds = {y: random_laws(chance, INPUTS, 2, least) for y in range(outcomes)}
        loss = tight(measure, pairs_of(first, close), Last())
        later = worst_of(measure, [tight(measure, pairs_of(one, close), Last()) for one in seconds.values()])
        m = private("m()", "finite(3)", near_metric, d_in, measure, loss)
        n = private("n(previous)", "finite(3)", near_metric, d_in, measure, later)
        with entered(lookup("m", "finite(3)", first), chosen("n", "finite(3)", seconds)):
            claim = rules.adaptive(given(m), given(n)).claim
            together = {x: law_of(claim.subject, F(x)) for x in INPUTS}
        for x in INPUTS:
            assert together[x] == {(y, z): p * q for y, p in first[x].items() for z, q in seconds[y][x].items()}
        assert satisfied(measure, claim.d_out, pairs_of(together, close))
        sharp += not satisfied(measure, worst_of(measure, [loss, later]), pairs_of(together, close))
    assert sharp > share(300)


def test_compose_many_is_never_exceeded_by_independent_draws():
    sharp = 0
    for chance in chances("compose many"):
        measure, k = chance.choice(ADDITIVE), chance.choice([1, 2, 2, 3])
        laws, close = random_laws(chance, INPUTS, 2, least_impossible(measure)), near(INPUTS, "absolute", 1)
        loss = tight(measure, pairs_of(laws, close), chance)
        premise = given(private("m()", "finite(3)", "absolute", 1, measure, loss))
        claim = rules.compose_many(premise, k=str(k)).claim
        together = {x: joint([laws[x]] * k) for x in INPUTS}
        assert satisfied(measure, claim.d_out, pairs_of(together, close))
        with entered(lookup("m", "finite(3)", laws)):
            assert all(law_of(claim.subject, F(x)) == together[x] for x in INPUTS)
        assert claim.d_out == rules.compose(*[premise] * k).claim.d_out
        sharp += not satisfied(measure, loss, pairs_of(together, close))
    assert sharp > share(200)
