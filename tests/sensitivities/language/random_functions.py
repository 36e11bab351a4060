"""Random functions of a list of numbers, from a small grammar."""

from random import Random


class Writer:
    """Writes one function."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.names = ["a", "b"]

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def number(self, row: bool, depth: int = 0) -> str:
        if depth > 1 or self.random.random() < 0.4:
            return self.pick(*self.names, *(["x", "x"] if row else []), str(self.random.randint(-2, 4)), "n", "0.5")
        left, right = self.number(row, depth + 1), self.number(row, depth + 1)
        kinds = ["+", "-", "*", "/", "//", "%", "min", "max", "if", "abs", "round", "int", "and", "or", "bool"]
        kind = self.random.choices(kinds, [4, 4, 1, 1, 0.7, 0.7, 2, 2, 2, 1, 0.5, 0.7, 0.7, 0.7, 0.7])[0]
        if kind in ("min", "max"):
            return f"{kind}({left}, {right})"
        if kind == "if":
            return f"({left} if {self.test(row, depth + 1)} else {right})"
        if kind in ("abs", "round", "int"):
            return f"{kind}({left})"
        if kind == "bool":
            return f"({self.test(row, depth + 1)})"
        return f"({left} {kind} {right})"

    def test(self, row: bool, depth: int = 0) -> str:
        if depth < 1 and self.random.random() < 0.2:
            return f"({self.test(row, 1)} {self.pick('and', 'or')} {self.pick('', 'not ')}{self.test(row, 1)})"
        comparison = self.pick("<", "<=", ">", ">=", "==", "!=")
        return f"{self.number(row, 1)} {comparison} {self.number(row, 2)}"

    def statements(self, row: bool, indent: str, depth: int = 0) -> list[str]:
        found = []
        for _ in range(self.random.randint(1, 2 if depth else 3)):
            found += self.statement(row, indent, depth)
        return found

    def statement(self, row: bool, indent: str, depth: int) -> list[str]:
        kinds = ["set", "set", "add", "add", "bin", "if", "if", "swap"]
        kinds += ["continue", "break", "return", "raise"] if row and depth else ["derived", "sum", "try"]
        kinds += ["append", "dict", "alias"] if row else ["loop", "unrolled"]
        kind = self.random.choice(kinds) if depth < 3 else "set"
        name, value = self.random.choice(self.names), self.number(row)
        if kind == "set":
            return [f"{indent}{name} = {value}"]
        if kind == "add":
            return [f"{indent}{name} {self.pick('+', '-')}= {value}"]
        if kind == "bin":
            place = self.pick("0", "1", "-1", "2", "min(max(int(a), 0), 2)", "int(b) % 3")
            return [f"{indent}c[{place}] {self.pick('+', '-', '')}= {value}"]
        if kind == "alias":
            return [f"{indent}e = c if {self.test(row)} else g", f"{indent}e[0] += 1"]
        if kind == "dict":
            return [f"{indent}d[{self.pick('1', 'x > 1', 'x == 0', '2', 'int(x) % 2')}] += {value}"]
        if kind == "swap":
            return [f"{indent}a, b = b, {value}"]
        if kind == "append":
            guard = f"if {self.test(row)}: " if self.random.random() < 0.6 else ""
            return [f"{indent}{guard}kept.append({value})"]
        if kind == "if":
            found = [f"{indent}if {self.test(row)}:", *self.statements(row, indent + "    ", depth + 1)]
            if self.random.random() < 0.5:
                found += [f"{indent}else:", *self.statements(row, indent + "    ", depth + 1)]
            return found
        if kind == "try":
            return [
                f"{indent}try:", f"{indent}    {name} = {value} / {self.number(row)}", f"{indent}    b += 1",
                f"{indent}except {self.pick('ZeroDivisionError', '(KeyError, ZeroDivisionError)', 'IndexError')}:",
                f"{indent}    {name} = {self.number(row)}",
            ]  # fmt: skip
        if kind == "derived":
            source = self.pick("rows", "rows", "rs", "kept")
            return [f"{indent}rs = [{self.number(True)} for x in {source} if {self.test(True)}]"]
        if kind == "sum":
            source = self.pick("rows", "rs", "kept", "rows[1:]", "rows[:2]")
            inner = f"{self.number(True)} for x in {source}"
            return [f"{indent}{name} = {self.pick('sum', 'max', 'any', 'len')}([{inner}])"]
        if kind == "unrolled":
            return [
                f"{indent}for j in {self.pick('range(2)', 'c', '(1, 3)')}:",
                f"{indent}    b += j * {self.number(False)}",
            ]
        if kind == "loop":
            source = self.pick("rows", "rows", "rs", "kept", "rows[:3]")
            found = [f"{indent}for x in {source}:", *self.statements(True, indent + "    ", 1)]
            if self.random.random() < 0.2:
                found += [f"{indent}else:", *self.statements(False, indent + "    ", 2)]
            return found
        return [f"{indent}{ {'return': f'return {value}', 'raise': 'raise ValueError'}.get(kind, kind) }"]


def random_function(seed: int) -> str:
    """The text of a function `f`."""
    writer = Writer(seed)
    lines = ["def f(rows):", "    n = len(rows)", "    a, b = 0, 1", "    c = [0, 1, 2]", "    g = [5]"]
    lines += ["    d = {0: 0, 1: 0, 2: 3}", "    rs = rows", "    kept = []"]
    lines += ["    for x in rows:", *writer.statements(True, "        ")]
    lines += writer.statements(False, "    ")
    lines += [f"    return {writer.pick('a', '(a, b)', 'a, c', 'd', '[a, sum(kept), len(rs)]', '(a, g)')}"]
    return "\n".join(lines) + "\n"
