"""A theorem becomes a certificate and comes back by replay; whatever has another shape is refused with its reason."""

import json

import pytest

from refdp.kernel import rules
from refdp.kernel.certificate import LARGEST_FILE, MOST_STEPS, certificate, parsed, replay, text_of
from refdp.kernel.judgements import KernelError
from refdp.spec.statements import Statement
from tests.kinds import BELIEVER, believed, believing, doubting, noisy_count, response, vouched
from tests.made import certificate_of


def test_certificate_is_the_derivation_in_order():
    theorem = rules.weaken(response(), d_out=["2"])
    assert certificate(theorem, "some.claim") == {
        "format": "refdp-certificate/2",
        "claim": "some.claim",
        "conclusion": "private(randomised_response(3/4), finite(2), discrete(1), pure(2))",
        "trusts": [],
        "sources": {},
        "steps": [
            {"rule": "finite_mechanism", "premises": [], "data": dict(response().data)},
            {"rule": "weaken", "premises": [0], "data": {"d_out": ["2"]}},
        ],
    }


def test_certificate_writes_a_shared_premise_once():
    once = noisy_count()
    steps = certificate(rules.compose(once, once), "")["steps"]
    assert steps[-1]["premises"] == [len(steps) - 2] * 2
    twice = certificate(rules.compose(noisy_count(), noisy_count()), "")["steps"]
    assert len(twice) == 2 * len(steps) - 1


def test_certificate_text_is_read_back_and_always_the_same():
    found = certificate(noisy_count(), "a.b")
    assert parsed(text_of(found)) == found
    assert text_of(parsed(text_of(found))) == text_of(found)
    assert text_of(found).isascii()


def test_replay_rebuilds_the_theorem_and_says_whom_it_believes_now():
    theorem = noisy_count()
    found = replay(certificate(theorem, "a.b"), lambda statement, by: frozenset({"somebody else"}))
    assert (found.claim, found.theorem.claim) == ("a.b", theorem.claim)
    assert theorem.trusts == {BELIEVER}
    assert found.trusts == found.theorem.trusts == {"somebody else"}


def test_replay_asks_about_each_statement_of_the_package_and_says_who_vouched():
    asked: list[tuple[Statement, tuple[str, ...]]] = []

    def ask(statement, by):
        asked.append((statement, by))
        return frozenset({"z3"})

    lemma = believed("composition.weaken")
    replay(certificate(lemma, ""), ask)
    assert [(s.digest, by) for s, by in asked] == [(lemma.data["digest"], (BELIEVER,))]


def test_replay_of_which_nobody_vouches_for_a_statement_is_refused():
    with pytest.raises(KernelError, match="nobody vouches for for all"):
        replay(vouched("discrete_laplace.pure"), doubting)
    assert not replay(certificate_of("discrete_laplace.pure"), doubting).trusts


def test_replay_for_which_an_oracle_names_nobody_is_refused():
    with pytest.raises(KernelError, match="an oracle must be named"):
        replay(vouched("discrete_laplace.pure"), lambda statement, by: frozenset())


@pytest.mark.parametrize(
    "text",
    ["", " ", "{", "}", "null", "[]", "3", '"text"', "{}", "{'a': 1}", "[" * 10_000, '{"a":' * 10_000,
     "[" * 10_000 + "]" * 10_000, "\ufeff{}", "{} {}", "\x00", '{"format": "refdp-certificate/1"}'],
)  # fmt: skip
def test_text_that_is_no_certificate_is_refused(text):
    with pytest.raises(KernelError, match=r"not a certificate|must be an object"):
        parsed(text)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1.0", "1e3", "0.5", "-0.0", "9" * 5_000])
def test_text_with_a_number_that_is_not_whole_or_too_long_is_refused(number):
    text = text_of(certificate_of("composition.weaken")).replace('"premises": [', f'"premises": [{number}, ', 1)
    with pytest.raises(KernelError, match="not a certificate: ValueError"):
        parsed(text)


@pytest.mark.parametrize("key", ["format", "claim", "steps", "rule", "premises", "data", "by", "scale"])
def test_text_with_a_key_twice_is_refused(key):
    text = text_of(vouched("composition.weaken"))
    assert f'"{key}": ' in text
    with pytest.raises(KernelError, match="a key stands twice"):
        parsed(text.replace(f'"{key}": ', f'"{key}": "other", "{key}": ', 1))


def test_text_of_more_bytes_than_are_read_is_refused():
    text = text_of(certificate_of("composition.weaken"))
    fits = text + " " * (LARGEST_FILE - len(text))
    assert parsed(fits)["claim"] == "composition.weaken"
    with pytest.raises(KernelError, match=f"at most {LARGEST_FILE} bytes"):
        parsed(fits + " ")
    wide = json.dumps(changed(claim="\N{GREEK SMALL LETTER DELTA}" * (LARGEST_FILE // 2)), ensure_ascii=False)
    assert len(wide) < LARGEST_FILE
    with pytest.raises(KernelError, match=f"at most {LARGEST_FILE} bytes"):
        parsed(wide)


def changed(**fields):
    return {**certificate_of("composition.weaken"), **fields}


@pytest.mark.parametrize(
    "found",
    [
        changed(format="refdp-certificate/3"),
        changed(format="refdp-certificate/1"),
        changed(format=["refdp-certificate/2"]),
        {k: v for k, v in changed(format="refdp-certificate/1").items() if k not in ("sources", "trusts")},
        {k: v for k, v in changed().items() if k != "sources"},
        changed(comment="unknown"),
        dict(reversed(changed().items())),
        {k: v for k, v in changed().items() if k != "trusts"},
        [changed()],
    ],
)
def test_certificate_with_other_keys_or_another_format_is_refused(found):
    with pytest.raises(KernelError, match="an object with the keys format, claim, conclusion, trusts, sources, steps"):
        parsed(json.dumps(found))


@pytest.mark.parametrize(
    "found",
    [changed(claim=None), changed(claim=["x"]), changed(conclusion=1), changed(trusts="z3"), changed(trusts=[1]),
     changed(trusts={"z3": "z3"}), changed(trusts=None), changed(steps={}), changed(steps="x"), changed(steps=None)],
)  # fmt: skip
def test_certificate_with_fields_of_another_type_is_refused(found):
    with pytest.raises(KernelError, match="claim and conclusion must be texts"):
        parsed(json.dumps(found))


def test_certificate_without_steps_or_with_too_many_is_refused():
    step = certificate_of("composition.finite_mechanism")["steps"][0]
    assert len(parsed(json.dumps(changed(steps=[step] * MOST_STEPS)))["steps"]) == MOST_STEPS
    for n in (0, MOST_STEPS + 1):
        with pytest.raises(KernelError, match=f"must have 1 to {MOST_STEPS} steps, got {n}"):
            parsed(json.dumps(changed(steps=[step] * n)))


def replayed_with(step, at=0, identifier="composition.weaken"):
    """Replay of a certificate with one step replaced."""
    found = certificate_of(identifier)
    found["steps"][at] = step
    return replay(found, believing)


FIRST = certificate(response(), "composition.weaken")["steps"][0]


@pytest.mark.parametrize(
    "step",
    [
        None, [], "oracle", {}, {**FIRST, "smt_lib": "(check-sat)"}, dict(reversed(FIRST.items())),
        {k: v for k, v in FIRST.items() if k != "premises"}, [FIRST],
    ],
)  # fmt: skip
def test_step_of_another_shape_is_refused(step):
    with pytest.raises(KernelError, match="step 0 must be an object with the keys rule, premises, data"):
        replayed_with(step)


@pytest.mark.parametrize(
    "name",
    ["believe", "", "Oracle", "oracle ", "require_lemmas", "seal", "__init__", "theorem", None, 0, ["oracle"], {}],
)
def test_step_by_no_rule_of_the_kernel_is_refused(name):
    with pytest.raises(KernelError, match="is not a rule of this kernel"):
        replayed_with({**FIRST, "rule": name})


@pytest.mark.parametrize(
    "premises", [[0], [1], [-1], [10**30], [True], [None], ["0"], [[0]], [0.0], "", "0", None, {}, {"0": 0}, 0]
)
def test_step_with_premises_that_are_no_earlier_steps_is_refused(premises):
    with pytest.raises(KernelError, match="premises must be indices of earlier steps"):
        replayed_with({**FIRST, "premises": premises})


@pytest.mark.parametrize("premises", [[2], [3], [99], [-2], [False, True]])
def test_step_that_rests_on_itself_or_on_later_ones_is_refused(premises):
    third = certificate_of("composition.weaken")["steps"][2]
    with pytest.raises(KernelError, match="premises must be indices of earlier steps"):
        replayed_with({**third, "premises": premises}, at=2)


@pytest.mark.parametrize(
    "data", [None, "x", [], 3, {"by": 3}, {"by": None}, {"by": [["z3"]]}, {"by": {"z3": 1}}, {"by": [{}]}, {"by": True}]
)
def test_step_with_data_that_are_no_texts_is_refused(data):
    with pytest.raises(KernelError, match="data must be texts, lists of texts or mappings of texts"):
        replayed_with({**FIRST, "data": data})


@pytest.mark.parametrize("sources", [[], None, {"x": 1}, {"x": ["text"]}])
def test_sources_that_are_no_texts_by_digests_are_refused(sources):
    with pytest.raises(KernelError, match="sources must be an object of texts by their digests"):
        parsed(json.dumps(changed(sources=sources)))


@pytest.mark.parametrize("source", [[], {}, ["x"], {"x": "x"}])
def test_step_whose_source_is_no_text_is_refused(source):
    """Lists and mappings have no hash: they must be refused before they are looked for among the sources."""
    with pytest.raises(KernelError, match="step 0: source must be a text, the digest of one of the sources"):
        replayed_with({**FIRST, "data": {**FIRST["data"], "source": source}})


def test_replay_with_a_step_that_nothing_uses_is_refused():
    found = certificate_of("composition.finite_mechanism")
    found["steps"] = [found["steps"][0], found["steps"][0]]
    with pytest.raises(KernelError, match="a step is not used by any later one"):
        replay(found, believing)


def test_replay_that_concludes_something_else_is_refused():
    found = certificate_of("composition.finite_mechanism")
    found["conclusion"] = found["conclusion"].replace("ln(3)", "ln(2)")
    with pytest.raises(KernelError, match=r"replay concludes private\(.*pure\(ln\(3\)\)\), not private\(.*ln\(2\)"):
        replay(found, believing)


TRUSTS = vouched("discrete_laplace.pure")["trusts"]


@pytest.mark.parametrize("trusts", [[], TRUSTS[:1], TRUSTS[1:], ["nobody"], [*TRUSTS, "nobody"], TRUSTS[::-1]])
def test_replay_that_trusts_others_than_stated_is_refused(trusts):
    """Also in another order."""
    with pytest.raises(KernelError, match="replay trusts"):
        replay({**vouched("discrete_laplace.pure"), "trusts": trusts}, believing)
