"""`refdp fit`: a private model of a table, with its theorem and the certificates that `refdp check` replays."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refdp.commands.certificates import write_certificate
from refdp.commands.files import require_folder
from refdp.commands.judgements import deadline, seconds_since
from refdp.derivations import sampler_theorems
from refdp.kernel.judgements import Private
from refdp.kernel.theorem import Theorem
from refdp.models import (
    Comparison,
    Fit,
    Labels,
    Numbers,
    k_means,
    linear_regression,
    logistic_regression,
    naive_bayes,
    principal_components,
)
from refdp.models.fitting import Record
from refdp.numerics.exact import NotExact, exact
from refdp.programs.deadline import OutOfTime, on_time
from refdp.provers.processes import processor_seconds
from refdp.releases.tables import Missing, read_table
from refdp.spec.distances import NEIGHBOURS
from refdp.terms.term import apply, term

MISSING = Missing(frozenset({"NA", "NaN", "nan", "null"}), "drop")
"""What marks a missing cell besides nothing; a missing number counts as the middle, a missing label as none."""
DIGITS = 6
"""Significant digits of the model's numbers, as they are shown."""
LATE = "timeout: the model was not fitted in time, and nothing was released"
NOT_PRIVATE = "computed from the table itself: not covered by the theorem"
Columns = tuple[Numbers | Labels, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be fitted, to which columns, at which loss."""

    features: Columns
    target: Numbers | Labels | None
    epsilon: Any
    delta: Any
    neighbours: str
    settings: Mapping[str, Any]
    watch: Callable[[int], None]

    def numbers(self, columns: Columns | None = None) -> list[Numbers]:
        """The columns; ValueError where one of them has labels."""
        found = [one for one in self.features if isinstance(one, Numbers)]
        if len(found) < len(self.features):
            raise ValueError("features must be columns of numbers, COLUMN=LOWER..UPPER, but for naive_bayes")
        return found

    def setting(self, name: str, otherwise: int) -> Any:
        """A setting of the model, or what it is where it was left out."""
        given = self.settings.get(name)
        return otherwise if given is None else given


def _naive_bayes(rows: Sequence[Record], task: Task) -> Fit:
    """As asked for."""
    if not isinstance(task.target, Labels):
        raise ValueError("target must be COLUMN=LABEL,LABEL for naive_bayes")
    words = {"bins": task.setting("bins", 8), "neighbours": task.neighbours}
    return naive_bayes(rows, task.target, task.features, task.epsilon, **words)


def _k_means(rows: Sequence[Record], task: Task) -> Fit:
    """As asked for."""
    words = {"rounds": task.setting("rounds", 5), "neighbours": task.neighbours, "watch": task.watch}
    return k_means(rows, task.numbers(), task.setting("clusters", 3), task.epsilon, **words)


def _principal_components(rows: Sequence[Record], task: Task) -> Fit:
    """As asked for."""
    count = task.setting("components", min(2, len(task.features)))
    words = {"neighbours": task.neighbours}
    return principal_components(rows, task.numbers(), count, task.epsilon, task.delta, **words)


def _linear_regression(rows: Sequence[Record], task: Task) -> Fit:
    """As asked for."""
    if not isinstance(task.target, Numbers):
        raise ValueError("target must be COLUMN=LOWER..UPPER for linear_regression")
    words = {"neighbours": task.neighbours}
    return linear_regression(rows, task.target, task.numbers(), task.epsilon, task.delta, **words)


def _logistic_regression(rows: Sequence[Record], task: Task) -> Fit:
    """As asked for."""
    if not isinstance(task.target, Labels):
        raise ValueError("target must be COLUMN=LABEL,LABEL for logistic_regression")
    given = {key: task.settings[key] for key in ("regularisation", "perturb") if task.settings.get(key) is not None}
    words = {"neighbours": task.neighbours} | given
    return logistic_regression(rows, task.target, task.numbers(), task.epsilon, task.delta, **words)


@dataclass(frozen=True, slots=True)
class Model:
    """How a model is fitted, what it has besides features and epsilon, and what of that has no default."""

    make: Callable[[Sequence[Record], Task], Fit]
    words: tuple[str, ...]
    needed: tuple[str, ...] = ("target", "delta")


MODELS: Mapping[str, Model] = {
    "k_means": Model(_k_means, ("clusters", "rounds")),
    "linear_regression": Model(_linear_regression, ("target", "delta")),
    "logistic_regression": Model(_logistic_regression, ("target", "delta", "regularisation", "perturb"), ("target",)),
    "naive_bayes": Model(_naive_bayes, ("target", "bins")),
    "principal_components": Model(_principal_components, ("components", "delta")),
}


def fit(
    name: str,
    table: str | Path,
    *,
    feature: Sequence[str],
    epsilon: Any,
    target: str | None = None,
    delta: Any = None,
    neighbours: str = "add_remove",
    bins: int | None = None,
    clusters: int | None = None,
    rounds: int | None = None,
    components: int | None = None,
    regularisation: Any = None,
    perturb: str | None = None,
    compare: bool = False,
    certificates: str | Path | None = None,
    timeout: float = 600.0,
) -> dict[str, Any]:
    """A private model of a table; the object of `refdp fit --json`.

    `name`: k_means, linear_regression, logistic_regression, naive_bayes or principal_components.  `feature` and
    `target`: public declarations, COLUMN=LOWER..UPPER of numbers, COLUMN=LABEL,LABEL of texts.  `epsilon`, and
    `delta` where there is Gaussian noise: the loss of all that is released, exact.  `certificates`: a folder for those
    of its theorems.  With `compare` the model is measured on the table beside the fit without noise, which no theorem
    covers.  The other words are settings of some models, and refused by the others.  Numbers of the model are rounded
    floats, as text.

    Raises ValueError for bad input, TimeoutError after `timeout` seconds, OSError where a file cannot be written.
    """
    settings = {
        "bins": bins, "clusters": clusters, "rounds": rounds, "components": components,
        "regularisation": regularisation, "perturb": perturb,
    }  # fmt: skip
    made = fitted(name, table, feature, target, epsilon, delta, neighbours, settings, compare, certificates, timeout)
    return made[0]


def fitted(
    name: str,
    table: str | Path,
    feature: Sequence[str],
    target: str | None,
    epsilon: Any,
    delta: Any,
    neighbours: str,
    settings: Mapping[str, Any],
    compare: bool,
    certificates: str | Path | None,
    timeout: float,
) -> tuple[dict[str, Any], Fit, Comparison | None]:
    """The object, the model, and the comparison where it was asked for."""
    start, end = processor_seconds(), deadline(timeout)
    model = model_of(name, {"target": target, "delta": delta, **settings})
    if neighbours not in NEIGHBOURS:
        raise ValueError(f"neighbours must be {' or '.join(NEIGHBOURS)}, got {neighbours}")
    if certificates is not None:
        require_folder(certificates)
    declared = tuple(declaration(one, "feature") for one in ([feature] if isinstance(feature, str) else feature))
    if not declared:
        raise ValueError("feature must be given at least once")

    def watch(_: int) -> None:
        if time.monotonic() > end:
            raise TimeoutError(LATE)

    aim = None if target is None else declaration(target, "target")
    task = Task(declared, aim, epsilon, delta, neighbours, settings, watch)
    rows = records(table, (*declared, *(() if aim is None else (aim,))))
    try:
        with on_time(end - time.monotonic()):
            found = model.make(rows, task)
            beside = found.compared() if compare else None
    except OutOfTime:
        raise TimeoutError(LATE) from None
    watch(0)
    written = [] if certificates is None else write_certificates(found, Path(certificates))
    told = {
        "model": name,
        "neighbours": neighbours,
        **claimed(found),
        "noise": {"mechanism": found.mechanism, "scale": str(found.scale), "numbers": found.numbers},
        "fitted": as_text(found.model),
        "compared": None if beside is None else shown(beside),
        "certificates": written,
        "seconds": seconds_since(start),
    }
    return told, found, beside


def model_of(name: str, given: Mapping[str, Any]) -> Model:
    """The model of that name; ValueError for a word that it does not have, or one that it needs and was not given."""
    if name not in MODELS:
        raise ValueError(f"name must be one of {', '.join(MODELS)}, got {name}")
    model = MODELS[name]
    for key, value in given.items():
        if value is not None and key not in model.words:
            raise ValueError(f"{key} must be left out of {name}, which has {' and '.join(model.words)}, got {value}")
        if value is None and key in model.words and key in model.needed:
            raise ValueError(f"{key} must be given for {name}")
    return model


def declaration(written: str, name: str) -> Numbers | Labels:
    """The column that COLUMN=LOWER..UPPER or COLUMN=LABEL,LABEL declares.

    >>> declaration("mass=2500..6500", "feature").upper, declaration("sex=f,m", "feature").labels
    (Fraction(6500, 1), ('f', 'm'))
    """
    column, equals, said = str(written).partition("=")
    if not equals or not column or not said:
        raise ValueError(f"{name} must be COLUMN=LOWER..UPPER or COLUMN=LABEL,LABEL, got {written or 'nothing'}")
    lower, dots, upper = said.partition("..")
    if not dots:
        return Labels(column, tuple(said.split(",")))
    try:
        return Numbers(column, exact(lower, name), exact(upper, name))
    except NotExact:
        raise ValueError(f"{name} must be COLUMN=LOWER..UPPER of exact numbers, got {written}") from None


def records(table: str | Path, columns: Columns) -> tuple[Record, ...]:
    """The rows of the CSV table, restricted to the columns; a missing cell is None."""
    decimals = [one.column for one in columns if isinstance(one, Numbers)]
    labels = [one.column for one in columns if isinstance(one, Labels)]
    both = sorted(set(decimals) & set(labels))
    if both:
        raise ValueError(f"a column must be of numbers or of labels, got both for {both[0]}")
    found = read_table(table, decimals=decimals, labels=labels, missing=MISSING)
    cells: dict[str, Sequence[Any]] = {**found.decimal_columns, **found.label_columns}
    return tuple(dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True))


def claimed(found: Fit) -> dict[str, Any]:
    """What is proved of all that was released, and what that trusts; of its parts and its sampler, too."""
    claim = found.theorem.claim
    if not isinstance(claim, Private):
        raise ValueError(f"{claim.term} is not a privacy claim")
    losses = dict(zip(("epsilon", "delta"), map(str, claim.d_out), strict=False))
    theorems = (found.theorem, *(part for _, part in found.parts), *samplers_of(found).values())
    trusts = frozenset[str]().union(*(one.trusts for one in theorems))
    return {"claim": str(claim.term), "verdict": "PROVED", **losses, "trusts": sorted(trusts)}


def write_certificates(found: Fit, folder: Path) -> list[str]:
    """Write the certificates of the theorem, of its parts, and of the sampler of its noise; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    theorems: list[tuple[str, Theorem]] = [(found.name, found.theorem)]
    theorems += [(f"{found.name}.{part}", one) for part, one in found.parts]
    theorems += [(f"{stem}.sampler_law", one) for stem, one in samplers_of(found).items()]
    paths = [(folder / f"{name}.json", one) for name, one in theorems]
    for path, one in paths:
        write_certificate(one, path)
    return [str(path) for path, _ in paths]


def samplers_of(found: Fit) -> dict[str, Theorem]:
    """That the noise is drawn from its law, by the stem of the mechanism."""
    return sampler_theorems(apply(found.mechanism, term(found.scale), term(1)))


def shown(beside: Comparison) -> dict[str, str]:
    """The comparison as text."""
    return {
        "what": beside.what, "private": figure(beside.private), "without_noise": figure(beside.without_noise),
        "remark": NOT_PRIVATE,
    }  # fmt: skip


def as_text(found: Any) -> Any:
    """The model with its floats as text."""
    if isinstance(found, Mapping):
        return {key: as_text(value) for key, value in found.items()}
    if isinstance(found, list | tuple):
        return [as_text(one) for one in found]
    return figure(found) if isinstance(found, float) else found


def figure(x: float) -> str:
    """A float in a few digits."""
    return f"{x:.{DIGITS}g}"
