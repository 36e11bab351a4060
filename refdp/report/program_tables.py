"""What `refdp prove` prints: one claim with its alignment table or its counterexample, or a table of many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from refdp.report.decimals import decimals
from refdp.report.tables import (
    WIDE,
    below,
    console,
    evidence,
    expected_line,
    facts,
    grid,
    judged,
    print_judged_again,
    print_reasons,
    verdict,
)

MOVED = "bold"
LONGEST = 110
"""From so many characters on a closed form is shown by its digits alone (--json has it in full), and what holds in
a loop stands in lines of its own."""

LEGEND = "where x' is the neighbour's x, d = x' - x, and names with a dash are those of the second run"


def print_programs(found: Mapping[str, Any]) -> None:
    """One claim in full, several as a table."""
    if len(found["claims"]) == 1:
        print_claim(found["claims"][0])
    else:
        print_table(found)


def print_table(found: Mapping[str, Any]) -> None:
    """The table of several claims, and why some are undecided."""
    out = console()
    wide = out.width >= WIDE
    head = ("program", "adjacency", "claim") if wide else ("program",)
    table = grid(*head, "verdict", "n", "checked by", "seconds")
    for one in found["claims"]:
        table.add_row(
            *asked(one, wide),
            judged({"expected": "PROVED"} | one),
            Text("all n" if one["n"] == "all" else one["n"] or "-"),
            Text(checked_by(one)),
            one["seconds"],
        )
    out.print(table)
    print_reasons(out, ((f"{one['function']}, {one['claim']}", one) for one in found["claims"]))
    for one in found["claims"]:
        if "bracket" in one:
            title = f"\n{one['function']}  {one['claim']}, adjacency {one['adjacency']}"
            out.print(title, highlight=False, markup=False, end="")
            print_bracket(one, out)
    out.print()
    print_judged_again(out, found["claims"])
    out.print(expected_line("claim", found["claims"], found))


def asked(one: Mapping[str, Any], wide: bool) -> list[Text]:
    """The program, and what is claimed of it: beside it, or below."""
    if wide:
        return [Text(one["function"]), Text(one["adjacency"]), Text(one["claim"])]
    return [below(one["function"], f"{one['claim']}, {one['adjacency']}")]


def checked_by(one: Mapping[str, Any]) -> str:
    """Who discharged the conditions of the proof, or worked out the probabilities."""
    return " / ".join(one["checked_by"]) or ("exact numbers" if one["verdict"] != "UNKNOWN" else "-")


def print_claim(found: Mapping[str, Any]) -> None:
    """One claim: what was asked, the verdict, and its evidence."""
    out = console()
    direction = ", one direction only" if found["one_direction"] else ""
    out.print(
        Text(found["function"], style="bold") + Text(f"  {found['claim']}, adjacency {found['adjacency']}{direction}")
    )
    out.print(verdict(found["verdict"]) + Text(f"  {sentence(found)}"), soft_wrap=True)
    for place, one in enumerate(found["alignment"] or ()):
        out.print()
        if len(found["alignment"]) > 1:
            out.print(f"Part {place + 1} of the adjacency", highlight=False)
        print_alignment(one, out)
    if found["counterexample"] is not None:
        out.print()
        print_counterexample(found["counterexample"], out)
    print_bracket(found, out)
    out.print()
    out.print(facts({**taken_for_granted(found), **evidence(found)}))


def taken_for_granted(found: Mapping[str, Any]) -> dict[str, str]:
    """What neighbours are, what is assumed of parameters, how outputs are compared, and which text it is."""
    said = {key: found.get(key) for key in ("neighbours", "assumed", "outputs", "digest")}
    said["assumed"] = "\n".join(said["assumed"] or ())
    return {{"digest": "text"}.get(key, key): str(text) for key, text in said.items() if text}


def sentence(found: Mapping[str, Any]) -> str:
    """What the verdict says."""
    if found["verdict"] == "UNKNOWN":
        return str(found["reason"])
    if found["verdict"] == "REFUTED":
        n, shown = found["n"], found["counterexample"]
        if len(shown["old"]) != len(shown["new"]):
            return f"a counterexample of {len(shown['old'])} elements and {len(shown['new'])}"
        return f"a counterexample of {n} {'number' if n == '1' else 'numbers'}"
    return "for all data of every length, and all values of the public parameters that the claim allows"


def print_alignment(found: Mapping[str, Any], out: Console) -> None:
    """An alignment as a textbook has it: what is added to the noise of the second run, what it costs, what stays."""
    table = grid("line", "noise", "when", "the second run adds")
    for row in found["shifts"]:
        table.add_row(str(row["line"]), Text(row["draw"]), Text(row["when"]), Text(shift_text(row)))
    out.print(table)
    lines = [f"{one['name']} = {sizes(one)} <= {one['at_most']}, at {one['rate']} each" for one in found["charges"]]
    for line in (*lines, *invariant_lines(found["invariants"]), LEGEND):
        out.print(line, highlight=False, markup=False, soft_wrap=True)


def invariant_lines(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """What holds whenever a loop goes round: in one line where it is short, else a statement a line."""
    lines = list[str]()
    for one in found:
        head, statements = f"at line {one['line']} always", one["statements"]
        whole = f"{head} {', '.join(statements)}"
        lines += [whole] if len(whole) <= LONGEST else [head, *(f"  {said}" for said in statements)]
    return lines


def sizes(charge: Mapping[str, Any]) -> str:
    """What a cost adds up: the sizes of shifts, each with its weight."""
    return " + ".join(f"{weighted(d['weight'])}|added at line {d['line']}|" for d in charge["draws"]) or "the choice"


def shift_text(row: Mapping[str, Any]) -> str:
    """A shift, with the other one of the round that is released."""
    if "chosen" not in row:
        return str(row["shift"])
    return f"{row['chosen']} in the round that is released, else {row['shift']}"


def weighted(weight: str) -> str:
    """A weight before what it weighs."""
    return "" if weight == "1" else f"{weight} "


def print_counterexample(found: Mapping[str, Any], out: Console) -> None:
    """Data, event and both probabilities."""
    table = Table.grid(padding=(0, 2))
    for name, value in found["parameters"].items():
        table.add_row(Text(name), Text(str(value)))
    for name, data in (("data", found["old"]), ("neighbour", found["new"])):
        table.add_row(Text(name), data_text(data, found["old"], found["new"]))
    table.add_row(Text("event"), Text(found["event"]))
    table.add_row(Text("P[event]"), Text(number_text(found["old_probability"])))
    table.add_row(Text("P'[event]"), Text(number_text(found["new_probability"])))
    for name, value in found["bound"].items():
        table.add_row(Text(f"claimed {name}"), Text(number_text(value)))
    if found["loss"] is not None:
        table.add_row(Text("ln(P/P')"), Text(found["loss"]))
    if found["order"] is not None:
        table.add_row(Text("Renyi order"), Text(found["order"]))
    out.print(table)


def data_text(data: Sequence[Any], old: Sequence[Any], new: Sequence[Any]) -> Text:
    """The data, what differs from the old ones marked; of lists of two lengths, what the other lacks."""
    if len(old) == len(new):
        same = {place for place, (value, other) in enumerate(zip(data, old, strict=True)) if value == other}
    else:
        blocks = SequenceMatcher(None, data, new if data is old else old, autojunk=False).get_matching_blocks()
        same = {place for one in blocks for place in range(one.a, one.a + one.size)}
    text = Text("(")
    for place, value in enumerate(data):
        text.append(", " if place else "")
        text.append(str(value), style="" if place in same else MOVED)
    return text.append(")")


def number_text(found: Mapping[str, str]) -> str:
    """A number in closed form, where that is short, with its digits."""
    exact, digits = found["exact"], found["decimal"]
    return digits if len(exact) > LONGEST else exact if exact == digits else f"{exact} = {digits}"


def print_bracket(found: Mapping[str, Any], out: Console) -> None:
    """How small epsilon may be, and for which adjacencies the claim holds."""
    if "bracket" not in found:
        return
    out.print()
    ends = found["bracket"]
    lower = f"at least {decimal_multiple(ends['lower'])}" if ends["lower"] else "not known to be above 0"
    upper = f"at most {ends['upper']}" if ends["upper"] else "not known to be below anything"
    if ends["lower"] == "infinity":
        lower, upper = "infinite", "no epsilon would do"
    out.print(f"the true epsilon is {lower}, and {upper}", highlight=False)
    out.print()
    table = grid("adjacency", "verdict", "n")
    for one in found["adjacencies"]:
        table.add_row(one["adjacency"], verdict(one["verdict"]), one["n"])
    out.print(table)


def decimal_multiple(text: str) -> str:
    """A multiple of epsilon with its factor in decimals: 17499/10000*epsilon as 1.7499*epsilon."""
    factor, star, rest = text.partition("*")
    return text if "/" not in factor else f"{decimals(Fraction(factor))}{star}{rest}"
