"""Claims about all mechanisms: what may be written, that each is what its rule says, and what says another thing."""

import json

import pytest

import refdp.mechanisms
import refdp.transformations  # noqa: F401  (importing them registers metrics, domains and mechanisms)
from refdp import claims
from refdp.claims import UnknownClaim, claim, general, ledger, matching
from refdp.cli.app import app
from refdp.commands.verify import verify
from refdp.general import General, applied, read_general, reason
from refdp.kernel.reading import relation
from refdp.kernel.rules.settle import settled
from refdp.kernel.theorem import RULES
from refdp.spec.registry import stems
from refdp.spec.well_formed import require_mechanism
from refdp.terms.reading import read
from refdp.terms.term import TermError, name, number, substitute
from tests.command_line import CliRunner
from tests.kinds import gaussian_at_1, noisy_count
from tests.meta.repository import ROOT

GENERAL = {c.identifier: c for c in general()}
LEDGER = {c.identifier: c for c in ledger()}
ONE = "private(M, table(rows), symmetric(1), pure(a))"
TWO = "private(N, table(rows), symmetric(1), pure(b))"
SHOW = "private(compose(M, N), table(rows), symmetric(1), pure(a + b))"
BOTH = f"for all mechanisms M, N: if {ONE} and {TWO} then {SHOW}"


@pytest.mark.parametrize("identifier", GENERAL)
def test_each_is_what_its_rule_says(identifier):
    one = GENERAL[identifier]
    found = read_general(one.formal)
    assert read_general(str(found)) == found
    assert reason(found, one.proof) == f"rule {one.rule}, written proof"
    assert one.expected == "PROVED"
    assert one.rule in RULES
    assert f"\n## {one.rule}\n" in (ROOT / "docs/soundness.md").read_text(encoding="utf-8")
    assert one.sentence.endswith(".")
    assert one.source != ""


def test_false_siblings_are_refuted_and_about_one_mechanism():
    """What is said of group privacy, partitions, post-processing, samples and odds where something is left out."""
    siblings = {s for c in GENERAL.values() for s in c.siblings}
    assert {LEDGER[s].expected for s in siblings} == {"REFUTED"}
    assert {
        "definitions.two_steps_with_twice_delta", "composition.parallel_bound_under_change_one",
        "traps.function_that_reads_the_data", "traps.sampled_under_replacement",
    } <= siblings  # fmt: skip
    assert LEDGER["posterior.whatever_the_prior"].expected == "REFUTED"


@pytest.mark.parametrize(
    ("show", "values"),
    [
        ("private(compose(M, M), table(rows), symmetric(1), pure(a))", {"M": "compose(M, M)"}),
        ("private(M, table(rows), symmetric(1), pure(0))", {"a": "0"}),
    ],
)
def test_a_hypothesis_holds_for_no_other_values_of_its_names(show, values):
    """That some mechanism is a-DP for some a says nothing of another mechanism, nor of another a."""
    found = read_general(f"for all mechanisms M: if {ONE} then {show}")
    said = reason(found, f"instantiate(M, values={values})")
    assert said == "rule instantiate does not apply: it is about claims for all names, and a hypothesis is about some"


def test_a_rule_that_does_not_apply_says_nothing_whatever_its_line_ends_with(monkeypatch, tmp_path):
    one = GENERAL["every_mechanism.parallel_pure"]
    fields = {f: getattr(one, f) for f in one.__dataclass_fields__}
    fields["proof"] = one.proof.replace("add_remove", "x, written proof")
    monkeypatch.setattr(claims, "general", lambda: (claims.Claim(**fields),))
    found = verify(one.identifier, tmp_path)
    assert found["claims"][0]["reason"].endswith("got x, written proof")
    assert (found["as_expected"], found["surprises"]) == (0, 1)


MUTANTS = [
    ("every_mechanism.sequential_pure", "pure(a + b)", "pure(max(a, b))"),
    ("every_mechanism.sequential_pure", "pure(a + b)", "pure(a)"),
    ("every_mechanism.sequential_pure", "symmetric(d_in), pure(b)", "symmetric(1), pure(b)"),
    ("every_mechanism.sequential_pure", "symmetric(d_in), pure(b)", "change_one(d_in), pure(b)"),
    ("every_mechanism.sequential_pure", "compose(M, N)", "compose(N, M)"),
    ("every_mechanism.sequential_pure", "compose(M, N)", "compose(M, N, M)"),
    ("every_mechanism.sequential_approximate", "c + d)", "max(c, d))"),
    ("every_mechanism.sequential_renyi", "renyi(order, b)", "renyi(other, b)"),
    ("every_mechanism.repeated_pure", "k * e", "(k - 1) * e"),
    ("every_mechanism.repeated_pure", ", 1 <= k", ""),
    ("every_mechanism.group_pure", "k * e", "e"),
    ("every_mechanism.group_pure", "symmetric(1), pure(e)", "symmetric(d_in), pure(e)"),
    ("every_mechanism.group_approximate", "d * ((exp(k * e) - 1) / (exp(e) - 1))", "k * d"),
    ("every_mechanism.group_approximate", ", 0 < e", ""),
    ("every_mechanism.group_concentrated", "k * k * rho", "k * rho"),
    ("every_mechanism.replaced_rows", "symmetric(2)", "symmetric(1)"),
    ("every_mechanism.parallel_replaced", "max(a, b) + max(a, b)", "max(a, b)"),
    ("every_mechanism.parallel_pure", "max(a, b)", "a"),
    ("every_mechanism.post_processed_pure", "user_function('f'), M), table(rows), symmetric(d_in), pure(e)",
     "user_function('f'), M), table(rows), symmetric(d_in), pure(e / 2)"),
    ("every_mechanism.post_processed_pure", "user_function('f')", "user_function('g')"),
    ("every_mechanism.poisson_sampled_pure", "rate * (exp(e) - 1)", "rate * e"),
    ("every_mechanism.poisson_sampled_pure", "symmetric(1)", "change_one(1)"),
    ("every_mechanism.poisson_sampled_pure", ", rate <= 1", ""),
    ("every_mechanism.fixed_size_sampled_pure", "change_one(1), pure(e)", "symmetric(1), pure(e)"),
    ("every_mechanism.fixed_size_sampled_pure", "sample / size", "sample / (size + 1)"),
    ("every_mechanism.pure_to_concentrated", "e ** 2 / 2", "e ** 2 / 4"),
    ("every_mechanism.concentrated_to_approximate", "2 * sqrt", "sqrt"),
    ("every_mechanism.concentrated_to_approximate", "0 < delta, ", ""),
    ("every_mechanism.renyi_to_approximate", "(order - 1)", "order"),
    ("every_mechanism.pure_to_approximate", "approximate(e, 0)", "approximate(e / 2, 0)"),
]  # fmt: skip


@pytest.mark.parametrize(("identifier", "old", "new"), MUTANTS)
def test_what_a_rule_does_not_say_is_told_apart(monkeypatch, tmp_path, identifier, old, new):
    """And is a surprise to `refdp verify`, which ends with 1."""
    one = GENERAL[identifier]
    assert old in str(read_general(one.formal))
    wrong = str(read_general(one.formal)).replace(old, new)
    said = reason(read_general(wrong), one.proof)
    assert said.startswith((f"rule {one.rule} says another thing: private(", f"rule {one.rule} does not apply: "))
    fields = {f: getattr(one, f) for f in one.__dataclass_fields__}
    monkeypatch.setattr(claims, "general", lambda: (claims.Claim(**fields | {"formal": wrong}),))
    found = verify(identifier, tmp_path)
    assert (found["as_expected"], found["surprises"]) == (0, 1)
    assert found["claims"][0]["reason"] == said


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"for all M: if {ONE} then {SHOW}", "a claim about all mechanisms is"),
        (f"for all mechanisms m: if {ONE} then {SHOW}", "a claim about all mechanisms is"),
        (f"if {ONE} then {SHOW}", "a claim about all mechanisms is"),
        (f"for all mechanisms M: {ONE} then {SHOW}", "a claim about all mechanisms is"),
        (f"for all mechanisms M, M: if {ONE} and {ONE} then {ONE}", "variables for mechanisms must differ"),
        (f"for all mechanisms M, N: if {ONE} then {SHOW}", "must be the subject of one hypothesis"),
        (f"for all mechanisms M: if {ONE} and {TWO} then {SHOW}", "must be the subject of one hypothesis"),
        (f"for all mechanisms N, M: if {ONE} and {TWO} then {SHOW}", "must be the subject of one hypothesis"),
        (f"for all mechanisms M, N: if {ONE} and {ONE} then {SHOW}", "must be the subject of one hypothesis"),
        (f"for all mechanisms M: if {ONE} then {TWO}", "M must stand in the subject of the conclusion"),
        (f"for all mechanisms M, N: if {ONE} and {TWO} then {ONE}", "N must stand in the subject of the conclusion"),
        (f"for all mechanisms M: if {ONE} then {ONE.replace('pure(a)', 'pure(M)')}", "nowhere but in subjects"),
        (f"for all mechanisms M: if {ONE.replace('pure(a)', 'pure(a), 0 < M')} then {ONE}", "nowhere but in subjects"),
        (f"for all mechanisms M: if {ONE.replace('table(rows)', 'table(M)')} then {ONE}", "nowhere but in subjects"),
        (f"for all mechanisms M: if {ONE} then stable(M, table(rows), symmetric(1), reals(), absolute(1))", "private"),
        (f"for all mechanisms M: if {ONE} then refuted({ONE})", "not a private or stable claim"),
        (f"for all mechanisms M: if {ONE.replace('symmetric', 'nearby')} then {ONE}", "nearby"),
        (f"for all mechanisms M: if {ONE.replace('pure(a)', 'pure(a, b)')} then {ONE}", "d_out under pure"),
        (f"for all mechanisms M: if {ONE.replace('table(rows)', '3')} then {ONE}", "is not a domain"),
        (f"for all mechanisms M: if {ONE} then {ONE[:-1]}", "private"),
    ],
)  # fmt: skip
def test_what_is_no_such_claim_is_refused(text, why):
    with pytest.raises((TermError, SyntaxError, ValueError), match=why) as caught:
        read_general(text)
    assert isinstance(caught.value, TermError)


@pytest.mark.parametrize(
    "line",
    ["compose(M)", "compose(N, M)", "compose(M, N, M)", "compose", "compose(M, N", "nothing(M, N)", "compose(*[M, N])",
     "compose(M, N, k=print())", "__import__('os')", "rules.compose(M, N)", ""],
)  # fmt: skip
def test_line_that_applies_no_rule_to_the_hypotheses_is_refused(line):
    with pytest.raises(TermError, match="must apply a rule"):
        applied(line, read_general(BOTH))


@pytest.mark.parametrize("line", ["parallel(M, N, partition='0', neighbours='add_remove')", "compose_optimal(M, N)",
                                  "compose(M, N, k='2')", "chain(M, N)"])  # fmt: skip
def test_rule_that_does_not_apply_is_told(line):
    assert reason(read_general(BOTH), line).startswith(f"rule {line.partition('(')[0]} does not apply: ")


def test_text_that_stands_in_quotation_marks_does_not_split_a_claim():
    found = read_general(BOTH.replace("compose(M, N)", "compose(post_process(user_function('(a and b'), M), N)"))
    assert isinstance(found, General)
    assert "user_function('(a and b')" in str(found)


def instance(identifier, theorems, values):
    """The claim with mechanisms and names replaced by those of theorems."""
    found = read_general(GENERAL[identifier].formal)
    mechanisms = {m: t.claim.subject for m, t in zip(found.mechanisms, theorems, strict=True)}
    numbers = {key: read(value) for key, value in values.items()}
    hypotheses = [substitute(h.term, mechanisms | numbers) for h in found.given]
    return hypotheses, substitute(found.show.term, mechanisms | numbers)


INSTANCES = [
    ("sequential_pure", [noisy_count("2"), noisy_count("3")],
     {"rows": "records()", "d_in": "1", "a": "1/2", "b": "1/3"}, {}),
    ("parallel_pure", [noisy_count("2"), noisy_count("3")], {"a": "1/2", "b": "1/3"},
     {"partition": "category_of('column', list_of('A', 'B'), 2)", "neighbours": "add_remove"}),
    ("parallel_replaced", [noisy_count("5"), noisy_count("3")], {"a": "1/5", "b": "1/3"},
     {"partition": "category_of('column', list_of('A', 'B'), 2)", "neighbours": "change_one"}),
    ("group_pure", [noisy_count("2")], {"rows": "records()", "e": "1/2", "k": "7"}, {"k": "7"}),
    ("pure_to_approximate", [noisy_count("2")], {"rows": "records()", "d_in": "1", "e": "1/2"}, {}),
    ("pure_to_concentrated", [noisy_count("2")], {"rows": "records()", "d_in": "1", "e": "1/2"}, {}),
    ("post_processed_pure", [noisy_count("2")], {"rows": "records()", "d_in": "1", "e": "1/2"},
     {"function": "user_function('f')"}),
    ("poisson_sampled_pure", [noisy_count("2")], {"rows": "records()", "e": "1/2", "rate": "1/3"}, {"rate": "1/3"}),
]  # fmt: skip


@pytest.mark.parametrize(("notion", "theorems", "values", "data"), INSTANCES)
def test_instances_of_claims_are_what_the_rule_makes_of_theorems(notion, theorems, values, data):
    """At mechanisms and numbers: hypotheses are the theorems' claims, and the conclusion is the rule's, in numbers."""
    one = GENERAL[f"every_mechanism.{notion}"]
    hypotheses, show = instance(one.identifier, theorems, values)
    assert hypotheses == [t.claim.term for t in theorems]
    bounds = ["0.2"] if notion == "poisson_sampled_pure" else None  # it is irrational
    made = RULES[one.rule](*theorems, **data, **({"d_out": bounds} if bounds else {})).claim
    assert settled(relation(show), bounds) == made


def test_no_theorem_is_about_a_variable():
    """The kernel refuses a subject that is a name: so no rule can be led to conclude a claim about all mechanisms."""
    for variable in ("M", "N"):
        assert variable not in stems()
        with pytest.raises(TermError):
            require_mechanism(name(variable))
    assert gaussian_at_1().claim.subject != name("M")
    assert number(1) != name("M")


def test_verify_says_that_they_are_proved_and_by_whom():
    done = CliRunner().invoke(app, ["verify", "every_mechanism.*", "--json"])
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert (len(found["claims"]), found["as_expected"], found["surprises"]) == (len(GENERAL),) * 2 + (0,)
    assert {c["verdict"] for c in found["claims"]} == {"PROVED"}
    assert all(c["certificate"] is None and len(c["trusts"]) == 2 for c in found["claims"])
    assert all(c["trusts"][0].startswith("Rocq ") for c in found["claims"])
    shown = CliRunner().invoke(app, ["verify", "every_mechanism.group*"])
    assert shown.stdout.count("Rocq 8") >= 3
    assert "3 claims: 3 PROVED; 3 as expected, 0 surprises" in shown.stdout


def test_claims_about_all_mechanisms_are_matched_and_have_no_walk():
    assert {c.identifier for c in matching("every_mechanism.*")} == set(GENERAL)
    with pytest.raises(
        UnknownClaim, match=r"must have a theorem of the kernel, got every_mechanism\.group_pure.*soundness.md#group"
    ):
        claim("every_mechanism.group_pure")
    done = CliRunner().invoke(app, ["explain", "every_mechanism.group_pure"])
    assert done.exit_code == 2
