"""Functions of a table in which Python's own words are used as they seldom are, rightly or by mistake.

Names that lambdas read of what is around them, arguments that do not fit, keys of several kinds, things that are raised
and are no exceptions, parts of texts, quotients that do not exist, lists of what has a name elsewhere, and passes over
the rows within others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tests.fuzzing.query_forms import Body
from tests.fuzzing.query_kinds import Labels
from tests.fuzzing.query_terms import Writer
from tests.fuzzing.rarer_queries import key


def lambdas(w: Writer) -> Body:
    """Functions that read names around them, which mean something else where they are called."""
    r, x = w.row, w.term(1).text
    (c, _), (d, _) = w.number(), w.number()
    name = w.pick("k", "k", r, "g")
    within = w.pick(f"({c}, {d})", f"[{c}, {d}]", "range(2)", f"(0, {c})")
    function = w.pick("lambda y: k * y", "lambda y: k + y", "lambda y, k=k: k * y", "lambda y: y if k else 0",
                      "lambda y: (lambda z: k * z)(y)")  # fmt: skip
    made = w.pick(
        "lambda k: lambda y: k * y", "lambda k: lambda y, k=k: k * y", "lambda k: lambda k: k", "lambda k: lambda y: k",
        "lambda k: lambda y: (lambda k: k * y)(2)", "lambda k, m=2: lambda y: k + m * y",
        "lambda k: (lambda: k)() and (lambda y: k)",
    )  # fmt: skip
    used = w.pick(
        f"sum([g({x}) for {name} in {within}][0] for {r} in rows)",
        f"sum(sum(g({x}) for k in {within}) for {r} in rows)",
        f"sum(g({x}) for {r} in rows for k in {within})", f"[sum(g({x}) for {r} in rows) for k in {within}]",
        f"sum(map(lambda {r}, k={d}: g({x}), rows))", f"sum((lambda k: g({x}))({d}) for {r} in rows)",
        f"sum((lambda g, k: g({x}))(g, {d}) for {r} in rows)",
        f"sum({{k: g({x}) for k in {within}}}[{c}] for {r} in rows)",
        f"sum(g({x}) for {r} in rows)", f"sum(map(g, [{x} for {r} in rows]))",
    )  # fmt: skip
    return Body(w.random.choice((
        f"k = {c}\ng = {function}\nreturn {used}",
        f"k = {c}\ng = {function}\nreturn {used}",
        f"k = {c}\ng = {function}\nk = {d}\nreturn {used}",
        f"{r} = {c}\ng = lambda y: {r if '[' not in x else 2} * y\nreturn sum(g(1) for {r} in rows)",
        f"{r} = {c}\ng = lambda: {r}\nreturn sum(g() for {r} in {w.pick('rows', f'[{x} for {r} in rows]')})",
        f"make = {made}\nreturn sum(make({x})({d}) for {r} in rows)",
        f"make = {made}\ng = make({c})\nreturn {used}",
        f"make = {made}\nfs = [make({x}) for {r} in rows]\nreturn sum(f({d}) for f in fs)",
        (f"make = {made}\ntotal = 0\ng = make({c})\nfor {r} in rows:\n    total += g({d})\n    g = make({x})\n"
         f"return total"),
        f"make = {made}\nf, g = make({c}), make({d})\nreturn sum(f({x}) - g({x}) for {r} in rows)",
        f"make = {made}\nreturn sum((lambda f, k: f({d}))(make({x}), {c}) for {r} in rows)",
        f"fs = [lambda y: k * y for k in {within}]\nreturn sum(f({x}) for {r} in rows for f in fs)",
        f"fs = [{function} for k in {within}]\nreturn sum(fs[0]({x}) for {r} in rows)",
        f"fs = {{k: (lambda y: k * y) for k in {within}}}\nreturn sum(fs[{c}]({x}) for {r} in rows)",
        f"f = lambda: {x}\nreturn sum(f() for {r} in rows)",
    )))  # fmt: skip


def misfits(w: Writer) -> Body:
    """Calls with arguments that do not fit, of functions of the file, of lambdas, and of Python's own."""
    r, x = w.row, w.term(1).text
    (c, _), (d, _) = w.number(), w.number()
    given = w.pick(
        x, f"{x}, {d}", f"{x}, k={d}", f"y={x}", f"k={d}, y={x}", f"{x}, z={d}", f"{x}, y={d}", f"{x}, {c}, {d}", "",
        f"k={d}", f"*[{x}]", f"{x}, *[]", f"{x}, **{{}}", f"y={x}, z=0", f"{x}, {d}, k={c}", f"{x}, key={d}",
    )  # fmt: skip
    heads = w.pick("y, k=1", "y, *, k=1", "y=1, k=2", "y, k", "k=1, y=2", "y")
    body = w.pick("y", "y * 2", "y if k else 0" if "k" in heads else "y", "y + k" if "k" in heads else "-y")
    defined = w.pick(
        f"def inner({heads}):\n    return {body}", f"inner = lambda {heads}: {body}",
    )  # fmt: skip
    if w.chance(0.4):
        w.helpers["inner"], defined = defined.replace("def inner", "def outer").replace("inner = ", "outer = "), ""
        w.helpers["outer"] = w.helpers.pop("inner")
    called = "inner" if defined else "outer"
    lead = f"{defined}\n" if defined else ""
    of = w.pick(
        f"abs({x}, {d})", f"abs(x={x})", f"round({x}, ndigits=0)", f"round({x}, 0, 1)", f"len([{x}], 1)", f"int(x={x})",
        f"min({x}, {d}, key=abs)", f"max({x}, {d}, default=0)", f"min({x}, {d}, start=0)", f"max([{x}], key=abs)",
        f"min([{x}, {d}], key=lambda y: -y)", f"sum([{x}], start={d})", f"sum([{x}], {d}, 1)", f"sum(iterable=[{x}])",
        f"bool({x}, 1)", f"sorted([{x}, {d}], reverse=True)[0]", f"sorted([{x}, {d}], key=abs)[0]",
        f"next(iter([{x}]), 0)", f"next(iter([]), {x})", f"range({d})[0]", f"max({x})", "abs()", f"sum(1, {x})",
    )  # fmt: skip
    return Body(w.random.choice((
        f"{lead}return sum({called}({given}) for {r} in rows)",
        f"{lead}return sum({called}({given}) {w.pick('>', '==', '<')} {c} for {r} in rows)",
        f"{lead}return sum(1 for {r} in rows if {called}({given}) > {c})",
        f"{lead}return sum(max(0, min({called}({given}), 1)) for {r} in rows)",
        f"{lead}total = 0\nfor {r} in rows:\n    total += {called}({given})\nreturn total",
        (f"{lead}total = 0\nfor {r} in rows:\n    try:\n        total += {called}({given})\n    except TypeError:\n"
         f"        total += {d}\nreturn total"),
        f"{lead}return sum(map({called}, [{x} for {r} in rows]))",
        f"return sum({of} for {r} in rows)",
        f"return sum({of} for {r} in rows)",
        (f"total = 0\nfor {r} in rows:\n    try:\n        total += {of}\n    "
         f"except {w.pick('TypeError', 'ValueError')}:\n"
         f"        total += {d}\nreturn total"),
    )))  # fmt: skip


def keyed(w: Writer) -> Body:
    """Keys that are of several kinds, one chosen within another, and what is in a dict, a set or a list."""
    (text, values), r, x = key(w), w.row, w.term(1).text
    one, two = w.condition(), w.condition()
    first, last = values.split(", ")[0], values.split(", ")[-1]
    (c, _), (d, _) = w.number(), w.number()
    chosen = w.pick(
        f"({text} if {one} else None)", f"({text} if {one} else ({two}))",
        f"((1 if {one} else 2) if {two} else 'other')",
        f"('a' if {one} else int({two}))", f"({text}, 'x' if {one} else None)", f"(None if {one} else ({text}, 1))",
        f"({c} if {one} else {d})", f"(({one}) if {two} else {c})", f"({one})",
        f"('none' if {one} else (True if {two} else {c}))",
    )  # fmt: skip
    other = w.pick(
        "None", "'other'", "1", "2", "True", "0", first, last, c, "'a'", f"({first}, None)", f"({first}, 'x')"
    )
    held = w.pick(
        f"{{{first}}}", f"{{{first}: {c}}}", f"{{{first}: {c}, {last}: {d}}}", f"[{first}]", f"({first},)",
        f"{{{other}}}", f"[{other}, {first}]", f"{{{other}: {c}}}", f"set([{first}])", f"dict.fromkeys([{other}], 1)",
    )  # fmt: skip
    loop = f"for {r} in rows:"
    changed = w.pick(f"counts[{other}] = 1", f"counts.setdefault({other}, 1)", f"counts.pop({other}, 0)",
                     f"del counts[{first}]",
                     "counts[one] = 0", "counts[(one, 1)] = 1", f"counts.update({{{other}: 1}})", "counts = {}",
                     f"counts[{c}] = 1")  # fmt: skip
    told = w.pick(
        f"return counts.get({other}, 0)", "return len(counts)", f"return {other} in counts",
        "return sum(counts.values())",
        f"return [counts.get(one, 0) for one in ({other}, {first})]", f"return counts.get({other}, {c})",
        f"return 1 if {other} not in counts else {d}",
    )  # fmt: skip
    asked = w.pick(text, text, chosen, x)
    return Body(w.random.choice((
        f"counts = {{}}\n{loop}\n    key = {chosen}\n    counts[key] = counts.get(key, 0) + 1\n{told}",
        f"counts = {{}}\n{loop}\n    counts[{chosen}] = {w.pick('1', x)}\n{told}",
        f"counts = {{{other}: 0}}\n{loop}\n    counts.setdefault({chosen}, 0)\n    counts[{chosen}] += 1\n{told}",
        f"seen = set()\n{loop}\n    seen.add({chosen})\nreturn {w.pick('len(seen)', f'{other} in seen')}",
        f"held = {held}\nreturn sum(1 for {r} in rows if {asked} {w.pick('in', 'not in')} held)",
        f"held = {held}\nreturn sum({asked} {w.pick('in', 'not in')} held for {r} in rows)",
        f"return sum({asked} {w.pick('in', 'not in')} {held} for {r} in rows)",
        f"held = {held}\ntotal = 0\n{loop}\n    if {asked} in held:\n        total += {w.pick('1', x)}\nreturn total",
        (f"held = {{{first}: {c}}}\ntotal = 0\n{loop}\n    if {one}:\n        held[{last}] = {d}\n"
         f"    total += {w.pick(f'{other} in held', f'held.get({last}, 0)', f'{text} in held')}\nreturn total"),
        (f"counts = {{{first}: 0, {other}: 0}}\n{loop}\n    counts[{w.pick(first, text)}] = {w.pick('1', x)}\n"
         f"for one in counts:\n    {changed}\n{told}"),
        (f"counts = {{{first}: 0, {last}: 0}}\n{loop}\n    for one in counts:\n        "
         f"{w.pick(changed, f'if {two}: {changed}')}\n{told}"),
        (f"counts = {{{first}: 0}}\n{loop}\n    "
         f"for one in {w.pick('counts', 'counts.items()', 'list(counts)', 'counts.values()')}:\n"
         f"        if {two}:\n            {changed}\n{told}"),
        f"return sum({{{first}: {c}, {other}: {d}}}[{chosen}] for {r} in rows)",
        f"return sum({{{first}: {c}, {other}: {d}}}.get({chosen}, 0) for {r} in rows)",
    )), is_vector="return [" in told)  # fmt: skip


def thrown(w: Writer) -> Body:
    """What is raised and is no exception, or one that is not Python's own, and who catches what."""
    r, x, one = w.row, f"({w.term(1).text})", w.condition()
    (c, _), (text, values) = w.number(), key(w)
    first = values.split(", ")[0]
    no_exception = w.pick("5", "None", "'no'", x, text, "rows", "(ValueError,)", "(ValueError('no'), 1)", "len", "True",
                          f"{c}", "[]", "ValueError if 1 else None", "print", "int")  # fmt: skip
    some = w.pick(
        "LookupError", "ArithmeticError", "Exception", "EOFError", "RuntimeError", "ValueError('no')", "Own",
        "Own('no')", "KeyError(1)", "StopIteration", "AssertionError", "OverflowError", "BaseException", "ValueError()",
    )  # fmt: skip
    raised = w.pick(no_exception, no_exception, some)
    if "Own" in raised:
        w.helpers["Own"] = "class Own(ValueError):\n    pass"
    caught = w.pick("TypeError", "TypeError", "ValueError", "KeyError", "Exception", "(TypeError, ValueError)",
                    "LookupError",
                    "ZeroDivisionError", "AttributeError", no_exception)  # fmt: skip
    risky = w.pick(f"{{{first}: 1}}[{text}]", f"{c} / {x}", f"[{x}][1]", f"int({text})", f"{x} + 'a'",
                   f"({text}).lower()",
                   f"None + {x}", f"({x}).real", f"({text}) < {x}")  # fmt: skip
    loop = f"total = 0\nfor {r} in rows:"
    return Body(w.random.choice((
        f"{loop}\n    if {one}:\n        raise {raised}\n    total += 1\nreturn total",
        f"{loop}\n    raise {raised}\nreturn total",
        f"for {r} in rows:\n    if {one}:\n        raise {raised}\nreturn len(rows)",
        (f"{loop}\n    try:\n        if {one}:\n            raise {raised}\n        total += {w.pick('1', x)}\n"
         f"    except {caught}:\n        total += {c}\nreturn total"),
        (f"{loop}\n    try:\n        raise {raised}\n    except {caught}:\n        total += {w.pick(c, '1')}\n"
         f"return total"),
        (f"{loop}\n    try:\n        total += {risky}\n    except {caught}:\n        total += {w.pick(c, '1')}\n"
         f"return total"),
        (f"{loop}\n    try:\n        total += {risky}\n    except {caught}:\n        total += {w.pick(c, '1')}\n"
         f"return total"),
        f"if len(rows) > {w.pick('1', '2')}:\n    raise {raised}\nreturn {w.pick('1', 'len(rows)')}",
    )))  # fmt: skip


def of_texts(w: Writer) -> Body:
    """Parts of texts, and texts beside tuples and lists of their letters."""
    labelled = [(text, kind) for text, kind in w.places if isinstance(kind, Labels) and isinstance(kind.values[0], str)]
    text, words = w.random.choice([(t, list(map(str, k.values))) for t, k in labelled] or [("'ab'", ["ab", "a"])])
    r, x, one = w.row, w.term(1).text, w.condition()
    word, (c, _) = w.pick(*words), w.number()
    part = w.pick("0", "-1", "1", "0:1", "::-1", "'a'", "None", "9")
    letters = ", ".join(map(repr, word)) + ","
    doubled = (word[0] * 2, f"({text}, {text})")
    texts = w.pick(f"{text}[{part}]", f"{text}[0]", f"{text}[0]", f"{text}.upper()", f"len({text})", f"{text} * 2",
                   f"{text} + 'a'", f"list({text})", f"tuple({text})", f"{text}.count('a')")  # fmt: skip
    against = w.pick(repr(word[0]), repr(word), f"({letters})", f"[{letters}]", "1", repr(word.upper()), repr(word * 2))
    compared = w.pick("==", "==", "!=", "in", "<", "not in")
    pairs = w.pick(
        f"{doubled[1]} {compared} {doubled[0]!r}", f"{doubled[0]!r} {compared} {doubled[1]}",
        f"({text},) {compared} {word[0]!r}", f"({text}, {x}) {compared} 'ab'", f"[{text}] {compared} {word[0]!r}",
        f"({text}, 'b') {compared} 'ab'", f"({letters}) {compared} {text}", f"[{letters}] {compared} {text}",
        f"{text} {compared} ({letters})", f"({letters}) {compared} {word!r}",
        f"({text}, {text}) {compared} ({word!r}, 'a')",
        f"({text}, 1) {compared} ({word!r}, {x})", f"({text}, {x}) {compared} {text}", f"({x}, {x}) {compared} '11'",
    )  # fmt: skip
    risky = w.pick(
        f"{texts} {compared} {against}", f"{text}[{part}] == {against}", f"len({texts})", f"{{{word[0]!r}: 1}}[{texts}]"
    )
    loop = f"total = 0\nfor {r} in rows:"
    return Body(w.random.choice((
        f"return sum(1 for {r} in rows if {pairs})",
        f"return sum(1 for {r} in rows if {pairs})",
        f"{loop}\n    total += {c} if {pairs} else 0\nreturn total",
        f"return sum(1 for {r} in rows if {texts} {compared} {against})",
        f"return sum({risky} for {r} in rows)",
        (f"{loop}\n    try:\n        total += {risky}\n    except {w.pick('TypeError', 'IndexError', 'KeyError')}:\n"
         f"        total += {c}\nreturn total"),
        f"{loop}\n    if {one} and {risky}:\n        total += 1\nreturn total",
    )))  # fmt: skip


def quotients(w: Writer) -> Body:
    """Quotients that may not exist, caught or made harmless afterwards."""
    r, x, one = w.row, w.term(1).text, w.condition()
    (c, _), (d, _) = w.number(), w.number()
    below = w.pick(
        x, f"({x} - {x})", "0", f"({one})", f"int({one})", f"({x} * 0)", f"max({x}, 0)", "len([])", f"({x} - {c})"
    )
    operator = w.pick("/", "/", "/", "//", "%")
    quotient = f"{w.pick(c, x, '1')} {operator} {below}"
    tamed = w.pick(
        f"0 * ({quotient})", f"min(1, max(0, {quotient}))", f"({quotient} > {d})", f"({quotient} == {d})",
        f"({quotient}) ** 0", f"int({quotient} > 0)", f"max(0, min({quotient}, {d}))", f"(1 if {quotient} < 1 else 0)",
        f"bool({quotient})",
    )  # fmt: skip
    error = w.pick(
        "ZeroDivisionError", "ZeroDivisionError", "ValueError", "(ValueError, ZeroDivisionError)", "TypeError"
    )
    loop = f"total = 0\nfor {r} in rows:"
    return Body(w.random.choice((
        (f"{loop}\n    try:\n        total += {tamed}\n    except {error}:\n        total += {w.pick('0', '1', d)}\n"
         f"return total"),
        (f"{loop}\n    try:\n        total += {tamed}\n    except {error}:\n        total += {w.pick('0', '1', d)}\n"
         f"return total"),
        (f"{loop}\n    try:\n        value = {quotient}\n    except {error}:\n        total += {w.pick('1', d)}\n"
         f"return total"),
        f"return sum({tamed} for {r} in rows)",
        f"return sum({tamed} for {r} in rows if {one})",
        f"return sum(({quotient}) * 0 + 1 for {r} in rows)",
        (f"n = sum(1 for {r} in rows if {one})\ntry:\n    return min(1, max(0, {c} / n))\nexcept {error}:\n    "
         f"return {d}"),
        f"total = sum({tamed} if {one} else 0 for {r} in rows)\nreturn total",
    )))  # fmt: skip


def named_twice(w: Writer) -> Body:
    """Lists of lists, of functions and of iterators; lists that are emptied or replaced for some rows."""
    r, x, one = w.row, w.term(1).text, w.condition()
    (c, _), (d, _) = w.number(), w.number()
    loop = f"for {r} in rows:"
    item, read = w.random.choice((
        (f"[{x}]", "one[0]"), (f"[{x}, {c}]", "one[1]"), (f"lambda: {x}", "one()"), (f"iter([{x}])", "next(one)"),
        (f"({x}, [{c}])", "one[1][0]"), ("inner", "one[0]"), (f"{{'a': {x}}}", "one['a']"), (f"{{{x}}}", "len(one)"),
        (f"(y for y in [{x}])", "sum(one)"), (f"lambda y={c}: y", "one()"), (f"[[{x}]]", "one[0][0]"), (f"{x}", "one"),
    ))  # fmt: skip
    emptied = w.pick("kept.clear()", "kept = []", "kept.pop()", "kept = [0]", "kept += [1, 2]", "kept.append(0)",
                     "del kept[:]",
                     "kept = kept + [0]", "kept = kept[:1]", "kept.extend([1])",
                     "kept, other = other, kept")  # fmt: skip
    told = w.pick(
        "return len(kept)", f"return sum({read} for one in kept)", f"return sum({read} for one in kept[:1])",
        "return 1 if kept else 0", f"return [{read} for one in kept][0] if kept else 0",
        f"return max([{read} for one in kept], default=0)",
        "return len(kept) + len(other)", "return kept == []",
    )  # fmt: skip
    return Body(w.random.choice((
        f"kept, other = [], []\n{loop}\n    kept.append({item})\n{told}",
        f"kept, inner, other = [], [{c}], []\n{loop}\n    kept.append({item})\n    inner[0] = {w.pick(x, d)}\n{told}",
        f"kept, inner, other = [], [0], []\n{loop}\n    inner = [{x}]\n    kept.append({item})\n{told}",
        (f"kept = [{item} for {r} in rows]\nother = kept\n"
         f"other.append({item.replace(r, 'rows') if r not in item else '[1]'})\n{told}"),
        (f"kept, other = [], [1]\n{loop}\n    if {one}:\n        {emptied}\n    kept.append({x})\n"
         f"{told.replace(read, 'one')}"),
        (f"kept, other = [], [1]\n{loop}\n    kept.append({x})\n    if {one}:\n        {emptied}\n"
         f"{told.replace(read, 'one')}"),
        (f"kept, other = [], []\n{loop}\n    if {one}:\n        other = kept\n    else:\n        other = [{c}]\n"
         f"    other.append({x})\n{told.replace(read, 'one')}"),
        f"kept, other = [[0]] * 2, []\n{loop}\n    kept[int({one})][0] += {x}\n{told.replace(read, 'one[0]')}",
        f"kept, other = [[0], [0]], []\n{loop}\n    kept[int({one})][0] += {x}\n{told.replace(read, 'one[0]')}",
    )))  # fmt: skip


def placed(w: Writer) -> Body:
    """Elements at places that are no integers, too far out, or counted from the end."""
    r, x, one = w.row, f"({w.term(1).text})", w.condition()
    (c, _), (d, _) = w.number(), w.number()
    place = w.pick(
        x, f"{x} / 2", f"{x} // 2", "1.0", "0.0", f"int({x})", f"{x} - {x}", f"({one})", f"{x} / {x}", "1 / 1", "-1",
        "-3", "2", f"round({x})", f"math.floor({x})", f"{x} * 0", f"{x} * 1.0", f"min(1, max(0, {x}))", "None", "'a'",
        f"({one}) / 1", f"0.0 * {x}", f"int({one}) * 1.0",
    )  # fmt: skip
    if "math." in place:
        w.imported["math"] = ""
    held = w.pick(
        f"[{c}, {d}]",
        f"({c}, {d})",
        f"[{c}, {d}, 1, 2, 3]",
        f"[[{c}], [{d}]][0]",
        f"list(({c}, {d}))",
        "range(3)",
        "'ab'",
    )
    error = w.pick("TypeError", "IndexError", "(TypeError, IndexError)", "KeyError")
    backwards = w.pick(
        f"({one})", f"({one})", "True", "False", "0", "1", f"{x} > {c}", f"int({one})", "None", "len(rows)"
    )
    part = w.pick("0:1", ":1", f":{place}", f"{place}:", "::1")
    loop = f"total = 0\nfor {r} in rows:"
    return Body(w.random.choice((
        f"held = {held}\nreturn sum(held[{place}] for {r} in rows)",
        f"held = {held}\nreturn sum(1 for {r} in rows if held[{place}] == {c})",
        (f"held = {held}\n{loop}\n    try:\n        total += held[{place}]\n    except {error}:\n        "
         f"total += {w.pick('1', d)}\nreturn total"),
        f"bins = [0, 0, 0]\nfor {r} in rows:\n    bins[{place}] += 1\nreturn bins{w.pick('', '[0]', '[-1]')}",
        (f"bins = [0, 0]\nfor {r} in rows:\n    try:\n        bins[{place}] += 1\n    except {error}:\n        "
         f"bins[0] = {c}\nreturn bins[0]"),
        f"values = [{x} for {r} in rows]\nreturn values[len(values) {w.pick('/', '//')} 2] if values else 0",
        f"return sum(sorted([{c}, {d}, {x}], reverse={backwards})[{w.pick('0', '-1')}] for {r} in rows)",
        f"return sum(sorted([{x}, {c}], reverse={backwards})[0] {w.pick('>', '==')} {d} for {r} in rows)",
        f"return sum(1 for {r} in rows if sorted([{c}, {d}], reverse={backwards})[0] == {c})",
        f"return sum(sorted(({c}, {d}), reverse={backwards})[0] for {r} in rows)",
        f"held = {held}\nreturn sum(held[{part}]{w.pick('[0]', '')} for {r} in rows)",
    )), is_vector=False)  # fmt: skip


def nested(w: Writer) -> Body:
    """A pass over the rows within another one, or of what another one has found."""
    x, one, r = w.term(1).text, w.condition(), w.row
    other = re.sub(rf"\b{r}\b", "s", x)
    (c, _), compared = w.number(), w.pick("<", "<=", "==", ">", "!=")
    inner = w.pick(
        f"sum(1 for s in rows if {other} {compared} {x})", f"sum(1 for s in rows if {other} {compared} total)",
        f"any({other} {compared} {x} for s in rows)", f"max([{other} for s in rows])", f"sum({other} for s in rows)",
        f"len([s for s in rows if {other} > {c}])", f"sum({other} {compared} last for s in rows)", "rows.count(r)",
        f"all({other} {compared} {c} for s in rows)", f"sum(1 for s in rows if {one})", "len(rows)",
    )  # fmt: skip
    lead = f"total, last = 0, 0\nfor {r} in rows:"
    return Body(w.random.choice((
        f"{lead}\n    total += {inner}\nreturn total",
        f"{lead}\n    if {inner} > {c}:\n        total += 1\n    last = {x}\nreturn total",
        (f"{lead}\n    total += {inner}\n    last = {x}\n"
         f"return {w.pick('last', 'min(total, 1)', '0 * total', 'total > 0')}"),
        f"{lead}\n    for s in rows:\n        if {other} {compared} {x}:\n            total += 1\nreturn total",
        (f"{lead}\n    n = 0\n    for s in rows:\n        n += {other}\n    "
         f"total = {w.pick('n', 'max(total, n)', 'total + n')}\nreturn total"),
        f"{lead}\n    n = 0\n    for s in rows:\n        n = {w.pick(x, 'total', 'last')}\n    last = n\nreturn last",
        (f"total, last = 0, 0\nkept = [{x} for {r} in rows]\n"
         f"return sum(1 for one in kept if one {compared} {w.pick('max(kept)', 'sum(kept)', c)})"),
        f"total, last = 0, 0\nreturn sum(1 for {r} in rows for s in rows if {other} {compared} {x})",
        f"total, last = 0, 0\nreturn sum({inner} for {r} in rows)",
    )))  # fmt: skip


ODD: Mapping[str, tuple[Callable[[Writer], Body], float]] = {
    "lambdas": (lambdas, 3),
    "misfits": (misfits, 4),
    "keyed": (keyed, 4),
    "thrown": (thrown, 3),
    "of texts": (of_texts, 3),
    "quotients": (quotients, 2),
    "named twice": (named_twice, 2),
    "nested": (nested, 2),
    "placed": (placed, 4),
}
"""The forms of functions, and how often each is written."""
