"""Every attack refutes its statement on the real machine, and the statement holds over the rational numbers."""

import contextlib
import io
from collections import Counter
from fractions import Fraction

import pytest

from refdp.sensitivities.machine import attacks as families
from refdp.sensitivities.machine.attack_table import attack_table
from refdp.sensitivities.machine.attacks import FAMILIES, attacks, offset_deviations, offset_sum, reordered_sum
from refdp.sensitivities.machine.formats import BFLOAT16, FLOAT16, FLOAT32, FLOAT64, INT8, INT32, INTEGERS
from tests.counting import counted

pytest.importorskip("numpy")


def printed(script):
    """What the script prints: both answers, and their distance."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(script, "pair.py", "exec"), {"__name__": "__main__"})
    return out.getvalue().strip().split(" ", 2)


def identifier(attack):
    return f"{attack.family}-{attack.function}-{attack.format_.name}-{len(attack.first)}".replace(" ", "_")


def deviations(rows):
    centre = sum(rows) / Fraction(len(rows))
    return sum((x - centre) ** 2 for x in rows)


EXACT = {
    "sum": sum,
    "mean": lambda rows: sum(rows) / Fraction(len(rows)),
    "mean of integers": lambda rows: sum(rows) / Fraction(len(rows)),
    "squared deviations": deviations,
    "numpy.var": lambda rows: deviations(rows) / len(rows),
    "sum of absolute values": lambda rows: sum(map(abs, rows)),
}


@pytest.mark.parametrize("attack", attacks(), ids=identifier)
def test_attack_is_what_real_numbers_of_the_type_do(attack):
    """The script knows nothing of this package: Python's floats, numpy's types, and its sum and variance."""
    (row,) = attack_table([attack])
    assert row.refutes
    assert "refdp" not in row.script
    observed = "infinitely far" if row.observed is None else str(row.observed)
    assert printed(row.script)[-1] == observed
    assert row.excess is None or row.excess == row.observed - row.ideal > 0


@pytest.mark.parametrize("attack", [a for a in attacks() if len(a.first) < 1100], ids=identifier)
def test_attack_leaves_the_statement_over_the_rationals_true(attack):
    first, second = (EXACT[attack.query](list(table)) for table in (attack.first, attack.second))
    assert abs(first - second) <= attack.ideal
    only = Counter(attack.first) - Counter(attack.second), Counter(attack.second) - Counter(attack.first)
    assert max(map(Counter.total, only)) <= 1, "neighbours: one row added, or one changed, or none but their order"


def test_five_families_stand_in_the_table_on_doubles_and_take_little_work():
    with counted() as calls:
        rows = attack_table()
    assert calls.number < 5_000_000
    assert {row.family for row in rows} == set(FAMILIES)
    assert {row.family for row in rows if row.arithmetic == "float64"} == set(FAMILIES[1:])
    assert {row.family for row in rows if "int" in row.arithmetic} >= {FAMILIES[0], FAMILIES[3]}


@pytest.mark.parametrize("form", [FLOAT64, FLOAT32, FLOAT16, BFLOAT16], ids=lambda f: f.name)
def test_attacks_on_floats_are_general_in_the_format(form):
    count = min(4096, 1 << form.precision - 1)
    made = [
        families.tied_sum(form, "naive"), families.tied_sum(form, "fsum"), families.rounded_up_sum(form, "pairwise"),
        families.rounded_mean(form), families.lifted_sum(form, count), families.offset_sum(form, 16, "naive"),
        families.reordered_sum(form, count, "naive"), families.infinite_sum(form, "naive"), families.nan_sum(form),
        families.infinite_variance(form),
    ]  # fmt: skip
    assert all(row.refutes for row in attack_table(made))


@pytest.mark.parametrize("form", INTEGERS, ids=lambda f: f.name)
def test_attacks_on_integers_are_general_in_the_format(form):
    made = [families.wrapped_sum(form, 100), families.wrapped_mean(form)]
    if form.signed:
        made += [families.absolute_value(form), families.saturated_order(form, 100)]
    assert all(row.refutes for row in attack_table(made if form.bits < 64 else made[1:3]))


def test_lifted_sum_comes_near_twice_the_ideal_where_a_table_is_long_enough():
    """2^52 rows, which are summed as one run: 1 + 1 against a little more than 1/2."""
    (row,) = attack_table([families.lifted_sum(FLOAT64, 1 << 52)])
    assert row.excess == pytest.approx(0.5, abs=1e-6)


def test_known_reports_are_reproduced():
    """The figures of Casacuberta et al. for 1000 rows and for a re-ordered sum, and of opendp issue 2923."""
    sums, order, deviations = attack_table(
        [
            offset_sum(FLOAT64, 1000, "naive"),
            reordered_sum(FLOAT64, 4096, "naive"),
            offset_deviations(FLOAT64, 1024, "pairwise"),
        ]
    )
    assert (sums.observed, sums.n) == (512, 1000)
    assert order.observed == Fraction(2) ** -41
    assert deviations.observed == Fraction("63.9375")


def test_a_statement_that_holds_on_the_machine_is_not_refuted():
    """The same tables with another sum, or with rows that fit."""
    held = [
        families.reordered_sum(FLOAT64, 4096, "kahan"), families.reordered_sum(FLOAT64, 4096, "fsum"),
        families.offset_deviations(FLOAT64, 1024, "naive"), families.lifted_sum(FLOAT64, 0),
    ]  # fmt: skip
    assert not any(row.refutes for row in attack_table(held))
    wide = families.wrapped_sum(INT8, 100)
    fits = families.Attack(wide.family, "", "sum", "numpy", INT32, wide.first, wide.second, wide.ideal)
    assert not attack_table([fits])[0].refutes
