"""Between approximate DP, the tail of the loss and the printed ratio: each bound is the stated one."""

from fractions import Fraction

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.numerics.exact import decide
from refdp.spec import obligations
from refdp.spec.semantics import loss
from refdp.terms.reading import read
from refdp.terms.term import exp, ln, number
from tests.exactness.laws import chances
from tests.kinds import believed, gaussian_at_1, lemmas, noise, noisy_count, response, summed

CONVERSIONS = {
    rules.pure_to_loss_tail: "pure",
    rules.loss_tail_to_approximate: "loss_tail",
    rules.approximate_to_loss_tail: "approximate",
    rules.ratio_to_pure: "ratio",
    rules.pure_to_ratio: "pure",
}


def losses(theorem):
    """Measure and d_out."""
    return theorem.claim.measure, [str(t) for t in theorem.claim.d_out]


def test_loss_under_pure_dp_has_no_tail():
    assert losses(rules.pure_to_loss_tail(noise())) == ("loss_tail", ["d_in / scale", "0"])


def test_tail_is_a_delta():
    assert losses(rules.loss_tail_to_approximate(response("loss_tail", "2"))) == ("approximate", ["ln(2)", "3/4"])


def test_delta_is_a_tail_at_a_larger_epsilon_only():
    approximate = response("approximate", "2")
    assert losses(approximate) == ("approximate", ["ln(2)", "1/4"])
    wider = rules.approximate_to_loss_tail(approximate, epsilon="ln(5/2)")
    assert losses(wider) == ("loss_tail", ["ln(5/2)", "5/4"])
    for epsilon in ("ln(2)", "1/2", "0"):
        with pytest.raises(KernelError, match="does not hold"):
            rules.approximate_to_loss_tail(approximate, epsilon=epsilon, d_out=["9", "9"])
    family = rules.approximate_to_loss_tail(rules.pure_to_approximate(noise()))
    assert str(family.claim.given[-1]) == "d_in / scale < epsilon"
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.approximate_to_loss_tail(approximate, epsilon="ln(5/2)", d_out=["ln(5/2)", "1.24"])


def test_ratio_is_one_factor():
    assert losses(response("ratio", "2")) == ("ratio", ["ln(2)", "1"])
    assert losses(rules.ratio_to_pure(response("ratio", "2"))) == ("pure", ["ln(3)"])
    assert losses(rules.pure_to_ratio(response(), epsilon="ln(2)")) == ("ratio", ["ln(2)", "1"])
    assert losses(rules.pure_to_ratio(response(), epsilon="ln(3)")) == ("ratio", ["ln(3)", "0"])
    with pytest.raises(KernelError, match="does not hold"):
        rules.pure_to_ratio(response(), epsilon="ln(4)")
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.pure_to_ratio(noisy_count(), epsilon="0", d_out=["0", "1.718"])


@pytest.mark.parametrize(("rule", "measure"), CONVERSIONS.items(), ids=lambda x: getattr(x, "__name__", x))
def test_conversion_of_another_measure_is_refused(rule, measure):
    of = {
        "pure": response(),
        "approximate": response("approximate", "2"),
        "loss_tail": response("loss_tail", "2"),
        "ratio": response("ratio", "2"),
        "concentrated": gaussian_at_1(),
        "renyi": rules.concentrated_to_renyi(gaussian_at_1(), order="2"),
    }
    for other, theorem in of.items():
        if other != measure:
            with pytest.raises(KernelError, match=f"expected a private claim under {measure}"):
                rule(theorem)


@pytest.mark.parametrize("rule", CONVERSIONS, ids=lambda r: r.__name__)
def test_conversion_of_what_is_no_private_claim_is_refused(rule):
    for theorem in (summed("count"), believed("composition.weaken")):
        with pytest.raises(KernelError, match="expected a private claim"):
            rule(theorem)


def unbounded(stem="gaussian"):
    """|- the noise has no finite loss."""
    return rules.unbounded_loss(*lemmas(stem, obligations.unbounded_loss(stem)), stem=stem)


def test_loss_without_bound_is_within_no_factor():
    found = rules.never_private(unbounded(), measure="ratio")
    assert str(found.claim.term) == (
        "never_private(gaussian(sigma), absolute(d_in), ratio(epsilon, delta), 0 < sigma, 0 < d_in)"
    )
    at_1 = rules.instantiate(found, values={"sigma": "1", "d_in": "2", "delta": "1/10"})
    assert str(at_1.claim.term) == "never_private(gaussian(1), absolute(2), ratio(epsilon, 1/10))"
    grid = rules.never_private(unbounded("discrete_gaussian"), measure="pure").claim
    assert str(grid.said[-1]) == "pure(epsilon)"
    with pytest.raises(KernelError, match="does not hold"):
        rules.instantiate(found, values={"d_in": "0"})


def test_loss_without_bound_breaks_each_factor_at_some_output():
    """The exact loss of discrete Gaussian noise, far enough out, at random sigma, epsilon and delta."""
    for chance in chances("never private", 100):
        sigma, epsilon, delta = chance.randint(1, 30), chance.randint(0, 9), Fraction(chance.randint(0, 20), 10)
        subject = read(f"discrete_gaussian({sigma}, 1)")
        factor = exp(number(epsilon)) + number(delta)
        output = next(
            y
            for y in (-(10**n) for n in range(1, 9))
            if loss(subject, Fraction(y), Fraction(0), Fraction(1)) > epsilon + 2
        )
        assert decide(ln(factor) < number(loss(subject, Fraction(output), Fraction(0), Fraction(1))))


@pytest.mark.parametrize("measure", ["approximate", "concentrated", "renyi", "loss_tail", "mine"])
def test_loss_without_bound_says_nothing_of_another_measure(measure):
    with pytest.raises(KernelError, match="measure must be pure or ratio"):
        rules.never_private(unbounded(), measure=measure)


def test_loss_without_bound_keeps_its_names():
    taken = rules.instantiate(unbounded(), values={"sigma": "epsilon"})
    with pytest.raises(KernelError, match="epsilon stands for something else"):
        rules.never_private(taken, measure="pure")


def test_loss_with_a_bound_or_another_law_is_refused():
    law = rules.normalised(*lemmas("gaussian", obligations.law("gaussian")), stem="gaussian")
    for theorem in (noise(), law, believed("composition.weaken")):
        with pytest.raises(KernelError, match="expected an unbounded loss"):
            rules.never_private(theorem, measure="ratio")


def test_tail_and_ratio_do_not_go_into_groups_or_parts():
    tails = [rules.pure_to_loss_tail(noisy_count()), rules.pure_to_ratio(noisy_count(), epsilon="1")]
    for theorem in tails:
        with pytest.raises(KernelError, match="group privacy is stated for"):
            rules.group(theorem, k="2")
        with pytest.raises(KernelError, match="parallel composition is stated for"):
            rules.parallel(theorem, partition="category_of('island', list_of('A'), 1)", neighbours="add_remove")


def test_tail_is_not_post_processed():
    with pytest.raises(KernelError, match="may widen the tail"):
        rules.post_process(response("loss_tail", "2"), function="clamp_output(0, 1)")
    assert rules.post_process(response("ratio", "2"), function="clamp_output(0, 1)").claim.measure == "ratio"


def test_enumerated_ratio_of_an_outcome_that_is_impossible_elsewhere_is_refused():
    subject = "listed(tuple_of(tuple_of(1, 0), tuple_of(1/2, 1/2)))"
    words = {"subject": subject, "domain": "finite(2)", "metric": "discrete", "d_in": "1"}
    with pytest.raises(KernelError, match="possible under only one"):
        rules.finite_mechanism(**words, measure="ratio")
    tail = rules.finite_mechanism(**words, measure="loss_tail", factor="9")
    assert losses(tail) == ("loss_tail", ["ln(9)", "1/2"])
