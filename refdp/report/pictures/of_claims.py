"""The pictures that a claim of the ledger has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from refdp.accounting import events
from refdp.accounting.accounts import Account
from refdp.claims import CERTIFICATES, PROGRAMS, Claim
from refdp.commands.witness import plain
from refdp.kernel.judgements import Private
from refdp.kernel.theorem import Theorem
from refdp.report.certificates import theorem_of
from refdp.report.pictures.curves import claimed_points
from refdp.report.pictures.derivations import draw_tree
from refdp.report.pictures.instances import Instance, instance_of
from refdp.report.pictures.kinds import DERIVATION, LOSSES, PROFILE, TRADE_OFF, Makers, Picture
from refdp.report.pictures.laws import FAR, laws
from refdp.report.pictures.losses import atoms_of, draw_sides
from refdp.report.pictures.of_accounts import curve_picture, losses_picture, titled, trade_off_picture
from refdp.report.pictures.of_programs import program_makers
from refdp.report.pictures.plans import Plan, plans_of
from refdp.report.steps import step_of
from refdp.report.tree_layout import drawing
from refdp.spec import registry
from refdp.spec.semantics import written


def claim_makers(found: Claim, timeout: float) -> Makers:
    """Kind -> picture, of a claim about a mechanism, a transformation, or a program."""
    if found.book == PROGRAMS:
        path = CERTIFICATES / PROGRAMS / f"{found.identifier}.json"
        return program_makers(path.read_text(encoding="utf-8"))
    theorem = theorem_of(found)
    makers = {plan.kind: planned(plan) for plan in plans_of(found, theorem)}
    instance = instance_of(found, theorem)
    if instance is not None:
        for kind, maker in loss_makers(found.identifier, instance, timeout):
            makers.setdefault(kind, maker)
    return makers | {DERIVATION: lambda: derivation(theorem, found.identifier)}


def planned(plan: Plan) -> Callable[[], Picture]:
    """The picture that is planned."""

    def maker() -> Picture:
        from refdp.report.pictures.drawing import draw

        return Picture(plan.claim, plan.caption, lambda figure: draw(plan, figure))

    return maker


def derivation(theorem: Theorem, name: str) -> Picture:
    """The derivation tree of a theorem."""
    found, title = drawing(step_of(theorem)), f"Derivation of {name}"
    caption = f"The derivation of {name}, premises above what follows from them."
    return Picture(title, caption, lambda figure: draw_tree(found, figure), found)


def loss_makers(name: str, found: Instance, timeout: float) -> Iterator[tuple[str, Callable[[], Picture]]]:
    """The pictures of the privacy loss of the instance's mechanism."""
    about = f"{name}, between x = {short(found.x)} and x' = {short(found.y)}"
    loss, trade = f"Privacy loss of {name}", f"Trade-off of {name}"
    stated = account_of(found)
    if stated is not None:
        at = f"At {found.parameters}: " if found.values else ""
        yield PROFILE, lambda: curve_picture(name, at, stated, epsilons_of(found), timeout)
        yield LOSSES, lambda: losses_picture(loss, at, stated, timeout)
        yield TRADE_OFF, lambda: trade_off_picture(trade, at, stated, timeout)
        return
    both = laws(found, FAR)
    if both is not None and not both.is_density:
        side = atoms_of(both)
        if not side.bars:  # every loss is infinite
            return
        caption = f"The law of the privacy loss of {about}: how likely under x the outcomes of each loss are."
        yield LOSSES, lambda: Picture(loss, caption, titled(loss, lambda figure: draw_sides([side], figure)))


def epsilons_of(found: Instance) -> Sequence[Fraction]:
    """The epsilons that are claimed."""
    return [Fraction(epsilon).limit_denominator(10**6) for epsilon, _ in claimed_points(found)]


def short(value: object) -> str:
    """An input in words."""
    return plain(written(value))


STATED: Mapping[str, Callable[..., events.Mechanism]] = {
    "gaussian": lambda d, sigma: events.Gaussian(sigma, d),
    "laplace": lambda d, scale: events.Laplace(scale, d),
    "discrete_gaussian": lambda d, sigma, granularity: events.DiscreteGaussian(sigma, d, granularity),
    "discrete_laplace": lambda d, scale, granularity: events.DiscreteLaplace(scale, d, granularity),
    "randomised_response": lambda d, truth: events.RandomisedResponse(truth),
    "k_ary_randomised_response": lambda d, k, truth: events.KAryRandomisedResponse(int(k), truth),
}
"""Stem -> the event, between inputs at a distance, with the parameters by name."""


def account_of(found: Instance) -> Account | None:
    """The mechanism of an instance as an account; None where it is none that accounts know, or has no such inputs."""
    if not isinstance(found.claim, Private) or found.claim.subject.operator not in STATED:
        return None
    try:
        subject = found.claim.subject
        values = registry.values(registry.kind_of(subject.operator), subject)
        distance = abs(found.x - found.y) if isinstance(found.x, Fraction) else Fraction(1)
        return Account("none", (events.Event(STATED[subject.operator](distance, **values)),))
    except (ValueError, ArithmeticError, TypeError, KeyError):
        return None
