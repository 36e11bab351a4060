"""composition: each rule of composition and conversion at work, and the pointwise inequality behind it."""

from collections.abc import Callable
from fractions import Fraction

from refdp.kernel import rules
from refdp.kernel.theorem import Theorem
from refdp.proofs import clamped_sum, count, discrete_gaussian, discrete_laplace, randomised_response
from refdp.proofs.lemmas import rows_are_stable
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


def sequential_concentrated() -> Theorem:
    """Two independent draws of discrete Gaussian noise: the rhos add up."""
    second = rules.instantiate(discrete_gaussian.concentrated(), values={"sigma": "other_sigma"})
    return rules.compose(discrete_gaussian.concentrated(), second)


def _parts(neighbours: str) -> Theorem:
    """Noisy counts of the rows of each of two categories."""
    partition = "category_of('island', list_of('A', 'B'), 2)"
    return rules.parallel(_noisy_count(), _noisy_count("2"), partition=partition, neighbours=neighbours)


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
    values = {"sigma": "2", "granularity": "1", "d_in": "1"}
    noise = rules.instantiate(discrete_gaussian.concentrated(), values=values)
    return rules.concentrated_to_approximate(noise, delta="1/1000000", d_out=["2.7533", "1/1000000"])


def concentrated_to_renyi() -> Theorem:
    """rho = 1/8 at order 10."""
    values = {"sigma": "2", "granularity": "1", "d_in": "1"}
    noise = rules.instantiate(discrete_gaussian.concentrated(), values=values)
    return rules.concentrated_to_renyi(noise, order="10")


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
