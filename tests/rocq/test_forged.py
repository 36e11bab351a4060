"""No forged theorem is written for Rocq as what it is not; `make rocq-forge` asks the prover, too."""

import json
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from refdp.kernel.judgements import Holds, KernelError, Law, Private, Refuted, Stable, Tail
from refdp.kernel.sources import bring, source_of
from refdp.rocq import claims, conversions, judgements, noise, statements, terms
from refdp.rocq.claims import NOTHING, OBLIGATIONS, WHOLE, file_of
from refdp.rocq.fitting import require_fitting
from refdp.rocq.library import sentences
from refdp.rocq.terms import NotInRocq
from refdp.rocq.writing import Export
from refdp.sensitivities.judging import judge
from refdp.terms.reading import read
from refdp.terms.term import Term, name, number
from scripts import rocq_questions
from tests.rocq import campaign, forgeries
from tests.rocq.campaign import ALARM, PARTLY, REFUSED, claimed, genuine, not_alike, written
from tests.rocq.forgeries import KINDS, Forged, Pool, steps, theorem, with_names
from tests.rocq.prover import Prover

FEW = (
    "discrete_laplace.pure", "discrete_laplace.accuracy", "gaussian.concentrated", "truncated_geometric.pure",
    "randomised_response.pure", "discrete_laplace.half_noise", "composition.sequential_pure", "histogram.change_one_l2",
    "composition.filter_pure", "cluster_sums.five_rounds", "composition.sequential_adaptive", "tree_sums.l1",
    "clamped_sum.add_remove", "composition.greatest_factor_instead_of_product", "profiles.optimal_of_two",
    "clamped_sum.width_under_add_remove", "composition.group_pure", "toeplitz.square_root_l2", "rounded_to.number",
    "permanent_response.responses_add_up", "laplace_mechanism.all", "noisy_histogram.one",
)  # fmt: skip
NUMBER = 200


@pytest.fixture(scope="module")
def pool():
    """Few claims of many rules."""
    found = Pool(list(genuine(FEW)))
    assert len(found.claims) == len(FEW)
    return found


def step_by(pool, rule, claim=None):
    return next(step for one, step in pool.sites[rule] if claim in (None, one.claim))


def as_file(step, **fields):
    """The file of a forged step."""
    forged = theorem(step, **fields)
    return file_of(forged, "forged", "A sentence.", claimed(forged.claim))


def test_what_is_forged_is_refused_or_says_what_it_concludes(pool):
    found = [written(one) for one in forgeries.forgeries(pool, NUMBER, 7)]
    assert [one.more for one in found if one.outcome == ALARM] == []
    refused = sum(one.outcome == REFUSED for one in found)
    partly = sum(one.outcome == PARTLY for one in found)
    assert refused >= NUMBER // 8
    assert partly >= NUMBER // 8
    assert len({one.forged.rule for one in found}) >= 25
    assert {one.forged.kind for one in found} == set(KINDS)


def test_what_is_genuine_is_no_alarm(pool):
    for one in pool.claims:
        for step in steps(one.theorem):
            found = written(Forged(step, step.rule, "none", "", one, step))
            assert found.outcome in ("", PARTLY)


def alarms(pool, kinds):
    """How many of the forgeries of these kinds raise an alarm."""
    found = 0
    for kind in kinds:
        for rule in pool.sites:
            for at in range(2):
                one = pool.sites[rule] and forgeries.forged(Random(f"{rule} {kind} {at}"), pool, rule, kind)
                found += bool(one) and written(one).outcome == ALARM
    return found


@pytest.mark.parametrize(
    ("module", "called", "instead", "kinds"),
    [
        (judgements, "require_fitting", lambda *_: None, ("subject", "domain")),
        (claims, "require_well_formed", lambda _: None, ("part more",)),
        (claims, "_require_about", lambda *_: None, ("sentence",)),
        (claims, "harmless", lambda text: text, ("sentence",)),
        (claims, "FAILURES", (), ("data", "premise dropped")),
        (statements, "require", lambda *_: None, ("obligation concluded", "conclusion of another")),
        (judgements, "bracketed", lambda text: "0 < 1", ("condition",)),
    ],
)
def test_a_writer_that_lost_a_check_raises_alarms(pool, monkeypatch, module, called, instead, kinds):
    assert alarms(pool, kinds) == 0
    monkeypatch.setattr(module, called, instead)
    assert alarms(pool, kinds) > 0


# Obligations.


@pytest.mark.parametrize("rule", ["algebra", "decided", "false_statement"])
def test_an_obligation_is_written_for_no_other_conclusion(pool, rule):
    step = step_by(pool, rule) if pool.sites[rule] else None
    if step is None:
        pytest.fail(f"no claim has a step by {rule}")
    others = (
        Holds("laplace", "none", "0"),
        step_by(pool, "additive_noise").claim,
        step.claim.claim if isinstance(step.claim, Refuted) else Refuted(step.claim),
    )
    for other in others:
        with pytest.raises(KernelError):
            as_file(step, claim=other)
    assert as_file(step)["status"] == WHOLE


def test_fewer_sums_than_cases_and_values_that_refute_nothing_are_refused(pool):
    step = next(s for _, s in pool.sites["algebra"] if len(s.data["cases"]) > 1)
    found = as_file(step, data={**step.data, "cases": []})
    assert found["status"] == NOTHING
    assert found["missing"] == {"algebra": "there are more cases than sums"}
    step = step_by(pool, "false_statement")
    found = as_file(step, data={**step.data, "values": dict.fromkeys(step.data["values"], "1")})
    assert found["missing"] == {"false_statement": "the conclusion holds at these values"}


def test_an_obligation_that_is_not_written_is_not_listed(pool):
    whole = next(one for one in pool.claims if one.claim == "discrete_laplace.pure").theorem
    first = whole.premises[0]
    forged = theorem(whole, premises=(theorem(first, data={**first.data, "cases": []}), *whole.premises[1:]))
    found = file_of(forged, "forged", "A sentence.", claimed(forged.claim))
    assert found["status"] == OBLIGATIONS
    assert first.data["obligation"] not in [one["name"] for one in found["obligations"]]
    assert len(found["obligations"]) == len(found["names"]) == len(whole.premises) - 1


# Texts.


@pytest.fixture(scope="module")
def answers():
    """Answers to questions about functions of users: a proof and a refutation, each by a theorem and by an engine."""
    asked = dict((*rocq_questions.questions("PROVED"), *rocq_questions.questions("REFUTED")))
    found = {}
    for called in ("queries_102_greedy_budget", "queries_3_clamped_sum", "library_57_clamp", "queries_4_clamped_sum"):
        answer = judge(asked[called], rocq_questions.SECONDS)
        one = campaign.taken(called, "A question.", json.loads(answer.certificate))
        assert one.is_whole
        found[one.theorem.rule] = one.theorem
    return found


@pytest.mark.parametrize("rule", forgeries.OF_TEXTS)
def test_a_step_about_a_text_concludes_what_its_data_say(pool, answers, rule):
    step = answers.get(rule) or step_by(pool, rule)
    other = next(one for one in (*answers.values(), step_by(pool, "program_is_private")) if one.rule != rule)
    if rule in ("engine_proves", "engine_refutes"):
        with pytest.raises(KernelError, match="its data are about"):
            as_file(step, claim=other.claim)
    else:
        assert as_file(step, claim=other.claim)["status"] == NOTHING
    longer = bring(f"{source_of(step.data['source'])}\n# more\n")
    with pytest.raises(KernelError, match="its data are about"):
        as_file(step, data={**step.data, "source": longer})
    for forged in (
        {"data": {**step.data, "source": bring("def main():\n    return 0\n")}},
        {"data": {**step.data, "function": "main"}},
        {"data": {**step.data, "by": ["*) Axiom none : False. (*"]}},
        {"data": {**step.data, "by": []}},
        {"premises": (other,)},
    ):
        with pytest.raises(KernelError):
            as_file(step, **forged)
    assert as_file(step)["status"] in campaign.PROVED


def test_a_smaller_loss_of_a_program_is_not_written_from_data_about_the_greater(pool):
    step = step_by(pool, "program_is_private", "laplace_mechanism.all")
    with pytest.raises(KernelError, match="its data are about"):
        as_file(step, claim=replace(step.claim, d_out=(name("epsilon") / 2,)))


def test_solvers_who_are_named_end_no_comment():
    export = Export()
    export.premise("one", "0 = 0", ["z3 *) Axiom none : False. (*"], ["(assert *) Axiom more : False. (*)"])
    assert list(sentences("\n".join(export.lines))) == ["Hypothesis one : 0 = 0"]


def test_a_file_assumes_as_many_premises_as_it_says(pool):
    one = next(one for one in pool.claims if one.claim == "noisy_histogram.one")
    found = file_of(one.theorem, one.claim, "A sentence.", claimed(one.theorem.claim))
    assert found["status"] == claims.PREMISES
    assert campaign.assumed(found["text"]) == len(found["premises"]) > 0
    forged = Forged(one.theorem, one.theorem.rule, "", "", one, one.theorem)
    for changed in (
        {"premises": found["premises"][1:]},
        {"premises": [], "status": WHOLE},
        {"text": found["text"].replace("from", "without", 1)},
        {"theorem": "another"},
    ):
        assert list(campaign.wrongs(forged, found | changed)) != []
    assert list(campaign.wrongs(forged, found)) == []


# Names.


def private(text, *given):
    """The privacy claim that a text writes down."""
    subject, domain, near, far = read(text).arguments
    return Private(
        subject, domain, near.operator, near.arguments[0], far.operator, far.arguments, tuple(map(read, given))
    )


CLAIM = private("private(discrete_laplace(scale, 1), grid(1), absolute(d_in), pure(d_in / scale))", "0 < scale")


@pytest.mark.parametrize(
    "called", ["x y", "", "_", "0", "a.b", "x : R) (y", "é", "the_square", "the_root", "the_vector", "row__", "a__b"]
)
def test_a_name_that_is_something_else_to_the_prover_is_refused(called):
    with pytest.raises(NotInRocq):
        judgements.said(Export(), with_names(CLAIM, {"scale": called}))


def test_two_names_do_not_become_one():
    said = judgements.said(Export(), with_names(CLAIM, {"scale": "R", "d_in": "Z"}))
    assert "forall (R_ Z_ : R)" in said
    with pytest.raises(NotInRocq, match="are one in Rocq"):
        judgements.said(Export(), with_names(CLAIM, {"scale": "R", "d_in": "R_"}))


def test_names_that_are_caught_are_seen(monkeypatch):
    text = (
        "stable(clipped_vector_sum(norm, 2, 1), table(vector(reals(), 2)), symmetric(1), vector(grid(1), 2), l2(norm))"
    )
    subject, domain, near, outputs, far = read(text).arguments
    claim = Stable(subject, domain, near.operator, number(1), outputs, far.operator, far.arguments, (read("0 < norm"),))
    assert not_alike(claim) == ""
    caught = with_names(claim, {"norm": "the_root"})
    assert campaign.said_of(caught) == ""
    monkeypatch.setattr(judgements.conditions, "__defaults__", (frozenset(),))
    assert not_alike(caught).startswith("the_root is bound inside")
    assert not_alike(with_names(CLAIM, {"scale": "z"})) == ""
    monkeypatch.setattr(terms, "TAKEN", frozenset())
    assert not_alike(with_names(CLAIM, {"scale": "pure"})).startswith("pure is something else")


def test_a_whole_number_with_the_name_of_a_variable_of_formulas_is_another():
    claim = private("private(repeated(discrete_laplace(2, 1), k), grid(1), absolute(1), pure(k))", "integer(k)")
    assert "(fun z => - Rabs z / 2)" in judgements.said(Export(), claim)
    renamed = with_names(claim, {"k": "z"})
    assert "(fun z_ => - Rabs z_ / 2)" in judgements.said(Export(), renamed)
    assert not_alike(renamed) == ""


# What a conclusion has.


def test_every_number_of_a_distance_is_written_or_none():
    claim = Stable(read("count(records())"), read("table(records())"), "symmetric", number(1), read("grid(1)"),
                   "absolute", (number(1),))  # fmt: skip
    assert judgements.said(Export(), claim)
    for d_out in ((), (number(1), number(0))):
        with pytest.raises(NotInRocq, match="no distance"):
            judgements.said(Export(), replace(claim, d_out=d_out))
    for d_out in ((), (number(1), number(0))):
        with pytest.raises(NotInRocq, match="no measure"):
            judgements.said(Export(), replace(CLAIM, d_out=d_out))


def test_a_law_that_says_more_is_not_written():
    claim = Law("normalised", read("discrete_laplace(1, 1)"))
    assert judgements.said(Export(), claim)
    with pytest.raises(NotInRocq):
        judgements.said(Export(), replace(claim, said=(number(1),)))


@pytest.mark.parametrize("changed", [{"event": "at_least 0) \\/ True"}, {"bound": "nearly"}, {"error": "worst"}])
def test_a_tail_is_written_of_known_errors_alone(changed):
    claim = Tail(read("discrete_laplace(1, 1)"), read("grid(1)"), "error", "at_least", number(1), "at_most", number(1))
    assert judgements.said(Export(), claim)
    with pytest.raises(NotInRocq):
        judgements.said(Export(), replace(claim, **changed))
    with pytest.raises(NotInRocq, match="reads grid"):
        judgements.said(Export(), replace(claim, domain=read("grid(1/2)")))


@pytest.mark.parametrize(
    "losses",
    ["pure(1), concentrated(1)", "concentrated(1), pure(1)", "renyi(2, 1), renyi(3, 1)", "gaussian(1), gaussian(1)"],
)
def test_rounds_under_different_measures_are_not_written(losses):
    text = "private(rounds({}), table(rows), symmetric(1), pure(2))"
    assert judgements.said(Export(), private(text.format("pure(1), pure(1)")))
    with pytest.raises(NotInRocq, match="have no word"):
        judgements.said(Export(), private(text.format(losses)))


def test_a_sequence_under_a_measure_that_adds_up_otherwise_is_not_written():
    with pytest.raises(NotInRocq, match="sequences of mechanisms"):
        conversions.said(Export(), private("private(rounds(pure(1)), table(rows), symmetric(1), gaussian(1))"))


# Subjects and domains.


@pytest.mark.parametrize(
    ("subject", "inputs", "outputs"),
    [
        ("histogram(2)", "table(category(2))", "vector(grid(1), 3)"),
        ("histogram(2)", "table(category(3))", "vector(grid(1), 2)"),
        ("clamped_sum(0, 1, 1/2)", "table(grid(1))", "grid(1/2)"),
        ("tree_sums(2, 2, 4)", "vector(grid(1), 2)", "vector(grid(1), 7)"),
        ("tree_sums(2, 2, 2)", "vector(grid(1), 2)", "vector(grid(1), 4)"),
        ("chain(clamp(0, 1, 1), count(records()))", "table(grid(1))", "grid(1)"),
        ("chain(histogram(2), tree_sums(2, 2, 4))", "table(category(2))", "vector(grid(1), 7)"),
        ("linear(tuple_of(tuple_of(1, 1)))", "vector(grid(1), 3)", "vector(grid(1), 1)"),
        ("rounded_to(1)", "reals()", "grid(2)"),
        ("median_with_distance(0, 10, 4, 1)", "table(bounded(2, 0, 10))", "record(field(0, grid(1)))"),
        ("discrete_laplace(1, 1)", "grid(1/2)", None),
        ("coordinatewise(discrete_laplace(1, 1), 2)", "vector(grid(1), 3)", None),
        ("coordinatewise(discrete_laplace(1, 1), 2)", "vector(reals(), 2)", None),
        ("d_bit_flip(4, 2, 3/4)", "category(5)", None),
        ("randomised_response(3/4)", "finite(3)", None),
        ("public_coordinate(symmetric_unary_encoding(2, 3/4), 2)", "vector(category(3), 2)", None),
        ("repeated(chain(count(records()), discrete_laplace(1, 2)), 2)", "table(records())", None),
        ("listed(tuple_of(tuple_of(1), tuple_of(1)))", "finite(3)", None),
        ("poisson_sampled(1/2, chain(histogram(2), coordinatewise(gaussian(1), 2)))", "table(category(3))", None),
    ],
)
def test_a_claim_of_other_inputs_than_its_subject_reads_is_not_written(subject, inputs, outputs):
    with pytest.raises(NotInRocq):
        require_fitting(read(subject), read(inputs), None if outputs is None else read(outputs))


def test_a_claim_of_the_inputs_that_its_subject_reads_is_written():
    for subject, inputs, outputs in (
        ("histogram(2)", "table(category(2))", "vector(grid(1), 2)"),
        ("count(records())", "sized_table(records(), 3)", "reals()"),
        ("chain(clamp(0, 1, 1), clamped_sum(0, 1, 1))", "table(grid(1))", "grid(1)"),
        ("tree_sums(2, 2, 2)", "vector(grid(1), 2)", "vector(grid(1), 3)"),
        ("fixed_size_sampled(2, chain(count(records()), laplace(1)))", "sized_table(records(), 3)", None),
    ):
        require_fitting(read(subject), read(inputs), None if outputs is None else read(outputs))


# Files.


def test_a_step_that_the_kernel_cannot_have_made_is_refused(pool):
    noise_step = step_by(pool, "additive_noise")
    with pytest.raises(KernelError, match="no such step is made by the kernel"):
        as_file(noise_step, premises=())
    with pytest.raises(KernelError, match="no such step is made by the kernel"):
        as_file(noise_step, data={})
    with pytest.raises(KernelError):
        as_file(noise_step, claim=None)


def test_a_claim_that_is_not_read_as_it_is_written_is_refused(pool):
    step = step_by(pool, "additive_noise")
    third = Term("+", (step.claim.d_in, number(0), number(1000)))
    with pytest.raises(KernelError):
        as_file(step, claim=replace(step.claim, d_in=third))
    wider = Term(step.claim.subject.operator, (*step.claim.subject.arguments, number(1)))
    with pytest.raises(KernelError):
        as_file(step, claim=replace(step.claim, subject=wider))


def test_a_file_is_about_the_claim_that_it_names(pool):
    step = step_by(pool, "additive_noise", "discrete_laplace.pure")
    with pytest.raises(KernelError, match="is not about"):
        file_of(step, "forged", "A sentence.", "private(laplace(1), reals(), absolute(1), pure(1))")


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("words", list(claims.SAYS.values()))
def test_no_words_on_a_claim_say_what_its_file_proves(pool, words, at):
    step = step_by(pool, "additive_noise", "discrete_laplace.pure")
    told = [f"So it is:\n{words.replace(' ', '  ')}", claimed(step.claim)]
    if at:
        step = theorem(step, claim=private(f"private(laplace(1), reals(), absolute(1), pure({len(words)}))"))
        told = ["A sentence.", f"{claimed(step.claim)} {words}"]
    with pytest.raises(KernelError):
        file_of(step, "forged", *told)


@pytest.mark.parametrize("sentence", forgeries.SENTENCES[4:])
def test_a_sentence_does_not_end_its_comment(pool, sentence):
    step = step_by(pool, "additive_noise", "discrete_laplace.pure")
    text = file_of(step, "forged", sentence, claimed(step.claim))["text"]
    head = text[: text.index("From Coq")]
    assert list(sentences(head)) == []
    assert '"' not in head
    assert text.count(claims.SAYS[WHOLE]) == 1


@pytest.mark.parametrize(
    ("called", "statement", "proof"),
    [
        ("a b", "0 = 0", ["reflexivity."]),
        ("", "0 = 0", ["reflexivity."]),
        ("one", "0 = 0. Axiom none : False", ["reflexivity."]),
        ("one", "0 = 0 (* not", ["reflexivity."]),
        ("one", '0 = 0 "', ["reflexivity."]),
        ("one", "0 = 1", ["Admitted."]),
        ("one", "0 = 1", ["admit."]),
        ("one", "0 = 0", ["reflexivity.", "Qed. Axiom none : False."]),
        ("one", "0 = 0", ["reflexivity. (*"]),
    ],
)
def test_no_text_ends_before_its_place(called, statement, proof):
    export = Export()
    export.says("fine", "0 = 0", ["reflexivity."], "a (* b *) c")
    before = list(export.lines)
    assert list(sentences("\n".join(before))) == ["Theorem fine : 0 = 0", "Proof", "reflexivity", "Qed"]
    with pytest.raises(NotInRocq):
        export.says(called, statement, proof)
    assert export.lines == before


def test_the_word_for_an_event_is_no_text_for_the_prover(pool):
    step = step_by(pool, "noise_tail")
    with pytest.raises(NotInRocq, match="has no word"):
        noise.noise_tail(Export(), theorem(step, data={**step.data, "event": "x) in *. Admitted"}), ["a", "b", "c"])


# The campaign.


def test_sentences_are_told_apart_as_the_prover_does():
    text = "(* a. (* b. *) c. *) Theorem t : 0 = 0.\nProof.\n- apply (x y.z). [> side .. ].\n  { lra. }\nQed.\n"
    assert list(sentences(text)) == ["Theorem t : 0 = 0", "Proof", "- apply (x y.z)", "[> side .. ]", "{ lra", "} Qed"]


def test_a_prover_goes_back_to_where_files_are_alike(tmp_path, monkeypatch):
    prover = Prover(tmp_path, ())
    told = []
    states = iter(range(100, 200))

    def tell(sentence, seconds=0.0):
        told.append(sentence)
        return ("Error: no" if sentence == "bad" else "", next(states))

    monkeypatch.setattr(prover, "tell", tell)
    monkeypatch.setattr(prover, "begin", lambda: setattr(prover, "process", object()))
    monkeypatch.setattr(prover, "stop", lambda: None)
    first = "Theorem a : x. Proof. one. Qed. Theorem b : y. Proof. two. Qed."
    assert prover.asked(first).accepted
    told.clear()
    assert prover.asked("Theorem a : x. Proof. one. Qed. Theorem c : y. Proof. bad. Qed.").sentence == "bad"
    assert told[0] == "BackTo 104"
    assert told[1:] == ["Theorem c : y", "Proof", "bad"]
    told.clear()
    assert not prover.asked("Theorem a : z. bad. Qed.").accepted
    assert told[0] == "BackTo 0"


def test_a_report_counts_every_forgery_and_names_what_was_not_reached(pool):
    found = [written(one) for one in forgeries.forgeries(pool, 60, 1)]
    table = list(campaign.table(found, lambda one: one.forged.kind, "kind"))
    assert table[-1].split()[:2] == ["all", "60"]
    assert sum(int(line.split()[-6]) for line in table[1:-1]) == 60
    missed = list(campaign.unreached(found, [], 1))
    assert any(line.startswith("normal_noise: 0 forgeries") for line in missed)
    beside = [campaign.Found(found[0].forged, campaign.PROOF, "no")]
    assert any(line.startswith("a genuine step by") for line in campaign.unreached(found, beside, 1))


@pytest.mark.parametrize(
    ("losses", "total", "is_so"),
    [
        ("pure(a), pure(-b)", "pure(a + b)", True),
        ("pure(a), pure(b)", "pure(a + b)", True),
        ("pure(a), pure(2 * b)", "pure(a + b)", False),
        ("renyi(2, a), renyi(2, b)", "renyi(2, a + b)", True),
        ("renyi(2, a), renyi(3, b)", "renyi(2, a + b)", False),
        ("approximate(a, b), approximate(a, b)", "approximate(2 * a, b)", False),
        ("concentrated(a)", "pure(a)", False),
    ],
)
def test_rounds_lose_what_they_lose_together(losses, total, is_so):
    claim = private(f"private(rounds({losses}), table(rows), symmetric(1), {total})", "0 < a", "0 < b")
    assert campaign.adds_up(claim) is is_so


def test_what_is_weaker_is_harmless_and_what_is_stronger_is_not(pool):
    one = next(one for one in pool.claims if one.claim == "discrete_laplace.pure")
    known = {str(step.claim.term): step.claim.term for step in steps(one.theorem)}
    loss = one.theorem.claim.d_out[0]

    def why(**fields):
        forged = theorem(one.theorem, claim=replace(one.theorem.claim, **fields))
        return campaign.harmless(Forged(forged, forged.rule, "", "", one, one.theorem), known)

    assert why() == "the genuine conclusion"
    one_name = with_names(one.theorem.claim, {"scale": "granularity"})
    an_instance = {"d_out": one_name.d_out, "subject": one_name.subject, "given": one_name.given}
    assert why(**an_instance) == "weaker, or decided by itself"
    other_name = with_names(one.theorem.claim, {"scale": "fix"})
    changed = {"d_out": other_name.d_out, "subject": other_name.subject, "given": other_name.given}
    assert why(**changed) == "the genuine conclusion under other names"
    assert why(d_out=(loss * 2,)) == "weaker, or decided by itself"
    assert why(domain=read("bounded(granularity, 0, 1)")) == "the genuine conclusion of fewer inputs"
    assert why(d_out=(loss * number(Fraction(999, 1000)),)) == ""
    assert why(domain=read("reals()")) == ""
    assert why(given=one.theorem.claim.given[1:], d_out=(number(0),)) == ""
    assert why(subject=Term("discrete_laplace", (name("scale") / 2, name("granularity")))) == ""
