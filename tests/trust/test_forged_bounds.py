"""Forged certificates about bounds and tested releases: what still replays concludes what the genuine one does.

Every small change of the steps is tried; few replay, such as one of a witness that breaks the claim as well.
"""

import json

import pytest

from refdp.kernel.certificate import parsed, replay
from refdp.kernel.judgements import KernelError
from tests.kinds import believing
from tests.made import certificate_of
from tests.trust.mutations import mutations

CLAIMS = (
    "scaled_cauchy.growth_5_percent_more",
    "median_with_smooth_bound.change_one",
    "median_with_local_bound.is_smooth",
    "propose_test_release.discrete_laplace",
    "propose_test_release.threshold_one_too_low",
    "scaled_laplace.at_epsilon_1",
    "scaled_laplace.half_of_delta",
    "scaled_student.linear",
    "scaled_student.one_stretch",
)
REPLACED = [
    ("scaled_cauchy.at_epsilon_1", "24/25", "91/100"),
    ("scaled_cauchy.at_epsilon_1", "417/200", "541/250"),
    ("scaled_cauchy.at_epsilon_1", '"1"', '"9/10"'),
    ("scaled_cauchy.growth_5_percent_more", "541/250", "417/200"),
    ("scaled_laplace.at_epsilon_1", "527/500", "1055/1000"),
    ("scaled_laplace.at_epsilon_1", "1/1000000", "92/100000000"),
    ("scaled_laplace.at_epsilon_1", "scaled_laplace", "scaled_gaussian"),
    ("scaled_laplace.at_epsilon_1", '"2"', '"19/10"'),
    ("scaled_laplace.twice_the_growth", "1071/1000", "1072/1000"),
    ("scaled_gaussian.without_the_5", "scaled_gaussian", "scaled_laplace"),
    ("scaled_student.at_epsilon_1", "61/50", "123/100"),
    ("scaled_student.at_epsilon_1", "3/2", "149/100"),
    ("scaled_student.at_epsilon_1", "scaled_student", "scaled_cauchy"),
    ("scaled_student.linear", '"yes"', '"no"'),
    ("scaled_student.linear", "degrees * ln(d_in)", "ln(d_in)"),
    ("scaled_student.half_of_the_shift", "tuple_of(1, 1)", "tuple_of(1, 2)"),
    ("propose_test_release.one_in_a_million", '"14"', '"13"'),
    ("propose_test_release.one_in_a_million", "1/1000000", "1/10000000"),
    ("propose_test_release.threshold_one_too_low", "1, 13)", "1, 14)"),
    ("median_with_smooth_bound.two_rows", "change_one(2)", "change_one(1)"),
    ("median_with_local_bound.is_smooth", "median_with_local_bound(", "median_with_smooth_bound("),
]


@pytest.mark.parametrize("identifier", CLAIMS)
def test_small_changes_conclude_nothing_under_the_same_name(identifier):
    """The claim that the certificate names stays the one that its steps conclude."""
    genuine = certificate_of(identifier)
    said = str(replay(genuine, believing).theorem.claim.term)
    tried = survived = 0
    for _, changed in mutations(genuine["steps"]):
        tried += 1
        try:
            found = replay(parsed(json.dumps({**genuine, "steps": changed})), believing)
        except (KernelError, ValueError):
            continue
        survived += 1
        assert str(found.theorem.claim.term) == said
    assert tried > survived


@pytest.mark.parametrize(("identifier", "old", "new"), REPLACED)
def test_near_misses_everywhere_at_once_conclude_nothing(identifier, old, new):
    """Every number that makes the claim false, or true where it is refuted, changed in all of the certificate."""
    text = json.dumps(certificate_of(identifier))
    escaped_old, escaped_new = (json.dumps(t)[1:-1] if '"' not in t else t for t in (old, new))
    assert escaped_old in text
    with pytest.raises((KernelError, ValueError)):
        replay(parsed(text.replace(escaped_old, escaped_new)), believing)
