"""Functions of a table in the forms in which users write them, with how far they move at most where that is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from tests.fuzzing.query_kinds import Labels, Numbers, literal
from tests.fuzzing.query_terms import Writer, hull, times


@dataclass(frozen=True, slots=True)
class Body:
    """The statements of a function, and how far it moves where a row comes (add) or changes."""

    text: str
    add: Fraction | None = None
    change: Fraction | None = None
    is_vector: bool = False
    squares: tuple[Fraction | None, Fraction | None] = (None, None)
    """Under L2, squared."""
    largest: tuple[Fraction | None, Fraction | None] = (None, None)
    """Under Linf."""
    unit: str = "1"
    """Of the bound where a row changes, if the number of rows plays a part."""


def scalar(text: str, change_add: Fraction | None, change_one: Fraction | None, unit: str = "1") -> Body:
    """A body that returns one number."""
    return Body(text, change_add, change_one, unit=unit)


def summed(w: Writer) -> Body:
    """A sum over the rows, filtered at times."""
    term, r = w.term(), w.row
    filtered = w.chance(0.35)
    condition = w.condition() if filtered else ""
    add_bound, change = term.size, hull(term.low, term.high, Fraction(0)) if filtered else term.width
    change = None if term.raises else change
    test = f" if {condition}" if filtered else ""
    if w.chance(0.35):
        inner = f"total += {term.text}"
        form = w.pick("plain", "if", "continue", "index", "enumerate", "keep", "augmented")
        if not filtered:
            body = {
                "index": f"for i in range(len(rows)):\n    {r} = rows[i]\n    {inner}",
                "enumerate": f"for i, {r} in enumerate(rows):\n    {inner}",
                "keep": f"for {r} in rows:\n    value = {term.text}\n    total = total + value",
                "augmented": f"for {r} in list(rows):\n    {inner}",
            }.get(form, f"for {r} in rows:\n    {inner}")
        elif form == "continue":
            body = f"for {r} in rows:\n    if not ({condition}):\n        continue\n    {inner}"
        elif form == "keep":
            body = f"kept = [{r} for {r} in rows if {condition}]\nfor {r} in kept:\n    {inner}"
        else:
            body = f"for {r} in rows:\n    if {condition}:\n        {inner}"
        return scalar(f"total = 0\n{body}\nreturn total", add_bound, change)
    form = w.pick("gen", "gen", "list", "map", "start", "times", "values")
    if form == "map":
        source = f"filter(lambda {r}: {condition}, rows)" if filtered else "rows"
        return scalar(f"return sum(map({w.called(term.text)}, {source}))", add_bound, change)
    if form == "start":
        c, _ = w.number()
        return scalar(f"return sum(({term.text} for {r} in rows{test}), {c})", add_bound, change)
    if form == "values":
        return scalar(f"values = [{term.text} for {r} in rows{test}]\nreturn sum(values)", add_bound, change)
    if form == "times":
        c, value = w.number()
        by = abs(value)
        return scalar(f"return {c} * sum({term.text} for {r} in rows{test})", times(add_bound, by), times(change, by))
    opened = ("[", "]") if form == "list" else ("", "")
    return scalar(f"return sum({opened[0]}{term.text} for {r} in rows{test}{opened[1]})", add_bound, change)


def counted(w: Writer) -> Body:
    """How many rows fulfil a condition."""
    condition, r, one = w.condition(), w.row, Fraction(1)
    text = w.pick(
        f"return sum(1 for {r} in rows if {condition})",
        f"return len([{r} for {r} in rows if {condition}])",
        f"return len(list(filter(lambda {r}: {condition}, rows)))",
        f"count = 0\nfor {r} in rows:\n    if {condition}:\n        count += 1\nreturn count",
        f"return sum(bool({condition}) for {r} in rows)",
        f"return [bool({condition}) for {r} in rows].count(True)",
        f"count = 0\nfor {r} in rows:\n    count += 1 if {condition} else 0\nreturn count",
        f"return len(rows) - sum(1 for {r} in rows if {condition})",
    )
    return scalar(text, one, one)


def sized(w: Writer) -> Body:
    """How many rows there are."""
    text = w.pick(
        "return len(rows)", "count = 0\nfor _ in rows:\n    count += 1\nreturn count", "return sum(1 for _ in rows)"
    )
    return scalar(text, Fraction(1), Fraction(0))


def decided(w: Writer) -> Body:
    """Whether any row, or every row, fulfils a condition."""
    condition, r, one = w.condition(), w.row, Fraction(1)
    which = w.pick("any", "all")
    if w.chance(0.25):
        term, (c, _) = w.term(), w.number()
        text = w.pick(f"return {c} in map({w.called(term.text)}, rows)", f"return {c} in [{term.text} for {r} in rows]")
        return scalar(text, *((None, None) if term.raises else (one, one)))
    if w.chance(0.25):
        term, (c, _) = w.term(), w.number()
        mapped = f"return {which}(map(lambda {r}: {term.text} > {c}, rows))"
        return scalar(mapped, *((None, None) if term.raises else (one, one)))
    return scalar(w.pick(
        f"return {which}({condition} for {r} in rows)",
        f"return int({which}([{condition} for {r} in rows]))",
        f"return {which}(map(lambda {r}: {condition}, rows))",
        f"for {r} in rows:\n    if {condition}:\n        return 1\nreturn 0",
        f"found = False\nfor {r} in rows:\n    if {condition}:\n        found = True\n        break\nreturn found",
    ), one, one)  # fmt: skip


def extreme(w: Writer) -> Body:
    """The largest or smallest value, a default where there is none."""
    term, r = w.term(), w.row
    c, value = w.number()
    which, compared = w.random.choice((("max", ">"), ("min", "<")))
    bound = None if term.raises else hull(term.low, term.high, value)
    return scalar(w.pick(
        f"return {which}(({term.text} for {r} in rows), default={c})",
        f"return {which}([{term.text} for {r} in rows], default={c})",
        f"return {which}([{c}, *({term.text} for {r} in rows)])",
        f"best = {c}\nfor {r} in rows:\n    best = {which}(best, {term.text})\nreturn best",
        f"best = {c}\nfor {r} in rows:\n    x = {term.text}\n    if x {compared} best:\n        best = x\nreturn best",
        f"if not rows:\n    return {c}\nreturn {which}({term.text} for {r} in rows)",
    ), bound, bound)  # fmt: skip


def mean(w: Writer) -> Body:
    """The mean, something else where there are no rows, or nothing."""
    term, r = w.term(1), w.row
    if w.chance(0.15):
        w.imported["mean"] = "statistics"
        total = f"mean([{term.text} for {r} in rows])"
    else:
        total = f"sum({term.text} for {r} in rows) / len(rows)"
    c, value = w.number()
    if w.chance(0.2):
        return scalar(f"return {total}", None, None if term.raises else term.width, "1 / n")
    bound = None if term.raises else hull(term.low, term.high, value)
    text = w.pick(f"if not rows:\n    return {c}\nreturn {total}", f"return {total} if rows else {c}",
                  f"if len(rows) == 0:\n    return {c}\nreturn {total}")  # fmt: skip
    return Body(text, bound, term.width, unit="1 / n")


def histogram(w: Writer) -> Body:
    """Counts or sums by label."""
    found = [(text, kind) for text, kind in w.places if isinstance(kind, Labels)]
    if not found:
        return binned(w)
    (text, kind), r = w.random.choice(found), w.row
    labels = ", ".join(map(repr, kind.values))
    zeros = "{" + ", ".join(f"{one!r}: 0" for one in kind.values) + "}"
    if w.chance(0.3):
        term = w.term(1)
        size, one = term.size, None if term.size is None else max(term.size, Fraction(0))
        loop = f"totals = {zeros}\nfor {r} in rows:\n    totals[{text}] += {term.text}\nreturn totals"
        squares = (
            times(size, size) if size is not None else None,
            times(2 * size * size, Fraction(1)) if size is not None else None,
        )
        wide = None if size is None or term.width is None else max(size, term.width)
        return Body(loop, one, times(size, Fraction(2)), True, squares, (size, wide))
    form = w.random.choice(("dict", "counter", "default", "each", "get", "names"))
    loop = f"for {r} in rows:\n    "
    ends = f"return [counts[one] for one in ({labels},)]"
    if form == "dict":
        answer = w.pick("counts", "list(counts.values())", "tuple(counts.values())")
        body = f"counts = {zeros}\n{loop}counts[{text}] += 1\nreturn {answer}"
    elif form == "counter":
        w.imported["Counter"] = "collections"
        body = f"counts = Counter({text} for {r} in rows)\n{ends}"
    elif form == "default":
        w.imported["defaultdict"] = "collections"
        body = f"counts = defaultdict(int)\n{loop}counts[{text}] += 1\n{ends}"
    elif form == "get":
        answer = f"{{one: counts.get(one, 0) for one in ({labels},)}}"
        body = f"counts = {{}}\n{loop}counts[{text}] = counts.get({text}, 0) + 1\nreturn {answer}"
    elif form == "names":
        names = w.constant(f"[{labels}]")
        body = f"counts = {{name: 0 for name in {names}}}\n{loop}counts[{text}] += 1\nreturn counts"
    else:
        body = f"return {{one: sum(1 for {r} in rows if {text} == one) for one in ({labels},)}}"
    one, two = Fraction(1), Fraction(2)
    return Body(body, one, two, True, (one, two), (one, one))


def binned(w: Writer) -> Body:
    """Counts by bins of a number."""
    numeric = [(text, kind) for text, kind in w.places if isinstance(kind, Numbers) and kind.low is not None]
    if not numeric:
        return counted(w)
    text, kind = w.random.choice(numeric)
    step, bins = w.random.choice((1, 2, 5, 10, 25)), w.random.choice((2, 3, 4))
    w.numbers += [Fraction(step), Fraction(step * bins)]
    form = w.pick(
        "min({0} // {1}, {2})", "max(0, min({0} // {1}, {2}))", "{0} // {1}", "int(min(max({0} / {1}, 0), {2}))"
    )
    place = form.format(text, step, bins - 1)
    safe = form.startswith(("max", "int")) or (form.startswith("min") and kind.low is not None and kind.low >= 0)
    body = f"bins = [0] * {bins}\nfor {w.row} in rows:\n    bins[{place}] += 1\nreturn bins"
    if not safe:
        return Body(body, None, None, True)
    one, two = Fraction(1), Fraction(2)
    return Body(body, one, two, True, (one, two), (one, one))


def cumulative(w: Writer) -> Body:
    """How many rows are at most each of some limits, which may be a parameter."""
    term, r = w.term(1), w.row
    limits = [Fraction(one) for one in sorted(w.random.sample(range(12), w.random.choice((2, 3))))]
    w.numbers += limits
    text = f"[{', '.join(map(str, limits))}]"
    if w.chance(0.4):
        w.parameters["limits"], w.values["limits"], w.meant["limits"], name = "", text, text, "limits"
    else:
        name = w.constant(text) if w.chance(0.6) else f"({text[1:-1]})"
    body = f"return [sum(1 for {r} in rows if {term.text} <= limit) for limit in {name}]"
    if term.raises:
        return Body(body, None, None, True)
    size, one = Fraction(len(limits)), Fraction(1)
    return Body(body, size, size, True, (size, size), (one, one))


def both(w: Writer) -> Body:
    """Two numbers, or one of two."""
    one, two = w.term(1), w.condition()
    r, add_bound, change = w.row, one.size, one.width
    first, second = f"sum({one.text} for {r} in rows)", f"sum(1 for {r} in rows if {two})"
    form = w.pick("tuple", "tuple", "dict", "list", "sum", "difference", "loop")
    more = (None if add_bound is None else add_bound + 1, None if change is None else change + 1)
    if form in ("sum", "difference"):
        return scalar(f"return {first} {'+' if form == 'sum' else '-'} {second}", *more)
    squares = tuple(None if x is None else x * x + 1 for x in (add_bound, change))
    largest = tuple(None if x is None else max(x, Fraction(1)) for x in (add_bound, change))
    text = {
        "tuple": f"return {first}, {second}",
        "list": f"return [{first}, {second}]",
        "dict": f'return {{"total": {first}, "count": {second}}}',
        "loop": (f"total, count = 0, 0\nfor {r} in rows:\n    total += {one.text}\n    if {two}:\n        count += 1\n"
                 "return total, count"),
    }[form]  # fmt: skip
    return Body(text, *more, True, squares, largest)  # type: ignore[arg-type]


def bounded_after(w: Writer) -> Body:
    """A sum that is brought within bounds once it is made."""
    inner = summed(w)
    c, value = w.number(0, 9)
    d, _ = w.number(int(value // 1) + 1, int(value // 1) + 30)
    head, _, last = inner.text.rpartition("return ")
    return scalar(f"{head}return {w.pick('min(max({0}, {1}), {2})', 'max({1}, min({2}, {0}))').format(last, c, d)}",
                  inner.add, inner.change)  # fmt: skip


def in_order(w: Writer) -> Body:
    """What depends on the order of rows."""
    term, r = w.term(1), w.row
    c, value = w.number(positive=True)
    condition = w.condition()
    bound = None if term.raises else hull(term.low, term.high, Fraction(0))
    loop = f"for {r} in rows:"
    texts = (
        (f"last = 0\n{loop}\n    last = {term.text}\nreturn last", bound),
        (f"count = 0\n{loop}\n    if count < {c}:\n        count += 1\nreturn count", Fraction(1)),
        (f"level = 0\n{loop}\n    level = (level + {term.text}) / 2\nreturn level", None),
        (f"spent = 0\n{loop}\n    x = {term.text}\n    if spent + x <= {c}:\n        spent += x\nreturn spent", None),
        (f"n, old = 0, None\n{loop}\n    now = {condition}\n    n += now != old\n    old = now\nreturn n", None),
        (f"total = 0\n{loop}\n    if {condition}:\n        break\n    total += {term.text}\nreturn total", None),
        (f"values = [{term.text} for {r} in rows]\nreturn sum(1 for a, b in zip(values, values[1:]) if a < b)", None),
        (f"total = 0\nfor i, {r} in enumerate(rows):\n    if i < 2:\n        total += {term.text}\nreturn total", None),
        (f"return sum({term.text} for {r} in rows[:2])", None),
        (f"return sum(i * {term.text} for i, {r} in enumerate(rows) if i < 3)", None),
    )  # fmt: skip
    text, known = w.random.choice(texts)
    w.numbers.append(value)
    return scalar(text, known, known)


def at_once(w: Writer) -> Body:
    """What needs all rows at once: judged on a few rows only."""
    term, r = w.term(1), w.row
    return scalar(w.pick(
        f"values = sorted({term.text} for {r} in rows)\nreturn values[len(values) // 2] if values else 0",
        f"return len({{{term.text} for {r} in rows}})",
        f"values = sorted([{term.text} for {r} in rows])[1:-1]\nreturn sum(values)",
        f"seen = set()\nfor {r} in rows:\n    seen.add({term.text})\nreturn len(seen)",
    ), None, None)  # fmt: skip


def guarded(w: Writer) -> Body:
    """A number that may not be there, with a guard."""
    term, r = w.term(1), w.row
    c, value = w.number(positive=True)
    x, loop = term.text, f"total = 0\nfor {r} in rows:"
    return scalar(w.pick(
        f"{loop}\n    try:\n        total += {c} / {x}\n    except ZeroDivisionError:\n        pass\nreturn total",
        f"{loop}\n    total += {x}\nn = sum(1 for {r} in rows if {w.condition()})\nreturn total / n if n else 0",
        f"try:\n    return {c} / len(rows)\nexcept ZeroDivisionError:\n    return {c}",
        f"kept = [{term.text} for {r} in rows if {w.condition()}]\nreturn sum(kept) / len(kept) if kept else 0",
        f"count = sum(1 for {r} in rows if {w.condition()})\nreturn {c} if count > {literal(value)} else 0",
        f"if len(rows) > {c}:\n    return sum({term.text} for {r} in rows)\nreturn 0",
    ), None, None)  # fmt: skip


def chosen(w: Writer) -> Body:
    """A public parameter that is a text, a truth value or None decides what is summed."""
    term, r = w.term(1), w.row
    name, meant = w.random.choice((("mode", "'all'"), ("mode", "'none'"), ("strict", "True"), ("strict", "False"),
                                   ("wanted", "None")))  # fmt: skip
    w.parameters[name] = w.pick("", "None", meant)
    written = meant.strip("'") if w.chance(0.6) or not meant.startswith("'") else meant
    w.values[name], w.meant[name] = ("'none'" if written == "none" else written), meant
    test = {"mode": "mode == 'all'", "strict": "strict", "wanted": "wanted is None"}[name]
    is_true = meant in ("'all'", "True", "None")
    text = f"if {test}:\n    return sum({term.text} for {r} in rows)\nreturn len(rows)"
    return scalar(text, *((term.size, term.width) if is_true else (Fraction(1), Fraction(0))))


FORMS: Mapping[str, tuple[Callable[[Writer], Body], float]] = {
    "sum": (summed, 30),
    "count": (counted, 12),
    "size": (sized, 3),
    "any": (decided, 8),
    "extreme": (extreme, 8),
    "mean": (mean, 6),
    "histogram": (histogram, 12),
    "bins": (binned, 4),
    "cumulative": (cumulative, 4),
    "both": (both, 6),
    "bounded after": (bounded_after, 4),
    "in order": (in_order, 6),
    "at once": (at_once, 2),
    "guarded": (guarded, 3),
    "chosen": (chosen, 3),
}
"""The forms of functions, and how often each is written."""
