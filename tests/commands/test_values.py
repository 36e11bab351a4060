"""What callers in Python give: a text alone is one item, and what is no dict or no pair is refused in one sentence."""

import pytest

import refdp

QUERY = "def total(rows):\n    return sum(rows)\n"


@pytest.mark.parametrize("given", ["T=0", ["T=0"]])
def test_set_is_a_dict(given):
    with pytest.raises(ValueError, match=r"set must be a dict of names and values, got .*T=0"):
        refdp.prove(set=given)


@pytest.mark.parametrize("given", ["0,100", (1,), (0, 1, 2), [], 5])
def test_bounds_are_a_pair(given, tmp_path):
    (tmp_path / "query.py").write_text(QUERY, encoding="utf-8")
    with pytest.raises(ValueError, match=r"bounds must be a pair|records must be declared"):
        refdp.sensitivity(f"{tmp_path / 'query.py'}:total", neighbours="add_remove", bounds=given)


@pytest.mark.parametrize("given", ["1e-6", 1e-6, ["1e-6"]])
def test_a_delta_alone_is_one_delta(given):
    event = {"mechanism": "pure", "epsilon": 1}
    found = refdp.audit_accountant(lambda events, delta: 1.0, [event], given, neighbours="add_remove")
    assert [round(float(one.at), 9) for one in found.findings] == [1e-6]
