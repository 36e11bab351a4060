"""Programs in which Python's own words are used as they seldom are, rightly or by mistake.

Names of functions that are bound to something else, calls whose arguments do not fit, ranges with steps or without
rounds, values of several kinds chosen one within another, and values that are kept while the data are gone through
once more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.fuzzing.programs import Lines, Writer

UNLIMITED = 5
"""How often a limit that is infinite, as where none is meant, is written, against once for each other form."""


def number(w: Writer) -> str:
    """A public number."""
    return w.pick("1", "2", "0", "epsilon", "None", "True", "'a'", w.level())


def test(w: Writer) -> str:
    """A condition that depends on public parameters alone."""
    compared = w.pick(">", "<", ">=")
    return w.pick(f"{w.epsilon()} {compared} 1", f"{w.level()} {compared} 1", f"{w.epsilon()} {compared} 1/2")


def counted(w: Writer) -> str:
    """A parameter that is a number of rounds."""
    w.public["k"] = w.pick("", "", "int")
    return "k"


def bound_names(w: Writer) -> Lines:
    """Names of functions that the function binds itself, and lists that are read before they are made."""
    w.data = w.pick("list[float]", "list[int]", "float", "int")
    epsilon, level, value = w.epsilon(), w.level(), number(w)
    draw = w.pick("laplace", "laplace", "exponential") if "int" not in w.data else w.pick("laplace", "discrete_laplace")
    noise, x = f"{draw}(1 / {epsilon})", "sum(q)" if w.data.startswith("list") else "x"
    called = w.pick("abs", "max", "min", "float", "len", "bool", "exp", "int", "range", "round")
    public = {"max": "max(1, 2)", "min": "min(0, 1)", "exp": f"exp({epsilon})", "range": "1"}.get(
        called, f"{called}(1)"
    )
    if w.data.startswith("list"):
        return w.random.choice((
            [f"{draw} = {value}", f"return {x} + {noise}"],
            [f"for {draw} in q:", "    pass", f"return {x} + {noise}"],
            ["for x in q:", f"    {draw} = {value}", f"    yield x + {noise}"],
            ["for x in q:", f"    yield x + {noise}", f"    {draw} = {value}"],
            [f"sum = {value}", f"return sum(q) + {noise}"],
            [f"if len(q) > {w.pick('1', '2')}:", "    return kept", "kept = []", "for x in q:",
             f"    kept.append(x + {noise})", "return kept"],
            [f"if {test(w)}:", "    return kept", f"kept = [x + {noise} for x in q]", "return kept"],
            [f"kept = {w.pick('None', '0', '()', 'q')}", "for x in q:", f"    kept.append(x + {noise})", "return kept"],
            ["for x in q:", f"    kept.append(x + {noise})", "kept = []", "return kept"],
            ["kept = []", f"if {test(w)}:", "    return kept, first", "first = 1", "return kept, first"],
        ))  # fmt: skip
    return w.random.choice((
        [f"{draw} = {value}", f"return {x} + {noise}"],
        [f"if {test(w)}:", f"    {draw} = {value}", f"return {x} + {noise}"],
        [f"noise = {noise}", f"{draw} = {value}", "return x + noise"],
        [f"noise = {noise}", f"{draw} = noise", f"return x + {w.pick('noise', noise)}"],
        [f"{called} = {value}", f"return x + {public} + {noise}"],
        [f"{called} = {value}", f"return {w.pick(public, f'{called}(x)')} + {noise}"],
        [f"for {called} in range(2):", f"    yield {public}", f"yield x + {noise}"],
        [f"said = {called}", f"return said(x) + {noise}"],
        [f"{called} = x > {level}", f"if {called}:", f"    return {public}", f"return x + {noise}"],
        [f"first = second + {noise}", "second = x", "return first"],
    ))  # fmt: skip


def arguments(w: Writer) -> Lines:
    """Calls with too many arguments or too few, with stars, and with words that a function has or has not."""
    w.data = w.pick("list[float]", "list[int]", "float", "int", "bool")
    epsilon, level = w.epsilon(), w.level()
    word = w.pick("key=abs", "key=None", "default=0", "default=1", "start=0", "value=1")
    scale = w.pick(f"1 / {epsilon}", f"2 / {epsilon}")
    noise = f"laplace({scale})"
    odd = w.pick(
        f"laplace({scale}, {w.pick('0', '1', epsilon)})", f"laplace(scale={scale})", f"laplace({scale}, loc=0)",
        f"laplace(*[{scale}])", "laplace()", f"exponential({scale}, 1)", f"laplace({scale}, size=None)",
    )  # fmt: skip
    constant = w.pick(
        "Fraction(1, 2, 3)", "Fraction(3, 2, 1)", "Fraction('1/2', 2, 1)", "Fraction(1, 2, 0)", "Fraction(1, 2)",
        "Fraction()", "Fraction(numerator=1)", "Fraction('1/2', 2)", "abs(1, 2)",
        "float(1, 2)", "float()", "int(1, 2)", "int()", "bool(1, 0)", "bool()", "exp(1, 2)", "exp()", "log(2, 2)",
        "max(1, 2, 3)", f"max(1, 2, {word})", f"min(1, 0, {word})", "max(1)", "min()", "max(*[1, 2])", "len()",
        "uniform(1, 2, 3) * 0", "bernoulli(1, 2) * 0", "Fraction(1, denominator=2)", "Fraction(1, 2, _normalize=False)",
    )  # fmt: skip
    at_most = w.pick("1", "2", "3", level)
    clipped = w.pick(
        f"min(x, {at_most}, {word})", f"max(x, 0, {word})", f"max(0, min(x, {at_most}, {word}))",
        f"max(min(x, 0, {word}), x)", f"min(max(x, {at_most}, {word}), x)", f"max(x, x, {word})",
        f"max(x, x - 1, {word})", f"max({word})", f"min(x, x + {at_most}, {word})",
    )  # fmt: skip
    helper = w.pick("scaled", "shifted")
    w.helpers[helper] = f"def {helper}(value, by=1):\n    return value * by"
    given = w.pick("x", "x, 2", "x, by=1", "value=x", "x, 1, 1", "", "x, to=2", "*[x]", "x, value=2")
    if w.data == "bool":
        p = w.pick("'1/4'", "'1/3'")
        return w.random.choice((
            [f"return x != bernoulli({p}, {w.pick('1', p)})"],
            [f"return x != bernoulli({w.pick('p', 'probability')}={p})"],
            [f"return x != (uniform(0, 2{w.pick(', 1', '', ', size=1')}) == 0)"],
            [f"return x != (choice([1, 2]{w.pick(', 1', '', ', k=1')}) == 0)"],
            [f"return (x != bernoulli({p})), {constant}"],
        ))  # fmt: skip
    if w.data.startswith("list"):
        return w.random.choice((
            [f"ys = [{clipped} for x in q]", f"return sum(ys) + {noise}"],
            ["for x in q:", f"    yield {clipped} + {noise}"],
            [f"return [{clipped} + {noise} for x in q]"],
            ["for x in q:", f"    yield x + {w.pick(odd, f'{constant} + {noise}')}"],
            [f"return sum(q, {w.pick('1', 'start=1', '[]')}) + {noise}"],
            [f"return len(q{w.pick(', 1', '')}) + {noise}"],
            ["total = 0", "for x in q:", f"    total += {clipped}", f"return total + {noise}"],
            [f"return max(q, {word}) + {noise}"],
            [f"return sum({helper}({given}) for x in q) + {noise}"],
        ))  # fmt: skip
    return w.random.choice((
        [f"return x + {odd}"],
        [f"return x + {constant} + {noise}"],
        [f"return x + {constant} + {noise}"],
        [f"return x + {constant} * {noise}"],
        [f"return {clipped} + {noise}"],
        [f"return {helper}({given}) + {noise}"],
        [f"if {constant} > 1:", "    return 0", f"return x + {noise}"],
    ))  # fmt: skip


def ranges(w: Writer) -> Lines:
    """Loops over ranges with steps, backwards, without rounds, or of numbers that are no integers."""
    w.data = w.pick("float", "int", "float", "list[float]")
    epsilon, k, level = w.epsilon(), counted(w), w.level()
    noise = f"laplace({w.pick('1', k)} / {epsilon})"
    rounds = w.pick(
        f"0, {k}, 2", f"{k}, 0, -1", f"1, {k}", f"1, {k} + 1", f"{k}, {k}", "0", "2, 1", "3", f"0, 3, {k}", "-1, 2",
        f"{k} - 1", f"{k} - 2", f"2, {k}", "0, 4, 2", "4, 0, -2", f"{k}, 3", "1.0", f"{k} / 1", level, "0, 2, 1",
        "5, 0",
        "x", "epsilon", f"{k}, 0", "2, 0, -1", f"0, {k}, {k}", "", f"0, {k}, 1, 1",
    )  # fmt: skip
    data = "q[0]" if w.data.startswith("list") else "x"
    said = f"{data} + {noise}"
    if w.data.startswith("list"):
        w.where.append("n >= 1")
        rounds = rounds.replace("x", "len(q)")
        return w.random.choice((
            [f"for i in range({w.pick('1, len(q)', 'len(q) - 1', '2, len(q)', '1, len(q) - 1', rounds)}):",
             f"    found = {w.pick('i', '1', 'True')}", f"return {w.pick('found', f'found + {noise}')}"],
            [f"for i in range({w.pick('0, len(q), 2', '1, len(q)', 'len(q), 0, -1', rounds)}):",
             f"    yield q[i] + {noise}"],
            [f"for i in range({rounds}):", f"    yield q[0] + {noise}"],
            ["total = 0", f"for i in range({w.pick('1, len(q)', '0, len(q), 2', rounds)}):", "    total += q[i]",
             f"return total + {noise}"],
        ))  # fmt: skip
    return w.random.choice((
        [f"for i in range({rounds}):", f"    yield {said}"],
        [f"for i in range({rounds}):", f"    yield {said}"],
        [f"for i in range({rounds}):", f"    found = {w.pick('1', 'i', said, 'None')}",
         f"return {w.pick('found', 'i', f'found + {noise}')}"],
        [f"noisy = {said}", f"for i in range({rounds}):", "    seen = i",
         f"return {w.pick('noisy, seen', 'seen', 'i')}"],
        ["count = 0", f"for i in range({rounds}):", "    count += 1", f"return x + count * {noise}"],
        ["count = 0", f"for i in range({rounds}):", "    count += i", "    yield count", f"yield {said}"],
        [f"for i in range({rounds}):", f"    if {noise} > i:", f"        yield {said}", "        break",
         "else:", "    yield None"],
    ))  # fmt: skip


def of_kinds(w: Writer) -> Lines:
    """Numbers, None, texts and infinities that are chosen one within another, compared, and computed with."""
    w.data = w.pick("float", "int", "bool", "int")
    noisy = "noisy" if w.data != "bool" else "lie"
    drawn = f"noisy = x + {w.noise()}" if w.data != "bool" else f"lie = x != bernoulli({w.probability()})"
    one, other, third = (
        w.pick("None", "'none'", "float('inf')", "-float('inf')", "0", "1", noisy, "x", "True") for _ in range(3)
    )
    a, b = (w.pick(test(w), test(w), f"{noisy} > 1" if noisy == "noisy" else noisy) for _ in range(2))
    level = w.level()
    compared, infinite = w.pick("<", "<=", ">", ">=", "==", "!="), w.pick("float('inf')", "-float('inf')")
    operator = w.pick("&", "|", "^", "<<", ">>", "//", "%", "**", "@", "and", "or")
    released = w.pick("said", "said", "said", f"said {compared} {third}", "-said", "said is None", "not said")
    within, beyond = w.random.choice((("x", noisy), (noisy, "x"), (noisy, "0"), ("0", noisy)))
    unlimited = [drawn, f"limit = {infinite}", f"if {w.pick(f'x {compared} limit', f'limit {compared} x')}:",
                 f"    return {within}", f"return {beyond}"]  # fmt: skip
    return w.random.choice((
        *([unlimited] * UNLIMITED),
        [drawn, f"said = {one} if {a} else ({other} if {b} else {third})", f"return {released}"],
        [drawn, f"said = {one} if {test(w)} else ({w.pick('None', other)} if {test(w)} else {noisy})", "return said"],
        [drawn, f"said = {noisy} if {test(w)} else ({w.pick('None', other)} if {b} else {noisy})", "return said"],
        [drawn, f"said = ({one} if {b} else {other}) if {a} else {third}", f"return {released}"],
        [drawn, f"said = {one} if {a} else {other}", f"return {released}"],
        [drawn, f"if {a}:", f"    said = {one}", f"elif {b}:", f"    said = {other}", "else:", f"    said = {third}",
         f"return {released}"],
        [drawn, f"limit = {infinite} if {a} else {w.pick(level, infinite)}",
         f"return {w.pick(f'limit {compared} {level}', f'limit {compared} {noisy}', f'x {compared} limit')}"],
        [drawn, f"limit = {infinite}", f"return {w.pick(f'{level} {compared} limit', f'limit {compared} {noisy}')}"],
        [f"return x {operator} {w.pick('1', '2', 'x')}"],
        [drawn, f"return {noisy}, x {operator} {w.pick('1', '2')}"],
        [f"return {w.pick('-', '+', 'not ', '~')}(x {operator} 1)"],
        [drawn, f"if {noisy} {w.pick('is', 'is not', '==', '!=')} {w.pick('None', 'True', '0')}:", "    return 1",
         f"return {one}"],
    ))  # fmt: skip


def twice(w: Writer) -> Lines:
    """What is drawn or added up once is kept, and the data are gone through again."""
    w.data = w.pick("list[float]", "list[int]")
    noise = w.noise()
    kept = w.pick(f"total + {noise}", f"total + {noise}", "total + noise", f"{noise} - total", "total")
    again = w.pick("    total += 1", "    total += x", "    total = 0", "    total = x", "    count += 1")
    released = w.pick("kept", "kept", "kept + total", "kept, total", "kept, count", "other")
    before = w.random.choice((
        [], ["for x in q:", "    total += x"], ["for x in q:", "    total += x", "    count += 1"], ["total = 1"],
    ))  # fmt: skip
    after = w.random.choice((
        ["for x in q:", again], ["for x in q:", again], ["total = 0"], ["for x in q:", again, "total = 0"], [],
    ))  # fmt: skip
    lines = [f"noise = {noise}", "total, count = 0, 0", *before, f"kept = {kept}", *after]
    lines += ["other = kept"]
    if w.chance(0.5):
        return [f"if {test(w)}:", *(f"    {one}" for one in lines), "else:", "    other = 0", "return other"]
    return [*lines, f"return {released}"]


def listed(w: Writer) -> Lines:
    """Several outputs, in a list that is written down, named, or made longer."""
    w.data = w.pick("list[float]", "list[int]")
    noise, other = w.noise(), w.noise()
    first = w.pick(f"total + {noise}", f"total + {noise}", "total + early", noise)
    second = w.pick(f"total + {other}", "1", other, "early", f"2 * total + {other}")
    summed = w.random.choice((["total = sum(q)"], ["total = 0", "for x in q:", "    total += x"], ["total = len(q)"]))
    drawn = ["early = " + noise] if "early" in first + second else []
    lines = [*drawn, *summed] if w.chance(0.6) else [*summed, *drawn]
    heading = w.pick("out", "out", "out: list")
    return [*lines, *w.random.choice((
        [f"return [{first}, {second}]"], [f"return [{first}]"], [f"return [(1, {first}), (2, {second})]"],
        [f"{heading} = [{first}, {second}]", "return out"],
        [f"{heading} = [{first}]", f"out.append({second})", "return out"],
        [f"{heading} = [{first}]", f"out += [{second}]", "return out"],
        [f"{heading} = [{first}]", "for x in q:", f"    out.append(x + {other})", "return out"],
    ))]  # fmt: skip


ODD: Mapping[str, tuple[float, Callable[[Writer], Lines]]] = {
    "bound names": (3, bound_names),
    "arguments": (4, arguments),
    "ranges": (3, ranges),
    "of kinds": (9, of_kinds),
    "twice": (5, twice),
    "listed": (4, listed),
}
"""How often each is written, and how."""
