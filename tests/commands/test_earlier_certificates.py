"""Certificates of the formats that refdp wrote before: each stored one shows what it did, as the kernel's."""

import json

import pytest

from refdp.commands.check import replayed_file
from refdp.commands.earlier_certificates import FORMATS, current, is_earlier, renewed
from refdp.kernel.certificate import parsed, text_of
from refdp.kernel.judgements import KernelError
from refdp.logic.strict_json import Forged
from tests.meta.repository import ROOT

FOLDER = ROOT / "tests" / "earlier_formats"
"""Made once, by the code that wrote each format."""
SHOWN = {
    "alignment_of_a_relation": ("PROVED", "engine_proves"),
    "alignment_of_the_kernel": ("PROVED", "program_is_private"),
    "counterexample_in_one_direction": ("REFUTED", "engine_refutes"),
    "counterexample_of_the_kernel": ("REFUTED", "program_exceeds"),
    "machine_function_of_python": ("PROVED", "engine_proves"),
    "machine_function_proved": ("PROVED", "engine_proves"),
    "machine_function_proved_of_the_kernel": ("PROVED", "machine_stays_near"),
    "machine_function_refuted": ("REFUTED", "engine_refutes"),
    "machine_function_refuted_of_the_kernel": ("REFUTED", "machine_moves_too_far"),
    "machine_sum": ("PROVED", "engine_proves"),
    "sensitivity_labels": ("PROVED", "engine_proves"),
    "sensitivity_may_raise": ("PROVED", "engine_proves"),
    "sensitivity_proved": ("PROVED", "engine_proves"),
    "sensitivity_proved_of_the_kernel": ("PROVED", "runs_stay_related"),
    "sensitivity_refuted": ("REFUTED", "engine_refutes"),
    "sensitivity_refuted_of_the_kernel": ("REFUTED", "query_moves_too_far"),
    "smooth_add_remove": ("PROVED", "engine_proves"),
    "smooth_change_one": ("PROVED", "engine_proves"),
}
"""Stored certificate -> its verdict, and the rule that now says it."""
SAID = {
    "alignment_of_a_relation": "noisy: epsilon=epsilon, adjacency close (it changes by at most 1; epsilon is any "
    "number, 0 < epsilon; outputs are compared by value: 1 and 1.0 are one output; text sha256 b12fd311880",
    "counterexample_in_one_direction": "wrong: epsilon=epsilon/2, adjacency later, one direction only (for it: (old ",
    "machine_function_proved": "summed moves by at most 11 (1 x add_remove, lists, L1, float64, sum: naive, "
    "0 <= n <= 100; records: numbers from 0 to 10; assumed: 3 <= n; text sha256 e564a833119875135d35b540b40795d017c38e",
    "machine_sum": "a mean (kahan) moves by at most 23058430092136998913/4611686018427387904 in float64 "
    "(1 x change_one, rows in [0, 10], 2 <= n <= 6)",
    "sensitivity_labels": "members moves by at most 1 (1 x add_remove, multisets, L1, exact arithmetic; records: "
    "'member': one of True, False; text sha256 ",
    "sensitivity_proved": "clipped moves by at most max(abs(low), abs(high)) (1 x add_remove, multisets, L1, exact "
    "arithmetic; records: numbers from 0 to 10; low = every number; high = every number; assumed: low <= high; text ",
    "smooth_add_remove": "a 1/2-smooth bound of the sensitivity of median under add_remove is at most "
    "2063916884971331952737607056790045205195/340282366920938463463374607431768211456 at this table of 3 rows in "
    "[0, 10], 0 for the empty table (sha256 3d71a090aa895057d1ab76e1f84351de348a322090dd1d0627881a27c76c8579 of the ",
}
"""How what it says begins: all that it said before."""


def text(name):
    return (FOLDER / f"{name}.json").read_text(encoding="utf-8")


def checked(content, folder):
    (folder / "one.json").write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    found = replayed_file(folder / "one.json", None, None, 60.0)
    assert "internal_error" not in found
    return found


def test_every_format_has_a_stored_certificate_of_either_verdict_that_it_has():
    assert {path.stem for path in FOLDER.glob("*.json")} == SHOWN.keys()
    formats = {json.loads(text(name))["format"] for name in SHOWN}
    assert formats == {f"refdp-{name}/1" for name in FORMATS}


@pytest.mark.parametrize("name", SHOWN)
def test_stored_certificate_shows_what_it_did(name, tmp_path):
    verdict, rule = SHOWN[name]
    found = checked(text(name), tmp_path)
    assert (found["verdict"], found["rules"], found["claim"]) == (verdict, [rule], "")
    if name in SAID:
        [said] = found["said"]
        assert said.startswith(SAID[name])


@pytest.mark.parametrize("name", SHOWN)
def test_stored_certificate_is_one_of_the_kernels_once_it_is_renewed(name, tmp_path):
    """Its text is read as any, and shows the same with the same names."""
    content = renewed(text(name))
    assert parsed(text_of(content)) == content
    then, now = checked(text(name), tmp_path), checked(content, tmp_path)
    del then["seconds"], now["seconds"]
    assert then == now
    assert is_earlier(text(name))
    assert not is_earlier(text_of(content))
    assert json.loads(current(text(name))) == content
    assert current(text_of(content)) == text_of(content)


@pytest.mark.parametrize("name", SHOWN)
def test_stored_certificate_with_a_part_too_many_or_too_few_is_refused(name, tmp_path):
    content = json.loads(text(name))
    for key in content:
        less = {other: part for other, part in content.items() if other != key}
        assert checked(less, tmp_path)["verdict"] == "REJECTED", key
    assert checked({**content, "more": "1"}, tmp_path)["verdict"] == "REJECTED"
    assert checked({**content, "format": content["format"].replace("/1", "/3")}, tmp_path)["verdict"] == "REJECTED"
    twice = text(name).replace('"format"', '"format": "", "format"', 1)
    assert checked(twice, tmp_path)["verdict"] == "REJECTED"


@pytest.mark.parametrize("name", SHOWN)
def test_stored_certificate_with_the_other_verdict_is_refused(name, tmp_path):
    content = json.loads(text(name))
    if "verdict" not in content:
        pytest.skip("its format has one verdict")
    other = {"PROVED": "REFUTED", "REFUTED": "PROVED"}[content["verdict"]]
    for verdict in (other, "TRUE", ""):
        assert checked({**content, "verdict": verdict}, tmp_path)["verdict"] == "REJECTED"


@pytest.mark.parametrize("name", SHOWN)
def test_stored_certificate_with_an_empty_part_shows_no_more(name, tmp_path):
    content = json.loads(text(name))
    for key, part in content.items():
        if isinstance(part, dict | list):
            assert checked({**content, key: type(part)()}, tmp_path)["verdict"] in ("REJECTED", "UNKNOWN"), key


@pytest.mark.parametrize("content", ["", "{}", '{"format": "refdp-alignment/1"', '{"format": "refdp-sensitivity/1"}'])
def test_text_that_is_no_certificate_is_refused(content):
    with pytest.raises(KernelError, match="cannot be read"):
        renewed(content)
    if is_earlier(content):
        with pytest.raises(Forged, match="cannot be read"):
            current(content)
