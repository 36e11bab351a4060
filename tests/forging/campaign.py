"""`python -m tests.forging.campaign [COUNT [SEED [FORMAT]]]`: forges certificates and says what became of them.

A forged certificate that checks must say what is true: what a genuine one says, something weaker, or what Python, a
closed form or enumeration finds true.  Whatever else checks stands in the report for a person to look at, and counts
as a failure unless REVIEWED says why it is true.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from refdp.claims import claim as listed
from refdp.commands.check import replayed_file
from refdp.kernel.rules.logic import obligation
from refdp.kernel.rules.programs import NEIGHBOURS
from tests.forging import machines, programs, queries, simulated, theorems
from tests.forging.changes import forged
from tests.forging.questions import as_before as of_question_before
from tests.forging.questions import is_question
from tests.forging.seeds import (
    ALIGNMENT,
    COUNTEREXAMPLE,
    FORMATS,
    KERNEL,
    MACHINE,
    MACHINE_FUNCTION,
    MACHINE_SUM,
    PROGRAM,
    QUERY,
    QUESTION,
    SENSITIVITY,
    SMOOTH,
    Seed,
    seeds,
)
from tests.sensitivities.earlier import earlier
from tests.sensitivities.machine.earlier import earlier as of_machine_before

SECONDS = 4.0
"""Work for one certificate; a genuine one takes less."""
SHARES = {KERNEL: 8, PROGRAM: 8, QUERY: 5, MACHINE: 3, QUESTION: 8, ALIGNMENT: 5, COUNTEREXAMPLE: 3, SENSITIVITY: 3,
          SMOOTH: 2, MACHINE_FUNCTION: 2, MACHINE_SUM: 2}  # fmt: skip
"""How many of so many certificates are of each format."""
REVIEWED: Mapping[str, str] = {
    "private(chain(count(rows), discrete_laplace(1, 1)), table(rows), symmetric(3), approximate(3, 1111/100000))":
        "a count of rows of any kind: (1, 1/1000)-DP at one edit gives (3, (1 + e + e^2)/1000) at three, e^2 < 7.4",
    "private(parallel(category_of('island', list_of('A', 'B'), 2), chain(count(records()), gaussian(2)), "
    "chain(count(records()), gaussian(1))), table(records()), symmetric(1), gaussian(1))":
        "one row is in one part, whose count moves by 1: mu^2 is 1/4 or 1",
}  # fmt: skip
"""Conclusions that check and that no oracle here decides -> why they are true, by somebody who looked."""
SHOWN = ("PROVED", "REFUTED")
UNREADABLE = (KeyError, ValueError, TypeError, SyntaxError, ArithmeticError, NameError, AttributeError)
"""What an oracle raises that does not understand what is claimed."""


@dataclass
class Tally:
    """What became of the certificates of a format."""

    tried: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    undecided: int = 0
    accepted: Counter[str] = field(default_factory=Counter)
    """By why what they say is true."""
    findings: list[str] = field(default_factory=list)
    """False theorems, theorems that nobody decides, internal errors, and what was not printed."""


@dataclass
class Forger:
    """Genuine certificates, and what is known to be true."""

    genuine: Sequence[Seed]
    folder: Path
    tell: Callable[[str], None] = lambda line: None
    """What is done with a finding as soon as there is one."""
    asked: set[str] = field(init=False)
    """The questions of genuine certificates, with their verdicts."""
    proved: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.proved = theorems.genuine(self.genuine)
        self.asked = {asked(one.content, verdict(one.content)) for one in self.genuine if one.form != KERNEL}
        self.sources = sorted({text for text, _ in programs.library()})

    def text(self, random: Random) -> str:
        """The text of a program: of a family, or of the library."""
        return programs.written(random).text if random.random() < 0.8 else random.choice(self.sources)

    def conditions_stand(self, content: Any) -> bool:
        """Whether a step is made under all conditions under which a genuine one of that function is."""
        data = content["steps"][0]["data"]
        return all(
            set(one.content["steps"][0]["data"]["conditions"]) <= set(data["conditions"])
            for one in self.genuine
            if one.form == PROGRAM and one.content["steps"][0]["data"]["function"] == data["function"]
        )

    def campaign(self, formats: Iterable[str], count: int, seed: int, until: int = 10**9) -> dict[str, Tally]:
        """So many certificates, each format its share, until so many findings."""
        found = {form: Tally() for form in formats}
        total = sum(SHARES[form] for form in found)
        for form, tally in found.items():
            of_format = [one for one in self.genuine if one.form == form]
            for number in range(max(1, count * SHARES[form] // total)):
                before = len(tally.findings)
                self.one(Random(f"{seed} {form} {number}"), of_format, tally, f"{form} {number}")
                for one in tally.findings[before:]:
                    self.tell(f"FINDING {one}")
                if len(tally.findings) >= until:
                    break
        return found

    def one(self, random: Random, of_format: Sequence[Seed], tally: Tally, name: str) -> None:
        """Forge a certificate and enter what becomes of it."""
        seed = random.choice(of_format)
        how, content = forged(random, seed, of_format, self.text)
        path = self.folder / "forged.json"
        path.write_text(json.dumps(content, indent=1), encoding="utf-8")
        found = replayed_file(path, "z3", None, SECONDS)
        tally.tried += 1
        said = f"{name}, from {seed.name}: {how}"
        if "internal_error" in found:
            tally.findings.append(f"internal error: {said}: {found['reason']}")
        elif found["verdict"] not in SHOWN:
            if found["verdict"] == "UNKNOWN":
                tally.undecided += 1
            else:
                tally.refused[reason_class(found["reason"])] += 1
        else:
            is_true, why = self.truth(seed.form, content, found)
            if is_true == "true":
                tally.accepted[why] += 1
            else:
                tally.findings.append(f"{is_true}: {said}: {found['verdict']} {found['conclusion']} ({why})")
            if unsaid := missing(content, found):
                tally.findings.append(f"not printed: {said}: {unsaid}")

    def truth(self, form: str, content: Any, found: Mapping[str, Any]) -> tuple[str, str]:
        """Whether what the certificate shows is true, and why that is known."""
        conclusion = found["conclusion"]
        if form == KERNEL:
            said, why = theorems.truth(conclusion, self.proved)
            why = "it follows from a genuine one" if why.startswith("it follows from") and said == "true" else why
        elif asked(content, found["verdict"]) in self.asked:
            return "true", "the question of a genuine one"
        elif form == QUERY:
            said, why = of_numbers(earlier(json.dumps(content)), found["verdict"], must_answer=True)
        elif form == MACHINE:
            said, why = of_numbers(of_machine_before(content), found["verdict"])
        elif form == PROGRAM:
            before = as_before(content)
            said, why = "unknown", "a loss or conditions that no oracle here has"
            if before["question"]["epsilon"] is not None and self.conditions_stand(content):
                said, why = programs.truth(before["question"], found["verdict"])
            if said == "unknown":
                said, why = of_python(content, before)
        elif form == QUESTION:
            said, why = self.of_question(content, found["verdict"])
        elif form in (ALIGNMENT, COUNTEREXAMPLE):
            said, why = self.of_program(content, content, found["verdict"])
        else:
            said, why = of_numbers(content, found["verdict"])
        if said == "unknown":
            said, why = ("true", "reviewed") if conclusion in REVIEWED else (said, why)
        return said, why

    def of_question(self, content: Any, verdict: str) -> tuple[str, str]:
        """Whether a verdict about a question of an engine's is right."""
        before = of_question_before(content)
        if asked(before, verdict) in self.asked:
            return "true", "the question of a genuine one"
        if before["format"] in (ALIGNMENT, COUNTEREXAMPLE):
            return self.of_program(content, before, verdict)
        return of_numbers(before, verdict)

    def of_program(self, content: Any, before: Any, verdict: str) -> tuple[str, str]:
        """Whether a verdict about a program is right."""
        said, why = programs.truth(before["question"], verdict)
        return of_python(content, before) if said == "unknown" else (said, why)


def as_before(content: Any) -> dict[str, Any]:
    """A certificate about a program as one of the formats of before, as far as those who judge it read it."""
    [step], data = content["steps"], content["steps"][0]["data"]
    loss = data["loss"]
    given = {key: value for key, value in data["parameters"].items() if value != key}
    epsilon = loss.removeprefix("pure(")[:-1] if loss.startswith("pure(") else None
    question = {"source": content["sources"][data["source"]], "function": data["function"], "claim": "0",
                "adjacency": data["adjacency"], "given": given, "epsilon": epsilon,
                "loss": loss if epsilon is None else None}  # fmt: skip
    form = ALIGNMENT if step["rule"] == "program_is_private" else COUNTEREXAMPLE
    return {"format": form, "question": question, **json.loads(data["evidence"])}


def of_python(content: Any, before: Any) -> tuple[str, str]:
    """Whether a verdict withstands Python: a counterexample by its frequencies, a proof by its shifts."""
    try:
        if before["format"] == COUNTEREXAMPLE:
            return simulated.truth(before)
        from refdp.commands.earlier_certificates import current
        from refdp.commands.second_judging import certificate_again
        from refdp.logic.internal_errors import KEY

        said = certificate_again(current(json.dumps(content)))
        return ("false", str(said)) if said.get("verdict") or KEY in said else ("true", "the second judge agrees")
    except (*UNREADABLE, ImportError) as error:
        return "unknown", f"{type(error).__name__} {error}"


def of_numbers(content: Any, verdict: str, must_answer: bool = False) -> tuple[str, str]:
    """Whether a verdict about a query is right."""
    try:
        match content["format"]:
            case "refdp-sensitivity/1":
                return queries.truth(content["claim"], verdict, content["evidence"], must_answer)
            case "refdp-machine-function/1":
                return machines.of_function(content)
            case "refdp-machine-sensitivity/1":
                return machines.of_sum(content)
        return machines.of_table(content)
    except UNREADABLE as error:
        return "unknown", f"{type(error).__name__} {error}"


def verdict(content: Any) -> str:
    """What a certificate about a function shows, as its format or itself says."""
    is_refuted = str(content.get("conclusion")).startswith("refuted(") or content["format"] == COUNTEREXAMPLE
    shown = "REFUTED" if is_refuted else "PROVED"
    return str(content.get("verdict", shown))


EVIDENCE = ("alignments", "counterexample", "evidence", "parts", "lemmas", "verdict")


def asked(content: Any, verdict: str) -> str:
    """All of a certificate that is not evidence, with the verdict."""
    told = {key: part for key, part in content.items() if key not in EVIDENCE} if isinstance(content, dict) else {}
    if told.get("format") == KERNEL:  # about a text: its step but for who vouched, and what is brought to show it
        [step] = told["steps"]
        told = {key: part for key, part in step["data"].items() if key not in ("evidence", "by")}
    return json.dumps([told, verdict], sort_keys=True)


def reason_class(reason: str) -> str:
    """The beginning of a reason, without numbers and names."""
    words = re.sub(r"'[^']*'|\d+", "_", reason).split()
    return " ".join(words[:5])[:60]


def missing(content: Any, found: Mapping[str, Any]) -> str:
    """What a certificate that checks must print and does not: the claim as it stands, assumptions, values, digests."""
    printed, rules = str(found["conclusion"]), found["rules"]
    if printed.startswith(("engine_claim(", "refuted(engine_claim(")):
        printed = " ".join(found["said"])
        content = of_question_before(content) if is_question(content) else content
    match content["format"]:
        case "refdp-certificate/2":
            formal = listed(found["claim"]).formal if found["claim"] else written(printed)
            return "" if written(printed) in (formal, f"refuted({formal})") else f"the claim {formal}"
        case "refdp-alignment/1" | "refdp-counterexample/1":
            asked, is_kernels = content["question"], "program_is_private" in rules or "program_exceeds" in rules
            printed += " ".join(found.get("texts", {}).values())
            wanted = [digest(asked["source"]), asked["function"]]
            wanted += [
                f"fixed('{key}', " if is_kernels else f"{key} = {value}" for key, value in asked["given"].items()
            ]
            if asked["adjacency"] and is_kernels:
                wanted += [] if any(f"{one}(1)" in printed for one in NEIGHBOURS[asked["adjacency"]]) else ["adjacency"]
            elif asked["adjacency"]:
                wanted.append(asked["adjacency"])
        case "refdp-sensitivity/1" | "refdp-machine-function/1":
            asked = content["claim"]
            if not {"engine_proves", "engine_refutes"} & set(rules):  # a theorem, held against the claim by itself
                printed += " ".join(found["texts"].values())
                return ", ".join(one for one in (digest(asked["source"]), asked["function"]) if one not in printed)
            wanted = [digest(asked["source"]), asked["function"], asked["neighbours"], asked["norm"], asked["tables"]]
            wanted += [f"{name} = " for name in (*asked["values"], *asked["symbols"])] + ends(asked["record"])
            wanted += ["assumed: "] if asked["assumption"] != "true" else []
        case "refdp-smooth-sensitivity/1":
            wanted = [content["statistic"], content["neighbours"], *map(number, content["bounds"])]
            wanted += [number(content["beta"]),
                      digest(" ".join(map(number, sorted(content["rows"], key=queries.Fraction))))]  # fmt: skip
            wanted += [number(content["empty"])] if content["empty"] is not None else []
        case _:
            wanted = [number(content["lower"]), number(content["upper"]), number(content["bound"]), content["order"],
                      content["kind"], content["neighbours"], content["arithmetic"]]  # fmt: skip
            wanted += [str(content["minimum_rows"]), str(content["maximum_rows"])]
    return ", ".join(one for one in wanted if one not in printed)


def written(printed: str) -> str:
    """What is printed, statements by their text as the ledger has them, if that is the statement of that digest."""
    found = re.fullmatch(r"(refuted\()?holds\('([^']*)', '([0-9a-f]*)'\)\)?", printed)
    if found is None:
        return printed
    asked = obligation(found[2])
    said = str(asked) if asked.digest == found[3] else printed
    return f"refuted({said})" if found[1] else said


def number(text: str) -> str:
    """A number as it is printed."""
    return str(queries.Fraction(text))


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def ends(kind: Mapping[str, Any]) -> list[str]:
    """The bounds of records that are numbers without names in them."""
    ((name, inner),) = kind.items()
    if name == "number":
        return [number(end) for end in (inner["lower"], inner["upper"]) if end and re.fullmatch(r"-?[\d/]+", end)]
    if name == "missing":
        return ends(inner)
    return [end for _, one in inner for end in ends(one)] if name == "fields" else []


def report(found: Mapping[str, Tally], shown: int = 6) -> str:
    """What became of the certificates, by format."""
    lines = []
    for form, tally in found.items():
        refused, accepted = sum(tally.refused.values()), sum(tally.accepted.values())
        lines.append(f"{form}: {tally.tried} tried, {refused} refused, {tally.undecided} undecided, "
                     f"{accepted} accepted as true, {len(tally.findings)} findings")  # fmt: skip
        lines += [f"    refused {count:6}  {reason}" for reason, count in tally.refused.most_common(shown)]
        rest = refused - sum(count for _, count in tally.refused.most_common(shown))
        lines += [f"    refused {rest:6}  for {len(tally.refused) - shown} other reasons"] if rest else []
        lines += [f"    accepted {count:5}  {why}" for why, count in tally.accepted.most_common()]
        lines += [f"    FINDING {one}" for one in tally.findings]
    total = sum(tally.tried for tally in found.values())
    findings = sum(len(tally.findings) for tally in found.values())
    return "\n".join([*lines, f"{total} forged certificates, {findings} findings"])


def main(words: Sequence[str]) -> int:
    """Forge, print the report; 1 where something was found."""
    count, seed, form = [*words, *["20000", "1", ""][len(words) :]][:3]
    start = time.process_time()
    with TemporaryDirectory() as folder:
        forger = Forger(seeds(Path(folder)), Path(folder), lambda line: print(line, file=sys.stderr, flush=True))
        found = forger.campaign([one for one in FORMATS if form in one], int(count), int(seed))
    print(report(found))
    print(f"{time.process_time() - start:.0f} s of processor time here, besides the solvers'")
    return min(1, sum(len(tally.findings) for tally in found.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
