"""`refdp train`: DP-SGD on a real table, with its account, the theorem of the run, wrong loops judged, and an audit."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from refdp.accounting.events import NoTheorem
from refdp.accounting.numbers import decimal_above, decimal_below
from refdp.accounting.questions import Limits
from refdp.auditing.judges.training.judges import Finding
from refdp.commands.account import account, decimal
from refdp.commands.files import require_folder
from refdp.commands.judgements import deadline, seconds_since, written_certificate
from refdp.kernel.certificate import DERIVED, certificate, text_of
from refdp.kernel.judgements import Private
from refdp.learning.audits import Effort, audited
from refdp.learning.examples import PENGUINS, Bounded, Classes, Examples, examples_of
from refdp.learning.gradients import MODELS, Model
from refdp.learning.loops import MISTAKES, TWINS, StepLoop
from refdp.learning.training import Plan, Run, trained
from refdp.learning.variants import Claim, Judged, Setting, judged
from refdp.numerics.exact import Exactly, exact, integer_of
from refdp.provers.processes import processor_seconds
from refdp.sampling.drawing import require_source
from refdp.sampling.words import SYSTEM_WORDS, Source, is_system

FEATURES = ("bill_length_mm=30,60", "bill_depth_mm=13,22", "flipper_length_mm=170,235", "body_mass_g=2500,6500")
LABEL = "sex=male,female"
"""What is learnt from the penguins, unless said."""
DEFAULTS: Mapping[str, Mapping[str, Exactly]] = {
    "gaussian": {"rate": "1/10", "noise_multiplier": 2, "lot": 33},
    "discrete_gaussian": {"rate": 1, "noise_multiplier": 20, "lot": 330},
}
"""By the noise: what is taken unless it is said."""
WIDTH = Fraction(1, 10**6)
"""Of the numbers that variants are judged by."""
SECONDS = 30.0
"""Seconds for each of their accounts, at most: a loop that needs more is UNKNOWN."""
PLACES_OF_EPSILON = 9
"""Of epsilon of the theorem of full batches, rounded up."""
PLACES = 6
"""Digits of weights and measures that are told."""
TRUSTED = ("code: refdp.learning", "code: refdp.sampling")
"""Besides what the account trusts: that the steps of a run, and its noise, are those that the theorems are about."""
OF_ONE_ROW = "assumption: the gradient of a row is a function of that row and the weights"
"""Of a model of one's own."""
NOT_COVERED = (
    "the measure, the curve and the model without noise are worked out on the table itself: they are not private",
    "rate, steps, lot, norm, noise, learning rate: where they were chosen by the table, that cost is not here",
    "times, and what is told of a failure, are not covered",
)
"""What no number here speaks of."""
Step = Callable[[int, int, str], None]


def train(
    data: str | Path | None = None,
    *,
    feature: str | Sequence[str] = (),
    label: str | None = None,
    model: str | Model = "logistic",
    noise: str = "gaussian",
    rate: Exactly | None = None,
    steps: Any = 100,
    noise_multiplier: Exactly | None = None,
    lot: Exactly | None = None,
    learning_rate: Exactly = 2,
    norm: Exactly = 1,
    granularity: Exactly = "1/1024",
    delta: Exactly = "1e-5",
    neighbours: str = "add_remove",
    variants: bool = False,
    audit: bool = False,
    runs: int | None = None,
    error: Exactly = "1e-9",
    certificates: str | Path = "refdp-certificates",
    timeout: float = 600.0,
    source: Source | None = None,
    step: Step = lambda *_: None,
) -> dict[str, Any]:
    """Train a model by DP-SGD on a CSV table, or on the penguins; the object of `refdp train --json`.

    `feature`: COLUMN=L,U, a column of numbers with public bounds, or several; `label`: COLUMN=POSITIVE,NEGATIVE of a
    logistic model, COLUMN=L,U of a linear one; `model`: logistic, linear, or a model of one's own, as described in
    `refdp.learning.gradients`.  Each row is in each of `steps` lots with probability `rate`; its gradient is clipped to
    `norm`, on multiples of `granularity`; the sum has noise of deviation noise_multiplier times norm, and is divided by
    `lot`, a public number.  `noise`: gaussian, or discrete_gaussian, with which every lot is the whole table; left out,
    rate, noise_multiplier and lot are 1/10, 2 and 33 with the one, and 1, 20 and 330 with the other.  `variants`: also
    judge what usually goes wrong.  `audit`: also audit the step, and each mistake in it, with `error`; `runs` trainings
    with a canary and as many without, of the step alone unless they are given.  `source`: digits in place of the
    operating system's.

    Raises ValueError for bad input or where numpy is missing, NoTheorem where nothing is proved, and TimeoutError after
    `timeout` seconds.
    """
    start, end = processor_seconds(), deadline(timeout)
    require_arrays()
    require_source(source)
    require_folder(certificates)
    numbers = DEFAULTS.get(noise, DEFAULTS["gaussian"])
    given = {"rate": rate, "noise_multiplier": noise_multiplier, "lot": lot}
    chosen = {name: exact(numbers[name] if given[name] is None else given[name], name) for name in numbers}
    plan = Plan(
        steps=whole_steps(steps), learning_rate=exact(learning_rate, "learning_rate"), norm=exact(norm, "norm"),
        granularity=exact(granularity, "granularity"), noise=noise, **chosen,
    )  # fmt: skip
    if plan.noise == "discrete_gaussian" and (variants or audit):
        raise ValueError(f"{'variants' if variants else 'audit'} must be left out with discrete_gaussian noise")
    effort = Effort(exact(error, "error"), runs=100 if runs is None else runs)
    learner, examples = what_is_learnt(data, [feature] if isinstance(feature, str) else list(feature), label, model)
    step(0, plan.steps, "account")
    size = learner.parameters(examples.features.shape[1])
    if plan.noise == "gaussian":
        found = theorem_of(plan, delta, neighbours, certificates, timeout)
        found |= stability(plan, size, certificates)
    else:
        found = theorem_of_full_batches(plan, size, delta, neighbours, certificates, timeout)
    found["trusts"] = sorted({*found["trusts"], *TRUSTED, *([] if isinstance(model, str) else [OF_ONE_ROW])})

    def watch(done: int, total: int) -> None:
        step(done, total, "steps")
        if time.monotonic() > end:
            raise TimeoutError(f"timeout: {done} of {total} steps were made in time, and nothing is released")

    digits = SYSTEM_WORDS if source is None else source
    told = {"model": learner.name, "parameters": parameters(plan), "neighbours": neighbours} | found
    told |= outcome(trained(plan, learner, examples, digits, watch), learner)
    told |= {"entropy": "the operating system" if is_system(digits) else "digits supplied"}
    told |= {"not_covered": list(NOT_COVERED)}
    setting = Setting(plan, exact(delta, "delta"), Limits(WIDTH, min(timeout, SECONDS), 2 * 10**9))
    if variants:
        told |= {"variants": [variant_json(one, plan, certificates, timeout) for one in named(judged(setting), step)]}
    if audit:
        told |= {"audit": audits(plan, setting.claim(), effort, runs is not None, step)}
    return told | {"verdict": verdict(told), "seconds": seconds_since(start)}


def require_arrays() -> None:
    """ValueError where numpy is missing."""
    try:
        import numpy as np  # noqa: F401
    except ImportError:
        raise ValueError("training needs numpy, which the extra `learn` of refdp installs") from None


def whole_steps(steps: Any) -> int:
    """A number of steps, also as text."""
    found = integer_of(int(steps) if isinstance(steps, str) and steps.isascii() and steps.isdigit() else steps)
    if found is None:
        raise ValueError(f"steps must be a whole number >= 1, got {steps}")
    return found


def what_is_learnt(
    data: str | Path | None, features: list[str], label: str | None, model: str | Model
) -> tuple[Model, Examples]:
    """The model, and the rows of the table; ValueError where they do not fit."""
    if isinstance(model, str) and model not in MODELS:
        raise ValueError(f"model must be {' or '.join(MODELS)}, got {model}")
    if data is not None and not (features and label):
        raise ValueError("feature and label must be given with a table of one's own, got it without")
    learner = MODELS[model]() if isinstance(model, str) else model
    said = LABEL if label is None else label
    is_number = learner.name == "linear"
    target = bounded(said, "label") if is_number else classes(said)
    return learner, examples_of(
        PENGUINS if data is None else data, [bounded(one, "feature") for one in features or FEATURES], target
    )


def halves(text: str, name: str, wanted: str) -> tuple[str, str, str]:
    """The column and the two values of COLUMN=A,B; ValueError where it is none."""
    column, equals, rest = text.partition("=")
    values = rest.split(",")
    if not equals or not column or len(values) != 2:
        raise ValueError(f"{name} must be {wanted}, got {text or 'nothing'}")
    return column, *values  # type: ignore[return-value]


def bounded(text: str, name: str) -> Bounded:
    """A column of numbers with public bounds."""
    column, lower, upper = halves(text, name, "COLUMN=L,U")
    return Bounded(column, exact(lower, f"{name} {column}"), exact(upper, f"{name} {column}"))


def classes(text: str) -> Classes:
    """A column with two values."""
    return Classes(*halves(text, "label", "COLUMN=POSITIVE,NEGATIVE"))


def event_of(plan: Plan, neighbours: str) -> dict[str, Any]:
    """The spec of the account of a run, in the numbers of the run."""
    event = {
        "mechanism": "gaussian", "sigma": plan.deviation, "sensitivity": plan.norm, "count": plan.steps,
        "sampling": {"scheme": "poisson", "rate": plan.rate},
    }  # fmt: skip
    return {"neighbours": neighbours, "events": [event]}


def theorem_of(plan: Plan, delta: Exactly, neighbours: str, certificates: str | Path, timeout: float) -> dict[str, Any]:
    """Both ends of epsilon, certified, and the theorem of all rounds together, with its certificate."""
    require_neighbours(neighbours)
    found = account(
        event_of(plan, neighbours), delta=str(exact(delta, "delta")), timeout=timeout, certificates=certificates
    )
    if found["epsilon"]["upper"] == "inf":
        raise ValueError(f"delta must be one at which epsilon is finite, got {delta}")
    kept: dict[str, Any] = {
        key: found.get(key) for key in ("certificate", "conclusion", "said", "without_certificate") if key in found
    }
    return {"epsilon": found["epsilon"], "delta": found["at"]["delta"], "engine": found["engine"],
            "trusts": found["trusts"], **kept}  # fmt: skip


def theorem_of_full_batches(
    plan: Plan, size: int, delta: Exactly, neighbours: str, certificates: str | Path, timeout: float
) -> dict[str, Any]:
    """The one theorem of a run with discrete Gaussian noise, with its certificate, and both ends of epsilon.

    The upper end is the theorem's.  The lower one is of a row that moves one weight by the norm in each step.
    """
    from refdp.learning.full_batches import run_theorem

    require_neighbours(neighbours)
    chance = exact(delta, "delta")
    made = run_theorem(plan, size, neighbours, chance)
    claim = made.claim
    if not isinstance(claim, Private):
        raise NoTheorem(f"{claim.term} is not private")
    far = plan.granularity * (plan.norm // plan.granularity) * (2 if neighbours == "change_one" else 1)
    event = {
        "mechanism": "discrete_gaussian", "sigma": plan.deviation, "sensitivity": far, "count": plan.steps,
        "granularity": plan.granularity,
    }  # fmt: skip
    least = account({"neighbours": neighbours, "events": [event]}, delta=str(chance), timeout=timeout)
    upper = decimal_above(Fraction(str(claim.d_out[0])), PLACES_OF_EPSILON)
    near = {"add_remove": "added or removed", "change_one": "replaced"}[neighbours]
    return {
        "epsilon": {"lower": least["epsilon"]["lower"], "upper": upper},
        "delta": decimal(chance),
        "engine": "zCDP, converted once",
        "trusts": sorted(made.trusts | set(least["trusts"])),
        "certificate": written_certificate(text_of(certificate(made, DERIVED)), "training", certificates),
        "conclusion": str(claim.term),
        "said": f"all {plan.steps} steps together are ({upper}, {decimal(chance)})-DP for one row {near}, however the "
        "gradients of a step are chosen in view of the outcomes before it",
    }


def require_neighbours(neighbours: str) -> None:
    """ValueError for a relation that there is not."""
    if neighbours not in ("add_remove", "change_one"):
        raise ValueError(f"neighbours must be add_remove or change_one, got {neighbours}")


def stability(plan: Plan, size: int, certificates: str | Path) -> dict[str, Any]:
    """The theorem that a row moves a sum of clipped vectors no further, of so many numbers, with its certificate.

    Under change_one a Poisson sample has the row or not, so that what counts is a row more or less here too.
    """
    from refdp.derivations import theorem
    from refdp.transformations import clipped_vector_sum

    made = theorem(clipped_vector_sum(plan.norm, size, plan.granularity), 1)
    path = written_certificate(text_of(certificate(made, DERIVED)), "clipped", certificates)
    return {"sum": {"conclusion": str(made.claim.term), "certificate": path, "trusts": sorted(made.trusts)}}


def parameters(plan: Plan) -> dict[str, str]:
    """The public numbers as text."""
    names = ("noise", "rate", "steps", "noise_multiplier", "lot", "learning_rate", "norm", "granularity")
    return {name: str(getattr(plan, name)) for name in names}


def outcome(run: Run, model: Model) -> dict[str, Any]:
    """The weights, which are private, and how well they do, which is not."""
    last = run.marks[-1]
    return {
        "weights": [shown(one) for one in run.weights.tolist()],
        "measure": model.measured,
        "private": shown(last.noisy),
        "plain": shown(last.plain),
        "curve": [{"step": one.step, "private": shown(one.noisy), "plain": shown(one.plain)} for one in run.marks],
    }


def shown(value: float) -> str:
    """A float in few digits; it carries no claim."""
    return f"{value:.{PLACES}g}"


def named(found: Any, step: Step) -> Any:
    """Each of them, and what was done is told."""
    for place, one in enumerate(found, 1):
        step(place, 9, "variants")
        yield one


def variant_json(found: Judged, plan: Plan, certificates: str | Path, timeout: float) -> dict[str, Any]:
    """A judged loop as plain data; of one that is PROVED with the theorem of its own account, else it is UNKNOWN."""
    told: dict[str, Any] = {
        "name": found.name, "sentence": found.sentence, "claim": found.claim.text, "verdict": found.verdict,
        "expected": found.expected, "witness": found.witness, "ledger": list(found.ledger), "certificate": None,
    }  # fmt: skip
    if found.verdict == "REFUTED":
        return told | refuted_json(found, plan, certificates)
    if found.account is None:
        return told
    made = account(found.account, delta=found.claim.delta, timeout=timeout, certificates=certificates)
    if made["certificate"] is None or Fraction(made["concludes"]["epsilon"]) > found.claim.epsilon:
        return told | {"verdict": "UNKNOWN", "reason": made.get("without_certificate", "its certificate says less")}
    return told | {"certificate": made["certificate"]}


def refuted_json(found: Judged, plan: Plan, certificates: str | Path) -> dict[str, Any]:
    """The theorem that a loop is not private, for gradients of one number, or why there is none."""
    from refdp.learning.refutations import refutation

    made = refutation(found, plan)
    if isinstance(made, str):
        return {"without_certificate": made}
    path = written_certificate(text_of(certificate(made, DERIVED)), found.name, certificates)
    return {"certificate": path, "conclusion": str(made.claim.term)}


def audits(plan: Plan, claim: Claim, effort: Effort, all_runs: bool, step: Step) -> list[dict[str, Any]]:
    """The step and each mistake in it: what each judge found, and which of them saw it."""
    found, names = [], [*MISTAKES, *TWINS]
    for place, mistake in enumerate(names):
        step(place, len(names), f"audit of {mistake}")
        is_own = mistake == "none"
        judges = list(audited(StepLoop(plan, mistake), claim, effort, many_runs=is_own or all_runs))
        saw = [one.judge for one in judges if one.verdict == "REFUTED"]
        wrong = mistake in MISTAKES and not is_own
        found.append({
            "loop": mistake, "sentence": {**MISTAKES, **TWINS}[mistake],
            "expected": "REFUTED" if wrong else "NOT_REFUTED",
            "verdict": "REFUTED" if saw else "NOT_REFUTED",
            "saw": saw, "did_not": [one.judge for one in judges if one.judge not in saw],
            "judges": [finding_json(one) for one in judges],
        })  # fmt: skip
    return found


def finding_json(found: Finding) -> dict[str, Any]:
    """What a judge found as plain data."""
    told = {"judge": found.judge, "verdict": found.verdict, "found": found.text}
    told |= {} if found.error is None else {"error": decimal(found.error)}
    return told if found.ceiling is None else told | {"ceiling": decimal_below(found.ceiling, PLACES)}


def verdict(told: Mapping[str, Any]) -> str:
    """REFUTED where something is not as expected, UNKNOWN where there is no theorem, else PROVED."""
    rows = [*told.get("variants", ()), *told.get("audit", ())]
    if any(one["verdict"] != one["expected"] and one["verdict"] != "UNKNOWN" for one in rows):
        return "REFUTED"
    undecided = any(one["verdict"] == "UNKNOWN" != one["expected"] for one in rows)
    return "UNKNOWN" if told.get("certificate") is None or undecided else "PROVED"


__all__ = ["train"]
