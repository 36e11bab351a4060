"""The pictures that an account has: delta(epsilon), the law of the loss, and the trade-off curve."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from refdp.accounting.accounts import Account, Limits, Question
from refdp.commands.account import account, account_of, described
from refdp.report.pictures.accounts import INVISIBLE, POINTS, draw, drawn, falling, picture_of
from refdp.report.pictures.accounts import Picture as Curve
from refdp.report.pictures.colours import BOUND
from refdp.report.pictures.files import Draw
from refdp.report.pictures.kinds import LOSSES, PROFILE, TRADE_OFF, Makers, Picture
from refdp.report.pictures.labels import headed
from refdp.report.pictures.losses import draw_sides, sides_of
from refdp.report.pictures.plans import capital
from refdp.report.pictures.trade_offs import band_of, draw_band

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ASKED = Fraction(1, 10**6)
"""The delta at which epsilon is marked, where nothing is asked."""
HALF = 0.45
"""Share of the time that the answer may take, and the picture."""


def account_makers(spec: str, timeout: float) -> Makers:
    """Kind -> picture, of the file of a spec."""
    stated = account_of(spec)
    about = about_account(stated)
    return {
        PROFILE: lambda: profile_picture(stated, timeout),
        LOSSES: lambda: losses_picture(f"Privacy loss of {about}", "", stated, timeout),
        TRADE_OFF: lambda: trade_off_picture(f"Trade-off of {about}", "", stated, timeout),
    }


def about_account(stated: Account) -> str:
    """What is composed, in a line."""
    first, *rest = described(stated)
    more = f" and {len(rest)} more" if rest else ""
    return f"{first}{more}" + ("" if stated.neighbours == "none" else f", {stated.neighbours}")


def profile_picture(stated: Account, timeout: float) -> Picture:
    """delta(epsilon), with epsilon at one delta marked."""
    found = account(stated, delta=ASKED, timeout=HALF * timeout)
    picture = picture_of(stated, found, HALF * timeout, lambda *_: None)
    return Picture(picture.title, picture.caption, lambda figure: draw(picture, figure))


def curve_picture(name: str, at: str, stated: Account, claimed: Sequence[Fraction], timeout: float) -> Picture:
    """delta(epsilon) of a claim's mechanism, somewhat beyond the claimed epsilons, the least of which is marked."""
    last = Fraction(13, 10) * max(claimed, default=Fraction(3)) or Fraction(1)
    questions = [Question(epsilon=last * i / POINTS) for i in range(POINTS + 1)]
    answers = stated.answers(questions, Limits(INVISIBLE, HALF * timeout))
    found = Curve(name, "", falling([drawn(one) for one in answers]), ())
    told = f"; the dashed line is the claimed epsilon, {float(min(claimed)):g}" if claimed else ""
    caption = (
        f"{at}certified bounds of the least delta for each epsilon, of {about_account(stated)}, worked out at "
        f"{POINTS + 1} epsilons and joined by lines{told}."
    )

    def draw_claimed(figure: Figure) -> None:
        draw(found, figure)
        for epsilon in claimed[:1]:
            figure.axes[0].axvline(float(epsilon), color=BOUND, linestyle="--", linewidth=1.2)

    return Picture(name, capital(caption), draw_claimed)


def losses_picture(title: str, at: str, stated: Account, timeout: float) -> Picture:
    """The law of the privacy loss."""
    sides = sides_of(stated, timeout)
    caption = (
        f"{at}the law of the privacy loss ln(P(y) / Q(y)), y drawn from P, of {about_account(stated)}: the height of "
        "a bar is the probability of the losses under it, certified from both sides; where that cannot be told apart, "
        "no more is drawn."
    )
    return Picture(title, capital(caption), titled(title, lambda figure: draw_sides(sides, figure)))


def trade_off_picture(title: str, at: str, stated: Account, timeout: float) -> Picture:
    """The trade-off curve."""
    band = band_of(stated, timeout)
    caption = (
        f"{at}the trade-off curve of {about_account(stated)}: whoever guesses from the answers which of two "
        "neighbouring inputs was used errs at least as often as the dashed line says, and some test errs no more "
        "often than the solid one; both are certified, and the curve lies in the band between them."
    )
    return Picture(title, capital(caption), titled(title, lambda figure: draw_band(band, figure)))


def titled(title: str, drawn: Draw) -> Draw:
    """What is drawn, under a title."""

    def draw_both(figure: Figure) -> None:
        drawn(figure)
        headed(figure, title)

    return draw_both
