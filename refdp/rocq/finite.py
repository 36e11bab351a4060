"""Laws on finitely many outcomes for Rocq: listed masses, randomised response and its like, several in a row, and what
refutes a claim about them.

A law at an input that is written down is proved to be a list of outcomes and masses, in rational numbers; what a
refutation compares are then sums.  FiniteClaims.v has what subjects and domains are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from refdp.kernel.judgements import Holds, Private, Refuted, Stable
from refdp.kernel.theorem import Theorem
from refdp.rocq import judgements, noise, stability
from refdp.rocq.terms import ATOM, NotInRocq, count, name_of, plugged, real, whole
from refdp.rocq.writing import Export, Writers
from refdp.spec import registry
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.finite import FiniteLaw
from refdp.spec.formulas import Formula
from refdp.spec.rates import BitOfRate
from refdp.spec.semantics import data, exact_outcome, law
from refdp.spec.supported import SupportedLaw
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, names, number

Integers = frozenset[str]
LIBRARY = "FiniteClaims"


def at(f: Formula, subject: Term, integers: Integers, *own: str) -> str:
    """A formula of a subject, with its arguments for the parameters; `own` are names that it is a function of."""
    arguments = registry.bound(registry.kind_of(subject.operator), subject)
    for one in arguments.values():
        if names(one) & set(own):
            raise NotInRocq(f"{one} bears the name of an input or an outcome")
    return real(plugged(f.term, arguments), integers, 200)


# What subjects are.


def _listed(export: Export, t: Term, integers: Integers) -> str:
    """A mechanism by its rows of masses."""
    export.uses(LIBRARY)
    match t.arguments:
        case (Term("tuple_of", rows),) if all(r.operator == "tuple_of" for r in rows):
            written = "; ".join(f"[{'; '.join(real(m, integers) for m in row.arguments)}]" for row in rows)
            return f"FiniteClaims.by_rows [{written}]"
    raise NotInRocq("a listed mechanism has rows of masses")


def _finite_law(export: Export, t: Term, integers: Integers) -> str:
    """A mechanism by the formula of its masses."""
    export.uses(LIBRARY)
    kind = registry.lookup(t.operator, FiniteLaw)
    size = whole(plugged(kind.size.term, registry.bound(kind, t)), integers)
    mass = at(kind.pmf, t, integers, "output", "input")
    return f"FiniteClaims.by_masses {size} (fun output input => {mass})"


def _bit_of_rate(export: Export, t: Term, integers: Integers) -> str:
    """A bit by the formula of its rate."""
    export.uses(LIBRARY)
    kind = registry.lookup(t.operator, BitOfRate)
    return f"FiniteClaims.by_rate (fun input => {at(kind.rate, t, integers, 'input')})"


def _bits(export: Export, t: Term, integers: Integers) -> str:
    """Independent bits, likelier where the input sets them."""
    export.uses(LIBRARY)
    kind = registry.lookup(t.operator, BitwiseLaw)
    kept, raised = (f"({at(f, t, integers)})" for f in (kind.kept, kind.raised))
    size = _counted(kind.dimension, t, integers)
    if kind.relation != "value":
        if kind.sent is not None:
            raise NotInRocq("some bits of a filter are not written down yet")
        return f"FiniteClaims.bits_of_filter {kept} {raised} {size}"
    if kind.sent is None:
        return f"FiniteClaims.bits_of_value {kept} {raised} {size}"
    return f"FiniteClaims.bits_sent_of_value {kept} {raised} {size} {_counted(kind.sent, t, integers)}"


def _counted(f: Formula, t: Term, integers: Integers) -> str:
    """What a formula of a subject counts, a natural number."""
    return f"(Z.to_nat {_sized(f, t, integers)})"


def _sized(f: Formula, t: Term, integers: Integers) -> str:
    """What a formula of a subject counts, a whole number."""
    return whole(plugged(f.term, registry.bound(registry.kind_of(t.operator), t)), integers)


def _supported(export: Export, t: Term, integers: Integers) -> str:
    """A report that supports the input, or one that does not."""
    export.uses(LIBRARY)
    kind = registry.lookup(t.operator, SupportedLaw)
    told, size = f"({at(kind.told, t, integers)})", _sized(kind.size, t, integers)
    chosen = "" if kind.chosen is None else f" {_sized(kind.chosen, t, integers)}"
    return f"FiniteClaims.{SUPPORTS[kind.support]}_told {told} {size}{chosen}"


SUPPORTS = {"subset": "subset", "hadamard": "column", "hadamard_entry": "entry", "one_bit": "bucket"}
"""What reports a relation of refdp's is of -> what FiniteClaims.v calls them."""


def _subject(export: Export, t: Term, integers: Integers) -> str:
    """A part of a subject, in brackets."""
    return judgements.subject(export, t, integers)


def _composed(export: Export, t: Term, integers: Integers) -> str:
    """Independent draws of several mechanisms from one input."""
    if "input" in names(t):
        raise NotInRocq(f"{t} bears the name of an input")
    if len(t.arguments) < 2 or not all(map(tells_plainly, t.arguments[:-1])):
        raise NotInRocq("not each mechanism of the composition is known to have plain outcomes")
    *others, last = (_subject(export, m, integers) for m in t.arguments)
    written = f"{last} input"
    for one in reversed(others):
        written = f"both ({one} input) (always ({written}))"
    return f"fun input => {written}"


def _repeated(export: Export, t: Term, integers: Integers) -> str:
    """Independent draws of one mechanism."""
    export.uses(LIBRARY)
    m, times = t.arguments
    if not tells_plainly(m):
        raise NotInRocq(f"{m.operator} is not known to have plain outcomes")
    return f"FiniteClaims.repeated {_subject(export, m, integers)} {count(times, integers)}"


def _reports_of_one(export: Export, t: Term, integers: Integers) -> str:
    """Independent reports of one outcome."""
    export.uses(LIBRARY)
    m, n, times = t.arguments
    if not (tells_plainly(m) and tells_plainly(n)):
        raise NotInRocq(f"{m.operator} and {n.operator} are not known to have plain outcomes")
    kept, reporting = (_subject(export, one, integers) for one in (m, n))
    if m.operator in FILTERS:
        reporting = f"(FiniteClaims.from_bits {reporting})"
    elif m.operator not in NUMBERS:
        raise NotInRocq(f"the outcomes of {m.operator} are no inputs yet")
    return f"FiniteClaims.reports_of_one {kept} {reporting} {count(times, integers)}"


def tells_plainly(t: Term) -> bool:
    """Whether any function of the outcomes of a mechanism is an observable."""
    match t.operator, t.arguments:
        case "chain", (_, second):
            return tells_plainly(second)
        case operator, _:
            return operator in NUMBERS | VALUES | FILTERS | SUPPORTED


NUMBERS = frozenset({"listed", "randomised_response", "k_ary_randomised_response", "one_bit_mean"})
"""The mechanisms here whose outcomes are numbers, any function of which is an observable."""
VALUES = frozenset({"optimised_unary_encoding", "symmetric_unary_encoding"})
FILTERS = frozenset({"permanent_response", "rappor"})
"""Those that report bits of a value, and of a filter."""
SUPPORTED = frozenset({"subset_selection", "hadamard_response", "hadamard_entry_response", "one_bit_flip"})
"""Those that report what supports a value."""


# Which inputs are near.


def _inside(export: Export, d: Term, integers: Integers) -> str:
    """That an input lies in a domain, in brackets."""
    export.uses(LIBRARY, "Tables")
    return f"(FiniteClaims.{d.operator} {' '.join(real(a, integers, ATOM) for a in d.arguments)})"


def _near(metric: str) -> Callable[[Export, Term, Term, Integers], str]:
    """What writes the relation of numbers of a domain that are within the distance."""

    def write(export: Export, inputs: Term, distance: Term, integers: Integers) -> str:
        inside = _inside(export, inputs, integers)
        return f"Tables.restricted {inside} (Tables.{metric} {real(distance, integers, ATOM)})"

    return write


def _filters(metric: str) -> Callable[[Export, Term, Term, Integers], str]:
    """What writes the relation of vectors that are within the distance, of finitely many numbers or of others."""

    def write(export: Export, inputs: Term, distance: Term, integers: Integers) -> str:
        one, size = inputs.arguments
        if one.operator != "finite":
            others = stability.NEAR.get(("vector", metric), noise.NEAR["vector", metric])
            return others(export, inputs, distance, integers)
        n = f"{count(size, integers)}"
        inside = f"(FiniteClaims.vector_of {_inside(export, one, integers)} {n})"
        return f"Tables.restricted {inside} (Tables.{metric} {n} {real(distance, integers, ATOM)})"

    return write


SUBJECTS: Mapping[str, Callable[[Export, Term, Integers], str]] = {
    **dict.fromkeys(("d_bit_flip", *sorted(VALUES | FILTERS)), _bits),
    **dict.fromkeys(sorted(SUPPORTED), _supported),
    "listed": _listed,
    "randomised_response": _finite_law,
    "k_ary_randomised_response": _finite_law,
    "one_bit_mean": _bit_of_rate,
    "compose": _composed,
    "repeated": _repeated,
    "reports_of_one": _reports_of_one,
}
NEAR: Mapping[tuple[str, str], Callable[[Export, Term, Term, Integers], str]] = {
    ("finite", "discrete"): _near("discrete"),
    ("category", "discrete"): _near("discrete"),
    ("interval", "discrete"): _near("discrete"),
    ("finite", "absolute"): _near("absolute"),
    ("vector", "l1"): _filters("l1"),
    ("vector", "exchange"): _filters("exchange"),
}


# Laws at inputs that are written down.


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The outcomes of a mechanism: a number, or a tuple of such; `repeated` where they are so many of one kind."""

    parts: tuple[Outcomes, ...] = ()
    repeated: bool = False
    bits: bool = False

    def space(self) -> str:
        """The space of the library, in brackets."""
        if not self.parts:
            return "(plain (list bool))" if self.bits else "(plain R)"
        if self.repeated:
            return f"(Rounds.power {self.parts[0].space()} (Z.to_nat {len(self.parts)}))"
        *others, last = (p.space() for p in self.parts)
        for one in reversed(others):
            last = f"(product {one} {last})"
        return last

    def code(self, outcome: str) -> Iterator[str]:
        """Lists of the whole numbers that tell an outcome."""
        if not self.parts:
            yield f"FiniteClaims.bit_codes {outcome}" if self.bits else f"[Int_part {outcome}]"
        for index, part in enumerate(self.parts):
            ends = index == len(self.parts) - 1 and not self.repeated
            yield from part.code(outcome if ends else f"(fst {outcome})")
            outcome = f"(snd {outcome})"


def outcomes_of(t: Term) -> Outcomes:
    """What the outcomes of a closed mechanism look like."""
    match t.operator, t.arguments:
        case "compose", parts:
            return Outcomes(tuple(map(outcomes_of, parts)))
        case "repeated", (m, times):
            return Outcomes((outcomes_of(m),) * int(times.rational), True)
        case "reports_of_one", (_, n, times):
            return Outcomes((outcomes_of(n),) * int(times.rational), True)
        case operator, _ if operator in NUMBERS:
            return Outcomes()
        case operator, _ if operator in VALUES | FILTERS:
            return Outcomes(bits=True)
    raise NotInRocq(f"the outcomes of {t.operator} are not written down yet")


def value(x: Any) -> str:
    """An input, or an outcome, in brackets where it is no whole number >= 0."""
    if isinstance(x, Fraction):
        return real(number(x), (), ATOM)
    if isinstance(x, tuple) and all(bit in (0, 1) for bit in x):
        return f"(FiniteClaims.as_vector {_booleans(x)})"
    raise NotInRocq(f"{x} is no number")


def _booleans(bits: Sequence[Any]) -> str:
    """A list of bits."""
    return f"[{'; '.join('true' if bit == 1 else 'false' for bit in bits)}]"


def masses(t: Term, x: Any) -> str:
    """The list of outcomes and masses of a mechanism at an input."""
    try:
        found = law(t, x)
    except TermError as reason:
        raise NotInRocq(f"the masses of {t.operator} are not rational: {reason}") from None
    return f"[{'; '.join(f'({value(Fraction(y))}, {value(Fraction(p))})' for y, p in found.items())}]"


@dataclass(slots=True)
class Laws:
    """Proof lines that state the laws of subjects at inputs, each once: what is drawn -> the fact, and its masses."""

    export: Export
    lines: list[str] = field(default_factory=list)
    known: dict[str, tuple[str, str]] = field(default_factory=dict)

    def of(self, t: Term, x: Any) -> str:
        """The fact of a subject's law at an input."""
        return self._stated(t, x)[1]

    def _stated(self, t: Term, x: Any) -> tuple[str, str, str]:
        """What is drawn, the fact of its law, and its masses."""
        match t.operator, t.arguments:
            case "compose", parts:
                *others, (drawn, fact, told) = [self._stated(m, x) for m in parts]
                for one, law_of_one, masses_of_one in reversed(others):
                    drawn, told = f"both ({one}) (always ({drawn}))", f"(FiniteClaims.with_each {masses_of_one} {told})"
                    fact = self._fact(drawn, told, f"exact (FiniteClaims.both_law _ _ _ _ {law_of_one} {fact})")
                return drawn, fact, told
            case "repeated", (m, times):
                _, fact, told = self._stated(m, x)
                k = f"{count(times, frozenset())}"
                drawn = f"{_subject(self.export, t, frozenset())[1:-1]} {value(x)}"
                told = f"(FiniteClaims.in_a_row {told} {k})"
                return drawn, self._fact(drawn, told, f"exact (FiniteClaims.repeated_law _ _ _ _ {fact})"), told
            case "reports_of_one", (m, n, times):
                _, fact, told = self._stated(m, x)
                repeated = Term("repeated", (n, times))
                ys = sorted(law(m, x), reverse=m.operator in FILTERS)  # the order of bit_masses, and that of numbers
                reported = [self._stated(repeated, exact_outcome(y)) for y in ys]
                drawn = f"{_subject(self.export, t, frozenset())[1:-1]} {value(x)}"
                told = f"(FiniteClaims.of_one {told} [{'; '.join(one for _, _, one in reported)}])"
                each = "".join(f"constructor; [exact {one} |]; " for _, one, _ in reported)
                proof = f"(apply (FiniteClaims.then_law _ _ _ _ {fact}); {each}constructor)"
                return drawn, self._fact(drawn, told, proof), told
            case operator, _ if operator in NUMBERS:
                drawn = f"{_subject(self.export, t, frozenset())[1:-1]} {value(x)}"
                told = masses(t, x)
                tactic = "by_row_law" if operator == "listed" else "by_masses_law"
                return drawn, self._fact(drawn, told, f"FiniteClaims.{tactic}"), told
            case operator, _ if operator in VALUES | FILTERS:
                drawn = f"{_subject(self.export, t, frozenset())[1:-1]} {value(x)}"
                kind = registry.lookup(operator, BitwiseLaw)
                kept, raised = (f"({at(f, t, frozenset())})" for f in (kind.kept, kind.raised))
                size = int(evaluate(kind.dimension.term, registry.values(kind, t)))
                told = f"(FiniteClaims.bit_masses {kept} {raised} {_booleans(kind.filter(x, size))})"
                lemma = "value" if operator in VALUES else "filter"
                proof = f"(apply FiniteClaims.bits_of_{lemma}_law; lra)"
                return drawn, self._fact(drawn, told, proof), told
        raise NotInRocq(f"the law of {t.operator} at an input is not written down yet")

    def _fact(self, drawn: str, told: str, proof: str) -> str:
        """State a law, if it is not yet stated; what it is called."""
        if drawn not in self.known:
            self.known[drawn] = (f"law_{len(self.known) + 1}", told)
            self.lines += [
                f"assert ({self.known[drawn][0]} : FiniteClaims.has_law ({drawn}) {told})",
                f"  by {proof}.",
            ]
        return self.known[drawn][0]


# Refutations.

EVENTS = {
    "pure": "unlikely_elsewhere_pure",
    "approximate": "unlikely_elsewhere",
    "ratio": "unlikely_elsewhere_ratio",
}
"""Measure -> the library's theorem for an event that breaks a claim under it."""


def stated(export: Export, step: Theorem, proof: Sequence[str]) -> str:
    """Add the theorem of a step with its proof; its name."""
    number_of_theorems = sum(line.startswith("Theorem ") for line in export.lines)
    called = f"{step.rule}_{number_of_theorems + 1}"
    return export.says(called, judgements.said(export, step.claim), proof, step.rule)


def unlikely_elsewhere(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """An event that is much likelier at one of two near inputs."""
    claim = step.claim.claim if isinstance(step.claim, Refuted) else None
    if not isinstance(claim, Private) or claim.measure not in EVENTS:
        raise NotInRocq("an event that breaks such a claim is not written down yet")
    a, b, event = (data(read(step.data[key])) for key in ("a", "b", "event"))
    shape = outcomes_of(claim.subject)
    codes = "; ".join(f"[{'; '.join(code(y))}]" for y in event)
    told = " ++ ".join(shape.code("o"))
    export.uses("Finite", "Rounds", LIBRARY)
    found = Laws(export)
    facts = [found.of(claim.subject, x) for x in (a, b)]
    proof = [
        f"apply (Finite.{EVENTS[claim.measure]} (O := {shape.space()}) _ _ {value(a)} {value(b)}",
        f"  (fun o : {shape.space()} => FiniteClaims.among ({told}) [{codes}]%Z)).",
        f"- FiniteClaims.{'nearby_filters' if isinstance(a, tuple) else 'nearby'}.",
        "- apply FiniteClaims.event_tested. FiniteClaims.all_observable.",
        f"- {found.lines[0]}",
        *(f"  {line}" for line in found.lines[1:]),
        f"  cbv beta. rewrite {facts[0]}, {facts[1]}. clear.",
        "  FiniteClaims.counted_laws. number.",
    ]
    return stated(export, step, proof)


def code(outcome: Any) -> Iterator[str]:
    """The whole numbers that tell an outcome."""
    if isinstance(outcome, tuple):
        for one in outcome:
            yield from code(one)
    elif isinstance(outcome, Fraction | int) and Fraction(outcome).denominator == 1:
        yield str(outcome) if outcome >= 0 else f"({outcome})"
    else:
        raise NotInRocq(f"{outcome} is no whole number")


def false_instance(export: Export, step: Theorem, premises: Sequence[str]) -> str:
    """A claim for all values whose instance is false."""
    from refdp.rocq.statements import value_of

    claim = step.claim.claim if isinstance(step.claim, Refuted) else None
    if not isinstance(claim, Private | Stable):
        raise NotInRocq("an instance of such a claim is not written down yet")
    given, integers, free = judgements.conditions(claim.term, claim.given)
    values = {key: read(written) for key, written in step.data["values"].items()}
    chosen = " ".join(value_of(values[v], v in integers) for v in free)
    export.uses(LIBRARY)
    proof = [f"intro claim. apply {premises[0]}. pose proof (claim {chosen}) as instance. clear claim."]
    for condition in given:
        proof.append("match type of instance with ?given -> _ =>")
        proof.append(f"  let known := fresh in assert (known : given) by {_met(condition, values)};")
        proof.append("  specialize (instance known); clear known end.")
    proof.append("FiniteClaims.says_no_less instance.")
    return stated(export, step, proof)


def _met(condition: Term, values: Mapping[str, Term]) -> str:
    """A tactic that proves a condition at these values."""
    if condition.operator == "multiple":
        a, b = (Fraction(evaluate(plugged(t, values), {})) for t in condition.arguments)
        return f"(exists ({a / b})%Z; FiniteClaims.same_numbers)"
    return "FiniteClaims.condition"


# Claims.


def finite_mechanism(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """A claim about every pair of near inputs, of which there are finitely many."""
    claim = step.claim
    if not isinstance(claim, Private) or claim.domain.operator != "finite":
        raise NotInRocq("the members of such a domain are not written down yet")
    members = [Fraction(i) for i in range(int(claim.domain.arguments[0].rational))]
    if outcomes_of(claim.subject).parts:
        raise NotInRocq("laws of several outcomes are not compared mass by mass yet")
    export.uses("Finite", LIBRARY)
    found = Laws(export)
    facts = [found.of(claim.subject, x) for x in members]
    law_of = " | ".join(f"exact {fact}" for fact in facts)
    proof = [
        *found.lines,
        "intros a b (A & B & near). apply FiniteClaims.finite_members in A, B.",
        "FiniteClaims.each A; FiniteClaims.each B;",
        f"  first [FiniteClaims.laws_compared ltac:(first [{law_of}]) | FiniteClaims.too_far near].",
    ]
    return stated(export, step, proof)


def _opened(step: Theorem) -> tuple[Private, list[str]]:
    """The claim of a step, and the first proof line: its names and conditions."""
    claim = step.claim
    if not isinstance(claim, Private):
        raise NotInRocq("such a claim is not written down yet")
    given, _, free = judgements.conditions(claim.term, claim.given)
    opening = f"intros {' '.join((*map(name_of, free), *(f'given_{i}' for i in range(len(given)))))}."
    return claim, [opening] if free else []


def _known(premise: Theorem, called: str) -> list[str]:
    """Proof lines that conclude by an obligation, whose names are in the context."""
    from refdp.kernel.rules.statements import pinned
    from refdp.rocq.terms import in_order
    from refdp.spec.goals import goal

    claim = premise.claim
    if not isinstance(claim, Holds):
        raise NotInRocq("such a premise is not written down yet")
    statement = pinned(f"{claim.stem}.{claim.name}", claim.digest)
    chosen = " ".join(map(name_of, in_order(statement, goal(statement).integers)))
    return [
        f"  pose proof ({called} {chosen}) as known. FiniteClaims.supposed known.",
        "  FiniteClaims.concluded known.",
    ]


def finite_law(export: Export, step: Theorem, premises: Sequence[str]) -> str:
    """Masses that are a law, and not far apart at any two inputs."""
    claim, opening = _opened(step)
    kind = registry.lookup(step.data["stem"], FiniteLaw)
    _, integers = _names(claim)
    size = whole(kind.size.term, integers)
    mass, cumulative = (real(f.term, integers, 200) for f in (kind.pmf, kind.cumulative))
    export.uses("Finite", LIBRARY)
    proof = [
        *opening,
        f"apply (FiniteClaims.finite_law {size} (fun output input => {mass})",
        f"  (fun output input => {cumulative})).",
        "- intros output input [] [].",
        *_known(step.premises[0], premises[0]),
        "- intros output input [] [].",
        *_known(step.premises[1], premises[1]),
        "- intros input [].",
        *_known(step.premises[2], premises[2]),
        "- intros output a b [] [] [].",
        *_known(step.premises[3], premises[3]),
    ]
    return stated(export, step, proof)


def _names(claim: Private) -> tuple[list[str], Integers]:
    """The names of a claim in order, and those of whole numbers."""
    _, integers, free = judgements.conditions(claim.term, claim.given)
    return free, integers


def bit_of_rate(export: Export, step: Theorem, premises: Sequence[str]) -> str:
    """A rate that is a probability, and bits that are not much likelier at any one input."""
    _, opening = _opened(step)
    export.uses(LIBRARY)
    proof = [
        *opening,
        "apply FiniteClaims.bit_of_rate.",
        "- intros input ? ?.",
        *_known(step.premises[1], premises[1]),
        "- intros a b ? ? ? ?.",
        *_known(step.premises[2], premises[2]),
    ]
    return stated(export, step, proof)


def bitwise_law(export: Export, step: Theorem, premises: Sequence[str]) -> str:
    """Bits that are not much likelier at any one input."""
    _, opening = _opened(step)
    kind = registry.lookup(step.data["stem"], BitwiseLaw)
    named = f"value{'' if kind.sent is None else '_sent'}" if kind.relation == "value" else kind.relation
    sent = [] if kind.sent is None else ["- apply FiniteClaims.nat_below.", *_known(step.premises[0], premises[0])]
    proof = [
        *opening,
        f"apply FiniteClaims.bitwise_{named}.",
        "-",
        *_known(step.premises[1], premises[1]),
        *sent,
        "-",
        *_known(step.premises[2], premises[2]),
    ]
    return stated(export, step, proof)


def supported_law(export: Export, step: Theorem, premises: Sequence[str]) -> str:
    """Reports that support an input, and others, that are not much likelier at any one input."""
    _, opening = _opened(step)
    kind = registry.lookup(step.data["stem"], SupportedLaw)
    counts = [line for _ in range(3 if kind.chosen else 1) for line in ("-", *_known(step.premises[0], premises[0]))]
    last = _known(step.premises[2], premises[2])
    middle = ["-", *last, *counts] if kind.chosen is None else [*counts, "-", *last]
    proof = [
        *opening,
        f"apply FiniteClaims.supported_{SUPPORTS[kind.support]}.",
        "-",
        *_known(step.premises[1], premises[1]),
        *middle,
    ]
    return stated(export, step, proof)


WRITERS: Writers = {
    "bitwise_law": bitwise_law,
    "supported_law": supported_law,
    "finite_mechanism": finite_mechanism,
    "finite_law": finite_law,
    "bit_of_rate": bit_of_rate,
    "unlikely_elsewhere": unlikely_elsewhere,
    "false_instance": false_instance,
}
