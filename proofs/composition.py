"""composition: each rule of composition and conversion at work, and the pointwise inequality behind it."""

from refdp.kernel import rules
from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import enumerated, sum_is_stable
from refdp.proofs.lines import proved


def _approximate_response() -> Theorem:
    """Randomised response with truth 3/4 as (ln(2), delta)-DP, by enumeration."""
    return enumerated("randomised_response(3/4)", "finite(2)", "approximate", "2")


def chain_privacy() -> Theorem:
    """A clamped sum, then discrete Laplace noise: the document's 12 / 25."""
    values = {"lower": "0", "upper": "12", "granularity": "1", "d_in": "1"}
    total = rules.instantiate(proved("clamped_sum.add_remove"), values=values)
    noise = rules.instantiate(proved("discrete_laplace.pure"), values={"scale": "25", "granularity": "1", "d_in": "12"})
    return rules.chain(total, noise)


def sequential_approximate() -> Theorem:
    """Two approximate mechanisms: epsilons and deltas add up."""
    return rules.compose(_approximate_response(), _approximate_response())


def sequential_failures() -> Theorem:
    """Two approximate mechanisms: delta 1 - (1 - delta)^2, less than 2 delta."""
    return rules.compose_failures(_approximate_response(), _approximate_response())


def sequential_renyi() -> Theorem:
    """The divergences of one order add up."""
    one, two = (rules.instantiate(_gaussian(), values={"sigma": sigma}) for sigma in ("sigma", "other_sigma"))
    return rules.compose(rules.concentrated_to_renyi(one), rules.concentrated_to_renyi(two))


def _gaussian() -> Theorem:
    """Discrete Gaussian noise under zCDP, at granularity 1 and d_in = 1."""
    return rules.instantiate(proved("discrete_gaussian.concentrated"), values={"granularity": "1", "d_in": "1"})


def _gaussian_at_2() -> Theorem:
    """The same with sigma = 2: rho = 1/8."""
    return rules.instantiate(_gaussian(), values={"sigma": "2"})


def _threshold(threshold: str, scale: str) -> Theorem:
    """The rows at most a threshold, counted with discrete Laplace noise, one row added or removed."""
    values = {"threshold": threshold, "granularity": "1", "d_in": "1"}
    counted = rules.instantiate(sum_is_stable("threshold_count", "add_remove"), values=values)
    noise = rules.instantiate(proved("discrete_laplace.pure"), values={"scale": scale, "granularity": "1", "d_in": "1"})
    return rules.chain(counted, noise)


def sequential_adaptive() -> Theorem:
    """The second threshold is the first noisy count: the epsilons add up."""
    return rules.adaptive(_threshold("threshold", "scale"), _threshold("previous", "other_scale"))


def advanced_thousand() -> Theorem:
    """A thousand answers with epsilon = 1/100 each: 1.713 instead of 10."""
    values = {"scale": "100", "granularity": "1", "d_in": "1"}
    each = rules.pure_to_concentrated(rules.instantiate(proved("discrete_laplace.pure"), values=values))
    many = rules.compose_many(each, k="1000")
    return rules.concentrated_to_approximate(many, delta="1/1000000", d_out=["1.713", "1/1000000"])


def group_concentrated() -> Theorem:
    """k = 3 rows: 9 rho."""
    counted = rules.instantiate(proved("count.add_remove"), values={"rows": "records()", "d_in": "1"})
    return rules.group(rules.chain(counted, _gaussian_at_2()), k="3")


def concentrated_to_approximate() -> Theorem:
    """rho = 1/8 at delta = 10^-6: epsilon rounded up."""
    return rules.concentrated_to_approximate(_gaussian_at_2(), delta="1/1000000", d_out=["2.7533", "1/1000000"])


def renyi_to_approximate() -> Theorem:
    """Order 11 with 11/8, at delta = 10^-6."""
    renyi = rules.concentrated_to_renyi(_gaussian_at_2(), order="11")
    return rules.renyi_to_approximate(renyi, delta="1/1000000", d_out=["2.7566", "1/1000000"])


def renyi_to_approximate_sharp() -> Theorem:
    """The same, with the best constant: less by (ln(11) + 10 ln(11/10)) / 10."""
    renyi = rules.concentrated_to_renyi(_gaussian_at_2(), order="11")
    return rules.renyi_to_approximate(renyi, delta="1/1000000", sharp="yes", d_out=["2.4215", "1/1000000"])
