"""`refdp check`: replay certificates from their JSON alone, in a process that imports no proof and no search.

The oracles are asked again about statements rebuilt from this package; nothing in a certificate is believed.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from refdp.claims import UnknownClaim, Withdrawal, claim, verdict, withdrawn
from refdp.commands.earlier_certificates import is_earlier, renewed
from refdp.commands.judgements import seconds_since
from refdp.commands.rounds_in_words import in_words
from refdp.commands.texts_in_words import told
from refdp.isolation import isolated_command
from refdp.kernel.certificate import DERIVED, LARGEST_FILE, Oracle, Question, Replayed, parsed, replay
from refdp.kernel.judgements import KernelError, Refuted, Unanswered
from refdp.kernel.rules import engines, machines, programs, questions
from refdp.kernel.rules.engines import Query
from refdp.kernel.rules.machines import MachineClaim
from refdp.kernel.rules.programs import ProgramClaim
from refdp.kernel.rules.questions import EngineQuestion
from refdp.kernel.theorem import FAILURES, Theorem
from refdp.logic.digests import digest
from refdp.logic.files import content_of, files_inside, require_readable
from refdp.logic.internal_errors import lost
from refdp.provers.answers import Answer, SolverDisagreement
from refdp.provers.processes import SolverMissing, processor_seconds
from refdp.spec.statements import Statement

SOLVERS = ("z3", "cvc5", "both")
Step = Callable[[int, int, str], None]
NOTHING: dict[str, Any] = {"claim": None, "verdict": "UNKNOWN", "trusts": [], "seconds": "0.00"}
"""The judgement of a certificate that was not looked at."""
INTERNAL = 4
"""The exit code where a verdict was lost to an internal error."""
LONGEST_REASON = 1_000
"""Longest reason that is repeated, in characters."""
ABOUT_TEXTS = (*engines.ENGINES, "program_is_private", "program_exceeds", "machine_stays_near", "machine_moves_too_far",
               "engine_proves", "engine_refutes")  # fmt: skip
"""The rules about texts of users."""


def check(
    *paths: str | Path,
    solver: str | None = None,
    trust: Sequence[str] | None = None,
    timeout: float = 60.0,
    run: bool = False,
) -> dict[str, Any]:
    """Replay certificates (files, or every one in a folder) in a fresh, isolated process; what `refdp-check` prints.

    A certificate that does not replay is REJECTED in it, with the reason.  With `run`, the user's function that a proof
    is about is run, too, on random neighbouring data.  Raises ValueError for bad input.
    """
    options = ["--timeout", str(timeout)]
    options += ["--solver", solver] if solver is not None else []
    options += ["--trust", ",".join(trust)] if trust is not None else []
    options += ["--run"] if run else []
    command = isolated_command("refdp.checking", "--json", *options, "--", *map(str, paths))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == INTERNAL and not done.stdout:
        raise RuntimeError(done.stderr.strip().removeprefix("refdp: "))
    if done.returncode not in (0, 1, 3, INTERNAL):
        raise ValueError(done.stderr.strip().removeprefix("refdp: ") or f"refdp check ended with {done.returncode}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def replayed_here(
    paths: Sequence[str | Path],
    *,
    solver: str | None = None,
    trust: Sequence[str] | None = None,
    timeout: float = 60.0,
    run: bool = False,
    step: Step = lambda *_: None,
) -> dict[str, Any]:
    """The same in this process, which must be a fresh one; an interrupt ends it with what was judged by then."""
    if solver not in (None, *SOLVERS):
        raise ValueError(f"solver must be one of {', '.join(SOLVERS)}, got {solver}")
    files, judged = certificate_files([Path(one) for one in paths]), list[dict[str, Any]]()
    for done, path in enumerate(files):
        step(done, len(files), str(path))
        try:
            judged.append(replayed_file(path, solver, trust, timeout, run))
        except KeyboardInterrupt:
            judged += [NOTHING | {"path": str(one), "reason": "interrupted"} for one in files[done:]]
            break
    return summary(judged)


def certificate_files(paths: Sequence[Path]) -> list[Path]:
    """The files, folders replaced by their certificates; ValueError or OSError where there are none."""
    if missing := [p for p in paths if not p.exists()]:
        raise ValueError(f"paths must be files or folders that are there, got {missing[0]}")
    for path in paths:
        require_readable(path)
    found = [f for p in paths for f in (files_inside(p, "*.json") if p.is_dir() else [p])]
    if not found:
        raise ValueError(f"paths must name certificates, got {', '.join(map(str, paths)) or 'none'}")
    return found


def replayed_file(
    path: Path, solver: str | None, trust: Sequence[str] | None, timeout: float, run: bool = False
) -> dict[str, Any]:
    """PROVED or REFUTED if the certificate replays, REJECTED if it does not, UNKNOWN if an oracle gave no answer."""
    start, alone = processor_seconds(), list[str]()
    judged: dict[str, Any] = {"path": str(path), "claim": None, "verdict": "REJECTED", "trusts": []}
    try:
        certificate, found = replayed(path, oracle(solver, timeout, alone))
        judged |= {"claim": found.claim, "verdict": verdict_of(found), "conclusion": str(found.theorem.claim.term)}
        judged["trusts"], judged["rules"] = sorted(found.trusts), written_rules(found.theorem)
        if certificate["sources"]:
            judged["texts"] = {key: digest(text) for key, text in certificate["sources"].items()}
        judged |= {"said": said} if (said := told(certificate)) else {}
        if (words := in_words(found.theorem.claim)) is not None:
            judged["said"] = [words]
        _require_trust(found.trusts, trust)
        judged |= run_again(json.dumps(certificate), judged["verdict"]) if run else {}
    except Unanswered as error:
        judged |= {"verdict": "UNKNOWN", "reason": in_a_line(error)}
    except (KernelError, UnknownClaim, OSError, UnicodeDecodeError) as error:
        judged |= {"verdict": "REJECTED", "reason": in_a_line(error)}
    except Exception as error:
        judged |= {"trusts": []} | lost(error)
    if alone:
        judged["without_smt_lib"] = alone
    return judged | {"seconds": seconds_since(start)}


def replayed(path: Path, ask: Oracle) -> tuple[dict[str, Any], Replayed]:
    """The certificate in a file and its theorem, rebuilt; KernelError, or what a file raises, where it is none."""
    content = _content(path)
    _require_standing(lambda gone: sha256(content.encode()).hexdigest() in gone.certificates)
    certificate = renewed(content) if is_earlier(content) else parsed(content)
    if not about_texts_alone(certificate):
        import refdp.mechanisms
        import refdp.statements
        import refdp.transformations  # noqa: F401  (importing them registers what the claims are about)

    if certificate["claim"] != DERIVED:
        claim(certificate["claim"])
    found = replay(certificate, ask)
    _require_standing(lambda gone: any(gone.says(step.claim) for step in steps(found.theorem)))
    return certificate, found


def about_texts_alone(certificate: Mapping[str, Any]) -> bool:
    """Whether every step is by a rule about a user's text: nothing of refdp's own that is measured is then named."""
    return all(isinstance(one, dict) and one.get("rule") in ABOUT_TEXTS for one in certificate["steps"])


def run_again(content: str, shown: str) -> dict[str, Any]:
    """What the second judge says of a certificate, whose file it runs; of one that proves nothing of a file, nothing.

    It is loaded here alone: without being asked for, nothing of a user's is run, nor what runs it imported.
    """
    from refdp.commands.second_judging import certificate_again

    return certificate_again(content) if shown == "PROVED" else {}


def in_a_line(error: Exception) -> str:
    """What went wrong, in one line of printable characters: a certificate may hold others."""
    line = " ".join(str(error).split())[:LONGEST_REASON]
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)


def oracle(solver: str | None, timeout: float, alone: list[str]) -> Oracle:
    """Asks the chosen solver, else one that was named; where sympy was, sympy: `alone` lists those statements.

    About a user's function both z3 and cvc5 are asked, unless one is chosen.
    """

    def ask(statement: Question, by: tuple[str, ...]) -> frozenset[str]:
        if not isinstance(statement, Statement):
            return of_text(statement, solver, timeout)
        symbolic = any(b.startswith("sympy") for b in by)
        if symbolic:
            alone.append(str(statement))
        try:
            answer = run("sympy" if symbolic else solver or named(by), statement, timeout)
        except (SolverMissing, SolverDisagreement) as error:
            raise Unanswered(str(error)) from error
        if answer.verdict == "disproved":
            raise KernelError(f"it is false at {answer.model}: {statement}")
        if answer.verdict != "proved":
            raise Unanswered(f"{answer.reason}: {statement}")
        return answer.trusts

    return ask


AboutText = Query | ProgramClaim | MachineClaim | EngineQuestion


def of_text(claim: AboutText, solver: str | None, timeout: float) -> frozenset[str]:
    """Who vouches for the claim about a user's function, which is read again; its engine is loaded when one is met."""
    try:
        found = engine_of(claim).asked(claim, solver, timeout)
    except FAILURES as error:
        if isinstance(claim, EngineQuestion):  # its evidence has the right form, and may still be of nothing
            raise KernelError(f"{claim.function}: {type(error).__name__} {str(error)[:100]}") from None
        raise
    if found.verdict != "PROVED":
        about = f"{claim.function}: " if claim.function else ""
        raise Unanswered(f"{about}{found.reason}")
    trusts: frozenset[str] = found.trusts
    return trusts


def engine_of(claim: AboutText) -> Any:
    """The engine that reads the text of the claim."""
    match claim:
        case EngineQuestion():
            return questions.engine(claim.kind)
        case Query():
            return engines.engine("runs_stay_related")
        case MachineClaim():
            return machines.engine()
    return programs.engine()


def run(oracle: str, statement: Statement, timeout: float) -> Answer:
    """The answer of an oracle; what asks solvers is loaded when the first is asked."""
    from refdp.provers import oracles

    return oracles.run(oracle, statement, timeout)


def named(by: tuple[str, ...]) -> str:
    """cvc5 if it is named and z3 is not; else z3."""
    return "cvc5" if any("cvc5" in b for b in by) and not any("z3" in b for b in by) else "z3"


def _content(path: Path) -> str:
    """The text of a certificate of bounded size, whatever the path leads to."""
    return content_of(path, LARGEST_FILE, "a certificate", KernelError).decode("utf-8")


def verdict_of(found: Replayed) -> str:
    """What the theorem says of its claim; KernelError if it is about another claim than it names."""
    if found.claim == DERIVED:
        return "REFUTED" if isinstance(found.theorem.claim, Refuted) else "PROVED"
    listed = claim(found.claim)
    said = verdict(found.theorem.claim, listed.formal)
    if said != listed.expected:
        raise KernelError(f"{found.theorem.claim.term} is not the claim {listed.identifier}")
    return said


def _require_standing(concerns: Callable[[Withdrawal], bool]) -> None:
    """KernelError if a claim that was withdrawn is concerned."""
    if gone := next(filter(concerns, withdrawn()), None):
        raise KernelError(str(gone))


def steps(theorem: Theorem) -> Iterator[Theorem]:
    """The theorem and every one that it rests on, each once."""
    waiting, seen = [theorem], set[int]()
    while waiting:
        step = waiting.pop()
        if id(step) not in seen:
            seen.add(id(step))
            waiting += step.premises
            yield step


def written_rules(theorem: Theorem) -> list[str]:
    """The rules that a derivation uses, whose proofs are written and read by people; an oracle is named in `trusts`."""
    return sorted({step.rule for step in steps(theorem)} - {"oracle"})


def _require_trust(trusts: Iterable[str], trust: Sequence[str] | None) -> None:
    """Nobody but those named may be believed."""
    strangers = sorted(t for t in trusts if trust is not None and not any(t.startswith(n) for n in trust if n))
    if strangers:
        raise KernelError(f"it trusts {', '.join(strangers)}, which --trust does not name")


def summary(judged: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The object that `refdp check --json` prints."""
    counts = {v: sum(j["verdict"] == v for j in judged) for v in ("PROVED", "REFUTED", "REJECTED", "UNKNOWN")}
    return {
        "certificates": list(judged),
        "replayed": counts["PROVED"] + counts["REFUTED"],
        "rejected": counts["REJECTED"],
        "unknown": counts["UNKNOWN"],
        "seconds": f"{processor_seconds():.1f}",
    }
