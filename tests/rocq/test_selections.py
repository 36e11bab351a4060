"""Selections for Rocq: what a file says of them, and that one inside a chain is refused."""

import json

import pytest

from refdp.kernel.judgements import KernelError
from refdp.rocq import judgements, selections
from refdp.rocq.claims import OBLIGATIONS, WHOLE
from refdp.rocq.terms import NotInRocq
from refdp.rocq.writing import Export
from refdp.terms.reading import read
from scripts import rocq

CLAIMS = {
    "exponential.pure": ("Tables.linf (Z.to_nat candidates) d_in", "pure (2 * d_in / scale)"),
    "exponential.approximate": ("Tables.linf (Z.to_nat candidates) d_in", "approximate (2 * d_in / scale) 0"),
    "exponential.monotone": ("Tables.monotone (Z.to_nat candidates) d_in", "pure (2 * d_in / scale / 2)"),
}


@pytest.fixture(scope="module")
def files():
    return {one["claim"]: one for one in rocq.exported([*CLAIMS, "quantile_scores.quantile"])}


@pytest.mark.parametrize("claim", CLAIMS)
def test_the_exponential_mechanism_is_written_whole(claim, files):
    near, loss = CLAIMS[claim]
    assert files[claim]["status"] == WHOLE
    last = files[claim]["text"].rpartition("\nTheorem ")[2].partition("\nProof.")[0]
    mechanism = "SelectionClaims.by_weights (fun score => score / scale) (Z.to_nat candidates)"
    assert last.endswith(f"1 <= IZR candidates -> private ({near}) ({mechanism}) ({loss}).")


@pytest.mark.parametrize("claim", ["exponential.pure", "exponential.monotone"])
def test_a_step_that_lacks_a_premise_has_all_of_them_twice_or_is_of_another_mechanism_is_no_step(claim):
    path = rocq.CERTIFICATES / f"{claim}.json"
    for forge in (
        lambda step: step.update(premises=[]),
        lambda step: step.update(premises=step["premises"][1:]),
        lambda step: step.update(premises=[*step["premises"], *step["premises"]]),
        lambda step: step["data"].update(stem="permute_and_flip"),
    ):
        certificate = json.loads(path.read_text(encoding="utf-8"))
        (step,) = (one for one in certificate["steps"] if one["rule"].endswith("_selection"))
        forge(step)
        with pytest.raises(KernelError):
            rocq.theorem_of(certificate)


def test_one_inside_a_chain_is_refused_for_want_of_its_domain(files):
    found = files["quantile_scores.quantile"]
    assert found["status"] == OBLIGATIONS
    assert "exponential is written by itself alone" in found["missing"]["chain"]
    with pytest.raises(NotInRocq, match="for the number of entries of its domain"):
        judgements.subject(Export(), read("exponential(2)"), frozenset())


@pytest.mark.parametrize(
    ("domain", "size"), [("vector(reals(), 3)", "(Z.to_nat 3)"), ("vector(reals(), n)", "(Z.to_nat n)")]
)
def test_candidates_are_as_many_as_entries_of_the_domain(domain, size):
    written = selections.by_weights(Export(), read("exponential(2)"), read(domain), frozenset({"n"}))
    assert written == f"SelectionClaims.by_weights (fun score => score / 2) {size}"
