"""Every system that the documents name: what is asked, the command, its verdict, and seconds of the processor.

    python -m benchmarks.systems [SYSTEM]

prints Markdown.  The questions are those of systems.toml, and SYSTEM is a part of the name of one.  Exit code 1 where a
verdict is not the one that stands there, and all of those at the end.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.cells import table
from benchmarks.samplers import machine
from refdp.claims import Claim
from refdp.docket import entries, verdict

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = Path(__file__).with_name("systems.toml")
AS_THE_LEDGER = "as the ledger"
"""What is expected of claims each of which says itself whether it is proved or refuted."""
WRITING = ("verify", "prove", "sensitivity", "train")
"""Commands that write certificates, which go to a folder that is removed."""
COLUMNS = ("asked", "command", "verdict", "s")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of refdp, by which command, and the verdict that is expected."""

    asks: str
    command: str
    expected: str
    each: str = ""
    """The key of the judgements of which each is a row; none unless it is given."""
    name: str = ""
    """The key of what such a judgement is about."""


@dataclass(frozen=True, slots=True)
class Row:
    """One verdict."""

    asks: str
    command: str
    verdict: str
    expected: bool
    seconds: float | None
    reason: str = ""

    @property
    def cells(self) -> Sequence[str]:
        """As the table has them: in bold what was not expected, and why where nothing was decided."""
        said = self.verdict if self.expected else f"**{self.verdict}**, not expected"
        took = "" if self.seconds is None else f"{self.seconds:.2f}"
        because = f": {self.reason}" if self.reason else ""
        return [cell(self.asks), f"`{cell(self.command)}`", cell(said + because), took]


def cell(text: str) -> str:
    """A text that breaks no row."""
    return " ".join(text.split()).replace("|", "\\|")


def systems(path: Path = QUESTIONS) -> dict[str, list[Question]]:
    """The questions about each system, by its name."""
    found = tomllib.loads(path.read_text(encoding="utf-8"))["system"]
    return {one["name"]: [Question(**asked) for asked in one["question"]] for one in found}


def asked(question: Question, folder: Path) -> Iterator[Row]:
    """The rows of one question; that of a command that said nothing names its exit code."""
    words = shlex.split(question.command)
    writes = ["--certificates", str(folder)] if words[0] in WRITING else []
    found, seconds, ended = answer([*words, *writes])
    shown = f"refdp {question.command}"
    if found is None:
        yield Row(question.asks, shown, ended, False, seconds)
    elif not question.each:
        said, expected = judged(found, question.expected)
        reason = str(found.get("reason") or "") if said == "UNKNOWN" else ""
        yield Row(question.asks, shown, said, expected, seconds, reason)
    else:
        yield from each_judged(question, found[question.each], shown, seconds)


def each_judged(question: Question, found: Sequence[Mapping[str, Any]], shown: str, seconds: float) -> Iterator[Row]:
    """A row of each judgement; the seconds of all stand at the first."""
    if not found:
        yield Row(question.asks, shown, f"nothing under {question.each}", False, seconds)
    for i, one in enumerate(found):
        about = f"{question.asks}: {str(one[question.name]).replace('_', ' ')}"
        expected = one.get("expected", question.expected)
        reason = str(one.get("reason") or "") if one["verdict"] == "UNKNOWN" else ""
        took = None if i else seconds
        yield Row(about, shown, one["verdict"], one["verdict"] in expected.split(" or "), took, reason)


def answer(words: Sequence[str]) -> tuple[Any, float, str]:
    """What the command prints as JSON, or None; seconds of the processor; how it ended where it printed nothing."""
    before = used()
    done = subprocess.run(
        [sys.executable, "-m", "refdp", *words, "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "1000"},
    )
    ended = f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
    found = json.loads(done.stdout) if done.stdout.startswith(("{", "[")) else None
    return found, used() - before, ended


def used() -> float:
    """Seconds that processes which ended have taken of the processor, theirs included."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def judged(found: Mapping[str, Any], expected: str) -> tuple[str, bool]:
    """The verdict in words, and whether it is the expected one."""
    if expected != AS_THE_LEDGER:
        return found["verdict"], found["verdict"] == expected
    verdicts = [one["verdict"] for one in found["claims"]]
    counted = ", ".join(f"{n} {word}" for word in dict.fromkeys(verdicts) if (n := verdicts.count(word)))
    return counted or "no claim", bool(verdicts) and found["surprises"] == 0


def of_the_docket(folder: Path, expected: Mapping[str, str]) -> Iterator[Row]:
    """The rows of the entries of the docket, whose verdicts are those of claims that are verified for it."""
    listed = entries()
    cited = {c.identifier for one in listed for c in one.formal}
    cited |= {one["refuted"] for found in listed for one in found.said.get("conditions", ())}
    said: dict[str, str] = {}
    for stem in sorted({identifier.partition(".")[0] for identifier in cited}):
        command = f"verify '{stem}.*'"
        found, seconds, ended = answer([*shlex.split(command), "--certificates", str(folder)])
        word, fine = judged(found, AS_THE_LEDGER) if found is not None else (ended, False)
        said |= {one["id"]: one["verdict"] for one in found["claims"]} if found is not None else {}
        yield Row(f"the claims that entries cite: {stem}", f"refdp {command}", word, fine, seconds)

    def of(about: Claim) -> str:
        return said.get(about.identifier, "UNKNOWN")

    for one in listed:
        word = verdict(one, of)
        who = ", ".join(one.blocks["basic"]["data_curators"])
        missing = one.said.get("missing", ())
        why = "; ".join(missing) if word == "AMBIGUOUS" else one.said.get("no_words", "")
        yield Row(f"{who}: {one.name}", f"docs/docket/{one.slug}.md", word, expected.get(one.slug) == word, None, why)


def main(part: str) -> int:
    """Print the table of each system whose name has this part; 1 where a verdict was not expected."""
    chosen = {name: questions for name, questions in systems().items() if part.lower() in name.lower()}
    docket = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))["docket"]
    if not chosen and part.lower() not in docket["name"].lower():
        sys.exit(f"SYSTEM must be a part of the name of a system in {QUESTIONS.name}, got {part!r}")
    print(f"{machine()}\n", flush=True)
    rows: list[Row] = []

    def kept(found: Iterator[Row]) -> Iterator[Sequence[str]]:
        for row in found:
            rows.append(row)
            yield row.cells

    with TemporaryDirectory() as temporary:
        for name, questions in chosen.items():
            print(f"## {name}\n")
            table(COLUMNS, kept(row for question in questions for row in asked(question, Path(temporary))))
        if part.lower() in docket["name"].lower():
            print(f"## {docket['name']}\n")
            table(COLUMNS, kept(of_the_docket(Path(temporary), docket["entries"])))
    wrong = [row for row in rows if not row.expected]
    took = sum(row.seconds or 0 for row in rows)
    print(f"{len(rows)} verdicts: {len(rows) - len(wrong)} as expected, {len(wrong)} not; {took:.0f} s of processor")
    for row in wrong:
        print(f"not expected: {row.asks}: {row.verdict} ({row.command})")
    return int(bool(wrong))


if __name__ == "__main__":
    if len(sys.argv) > 2 or any(re.match("-", argument) for argument in sys.argv[1:]):
        sys.exit("usage: python -m benchmarks.systems [SYSTEM]")
    sys.exit(main("".join(sys.argv[1:])))
