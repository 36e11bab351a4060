"""How far the answer of an ordinary Python function of a table may move: proved for every table, or refuted by two."""
