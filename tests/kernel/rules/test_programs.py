"""The kernel's rules about programs: the claim is written from the step's data, and what it assumes must be said."""

import json
from importlib import import_module

import pytest

from refdp.kernel import rules
from refdp.kernel.certificate import certificate, parsed, replay, text_of
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.engines import READING
from refdp.kernel.rules.programs import ENGINE, ProgramClaim
from refdp.kernel.sources import bring, digest_of

TEXT = """
from refdp.programs import ALL, claim, bernoulli, laplace


@claim(epsilon="epsilon", adjacency=ALL)
def noisy(q, epsilon, N, T: int):
    for x in q:
        yield x + laplace(N / epsilon)


@claim(epsilon="epsilon", adjacency=ALL)
def one(x: int, epsilon):
    return x + laplace(1 / epsilon)


@claim(epsilon="ln((1 - p)/p)", adjacency=ALL, where="p < 1/2")
def flipped(bit: bool, p: float) -> bool:
    return not bit if bernoulli(p) else bit


@claim(epsilon="epsilon", adjacency=ALL)
def chosen(x: float, yes: bool, epsilon):
    return x + laplace(1 / epsilon)


@claim(epsilon="1", adjacency=ALL)
def alone(x: int):
    return x + laplace(1)
"""
OPEN = {"epsilon": "epsilon", "N": "N", "T": "T"}
GIVEN = ["0 < epsilon", "1 <= N"]
HALF = {"counterexample": {"parameters": {"p": "(/ 1 4)"}, "old": [True], "new": [False], "events": [[[True]]],
                           "order": None}}  # fmt: skip


def data(**others):
    """What a step is given, with some parts changed."""
    return {
        "source": bring(TEXT), "function": "noisy", "adjacency": "ALL", "loss": "pure(epsilon)", "parameters": OPEN,
        "conditions": GIVEN, "evidence": json.dumps({"alignments": []}), "by": [READING, "somebody"],
    } | others  # fmt: skip


def private(**others):
    return rules.program_is_private(**data(**others))


def exceeds(**others):
    given = data(function="flipped", parameters={"p": "p"}, conditions=["0 < p", "p < 1/2"], loss="pure(1)",
                 evidence=json.dumps(HALF)) | others  # fmt: skip
    del given["by"]
    return rules.program_exceeds(**given)


def test_claim_names_text_parameters_conditions_and_who_vouched():
    found = private()
    assert str(found.claim.term) == (
        f"private(program('noisy', '{digest_of(TEXT)}', list_of(fixed('epsilon', epsilon), fixed('N', N), "
        "fixed('T', T))), vector(reals(), n), linf(1), pure(epsilon), integer(n), 0 <= n, integer(N), integer(T), "
        "0 < epsilon, 1 <= N)"
    )
    assert found.trusts == {READING, "somebody"}


@pytest.mark.parametrize(
    ("others", "end"),
    [
        ({"adjacency": "L1"}, "vector(reals(), n), l1(1), pure(epsilon)"),
        ({"adjacency": "L2", "loss": "concentrated(epsilon)"}, "vector(reals(), n), l2(1), concentrated(epsilon)"),
        ({"adjacency": "ONE", "loss": "approximate(epsilon, 1/9)"}, "one_coordinate(1), approximate(epsilon, 1/9)"),
        ({"adjacency": "MONO"}, "vector(reals(), n), monotone(1), pure(epsilon)"),
        ({"adjacency": "ADD_REMOVE"},
         "table(reals()), insert_delete(1), pure(epsilon), integer(N), integer(T), 0 < epsilon, 1 <= N)"),
        ({"function": "one", "parameters": {"epsilon": "epsilon"}, "conditions": ["0 < epsilon"]},
         "grid(1), absolute(1), pure(epsilon), 0 < epsilon"),
        ({"function": "flipped", "parameters": {"p": "p"}, "conditions": ["0 < p", "p < 1/2"],
          "loss": "pure(ln((1 - p) / p))"}, "finite(2), absolute(1), pure(ln((1 - p) / p))"),
        ({"parameters": OPEN | {"N": "3"}, "conditions": ["0 < epsilon"]}, "pure(epsilon), integer(n), 0 <= n"),
    ],
)  # fmt: skip
def test_claim_follows_adjacency_data_and_values(others, end):
    assert end in str(private(**others).claim.term)


def test_program_without_parameters_has_a_claim_and_its_conditions_are_none():
    found = private(function="alone", parameters={}, conditions=[], loss="pure(1)")
    assert str(found.claim.term).endswith("list_of()), grid(1), absolute(1), pure(1))")


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ({"source": "0" * 64}, "no source has the digest"),
        ({"function": "nothing"}, "nothing"),
        ({"adjacency": "all"}, "adjacency must be one of"),
        ({"adjacency": "each"}, "adjacency must be one of"),
        ({"adjacency": "ADD_REMOVE", "loss": "pure(n * epsilon)"}, "n is no one number"),
        ({"adjacency": "ADD_REMOVE", "conditions": [*GIVEN, "1 <= n"]}, "n is no one number"),
        ({"adjacency": "ADD_REMOVE", "function": "one", "parameters": {"epsilon": "epsilon"},
          "conditions": ["0 < epsilon"]}, "have no neighbours under ADD_REMOVE"),
        ({"loss": "epsilon"}, "the loss must be under"),
        ({"loss": "pure()"}, "the loss must be under"),
        ({"loss": "pure(epsilon, 1)"}, "the loss must be under"),
        ({"loss": "renyi(2, epsilon)"}, "the loss must be under"),
        ({"loss": "gaussian(epsilon)"}, "the loss must be under"),
        ({"loss": "pure(other)"}, "must speak of the parameters that are left open"),
        ({"loss": "pure(sqrt(epsilon, 2))"}, "."),
        ({"loss": "pure('epsilon')"}, "."),
        ({"conditions": []}, "the conditions must hold 0 < epsilon"),
        ({"conditions": ["0 < epsilon"]}, "the conditions must hold 1 <= N"),
        ({"conditions": ["0 <= epsilon", "1 <= N"]}, "the conditions must hold 0 < epsilon"),
        ({"conditions": [*GIVEN, "integer(N)"]}, "is not a comparison"),
        ({"conditions": [*GIVEN, "other < 1"]}, "must speak of the parameters that are left open"),
        ({"parameters": {}}, "must speak of the parameters"),
        ({"parameters": {"epsilon": "epsilon", "N": "N"}}, "the parameters must be epsilon, N, T"),
        ({"parameters": {**OPEN, "extra": "1"}}, "the parameters must be epsilon, N, T"),
        ({"parameters": {"N": "N", "epsilon": "epsilon", "T": "T"}}, "the parameters must be epsilon, N, T"),
        ({"parameters": OPEN | {"N": "epsilon"}}, "N must be a number, or be left open"),
        ({"parameters": OPEN | {"N": "3/2"}, "conditions": ["0 < epsilon"]}, "a whole number is needed|does not hold"),
        ({"parameters": OPEN | {"N": "0"}, "conditions": ["0 < epsilon"]}, "the conditions must hold 1 <= N"),
        ({"parameters": OPEN | {"epsilon": "-1"}, "conditions": ["1 <= N"], "loss": "pure(1)"},
         "the conditions must hold 0 < epsilon"),
        ({"function": "chosen", "parameters": {"yes": "yes", "epsilon": "epsilon"}, "conditions": ["0 < epsilon"]},
         "must be numbers"),
        ({"by": []}, "must be named"),
        ({"by": [READING]}, "must be named"),
        ({"by": ["somebody"]}, "must be named"),
        ({"by": ["somebody", READING]}, "must be named"),
    ],
)  # fmt: skip
def test_step_that_says_too_little_or_has_no_word_behind_it_is_refused(others, reason):
    with pytest.raises(KernelError, match=reason):
        private(**others)


def test_events_that_break_a_claim_refute_it_and_those_that_do_not_are_refused():
    found = exceeds()
    assert str(found.claim.term).startswith("refuted(private(program('flipped', ")
    assert found.trusts == {READING, "refdp's exact probabilities"}
    with pytest.raises(KernelError, match="does not refute the claim"):
        exceeds(loss="pure(ln((1 - p) / p))")
    with pytest.raises(KernelError, match="does not refute the claim"):
        exceeds(conditions=["0 < p", "p < 1/5"])
    same = {"counterexample": HALF["counterexample"] | {"new": [True]}}
    with pytest.raises(KernelError, match="does not refute the claim"):
        exceeds(evidence=json.dumps(same))
    for changed in ({}, {"counterexample": {}}, {"counterexample": HALF["counterexample"] | {"events": []}}):
        with pytest.raises(KernelError):
            exceeds(evidence=json.dumps(changed))


def test_a_refutation_of_an_engine_that_does_not_say_who_reads_is_refused(monkeypatch):
    monkeypatch.setattr(
        import_module(ENGINE), "require_broken", lambda claim: frozenset({"refdp's exact probabilities"})
    )
    with pytest.raises(KernelError, match="who reads the program must be named"):
        exceeds()


def test_replay_asks_about_the_program_that_the_certificate_brings():
    theorem = private()
    found = parsed(text_of(certificate(theorem, "")))
    assert list(found["sources"]) == [digest_of(TEXT)]
    asked = []

    def ask(question, by):
        asked.append((question, by))
        return frozenset({READING, "somebody else"})

    again = replay(found, ask)
    assert (again.theorem.claim, again.trusts) == (theorem.claim, {READING, "somebody else"})
    [(question, by)] = asked
    assert isinstance(question, ProgramClaim)
    assert (question.function, question.text, by) == ("noisy", TEXT, (READING, "somebody"))
