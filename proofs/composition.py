"""composition: each rule of composition and conversion at work, and the pointwise inequality behind it."""

from collections.abc import Callable
from fractions import Fraction

from refdp.kernel import rules
from refdp.kernel.theorem import Theorem
from refdp.proofs import clamped_sum, count, discrete_gaussian, discrete_laplace, randomised_response
from refdp.proofs.lemmas import false_at, rows_are_stable, sum_is_stable
from refdp.provers.lemmas import lemma
from refdp.provers.witnesses import refuted_by_event, refuted_by_output


def _pointwise(key: str) -> Callable[[], Theorem]:
    """The proof of one pointwise inequality."""

    def inequality() -> Theorem:
        return lemma(f"composition.{key}")

    return inequality


pointwise_sequential_pure = _pointwise("sequential_pure")
pointwise_sequential_approximate = _pointwise("sequential_approximate")
pointwise_parallel = _pointwise("parallel")
pointwise_group = _pointwise("group")
pointwise_post_process = _pointwise("post_process")
pointwise_post_process_randomised = _pointwise("post_process_randomised")
pointwise_weaken = _pointwise("weaken")
pointwise_pure_to_approximate = _pointwise("pure_to_approximate")


pointwise_adaptive_inner = _pointwise("adaptive_inner")
pointwise_tight_delta = _pointwise("tight_delta")
pointwise_convexity = _pointwise("convexity")
pointwise_total_variation = _pointwise("total_variation")
pointwise_smaller_epsilon = _pointwise("smaller_epsilon")
pointwise_smaller_epsilon_delta = _pointwise("smaller_epsilon_delta")
pointwise_markov = _pointwise("markov")
pointwise_markov_sharp = _pointwise("markov_sharp")
pointwise_optimal_order = _pointwise("optimal_order")
pointwise_group_orders = _pointwise("group_orders")
pointwise_mean_of_the_loss = _pointwise("mean_of_the_loss")
pointwise_mean_of_both_losses = _pointwise("mean_of_both_losses")
pointwise_advanced_form = _pointwise("advanced_form")
pointwise_sampled_pure = _pointwise("sampled_pure")
pointwise_sampled_remove = _pointwise("sampled_remove")
pointwise_sampled_add = _pointwise("sampled_add")


def _false(key: str, **values: str) -> Callable[[str], Theorem]:
    """The refutation of a pointwise inequality, at these values."""

    def counterexample(claim: str) -> Theorem:
        return false_at(f"composition.{key}", **values)

    return counterexample


greatest_factor_instead_of_product = _false("greatest_factor", p="2", q="1", a="2", b="1", t_1="2", t_2="2")
greatest_of_independent_failures = _false("greatest_delta", d_1="1/2", d_2="1/2", e_1="1/2", e_2="1/2")
group_without_the_factor = _false("group_without_the_factor", p="2", q="1", r="0", t_1="2", t_2="1")
pointwise_parallel_under_replacement = _false("parallel_under_replacement", p="2", q="1", a="2", b="1", t="2")
post_process_keeps_the_excess = _false("post_process_keeps", p="1", q="0", a="0", b="1", t="1")
sampled_epsilon_in_proportion = _false("sampled_in_proportion", rate="1/2", epsilon="2")
sampled_under_replacement = _false("sampled_replacement", p="2/3", q="1/3", r="0", rate="1/2", t="2")
smaller_epsilon_for_less = _false("smaller_epsilon_for_less", p="3/4", q="1/4", s="2", t="3")


def _noisy_count(scale: str = "1") -> Theorem:
    """A count with discrete Laplace noise, 1 row added or removed: pure(1 / scale)."""
    counted = rules.instantiate(count.add_remove(), values={"rows": "records()", "d_in": "1"})
    noise = rules.instantiate(discrete_laplace.pure(), values={"scale": scale, "granularity": "1", "d_in": "1"})
    return rules.chain(counted, noise)


def _approximate_response() -> Theorem:
    """Randomised response with truth 3/4 as (ln(2), delta)-DP, by enumeration."""
    return rules.finite_mechanism(
        subject="randomised_response(3/4)",
        domain="finite(2)",
        metric="discrete",
        d_in="1",
        measure="approximate",
        factor="2",
    )


def chain_privacy() -> Theorem:
    """A clamped sum, then discrete Laplace noise: the document's 12 / 25."""
    values = {"lower": "0", "upper": "12", "granularity": "1", "d_in": "1"}
    total = rules.instantiate(clamped_sum.add_remove(), values=values)
    noise = rules.instantiate(discrete_laplace.pure(), values={"scale": "25", "granularity": "1", "d_in": "12"})
    return rules.chain(total, noise)


def chain_stability() -> Theorem:
    """Drop rows, then count under the symmetric distance: a replaced row counts twice."""
    counted = rules.instantiate(count.add_remove(), values={"rows": "records()", "d_in": "2 * d_in"})
    return rules.chain(rows_are_stable("drop_missing", "change_one"), counted)


def sequential_pure() -> Theorem:
    """Two independent draws of discrete Laplace noise: the epsilons add up."""
    second = rules.instantiate(discrete_laplace.pure(), values={"scale": "other_scale"})
    return rules.compose(discrete_laplace.pure(), second)


def sequential_approximate() -> Theorem:
    """Two approximate mechanisms: epsilons and deltas add up."""
    return rules.compose(_approximate_response(), _approximate_response())


def sequential_failures() -> Theorem:
    """Two approximate mechanisms: delta 1 - (1 - delta)^2, less than 2 delta."""
    return rules.compose_failures(_approximate_response(), _approximate_response())


def sequential_concentrated() -> Theorem:
    """Two independent draws of discrete Gaussian noise: the rhos add up."""
    second = rules.instantiate(discrete_gaussian.concentrated(), values={"sigma": "other_sigma"})
    return rules.compose(discrete_gaussian.concentrated(), second)


def _parts(neighbours: str) -> Theorem:
    """Noisy counts of the rows of each of two categories."""
    partition = "category_of('island', list_of('A', 'B'), 2)"
    return rules.parallel(_noisy_count(), _noisy_count("2"), partition=partition, neighbours=neighbours)


def sequential_renyi() -> Theorem:
    """The divergences of one order add up."""
    one, two = (rules.instantiate(_gaussian(), values={"sigma": sigma}) for sigma in ("sigma", "other_sigma"))
    return rules.compose(rules.concentrated_to_renyi(one), rules.concentrated_to_renyi(two))


def _gaussian() -> Theorem:
    """Discrete Gaussian noise under zCDP, at granularity 1 and d_in = 1."""
    return rules.instantiate(discrete_gaussian.concentrated(), values={"granularity": "1", "d_in": "1"})


def _gaussian_at_2() -> Theorem:
    """The same with sigma = 2: rho = 1/8."""
    return rules.instantiate(_gaussian(), values={"sigma": "2"})


def _threshold(threshold: str, scale: str) -> Theorem:
    """The rows at most a threshold, counted with discrete Laplace noise, one row added or removed."""
    values = {"threshold": threshold, "granularity": "1", "d_in": "1"}
    counted = rules.instantiate(sum_is_stable("threshold_count", "add_remove"), values=values)
    noise = rules.instantiate(discrete_laplace.pure(), values={"scale": scale, "granularity": "1", "d_in": "1"})
    return rules.chain(counted, noise)


def sequential_adaptive() -> Theorem:
    """The second threshold is the first noisy count: the epsilons add up."""
    return rules.adaptive(_threshold("threshold", "scale"), _threshold("previous", "other_scale"))


def sequential_repeated() -> Theorem:
    """k draws: k epsilon."""
    return rules.compose_many(discrete_laplace.pure())


def advanced() -> Theorem:
    """Advanced composition for every k, epsilon and delta."""
    each = rules.instantiate(discrete_laplace.pure(), values={"granularity": "1", "d_in": "1"})
    return rules.concentrated_to_approximate(rules.compose_many(rules.pure_to_concentrated(each)))


def advanced_thousand() -> Theorem:
    """A thousand answers with epsilon = 1/100 each: 1.713 instead of 10."""
    values = {"scale": "100", "granularity": "1", "d_in": "1"}
    each = rules.pure_to_concentrated(rules.instantiate(discrete_laplace.pure(), values=values))
    many = rules.compose_many(each, k="1000")
    return rules.concentrated_to_approximate(many, delta="1/1000000", d_out=["1.713", "1/1000000"])


def poisson_pure() -> Theorem:
    """Each row is in the sample with probability `rate`."""
    return rules.poisson_sampled(_noisy_count("scale"))


def poisson_approximate() -> Theorem:
    """At rate 1/10, (1, 1/1000) becomes (ln(1 + (e - 1)/10), 1/10000), rounded up."""
    loose = rules.weaken(rules.pure_to_approximate(_noisy_count()), d_out=["1", "1/1000"])
    return rules.poisson_sampled(loose, rate="1/10", d_out=["0.15857", "1/10000"])


def parallel_add_remove() -> Theorem:
    """An added row falls into one part: the greatest epsilon."""
    return _parts("add_remove")


def parallel_change_one() -> Theorem:
    """A replaced row leaves one part and enters another: twice the greatest epsilon."""
    return _parts("change_one")


def group_pure() -> Theorem:
    """Three rows: three times epsilon."""
    return rules.group(_noisy_count(), k="3")


def group_approximate() -> Theorem:
    """Three rows: delta times 1 + e^epsilon + e^(2 epsilon), rounded up."""
    loose = rules.weaken(rules.pure_to_approximate(_noisy_count()), d_out=["1", "1/1000"])
    return rules.group(loose, k="3", d_out=["3", "0.01111"])


def group_concentrated() -> Theorem:
    """k = 3 rows: 9 rho."""
    counted = rules.instantiate(count.add_remove(), values={"rows": "records()", "d_in": "1"})
    return rules.group(rules.chain(counted, _gaussian_at_2()), k="3")


def replaced_rows() -> Theorem:
    """A replaced row is a removed one and an added one: two rows' loss."""
    return rules.replaced_rows(rules.group(_noisy_count(), k="2"))


def post_process() -> Theorem:
    """Clamping the noisy count at 0 changes nothing."""
    return rules.post_process(_noisy_count(), function="clamp_output(0, 1000)")


def weaken() -> Theorem:
    """A larger epsilon is true too."""
    return rules.weaken(_noisy_count(), d_out=["3/2"])


def pure_to_approximate() -> Theorem:
    """delta = 0."""
    return rules.pure_to_approximate(_noisy_count())


def pure_to_concentrated() -> Theorem:
    """ln(3)-DP is zCDP with rho = (ln 3)^2 / 2, rounded up."""
    response = rules.instantiate(randomised_response.pure(), values={"truth": "3/4"})
    return rules.pure_to_concentrated(response, d_out=["0.60348"])


def concentrated_to_approximate() -> Theorem:
    """rho = 1/8 at delta = 10^-6: epsilon rounded up."""
    return rules.concentrated_to_approximate(_gaussian_at_2(), delta="1/1000000", d_out=["2.7533", "1/1000000"])


def concentrated_to_renyi() -> Theorem:
    """rho = 1/8 at order 10."""
    return rules.concentrated_to_renyi(_gaussian_at_2(), order="10")


def pure_to_smaller_epsilon() -> Theorem:
    """ln(3)-DP is (ln(2), 1/4)-DP: what randomised response reaches."""
    response = rules.instantiate(randomised_response.pure(), values={"truth": "3/4"})
    return rules.pure_to_approximate(response, epsilon="ln(2)")


def renyi_to_approximate() -> Theorem:
    """Order 11 with 11/8, at delta = 10^-6."""
    renyi = rules.concentrated_to_renyi(_gaussian_at_2(), order="11")
    return rules.renyi_to_approximate(renyi, delta="1/1000000", d_out=["2.7566", "1/1000000"])


def renyi_to_approximate_sharp() -> Theorem:
    """The same, with the best constant: less by (ln(11) + 10 ln(11/10)) / 10."""
    renyi = rules.concentrated_to_renyi(_gaussian_at_2(), order="11")
    return rules.renyi_to_approximate(renyi, delta="1/1000000", sharp="yes", d_out=["2.4215", "1/1000000"])


def finite_mechanism() -> Theorem:
    """Randomised response by exact enumeration in the kernel: no solver is trusted."""
    return rules.finite_mechanism(subject="randomised_response(3/4)", domain="finite(2)", metric="discrete", d_in="1")


def greatest_instead_of_sum(claim: str) -> Theorem:
    """False: two answers of randomised response are 9 times likelier together under one bit, not 3 times."""
    return refuted_by_event(claim, {}, map(Fraction, range(2)))


def parallel_on_overlapping_parts(claim: str) -> Theorem:
    """False: a row that lies in both parts moves both answers."""
    tables = [(), (Fraction(0),)]
    return refuted_by_output(claim, {"scale": "1"}, tables, [(Fraction(0), Fraction(0))])


def parallel_bound_under_change_one(claim: str) -> Theorem:
    """False: a row that changes its category moves both counts."""
    tables = [(Fraction(0),), (Fraction(1),)]
    return refuted_by_output(claim, {"scale": "1"}, tables, [(Fraction(0), Fraction(1))])


def greatest_delta_instead_of_sum(claim: str) -> Theorem:
    """False: two answers that each tell all with probability 1/10 tell all with probability 19/100."""
    return refuted_by_event(claim, {}, map(Fraction, range(2)))


def advanced_without_the_root(claim: str) -> Theorem:
    """False: six answers of randomised response exceed it four times over."""
    return refuted_by_event(claim, {}, map(Fraction, range(2)))


EVERY = {"domain": "table(rows)", "near": "symmetric", "d_in": "d_in"}


def chosen_rounds() -> Theorem:
    """Each round may be chosen in view of all outcomes before."""
    return rules.rounds(**EVERY, losses=["pure(a)", "pure(b)", "pure(c)"])


def chosen_rounds_approximate() -> Theorem:
    """Epsilons and deltas add up along every sequence."""
    return rules.rounds(**EVERY, losses=["approximate(a, d)", "approximate(b, e)"])


def chosen_rounds_concentrated() -> Theorem:
    """Losses under zCDP add up along every sequence."""
    return rules.rounds(**EVERY, losses=["concentrated(a)", "concentrated(b)"])


def chosen_rounds_renyi() -> Theorem:
    """Losses at one order add up along every sequence."""
    return rules.rounds(**EVERY, losses=["renyi(order, a)", "renyi(order, b)"])


def filter_pure() -> Theorem:
    """Losses are chosen, too, within a budget."""
    return rules.filtered(**EVERY, total="pure(epsilon)")


def filter_approximate() -> Theorem:
    """Epsilon and delta, each within a budget of its own."""
    return rules.filtered(**EVERY, total="approximate(epsilon, delta)")


def filter_concentrated() -> Theorem:
    """Rho within a budget."""
    return rules.filtered(**EVERY, total="concentrated(rho)")


def filter_renyi() -> Theorem:
    """Epsilon at one order within a budget."""
    return rules.filtered(**EVERY, total="renyi(order, epsilon)")


def filter_converted() -> Theorem:
    """A budget of rho, converted once at a fixed delta."""
    return rules.concentrated_to_approximate(filter_concentrated(), delta="delta")
