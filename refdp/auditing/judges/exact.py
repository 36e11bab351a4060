"""Mechanisms that can be enumerated: their laws on two inputs are known, and the claim holds or does not.

No statistics: the hockey stick, Renyi moments and the max divergence of the exact laws.  Fields:
    laws = "given"                  or tapes; or tables = { name = { outcome = "1/2", ... }, ... }
    pairs = [[x, x2], ...]          inputs that are neighbours; names of tables where there are some
    claim = { epsilon = "1", delta = "0" }, or { measure = "renyi", order = 2, epsilon = "1" },
            or { measure = "concentrated", rho = "1/2" }, which is tried at the orders 2 to 64
    depth = 16, flips = "called"    of tapes; or listed

given     the target returns {outcome: probability} for an input; a probability is a whole number, a fraction, text
          such as "1/3", or a pair of these that encloses it.  Floats are refused: they are no probabilities.
tapes     the target takes its coin flips from outside, and all tapes down to a depth are walked.  Either it is a
          function f(x, bits), and bits() gives the next flip; or it is called with (x, [flips]) and says that these are
          too few by raising OutOfBits, IndexError or StopIteration, or by answering "more" (a command reads the input
          and the flips on one line).
tables    tables = { a = { yes = "3/4", no = "1/4" }, ... } in the file; pairs name them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import inf, log
from typing import Any

from refdp.accounting.judging.readings import at_least, at_most
from refdp.auditing.evidence import enumerable
from refdp.auditing.evidence.finite_laws import Masses
from refdp.auditing.evidence.pairs import Claim, claim
from refdp.auditing.judges import inputs
from refdp.auditing.judges.inputs import text as key
from refdp.auditing.judges.result import UNSEEING, Counterexample, Curve, Evidence, LossBin, Result, Row
from refdp.auditing.judges.single import FAILED, Single, plain, the_target, unknown
from refdp.auditing.judges.task import Fields, Kind, Record, Task, TaskError
from refdp.auditing.targets import Adapted, Outcome, Session, TargetError
from refdp.auditing.targets import outcomes as kinds
from refdp.auditing.targets.workers import wire
from refdp.numerics.exact import ExactReal, exact, exact_real
from refdp.numerics.intervals import Interval
from refdp.sampling.tree import PartialLaw
from refdp.verdicts import NOT_REFUTED, PROVED, REFUTED, UNKNOWN, Verdict

DEPTH = 16
FLIPS = ("called", "listed")
POINTS = 25
"""Points of a curve."""
MOST_DRAWN = 5000
"""Laws of more outcomes are not drawn."""
LONGEST = 60
"""Most characters of an input in a sentence."""
LISTED = 6
"""Most outcomes of an event that a sentence lists."""
DEEPEST = 24
"""Most flips of a tape."""
MORE = "more"
TOO_FEW = ("OutOfBits", "IndexError", "StopIteration")
"""What a target that is called with a list of flips says where these are too few."""
EnumeratedLaw = Masses | PartialLaw[Any]


class LawError(ValueError):
    """What a target gave is no law; the sentence says why."""


def stated(value: Any) -> EnumeratedLaw:
    """The law that a target or a file states, by the outcomes' canonical texts; LawError where it is none."""
    if not isinstance(value, Mapping) or not value:
        raise LawError(f"a law must be {{outcome: probability}}, got {str(value)[:80]}")
    try:
        masses: dict[Hashable, Fraction | Interval] = {key(outcome): _probability(p) for outcome, p in value.items()}
        enumerable.known(masses)
    except (ValueError, TypeError) as error:
        raise LawError(str(error)) from None
    if len(masses) < len(value):
        raise LawError("outcomes must differ, got one twice")  # such as NaN
    return masses


def _probability(value: Any) -> Fraction | Interval:
    """A probability, exact or enclosed."""
    if isinstance(value, tuple | list) and len(value) == 2:
        return Interval(exact(value[0], "probability"), exact(value[1], "probability"))
    found = exact(value, "probability")
    if found < 0:
        raise LawError(f"a probability must be >= 0, got {found}")
    return found


def walked(outcome: Outcome, depth: int) -> PartialLaw[str]:
    """The law that the tapes of a walk give; LawError where there was no walk."""
    if outcome.kind != kinds.VALUE:
        raise LawError(str(outcome))
    short, counts = outcome.value
    if alike := [one for one, _ in counts if is_foreign(one)]:
        raise LawError(f"outcomes must be plain data, which cannot print the same and differ, got {alike[0]!r:.80}")
    unit = 1 << depth
    law = {key(one): Fraction(n, unit) for one, n in counts}
    if sum(law.values(), Fraction(short, unit)) != 1:
        raise LawError(f"the tapes must sum to all 2^{depth} of them, got {short} too short and {counts}"[:200])
    return PartialLaw(law, Fraction(short, unit))


def is_foreign(value: Any) -> bool:
    """Whether a value holds an object of which only the text is known."""
    if isinstance(value, dict):
        return any(map(is_foreign, (*value.keys(), *value.values())))
    return isinstance(value, wire.Other) or isinstance(value, tuple | list) and any(map(is_foreign, value))


def listed(session: Session, x: Any, depth: int, first: int = 0) -> Outcome:
    """The walk of a target that is called with (x, [flips]): level by level, each tape one flip too short before."""
    waiting: list[list[int]] = [[]]
    counts: dict[str, tuple[Any, int]] = {}
    for length in range(depth + 1):
        longer: list[list[int]] = []
        for tape, outcome in zip(waiting, session.each("call", [(x, tape) for tape in waiting]), strict=True):
            if too_few(outcome):
                longer += [[*tape, first], [*tape, 1 - first]]
            elif outcome.kind != kinds.VALUE:
                return outcome
            else:
                before = counts.get(key(outcome.value), (outcome.value, 0))[1]
                counts[key(outcome.value)] = (outcome.value, before + (1 << (depth - length)))
        waiting = longer
    return Outcome(kinds.VALUE, (len(waiting) // 2, [found for _, found in sorted(counts.items())]))


def too_few(outcome: Outcome) -> bool:
    """Whether the target wants more flips."""
    if outcome.kind == kinds.RAISED:
        return outcome.value in TOO_FEW
    return outcome.kind == kinds.VALUE and isinstance(outcome.value, str) and outcome.value == MORE


def answers(session: Session, laws: str, xs: Sequence[Any], depth: int, listing: bool, first: int) -> list[Outcome]:
    """What the target gives for each input: its law, or the walk of its tapes.

    `first` = 1 asks in the opposite order, of inputs and of tapes: that is all one to a function without memory.
    """
    found = [_answer(session, laws, x, depth, listing, first) for x in (xs[::-1] if first else xs)]
    return found[::-1] if first else found


def _answer(session: Session, laws: str, x: Any, depth: int, listing: bool, first: int) -> Outcome:
    if laws == "given":
        return session.call(x)
    return listed(session, x, depth, first) if listing else session.ask("tapes", (x, depth, first))


def law_of(outcome: Outcome, laws: str, depth: int) -> EnumeratedLaw:
    """The law that an outcome stands for; LawError where it stands for none."""
    if laws == "tapes":
        return walked(outcome, depth)
    if outcome.kind != kinds.VALUE:
        raise LawError(str(outcome))
    return stated(outcome.value)


ORDERS = tuple(range(2, 65))
"""The orders at which a concentrated claim is tried."""
LARGEST_ORDER = 1000


@dataclass(frozen=True, slots=True)
class Decided(Verdict):
    """The verdict for one pair: the number that the claim bounds, enclosed; `upper` None where nothing bounds it."""

    name: str
    claimed: str
    lower: Fraction
    upper: Fraction | None
    direction: int
    event: frozenset[Any] = frozenset()
    """Outcomes that are too probable, for (epsilon, delta)."""


@dataclass(frozen=True, slots=True)
class Approximate:
    """(epsilon, delta)."""

    claim: Claim

    def decided(self, first: EnumeratedLaw, second: EnumeratedLaw) -> Decided:
        """The hockey stick in its greater direction."""
        found = enumerable.judge(self.claim, first, second)
        worst = found.excesses[0]
        most = max(each.delta.upper for each in found.excesses)
        name, claimed = f"delta({self.claim.epsilon})", str(self.claim.delta)
        return Decided(
            found.verdict, name, claimed, worst.delta.lower, most, worst.direction, worst.event, reason=found.reason
        )

    def __str__(self) -> str:
        return f"({self.claim.epsilon}, {self.claim.delta})-DP"


@dataclass(frozen=True, slots=True)
class Renyi:
    """The Renyi divergence of each order a is at most epsilon(a); `whole`: of these orders alone, so it can be proved.

    Compared as moments: the sum of P^a Q^(1 - a) with e^((a - 1) epsilon).
    """

    orders: Sequence[int]
    epsilons: Sequence[ExactReal]
    words: str
    whole: bool

    def decided(self, first: EnumeratedLaw, second: EnumeratedLaw) -> Decided:
        """The first order and direction that refutes; else the first that is not decided; else the last."""
        both = ((1, first, second), (-1, second, first))
        found = [
            self._at(order, epsilon, direction, p, q)
            for order, epsilon in zip(self.orders, self.epsilons, strict=True)
            for direction, p, q in both
        ]
        verdicts = (REFUTED, UNKNOWN, PROVED, NOT_REFUTED)
        return min(found, key=lambda one: verdicts.index(one.verdict))

    def _at(self, order: int, epsilon: ExactReal, direction: int, p: EnumeratedLaw, q: EnumeratedLaw) -> Decided:
        """The verdict at one order, in one direction."""
        low, high = enumerable.power_bounds(epsilon, order - 1)
        lower, upper, infinite = moment(p, q, order)
        if infinite or lower > high:
            verdict = REFUTED
        elif upper is not None and upper <= low:
            verdict = PROVED if self.whole else NOT_REFUTED
        else:
            verdict = UNKNOWN
        name = f"e^({order - 1} D) with D the Renyi divergence of order {order}"
        reason = enumerable.OPEN if verdict == UNKNOWN else ""
        return Decided(verdict, name, f"e^({order - 1} x {epsilon})", lower, upper, direction, reason=reason)

    def __str__(self) -> str:
        return self.words


Claimed = Approximate | Renyi


def moment(p: EnumeratedLaw, q: EnumeratedLaw, order: int) -> tuple[Fraction, Fraction | None, bool]:
    """Bounds of the sum of P^order Q^(1 - order), None where nothing bounds it, and whether it is infinite."""
    first, second = enumerable.known(p), enumerable.known(q)
    infinite = any(x > 0 and second.most(y) == 0 for y, x in first.lower.items())
    terms = [(x, second.most(y)) for y, x in first.lower.items() if x]
    lower = sum((x**order / most ** (order - 1) for x, most in terms if most), Fraction(0))
    open_ended = any(isinstance(law, PartialLaw) and law.unresolved for law in (p, q))
    ends = [(x, second.lower.get(y, Fraction(0))) for y, x in first.upper.items() if x]
    if infinite or open_ended or any(least == 0 for _, least in ends):
        return lower, None, infinite
    return lower, sum((x**order / least ** (order - 1) for x, least in ends), Fraction(0)), False


@dataclass(frozen=True, slots=True)
class Pair:
    """Two inputs and their laws."""

    x: Any
    y: Any
    first: EnumeratedLaw
    second: EnumeratedLaw

    def directed(self, direction: int) -> Pair:
        """The same the other way round, for direction -1."""
        return self if direction == 1 else Pair(self.y, self.x, self.second, self.first)

    def __str__(self) -> str:
        return f"{inputs.shown(self.x, LONGEST)} / {inputs.shown(self.y, LONGEST)}"


@dataclass(frozen=True, slots=True)
class Exact(Single):
    """The claim of a target whose laws can be enumerated, or of laws in the file."""

    target: Adapted | None
    laws: str
    tables: Mapping[str, Any]
    pairs: tuple[tuple[Any, Any], ...]
    claim: Claimed
    depth: int
    flips: str

    @property
    def inputs(self) -> dict[str, Any]:
        """The inputs by their canonical texts, each once."""
        return {inputs.text(x): x for pair in self.pairs for x in pair}

    def opening(self) -> Record:
        """What the target gave for each input in two fresh processes, asked in opposite orders; nothing for tables."""
        if self.target is None:
            return {"about": {}, "runs": []}
        try:
            runs = []
            for first in (0, 1):
                with Session(self.target) as session:
                    xs = list(self.inputs.values())
                    found = answers(session, self.laws, xs, self.depth, self.flips == "listed", first)
                    runs.append([kinds.as_json(one) for one in found])
                    about = plain(session.about)
        except TargetError as error:
            return {FAILED: str(error)}
        return {"about": about, "runs": runs}

    def result(self, opening: Record, chunks: Sequence[Record]) -> Result:
        """The claim beside the exact laws.

        REFUTED if any pair refutes; UNKNOWN if any is not decided; else PROVED, or NOT_REFUTED at the orders tried.
        """
        count = "1 pair" if len(self.pairs) == 1 else f"{len(self.pairs)} pairs"
        sentence = f"{self.claim} for {count} of inputs"
        if FAILED in opening:
            return unknown(sentence, opening[FAILED])
        try:
            laws = self._laws(opening["runs"])
            pairs = [Pair(x, y, laws[inputs.text(x)], laws[inputs.text(y)]) for x, y in self.pairs]
        except LawError as error:
            return unknown(sentence, str(error), about=opening["about"])
        found = [(pair, self.claim.decided(pair.first, pair.second)) for pair in pairs]
        order = (REFUTED, UNKNOWN, NOT_REFUTED, PROVED)
        pair, decided = min(found, key=lambda one: (order.index(one[1].verdict), -one[1].lower))
        picture = Evidence(
            counterexample(pair, decided) if decided.verdict == REFUTED else None,
            curve(self.claim, pair), losses(pair.directed(decided.direction), decided),
            rows=tuple(row for one in found for row in rows(*one)),
        )  # fmt: skip
        common: dict[str, Any] = {
            "about": opening["about"], "trusts": self._trusts, "not_tested": ["other pairs of inputs"],
            "scope": [f"{one}: {len(enumerable.known(one.first).lower)} outcomes" for one in pairs],
            "evidence": picture,
        }  # fmt: skip
        told = f"{decided.name} is {enclosed(decided)} for {pair}, where {decided.claimed} is claimed"
        if decided.verdict == REFUTED:
            event = f"; the event is {of(decided.event)}" if decided.event else ""
            witness = f"{pair.directed(decided.direction)}: {decided.name} >= {at_least(decided.lower, 5)}"[:80]
            return Result(REFUTED, sentence, f"REFUTED, exactly: {told}{event}", witness, **common)
        if decided.verdict == UNKNOWN:
            return unknown(sentence, f"not decided: {told}", **common)
        if decided.verdict == NOT_REFUTED:
            if isinstance(self.claim, Renyi) and not sees(self.claim):
                reason = f"{UNSEEING}: one was planted at each order, and not refuted"
                return unknown(sentence, reason, **common)
            power = "any violation at these orders"
            return Result(NOT_REFUTED, sentence, f"not refuted: {told}", power=power, **common)
        whole = "this pair" if len(pairs) == 1 else f"these {count}"
        return Result(PROVED, sentence, f"PROVED for {whole}: {told}", **common)

    def _laws(self, runs: Sequence[Any]) -> dict[str, EnumeratedLaw]:
        """The law of each input; LawError where there is none, or where two processes gave two."""
        if self.target is None:
            return {text: stated(self.tables[x]) for text, x in self.inputs.items()}
        both = zip(self.inputs, runs[0], strict=True)
        found = {text: law_of(kinds.from_json(one), self.laws, self.depth) for text, one in both}
        if runs[0] != runs[1]:
            raise LawError(
                "two fresh processes, asked in opposite orders, gave other laws: the target is no function of its "
                "input and its flips"
            )
        return found

    @property
    def _trusts(self) -> list[str]:
        """What is believed."""
        given = "the probabilities that are stated are those of the mechanism"
        return [given if self.laws != "tapes" else "the flips are fair and independent", "the pairs are neighbours"]


def sees(claim: Renyi) -> bool:
    """Whether two laws with a divergence just above the claimed one, at each order, are refuted at that order.

    P = {0: 1} and Q = {0: q, 1: 1 - q} have the divergence -ln(q) at every order.
    """
    for order, epsilon in zip(claim.orders, claim.epsilons, strict=True):
        q = 1 / enumerable.power_bounds(epsilon)[1] * (1 - Fraction(1, 2**30))
        first: EnumeratedLaw = {0: Fraction(1)}
        second: EnumeratedLaw = {0: q, 1: 1 - q}
        if Renyi([order], [epsilon], claim.words, claim.whole).decided(first, second).verdict != REFUTED:
            return False
    return bool(claim.orders)


def enclosed(decided: Decided) -> str:
    """The number, exactly where it is short, else in decimals."""
    if decided.lower == decided.upper and decided.lower.denominator < 10**9:
        return str(decided.lower)
    upper = "not bounded" if decided.upper is None else f"at most {at_most(decided.upper, 6)}"
    return f"at least {at_least(decided.lower, 6)} and {upper}"


def rows(pair: Pair, decided: Decided) -> list[Row]:
    """What the claim bounds; and the max divergence in both directions."""
    upper = "infinite" if decided.upper is None else at_most(decided.upper)
    found = [Row(f"{decided.name} of {pair}", decided.claimed, at_least(decided.lower), upper, decided.verdict)]
    for direction in (1, -1):
        one = pair.directed(direction)
        most = enumerable.max_divergence(one.first, one.second)
        ends = ("", "infinite or not bounded") if most is None else (at_least(most.lower), at_most(most.upper))
        found.append(Row(f"max divergence of {one}", "", *ends, ""))
    return found


def counterexample(pair: Pair, decided: Decided) -> Counterexample:
    """The pair, its event, and the event's probabilities."""
    one = pair.directed(decided.direction)
    event, laws = decided.event, [enumerable.known(law) for law in (one.first, one.second)]
    bounds = tuple(f"from {at_least(k.at_least(event))} to {at_most(k.at_most(event))}" for k in laws) if event else ()
    return Counterexample(
        (inputs.shown(one.x), inputs.shown(one.y)), tuple(masses(law) for law in (one.first, one.second)),
        f"{decided.name} <= {decided.claimed}", f"{decided.name} is {enclosed(decided)}", of(event), bounds=bounds,
    )  # fmt: skip


def of(event: frozenset[Any]) -> str:
    """An event as the outcomes that it holds."""
    if not event:
        return ""
    listed = sorted(str(inputs.of_text(y)) for y in event)
    more = f" and {len(listed) - LISTED} more" if len(listed) > LISTED else ""
    return f"{{{', '.join(listed[:LISTED])}}}{more}"


def masses(law: EnumeratedLaw) -> str:
    """The greatest masses of a law, from below."""
    lower = enumerable.known(law).lower
    greatest = sorted(lower.items(), key=lambda item: -item[1])[:LISTED]
    told = ", ".join(f"{inputs.of_text(str(y))}: {p if p.denominator < 10**9 else at_least(p, 6)}" for y, p in greatest)
    return told + (" ..." if len(lower) > LISTED else "")


def losses(pair: Pair, decided: Decided) -> tuple[LossBin, ...]:
    """Outcomes by their privacy loss, those of about the same loss together; coordinates only.

    Infinite losses are drawn at one more than the greatest finite one.
    """
    p, q = enumerable.known(pair.first).lower, enumerable.known(pair.second).lower
    both = [(loss(p.get(y, Fraction(0)), q.get(y, Fraction(0))), y) for y in dict.fromkeys([*p, *q])]
    if len(both) > MOST_DRAWN:
        return ()
    end = 1 + max((abs(x) for x, _ in both if abs(x) < inf), default=0.0)
    placed = sorted((round(max(-end, min(end, x)), 6), y in decided.event, y) for x, y in both)
    found = []
    for (at, inside), group in groupby(placed, key=lambda one: one[:2]):
        outcomes = [y for _, _, y in group]
        first, second = (float(sum((law.get(y, Fraction(0)) for y in outcomes), Fraction(0))) for law in (p, q))
        found.append(LossBin(at, at, first, second, inside))
    return tuple(found)


def loss(p: Fraction, q: Fraction) -> float:
    """ln(p / q), about."""
    if p == 0 or q == 0:
        return inf if p > 0 else -inf if q > 0 else 0.0
    return log(p.numerator) + log(q.denominator) - log(p.denominator) - log(q.numerator)


def curve(claim: Claimed, pair: Pair) -> Curve | None:
    """delta(epsilon) of the pair from below, beside the claimed point; coordinates only."""
    outcomes = len(enumerable.known(pair.first).lower)
    if not isinstance(claim, Approximate) or outcomes > MOST_DRAWN // 10:
        return None
    marked = float(claim.claim.epsilon.rational) + log(claim.claim.epsilon.argument)
    epsilons = [2 * max(marked, 0.5) * i / (POINTS - 1) for i in range(POINTS)]
    exact = tuple(float(_delta(pair, Fraction(round(1000 * e), 1000))) for e in epsilons)
    claimed = tuple(float(claim.claim.delta) if e >= marked else None for e in epsilons)
    return Curve(tuple(epsilons), claimed, exact, marked=marked)


def _delta(pair: Pair, epsilon: Fraction) -> Fraction:
    """A lower bound of delta at the epsilon, in the greater direction."""
    p, q, at = enumerable.known(pair.first), enumerable.known(pair.second), Claim(exact_real(epsilon))
    return max(enumerable.excess(at, p, q).delta.lower, enumerable.excess(at, q, p, -1).delta.lower)


def claim_of(fields: Fields) -> Claimed:
    """The claim of a target; `input` and `d_in` may say in words what its pairs have in common."""
    measure = fields.one_of("measure", ("pure", "approximate", "renyi", "concentrated"), "approximate")
    for words in ("input", "d_in"):
        fields.any(words, None)
    try:
        found = _claim(fields, measure)
    except ValueError as error:
        raise TaskError(f"{fields.where}{error}" if not isinstance(error, TaskError) else str(error)) from None
    fields.done()
    return found


def _claim(fields: Fields, measure: str) -> Claimed:
    """The claim under a measure."""
    if measure == "concentrated":
        rho = fields.number("rho")
        epsilons = [exact_real(rho * order) for order in ORDERS]
        return Renyi(ORDERS, epsilons, f"{rho}-zCDP at the orders {ORDERS[0]} to {ORDERS[-1]}", whole=False)
    epsilon = exact_real(fields.any("epsilon"), "epsilon")
    if measure == "renyi":
        order = fields.whole("order", least=2)
        if order > LARGEST_ORDER:
            raise TaskError(f"{fields.where}order must be at most {LARGEST_ORDER}, got {order}")
        return Renyi([order], [epsilon], f"Renyi divergence of order {order} at most {epsilon}", whole=True)
    return Approximate(claim(epsilon, fields.number("delta", Fraction(0)) if measure == "approximate" else 0))


def judge(task: Task, alpha: Fraction) -> Exact:
    """The judge of a task; there are no statistics, so nothing of alpha is used."""
    fields = Fields(task.fields, "target.")
    tables = fields.table("tables", {}).given
    laws = "tables" if tables else fields.one_of("laws", ("given", "tapes"))
    pairs = tuple(_pair(pair, tables) for pair in fields.of("pairs", list, "a list of pairs of inputs"))
    if not pairs:
        raise TaskError("target.pairs must list at least one pair of inputs, got none")
    depth = fields.whole("depth", DEPTH)
    if depth > DEEPEST:
        raise TaskError(f"target.depth must be at most {DEEPEST}, got {depth}")
    flips = fields.one_of("flips", FLIPS, "called")
    target = None if tables else the_target(task)
    if target and laws == "tapes" and flips == "called" and target.family != "function":
        raise TaskError('flips must be "listed" for a target that is no function of this kind: f(x, bits)')
    found = Exact(target, laws, tables, pairs, claim_of(fields.table("claim")), depth, flips)
    fields.done()
    for name, table in tables.items():
        _check(name, table)
    return found


def _check(name: str, table: Any) -> None:
    """TaskError unless the table is a law."""
    try:
        stated(table)
    except LawError as error:
        raise TaskError(f"target.tables.{name}: {error}") from None


def _pair(pair: Any, tables: Mapping[str, Any]) -> tuple[Any, Any]:
    """Two inputs, or the names of two tables."""
    if not isinstance(pair, list) or len(pair) != 2:
        raise TaskError(f"target.pairs must list pairs of inputs, got {pair!r}")
    if tables and (missing := [name for name in pair if not isinstance(name, str) or name not in tables]):
        raise TaskError(f"target.pairs must name tables, of which there are {', '.join(tables)}, got {missing[0]!r}")
    return (pair[0], pair[1]) if tables else (inputs.read(pair[0]), inputs.read(pair[1]))


KIND = Kind(judge, statistical=False)
