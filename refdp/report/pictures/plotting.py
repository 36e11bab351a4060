"""`refdp plot`: which pictures a thing has, and the one that is asked for as a file."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from refdp.accounting.curves import OutOfReach
from refdp.claims import claim, programs
from refdp.commands.earlier_certificates import current
from refdp.commands.files import write_whole
from refdp.commands.judgements import seconds_since
from refdp.kernel.certificate import LARGEST_FILE, parsed, replay
from refdp.kernel.judgements import KernelError
from refdp.logic.files import content_of
from refdp.programs.deadline import GRACE, OutOfTime, on_time
from refdp.provers.processes import processor_seconds
from refdp.report.pictures.files import picture_file
from refdp.report.pictures.kinds import DERIVATION, FRONTIER, Makers, Picture

UNASKED = "Whoever vouches in the certificate is believed here; refdp check asks them again."
"""What is added to the caption of a derivation from a file."""
SECONDS = 60.0
"""How long a picture may take, unless said."""


def plot(what: str | Path, out: str | Path, *, kind: str | None = None, timeout: float = SECONDS) -> dict[str, Any]:
    """Draw a picture into a file that ends in .svg, .png or .pdf; the object of `refdp plot --json`.

    `what`: a claim of the ledger, the file of a certificate or of an account's spec, or the word frontier.  `kind`: one
    of those that fit; without it the first of them.  A picture shows what a certificate says and what is certified; it
    asks no solver.  Nothing is written where it takes longer than `timeout` seconds, a little grace aside; the work is
    cut short then on the main thread alone, and ends in its own time on another.

    Raises ValueError for bad input, TimeoutError once the time is over.
    """
    path, end, start = picture_file(out), time.monotonic() + timeout, processor_seconds()
    late = TimeoutError(f"the picture of {what} needs more than {timeout:g} seconds; nothing is written")
    try:
        with on_time(timeout):
            fitting = makers(str(what), timeout)
            chosen = fitting_kind(str(what), kind, fitting)
            picture = fitting[chosen]()
            content = picture.content(path.suffix)
    except OutOfTime:
        raise late from None
    except OutOfReach as reason:
        raise late if time.monotonic() >= end else ValueError(f"{chosen} of {what}: {reason}") from None
    if time.monotonic() > end + GRACE:
        raise late
    write_whole(path, content)
    return {
        "what": str(what),
        "kind": chosen,
        "kinds": list(fitting),
        "path": str(path),
        "title": picture.title,
        "caption": picture.caption,
        "seconds": seconds_since(start),
    }


def fitting_kind(what: str, kind: str | None, fitting: Makers) -> str:
    """The kind that is drawn; ValueError with those that fit."""
    if not fitting:
        raise ValueError(f"what must be something that has a picture, got {what}, of which there is nothing to draw")
    if kind is None:
        return next(iter(fitting))
    if kind not in fitting:
        raise ValueError(f"kind must be one of those that fit {what} ({', '.join(fitting)}), got {kind}")
    return kind


def makers(what: str, timeout: float) -> Makers:
    """The pictures that a thing has, by their kinds."""
    if what == FRONTIER:
        return {FRONTIER: frontier_picture}
    path = Path(what)
    if path.suffix in (".json", ".toml"):
        return of_file(path, timeout)
    from refdp.report.pictures.of_claims import claim_makers

    found = next((one for one in programs() if one.identifier == what), None)
    return claim_makers(found or claim(what), timeout)


def of_file(path: Path, timeout: float) -> Makers:
    """The pictures of a certificate, or else of a spec."""
    text = current(content_of(path, LARGEST_FILE).decode("utf-8"))
    if path.suffix == ".json" and is_derivation(text):
        from refdp.report.pictures.of_programs import program_makers

        return {**program_makers(text), DERIVATION: lambda: derived(text, path.stem)}
    from refdp.report.pictures.of_accounts import account_makers

    return account_makers(str(path), timeout)


def is_derivation(text: str) -> bool:
    """Whether a text is a certificate of the kernel."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and str(found.get("format", "")).startswith("refdp-certificate/")


def derived(text: str, name: str) -> Picture:
    """The derivation of a certificate; whoever vouched then is believed."""
    from refdp.report.certificates import believed
    from refdp.report.pictures.of_claims import derivation

    try:
        found = derivation(replay(parsed(text), believed).theorem, name)
    except KernelError as error:
        raise ValueError(f"the certificate does not replay: {error}") from None
    return replace(found, caption=f"{found.caption} {UNASKED}")


def frontier_picture() -> Picture:
    """Where the classical Gaussian theorem holds."""
    from refdp.report.pictures import frontier

    return Picture(frontier.TITLE, frontier.CAPTION, frontier.draw)
