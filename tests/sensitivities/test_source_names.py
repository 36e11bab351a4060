"""A function is the one that its name stands for when the file has been run: else it is refused."""

import pytest

from refdp.sensitivities.language.source import Unsupported, parse_source

DEFINED = "def query(rows):\n    return len(rows)\n"


@pytest.mark.parametrize(
    "more",
    [
        "def other(rows):\n    return sum(rows)\nquery = other\n",
        "query, x = 1, 2\n",
        "for query in range(3):\n    pass\n",
        "from operator import add as query\n",
        "import query.inner\n",
        "if True:\n    def query(rows):\n        return 0\n",
        "class query:\n    pass\n",
        "del query\n",
        "with open('f') as query:\n    pass\n",
        "def change():\n    global query\n    query = len\nchange()\n",
        "print(query := 3)\n",
        "match 3:\n    case query:\n        pass\n",
    ],
)
def test_source_names_bound_again_are_refused(more):
    with pytest.raises(Unsupported, match="the name query"):
        parse_source(DEFINED + more, "query")


@pytest.mark.parametrize(
    "more",
    ["def other(query):\n    query = 3\n    return query\n", "class A:\n    query = 3\n", ""],
)
def test_source_names_that_others_use_within_are_read(more):
    assert parse_source(DEFINED + more, "query").tree.lineno == 1


def test_source_names_defined_twice_are_the_last():
    assert parse_source(DEFINED + DEFINED, "query").tree.lineno == 3
