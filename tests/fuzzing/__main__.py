"""python -m tests.fuzzing --programs N --queries M --seed S --workers W: random claims, and the wrong verdicts."""

from __future__ import annotations

import argparse
import gc
import json
import signal
import sys
import traceback
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.fuzzing.campaign import PROGRAM, QUERY, Campaign, query_record, record_of
from tests.fuzzing.claims import claim
from tests.fuzzing.finding import Finding
from tests.fuzzing.judges import ERROR
from tests.fuzzing.program_verdicts import judged


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("--programs", type=int, help="how many claims about randomised programs; 1 unless said")
    parser.add_argument("--queries", type=int, default=0, help="how many queries, with two claims each")
    parser.add_argument("--seed", type=int, default=0, help="the first seed: N programs are those of S, ..., S + N - 1")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument(
        "--second-judge", action=argparse.BooleanOptionalAction, default=False, help="whether refdp asks it"
    )
    parser.add_argument("--out", type=Path, help="a file of one record a line; what it holds already is not done again")
    parser.add_argument("--show", action="store_true", help="the modules and claims alone, unjudged")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(words)


def serve(second_judge: bool) -> None:
    """Judge the seeds that are asked for on standard input, one a line; the answers go to standard output."""
    gc.set_threshold(100_000, 50, 50)  # a tenth less of the time; what is left over is gone with the process
    for line in sys.stdin:
        kind, seed = line.split()
        try:
            record = (
                record_of(judged(int(seed), second_judge)) if kind == PROGRAM else query_record(int(seed), second_judge)
            )
        except Exception as error:
            found = Finding(int(seed), "", "", ERROR, traceback.format_exc(), f"the fuzzer itself: {error!r}")
            record = {"kind": kind, "seed": int(seed), "family": kind, "manner": "", "verdicts": [ERROR],
                "judged": True,
                      "findings": [asdict(found)]}  # fmt: skip
        print(json.dumps(record), flush=True)


def main() -> int:
    """0 where no verdict is wrong and there is no internal error, else 1."""
    asked = arguments()
    if asked.worker:
        serve(asked.second_judge)
        return 0
    for one in (signal.SIGINT, signal.SIGTERM):  # also where a shell that started this let it be ignored
        signal.signal(one, signal.default_int_handler)
    programs = 1 if asked.programs is None else asked.programs
    if asked.show:
        for seed in range(asked.seed, asked.seed + programs):
            one = claim(seed)
            print(f"# seed {seed}, {one.family}, {one.manner}: {one.claimed}\n{one.asked.text}")
        return 0
    jobs: list[tuple[str, int]] = []
    for kind, count in ((PROGRAM, programs), (QUERY, asked.queries)):
        jobs += [(kind, seed) for seed in range(asked.seed, asked.seed + count)]
    campaign: Any = Campaign(jobs, asked.second_judge, asked.workers, asked.out)
    tally = campaign.run()
    for line in tally.lines():
        print(line)
    if campaign.is_over:
        print(f"interrupted: {len(tally.seeds)} of {len(jobs)} seeds were done")
    print(tally.line())
    return 1 if tally.findings else 0


if __name__ == "__main__":
    sys.exit(main())
