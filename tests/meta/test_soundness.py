"""docs/soundness.md has one proof for each rule of the kernel, and names just the obligations that the rule takes.

Where it calls a rule machine-checked, it names the theorems that stand for the rule.
"""

import re
from collections.abc import Iterable, Mapping

import pytest

import refdp.kernel.rules
import refdp.mechanisms
import refdp.statements
import refdp.transformations  # noqa: F401  (importing them makes the rules and registers what they are about)
from refdp.kernel.theorem import RULES
from refdp.spec import accuracy, classical, obligations, registry
from refdp.spec.above_threshold import AboveThreshold, is_complete
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.bound_noise import BoundNoise
from refdp.spec.cells import CellSum
from refdp.spec.clamped import ClampedGeometric
from refdp.spec.distances import MEASURES, METRICS, NEIGHBOURS
from refdp.spec.finite import FiniteLaw, FiniteWeights
from refdp.spec.level_noise import LevelNoise
from refdp.spec.minimisers import Minimiser
from refdp.spec.named_statements import NamedStatements
from refdp.spec.noise import AdditiveNoise
from refdp.spec.noisy_max import NoisyMax
from refdp.spec.perturbed_objectives import PerturbedObjective
from refdp.spec.primitives import Primitive
from refdp.spec.rates import BitOfRate
from refdp.spec.renyi import has_divergence
from refdp.spec.rescaled import RescaledSum
from refdp.spec.rows import RowFunction, RowSum
from refdp.spec.samplers import SCHEMES
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.spec.supported import SupportedLaw
from refdp.spec.unknown_keys import ThresholdedCounts
from scripts import rocq
from tests.meta.repository import ROOT, python_files

LAWS = (
    AdditiveNoise, FiniteLaw, FiniteWeights, ClampedGeometric, WeightedSelection, FlipSelection, LevelNoise, NoisyMax,
    BitwiseLaw, SupportedLaw, BitOfRate, AboveThreshold, ThresholdedCounts,
)  # fmt: skip
RULE = re.compile(r"[a-z]+(_[a-z]+)*")
THEOREM = re.compile(r"`([A-Z][a-z]\w*)\.(\w+)`")
"""A theorem of proofs/rocq: its module, and its name there."""


def page() -> str:
    return (ROOT / "docs" / "soundness.md").read_text(encoding="utf-8")


def sections(text: str) -> list[tuple[str, str]]:
    """Heading and body of each section."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def proofs(text: str) -> list[tuple[str, str]]:
    """The sections whose heading is written like the name of a rule."""
    return [(heading, body) for heading, body in sections(text) if RULE.fullmatch(heading)]


def premises(body: str) -> set[str]:
    """The obligations that the paragraph **Premises** of a section lists."""
    found = re.search(r"^\*\*Premises\*\*(.*?)\n\n", body, flags=re.MULTILINE | re.DOTALL)
    return set(re.findall(r"`(\w+)`", found[1])) if found else set()


def bare(keys: Iterable[str]) -> set[str]:
    """The names of obligations without what they are about: `edit_is_bounded` for `edit_is_bounded.add_remove.l1`."""
    about = {"sampler", *registry.stems(), *MEASURES, *METRICS, *NEIGHBOURS}
    return {next(part for part in key.split(".") if part not in about) for key in keys}


def kinds(kind: type | tuple[type, ...]) -> list[registry.Kind]:
    return [k for k in map(registry.kind_of, registry.stems()) if isinstance(k, kind)]


def needed() -> Mapping[str, set[str]]:
    """The obligations that each rule takes, over everything that is registered."""
    privacy = {
        "clamped_noise": ClampedGeometric, "finite_law": FiniteLaw, "weighted_selection": WeightedSelection,
        "flip_selection": FlipSelection, "level_noise": LevelNoise, "bitwise_law": BitwiseLaw,
        "supported_law": SupportedLaw, "bit_of_rate": BitOfRate, "thresholded_counts": ThresholdedCounts,
    }  # fmt: skip
    found = {rule: {key for k in kinds(kind) for key in obligations.privacy(k.stem)} for rule, kind in privacy.items()}
    complete = [k.stem for k in kinds(AboveThreshold) if is_complete(k)]
    found["above_threshold"] = {key for stem in complete for key in obligations.privacy(stem)}
    bounds = [k.stem for k in kinds(BoundNoise) if k.spread is not None]
    found["bound_noise"] = {key for stem in bounds for key in obligations.privacy(stem)}
    found["monotone_selection"] = {key for k in kinds(WeightedSelection) for key in obligations.monotone(k.stem)}
    maxima = kinds(NoisyMax)
    found["noisy_max"] = {key for k in maxima if k.privacy_map for key in obligations.privacy(k.stem)}
    found["same_law"] = {key for k in maxima if k.same_law_as for key in obligations.same_law(k.stem)}
    far = [k.stem for k in kinds(AdditiveNoise) if k.far_output is not None]
    found["unbounded_loss"] = {key for stem in far for key in obligations.unbounded_loss(stem)}
    exact = {key for k in kinds(LAWS) if has_divergence(k) for key in obligations.divergence(k.stem)}
    found["renyi_divergence"] = found["renyi_bound"] = exact
    noises = [(k.stem, m) for k in kinds(AdditiveNoise) for m in k.privacy_maps]
    found["additive_noise"] = {key for stem, m in noises for key in obligations.privacy(stem, m, vector=True)}
    found |= accuracies()
    primitives = [k.stem for k in kinds(Primitive)]
    found["normalised"] = {key for k in kinds(LAWS) for key in obligations.law(k.stem)}
    found["sampler_law"] = {key for stem in (*SCHEMES, *primitives) for key in obligations.sampler(stem)}
    found["row_by_row"] = {key for k in kinds(RowFunction) for key in obligations.stability(k.stem)}
    edits = [(k.stem, *edit) for k in kinds(RowSum) for edit in k.edits]
    found["sum_of_rows"] = {key for edit in edits for key in obligations.stability(*edit)}
    rescaled = [(k.stem, near) for k in kinds(RescaledSum) for near in NEIGHBOURS]
    found["rescaled_rows"] = {key for edit in rescaled for key in obligations.stability(*edit)}
    cells = [(k.stem, *edit) for k in kinds(CellSum) for edit in k.edits]
    found["sums_in_cells"] = {key for edit in cells for key in obligations.stability(*edit)}
    found["perturbed_objective"] = {key for k in kinds(PerturbedObjective) for key in obligations.privacy(k.stem)}
    found["regularised_minimiser"] = {key for k in kinds(Minimiser) for key in obligations.stability(k.stem)}
    found |= deltas() | decoders()
    beyond = [k.stem for k in kinds(RowSum) if k.unbounded_row is not None]
    found["row_exceeds_every_bound"] = {key for stem in beyond for key in obligations.unbounded(stem)}
    return {rule: bare(keys) for rule, keys in found.items()}


def deltas() -> Mapping[str, set[str]]:
    """The obligations that each rule about the delta of additive noise takes."""
    normal = [k.stem for k in kinds(AdditiveNoise) if k.deviation is not None]
    exact = {key for stem in normal for key in obligations.exact_delta(stem)}
    grids = [k.stem for k in kinds(AdditiveNoise) if k.on_grid]
    concave = {key for stem in grids for key in obligations.log_concavity(stem)}
    return {
        "normal_noise": exact, "normal_noise_exceeds": exact, "gaussian_noise": exact,
        "classical_noise": {key for region in classical.REGIONS for key in classical.inequalities(region)},
        "grid_noise": concave, "grid_noise_exceeds": concave,
    }  # fmt: skip


def accuracies() -> Mapping[str, set[str]]:
    """The obligations that each rule about accuracy takes."""
    noises = [k for k in kinds(AdditiveNoise) if k.tails is not None]
    choices = [k for k in kinds(WeightedSelection | FlipSelection) if k.tails is not None]
    laws = kinds(FiniteLaw)
    return {
        "noise_tail": {key for k in noises for key in accuracy.every_obligation(k)},
        "selection_tail": {key for k in choices for key in accuracy.selection_obligations(k, True)},
        "mistake_tail": {key for k in laws if k.hit is not None for key in accuracy.mistake_obligations(k)},
        "estimate_tail": {key for k in laws if k.estimator is not None for key in accuracy.estimate_obligations(k)},
    }


def decoders() -> Mapping[str, set[str]]:
    """The obligations that each rule about estimates from reports takes."""
    counted = [k for k in kinds((BitwiseLaw, SupportedLaw)) + kinds(FiniteLaw) if says_something(k)]
    numbers = [k for k in kinds(BitOfRate) if k.estimator is not None]
    every = {key for k in counted for key in obligations.decoding(k.stem)}
    return {
        "frequency_estimate": every,
        "balanced_estimate": every,
        "number_estimate": {key for k in numbers for key in obligations.decoding(k.stem)},
    }


def says_something(k: registry.Kind) -> bool:
    """Whether its reports are decoded: of finite laws, those of two masses."""
    return not isinstance(k, FiniteLaw) or (k.hit is not None and k.miss is not None)


def test_soundness_has_one_section_for_each_rule_and_no_other():
    assert sorted(heading for heading, _ in proofs(page())) == sorted(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_soundness_says_in_words_what_it_proves(rule):
    body = dict(proofs(page()))[rule]
    assert re.search(r"^\*In words\.\* .+^\*Proof\.\* .+", body, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("rule", RULES)
def test_soundness_lists_the_obligations_that_a_rule_takes(rule):
    assert premises(dict(proofs(page()))[rule]) == needed().get(rule, set())


def test_soundness_leaves_no_obligation_unused():
    every = {
        key for k in kinds(object) if not isinstance(k, NamedStatements) for key in obligations.obligations(k.stem)
    }
    every |= {key for region in classical.REGIONS for key in classical.inequalities(region)}
    assert bare(every) == set().union(*(premises(body) for _, body in proofs(page())))


def test_soundness_names_the_theorems_of_what_it_calls_machine_checked():
    checked = {rule: body for rule, body in proofs(page()) if "Machine-checked" in body}
    assert len(checked) > 40
    table = rocq.table()
    lacking = {rule: set(table[rule].get("theorems", ())) - named(body) for rule, body in checked.items()}
    assert {rule: found for rule, found in lacking.items() if found} == {}
    assert [rule for rule in checked if "theorems" not in table[rule]] == []


def test_soundness_names_and_links_what_the_library_states():
    for heading, body in sections(page()):
        for module, name in THEOREM.findall(body):
            assert name in rocq.statements(module), f"{heading}: {module}.{name}"
            assert f"](../proofs/rocq/{module}.v)" in body, f"{heading}: {module} has no link"


def named(body: str) -> set[str]:
    """The theorems that a section names."""
    return {f"{module}.{name}" for module, name in THEOREM.findall(body)}


def test_soundness_names_what_there_is():
    """A name in code type is one of the source, so that what is renamed there is renamed in its proof too."""
    source = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in python_files("refdp/"))
    assert set(re.findall(r"`(\w+)(?:\(.*?\))?`", page())) - set(re.findall(r"\w+", source)) == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## a_rule\n\n*In words.*\n## Lemma: x\n## b\n", ["a_rule", "b"]),
        ("## a_rule\n## a_rule\n", ["a_rule", "a_rule"]),
        ("### a_rule\n", []),
    ],
)
def test_soundness_check_finds_the_sections(text, found):
    assert [heading for heading, _ in proofs(text)] == found


def test_soundness_check_finds_the_theorems():
    assert named("[`Noise.a_b`](../proofs/rocq/Noise.v), `Line.c`; `median.d`, `e`") == {"Noise.a_b", "Line.c"}


def test_soundness_check_finds_the_premises():
    assert premises("\n**Premises** `a_b`; on a grid `c`,\n`d`.\n\n`e` is none.\n") == {"a_b", "c", "d"}
    assert bare({"sampler.discrete_laplace.draws", "map_grows.concentrated", "edit.add_remove.l1"}) == {
        "draws", "map_grows", "edit",
    }  # fmt: skip
