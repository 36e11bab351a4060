"""`python -m tests.mutation.unsound`: of 40 checks that are taken away, how many fuzzer and second judge find alone.

Each is one condition, look-up, side condition or clause of a checker or a reader, drawn by a published seed.  With it
gone, random claims are judged: found is a verdict that CPython's truth contradicts, or one that the second judge does.
A claim that never reaches the place is counted and not run, as its verdict cannot change.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import coverage

from tests.mutation.operators import Change, changes
from tests.mutation.sites import ROOT, Site, differs, numbered, rank, tree

SEED = "refdp unsound 1"
COUNT, CLAIMS, MUST_BE_FOUND = 40, 10_000, 36
PROGRAM, QUERY = "program", "query"
FILES = {
    "refdp/programs/checking/*.py": (PROGRAM,),
    "refdp/programs/language/*.py": (PROGRAM,),
    "refdp/sensitivities/checking/*.py": (QUERY,),
    "refdp/sensitivities/language/**/*.py": (QUERY,),
    "refdp/logic/file_tops.py": (PROGRAM, QUERY),
}
"""The checkers and readers, and which claims are judged by them."""
HARMLESS: dict[tuple[str, str, str, str, str, int], str] = {}
"""Changes that are shown to let nothing wrong through, by their keys, and why: not counted."""
JOINING = frozenset({"conjunction", "all_of", "disjunction"})


@dataclass(frozen=True)
class Found:
    """After how many claims a change was found, of how many; and what was said."""

    site: Site
    claims: int
    ran: int
    why: str

    @property
    def is_found(self) -> bool:
        return bool(self.why)


def files() -> dict[str, tuple[str, ...]]:
    """The files, and which claims are judged by them."""
    return {
        path.relative_to(ROOT).as_posix(): kinds
        for pattern, kinds in FILES.items()
        for path in sorted(ROOT.glob(pattern))
    }


def is_removal(change: Change) -> bool:
    """Whether a change takes a check away: a refusal, something demanded, an operand of a test, checks gone through."""
    holder = change.place[0]
    if change.operator == "operand dropped":
        return isinstance(holder, ast.If | ast.IfExp | ast.While | ast.comprehension | ast.Return | ast.UnaryOp)
    if change.operator == "loop skipped":
        return isinstance(holder, ast.For) and refuses(holder.body)
    if change.operator == "condition" and change.after == "if False":
        return isinstance(holder, ast.If) and refuses(holder.body)
    if change.operator == "statement deleted":
        return change.before.startswith(("raise", "yield", "insist", "self.insist", "self.require", "require"))
    return False


def refuses(body: list[ast.stmt]) -> bool:
    """Whether something is refused or demanded in statements."""
    demanding = ast.Raise | ast.Yield | ast.YieldFrom
    return any(isinstance(node, demanding) for one in body for node in ast.walk(one))


def clauses(file: str) -> Iterator[Change]:
    """One argument of a conjunction less."""
    for top in changes(tree(file)):
        if top.operator != "early return":
            continue
        function = top.place[0]
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in JOINING:
                for k in range(len(node.args)) if len(node.args) > 1 else ():
                    kept = [*node.args[:k], *node.args[k + 1 :]]
                    new = ast.fix_missing_locations(ast.copy_location(ast.Call(node.func, kept, []), node))
                    yield replace(
                        top, operator="clause dropped", place=(node, "args", None), new=new.args,
                        line=node.lineno, last=node.end_lineno or node.lineno,
                        before=ast.unparse(node), after=ast.unparse(new),
                    )  # fmt: skip


def drawn(seed: str = SEED) -> Iterator[Site]:
    """Every change that takes a check away, in the order of the seed."""
    found = [
        site
        for file in files()
        for site in numbered("unsound", file, (*filter(is_removal, changes(tree(file))), *clauses(file)))
    ]
    found.sort(key=lambda site: rank(site, seed))
    return (one for one in found if differs(one) and one.key not in HARMLESS)


def judged(kind: str, seed: int) -> tuple[int, list[str]]:
    """How many claims the seed makes, and what is wrong with refdp's verdicts on them."""
    if kind == PROGRAM:
        from tests.fuzzing.campaign import wrong_verdicts

        return 1, [said(one) for one in wrong_verdicts([seed], True)]
    from tests.fuzzing.query_verdicts import Tally, wrong_query_verdicts

    tally = Tally()
    found = [said(one) for one in wrong_query_verdicts([seed], True, tally)]
    return max(1, sum(tally.verdicts.values())), found


def said(finding) -> str:
    """A wrong verdict or a contradiction; empty for another internal error, which lets nothing wrong through."""
    text = f"{finding.verdict}: {finding.why} {finding.truth}".replace("\n", " ")
    is_wrong = finding.verdict in ("PROVED", "REFUTED") or "second judge contradicts" in text
    return text if is_wrong else ""


@dataclass
class Reached:
    """Which seeds reach which line, and how many claims each makes."""

    claims: dict[str, dict[int, int]]
    lines: dict[str, dict[str, dict[int, list[int]]]]
    """By kind, file and line."""

    def seeds(self, kind: str, site: Site) -> list[int]:
        """The seeds of the claims that reach a change."""
        lines = self.lines.get(kind, {}).get(site.file, {})
        first, last = site.change.line, site.change.last
        return sorted({seed for line in range(first, last + 1) for seed in lines.get(line, ())})


def record(counts: dict[str, int], path: Path) -> None:
    """Judges the claims without any change, and writes which reach what; seeds that are wrong already are left out."""
    names = [str(ROOT / file) for file in files()]
    claims: dict[str, dict[int, int]] = {kind: {} for kind in counts}
    lines: dict[str, dict[str, dict[int, list[int]]]] = {}
    for kind, count in counts.items():
        measured = coverage.Coverage(data_file=None, include=names, config_file=False, messages=False)
        measured.start()
        for seed in range(count):
            measured.switch_context(str(seed))
            made, wrong = judged(kind, seed)
            claims[kind][seed] = made
            if any(wrong):
                print(f"wrong without any change: {kind} {seed}: {wrong}", file=sys.stderr)
                claims[kind][seed] = 0
        measured.stop()
        data = measured.get_data()
        lines[kind] = {}
        for file in files():
            found = data.contexts_by_lineno(str(ROOT / file))
            lines[kind][file] = {k: [int(s) for s in v if s and claims[kind][int(s)]] for k, v in found.items()}
    path.write_text(json.dumps({"claims": claims, "lines": lines}))


def read(path: Path) -> Reached:
    """Reads a record."""
    found = json.loads(path.read_text())
    claims = {kind: {int(seed): n for seed, n in one.items()} for kind, one in found["claims"].items()}
    lines = {
        kind: {file: {int(line): seeds for line, seeds in one.items()} for file, one in by_file.items()}
        for kind, by_file in found["lines"].items()
    }
    return Reached(claims, lines)


def outcome(site: Site, reached: Reached, most: int, seconds: float) -> Found:
    """The claims until the change is found, each kind in its order; it is run in this process, where it is in place."""
    total, ran, start = 0, 0, time.process_time()
    for kind in files()[site.file]:
        made, seeds = reached.claims.get(kind, {}), reached.seeds(kind, site)
        for seed in seeds:
            before = sum(n for one, n in made.items() if one < seed)
            if total + before >= most or time.process_time() - start > seconds:
                break
            ran += 1
            wrong = [one for one in judged(kind, seed)[1] if one]
            if wrong:
                return Found(site, total + before + made[seed], ran, f"{kind} {seed}: {wrong[0]}")
        total += sum(made.values())
    return Found(site, min(total, most), ran, "")


def in_a_fork(site: Site, reached: Reached, most: int, seconds: float, held) -> Found:
    """The same in a child, so that the change is gone afterwards."""
    from tests.mutation.running import put

    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiving)
        limit = int(resource.getrusage(resource.RUSAGE_SELF).ru_utime + 2 * seconds) + 60
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        quiet = os.open(os.devnull, os.O_RDWR)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        try:
            found = outcome(site, reached, most, seconds) if put(site, held) else Found(site, 0, 0, "")
            os.write(sending, json.dumps([found.claims, found.ran, found.why[:2000]]).encode())
        finally:
            os._exit(0)
    os.close(sending)
    with os.fdopen(receiving) as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    claims, ran, why = json.loads(told) if told else (0, 0, "")
    return Found(site, claims, ran, why)


def main() -> int:
    """Print what was found of each change; the exit code is 0 if enough were."""
    reader = argparse.ArgumentParser(prog="python -m tests.mutation.unsound", description=__doc__)
    reader.add_argument("--seed", default=SEED)
    reader.add_argument("--count", type=int, default=COUNT, help="changes")
    reader.add_argument("--programs", type=int, default=CLAIMS, help="random programs")
    reader.add_argument("--queries", type=int, default=CLAIMS // 4, help="random queries, of some 4 claims each")
    reader.add_argument("--seconds", type=float, default=1e9, help="of processor time for each change")
    reader.add_argument("--kept", default="", metavar="FILE", help="that keeps which claims reach what")
    words = reader.parse_args()
    with TemporaryDirectory() as temporary:
        path = Path(words.kept or f"{temporary}/reached.json")
        if not path.exists():
            record({PROGRAM: words.programs, QUERY: words.queries}, path)
        reached = read(path)
    import tests.fuzzing.campaign
    import tests.fuzzing.query_verdicts  # noqa: F401
    from tests.mutation.running import functions

    held = functions({str(ROOT / file) for file in files()})
    found = 0
    for site in islice(drawn(words.seed), words.count):
        one = in_a_fork(site, reached, CLAIMS, words.seconds, held)
        found += one.is_found
        print(
            f"{'found' if one.is_found else 'MISSED':7} {one.claims:6} claims, {one.ran} run  {site} | {one.why}",
            flush=True,
        )
    print(f"{found} of {words.count} found")
    return int(found * COUNT < MUST_BE_FOUND * words.count)


if __name__ == "__main__":
    sys.exit(main())
