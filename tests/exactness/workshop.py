"""Random derivations: rules applied to whatever was derived before, with data that is right, nearly right or absurd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.theorem import Theorem
from refdp.numerics.exact import exact_real, upper_bound
from refdp.terms.term import Term, number

LONGEST = 160
"""Claims of more characters are not derived from."""
DOMAINS = ("finite(3)", "finite(3)", "finite(5/2)", "finite(3/2)", "bounded(1, 0, 2)", "bounded(1, 1/2, 2)")
SHIFTS = [Fraction(n, d) for n in (-1, 0, 0, 1) for d in (1, 1000, 10**9)]


class Workshop:
    """Theorems, and `step`, which tries to make another."""

    def __init__(self, chance: Random, given: list[Theorem], stable: list[Theorem], partition: str) -> None:
        self.chance, self.theorems, self.stable, self.partition = chance, list(given), stable, partition
        self.made: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    def step(self) -> Theorem | None:
        """The theorem of a random rule on random premises; None where it was refused."""
        name = self.chance.choice(list(MOVES))
        try:
            found: Theorem = MOVES[name](self)
        except KernelError:
            self.refused[name] += 1
            return None
        self.made[name] += 1
        if len(str(found.claim.term)) <= LONGEST:
            self.theorems.append(found)
        return found

    def any(self, measure: str = "") -> Theorem:
        """A theorem, under the measure if there is one."""
        fitting = [t for t in self.theorems if measure in ("", t.claim.measure)]
        return self.chance.choice(fitting or self.theorems)

    def near(self, t: Term) -> str:
        """The number, or one a little above or below it, as text."""
        shift = self.chance.choice(SHIFTS)
        try:
            return str(exact_real(str(t)) + shift)
        except ValueError:
            return str(upper_bound(t, 9) + shift)

    def bounds(self, *losses: Term) -> dict[str, list[str]]:
        """A d_out near to the losses, or none."""
        return {"d_out": [self.near(t) for t in losses]} if self.chance.random() < 0.8 else {}


def weaken(shop: Workshop) -> Theorem:
    t = shop.any()
    d_in = {"d_in": shop.near(t.claim.d_in)} if shop.chance.random() < 0.3 else {}
    return rules.weaken(t, d_out=[shop.near(loss) for loss in t.claim.d_out], **d_in)


def instantiate(shop: Workshop) -> Theorem:
    t = shop.any()
    return rules.instantiate(t, values={}, **shop.bounds(*t.claim.d_out))


def group(shop: Workshop) -> Theorem:
    t = shop.any()
    return rules.group(t, k=shop.chance.choice(["1", "2", "3", "1/2", "0", "-1"]))


def compose(shop: Workshop) -> Theorem:
    first = shop.any()
    return rules.compose(first, *(shop.any(first.claim.measure) for _ in range(shop.chance.randint(0, 2))))


def parallel(shop: Workshop) -> Theorem:
    neighbours = shop.chance.choice(["add_remove", "change_one"])
    return rules.parallel(shop.any("pure"), shop.any("pure"), partition=shop.partition, neighbours=neighbours)


def chain(shop: Workshop) -> Theorem:
    return rules.chain(shop.chance.choice(shop.stable), shop.any())


def post_process(shop: Workshop) -> Theorem:
    return rules.post_process(shop.any(), function=shop.chance.choice(["clamp_output(0, 1)", "multiply_output(0)"]))


def pure_to_approximate(shop: Workshop) -> Theorem:
    return rules.pure_to_approximate(shop.any("pure"))


def pure_to_smaller_epsilon(shop: Workshop) -> Theorem:
    return rules.pure_to_approximate(shop.any("pure"), epsilon=shop.chance.choice(["0", "ln(3/2)", "ln(2)", "1"]))


def pure_to_loss_tail(shop: Workshop) -> Theorem:
    return rules.pure_to_loss_tail(shop.any("pure"))


def loss_tail_to_approximate(shop: Workshop) -> Theorem:
    return rules.loss_tail_to_approximate(shop.any("loss_tail"))


def approximate_to_loss_tail(shop: Workshop) -> Theorem:
    epsilon = shop.chance.choice(["ln(2)", "ln(3)", "ln(9)", "0"])
    return rules.approximate_to_loss_tail(shop.any("approximate"), epsilon=epsilon)


def pure_to_ratio(shop: Workshop) -> Theorem:
    return rules.pure_to_ratio(shop.any("pure"), epsilon=shop.chance.choice(["0", "ln(3/2)", "ln(2)", "1"]))


def ratio_to_pure(shop: Workshop) -> Theorem:
    return rules.ratio_to_pure(shop.any("ratio"))


def renyi_to_approximate(shop: Workshop) -> Theorem:
    delta, sharp = shop.chance.choice(["1/10", "1/1000", "0", "1"]), shop.chance.choice(["yes", "no"])
    bounds = [str(Fraction(shop.chance.randint(-2, 40), 4)), delta]
    return rules.renyi_to_approximate(shop.any("renyi"), delta=delta, sharp=sharp, d_out=bounds)


def adaptive(shop: Workshop) -> Theorem:
    return rules.adaptive(shop.any(), shop.any())


def compose_failures(shop: Workshop) -> Theorem:
    return rules.compose_failures(*(shop.any("approximate") for _ in range(shop.chance.randint(1, 2))))


def compose_many(shop: Workshop) -> Theorem:
    return rules.compose_many(shop.any(), k=shop.chance.choice(["1", "2", "2", "3/2", "0"]))


def poisson_sampled(shop: Workshop) -> Theorem:
    return rules.poisson_sampled(shop.any(), rate=shop.chance.choice(["1/3", "1/2", "0", "1", "4/3"]))


def replaced_rows(shop: Workshop) -> Theorem:
    return rules.replaced_rows(shop.any())


def pure_to_concentrated(shop: Workshop) -> Theorem:
    t = shop.any("pure")
    return rules.pure_to_concentrated(t, **shop.bounds(t.claim.d_out[0] ** 2 / 2))


def concentrated_to_renyi(shop: Workshop) -> Theorem:
    t, order = shop.any("concentrated"), shop.chance.choice([2, 2, 3])
    bounds = shop.bounds(number(order), order * t.claim.d_out[0])
    return rules.concentrated_to_renyi(t, order=str(order), **bounds)


def concentrated_to_approximate(shop: Workshop) -> Theorem:
    delta = shop.chance.choice(["1/10", "1/1000", "0", "1"])
    bounds = [str(Fraction(shop.chance.randint(0, 40), 4)), delta]
    return rules.concentrated_to_approximate(shop.any("concentrated"), delta=delta, d_out=bounds)


def finite_mechanism(shop: Workshop) -> Theorem:
    measure = shop.chance.choice(["pure", "approximate", "loss_tail", "ratio"])
    factor = {"factor": str(Fraction(shop.chance.randint(3, 9), 4))} if measure != "pure" else {}
    return rules.finite_mechanism(
        subject=str(shop.any().claim.subject),
        domain=shop.chance.choice(DOMAINS),
        metric=shop.chance.choice(["discrete", "absolute"]),
        d_in=shop.chance.choice(["0", "1", "2", "-1", "3/2"]),
        measure=measure,
        **factor,
    )


def compose_optimal(shop: Workshop) -> Theorem:
    epsilon = shop.chance.choice(["0", "ln(2)", "ln(3)", "ln(9)"])
    parts = [shop.any("approximate") for _ in range(shop.chance.randint(1, 2))]
    return rules.compose_optimal(*parts, epsilon=epsilon)


def compose_many_optimal(shop: Workshop) -> Theorem:
    epsilon = shop.chance.choice(["0", "ln(2)", "ln(3)", "ln(9)"])
    return rules.compose_many_optimal(
        shop.any("approximate"), k=shop.chance.choice(["1", "2", "2", "0"]), epsilon=epsilon
    )


def compose_advanced(shop: Workshop) -> Theorem:
    t, delta = shop.any("approximate"), shop.chance.choice([Fraction(1, 10), Fraction(1, 2), Fraction(1)])
    k = shop.chance.choice([1, 2])
    bounds = [str(Fraction(shop.chance.randint(0, 40), 4)), str(upper_bound(k * t.claim.d_out[-1] + number(delta), 30))]
    return rules.compose_advanced(t, k=str(k), delta=str(delta), d_out=bounds)


def pure_to_renyi(shop: Workshop) -> Theorem:
    order = shop.chance.choice(["2", "3", "4", "1"])
    return rules.pure_to_renyi(
        shop.any("pure"), order=order, d_out=[order, str(Fraction(shop.chance.randint(0, 40), 4))]
    )


def renyi_at_smaller_order(shop: Workshop) -> Theorem:
    return rules.renyi_at_smaller_order(shop.any("renyi"), order=shop.chance.choice(["2", "3", "4"]))


def group_renyi(shop: Workshop) -> Theorem:
    return rules.group_renyi(shop.any("renyi"))


def pure_to_gaussian(shop: Workshop) -> Theorem:
    return rules.pure_to_gaussian(shop.any("pure"), mu_squared=shop.chance.choice(["1/4", "1", "2", "9"]))


def gaussian_to_concentrated(shop: Workshop) -> Theorem:
    return rules.gaussian_to_concentrated(shop.any("gaussian"))


def gaussian_to_approximate(shop: Workshop) -> Theorem:
    epsilon, delta = shop.chance.choice(["0", "1/2", "2"]), Fraction(shop.chance.randint(0, 20), 20)
    return rules.gaussian_to_approximate(shop.any("gaussian"), epsilon=epsilon, d_out=[epsilon, str(delta)])


def account(shop: Workshop) -> Theorem:
    parts = [shop.any(shop.chance.choice(["pure", "approximate"])) for _ in range(shop.chance.randint(1, 2))]
    rates = [shop.chance.choice(["", "", "1/2", "1"]) for _ in parts]
    sides = ("both",) if not {"1/2"} & set(rates) else ("remove", "add")
    engine = shop.chance.choice(["lattice", "closed forms"])
    return rules.account(
        *parts,
        noises=[""] * len(parts),
        rates=rates,
        counts=[shop.chance.choice(["1", "1", "2"]) for _ in parts],
        epsilon=shop.chance.choice(["0", "1/2", "1", "2"]),
        delta=str(Fraction(shop.chance.randint(0, 20), 20)),
        engine=engine,
        evidence={f"{side} bits": "64" for side in sides},
    )


MOVES: dict[str, Callable[[Workshop], Theorem]] = {
    f.__name__: f
    for f in (
        weaken, instantiate, group, compose, parallel, chain, post_process, pure_to_approximate, pure_to_concentrated,
        concentrated_to_renyi, concentrated_to_approximate, finite_mechanism, pure_to_smaller_epsilon,
        pure_to_loss_tail, loss_tail_to_approximate, approximate_to_loss_tail, pure_to_ratio, ratio_to_pure,
        renyi_to_approximate, adaptive, compose_failures, compose_many, poisson_sampled, replaced_rows,
        compose_optimal, compose_many_optimal, compose_advanced, pure_to_renyi, renyi_at_smaller_order, group_renyi,
        pure_to_gaussian, gaussian_to_concentrated, gaussian_to_approximate, account,
    )
}  # fmt: skip
