"""A theorem of one's own is written to a file, and replays from it."""

from fractions import Fraction

import pytest

import refdp
from refdp.kernel import rules
from refdp.provers.witnesses import NoWitness, refuted_by_output


def noisy_count():
    return refdp.theorem(refdp.threshold_count(5) >> refdp.discrete_laplace(scale=4), d_in=1)


def replayed(theorem, path):
    refdp.write_certificate(theorem, path)
    (one,) = refdp.check(path)["certificates"]
    return one


def test_theorem_of_ones_own_replays_from_its_file(tmp_path):
    both = rules.compose(noisy_count(), noisy_count())
    found = replayed(both, tmp_path / "both.json")
    assert (found["verdict"], found["conclusion"]) == ("PROVED", str(both.claim.term))


def test_refutation_of_ones_own_replays_from_its_file(tmp_path):
    claim = "private(discrete_laplace(4, 1), grid(1), absolute(1), pure(1/5))"
    found = replayed(refuted_by_output(claim, {}, [Fraction(0), Fraction(1)], [Fraction(0)]), tmp_path / "no.json")
    assert (found["verdict"], found["conclusion"]) == ("REFUTED", f"refuted({claim})")


def test_search_among_inputs_outside_the_domain_says_so():
    claim = "private(discrete_laplace(4, 1), grid(1), absolute(1), pure(1/5))"
    with pytest.raises(NoWitness, match=r"no input is a member of grid\(1\)"):
        refuted_by_output(claim, {}, [0, 1], [0])


def test_certificate_that_is_changed_is_rejected(tmp_path):
    path = tmp_path / "both.json"
    refdp.write_certificate(rules.compose(noisy_count(), noisy_count()), path)
    path.write_text(path.read_text().replace("pure(1/2)", "pure(1/4)"))
    assert refdp.check(path)["certificates"][0]["verdict"] == "REJECTED"


def test_certificate_is_of_a_theorem(tmp_path):
    with pytest.raises(TypeError, match=r"theorem must be a Theorem, such as refdp.theorem makes, got Measurement"):
        refdp.write_certificate(refdp.discrete_laplace(scale=4), tmp_path / "no.json")
    with pytest.raises(OSError, match="must be a file in a folder that can be written to"):
        refdp.write_certificate(noisy_count(), tmp_path / "nowhere" / "both.json")
