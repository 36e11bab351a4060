"""The kernel's rules about machines: what they say, what they refuse, and that it is chained with nothing."""

import json
from dataclasses import replace
from fractions import Fraction
from importlib import import_module

import pytest

from refdp.kernel import rules
from refdp.kernel.certificate import certificate, parsed, replay, text_of
from refdp.kernel.judgements import KernelError, Private, Refuted, Stable, Tail, require_well_formed
from refdp.kernel.reading import claimed
from refdp.kernel.rules.engines import READING
from refdp.kernel.rules.machines import ENGINE, ROUNDING, MachineClaim
from refdp.kernel.sources import bring, digest_of
from refdp.mechanisms import GAUSSIAN, LAPLACE, discrete_laplace
from refdp.pipeline import PipelineError, Transformation, noise_measurement
from refdp.sensitivities.machine.function_certificates import worked_out
from refdp.sensitivities.machine.theorems import claim_of, machine_of
from refdp.spec import distances
from refdp.spec.domains import contains
from refdp.spec.semantics import value
from refdp.spec.well_formed import require_domain, require_transformation
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.exactness.entering import given
from tests.kernel.rules.test_engines import data as exact_data
from tests.made import certificate_text

TEXT = """
import math


def total(rows, cap=10):
    s = 0.0
    for r in rows:
        s += min(r, cap)
    return s


def summed(rows):
    return sum(rows)


def exactly(rows):
    return math.fsum(rows)


def mean(rows):
    return sum(rows) / len(rows)


def both(rows):
    return [sum(rows), 2 * sum(rows)]


def scaled(rows, factor):
    return sum(factor * r for r in rows)


def careless(rows, factor):
    return sum(rows)


def keyed(*, rows):
    return sum(rows)


def squared(rows):
    return sum(rows) * sum(rows)
"""
TRUSTED = sorted([READING, ROUNDING, "somebody"])
OUTPUTS = "machine('float64')"
TINY = "3/18014398509481984"
"""Three quarters of a unit in the last place of 1."""
HALF = "1/9007199254740992"
"""Half such a unit."""


GIVEN = {
    "function": "total", "rows": "interval(0, 1)", "arguments": "list_of()", "neighbours": "add_remove",
    "tables": "multisets", "edits": "1", "arithmetic": "float64", "sum": "naive", "least": "0", "most": "50",
    "bound": "1.0000001",
}  # fmt: skip


def evidence(**others):
    """What a proof of such a claim is made of; of the claim above where there is no such proof."""
    try:
        found = MachineClaim.of(
            {"source": bring(TEXT), **GIVEN, **others, "bound": "1000000", "evidence": "", "numbers": "finite"}
        )
        return worked_out(claim_of(found), machine_of(found)).evidence
    except (KernelError, ValueError, KeyError):
        return evidence()


def data(**others):
    """What a step of the rule that proves is given, with some parts changed."""
    shown = others.get("evidence", json.dumps(evidence(**{key: one for key, one in others.items() if key != "by"})))
    return {"source": bring(TEXT), **GIVEN, "evidence": shown, "by": TRUSTED, **others}


def near(**others):
    return rules.machine_stays_near(**data(**others))


def pair(first, second):
    rows = [[[{"number": str(r)}, "1"] for r in table] for table in (first, second)]
    return json.dumps(dict(zip(("first", "second"), rows, strict=True)))


def far(**others):
    """A step that refutes: 1 is added to 3 / 2^54, and the sum is rounded up."""
    words = data(bound="1", evidence=pair([TINY], ["1", TINY])) | {"numbers": "finite"} | others
    return rules.machine_moves_too_far(**{key: one for key, one in words.items() if key != "by"})


def test_claim_names_text_machine_tables_and_who_vouched():
    found, digest = near(), digest_of(TEXT)
    assert str(found.claim.term) == (
        f"stable(machine_query('total', '{digest}', interval(0, 1), list_of(), 'float64', 'naive'), "
        "machine_table(interval(0, 1), 'float64', 0, 50, 'finite'), symmetric(1), machine('float64'), "
        "absolute(10000001/10000000))"
    )
    assert found.trusts == set(TRUSTED)
    assert "list_of(fixed('cap', 1/2))" in str(near(arguments="list_of(fixed('cap', 1/2))").claim.subject)


@pytest.mark.parametrize(("words", "metric"), [((near, tables), one) for tables, found in distances.TABLES.items()
                                               for near, one in found.items()])  # fmt: skip
def test_claim_follows_neighbours_order_edits_and_limits(words, metric):
    neighbours, tables = words
    found = near(neighbours=neighbours, tables=tables, edits="2", bound="2.0001", least="3", most="9").claim
    assert (found.metric, str(found.d_in)) == (metric, "2")
    assert str(found.domain) == "machine_table(interval(0, 1), 'float64', 3, 9, 'finite')"
    assert metric in distances.METRICS


def test_each_format_and_each_sum_is_another_claim():
    subjects = {near().claim.subject}
    for total in ("naive", "pairwise", "pairwise:8", "kahan", "neumaier", "numpy", "fsum", "python3.11", "python3.12"):
        by = sorted({READING, ROUNDING}) if total == "fsum" else TRUSTED
        subjects.add(near(function="summed", sum=total, by=by).claim.subject)
    for form in ("float32", "float16", "bfloat16"):
        found = near(arithmetic=form, bound="50").claim
        assert str(found.output_domain) == f"machine('{form}')"
        subjects.add(found.subject)
    whole = near(function="summed", rows="bounded(1, 0, 9)", arithmetic="int16", by=sorted([READING, "z3"]), bound="9")
    assert str(whole.claim.output_domain) == "machine('int16')"
    assert whole.trusts == {READING, "z3"}
    assert len({*subjects, whole.claim.subject}) == 1 + 9 + 3 + 1


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ({"source": "0" * 64}, "no source has the digest"),
        ({"function": "other"}, "must define the function other"),
        ({"function": "squared"}, "is not one sum over the rows"),
        ({"function": "both"}, "is not one sum over the rows"),
        ({"function": "careless"}, "must be given factor"),
        ({"function": "keyed"}, "must be given rows"),
        ({"rows": "rows"}, "is not a domain of rows"),
        ({"rows": "machine('float64')"}, "is not a domain of rows"),
        ({"rows": "interval(1, 0)"}, "must be lower <= upper|no row of"),
        ({"rows": "interval(1/3, 1/3)"}, "no row of"),
        ({"rows": "reals()"}, "no bounds that are numbers"),
        ({"rows": "interval(-1, 3)"}, "computed anew|at least the bound"),
        ({"arguments": "list_of(fixed('lid', 7))"}, "has no parameter lid"),
        ({"arguments": "list_of(fixed('cap', 'x'))"}, "."),
        ({"neighbours": "symmetric"}, "neighbours must be add_remove or change_one"),
        ({"tables": "sets"}, "tables must be multisets or lists"),
        ({"edits": "0"}, "edits must be >= 1"),
        ({"edits": "1/2"}, "edits must be a whole number"),
        ({"edits": "2"}, "at least the bound"),
        ({"least": "-1"}, "0 <= least <= most"),
        ({"least": "51"}, "0 <= least <= most"),
        ({"most": "1/2"}, "most must be a whole number"),
        ({"least": "0", "most": "0"}, "are neighbours"),
        ({"least": "50"}, "are neighbours"),
        ({"bound": "1"}, "at least the bound"),
        ({"bound": "-1"}, "the bound must be >= 0"),
        ({"bound": "sqrt(2)"}, "."),
        ({"bound": "d"}, "."),
        ({"arithmetic": "float32"}, "at least the bound"),
        ({"arithmetic": "float63"}, "."),
        ({"arithmetic": "exact"}, "."),
        ({"arithmetic": "int16"}, "no float is rounded|is not bounded|not one sum"),
        ({"sum": "python"}, "is not a sum that is the same on every machine"),
        ({"sum": "any"}, "sum must be one of"),
        ({"sum": "mixed"}, "sum must be one of"),
        ({"sum": "pairwise:0"}, "."),
        ({"sum": ""}, "sum must be one of"),
        ({"evidence": json.dumps({**evidence(), "order": "kahan"})}, "must say what is computed anew"),
        ({"evidence": json.dumps({**evidence(), "lemmas": []})}, "must say what is computed anew"),
        ({"evidence": json.dumps({**evidence(), "bound": "1"})}, "must say what is computed anew"),
        ({"evidence": json.dumps({**evidence(), "upper": "1/2"})}, "must say what is computed anew"),
        ({"evidence": "{}"}, "must say what is computed anew"),
        ({"evidence": "[]"}, "must say what is computed anew"),
        ({"evidence": ""}, "."),
        ({"by": []}, "must be named"),
        ({"by": [READING]}, "must be named"),
        ({"by": [READING, "z3"]}, "must be named"),
        ({"by": [ROUNDING, "z3"]}, "must be named"),
        ({"by": sorted([READING, ROUNDING])}, "a solver must be named"),
        ({"by": [READING, ROUNDING, "z3"]}, "must be named, in order"),
        ({"by": [*TRUSTED, "somebody"]}, "must be named, in order"),
        ({"function": "exactly"}, "nobody where none is"),
        ({"function": "mean", "neighbours": "change_one", "bound": "2"}, "the mean of no rows raises"),
        ({"function": "mean", "neighbours": "change_one", "least": "1", "rows": "bounded(1, 0, 1)", "bound": "3",
          "arithmetic": "float32"}, "a quotient of ints is no float32"),
        ({"function": "summed", "arithmetic": "int16", "rows": "bounded(1, 0, 9)", "bound": "9"},
         "no float is rounded"),
        ({"function": "summed", "arithmetic": "int8", "rows": "bounded(1, 0, 9)", "bound": "9"}, "may sum beyond"),
        ({"function": "summed", "arithmetic": "int8", "rows": "interval(300, 400)", "bound": "999"}, "no row of"),
    ],
)  # fmt: skip
def test_step_that_says_nothing_true_or_has_no_word_behind_it_is_refused(others, reason):
    with pytest.raises(KernelError, match=reason):
        near(**others)


@pytest.mark.parametrize("part", [key for key in data() if key != "by"])
def test_step_without_one_of_its_parts_is_refused(part):
    words = {key: one for key, one in data().items() if key != part}
    with pytest.raises(KernelError, match="missing 1 required"):
        rules.machine_stays_near(**words)
    with pytest.raises(KernelError):
        near(**{part: ""})


def test_pair_that_moves_too_far_refutes_the_claim():
    found = far()
    assert str(found.claim.term) == (
        f"refuted(stable(machine_query('total', '{digest_of(TEXT)}', interval(0, 1), list_of(), 'float64', 'naive'), "
        "machine_table(interval(0, 1), 'float64', 0, 50, 'finite'), symmetric(1), machine('float64'), absolute(1)))"
    )
    assert found.trusts == {"refdp's interpreter of Python", ROUNDING}
    vector = far(function="both", bound="3", evidence=pair([TINY], ["1", TINY]))
    assert "vector(machine('float64'), 2), l1(3)" in str(vector.claim.term)
    raised = far(function="mean", bound="1000", evidence=pair([], ["1"]))
    assert "absolute(1000)" in str(raised.claim.term)
    special = json.dumps({"first": [], "second": [[{"text": "nan"}, "1"]]})
    found = far(function="summed", bound="1000", numbers="special", evidence=special)
    assert "'special'" in str(found.claim.term)


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ({"bound": "2"}, "must be further apart than"),
        ({"evidence": pair(["1"], ["1"])}, "must be neighbours, 1 edits apart"),
        ({"evidence": pair([], [])}, "must be neighbours, 1 edits apart"),
        ({"evidence": pair([], ["1", "1"])}, "must be neighbours, 1 edits apart"),
        ({"evidence": pair([], ["2"])}, "a row must be as declared and of float64"),
        ({"evidence": pair([], ["1/3"])}, "a row must be as declared and of float64"),
        ({"evidence": json.dumps({"first": [], "second": [[{"text": "nan"}, "1"]]})}, "a row must be as declared"),
        ({"evidence": json.dumps({"first": [], "second": [[{"number": "1"}, "0"]]})}, "must not be too long"),
        ({"evidence": json.dumps({"first": [], "second": [[{"number": "1"}, "999999999999"]]})}, "too long"),
        ({"evidence": json.dumps({"first": []})}, "."),
        ({"evidence": "{}"}, "."),
        ({"evidence": ""}, "."),
        ({"neighbours": "change_one"}, "must have as many rows"),
        ({"most": "1"}, "as many rows as is said"),
        ({"least": "2", "most": "3"}, "as many rows as is said"),
        ({"arithmetic": "int64"}, "."),
        ({"arithmetic": "float32"}, "must be further apart than"),
        ({"sum": "python"}, "is not a sum that is the same on every machine"),
        ({"sum": "none"}, "sum must be one of"),
        (
            {"edits": "0", "function": "summed", "bound": "0", "evidence": pair([HALF, HALF, "1"], ["1", HALF, HALF])},
            "edits must be >= 1",
        ),
        ({"numbers": "all"}, "numbers must be finite or special"),
        ({"numbers": ""}, "numbers must be finite or special"),
        ({"function": "scaled", "evidence": pair([], ["0"])}, "must be further apart than"),
        ({"arguments": "list_of(fixed('cap', 1/4))"}, "must be further apart than"),
        ({"arguments": "list_of(fixed('lid', 1/4))"}, "has no parameter lid"),
        ({"rows": "bounded(1, 0, 1)"}, "a row must be as declared"),
        ({"source": "0" * 64}, "no source has the digest"),
    ],
)
def test_pair_that_shows_nothing_is_refused(others, reason):
    with pytest.raises(KernelError, match=reason):
        far(**others)


def test_sum_that_is_swapped_moves_otherwise():
    """The order of additions is part of the claim: the same pair breaks one sum and not the other."""
    rows = ["1", *[HALF] * 6]
    tables = pair(rows, [*rows, "1"])
    assert far(function="summed", sum="fsum", bound="1", evidence=tables)
    with pytest.raises(KernelError, match="must be further apart than"):
        far(function="summed", sum="naive", bound="1", evidence=tables)


def test_engine_that_names_nobody_is_refused(monkeypatch):
    monkeypatch.setattr(import_module(ENGINE), "moved", lambda claim: (None, frozenset()))
    with pytest.raises(KernelError, match="who runs the function must be named"):
        far()


def test_certificate_brings_the_text_and_replay_asks_about_what_it_reads():
    theorem, asked = near(), []
    found = parsed(text_of(certificate(theorem, "")))
    assert found["sources"] == {digest_of(TEXT): TEXT}

    def ask(question, by):
        asked.append((question, by))
        return frozenset({READING, ROUNDING, "somebody else"})

    again = replay(found, ask)
    assert again.trusts == {READING, ROUNDING, "somebody else"}
    assert again.theorem.claim == theorem.claim
    [(question, by)] = asked
    assert (question.text, question.function, question.total, question.most) == (TEXT, "total", "naive", 50)
    assert by == tuple(TRUSTED)
    with pytest.raises(KernelError, match="must be named"):
        replay(found, lambda question, by: frozenset({READING}))


def vouching(question, by):
    return frozenset(by)


def put(found, key, value):
    found["steps"][0]["data"][key] = value


FORGERIES = {
    "another text": lambda f: f["sources"].update({digest_of(TEXT): TEXT + "\n"}),
    "no text": lambda f: f["sources"].clear(),
    "a text too many": lambda f: f["sources"].update({digest_of("x = 1\n"): "x = 1\n"}),
    "another function": lambda f: put(f, "function", "summed"),
    "a smaller bound": lambda f: put(f, "bound", "1"),
    "a greater bound": lambda f: put(f, "bound", "2"),
    "float32": lambda f: put(f, "arithmetic", "float32"),
    "another sum": lambda f: put(f, "sum", "kahan"),
    "another relation": lambda f: put(f, "neighbours", "change_one"),
    "lists": lambda f: put(f, "tables", "lists"),
    "more edits": lambda f: put(f, "edits", "2"),
    "more rows": lambda f: put(f, "most", "51"),
    "fewer rows": lambda f: put(f, "least", "1"),
    "wider rows": lambda f: put(f, "rows", "interval(0, 2)"),
    "another cap": lambda f: put(f, "arguments", "list_of(fixed('cap', 11))"),
    "no evidence": lambda f: f["steps"][0]["data"].pop("evidence"),
    "numbers": lambda f: put(f, "numbers", "special"),
    "nobody": lambda f: put(f, "by", []),
    "nobody trusted": lambda f: f.update(trusts=[]),
    "reals": lambda f: f.update(conclusion=f["conclusion"].replace(OUTPUTS, "reals()")),
    "a grid": lambda f: f.update(conclusion=f["conclusion"].replace(OUTPUTS, "grid(1)")),
    "less": lambda f: f.update(conclusion=f["conclusion"].replace("10000001/10000000", "1")),
    "the rule of exact arithmetic": lambda f: f["steps"][0].update(rule="runs_stay_related"),
    "the rule that refutes": lambda f: f["steps"][0].update(rule="machine_moves_too_far"),
}


@pytest.mark.parametrize("change", FORGERIES)
def test_forged_certificate_is_refused(change):
    found = parsed(text_of(certificate(near(), "")))
    FORGERIES[change](found)
    with pytest.raises((KernelError, TypeError, KeyError)):
        replay(found, vouching)


MECHANISMS = {
    "discrete_laplace.pure": lambda: discrete_laplace(scale=2),
    "laplace.pure": lambda: noise_measurement(LAPLACE, "pure", None, scale=Fraction(2)),
    "gaussian.concentrated": lambda: noise_measurement(GAUSSIAN, "concentrated", None, sigma=Fraction(2)),
}
"""Claim of the ledger -> a mechanism that it is about."""


@pytest.mark.parametrize("name", MECHANISMS)
def test_what_a_machine_computes_is_chained_with_no_mechanism(name, machine_bound):
    """Neither in a pipeline, nor by the kernel's rule, and the refusal names both types."""
    claim, mechanism = machine_bound.claim, MECHANISMS[name]()
    first = Transformation(claim.subject, claim.domain, claim.metric, claim.output_domain, claim.output_metric,
                           claim.d_out[0])  # fmt: skip
    with pytest.raises(PipelineError) as refused:
        first >> mechanism
    assert OUTPUTS in str(refused.value)
    assert str(mechanism.input_domain) in str(refused.value)
    second = given(Private(mechanism.subject, mechanism.input_domain, "absolute", read("2"), "pure", (read("1"),)))
    with pytest.raises(KernelError) as refused:
        rules.chain(machine_bound, second)
    assert OUTPUTS in str(refused.value)
    assert str(mechanism.input_domain) in str(refused.value)


@pytest.mark.parametrize("name", MECHANISMS)
def test_genuine_steps_about_a_machine_and_a_mechanism_are_not_chained(name, machine_bound):
    """A certificate that is forged of two genuine ones by a last step that chains them."""
    found, mechanism = parsed(text_of(certificate(machine_bound, ""))), parsed(certificate_text(name))
    bound = {**found["steps"][0], "premises": []}
    last = {"rule": "chain", "premises": [len(mechanism["steps"]), len(mechanism["steps"]) - 1], "data": {}}
    with pytest.raises(KernelError, match=r"the output domain machine\('float64'\) does not lie in the input domain"):
        replay({**found, "steps": [*mechanism["steps"], bound, last]}, vouching)


@pytest.fixture
def machine_bound():
    return near()


def test_even_a_mechanism_that_says_it_reads_machine_numbers_is_none(machine_bound):
    """`filtered` is private on any domain that it is given; on a machine's numbers nothing is."""
    tables = str(machine_bound.claim.domain)
    for domain, near in ((OUTPUTS, "absolute"), (f"vector({OUTPUTS}, 2)", "l1"), (tables, "symmetric")):
        with pytest.raises(KernelError, match="has to do with"):
            rules.filtered(domain=domain, near=near, d_in="2", total="pure(1)")


@pytest.mark.parametrize("outputs", ["reals()", "grid(1)", "interval(0, 1)", "machine('float32')", "vector(reals(), 1)",
                                     f"vector(vector({OUTPUTS}, 2), 2)", f"table({OUTPUTS})"])  # fmt: skip
def test_numbers_of_a_machine_become_no_others(outputs, machine_bound):
    """No rule converts them, and a claim that a machine's function leads elsewhere says nothing."""
    claim = machine_bound.claim
    changed = Stable(claim.subject, claim.domain, claim.metric, claim.d_in, read(outputs), "absolute", claim.d_out)
    for one in (changed, Refuted(changed)):
        with pytest.raises(TermError, match="leads from its machine's tables to its numbers"):
            require_well_formed(one)


@pytest.mark.parametrize("inputs", [
    "table(interval(0, 1))", OUTPUTS, "machine_table(interval(0, 2), 'float64', 0, 50, 'finite')",
    "machine_table(interval(0, 1), 'float32', 0, 50, 'finite')",
])  # fmt: skip
def test_function_of_a_machine_reads_its_own_tables(inputs, machine_bound):
    claim = machine_bound.claim
    changed = Stable(claim.subject, read(inputs), claim.metric, claim.d_in, claim.output_domain, "absolute",
                     claim.d_out)  # fmt: skip
    with pytest.raises(TermError, match="leads from its machine's tables"):
        require_well_formed(changed)


@pytest.mark.parametrize(
    "domain",
    [
        "machine('float65')", "machine('exact')", "machine(float64)", "machine(64)", "machine()",
        "machine('float64', 'float64')", "machine_table(interval(0, 1), 'float65', 0, 3, 'finite')",
        "machine_table(interval(0, 1), float64, 0, 3, 'finite')", "machine_table(rows, 'float64', 0, 3, 'finite')",
        "machine_table(interval(1, 0), 'float64', 0, 3, 'finite')", "machine_table(3, 'float64', 0, 3, 'finite')",
        "machine_table(machine('float64'), 'float64', 0, 3, 'finite')",
        "machine_table(interval(0, x), 'float64', 0, 3, 'finite')",
        "machine_table(interval(0, 1), 'float64', 0, n, 'finite')",
        "machine_table(interval(0, 1), 'float64', -1, 3, 'finite')",
        "machine_table(interval(0, 1), 'float64', 0, 1/2, 'finite')",
        "machine_table(interval(0, 1), 'float64', 0, 'x', 'finite')",
        "machine_table(interval(0, 1), 'float64', 1/2, 3, 'finite')",
        "machine_table(interval(0, 1), 'float64', 4, 3, 'finite')",
        "machine_table(interval(0, 1), 'float64', 0, 3, 'all')",
        "machine_table(interval(0, 1), 'float64', 0, 3, finite)",
        "machine_table(interval(0, 1), 'float64', 0, 3)",
    ],
)  # fmt: skip
def test_domain_of_a_machine_that_is_no_set_is_refused(domain):
    require_domain(read("machine_table(interval(0, 1), 'float64', 0, 3, 'special')"))
    with pytest.raises(TermError):
        require_domain(read(domain))


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("'float64', 'naive')", "'float65', 'naive')"), ("'float64', 'naive')", "float64, 'naive')"),
        ("'naive')", "'python')"), ("'naive')", "naive)"), ("'naive')", "'naive', 1)"), (", 'naive')", ")"),
        ("'total'", "'a b'"), ("'total'", "total"), ("interval(0, 1)", "machine('float64')"),
        ("interval(0, 1)", "record(field('a', machine('float64')))"), ("interval(0, 1)", "rows"),
        ("list_of()", "tuple_of()"), ("list_of()", "list_of(fixed('cap', c))"),
    ],
)  # fmt: skip
def test_function_of_a_machine_that_says_nothing_is_refused(part, other, machine_bound):
    written = str(machine_bound.claim.subject)
    require_transformation(read(written))
    assert part in written
    with pytest.raises(TermError):
        require_transformation(read(written.replace(part, other, 1)))


def test_errors_of_mechanisms_are_about_no_numbers_of_a_machine(machine_bound):
    for inputs in (OUTPUTS, str(machine_bound.claim.domain)):
        claim = Tail(read("discrete_laplace(1, 1)"), read(inputs), "absolute_error", "at_least", read("1"), "at_most",
                     read("1/2"))  # fmt: skip
        with pytest.raises(TermError, match="has to do with"):
            require_well_formed(claim)
        require_well_formed(replace(claim, domain=read("grid(1)")))


def test_exact_query_has_no_rows_of_a_machine():
    for rows in (OUTPUTS, f"optional({OUTPUTS})"):
        with pytest.raises(TermError, match="are of numbers"):
            require_transformation(read(f"query('f', '{'0' * 64}', {rows}, list_of())"))


def test_machine_query_stands_in_no_chain_and_is_worked_out_by_nobody(machine_bound):
    subject = str(machine_bound.claim.subject)
    laplace_of_it = f"chain({subject}, discrete_laplace(2, 1))"
    for text in (
        f"private({laplace_of_it}, table(interval(0, 1)), symmetric(1), pure(1))",
        f"private({laplace_of_it}, {machine_bound.claim.domain}, symmetric(1), pure(1))",
        f"private(repeated({laplace_of_it}, 2), table(interval(0, 1)), symmetric(1), pure(1))",
        f"stable(chain({subject}, rounding(1)), table(interval(0, 1)), symmetric(1), grid(1), absolute(1))",
    ):
        with pytest.raises(TermError, match=r"chain|has to do with"):
            require_well_formed(claimed(read(text)))
        with pytest.raises(KernelError):
            rules.unlikely_elsewhere(claim=text, a="tuple_of()", b="tuple_of(1)", event="tuple_of(0)")
    with pytest.raises(TermError, match="has no exact answer"):
        value(machine_bound.claim.subject, (Fraction(1),))
    with pytest.raises(KernelError, match="has no exact answer"):
        rules.unstable_pair(claim=str(machine_bound.claim.term), a="tuple_of()", b="tuple_of(1)")


def test_exact_query_of_the_same_text_is_another_subject():
    """The same function, over the numbers: its claim is another, and each rule concludes its own alone."""
    theorem = rules.runs_stay_related(**exact_data())
    assert theorem.claim.subject.operator == "query"
    assert near().claim.subject.operator == "machine_query"
    claim = near().claim
    stolen = Stable(theorem.claim.subject, claim.domain, claim.metric, claim.d_in, claim.output_domain, "absolute",
                    claim.d_out)  # fmt: skip
    with pytest.raises(TermError, match="only a function that a machine runs"):
        require_well_formed(stolen)


def test_forged_chain_is_refused(machine_bound):
    """A certificate with a second step that chains the bound with noise over a grid, over the reals, or with itself."""
    found = parsed(text_of(certificate(machine_bound, "")))
    noise = {"rule": "filtered", "premises": [],
             "data": {"domain": "reals()", "near": "absolute", "d_in": "2", "total": "pure(1)"}}  # fmt: skip
    for step in (noise, {**noise, "data": {**noise["data"], "domain": "grid(1)"}},
                 {**noise, "data": {**noise["data"], "domain": OUTPUTS}}):  # fmt: skip
        steps = [*found["steps"], step, {"rule": "chain", "premises": [0, 1], "data": {}}]
        with pytest.raises(KernelError, match=r"does not lie in the input domain|has to do with"):
            replay({**found, "steps": steps}, vouching)
    steps = [*found["steps"], {"rule": "chain", "premises": [0, 0], "data": {}}]
    with pytest.raises(KernelError, match="does not lie in the input domain"):
        replay({**found, "steps": steps}, vouching)
    for data_in in ({"d_out": ["1"]}, {"d_out": ["1/2"]}):
        steps = [*found["steps"], {"rule": "weaken", "premises": [0], "data": data_in}]
        with pytest.raises(KernelError, match="cannot strengthen"):
            replay({**found, "steps": steps}, vouching)


def test_weaker_claim_about_a_machine_stays_one():
    weaker = rules.weaken(near(edits="3", bound="4"), d_out=["5"], d_in="2")
    assert (weaker.claim.output_domain, weaker.claim.d_out) == (near().claim.output_domain, (read("5"),))


def test_domain_of_the_claim_has_the_tables_that_the_engine_takes():
    domain = near().claim.domain
    for table, inside in (((), True), ((Fraction(1, 2),), True), ((Fraction(1, 3),), False), ((Fraction(2),), False),
                          ((Fraction(1),) * 51, False), (("nan",), False), ((1,), False)):  # fmt: skip
        assert contains(domain, table) is inside
