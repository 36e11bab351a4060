"""`python -m tests.turns FILE`: which tests take turns, by the processor time that `pytest --seconds FILE` wrote down.

Those of half a second and more in all their parameters, but for what must be seen each day: what is believed, forged,
empty or refused, what is false, and what the pages show.  The list is written to tests/turns.txt.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

LIST = Path(__file__).with_name("turns.txt")
LEAST = 0.5
"""So many seconds a test takes at least that takes turns."""
EACH_DAY = tuple(
    f"tests/{name}"
    for name in (
        "emptiness/", "exactness/", "forging/", "fuzzing/", "kernel/", "mechanisms/", "mutation/", "numerics/",
        "programs/", "proofs/", "provers/", "queries/", "releases/", "rocq/", "sampling/", "second_judge/",
        "sensitivities/", "spec/", "transformations/", "trust/", "accounting/test_traps", "test_",
        "docs_site/", "meta/test_contributing", "meta/test_pages", "meta/test_readme", "meta/test_soundness",
    )
)  # fmt: skip
"""Rules, checkers, readers, samplers and what they are held against, past defects, and what the pages show.

So it is engines of accounts, audits, commands and pictures whose dear tests wait."""
TOOLS = "tests/meta/"
"""Whatever the names of these say, they are about the repository."""
WORDS = re.compile(r"refus|wrong|false|forge|spoil|nothing|empty|near|not_proved|unproved|hostile|defect|raises|forked")
"""Names of tests that must not wait: of near misses, of what is refused, and of what there is none of."""


def dear(lines: list[str]) -> list[str]:
    """The tests that take turns."""
    seconds = Counter[str]()
    for line in lines:
        taken, _, test = line.partition(" ")
        seconds[test.partition("[")[0]] += float(taken)
    return sorted(test for test, taken in seconds.items() if taken >= LEAST and may_wait(test))


def may_wait(test: str) -> bool:
    """Whether it is enough to see a test on one day in some."""
    is_daily = not test.startswith(TOOLS) and WORDS.search(test.partition("::")[2])
    return test.startswith("tests/") and not test.startswith(EACH_DAY) and not is_daily


if __name__ == "__main__":
    found = dear(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines())
    LIST.write_text("".join(f"{test}\n" for test in found), encoding="utf-8")
