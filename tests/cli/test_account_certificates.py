"""`refdp account --certificates`: theorems that a fresh process replays; where there is none, one sentence, no file."""

import json
from fractions import Fraction as F

import pytest
from typer.testing import CliRunner

import refdp
from refdp.accounting.accounts import Account
from refdp.accounting.events import Event, Gaussian, Laplace, NoTheorem, Poisson
from refdp.accounting.losses import LossError
from refdp.cli.app import app
from refdp.commands import account_certificates
from refdp.commands.check import replayed_here

TRAINING = {"neighbours": "add_remove", "events": [{
    "mechanism": "gaussian", "sigma": "1", "sampling": {"scheme": "poisson", "rate": "1/100"}, "count": 1000,
}]}  # fmt: skip
SURVEY = {"neighbours": "none", "events": [
    {"mechanism": "pure", "epsilon": "ln(3)", "count": 2}, {"mechanism": "laplace", "scale": 3, "sensitivity": "1/2"},
]}  # fmt: skip


def spec(**others):
    return {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": 2} | others]}


@pytest.fixture
def account(tmp_path):
    """Runs the command with certificates in a folder beside nothing else."""

    def run(stated, *options):
        words = ["account", "-", "--certificates", str(tmp_path / "certificates"), *options]
        return CliRunner().invoke(app, words, input=json.dumps(stated))

    return run


def files(folder):
    return sorted(path.name for path in folder.rglob("*.json"))


def test_each_answer_has_a_certificate_of_its_upper_end_that_a_fresh_process_replays(account, tmp_path):
    done = account(TRAINING, "--delta", "1e-6", "--epsilon", "2", "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)["answers"]
    judged = {one["path"]: one for one in refdp.check(tmp_path / "certificates")["certificates"]}
    assert sorted(judged) == sorted(one["certificate"] for one in found)
    for one, given in zip(found, ("delta", "epsilon"), strict=True):
        asked = "epsilon" if given == "delta" else "delta"
        assert F(one["concludes"][given]) == F(one["at"][given])
        assert F(one["concludes"][asked]) == F(one[asked]["upper"])
        again = judged[one["certificate"]]
        assert (again["verdict"], again["conclusion"]) == ("PROVED", one["conclusion"])
        assert again["trusts"] == ["Arb", "engine: contour"]
        assert again["said"] == [one["said"]]
        assert again["rules"] == ["account_rounds"]
    first = found[0]
    assert first["conclusion"].startswith(
        "private(rounds(repeated(poisson_sampled(1/100, chain(l2(1), gaussian(1))), 1000)), table(rows), symmetric(1), "
    )
    assert first["said"] == (
        f"all outcomes together are ({first['epsilon']['upper']}, 1e-6)-DP between two members of table(rows) (at most "
        "1 rows added or removed), however each round is chosen in view of the outcomes before it: 1000 rounds of "
        "noise gaussian(1) on each number of an answer that moves by at most 1 in L2, each on a Poisson sample of rate "
        "1/100 (this of samples with a row more or less)"
    )


def test_file_is_the_same_for_the_same_theorem_and_is_printed(account, tmp_path):
    for _ in range(2):
        done = account(SURVEY, "--delta", "1e-3")
        assert done.exit_code == 0
        (name,) = files(tmp_path)
        assert name in "".join(done.stdout.split())
        assert "certificate" in done.stdout


def test_training_and_histories_have_certificates(tmp_path):
    words = ["account", "--sgd", "--noise-multiplier", "1.1", "--rate", "0.01", "--steps", "100", "--delta", "1e-5",
             "--neighbours", "change_one", "--certificates", str(tmp_path), "--json"]  # fmt: skip
    found = json.loads(CliRunner().invoke(app, words).stdout)
    assert "table(rows), change_one(1), approximate(" in found["conclusion"]
    words = ["account", "--sgd", "--noise-multiplier", "2", "--lot-size", "6", "--rows", "600", "--steps", "100",
             "--sampling", "fixed_size", "--neighbours", "change_one", "--delta", "1e-5", "--certificates",
             str(tmp_path), "--json"]  # fmt: skip
    found = json.loads(CliRunner().invoke(app, words).stdout)
    assert "fixed_size_sampled(6, chain(l2(2), gaussian(2))), 100)), sized_table(rows, 600), " in found["conclusion"]
    assert found["said"].endswith("each on 6 of the rows, drawn by chance (this of 6 rows, one of them replaced)")
    history = refdp.account({"history": [(1.25, 0.5, 3)]}, neighbours="add_remove", delta="1e-3", certificates=tmp_path)
    assert "repeated(poisson_sampled(1/2, chain(l2(1), gaussian(5/4))), 3)" in history["conclusion"]
    assert {one["verdict"] for one in refdp.check(tmp_path)["certificates"]} == {"PROVED"}


@pytest.mark.parametrize(
    ("stated", "options", "sentence"),
    [
        (spec(sampling={"scheme": "fixed_size", "least_rows": 9, "sample": 2}), ["--delta", "1e-6"],
         "got 1 x gaussian(sigma=2, sensitivity=1) on a sample of 2 rows of at least 9: the kernel knows no bound"),
        ({"neighbours": "add_remove", "events": [{"mechanism": "laplace", "scale": 2}, {
            "mechanism": "repeat_and_select", "mean": 2, "events": [{"mechanism": "pure", "epsilon": 1}]}]},
         ["--delta", "0"], "got 1 x repeat_and_select(mean=2) of 1 x pure(epsilon=1): the kernel knows no bound of it"),
        ({"neighbours": "none", "events": [{"mechanism": "given_votes", "votes": [9, 1], "sigma": 2}]},
         ["--delta", "1e-6"], "events must be anything but repeat_and_select, given_votes and a profile by a function"),
        ({"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": 2, "count": 1001, "sampling": {
            "scheme": "cyclic_poisson", "rate": "1/2", "batches": 1, "steps": 1000}}]},
         ["--delta", "1e-6"], "count must be at most 1000000 for a certificate, got 1001000 of "),
        (spec(count=10**7), ["--delta", "1e-6"], "count must be at most 1000000 for a certificate, got 10000000 of "),
        ({"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": f"{k}/7"} for k in range(7, 900)]},
         ["--delta", "1e-6"], "rounds must be written in at most 19000 characters for a certificate, got "),
        (spec(), [], "a question must be asked"),
        (spec(), ["--calibrate", "sigma", "--epsilon", "1", "--delta", "1e-6"],
         "certificates must be left out with calibrate"),
    ],
)  # fmt: skip
def test_where_there_can_be_no_certificate_one_sentence_says_so_before_the_work(
    account, tmp_path, monkeypatch, stated, options, sentence
):
    def at_work(*_, **__):
        raise AssertionError("it must be said before the work")

    monkeypatch.setattr(Account, "answers", at_work)
    done = account(stated, *options)
    assert done.exit_code == 2
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert sentence in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_the_folder_is_refused_before_the_work(account, tmp_path, monkeypatch):
    (tmp_path / "certificates").write_text("", encoding="utf-8")
    monkeypatch.setattr(Account, "answers", None)
    done = account(spec(), "--delta", "1e-6")
    assert done.exit_code == 2
    assert "certificates must be a folder, got a file" in done.stderr


def test_what_no_engine_of_the_kernel_shows_has_no_file_and_the_reason(account, tmp_path, monkeypatch):
    monkeypatch.setattr(account_certificates, "evidence_for", lambda *_: None)
    done = account(spec(), "--delta", "1e-6", "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == 3
    assert found["certificate"] is None
    assert found["without_certificate"] == "no engine that the kernel knows shows it within the work of 60 seconds"
    assert "reason" not in found
    assert list(tmp_path.iterdir()) == []
    printed = account(spec(), "--delta", "1e-6").stdout
    assert "none: no engine that the kernel knows shows it" in " ".join(printed.split())


def test_a_bound_that_says_nothing_has_no_certificate(account, tmp_path):
    stated = {"neighbours": "none", "events": [{"mechanism": "approximate", "epsilon": 1, "delta": "1/100"}]}
    done = account(stated, "--delta", "1/1000", "--json")
    assert done.exit_code == 3
    assert json.loads(done.stdout)["without_certificate"] == "nothing is proved: the upper end says nothing"
    assert list(tmp_path.iterdir()) == []


def test_where_the_end_itself_is_not_shown_a_number_a_little_greater_is(account, tmp_path, monkeypatch):
    evidence_for, asked = account_certificates.evidence_for, []

    def coarse(pairs, epsilon, delta, *others):
        asked.append(epsilon)
        return evidence_for(pairs, epsilon, delta, *others) if len(asked) > 3 else None

    monkeypatch.setattr(account_certificates, "evidence_for", coarse)
    done = account(spec(count=3), "--delta", "1e-6", "--json")
    found = json.loads(done.stdout)
    upper, concluded = F(found["epsilon"]["upper"]), F(found["concludes"]["epsilon"])
    assert done.exit_code == 0
    assert upper < concluded <= upper * (1 + F(3, 10**4))
    assert refdp.check(tmp_path / "certificates")["certificates"][0]["verdict"] == "PROVED"


def test_a_delta_of_nothing_is_certified_as_it_stands(tmp_path):
    stated = Account("none", [Event(Laplace(F(2)), 2)])
    found = refdp.account(stated, epsilon=5, certificates=tmp_path)
    assert found["delta"] == {"lower": "0", "upper": "0"}
    assert found["concludes"] == {"epsilon": "5", "delta": "0"}


CYCLIC = {"scheme": "cyclic_poisson", "rate": "1/3", "batches": 3, "steps": 7}
STATED = {
    "zcdp": ("add_remove", {"mechanism": "zcdp", "rho": "1/8"}),
    "renyi": ("change_one", {"mechanism": "renyi", "bounds": [[2, "1/9"], [8, "1/2"]]}),
    "profile": ("add_remove", {"mechanism": "profile", "points": [["1/2", "1e-3"], [1, "1e-9"], [2, 0]]}),
    "range": ("none", {"mechanism": "bounded_range", "epsilon": "ln(3)"}),
    "exponential": ("add_remove", {"mechanism": "exponential", "scale": 3, "monotone": True}),
    "gumbel": ("change_one", {"mechanism": "gumbel_noisy_max", "scale": 3}),
    "flips": ("add_remove", {"mechanism": "permute_and_flip", "scale": 3}),
    "noise": ("add_remove", {"mechanism": "laplace_noisy_max", "scale": 3}),
    "k values": ("change_one", {"mechanism": "k_ary_randomised_response", "k": 3, "truth": "1/2"}),
    "shuffled": ("change_one", {"mechanism": "shuffled", "users": 9, "epsilon": "ln(3)"}),
    "shuffled bits": ("none", {"mechanism": "shuffled_randomised_response", "users": 20, "truth": "3/4"}),
    "laws": ("add_remove", {"mechanism": "finite", "outcomes": [["1/2", "1/8"], ["1/2", "7/8"]]}),
    "in turn": ("add_remove", {"mechanism": "laplace", "scale": 2, "sampling": CYCLIC}),
}
UNBOUNDED = ("zcdp", "renyi")


@pytest.mark.parametrize("kind", STATED)
def test_bounds_selections_and_laws_have_certificates_at_every_delta(tmp_path, kind):
    neighbours, event = STATED[kind]
    stated = {"neighbours": neighbours, "events": [event | {"count": 2}]}
    deltas = ["1e-3", "1e-15", "1e-40", *([] if kind in UNBOUNDED else ["0"])]
    found = refdp.account(stated, delta=deltas, width="1/10", certificates=tmp_path)["answers"]
    for one, delta in zip(found, deltas, strict=True):
        upper, shown = F(one["epsilon"]["upper"]), F(one["concludes"]["epsilon"])
        assert upper <= shown <= upper * (1 + F(1, 10**4))
        assert F(one["concludes"]["delta"]) == F(delta)
    judged = refdp.check(tmp_path)["certificates"]
    assert {one["verdict"] for one in judged} == {"PROVED"}
    assert len(judged) == len(deltas)


def test_infinite_losses_have_no_certificate_at_delta_0(account, tmp_path):
    done = account(spec(), "--delta", "0", "--json")
    assert done.exit_code == 3
    assert json.loads(done.stdout)["without_certificate"] == "nothing is proved: the upper end says nothing"
    assert list(tmp_path.iterdir()) == []


WORDS = {
    "zcdp": "anything within concentrated(1/8)",
    "profile": "anything within approximate(1/2, 1/1000) and approximate(1, 1/1000000000) and approximate(2, 0)",
    "range": "anything whose losses lie in an interval of length ln(3), in either order",
    "exponential": "selection exponential(3) by scores each of which moves by at most 1, none up where another goes "
    "down",
    "flips": "selection permute_and_flip(3) by scores each of which moves by at most 1",
    "laws": "anything whose laws are no farther apart than (1/2, 1/2) and (1/8, 7/8), a row more, or the input 0, "
    "standing first",
    "in turn": "noise laplace(2) on each number of an answer that moves by at most 1 in L1, each in 7 steps, in turn "
    "on Poisson samples of rate 1/3 of 3 parts of the rows, in which one depends on no other row (this of samples with "
    "a row more or less)",
}


@pytest.mark.parametrize("kind", WORDS)
def test_words_say_what_is_known_of_each_round(tmp_path, kind):
    stated = {"neighbours": "add_remove", "events": [STATED[kind][1]]}
    found = refdp.account(stated, delta="1/10", width="1", certificates=tmp_path)
    assert found["said"].endswith(f"in view of the outcomes before it: 1 round of {WORDS[kind]}")


def test_python_refuses_in_the_same_words(tmp_path):
    with pytest.raises(LossError, match="certificates must be left out with calibrate"):
        refdp.account(spec(), delta="1e-6", epsilon=1, calibrate="sigma", certificates=tmp_path)
    with pytest.raises(NoTheorem, match="for a certificate, got 1 x gaussian"):
        refdp.account(spec(sampling={"scheme": "balls_in_bins", "steps": 9, "turns": 1}), delta="1e-6",
                      certificates=tmp_path)  # fmt: skip
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_leaves_the_answer_and_no_file(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(account_certificates, "evidence_for", interrupted)
    found = refdp.account(spec(), delta="1e-6", certificates=tmp_path)
    assert (found["certificate"], found["without_certificate"]) == (None, "interrupted")
    assert found["epsilon"]["upper"]
    assert list(tmp_path.iterdir()) == []


def test_forged_files_are_rejected_or_conclude_what_is_true(tmp_path):
    """Numbers changed, parts removed, lists emptied: the file says what it says no more."""
    stated = Account("add_remove", [Event(Gaussian(F(2)), 3, Poisson(F(1, 2))), Event(Laplace(F(2)))])
    found = refdp.account(stated, delta="1e-3", certificates=tmp_path)
    genuine = json.loads((tmp_path / files(tmp_path)[0]).read_text(encoding="utf-8"))
    data = genuine["steps"][0]["data"]
    less = str(F(found["concludes"]["epsilon"]) * F(999, 1000))
    edits = [("epsilon", less), ("delta", "1/1100"), ("rounds", []), ("rounds", data["rounds"][:1]),
             ("rounds", data["rounds"] * 2), ("near", "change_one"), ("d_in", "2"), ("domain", "finite(2)"),
             ("evidence", {}), ("engine", "closed forms"),
             ("evidence", dict(list(data["evidence"].items())[:-1]))]  # fmt: skip
    for place, (key, value) in enumerate(edits):
        forged = json.loads(json.dumps(genuine))
        forged["steps"][0]["data"][key] = value
        forged["conclusion"] = forged["conclusion"].replace(found["concludes"]["epsilon"], less)
        (tmp_path / f"forged{place}.json").write_text(json.dumps(forged), encoding="utf-8")
    for key in data:
        forged = json.loads(json.dumps(genuine))
        del forged["steps"][0]["data"][key]
        (tmp_path / f"without {key}.json").write_text(json.dumps(forged), encoding="utf-8")
    (tmp_path / "emptied.json").write_text(json.dumps(genuine | {"steps": []}), encoding="utf-8")
    judged = replayed_here([tmp_path])["certificates"]
    assert [one["verdict"] for one in judged if "account." in one["path"].rpartition("/")[2]] == ["PROVED"]
    assert {one["verdict"] for one in judged if "account." not in one["path"].rpartition("/")[2]} == {"REJECTED"}
    assert len(judged) == len(edits) + len(data) + 2
