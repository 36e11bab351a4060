"""Random small discrete programs as Python source, each with a claim that is true, nearly true or false.

What is true of them `tests.programs.oracle` says; the grammar only aims at the boundary.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from tests.programs.spelling import Lines, Spelling, indented, spelling

IMPORTS = """from refdp.programs import (
    ALL, L1, MONO, ONE, bernoulli, choice, claim, discrete_laplace, each, exp, uniform,
)"""
ANYTHING = "def anything(x, y):\n    return True"
SHARES = ("1", "1", "1", "1/2", "3/4", "7/8", "9/8", "3/2", "2")
"""What part of the loss at which a program is aimed is claimed."""


@dataclass(frozen=True)
class Sample:
    """A program with one claim, and for which data and parameters it is to be enumerated."""

    text: str
    family: str
    adjacency: str
    epsilon: str
    settings: Mapping[str, str]
    values: tuple[int, ...] = (False, True)
    scalar: bool = False
    """Whether the data are one number."""
    reach: int = 3
    """How far a discrete Laplace draw is followed."""


@dataclass(frozen=True)
class Draft:
    """A program before its claim is written."""

    body: Lines
    loss: str
    """An expression that is about the least epsilon that holds."""
    adjacency: str
    settings: Mapping[str, str]
    data: str = "list[bool]"
    values: tuple[int, ...] = (False, True)
    where: str = ""
    parameters: tuple[str, ...] = ("epsilon",)
    reach: int = 3


def sample(seed: int, way: int = 0) -> Sample:
    """The program of that number; in another way it is spelled differently, and is the same program."""
    random, spelled = Random(seed), spelling(Random(f"{seed} {way}"))
    family = random.choice(list(FAMILIES))
    draft = FAMILIES[family](random, spelled)
    share = random.choice(SHARES)
    above, _, below = share.partition("/")
    epsilon = f"{above}*({draft.loss})/{below}" if below else f"{above}*({draft.loss})" if above != "1" else draft.loss
    where = f', where="{draft.where}"' if draft.where else ""
    head = ", ".join((f"{spelled.names['data']}: {draft.data}", *draft.parameters))
    lines = [f'@claim(epsilon="{epsilon}", adjacency={draft.adjacency}{where})', f"def program({head}):"]
    text = "\n\n\n".join((IMPORTS, ANYTHING, "\n".join([*lines, *indented(draft.body)]))) + "\n"
    scalar = not draft.data.startswith("list")
    return Sample(text, family, draft.adjacency, epsilon, draft.settings, draft.values, scalar, draft.reach)


def responses(random: Random, spelled: Spelling) -> Draft:
    """Each bit is answered with a lie now and then."""
    x, c = spelled.names["element"], spelled.names["count"]
    lie, loss, settings = random.choice(
        [
            ("1 / (1 + exp(epsilon))", "epsilon", {"epsilon": "ln(2)"}),
            ("1 / (1 + exp(epsilon / 2))", "epsilon/2", {"epsilon": "ln(4)"}),
            ("1 / (1 + 2 * exp(epsilon))", "epsilon + ln(2)", {"epsilon": "ln(2)"}),
            ("epsilon", "ln((1 - epsilon)/epsilon)", {"epsilon": "1/3"}),
        ]
    )
    where = "epsilon < 1/2" if lie == "epsilon" else ""
    told = random.choice([f"{x} != bernoulli({lie})", f"{x} == (not bernoulli({lie}))"])
    said = {
        "each": spelled.loop([f"yield {told}"]),
        "branch": spelled.loop(spelled.either(x, [f"yield not bernoulli({lie})"], [f"yield bernoulli({lie})"])),
        "text": spelled.loop(spelled.either(told, ['yield "yes"'], ['yield "no"'])),
        "first": spelled.loop([f"told = {told}", "yield told", "if told:", "    break"]),
        "count": [
            f"{c} = 0",
            *spelled.loop([f"told = {told}", *spelled.either("told", [spelled.raised(c)], [])]),
            f"return {c}",
        ],
    }[random.choice(["each", "each", "branch", "text", "first", "count"])]
    adjacency = random.choice(["ONE", "ONE", "each(anything, changed=1)", "ALL", "L1"])
    return Draft(said, loss, adjacency, settings, where=where)


def coins(random: Random, spelled: Spelling) -> Draft:
    """The truth if a die says so, else the throw of another one: the loss is a logarithm."""
    x, sides = spelled.names["element"], random.randint(2, 4)
    truth = random.randint(1, sides - 1)
    yes, all_ways = random.randint(1, 2), random.randint(3, 4)
    asked = random.choice([f"uniform(1, {sides}) <= {truth}", f"choice([{truth}, {sides - truth}]) == 0"])
    otherwise = random.choice([f"uniform(1, {all_ways}) <= {yes}", f"choice([{all_ways - yes}, {yes}]) == 1"])
    # P[yes | yes] / P[yes | no] = (truth all + lie) / lie with lie = (sides - truth) yes, and likewise for no.
    lie = (sides - truth) * min(yes, all_ways - yes)
    loss = f"ln({truth * all_ways + lie}) - ln({lie})"
    body = spelled.loop(spelled.either(asked, [f"yield {x}"], [f"yield {otherwise}"]))
    return Draft(body, loss, random.choice(["ONE", "ALL", "each(anything, changed=1)"]), {}, parameters=())


def exponential_mechanism(random: Random, spelled: Spelling) -> Draft:
    """A place, with probability in proportion to an exponential."""
    data, x, w = (spelled.names[one] for one in ("data", "element", "weights"))
    half = random.choice(["", " / 2"])
    weight = random.choice([f"exp(epsilon * {x}{half})", f"exp({x} * epsilon{half})"])
    body = random.choice(
        [
            [f"{w} = []", *spelled.loop([f"{w}.append({weight})"]), f"return choice({w})"],
            [f"return choice([{weight} for {x} in {data}])"],
        ]
    )
    adjacency = random.choice(["ALL", "MONO", "ONE"])
    loss = "epsilon" if (adjacency == "ALL") == bool(half) else "epsilon/2" if half else "2*epsilon"
    return Draft(body, loss, adjacency, {"epsilon": "ln(4)"}, "list[int]", (0, 1, 3), "n >= 1")


def sparse_vector(random: Random, spelled: Spelling) -> Draft:
    """Which answers are above a noisy threshold, N of them at most, or without a limit."""
    x, c, level = (spelled.names[one] for one in ("element", "count", "level"))
    first, second, limited = random.choice([2, 2, 4]), random.choice([2, 4, 4]), random.random() < 0.8
    before, noisy = spelled.noisy(x, f"discrete_laplace({second} * N / epsilon)")
    compared = random.choice([f"{noisy} >= {level}", f"{noisy} > {level}", f"{level} <= {noisy}"])
    stop = [spelled.raised(c), *([f"if {c} >= N:", "    break"] if limited else [])]
    fresh = [f"{level} = discrete_laplace({first} / epsilon)"] if random.random() < 0.15 else []
    say = random.choice([("True", "False"), ('"above"', '"below"'), ("1", "0")])
    body = [
        f"{level} = discrete_laplace({first} / epsilon)", f"{c} = 0",
        *spelled.loop([*before, *spelled.either(compared, [f"yield {say[0]}", *stop, *fresh], [f"yield {say[1]}"])]),
    ]  # fmt: skip
    adjacency = random.choice(["ALL", "ALL", "MONO", "ONE"])
    loss = f"epsilon/{first} + {1 if adjacency == 'MONO' else 2}*epsilon/{second}"
    settings = {"epsilon": "ln(256)", "N": random.choice(["1", "1", "2"])}
    parameters, reach = ("epsilon", "N"), 2 if fresh else 3
    return Draft(body, loss, adjacency, settings, "list[int]", (0, 1), parameters=parameters, reach=reach)


def noisy_max(random: Random, spelled: Spelling) -> Draft:
    """The place of the greatest noisy answer, or (wrongly) the greatest noisy answer."""
    x, i, best, place = (spelled.names[one] for one in ("element", "index", "best", "place"))
    scale = random.choice([1, 2, 2, 4])
    before, noisy = spelled.noisy(x, f"discrete_laplace({scale} / epsilon)")
    better = f"{best} is None or candidate {random.choice(['>', '>='])} {best}"
    taken = [f"{best} = candidate", f"{place} = {i}"]
    loop = [f"{i} = 0", f"{best} = None", f"{place} = 0"]
    data = spelled.names["data"]
    head = [
        f"for {x} in {data}:",
        *indented([*before, f"candidate = {noisy}", f"if {better}:", *indented(taken), spelled.raised(i)]),
    ]
    adjacency = random.choice(["ALL", "ALL", "MONO", "ONE"])
    released = random.choice([place, place, place, best])
    loss = f"{1 if adjacency == 'MONO' else 2}*epsilon/{scale}"
    settings = {"epsilon": {1: "ln(16)", 2: "ln(64)", 4: "ln(256)"}[scale]}
    return Draft([*loop, *head, f"return {released}"], loss, adjacency, settings, "list[int]", (0, 1))


def sums(random: Random, spelled: Spelling) -> Draft:
    """Noisy sums: one of all, one after each element, or with noise that no claim survives."""
    x, s = spelled.names["element"], spelled.names["total"]
    scale = random.choice([1, 2])
    draw = f"discrete_laplace({scale} / epsilon)" if random.random() < 0.9 else "uniform(-2, 2)"
    before, noisy = spelled.noisy(s, draw)
    own_before, own = spelled.noisy(x, draw)
    body = {
        "sum": [f"{s} = 0", *spelled.loop([spelled.raised(s, x)]), *before, f"return {noisy}"],
        "prefixes": [f"{s} = 0", *spelled.loop([*own_before, spelled.raised(s, f"({own})"), f"yield {s}"])],
        "fresh": [f"{s} = 0", *spelled.loop([spelled.raised(s, x), *before, f"yield {noisy}"])],
        "each": spelled.loop([*own_before, f"yield {own}"]),
    }[random.choice(["sum", "prefixes", "fresh", "each"])]
    settings = {"epsilon": {1: "ln(4)", 2: "ln(16)"}[scale]}
    return Draft(body, f"epsilon/{scale}", random.choice(["ONE", "L1", "ALL"]), settings, "list[int]", (0, 1))


def scalars(random: Random, spelled: Spelling) -> Draft:
    """A few branches on one bit and on coins; the loss is that of what is lost at most, coin by coin."""
    x, lines, losses, told = spelled.names["data"], [], [], []
    for number in range(random.randint(1, 3)):
        loss = random.choice(["epsilon", "2*epsilon"])
        bit = random.choice([x, f"(not {x})"])
        lines.append(f"b{number} = {bit} != bernoulli(1 / (1 + exp({loss})))")
        losses.append(loss)
        told.append(f"b{number}")
    released = {
        "tuple": [f"return {', '.join(told)}"],
        "and": [f"return {' and '.join(told)}"],
        "or": [f"return {' or '.join(told)}"],
        "text": spelled.either(told[-1], ['return "yes"'], [f"return {told[0]}"]),
    }[random.choice(["tuple", "tuple", "and", "or", "text"])]
    return Draft([*lines, *released], " + ".join(losses), "ALL", {"epsilon": "ln(2)"}, "bool")


def mixtures(random: Random, spelled: Spelling) -> Draft:
    """Whatever statements there are, in any order: most of these lose more than anyone would claim."""
    x, c, s, z = (spelled.names[one] for one in ("element", "count", "total", "level"))
    draws = [f"discrete_laplace({scale} / epsilon)" for scale in (1, 2, 4)]
    tests = [f"d >= {z}", f"d > {z}", "d > 0", f"d > {c}", f"d + {z} > {s}", f"{c} >= 1", f"{x} > 0", f"{z} > {x}"]
    items = ["True", '"a"', c, "d", f"d - {z}", f"{s} + {random.choice(draws)}"]

    def statement(depth: int) -> Lines:
        match random.choice(["test", "test", "yield", "count", "sum", "again", "stop"]):
            case "test" if depth:
                return spelled.either(random.choice(tests), statement(depth - 1), statement(depth - 1))
            case "count":
                return [spelled.raised(c)]
            case "sum":
                return [spelled.raised(s, random.choice([x, "d"]))]
            case "again":
                return [f"{z} = {random.choice(draws)}"]
            case "stop":
                return [f"if {c} >= 1:", "    break"]
        return [f"yield {random.choice(items)}"]

    noise = random.choice([*draws, *draws, z])
    body = [f"d = {x} + {noise}", *(line for _ in range(random.randint(1, 3)) for line in statement(1))]
    before = [f"{c} = 0", f"{s} = 0", f"{z} = {random.choice([*draws, '0'])}"]
    loss = random.choice(["epsilon", "2*epsilon", "epsilon + epsilon/2", "4*epsilon", "epsilon*n"])
    adjacency, settings = random.choice(["ALL", "MONO", "ONE", "L1"]), {"epsilon": "ln(16)"}
    return Draft([*before, *spelled.loop(body)], loss, adjacency, settings, "list[int]", (0, 1), reach=1)


FAMILIES: Mapping[str, Callable[[Random, Spelling], Draft]] = {
    "responses": responses,
    "coins": coins,
    "exponential_mechanism": exponential_mechanism,
    "sparse_vector": sparse_vector,
    "noisy_max": noisy_max,
    "sums": sums,
    "scalars": scalars,
    "mixtures": mixtures,
}
