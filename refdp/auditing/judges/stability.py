"""Stability: two neighbouring inputs whose outputs are further apart than the map, or the claim, says.

No statistics: the pair was run in two fresh processes, in both orders, and its outputs are compared exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from refdp.auditing.judges.result import Counterexample, Evidence, Result
from refdp.auditing.judges.single import Single, plain, shortened, the_target
from refdp.auditing.judges.spaces import space
from refdp.auditing.judges.task import Fields, Kind, Record, Task, TaskError
from refdp.auditing.neighbours import Judgement, Settings, Witness, confirmed, judge, witness
from refdp.auditing.neighbours.distances import apart
from refdp.auditing.neighbours.spaces import Space, measured
from refdp.auditing.targets import Adapted, Claim, Outcome
from refdp.auditing.targets.outcomes import VALUE
from refdp.auditing.targets.workers import wire
from refdp.spec.distances import MEASURES
from refdp.verdicts import NOT_REFUTED, REFUTED, UNKNOWN

LONGEST = 400
"""Most characters of an input or output that is told whole."""
UNREACHED = "pairs that the search did not reach"
UNTESTED = ("inputs outside the space", UNREACHED, "anything but outputs: time, memory, logs")


@dataclass(frozen=True, slots=True)
class Stability(Single):
    """The judge of one map."""

    target: Adapted
    space: Space
    claim: Claim
    settings: Settings

    def opening(self) -> Record:
        """The search, whole."""
        return recorded(judge(self.target, self.space, self.claim, self.settings))

    def again(self, opening: Record) -> str:
        """An empty text if the witness refutes again in two fresh processes, else what was different."""
        found = witness(opening["witness"], self.target.python)
        return confirmed(replace(found, target=self.target))

    def result(self, opening: Record, chunks: Sequence[Record]) -> Result:
        """The verdict; that a witness refutes is worked out again from its inputs and outputs."""
        common = {"claim": opening["claim"], "about": opening["about"], "not_tested": UNTESTED}
        if opening["verdict"] == REFUTED:
            return refuted(witness(opening["witness"], self.target.python), opening, common)
        if opening["verdict"] == UNKNOWN or opening["stopped"]:
            reason = "; ".join(filter(None, (opening["reason"], stops(opening["stopped"]))))
            return Result(UNKNOWN, sentence=f"Not decided: {reason}.", reason=reason, **common)
        nearest = f"the furthest outputs that were seen are {opening['nearest']} apart"
        common["not_tested"] = untested(opening)
        return Result(
            NOT_REFUTED, sentence=f"Not refuted by {opening['scope']}; {nearest}.", samples=opening["calls"],
            power=tried(opening), scope=(opening["scope"],), **common,
        )  # fmt: skip


def is_whole(opening: Record) -> bool:
    """Whether every pair of the space was tried; records of before that was done do not say."""
    return bool(opening.get("is_whole", False))


def untested(opening: Record) -> tuple[str, ...]:
    """What was not tested."""
    return tuple(text for text in UNTESTED if not (is_whole(opening) and text == UNREACHED))


def tried(opening: Record) -> str:
    """How many pairs were tried, and how far apart their outputs came."""
    count, far = sum(opening["searched"].values()), f"at most {opening['nearest']} apart"
    if is_whole(opening) and count == 1:
        return f"the only pair was tried, its outputs {far}"
    return f"{'all ' if is_whole(opening) else ''}{count} pairs were tried, their outputs {far}"


def recorded(found: Judgement) -> dict[str, Any]:
    """A judgement as plain JSON."""
    data = {f: getattr(found, f) for f in ("verdict", "claim", "reason", "scope", "is_whole", "nearest", "calls")}
    seen = None if found.witness is None else portable(found.witness.as_json())
    return {
        **data,
        "searched": dict(found.searched),
        "stopped": dict(found.stopped),
        "about": plain(found.about),
        "witness": seen,
    }


def portable(data: dict[str, Any]) -> dict[str, Any]:
    """The witness without the folders of this machine, which are the business of who runs it again."""
    spec = wire.decoded(data["target"]["spec"])
    if "search" in spec:
        data["target"]["spec"] = wire.encoded({**spec, "search": []})
    return data


def refuted(found: Witness, opening: Record, common: Mapping[str, Any]) -> Result:
    """REFUTED with the witness; UNKNOWN if what is recorded does not refute."""
    if why := unfit(found):
        return Result(UNKNOWN, sentence=f"Not decided: {why}.", reason=why, **common)
    pair = (listed(found.inputs[0]), listed(found.inputs[1]))
    outputs = (outcome_text(found.outcomes[0]), outcome_text(found.outcomes[1]))
    bound = f"at most {found.bound} under {found.output}"
    sentence = (
        f"Two inputs within {found.d_in} under {found.input_metric} have outputs {found.distance} apart, "
        f"where {found.bound} is claimed; the same in two fresh processes, in both orders."
    )
    seen = Counterexample(pair, outputs, bound, str(found.distance))
    return Result(
        REFUTED, sentence=sentence, witness=in_short(found), samples=opening["calls"], evidence=Evidence(seen),
        scope=(f"{opening['calls']} calls, until this pair was found and made small",),
        attached={"stability-witness.json": found.as_json()}, **common,
    )  # fmt: skip


def unfit(found: Witness) -> str:
    """An empty text if the recorded inputs are neighbours and the recorded outputs too far apart."""
    first, second = (measured(found.input_metric, rows) for rows in found.rows)
    if apart(found.input_metric, first, second).exceeds(found.d_in):
        return f"the recorded inputs are not within {found.d_in} under {found.input_metric}"
    if not all(outcome.tells for outcome in found.outcomes):
        return "a recorded output was not given by the target"
    return "" if found.distance.exceeds(found.bound) else f"the recorded outputs are within {found.bound}"


def in_short(found: Witness) -> str:
    """The witness in one line: both inputs, and how far apart their outputs are."""
    distance = found.distance
    far = "infinite" if distance.amount is None else brief(distance.amount, distance.squared)
    tail = f": {far} > {brief(found.bound)}"
    room = (77 - len(tail)) // 2
    return f"{listed(found.inputs[0], room)} / {listed(found.inputs[1], room)}{tail}"


def brief(number: Fraction, squared: bool = False) -> str:
    """A number to six digits, for tables."""
    try:
        return f"{float(number) ** 0.5 if squared else float(number):.6g}"
    except OverflowError:
        return f"10^{len(str(number.numerator // number.denominator)) - 1}"


def listed(value: Any, most: int = LONGEST) -> str:
    """A value, equal neighbours in a list written once with how often they stand there; cut to `most` characters.

    >>> listed([0, 0, 0, 0]), listed([1, 2]), listed((1, 1)), listed([0.1, 0.1, 0.1, 2])
    ('[0]*4', '[1, 2]', '(1, 1)', '[0.1]*3 + [2]')
    """
    text = _runs(value) if isinstance(value, list) else repr(value) if not isinstance(value, str) else value
    return shortened(text, most)


def _runs(values: list[Any]) -> str:
    """A list as a sum of its runs."""
    runs = [(text, len(list(same))) for text, same in groupby(map(repr, values))]
    if all(count == 1 for _, count in runs) or len(values) < 3:
        return f"[{', '.join(map(repr, values))}]"
    return " + ".join(f"[{text}]*{count}" if count > 1 else f"[{text}]" for text, count in runs)


def outcome_text(outcome: Outcome) -> str:
    """What came of a call, for a reader."""
    return listed(outcome.value) if outcome.kind == VALUE else str(outcome)[:LONGEST]


def stops(stopped: Mapping[str, str]) -> str:
    """How the target was stopped, and at which input first."""
    return "; ".join(f"the target was stopped ({how}) at {listed(at)}" for how, at in stopped.items())


def stability(task: Task, alpha: Fraction) -> Stability:
    """The judge of the fields `space`, `claim`, `seconds`, `pairs`, `seed` and `exceptions`."""
    target = the_target(task)
    f = Fields(task.fields)
    default = asdict(Settings())
    given = Settings(
        float(f.of("seconds", (int, float), "a number of seconds", default["seconds"])),
        f.whole("pairs", default["pairs"]), f.whole("seed", default["seed"], least=0),
        f.of("exceptions", bool, "true or false", default["exceptions"]),
    )  # fmt: skip
    found = Stability(target, space(f), claim(f), given)
    f.done()
    return found


def claim(f: Fields) -> Claim:
    """{input = "l2", d_in = 2, output = "l2", d_out = "2"}; without d_out the library's own map is judged."""
    inner = f.table("claim")
    bound = inner.number("d_out", None)
    found = Claim(inner.text("input"), inner.number("d_in"), inner.text("output"), None if bound is None else (bound,))
    inner.done()
    if found.output in MEASURES:
        raise TaskError(f"claim.output must be a metric, got the measure {found.output}")
    return found


KIND = Kind(stability, statistical=False)
