"""The second judge of randomised programs: CPython runs both sides, on neighbouring data that are drawn at random.

Where a proof is an alignment, the second run's draws are the first one's, shifted as it says: both must release the
same, and what the shifts cost must be at most what was proved.  Where all draws are of finitely many values, the laws
of both sides are walked and compared, whatever the proof was.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from random import Random
from typing import Any

from refdp.second_judge.allowed import may_be_run
from refdp.second_judge.data import Constants
from refdp.second_judge.drawing import DIGITS
from refdp.second_judge.numbers import decimal_value
from refdp.second_judge.opinion import Opinion
from refdp.second_judge.process import SECONDS, NotRun, answers
from refdp.second_judge.queries import PAIRS, shown, with_arguments
from refdp.second_judge.wire import packed, unpacked
from refdp.terms.leaves import parts, variable
from refdp.terms.term import Term

OLD, NEW, SIZE = variable("element.old", "Real"), variable("element.new", "Real"), variable("n", "Int")
FAMILIES = frozenset({"laplace", "discrete_laplace", "exponential", "gaussian", "bernoulli", "choice", "uniform"})
ATTEMPTS = 60
"""How many times as many data and parameters are drawn as pairs are wanted, at most."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is run for one claim."""

    pairs: int = PAIRS
    leaves: int = 20_000
    """After so many ways through draws no further pair of laws is walked."""
    most: int = 10_000
    """Most ways of one law."""
    seconds: int = SECONDS
    """Processor time for all claims of a file."""


USUAL = Effort()
PAIRS_OF_LAWS = 40
"""How many pairs of laws are compared: a law has many outputs, and is exact."""
NEARLY = Decimal(10) ** -40
"""By how much more than a bound something is surely more, whatever was rounded."""
LONGEST_DATA, LONGEST_FOR_LAWS = 8, 3
EPSILONS = tuple(map(Fraction, ("1/10", "1/3", "1/2", "1", "1", "2", "3")))
CHANGES = tuple(map(Fraction, ("1", "-1", "1", "-1", "1/2", "-1/2", "0", "0", "1/3", "-2/3")))


@dataclass(frozen=True, slots=True)
class Relation:
    """One part of an adjacency: which elements are related, and how much may differ."""

    related: Term
    changed: int | None = None
    total: Fraction | None = None
    squares: Fraction | None = None
    edit: str | None = None
    """Of lists: "added", "removed" or "either", where so many elements are at most; None where none is."""


@dataclass(frozen=True, slots=True)
class Question:
    """A claim that was proved, with the proof: an alignment for each part of the adjacency, or none."""

    source: str
    function: str
    is_list: bool
    sort: str
    """Real, Int or Bool: what the data are."""
    parameters: Mapping[str, str]
    length: str | None
    """The parameter that is the number of data, if there is one."""
    parts: tuple[Relation, ...]
    one_direction: bool
    conditions: tuple[Term, ...]
    given: Mapping[str, Term]
    epsilon: Term | None
    delta: Term | None
    rho: Term | None
    finite: bool
    """Whether all draws are of finitely many values."""
    alignments: tuple[Mapping[str, Any], ...] = ()
    sites: Mapping[int, int] = field(default_factory=dict)
    """The line of each numbered draw."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Neighbouring data, values of the parameters, and what is claimed there."""

    first: Any
    second: Any
    words: Mapping[str, Any]
    bound: Decimal
    """The most that may be lost on one output."""
    delta: Decimal


def judged(asked: Question, effort: Effort = USUAL, run: bool = True) -> Opinion:
    """Whether a run contradicts the proof."""
    return judged_all([asked], effort, run)[0]


def judged_all(questions: Sequence[Question], effort: Effort = USUAL, run: bool = True) -> list[Opinion]:
    """The verdict on each claim of one file, which one process runs."""
    why = may_be_run(questions[0].source) if run else "it was not to be run"
    verdicts = [Opinion(why_not=why or "") for _ in questions]
    if why:
        return verdicts
    jobs: list[Mapping[str, Any]] = []
    owners: list[tuple[int, list[Pair]]] = []
    for place, asked in enumerate(questions):
        for job, drawn in jobs_of(asked, effort, verdicts[place]):
            jobs.append(job)
            owners.append((place, drawn))
    try:
        results = answers(questions[0].source, jobs, effort.seconds) if jobs else []
    except NotRun as reason:
        for verdict in verdicts:
            verdict.why_not = str(reason)
        return verdicts
    for (place, drawn), job, result in zip(owners, jobs, results, strict=True):
        if result is None:
            verdicts[place].unclear = "the runs were ended, as they took too long or too much memory"
        elif not verdicts[place].contradiction:
            compare = compared_laws if job["kind"] == "laws" else compared_runs
            compare(questions[place], drawn, result, verdicts[place])
    return verdicts


def jobs_of(asked: Question, effort: Effort, verdict: Opinion) -> Iterator[tuple[Mapping[str, Any], list[Pair]]]:
    """What the process is asked for: pairs of laws, pairs of runs, or both."""
    seed = hashlib.sha256(repr((asked.source, asked.function, str(asked.epsilon), str(asked.rho))).encode()).hexdigest()
    share = max(1, effort.pairs // max(1, len(asked.parts)))
    for place, part in enumerate(asked.parts):
        random = Random(f"{seed}.{place}")
        if asked.finite:
            wanted = min(share, PAIRS_OF_LAWS) if asked.alignments else share
            drawn = list(drawn_pairs(asked, part, random, wanted, LONGEST_FOR_LAWS))
            runs = [[packed(data), sent(one.words)] for one in drawn for data in (one.first, one.second)]
            yield (
                {
                    "kind": "laws",
                    "function": asked.function,
                    "runs": runs,
                    "leaves": effort.leaves,
                    "most": effort.most,
                },
                drawn,
            )
        if place < len(asked.alignments):
            drawn = list(drawn_pairs(asked, part, random, share, LONGEST_DATA))
            verdict.tried += len(drawn)
            yield {
                "kind": "aligned", "function": asked.function, "alignment": asked.alignments[place],
                "sites": sites(asked), "seed": f"{seed}.{place}",
                "runs": [[packed(one.first), packed(one.second), sent(one.words)] for one in drawn],
            }, drawn  # fmt: skip


def sent(words: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as JSON."""
    return {name: packed(value) for name, value in words.items()}


def sites(asked: Question) -> list[tuple[int, int, int]]:
    """Number, line and column of every draw, where the draws of a line are as many as it has numbers."""
    calls: dict[int, list[ast.Call]] = {}
    for node in ast.walk(ast.parse(asked.source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in FAMILIES:
                calls.setdefault(node.lineno, []).append(node)
    found = []
    for line in set(asked.sites.values()):
        numbers = sorted(site for site, where in asked.sites.items() if where == line)
        columns = sorted(node.col_offset for node in calls.get(line, []))
        if len(numbers) == len(columns):
            found += [(site, line, column) for site, column in zip(numbers, columns, strict=True)]
    return found


def drawn_pairs(asked: Question, part: Relation, random: Random, wanted: int, longest: int) -> Iterator[Pair]:
    """Neighbouring data and parameters for which every condition holds."""
    constants = Constants.of(asked.source, [str(one) for one in asked.conditions])
    count = 0
    for attempt in range(wanted * ATTEMPTS):
        if count == wanted:
            return
        from_text = attempt % 2 == 0
        size = size_of(random, constants, longest, from_text and longest == LONGEST_DATA) if asked.is_list else 1
        words = parameters(asked, random, constants, size, from_text)
        known: dict[Term, Any] = {variable(name, sort): words[name] for name, sort in asked.parameters.items()}  # type: ignore[arg-type]
        known[SIZE] = size
        try:
            if not all(decimal_value(one, known) is True for one in asked.conditions):
                continue
            bound, delta = bounds(asked, known)
            made = neighbours(asked, part, random, constants, size, from_text, known)
        except (ArithmeticError, KeyError):
            continue
        if made is None or made[0] == made[1]:
            continue
        count += 1
        if not asked.is_list:
            made = (made[0][0], made[1][0])
        yield Pair(*made, words, bound, delta)


def size_of(random: Random, constants: Constants, longest: int, from_text: bool) -> int:
    """A number of data."""
    known = [size for size in constants.sizes() if size <= 3 * longest]
    if from_text and known and random.random() < 0.5:
        return max(1, random.choice(known))
    return random.randint(1, longest)


def parameters(asked: Question, random: Random, constants: Constants, size: int, from_text: bool) -> dict[str, Any]:
    """A value of every public parameter, as the function sees it."""
    found: dict[str, Any] = {} if asked.length is None else {asked.length: size}
    for name, sort in asked.parameters.items():
        if name in asked.given:
            value = Fraction(decimal_value(asked.given[name], {}))
            found[name] = int(value) if sort == "Int" else value
        elif sort == "Bool":
            found[name] = random.random() < 0.5
        elif sort == "Int":
            near = [int(n) for n in constants.numbers if n.denominator == 1 and -3 <= n <= 6]
            found[name] = random.choice(near) if from_text and near else random.randint(1, 4)
        elif from_text and random.random() < 0.4:
            found[name] = random.choice(constants.numbers)
        elif random.random() < 0.6:
            found[name] = random.choice(EPSILONS)
        else:
            found[name] = Fraction(random.randint(-20, 20), random.choice((1, 2, 3, 7, 20)))
    return found


def neighbours(
    asked: Question,
    part: Relation,
    random: Random,
    constants: Constants,
    size: int,
    from_text: bool,
    known: Mapping[Term, Any],
) -> tuple[list[Any], list[Any]] | None:
    """Two data that the part relates; None where the draw gives none."""
    if part.edit is not None:
        return edited(asked, part, random, constants, size, from_text)
    answers: dict[tuple[Fraction, Fraction], bool] = {}

    def are_related(one: Any, other: Any) -> bool:
        """Whether the part relates two elements."""
        pair = number(one), number(other)
        if pair not in answers:
            answers[pair] = decimal_value(part.related, {**known, OLD: pair[0], NEW: pair[1]}) is True
        return answers[pair]

    first = [element(asked.sort, random, constants, from_text) for _ in range(size)]
    second = list(first)
    left = size if part.changed is None else min(size, part.changed)
    few = random.random() < 0.3
    direction = random.choice(CHANGES) if random.random() < 0.5 else None
    places = random.sample(range(size), random.randint(1, left) if few and left else left)
    if not all(are_related(first[place], first[place]) for place in range(size) if place not in places):
        return None
    for place in places:
        for _ in range(12):
            other = changed(asked.sort, first[place], random, constants, direction)
            trial = [*second[:place], other, *second[place + 1 :]]
            if not are_related(first[place], other):
                continue
            moves = [abs(number(b) - number(a)) for a, b in zip(first, trial, strict=True)]
            if part.total is not None and sum(moves) > part.total:
                continue
            if part.squares is not None and sum(m * m for m in moves) > part.squares:
                continue
            second = trial
            break
        else:  # it stays as it is
            if not are_related(first[place], first[place]):
                return None
    return first, second


def edited(
    asked: Question, part: Relation, random: Random, constants: Constants, size: int, from_text: bool
) -> tuple[list[Any], list[Any]]:
    """Two lists of which one has elements that the other lacks, `size` elements in the longer one at most."""
    whole = [element(asked.sort, random, constants, from_text) for _ in range(size)]
    count = random.randint(1, max(1, min(size, part.changed or 0)))
    places = random.sample(range(size), min(count, size))
    added = {place for place in places if part.edit == "added" or part.edit == "either" and random.random() < 0.5}
    first = [one for place, one in enumerate(whole) if place not in added]
    second = [one for place, one in enumerate(whole) if place in added or place not in places]
    return first, second


def number(value: Any) -> Fraction:
    """A truth value as 0 or 1."""
    return Fraction(value)


def element(sort: str, random: Random, constants: Constants, from_text: bool) -> Any:
    """One of the data."""
    if sort == "Bool":
        return random.random() < 0.5
    near = [n for n in constants.numbers if sort != "Int" or n.denominator == 1]
    if from_text and near and random.random() < 0.6:
        found = random.choice(near)
    else:
        found = Fraction(random.randint(-9, 9), 1 if sort == "Int" else random.choice((1, 2, 3, 10)))
    return int(found) if sort == "Int" else found


def changed(sort: str, old: Any, random: Random, constants: Constants, direction: Fraction | None) -> Any:
    """Another element, near the old one or anywhere."""
    if sort == "Bool":
        return not old if random.random() < 0.8 else old
    if random.random() < 0.2:
        return element(sort, random, constants, random.random() < 0.5)
    move = direction if direction is not None else random.choice(CHANGES)
    if sort == "Int":
        return int(old) + (int(move) or random.choice((1, -1, 0)))
    return old + move


def bounds(asked: Question, known: Mapping[Term, Any]) -> tuple[Decimal, Decimal]:
    """The most that one output may lose, and delta."""
    with localcontext() as context:
        context.prec = DIGITS
        delta = Decimal(0) if asked.delta is None else decimal(decimal_value(asked.delta, known))
        if asked.rho is not None:
            rho = decimal(decimal_value(asked.rho, known))
            return (rho if asked.one_direction else (2 * rho).sqrt()), delta
        return (Decimal("Infinity") if asked.epsilon is None else decimal(decimal_value(asked.epsilon, known))), delta


def decimal(value: Any) -> Decimal:
    """A number to 80 digits."""
    if isinstance(value, Decimal):
        return value
    exact = Fraction(value)
    return Decimal(exact.numerator) / Decimal(exact.denominator)


def compared_runs(asked: Question, pairs: Sequence[Pair], results: Sequence[Mapping[str, Any]], found: Opinion) -> None:
    """Whether both runs of each pair release the same, and what the shifts cost is within the bound."""
    for pair, result in zip(pairs, results, strict=True):
        if "unloaded" in result:
            found.unloaded = str(result["unloaded"])
            return
        if "unclear" in result or "raised" in result:
            found.unclear = found.unclear or str(result.get("unclear", result.get("raised")))
            continue
        found.counted += 1
        where = f"on {shown(pair.first)} and {shown(pair.second)}{with_arguments(pair.words)}"
        if "impossible" in result or "deviates" in result:
            found.contradiction = f"{where}: {result.get('impossible', result.get('deviates'))}"
            return
        one, two, draws = unpacked(result["answer"])
        if raises := raised(one) or raised(two):
            found.contradiction = f"{where} CPython raises {raises}, and it was proved that no run raises an exception"
            return
        if seen(one) != seen(two):
            found.contradiction = (
                f"{where} CPython releases {shown(one)} and {shown(two)}, the second with shifted draws"
            )
            return
        if draws is None:
            found.contradiction = f"{where} CPython goes different ways, though it releases the same"
            return
        with localcontext() as context:
            context.prec = DIGITS
            try:
                lost = sum((loss(*draw) for draw in draws), Decimal(0))
            except Outside as error:
                found.contradiction = f"{where}: {error}"
                return
            if lost > pair.bound + NEARLY * (1 + abs(pair.bound)):
                found.contradiction = f"{where} the shifts cost {lost:.6}, and {pair.bound:.6} was proved"
                return


def raised(output: Sequence[Any]) -> str:
    """The exception with which an output ends; empty where it ends otherwise."""
    match output:
        case [*_, {"raises": str(name)}]:
            return name
    return ""


class Outside(ValueError):
    """A shifted draw that its law does not have."""


def loss(family: str, before: Sequence[Any], value: Any, after: Sequence[Any], moved: Any) -> Decimal:
    """The logarithm of how many times likelier a draw is than the shifted one.  Outside where that one cannot be."""
    if family in ("laplace", "discrete_laplace", "exponential", "gaussian"):
        if before != after:
            raise Outside(f"the scale of {family} is {before[0]} in one run and {after[0]} in the other")
        scale = Fraction(before[0])
        if family == "gaussian":
            return decimal((Fraction(moved) ** 2 - Fraction(value) ** 2) / (2 * scale**2))
        if family == "exponential" and moved < 0:
            raise Outside("a draw of exponential is shifted below 0")
        size = (lambda x: x) if family == "exponential" else abs
        return decimal((size(Fraction(moved)) - size(Fraction(value))) / scale)
    chances = [chance(family, before, value), chance(family, after, moved)]
    if chances[1] == 0:
        raise Outside(f"a draw of {family} is shifted to what cannot be drawn")
    return (decimal(chances[0]) / decimal(chances[1])).ln() if chances[0] != chances[1] else Decimal(0)


def chance(family: str, parameters: Sequence[Any], value: Any) -> Fraction:
    """The probability of a value."""
    if family == "bernoulli":
        return Fraction(parameters[0] if value else 1 - parameters[0])
    if family == "choice":
        inside = 0 <= value < len(parameters)
        return Fraction(parameters[value]) / sum(map(Fraction, parameters)) if inside else Fraction(0)
    low, high = parameters
    return Fraction(1, int(high - low) + 1) if low <= value <= high else Fraction(0)


def compared_laws(asked: Question, pairs: Sequence[Pair], results: Sequence[Mapping[str, Any]], found: Opinion) -> None:
    """Whether the laws of both sides of each pair keep to the claim, both ways unless it is for one direction."""
    for pair, one, two in zip(pairs, results[::2], results[1::2], strict=False):
        found.tried += 1
        where = f"on {shown(pair.first)} and {shown(pair.second)}{with_arguments(pair.words)}"
        if "unloaded" in one:
            found.unloaded = str(one["unloaded"])
            return
        if wrong := one.get("impossible") or two.get("impossible"):
            found.counted, found.contradiction = found.counted + 1, f"{where}: {wrong}"
            return
        if "answer" not in one or "answer" not in two:
            found.unclear = found.unclear or str(one.get("unclear") or two.get("unclear") or "a run raises")
            continue
        found.counted += 1
        laws = [law_of(unpacked(result["answer"])[1]) for result in (one, two)]
        if raises := next((name for law in laws for _, output in law.values() if (name := raised(output))), ""):
            found.contradiction = f"{where} CPython raises {raises}, and it was proved that no run raises an exception"
            return
        for p, q in (laws, laws[::-1])[: 1 if asked.one_direction else 2]:
            if (excess := exceeded(p, q, pair)) is not None:
                found.contradiction = f"{where} {excess}"
                return


def law_of(listed: Sequence[Any]) -> dict[Any, tuple[Decimal, Any]]:
    """Probabilities by what is seen of an output, with the output itself."""
    import json

    law: dict[Any, tuple[Decimal, Any]] = {}
    with localcontext() as context:
        context.prec = DIGITS
        for text, probability in listed:
            released = unpacked(json.loads(text))
            before = law.get(seen(released), (Decimal(0), None))[0]
            law[seen(released)] = (before + decimal(probability), released)
    return law


def exceeded(p: Mapping[Any, tuple[Decimal, Any]], q: Mapping[Any, tuple[Decimal, Any]], pair: Pair) -> str | None:
    """How the first law breaks the claim about both; None where it does not."""
    with localcontext() as context:
        context.prec = DIGITS
        factor = pair.bound.exp() if pair.bound < 10_000 else Decimal("Infinity")
        total = Decimal(0)
        for key, (chance_here, released) in p.items():
            there = q.get(key, (Decimal(0), None))[0]
            over = chance_here - factor * there if there else chance_here
            total += max(over, Decimal(0))
            if total > pair.delta + NEARLY * 10:
                return (
                    f"CPython releases {shown(released)} with probability {chance_here:.6} and {there:.6}, "
                    f"and epsilon = {pair.bound:.6} was proved"
                )
    return None


def seen(value: Any) -> Any:
    """What a reader of an output sees: numbers by value, and never the same as a text or a truth value."""
    if isinstance(value, list | tuple):
        return ("list" if isinstance(value, list) else "tuple", *map(seen, value))
    if isinstance(value, bool) or value is None or isinstance(value, str | float):
        return (type(value).__name__, str(value))
    if isinstance(value, Mapping):
        return ("dict", *((seen(key), seen(part)) for key, part in value.items()))
    return ("number", Fraction(value))


def packed_term(term: Term) -> list[Any]:
    """A term as a list of its parts, each of which names its arguments by their place in the list."""
    found: list[Any] = []
    places: dict[Term, int] = {}
    for part in parts(term):
        if part.operator == "name":
            one: list[Any] = ["name", str(part.value)]
        elif part.operator in ("number", "truth"):
            one = ["value", part.value if isinstance(part.value, bool) else str(part.value)]
        else:
            one = [part.operator, *(places[argument] for argument in part.arguments)]
        places[part] = len(found)
        found.append(one)
    return found
