"""Functions of a table as docs/how_to/sensitivity.md has them that are written less often, or by mistake.

Dicts that are filled as rows come, exceptions that are raised and caught, lambdas made in loops, texts and infinities
beside numbers, and lists with a second name.  How far they move is not known beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.fuzzing.query_forms import Body
from tests.fuzzing.query_kinds import Labels, Maybe
from tests.fuzzing.query_terms import Writer


def key(w: Writer) -> tuple[str, str]:
    """What rows are told apart by, and the texts of its values."""
    found = [(text, kind) for text, kind in w.places if isinstance(kind, Labels)]
    if found:
        text, kind = w.random.choice(found)
        return text, ", ".join(map(repr, kind.values))
    c, _ = w.number()
    text, kind = w.random.choice(w.places)
    if isinstance(kind, Maybe):
        return f"{text} is None", "True, False"
    return w.pick(f"{text} > {c}", f"int({text} > {c})"), "True, False"


def filled(w: Writer) -> Body:
    """A dict or a set that is filled as rows come."""
    (text, values), r, loop = key(w), w.row, f"for {w.row} in rows:"
    x, condition, (c, _) = w.term(1).text, w.condition(), w.number()
    zeros = "{" + ", ".join(f"{one}: 0" for one in values.split(", ")) + "}"
    first = values.split(", ")[0]
    told = w.pick(
        f"return [counts.get(one, 0) for one in ({values},)]", "return sum(counts.values())", "return len(counts)",
        f"return {{one: counts.get(one, 0) for one in ({values},)}}", f"return counts.get({first}, {c})",
        "return counts", "return sum(1 for one in counts)", "return [counts[one] for one in sorted(counts)]",
        f"return {first} in counts",
        "return list(counts.values())", "return max(counts.values(), default=0)", f"return counts.pop({first}, 0)",
        "return sum(v for k, v in counts.items())", f"return counts[{first}] if {first} in counts else {c}",
        f"return counts[{first}]",
    )  # fmt: skip
    made = w.random.choice((
        f"counts = {{}}\n{loop}\n    counts.setdefault({text}, {c})\n    counts[{text}] += 1",
        f"counts = {{}}\n{loop}\n    counts.setdefault({text}, {x})",
        (f"counts = {{}}\n{loop}\n    if {text} in counts:\n        counts[{text}] += {x}\n    else:\n"
        f"        counts[{text}] = {c}"),
        f"counts = {{}}\n{loop}\n    counts[{text}] = {x}",
        f"counts = {{}}\n{loop}\n    if {condition}:\n        counts[{text}] = counts.get({text}, {c}) + 1",
        (f"counts = {{{first}: {c}}}\n{loop}\n    try:\n        counts[{text}] += 1\n    except KeyError:\n"
        f"        counts[{text}] = {w.pick('1', '0', c)}"),
        f"counts = dict.fromkeys([{values}], {c})\n{loop}\n    counts[{text}] += {x}",
        f"counts = {zeros}\n{loop}\n    counts[{text}] = max(counts[{text}], {x})",
        (f"counts = {zeros}\n{loop}\n    if {condition}:\n        counts[{text}] += 1\n    else:\n"
        f"        counts[{first}] = 0"),
        (f"counts = {{}}\n{loop}\n    if {condition}:\n        counts.setdefault({first}, "
         f"{c})\ncounts.setdefault({first}, 1)"),
        f"counts = {{one: {c} for one in ({values},)}}\n{loop}\n    if {condition}:\n        counts.pop({text}, None)",
        f"counts = {{}}\n{loop}\n    counts.update({{{text}: {x}}})",
        f"counts = {{({text}): {x} for {r} in rows}}",
        f"counts = {zeros}\nfor one in counts:\n    counts[one] = sum(1 for {r} in rows if ({text}) == one)",
        (f"counts = {zeros}\n{loop}\n    for one in counts:\n        if ({text}) == "
         f"one:\n            counts[one] += {x}"),
        (f"counts = {{}}\nfor one in ({values},):\n    if any(({text}) == one for {r} in rows):\n"
        f"        counts[one] = {c}"),
    ))  # fmt: skip
    if w.chance(0.25):
        w.imported["Counter"] = "collections"
        made = w.random.choice((
            f"counts = Counter({text} for {r} in rows if {condition})",
            f"counts = Counter()\n{loop}\n    counts[{text}] += {x}",
            f"counts = Counter([{text} for {r} in rows])\ncounts.update([{first}])",
            f"counts = Counter({text} for {r} in rows)\ncounts.subtract({{{first}: {c}}})",
        ))  # fmt: skip
    elif w.chance(0.2):
        made, told = f"seen = {w.pick('[]', 'set()')}", w.pick("return len(seen)", f"return {first} in seen")
        add = "append" if "[" in made else "add"
        made += f"\n{loop}\n    if {w.pick(f'({text}) not in seen', condition)}:\n        seen.{add}({text})"
    elif w.chance(0.2):
        made = f"counts = {{}}\n{loop}\n    key = ({text}, {condition})\n    counts[key] = counts.get(key, {c}) + 1"
        told = w.pick(f"return [counts.get((one, True), 0) for one in ({values},)]", "return len(counts)",
                      f"return counts.get(({first}, False), {c})",
                      "return sum(n for (a, b), n in counts.items() if b)")  # fmt: skip
    elif w.chance(0.25):  # a key more while keys are gone through
        new = w.pick("'total'", "'all'", first, "one")
        more = w.pick(f"counts[{new}] = counts.get({new}, {c}) + counts[one]", f"counts.setdefault({new}, {c})")
        told = f"for one in {w.pick('counts', 'counts', 'list(counts)')}:\n    {more}\n{told}"
    return Body(f"{made}\n{told}", is_vector="return [" in told or "{" in told)


def raising(w: Writer) -> Body:
    """Exceptions that are raised, and caught or not."""
    r, loop, x, condition = w.row, f"total = 0\nfor {w.row} in rows:", w.term(1).text, w.condition()
    (c, _), (text, values) = w.number(), key(w)
    name = w.pick("KeyError", "ValueError", "TypeError", "ZeroDivisionError", "Exception", "IndexError", "LookupError",
                  "(KeyError, ValueError)", "ArithmeticError", "RuntimeError")  # fmt: skip
    raised = w.pick("raise ValueError('no')", "raise KeyError", "raise", "return 0", "pass", f"{c} / 0", "[][0]",
                    "{}['a']", "int('a')", "raise TypeError", "assert False", f"assert {x} > {c}")  # fmt: skip
    return Body(w.random.choice((
        f"for {r} in rows:\n    if {condition}:\n        {raised}\nreturn len(rows)",
        (f"{loop}\n    try:\n        if {condition}:\n            {raised}\n        total += {x}\n    except {name}:\n"
        f"        total += {c}\nreturn total"),
        f"{loop}\n    total += {x}\nif total > {c}:\n    {raised}\nreturn total",
        (f"try:\n    if len(rows) > {w.pick('1', '2')}:\n        {raised}\n    return "
         f"sum({x} for {r} in rows)\nexcept {name}:\n"
        f"    return {c}"),
        (f"{loop}\n    try:\n        total += {{{values.split(', ')[0]}: {c}}}[{text}]\n"
         f"    except {name}:\n        total += 1\nreturn total"),
        (f"{loop}\n    try:\n        total += {c} / ({x})\n    except {name}:\n        total = 0\n    finally:\n"
        "        total += 1\nreturn total"),
        (f"{loop}\n    try:\n        total += 1\n    except {name}:\n        total = "
         f"{c}\n    else:\n        total += {x}\nreturn total"),
        f"assert {w.pick('rows', 'len(rows) < 3', f'all({condition} for {r} in rows)')}\nreturn len(rows)",
        (f"values = [{x} for {r} in rows]\ntry:\n    return values[{w.pick('0', '1', '-1')}]\n"
         f"except {name}:\n    return {c}"),
        f"return {w.pick('min', 'max')}({x} for {r} in rows)",
        f"return [{x} for {r} in rows][{w.pick('0', '1', '-1', '-2')}]",
        f"return {c} / sum({x} for {r} in rows)",
        f"return {c} {w.pick('//', '%')} len(rows)",
    )))  # fmt: skip


def beside(w: Writer) -> Body:
    """Texts, infinities, None and truth values beside numbers."""
    r, loop, x, condition = w.row, f"for {w.row} in rows:", w.term(1).text, w.condition()
    (c, _), (text, values) = w.number(), key(w)
    first, compared = values.split(", ")[0], w.pick("<", "<=", ">", ">=", "==", "!=", "is", "is not", "in", "not in")
    odd = w.pick(
        "float('inf')",
        "-float('inf')",
        "None",
        first,
        "'b'",
        "True",
        "(0, 1)",
        "[0, 1]",
        "1.0",
        "0",
        "'ab'",
        "('a', 'b')",
    )
    return Body(w.random.choice((
        (f"best = {odd}\n{loop}\n    if best is None or {x} {compared} best:\n        "
         f"best = {x}\nreturn 0 if best == {odd} else best"),
        f"return sum(1 for {r} in rows if {text} {compared} {odd})",
        f"return sum(1 for {r} in rows if {x} {compared} {odd})",
        f"return sum(1 for {r} in rows if ({text}, {x}) {compared} ({first}, {c}))",
        f"return sum(1 for {r} in rows if str({text}) {compared} {odd})",
        (f"return sum(1 for {r} in rows if ({text}){w.pick('[0]', '[:1]', '.upper()', '.lower()', '.real')} "
         f"{compared} {odd})"),
        f"return sum(len({w.pick(text, f'[{x}]', f'str({text})')}) for {r} in rows)",
        f"return sum({x} if {condition} else {odd} for {r} in rows)",
        f"chosen = {odd}\n{loop}\n    chosen = {x} if {condition} else chosen\nreturn chosen {compared} {odd}",
        (f"chosen = {odd}\n{loop}\n    if {condition}:\n        chosen = {text}\nreturn "
         f"1 if chosen {compared} {odd} else 0"),
        f"return min([{x} for {r} in rows] + [{odd}])",
        f"return sum({odd} == {text} or {condition} for {r} in rows)",
        f"return sum(bool({text}) and {condition} for {r} in rows)",
        f"return sum(isinstance({text}, {w.pick('int', 'str', 'float')}) for {r} in rows)",
        f"return sum({x} * ({condition}) for {r} in rows)",
        f"return sum(1 for {r} in rows if ({text}, {text}) {compared} {odd})",
    )))  # fmt: skip


def shared(w: Writer) -> Body:
    """Lists with a second name, nested or sliced, iterators that are used up, functions made in loops."""
    r, loop, x, condition = w.row, f"for {w.row} in rows:", w.term(1).text, w.condition()
    (c, _), (d, _) = w.number(), w.number()
    place = w.pick("0", "1", "-1", f"int({condition})")
    given = w.pick(x, f"{x}, {d}", f"k={d}, y={x}", f"{x}, k={d}", f"*[{x}]", f"{x}, z=1")
    return Body(w.random.choice((
        f"a = b = [0, {c}]\n{loop}\n    a[{place.replace(r, 'rows')}] += 1\nreturn b[0]" if "int" not in place else
        f"a = b = [0, {c}]\n{loop}\n    a[{place}] += 1\nreturn b[0]",
        (f"a = [0, {c}]\nb = {w.pick('a', 'list(a)', 'a[:]', 'a + [1]', 'a.copy()')}\n"
         f"{loop}\n    a[0] += {x}\nreturn b[0]"),
        f"a = [[0] * 2] * 2\n{loop}\n    a[0][1] += {x}\nreturn a[1][1]",
        f"values = ({x} for {r} in rows)\nreturn sum(values) {w.pick('+', '-')} sum(values)",
        f"values = {w.pick('map', 'filter')}(lambda {r}: {x}, rows)\nreturn len(list(values)) + sum(1 for _ in values)",
        f"fs = [lambda {r}: k * ({x}) for k in ({c}, {d})]\nreturn sum(fs[0]({r}) for {r} in rows)",
        f"k = {c}\nfs = [lambda {r}{w.pick('', ', k=k')}: k * ({x}) for k in ({c}, {d})]\nreturn sum(map(fs[0], rows))",
        f"k = {c}\ntotal = 0\n{loop}\n    f = lambda y: k * y\n    k = {d}\n    total += f({x})\nreturn total",
        (f"values = [{x} for {r} in rows]\n"
         f"values.{w.pick('reverse()', 'sort()', 'pop()', 'append(1)', 'insert(0, 1)', 'clear()')}\n"
        f"return sum(values{w.pick('', '[1:]', '[:2]', '[::2]', '[:-1]')})"),
        (f"values = [{x} for {r} in rows if {condition}]\n"
         f"return {w.pick('values == []', 'len(values) == len(rows)', 'bool(values)')}"),
        f"return sum(a * b for a, b in zip([{x} for {r} in rows], {w.pick('[1, 2]', 'range(3)', '[0, 1, 0]')}))",
        (f"def inner(y, k={c}):\n    return y * k\n"
         f"return sum(inner({given}) for {r} in rows)"),
        f"total, {w.pick('sum', 'len', 'max')} = 0, 1\n{loop}\n    total += {x}\nreturn total + sum",
        f"{loop}\n    last = {x}\nreturn {w.pick('last', '0 if not rows else last', 'last if rows else 0')}",
        (f"total = 0\nfor i in range({w.pick('len(rows)', '1, len(rows)', 'len(rows) - 1', '0, len(rows), 2', '2')}):\n"
        f"    {r} = rows[i]\n    total += {x}\nreturn total"),
        (f"total = 0\n{loop}\n    for again in range({w.pick('2', '3', f'int({condition})')}):\n"
         f"        total += {x}\nreturn total"),
        (f"total = 0\n{loop}\n    if {condition}:\n        continue\n    total += {x}\n"
         f"else:\n    total += {c}\nreturn total"),
        f"rows = [{r} for {r} in rows if {condition}]\nreturn len(rows)",
        (f"kept = []\n{loop}\n    if {condition}:\n        {w.pick('kept = []', 'kept.clear()')}\n"
         f"    kept.append({x})\nreturn len(kept)"),
        (f"kept = []\n{loop}\n    kept.append({w.pick(f'[{x}]', f'lambda: {x}', 'iter(rows)', f'({x}, {c})')})\n"
         "return len(kept)"),
        f"rows.append(rows[0])\nreturn sum({x} for {r} in rows)",
    )))  # fmt: skip


RARER: Mapping[str, tuple[Callable[[Writer], Body], float]] = {
    "filled": (filled, 4),
    "raising": (raising, 3),
    "beside": (beside, 3),
    "shared": (shared, 3),
}
"""The forms of functions, and how often each is written."""
