"""The kinds of questions, by the word that a campaign file uses; each is loaded when it is first asked for."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module

from refdp.auditing.judges.task import Judge, Kind, Task, TaskError

KINDS = {
    "stability": "refdp.auditing.judges.stability",
    "law": "refdp.auditing.judges.law.judge",
    "privacy": "refdp.auditing.judges.privacy.judge",
    "reachable": "refdp.auditing.judges.reachable",
    "exact": "refdp.auditing.judges.exact",
    "accountant": "refdp.auditing.judges.accountant",
    "noise_scale": "refdp.auditing.judges.noise_scale",
    "entropy": "refdp.auditing.judges.entropy",
    "timing": "refdp.auditing.judges.timing",
    "training": "refdp.auditing.judges.training.judge",
}
"""Word -> the module whose KIND it is."""


def kind(word: str) -> Kind:
    """The kind; TaskError where there is none of that name."""
    if word not in KINDS:
        raise TaskError(f"kind must be one of {', '.join(KINDS)}, got {word}")
    found: Kind = import_module(KINDS[word]).KIND
    return found


def judge_of(task: Task, alpha: Fraction) -> Judge:
    """The judge of the task, with its share of alpha."""
    return kind(task.kind).judge(task, alpha)
