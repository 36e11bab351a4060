"""Programs drawn by a seed, proved and exported to Rocq: `python rocq_programs.py check [--seed S]`.

Each program of scripts/rocq_grammar.py is proved by the public call, exported from its certificate, and compiled.
Printed is, for each, what its file proves; then the counts, and what is not exported with the reasons.  At the end the
first draw of some programs gets a little less noise in their files: the prover must refuse each of these.
"""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # a script's own folder stands first, and not that of the package

import refdp  # noqa: E402
from refdp.rocq.claims import NOTHING, PREMISES, WHOLE  # noqa: E402
from scripts import rocq  # noqa: E402
from scripts.rocq_grammar import Drawn, drawn  # noqa: E402

SEED, COUNT = 60, 60
"""The published seed, and how many programs are drawn."""
MISSES = 10
"""How many near misses the prover must refuse, or one of each file that has one where there are fewer."""
SECONDS, LONGEST = 20.0, 120.0
"""Longest attempt to prove one program, and to compile its file: a file that takes longer is counted, not refused."""
SPECIFIC = (
    (re.compile(r"the parameter \S+ has"), "a parameter has"),
    (re.compile(r"what is foretold, .*, is"), "what is foretold is"),
    (re.compile(r"'[^']*' is no name"), "a name is no name"),
)
"""What reasons say of one program, and what instead where they are counted."""
DEFINITION = re.compile(
    r"^Definition (program_\w+) (.*?)(?=^Definition |^Lemma |^Section |\Z)", re.MULTILINE | re.DOTALL
)
GROUP = re.compile(r"\(([\w' ]+) : [^()]*(?:\([^()]*\))?[^()]*\)")
LET = re.compile(r"let (?:'\(([^)]*)\)|([\w']+)) := \w+ in")
DRAWN_HERE = re.compile(r"\(fun ([\w']+) : ")

FIRST_DRAW = re.compile(rf"{rocq.DRAW.pattern}(?P<site>\d+) ")
CHARGED = re.compile(r"couples_draw [^\n]*_moves [^\n]*intros draw_(\d+) ")
"""A draw of a program, and a draw that its proof moves."""


@dataclass(slots=True)
class Found:
    """What became of the programs of a run."""

    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    accepted: list[str] = field(default_factory=list)
    """The texts of the files that the prover takes, those that are whole first."""
    wrong: list[str] = field(default_factory=list)
    """What must not be, each with the program's text."""


def outcome(one: Drawn, folder: Path, found: Found) -> str:
    """Prove a program, export it and compile the file; a line about that."""
    path = folder / f"program_{one.number}.py"
    path.write_text(one.text, encoding="utf-8")
    judged = refdp.prove(path, certificates=folder / "certificates", timeout=SECONDS)
    verdict, certificate = judged["verdict"], judged["certificate"]
    found.counts[verdict] += 1
    if verdict == "REFUTED" or "internal_error" in judged:
        found.wrong.append(f"{verdict}, of a claim that is true: {judged.get('internal_error', '')}\n{one.text}")
    if verdict != "PROVED" or certificate is None:
        return f"{verdict}: {judged['reason'] or 'its certificate is too long'}"
    made = refdp.export(certificate, out=path.with_suffix(".v"))
    status = made["status"]
    found.counts[status] += 1
    if status not in (WHOLE, PREMISES):
        reasons = [missing["reason"] for missing in made["missing"]]
        found.reasons.update(map(general, reasons))
        return f"{NOTHING}: {'; '.join(reasons)}"
    start = time.perf_counter()
    why = not_accepted(one, made["text"], made["theorem"])
    if rocq.TOO_LONG in why:
        found.counts["slow"] += 1
        return f"{status}, {why}"
    if why:
        found.counts["refused"] += 1
        found.wrong.append(f"{status}, and refused: {why}\n{one.text}")
        return f"refused: {why}"
    found.accepted.insert(0 if status == WHOLE else len(found.accepted), made["text"])
    said = f"{len(made['premises'])} premises, " if made["premises"] else ""
    return f"{status}, {said}{time.perf_counter() - start:.1f} s"


def general(reason: str) -> str:
    """A reason without what is of one program alone."""
    for pattern, instead in SPECIFIC:
        reason = pattern.sub(instead, reason)
    return reason


def not_accepted(one: Drawn, text: str, theorem: str) -> str:
    """Nothing where the file binds no name twice, and the prover takes it by the real numbers alone; else why not."""
    if twice := sorted(captured(text)):
        return f"the program's file binds {', '.join(twice)} twice"
    try:
        (axioms,) = rocq.printed_axioms(f"drawn_{one.number}", [text], [theorem], longest=LONGEST)
    except RuntimeError as error:
        return " ".join(str(error).split())[:300]
    beyond = sorted(axiom for axiom in axioms if not rocq.ALLOWED.fullmatch(axiom))
    return f"it rests on {', '.join(beyond)}" if beyond else ""


def captured(text: str) -> Iterator[str]:
    """The names that a definition of the program binds again within itself: what is meant by one would be another."""
    for _, rest in DEFINITION.findall(text):
        head, _, body = rest.partition(":=")
        outer = [name for group in GROUP.findall(head) for name in group.split()]
        outer += [name for many, single in LET.findall(body) for name in (many or single).split(", ")]
        yield from (name for name, count in Counter(outer).items() if count > 1)
        yield from set(DRAWN_HERE.findall(body)) & set(outer)


def less_noise(accepted: Sequence[str]) -> Iterator[str]:
    """The files in each of which the first draw has a little less noise, where something is charged for it.

    Less noise than a draw has that nothing is charged for leaves the claim true, and its file may be accepted.
    """
    for text in accepted:
        first, changed = FIRST_DRAW.search(text), rocq.with_less_noise(text)
        if changed is not None and first is not None and first["site"] in CHARGED.findall(text):
            yield changed


def main() -> int:
    """0 where every exported file is accepted and every near miss refused, 1 where not, 2 where there is no prover."""
    return rocq.drawn_by_a_seed("rocq_programs.py", __doc__, SEED, COUNT, drawn_and_checked)


def drawn_and_checked(seed: int, count: int) -> int:
    """0 where every file is accepted, else 1; Refused where the library is not, a near miss is, or there is none."""
    if wrong := rocq.compile_library_once():
        raise rocq.Refused("\n".join(wrong))
    folder, found, start = rocq.BUILD / "programs", Found(), time.perf_counter()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number in range(count):
        one = drawn(seed, number)
        try:
            line = outcome(one, folder, found)
        except Exception as error:  # whatever is raised is an error of the reader's or of the exporter's, and told
            line = f"{type(error).__name__}: {error}"
            found.wrong.append(f"{line}\n{one.text}")
        rocq.say(f"{number} {one.family}: {line}")
    exported = found.counts[WHOLE] + found.counts[PREMISES]
    rocq.say(
        f"seed {seed}: of {count} programs {found.counts['PROVED']} are proved; of these {found.counts[WHOLE]} are "
        f"whole, {found.counts[PREMISES]} have premises of solvers alone, {found.counts[NOTHING]} are not exported; "
        f"of {exported} files the prover refused {found.counts['refused']}, and gave up {found.counts['slow']}; "
        f"{rocq.elapsed(start)}"
    )
    for reason, times in found.reasons.most_common():
        rocq.say(f"  not exported, {times}: {reason}")
    for one in found.wrong:
        rocq.say(f"\n{one}")
    if not found.accepted:
        raise rocq.Refused("no program is exported and accepted: nothing would be checked")
    missed = list(less_noise(found.accepted))
    rocq.say(rocq.all_refused("drawn program with less noise", missed, max(1, min(MISSES, len(missed)))))
    return 1 if found.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
