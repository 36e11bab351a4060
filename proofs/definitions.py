"""definitions: what approximate DP says of the privacy loss, of outcomes and of groups, and what it does not say."""

from collections.abc import Callable
from fractions import Fraction

from refdp.kernel import rules
from refdp.kernel.theorem import Theorem
from refdp.proofs import composition, discrete_laplace, gaussian
from refdp.proofs.lemmas import false_at
from refdp.provers.lemmas import lemma
from refdp.provers.witnesses import refuted_by_event, refuted_by_output

BARELY = "randomised_response(68/93)"
"""Its ratio is 2.72, a little more than e."""
NEARLY_ALWAYS = "randomised_response(99001/100000)"
"""(ln(99), 1/1000)-DP, with a loss of more than ln(99) in 99 of 100 answers."""
NARROW = "listed(tuple_of(tuple_of(1/10, 2/5, 1/2), tuple_of(0, 1/5, 4/5)))"
"""Its loss is more than ln(2) at outcome 0 only; at outcome 1 it is just ln(2)."""
PUBLISHER = (
    "listed(tuple_of(tuple_of(99/100, 1/100, 0, 0), tuple_of(99/100, 0, 1/100, 0), tuple_of(99/100, 0, 0, 1/100)))"
)
"""It tells nothing with probability 99/100, and its input else."""
STEPS = "listed(tuple_of(tuple_of(3/10, 7/10), tuple_of(1/10, 9/10), tuple_of(0, 1)))"
"""Its excess over one step at t = 2 is 1/10, over two at t = 4 it is 3/10."""


def _enumerated(subject: str, domain: str, measure: str = "pure", factor: str = "1", **more: str) -> Theorem:
    """The least loss of a finite mechanism, between any two inputs unless `more` says otherwise."""
    near = {"metric": "discrete", "d_in": "1"} | more
    return rules.finite_mechanism(subject=subject, domain=domain, measure=measure, factor=factor, **near)


def _refuted(claim: str) -> Theorem:
    """The claim about a finite mechanism is false, by an event."""
    return refuted_by_event(claim, {}, map(Fraction, range(3)))


def _pointwise(key: str) -> Callable[[], Theorem]:
    """The proof of one inequality."""

    def inequality() -> Theorem:
        return lemma(f"definitions.{key}")

    return inequality


def _false(key: str, **values: str) -> Callable[[str], Theorem]:
    """The refutation of an implication, by laws that its hypotheses allow."""

    def counterexample(claim: str) -> Theorem:
        return false_at(f"definitions.{key}", **values)

    return counterexample


pointwise_loss_tail = _pointwise("excess_is_in_the_tail")
pointwise_wider_tail = _pointwise("tail_of_a_larger_epsilon")
pointwise_pure = _pointwise("singletons_suffice_for_pure")
total_variation_symmetric = _pointwise("total_variation_is_symmetric")
ratio_is_pure = _pointwise("ratio_is_pure")

quarters = {f"q_{i}": "1/4" for i in "1234"}
approximate_implies_loss_tail = _false("tail_is_the_delta", p_1="3/5", p_2="2/5", q_1="1/4", q_2="3/4", t="2", d="1/10")
pointwise_approximate = _false("singletons_suffice", p_1="1/2", p_2="1/2", p_3="0", p_4="0", **quarters, t="1", d="1/4")
rectangles_suffice = _false(
    "rectangles_suffice", p_00="1/2", p_01="0", p_10="0", p_11="1/2", q_00="0", q_01="1/2", q_10="1/2", q_11="0",
    t="1", d="1/2",
)  # fmt: skip
max_divergence_symmetric = _false("ratio_is_symmetric", p_1="1/4", p_2="3/4", q_1="1/2", q_2="1/2", t="3/2")
hockey_stick_symmetric = _false("excess_is_symmetric", p_1="1/4", p_2="3/4", q_1="1/2", q_2="1/2", t="3/2")
not_private_is_much_likelier = _false("not_private_is_much_likelier", p="2", q="1", t="3/2")


def loss_tail_of_the_narrow() -> Theorem:
    """The loss is more than ln(2) with probability 1/10."""
    return _enumerated(NARROW, "finite(2)", "loss_tail", "2")


def loss_tail_implies_approximate() -> Theorem:
    """The excess lies inside the tail."""
    return rules.loss_tail_to_approximate(loss_tail_of_the_narrow())


def loss_tail_post_processed(claim: str) -> Theorem:
    """False: merged with a likelier outcome of loss ln(2), the rare one takes it along."""
    return _refuted(claim)


def approximate_of_the_nearly_always() -> Theorem:
    """(ln(99), 1/1000)-DP, enumerated."""
    return _enumerated(NEARLY_ALWAYS, "finite(2)", "approximate", "99")


def probably_pure(claim: str) -> Theorem:
    """False: the loss exceeds ln(99) by little, but with probability 0.99."""
    return _refuted(claim)


def approximate_implies_a_wider_tail() -> Theorem:
    """At a larger epsilon, delta grows by e^epsilon over the difference."""
    return rules.approximate_to_loss_tail(approximate_of_the_nearly_always(), epsilon="ln(198)")


def delta_without_catastrophe() -> Theorem:
    """Whatever it answers, the loss is at most ln(3)."""
    return _enumerated("randomised_response(3/4)", "finite(2)", "loss_tail", "3")


def delta_of_the_response() -> Theorem:
    """The same mechanism has delta = 1/4 at epsilon = ln(2)."""
    return _enumerated("randomised_response(3/4)", "finite(2)", "approximate", "2")


def publishes_with_probability_delta() -> Theorem:
    """(0, 1/100)-DP: it tells its input in one answer of a hundred."""
    return _enumerated(PUBLISHER, "finite(3)", "approximate")


def publisher_is_pure(claim: str) -> Theorem:
    """False for this epsilon as for any: what is told under one input is impossible under the others."""
    return _refuted(claim)


def ratio_of_the_response() -> Theorem:
    """3/4 is at most (2 + 1) 1/4: enumerated, in the printed form."""
    return _enumerated("randomised_response(3/4)", "finite(2)", "ratio", "2")


def pure_from_the_ratio() -> Theorem:
    """(e^epsilon + delta) is one factor."""
    return rules.ratio_to_pure(ratio_of_the_response())


def pure_is_ratio() -> Theorem:
    """Pure DP in the printed form, for all scales."""
    return rules.pure_to_ratio(discrete_laplace.pure())


def ratio_form_of_gaussian() -> Theorem:
    """Gaussian noise has no finite loss, and the printed form asks for one."""
    return rules.never_private(gaussian.unbounded_loss(), measure="ratio")


def ratio_form_of_the_discrete_gaussian(claim: str) -> Theorem:
    """False: far out, the ratio of the masses is more than any factor."""
    return refuted_by_output(claim, {}, map(Fraction, range(2)), [Fraction(-200)])


def barely_private() -> Theorem:
    """2.72 is at most e^1.001."""
    return rules.weaken(_enumerated(BARELY, "finite(2)"), d_out=["1001/1000"])


def barely_not_private(claim: str) -> Theorem:
    """False: 2.72 is more than e."""
    return _refuted(claim)


def one_step() -> Theorem:
    """Inputs one apart: (ln(2), 1/10)."""
    return _enumerated(STEPS, "finite(3)", "approximate", "2", metric="absolute")


def two_steps() -> Theorem:
    """Inputs two apart: (2 ln(2), (1 + e^ln(2)) / 10), and no less."""
    return _enumerated(STEPS, "finite(3)", "approximate", "4", metric="absolute", d_in="2")


def two_steps_with_twice_delta(claim: str) -> Theorem:
    """False: delta k."""
    return _refuted(claim)


def two_steps_with_less(claim: str) -> Theorem:
    """False: a little less than delta (1 + e^epsilon)."""
    return _refuted(claim)


def replacement_costs_two() -> Theorem:
    """Add / remove to replacement, for all scales."""
    return composition.replaced_rows()
