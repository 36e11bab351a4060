"""From one measure to another: each bound is the stated one, and no other measure is converted."""

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.numerics.exact import decide
from refdp.terms.reading import read
from refdp.terms.term import ln, number, sqrt
from tests.kinds import believed, gaussian_at_1, noise, noisy_count, response, summed

CONVERSIONS = {
    rules.pure_to_approximate: "pure",
    rules.pure_to_concentrated: "pure",
    rules.concentrated_to_approximate: "concentrated",
    rules.concentrated_to_renyi: "concentrated",
    rules.renyi_to_approximate: "renyi",
    rules.pure_to_renyi: "pure",
    rules.gaussian_to_approximate: "gaussian",
    rules.gaussian_to_concentrated: "gaussian",
    rules.pure_to_gaussian: "pure",
}


def test_pure_loss_is_an_approximate_one_with_delta_0():
    assert [str(t) for t in rules.pure_to_approximate(response()).claim.d_out] == ["ln(3)", "0"]
    assert [str(t) for t in rules.pure_to_approximate(noise()).claim.d_out] == ["d_in / scale", "0"]


def test_pure_loss_has_a_delta_at_each_smaller_epsilon():
    assert [str(t) for t in rules.pure_to_approximate(response(), epsilon="ln(2)").claim.d_out] == ["ln(2)", "1/4"]
    assert [str(t) for t in rules.pure_to_approximate(response(), epsilon="0").claim.d_out] == ["0", "1/2"]
    assert [str(t) for t in rules.pure_to_approximate(response(), epsilon="ln(3)").claim.d_out] == ["ln(3)", "0"]
    family = rules.pure_to_approximate(noise(), epsilon="epsilon").claim
    assert str(family.d_out[1]) == "(exp(d_in / scale) - exp(epsilon)) / (exp(d_in / scale) + 1)"
    assert [str(c) for c in family.given[-2:]] == ["0 <= epsilon", "epsilon <= d_in / scale"]


def test_pure_loss_has_a_renyi_divergence_at_each_order():
    assert [str(t) for t in rules.pure_to_renyi(response(), order="2").claim.d_out] == ["2", "ln(7/3)"]
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.pure_to_renyi(response(), order="2", d_out=["2", "0.847"])
    for order in ("1", "1/2", "-2"):
        with pytest.raises(KernelError):
            rules.pure_to_renyi(response(), order=order, d_out=[order, "9"])
    assert str(rules.pure_to_renyi(noise()).claim.given[-1]) == "1 < order"


def test_renyi_loss_is_one_at_smaller_orders_only():
    renyi = rules.concentrated_to_renyi(gaussian_at_1(), order="4")
    assert rules.renyi_at_smaller_order(renyi, order="4").claim.d_out == renyi.claim.d_out
    assert str(rules.renyi_at_smaller_order(renyi, order="3/2").claim.d_out[0]) == "3/2"
    for order in ("5", "1", "1/2"):
        with pytest.raises(KernelError, match="does not hold"):
            rules.renyi_at_smaller_order(renyi, order=order)


@pytest.mark.parametrize("epsilon", ["-1/10", "ln(1/2)", "ln(4)", "2"])
def test_pure_loss_at_a_negative_or_larger_epsilon_is_refused(epsilon):
    with pytest.raises(KernelError, match="does not hold"):
        rules.pure_to_approximate(response(), epsilon=epsilon, d_out=["9", "1"])


def test_pure_loss_at_a_smaller_epsilon_with_too_small_a_delta_is_refused():
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.pure_to_approximate(response(), epsilon="ln(2)", d_out=["ln(2)", "0.249"])
    with pytest.raises(KernelError, match="without another epsilon"):
        rules.pure_to_approximate(response(), d_out=["2", "0"])


def test_renyi_loss_is_approximate_at_each_delta():
    renyi = rules.concentrated_to_renyi(gaussian_at_1(), order="11")
    simple, sharp = (["2.7566", "1/1000000"], ["2.4215", "1/1000000"])
    assert rules.renyi_to_approximate(renyi, delta="1/1000000", d_out=simple)
    assert rules.renyi_to_approximate(renyi, delta="1/1000000", sharp="yes", d_out=sharp)
    for form, least in (("no", "2.7565"), ("yes", "2.4214")):
        with pytest.raises(KernelError, match="not an upper bound"):
            rules.renyi_to_approximate(renyi, delta="1/1000000", sharp=form, d_out=[least, "1/1000000"])
    family = rules.renyi_to_approximate(rules.concentrated_to_renyi(noise("gaussian", "concentrated"))).claim
    assert [str(c) for c in family.given[-3:]] == ["1 < order", "0 < delta", "delta < 1"]
    assert str(family.d_out[0]).endswith("* order + ln(1 / delta) / (order - 1)")


def test_renyi_loss_at_no_probability_or_in_no_form_is_refused():
    renyi = rules.concentrated_to_renyi(gaussian_at_1(), order="3")
    for delta in ("0", "1", "-1/2", "2"):
        with pytest.raises(KernelError):
            rules.renyi_to_approximate(renyi, delta=delta, d_out=["100", "100"])
    with pytest.raises(KernelError, match="expected yes or no"):
        rules.renyi_to_approximate(renyi, delta="1/2", sharp="maybe", d_out=["100", "100"])
    with pytest.raises(KernelError, match="give a rational upper bound"):
        rules.renyi_to_approximate(renyi, delta="1/10", sharp="yes")


def test_pure_loss_is_half_its_square_concentrated():
    assert str(rules.pure_to_concentrated(noisy_count("3")).claim.d_out[0]) == "1/18"
    assert str(rules.pure_to_concentrated(noise()).claim.d_out[0]) == "(d_in / scale) ** 2 / 2"
    assert str(rules.pure_to_concentrated(response(), d_out=["0.60348"]).claim.d_out[0]) == "15087/25000"


def test_pure_loss_of_which_the_bound_is_too_small_is_refused():
    """(ln 3)^2 / 2 = 0.603474..."""
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.pure_to_concentrated(response(), d_out=["0.60347"])
    with pytest.raises(KernelError, match="give a rational upper bound"):
        rules.pure_to_concentrated(response())


def test_concentrated_loss_is_approximate_at_each_delta():
    family = rules.concentrated_to_approximate(noise("discrete_gaussian", "concentrated")).claim
    assert str(family.d_out[0]) == (
        "d_in ** 2 / (2 * sigma ** 2) + 2 * sqrt(d_in ** 2 / (2 * sigma ** 2) * ln(1 / delta))"
    )
    assert [str(c) for c in family.given[-2:]] == ["0 < delta", "delta < 1"]
    closed = rules.concentrated_to_approximate(gaussian_at_1(), delta="1/1000000", d_out=["2.7533", "1/1000000"])
    exact = number(1) / 8 + 2 * sqrt(number(1) / 8 * ln(1000000))
    assert decide(exact <= closed.claim.d_out[0])
    assert not decide(exact <= read("27532/10000"))


@pytest.mark.parametrize("delta", ["0", "1", "2", "-1/2", "ln(1)"])
def test_concentrated_loss_at_no_probability_is_refused(delta):
    with pytest.raises(KernelError):
        rules.concentrated_to_approximate(gaussian_at_1(), delta=delta, d_out=["100", "100"])


def test_concentrated_loss_of_which_a_bound_is_too_small_is_refused():
    for bounds in (["2.7532", "1/1000000"], ["2.7533", "1/1000001"]):
        with pytest.raises(KernelError, match="not an upper bound"):
            rules.concentrated_to_approximate(gaussian_at_1(), delta="1/1000000", d_out=bounds)


def test_concentrated_loss_is_a_renyi_loss_at_each_order_above_1():
    assert [str(t) for t in rules.concentrated_to_renyi(gaussian_at_1(), order="10").claim.d_out] == ["10", "5/4"]
    family = rules.concentrated_to_renyi(noise("gaussian", "concentrated")).claim
    assert [str(t) for t in family.d_out] == ["order", "d_in ** 2 / (2 * sigma ** 2) * order"]
    assert str(family.given[-1]) == "1 < order"


@pytest.mark.parametrize("order", ["1", "0", "-2", "1/2"])
def test_concentrated_loss_at_an_order_of_1_or_less_is_refused(order):
    with pytest.raises(KernelError, match="does not hold"):
        rules.concentrated_to_renyi(gaussian_at_1(), order=order)


@pytest.mark.parametrize(("rule", "measure"), CONVERSIONS.items(), ids=lambda x: getattr(x, "__name__", x))
def test_conversion_of_another_measure_is_refused(rule, measure):
    of = {
        "pure": response(),
        "approximate": response("approximate", "2"),
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


@pytest.mark.parametrize("text", ["x.y", "0.5", "1 <", "'a'", "records()"])
def test_conversion_at_what_is_no_number_is_refused(text):
    with pytest.raises(KernelError):
        rules.concentrated_to_renyi(gaussian_at_1(), order=text)
    with pytest.raises(KernelError):
        rules.concentrated_to_approximate(gaussian_at_1(), delta=text)
    with pytest.raises(KernelError):
        rules.pure_to_approximate(response(), epsilon=text)
