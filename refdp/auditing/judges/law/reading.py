"""What a task of the kind `law` asks: for each set of parameters a test, an input and a target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from refdp.auditing.evidence.finite_laws import possible
from refdp.auditing.evidence.law_tests import ROUNDING, finite_test, float_test, lattice_test
from refdp.auditing.evidence.ledger import split
from refdp.auditing.evidence.sampler_tests import SamplerTest
from refdp.auditing.judges import inputs
from refdp.auditing.judges.drawing import BATCH
from refdp.auditing.judges.task import Fields, Task, TaskError
from refdp.auditing.targets import Adapted, RecipeError, of_library
from refdp.auditing.targets.workers.wire import hashable
from refdp.laws import LATTICE, REAL, Law, Reference

LATTICE_TEST: Callable[..., SamplerTest] = lru_cache(maxsize=64)(lattice_test)
REAL_TEST: Callable[..., SamplerTest] = lru_cache(maxsize=64)(float_test)
"""The tests, kept: where bits are replayed, each chunk makes its judge anew."""
NUMBERS = ("scale", "sigma", "location", "granularity", "rounding", "absolute")
"""The numbers of a law on the line; sigma is another word for scale."""
SAMPLES = 200_000
MOST_SETS = 64


@dataclass(frozen=True, slots=True)
class JudgedLaw:
    """One law, and the test of it."""

    test: SamplerTest
    reference: Reference
    at: Callable[[Fraction], SamplerTest] | None = field(default=None, repr=False, compare=False)
    """The test whose stated alternatives are off by another part."""

    @property
    def name(self) -> str:
        """The law in words."""
        return self.test.law


@dataclass(frozen=True, slots=True)
class Case:
    """One set of parameters."""

    label: str
    law: JudgedLaw
    input: Any
    target: Adapted | None
    goal: int
    """So many draws are made, unless the law is refuted before."""


@dataclass(frozen=True, slots=True)
class Question:
    """All of a task: the cases, and how draws are asked for."""

    cases: tuple[Case, ...]
    batch: int
    coordinates: int
    """So many draws are in one output; 0 where an output is a draw."""
    samples: int
    resolution: Fraction


def question(task: Task, alpha: Fraction) -> Question:
    """The question; TaskError where a field is not as it must be."""
    fields = Fields(task.fields)
    given, samples = fields.of("law", dict, "a table"), fields.whole("samples", SAMPLES)
    own = {name: fields.any(name) for name in NUMBERS if fields.has(name)}
    resolution, at = fields.number("resolution", Fraction(1, 20)), fields.any("input", 0)
    stop = fields.one_of("stop", ("power", "samples"), "power")
    batch, coordinates = fields.whole("batch", BATCH), fields.whole("coordinates", 0, 0)
    sets = fields.of("parameters", list, "a list of tables", [{}])
    fields.done()
    if not 1 <= len(sets) <= MOST_SETS or not all(isinstance(one, dict) for one in sets):
        raise TaskError(f"parameters must be 1 to {MOST_SETS} tables, got {len(sets)}")
    labels = [_label(one, i) for i, one in enumerate(sets)]
    shares = split(alpha, labels)
    cases = []
    for label, one in zip(labels, sets, strict=True):
        law = law_of({**own, **given, **_of_law(one, given)}, shares.share(label), resolution)
        goal = samples if stop == "samples" else min(samples, law.test.draws_needed or samples)
        target = with_values(
            task.target, {k: v for k, v in one.items() if k not in ("input", *_of_law(one, given))}, one
        )
        cases.append(Case(label, law, inputs.read(one.get("input", at)), target, goal))
    return Question(tuple(cases), batch, coordinates, samples, resolution)


def _label(one: Mapping[str, Any], place: int) -> str:
    told = ", ".join(f"{name} = {inputs.shown(value, 30)}" for name, value in one.items())
    return f"{place + 1}: {told}" if told else "1"


def _of_law(one: Mapping[str, Any], law: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that the law has."""
    known = ("outcomes", "masses") if law.get("name") == "finite" else NUMBERS
    return {name: value for name, value in one.items() if name in known}


def with_values(target: Adapted | None, only: Mapping[str, Any], all_of: Mapping[str, Any]) -> Adapted | None:
    """The target with the parameters as values of its recipe's names; TaskError for a name that it has not."""
    text = None if target is None else target.spec.get("text")
    if target is None or not isinstance(text, str):
        if only:
            raise TaskError(f"parameters must be those of the law where there is no recipe, got {', '.join(only)}")
        return target
    used = {n: inputs.argument(v) for n, v in all_of.items() if n != "input" and n in names_of(text)}
    if unknown := [name for name in only if name not in used]:
        raise TaskError(f"parameters must be names of the recipe or of the law, got {unknown[0]}")
    try:
        made = of_library(
            target.family, text, target.python, target.limits, **{**target.spec.get("values", {}), **used}
        )
    except RecipeError as error:
        raise TaskError(f"recipe: {error}") from None
    return replace(made, spec={**target.spec, **made.spec})


def names_of(text: str) -> set[str]:
    """The names in a recipe."""
    import ast

    return {node.id for node in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(node, ast.Name)}


def law_of(given: Mapping[str, Any], alpha: Fraction, resolution: Fraction) -> JudgedLaw:
    """The test of the law that the table describes; TaskError where it describes none."""
    fields = Fields(given, "law.")
    name = fields.one_of("name", (*LATTICE, *REAL, "finite"))
    try:
        law = _finite(fields, alpha, resolution) if name == "finite" else _on_line(name, fields, alpha, resolution)
    except (ValueError, TypeError) as error:
        raise error if isinstance(error, TaskError) else TaskError(f"law: {error}") from None
    fields.done()
    return law


def _finite(fields: Fields, alpha: Fraction, resolution: Fraction) -> JudgedLaw:
    outcomes = fields.of("outcomes", list, "a list")
    masses = fields.of("masses", list, "a list of exact numbers")
    law = finite(outcomes, masses)
    at = partial(finite_test, dict(law.masses), alpha, law.name)
    return JudgedLaw(at(resolution), law, at)


def finite(outcomes: Sequence[Any], masses: Sequence[Any], where: str = "law") -> Reference:
    """The finite law; TaskError unless they are as many, the outcomes differ, and the masses make a law."""
    if len(outcomes) != len(masses):
        raise TaskError(f"masses must be one for each outcome, got {len(masses)} for {len(outcomes)}")
    keys = [hashable(inputs.read(y, f"{where}.outcomes")) for y in outcomes]
    law = dict(zip(keys, (inputs.exactly(p, f"{where}.masses") for p in masses), strict=True))
    if len(law) != len(keys):
        raise TaskError(f"{where}.outcomes must be different from each other")
    try:
        possible(law)
    except ValueError as error:
        raise TaskError(f"{where}.{error}") from None
    return Reference(masses=tuple(law.items()))


def _on_line(name: str, fields: Fields, alpha: Fraction, resolution: Fraction) -> JudgedLaw:
    word = "sigma" if fields.has("sigma") else "scale"
    scale = inputs.exactly(fields.any(word), f"law.{word}")
    location = inputs.exactly(fields.any("location", 0), "law.location")
    if name in LATTICE:
        step = inputs.exactly(fields.any("granularity", 1), "law.granularity")
        law = Reference(Law(name, scale), location, step)
        at = partial(LATTICE_TEST, law.line, alpha, location, step)
        return JudgedLaw(at(resolution), law, at)
    rounding = inputs.exactly(fields.any("rounding", ROUNDING), "law.rounding")
    absolute = inputs.exactly(fields.any("absolute", 0), "law.absolute")
    law = Reference(Law(name, scale), location)
    at = partial(REAL_TEST, law.line, alpha, location, rounding, absolute)
    return JudgedLaw(at(resolution), law, at)
