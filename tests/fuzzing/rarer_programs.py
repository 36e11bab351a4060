"""Programs as docs/how_to/prove.md has them that are written less often, or by mistake.

Lists that are kept and read, names that have a value on some ways only, draws and quotients that are not defined for
all data, infinities and None beside numbers, and conversions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.fuzzing.programs import Lines, Writer


def of_all(w: Writer) -> str:
    """A number that is worked out from all data."""
    return w.pick("sum(q)", "len(q)", "sum(x > 0 for x in q)")


def share(w: Writer) -> str:
    """A parameter between 0 and 1."""
    w.public["f"] = w.pick("", "float")
    w.where.append("0 < f and f < 1")
    return "f"


def threshold(w: Writer) -> str:
    """A parameter that may be any number."""
    w.public["T"] = ""
    return "T"


def kept_lists(w: Writer) -> Lines:
    """A list that is made, and read or returned."""
    w.data = w.pick("list[float]", "list[int]")
    noise, level, other = w.noise(), w.level(), w.noise()
    said = f"{w.value('x')} + {noise}"
    read = w.pick("max(kept)", "min(kept)", "sum(kept)", "len(kept)", "argmax(kept)", "kept.index(max(kept))",
                  "kept", "kept, len(kept)", "kept, len(q)", "any(kept)", "max(kept, default=0)")  # fmt: skip
    made = w.random.choice((
        ["kept = []", "for x in q:", f"    kept.append({said})"],
        [f"kept = [{said} for x in q]"],
        ["kept = []", "for x in q:", f"    if x > {level}:", f"        kept.append({said})"],
        ["kept = []", "for x in q:", f"    noisy = {said}", f"    if noisy > {level}:", "        kept.append(noisy)"],
        ["kept = []", "for x in q:", f"    if {said} > {level}:", "        kept.append(x)"],
        [f"kept = [x > {level} for x in q]"],
        ["kept = [x for x in q]"],
        [f"if {of_all(w)} > {level}:", "    kept = []", "for x in q:", f"    kept.append({said})"],
        ["for x in q:", f"    if x > {level}:", "        kept = []", f"    kept.append({said})"],
        ["kept = others = []", "for x in q:", f"    kept.append({said})"],
        ["kept, others = [], []", "for x in q:", f"    kept.append({said})", "    others.append(x)"],
        ["kept = []", "for x in q:", f"    kept.append({said})", "kept = []"],
        [f"if {of_all(w)} > {level}:", "    kept = []"],
        [f"if {of_all(w)} > {level}:", f"    kept = [{said} for x in q]"],
    ))  # fmt: skip
    guard = w.random.choice((
        [], [], [], ["if not kept:", "    return None"], ["if kept:", "    return 'some'"],
        [f"if len(kept) > {w.pick('1', '2')}:", "    return []"],
        [f"if {of_all(w)} > {level}:", f"    return [0, {other}]"],
    ))  # fmt: skip
    if w.chance(0.3):
        read = f"{read} + {other}"
    lines = [*made, *guard, f"return {read}"]
    other_name = w.pick("q", threshold(w), "epsilon", "sum") if w.chance(0.1) else "kept"
    return [one.replace("kept", other_name) for one in lines]


def valueless(w: Writer) -> Lines:
    """A name that has a value on some ways only, or another name's."""
    w.data = w.pick("list[float]", "list[int]", "float", "int")
    noise, level, public = w.noise(), w.level(), w.pick("epsilon", "1", "T")
    w.epsilon()
    if public == "T":
        w.public["T"] = ""
    if w.data.startswith("list"):
        return w.random.choice((
            ["for x in q:", "    last = x", f"return last + {noise}"],
            ["for x in q:", f"    if x > {level}:", "        found = 1", f"return found + {noise}"],
            ["for i, x in enumerate(q):", "    pass", f"return i + {noise}"],
            ["for x in q:", f"    if x > {level}:", "        break", "else:", "    found = 0",
             f"return found + {noise}"],
            ["total = 0", "for x in q:", "    total += x", f"return x + {noise}"],
            ["total = 0", f"for i in range({w.pick('1, len(q)', 'len(q), 0, -1', '0, len(q), 2', 'len(q) - 1')}):",
             "    total += q[i]", f"return total + {noise}"],
            [f"for i in range({w.pick('1, 3', '2', '0, 4, 2', 'len(q)')}):", f"    yield q[i] + {noise}"],
            [f"for i, x in enumerate(q, {w.pick('1', 'start=1', 'start=2')}):", f"    yield i * x + {noise}"],
            ["sum = 0", "for x in q:", "    sum += x", f"return sum + {noise}"],
            ["len = 1", f"return len(q) + {noise}"],
            ["for q in q:", f"    yield q + {noise}"],
            ["for x in q:", "    x = 0", f"    yield x + {noise}"],
        ))  # fmt: skip
    return w.random.choice((
        [f"if x > {level}:", "    found = 1", f"return found + {noise}"],
        [f"if {public} > 1:", "    found = x", f"return found + {noise}"],
        [f"max = {noise}", f"return max(x, 0) + {noise}"],
        ["abs = 2", f"return abs(x) + {noise}"],
        ["epsilon = 1000", f"return x + {noise}"],
        ["for y in x:", f"    return y + {noise}", f"return {noise}"],
        ["for y in x:", "    pass", f"return 1 + {noise}"],
        ["x = 0", f"return x + {noise}"],
        [f"noise = {noise}", f"if x > {level}:", f"    noise = {noise}", "return x + noise"],
        [f"a, b = x, {noise}", "a, b = b, a", "return a"],
        [f"return max(x, 0, {w.pick('key=abs', 'default=0')}) + {noise}"],
        [f"return (lambda y: y + {noise})(x)"],
        [f"return round({noise} + x)"],
    ))  # fmt: skip


def undefined(w: Writer) -> Lines:
    """What is not defined for all data: quotients, elements, draws."""
    w.data = w.pick("list[float]", "float", "int", "bool")
    noise, level = w.noise(), w.level()
    if w.data == "list[float]":
        return w.random.choice((
            [f"return q[0] + {noise}"],
            [f"return sum(q) / len(q) + {noise}"],
            [f"return max(q) + {noise}"],
            ["if len(q) > 1:", f"    return q[{w.pick('1', '2', '-1')}] + {noise}", "return 'too few'"],
            [f"return choice([x + {level} for x in q])"],
            [f"return sum(q) % 2 + {noise}", ],
        ))  # fmt: skip
    w.adjacencies = {"int": ("close", "ALL"), "float": ("in_range", "near", "ALL"), "bool": ("ALL",)}[w.data]
    x = "x" if w.data != "bool" else w.pick("x", "int(x)", "(1 if x else 0)")
    return w.random.choice((
        [f"return bernoulli({x})"],
        [f"return bernoulli({w.pick('2', '3/2', '-1/2', '1 + f', '2 * f', 'f - 1')})".replace("f", share(w))],
        [f"return choice([{x}, 1])"],
        [f"return choice([1, {w.pick('0', '-1', '2')}, {x}])"],
        [f"return uniform(0, {x})"],
        [f"return uniform({w.pick('3, 1', '0, 0', '1, 2, 3', '2')})"],
        [f"return {x} + laplace({w.pick('0', '-1', '1, 2', '')})"],
        [f"return 1 / {x}"],
        [f"return {x} / {w.pick('0', 'T', '2')} + {noise}".replace("T", threshold(w))],
        [f"return {x} * {x} + {noise}"],
        [f"return {x} ** 2 + {noise}"],
        [f"return Fraction({w.pick('1, 2', '1', repr('1/2'), '1, 0', '1, 2, 3', 'T', 'T, 2', '')}) + {x} + {noise}"
         .replace("T", threshold(w))],
        [f"return {x} {w.pick('%', '//', '&', '**', '<<')} 2 + {noise}"],
        [f"return {w.pick('exp', 'log', 'abs', 'int', 'float', 'bool', 'round')}({x})"],
        [f"return {w.pick('int', 'float', 'bool')}({x} > {level}) + {noise}"],
        [f"assert {w.pick(x, 'T')} > 0".replace("T", threshold(w)), f"return {x} + {noise}"],
    ))  # fmt: skip


def mixed(w: Writer) -> Lines:
    """Infinities, None and texts beside numbers."""
    w.data = w.pick("list[float]", "list[int]", "float", "int")
    noise, level = w.noise(), w.level()
    infinite = w.pick("float('inf')", "float('-inf')", "-float('inf')", "None", "'none'")
    compared = w.pick(">", "<", ">=", "<=", "==", "!=", "is", "is not")
    if w.data.startswith("list"):
        test = f"best is None or x {compared} best" if infinite == "None" else f"x {compared} best"
        return w.random.choice((
            [f"best = {infinite}", "for x in q:", f"    if {test}:", "        best = x", f"return best + {noise}"],
            [f"best = {infinite}", "for x in q:", f"    noisy = x + {noise}", f"    if {test.replace('x ', 'noisy ')}:",
             "        best = noisy", "return best"],
            [f"best = {infinite}", "for x in q:", f"    if x > {level}:", "        best = x",
             f"return best {compared} {infinite}"],
            ["for x in q:", f"    said = x + {noise} if x > {level} else {infinite}", "    yield said"],
            ["seen = False", "for x in q:", f"    if not seen and x + {noise} > {level}:", "        seen = True",
             "        yield True", "    else:", f"        yield {infinite}"],
        ))  # fmt: skip
    other = w.pick("float('-inf')", "'none'", "None", "0", "True")
    return w.random.choice((
        [f"said = {infinite} if x > {level} else ({other} if x > 2 else x)",
         f"return {w.pick('said', '-said', 'said + 1', 'not said', f'said {compared} {other}')}"],
        [f"if x > {level}:", f"    said = {infinite}", "elif x > 2:", f"    said = {other}", "else:", "    said = x",
         f"if said {compared} {w.pick(infinite, other, '1')}:", f"    return {noise}", "return 'other'"],
        [f"limit = {infinite} if x > {level} else {other}",
         f"return {noise} if limit {compared} {w.pick(infinite, other, 'x')} else 'other'"],
        [f"limit = float('inf') if x > {level} else float('-inf')", f"return limit {compared} {w.pick(infinite, 'x')}"],
        [f"said = x if x > {level} else float('{w.pick('inf', '-inf')}')", "return -said"],
        [f"said = x if x > {level} else {infinite}", f"if said {compared} {infinite}:", "    return 'other'",
         f"return {w.pick('said', '0', 'x')} + {noise}"],
        [f"said = {noise} if x > {level} else {infinite}", f"return said {compared} {level}"],
        [f"said = {infinite} if x + {noise} > {level} else x", "return said"],
        [f"said = 'yes' if x > {level} else None", f"if said {compared} 'yes':", f"    return {noise}", "return 0"],
        [f"said = x > {level}", f"if said {compared} {w.pick('1', 'True', '0', 'None')}:", f"    return 1 + {noise}",
         f"return {noise}"],
        [f"limit = {infinite}", f"return min(x, limit) + {noise}"],
        [f"if not (x + {noise}):", "    return None", f"return {infinite} if x + {noise} > {level} else 0"],
        [f"return {infinite} if x > {level} else {noise}"],
    ))  # fmt: skip


def shown(w: Writer) -> Lines:
    """The datum itself, with a small probability: what delta is for."""
    w.data = w.pick("int", "bool", "list[int]")
    w.public["delta"] = w.pick("", "", "float")
    w.epsilon()
    losses = [("0", "delta"), ("epsilon", "delta"), ("epsilon", "delta/2"), ("0", "2*delta")]
    losses += [("epsilon", "n*delta")] if w.data.startswith("list") else []
    w.claims = tuple(f'epsilon="{epsilon}", delta="{delta}"' for epsilon, delta in losses)
    if w.data.startswith("list"):
        return ["for x in q:", f"    if bernoulli({w.pick('delta', 'delta / 2')}):", "        yield x", "    else:",
                f"        yield {w.pick('None', 'x + discrete_laplace(1 / epsilon)')}"]  # fmt: skip
    noise = "bernoulli(1 / (1 + exp(epsilon)))"
    other = f"x != {noise}" if w.data == "bool" else "x + discrete_laplace(1 / epsilon)"
    return w.random.choice((
        [f"if bernoulli({w.pick('delta', 'delta / 2')}):", "    return x", f"return {w.pick('None', other)}"],
        [f"if not bernoulli({w.pick('1 - delta', 'delta')}):", "    return x", f"return {w.pick('0', other)}"],
    ))  # fmt: skip


RARER: Mapping[str, tuple[float, Callable[[Writer], Lines]]] = {
    "kept lists": (3, kept_lists),
    "valueless": (2.5, valueless),
    "undefined": (2.5, undefined),
    "mixed": (3, mixed),
    "shown": (1, shown),
}
"""How often each is written, and how."""
