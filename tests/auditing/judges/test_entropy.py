"""Noise that repeats is found, with its outputs; noise from the machine and functions without noise are not accused."""

from fractions import Fraction

import pytest

from refdp.auditing.judges.entropy import PLANTED, Entropy, Found, rounds_for
from refdp.auditing.judges.kinds import judge_of
from refdp.auditing.judges.task import Task, TaskError
from refdp.auditing.targets import Outcome, Session, command, function
from tests.auditing.environments import PLACE, python_of
from tests.auditing.judges.asking import ALPHA, copy, judged, task


@pytest.fixture(scope="module")
def planted():
    """What planted noise gave, by what was asked of it."""
    return {}


@pytest.fixture
def planted_once(monkeypatch, planted):
    """Noise is planted once for all targets of which the same is asked: it knows nothing of them."""
    plant = Entropy._planted

    def kept(self):
        asked = (self.x, self.draws, self.ways, self.rounds, self.target.python)
        if asked not in planted:
            planted[asked] = plant(self)
        return planted[asked]

    monkeypatch.setattr(Entropy, "_planted", kept)


@pytest.mark.once
@pytest.mark.usefixtures("planted_once")
@pytest.mark.parametrize(
    ("name", "verdict", "told"),
    [
        ("from_global", "REFUTED", "function of the global seed"),
        ("from_numpy_imported_late", "REFUTED", "function of the global seed"),
        ("from_numpy_imported_later_still", "REFUTED", "function of the global seed"),
        ("from_numpy_with_a_generator_of_its_own", "NOT_REFUTED", "outputs differed"),
        ("fixed", "REFUTED", "same in every fresh process"),
        ("own_state", "REFUTED", "forked processes repeat"),
        ("from_machine", "NOT_REFUTED", "outputs differed"),
        ("constant", "UNKNOWN", "no noise to judge"),
        ("reseeded", "UNKNOWN", "no noise to judge"),
        ("raises", "UNKNOWN", "no noise today"),
    ],
)
def test_noise_is_judged_by_whether_it_repeats(name, verdict, told):
    found = judged("entropy", f"noise_sources:{name}", input=0.5)
    assert found.verdict == verdict
    assert told in found.sentence
    if verdict == "REFUTED":
        assert 0 < found.error <= ALPHA
        first, second = found.evidence.counterexample.outputs
        assert first == second


@pytest.mark.once
def test_the_global_seed_alone_can_be_asked_about():
    assert judged("entropy", "noise_sources:own_state", input=0.5, ways=["seed"]).verdict == "NOT_REFUTED"


@pytest.mark.once
@pytest.mark.usefixtures("planted_once")
def test_what_would_have_been_seen_was_planted_and_seen():
    found = judged("entropy", "noise_sources:from_machine", input=0.5)
    assert found.power.endswith("such noise was planted on the same interpreter, and seen")


@pytest.mark.once
@pytest.mark.usefixtures("planted_once")
def test_every_round_of_forks_has_the_time_of_a_call(monkeypatch):
    """Each forked process may load what its first draw loads: on a busy machine that takes most of a call's time."""
    asked, ask = [], Session.ask

    def told(self, what, value=None, seconds=None):
        asked.append((what, seconds / self.limits.call))
        return ask(self, what, value, seconds)

    monkeypatch.setattr(Session, "ask", told)
    judged("entropy", "noise_sources:from_machine", input=0.5)
    assert set(asked) == {("seeded", 1), ("forked", rounds_for(ALPHA))}


@pytest.mark.once
@pytest.mark.parametrize("way", ["seed", "process", "fork"])
def test_a_harness_that_does_not_see_a_planted_repetition_says_unknown(way):
    """The same record, but that the planted noise seems to vary as the target's does; or that none was planted."""
    judge = judge_of(task("entropy", "noise_sources:from_machine", input=0.5, ways=[way]), ALPHA)
    opening = copy(judge.opening())
    assert judge.result(opening, []).verdict == "NOT_REFUTED"
    for name in PLANTED[way]:
        varied = {**opening, "planted": {**opening["planted"], name: opening["outcomes"]}}
        none = {key: value for key, value in opening["planted"].items() if key != name}
        failed = {**opening["planted"], name: "the target cannot be loaded"}
        for blind in (varied, {**opening, "planted": none}, {**opening, "planted": failed}):
            found = judge.result(blind, [])
            assert found.verdict == "UNKNOWN"
            assert f"no repetition would have been seen: {name}" in found.reason


@pytest.mark.once
def test_a_worker_that_plants_no_seeds_is_noticed(monkeypatch):
    """The whole harness: its seeds are thrown away on the way to the processes."""
    ask = Session.ask
    monkeypatch.setattr(
        Session, "ask",
        lambda self, what, value=None, *more: ask(
            self, what, (*value[:2], [None] * len(value[2])) if what == "seeded" else value, *more
        ),
    )  # fmt: skip
    found = judged("entropy", "noise_sources:from_global", input=0.5, ways=["seed"])
    assert found.verdict == "UNKNOWN"
    assert "from_seed was planted" in found.reason


@pytest.mark.once
def test_a_bit_of_true_noise_is_never_accused():
    assert judged("entropy", "noise_sources:bit_from_machine", input=0, draws=1).verdict == "NOT_REFUTED"


@pytest.mark.parametrize("seeded", [0, 1])
@pytest.mark.parametrize("equal", [0, 3])
def test_only_what_repeats_always_and_differs_otherwise_is_accused(seeded, equal):
    """Of four rounds: `equal` plain pairs repeat, and `seeded` of the seeded ones differ."""
    plain = [[[i] for i in range(4)], [[i if i < equal else i + 10] for i in range(4)]]
    planted = [[[i] for i in range(4)], [[i + 10 if i < seeded else i] for i in range(4)]]
    outcomes = {"plain 1": plain[0], "plain 2": plain[1], "seed 1": planted[0], "seed 2": planted[1]}
    found = Found({name: Outcome("value", value) for name, value in outcomes.items()}, 4, ("seed",))
    expected = "NOT_REFUTED" if seeded else "UNKNOWN" if equal else "REFUTED"
    assert found.verdict("seed") == expected


def test_there_are_as_many_rounds_as_the_error_needs():
    for alpha in (Fraction(1, 10**9), Fraction(1, 10**12)):
        rounds = rounds_for(alpha)
        assert 3 * Fraction(1, 4**rounds) <= alpha < 3 * Fraction(1, 4 ** (rounds - 1))


def test_noise_that_ignores_seeds_is_accused_with_at_most_the_stated_probability():
    """(p (1 - p))^m is at most 4^-m, and m distinct values of a uniform law come twice with at most m^-m."""
    m = 4
    for k in range(1, 100):
        p = Fraction(k, 100)
        assert (p * (1 - p)) ** m <= Fraction(1, 4**m)
    for size in range(m, 9):
        distinct = Fraction(1)
        for i in range(m):
            distinct *= Fraction(size - i, size**2)
        assert distinct <= Fraction(1, m**m)


def test_bad_fields_are_refused_in_one_sentence():
    ways = "ways must be a list of"
    bad = (({"input": {"fraction": "x"}}, "input must be"), ({"ways": ["time"]}, ways), ({"ways": [["seed"]]}, ways))
    for fields, sentence in bad:
        with pytest.raises(TaskError, match=sentence):
            judge_of(task("entropy", "noise_sources:constant", **fields), ALPHA)
    with pytest.raises(TaskError, match="command"):
        judge_of(Task("a", "entropy", command("cat"), {"input": 0}), ALPHA)


@pytest.mark.long
def test_the_noise_of_flower_is_a_function_of_the_global_seed():
    folder = str(PLACE.parent / "audits" / "targets")
    target = function("flwr_local:noisy", python_of("flwr-1.41.0"), search=(folder,))
    judge = judge_of(Task("flwr", "entropy", target, {"input": [1.0, 1e-5, 1.0], "ways": ["seed"]}), ALPHA)
    assert judge.result(judge.opening(), []).verdict == "REFUTED"
