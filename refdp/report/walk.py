"""The walk of a claim on the terminal, and its claim and formulas as LaTeX."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from refdp.report.latex.claims import latex_of
from refdp.report.tables import console, grid, short, verdict


def print_walk(found: Mapping[str, Any]) -> None:
    """Definition, formula, proof, theorem with its derivation, trust, certificate, tests."""
    out = console()

    def say(head: str, *lines: str) -> None:
        out.print(f"\n[bold]{head}[/bold]", highlight=False)
        for line in lines:
            out.print(Padding(Text(line), (0, 0, 0, 2), expand=False))

    out.print(Text(found["claim"], style="bold") + Text("  ") + verdict(found["verdict"]))
    out.print(escape(found["sentence"]), highlight=False)
    say("claim", found["formal"], *([f"source: {found['source']}"] if found["source"] else []))
    say("definitions", *(f"{d['word']}: {d['means']}  ({d['where']})" for d in found["definitions"]))
    if found["formulas"]:
        say("formulas", *(f"{f['formula']}  ({f['where']})" for f in found["formulas"]))
    say(f"proof  ({found['proof']['where']})", *found["proof"]["source"].rstrip().splitlines())
    out.print("\n[bold]theorem[/bold]", highlight=False)
    out.print(_tree(found["derivation"], set()), highlight=False)
    if found["witness"]:
        say("witness, to check by hand", *found["witness"])
    say("trusts", short(found["trusts"]))
    say("rules (written proof)", ", ".join(found["rules"]))
    say("certificate", found["certificate"])
    say("tests", *(found["tests"] or ["in the repository"]))
    if found["cost"] is not None:
        head = "\n[bold]cost of the replay[/bold]  {verdict}, {lines:,} lines of functions that ran"
        out.print(head.format(**found["cost"]), highlight=False)
        out.print(cost(found["cost"]))


def cost(found: Mapping[str, Any]) -> Table:
    """How many believed lines ran in a replay, by what they are believed for."""
    table = grid("what is believed", "files", "lines that ran", "of lines of code")
    for group in dict.fromkeys(one["group"] for one in found["files"]):
        table.add_row(Text(group), *_summed([one for one in found["files"] if one["group"] == group]))
    table.add_row(Text("in all"), *_summed(found["files"]))
    return table


def _summed(files: list[Mapping[str, Any]]) -> tuple[Text, Text, Text]:
    """How many files, lines that ran and lines."""
    numbers = len(files), sum(one["ran"] for one in files), sum(one["of"] for one in files)
    return Text(f"{numbers[0]:,}"), Text(f"{numbers[1]:,}"), Text(f"{numbers[2]:,}")


def _tree(node: Mapping[str, Any], shown: set[str]) -> Tree:
    """The derivation, conclusion first, premises below; a part that was `shown` is not shown again."""
    lines = [f"|- {node['concludes']}", f"by {node['rule']}  ({node['where']})"]
    if "statement" in node["data"]:
        lines = [f"|- {node['data']['statement']}", f"by {_means(node)}  ({node['where']})"]
    elif node["data"]:
        lines.append("with " + ", ".join(f"{key} = {value}" for key, value in node["data"].items()))
    said = "\n".join(lines)
    if said in shown:
        return Tree(escape(f"{lines[0]}\nas shown above"))
    if node["premises"]:
        shown.add(said)
    tree = Tree(escape(said))
    for premise in node["premises"]:
        tree.add(_tree(premise, shown))
    return tree


def _means(node: Mapping[str, Any]) -> str:
    """Who vouches for a lemma, or the rule that checks it."""
    data = node["data"]
    if node["rule"] == "oracle":
        return ", ".join(data["by"])
    return f"algebra, an identity in each of {len(data['cases'])} cases" if "cases" in data else str(node["rule"])


def print_latex(found: Mapping[str, Any]) -> None:
    """The claim and its formulas as LaTeX, printed from the code."""
    sys.stdout.write("\n".join(latex_of(found)) + "\n")
