"""A counterexample against Python: the function is run on both data with draws of floats, and the event counted."""

from __future__ import annotations

import ast
import math
import random as randomness
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import GeneratorType
from typing import Any, Literal

from refdp.terms.reading import read
from tests.forging.programs import listed, value_of
from tests.forging.queries import Unreadable, value

Truth = Literal["true", "false", "unknown"]
RUNS = 3_000
"""On each of both data."""
DEVIATIONS = 6
"""A frequency is further from its probability than so many deviations in at most one of 10^9 counts."""
MOST_DRAWS = 100_000
RELATED: Mapping[str, Callable[[Sequence[Fraction]], bool]] = {
    "ALL": lambda changes: all(abs(d) <= 1 for d in changes),
    "ONE": lambda changes: all(abs(d) <= 1 for d in changes) and sum(map(bool, changes)) <= 1,
    "L1": lambda changes: sum(map(abs, changes)) <= 1,
    "L2": lambda changes: sum(d * d for d in changes) <= 1,
    "MONO": lambda changes: all(0 <= d <= 1 for d in changes) or all(-1 <= d <= 0 for d in changes),
}


def are_neighbours(adjacency: str, old: Sequence[Any], new: Sequence[Any]) -> bool:
    """Whether one list is the other with an element more, or the elements changed as the adjacency allows."""
    if adjacency == "ADD_REMOVE":
        short, long = sorted((list(old), list(new)), key=len)
        return short == long or any(long[:place] + long[place + 1 :] == short for place in range(len(long)))
    return len(old) == len(new) and RELATED[adjacency](
        [Fraction(b) - Fraction(a) for a, b in zip(old, new, strict=True)]
    )


def truth(content: Mapping[str, Any]) -> tuple[Truth, str]:
    """Whether the event is likelier than the claim allows, as far as so many runs tell: a close one counts as true."""
    asked, shown = content["question"], content["counterexample"]
    function, base = claimed(asked)
    adjacency = asked["adjacency"] or base.adjacency
    claim = asked["epsilon"] or base.epsilon
    old, new = ([x if isinstance(x, bool) else Fraction(x) for x in shown[side]] for side in ("old", "new"))
    loss = read(asked["loss"]) if asked.get("loss") else None
    if adjacency is None or (claim is None and loss is None):
        raise Unreadable("another adjacency, or no epsilon")
    if not are_neighbours(adjacency, old, new):
        return "false", "the data are no neighbours"
    values = {name: float(value(text, {})) for name, text in shown["parameters"].items()}
    if any(name in values and abs(values[name] - value_of(text, {})) > 1e-12 for name, text in asked["given"].items()):
        return "false", "other parameters than are given"
    is_list = takes_a_list(asked)
    counts = []
    for data in (old, new):
        source = randomness.Random(str(data))
        given = [x if isinstance(x, bool) else int(x) if x.denominator == 1 else float(x) for x in data]
        run = function(source)
        found = [0] * (1 + len(shown["events"]))
        for _ in range(RUNS):
            answer = emissions(run(list(given) if is_list else given[0], **whole(values)))
            happened = [matches(event, answer) for event in shown["events"]]
            found = [before + one for before, one in zip(found, (any(happened), *happened), strict=True)]
        counts.append([one / RUNS for one in found])
    known = {**values, "n": len(old)}
    if loss is not None and loss.operator == "concentrated":
        return of_moment(
            [one[1:] for one in counts], float(Fraction(shown["order"])), value_of(str(loss.arguments[0]), known)
        )
    limits = [claim] if loss is None else [str(one) for one in loss.arguments]
    p, q = (one[0] for one in counts)
    factor = math.exp(min(value_of(limits[0], known), 700))
    delta = value_of(limits[1], known) if len(limits) > 1 else 0
    if p - factor * q - delta > -(slack(p) + factor * slack(q)):
        return "true", "Python's frequencies do not contradict it"
    return "false", f"frequencies {p} and {q}"


def slack(frequency: float) -> float:
    """How far a frequency may be from its probability."""
    return DEVIATIONS * math.sqrt(max(frequency * (1 - frequency), 1 / RUNS) / RUNS)


def of_moment(counts: Sequence[Sequence[float]], order: float, rho: float) -> tuple[Truth, str]:
    """Whether the moment of that order may be as great as refutes rho, as far as so many runs tell."""
    likely = [(min(p + slack(p), 1), max(q - slack(q), 1e-300)) for p, q in zip(*counts, strict=True)]
    if math.log(sum(p**order * q ** (1 - order) for p, q in likely)) > order * (order - 1) * rho:
        return "true", "Python's frequencies do not contradict it"
    return "false", f"frequencies {counts} at order {order}"


def whole(values: Mapping[str, float]) -> dict[str, Any]:
    """Parameters that are whole numbers as such."""
    return {name: int(x) if x == int(x) else x for name, x in values.items()}


def claimed(asked: Mapping[str, Any]) -> tuple[Callable[[randomness.Random], Callable[..., Any]], Any]:
    """How the function is made with a source of draws, and the claim of its decorator that is asked about."""
    module = ast.parse(asked["source"])
    kept = [one for one in module.body if not isinstance(one, ast.ImportFrom)]
    [wanted] = [one for one in kept if isinstance(one, ast.FunctionDef) and one.name == asked["function"]]
    decorators = [one for one in wanted.decorator_list if isinstance(one, ast.Call)]
    code = compile(ast.Module(kept, []), "<program>", "exec")

    def made(source: randomness.Random) -> Callable[..., Any]:
        names = drawing(source)
        exec(code, names)
        function: Callable[..., Any] = names[asked["function"]]
        return function

    return made, listed(decorators[int(asked["claim"])])


def takes_a_list(asked: Mapping[str, Any]) -> bool:
    """Whether the data are a list: unless the annotation is that of one number."""
    for one in ast.parse(asked["source"]).body:
        if isinstance(one, ast.FunctionDef) and one.name == asked["function"]:
            annotation = one.args.args[0].annotation
            return not (isinstance(annotation, ast.Name) and annotation.id in ("float", "int", "bool"))
    raise Unreadable("no function")


def drawing(source: randomness.Random) -> dict[str, Any]:
    """The names of a program."""

    def laplace(scale: float) -> float:
        return float(scale) * (source.expovariate(1) - source.expovariate(1))

    def geometric(scale: float) -> int:
        return math.floor(source.expovariate(1) * float(scale))

    def choice(weights: Sequence[float]) -> int:
        return source.choices(range(len(weights)), [float(w) for w in weights])[0]

    return {
        "claim": lambda **words: lambda function: function, "each": lambda *a, **words: None,
        **dict.fromkeys(RELATED), "laplace": laplace,
        "discrete_laplace": lambda scale: geometric(scale) - geometric(scale),
        "exponential": lambda scale: float(scale) * source.expovariate(1),
        "gaussian": lambda sigma: source.gauss(0, float(sigma)), "bernoulli": lambda p: source.random() < p,
        "choice": choice, "exp": math.exp, "log": math.log,
    }  # fmt: skip


def emissions(answer: Any) -> list[tuple[Any, ...]]:
    """What is released, one after the other."""
    found = list(answer) if isinstance(answer, GeneratorType | list) else [answer]
    return [one if isinstance(one, tuple) else (one,) for one in found]


def matches(event: Sequence[Sequence[Any]], found: Sequence[tuple[Any, ...]]) -> bool:
    """Whether what was released is in the event."""
    if len(event) != len(found) or any(len(e) != len(f) for e, f in zip(event, found, strict=True)):
        return False
    return all(is_in(e, f) for one, other in zip(event, found, strict=True) for e, f in zip(one, other, strict=True))


def is_in(expected: Any, found: Any) -> bool:
    """Whether a part of the output is as expected."""
    if expected is None or isinstance(expected, bool):
        return found is expected
    if "text" in expected:
        return bool(found == expected["text"])
    if "number" in expected:
        return found is not None and not isinstance(found, bool | str) and found == Fraction(expected["number"])
    if expected["after"]:
        raise Unreadable("a rise")
    if found is None or isinstance(found, bool | str):
        return False
    low, high = (None if end is None else float(Fraction(end)) for end in (expected["low"], expected["high"]))
    return (low is None or low <= found) and (high is None or found <= high)
