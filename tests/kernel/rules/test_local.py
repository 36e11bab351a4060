"""Local randomisers are private by their own rules, from all of their lemmas; what is chosen in public is free."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.one_bit_flip import ONE_BIT_FLIP
from refdp.mechanisms.rappor import RAPPOR
from refdp.mechanisms.subset_selection import SUBSET_SELECTION
from refdp.mechanisms.symmetric_unary_encoding import SYMMETRIC_UNARY_ENCODING
from refdp.proofs.lines import proved
from refdp.spec import obligations, registry
from refdp.spec.semantics import draws_numbers, law
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.exactness.entering import entered, given, written
from tests.kinds import believed, instead, mechanism, noise, response

OWN = {
    "symmetric_unary_encoding": "bitwise_law", "optimised_unary_encoding": "bitwise_law", "d_bit_flip": "bitwise_law",
    "permanent_response": "bitwise_law", "rappor": "bitwise_law", "subset_selection": "supported_law",
    "one_bit_flip": "supported_law", "hadamard_response": "supported_law", "hadamard_entry_response": "supported_law",
    "one_bit_mean": "bit_of_rate",
}  # fmt: skip


@pytest.mark.parametrize("stem", OWN)
def test_local_randomiser_is_private_by_its_own_rule(stem):
    theorem = mechanism(stem)
    assert (theorem.rule, theorem.claim.measure) == (OWN[stem], "pure")
    for other in {*OWN.values(), "finite_law"} - {OWN[stem]}:
        with pytest.raises(KernelError, match="is not a registered"):
            getattr(rules, other)(*theorem.premises, stem=stem)


@pytest.mark.parametrize("stem", OWN)
def test_local_randomiser_with_a_lemma_missing_more_or_in_another_order_is_refused(stem):
    needed, rule = mechanism(stem).premises, getattr(rules, OWN[stem])
    wrong = [needed[:i] + needed[i + 1 :] for i in range(len(needed))]
    wrong += [(*needed, believed("composition.weaken")), needed[::-1], (*needed, needed[0]), ()]
    for lemmas in wrong:
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            rule(*lemmas, stem=stem)


def test_the_relation_decides_metric_and_obligations():
    found = {stem: str(mechanism(stem).claim.metric) for stem in ("d_bit_flip", "permanent_response", "rappor")}
    assert found == {"d_bit_flip": "discrete", "permanent_response": "l1", "rappor": "exchange"}
    for relation, key in (("l1", "ratio_bounds_a_changed_bit"), ("exchange", "ratio_bounds_an_exchanged_bit")):
        with instead(replace(RAPPOR, relation=relation)):
            assert key in obligations.privacy("rappor")
            claim = mechanism("rappor").claim
            assert claim.metric == relation


def test_lemmas_about_exchanged_bits_say_nothing_of_any_bits():
    """The report's ratio is that of a bit that falls with one that rises: any bits may all rise."""
    premises = mechanism("rappor").premises
    with instead(replace(RAPPOR, relation="l1")), pytest.raises(KernelError, match="the premises must be the lemmas"):
        rules.bitwise_law(*premises, stem="rappor")


def test_lemmas_of_other_formulas_are_refused():
    premises = mechanism("symmetric_unary_encoding").premises
    half = written("ratio_bound", "truth", "truth / (1 - truth)")
    with (
        instead(replace(SYMMETRIC_UNARY_ENCODING, ratio_bound=half)),
        pytest.raises(KernelError, match="the premises must be the lemmas"),
    ):
        rules.bitwise_law(*premises, stem="symmetric_unary_encoding")


@pytest.mark.parametrize("relation", ["", "discrete", "linf", "values"])
def test_a_relation_that_there_is_not_has_no_obligations(relation):
    with entered(replace(RAPPOR, stem="m", relation=relation)), pytest.raises(TermError, match="relation of m must be"):
        obligations.privacy("m")


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        (SUBSET_SELECTION, {"support": "hadamard"}, "chosen is for subsets alone"),
        (SUBSET_SELECTION, {"support": "mine"}, "support must be one of"),
        (SUBSET_SELECTION, {"chosen": None}, "chosen is for subsets alone"),
        (ONE_BIT_FLIP, {"support": "subset"}, "chosen is for subsets alone"),
        (ONE_BIT_FLIP, {"support": ""}, "support must be one of"),
        (ONE_BIT_FLIP, {"chosen": written("chosen", "k", "k")}, "chosen is for subsets alone"),
        (ONE_BIT_FLIP, {"size": written("size", "k", "k / 2")}, "is not integer-valued"),
        (ONE_BIT_FLIP, {"size": written("size", "truth", "truth")}, "is not integer-valued"),
        (SUBSET_SELECTION, {"chosen": written("chosen", "d", "d / 2")}, "is not integer-valued"),
        (RAPPOR, {"dimension": written("dimension", "f", "f")}, "is not integer-valued"),
        (RAPPOR, {"sent": written("sent", "bits", "bits / 2")}, "is not integer-valued"),
    ],
)
def test_a_kind_that_says_nothing_has_no_obligations(kind, change, said):
    with entered(replace(kind, stem="m", **change)), pytest.raises(TermError, match=said):
        obligations.privacy("m")


def test_public_coordinate_has_the_loss_of_the_mechanism():
    one = mechanism("one_bit_flip")
    claim = rules.public_coordinate(one).claim
    assert str(claim.term) == (
        "private(public_coordinate(one_bit_flip(k, truth), n), vector(finite(k), n), discrete(1), pure(ln(truth / "
        "(1 - truth))), integer(k), 1 <= k, 1/2 <= truth, truth < 1, integer(n), 1 <= n)"
    )
    loose = rules.public_coordinate(response("approximate", "2"), n="5").claim
    assert loose.d_out == response("approximate", "2").claim.d_out
    assert loose.given == ()


@pytest.mark.parametrize("n", ["0", "-1", "1/2", "3/2"])
def test_public_coordinate_of_no_number_of_coordinates_is_refused(n):
    with pytest.raises(KernelError, match=r"does not hold|must be a whole number"):
        rules.public_coordinate(response(), n=n)


@pytest.mark.parametrize(
    ("premise", "said"),
    [
        (lambda: noise(), "expected a claim about any two values"),
        (lambda: mechanism("rappor"), "expected a claim about any two values"),
        (lambda: rules.pure_to_concentrated(mechanism("one_bit_flip")), "expected pure or approximate DP"),
        (lambda: believed("composition.weaken"), "takes a private claim"),
        (lambda: given(replace(mechanism("one_bit_flip").claim, d_in=read("2"))), "expected a claim about any two"),
        (lambda: given(replace(mechanism("one_bit_flip").claim, d_in=read("1/2"))), "expected a claim about any two"),
    ],
)
def test_public_coordinate_of_another_claim_is_refused(premise, said):
    with pytest.raises(KernelError, match=said):
        rules.public_coordinate(premise())


def test_public_coordinate_needs_a_premise():
    with pytest.raises((KernelError, TypeError)):
        rules.public_coordinate()


def kept(stem="permanent_response", rate="0"):
    """What is kept, and that the masses of what reports it sum to 1."""
    return mechanism(stem), rules.instantiate(proved("rappor.normalised"), values={"f": rate})


def test_reports_of_one_response_have_its_loss():
    claim = rules.reports_of_one(*kept()).claim
    assert str(claim.term) == (
        "private(reports_of_one(permanent_response(bits, f), rappor(bits, 0, p, q), n), vector(finite(2), bits), "
        "l1(d_in), pure(d_in * ln((1 - f / 2) / (f / 2))), integer(bits), 1 <= bits, 0 < f, f <= 1, 0 <= d_in, 0 < p, "
        "p <= q, q < 1, integer(n), 1 <= n)"
    )
    one = rules.reports_of_one(mechanism("one_bit_mean"), proved("randomised_response.normalised"), n="7").claim
    assert str(one.subject) == "reports_of_one(one_bit_mean(greatest, ratio), randomised_response(truth), 7)"
    assert one.d_out == mechanism("one_bit_mean").claim.d_out
    loose = rules.reports_of_one(response("approximate", "2"), proved("randomised_response.normalised")).claim
    assert loose.d_out == response("approximate", "2").claim.d_out


@pytest.mark.parametrize("n", ["0", "-1", "1/2"])
def test_reports_of_one_of_no_number_of_reports_are_refused(n):
    with pytest.raises(KernelError, match=r"does not hold|must be a whole number"):
        rules.reports_of_one(*kept(), n=n)


@pytest.mark.parametrize(
    ("premises", "said"),
    [
        (lambda: (kept()[0], kept()[0]), "expected a private claim, and that masses sum to 1"),
        (lambda: (kept()[1], kept()[1]), "expected a private claim, and that masses sum to 1"),
        (lambda: (kept()[0], proved("rappor.sampler_law")), "expected that masses sum to 1"),
        (lambda: (rules.pure_to_concentrated(kept()[0]), kept()[1]), "expected pure or approximate DP"),
        (lambda: (kept()[0], proved("randomised_response.normalised")), "must be finite"),
        (lambda: (mechanism("one_bit_mean"), kept()[1]), r"must be vector\(finite"),
        (lambda: (mechanism("symmetric_unary_encoding"), kept()[1]), r"must be vector\(finite\(2\), bits\), got vec"),
        (lambda: (mechanism("d_bit_flip"), kept()[1]), "are no inputs of another mechanism"),
        (lambda: (mechanism("subset_selection"), kept()[1]), "are no inputs of another mechanism"),
        (lambda: (noise(), kept()[1]), "are no inputs of another mechanism"),
        (lambda: (kept()[0], proved("one_bit_mean.normalised")), "makes no reports of a value"),
        (lambda: (kept()[0], proved("discrete_laplace.normalised")), "makes no reports of a value"),
    ],
)
def test_reports_of_one_of_another_claim_are_refused(premises, said):
    with pytest.raises(KernelError, match=said):
        rules.reports_of_one(*premises())


def test_reports_of_one_need_both_premises():
    for premises in ((), kept()[:1], (*kept(), kept()[1])):
        with pytest.raises((KernelError, TypeError)):
            rules.reports_of_one(*premises)


def test_reports_are_no_numbers_that_a_second_mechanism_may_read():
    drawn = {
        "one_bit_mean(1, 4)": True,
        "hadamard_response(3, 4/5)": False,
        "subset_selection(3, 1, 4/5)": False,
        "symmetric_unary_encoding(3, 4/5)": False,
        "public_coordinate(randomised_response(3/4), 2)": False,
        "reports_of_one(one_bit_mean(1, 4), randomised_response(3/4), 2)": False,
    }
    assert {s: draws_numbers(read(s)) for s in drawn} == drawn


@pytest.mark.parametrize(
    ("subject", "x", "said"),
    [
        ("public_coordinate(randomised_response(3/4), 2)", (F(0),), "must be a vector of 2 coordinates"),
        ("public_coordinate(randomised_response(3/4), 2)", F(0), "must be a vector of 2 coordinates"),
        ("public_coordinate(randomised_response(3/4), 2)", (F(0), F(2)), "not in the domain"),
        ("public_coordinate(randomised_response(3/4), 1/2)", (F(0),), "must be a whole number"),
        ("public_coordinate(randomised_response(3/4), 0)", (), "must be a whole number"),
        ("reports_of_one(one_bit_mean(1, 4), randomised_response(3/4), 0)", F(0), "must be a whole number"),
        ("reports_of_one(one_bit_mean(1, 4), randomised_response(3/4), 2)", F(2), "not in the domain"),
        ("reports_of_one(permanent_response(2, 1/2), rappor(3, 0, 1/3, 2/3), 1)", (F(0), F(1)), "not in the domain"),
        ("symmetric_unary_encoding(3, 4/5)", F(3), "not in the domain"),
        ("symmetric_unary_encoding(3, 4/5)", F(-2), "not in the domain"),
        ("hadamard_response(3, 4/5)", F(-1), "not in the domain"),
        ("rappor(2, 1/2, 1/2, 3/4)", (F(0),), "not in the domain"),
        ("rappor(2, 1/2, 1/2, 3/4)", (F(0), F(2)), "not in the domain"),
        ("one_bit_mean(1, 4)", F(6, 5), "not in the domain"),
        ("one_bit_mean(1, 4)", F(-1, 5), "not in the domain"),
        ("symmetric_unary_encoding(64, 4/5)", F(3), "more than 100000 outcomes"),
        ("subset_selection(64, 32, 4/5)", F(3), "more than 100000 outcomes"),
        ("d_bit_flip(400, 3, 4/5)", F(3), "more than 100000 outcomes"),
        ("hadamard_response(1000000, 4/5)", F(3), "more than 100000 outcomes"),
        ("symmetric_unary_encoding(3, 1/3)", F(0), "breaks"),
    ],
)
def test_laws_of_what_is_no_input_or_too_large_are_refused(subject, x, said):
    with pytest.raises(TermError, match=said):
        law(read(subject), x)


def test_a_law_without_a_report_that_supports_is_refused():
    """All subsets hold every value if they hold all values: then no report is left for the lie."""
    wider = replace(SUBSET_SELECTION, stem="m", conditions=(read("integer(k)"), read("integer(d)")))
    with entered(wider):
        for d in (0, 3):
            with pytest.raises(TermError, match="1 reports support 0"):
                law(read(f"m(3, {d}, 4/5)"), F(0))
    with entered(replace(ONE_BIT_FLIP, stem="m", support="mine")), pytest.raises(TermError, match="support must be"):
        law(read("m(3, 4/5)"), F(0))


def test_every_local_randomiser_is_here():
    kinds = {"BitwiseLaw", "SupportedLaw", "BitOfRate"}
    assert set(OWN) == {k.stem for k in registry.kinds() if type(k).__name__ in kinds}
