"""Random claims about random queries, judged by refdp and by CPython: which of refdp's verdicts are wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import refdp
from refdp.sensitivities.judging import judge
from refdp.sensitivities.request import Request
from tests.fuzzing.finding import Finding
from tests.fuzzing.modules import Module
from tests.fuzzing.queries import Query, query
from tests.fuzzing.query_truth import Outcome, Relation, Seen, Table, furthest, moved, outcomes, tables_up_to, value_of

SECONDS = 2.0
"""For one claim."""
SMALL = 3
"""Most rows of a table where all are run."""
LARGER = 24
"""How many pairs of larger tables are run."""
FACTORS = (Fraction(0), Fraction(1, 2), Fraction(99, 100), Fraction(1), Fraction(2))
"""What is claimed, as a multiple of the furthest movement that was seen."""
CLAIMS = 2
"""How many of these are asked about each query."""
FINER = 10**9
"""A root is rounded up to a multiple of 1 / FINER."""
INTERNAL, REFUSED = "internal error", "refused"
"""What stands in place of a verdict where one was lost, and where the question or the file was not read."""
HAS_SECOND_JUDGE = hasattr(refdp, "second_judge") or (Path(refdp.__file__).parent / "second_judge").is_dir()
"""The version before had none."""


@dataclass(slots=True)
class Tally:
    """How many claims were judged, and how."""

    verdicts: dict[str, int] = field(default_factory=dict)
    queries: int = 0
    without_truth: int = 0
    """Queries that CPython did not finish."""

    @property
    def claims(self) -> int:
        """How many claims there were."""
        return sum(self.verdicts.values())

    @property
    def decided(self) -> Fraction:
        """The share of claims that were PROVED or REFUTED."""
        found = self.verdicts.get("PROVED", 0) + self.verdicts.get("REFUTED", 0)
        return Fraction(found, max(1, self.claims))

    def count(self, verdict: str) -> None:
        """One more."""
        self.verdicts[verdict] = self.verdicts.get(verdict, 0) + 1


@dataclass(frozen=True, slots=True)
class Truth:
    """What CPython says of one query: the furthest movement, for lists or in any order, and whether it ever answers."""

    asked: Query
    answers: tuple[Mapping[Table, Outcome], ...]
    """For each assignment of the symbols."""

    def seen(self, in_any_order: bool) -> tuple[Seen, Mapping[str, str]]:
        """The furthest movement, and the values of the symbols."""
        asked = self.asked
        relation = Relation(asked.neighbours, asked.edits, in_any_order)
        best: tuple[Seen, Mapping[str, str]] = (Seen(Fraction(0)), {})
        for assigned, answers in zip(asked.assigned, self.answers, strict=True):
            rows = rows_at(asked, assigned)
            units = {n: unit_at(asked, assigned, n) for n in range(SMALL + 8)}
            larger = [pair for pair in larger_pairs(asked, rows) if relation.holds(*pair)]
            found = furthest(answers, [*relation.pairs(rows, SMALL), *larger], asked.norm, units)
            if best[0].ratio is not None and (found.ratio is None or found.ratio > best[0].ratio):
                best = found, assigned
        return best

    @property
    def raises(self) -> str:
        """What is raised on every table with rows; empty where some are answered."""
        all_said = [said for one in self.answers for table, said in one.items() if table]
        return all_said[0].raised if all(one.raised for one in all_said) else ""


def truth_of(asked: Query) -> Truth | None:
    """All small tables and some larger ones, run by CPython; None where it does not finish."""
    answers = []
    for assigned in asked.assigned:
        rows = rows_at(asked, assigned)
        tables = [*tables_up_to(rows, SMALL), *(one for pair in larger_pairs(asked, rows) for one in pair)]
        said = outcomes(asked.module.text, asked.subject.name, [(one, {**asked.meant, **assigned}) for one in tables])
        if said is None:
            return None
        answers.append(dict(zip(tables, said, strict=True)))
    return Truth(asked, tuple(answers))


def rows_at(asked: Query, assigned: Mapping[str, str]) -> tuple[str, ...]:
    """The texts of records, where symbols have these values."""
    return tuple(dict.fromkeys(assigned.get(row, row) for row in asked.rows))


def unit_at(asked: Query, assigned: Mapping[str, str], size: int) -> Fraction | None:
    """The unit of the claim; None where the assumption does not hold."""
    names = {**{name: value_of(text) for name, text in assigned.items()}, "n": Fraction(size)}
    if asked.assume is not None and not eval(asked.assume, {}, dict(names)):
        return None
    return None if "/ n" in asked.unit and size == 0 else Fraction(eval(asked.unit, {}, dict(names)))


def larger_pairs(asked: Query, rows: tuple[str, ...]) -> list[tuple[Table, Table]]:
    """Some pairs of larger tables that are neighbours."""
    random, found = Random(asked.module.text), []
    relation = Relation(asked.neighbours)
    for _ in range(LARGER):
        table = tuple(random.choices(rows, k=random.randint(SMALL + 1, SMALL + 4)))
        other = sorted(relation.steps(table, rows, len(table) + 1))
        found.append((table, random.choice(other)))
    return found


def claims(asked: Query, seen: Seen, random: Random, raises: bool = False) -> list[Fraction]:
    """Claims, in units: some multiples of the furthest movement, or any if there is no limit to it.

    Any, too, of a function that always raises: where it is read as one that answers, a small claim would not be proved.
    """
    if seen.ratio is None or (raises and not seen.ratio):
        return [Fraction(one) for one in random.sample((0, 1, 10, 1000, 10**6), CLAIMS)]
    whole = seen.ratio
    if asked.norm == "L2":
        whole = Fraction(-isqrt(-(-whole.numerator * FINER**2 // whole.denominator)), FINER) * -1
        whole += Fraction(1, FINER) if whole * whole < seen.ratio else 0
    factors = random.sample(FACTORS, CLAIMS)
    return list(dict.fromkeys(whole * one if whole else one for one in factors))


def claim_text(asked: Query, claim: Fraction) -> str:
    """The claim as it is written."""
    return str(claim) if asked.unit == "1" else f"({claim}) * ({asked.unit})"


def request_of(asked: Query, path: Path, claim: Fraction) -> Request:
    """The question."""
    return Request(
        target=f"{path}:{asked.subject.name}", record=asked.record, neighbours=asked.neighbours,
        claim=claim_text(asked, claim), norm=asked.norm, edits=asked.edits, tables=asked.tables,
        values=asked.values, symbols=asked.symbols, assume=asked.assume,
    )  # fmt: skip


def options(asked: Query, claim: Fraction) -> str:
    """The question as text."""
    said = {"records": asked.record, "neighbours": asked.neighbours, "claim": claim_text(asked, claim)}
    said |= {"norm": asked.norm} if asked.norm != "L1" else {}
    said |= {"edits": str(asked.edits)} if asked.edits > 1 else {}
    more = {"tables": asked.tables, "set": dict(asked.values), "symbol": asked.symbols, "assume": asked.assume}
    return ", ".join(f"{name} {value}" for name, value in (said | {k: v for k, v in more.items() if v}).items())


def verdict_of(
    asked: Query, claim: Fraction, second_judge: bool, folder: Path, seconds: float = SECONDS
) -> dict[str, Any]:
    """What refdp says: the object of `refdp sensitivity --json`, or the word for what was raised.

    Without the second judge it is the verdict that would have been put before it.
    """
    path = folder / "query.py"
    path.write_text(asked.module.text, encoding="utf-8")
    request = request_of(asked, path, claim)
    try:
        if not (second_judge and HAS_SECOND_JUDGE):
            return judge(request, seconds).data()
        column = {str(i): one for i, one in enumerate(asked.record)} if isinstance(asked.record, list) else asked.record
        kind = {"records": asked.record} if isinstance(asked.record, str) else {"column": column}
        return refdp.sensitivity(
            request.target, request.neighbours, claim=request.claim, edits=request.edits, norm=request.norm,
            tables=request.tables, set=request.values, symbol=request.symbols, assume=request.assume, timeout=seconds,
            **kind,
        )  # fmt: skip
    except ValueError as error:
        return {"verdict": REFUSED, "reason": str(error)}
    except Exception as error:
        return {"verdict": INTERNAL, "reason": f"{type(error).__name__}: {error}"}


def wrong_query_verdicts(
    seeds: Iterable[int], second_judge: bool, tally: Tally | None = None, seconds: float = SECONDS
) -> Iterator[Finding]:
    """The wrong verdicts and internal errors of refdp on random claims, those of each seed in turn.

    `tally` counts as it goes; `seconds` are for one claim.
    """
    tally = Tally() if tally is None else tally
    for seed in seeds:
        for one in judged_claims(seed, second_judge, tally, seconds):
            if one.why:
                yield Finding(seed, one.asked.module.text, options(one.asked, one.claim), one.verdict, *one.why)


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """One claim about a query, what refdp says of it, and how that contradicts the truth."""

    asked: Query
    claim: Fraction
    said: Mapping[str, Any]
    why: tuple[str, str] | None

    @property
    def verdict(self) -> str:
        """The verdict, or that it was lost."""
        return INTERNAL if "internal_error" in self.said else str(self.said["verdict"])


def judged_claims(
    seed: int, second_judge: bool, tally: Tally | None = None, seconds: float = SECONDS
) -> Iterator[JudgedClaim]:
    """The claims about the query of that number, judged."""
    tally = Tally() if tally is None else tally
    asked = query(seed)
    truth = truth_of(asked)
    tally.queries += 1
    if truth is None:
        tally.without_truth += 1
        return
    seen, _ = truth.seen(asked.tables == "multisets")
    with TemporaryDirectory() as folder:
        for claim in claims(asked, seen, Random(f"claims {seed}"), bool(truth.raises)):
            said = verdict_of(asked, claim, second_judge, Path(folder), seconds)
            one = JudgedClaim(asked, claim, said, contradiction(truth, claim, said, second_judge))
            tally.count(one.verdict)
            yield one


def contradiction(
    truth: Truth, claim: Fraction, said: Mapping[str, Any], second_judge: bool = True
) -> tuple[str, str] | None:
    """The truth, and how it contradicts a verdict about so many units; None where it does not.

    That a function never answers is seen by the second judge, where there is one: without it that is no contradiction.
    """
    asked, verdict = truth.asked, said["verdict"]
    if verdict == INTERNAL or "internal_error" in said:
        return "", f"an internal error: {said.get('internal_error', said.get('reason'))}"
    if verdict not in ("PROVED", "REFUTED"):
        return None
    if asked.refuse:
        return asked.refuse, "a verdict was given where the question should have been refused"
    if verdict == "REFUTED":
        return false_pair(truth, claim, said)
    if truth.raises and (second_judge or not HAS_SECOND_JUDGE):
        return f"raises {truth.raises} on every table with rows", "a function that never answers is PROVED nothing"
    seen, assigned = truth.seen("multisets" in (asked.tables, said["tables"]))
    limit = claim * claim if asked.norm == "L2" else claim
    if seen.exceeds(limit):
        at = f" at {dict(assigned)}" if assigned else ""
        return f"{seen}{at}", f"PROVED at most {claim} units of {asked.unit}"
    return None


def false_pair(truth: Truth, claim: Fraction, said: Mapping[str, Any]) -> tuple[str, str] | None:
    """Why the pair of a refutation shows nothing, or why there can be none."""
    asked, pair = truth.asked, said["pair"]
    limit = claim * claim if asked.norm == "L2" else claim
    if pair is None:
        return "no pair is shown", "REFUTED without a pair"
    first, second = tuple(pair["first"]), tuple(pair["second"])
    relation = Relation(asked.neighbours, asked.edits, "multisets" in (asked.tables, said["tables"]))
    if not relation.holds(first, second):
        return f"{first} and {second} are no neighbours", "REFUTED by tables that are no neighbours"
    assigned = {name: exact(text) for name, text in pair["parameters"].items()}
    for row in (*first, *second):
        if not belongs(asked.record, value_of(row), {name: value_of(text) for name, text in assigned.items()}):
            return f"{row} is no record", "REFUTED by a table with what is no record"
    unit = unit_at(asked, assigned, min(len(first), len(second)))
    if unit is None:
        return f"{assigned} and {len(first)} rows do not satisfy {asked.assume}", "REFUTED outside the assumption"
    said_twice = outcomes(
        asked.module.text, asked.subject.name, [(one, {**asked.meant, **assigned}) for one in (first, second)]
    )
    ratio = None if said_twice is None else moved(*said_twice, asked.norm, unit)
    is_apart = said_twice is not None and ratio is None  # one answers, and the other raises: no bound speaks of these
    if asked.upper is not None and limit >= asked.upper and not is_apart:
        return f"no tables move by more than {asked.upper} units (squared under L2)", "REFUTED what is true"
    if said_twice is None:
        return None
    if ratio is not None and ratio <= limit and not any(one.is_rounded for one in said_twice):
        seen = Seen(ratio, first, second, (str(said_twice[0]), str(said_twice[1])))
        return str(seen), f"REFUTED at most {claim} units of {asked.unit}"
    return None


def exact(text: str) -> str:
    """A number as an expression that stays exact."""
    number = Fraction(text)
    return str(number) if number.denominator == 1 else f"Fraction({number.numerator}, {number.denominator})"


def belongs(record: Any, row: Any, names: Mapping[str, Any]) -> bool:
    """Whether a row is a record as it was declared."""
    if isinstance(record, dict):
        return (
            isinstance(row, dict)
            and row.keys() == record.keys()
            and all(belongs(record[k], row[k], names) for k in row)
        )
    if isinstance(record, list):
        return len(row) == len(record) and all(belongs(a, b, names) for a, b in zip(record, row, strict=True))
    if record.endswith(" or missing"):
        return row is None or belongs(record.removesuffix(" or missing"), row, names)
    if "|" in record:
        labels = [one.strip() for one in record.split("|")]
        return (str(row).lower() if isinstance(row, bool) else str(row)) in labels
    if isinstance(row, bool) or not isinstance(row, int | Fraction):
        return False
    whole = record.startswith("integers")
    low, _, high = re.sub(r"^(integers|numbers) ?", "", record).partition("..")
    return (
        (not whole or isinstance(row, int))
        and (not low or row >= names.get(low, value_of(low) if low not in names else 0))
        and (not high or row <= names.get(high, value_of(high) if high not in names else 0))
    )


def minimised(found: Finding, second_judge: bool) -> Finding:
    """The same finding with fewer statements around the function: each block that is not needed is left out."""
    asked = query(found.seed)
    with TemporaryDirectory() as folder:
        for claim in [one for one in possible(asked) if options(asked, one) == found.claim]:
            kept = asked.module.text.rstrip("\n").split("\n\n")
            at = 0
            while at < len(kept):
                fewer = kept[:at] + kept[at + 1 :]
                tried = replace(asked, module=Module("\n\n".join(fewer) + "\n", asked.module.manner))
                truth = truth_of(tried)
                said = verdict_of(tried, claim, second_judge, Path(folder)) if truth else {"verdict": REFUSED}
                why = contradiction(truth, claim, said, second_judge) if truth else None
                if why and found.verdict in (INTERNAL, said["verdict"]):
                    kept = fewer
                    found = Finding(found.seed, tried.module.text, found.claim, found.verdict, *why)
                else:
                    at += 1
    return found


def possible(asked: Query) -> list[Fraction]:
    """The claims that are asked about a query."""
    truth = truth_of(asked)
    seed_free = truth.seen(asked.tables == "multisets")[0] if truth else Seen(Fraction(0))
    random, raises = Random(), bool(truth and truth.raises)
    return list(dict.fromkeys(one for _ in range(40) for one in claims(asked, seed_free, random, raises)))
