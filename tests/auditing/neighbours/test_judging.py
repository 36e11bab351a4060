"""Maps of code in another process: wrong ones are refuted by a small pair that replays, right ones never are."""

import json
import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from refdp.auditing.neighbours import Choice, Real, Settings, Table, Vector, Whole, confirmed, judge, witness
from refdp.auditing.neighbours.witnesses import askable
from refdp.auditing.targets import Claim, function

pytestmark = pytest.mark.once

HERE = str(Path(__file__).parent)
QUICK = Settings(seconds=2.0, pairs=1000)
ONE, TWO = Fraction(1), Fraction(2)


def judged(name, space, metric, d_in, output, d_out=None, settings=QUICK, **more):
    bound = None if d_out is None else (Fraction(d_out),)
    target = function(f"wrong:{name}", search=(HERE,), **more)
    return judge(target, space, Claim(metric, Fraction(d_in), output, bound), settings)


WRONG = [
    ("total", Table(Whole(0, 10)), "symmetric", 1, "absolute", 9, ((), (10,))),
    ("total", Vector(Whole(), 2), "l1", 1, "absolute", Fraction(1, 2), None),
    ("overflowing", Table(Whole(0, 2**31 - 1), size=2), "symmetric", 2, "absolute", 2**31 - 1, None),
    ("last_even", Table(Whole(0, 1)), "symmetric", 1, "absolute", 1, ((), (0,))),
    ("keeps_missing", Table(Real(nan=True)), "symmetric", 1, "absolute", 1, None),
    ("sign_of_zero", Table(Real(0.0, 1.0), size=1), "change_one", 1, "absolute", 1, ((0.0,), (-0.0,))),
    ("labels", Table(Choice((0, 1, 7)), size=3), "change_one", 1, "discrete", 0, None),
    ("stops_at_zero", Table(Whole(0, 5)), "symmetric", 1, "absolute", 0, ((), (0,))),
    ("first", Table(Whole(0, 1), size=2), "symmetric", 0, "absolute", 0, ((0, 1), (1, 0))),
    ("rare", Table(Whole()), "symmetric", 2, "absolute", 2, None),
]


@pytest.mark.parametrize(
    ("name", "space", "metric", "d_in", "output", "d_out", "rows"), WRONG, ids=[f"{w[0]}-{w[2]}" for w in WRONG]
)
def test_wrong_maps_are_refuted_by_a_small_pair(name, space, metric, d_in, output, d_out, rows):
    found = judged(name, space, metric, d_in, output, d_out)
    assert found.verdict == "REFUTED", found
    assert found.witness.distance.exceeds(found.witness.bound)
    assert rows is None or {repr(r) for r in found.witness.rows} == {repr(r) for r in rows}
    assert max(map(len, found.witness.rows)) <= 3


def test_a_sum_that_wraps_around_after_two_thousand_rows_is_refuted_by_a_model_of_z3():
    found = judged("overflowing", Table(Whole(0, 10**6)), "symmetric", 1, "absolute", 10**6)
    assert found.verdict == "REFUTED", found
    first, second = (sum(rows) for rows in found.witness.rows)
    assert min(first, second) < 2**31 <= max(first, second)


RIGHT = [
    ("overflowing", Table(Whole(0, 10**6), size=2147), "symmetric", 2, "absolute", 10**6),  # one row too few to wrap
    ("total", Table(Whole(0, 10)), "symmetric", 1, "absolute", 10),
    ("clamped_total", Table(Whole()), "symmetric", 3, "absolute", 30),
    ("labels", Table(Choice((0, 1, 7))), "symmetric", 2, "symmetric", 2),
    ("first", Table(Whole(0, 9), size=3), "hamming", 1, "absolute", 9),
    ("squares", Vector(Whole(-5, 5), 3), "l2", 2, "l2", 4),
]


@pytest.mark.parametrize(("name", "space", "metric", "d_in", "output", "d_out"), RIGHT, ids=[r[0] for r in RIGHT])
def test_right_and_tight_maps_are_not_refuted_and_the_scope_is_told(name, space, metric, d_in, output, d_out):
    found = judged(name, space, metric, d_in, output, d_out)
    assert found.verdict == "NOT_REFUTED", found
    assert f"pairs within {d_in} under {metric}" in found.scope
    assert sum(found.searched.values()) > 20
    assert found.witness is None


def test_a_function_that_is_none_is_reported_as_such():
    found = judged("noisy", Table(Whole(0, 1)), "symmetric", 1, "absolute", 0)
    assert found.verdict == "UNKNOWN"
    assert "differ from run to run" in found.reason


@pytest.mark.parametrize(
    ("name", "privacy_map", "reason"),
    [
        ("total", "wrong:no_map", "gives no finite number for d_in = 1"),
        ("total", None, "no operation map"),
        ("missing", None, "cannot be loaded"),
    ],
)
def test_what_cannot_be_judged_is_unknown_with_its_reason(name, privacy_map, reason):
    found = judged(name, Table(Whole(0, 1)), "symmetric", 1, "absolute", privacy_map=privacy_map)
    assert found.verdict == "UNKNOWN"
    assert reason in found.reason


def test_exceptions_count_as_differences_unless_they_are_left_out():
    quiet = Settings(seconds=2.0, pairs=500, exceptions=False)
    assert judged("stops_at_zero", Table(Whole(0, 5)), "symmetric", 1, "absolute", 0, quiet).verdict == "NOT_REFUTED"


def test_measures_are_not_judged_by_pairs_of_outputs():
    with pytest.raises(ValueError, match="needs a metric, got the measure pure"):
        judged("total", Table(Whole(0, 1)), "symmetric", 1, "pure", 1)


@pytest.fixture(scope="module")
def found():
    return judged("total", Table(Whole(0, 10)), "symmetric", 1, "absolute", privacy_map="wrong:count_map").witness


def replayed(data, tmp_path):
    path = tmp_path / "witness.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    command = [sys.executable, "-m", "refdp.auditing.neighbours.replaying", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_witnesses_replay_from_their_report_alone(found, tmp_path):
    data = json.loads(json.dumps(found.as_json()))
    assert witness(data) == found
    done = replayed(data, tmp_path)
    assert (done.returncode, done.stdout) == (0, "REFUTED: 10 > 1\n")


def tampered(found, change):
    data = json.loads(json.dumps(found.as_json()))
    change(data)
    return data


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda d: d["rows"].__setitem__(0, {"ints": "5 6"}), "not within 1 under symmetric"),
        (lambda d: d["rows"].__setitem__(1, {"ints": "3"}), "differ from run to run"),
        (lambda d: d["claim"].update(bound="9"), "map now gives 1"),
        (lambda d: d["claim"].update({"bound": "10", "from": "user"}), "the outputs are within 10"),
        (lambda d: d["outcomes"][0].update(value={"int": "50"}), "differ from run to run"),
    ],
)
def test_witnesses_that_were_changed_do_not_refute(found, change, reason):
    assert reason in confirmed(witness(tampered(found, change)))


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(format="refdp-stability-witness/2"), lambda d: d.pop("rows"),
        lambda d: d.update(rows=[1, 2]),
        lambda d: d.update(shape="cube"), lambda d: d["target"].update(family="bash"), lambda d: d.update(claim=[]),
        lambda d: d["claim"].update(d_in="x"),
    ],
)  # fmt: skip
def test_witnesses_that_are_none_are_refused(found, change):
    with pytest.raises(ValueError, match=r".+"):
        witness(tampered(found, change))


def test_replay_tells_bad_input_from_a_claim_that_stands(found, tmp_path):
    assert replayed({"format": "x"}, tmp_path).returncode == 2
    stands = tampered(found, lambda d: d["claim"].update({"bound": "10", "from": "user"}))
    assert replayed(stands, tmp_path).returncode == 1


def test_spaces_refuse_what_is_no_space():
    for make in (lambda: Whole(1, 0), lambda: Real(math.nan, 1.0), lambda: Choice(()), lambda: Table(Whole(), size=-1)):
        with pytest.raises(ValueError, match="must"):
            make()
    with pytest.raises(ValueError, match="seconds must be > 0, got 0"):
        Settings(seconds=0)


def test_a_map_is_asked_for_no_less_than_the_distance_of_the_inputs():
    """5e-324 and -1/3, rounded, are within 1/3 of each other, and further apart than the float below 1/3."""
    space = Vector(Choice((5e-324, -0.3333333333333333)))
    found = judged("same", space, "absolute", Fraction(1, 3), "absolute", privacy_map="wrong:same")
    assert found.verdict == "NOT_REFUTED"
    for d_in in (Fraction(1, 3), Fraction(1, 10), Fraction(2**53 + 1), Fraction(3), Fraction(1, 10**400)):
        *whole, near = askable(d_in)
        assert Fraction(near) >= d_in > Fraction(math.nextafter(near, 0.0))
        assert whole == ([int(d_in)] if d_in.denominator == 1 else [])
    assert askable(Fraction(10**400)) == [10**400, math.inf]
