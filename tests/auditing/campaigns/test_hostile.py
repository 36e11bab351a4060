"""Campaign files, stores and reports that were made to mislead: refused in a sentence, or found out."""

import pytest

import refdp
from refdp.auditing.judges.task import TaskError

TABLES = """
[[target]]
name = "t"
kind = "exact"
tables = { a = { y = "1/2", n = "1/2" }, b = { y = "1/3", n = "2/3" } }
pairs = [["a", "b"]]
claim = { epsilon = "1", delta = "0" }
"""
NUMBER = """
[[target]]
name = "t"
kind = "noise_scale"
function = "math:sqrt"
noise = "gaussian"
epsilons = [%s]
"""


def written(tmp_path, text):
    (tmp_path / "c.toml").write_text(text, encoding="utf-8")
    return tmp_path / "c.toml"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"a = {'[' * 5000}{']' * 5000}", "c.toml: a campaign must not be nested so deeply"),
        (f"a = {'{b = ' * 2000}1{'}' * 2000}", "c.toml: a campaign must not be nested so deeply"),
        (NUMBER % ("1" + "0" * 400), "target 't': "),
        (NUMBER % '"1e999"', "epsilons must be a number"),
    ],
)
def test_what_is_nested_too_deeply_or_too_large_for_a_float_is_one_sentence(tmp_path, text, says):
    with pytest.raises(TaskError) as caught:
        refdp.audit(written(tmp_path, text))
    assert says in str(caught.value)


def test_thousands_of_targets_are_read_and_two_of_one_name_are_found(tmp_path):
    many = "".join(TABLES.replace('"t"', f'"t{i}"', 1) for i in range(2000))
    with pytest.raises(TaskError, match="target 't7': name must differ"):
        refdp.audit(written(tmp_path, many + TABLES.replace('"t"', '"t7"', 1)))


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf")])
def test_a_timeout_must_be_a_time(tmp_path, timeout):
    with pytest.raises(TaskError, match="timeout must be > 0 and finite"):
        refdp.audit(written(tmp_path, TABLES), timeout=timeout)
