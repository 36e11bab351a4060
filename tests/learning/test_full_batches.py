"""Training on full batches with discrete Gaussian noise: one theorem from clip to epsilon, and no less."""

import json
from fractions import Fraction as F
from itertools import product
from math import log, sqrt

import numpy as np
import pytest

import refdp
from refdp.auditing.evidence.binomial import tail
from refdp.kernel import rules
from refdp.kernel.certificate import DERIVED, certificate, parsed, replay, text_of
from refdp.kernel.judgements import KernelError
from refdp.learning.full_batches import best_order, run_theorem, step_theorem
from refdp.learning.training import Plan, lot_of, noise_of, noised
from tests.learning.test_train_command import run

NUMBERS = {"rate": F(1), "steps": 100, "noise_multiplier": F(20), "lot": F(330), "learning_rate": F(2)}


def plan(**changed):
    return Plan(**NUMBERS | {"noise": "discrete_gaussian"} | changed)


def epsilon_of(rho, delta):
    """The least epsilon over many orders, in floats: CKS20 Prop 12."""
    orders = (1 + 10 ** (i / 200) for i in range(-600, 1400))
    return min(rho * a + log((a - 1) / a) + (log(1 / delta) - log(a)) / (a - 1) for a in orders)


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_theorem_speaks_of_all_steps_of_every_table_and_trusts_nothing(neighbours):
    made = run_theorem(plan(), 5, neighbours, F(1, 10**5))
    said = str(made.claim.term)
    near = {"add_remove": "symmetric(1)", "change_one": "change_one(1)"}[neighbours]
    assert said.startswith(
        "private(mapped_rounds(chain(clipped_vector_sum(1, 5, 1/1024), coordinatewise(discrete_gaussian(20, 1/1024), "
        f"5)), 100), table(rows), {near}, approximate("
    )
    assert made.trusts == frozenset()
    again = replay(parsed(text_of(certificate(made, DERIVED))), lambda statement, by: frozenset({"nobody"}))
    assert again.theorem.claim == made.claim


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_epsilon_is_that_of_the_rho_of_all_steps_converted_once(neighbours):
    far = 2 if neighbours == "change_one" else 1
    for steps, multiplier, norm, delta in product((1, 7, 1000), (F(1, 2), F(20)), (F(1), F(3, 7)), (1e-2, 1e-9)):
        given = plan(steps=steps, noise_multiplier=multiplier, norm=norm)
        found = float(F(str(run_theorem(given, 3, neighbours, F(delta)).claim.d_out[0])))
        rho = steps * far**2 / float(2 * multiplier**2)
        best = epsilon_of(rho, delta)
        assert best * (1 - 1e-4) < found < best * 1.001 + 1e-6
        assert found < rho + 2 * sqrt(rho * log(1 / delta))


def test_sums_of_steps_add_up_and_a_step_says_its_rho():
    assert str(step_theorem(plan(), 5, "add_remove").claim.d_out[0]) == "1/800"
    assert str(step_theorem(plan(), 5, "change_one").claim.d_out[0]) == "1/200"
    assert str(step_theorem(plan(norm=F(1, 3)), 1, "add_remove").claim.d_out[0]) == "1/800"


@pytest.mark.parametrize("less", ["1/1000", "1/10"])
def test_less_than_the_theorem_is_no_theorem(less):
    """Near misses: an epsilon that is a little smaller, noise for the mean on the sum, one step for all."""
    given, delta = plan(), "1/100000"
    steps = rules.mapped_rounds(step_theorem(given, 5, "add_remove"), domain="table(rows)", k="100")
    order = str(best_order(F(1, 8), F(delta)))
    right = F(str(run_theorem(given, 5, "add_remove", F(delta)).claim.d_out[0]))
    loss = rules.concentrated_to_renyi(steps, order=order)
    with pytest.raises(KernelError, match="is not an upper bound"):
        rules.renyi_to_approximate(loss, delta=delta, sharp="yes", d_out=[str(right * (1 - F(less))), delta])
    with pytest.raises(KernelError, match="is not an upper bound"):
        rules.mapped_rounds(step_theorem(given, 5, "add_remove"), domain="table(rows)", k="100", d_out=["1/800"])
    mean = plan(noise_multiplier=F(20) / 330)
    assert F(str(run_theorem(mean, 5, "add_remove", F(delta)).claim.d_out[0])) > 1000 * right


@pytest.mark.parametrize("rho", [F(1, 10**12), F(1, 8), F(1000), F(10**12)])
@pytest.mark.parametrize("delta", [F(1, 10**300), F(1, 10), F(99, 100), 1 - F(1, 10**30)])
def test_every_order_is_above_one_and_short(rho, delta):
    order = best_order(rho, delta)
    assert order > 1
    assert len(str(order)) < 40


@pytest.mark.parametrize("delta", ["0", "1", "-1", "2"])
def test_delta_that_is_none_is_refused(delta):
    with pytest.raises(ValueError, match="delta must be > 0 and < 1"):
        run_theorem(plan(), 5, "add_remove", F(delta))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"rate": F(1, 10)}, "rate must be 1 with discrete_gaussian noise, got 1/10"),
        ({"noise": "laplace"}, "noise must be gaussian or discrete_gaussian, got laplace"),
    ],
)
def test_plans_that_are_none_are_refused(changed, said):
    with pytest.raises(ValueError, match=said):
        plan(**changed)


def test_every_row_is_in_every_lot():
    assert lot_of(plan(), 50).all()


@pytest.mark.parametrize("units", [F(3, 2), F(20480)])
def test_noise_has_its_deviation_and_is_drawn_for_each_number(units):
    """The share within 0.6745 deviations, the law summed; false alarms below 1e-10 on each side."""
    drawn = noise_of("discrete_gaussian", units, 20_000)
    reach = range(-int(units * 12), int(units * 12) + 1)
    weights = np.exp(-(np.arange(reach.start, reach.stop) ** 2) / (2 * float(units) ** 2))
    inner = float(weights[np.abs(np.arange(reach.start, reach.stop)) <= 0.6745 * float(units)].sum() / weights.sum())
    inside = int((np.abs(drawn) <= 0.6745 * float(units)).sum())
    assert tail(20_000, inside, F(inner) + F(1, 10**6)).upper > F(1, 10**10)
    assert tail(20_000, 20_000 - inside, 1 - F(inner) + F(1, 10**6)).upper > F(1, 10**10)
    assert drawn.dtype == np.int64
    assert len(set(drawn[:100].tolist())) > 1


def test_noise_of_a_plan_is_in_units_of_its_grid():
    drawn = noised(plan(granularity=F(1, 4)), np.zeros(20_000, np.int64))
    assert 75 < float(np.abs(drawn).max()) < 8 * 80


def test_run_has_one_certificate_that_replays(tmp_path):
    done = run("--noise discrete_gaussian --steps 2 --json", tmp_path)
    assert (done.exit_code, done.stderr) == (0, "")
    found = json.loads(done.stdout, parse_float=lambda text: pytest.fail(f"a float: {text}"))
    assert found["verdict"] == "PROVED"
    assert F(found["epsilon"]["lower"]) < F(found["epsilon"]["upper"])
    assert "mapped_rounds(chain(clipped_vector_sum(1, 5, 1/1024), coordinatewise(" in found["conclusion"]
    assert {"code: refdp.learning", "code: refdp.sampling"} <= set(found["trusts"])
    (one,) = refdp.check(tmp_path)["certificates"]
    assert (one["verdict"], one["trusts"]) == ("PROVED", [])


def test_lower_end_is_below_the_upper_one_where_the_grid_is_coarse(tmp_path):
    """A norm that is no multiple of the grid: rows are cut to fewer steps, and move no farther than these."""
    for neighbours in ("add_remove", "change_one"):
        found = refdp.train(
            noise="discrete_gaussian", steps=3, norm="7/10", granularity="1/4", noise_multiplier=4,
            neighbours=neighbours, certificates=tmp_path,
        )  # fmt: skip
        assert F(found["epsilon"]["lower"]) < F(found["epsilon"]["upper"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--noise laplace", "noise must be gaussian or discrete_gaussian, got laplace"),
        ("--noise discrete_gaussian --rate 1/2", "rate must be 1 with discrete_gaussian noise, got 1/2"),
        ("--noise discrete_gaussian --delta 0", "delta must be > 0 and < 1 with discrete_gaussian noise, got 0"),
        ("--noise discrete_gaussian --neighbours none", "neighbours must be add_remove or change_one, got none"),
        ("--noise discrete_gaussian --audit", "audit must be left out with discrete_gaussian noise"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_no_file(words, said, tmp_path):
    done = run(words, tmp_path / "c")
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "c").exists()
