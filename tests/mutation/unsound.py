"""`python -m tests.mutation.unsound`: of 40 checks that are taken away, how many fuzzer and second judge find alone.

With one check gone, random claims are judged in their order: found is a verdict that CPython's truth contradicts, or
one that the second judge does.  Which claims a change could alter is recorded first, of many changes at once; a claim
that it cannot alter is counted and not run again.  Of a reader that is recorded as it reads, which costs a hundredth of
a verdict, and a claim whose reading comes out the same is not judged either.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import resource
import sys
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import FunctionType
from typing import Any

from tests.mutation.readings import reading
from tests.mutation.sites import ROOT, Site
from tests.mutation.taken_away import FORGED, PROGRAM, QUERY, SEED, drawn, files
from tests.mutation.watching import Importer, Watch

COUNT, CLAIMS, MUST_BE_FOUND = 40, 10_000, 36
PER_SEED = {PROGRAM: 1, QUERY: 2, FORGED: 1}
"""Claims, at most."""
NOWHERE = ("where it loads the file, so that there is no function", "the conditions are proved, but")
"""What is said of a proof by `refdp.second_judge.opinion.Opinion.emptiness`."""
READ, JUDGED = "read", "judged"
"""How it was recorded what could alter a claim: as it was read alone, or as it was judged."""
WATCHED = 160
"""So many changes of the order are recorded at once, so that a record stays though some are shown harmless."""
Held = dict[tuple[str, str, int], list[FunctionType]]
Job = tuple[str, str, int]
"""READ or JUDGED, the kind of a claim, its seed."""


def is_reader(file: str) -> bool:
    """Whether a file does nothing but read, so that what it reads is all that a change of it alters."""
    return "/language/" in file or file.startswith("refdp/logic/")


def recorded(site: Site, kind: str) -> str:
    """As what it is recorded that a change could alter a claim."""
    return READ if is_reader(site.file) and kind != FORGED else JUDGED


@dataclass(frozen=True)
class Found:
    """After how many claims a change was found, and what was said."""

    site: Site
    claims: int
    ran: int
    """Of the claims that the change could alter."""
    altered: int
    why: str

    @property
    def is_found(self) -> bool:
        return bool(self.why)

    def __str__(self) -> str:
        word = "found" if self.is_found else "MISSED"
        return f"{word:7}{self.claims:6} claims, {self.ran} of {self.altered} run  {self.site} | {self.why}"


def judged(kind: str, seed: int, second_judge: bool = True) -> list[str]:
    """What is wrong with refdp's verdicts on the claims of a seed, or on a forged certificate."""
    if kind == FORGED:
        return forged(seed)
    if kind == PROGRAM:
        from tests.fuzzing.program_verdicts import judged as judged_program

        found = judged_program(seed, second_judge)
        one = found.finding
        told = [said(one.verdict, f"{one.why} {one.truth}") if one else taken_back(found.answer.reason)]
    else:
        from tests.fuzzing.query_verdicts import judged_claims

        told = [
            said(each.verdict, " ".join(each.why)) if each.why else taken_back(str(each.said.get("reason")))
            for each in judged_claims(seed, second_judge)
        ]
    return list(filter(None, told))


@functools.cache
def genuine() -> tuple[Any, ...]:
    """The certificates of programs and queries that others are forged from."""
    from tests.forging.seeds import ALIGNMENT, COUNTEREXAMPLE, PROGRAM, QUERY, SENSITIVITY, of_queries, stored

    with TemporaryDirectory() as folder:
        found = (*stored(), *of_queries(Path(folder)))
    return tuple(one for one in found if one.form in (ALIGNMENT, COUNTEREXAMPLE, PROGRAM, QUERY, SENSITIVITY))


def forged(seed: int) -> list[str]:
    """What is false of what a forged certificate shows, if it checks."""
    from tests.forging.campaign import Forger, Tally

    forms = sorted({one.form for one in genuine()})
    form, tally = forms[seed % len(forms)], Tally()
    with TemporaryDirectory() as folder:
        of_form = [one for one in genuine() if one.form == form]
        Forger(genuine(), Path(folder)).one(Random(f"unsound {seed}"), of_form, tally, f"{form} {seed}")
    return [one for one in tally.findings if one.startswith("false:")]


def said(verdict: str, why: str) -> str:
    """A wrong verdict or a contradiction; empty for another internal error, which lets nothing wrong through."""
    text = f"{verdict}: {why}".replace("\n", " ")
    is_wrong = verdict in ("PROVED", "REFUTED") or "second judge contradicts" in text
    return text[:2000] if is_wrong else ""


def taken_back(reason: str) -> str:
    """That the second judge took a proof back, as Python answers nowhere; empty where it did not."""
    return f"the second judge took back a proof: {reason[:1000]}" if any(one in reason for one in NOWHERE) else ""


# Which claims a change could alter.


def name_of(site: Site) -> str:
    """A short name of a change that stays though lines move."""
    return sha256(repr(site.key).encode()).hexdigest()[:12]


def made_of() -> str:
    """A digest of what a record hangs on: the claims, and the files that are changed."""
    paths = [*(ROOT / file for file in files()), *sorted((ROOT / "tests/fuzzing").glob("*.py"))]
    return sha256(b"".join(path.read_bytes() for path in paths if not path.name.startswith("test_"))).hexdigest()


@dataclass
class Reached:
    """Of each kind, as it was read and judged: the seeds that were looked at, and by change those it could alter."""

    seeds: dict[tuple[str, str], set[int]]
    altered: dict[tuple[str, str], dict[str, list[int]]]
    wrong: list[str]
    """Wrong verdicts without any change: findings."""
    readings: dict[tuple[str, int], str]
    """What is read of a program or query without any change."""


def head(watched: int) -> list[Any]:
    """The first line of a record."""
    return [made_of(), watched]


def nothing() -> Reached:
    """A record of no claim."""
    places = [(how, kind) for how in (READ, JUDGED) for kind in PER_SEED]
    return Reached({one: set() for one in places}, {one: {} for one in places}, [], {})


def read(path: Path, watched: int) -> Reached:
    """Reads a record."""
    found = nothing()
    lines = path.read_text().splitlines() if path.exists() else []
    if lines and json.loads(lines[0]) != head(watched):
        raise SystemExit(f"{path} was made by other claims, or of other checkers or changes: remove it")
    for line in lines[1:]:
        how, kind, seed, names, said = json.loads(line)
        found.seeds[how, kind].add(seed)
        if how == READ:
            found.readings[kind, seed] = said
        else:
            found.wrong += [f"{kind} {seed}: {one}" for one in said]
        for name in names:
            found.altered[how, kind].setdefault(name, []).append(seed)
    for by_name in found.altered.values():
        for seeds in by_name.values():
            seeds.sort()
    return found


def record(jobs: list[Job], sites: list[Site], path: Path, workers: int) -> None:
    """Reads or judges claims without any change, in processes of their own; writes what changes could alter, and more.

    That is a digest of what was read, or what was wrong.
    """
    if not path.exists():
        path.write_text(json.dumps(head(len(sites))) + "\n")
    children = []
    for part in range(workers):
        child = os.fork()
        if child == 0:
            with silent(), path.open("a") as out:
                watch = Watch()
                Importer(sites, watch)
                for how, kind, seed in jobs[part::workers]:
                    forget()
                    watch.seen.clear()
                    said = reading(kind, seed) if how == READ else judged(kind, seed, False)
                    seen = [sites[number] for number in sorted(watch.seen)]
                    names = [name_of(one) for one in seen if recorded(one, kind) == how]
                    out.write(json.dumps([how, kind, seed, names, said]) + "\n")
                    out.flush()
        children.append(child)
    for child in children:
        if os.waitpid(child, 0)[1]:
            raise RuntimeError("a process that recorded claims failed")


@contextmanager
def silent() -> Iterator[None]:
    """Nothing is printed, and the process ends."""
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    code = 1
    try:
        yield
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def forget() -> None:
    """Empties the caches of the package: what one claim found is found again by the next."""
    for name, module in list(sys.modules.items()):
        if name.startswith("refdp"):
            for one in list(vars(module).values()):
                if isinstance(one, functools._lru_cache_wrapper):
                    one.cache_clear()


# What becomes of a change.


def ordered(site: Site, reached: Reached, most: int) -> list[tuple[int, str, int]]:
    """The claims that the change could alter, each with how many claims of its kind there are up to it."""
    found = [
        (PER_SEED[kind] * (seed + 1), kind, seed)
        for kind in files()[site.file]
        for seed in reached.altered[recorded(site, kind), kind].get(name_of(site), ())
    ]
    return sorted(one for one in found if one[0] <= most)


def outcome(
    site: Site, run: list[tuple[int, str, int]], readings: dict[tuple[str, int], str], seconds: float, held: Held
) -> Iterator[dict[str, Any]]:
    """After each claim, what there is to tell; the change is put in place in this process."""
    from tests.mutation.running import forget_what_was_found, put

    before = [(one, one.__code__) for place, ones in held.items() if place[0] == str(ROOT / site.file) for one in ones]
    if not put(site, held):
        yield {"why": "", "claims": 0, "looked": 0, "note": "could not be put in place"}
        return
    ran, altered, start = 0, 0, time.process_time()
    for looked, (claims, kind, seed) in enumerate(run, 1):
        told = {"claims": claims, "looked": looked}
        if recorded(site, kind) == READ:
            forget()
            if reading(kind, seed) == readings[kind, seed]:
                yield {**told, "why": "", "ran": ran, "altered": altered}
                continue
        altered += 1
        if time.process_time() - start <= seconds:
            ran += 1
            wrong = judged(kind, seed)
            if wrong:  # is it so without the change?
                for function, code in before:
                    function.__code__ = code
                forget_what_was_found()
                if not judged(kind, seed):
                    yield {**told, "why": f"{kind} {seed}: {wrong[0]}", "ran": ran, "altered": altered}
                    return
                put(site, held)
        yield {**told, "why": "", "ran": ran, "altered": altered}


def start(site: Site, reached: Reached, most: int, seconds: float, held: Held, out: Path) -> int:
    """Tries a change in a child, so that it is gone afterwards: the number of the child, which writes to the file."""
    run = ordered(site, reached, most)
    child = os.fork()
    if child == 0:
        limit = int(time.process_time() + 2 * seconds) + 600
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        with silent():
            for told in outcome(site, run, reached.readings, seconds, held):
                out.write_text(json.dumps(told))
    return child


def tried(sites: Iterable[Site], reached: Reached, most: int, seconds: float, workers: int) -> Iterator[Found]:
    """What becomes of each change, several at once; in the order in which they end."""
    from tests.mutation.running import functions

    for file in files():
        import_module(file.removesuffix(".py").replace("/", ".").removesuffix(".__init__"))
    genuine()
    held = functions({str(ROOT / file) for file in files()})
    running: dict[int, tuple[Site, Path]] = {}
    waiting = iter(sites)
    with TemporaryDirectory() as folder:
        while True:
            for site in islice(waiting, workers - len(running)):
                out = Path(folder) / name_of(site)
                running[start(site, reached, most, seconds, held, out)] = site, out
            if not running:
                return
            child, _ = os.wait()
            if child not in running:
                continue
            site, out = running.pop(child)
            told = json.loads(out.read_text() or "{}") if out.exists() else {}
            claims = told.get("claims", 0)
            if not told.get("why") and told.get("ran", 0) == told.get("altered", 0):
                claims = min(most, max(PER_SEED[kind] * len(reached.seeds[recorded(site, kind), kind])
                                       for kind in files()[site.file]))  # fmt: skip
            yield Found(site, claims, told.get("ran", 0), told.get("altered", 0), told.get("why", ""))


def main() -> int:
    """Print what was found of each change; the exit code is 0 if enough were."""
    reader = argparse.ArgumentParser(prog="python -m tests.mutation.unsound", description=__doc__)
    reader.add_argument("--seed", default=SEED)
    reader.add_argument("--count", type=int, default=COUNT, help="changes")
    reader.add_argument("--skip", type=int, default=0, help="changes of the order that are left out")
    reader.add_argument("--programs", type=int, default=CLAIMS, help="random programs that are read")
    reader.add_argument("--queries", type=int, default=CLAIMS // 2, help="random queries that are read, of two claims")
    reader.add_argument("--judged", type=int, default=CLAIMS, help="random programs that are judged before")
    reader.add_argument("--judged-queries", type=int, default=CLAIMS // 2, help="random queries that are judged before")
    reader.add_argument("--certificates", type=int, default=CLAIMS, help="forged certificates")
    reader.add_argument("--seconds", type=float, default=1e6, help="of processor time for each change")
    reader.add_argument("--workers", type=int, default=1, help="processes")
    reader.add_argument("--kept", type=Path, metavar="FILE", help="that keeps which claims could alter what")
    reader.add_argument("--watched", type=int, default=WATCHED, help="changes of the order that are recorded at once")
    words = reader.parse_args()
    watched = list(islice(drawn(words.seed, frozenset()), words.watched))
    chosen = list(islice(drawn(words.seed), words.skip, words.skip + words.count))
    if not {name_of(one) for one in chosen} <= {name_of(one) for one in watched}:
        reader.error(f"--watched must take in all that are tried, got {words.watched}")
    with TemporaryDirectory() as temporary:
        path = words.kept or Path(temporary) / "reached.jsonl"
        known = read(path, len(watched)).seeds
        counts = {
            (READ, PROGRAM): words.programs, (READ, QUERY): words.queries, (JUDGED, PROGRAM): words.judged,
            (JUDGED, QUERY): words.judged_queries, (JUDGED, FORGED): words.certificates,
        }  # fmt: skip
        wanted = [(*one, seed) for seed in range(max(counts.values())) for one in counts if seed < counts[one]]
        jobs = sorted((job for job in wanted if job[2] not in known[job[:2]]), key=lambda job: job[0] == JUDGED)
        if jobs:
            record(jobs, watched, path, words.workers)
        reached = read(path, len(watched))
    claims = {how: sum(PER_SEED[kind] * len(seeds) for (which, kind), seeds in reached.seeds.items() if which == how)
              for how in (READ, JUDGED)}  # fmt: skip
    print(f"without any change {claims[READ]} claims were read, and {claims[JUDGED]} judged: "
          f"{len(reached.wrong)} wrong verdicts", *reached.wrong, sep="\n", flush=True)  # fmt: skip
    found = 0
    for one in tried(chosen, reached, CLAIMS, words.seconds, words.workers):
        found += one.is_found
        print(one, flush=True)
    print(f"{found} of {words.count} found")
    return int(found * COUNT < MUST_BE_FOUND * words.count)


if __name__ == "__main__":
    sys.exit(main())
