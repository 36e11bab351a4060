"""The kernel's rules about questions of engines: the question is the claim, and nothing follows from it."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from refdp.commands.earlier_certificates import renewed
from refdp.commands.texts_in_words import told
from refdp.kernel import rules
from refdp.kernel.certificate import answer_certificate, certificate, parsed, replay, text_of
from refdp.kernel.judgements import EngineClaim, KernelError, Refuted
from refdp.kernel.rules.engines import READING
from refdp.kernel.rules.questions import KINDS, OF_NO_TEXT, EngineQuestion, engine
from refdp.kernel.sources import bring, digest_of
from refdp.kernel.theorem import RULES
from refdp.sensitivities.checking.certificate import question_text
from refdp.sensitivities.checking.replaying import claim_in
from refdp.terms.leaves import rational, variable
from refdp.terms.operations import add, at_most, conjunction
from refdp.terms.reading import MAXIMUM_LENGTH, read
from tests.kernel.rules.test_no_premises import NAMES, steps
from tests.made import certificate_text
from tests.meta.repository import ROOT

STORED = {
    "sensitivity": ("sensitivity_proved", "sensitivity_refuted"),
    "smooth_sensitivity": ("smooth_change_one", None),
    "program": ("alignment_of_a_relation", "counterexample_in_one_direction"),
    "machine_function": ("machine_function_proved", "machine_function_refuted"),
    "machine_sum": ("machine_sum", None),
}
"""Kind -> a proof and a refutation, among the stored certificates of before."""
PROVED = {kind: names[0] for kind, names in STORED.items()}
REFUTED = {kind: names[1] for kind, names in STORED.items() if names[1]}


@cache
def content(name):
    """The certificate, its texts brought."""
    found = renewed((ROOT / "tests" / "earlier_formats" / f"{name}.json").read_text(encoding="utf-8"))
    for text in found["sources"].values():
        bring(text)
    return found


def data(name, **others):
    """What its step is given, with some parts changed; without those that are None."""
    [step] = content(name)["steps"]
    return {key: part for key, part in {**step["data"], **others}.items() if part is not None}


def asked(name):
    """The question of its step."""
    return EngineQuestion.of(data(name))


def changed(name, key, value):
    """The question with one entry changed, as JSON."""
    return json.dumps({**json.loads(data(name)["question"]), key: value})


def test_every_kind_has_its_engine_and_its_examples():
    assert STORED.keys() == KINDS.keys()
    for kind in KINDS:
        for name in ("restated", "believed", "asked", "refuted", "sentence"):
            assert callable(getattr(engine(kind), name)), (kind, name)


@pytest.mark.parametrize("kind", KINDS)
def test_claim_is_the_question_about_the_text(kind):
    given = data(PROVED[kind])
    found = rules.engine_proves(**given)
    assert found.claim == EngineClaim(kind, given["function"], given.get("source", ""), given["question"])
    assert read(str(found.claim.term)) == found.claim.term
    assert found.trusts == set(given["by"])
    assert (given.get("source") is None) == (kind in OF_NO_TEXT)
    assert engine(kind).sentence(asked(PROVED[kind]))


@pytest.mark.parametrize("kind", REFUTED)
def test_refutation_says_that_the_same_claim_is_false(kind):
    given = data(REFUTED[kind])
    found = rules.engine_refutes(**given)
    assert found.claim == Refuted(EngineClaim(kind, given["function"], given["source"], given["question"]))
    assert found.trusts == set(content(REFUTED[kind])["trusts"])


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - REFUTED.keys()))
def test_bound_of_which_no_refutation_is_known_is_not_refuted(kind):
    with pytest.raises(KernelError, match=f"no {kind} is refuted"):
        rules.engine_refutes(**data(PROVED[kind], by=None))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ({"kind": "anything"}, "kind must be one of"),
        ({"kind": ""}, "kind must be one of"),
        ({"kind": None}, "kind"),
        ({"question": None}, "question"),
        ({"evidence": None}, "evidence"),
        ({"by": None}, "by"),
        ({"question": "{}"}, "must have the keys"),
        ({"question": "[]"}, "must have the keys"),
        ({"question": ""}, "."),
        ({"evidence": "{}"}, "."),
        ({"evidence": "[]"}, "."),
        ({"evidence": ""}, "."),
        ({"by": []}, "must be named"),
        ({"by": ["z3"]}, "must be named"),
        ({"by": ["somebody", "z3"]}, "must be named"),
        ({"verdict": "PROVED"}, "."),
    ],
)
def test_step_that_says_too_little_or_has_no_word_behind_it_is_refused(kind, others, reason):
    with pytest.raises(KernelError, match=reason):
        rules.engine_proves(**data(PROVED[kind], **others))


REAL = {"low": "Real", "high": "Real"}


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("values", {"Low": "5"}, "clipped has no parameter \\['Low'\\] besides its table"),
        ("values", {"low\u200b": "5"}, "no parameter \\['low\\\\u200b'\\] besides"),
        ("values", {"rows": "5"}, "no parameter \\['rows'\\] besides"),
        ("symbols", {**REAL, "flag": "Bool"}, "a sort must be one of Int, Real"),
        ("symbols", {**REAL, "1": "Real"}, "must have a name of letters"),
        ("symbols", {**REAL, "1 (assumed: nothing; ": "Real"}, "must have a name of letters"),
        ("symbols", {**REAL, "l\u043ew": "Real"}, "must have a name of letters"),
        ("symbols", {**REAL, "lambda": "Real"}, "must have a name of letters"),
        ("symbols", {**REAL, "": "Real"}, "must have a name of letters"),
        ("record", {"number": {"lower": "false", "upper": "10", "is_integer": False}}, "a bound must be a number"),
        ("record", {"number": {"lower": "0", "upper": "true", "is_integer": False}}, "a bound must be a number"),
    ],
)
@pytest.mark.parametrize("rule", ["engine_proves", "engine_refutes"])
def test_what_would_be_printed_of_a_name_that_nothing_reads_is_refused(rule, key, value, reason):
    """Names are printed among words; a value without a parameter leaves the default of the text, a bit is no number."""
    by = None if rule == "engine_refutes" else data("sensitivity_proved")["by"]
    with pytest.raises(KernelError, match=reason):
        getattr(rules, rule)(**data("sensitivity_proved", question=changed("sensitivity_proved", key, value), by=by))


def test_long_assumption_is_told_in_full():
    claim = claim_in(asked("sensitivity_proved"))
    low, high = (variable(name, "Real") for name in ("low", "high"))
    many = [at_most(add(low, rational(k)), high) for k in range(1, 200)]
    for parts in ([], many):
        given = replace(claim.declaration, assumption=conjunction(at_most(low, high), *parts))
        question = question_text(replace(claim, declaration=given))
        [said] = told({"steps": [{"rule": "engine_proves", "data": data("sensitivity_proved", question=question)}]})
        assert ("..." in said) == said.endswith(f"; in full: {question}") == bool(parts)


@pytest.mark.parametrize("kind", KINDS)
def test_who_is_named_is_named_in_order_and_once(kind):
    by = data(PROVED[kind])["by"]
    assert len(by) > 1
    for other in (by[::-1], [*by, by[-1]]):
        with pytest.raises(KernelError, match="must be named, in order"):
            rules.engine_proves(**data(PROVED[kind], by=other))
    needed, is_asked = engine(kind).believed(asked(PROVED[kind]))
    assert (needed < set(by), is_asked) == (True, True)
    with pytest.raises(KernelError, match="a solver must be named where one is asked"):
        rules.engine_proves(**data(PROVED[kind], by=sorted(needed)))


@pytest.mark.parametrize("kind", KINDS)
def test_text_must_be_there_just_where_the_kind_has_one(kind):
    """A text of others, whose digest is not brought, none, or one too many."""
    other = {"source": bring("nothing\n")} if kind in OF_NO_TEXT else {"source": None}
    with pytest.raises(KernelError, match="must name the text that it is about, if it has one"):
        rules.engine_proves(**data(PROVED[kind], **other))
    if kind not in OF_NO_TEXT:
        with pytest.raises(KernelError, match="no source has the digest"):
            rules.engine_proves(**data(PROVED[kind], source="0" * 64))
        with pytest.raises(KernelError, match=r"."):
            rules.engine_proves(**data(PROVED[kind], source=bring("nothing\n")))
    with pytest.raises(KernelError, match=r"."):
        rules.engine_proves(**data(PROVED[kind], function="nothing"))


@pytest.mark.parametrize("kind", KINDS)
def test_question_is_refused_unless_it_is_written_as_its_engine_writes_it(kind):
    question = data(PROVED[kind])["question"]
    keys = json.loads(question)
    for other in (
        question.replace(": ", ":", 1),
        " " + question,
        json.dumps(keys, indent=1),
        json.dumps(dict(reversed(list(keys.items())))),
    ):
        with pytest.raises(KernelError, match=r"must be written as|must be"):
            rules.engine_proves(**data(PROVED[kind], question=other))
    first = next(iter(keys))
    for other in ({**keys, "more": "1"}, {key: part for key, part in keys.items() if key != first}):
        with pytest.raises(KernelError, match="must have the keys"):
            rules.engine_proves(**data(PROVED[kind], question=json.dumps(other)))


@pytest.mark.parametrize("kind", KINDS)
def test_question_of_another_kind_is_refused(kind):
    for other in KINDS.keys() - {kind}:
        with pytest.raises(KernelError, match=r"."):
            rules.engine_proves(**data(PROVED[kind], kind=other))
        with pytest.raises(KernelError, match=r"."):
            rules.engine_proves(**data(PROVED[kind], question=data(PROVED[other])["question"]))


def number_kind(lower, upper):
    """The kind of numbers between these bounds, as JSON."""
    return {"number": {"lower": lower, "upper": upper, "is_integer": False}}


@pytest.mark.parametrize(
    ("kind", "key", "value", "reason"),
    [
        ("sensitivity", "edits", "0", "edits must be at least 1"),
        ("sensitivity", "norm", "L3", "is needed"),
        ("sensitivity", "values", {"low": {"number": "1"}}, "not both"),
        ("sensitivity", "assumption", "0.0", "must be a statement"),
        ("sensitivity", "assumption", "(<= low (/ 1.0 0.0))", "may not divide by 0"),
        ("sensitivity", "claim", "(/ high (- 2.0 2.0))", "may not divide by 0"),
        ("sensitivity", "record", number_kind("0.0", "(/ high 0.0)"), "may not divide by 0"),
        ("sensitivity", "symbols", {"low": "Real"}, "."),
        ("program", "claim", "1", "claims, got number 1"),
        ("program", "adjacency", "all", "adjacency must be one of"),
        ("program", "given", {"other": "1"}, "must name public parameters"),
        ("program", "given", [], "must be an object"),
        ("machine_function", "claim", "1.0", "the claim must be at least the bound"),
        ("machine_function", "arithmetic", "float65", "arithmetic must be one of"),
        ("machine_function", "sum", "python", "one version of Python"),
        ("machine_function", "sum", "nobody's", "."),
        ("machine_function", "norm", "L2", "the norm be L1"),
        ("machine_function", "symbols", {"k": "Int"}, "parameters must have values"),
        ("machine_function", "minimum_rows", "101", "must be possible"),
        ("machine_function", "minimum_rows", "100", "no two tables are neighbours"),
        ("machine_function", "minimum_rows", "-1", "must be possible"),
        ("machine_function", "edits", "0", "must be possible"),
        ("machine_function", "specials", "no", "true or false"),
        ("machine_function", "specials", True, "nothing is proved of tables with NaN"),
        ("machine_sum", "bound", "1", "must be written as"),
        ("machine_sum", "arithmetic", "int8", "a float format"),
        ("smooth_sensitivity", "bound", "1/1000", "the bound must be at least"),
        ("smooth_sensitivity", "beta", "0", "beta must be > 0"),
        ("smooth_sensitivity", "bounds", ["0"], "two numbers"),
        ("smooth_sensitivity", "neighbours", "any", "is needed"),
    ],
)
def test_question_that_asks_nothing_or_too_much_is_refused(kind, key, value, reason):
    with pytest.raises(KernelError, match=reason):
        rules.engine_proves(**data(PROVED[kind], question=changed(PROVED[kind], key, value)))


@pytest.mark.parametrize(
    ("kind", "key", "value", "reason"),
    [
        ("sensitivity", "claim", "1000.0", "further apart than claimed"),
        ("sensitivity", "neighbours", "change_one", "."),
        ("sensitivity", "assumption", "false", "the assumption must hold of the pair"),
        ("program", "epsilon", "2*epsilon", "does not refute the claim"),
        ("program", "given", {"epsilon": "3"}, "."),
        ("machine_function", "claim", "10.0", "further apart than 10"),
        ("machine_function", "minimum_rows", "4", "as many rows as is said"),
        ("machine_function", "assumption", "(<= 4 n)", "the assumption must hold of the pair|."),
    ],
)
def test_refutation_of_another_question_is_refused(kind, key, value, reason):
    with pytest.raises(KernelError, match=reason):
        rules.engine_refutes(**data(REFUTED[kind], question=changed(REFUTED[kind], key, value)))


@pytest.mark.parametrize("kind", REFUTED)
def test_evidence_of_nothing_refutes_nothing(kind):
    evidence = json.loads(data(REFUTED[kind])["evidence"])
    empty = [{key: type(part)() for key, part in evidence.items()}]
    if kind == "program":
        shown = evidence["counterexample"]
        empty = [
            {"counterexample": {**shown, key: type(shown[key])()}} for key in ("old", "new", "events", "parameters")
        ]
    for less in (*empty, {}, []):
        with pytest.raises(KernelError, match=r"."):
            rules.engine_refutes(**data(REFUTED[kind], evidence=json.dumps(less)))


@pytest.mark.parametrize("kind", KINDS)
def test_replay_asks_again_and_names_who_vouches_now(kind):
    found, seen = parsed(text_of(content(PROVED[kind]))), []

    def ask(question, by):
        seen.append((question, by))
        return frozenset({*engine(kind).believed(question)[0], "somebody"})

    again = replay(found, ask)
    assert seen == [(asked(PROVED[kind]), tuple(data(PROVED[kind])["by"]))]
    assert "somebody" in again.trusts
    assert "z3" not in again.trusts

    def refuse(question, by):
        raise KernelError("nobody")

    with pytest.raises(KernelError, match="nobody"):
        replay(found, refuse)


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
@pytest.mark.parametrize("kind", KINDS)
def test_solvers_are_asked_and_named(kind, solver):
    judged = engine(kind).asked(asked(PROVED[kind]), solver, 60.0)
    assert judged.verdict == "PROVED"
    assert engine(kind).believed(asked(PROVED[kind]))[0] < judged.trusts
    assert any(solver in name for name in judged.trusts)


def test_long_question_is_named_by_its_digest_and_stays_in_the_step():
    """The labels of a column may be thousands: a term could not hold them."""
    labels = [{"text": f"label {number}"} for number in range(2_000)]
    name = "sensitivity_labels"
    record = {"fields": [[{"text": "member"}, {"category": labels}]]}
    question = changed(name, "record", record)
    assert len(question) > MAXIMUM_LENGTH
    text = "def members(rows):\n    return 0\n"
    nothing = {"relations": [], "singles": [], "splits": [], "hints": []}
    evidence = json.dumps({"invariants": nothing, "order": None, "fused": False})
    given = data(name, question=question, source=bring(text), evidence=evidence)
    found = rules.engine_proves(**given)
    assert found.claim.question == digest_of(question)
    written = certificate(found, "")
    assert json.loads(written["steps"][0]["data"]["question"])["record"] == record
    other = changed(name, "record", {"fields": [[{"text": "member"}, {"category": labels[1:]}]]})
    assert rules.engine_proves(**{**given, "question": other}).claim != found.claim


def test_text_or_certificate_that_is_too_long_has_none():
    one = asked("sensitivity_proved")
    long = EngineQuestion(one.kind, one.text + "#" * 500_000, one.function, one.question, one.evidence)
    assert answer_certificate(long, [READING, "z3"]) is None
    padded = one.evidence[:-1] + " " * 1_000_000 + "}"
    assert answer_certificate(EngineQuestion(one.kind, one.text, one.function, one.question, padded),
                              [READING, "z3"]) is None  # fmt: skip
    assert answer_certificate(one, [READING, "z3"]) is not None


@pytest.mark.parametrize("half", [0, 1])
def test_no_rule_takes_such_a_claim_as_a_premise(half):
    """In the place of each premise of every rule that some certificate of the ledger uses, and as one more."""
    claims = [rules.engine_proves(**data(PROVED["program"])), rules.engine_refutes(**data(REFUTED["program"]))]
    seen = set()
    for identifier in NAMES[half::2]:
        found = parsed(certificate_text(identifier))["steps"]
        if {step["rule"] for step in found if step["premises"]} <= seen:
            continue
        for name, premises, given in steps(found):
            if name in seen or not premises:
                continue
            seen.add(name)
            for theorem in claims:
                for place in range(len(premises)):
                    with pytest.raises(KernelError):
                        RULES[name](*premises[:place], theorem, *premises[place + 1 :], **given)
                with pytest.raises(KernelError):
                    RULES[name](*premises, theorem, **given)
    assert len(seen) > 25


@pytest.mark.parametrize("name", RULES)
def test_no_rule_concludes_from_such_a_claim_alone(name):
    claims = [rules.engine_proves(**data(PROVED["program"])), rules.engine_refutes(**data(REFUTED["program"]))]
    words = ({}, {"d_out": ["1"]}, {"values": {}}, {"d_in": "1"}, {"count": "2"}, {"k": "2"}, {"claim": "pure(1)"})
    for theorem in claims:
        for given in words:
            for premises in ((theorem,), (theorem, theorem)):
                with pytest.raises(KernelError):
                    RULES[name](*premises, **given)


def test_stored_examples_are_there():
    assert all(Path(ROOT / "tests" / "earlier_formats" / f"{name}.json").is_file()
               for names in STORED.values() for name in names if name)  # fmt: skip
