"""Genuine certificates of every format: the ledger's, the library's, and some that are made here by asking."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from refdp.claims import programs
from refdp.commands.library import listed
from refdp.commands.sensitivity import sensitivity
from refdp.kernel.certificate import answer_certificate
from refdp.kernel.rules.questions import EngineQuestion, engine
from refdp.sensitivities.machine.adjusted import MachineQuery, adjusted_bound
from refdp.sensitivities.machine.formats import format_named
from refdp.sensitivities.smooth import smooth_sensitivity
from refdp.sensitivities.smoothing.believing import WRITTEN
from tests.forging.questions import as_before, is_question, of_before
from tests.made import certificates
from tests.meta.repository import ROOT
from tests.programs.earlier import earlier
from tests.sensitivities.earlier import earlier as before
from tests.sensitivities.machine.earlier import earlier as of_machine_before
from tests.sensitivities.machine.sum_questions import sum_certificate

KERNEL, ALIGNMENT, COUNTEREXAMPLE = "refdp-certificate/2", "refdp-alignment/1", "refdp-counterexample/1"
PROGRAM = f"{KERNEL} about a program"
QUERY = f"{KERNEL} about a query"
MACHINE = f"{KERNEL} about a machine"
"""The kernel's format, with one step about a text of a user."""
QUESTION = f"{KERNEL} about a question"
"""The same, of what only an engine has words for."""
SENSITIVITY, SMOOTH = "refdp-sensitivity/1", "refdp-smooth-sensitivity/1"
MACHINE_FUNCTION, MACHINE_SUM = "refdp-machine-function/1", "refdp-machine-sensitivity/1"
FORMATS = (KERNEL, PROGRAM, QUERY, MACHINE, QUESTION, ALIGNMENT, COUNTEREXAMPLE, SENSITIVITY, SMOOTH, MACHINE_FUNCTION,
           MACHINE_SUM)  # fmt: skip
STORED = ROOT / "proofs" / "certificates"
QUESTIONS = {one.identifier: listed()[one.formal][0] for one in programs()}
"""Claim about a program of the library -> the question that its certificate answers."""
QUERIES = """
def total(rows, cap=7):
    return sum(min(r, cap) for r in rows)


def counts(rows):
    return [sum(1 for r in rows if r > k) for k in range(3)]


def mean(rows):
    return sum(rows) / len(rows) if rows else 0


def clipped(rows, low, high):
    found = 0
    for r in rows:
        if r > 0:
            found += max(low, min(high, r))
    return found


def weighted(people):
    return sum(p["weight"] * p["income"] for p in people)


def known(people):
    return sum(1 for p in people if p["income"] is not None and p["sex"] == "F")


def capped(rows):
    count = 0
    for r in rows:
        if count < 3:
            count += 1
    return count


def forgot_the_floor(rows):
    found = 0
    for x in rows:
        if x > 5:
            x = 5
        found += x
    return found


def boundary_counted_twice(rows):
    return [sum(1 for r in rows if r <= 5), sum(1 for r in rows if r >= 5)]


def summed(rows):
    return sum(rows)


def average(rows):
    return sum(rows) / len(rows)


def adults(rows):
    return sum(1 for r in rows if r >= 18)
"""
PEOPLE = {"column": {"weight": "0..3", "income": "0..10"}}
CENSUS = {"column": {"sex": "F | M", "income": "0..10 or missing"}}
SMALL = {"records": "0..10"}
ASKED: Mapping[str, tuple[str, dict[str, Any]]] = {
    "total": ("total", {**SMALL, "neighbours": "add_remove", "claim": "7"}),
    "total of two": ("total", {**SMALL, "neighbours": "add_remove", "claim": "6", "edits": 2, "set": {"cap": "3"}}),
    "false total": ("total", {**SMALL, "neighbours": "add_remove", "claim": "6"}),
    "counts": ("counts", {**SMALL, "neighbours": "add_remove", "claim": "3"}),
    "counts, largest": ("counts", {**SMALL, "neighbours": "change_one", "claim": "1", "norm": "Linf"}),
    "false counts": ("counts", {**SMALL, "neighbours": "change_one", "claim": "2"}),
    "mean": ("mean", {**SMALL, "neighbours": "change_one", "claim": "10"}),
    "false mean": ("mean", {**SMALL, "neighbours": "add_remove", "claim": "4"}),
    "clipped": ("clipped", {**SMALL, "neighbours": "add_remove", "claim": "max(abs(low), abs(high))",
                            "symbol": ["low", "high"], "assume": "low <= high"}),
    "weighted": ("weighted", {**PEOPLE, "neighbours": "add_remove", "claim": "30"}),
    "known": ("known", {**CENSUS, "neighbours": "change_one", "claim": "1"}),
    "capped": ("capped", {**SMALL, "neighbours": "add_remove", "claim": "1"}),
    "forgot the floor": ("forgot_the_floor", {"records": "numbers", "neighbours": "add_remove", "claim": "5"}),
    "boundary": ("boundary_counted_twice", {**SMALL, "neighbours": "add_remove", "claim": "1"}),
    "sum of floats": ("summed", {**SMALL, "neighbours": "add_remove", "claim": "11", "arithmetic": "float64",
                                 "rows_at_most": 100}),
    "false sum of floats": ("summed", {**SMALL, "neighbours": "change_one", "claim": "9", "arithmetic": "float64",
                                       "rows_at_most": 4}),
    "mean of floats": ("average", {**SMALL, "neighbours": "change_one", "claim": "11", "arithmetic": "float64",
                                   "rows_at_most": 20, "rows_at_least": 1}),
    "count in int64": ("adults", {"records": "integers 0..120", "neighbours": "add_remove", "claim": "1",
                                  "arithmetic": "int64", "rows_at_most": 1000}),
    "false count in int64": ("adults", {"records": "integers 0..120", "neighbours": "add_remove", "claim": "0",
                                        "arithmetic": "int64", "rows_at_most": 3}),
    "sum in int64": ("summed", {"records": "integers 0..120", "neighbours": "change_one", "claim": "120",
                                "arithmetic": "int64", "rows_at_most": 50}),
}  # fmt: skip
"""Function and question."""
TABLES: tuple[tuple[Any, ...], ...] = (
    ("median", [0, 0, 3, 9, 10], 0, 10, "1/4", "change_one"),
    ("median", [1, 2, 3, 4], 0, 10, "1/2", "change_one"),
    ("minimum", [2, 5, 7], 0, 10, "1/3", "change_one"),
    ("maximum", [2, 5, 7, 7], 0, 10, "1", "change_one"),
    ("median", [0, 4, 10], 0, 10, "1/2", "add_remove"),
)
SUMS = (
    MachineQuery("sum", "naive", format_named("float64"), Fraction(0), Fraction(10), "add_remove", 8),
    MachineQuery("sum", "pairwise", format_named("float32"), Fraction(-3), Fraction(10), "change_one", 5),
    MachineQuery("mean", "kahan", format_named("float64"), Fraction(0), Fraction(10), "change_one", 6, 2),
)


@dataclass(frozen=True)
class Seed:
    """A genuine certificate."""

    form: str
    name: str
    content: Any


def stored(every: int = 1) -> Iterator[Seed]:
    """The certificates of ledger and library, of each kind every so many."""
    made = [path for path in certificates() if path.suffix == ".json"]
    for folder in (STORED, STORED / "programs"):
        for path in sorted(path for path in made if path.parent == folder)[::every]:
            text = path.read_text(encoding="utf-8")
            content = json.loads(text)
            if content["format"] != KERNEL or folder == STORED:
                yield Seed(content["format"], path.stem, content)
                continue
            then = earlier(QUESTIONS[path.stem], text)
            yield Seed(then["format"], path.stem, then)
            if is_question(content):
                yield Seed(QUESTION, path.stem, content)
                continue
            yield Seed(PROGRAM, path.stem, content)
            yield Seed(QUESTION, path.stem, asked_again(then))


def of_queries(folder: Path, names: Callable[[str], bool] = lambda name: True) -> Iterator[Seed]:
    """The certificates of the questions above."""
    (folder / "queries.py").write_text(QUERIES, encoding="utf-8")
    for name, (function, asked) in ASKED.items():
        if names(name):
            (folder / name).mkdir()
            found = sensitivity(f"{folder / 'queries.py'}:{function}", certificates=folder / name, **asked)
            if not found.get("certificate"):
                raise ValueError(f"{name} is {found['verdict']}: {found.get('reason')}")
            text = Path(found["certificate"]).read_text(encoding="utf-8")
            content, of_machine = json.loads(text), "arithmetic" in asked
            then = of_machine_before(content) if of_machine else before(text)
            yield Seed(then["format"], name, then)
            if is_question(content):
                yield Seed(QUESTION, name, content)
                continue
            yield Seed(MACHINE if of_machine else QUERY, name, content)
            yield Seed(QUESTION, name, asked_again(then))


def asked_again(then: Any) -> Any:
    """A certificate of before as one about a question, whatever rule says its claim besides."""
    content = of_before(then)
    [step] = content["steps"]
    text = next(iter(content["sources"].values()), "")
    asked = EngineQuestion(
        **{key: step["data"][key] for key in ("kind", "function", "question", "evidence")}, text=text
    )
    answers = engine(asked.kind)
    asked = replace(asked, question=answers.restated(asked))
    by = None
    if step["rule"] == "engine_proves":
        needed, is_asked = answers.believed(asked)
        by = needed | ({"z3"} if is_asked else set())
    return json.loads(answer_certificate(asked, by) or "")


def of_tables() -> Iterator[Seed]:
    """Smooth bounds at some tables."""
    for statistic, rows, lower, upper, beta, neighbours in TABLES:
        found = smooth_sensitivity(statistic, rows, lower, upper, Fraction(beta), neighbours,
                                   *([0] if neighbours == "add_remove" else []))  # fmt: skip
        text = answer_certificate(found.certificate.question(), [WRITTEN, "z3"])
        content, name = json.loads(text or ""), f"{statistic} of {rows}"
        yield Seed(QUESTION, name, content)
        yield Seed(SMOOTH, name, as_before(content))


def of_sums() -> Iterator[Seed]:
    """Bounds of sums as machines compute them."""
    for query in SUMS:
        content, name = json.loads(sum_certificate(adjusted_bound(query))), f"{query.kind} in {query.form.name}"
        yield Seed(QUESTION, name, content)
        yield Seed(MACHINE_SUM, name, as_before(content))


def seeds(folder: Path, every: int = 1) -> list[Seed]:
    """Certificates of every format; of those stored every so many."""
    return [*stored(every), *of_queries(folder), *of_tables(), *of_sums()]
