"""Evidence carried over nights: draws add up, a refutation stays, and alpha is spent once for all nights together."""

import sqlite3
from fractions import Fraction

import pytest

from refdp.testing import law, sampler_matches, satisfies
from refdp.testing.known_answers import tonight
from refdp.testing.settings import Settings
from refdp.testing.statement_mark import ATTRIBUTE
from refdp.testing.trials import Memory, Trial
from refdp.testing.wealth import Wealth

ALPHA = Fraction(1, 10**9)
NIGHT = ("--refdp-profile=nightly", "--refdp-wealth=wealth.sqlite", "--refdp-samples=512")
TEXT = """
import os, pytest

@sampler_matches(ONE)
def test_right(n, rng):
    return laplace(n, rng)

@satisfies(epsilon=1, pair=(0, 1), train=128)
def test_claim(x, n, rng):
    return release(x, n, rng)
"""


def draws(target):
    """Of a sampler, those of all nights."""
    parts = [part for chunk in target["record"]["chunks"] for part in chunk["sets"][0]["parts"]]
    return sum(sum(map(int, part["counts"][0].split())) for part in parts)


def test_nights_add_up(project):
    made = project(TEXT)
    first, second, third = (made.run(*NIGHT) for _ in range(3))
    assert [draws(run.targets["test_right"]) for run in (first, second, third)] == [512, 1024, 1536]
    claims = [run.targets["test_claim"]["record"] for run in (first, second, third)]
    assert [len(record["chunks"]) for record in claims] == sorted({len(record["chunks"]) for record in claims})
    assert claims[0]["opening"] == claims[2]["opening"]
    assert claims[2]["chunks"][: len(claims[0]["chunks"])] == claims[0]["chunks"]
    shares = {name: one["alpha"] for name, one in third.targets.items()}
    assert shares == {name: one["alpha"] for name, one in first.targets.items()}
    assert sum(map(Fraction, shares.values())) == ALPHA / 2


OWN = """
@sampler_matches(ONE, samples=600)
def test_sampler(n, rng):
    return laplace(n, rng)

@satisfies(epsilon=1, pair=(0, 1), samples=30, train=128)
def test_claim(x, n, rng):
    return release(x, n, rng)

@moves_at_most(10, space=Table(Whole(0, 10)), samples=50)
def test_moves(x):
    return sum(x)
"""


def test_samples_of_a_statement_are_for_pull_requests_and_nights_draw_more(project):
    made = project(OWN)

    def samples(*options):
        """How much was drawn for both statistical statements; of the claim on both sides."""
        run = made.run(*options)
        return [run.targets[name]["samples"] for name in ("test_sampler", "test_claim")]

    assert samples() == [600, 2 * 30]
    assert samples("--refdp-profile=nightly") == [3000, 2 * 600]
    assert samples("--refdp-profile=nightly", "--refdp-samples=40") == [40, 2 * 40]


@pytest.mark.parametrize(
    ("profile", "own", "amounts"),
    [
        ("pr", None, (200_000, 10_000, 2_000)), ("pr", 60, (60, 60, 60)),
        ("nightly", None, (1_000_000, 200_000, 20_000)), ("nightly", 60, (300, 1200, 600)),
    ],
)  # fmt: skip
def test_amounts_of_a_profile(profile, own, amounts):
    found = Settings(ALPHA, profile, 0, None, False, None, None, ()).amounts(own)
    assert (found.draws, found.pairs, found.neighbours) == amounts
    capped = Settings(ALPHA, profile, 0, 7, False, None, None, ()).amounts(own)
    assert (capped.draws, capped.pairs, capped.neighbours) == (7, 7, 7)


def test_nights_keep_a_refutation_until_the_test_is_begun_anew(project):
    made = project("""
import os

@sampler_matches(ONE)
def test_repaired(n, rng):
    return laplace(n, rng, float(os.environ.get("SCALE", "3")))
""")
    assert made.run(*NIGHT).outcomes() == {"test_repaired": "FAIL"}
    made.pytester._monkeypatch.setenv("SCALE", "1")
    assert made.run(*NIGHT).outcomes() == {"test_repaired": "FAIL"}
    run = made.run(*NIGHT, "--refdp-restart=test_it.py::test_repaired")
    assert run.outcomes() == {"test_repaired": "INCONCLUSIVE"}
    assert Fraction(run.targets["test_repaired"]["alpha"]) == ALPHA / 6
    assert draws(run.targets["test_repaired"]) == 512


def test_nights_refuse_another_budget_and_other_files(project):
    made = project(TEXT)
    made.run(*NIGHT, "-k", "right")
    assert "--refdp-budget must stay the same" in made.run(*NIGHT, "--refdp-budget=1e-8").errors
    assert "--refdp-restart must match a test" in made.run(*NIGHT, "--refdp-restart=no").errors
    (made.pytester.path / "wealth.sqlite").write_text("text " * 100)
    assert "--refdp-wealth must be a file of refdp-wealth/1" in made.run(*NIGHT).errors


def test_nights_spend_at_most_alpha_over_all_batches(tmp_path):
    for size in (1, 3, 2, 5, 1):
        with Wealth(tmp_path / "wealth", ALPHA) as wealth:
            found = wealth.accounts({f"test_{size}_{i}": "a claim" for i in range(size)} | {"test_1_0": "a claim"})
            assert found["test_1_0"].alpha == ALPHA / 2
    with sqlite3.connect(tmp_path / "wealth") as base:
        shares = [Fraction(alpha) for (alpha,) in base.execute("SELECT alpha FROM ledger")]
    base.close()
    assert len(shares) == 11
    assert ALPHA / 2 < sum(shares) < ALPHA


def test_nights_give_a_changed_claim_a_share_of_its_own(tmp_path):
    with Wealth(tmp_path / "wealth", ALPHA) as wealth:
        first = wealth.accounts({"test": "one claim"})["test"]
    first.keep(0, {"of": "the first"})
    with Wealth(tmp_path / "wealth", ALPHA) as wealth:
        second = wealth.accounts({"test": "another claim"})["test"]
    assert (first.alpha, second.alpha) == (ALPHA / 2, ALPHA / 6)
    assert second.earlier == ()


def test_nights_cannot_write_the_same_record_twice(tmp_path):
    with Wealth(tmp_path / "wealth", ALPHA) as wealth:
        account = wealth.accounts({"test": "a claim"})["test"]
    account.keep(0, {})
    with pytest.raises(pytest.UsageError, match="one night at a time"):
        account.keep(0, {})


def test_the_same_words_with_other_pairs_masses_or_views_are_another_claim():
    """Sentences are cut; evidence of one claim must not count for another one that reads the same."""
    many = {f"outcome {i}": Fraction(1, 10) for i in range(10)}
    other = {**many, "outcome 8": Fraction(1, 20), "outcome 9": Fraction(3, 20)}
    pairs = [(i, i + 1) for i in range(4)]
    made = [sampler_matches(law.finite(masses))(lambda n: n) for masses in (many, other)]
    made += [
        satisfies(epsilon=1, pairs=chosen, **more)(lambda x, n: n)
        for chosen, more in [
            (pairs, {}),
            ([*pairs[:3], (7, 8)], {}),
            (pairs, {"views": ["type"]}),
            (pairs, {"train": 200}),
        ]
    ]
    found = [getattr(one, ATTRIBUTE) for one in made]
    assert len({one.sentence for one in found}) == 2
    assert len({one.identity for one in found}) == 6


def test_cases_that_draw_anew_each_night_spend_their_share_once(tmp_path):
    spent = []
    for _ in range(20):
        with Wealth(tmp_path / "wealth", ALPHA) as wealth:
            account = wealth.accounts({"test": "a case"})["test"]
        trial = Trial("test", None, account.alpha, Memory(), account, None)
        spent.append(tonight(trial))
    assert account.alpha / 2 == spent[0] > spent[1]
    assert account.alpha * Fraction(9, 10) < sum(spent) < account.alpha
