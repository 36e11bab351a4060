"""Questions about queries, drawn by a seed, proved and exported to Rocq: `python rocq_questions.py check [--seed S]`.

The questions are those of examples/sensitivity of which a proof is expected, in an order that the seed draws.  Each is
proved until there are as many proofs as asked for; each proof is exported from its certificate and compiled.  Printed
is, for each, what its file proves, with the number of its premises; and what the prover does not accept, with the
reason.  At the end some files are changed so that they say a little too much: the prover must refuse each of these.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # a script's own folder stands first, and not that of the package

from refdp.rocq.claims import PREMISES, WHOLE, file_of, formal_text  # noqa: E402
from refdp.sensitivities.campaign import read_campaign  # noqa: E402
from refdp.sensitivities.judging import judge  # noqa: E402
from refdp.sensitivities.request import Request  # noqa: E402
from scripts import rocq  # noqa: E402

CORPORA = ROOT / "examples" / "sensitivity"
SEED, COUNT = 60, 60
"""The published seed, and how many proofs are exported."""
RELATION = re.compile(r"^(Definition relation_0 [^\n]*bool :=)\n[^\n]*\.$", re.MULTILINE)
MISSES = 3
"""How many near misses of each kind the prover must refuse."""
SECONDS = 30.0
"""Longest attempt to prove one question."""


def questions(verdict: str) -> list[tuple[str, Request]]:
    """The questions of which this verdict is expected, each with a name."""
    return [
        (f"{path.stem}_{place}_{asked.target.rpartition(':')[2]}", asked)
        for path in sorted(CORPORA.glob("*.toml"))
        for place, asked in enumerate(read_campaign(path), start=1)
        if asked.expected == verdict
    ]


def drawn(seed: int, verdict: str = "PROVED") -> list[tuple[str, Request]]:
    """The questions of a verdict in the order of the seed."""
    found = questions(verdict)
    random.Random(seed).shuffle(found)
    return found


def proofs(seed: int, count: int, verdict: str = "PROVED") -> Iterator[tuple[str, dict[str, Any]]]:
    """The first questions that are proved, or refuted, each with its certificate."""
    left = count
    for name, asked in drawn(seed, verdict):
        if not left:
            return
        found = judge(asked, SECONDS)
        if found.verdict != verdict or found.certificate is None:
            rocq.say(f"{name}: {found.verdict}, not counted: {found.reason or 'its certificate is too long'}")
            continue
        left -= 1
        yield name, json.loads(found.certificate)


def file_for(name: str, certificate: Mapping[str, Any]) -> dict[str, Any]:
    """The file of a certificate."""
    theorem = rocq.theorem_of(certificate)
    return file_of(theorem, name, "a question of examples/sensitivity", formal_text(theorem))


def accepted(found: Mapping[str, Any]) -> str:
    """Nothing where the prover accepts the file and it rests on the real numbers alone; else why not."""
    called = f"question_{found['claim']}"
    try:
        (axioms,) = rocq.printed_axioms(called, [*rocq.together([found])], [f"claim_0.{n}" for n in found["names"]])
    except RuntimeError as error:
        return " ".join(str(error).split())[:300]
    beyond = sorted(axiom for axiom in axioms if not rocq.ALLOWED.fullmatch(axiom))
    return f"it rests on {', '.join(beyond)}" if beyond else ""


def outcome(found: Mapping[str, Any]) -> tuple[str, str]:
    """What became of a file, and a line about it."""
    if found["status"] not in (WHOLE, PREMISES):
        return "not", "; ".join(f"{rule}: {reason}" for rule, reason in found["missing"].items())
    start = time.perf_counter()
    if why := accepted(found):
        return "not", f"refused: {why}"
    said = f"{len(found['premises'])} premises, " if found["premises"] else ""
    return found["status"], f"{said}{time.perf_counter() - start:.1f} s"


def smaller_bounds(files: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Files whose claim is of a bound that is smaller by a thousandth."""
    for text in (one["text"] for one in files):
        begins = text.rindex("\nTheorem ")
        if text.count("(d_in * ", begins) == 1:
            yield text[:begins] + text[begins:].replace("(d_in * ", "(999 / 1000 * d_in * ")


def weaker_relations(files: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Files whose relation between two runs says nothing, and whose conditions are all proved in them."""
    for one in files:
        changed, count = RELATION.subn(r"\1 true.", one["text"])
        if one["status"] == WHOLE and count:
            yield changed


def missing_premises(files: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Files without the first of their premises."""
    for one in files:
        if one["premises"]:
            begins = one["text"].index(f"\nHypothesis {one['premises'][0]['name']} :")
            yield one["text"][:begins] + one["text"][one["text"].index(".\n", begins) + 1 :]


def main() -> int:
    """0 where every proof is exported and accepted, 1 where not, 2 where there is no prover."""
    return rocq.drawn_by_a_seed("rocq_questions.py", __doc__, SEED, COUNT, asked_and_checked)


def asked_and_checked(seed: int, count: int) -> int:
    """0 where every proof is exported and accepted, else 1; Refused where the library is not, or a near miss is."""
    if wrong := rocq.compile_library_once():
        raise rocq.Refused("\n".join(wrong))
    counts, files = Counter[str](), list[dict[str, Any]]()
    for name, certificate in proofs(seed, count):
        files.append(file_for(name, certificate))
        status, line = outcome(files[-1])
        counts[status] += 1
        rocq.say(f"{name}: {status}, {line}")
    total = sum(counts.values())
    rocq.say(
        f"seed {seed}: of {total} proofs {counts[WHOLE]} are whole, {counts[PREMISES]} have premises of solvers "
        f"alone, {counts['not']} are not"
    )
    rocq.say(rocq.all_refused("smaller bound", smaller_bounds(files), MISSES))
    rocq.say(rocq.all_refused("weaker relation", weaker_relations(files), MISSES))
    rocq.say(rocq.all_refused("missing premise", missing_premises(files), MISSES))
    return 0 if total == count and not counts["not"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
