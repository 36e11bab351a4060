"""The pictures that certificates of users' functions have: an alignment, an event, two tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from refdp.logic.strict_json import Forged
from refdp.report.pictures import alignments, programs, sensitivities
from refdp.report.pictures.alignment_drawing import draw_alignment
from refdp.report.pictures.kinds import ALIGNMENT, LAWS, TABLES, Makers, Picture
from refdp.report.pictures.of_accounts import titled
from refdp.report.pictures.program_drawing import draw_program
from refdp.report.pictures.tables import draw_pair


def program_makers(certificate: str) -> Makers:
    """Kind -> picture, of what `refdp prove` or `refdp sensitivity` wrote; ValueError where it is no certificate.

    Whether a counterexample can be drawn is known once its laws are worked out; where it cannot, ValueError says why.
    """
    made: dict[str, Callable[[str], Picture]] = {}
    if alignments.is_alignment(certificate):
        made[ALIGNMENT] = alignment
    if programs.is_counterexample(certificate):
        drawn = read(event, certificate)
        made[LAWS] = lambda _: drawn
    if sensitivities.is_refutation(certificate):
        made[TABLES] = tables
    return {kind: partial(read, maker, certificate) for kind, maker in made.items()}


def read(maker: Callable[[str], Picture], certificate: str) -> Picture:
    """The picture of a certificate.  ValueError where that is forged or cannot be drawn."""
    try:
        return maker(certificate)
    except (ArithmeticError, AttributeError, IndexError, LookupError, RuntimeError, TypeError) as error:
        raise Forged(f"the certificate cannot be drawn: {type(error).__name__} {str(error)[:100]}") from None


def alignment(certificate: str) -> Picture:
    """The alignment of two runs."""
    found = alignments.picture_of(certificate)
    return Picture(found.title, found.caption, lambda figure: draw_alignment(found, figure))


def event(certificate: str) -> Picture:
    """The laws of what a program releases on both data, with the event."""
    found = programs.picture_of(certificate)
    return Picture(found.title, found.caption, lambda figure: draw_program(found, figure))


def tables(certificate: str) -> Picture:
    """The tables of a refuted sensitivity."""
    found = sensitivities.pair_of(certificate)
    return Picture(found.title, found.caption, titled(found.title, lambda figure: draw_pair(found, figure)))
