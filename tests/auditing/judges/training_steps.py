"""A training step in plain Python, right and wrong: the options of a question say what is wrong with it."""

import math
import random

RANDOM = random.SystemRandom()
KEPT = {}
CALLS, STEPS = [0], [0]
SKIPPED = {
    "every second step is skipped": lambda step: step % 2 == 0,
    "the first steps are skipped": lambda step: step < 3,
}
ABOUT = {"library": "training_steps", "version": "1", "target": "step"}


def clipped(row, given):
    """The row, of norm at most C; what is not finite is 0."""
    if given.get("wrong") != "not a number":
        row = [x if math.isfinite(x) else 0.0 for x in row]
    norm = given["norm"] * (2 if given.get("wrong") == "clip" else 1)
    factor = min(1.0, norm / max(math.sqrt(sum(x * x for x in row)), 1e-300))
    return [factor * x for x in row]


def noise(given):
    """Independent normal numbers."""
    deviation = given["noise_multiplier"] * (0.1 if given.get("wrong") == "noise of the default norm" else 1)
    CALLS[0] += 1
    every = {"no noise": 1, "none in every second step": 2, "none in every third step": 3}.get(given.get("wrong"))
    if every and CALLS[0] % every == 0:
        deviation = 0
    drawn = [RANDOM.gauss(0, deviation * given["norm"]) for _ in range(given["size"])]
    first, last = given["layers"][0], given["layers"][-1]
    if given.get("wrong") == "dropped on a layer":
        drawn[-last:] = [0.0] * last
    if given.get("wrong") == "one noise for two layers":
        drawn[-last:] = drawn[first - last : first]
    if given.get("wrong") == "negated noise for two layers":
        drawn[-last:] = [-x for x in drawn[first - last : first]]
    if given.get("wrong") == "one noise for all steps":
        drawn = KEPT.setdefault(given["size"], drawn)
    if given.get("wrong") == "two noises in turn":
        drawn = KEPT.setdefault((given["size"], CALLS[0] % 2), drawn)
    return drawn


def answer(given):
    rows = [clipped(row, given) for row in given["gradients"]]
    if given.get("wrong") == "empty lots are skipped" and not rows:
        return None
    if given.get("wrong") == "empty lots are skipped with noise" and not rows and given["noisy"]:
        return None
    if given["noisy"] and given.get("wrong") in SKIPPED:
        STEPS[0] += 1
        if SKIPPED[given["wrong"]](STEPS[0]):
            return None
    if given.get("wrong") == "too long a number":
        return [10**400] * given["size"]
    if given.get("wrong") == "far too long a number":
        return 10**5000
    if given.get("wrong") == "raises" and not rows:
        raise RuntimeError("no rows")
    if given.get("wrong") == "too short":
        return [0.0]
    if given.get("wrong") == "nothing":
        return None
    total = [sum(column) for column in zip(*rows, strict=True)] or [0.0] * given["size"]
    if given["noisy"]:
        total = [x + z for x, z in zip(total, noise(given), strict=True)]
    divisor = max(1, len(rows)) if given.get("wrong") == "actual size" else given["lot"]
    return [x / divisor for x in total]


def lots(given):
    rows, rate, steps, period = given["rows"], given["rate"], given["steps"], given["period"]
    wrong = given.get("wrong")
    if wrong == "no row":
        return [[rows] for _ in range(steps)]
    if wrong == "twice":
        return [[0, 0] for _ in range(steps)]
    if wrong == "fixed size":
        return [RANDOM.sample(range(rows), round(rate * rows)) for _ in range(steps)]
    if wrong == "in pairs":
        return [[r for r in range(rows) if coin < rate] for coin in (RANDOM.random() for _ in range(steps))]
    if wrong == "shuffled":
        found = []
        while len(found) < steps:
            order, count = RANDOM.sample(range(rows), rows), round(1 / rate)
            found += [order[i::count] for i in range(count)]
        return found[:steps]
    if wrong == "cut into many":  # most lots are empty; a row is in one of each epoch
        found, count = [], round(1 / rate)
        while len(found) < steps:
            order = RANDOM.sample([*range(rows), *[-1] * (count - rows)], count)
            found += [[row] if row >= 0 else [] for row in order]
        return found[:steps]
    if wrong == "far too long a row":
        return [[10**5000] for _ in range(steps)]
    if wrong == "one order":
        first = [[r for r in range(rows) if RANDOM.random() < rate] for _ in range(round(1 / rate))]
        return [first[step % len(first)] for step in range(steps)]
    own = [RANDOM.randrange(period) for _ in range(rows)]
    if wrong == "no period":
        period = 1
    found = []
    while len(found) < steps:
        mine = [r for r in range(rows) if own[r] % period == len(found) % period]
        lot = [r for r in mine if RANDOM.random() < rate]
        if lot or wrong != "drawn again":
            found.append(lot)
    return found


ODD_SETUPS = {
    "says nothing": {},
    "a long rate": {"rate": 10**400},
    "a very long number": {"x": 10**5000},
    "a very long name": {10**5000: 1},
}


def setup(given):
    if given.get("wrong") == "not finite":
        return {"rate": float("nan")}
    if given.get("wrong") in ODD_SETUPS:
        return ODD_SETUPS[given["wrong"]]
    if given.get("wrong") == "private size":
        return {"rate": given["rate"], "divisor": given["rows"] * given["rate"]}
    if given.get("wrong") == "another rate":
        return {"rate": given["rate"] / 2}
    return {"rate": given["rate"], "steps": given["plan_steps"], "divisor": given["lot"]}


def step(asked):
    what, given = asked
    return {"answer": answer, "lots": lots, "setup": setup}[what](given)
