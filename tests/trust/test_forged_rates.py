"""Forged certificates about coins whose rate is a number of the data, and about rows that are scaled to a length.

A genuine certificate is given another text, another question or other evidence, with the digests that belong to it.
"""

import json
from pathlib import Path

import pytest

import refdp
from refdp.kernel.sources import digest_of

HEAD = """from refdp.programs import ONE, bernoulli, choice, claim, each


def unit(x, y):
    return 0 <= x <= 1 and 0 <= y <= 1


def none(x, y):
    return x < y and y < x


"""
RATE = "return bernoulli(1/4 + x/2)"


def program(epsilon, body, adjacency="unit", parameters="x: float"):
    """The text of one claimed program; each line of its body stands in the function."""
    lines = "\n    ".join(body.split("\n"))
    return f'{HEAD}@claim(epsilon="{epsilon}", adjacency={adjacency})\ndef f({parameters}):\n    {lines}\n'


LISTED = "each(unit, changed=1)"
FORGED = {
    "less epsilon": program("ln(2)", RATE),
    "a rate beyond 1": program("ln(3)", "return bernoulli(1/4 + x)"),
    "two elements at the price of one": program(
        "ln(3)", "for x in q:\n    yield bernoulli(1/4 + x/2)", "each(unit, changed=2)", "q"
    ),
    "two draws at the price of one": program("ln(3)", "return [bernoulli(1/4 + x/2), bernoulli(1/4 + x/2)]"),
    "a branch on the number": program("ln(3)", f"if x > 1/2:\n    return bernoulli(1/4)\n{RATE}"),
    "a branch that tells it": program("ln(3)", f"if x > 1/2:\n    return True\n{RATE}"),
    "no neighbours": program("1", "return x > 1/2", "none"),
    "a rate of parameters that leaves 1": program(
        "epsilon", "return bernoulli(1/2 + x*epsilon)", parameters="x: float, epsilon"
    ),
    "neighbours one of which is any number": program("ln(3)", RATE).replace("0 <= x <= 1", "0 <= y <= 1"),
    "an exception of some numbers": program("ln(3)", f"assert x > 1/2\n{RATE}"),
    "weights of no loss": program("0", "return choice([x, 1 - x])"),
    "a sum of elements in the rate": program(
        "ln(3)", "s = 0\nfor x in q:\n    s = s + x\n    yield bernoulli(1/4 + s/2)", LISTED, "q"
    ),
    "the element before in the rate": program(
        "ln(3)", "p = 1/4\nfor x in q:\n    yield bernoulli(p)\n    p = 1/4 + x/2", LISTED, "q"
    ),
    "the last element outside of the loop": program(
        "ln(3)", "x = 0\nfor x in q:\n    yield 0\nyield bernoulli(1/4 + x/2)", LISTED, "q"
    ),
    "all numbers neighbours": program("ln(3)", RATE, "ONE"),
}


@pytest.fixture(scope="module")
def genuine(tmp_path_factory):
    """The certificate of a rate from 1/4 to 3/4 at ln 3."""
    folder = tmp_path_factory.mktemp("rates")
    (folder / "f.py").write_text(program("ln(3)", RATE))
    found = refdp.prove(folder / "f.py", certificates=folder / "c", run=False)
    assert found["verdict"] == "PROVED"
    return json.loads(Path(found["certificate"]).read_text(encoding="utf-8"))


def verdict_of(text, genuine, path):
    """What a check says of the genuine certificate with another text in its place."""
    old, new = genuine["steps"][0]["data"]["source"], digest_of(text)
    written = json.dumps({**genuine, "sources": {new: text}}).replace(old, new)
    path.write_text(written, encoding="utf-8")
    (found,) = refdp.check(path)["certificates"]
    return found["verdict"]


def test_the_genuine_text_put_in_again_is_proved(genuine, tmp_path):
    assert verdict_of(program("ln(3)", RATE), genuine, tmp_path / "c.json") == "PROVED"
    other = program("ln(3)", "return bernoulli(3/4 - x/2)")
    assert verdict_of(other, genuine, tmp_path / "c.json") == "PROVED"


@pytest.mark.parametrize("name", FORGED)
def test_another_text_in_a_certificate_of_a_rate_is_not_proved(name, genuine, tmp_path):
    assert verdict_of(FORGED[name], genuine, tmp_path / "c.json") in ("UNKNOWN", "REJECTED")
