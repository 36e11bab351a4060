"""Random functions of a table of small whole numbers: accumulators with conditions, and an answer made of them."""

import random

ROWS = (0, 1, 2)
KIND = "integers 0..2"


def expression(rng, names, depth=2):
    """A whole number in the names."""
    if depth == 0 or rng.random() < 0.3:
        return rng.choice([*names, *names, str(rng.randint(-2, 3))])
    a, b = (expression(rng, names, depth - 1) for _ in range(2))
    return rng.choice(
        [f"{a} + {b}", f"{a} - {b}", f"min({a}, {b})", f"max({a}, {b})", f"abs({a})", f"({a}) * {rng.randint(-2, 2)}"]
    )


def condition(rng, names):
    """A comparison of whole numbers in the names."""
    return f"{expression(rng, names, 1)} {rng.choice(['<', '<=', '>', '==', '!='])} {expression(rng, names, 1)}"


def update(rng, name, names=()):
    """One line of a loop body; where names are given, at times one for which the order of rows plays a part."""
    steps = [f"{name} += {expression(rng, ['r'])}", f"{name} = max({name}, {expression(rng, ['r'])})",
             f"{name} = min({name}, {expression(rng, ['r'])})", f"{name} += 1"]  # fmt: skip
    if names:
        steps += [f"{name} = {expression(rng, ['r'], 1)}", f"{name} = min(r, {names[-1]})", f"{name} = r - {names[-1]}"]
    step = rng.choice(steps)
    return f"if {condition(rng, ['r'])}:\n            {step}" if rng.random() < 0.5 else step


def answer(rng, names):
    """What is returned: one number, several, or a mean that is guarded or not."""
    which = rng.randrange(6)
    if which == 0:
        return f"{names[0]} / len(rows) if rows else {rng.randint(0, 2)}"
    if which == 1:
        return f"{names[0]} / len(rows)"
    if which == 2:
        return f"{{'a': {expression(rng, names, 1)}, 'b': {expression(rng, names, 1)}}}"
    if which == 3:
        return f"max({rng.randint(-2, 0)}, min({names[0]}, {rng.randint(1, 3)})) / {rng.choice([2, 3])}"
    return expression(rng, names, 1)


def random_query(seed, ordered=False):
    """The text of a file with a function f of multisets, or of lists whose order may play a part."""
    rng = random.Random(seed)
    names = ["s", "t"][: rng.randint(1, 2)]
    starts = "\n".join(f"    {name} = {rng.randint(-1, 2)}" for name in names)
    body = "\n".join(f"        {update(rng, name, names if ordered else ())}" for name in names)
    return f"def f(rows):\n{starts}\n    for r in rows:\n{body}\n    return {answer(rng, names)}\n"
