"""Data that are annotated as a number are no list: whatever goes through them raises in Python, and is not read."""

import pytest

import refdp
from refdp.programs.language.errors import Unsupported

HEAD = """from refdp.programs import claim

def close(x, y):
    return abs(x - y) <= 1

"""
BODIES = {
    "a loop behind a branch": "    if x > 0:\n        return 0\n    for y in x:\n        return 0\n    return 0\n",
    "a loop behind a while": "    while x > 0:\n        return 0\n    for y in x:\n        pass\n    return 0\n",
    "enumerate": "    if x > 0:\n        return 0\n    for i, y in enumerate(x):\n        pass\n    return 0\n",
    "enumerate from one": "    for i, y in enumerate(x, 1):\n        pass\n    return 0\n",
    "a sum in a branch": "    return sum(0 for y in x) if x > 0 else 0\n",
    "a comprehension": "    return [0 for y in x]\n",
    "any": "    return 1 if any(y > 1 for y in x) else 1\n",
    "sum": "    return 0 * sum(x)\n",
    "max": "    return 0 * max(x)\n",
    "length": "    return 0 * len(x)\n",
    "an index": "    return 0 * x[0]\n",
    "else of a loop": "    for y in x:\n        pass\n    else:\n        return 1\n    return 1\n",
}


@pytest.mark.parametrize("kind", ["int", "float", "bool"])
@pytest.mark.parametrize("name", BODIES)
def test_a_number_that_is_gone_through_is_refused(tmp_path, name, kind):
    (tmp_path / "f.py").write_text(f'{HEAD}@claim(epsilon="0", adjacency=close)\ndef f(x: {kind}):\n{BODIES[name]}')
    with pytest.raises(Unsupported, match="not supported"):
        refdp.prove(tmp_path / "f.py", run=False)
    with pytest.raises(TypeError):
        exec(f"def f(x):\n{BODIES[name]}\nf(0)\nf(1)", {})


def test_a_list_is_gone_through_as_before(tmp_path):
    body = "def f(x: list[int]):\n    for y in x:\n        pass\n    return 0\n"
    (tmp_path / "f.py").write_text(f"{HEAD}@claim(epsilon='0', adjacency=close)\n{body}")
    assert refdp.prove(tmp_path / "f.py", run=False)["verdict"] == "PROVED"
