"""`python -m tests.rocq.campaign [COUNT [SEED]]`: forges theorems, writes them for Rocq, and says what became of them.

A forged theorem may be refused when it is written, or by the prover.  One whose file is accepted must conclude what is
true: what a genuine one does, something weaker, or what the kernel concludes too; and its file must say all of it.
Anything else is an alarm, for somebody to look at.
"""

from __future__ import annotations

import fcntl
import json
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from refdp.claims import PROGRAMS, formal_of, ledger, nameless, programs, verdict
from refdp.kernel.judgements import Holds, Judgement, KernelError, Private, Refuted, Stable, Tail
from refdp.kernel.rules.statements import pinned
from refdp.kernel.theorem import RULES
from refdp.rocq import judgements
from refdp.rocq.claims import HEAD, NOTHING, PREMISES, WHOLE, WRITERS, file_of
from refdp.rocq.judgements import statement_of
from refdp.rocq.library import sentences
from refdp.rocq.terms import NotInRocq, name_of
from refdp.rocq.writing import Export
from refdp.spec.domains import is_within
from refdp.terms.term import PREVIOUS, Term, names
from scripts import rocq, rocq_questions
from tests.forging import theorems
from tests.rocq.forgeries import KINDS, OF_TEXTS, Forged, Genuine, Pool, forgeries, steps, with_names
from tests.rocq.prover import Answer, Prover

SAID = re.compile(r"^Theorem (\S+) :\n  (.*?)\.\nProof\.$", re.DOTALL | re.MULTILINE)
WORD = re.compile(r"(?<![\w.@])[A-Za-z]\w*(?![\w.])")
"""A name in a statement that is no part of a longer one."""
IS_THE_CLAIM, FROM_PREMISES = "The last theorem of this file is the claim.", "this file is the claim, from "
PROVED = (WHOLE, PREMISES)
"""What files prove that prove the claim, the latter from premises that solvers proved."""
QUESTIONS = 12
"""How many answers of each verdict to questions about functions of users are forged beside the claims."""
REFUSED, PARTLY = "refused by the export", "written without the claim"
STATEMENT, PROOF, LATE = "statement refused", "proof refused", "given up"
ALARM = "ALARM"
REVIEWED: Mapping[str, str] = {}
"""Conclusions that are accepted and that nothing here decides -> why they are true, by somebody who looked."""


@dataclass
class Found:
    """What became of a forgery, in one of the words above, or why it is harmless; more of it for an alarm."""

    forged: Forged
    outcome: str
    more: str = ""
    file: Mapping[str, Any] = field(default_factory=dict)


def genuine(chosen: Iterable[str] | None = None, questions: int = 0) -> Iterator[Genuine]:
    """Claims of ledger and library that have a certificate, and so many questions of each verdict: their theorems."""
    wanted = None if chosen is None else set(chosen)
    for claim in (*ledger(), *programs()):
        path = rocq.CERTIFICATES / ("programs" if claim.book == PROGRAMS else "") / f"{claim.identifier}.json"
        if path.is_file() and (wanted is None or claim.identifier in wanted):
            yield taken(claim.identifier, claim.sentence, json.loads(path.read_text(encoding="utf-8")))
    for answer in ("PROVED", "REFUTED"):
        for asked, certificate in rocq_questions.proofs(rocq_questions.SEED, questions, answer):
            yield taken(asked, "A question of examples/sensitivity.", certificate)


def taken(called: str, sentence: str, certificate: Mapping[str, Any]) -> Genuine:
    """A claim as its certificate proves it."""
    theorem = rocq.theorem_of(certificate)
    found = file_of(theorem, called, sentence, claimed(theorem.claim))
    return Genuine(called, sentence, theorem, found["status"] in PROVED, len(found["text"]))


def claimed(claim: Judgement) -> str:
    """What a forger says that the ledger claims, so that the conclusion proves or refutes it."""
    inner = claim.claim if isinstance(claim, Refuted) else claim
    try:
        return formal_of(inner)
    except (KernelError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError):
        return "some claim"


def written(one: Forged) -> Found:
    """What the export makes of a forgery, and whether what it writes is as it must be."""
    sentence, formal = one.genuine.sentence, claimed(one.theorem.claim)
    if one.words is not None:
        sentence, formal = one.words[0], one.words[1] or formal
    try:
        file = file_of(one.theorem, one.genuine.claim, sentence, formal)
    except KernelError as reason:
        return Found(one, REFUSED, str(reason))
    except Exception as error:  # whatever it is, it is no clear refusal
        return Found(one, ALARM, f"the export crashes: {type(error).__name__}: {error}")
    if verdict(one.theorem.claim, formal) is None:
        return Found(one, ALARM, f"the file names another claim: {formal}", file)
    if wrong := next(wrongs(one, file), ""):
        return Found(one, ALARM, wrong, file)
    return Found(one, "" if file["status"] in PROVED else PARTLY, "; ".join(file["missing"].values()), file)


def wrongs(one: Forged, file: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a file, whatever the prover says of it."""
    text, status = file["text"], file["status"]
    header = " ".join(text[: text.find(HEAD[0])].split())
    if header.count(IS_THE_CLAIM) != (status == WHOLE) or header.count(FROM_PREMISES) != (status == PREMISES):
        yield f"a file that is {status} says otherwise: {header}"
    supposed = assumed(text)
    if supposed != len(file["premises"]) or bool(supposed) != (status == PREMISES):
        yield f"a file that is {status} assumes {supposed} premises"
    if list(sentences(text[: text.find(HEAD[0])])) or '"' in header:
        yield f"what opens the file is no comment: {header}"
    if bad := rocq.forbidden(text):
        yield f"a file with a sentence that none may have: {bad[0][:200]}"
    stated = SAID.findall(text)
    if status in PROVED and any(step.rule in OF_TEXTS for step in steps(one.theorem)):
        yield from wrong_texts(one, file, stated)
        return
    if [called for called, _ in stated] != file["names"] or len(stated) != [*sentences(text)].count("Qed"):
        yield f"the theorems are others than {', '.join(file['names'])}"
    if status != WHOLE:
        yield from wrong_obligations(file, stated)
        return
    claim, before = one.theorem.claim, one.instead_of.claim
    said = said_of(claim)
    if not stated or stated[-1] != (file["theorem"], said):
        yield f"the last theorem is not the conclusion, which is {said}: {stated[-1:]}"
    if claim != before and said == said_of(before) and not (isinstance(claim, Holds) and isinstance(before, Holds)):
        yield f"the conclusion is written like the genuine one: {said}"
    if isinstance(claim, Holds) and said != statement_of(pinned(f"{claim.stem}.{claim.name}", claim.digest)):
        yield f"the obligation is another: {said}"
    if other := not_alike(claim):
        yield f"the conclusion is not written as it is: {other}"


def assumed(text: str) -> int:
    """How many hypotheses the last theorem of a file stands under: those of the sections that are open there."""
    found, counts = 0, [0]
    for sentence in sentences(text):
        if sentence.startswith("Section "):
            counts.append(0)
        elif sentence.startswith("End "):
            counts.pop()
        elif sentence.startswith(("Hypothesis ", "Axiom ", "Parameter ")):
            counts[-1] += 1
        elif sentence.startswith("Theorem "):
            found = sum(counts)
    return found


def wrong_texts(one: Forged, file: Mapping[str, Any], stated: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Steps about texts that conclude what their data do not say, or a file without the last of them."""
    for step in steps(one.theorem):
        if step.rule in OF_TEXTS:
            try:
                found = str(RULES[step.rule](*step.premises, **step.data).claim.term)
            except (KernelError, TypeError) as error:
                found = str(error)
            if found != str(step.claim.term):
                yield f"the data of {step.rule} are about something else: {found}"
    if not stated or stated[-1][0] != file["theorem"] or file["names"][-1:] != [file["theorem"]]:
        yield f"the last theorem is not {file['theorem']}"


def wrong_obligations(file: Mapping[str, Any], stated: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Obligations whose theorems say something else."""
    for obligation, (called, said) in zip(file["obligations"], stated, strict=False):
        meant = statement_of(pinned(obligation["name"], obligation["digest"]))
        if said not in (meant, f"~ ({meant})"):
            yield f"the theorem {called} is not {obligation['name']}"
    if len(stated) != len(file["obligations"]) or (file["status"] == NOTHING and stated):
        yield "there are theorems that are no obligations"


def said_of(claim: Judgement) -> str:
    """How a conclusion is written; nothing where it is not."""
    try:
        return judgements.said(Export(), claim)
    except (NotInRocq, KernelError):
        return ""


def not_alike(claim: Judgement) -> str:
    """What is wrong with the names of a conclusion as it is written; nothing where it says the same under others."""
    own = {one: f"fresh_{at}" for at, one in enumerate(sorted(names(claim.term)))}
    instead = {name_of(one): fresh for one, fresh in own.items()}
    other, said = said_of(with_names(claim, own)), said_of(claim)
    theirs, ours = list(binders(other)), list(binders(said))
    bound = {one for called, _ in theirs for one in called}
    for (called, _), (_, scope) in zip(ours[1:], theirs[1:], strict=True):
        if caught := [one for one in called if one in instead and one != PREVIOUS and instead[one] in scope]:
            return f"{caught[0]} is bound inside: {said}"
    if other_things := sorted(set(WORD.findall(other)) & instead.keys() - bound):
        return f"{other_things[0]} is something else: {said}"
    here = WORD.sub(lambda m: instead.get(m[0], m[0]), said)
    for one in bound & instead.keys():  # a name that formulas have too: theirs is another one, or inside alone
        here, other = (re.sub(rf"\b({one}_*|{instead[one]})(?!\w)", one, text) for text in (here, other))
    return "" if in_any_order(here) == in_any_order(other) else f"it says something else under other names: {other}"


def binders(said: str) -> Iterator[tuple[list[str], str]]:
    """The names that each function, or `forall`, of a statement binds, and the text in which they are bound."""
    for found in re.finditer(r"\bfun ([^=]*) =>|\bforall ([^,]*),", said):
        head = found[1] or found[2]
        called = [one for part in re.findall(r"\(([^()]*)\)", head) or [head] for one in part.partition(":")[0].split()]
        depth, end = 0, found.end()
        while end < len(said) and depth >= 0:
            depth += (said[end] == "(") - (said[end] == ")")
            end += 1
        yield called, said[found.end() : end]


def in_any_order(said: str) -> str:
    """A statement with the names that it is for all of in alphabetical order."""
    return re.sub(r"\(([\w ]+) : ([RZ])\)", lambda m: f"({' '.join(sorted(m[1].split()))} : {m[2]})", said)


def concluded(one: Forged) -> list[Judgement]:
    """What the kernel concludes from these premises and data, from the genuine ones, and from data that fit better."""
    forged, before, found = one.theorem, one.instead_of, list[Judgement]()
    if forged.rule in OF_TEXTS:  # the rule believes whoever its data name
        return []
    for premises in (forged.premises, before.premises):
        if not all(is_genuine(p, before) for p in premises):
            continue
        for data in (forged.data, before.data):
            for told in (data, fitting(data, forged.claim)):
                with suppress(KernelError, TypeError, KeyError):
                    found.append(RULES[forged.rule](*premises, **told).claim)
    return found


def fitting(data: Mapping[str, Any], claim: Judgement) -> dict[str, Any]:
    """Data of a step in which what it says of its conclusion is what the conclusion says."""
    inner = claim.claim if isinstance(claim, Refuted) else claim
    told = {"claim": inner.term, "near": getattr(inner, "metric", None), "far": getattr(inner, "output_metric", None)}
    told |= {key: getattr(inner, key, None) for key in ("subject", "domain", "metric", "d_in")}
    return {key: value if told.get(key) is None else str(told[key]) for key, value in data.items()}


def is_genuine(premise: Any, step: Any) -> bool:
    """Whether a premise is one of the genuine step's."""
    return any(premise is one for one in step.premises)


def is_part(claim: Judgement, before: Judgement) -> bool:
    """Whether a conclusion is the genuine one of fewer inputs, or of outputs in more."""
    if type(claim) is not type(before) or not isinstance(claim, Private | Stable | Tail):
        return False
    inputs, given = claim.domain, before.domain  # type: ignore[union-attr]
    domains = [(inputs, given)]
    alike: Judgement = replace(claim, domain=given)
    if isinstance(claim, Stable) and isinstance(before, Stable):
        domains.append((before.output_domain, claim.output_domain))
        alike = replace(claim, domain=given, output_domain=before.output_domain)
    return alike == before and all(is_within(one, other) for one, other in domains)


EVEN = ("gaussian", "discrete_gaussian")
"""The mechanisms whose first parameter is squared wherever their formulas have it."""


def without_signs(t: Term) -> Term:
    """A term in which the first parameter of these has no minus before it: that is the same law."""
    parts = tuple(map(without_signs, t.arguments))
    if t.operator in EVEN and parts:
        first = parts[0]
        is_negative = first.operator == "number" and first.rational < 0
        parts = (first.arguments[0] if first.operator == "negate" else -first if is_negative else first, *parts[1:])
    return Term(t.operator, parts, t.value)


def adds_up(claim: Judgement) -> bool:
    """Whether rounds, of which each has a loss under the measure of all, lose no less together at random points."""
    if not isinstance(claim, Private) or claim.subject.operator != "rounds":
        return False
    losses = claim.subject.arguments
    first = 1 if claim.measure == "renyi" else 0
    if any(one.operator != claim.measure or one.arguments[:first] != claim.d_out[:first] for one in losses):
        return False
    random, tried = Random(str(claim.term)), 0
    for _ in range(40 * theorems.POINTS):
        point = theorems.Chosen(random)
        if all(theorems.number(one, point) for one in claim.given):
            for at in range(first, len(claim.d_out)):
                together = sum(theorems.number(one.arguments[at], point) for one in losses)
                if theorems.number(claim.d_out[at], point) < together - theorems.NEAR:
                    return False
            tried += 1
    return tried >= theorems.POINTS


def harmless(one: Forged, known: Mapping[str, Term], status: str = WHOLE) -> str:
    """Why a conclusion that is accepted is true; nothing where that is not known."""
    claim = one.theorem.claim
    if status == PREMISES:
        return "from premises that the file states"
    if claim == one.instead_of.claim:
        return "the genuine conclusion"
    by_the_kernel = concluded(one)
    if claim in by_the_kernel:
        return "the kernel concludes it too"
    if is_part(claim, one.instead_of.claim):
        return "the genuine conclusion of fewer inputs"
    if nameless(str(claim.term)) == nameless(str(one.instead_of.claim.term)):
        return "the genuine conclusion under other names"
    if adds_up(claim):
        return "rounds that lose less"
    more = {str(found.term): found.term for found in by_the_kernel}
    said, why = theorems.truth(str(without_signs(claim.term)), {**known, **more})
    if said == "true":
        return "a genuine step's conclusion" if why.startswith("a step") else "weaker, or decided by itself"
    return "reviewed" if str(claim.term) in REVIEWED else ""


def judged(found: Found, answer: Answer, known: Mapping[str, Term]) -> None:
    """Enter what the prover says of a file that is whole."""
    if not answer.accepted:
        in_statement = answer.sentence.startswith("Theorem ")
        found.outcome = LATE if answer.is_late else STATEMENT if in_statement else PROOF
        found.more = answer.reason
        return
    if why := harmless(found.forged, known, found.file["status"]):
        found.outcome = f"accepted: {why}"
        return
    found.outcome, found.more = ALARM, f"accepted: {said_of(found.forged.theorem.claim)}"


def controls(pool: Pool) -> Iterator[Forged]:
    """For each rule the genuine step with the shortest file: a forgery in which nothing is changed."""
    for rule, sites in sorted(pool.sites.items()):
        files = (file_of(step, one.claim, one.sentence, claimed(step.claim)) for one, step in sites)
        whole = [(len(file["text"]), at) for at, file in enumerate(files) if file["status"] in PROVED]
        if whole:
            one, step = sites[min(whole)[1]]
            yield Forged(step, rule, "none", "nothing", one, step)


def campaign(pool: Pool, count: int, seed: int, prover: Prover) -> tuple[list[Found], list[Found]]:
    """What becomes of so many forgeries, and of the genuine steps beside them."""
    known = {str(step.claim.term): step.claim.term for one in pool.claims for step in steps(one.theorem)}
    beside = [written(one) for one in controls(pool)]
    found = [written(one) for one in forgeries(pool, count, seed)]
    whole = [one for one in (*beside, *found) if not one.outcome]
    answers: dict[str, Answer] = {}
    for one in sorted(whole, key=body):
        if body(one) not in answers:
            answers[body(one)] = prover.asked(one.file["text"])
        judged(one, answers[body(one)], known)
    return found, beside


def body(one: Found) -> str:
    """All of a file but its head."""
    return "\n".join(one.file["body"])


def confirmed(found: Sequence[Found]) -> Iterator[str]:
    """Compile the files that were accepted, one after another; what is not right with them."""
    accepted = {body(one): one.file for one in found if one.outcome.startswith("accepted")}
    files = list(accepted.values())
    axioms: set[str] = set()

    def run(some: Sequence[Mapping[str, Any]], name: str) -> Iterator[str]:
        called = [f"claim_{i}.{theorem}" for i, one in enumerate(some) for theorem in one["names"]]
        try:
            axioms.update(*rocq.printed_axioms(name, list(rocq.together(some)), called))
        except RuntimeError as error:
            if len(some) == 1:
                yield f"coqc refuses what was accepted: {some[0]['claim']}: {error}"
            else:
                middle = len(some) // 2
                yield from run(some[:middle], f"{name}a")
                yield from run(some[middle:], f"{name}b")

    for at in range(0, len(files), rocq.TOGETHER):
        yield from run(files[at : at + rocq.TOGETHER], f"forged_{at}_")
    yield from (f"rests on {axiom}" for axiom in sorted(axioms) if not rocq.ALLOWED.fullmatch(axiom))


COLUMNS: Mapping[str, Callable[[str], bool]] = {
    "export": lambda outcome: outcome in (REFUSED, PARTLY),
    "prover": lambda outcome: outcome in (STATEMENT, PROOF),
    "late": lambda outcome: outcome == LATE,
    "harmless": lambda outcome: outcome.startswith("accepted"),
    "alarm": lambda outcome: outcome == ALARM,
}
"""The columns of the tables -> which outcomes they count."""


def table(found: Sequence[Found], by: Callable[[Found], str], called: str) -> Iterator[str]:
    """How many forgeries had which outcome, by a part of them."""
    yield f"{called:24}" + "".join(f"{column:>10}" for column in ("forged", *COLUMNS))
    for row in [*sorted({by(one) for one in found}), ""]:
        of_row = [one.outcome for one in found if by(one) == row or not row]
        counts = [len(of_row), *(sum(map(wanted, of_row)) for wanted in COLUMNS.values())]
        yield f"{row or 'all':24}" + "".join(f"{count:10}" for count in counts)


def report(found: Sequence[Found]) -> Iterator[str]:
    """The tables, every alarm, and the outcomes in words."""
    yield from table(found, lambda one: one.forged.rule, "rule")
    yield ""
    yield from table(found, lambda one: one.forged.kind, "kind of forgery")
    yield ""
    yield from (f"{count:6}  {outcome}" for outcome, count in Counter(one.outcome for one in found).most_common())
    for one in found:
        if one.outcome == ALARM:
            f = one.forged
            yield f"ALARM {f.rule}, {f.kind} ({f.how}), of {f.genuine.claim}: {text_of(f.theorem.claim)}"
            yield f"    {one.more}"


def text_of(claim: Judgement) -> str:
    """The text of a conclusion, or that it has none."""
    try:
        return str(claim.term)
    except (ValueError, AttributeError, TypeError):
        return "a conclusion that has no text"


def unreached(found: Sequence[Found], beside: Sequence[Found], least: int) -> Iterator[str]:
    """Rules and kinds that too few forgeries reached, and genuine steps that are refused."""
    rules, kinds = (Counter(part) for part in zip(*((one.forged.rule, one.forged.kind) for one in found), strict=True))
    yield from (f"{rule}: {rules[rule]} forgeries, and not {least}" for rule in WRITERS if rules[rule] < least)
    yield from (f"{kind}: no forgery of that kind" for kind in KINDS if not kinds[kind])
    for one in beside:
        if not one.outcome.startswith("accepted"):
            yield f"a genuine step by {one.forged.rule}, of {one.forged.genuine.claim}: {one.outcome}: {one.more}"


def main(words: Sequence[str]) -> int:
    """Forge, print the report; 1 where something was found, 2 where there is no prover."""
    count, seed = map(int, [*words, *["1000", "0"][len(words) :]][:2])
    if shutil.which("coqc") is None or shutil.which("coqtop") is None:
        print(rocq.MISSING)
        return 2
    start = time.perf_counter()
    rocq.BUILD.mkdir(parents=True, exist_ok=True)
    with (rocq.BUILD.parent / "rocq.busy").open("w") as busy:
        try:
            fcntl.flock(busy, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print("another run is checking this folder")
            return 1
        if wrong := rocq.compile_library_once():
            print("\n".join(wrong))
            return 1
        pool = Pool(list(genuine(questions=QUESTIONS)))
        modules = [path.stem for path in sorted(rocq.LIBRARY.glob("*.v"))]
        with Prover(rocq.BUILD / "library", modules) as prover:
            found, beside = campaign(pool, count, seed, prover)
        wrong = [*unreached(found, beside, max(1, count // (2 * len(WRITERS)))), *confirmed([*found, *beside])]
    print("\n".join((*report(found), *wrong)))
    alarms = sum(one.outcome == ALARM for one in found)
    print(f"{len(found)} forged theorems, {alarms} alarms, {time.perf_counter() - start:.0f} s")
    return min(1, alarms + len(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
