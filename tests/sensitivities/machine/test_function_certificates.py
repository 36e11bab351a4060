"""Verdicts about users' functions on a machine leave certificates that are replayed, and forged ones are rejected.

They are the kernel's; here they are also put into the format that came before, which is converted as it is read.
"""

import json
from fractions import Fraction
from unittest.mock import ANY

import pytest

from refdp.commands.check import replayed_file
from refdp.commands.sensitivity import sensitivity
from refdp.sensitivities.machine.neighbours import machine_edits
from refdp.sensitivities.machine.runs import runs
from tests.sensitivities.machine.earlier import earlier

TEXT = "def total(rows):\n    t = 0.0\n    for x in rows:\n        t += x\n    return t\n"
PEOPLE = "def pay(rows):\n    return sum(r['pay'] for r in rows if r['sex'] == 'f')\n"


@pytest.fixture
def judged(tmp_path):
    def run(text=TEXT, claim="1", arithmetic="float64", neighbours="add_remove", timeout=2, **more):
        path = tmp_path / "q.py"
        path.write_text(text)
        name = text.partition("def ")[2].partition("(")[0]
        records = {} if "column" in more else {"bounds": ("0", "1")}
        return sensitivity(
            f"{path}:{name}", neighbours, claim=claim, arithmetic=arithmetic, sum="naive", rows_at_most=100,
            timeout=timeout, certificates=tmp_path / "found", **records, **more,
        )  # fmt: skip

    return run


def checked(path, solver="z3"):
    return replayed_file(path, solver, None, 20)


def before(path):
    """The file of the same certificate in the format of before."""
    other = path.with_name(f"before_{path.name}")
    other.write_text(json.dumps(earlier(json.loads(path.read_text()))))
    return other


def forged(path, tmp_path, *changes):
    """The certificate with other values at those places, checked."""
    content = json.loads(path.read_text())
    for *places, last, value in changes:
        part = content
        for place in places:
            part = part[place]
        assert part[last] != value
        part[last] = value
    other = tmp_path / "forged.json"
    other.write_text(json.dumps(content))
    return checked(other)


def test_a_proof_is_replayed_with_each_solver(judged, tmp_path):
    found = judged(claim="1.0000001")
    assert found["verdict"] == "PROVED"
    assert float(found["seconds"]) >= 0
    for solver, names in (("z3", ["z3"]), ("cvc5", ["cvc5"]), ("both", ["z3", "cvc5"])):
        path = tmp_path / "found" / found["certificate"].rpartition("/")[2]
        again = checked(path, solver)
        assert checked(before(path), solver) == {**again, "path": str(before(path)), "seconds": ANY}
        assert again["verdict"] == "PROVED"
        [said] = again["said"]
        assert said.startswith("total moves by at most ")
        assert all(name in " ".join(again["trusts"]) for name in names)
        assert "refdp's reading of Python" in again["trusts"]
        assert "0 <= n <= 100; records: " in said
    assert again["trusts"] == sorted(found["trusts"])


def test_who_is_trusted_for_a_refutation_is_the_same_when_it_is_replayed(judged, tmp_path):
    found = judged(claim="1/2")
    again = checked(tmp_path / "found" / found["certificate"].rpartition("/")[2])
    assert (found["verdict"], again["verdict"]) == ("REFUTED", "REFUTED")
    assert again["trusts"] == sorted(found["trusts"])
    assert "refdp's interpreter of Python" in again["trusts"]


def test_a_forged_proof_is_rejected(judged, tmp_path):
    path = before(tmp_path / "found" / judged(claim="1.0000001")["certificate"].rpartition("/")[2])
    less = json.loads(path.read_text())["claim"]["claim"]
    for change in (
        ("evidence", "bound", "1"),
        ("evidence", "order", "kahan"),
        ("evidence", "upper", "1/2"),
        ("evidence", "lemmas", []),
        ("machine", "arithmetic", "float32"),
        ("machine", "arithmetic", "float"),
        ("machine", "maximum_rows", "101"),
        ("machine", "maximum_rows", 100),
        ("machine", "specials", True),
        ("claim", "edits", "2"),
        ("claim", "norm", "L2"),
        ("claim", "assumption", "false"),
        ("claim", "assumption", "(< n 0)"),
        ("claim", "assumption", "1"),
        ("claim", "claim", "true"),
        ("claim", "source", TEXT.replace("+= x", "+= 2 * x")),
        ("claim", "source", TEXT.replace("return t", "return t * t")),
        ("claim", "claim", less.replace("10000001", "10000000")),
        ("verdict", "REFUTED"),
        ("format", "refdp-machine-function/2"),
    ):
        assert forged(path, tmp_path, change)["verdict"] == "REJECTED", change


def test_a_refutation_is_replayed_and_a_forged_one_rejected(judged, tmp_path):
    found = judged()
    assert found["verdict"] == "REFUTED"
    path = before(tmp_path / "found" / found["certificate"].rpartition("/")[2])
    assert checked(path)["verdict"] == "REFUTED"
    tables = json.loads(path.read_text())["evidence"]
    row = [{"number": "1/2"}, "1"]
    for change in (
        ("evidence", "first", tables["second"]),
        ("evidence", "second", [*tables["second"], row]),
        ("evidence", "second", [[{"number": "2"}, "1"]]),
        ("evidence", "second", [[{"number": "1/3"}, "1"]]),
        ("evidence", "second", [[{"number": "1"}, "0"]]),
        ("evidence", "second", [[{"number": "1"}, "99999999999"]]),
        ("machine", "arithmetic", "int64"),
        ("machine", "sum", "none"),
        ("machine", "maximum_rows", "1"),
        ("machine", "minimum_rows", "50"),
        ("claim", "neighbours", "change_one"),
        ("claim", "source", TEXT.replace("+= x", "+= 0 * x")),
        ("verdict", "PROVED"),
    ):
        assert forged(path, tmp_path, change)["verdict"] == "REJECTED", change
    exactly = ("claim", "source", TEXT.replace("    t = 0.0\n", "    return math.fsum(rows)\n"))
    assert forged(path, tmp_path, exactly, ("verdict", "PROVED"))["verdict"] == "REJECTED"


def test_records_with_fields_and_integers_have_certificates(judged, tmp_path):
    column = {"pay": "integers 0..100", "sex": "f | m"}
    for arithmetic, claim, verdict in (("int16", "100", "PROVED"), ("int8", "100", "REFUTED")):
        found = judged(PEOPLE, claim, arithmetic, column=column)
        assert found["verdict"] == verdict
        path = tmp_path / "found" / found["certificate"].rpartition("/")[2]
        assert checked(path, "both")["verdict"] == verdict


def test_with_nan_and_infinities_a_sum_is_refuted_by_one_row_and_nothing_is_proved(judged, tmp_path):
    found = judged(claim="5", specials=True)
    assert (found["verdict"], found["pair"]["distance"]) == ("REFUTED", "infinite")
    path = tmp_path / "found" / found["certificate"].rpartition("/")[2]
    assert checked(path)["verdict"] == "REFUTED"
    assert "floats may be NaN, infinite or -0.0" in checked(path)["said"][0]
    path = before(path)
    assert checked(path)["verdict"] == "REFUTED"
    assert forged(path, tmp_path, ("machine", "specials", False))["verdict"] == "REJECTED"
    counted = "def count(rows):\n    return sum(1 for x in rows)\n"
    unknown = judged(counted, specials=True, timeout=0.5)
    assert (unknown["verdict"], unknown["certificate"]) == ("UNKNOWN", None)
    assert "NaN" in unknown["reason"]


def brute(first, second, most):
    """Whether at most `most` rows added or removed make one list the other: by breadth."""
    found = {first}
    for edits in range(most + 1):
        if second in found:
            return edits
        found = {t[:i] + t[i + 1 :] for t in found for i in range(len(t))} | {
            (*t[:i], x, *t[i:]) for t in found for i in range(len(t) + 1) for x in set(second)
        }
    return most + 1


def test_edits_between_lists_are_those_of_all_ways_to_edit():
    tables = [(), (1,), (1, 2), (2, 1), (1, 1, 2), (2, 1, 1), (2, 2, 1), (1, 2, 1, 2)]
    for first in tables:
        for second in tables:
            one, other = (runs([(Fraction(x), 1) for x in t]) for t in (first, second))
            for most in (1, 2):
                assert machine_edits(one, other, "add_remove", "lists", most) == brute(first, second, most)
    one, other = (runs([(Fraction(x), 1) for x in t]) for t in ((1, 2, 1), (2, 1, 1)))
    assert machine_edits(one, other, "change_one", "multisets", 1) == 0
    assert machine_edits(one, other, "change_one", "lists", 1) == 2


@pytest.mark.parametrize(
    "more",
    [{"arithmetic": "float63"}, {"norm": "L2"}, {"rows_at_least": 101}, {"rows_at_least": -1}, {"symbol": ["c"]},
     {"claim": "n"}, {"edits": 0}, {"rows_at_least": 100, "neighbours": "add_remove"}],
    ids=str,
)  # fmt: skip
def test_what_is_not_supported_is_refused_in_one_sentence(judged, more):
    with pytest.raises(ValueError, match=r"must (be|have) [^\n]+, got [^\n]+$"):
        judged(**more)
