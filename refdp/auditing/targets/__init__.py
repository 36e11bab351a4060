"""Targets: what to call, in a process of its own on any interpreter, with exact values and limits.

`with Session(target) as session: session.call(x)` gives an `Outcome`, whatever the target does.
"""

from refdp.auditing.targets.outcomes import Outcome
from refdp.auditing.targets.recipes import RecipeError, recipe
from refdp.auditing.targets.sessions import Session, TargetError
from refdp.auditing.targets.target import Adapted, Claim, Limits, Target, command, function, of_library, serialised

__all__ = [
    "Adapted", "Claim", "Limits", "Outcome", "RecipeError", "Session", "Target", "TargetError",
    "command", "function", "of_library", "recipe", "serialised",
]  # fmt: skip
