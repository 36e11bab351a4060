"""The statement that an implementation agrees with a file of test vectors: a test for each case."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from refdp.auditing.judges.result import Counterexample, Evidence, Result
from refdp.test_vectors.checking import cases, judged, loaded
from refdp.test_vectors.kinds.kind import UNSUPPORTED, Group, Outcome, Test
from refdp.test_vectors.numbers import shown
from refdp.test_vectors.schemas import SCHEMAS
from refdp.test_vectors.subjects import PythonSubject, module_of
from refdp.testing.findings import FAIL, PASS, Finding
from refdp.testing.refusals import StatementError, refused
from refdp.testing.reporting import VERDICTS
from refdp.testing.statement_mark import CASE, CASES
from refdp.testing.stating import stated
from refdp.testing.trials import Source, Trial

SAID = ("tcId", "comment", "flags", "result")
STATISTICAL = "SamplerStatistical"
"""The type of group whose cases draw: each has a share of the budget, in place of the file's own error."""


@dataclass(frozen=True, slots=True)
class Agrees:
    """What the function returns, an implementation, agrees with one case of a file."""

    file: str
    group: Group
    test: Test
    note: str
    mutants = ()
    own = ()
    kind = "vectors"

    @property
    def statistical(self) -> bool:
        """Whether the case draws samples."""
        return bool(self.group["type"] == STATISTICAL)

    @property
    def sentence(self) -> str:
        """What is claimed."""
        return f"case {self.test['tcId']} of {self.file} ({self.group['algorithm']}): {self.test['comment']}"

    @property
    def identity(self) -> str:
        """The case: its draws are not carried on."""
        return self.sentence

    def judge(self, trial: Trial, mutants: Sequence[Source]) -> Finding:
        """Whether the implementation agrees; a case that draws is drawn once in a run."""
        kept = trial.memory.kept
        if "" not in kept or not self.statistical:
            subject, alpha = Implementation(trial.call(trial.source, {})), tonight(trial)
            group = {**self.group, "alpha": str(alpha)} if self.statistical else self.group
            kept[""] = judged(group, self.test, subject), subject.answers, alpha
        return self._finding(*kept[""])

    def _finding(self, found: Outcome, answers: Sequence[str], alpha: Fraction) -> Finding:
        """The outcome of the case; what is not supported is skipped."""
        if found.outcome == "unsupported":
            pytest.skip(f"the implementation does not answer for {self.group['type']} {self.group['algorithm']}")
        outcome = FAIL if found.outcome == "failed" else PASS
        text = f"{self.test['result']} case: {found.outcome}"
        if outcome == FAIL:
            text = f"{found.why} ({'; '.join(answers) or 'no answer'})\n  {self.note}\n  {told(self.test)}"
        seen = Counterexample((told(self.test),), tuple(answers), self.sentence, found.why)
        evidence = Evidence(seen if outcome == FAIL else None)
        result = Result(VERDICTS[outcome], self.sentence, text, witness=found.why[:80], error=alpha,
                        evidence=evidence)  # fmt: skip
        return Finding(outcome, text, result, alpha, kind=self.kind)


def tonight(trial: Trial) -> Fraction:
    """The error of this run: of n nights, whose draws are not added up, 1 / (n (n + 1)) of the share, which sums to it.

    That the night has begun is written before it draws.
    """
    if trial.account is None:
        return trial.alpha
    night = len(trial.account.earlier) + 1
    trial.account.keep(night - 1, {"night": night})
    return trial.alpha / (night * (night + 1))


class Implementation(PythonSubject):
    """An implementation whose exceptions are its own: pytest shows where they were raised."""

    def __init__(self, module: Any) -> None:
        super().__init__(module)
        self.answers: list[str] = []

    def ask(self, function: str, **arguments: Any) -> Any:
        """Its answer; UNSUPPORTED if it has no such function, or the function answers NotImplemented."""
        found = self._functions[function]
        answer = found(**arguments) if callable(found) else NotImplemented
        self.answers.append(f"{function} gave {shown(answer)}")
        return UNSUPPORTED if answer is NotImplemented else answer


def vectors(path: str | Path, *, against: object = None, types: Sequence[str] = ()) -> Callable[..., Any]:
    """A test for each case of a file of test vectors: what `against` answers must agree, false claims be rejected.

    `against` is an object, a module, its name or its file NAME.py, with functions as in vectors/README.md; cases that
    it has no function for are skipped.  Without it this is a decorator, and the function, which may ask for fixtures,
    returns the implementation.  A path is sought beside the calling file first.

    Raises StatementError, which pytest shows at collection, for a file that is none.
    """
    place = _beside(Path(path), Path(sys._getframe(1).f_code.co_filename).parent)
    if unknown := sorted(set(types) - set(SCHEMAS)):
        raise StatementError(f"types must be of {', '.join(SCHEMAS)}, got {unknown[0]}")
    with refused():
        data = loaded(place)
    chosen = [(group, test) for group, test in cases(data) if not types or group["type"] in types]
    if not chosen:
        raise StatementError(f"{place.name} must have cases of the types {', '.join(types)}, got none")
    statements = [Agrees(place.name, group, test, _note(data, test)) for group, test in chosen]
    if against is None:
        return lambda function: cases_of(function, statements)
    with refused():
        subject = module_of(against) if isinstance(against, str) else against
        Implementation(subject)

    def test() -> Any:
        return subject

    test.__doc__ = f"Agrees with {place.name}."
    return cases_of(test, statements)


def cases_of(function: Callable[..., Any], statements: Sequence[Agrees]) -> Callable[..., Any]:
    """The function as a test for each case."""
    ids = [f"{s.test['tcId']}-{s.group['algorithm']}-{s.test['result']}" for s in statements]
    found: Callable[..., Any] = pytest.mark.parametrize(CASE, statements, ids=ids)(stated(function, CASES))
    return found


def told(test: Test) -> str:
    """What a case asks and what is right, without what its flags say."""
    return ", ".join(f"{name} = {shown(value)}" for name, value in test.items() if name not in SAID)


def _beside(path: Path, folder: Path) -> Path:
    """The file beside the caller, else as it is named."""
    return folder / path if (folder / path).is_file() else path


def _note(data: Mapping[str, Any], test: Test) -> str:
    """What the flags of a case mean."""
    return "; ".join(f"{flag}: {data['notes'][flag]['description']}" for flag in test["flags"])
