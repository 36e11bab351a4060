"""`python -m tests.mutation [AREA...] [--share S] [--part I/N] [--find TEXT]`: the mutants that no test notices.

The exit code is 1 if one lives that is not shown to do the same.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.mutation.equal import EQUAL
from tests.mutation.recording import Recorder, digest, file_of, read
from tests.mutation.running import DIES, Outcome, Runner
from tests.mutation.sites import AREAS, ROOT, SEED, Site, drawn, files_of

QUIET = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov", "--no-header", "--no-summary"]
EQUAL_AS_SHOWN, NOT_EQUAL = "equal", "NOT EQUAL"


class NoShrinking:
    """A plugin of pytest: an example that fails is not made smaller, as nobody reads it."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self):
        from hypothesis import Phase, settings  # pytest must see it first

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", settings.get_profile("refdp"), phases=phases)
        settings.load_profile("mutants")


def in_a_child(work: Callable[[], object]) -> None:
    """Does the work in a child of this process, which itself never imports the package."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    if os.waitpid(child, 0)[1] != 0:
        raise RuntimeError("the tests could not be run")


def record(area: str, tests: tuple[str, ...], path: Path) -> None:
    """Runs the area's tests once and writes which reach what."""
    alike = sorted({file for name, one in AREAS.items() if one.tests == AREAS[area].tests for file in files_of(name)})
    pytest.main([*QUIET, *tests], plugins=[NoShrinking(), Recorder(alike, ROOT, path)])


def sites_of(area: str, words: argparse.Namespace) -> Iterator[Site]:
    """The sites that are wanted."""
    first, step = map(int, words.part.split("/"))
    count = max(1, int(AREAS[area].count * words.share))
    found = list(islice(drawn(area, words.seed), count))[first - 1 :: step]
    dead = died_before(area, Path(words.kept)) if words.again else set()
    return (one for one in found if words.find in str(one) and one.key not in dead)


def died_before(area: str, folder: Path) -> set[tuple[str | int, ...]]:
    """The mutants of an area that are known to die: in a file that has not changed since, by a test that is there.

    By their keys: two on one line may read alike, of which one dies and the other lives.
    """
    texts = [path.read_text(encoding="utf-8") for path in folder.glob(f"{area}.*.fates.jsonl")]
    told = [json.loads(line) for text in texts for line in text.splitlines()]
    now = {file: digest(ROOT / file) for file in files_of(area)}
    dead = [one for one in told if one["fate"] == DIES and now.get(one["key"][0]) == one.get("digest")]
    return {tuple(one["key"]) for one in dead if any((ROOT / file_of(word)).is_file() for word in one["by"].split())}


def fate_of(one: Outcome) -> str:
    """What is said of a mutant."""
    if one.site.key not in EQUAL:
        return one.fate
    return NOT_EQUAL if one.fate == DIES else EQUAL_AS_SHOWN


def run(area: str, words: argparse.Namespace, tests: tuple[str, ...], record_path: Path, out: Path) -> None:
    """Judges the mutants of an area, prints each and adds it to a file."""

    def show(one: Outcome) -> None:
        fate = fate_of(one)
        print(f"{fate:11} {one.seconds:6.1f} s {one.site} | {one.by}", flush=True)
        told = {"fate": fate, "by": one.by, "seconds": one.seconds, "site": str(one.site), "key": one.site.key}
        told["digest"] = digest(ROOT / one.site.file)
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")

    runner = Runner(read(record_path), sites_of(area, words), words.longest, show)
    if pytest.main([*QUIET, *tests], plugins=[NoShrinking(), runner]) not in (
        pytest.ExitCode.OK,
        pytest.ExitCode.NO_TESTS_COLLECTED,
    ):
        raise RuntimeError("the tests could not be run")


def main() -> int:
    """Print the fate of each mutant and the counts; the exit code."""
    reader = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    reader.add_argument("areas", nargs="*", metavar="AREA", help=", ".join(AREAS))
    reader.add_argument("--seed", default=SEED)
    reader.add_argument("--share", type=float, default=1.0, help="of the sites of each area, the first of the order")
    reader.add_argument("--part", default="1/1", metavar="I/N", help="every N-th site, from the I-th on")
    reader.add_argument("--find", default="", metavar="TEXT", help="only sites whose line holds this")
    reader.add_argument("--longest", type=float, default=60.0, metavar="SECONDS", help="of tests for one mutant")
    reader.add_argument("--tests", nargs="*", default=[], metavar="TEST", help="instead of the area's")
    reader.add_argument("--kept", default="", metavar="FOLDER", help="that keeps records and fates")
    reader.add_argument("--again", action="store_true", help="record what is new; leave out what died and is as it was")
    words = reader.parse_args()
    fates: Counter[str] = Counter()
    before = 0
    with TemporaryDirectory() as temporary:
        folder = Path(words.kept or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for area in words.areas or AREAS:
            tests = tuple(words.tests) or AREAS[area].tests
            alike = next(name for name, one in AREAS.items() if one.tests == AREAS[area].tests)
            record_path, out = folder / f"{alike}.record.json", folder / f"{area}.{os.getpid()}.fates.jsonl"
            before += len(died_before(area, folder)) if words.again else 0
            out.touch()
            if not record_path.exists() or words.again:
                in_a_child(lambda: record(area, tests, record_path))  # noqa: B023
            in_a_child(lambda: run(area, words, tests, record_path, out))  # noqa: B023
            found = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
            fates.update(one["fate"] for one in found)
            seconds = sum(one["seconds"] for one in found)
            of_area = Counter(one["fate"] for one in found)
            print(f"{area}: {len(found)} mutants in {seconds:.0f} s, {dict(of_area)}", flush=True)
    good = fates[DIES] + fates[EQUAL_AS_SHOWN]
    earlier = f", besides {before} that died in earlier runs" if before else ""
    live = f"{fates.total() - good} live{earlier}"
    print(f"{fates.total()} mutants, {fates[DIES]} die, {fates[EQUAL_AS_SHOWN]} equal, {live}")
    return int(fates.total() > good)


if __name__ == "__main__":
    sys.exit(main())
