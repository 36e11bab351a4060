"""Holes that a prototype had, or that were found here, each shut: a section for each way a false claim got through.

Who is trusted for what is written in docs/trust.md; forged certificates have a file of their own.
"""

from __future__ import annotations

import sys
from dataclasses import fields, replace
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product

import pytest

import refdp
import refdp.commands.check as check
from refdp.commands.release import release
from refdp.derivations import sampler_theorems
from refdp.kernel import rules
from refdp.kernel.certificate import certificate, replay, text_of
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.logic import obligation
from refdp.kernel.rules.stability import ROW_ASSUMPTION
from refdp.mechanisms.discrete_laplace import DISCRETE_LAPLACE
from refdp.mechanisms.randomised_response import RANDOMISED_RESPONSE
from refdp.pipeline import PipelineError
from refdp.provers.answers import Answer
from refdp.provers.oracles import run
from refdp.sampling.coins import Coins
from refdp.spec import obligations, registry
from refdp.spec.clamped import ClampedGeometric
from refdp.spec.distances import METRICS
from refdp.spec.finite import FiniteLaw
from refdp.spec.formulas import Formula, Real, formula, indicator
from refdp.spec.noise import AdditiveNoise
from refdp.spec.rows import Edit, RowFunction, RowSum
from refdp.spec.samplers import SCHEMES
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.spec.signatures import function_signature
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import TermError, name, number, subterms
from refdp.transformations.clamped_sum import CLAMPED_SUM
from refdp.transformations.count import COUNT
from refdp.transformations.histogram import HISTOGRAM
from refdp.transformations.missing import DROP_MISSING
from refdp.transformations.user_rows import FILTER_ROWS, filter_rows, map_rows
from tests.kinds import gaussian_at_1, instead, noisy_count, registered, response, rowwise, sampler, vouched
from tests.made import certificate_of

KINDS = (AdditiveNoise, FiniteLaw, ClampedGeometric, WeightedSelection, FlipSelection, RowSum, RowFunction)


def refuted(identifier):
    """Whether z3 finds the obligation false, with a counterexample that holds up exactly."""
    return run("z3", obligation(identifier)).verdict == "disproved"


# Terms: what is proved is what is written.


def module_of(folder, source, stem="written"):
    """The module that a text makes, read from a file as any other."""
    path = folder / f"{stem}.py"
    path.write_text(source)
    spec = spec_from_file_location(f"{stem}_{abs(hash((str(folder), source)))}", path)
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[spec.name]
    return module


HEAD = "from refdp.spec.formulas import Real, exp, formula, indicator, ln, sqrt, pi\n"


def test_comparison_of_terms_has_no_truth_value_that_a_formula_could_branch_on():
    """`k == 0` of a solver's term was False, whatever k; here == compares terms, and nothing else has a truth value."""
    k = name("k")
    for comparison in (k <= 0, k < 0, 0 <= k, 0 < k):
        with pytest.raises(TermError, match="has no truth value"):
            bool(comparison)
    assert (k == number(0)) is False  # the terms differ; a statement is made by `equal`
    assert (k == name("k")) is True


@pytest.mark.parametrize(
    "body",
    [
        "return 1 if z == 0 else 2",
        "return (z == 0) * 1000 - abs(z) / s",
        "return z <= 0",
        "return z and s",
        "return isinstance(z, int)",
        "return float(z)",
        "return int(z / s)",
        "return round(z)",
        "return helper(z)",
        "return z.real",
        "return [z][0]",
        "return (lambda x: x)(z)",
        "return (y := z)",
        "return f'{z}'",
        "return 0.5 * z",
        "return 1e3 * z",
        "return z // s",
        "return z % s",
        "return z ** s",
        "return z ** -1",
        "return z ** 0.5",
        "return z ** 65",
        "return +z",
        "return ~z",
        "return not z",
        "return True * z",
        "return 'z'",
        "return None",
        "return sum((z, s))",
        "return max(z, s, key=abs)",
        "return max(*[z, s])",
        "return abs(z, s)",
        "return min(z)",
        "return pow(z, 2)",
        "return indicator(z)",
        "return indicator(z <= 0 <= s)",
        "return indicator((z <= 0) <= s)",
        "return unknown * z",
        "x = z\n    return x",
        "if z <= 0:\n        return 1\n    return 2",
        "for x in z: pass\n    return z",
        "yield z",
        "pass",
        "'A docstring.'",
        "'One.'\n    'Two.'\n    return z",
        "return",
        "raise ValueError",
        "assert z\n    return z",
        "import os\n    return z",
        "return z; return s",
        "return await_(z)",
    ],
)
def test_formula_that_is_no_line_of_arithmetic_is_refused(tmp_path, body):
    source = f"{HEAD}def f(z: Real, s: Real) -> Real:\n    {body}\n"
    module = module_of(tmp_path, source)
    with pytest.raises(TermError, match=r"written\.py:2: f is not a formula"):
        formula(module.f)


@pytest.mark.parametrize(
    "head", ["def f(z, *rest):", "def f(z, **rest):", "def f(z, s=1):", "def f(z, *, s):", "def f(z, /, s):",
             "async def f(z):"]
)  # fmt: skip
def test_formula_of_other_parameters_is_refused(tmp_path, head):
    module = module_of(tmp_path, f"{HEAD}{head}\n    return z\n")
    with pytest.raises(TermError, match="is not a formula"):
        formula(module.f)


@pytest.mark.parametrize(
    ("rebinding", "body"),
    [
        ("def abs(x): return 0", "abs(z)"),
        ("from math import fabs as abs", "abs(z)"),
        ("def max(a, b): return a", "max(z, 1)"),
        ("min = max", "min(z, 1)"),
        ("from math import exp", "exp(z)"),
        ("from math import log", "log(z)"),
        ("from math import sqrt", "sqrt(z)"),
        ("from math import pi", "pi() * z"),
        ("ln = exp", "ln(z)"),
        ("def indicator(x): return 1", "indicator(z <= 1)"),
    ],
)
def test_formula_with_a_rebound_function_is_refused(tmp_path, rebinding, body):
    module = module_of(tmp_path, f"{HEAD}{rebinding}\ndef f(z):\n    return {body}\n")
    with pytest.raises(TermError, match="is rebound in the module"):
        formula(module.f)


def test_formula_with_a_function_rebound_around_it_or_as_a_parameter_is_refused(tmp_path):
    inner = "def outer():\n    abs = lambda x: 0\n    def f(z):\n        return abs(z)\n    return f\n"
    with pytest.raises(TermError, match="abs is rebound"):
        formula(module_of(tmp_path, HEAD + inner).outer())
    for parameter in ("abs", "exp", "log", "indicator", "pi"):
        module = module_of(tmp_path, f"{HEAD}def f({parameter}, z):\n    return z\n", f"shadow_{parameter}")
        with pytest.raises(TermError, match=f"{parameter} is a function and cannot be a parameter"):
            formula(module.f)


def test_formula_of_a_lambda_or_a_class_is_refused():
    with pytest.raises(TermError, match="not a plain function"):
        formula(lambda z: z)  # fmt: skip


def test_formula_is_read_and_never_run(tmp_path):
    module = module_of(tmp_path, f"{HEAD}@formula\ndef f(z: Real) -> Real:\n    return z / (1 - 1 / 3 * 3 + z - z)\n")
    assert isinstance(module.f, Formula)


def test_formula_keeps_one_third_exact(tmp_path):
    module = module_of(tmp_path, f"{HEAD}@formula\ndef third(z: Real) -> Real:\n    return 1 / 3 * z + 10 ** 20 / 3\n")
    assert module.third(3) == 1 + Fraction(10**20, 3)
    assert number(1) / 3 in set(subterms(module.third.term))


LAYOUTS = [
    """
@formula
def log_weight(z: Real, scale: Real) -> Real:
    return -abs(z) / scale
""",
    """
@formula
def log_weight(z, scale):
    'Other words.'
    return (
        -(abs((z)))  # a comment
        / scale
    )
""",
    """

@formula
def log_weight(
    z: 'Real',
    scale: float,
):

    return -abs( z )/scale""",
]


@pytest.mark.parametrize("source", LAYOUTS)
def test_obligation_has_the_same_digest_after_reformatting(tmp_path, source):
    """On every Python version and in every layout: the digest is of the canonical term, not of the source."""
    before = {key: s.digest for key, s in obligations.obligations("discrete_laplace").items()}
    written = module_of(tmp_path, HEAD + source).log_weight
    with instead(replace(DISCRETE_LAPLACE, log_weight=written)):
        assert {key: s.digest for key, s in obligations.obligations("discrete_laplace").items()} == before


def test_obligation_has_another_digest_after_a_change(tmp_path):
    before = obligation("discrete_laplace.loss_is_bounded").digest
    for body in ("-abs(z) / (2 * scale)", "abs(z) / scale", "-abs(z) / scale + 1", "-abs(z) / abs(scale)"):
        written = module_of(tmp_path, f"{HEAD}@formula\ndef log_weight(z, scale):\n    return {body}\n", "changed")
        with instead(replace(DISCRETE_LAPLACE, log_weight=written.log_weight)):
            assert obligation("discrete_laplace.loss_is_bounded").digest != before


@formula
def heavy_atom(z: Real, scale: Real) -> Real:
    return -abs(z) / scale + 1000 * indicator(z == 0)


@formula
def heavy_offset(scale: Real) -> Real:
    return 1000 + 0 * scale


def test_atom_of_mass_e_to_the_1000_is_found():
    """The prototype proved it 1-DP, because `z == 0` was never true of a solver's term."""
    changes = {"log_weight": heavy_atom, "tail_offset": heavy_offset, "normaliser": None}
    with registered(replace(DISCRETE_LAPLACE, stem="heavy_laplace", **changes)):
        assert run("z3", obligation("heavy_laplace.tail_is_geometric")).verdict == "proved"
        assert refuted("heavy_laplace.loss_is_bounded")


@formula
def map_with_a_pole(d_in: Real, scale: Real) -> Real:
    return d_in * (scale - 1) / (scale * (scale - 1))


@formula
def weight_with_a_pole(z: Real, scale: Real) -> Real:
    return -abs(z) * (z - 1) / (scale * (z - 1))


@pytest.mark.parametrize(
    "change", [{"privacy_maps": {"pure": map_with_a_pole}}, {"log_weight": weight_with_a_pole}], ids=["map", "weight"]
)
def test_denominator_brings_the_obligation_that_it_is_not_0(change):
    """x / x is 1 for every x of which it has a value; at 0 it has none, and a solver may choose one."""
    with registered(replace(DISCRETE_LAPLACE, stem="pole", **change)):
        assert "!= 0" in str(obligation("pole.loss_is_bounded"))
        assert refuted("pole.loss_is_bounded")


# Yardsticks: what a distance and a loss mean is not supplied by what they measure.


@pytest.mark.parametrize("kind", KINDS)
def test_kind_has_no_room_for_a_metric_a_measure_or_an_obligation(kind):
    own = {f.name for f in fields(kind)}
    assert not own & {"metric", "distance", "measure", "obligations", "statements", "divergence", "hypotheses"}
    assert not hasattr(kind, "__dict__") or "__slots__" in vars(kind)


@formula
def no_loss(d_in: Real) -> Real:
    return 0 * d_in


@pytest.mark.parametrize("measure", ["mine", "approximate", "renyi", "max_divergence"])
def test_mechanism_with_a_measure_of_its_own_has_no_theorem_under_it_and_is_refused(measure):
    with registered(replace(DISCRETE_LAPLACE, stem="own_measure", privacy_maps={measure: no_loss})):
        with pytest.raises(KernelError, match="under pure or concentrated DP"):
            rules.additive_noise(stem="own_measure", measure=measure)
        with pytest.raises(KernelError, match="no privacy map for pure"):
            rules.additive_noise(stem="own_measure", measure="pure")


def quantified():
    """Every registered kind with formulas, and every name that its obligations bind."""
    for stem in registry.stems():
        kind = registry.kind_of(stem)
        for bound in kind.reserved.split():
            yield pytest.param(kind, bound, id=f"{stem}-{bound}")


@pytest.mark.parametrize(("kind", "bound"), [*quantified()])
def test_parameter_named_as_a_quantified_variable_is_refused(kind, bound):
    """Else a claim would leave free what the obligation binds, and d_in could be chosen to suit."""
    parameters = (*kind.parameters, bound)
    said = f"a parameter of captured must not be called {bound}|the parameters of captured must be"
    with pytest.raises(TermError, match=said):
        registry.register(
            replace(kind, stem="captured", parameters=parameters, example={**kind.example, bound: number(1)})
        )
    assert "captured" not in registry.stems()


@formula
def map_of_the_output(d_in: Real, scale: Real, y: Real) -> Real:
    return d_in / scale + abs(y)


@formula
def weight_of_the_input(z: Real, scale: Real, a: Real) -> Real:
    return -abs(z) / scale + 0 * a


@pytest.mark.parametrize("change", [{"privacy_maps": {"pure": map_of_the_output}}, {"log_weight": weight_of_the_input}])
def test_formula_that_reads_a_quantified_variable_is_refused(change):
    with pytest.raises(TermError, match=r"must not read [ya]"):
        registry.register(replace(DISCRETE_LAPLACE, stem="reads_more", **change))


@formula
def one() -> Real:
    return 1


@formula
def the_row(row: Real) -> Real:
    return row


@formula
def no_bound(lower: Real) -> Real:
    return 0 * lower


def test_vector_sum_that_claims_l1_without_a_prefix_is_refused():
    """No coordinate moves by more than 1; that says nothing of their sum."""
    for norm in ("l1", "l2"):
        unproved = replace(HISTOGRAM, stem="unproved", edits={("change_one", norm): Edit(one)})
        with registered(unproved), pytest.raises(KernelError, match=f"must have a prefix for {norm}"):
            rules.sum_of_rows(stem="unproved", neighbours="change_one", norm=norm)


def test_vector_sum_that_claims_1_in_l1_per_replaced_row_is_found():
    right = HISTOGRAM.edits["add_remove", "l1"]
    with registered(replace(HISTOGRAM, stem="halved", edits={("change_one", "l1"): right})):
        keys = [key for key in obligations.stability("halved", "change_one", "l1") if "grows" in key]
        assert [refuted(f"halved.{key}") for key in keys] == [True]


def test_sum_that_claims_whole_numbers_of_rows_on_a_finer_grid_is_found():
    """A sum of rows on grid(granularity) is not on grid(1): whole noise would show its fractions."""
    with registered(replace(COUNT, stem="whole", parameters=("granularity",), conditions=(read("0 < granularity"),),
                            example={"granularity": number(1)}, input_rows=read("grid(granularity)"),
                            contribution=the_row, units=the_row, output_step=one)):  # fmt: skip
        assert refuted("whole.sum_stays_on_the_grid")


def test_sum_without_a_bound_is_found():
    with registered(replace(CLAMPED_SUM, stem="free", edits={("add_remove", "absolute"): Edit(no_bound)})):
        assert refuted("free.edit_is_bounded.add_remove.absolute")


def test_claim_compares_metric_and_measure_by_name_in_every_rule():
    assert rules.compose(response()).claim.metric in METRICS
    with pytest.raises(KernelError, match="cannot compose"):
        rules.compose(response(), rules.pure_to_approximate(response()))


# Oracles are named, and asked again: with which version is said.


def written(folder, found):
    """The file of a certificate."""
    (folder / "certificate.json").write_text(text_of(found))
    return folder / "certificate.json"


def test_oracle_of_another_version_is_the_one_that_is_named(tmp_path, monkeypatch):
    path = written(tmp_path, vouched("composition.pointwise_weaken"))
    monkeypatch.setattr(check, "run", lambda *asked: Answer("proved", frozenset({"z3 99.0", "the encoder"})))
    assert check.replayed_file(path, "z3", None, 20.0)["trusts"] == ["the encoder", "z3 99.0"]


def test_oracle_that_finds_it_false_or_does_not_know_proves_nothing(tmp_path, monkeypatch):
    path = written(tmp_path, vouched("composition.pointwise_weaken"))
    monkeypatch.setattr(check, "run", lambda *asked: Answer("disproved", model={"p": Fraction(1)}))
    assert check.replayed_file(path, "z3", None, 20.0)["verdict"] == "REJECTED"
    monkeypatch.setattr(check, "run", lambda *asked: Answer("unknown", reason="timeout"))
    assert check.replayed_file(path, "z3", None, 20.0)["verdict"] == "UNKNOWN"


def test_trust_of_a_lemma_stays_on_everything_derived_from_it():
    theorem = noisy_count()
    for derived in (
        rules.weaken(theorem, d_out=["2"]), rules.group(theorem, k="2"), rules.pure_to_approximate(theorem),
        rules.compose(theorem, theorem), rules.post_process(theorem, function="clamp_output(0, 1)"),
    ):  # fmt: skip
        assert "a test" in derived.trusts


def test_trust_in_code_or_an_assumption_is_not_hidden_behind_an_oracle_of_that_name():
    """The step that adds a name added nothing new, if an oracle below it claimed the same name; so nothing was said."""
    mapped = certificate(rowwise("map_rows"), "")
    assert replay(mapped, lambda *asked: frozenset({"z3"})).trusts == {ROW_ASSUMPTION}
    found = certificate(sampler("discrete_laplace"), "")
    for step in found["steps"]:
        if step["rule"] == "oracle":
            step["data"]["by"] = ["a test", "code: refdp.sampling"]
    assert replay(found, lambda *asked: frozenset({"z3"})).trusts == {"z3", "code: refdp.sampling"}


# Samplers: a claim about a law is not a claim about what is drawn.


def test_release_insists_on_the_entropy_of_the_operating_system(tmp_path, monkeypatch):
    table = tmp_path / "t.csv"
    table.write_text("age\n1\n2\n")
    monkeypatch.setattr("refdp.releases.release.Coins", lambda: Coins(lambda: 0))
    with pytest.raises(ValueError, match="operating system's entropy"):
        release(table, ["count"], 1, "add_remove", certificates=tmp_path)


@pytest.mark.parametrize("stem", SCHEMES)
def test_sampler_theorem_is_had_for_every_mechanism_that_draws(stem):
    kind = registry.kind_of(stem)
    closed = f"{stem}({', '.join(map(str, kind.example.values()))})"
    for subject in (closed, f"chain(count(records()), {closed})", f"coordinatewise({closed}, 3)", f"compose({closed})"):
        found = sampler_theorems(read(subject))
        assert {str(t.claim.kind) for t in found.values()} == {"sampler_law"}
        assert "code: refdp.sampling" in found[stem].trusts


def test_row_function_that_closes_over_the_data_is_refused():
    rows = [1, 2, 3]
    with pytest.raises(PipelineError, match=r"must read only its row, got .*which holds rows"):
        map_rows(lambda row: len(rows), "grid(1)", "grid(1)")
    with pytest.raises(PipelineError, match="must read only its row"):
        filter_rows(lambda row: row in rows, "grid(1)")


def test_row_function_of_a_user_is_an_assumption_of_its_theorem():
    chained = map_rows(abs, "grid(1)", "grid(1)") >> refdp.count("grid(1)") >> refdp.discrete_laplace(1)
    assert ROW_ASSUMPTION in refdp.theorem(chained, 1).trusts


def test_post_processing_by_a_user_is_an_assumption_of_its_theorem():
    found = rules.post_process(response(), function="user_function('f')")
    assert found.trusts == {"assumption: 'f' reads only its argument"}


# Vacuity: a claim that holds because nothing is near is refused, not proved.


@pytest.mark.parametrize("stem", ["column", "category_of", "clamp", "drop_missing", "map_rows"])
def test_sized_tables_under_add_remove_are_refused(stem):
    with pytest.raises(KernelError, match="the claim would be empty"):
        rowwise(stem, "add_remove", "yes")


@pytest.mark.parametrize("transform", [
    lambda: refdp.mean(0, 1, 4, neighbours="add_remove"), lambda: refdp.attribute_means(2, 4, neighbours="add_remove"),
    lambda: refdp.column("age", size=4)])  # fmt: skip
def test_pipelines_of_sized_tables_under_add_remove_are_refused(transform):
    with pytest.raises(ValueError, match=r"neighbours must be change_one|the claim would be empty"):
        transform()


def test_group_privacy_where_there_is_no_path_is_refused():
    """Between bits 0 and 1 at distance 1 there is nothing, and 2 steps of distance 1/2 lead nowhere."""
    for theorem in (response(), gaussian_at_1()):
        with pytest.raises(KernelError, match=r"not known to be geodesic|stated for pure"):
            rules.group(theorem, k="2")


@pytest.mark.parametrize("kind", [DROP_MISSING, FILTER_ROWS])
def test_filter_hides_how_many_rows_it_keeps(kind):
    """A replaced row may be dropped before or after, so its output has no public size and two edits."""
    signature = function_signature(kind, "change_one", sized=True)
    assert (signature.output_domain.operator, signature.far, str(signature.d_out[0])) == (
        "table",
        "symmetric",
        "2 * d_in",
    )


def test_parallel_composition_under_change_one_costs_two_parts():
    """A replaced row changes two parts; that it would cost the greatest alone is a false claim of the ledger."""
    parts = (noisy_count(), noisy_count())
    partition = "category_of('island', list_of('A', 'B'), 2)"
    claim = rules.parallel(*parts, partition=partition, neighbours="change_one").claim
    assert str(claim.d_out[0]) == "2"
    assert certificate_of("composition.parallel_bound_under_change_one")["conclusion"].startswith("refuted(")


@formula
def top(dimension: Real) -> Real:
    return max(dimension - 1, 0)


@formula
def rank(row: Real) -> Real:
    return max(row, 0)


def test_categories_of_no_whole_number_are_refused():
    """category(5/2) holds 2, which is more than 5/2 - 1."""
    wrong = replace(HISTOGRAM, stem="ranked", conditions=(read("1 <= dimension"),), contribution=rank, units=rank,
                    is_vector=False, edits={("add_remove", "absolute"): Edit(top)})  # fmt: skip
    with registered(wrong), pytest.raises(TermError, match=r"must have the condition integer\(dimension\)"):
        obligations.stability("ranked", "add_remove", "absolute")


# Neighbouring is symmetric.


POINTS = {
    "symmetric": [(), (1,), (1, 1), (2,), (1, 2, 3)], "change_one": [(), (1,), (2,), (1, 2), (2, 2)],
    "hamming": [(), (1,), (2,), (1, 2), (2, 1)], "insert_delete": [(), (1,), (2,), (1, 2), (2, 1), (1, 2, 1)],
    "absolute": [Fraction(n, 2) for n in range(-3, 4)],
    "discrete": [0, 1, "x", ()], "l1": [(0, 0), (1, 0), (1, -2)], "l2": [(0, 0), (1, 0), (3, 4)],
    "linf": [(0, 0), (1, 0), (1, -2)],
    "one_coordinate": [(0, 0), (1, 0), (1, -2), (3, 0), (3, 4)],
    "monotone": [(0, 0), (1, 0), (1, -2), (3, 4), (-1, -2), (4, 3)],
    "exchange": [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (-1, 2)],
    "smooth": [(0, 1), (1, 1), (1, 2), (2, 4), (0, 3)],
    "tested": [(0, 0), (0, 5), (1, 5), (1, 6), (2, 5), (-1, 9), (3, 0)],
}  # fmt: skip
LEAST = {"smooth": 1}
"""The least distance of a relation, where it is not 0: no bound > 0 is less than itself."""


@pytest.mark.parametrize("metric", METRICS)
def test_neighbouring_is_symmetric(metric):
    within = METRICS[metric].within
    for u, v in product(POINTS[metric], repeat=2):
        for d in (Fraction(n, 2) for n in range(-1, 12)):
            assert within(u, v, d) == within(v, u, d)
            assert within(u, u, d) == (d >= LEAST.get(metric, 0))


@formula
def one_sided(output: Real, input: Real, truth: Real) -> Real:  # noqa: A002
    return indicator(output == 0) * (1 - truth) * (1 + input) + indicator(output == 1) * (truth - (1 - truth) * input)


def test_enumeration_takes_the_worse_of_both_directions():
    """At 3/4 the laws are (1/4, 3/4) and (1/2, 1/2): ratios 3/2 one way, 2 the other."""
    with registered(replace(RANDOMISED_RESPONSE, stem="lopsided", pmf=one_sided)):
        found = rules.finite_mechanism(subject="lopsided(3/4)", domain="finite(2)", metric="discrete", d_in="1")
        assert found.claim.d_out == (read("ln(2)"),)
        laws = registry.lookup("lopsided", FiniteLaw)
        masses = [evaluate(laws.pmf.term, {"output": Fraction(y), "input": Fraction(x), "truth": Fraction(3, 4)})
                  for x, y in product(range(2), repeat=2)]  # fmt: skip
        assert masses == [Fraction(1, 4), Fraction(3, 4), Fraction(1, 2), Fraction(1, 2)]


# Rules that said more than was proved.


def test_renyi_bound_at_one_order_is_no_bound_at_a_larger_one():
    """renyi(20, 5/4) of a Gaussian that has 5/4 at order 10, and 5/2 at order 20: `d_out` once moved the order."""
    with pytest.raises(KernelError, match="the order 10 must stay"):
        rules.concentrated_to_renyi(gaussian_at_1(), order="10", d_out=["20", "5/4"])


def test_enumeration_of_a_domain_lists_all_that_it_contains():
    """finite(3/2) contains 0 and 1; of 0 alone, randomised response would be 0-DP."""
    found = rules.finite_mechanism(
        subject="randomised_response(3/4)", domain="finite(3/2)", metric="discrete", d_in="1"
    )
    assert found.claim.d_out == (read("ln(3)"),)


def test_nothing_is_proved_and_refuted():
    """Every claim that is proved here is tried with every event of every pair of inputs."""
    for factor in ("1", "2", "3", "4"):
        claim = str(response("approximate", factor).claim.term)
        for a, b, event in product("01", "01", ("tuple_of(0)", "tuple_of(1)", "tuple_of(0, 1)")):
            with pytest.raises(KernelError, match="does not break"):
                rules.unlikely_elsewhere(claim=claim, a=a, b=b, event=event)
