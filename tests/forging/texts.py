"""`python -m tests.forging.texts [COUNT [SEED]]`: forges certificates about users' own queries.

The forger changes texts, digests, bounds, grids, rows, sizes, values and evidence, and writes what makes the rest fit:
the digest of the changed text, the conclusion and the names that the steps give.  What checks must be true of Python,
run on every pair of small tables.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import refdp
from refdp.commands.check import replayed_file
from refdp.commands.own_query import proved_query
from refdp.derivations import proved_query as theorem_of
from refdp.kernel.certificate import certificate
from refdp.kernel.judgements import KernelError
from refdp.kernel.sources import bring, digest_of
from refdp.kernel.theorem import RULES
from refdp.pipeline import Transformation
from refdp.spec.distances import METRICS
from refdp.spec.domains import contains, fields, key_of, rows_of
from refdp.spec.queries import arguments_of
from refdp.terms.reading import read
from refdp.terms.term import Term, substitute, term
from tests.sensitivities.brute_force import exact_function

SECONDS = 4.0
NOT_THERE = (KeyError, TypeError, AttributeError, IndexError, ValueError)
"""What a change raises where an earlier one took away what it is about."""
FILE = """
def total(rows, cap=7):
    return sum(min(r, cap) for r in rows)


def count(rows):
    n = 0
    for r in rows:
        if r > 3:
            n += 1
    return n


def mean(rows):
    return sum(rows) / len(rows) if rows else 0


def plain(rows):
    return sum(rows) / len(rows)


def greatest(rows):
    best = 0
    for r in rows:
        best = max(best, r)
    return best


def halves(rows):
    return {"low": sum(1 for r in rows if r < 3), "high": sum(1 for r in rows if r >= 3)}


def first_only(rows):
    return rows[0] if rows else 0


def known(people):
    return sum(1 for p in people if p["age"] is not None and p["sex"] == "F")


def summed(rows):
    return sum(rows)
"""
WHOLE, PEOPLE = "integers 0..5", {"age": "integers 0..3 or missing", "sex": "F | M"}
ASKED: Mapping[str, tuple[Any, ...]] = {
    "total": ("total", "add_remove", WHOLE, "L1", None, {}),
    "total, cap 2": ("total", "change_one", WHOLE, "L1", None, {"cap": "2"}),
    "count": ("count", "add_remove", WHOLE, "L1", None, {}),
    "count replaced": ("count", "change_one", WHOLE, "L1", None, {}),
    "mean": ("mean", "add_remove", WHOLE, "L1", None, {}),
    "mean of three": ("plain", "change_one", WHOLE, "L1", 3, {}),
    "greatest": ("greatest", "add_remove", WHOLE, "L1", None, {}),
    "halves": ("halves", "change_one", WHOLE, "L1", None, {}),
    "halves, largest": ("halves", "add_remove", WHOLE, "Linf", None, {}),
    "known": ("known", "add_remove", PEOPLE, "L1", None, {}),
    "reals": ("summed", "add_remove", "0..5", "L1", None, {}),
}
FUNCTIONS = ("total", "count", "mean", "plain", "greatest", "halves", "first_only", "known", "summed")
ROWS = ("bounded(1, 0, 5)", "bounded(1, 0, 50)", "bounded(1, -5, 5)", "grid(1)", "reals()", "interval(0, 5)",
        "labels(0, 1)", "optional(bounded(1, 0, 5))", "bounded(1, 0, 1)",
        "record(field('age', optional(bounded(1, 0, 3))), field('sex', labels('F', 'M')))")  # fmt: skip
EDITS = (("3", "2"), ("3", "30"), (" > ", " >= "), (" < ", " > "), ("min(", "max("), ("max(", "min("),
         ("n = 0", "n = 5"), ("n += 1", "n += 2"), ("sum(rows)", "2 * sum(rows)"), ("if rows else 0", ""),
         ("cap=7", "cap=70"),
         ("best = 0", "best = -9"), ("return n", "return n / 2"), ("len(rows)", "(len(rows) + 1)"),
         ("is not None and", "is None or"), ('"F"', '"M"'))  # fmt: skip
MOST_ROWS = 3


def genuine(folder: Path) -> list[dict[str, Any]]:
    """The certificates of the queries above."""
    path = folder / "queries.py"
    path.write_text(FILE, encoding="utf-8")
    found = []
    for function, neighbours, rows, norm, size, values in ASKED.values():
        made, _ = proved_query(f"{path}:{function}", neighbours, rows, None, norm, size, values, 20.0, False, None)
        found.append(certificate(stable(made), ""))
    return found


def stable(made: Transformation) -> Any:
    """The theorem of a query."""
    return theorem_of(made.subject, made.input_domain, made.input_metric, made.output_metric)


def forged(random: Random, seeds: Sequence[dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    """What was changed, and the changed certificate."""
    content = json.loads(json.dumps(random.choice(seeds)))
    donor = json.loads(json.dumps(random.choice(seeds)))
    said = []
    for _ in range(random.choice((1, 1, 2, 2, 3))):
        try:
            said.append(random.choice(WAYS)(random, content, donor))
        except NOT_THERE:
            said.append("nothing")
    if random.random() < 0.85:
        fit(content)
    return "; ".join(said), content


def step(content: Mapping[str, Any]) -> dict[str, Any]:
    """The data of the step about the text."""
    found: dict[str, Any] = content["steps"][0]["data"]
    return found


def fit(content: dict[str, Any]) -> None:
    """Write the conclusion and the names that the steps give, where they give any."""
    try:
        for text in content["sources"].values():
            bring(text)
        made = RULES[content["steps"][0]["rule"]](**step(content))
        content["conclusion"], content["trusts"] = str(made.claim.term), sorted(made.trusts)
    except (KernelError, KeyError, TypeError, AttributeError, ValueError, IndexError):
        pass


def other_text(random: Random, content: dict[str, Any], donor: dict[str, Any]) -> str:
    """The text is edited, and stands under its new digest, or still under the old one."""
    old, new = random.choice(EDITS)
    [(digest, text)] = content["sources"].items()
    changed = text.replace(old, new, random.choice((1, -1)))
    if random.random() < 0.2:
        content["sources"] = {digest: changed}
        return f"{old} becomes {new} under the old digest"
    content["sources"] = {digest_of(changed): changed}
    step(content)["source"] = digest_of(changed)
    return f"{old} becomes {new}"


def other_value(random: Random, content: dict[str, Any], donor: dict[str, Any]) -> str:
    """A bound, a grid, a size, rows, neighbours, a norm, a function or values of parameters."""
    data = step(content)
    key = random.choice(("bound", "step", "size", "rows", "neighbours", "norm", "function", "arguments"))
    bound = Fraction(1) if not data["bound"] else Fraction(read(data["bound"]).rational)
    data[key] = random.choice({
        "bound": (str(bound / 2), str(bound - 1), str(bound * 2), "0", "1/1000", "sqrt(2)", "10**20"),
        "step": ("", "1", "2", "1/2", "1/3", "1/6", "5", "0", "-1"),
        "size": ("", "1", "2", "3", "4", "0", "1/2"),
        "rows": ROWS,
        "neighbours": ("add_remove", "change_one"),
        "norm": ("L1", "L2", "Linf"),
        "function": FUNCTIONS,
        "arguments": ("list_of()", *(f"list_of(fixed('cap', {value}))" for value in ("1", "100", "none()"))),
    }[key])  # fmt: skip
    return f"{key} becomes {data[key]!r}"


def other_evidence(random: Random, content: dict[str, Any], donor: dict[str, Any]) -> str:
    """Evidence of another certificate, or with a part removed, emptied or made trivial."""
    data = step(content)
    evidence = json.loads(data["evidence"])
    which = random.randrange(8)
    if which == 0:
        data["evidence"] = step(donor)["evidence"]
        return "the evidence of another"
    held = evidence["invariants"] if which % 2 or evidence["order"] is None else evidence["order"]
    if which == 1:
        held["relations"] = ["true"] * len(held["relations"])
    elif which == 2:
        held["relations"] = ["false"] * len(held["relations"])
    elif which == 3:
        held["singles"], held["hints"], held["splits"] = ["false"] * len(held["relations"]), [], []
    elif which == 4:
        evidence["order"] = None
    elif which == 5:
        evidence["fused"] = not evidence["fused"]
    elif which == 6:
        evidence["total"] = random.choice(([], ["false"], ["true"]))
    else:
        held["hints"] = [[name, "false", *rest] for name, _, *rest in held["hints"]] or [["out", "false", []]]
    data["evidence"] = json.dumps(evidence)
    return f"evidence, way {which}"


def other_frame(random: Random, content: dict[str, Any], donor: dict[str, Any]) -> str:
    """Sources, names, steps or keys removed, doubled or swapped."""
    which = random.randrange(8)
    if which == 0:
        content["sources"] = {}
    elif which == 1:
        content["sources"] |= donor["sources"] | {digest_of("x = 1\n"): "x = 1\n"}
    elif which == 2:
        step(content)["by"] = random.choice(([], ["z3"], ["refdp's reading of Python", "nobody"]))
    elif which == 3:
        content["conclusion"] = donor["conclusion"]
    elif which == 4:
        del step(content)[random.choice(list(step(content)))]
    elif which == 5:
        content["steps"] = random.choice(([], content["steps"] * 2, [*content["steps"], *donor["steps"]]))
    elif which == 6:
        content["trusts"] = []
    else:
        content["steps"][0]["rule"] = random.choice(("oracle", "decided", "program_is_private", "chain", "rounded"))
    return f"frame, way {which}"


WAYS: tuple[Callable[[Random, dict[str, Any], dict[str, Any]], str], ...] = (
    other_text, other_value, other_value, other_evidence, other_evidence, other_frame,
)  # fmt: skip


def is_true(content: Mapping[str, Any], conclusion: str) -> tuple[bool, str]:
    """Whether a conclusion about a query holds of Python on every pair of small tables."""
    said = read(conclusion)
    if said.operator != "stable" or said.arguments[0].operator != "query":
        return False, "it is about no query"
    subject, inputs, near, outputs, far, *given = said.arguments
    if given != [read("0 <= d_in")] or near.arguments != (read("d_in"),):
        return False, "it is of another form"
    name, digest, _, arguments = subject.arguments
    text = {digest_of(text): text for text in content["sources"].values()}[str(digest.value)]
    function = exact_function(text, str(name.value))
    values = arguments_of(arguments)
    bound = substitute(far.arguments[0], {"d_in": term(1)})
    limit = bound.arguments[1] if bound.operator == "*" else bound
    known = {table: run(function, table, values) for table in tables(inputs)}
    if not known:
        return False, "there are no tables"
    for table, answer in known.items():
        if isinstance(answer, Exception):
            return False, f"{table} raises {answer!r}"
        if not contains(outputs, answer):
            return False, f"{table} gives {answer}, which is not in {outputs}"
    for u, v in product(known, repeat=2):
        if METRICS[near.operator].within(u, v, Fraction(1)) and not is_near(far.operator, known[u], known[v], limit):
            return False, f"{u} and {v} give {known[u]} and {known[v]}"
    return True, "small tables"


def is_near(metric: str, a: Any, b: Any, limit: Term) -> bool:
    """Whether two answers are within the limit, a rational or the root of one."""
    if limit.operator == "sqrt":
        square = sum(((x - y) ** 2 for x, y in zip(a, b, strict=True)), Fraction(0))
        return bool(square <= limit.arguments[0].rational)
    return METRICS[metric].within(a, b, limit.rational)


def run(function: Callable[..., Any], table: Sequence[Any], values: Mapping[str, Any]) -> Any:
    """What Python answers, exactly; or what it raises."""
    try:
        found = function([dict(row) if isinstance(row, Frozen) else row for row in table], **values)
    except Exception as error:
        return error
    if isinstance(found, dict):
        return tuple(Fraction(one) for one in found.values())
    if isinstance(found, list | tuple):
        return tuple(Fraction(one) for one in found)
    return Fraction(found) if not isinstance(found, str) and found is not None else TypeError(f"{found!r}")


class Frozen(dict[str, Any]):
    """A record that may stand in a multiset."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(sorted(self.items(), key=lambda item: item[0])))


def tables(inputs: Term) -> Iterator[tuple[Any, ...]]:
    """Every small table of a few rows of the domain."""
    rows = samples(rows_of(inputs))
    sizes = [int(inputs.arguments[1].rational)] if inputs.operator == "sized_table" else range(MOST_ROWS)
    for size in sizes:
        if size <= MOST_ROWS + 1:
            yield from product(rows[: 6 if size < 3 else 4], repeat=size)


def samples(rows: Term) -> list[Any]:
    """Some members of a domain of rows: its ends, and what texts speak of."""
    if rows.operator == "record":
        columns = [(str(key), samples(inner)[:3]) for key, inner in fields(rows)]
        return [Frozen(zip((key for key, _ in columns), row, strict=True)) for row in product(*(c for _, c in columns))]
    if rows.operator == "labels":
        keys = [key_of(one) for one in rows.arguments]
        return [key if isinstance(key, str) else Fraction(key) for key in keys]
    if rows.operator == "optional":
        return [None, *samples(rows.arguments[0])]
    wanted = [*(one.rational for one in rows.arguments if one.operator == "number"),
              *map(Fraction, (0, 3, 4, 5, 1, 2, -5, 30, "5/2", 70))]  # fmt: skip
    return [x for x in dict.fromkeys(wanted) if contains(rows, x)]


def campaign(count: int, seed: int, tell: Callable[[str], None] = print) -> Counter[str]:
    """So many forged certificates: what became of them; a false theorem is told."""
    found: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        seeds = genuine(Path(folder))
        for number in range(count):
            how, content = forged(Random(f"{seed} {number}"), seeds)
            path = Path(folder) / "forged.json"
            path.write_text(json.dumps(content), encoding="utf-8")
            judged = replayed_file(path, "z3", None, SECONDS)
            if "internal_error" in judged:
                found["internal errors"] += 1
                tell(f"internal error {number}: {how}: {judged['reason']}")
            elif judged["verdict"] in ("PROVED", "REFUTED"):
                holds, why = is_true(content, judged["conclusion"])
                found["accepted and true" if holds else "FALSE"] += 1
                if not holds:
                    tell(f"FALSE {number}: {how}: {judged['conclusion']}: {why}")
            else:
                found["refused" if judged["verdict"] == "REJECTED" else "undecided"] += 1
    return found


def main() -> None:
    """Forge, and say what became of it."""
    count, seed = (int(one) for one in [*sys.argv[1:], *("5000", "2026")[len(sys.argv) - 1 :]])
    found = campaign(count, seed)
    print(f"refdp {refdp.__version__}: {sum(found.values())} forged: {dict(found)}")
    raise SystemExit(1 if found["FALSE"] or found["internal errors"] else 0)


if __name__ == "__main__":
    main()
