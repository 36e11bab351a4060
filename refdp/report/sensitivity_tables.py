"""What `refdp sensitivity` prints for a reader: a judgement with its pair of tables, or the table of a campaign."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any

from rich.table import Table
from rich.text import Text

from refdp.report.decimals import decimals
from refdp.report.differences import differences
from refdp.report.dyadic import dyadic
from refdp.report.table_pairs import print_pair
from refdp.report.tables import (
    WIDE,
    below,
    console,
    evidence,
    expected_line,
    facts,
    grid,
    judged,
    last_line,
    print_judged_again,
    print_reasons,
    second_judge,
    short,
    verdict,
)

EDIT = {"add_remove": "one row added or removed", "change_one": "one row changed"}
EDITS = {"add_remove": "{} rows added or removed", "change_one": "{} rows changed"}
ORDER = {"multisets": "in any order", "lists": "in the order of the list"}
NUMBER = re.compile(r"-?\d+(/\d+)?")
PAIRS = {"pair": "", "rising": "a score rises", "falling": "a score falls"}
"""What can hold two tables, and what they show."""
LONG = 24
"""From so many characters on an exact number is shown by its decimals; --json has it in full."""
NUMBERS = ("bound", "ideal", "lower", "local", "local_at_most")
"""Facts that are one exact number."""


def print_judgement(found: Mapping[str, Any]) -> None:
    """One judgement: what was asked, the verdict, and its evidence."""
    out = console()
    out.print(Text(found["function"], style="bold") + Text(f"  {question(found)}"))
    out.print(verdict(found["verdict"]) + Text(f"  {sentence(found)}"))
    if found.get("pair"):
        print_pair(found["pair"], out)
    out.print()
    out.print(facts({**read_as(found), "arithmetic": str(found.get("arithmetic", "exact")), **evidence(found)}))


def read_as(found: Mapping[str, Any]) -> dict[str, str]:
    """How records and parameters were read, what is assumed of them, and of which text the verdict speaks."""
    parameters = [f"{name}: {text}" for name, text in (found.get("parameters") or {}).items()]
    said = {"records": found.get("records"), "parameters": "\n".join(parameters), "assumed": found.get("assumption")}
    said["text"] = found.get("digest")
    return {key: str(text) for key, text in said.items() if text}


def print_facts(found: Mapping[str, Any]) -> None:
    """What was found at one table, of a score, or of a machine: the verdict, each fact, and the pair of tables."""
    out, shown = console(), {k: v for k, v in found.items() if k not in PAIRS and v not in (None, "", [])}
    out.print(Text(str(shown.pop("function", shown.pop("statistic", ""))), style="bold"))
    out.print(verdict(str(shown.pop("verdict"))))
    for key in PAIRS:
        if found.get(key):
            out.print(*([f"  {PAIRS[key]}"] if PAIRS[key] else []), highlight=False, end="\n" if PAIRS[key] else "")
            print_pair({"first": (), **found[key]}, out)
    last = {key: shown.pop(key, None) for key in ("trusts", "certificate", "seconds")}
    out.print()
    said = {key.replace("_", " "): fact_text(key, fact) for key, fact in (shown | last).items() if fact}
    out.print(facts(({"moves by": more} if (more := excess(found)) else {}) | said))


def excess(found: Mapping[str, Any]) -> str:
    """By how much the answers of a pair differ, as the claim and the rest: machines exceed claims by little."""
    distance, claim = str((found.get("pair") or {}).get("distance", "")), str(found.get("claim") or "")
    if not (NUMBER.fullmatch(distance) and NUMBER.fullmatch(claim)):
        return ""
    rest = Fraction(distance) - Fraction(claim)
    return f"{claim} + {short_number(str(rest))}, more than {claim}" if rest > 0 else ""


def fact_text(key: str, fact: Any) -> str:
    """A fact for a reader."""
    if key == "trusts":
        return short(fact)
    if key == "second_judge":
        return second_judge(fact)
    if key == "evidence":
        return "\n".join(fact)
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    if key == "reaches":
        return "; ".join(f"{one['sensitivity']} within distance {one['distance']}" for one in fact)
    if key in NUMBERS and NUMBER.fullmatch(fact):
        exact = short_number(fact)
        return exact if len(exact) < LONG else decimals(Fraction(fact))
    return differences(fact) if key in NUMBERS else str(fact)


def question(found: Mapping[str, Any]) -> str:
    """What was asked, in words."""
    k = found["edits"]
    edits = EDIT[found["neighbours"]] if k == 1 else EDITS[found["neighbours"]].format(k)
    return f"{edits}, rows {ORDER[found['tables']]}, {found['norm']}"


def sentence(found: Mapping[str, Any]) -> str:
    """What the verdict says."""
    if found["verdict"] == "PROVED":
        tight = {True: ", and no less", False: "", None: ""}[found.get("tight")]
        return f"it moves by at most {differences(found['bound'])}{tight}, {rows(found)}"
    if found["verdict"] == "REFUTED":
        if found["pair"]["distance"] == "infinite":
            return "the answers below are infinitely far apart: another exception, other keys or another length"
        return f"it moves by {found['pair']['distance']}, which is more than {found['claim']}"
    return differences(found["reason"])


def rows(found: Mapping[str, Any]) -> str:
    """For which numbers of rows."""
    return "for any number of rows" if found["any_n"] else f"for at most {found['checked_rows']} rows"


def print_campaign(found: Mapping[str, Any]) -> None:
    """The table of a campaign."""
    out = console()
    wide = out.width >= WIDE
    more = ("neighbours", "rows", "norm") if wide else ()
    table = grid("function", *more, "claim", "verdict", "any n", "seconds")
    for one in found["questions"]:
        table.add_row(
            *asked(one, wide),
            one["claim"] or differences(one.get("bound") or "-"),
            judged(one),
            {True: "yes", False: "no"}[one["any_n"]],
            one["seconds"],
        )
    out.print(table)
    print_reasons(out, ((one["function"], one) for one in found["questions"]))
    twice = sum(one["verdict"] == "PROVED" and by_both(one["trusts"]) for one in found["questions"])
    out.print()
    print_judged_again(out, found["questions"])
    out.print(expected_line("question", found["questions"], found, f"{twice} proved by both solvers"))


def asked(one: Mapping[str, Any], wide: bool) -> list[Text]:
    """The function, and what is asked of it: beside it, or below."""
    edits = one["neighbours"] if one["edits"] == 1 else f"{one['edits']} x {one['neighbours']}"
    if wide:
        return [Text(one["function"]), Text(edits), Text(one["tables"]), Text(one["norm"])]
    return [below(one["function"], f"{edits}, {one['tables']}, {one['norm']}")]


def by_both(trusts: Sequence[str]) -> bool:
    """Whether every condition was proved by z3 and by cvc5: then one need not believe either alone."""
    solvers = [one for one in trusts if one.startswith(("z3", "cvc5"))]
    return bool(solvers) and all(" and " in one for one in solvers)


def print_attacks(found: Mapping[str, Any]) -> None:
    """The attacks on machine arithmetic: each statement, and by how much which computation exceeds it."""
    out = console()
    for family, rows in groupby(found["attacks"], itemgetter("family")):
        out.print(Text(f"\n{family}", style="bold"))
        for statement, ones in groupby(rows, itemgetter("statement")):
            out.print(f"  {statement}", highlight=False, markup=False)
            table = Table(box=None, show_header=False, padding=(0, 2, 0, 4))
            for one in ones:
                excess = "infinitely" if one["excess"] == "infinite" else f"by {short_number(one['excess'])}"
                table.add_row(one["function"], one["arithmetic"], f"n = {one['n']}", Text(f"exceeded {excess}"))
            out.print(table)
    out.print()
    verdicts = [one["verdict"] for one in found["attacks"]]
    out.print(last_line("computation", verdicts, "--json has the pairs of tables", seconds=found["seconds"]))


def short_number(text: str) -> str:
    """An exact number in few characters; other text as it stands."""
    return dyadic(Fraction(text)) if NUMBER.fullmatch(text) else text
