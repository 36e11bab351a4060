"""A forged, edited, truncated or stale certificate is rejected by `refdp check`, or says just what the true one said.

Most tests ask a stub that vouches for everything: what they show does not rest on a solver finding the lie.
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import fields, replace
from itertools import permutations
from math import factorial

import pytest

import refdp.commands.check as check
from refdp.claims import ledger
from refdp.cli.app import app
from refdp.kernel import rules
from refdp.kernel.certificate import LARGEST_FILE, certificate, text_of
from refdp.mechanisms.discrete_laplace import DISCRETE_LAPLACE
from refdp.mechanisms.exponential import EXPONENTIAL
from refdp.mechanisms.gaussian import GAUSSIAN
from refdp.mechanisms.k_ary_randomised_response import K_ARY_RANDOMISED_RESPONSE
from refdp.mechanisms.permute_and_flip import PERMUTE_AND_FLIP
from refdp.mechanisms.truncated_geometric import TRUNCATED_GEOMETRIC
from refdp.provers.answers import Answer
from refdp.report.check_tables import about
from refdp.spec.formulas import Formula
from refdp.spec.rows import Edit
from refdp.terms.term import number
from refdp.transformations.clamped_sum import CLAMPED_SUM
from refdp.transformations.histogram import HISTOGRAM
from tests.command_line import CliRunner
from tests.kinds import CERTIFICATES, instead, noise, noisy_count, vouched
from tests.made import certificate_of
from tests.trust.mutations import mutations

run = CliRunner().invoke
STUB = "stub"


@pytest.fixture
def judged(tmp_path, monkeypatch):
    """Judges a certificate, or the bytes of one, as `refdp check` does, asking a stub that vouches for everything."""
    monkeypatch.setattr(check, "run", lambda *asked: Answer("proved", frozenset({STUB})))
    return lambda found: judgement(found, tmp_path / "certificate.json")


def judgement(found, path):
    """What `refdp check` says of a certificate, or of bytes."""
    path.write_bytes(found if isinstance(found, bytes) else json.dumps(found).encode())
    return check.replayed_file(path, "z3", None, 20.0)


def said(judgement):
    """All that a judgement says, but of its path and time."""
    return {key: judgement.get(key) for key in ("verdict", "claim", "conclusion", "trusts")}


EVERY = {"composition.sequential_approximate", "composition.greatest_instead_of_sum", "user_rows.map_add_remove",
         "exponential.without_the_factor_2", "clamped_sum.width_under_add_remove", "renormalised_geometric.pure",
         "gaussian.normalised", "unclamped_sum.finite_sensitivity", "discrete_laplace.pure"}  # fmt: skip
SAMPLED = {"discrete_gaussian.concentrated_vector": 15, "histogram.change_one_l2": 40,
           "composition.group_approximate": 9, "composition.parallel_change_one": 13,
           "composition.concentrated_to_renyi": 11,
           "composition.chain_stability": 3, "discrete_gaussian.sampler_law": 150}  # fmt: skip
"""Of certificates whose replay takes longer, one mutation in so many."""

HARMLESS = (
    r"steps\.\d+\.data(\.values)?: is turned around",  # an object is the same in another order
    r"steps\.\d+\.data\.by: loses \d",  # the name is in another step; and who vouches now is asked anew
    r"steps\.\d+\.data: loses sized",  # "no" is what it is without
    r"steps\.\d+\.premises: (has 0 last|is turned around)",  # compose(M, M)
    r"steps\.\d+\.data\.d_out\.1: .*",  # a step between that claims another delta, rounded up to the same one after
    r"steps\.\d+\.data\.values\.d_in: .*",  # a mechanism taken at a distance that covers what reaches it
    r"steps\.\d+\.data\.cases\.\d+: has \d+ at \d+ .*",  # another identity of that case: a fact that stands twice
    r"steps\.\d+\.data\.cases: .*",  # cases that have the same identity, in another order
    r"steps\.0\.data\.(claim|b): .*",  # another witness, of another false instance that is at least as strong
)
"""What may be changed without changing what is concluded, whose claim it is, and who is believed."""


@pytest.mark.parametrize("identifier", sorted(EVERY | SAMPLED.keys()))
def test_mutated_certificate_is_rejected_or_says_the_same(judged, identifier):
    """Each key, list, text and number changed, dropped, doubled, reordered or given another type."""
    found = certificate_of(identifier)
    honest = said(judged(found))
    assert honest["verdict"] in ("PROVED", "REFUTED")
    changes = list(mutations(found))[:: SAMPLED.get(identifier, 1)]
    assert len(changes) > 60
    survivors = []
    for how, mutated in changes:
        now = said(judged(mutated))
        if now["verdict"] == "REJECTED":
            continue
        if how == "claim: becomes str":
            assert now == {**honest, "claim": check.DERIVED}, how
            continue
        assert now == honest, how
        survivors.append(how)
    assert len(survivors) < len(changes) / 12
    assert [how for how in survivors if not any(re.fullmatch(pattern, how) for pattern in HARMLESS)] == []


@pytest.mark.parametrize("identifier", ["discrete_laplace.pure", "composition.greatest_instead_of_sum"])
def test_truncated_certificate_is_rejected(judged, identifier):
    content = (CERTIFICATES / f"{identifier}.json").read_bytes()
    assert judged(content)["verdict"] != "REJECTED"
    for end in range(len(content) - 2):
        assert judged(content[:end])["verdict"] == "REJECTED", end


def test_certificate_with_a_changed_byte_is_rejected_or_says_the_same(judged):
    """A bit of every byte; what remains is white space, or the name of an oracle that another step names too."""
    content = (CERTIFICATES / "randomised_response.normalised.json").read_bytes()
    honest, same = said(judged(content)), 0
    for i in range(0, len(content), 17):
        for bit in (0x01, 0x20):
            mutated = content[:i] + bytes([content[i] ^ bit]) + content[i + 1 :]
            now = said(judged(mutated))
            if now["verdict"] != "REJECTED":
                assert now == honest, mutated[max(0, i - 20) : i + 20]
                same += 1
    assert same < len(content) / 100


@pytest.mark.parametrize(
    "identifier", ["discrete_gaussian.concentrated", "permute_and_flip.pure", "histogram.change_one_l1"]
)
def test_certificate_with_premises_in_another_order_is_rejected(judged, identifier):
    found = certificate_of(identifier)
    right = found["steps"][-1]["premises"]
    for order in [*permutations(right)][1 :: max(1, factorial(len(right)) // 30)]:
        found["steps"][-1]["premises"] = list(order)
        assert judged(found)["verdict"] == "REJECTED"
    found["steps"][-1]["premises"] = right
    assert judged(found)["verdict"] == "PROVED"


def without(found, dropped):
    """The certificate without a step, the others' premises pointing where they did."""
    steps = [s for i, s in enumerate(found["steps"]) if i != dropped]
    for s in steps:
        s["premises"] = [p - (p > dropped) for p in s["premises"] if p != dropped]
    return {**found, "steps": steps}


@pytest.mark.parametrize(
    "identifier", ["permute_and_flip.pure", "composition.parallel_add_remove", "composition.weaken"]
)
def test_certificate_without_one_of_its_steps_is_rejected(judged, identifier):
    for i in range(len(certificate_of(identifier)["steps"])):
        assert judged(without(certificate_of(identifier), i))["verdict"] == "REJECTED", i


def test_certificate_with_a_step_more_is_rejected_unless_it_weakens_nothing(judged):
    """A step that nothing uses, in front or at the end, a lemma of something else as one more premise."""
    found = certificate_of("discrete_laplace.pure")
    stranger = certificate_of("composition.pointwise_weaken")["steps"][0]
    steps = found["steps"]
    shifted = [{**s, "premises": [p + 1 for p in s["premises"]]} for s in steps]
    more = {**steps[2], "premises": [0, 1, 2]}
    for forged in (
        [*steps, stranger],
        [*steps, steps[-1]],
        [stranger, *shifted],
        [*steps[:2], stranger, {**more, "premises": [0, 1]}],
        [*steps[:2], stranger, {**more, "premises": [0, 1, 2]}],
        [*steps[:2], stranger, {**more, "premises": [2, 0, 1]}],
    ):
        judgement = judged({**found, "steps": forged})
        assert judgement["verdict"] == "REJECTED"


@pytest.mark.parametrize("rule", ["believe", "axiom", "trusted", "oracle_", "additive_noise ", "os.system", "settled"])
def test_certificate_by_an_unknown_rule_is_rejected(judged, rule):
    found = certificate_of("discrete_laplace.pure")
    found["steps"][-1]["rule"] = rule
    assert "is not a rule of this kernel" in judged(found)["reason"]


@pytest.mark.parametrize("key", ["statement", "smt_lib", "show", "given", "obligation_text", "term", "import", "code"])
def test_certificate_that_brings_its_own_obligation_is_rejected(judged, key):
    found = certificate_of("discrete_laplace.pure")
    found["steps"][0]["data"][key] = "(set-logic QF_LRA) (assert false) (check-sat)"
    assert f"it takes no such {key}" in judged(found)["reason"]
    found = certificate_of("discrete_laplace.pure")
    found["steps"][0][key] = "(assert false)"
    assert "step 0 must be an object with the keys" in judged(found)["reason"]
    found = {**certificate_of("discrete_laplace.pure"), key: "(assert false)"}
    assert "must be an object with the keys" in judged(found)["reason"]


@pytest.mark.parametrize(
    "stem", ["laplace", "gaussian", "os", "refdp.mechanisms.laplace", "../laplace", "discrete_laplace ", "", "count"]
)
def test_certificate_that_points_at_another_module_is_rejected(judged, stem):
    found = certificate_of("discrete_laplace.pure")
    found["steps"][-1]["data"]["stem"] = stem
    assert judged(found)["verdict"] == "REJECTED"
    for step in found["steps"][:2]:
        step["data"]["obligation"] = step["data"]["obligation"].replace("discrete_laplace", stem)
    assert judged(found)["verdict"] == "REJECTED"
    found["conclusion"] = found["conclusion"].replace("discrete_laplace", stem)
    assert judged(found)["verdict"] == "REJECTED"


def test_certificate_with_the_lemmas_of_something_weaker_is_rejected(judged):
    """Each lemma replaced by each other lemma of the package, with its own right digest."""
    found = certificate_of("discrete_laplace.pure")
    names = ("laplace.pure", "discrete_gaussian.concentrated", "clamp.add_remove", "composition.pointwise_weaken")
    others = [certificate_of(name)["steps"][0] for name in names]
    for i in range(2):
        for other in [*others, found["steps"][1 - i]]:
            steps = [other if j == i else s for j, s in enumerate(found["steps"])]
            assert judged({**found, "steps": steps})["verdict"] == "REJECTED"


def test_certificate_under_the_name_of_another_claim_is_rejected(judged):
    """A true theorem is no proof of another claim; nor is it one that the ledger does not have."""
    found = certificate_of("discrete_laplace.pure")
    for claim in ("laplace.pure", "discrete_laplace.pure_vector", "discrete_laplace.half_noise", "discrete_laplace",
                  "nothing.pure", "discrete_laplace.pure ", "DISCRETE_LAPLACE.PURE", "*"):  # fmt: skip
        assert judged({**found, "claim": claim})["verdict"] == "REJECTED"
    assert judged({**found, "claim": check.DERIVED})["conclusion"] == found["conclusion"]


def test_certificate_of_an_instance_is_no_certificate_of_the_claim(judged):
    """Everything right, only that it is about scale = 1, or about more loss, and not about every scale."""
    values = {"scale": "1", "granularity": "1", "d_in": "1"}
    for theorem in (rules.instantiate(noise(), values=values), noisy_count(), rules.pure_to_approximate(noise())):
        forged = certificate(theorem, "discrete_laplace.pure")
        assert judged({**forged, "claim": ""})["verdict"] == "PROVED"
        assert "is not the claim discrete_laplace.pure" in judged(forged)["reason"]


def test_certificate_of_a_false_claim_is_no_proof_and_of_a_true_one_no_refutation(judged):
    assert (
        judged({**certificate_of("discrete_laplace.pure"), "claim": "discrete_laplace.half_noise"})["verdict"]
        == "REJECTED"
    )
    refuted = certificate_of("discrete_laplace.half_noise")
    assert judged(refuted)["verdict"] == "REFUTED"
    assert judged({**refuted, "claim": "discrete_laplace.pure"})["verdict"] == "REJECTED"


@pytest.mark.parametrize("names", [["nobody"], ["cvc5 1.4.2"], ["axiom", "z3 5.4.0"], ["assumption: it holds"]])
def test_certificate_that_names_others_as_oracles_is_believed_only_as_far_as_those_asked_now(judged, names):
    """Consistent in itself; who vouches now is what counts, and what is shown."""
    found = vouched("discrete_laplace.pure", *names)
    assert judged({**found, "trusts": []})["verdict"] == "REJECTED"
    assert judged({**found, "trusts": names})["trusts"] == [STUB]


def test_certificate_cannot_hide_an_assumption_behind_the_name_of_an_oracle(judged, tmp_path):
    """An oracle `named` as the code or the assumption that a later step adds: still that step adds it."""
    for identifier, hidden in (
        ("discrete_laplace.sampler_law", "code: refdp.sampling"),
        ("composition.post_process", "code: refdp.transformations"),
    ):
        found = vouched(identifier)
        assert hidden in judged(found)["trusts"]
        for step in found["steps"]:
            if step["rule"] == "oracle":
                step["data"]["by"] = sorted({*step["data"]["by"], hidden})
        assert judged(found)["trusts"] == sorted({STUB, hidden})
        strict = check.replayed_file(tmp_path / "certificate.json", "z3", [STUB], 20.0)
        assert strict["verdict"] == "REJECTED"
        assert hidden in strict["reason"]


CHANGED = [
    (DISCRETE_LAPLACE, ["log_weight", "tail_rate", "tail_offset", "normaliser"]),
    (GAUSSIAN, ["log_weight", "tail_rate", "tail_offset", "normaliser"]),
    (K_ARY_RANDOMISED_RESPONSE, ["size", "pmf", "cumulative", "ratio_bound"]),
    (TRUNCATED_GEOMETRIC, ["log_weight", "interior", "edge", "privacy_map"]),
    (EXPONENTIAL, ["log_weight", "privacy_map"]),
    (PERMUTE_AND_FLIP, ["log_flip", "log_survival", "privacy_map"]),
    (CLAMPED_SUM, ["contribution", "units", "output_step"]),
    (HISTOGRAM, ["contribution", "units", "output_step"]),
]


def doubled(f: Formula) -> Formula:
    """The formula with a constant changed, in unsafe and safe direction alike: twice its value, and 1 more."""
    return replace(f, term=2 * f.term + number(1))


def variants(kind, names):
    """The kind with one of its formulas changed, by the name of the formula."""
    plain = {f.name: getattr(kind, f.name) for f in fields(kind)}
    for name in names:
        yield name, replace(kind, **{name: doubled(plain[name])})
    for measure, f in plain.get("privacy_maps", {}).items():
        yield f"map {measure}", replace(kind, privacy_maps={measure: doubled(f)})
    for key, edit in plain.get("edits", {}).items():
        wrong = Edit(doubled(edit.bound), edit.prefix)
        yield f"bound {' '.join(key)}", replace(kind, edits={**kind.edits, key: wrong})


@pytest.mark.parametrize(("kind", "names"), CHANGED, ids=[k.stem for k, _ in CHANGED])
def test_stale_certificate_is_rejected(judged, kind, names):
    """A constant of a formula is changed in the package, under the same stem, and the certificate is kept."""
    found = [certificate_of(c.identifier) for c in ledger() if c.stem == kind.stem]
    proofs = [c for c in found if c["steps"][0]["rule"] in ("algebra", "oracle")]
    refuting = [c["conclusion"].startswith("refuted(") for c in proofs]
    assert [judged(c)["verdict"] for c in proofs] == ["REFUTED" if yes else "PROVED" for yes in refuting]
    for name, variant in variants(kind, names):
        with instead(variant):
            after = [judged(c) for c in proofs]
        rejected = [j for j in after if j["verdict"] == "REJECTED"]
        assert rejected, name
        assert any("have changed since the certificate" in j["reason"] for j in rejected), name
        # What is still accepted concludes what it did: its lemmas do not speak of that formula.
        kept = [(j["conclusion"], c["conclusion"]) for j, c in zip(after, proofs, strict=True) if "conclusion" in j]
        assert all(now == then for now, then in kept), name


def test_stale_certificate_is_rejected_where_a_condition_or_a_parameter_is_gone(judged):
    found = certificate_of("discrete_laplace.pure")
    wider = replace(DISCRETE_LAPLACE, conditions=DISCRETE_LAPLACE.conditions[:1])
    with instead(wider):
        assert judged(found)["verdict"] == "REJECTED"
    turned = replace(
        DISCRETE_LAPLACE, parameters=("granularity", "scale"), example=dict(reversed(DISCRETE_LAPLACE.example.items()))
    )
    with instead(turned):
        assert judged(found)["verdict"] == "REJECTED"


WITNESSED = ["composition.greatest_instead_of_sum", "exponential.without_the_factor_2", "discrete_laplace.half_noise",
             "composition.parallel_on_overlapping_parts", "clamped_sum.width_under_add_remove",
             "histogram.add_remove_bound_under_change_one"]  # fmt: skip


@pytest.mark.parametrize("identifier", WITNESSED)
def test_refuted_claim_needs_its_witness(judged, identifier):
    """The same inputs, inputs outside the domain or too far apart, no event, an outcome twice, another claim."""
    found = certificate_of(identifier)
    assert judged(found)["verdict"] == "REFUTED"
    data = found["steps"][0]["data"]
    edits = [
        {"a": data["b"]},
        {"b": data["a"]},
        {"a": "'text'"},
        {"a": "tuple_of(tuple_of(tuple_of()))"},
        {"b": data["b"].replace("(", "(1/7, ") if "(" in data["b"] else "1/7"},
        {"b": "tuple_of(0, 0, 0, 0, 0)" if "(" in data["b"] else "1000000"},
        {"a": "x"},
        {"claim": certificate_of("composition.finite_mechanism")["conclusion"]},
        {"claim": "discrete_laplace.half_noise"},
    ]
    if "event" in data:
        outcome = data["event"].removeprefix("tuple_of(").removesuffix(")")
        edits += [{"event": e} for e in ("tuple_of()", f"tuple_of({outcome}, {outcome})", "tuple_of('x')", outcome)]
    for edit in edits:
        forged = {**found, "steps": [{**found["steps"][0], "data": {**data, **edit}}, *found["steps"][1:]]}
        assert judged(forged)["verdict"] == "REJECTED", edit


def test_refuted_claim_of_the_ledger_is_not_refuted_by_the_witness_of_a_weaker_one(judged):
    """That (1/4)-DP is false at scale 1 does not show that the (1/2)-DP of the ledger is."""
    found = certificate_of("discrete_laplace.half_noise")
    first = found["steps"][0]["data"]
    first["claim"] = first["claim"].replace("pure(1/2)", "pure(1/4)")
    assert judged(found)["verdict"] == "REJECTED"
    assert "is no instance of" in judged(found)["reason"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe{\x00}\x00",
        b"\xef\xbb\xbf{}",
        "{}".encode("utf-16"),
        b'{"format": "refdp-certificate/1", "claim": "\xff"}',
        b"\x00" * 1_000,
        b"[" * 10_000,
        b'{"steps":' * 10_000,
        b"[" * 10_000 + b"]" * 10_000,
        b'{"format": NaN}',
        b'{"format": 1e400}',
        b"9" * 10_000,
        b"{" + b" " * LARGEST_FILE + b"}",
        b'"' + b"a" * (2 * LARGEST_FILE) + b'"',
    ],
    ids=range(14),
)
def test_bytes_that_are_no_certificate_are_rejected(judged, content):
    judgement = judged(content)
    assert judgement["verdict"] == "REJECTED"
    assert len(judgement["reason"]) <= check.LONGEST_REASON


DEEP = "(" * 10_000 + "1" + ")" * 10_000
LARGE = [DEEP, "f(" * 10_000 + ")" * 10_000, "-" * 10_000 + "1", "+".join(["1"] * 10_000), "9" * 10_000,
         "0x" + "f" * 10_000, "1 / " + "9" * 4_000, "((2 ** 64) ** 64) ** 64", "2 ** " + "9" * 1_000,
         "1 < " * 5_000 + "1", "'" + "a" * 19_000 + "'", "min(" + "1, " * 5_000 + "1)", "exp(exp(exp(exp(1000))))",
         "\x00", "\ud800", "1e999999", "NaN", "inf", "1" + "0" * 19_000, "x" * 30_000]  # fmt: skip


@pytest.mark.parametrize("text", LARGE, ids=range(len(LARGE)))
def test_deep_long_and_large_terms_are_rejected_at_once(judged, text):
    """As a value, as a claim, as a witness, and as a bound."""
    found = certificate_of("composition.chain_privacy")
    at = next(i for i, s in enumerate(found["steps"]) if s["rule"] == "instantiate")
    found["steps"][at]["data"]["values"]["upper"] = text
    refuted = certificate_of("composition.greatest_instead_of_sum")
    for key in ("claim", "a", "event"):
        forged = json.loads(json.dumps(refuted))
        forged["steps"][0]["data"][key] = text
        assert judged(forged)["verdict"] == "REJECTED"
    weak = certificate_of("composition.weaken")
    weak["steps"][-1]["data"]["d_out"] = [text]
    for forged in (found, weak):
        judgement = judged(forged)
        assert judgement["verdict"] == "REJECTED"
        assert len(judgement["reason"]) <= check.LONGEST_REASON
        assert judgement["reason"].isprintable()


def test_certificate_whose_claims_grow_without_end_is_rejected_at_once(judged):
    """Each of 1000 steps squares the distance; each of 1000 negates it."""
    family = certificate(noise(), "")
    for value in ("d_in * d_in", "-d_in", "abs(d_in)"):
        steps = list(family["steps"])
        for _ in range(1_000):
            steps.append({"rule": "instantiate", "premises": [len(steps) - 1], "data": {"values": {"d_in": value}}})
        assert judged({**family, "steps": steps})["verdict"] == "REJECTED"


def test_certificate_that_fails_in_any_way_is_rejected_in_one_line(judged):
    """Whatever a certificate says is repeated as one line of printable characters, cut off where it is long."""
    for claim in ("\x1b[2J\x1b[1;32mPROVED", "a\nPROVED", "\ud800", "[red]", "x" * 500_000):
        judgement = judged({**certificate_of("discrete_laplace.pure"), "claim": claim})
        assert judgement["verdict"] == "REJECTED"
        assert judgement["reason"].isprintable()
        assert len(judgement["reason"]) <= 6 * check.LONGEST_REASON


# With real oracles, and through the command line.


def test_forged_digest_of_a_false_statement_is_found_false_by_the_solver(tmp_path):
    """Half the loss in the map, the digests made right: nothing but the solver stands between, and it does."""
    half = replace(DISCRETE_LAPLACE.privacy_maps["pure"], term=DISCRETE_LAPLACE.privacy_maps["pure"].term / number(2))
    with instead(replace(DISCRETE_LAPLACE, privacy_maps={"pure": half})):
        forged = {**certificate(noise(), ""), "trusts": ["a test"]}
        judgement = judgement_of(forged, tmp_path)
    assert judgement["verdict"] == "REJECTED"
    assert "it is false at" in judgement["reason"]


def judgement_of(found, folder):
    return judgement(found, folder / "certificate.json")


def test_certificate_by_a_named_oracle_that_does_not_exist_is_asked_of_one_that_does(tmp_path):
    found = vouched("composition.pointwise_weaken", "oracle of Delphi")
    judgement = judgement_of(found, tmp_path)
    assert judgement["verdict"] == "PROVED"
    assert any(t.startswith("z3 ") for t in judgement["trusts"])
    assert "oracle of Delphi" not in judgement["trusts"]


def test_certificate_of_an_integral_that_names_an_smt_solver_is_not_proved(tmp_path):
    found = certificate_of("gaussian.normalised")
    found["steps"][0]["data"]["by"] = found["trusts"] = ["z3 5.4.0"]
    assert judgement_of(found, tmp_path)["verdict"] == "UNKNOWN"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"conclusion": "private(discrete_laplace(scale, granularity), grid(granularity), absolute(d_in), pure(0))"},
         "replay concludes"),
        ({"claim": "laplace.pure"}, "is not the claim laplace.pure"),
        ({"trusts": ["nobody"]}, "replay trusts"),
        ({"steps": []}, "must have 1 to 2000 steps"),
    ],
)  # fmt: skip
def test_forged_certificate_on_the_command_line_exits_1_with_one_sentence(tmp_path, change, sentence):
    path = tmp_path / "forged.json"
    path.write_text(text_of({**certificate_of("discrete_laplace.pure"), **change}))
    done = run(app, ["check", str(path), "--json"])
    assert done.exit_code == 1
    said = json.loads(done.stdout)
    assert (said["replayed"], said["rejected"], said["unknown"]) == (0, 1, 0)
    assert sentence in said["certificates"][0]["reason"]
    assert "\n" not in said["certificates"][0]["reason"]


def test_forged_certificate_among_true_ones_is_rejected_and_the_others_replay(tmp_path):
    """In a process of its own, as a person would run it; no traceback."""
    for identifier in ("composition.finite_mechanism", "composition.greatest_instead_of_sum"):
        (tmp_path / f"{identifier}.json").write_text(text_of(certificate_of(identifier)))
    deep = certificate_of("composition.finite_mechanism")
    deep["steps"][0]["data"]["subject"] = DEEP
    (tmp_path / "deep.json").write_text(text_of(deep))
    (tmp_path / "escape.json").write_text(text_of({**deep, "claim": "\x1b[2J\ud800"}))
    environment = {**os.environ, "PYTHONPATH": str(CERTIFICATES.parents[2])}
    done = subprocess.run(
        [sys.executable, "-m", "refdp", "check", str(tmp_path)], capture_output=True, text=True, env=environment,
        cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "4 certificates: 1 PROVED, 1 REFUTED, 2 REJECTED" in done.stdout
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stdout


def test_certificate_in_a_file_of_another_name_is_shown_with_what_it_is_of(judged):
    """A true theorem in a file that is called as a claim it does not prove: the reader is told what it is of."""
    found = certificate_of("composition.finite_mechanism")
    judgement = judged(found)
    assert about(judgement) == "composition.finite_mechanism"
    assert about({**judgement, "path": "somewhere/composition.finite_mechanism.json"}) == ""
    assert about(judged({**found, "claim": check.DERIVED})) == found["conclusion"]
