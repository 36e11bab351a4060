"""The page: templates filled with what the report says, and with its pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from refdp.auditing.campaigns.pages import canonical, digest, embedded
from refdp.commands.files import write_whole
from refdp.report.audits import views
from refdp.report.audits.documents import Audited, document
from refdp.report.audits.drawing.curves import curve_picture
from refdp.report.audits.drawing.differences import difference_picture
from refdp.report.audits.drawing.losses import losses_picture
from refdp.report.audits.drawing.marks import Picture, box, dot, element, line
from refdp.report.audits.drawing.wealths import wealth_picture
from refdp.report.audits.palette import DARK, LIGHT, variables
from refdp.report.audits.rows import rows
from refdp.report.audits.writing import at_most, clipped, grouped, seconds, shown

TEMPLATES = Path(__file__).parent / "templates"
IN_TABLE = 160
"""Characters of a claim in the summary; its target has all."""
AREAS = ("inside", "beyond")
DOTS = ("outside",)
POWER = re.compile(r"([0-9.]{1,40}e-[0-9]{1,6})")
ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[!-~]*)?")


def render(data: Mapping[str, Any]) -> str:
    """The HTML page of a report; ValueError where the JSON is none."""
    text = canonical(data)
    data = json.loads(text)  # the page follows from the canonical text alone
    report = document(data)
    targets = [view(i, one, data["targets"][i], report.campaign.name) for i, one in enumerate(report.targets)]
    return environment().get_template("page.html").render(
        campaign=report.campaign,
        headline=views.headline(report),
        counts=views.counts(report),
        facts=views.campaign_facts(report.campaign),
        targets=targets,
        style=Markup(style()),
        digest=digest(data),
        data=Markup(embedded(text)),
    )  # fmt: skip


def write_page(data: Mapping[str, Any], path: str | Path) -> None:
    """Write the page to a file."""
    write_whole(path, render(data))


@cache
def environment() -> Environment:
    """Templates in which everything is escaped that is not markup of this package, and nothing is left out silently."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {
        "clipped": clipped,
        "grouped": grouped,
        "at_most": at_most,
        "swatch": swatch,
        "wide": wide,
        "linked": linked,
        "unbroken": unbroken,
    }
    return made


@cache
def style() -> str:
    """The style sheet, its colours first; on paper they are those of light ground."""
    written = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    light, dark = (f":root{{{variables(theme)}}}" for theme in (LIGHT, DARK))
    hidden = "".join(
        f'body:has(#show-{v}:not(:checked)) :is(tr,article,nav li)[data-verdict="{v}"]{{display:none}}\n'
        for v in views.WORDS
    )
    return f"{light}\n@media screen and (prefers-color-scheme:dark){{{dark}}}\n{written}{hidden}"


def view(i: int, one: Audited, data: Mapping[str, Any], campaign: str) -> dict[str, Any]:
    """What the template of a target asks for."""
    name = f"target-{i + 1}"
    return {
        "one": one,
        "name": name,
        "number": i + 1,
        "word": views.WORDS[one.verdict],
        "mark": views.MARKS[one.verdict],
        "question": views.QUESTIONS.get(one.kind, one.kind),
        "claim": one.claim if len(one.claim) <= IN_TABLE else f"{one.claim[:IN_TABLE]} ...",
        "campaign": one.campaign if one.campaign not in (None, campaign) else "",
        "seconds": seconds(one.seconds),
        "expectation": views.expectation(one),
        "surprise": views.expectation(one),
        "facts": views.facts(one),
        "pictures": pictures(one, name),
        "sides": views.sides(one),
        "rows": rows(one, name),
        "ledger": one.evidence.ledger,
        "parts": views.parts(one, data),
        "about": views.about(one),
    }


def pictures(one: Audited, name: str) -> list[tuple[str, str, Picture]]:
    """Title, explanation and drawing of each part of the evidence that is there, in the order of the report."""
    seen = one.evidence
    found = []
    if seen.curve and seen.curve.epsilons:
        about = "How much of the probability may exceed e^epsilon times that of the neighbour; lower is more private."
        found.append(("Privacy: delta of epsilon", about, curve_picture(seen.curve, f"{name}-curve")))
    if seen.losses:
        about = "Outputs by their privacy loss, exact or as learned; the event is the one that the verdict speaks of."
        found.append(("Privacy losses", about, losses_picture(seen.losses, f"{name}-losses")))
    if seen.wealth and seen.wealth.samples:
        about = "A bet against the claim: if the claim is true, it ever reaches 1/alpha with probability at most alpha."
        found.append(("Evidence as samples are drawn", about, wealth_picture(seen.wealth, f"{name}-wealth")))
    if seen.difference and seen.difference.at:
        about = "If the law is right, all of the line is inside of the band, with the confidence given."
        found.append(("Distribution function", about, difference_picture(seen.difference, f"{name}-difference")))
    return found


def swatch(kind: str) -> Markup:
    """The mark of a legend."""
    if kind in AREAS:
        inside = box(1, 1, 24, 12, kind)
    elif kind in DOTS:
        inside = dot((13, 7), f"dot {kind}", 4)
    elif kind == "band-both":
        inside = box(1, 2, 24, 10, "band-area") + line(1, 2, 25, 2, "band") + line(1, 12, 25, 12, "band")
    else:
        inside = line(1, 7, 25, 7, f"stroke {kind}")
    return element("svg", inside, viewBox="0 0 26 14", aria_hidden="true")


def wide(said: Any, first: bool = False) -> Markup:
    """A fact that is longer than a few words, or a claim, has a line of its own."""
    return Markup(' class="wide"') if first or len(str(said)) > views.LONG else Markup("")


def linked(said: Any) -> Any:
    """A link where the text is an address of the web and nothing else; any other text as it is."""
    if not isinstance(said, str) or not ADDRESS.fullmatch(said):
        return said
    return Markup('<a href="{0}" rel="noopener noreferrer">{0}</a>').format(said)


def unbroken(text: str) -> Markup:
    """The text with its numbers such as 1e-05 kept on one line."""
    found = Markup("")
    for part in POWER.split(shown(text)):
        found += Markup('<span class="n">{}</span>').format(part) if POWER.fullmatch(part) else part
    return found
