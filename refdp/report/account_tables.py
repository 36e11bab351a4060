"""What `refdp account` prints: the events, a row for each question, and why an interval is wider than asked for."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from refdp.accounting.numbers import scientific_above
from refdp.report.tables import console, short

MOST_EVENTS = 8
"""More events are counted only."""
PROOFS = {
    "closed forms": "section 2 of docs/accounting_proofs.md",
    "lattice": "section 3 of docs/accounting_proofs.md",
    "products": "section 8 of docs/accounting_proofs.md",
    "quadrature": "section 9 of docs/accounting_proofs.md",
    "basic composition and zCDP": "Lemma 1.12 of docs/accounting_proofs.md",
    "greatest losses": "Lemma 1.26 of docs/accounting_proofs.md",
}
"""Where engines are proved whose names do not say it."""


def print_account(found: Mapping[str, Any]) -> None:
    """The account in full."""
    out = console()
    if "events" in found:
        print_events(found, out)
    for asked, given in (("epsilon", "delta"), ("delta", "epsilon")):
        answers = [one for one in found["answers"] if asked in one]
        if answers:
            out.print()
            out.print(answers_table(answers, asked, given))
    if found["answers"]:
        print_facts(found, out)
    if "calibrated" in found:
        out.print()
        if "read" in found and not found["answers"]:
            out.print(Text(f"read {found['read']}"), soft_wrap=True)
        out.print(Text(calibrated_text(found["calibrated"])), soft_wrap=True)


def calibrated_text(found: Mapping[str, Any]) -> str:
    """Which value of a parameter will do, and which will not."""
    name, target = found["parameter"], f"epsilon {found['epsilon']} at delta {found['delta']}"
    good, bad = found["meets"], found["fails"]
    says = [f"{name} = {good} provably meets {target}" if good else f"no {name} was found that meets {target}"]
    says += [f"{name} = {bad} provably does not"] if bad else []
    says += [found["reason"]] if "reason" in found else []
    return "; ".join(says)


def print_events(found: Mapping[str, Any], out: Console) -> None:
    """What is composed, between which neighbours."""
    out.print(f"neighbours {found['neighbours']}", highlight=False, markup=False)
    events = found["events"]
    for event in events[:MOST_EVENTS]:
        out.print(f"  {event}", highlight=False, markup=False, soft_wrap=True)
    if len(events) > MOST_EVENTS:
        out.print(f"  and {len(events) - MOST_EVENTS} more", highlight=False, markup=False)


def answers_table(answers: list[Mapping[str, Any]], asked: str, given: str) -> Table:
    """A row for each question: where, both bounds, how far they are apart, who worked them out."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in (given, f"{asked} at least", f"{asked} at most", "width", "engine", "seconds"):
        table.add_column(name, justify="right" if name == "seconds" else "left", overflow="fold")
    for one in answers:
        bounds = one[asked]
        style = "yellow" if "reason" in one else ""
        ends = aligned(bounds["lower"], bounds["upper"])
        apart = Text(width(bounds, asked), style=style)
        table.add_row(one["at"][given], *ends, apart, Text(one["engine"].partition(" (")[0]), one["seconds"])
    return table


def aligned(lower: str, upper: str) -> tuple[str, str]:
    """Two decimals with as many places, so that one sees where they part.

    >>> aligned("2.5", "2.625"), aligned("0", "2.625")
    (('2.500', '2.625'), ('0', '2.625'))
    """
    if any("." not in text or "e" in text for text in (lower, upper)):
        return lower, upper
    places = max(len(text.partition(".")[2]) for text in (lower, upper))
    first, second = (f"{text.partition('.')[0]}.{text.partition('.')[2]:0<{places}}" for text in (lower, upper))
    return first, second


def width(bounds: Mapping[str, str], asked: str) -> str:
    """upper - lower, of delta divided by the upper bound, rounded up to two digits; inf where only one is infinite."""
    if "inf" in bounds.values():
        return "0" if bounds["lower"] == bounds["upper"] else "inf"
    lower, upper = Fraction(bounds["lower"]), Fraction(bounds["upper"])
    apart = upper - lower if asked == "epsilon" or upper == 0 else (upper - lower) / upper
    return scientific_above(apart, 2)


def print_facts(found: Mapping[str, Any], out: Console) -> None:
    """Why intervals are wider than asked for, what the bounds rest on, and the picture."""
    table = Table.grid(padding=(0, 2))
    for one in found["answers"]:
        if "reason" in one:
            (name, value), *_ = one["at"].items()
            said = f"at {name} {value} the width {found['width']} was not reached: {one['reason']}"
            table.add_row(Text("reason", style="bold"), Text(said))
    for note in dict.fromkeys(one["note"] for one in found["answers"] if "note" in one):
        table.add_row(Text("note", style="bold"), Text(note))
    for engine in dict.fromkeys(one["engine"] for one in found["answers"]):
        name, _, lemmas = engine.partition(" (")
        if place := lemmas.removesuffix(")") or PROOFS.get(name):
            table.add_row(Text("proof", style="bold"), Text(f"{name}: {place}"))
    for one in found["answers"]:
        if one.get("certificate"):
            shown = ", ".join(f"{name} {value}" for name, value in one["concludes"].items())
            table.add_row(Text("certificate", style="bold"), Text(f"{one['certificate']}: {shown}"))
        elif "certificate" in one:
            table.add_row(Text("certificate", style="bold"), Text(f"none: {one['without_certificate']}"))
    if "read" in found:
        table.add_row(Text("read", style="bold"), Text(found["read"]))
    table.add_row(Text("trusts", style="bold"), Text(short(found["trusts"])))
    if "picture" in found:
        table.add_row(Text("picture", style="bold"), Text(found["picture"]["path"]))
    out.print()
    out.print(table)
