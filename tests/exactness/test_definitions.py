"""The tail of the loss and the printed ratio against their definitions: what follows from them, and what does not."""

from fractions import Fraction as F
from itertools import combinations

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.terms.term import ln, number
from tests.exactness.claims import FACTORS, ln_of, private, tight
from tests.exactness.definition import near, pairs_of, satisfied, worst_excess, worst_ratio, worst_tail
from tests.exactness.entering import entered, given, lookup
from tests.exactness.laws import INSTANCES, chances, image, random_laws, share

pytestmark = pytest.mark.usefixtures("nameless")

INPUTS = tuple(range(3))
CLOSE = near(INPUTS, "absolute", 1)


def premise(measure, d_out):
    """The claim about m as a theorem."""
    return given(private("m()", "finite(3)", "absolute", 1, measure, d_out))


def some(test, least=0, count=INSTANCES):
    """Random laws, the pairs of neighbouring ones, and a generator."""
    for chance in chances(test, count):
        laws = random_laws(chance, INPUTS, chance.randint(2, 4), least)
        yield laws, pairs_of(laws, CLOSE), chance


def test_loss_tail_to_approximate_is_never_exceeded_and_never_the_other_way():
    """The excess is at most the tail; the tail is often more than the excess, so there is no converse."""
    wider = 0
    for _, pairs, chance in some("loss tail to approximate"):
        loss = tight("loss_tail", pairs, chance)
        claim = rules.loss_tail_to_approximate(premise("loss_tail", loss)).claim
        assert (claim.measure, claim.d_out) == ("approximate", loss)
        assert satisfied("approximate", claim.d_out, pairs)
        excess = worst_excess(pairs, F(1) if loss[0] == number(0) else loss[0].arguments[0].rational)
        wider += not satisfied("loss_tail", (loss[0], number(excess)), pairs)
    assert wider > share(500)


def test_approximate_to_loss_tail_is_never_exceeded_at_a_larger_epsilon():
    sharp = 0
    for _, pairs, chance in some("approximate to loss tail"):
        t, s = sorted(chance.sample([F(n, 4) for n in range(4, 16)], 2))
        delta = worst_excess(pairs, t)
        found = premise("approximate", (ln_of(t), number(delta)))
        claim = rules.approximate_to_loss_tail(found, epsilon=str(ln_of(s))).claim
        assert (claim.measure, claim.d_out) == ("loss_tail", (ln_of(s), number(delta * s / (s - t))))
        assert satisfied("loss_tail", claim.d_out, pairs)
        sharp += not satisfied("loss_tail", (ln_of(s), number(delta)), pairs)
        with pytest.raises(KernelError, match="does not hold"):
            rules.approximate_to_loss_tail(found, epsilon=str(ln_of(t)))
    assert sharp > share(300)


def test_pure_to_loss_tail_is_never_exceeded_and_would_be_at_a_little_less():
    for _, pairs, chance in some("pure to loss tail", 1):
        (epsilon,) = tight("pure", pairs, chance)
        claim = rules.pure_to_loss_tail(premise("pure", [epsilon])).claim
        assert (claim.measure, claim.d_out) == ("loss_tail", (epsilon, number(0)))
        assert satisfied("loss_tail", claim.d_out, pairs)
        less = ln(worst_ratio(pairs) * F(999, 1000))
        assert epsilon == number(0) or not satisfied("loss_tail", (less, number(0)), pairs)


def test_ratio_is_pure_both_ways():
    for _, pairs, chance in some("ratio", 1):
        epsilon, delta = tight("ratio", pairs, chance)
        pure = rules.ratio_to_pure(premise("ratio", (epsilon, delta))).claim
        assert satisfied("pure", pure.d_out, pairs)
        least = ln_of(worst_ratio(pairs))
        assert pure.d_out == (least,) or delta == number(0)
        s = chance.choice(FACTORS)
        if s > worst_ratio(pairs):
            with pytest.raises(KernelError, match="does not hold"):
                rules.pure_to_ratio(premise("pure", [least]), epsilon=str(ln_of(s)))
            continue
        back = rules.pure_to_ratio(premise("pure", [least]), epsilon=str(ln_of(s))).claim
        assert back.d_out == (ln_of(s), number(worst_ratio(pairs) - s))
        assert satisfied("ratio", back.d_out, pairs)


@pytest.mark.parametrize("measure", ["loss_tail", "ratio"])
def test_enumeration_finds_the_least_delta(measure):
    for laws, pairs, chance in some(f"enumerated {measure}", int(measure == "ratio")):
        factor = chance.choice(FACTORS)
        least = worst_tail(pairs, factor) if measure == "loss_tail" else max(worst_ratio(pairs) - factor, F(0))
        words = {"subject": "m()", "domain": "finite(3)", "metric": "absolute", "d_in": "1", "measure": measure}
        with entered(lookup("m", "finite(3)", laws)):
            claim = rules.finite_mechanism(**words, factor=str(factor)).claim
        assert claim.d_out == (ln_of(factor), number(least))
        assert satisfied(measure, claim.d_out, pairs)
        assert least == 0 or not satisfied(measure, (ln_of(factor), number(least * F(999, 1000))), pairs)


@pytest.mark.parametrize("measure", ["loss_tail", "ratio"])
def test_an_event_refutes_just_what_is_false(measure):
    """Every event of the two laws is tried: some event refutes a claim just if enumeration says that it is false."""
    false = 0
    for chance in chances(f"refuted {measure}"):
        laws = random_laws(chance, (0, 1), chance.randint(2, 3), 0)
        factor, delta = chance.choice([*FACTORS, F(0)]), F(chance.randint(0, 6), 10)
        epsilon = ln_of(factor) if factor else number(F(chance.randint(0, 8), 10))
        claim = private("m()", "finite(2)", "absolute", 1, measure, (epsilon, number(delta)))
        ys = list(laws[0])
        events = [e for n in range(1, len(ys) + 1) for e in combinations(ys, n)]
        with entered(lookup("m", "finite(2)", laws)):
            broken = any(is_refuted(claim, a, 1 - a, e) for a in (0, 1) for e in events)
        true = satisfied(measure, claim.d_out, pairs_of(laws, near((0, 1), "absolute", 1)))
        assert broken == (not true)
        false += broken
    assert share(200) < false < 900


def is_refuted(claim, a, b, event):
    """Whether the event refutes the claim."""
    try:
        rules.unlikely_elsewhere(claim=claim.term, a=str(a), b=str(b), event=f"tuple_of({', '.join(map(str, event))})")
    except KernelError as error:
        if "does not break" not in str(error):
            raise
        return False
    return True


def test_a_function_of_the_output_may_widen_the_tail_of_the_loss():
    widened = 0
    for laws, pairs, chance in some("widened"):
        images = {y: chance.randint(0, 1) for y in laws[0]}
        loss = tight("loss_tail", pairs, chance)
        after = {x: image(laws[x], images) for x in INPUTS}
        widened += not satisfied("loss_tail", loss, pairs_of(after, CLOSE))
        with pytest.raises(KernelError, match="may widen the tail"):
            rules.post_process(premise("loss_tail", loss), function="clamp_output(0, 1)")
    assert widened > share(50)
