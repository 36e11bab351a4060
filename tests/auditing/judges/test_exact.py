"""Mechanisms that can be enumerated: the verdict is that of all events, one by one, and refuted claims show theirs."""

import math
import random
import sys
from fractions import Fraction
from itertools import chain, combinations
from pathlib import Path

import pytest

from refdp.auditing.judges.exact import claim_of, stated
from refdp.auditing.judges.kinds import judge_of
from refdp.auditing.judges.task import Fields, Task, TaskError
from refdp.auditing.targets import command
from tests.auditing.judges.asking import ALPHA, judged, task

BITS = {"pairs": [[0, 1]], "claim": {"epsilon": "ln(3)"}}
LESS = {"pairs": [[0, 1]], "claim": {"epsilon": "ln(2)"}}


def program(name, laws="given", **fields):
    return judged("exact", f"enumerable_programs:{name}", laws=laws, **fields)


def events(outcomes):
    return chain.from_iterable(combinations(outcomes, n) for n in range(len(outcomes) + 1))


def least_delta(p, q, factor):
    """By definition: the greatest P(S) - factor Q(S) over all events and both directions."""
    outcomes = sorted({*p, *q})
    return max(
        sum(a.get(y, 0) for y in event) - factor * sum(b.get(y, 0) for y in event)
        for event in events(outcomes)
        for a, b in ((p, q), (q, p))
    )


def random_law(rng, outcomes):
    weights = [rng.choice([0, 1, 1, 2, 3, 5, 8]) for _ in range(outcomes)]
    total = sum(weights)
    return random_law(rng, outcomes) if total == 0 else {str(i): Fraction(w, total) for i, w in enumerate(weights)}


def test_thousand_random_pairs_are_judged_as_all_their_events_are():
    rng, verdicts = random.Random(8), []
    for _ in range(1000):
        p, q = (random_law(rng, rng.randint(2, 4)) for _ in range(2))
        factor = rng.choice([Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3)])
        truth = least_delta(p, q, factor)
        delta = min(Fraction(99, 100), max(Fraction(0), truth + rng.choice([-1, 0, 0, 1]) * Fraction(1, 10**12)))
        claim = claim_of(Fields({"epsilon": f"ln({factor})", "delta": str(delta)}))
        found = claim.decided(stated(p), stated(q))
        assert found.verdict == ("PROVED" if truth <= delta else "REFUTED")
        assert found.lower == found.upper == truth
        if found.verdict == "REFUTED":
            a, b = (p, q) if found.direction == 1 else (q, p)
            mass = [sum((law.get(y[1:-1], Fraction(0)) for y in found.event), Fraction(0)) for law in (a, b)]
            assert mass[0] - factor * mass[1] == truth
        verdicts.append(found.verdict)
    assert min(verdicts.count("PROVED"), verdicts.count("REFUTED")) > 200


def test_random_pairs_are_judged_as_their_renyi_sums_are():
    rng, verdicts = random.Random(9), []
    for _ in range(300):
        p, q = (random_law(rng, rng.randint(2, 4)) for _ in range(2))
        order, factor = rng.randint(2, 5), rng.choice([Fraction(9, 8), Fraction(3, 2), Fraction(3)])
        found = claim_of(Fields({"measure": "renyi", "order": order, "epsilon": f"ln({factor})"}))
        holds = all(
            all(b.get(y, 0) or not x for y, x in a.items())
            and sum(x**order / b[y] ** (order - 1) for y, x in a.items() if x) <= factor ** (order - 1)
            for a, b in ((p, q), (q, p))
        )
        verdict = found.decided(stated(p), stated(q)).verdict
        assert verdict == ("PROVED" if holds else "REFUTED")
        verdicts.append(verdict)
    assert min(verdicts.count("PROVED"), verdicts.count("REFUTED")) > 20


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "laws"),
    [("response", "given"), ("two_flips", "tapes"), ("number", "tapes")],
)
def test_randomised_response_is_proved_at_its_epsilon_and_refuted_below_it(name, laws):
    assert program(name, laws, **BITS).verdict == "PROVED"
    found = program(name, laws, **LESS)
    assert found.verdict == "REFUTED"
    assert Fraction(found.evidence.rows[0].lower) == Fraction(1, 4)  # 3/4 - 2 x 1/4
    example = found.evidence.counterexample
    assert example.event in ("{0}", "{1}")
    assert example.bounds == ("from 0.75 to 0.75", "from 0.25 to 0.25")
    assert sorted((bin_.first, bin_.second, bin_.inside) for bin_ in found.evidence.losses) == [
        (0.25, 0.75, False), (0.75, 0.25, True)
    ]  # fmt: skip


@pytest.mark.once
@pytest.mark.parametrize("name", ["from_list", "from_list_by_name"])
def test_programs_that_take_lists_of_flips_are_walked(name):
    fields = {"laws": "tapes", "flips": "listed", "depth": 4}
    assert judged("exact", f"enumerable_programs:{name}", **fields, **BITS).verdict == "PROVED"
    assert judged("exact", f"enumerable_programs:{name}", **fields, **LESS).verdict == "REFUTED"


@pytest.mark.once
def test_a_command_says_more_until_it_has_enough_flips():
    target = command(sys.executable, str(Path(__file__).with_name("enumerable_programs.py")), reads="text")
    fields = {"laws": "tapes", "flips": "listed", "depth": 3}
    found = [judge_of(Task("a command", "exact", target, {**fields, **claim}), ALPHA) for claim in (BITS, LESS)]
    assert [judge.result(judge.opening(), []).verdict for judge in found] == ["PROVED", "REFUTED"]


@pytest.mark.once
def test_what_is_left_open_beyond_the_depth_refutes_nothing_and_proves_nothing():
    tight = {"pairs": [[0, 1]], "claim": {"epsilon": "ln(2)", "delta": "1/2"}}
    assert program("geometric", "tapes", depth=8, **tight).verdict == "UNKNOWN"
    wide = {"pairs": [[0, 1]], "claim": {"epsilon": "ln(2)", "delta": "0.51"}}
    assert program("geometric", "tapes", depth=8, **wide).verdict == "PROVED"
    low = {"pairs": [[0, 1]], "claim": {"epsilon": "ln(2)", "delta": "0.49"}}
    assert program("geometric", "tapes", depth=8, **low).verdict == "REFUTED"
    assert program("swallowing", "tapes", depth=8, **tight).verdict == "UNKNOWN"


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "laws", "reason"),
    [
        ("floats", "given", "must be exact"),
        ("short", "given", "must sum to 1"),
        ("wandering", "given", "two fresh processes"),
        ("remembering", "tapes", "two fresh processes"),
        ("tiring", "given", "no function of its input"),
        ("two_flips", "given", "TypeError"),
        ("impure", "tapes", "function of its flips alone"),
        ("alternating", "tapes", "no function of its input and its flips"),
        ("swallowing_all", "tapes", "caught what told it so"),
        ("alike", "given", "garbage"),
        ("nans", "given", "outcomes must differ"),
        ("nameless", "tapes", "must be plain data"),
    ],
)
def test_what_is_no_law_is_unknown(name, laws, reason):
    found = program(name, laws, **BITS)
    assert found.verdict == "UNKNOWN"
    assert reason in found.reason


@pytest.mark.once
def test_enclosed_probabilities_are_decided_where_they_can_be():
    assert program("enclosed", pairs=[[0, 1]], claim={"epsilon": "ln(2)", "delta": "1e-5"}).verdict == "PROVED"
    assert program("enclosed", pairs=[[0, 1]], claim={"epsilon": "ln(2)"}).verdict == "UNKNOWN"
    assert program("enclosed", pairs=[[0, 1]], claim={"epsilon": "ln(19/10)"}).verdict == "REFUTED"


@pytest.mark.once
def test_outcomes_that_never_coincide_have_an_infinite_divergence():
    found = program("sure", pairs=[[0, 1]], claim={"measure": "renyi", "order": 2, "epsilon": 50})
    assert found.verdict == "REFUTED"
    assert found.evidence.rows[1].upper == "infinite or not bounded"
    assert all(math.isfinite(one.lower) for one in found.evidence.losses)


TABLES = {"a": {"yes": "3/4", "no": "1/4"}, "b": {"yes": "1/4", "no": "3/4"}}


def tables(claim, laws=TABLES):
    return judged("exact", None, tables=laws, pairs=[["a", "b"]], claim=claim)


def test_tables_of_the_file_are_judged_under_each_measure():
    assert tables({"measure": "pure", "epsilon": "ln(3)"}).verdict == "PROVED"
    assert tables({"epsilon": "1"}).verdict == "REFUTED"
    assert tables({"epsilon": "11/10"}).verdict == "PROVED"
    # 9/16 x 4 + 1/16 x 4/3 = 7/3
    assert tables({"measure": "renyi", "order": 2, "epsilon": "ln(7/3)"}).verdict == "PROVED"
    assert tables({"measure": "renyi", "order": 2, "epsilon": "ln(233/100)"}).verdict == "REFUTED"
    assert tables({"measure": "concentrated", "rho": "0.61"}).verdict == "NOT_REFUTED"
    assert tables({"measure": "concentrated", "rho": "0.4"}).verdict == "REFUTED"


BAD = [
    ({"pairs": [["a", "c"]]}, "must name tables"),
    ({"pairs": []}, "at least one pair"),
    ({"pairs": [["a"]]}, "must list pairs"),
    ({"claim": {}}, "epsilon must be given"),
    ({"claim": {"epsilon": 0.5}}, "epsilon must be exact"),
    ({"claim": {"measure": "renyi", "order": 1, "epsilon": 1}}, "order must be a whole number >= 2"),
    ({"claim": {"epsilon": -1}}, "epsilon must be >= 0"),
    ({"tables": {"a": {"yes": "3/4"}, "b": {"yes": 1}}}, "must sum to 1"),
    ({"depth": 99}, "depth must be at most"),
    ({"other": 1}, "other is not known"),
]


@pytest.mark.parametrize(("change", "sentence"), BAD)
def test_bad_fields_are_refused_in_one_sentence(change, sentence):
    fields = {"tables": TABLES, "pairs": [["a", "b"]], "claim": {"epsilon": 1}} | change
    with pytest.raises(TaskError, match=sentence):
        judge_of(task("exact", None, **fields), ALPHA)


@pytest.mark.parametrize(("pairs", "all_of", "these"), [
    ([["a", "b"]], "1 pair of inputs", "this pair"),
    ([["a", "b"], ["b", "a"]], "2 pairs of inputs", "these 2 pairs"),
])  # fmt: skip
def test_a_proof_says_of_how_many_pairs_it_is(pairs, all_of, these):
    found = judged("exact", None, tables=TABLES, pairs=pairs, claim={"epsilon": "ln(3)"})
    assert found.claim.endswith(f" for {all_of}")
    assert found.sentence.startswith(f"PROVED for {these}: ")
