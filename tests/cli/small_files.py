"""Small files that commands take: a function of a table, a spec, a campaign and a table."""

import json

SPEC = {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": 50, "count": 10}]}
BIT = """
[[target]]
name = "a bit"
kind = "exact"
tables.yes = { yes = "3/4", no = "1/4" }
tables.no = { yes = "1/4", no = "3/4" }
pairs = [["yes", "no"]]
claim.epsilon = "ln(3)"
"""
FILES = {
    "query.py": "def total(rows):\n    return sum(rows)\n",
    "own.py": 'def older(rows, than=30):\n    return sum(1 for r in rows if r["age"] > than)\n',
    "spec.json": json.dumps(SPEC),
    "bit.toml": BIT,
    "t.csv": "age\n30\n40\n",
}
"""Name -> text."""
