"""No forged certificate of any format shows what is false; and the forger sees a checker that lost a condition.

`make forge` forges 20,000; here are a few hundred, by fixed seeds.
"""

from random import Random

import pytest

import refdp.kernel.rules.logic as logic
import refdp.programs.checking.conditions as conditions
import refdp.sensitivities.checking.replaying as replaying
import refdp.sensitivities.theorems as theorems
from refdp.programs.checking import charges
from refdp.programs.checking.public import Refused
from refdp.sensitivities.machine import function_certificates
from refdp.sensitivities.smoothing import certificates as smoothing
from tests.forging import accounts, programs, queries, rounds
from tests.forging.campaign import Forger, reason_class
from tests.forging.changes import NOT_THERE, WAYS, forged
from tests.forging.questions import FORMATS as FORMATS_OF_KINDS
from tests.forging.seeds import (
    ALIGNMENT,
    COUNTEREXAMPLE,
    FORMATS,
    KERNEL,
    MACHINE,
    MACHINE_FUNCTION,
    MACHINE_SUM,
    PROGRAM,
    QUERY,
    QUESTION,
    SENSITIVITY,
    SMOOTH,
    of_queries,
    of_sums,
    of_tables,
    stored,
)
from tests.reading_once import read_once

ASKED = (
    "total",
    "false total",
    "counts",
    "false counts",
    "false mean",
    "capped",
    "sum of floats",
    "false sum of floats",
    "mean of floats",
    "sum in int64",
    "false count in int64",
)
SLOW = ("gaussian.classical", "profiles.optimal_hundred", "attribute_means.change_one_l1")
"""Certificates whose replay takes a second, which are forged by `make forge` alone."""


@pytest.fixture(scope="module")
def genuine(tmp_path_factory):
    """Certificates of every format, few of each."""
    folder = tmp_path_factory.mktemp("genuine")
    few = [one for one in stored(9) if not one.name.startswith(SLOW)]
    return [*few, *of_queries(folder, ASKED.__contains__), *of_tables(), *of_sums()]


@pytest.fixture(scope="module")
def forger(genuine, tmp_path_factory):
    return Forger(genuine, tmp_path_factory.mktemp("forged"))


NUMBER = {
    KERNEL: 36,
    PROGRAM: 27,
    QUERY: 36,
    MACHINE: 48,
    QUESTION: 48,
    ALIGNMENT: 18,
    COUNTEREXAMPLE: 18,
    SENSITIVITY: 18,
    SMOOTH: 24,
    MACHINE_FUNCTION: 18,
    MACHINE_SUM: 24,
}


@pytest.mark.once
@pytest.mark.parametrize("form", FORMATS)
def test_no_forged_certificate_shows_what_is_false(forger, form, monkeypatch):
    read_once(monkeypatch)
    tally = forger.campaign([form], NUMBER[form], seed=1)[form]
    assert tally.findings == []
    assert tally.tried == NUMBER[form]
    assert sum(tally.refused.values()) + tally.undecided > tally.tried / 2
    assert tally.accepted


def uncharged(draw, shift, alignment):
    """What `followed` was before an uncharged shift became impossible."""
    try:
        return charges.followed(draw, shift, alignment)
    except Refused:
        return charges.Followed(charges._shifted(draw, shift), None)


def free_of_charge(monkeypatch):
    monkeypatch.setattr(conditions, "followed", uncharged)


def without_side_conditions(monkeypatch):
    monkeypatch.setattr(logic, "require", lambda condition, otherwise: None)


def everything_is_too_far(monkeypatch):
    for module in (replaying, theorems):
        monkeypatch.setattr(module, "is_too_far", lambda *asked: True)


def no_condition_on_machines(monkeypatch):
    monkeypatch.setattr(function_certificates, "insist", lambda condition, what: None)


def any_reach(monkeypatch):
    monkeypatch.setattr(smoothing.Certificate, "_stretch", lambda *asked: None)


@pytest.mark.once
@pytest.mark.parametrize(
    ("form", "break_it", "within"),
    [
        (ALIGNMENT, free_of_charge, 150),
        (PROGRAM, free_of_charge, 200),
        (KERNEL, without_side_conditions, 400),
        (SENSITIVITY, everything_is_too_far, 60),
        (QUERY, everything_is_too_far, 150),
        (MACHINE, no_condition_on_machines, 150),
        (SMOOTH, any_reach, 80),
        ("program", free_of_charge, 250),
        ("sensitivity", everything_is_too_far, 150),
        ("machine_function", no_condition_on_machines, 150),
        ("smooth_sensitivity", any_reach, 150),
    ],
)
def test_a_condition_that_a_checker_lost_is_seen(forger, tmp_path, monkeypatch, form, break_it, within):
    """Within so many forged certificates; test_no_forged_certificate_shows_what_is_false says that it was there.

    Of questions the kind is named instead of the format.
    """
    if form == KERNEL:  # of those that use the rules whose side conditions are gone
        weakened = [one for one in stored() if one.form == KERNEL and not one.name.startswith(SLOW)
                    and any(step["rule"] in ("weaken", "chain") for step in one.content["steps"])]  # fmt: skip
        forger = Forger(weakened[:12], tmp_path)
    kind = ""
    if form in FORMATS_OF_KINDS:
        form, kind = QUESTION, form
        of_kind = [one for one in forger.genuine
                   if one.form == QUESTION and one.content["steps"][0]["data"]["kind"] == kind]  # fmt: skip
        forger = Forger(of_kind, tmp_path)
    break_it(monkeypatch)
    seed = 9 if kind == "program" else 3  # with which it is found soon
    share = forger.campaign([form], within, seed=seed, until=1)[form]
    assert [one for one in share.findings if one.startswith(("false", "unknown"))], share.tried


def test_every_way_to_forge_changes_something(genuine):
    for form, ways in WAYS.items():
        of_form = [one for one in genuine if one.form == form]
        for way in set(ways):
            changed = 0
            for number in range(60):
                random = Random(f"{form} {number}")
                seed, donor = random.choice(of_form), random.choice(of_form)
                try:
                    how = way(random, seed.content, donor.content, lambda r: programs.written(r).text)
                    changed += how[1] != seed.content
                except NOT_THERE:
                    continue
            assert changed > 5, (form, way.__name__)


def test_the_same_seed_forges_the_same(genuine):
    of_form = [one for one in genuine if one.form == KERNEL]
    one, other = (forged(Random("x 1"), of_form[0], of_form, lambda r: "") for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    ("family", "scale", "adjacency", "epsilon", "holds"),
    [
        ("one number", "1", "ALL", "epsilon", True),
        ("one number", "1/1000000", "ALL", "epsilon", False),
        ("each number", "1", "L1", "epsilon", True),
        ("each number", "1", "ALL", "1000000*epsilon", False),
        ("two numbers", "1", "ALL", "2*epsilon", True),
        ("two numbers", "1", "ALL", "epsilon", False),
        ("noise twice", "1", "ALL", "1000000*epsilon", False),
    ],
)
def test_closed_forms_of_families(family, scale, adjacency, epsilon, holds):
    made = programs.program(programs.FAMILIES[family], scale, "1/4", adjacency, epsilon)
    asked = {"source": made.text, "function": "program", "claim": "0", "adjacency": None, "given": {}, "epsilon": None}
    assert programs.truth(asked, "PROVED")[0] == ("true" if holds else "false")
    assert programs.truth(asked, "REFUTED")[0] == ("false" if holds else "true")


def test_queries_are_judged_by_python():
    claim = {
        "source": "def f(rows, cap):\n    return sum(min(r, cap) for r in rows)\n", "function": "f",
        "record": {"number": {"lower": "0", "upper": "10", "is_integer": False}}, "values": {"cap": {"number": "7"}},
        "symbols": {}, "assumption": "true", "neighbours": "add_remove", "norm": "L1", "claim": "7", "edits": "1",
        "tables": "multisets",
    }  # fmt: skip
    assert queries.truth(claim, "PROVED", None)[0] == "true"
    assert queries.truth({**claim, "claim": "6.5"}, "PROVED", None)[0] == "false"
    pair = {"first": [], "second": [{"number": "9"}], "parameters": {}}
    assert queries.truth({**claim, "claim": "6.5"}, "REFUTED", pair)[0] == "true"
    assert queries.truth(claim, "REFUTED", pair)[0] == "false"
    raises = {**claim, "source": "def f(rows, cap):\n    return 1 / 0\n"}
    for verdict, right in (("PROVED", "false"), ("REFUTED", "true")):
        assert queries.truth(raises, verdict, pair, must_answer=True)[0] == right
        assert queries.truth(raises, verdict, pair)[0] != right
    assert queries.truth({**claim, "claim": "6.5"}, "REFUTED", {**pair, "second": [{"number": "11"}]})[0] == "false"


def test_reasons_are_counted_without_their_numbers():
    assert reason_class("step 12: premises must be indices") == reason_class("step 7: premises must be earlier")


@pytest.mark.once
def test_no_forged_account_shows_what_is_false():
    told = []
    found = accounts.campaign(120, 5, told.append)
    assert told == []
    assert found["refused"] > 60
    assert found["accepted and true"] > 3


@pytest.mark.once
def test_an_account_that_lost_its_conditions_is_seen(monkeypatch):
    """Among others, that the upper end of the engine is at most delta."""
    made = accounts.genuine()
    monkeypatch.setattr(accounts, "genuine", lambda: made)
    monkeypatch.setattr("refdp.kernel.rules.accounts.require", lambda condition, otherwise: None)
    told = []
    assert accounts.campaign(40, 6, told.append)["FALSE"] > 0
    assert told


@pytest.fixture(scope="module")
def genuine_rounds():
    return rounds.genuine()


@pytest.mark.once
def test_no_forged_account_of_rounds_shows_what_is_false(genuine_rounds):
    told = []
    found = accounts.campaign(120, 7, told.append, genuine_rounds, rounds.WAYS, rounds.is_true)
    assert told == []
    assert found["refused"] > 60
    assert found["accepted and true"] > 5


@pytest.mark.once
def test_an_account_of_rounds_that_lost_its_conditions_is_seen(genuine_rounds, monkeypatch):
    """Those of the shared ending among them: that the upper end of the engine is at most delta."""
    made, told = genuine_rounds, []
    for file in ("accounts", "accounted_rounds"):
        monkeypatch.setattr(f"refdp.kernel.rules.{file}.require", lambda condition, otherwise: None)
    assert accounts.campaign(40, 8, told.append, made, rounds.WAYS, rounds.is_true)["FALSE"] > 0
    assert told
