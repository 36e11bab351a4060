"""Theorems that no rule of the kernel made: a step of a genuine derivation with other data, premises or conclusion.

A forger works outside the kernel.  What stands above a forged step is kept as it is, or redone by the kernel's own
rules, which take the forged step for a theorem.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import Any

from refdp.kernel.judgements import Holds, Judgement, KernelError, Law, Private, Refuted, Stable, Tail
from refdp.kernel.theorem import RULES, Theorem
from refdp.rocq.claims import WRITERS
from refdp.terms.reading import read
from refdp.terms.term import Term, name, names, number

NUMBER = re.compile(r"\d+(?:/\d+)?")
ROCQ = "x : R), True. Proof. exact (fun _ => I). Qed. Axiom all_of_it : (forall y : R, False"
"""A name, or a word, that is text for the prover."""
TAKEN = ("R", "Z", "PI", "at", "fix", "pure", "always", "the_square", "the_root", "the_vector", "the_table", "the_row",
         "the_input", "input", "output", "place", "total", "told", "M", "previous", "row__", "coordinate__", "total__",
         "square__", "root__", "z", "z_", "weight", "ratio", "level", "d_in", "e", "x", "claim0", "found",
         "_")  # fmt: skip
"""Names that formulas, statements or proofs have for something else, and one that is no name for the prover."""
MEASURES: Mapping[str, Callable[[tuple[Term, ...]], Iterator[tuple[str, tuple[Term, ...]]]]] = {
    "pure": lambda d: iter((("concentrated", (d[0] ** 2 / 8,)), ("gaussian", (d[0] ** 2,)))),
    "approximate": lambda d: iter((("pure", d[:1]), ("approximate", (d[0], number(0))))),
    "concentrated": lambda d: iter((("pure", d), ("renyi", (number(2), d[0])), ("gaussian", d))),
    "renyi": lambda d: iter((("pure", d[1:]), ("concentrated", (d[1] / d[0] / 2,)), ("renyi", (d[0] * 2, d[1])))),
    "gaussian": lambda d: iter((("pure", d), ("concentrated", (d[0] / 4,)))),
}
"""Measure -> claims under one that say more."""


def theorem(like: Theorem, **fields: Any) -> Theorem:
    """A theorem that no rule made: another one with some of its fields replaced."""
    made = object.__new__(Theorem)
    for slot in Theorem.__slots__:
        object.__setattr__(made, slot, fields.get(slot, getattr(like, slot)))
    return made


def steps(root: Theorem) -> list[Theorem]:
    """A theorem and what it rests on, premises first, each once."""
    found: dict[int, Theorem] = {}

    def visit(t: Theorem) -> None:
        if id(t) not in found:
            for p in t.premises:
                visit(p)
            found[id(t)] = t

    visit(root)
    return list(found.values())


@dataclass(frozen=True)
class Genuine:
    """A claim of the ledger, or the answer to a question, and its theorem."""

    claim: str
    sentence: str
    theorem: Theorem
    is_whole: bool
    """Whether its file proves it, be it from premises that solvers proved."""
    size: int
    """How many characters its file has."""


@dataclass(frozen=True)
class Forged:
    """A forged theorem, the step of which it was made, the genuine theorem beside it, and what was changed."""

    theorem: Theorem
    rule: str
    kind: str
    how: str
    genuine: Genuine
    instead_of: Theorem
    """The genuine theorem in whose place the forged one stands."""
    words: tuple[str, str] | None = None
    """The sentence and the formal claim under which it is written, if these are forged."""


OF_TEXTS = ("program_is_private", "runs_stay_related", "engine_proves", "query_moves_too_far", "engine_refutes")
"""The rules whose steps are about a text, with evidence that an engine works with: their data say what is claimed."""
LONGEST = 40_000
"""Most characters of a file about a text that is forged."""


@dataclass
class Pool:
    """All genuine steps that are written for the prover, by their rules, and what forgers take from them."""

    claims: Sequence[Genuine]
    sites: dict[str, list[tuple[Genuine, Theorem]]] = field(init=False)

    def __post_init__(self) -> None:
        self.sites = {rule: [] for rule in WRITERS}
        for one in self.claims:
            for step in steps(one.theorem):
                if step.rule in self.sites and (step.rule not in OF_TEXTS or one.size <= LONGEST):
                    self.sites[step.rule].append((one, step))

    @cached_property
    def all(self) -> list[Theorem]:
        """Every step that is written."""
        return [step for found in self.sites.values() for _, step in found]

    @cached_property
    def obligations(self) -> list[Theorem]:
        """Every step that proves an obligation."""
        return [step for step in self.all if isinstance(step.claim, Holds)]

    def like(self, random: Random, step: Theorem) -> Theorem:
        """Another step by the same rule, if there is one."""
        return random.choice(self.sites[step.rule])[1]


Change = tuple[str, dict[str, Any]]
Kind = Callable[[Random, Theorem, Pool], Change | None]
"""What is changed in a step, and its new fields; nothing where the step has no such part."""


# What a step is made with.


def _data(step: Theorem, how: str, /, **changed: Any) -> Change:
    return how, {"data": MappingProxyType({**step.data, **changed})}


def _key(random: Random, step: Theorem, wanted: Callable[[str, Any], bool]) -> str | None:
    """A key of the data whose value is of that kind."""
    found = sorted(key for key, value in step.data.items() if wanted(key, value))
    return random.choice(found) if found else None


def other_number(random: Random, written: str) -> str:
    """A text with one of its numbers made another; as it is where it has none."""
    found = list(NUMBER.finditer(written))
    if not found:
        return written
    one = random.choice(found)
    value = Fraction(one[0])
    other = random.choice((Fraction(0), value * 2, value + 1, value - 1, value / 2, value * 999 / 1000, -value))
    text = str(other) if other >= 0 else f"({other})"
    return f"{written[: one.start()]}{text}{written[one.end() :]}"


def another_weight(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """Another number in a sum of an obligation's certificate."""
    cases = list(step.data.get("cases", ()))
    if not cases:
        return None
    at = random.randrange(len(cases))
    cases[at] = other_number(random, cases[at])
    return _data(step, f"another number in sum {at}", cases=cases)


def other_sums(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """The sums of an obligation without one, in another order, none of them, or those of another obligation."""
    cases = list(step.data.get("cases", ()))
    if not cases:
        return None
    at = random.randrange(len(cases))
    how, other = random.choice((
        ("a sum dropped", cases[:at] + cases[at + 1 :]),
        ("a sum twice", [*cases[: at + 1], *cases[at:]]),
        ("the sums turned around", cases[::-1]),
        ("no sum", []),
        ("the sums of another obligation", list(pool.like(random, step).data.get("cases", ()))),
        ("a sum of nothing", [*cases[:at], "vanishes()", *cases[at + 1 :]]),
    ))  # fmt: skip
    return _data(step, how, cases=other)


def another_digest(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """The digest of another obligation, or one that is none."""
    digest = step.data.get("digest")
    if digest is None:
        return None
    at = random.randrange(len(digest))
    spoilt = digest[:at] + random.choice([c for c in "0123456789abcdef" if c != digest[at]]) + digest[at + 1 :]
    return _data(step, "another digest", digest=random.choice((spoilt, pool.like(random, step).data["digest"], "")))


def another_obligation(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """The name of another obligation, with its digest, while the conclusion stays."""
    if "obligation" not in step.data:
        return None
    other = random.choice(pool.obligations).data
    digest = random.choice((other["digest"], step.data["digest"]))
    return _data(step, f"the obligation {other['obligation']}", obligation=other["obligation"], digest=digest)


def other_values(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """Another value for a name, none for one, or two exchanged."""
    key = "values" if "values" in step.data else "parameters"
    values = dict(step.data.get(key) or {})
    if not values:
        return None
    one, other = random.choice(sorted(values)), random.choice(sorted(values))
    match random.randrange(4):
        case 0:
            how, values = f"no value for {one}", {key: v for key, v in values.items() if key != one}
        case 1 if one != other:
            how, values = f"{one} and {other} exchanged", {**values, one: values[other], other: values[one]}
        case 2:
            how, values = f"{one} is a name", {**values, one: random.choice(("y", other, "previous"))}
        case _:
            how, values = f"another {one}", {**values, one: other_number(random, values[one])}
    return _data(step, how, **{key: values})


WITNESSES = ("a", "b", "event")


def another_witness(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """Another input or event of a counterexample, none, or the two inputs exchanged."""
    key = _key(random, step, lambda key, value: key in WITNESSES)
    if key is None:
        return None
    how = f"another {key}"
    match random.randrange(4):
        case 0 if key != "event":
            other = {"a": "b", "b": "a"}[key]
            return _data(step, f"{other} for {key}", **{key: step.data[other]})
        case 1:
            return _data(step, f"an empty {key}", **{key: "tuple_of()"})
        case 2:
            found = pool.like(random, step).data.get(key)
            return _data(step, how, **{key: found}) if found else None
    return _data(step, how, **{key: other_number(random, step.data[key])})


NUMERIC = (
    "k", "delta", "epsilon", "order", "rate", "sample", "size", "n", "factor", "step", "squared", "d_in", "d_out",
    "losses", "total", "loss", "bound", "conditions", "question", "evidence", "arguments",
)  # fmt: skip


def another_number(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """Another number among the data of a step."""
    key = _key(random, step, lambda key, value: key in NUMERIC)
    if key is None:
        return None
    value = step.data[key]
    if isinstance(value, str):
        return _data(step, f"another {key}", **{key: random.choice((other_number(random, value), f"{value}/1000"))})
    if not value:
        return None
    at = random.randrange(len(value))
    rest = random.choice((value[:at], [*value[:at], other_number(random, value[at]), *value[at + 1 :]], [*value, "0"]))
    return _data(step, f"other {key}", **{key: list(rest)})


WORDS: Mapping[str, tuple[str, ...]] = {
    "stem": (
        "laplace", "gaussian", "discrete_laplace", "discrete_gaussian", "randomised_response", "clamped_sum", "count",
    ),
    "measure": ("pure", "approximate", "concentrated", "gaussian"),
    "neighbours": ("add_remove", "change_one"),
    "norm": ("l1", "l2", "linf", "absolute"),
    "near": ("l1", "l2", "linf", "one_coordinate", "window_2"),
    "far": ("l1", "l2", "linf"),
    "metric": ("absolute", "l1", "l2", "discrete"),
    "vector": ("yes", "no"),
    "sized": ("yes", "no"),
    "exactly": ("yes", "no"),
    "inverted": ("yes", "no"),
    "sharp": ("yes", "no"),
    "event": ("at_least", "more_than"),
    "adjacency": ("ALL", "L1", "ONE", "MONO"),
    "tables": ("lists", "multisets"),
    "kind": ("sensitivity", "program", "smooth_sensitivity"),
    "rows": ("reals()", "bounded(1, 0, 7)"),
    "function": ("laplace_mechanism", "main"),
    "domain": ("table(rows)", "finite(2)", "reals()"),
    "subject": ("randomised_response(3/4)", "linear(tuple_of(tuple_of(1)))"),
    "claim": ("private(randomised_response(3/4), finite(2), discrete(1), pure(ln(2)))",),
}  # fmt: skip


def another_word(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """Another word among the data of a step: one that the rule knows, none, or text for the prover."""
    key = _key(random, step, lambda key, value: key in WORDS and value not in ("", None) and key not in WITNESSES[:2])
    if key is None or (key == "event" and "a" in step.data):
        return None
    other = random.choice((*WORDS[key] * 2, "", "no_such_word", ROCQ))
    return _data(step, f"{key} {other[:40]!r}", **{key: other})


def another_text(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """The text, the function or the evidence of another step, no evidence, or others who are said to vouch for it."""
    if step.rule not in OF_TEXTS:
        return None
    other = pool.like(random, step).data
    keys = random.choice((("source",), ("source", "function"), ("function",), ("evidence",), ("by",), ("nothing",)))
    told: dict[str, Any] = {key: other.get(key, step.data.get(key)) for key in keys}
    if keys == ("by",):
        told = {"by": random.choice(([], ["*) Axiom none : False. (*"], [*step.data["by"], "z3 *)"], ["nobody"]))}
    if keys == ("nothing",):
        told = {"evidence": random.choice(("", "{}", '{"alignments": []}', '{"invariants": {"relations": []}}'))}
    return _data(step, f"other {', '.join(told)}", **told)


def dropped_data(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """Data without one of its keys, or none at all, or those of another step by the same rule."""
    if not step.data:
        return None
    key = random.choice(sorted(step.data))
    return random.choice((
        (f"no {key}", {"data": MappingProxyType({k: v for k, v in step.data.items() if k != key})}),
        ("no data", {"data": MappingProxyType({})}),
        ("the data of another step", {"data": pool.like(random, step).data}),
    ))  # fmt: skip


def another_rule(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """Another rule, with the data that it takes or those of the step."""
    other = random.choice(sorted(RULES)) if random.random() < 0.2 else random.choice(sorted(WRITERS))
    if pool.sites.get(other) and random.random() < 0.5:
        return f"by {other}, with its data", {"rule": other, "data": random.choice(pool.sites[other])[1].data}
    return f"by {other}", {"rule": other}


# Premises.


def fewer_premises(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """Premises without one of them, or none."""
    if not step.premises:
        return None
    at = random.randrange(len(step.premises))
    without = step.premises[:at] + step.premises[at + 1 :]
    how, rest = random.choice(((f"without premise {at}", without), ("without premises", ())))
    return how, {"premises": rest}


def exchanged_premises(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """Premises in another order."""
    if len(step.premises) < 2:
        return None
    order = random.sample(step.premises, len(step.premises))
    return "premises exchanged", {"premises": tuple(order)}


def doubled_premise(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """A premise twice, beside the others or in the place of one."""
    if not step.premises:
        return None
    one, at = random.choice(step.premises), random.randrange(len(step.premises))
    more = (*step.premises[:at], one, *step.premises[at:])
    instead = (*step.premises[:at], one, *step.premises[at + 1 :])
    return random.choice((("a premise twice", {"premises": more}), ("a premise for another", {"premises": instead})))


def another_premise(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """A premise of another claim in the place of one, or where there was none."""
    alike = pool.obligations if step.premises and isinstance(step.premises[0].claim, Holds) else pool.all
    other = random.choice(random.choice((alike, pool.all)))
    if not step.premises:
        return "a premise where there is none", {"premises": (other,)}
    at = random.randrange(len(step.premises))
    return f"premise {at} is another's", {"premises": (*step.premises[:at], other, *step.premises[at + 1 :])}


def stronger_premise(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """A premise that says more than is proved of it."""
    found = [at for at, p in enumerate(step.premises) if isinstance(p.claim, Private | Stable)]
    if not found:
        return None
    at = random.choice(found)
    p = step.premises[at]
    change = random.choice((less_loss, farther, without_a_condition))(random, p, pool)
    if change is None:
        return None
    forged = theorem(p, **change[1])
    return f"premise {at}: {change[0]}", {"premises": (*step.premises[:at], forged, *step.premises[at + 1 :])}


# Conclusions.


def _inner(claim: Judgement) -> tuple[Judgement, bool]:
    """The claim that a conclusion is about, and whether it refutes it."""
    return (claim.claim, True) if isinstance(claim, Refuted) else (claim, False)


def _said(step: Theorem, how: str, inner: Judgement) -> Change:
    """The change of the claim that a conclusion is about."""
    claim = Refuted(inner) if isinstance(step.claim, Refuted) else inner  # type: ignore[arg-type]
    return how, {"claim": claim}


def _greater(random: Random, t: Term) -> Term:
    """A number, or a little more or much more."""
    return random.choice((t * 2, t + 1, t * number(Fraction(1001, 1000))))


def _less(random: Random, t: Term) -> Term:
    """A number, or a little less or much less."""
    return random.choice((t / 2, t * number(Fraction(999, 1000)), t / 1_000_000, number(0)))


def farther(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """Inputs that are farther apart; where a claim is refuted, that are nearer."""
    inner, refutes = _inner(step.claim)
    if not isinstance(inner, Private | Stable):
        return None
    d_in = _less(random, inner.d_in) if refutes else _greater(random, inner.d_in)
    return _said(step, f"d_in {d_in}", replace(inner, d_in=d_in))


def less_loss(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """A smaller loss, or distance of outputs, or probability of an error; where a claim is refuted, a greater one."""
    inner, refutes = _inner(step.claim)
    moved = _greater if refutes else _less
    if isinstance(inner, Tail):
        if random.random() < 0.5:
            return _said(step, "another beta", replace(inner, beta=moved(random, inner.beta)))
        return _said(step, "another threshold", replace(inner, threshold=moved(random, inner.threshold)))
    if not isinstance(inner, Private | Stable):
        return None
    first = 1 if isinstance(inner, Private) and inner.measure == "renyi" else 0
    if len(inner.d_out) <= first:
        return None
    at = random.randrange(first, len(inner.d_out))
    less = moved(random, inner.d_out[at])
    return _said(step, f"d_out {less}", replace(inner, d_out=(*inner.d_out[:at], less, *inner.d_out[at + 1 :])))


def stronger_measure(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """A measure, or a metric of inputs or outputs, that says more."""
    inner, _ = _inner(step.claim)
    if isinstance(inner, Private) and inner.measure in MEASURES and random.random() < 0.6:
        measure, losses = random.choice(list(MEASURES[inner.measure](inner.d_out)))
        return _said(step, f"under {measure}", replace(inner, measure=measure, d_out=losses))
    metrics = ("symmetric", "change_one", "hamming", "l1", "l2", "linf", "absolute", "discrete", "one_coordinate")
    if isinstance(inner, Stable) and random.random() < 0.5:
        metric = random.choice(metrics)
        return _said(step, f"outputs in {metric}", replace(inner, output_metric=metric))
    if isinstance(inner, Private | Stable):
        metric = random.choice(metrics)
        return _said(step, f"inputs in {metric}", replace(inner, metric=metric))
    if isinstance(inner, Tail):
        event = random.choice(("at_least", "more_than", "no_event", ROCQ))
        bound = random.choice(("at_most", "probability", "no_bound"))
        error = random.choice((inner.error, inner.error, "another_error"))
        return _said(step, f"{error}, {event[:20]}, {bound}", replace(inner, error=error, event=event, bound=bound))
    if isinstance(inner, Law):
        kind = random.choice(("normalised", "sampler_law", "finite_sensitivity", "unbounded_loss"))
        return _said(step, kind, replace(inner, kind=kind))
    return None


def wider(d: Term, random: Random) -> Term:
    """A domain that has more members, or others."""
    match d.operator, d.arguments:
        case (("table" | "vector" | "sized_table"), (inner, *rest)) if random.random() < 0.6:
            return Term(d.operator, (wider(inner, random), *rest))
        case (("finite" | "category"), (size,)):
            return Term(d.operator, (size + 1,))
        case "vector", (inner, size):
            return Term("vector", (inner, size + 1))
        case "sized_table", (rows, size):
            return random.choice((Term("table", (rows,)), Term("sized_table", (rows, size + 1))))
        case "interval", (lower, upper):
            return random.choice((Term("reals"), Term("interval", (lower - 1, upper * 2))))
        case "bounded", (step, lower, upper):
            return random.choice((Term("grid", (step,)), Term("interval", (lower, upper))))
        case "grid", (step,):
            return random.choice((Term("reals"), Term("grid", (step / 2,))))
        case "name", ():
            return random.choice((Term("reals"), Term("records"), name("other_rows")))
    return random.choice((Term("reals"), Term("grid", (number(1),)), Term("finite", (number(3),))))


def wider_domain(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """A domain with more members, or others; of outputs, one with fewer."""
    inner, _ = _inner(step.claim)
    if isinstance(inner, Stable) and random.random() < 0.4:
        d = wider(inner.output_domain, random)
        return _said(step, f"outputs in {d}", replace(inner, output_domain=d))
    if isinstance(inner, Private | Stable | Tail):
        d = wider(inner.domain, random)
        return _said(step, f"inputs in {d}", replace(inner, domain=d))
    return None


def put(t: Term, path: tuple[int, ...], new: Term) -> Term:
    """A term with the part at that place replaced, nothing carried out."""
    if not path:
        return new
    at = path[0]
    return Term(t.operator, (*t.arguments[:at], put(t.arguments[at], path[1:], new), *t.arguments[at + 1 :]), t.value)


def places(t: Term, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Term]]:
    """Every part of a term, with its place."""
    yield path, t
    for at, one in enumerate(t.arguments):
        yield from places(one, (*path, at))


def another_subject(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """A subject one of whose parameters is another, or one of whose parts is dropped or twice."""
    inner, _ = _inner(step.claim)
    if not isinstance(inner, Private | Stable | Tail | Law):
        return None
    subject = inner.subject
    leaves = [(path, one) for path, one in places(subject) if one.operator in ("number", "name") and path]
    if leaves and random.random() < 0.75:
        path, one = random.choice(leaves)
        other = random.choice((one * 2, one / 2, one + 1, one - 1, number(0), -one))
        return _said(step, f"{other} for {one}", replace(inner, subject=put(subject, path, other)))
    path, one = random.choice(list(places(subject)))
    if not one.arguments:
        return None
    at = random.randrange(len(one.arguments))
    rest = random.choice((
        (*one.arguments[:at], *one.arguments[at + 1 :]),
        (*one.arguments[: at + 1], *one.arguments[at:]),
        one.arguments[::-1],
    ))  # fmt: skip
    changed = put(subject, path, Term(one.operator, rest, one.value))
    return _said(step, f"{str(changed)[:80]}", replace(inner, subject=changed))


def without_a_condition(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """A claim without one of its conditions, or with one that asks for less; where it is refuted, with one more."""
    inner, refutes = _inner(step.claim)
    if not isinstance(inner, Private | Stable | Tail | Law):
        return None
    if refutes:
        more = read(random.choice(("1 <= 0", "0 < 1", "integer(1/2)", "1 <= d_in")))
        return _said(step, f"under {more}", replace(inner, given=(*inner.given, more)))
    if not inner.given:
        return None
    at = random.randrange(len(inner.given))
    one = inner.given[at]
    less = [Term("<=", one.arguments)] if one.operator == "<" and random.random() < 0.4 else []
    given = (*inner.given[:at], *less, *inner.given[at + 1 :])
    return _said(step, f"without {one}" if not less else f"{less[0]} for {one}", replace(inner, given=given))


def another_conclusion(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """The conclusion of another step, of the same rule or of any."""
    other = random.choice((pool.like(random, step), random.choice(pool.all))).claim
    return f"concludes {str(other.term)[:80]}", {"claim": other}


def about_another_obligation(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """A conclusion about another obligation, by its name, its digest, or both, with fitting data or not."""
    inner, _ = _inner(step.claim)
    if not isinstance(inner, Holds):
        return None
    other = random.choice(pool.obligations)
    name_, digest = other.data["obligation"], other.data["digest"]
    stem, _, key = name_.partition(".")
    how, claim = random.choice((
        ("of another name", replace(inner, stem=stem, name=key)),
        ("of another digest", replace(inner, digest=digest)),
        ("another obligation", Holds(stem, key, digest)),
    ))  # fmt: skip
    if random.random() < 0.5:
        fitting = {"obligation": f"{claim.stem}.{claim.name}", "digest": claim.digest}
        return f"{how}, in the data too", {**_said(step, how, claim)[1], **_data(step, how, **fitting)[1]}
    return _said(step, how, claim)


def turned_around(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """What is refuted as a conclusion, or a conclusion refuted."""
    if isinstance(step.claim, Refuted):
        return "what it refutes", {"claim": step.claim.claim}
    return "refuted", {"claim": Refuted(step.claim)}


def renamed(t: Term, new: Mapping[str, str]) -> Term:
    """A term with names replaced, bound ones too, nothing carried out."""
    if t.operator == "name":
        return Term("name", (), new.get(str(t.value), str(t.value)))
    return Term(t.operator, tuple(renamed(one, new) for one in t.arguments), t.value)


def with_names(claim: Judgement, new: Mapping[str, str]) -> Judgement:
    """A claim with its names replaced."""
    if isinstance(claim, Refuted):
        return Refuted(with_names(claim.claim, new))  # type: ignore[arg-type]
    fields: dict[str, Any] = {}
    for key in claim.__dataclass_fields__:
        value = getattr(claim, key)
        if isinstance(value, Term):
            fields[key] = renamed(value, new)
        elif isinstance(value, tuple):
            fields[key] = tuple(renamed(one, new) for one in value)
    return replace(claim, **fields)


def another_name(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """A name that is another's too, that something else has, that two become one by, or that is text for the prover."""
    own = sorted(names(step.claim.term))
    if not own:
        return None
    one, other = random.choice(own), random.choice(own)
    match random.randrange(5):
        case 0 if one != other:
            new = {one: other}
        case 1 if one != other:
            word = random.choice(("R", "at", "pure"))
            new = {one: word, other: f"{word}_"}
        case 2:
            new = {one: random.choice((ROCQ, "x y", "x : R) (y", "", "a.b", "0"))}
        case _:
            new = {one: random.choice(TAKEN)}
    return f"names {', '.join(f'{k}: {v[:20]}' for k, v in new.items())}", {"claim": with_names(step.claim, new)}


def one_part_more(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """A part too many: a number of the loss, an argument, a term of a sum; or a loss without numbers."""
    inner, _ = _inner(step.claim)
    more = number(random.choice((0, 1, 1000)))
    options: list[tuple[str, Judgement]] = []
    if isinstance(inner, Private | Stable):
        options += [("a loss more", replace(inner, d_out=(*inner.d_out, more))), ("no loss", replace(inner, d_out=()))]
        d = Term(inner.domain.operator, (*inner.domain.arguments, more), inner.domain.value)
        options.append(("an argument more of the domain", replace(inner, domain=d)))
        options.append(("a sum of three in d_in", replace(inner, d_in=Term("+", (inner.d_in, number(0), more)))))
        options.append(("a power of three in d_in", replace(inner, d_in=Term("negate", (-inner.d_in, more)))))
    if isinstance(inner, Private | Stable | Tail | Law):
        path, one = random.choice(list(places(inner.subject)))
        changed = put(inner.subject, path, Term(one.operator, (*one.arguments, more), one.value))
        options.append(("an argument more of the subject", replace(inner, subject=changed)))
    if isinstance(inner, Law):
        options.append(("a law that says more", replace(inner, said=(*inner.said, more))))
    if not options:
        return None
    return _said(step, *random.choice(options))


def other_losses(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """A sequence of mechanisms one of which is under another measure, or an order that is another."""
    inner, _ = _inner(step.claim)
    if not isinstance(inner, Private) or inner.subject.operator not in ("rounds", "filtered"):
        return None
    parts = list(inner.subject.arguments)
    at = random.randrange(len(parts))
    loss = random.choice(("concentrated(1)", "pure(1)", "renyi(7, 1)", "approximate(1, 0)", "gaussian(1)", "pure(0)"))
    parts[at] = read(loss)
    parts += [read(loss)] if random.random() < 0.3 else []
    subject = Term(inner.subject.operator, tuple(parts))
    return _said(step, f"{loss} at {at}", replace(inner, subject=subject))


def all_at_once(random: Random, step: Theorem, pool: Pool) -> Change | None:
    """Data and conclusion that are changed alike, as far as a forger can make them fit."""
    first = random.choice((another_number, other_values, another_witness, another_word))(random, step, pool)
    then = random.choice((less_loss, farther, another_subject, without_a_condition))(random, step, pool)
    if first is None or then is None:
        return None
    return f"{first[0]}; {then[0]}", {**first[1], **then[1]}


SENTENCES = (
    "The last theorem of this file is the claim.",
    "It is so: the last theorem of this file is the claim.  The last\n theorem of this  file is the claim.",
    "Proved here is what the claim's certificate proves of numbers, and not the claim:",
    "Nothing of it is proved here:",
    "*) Axiom none : False. (*",
    "(*) Axiom none : False. (**) Theorem none : False. Proof. Admitted. (*",
    'a "string that never ends',
    "(* a comment in it",
    "** )*)(*(",
    "",
)
"""Sentences that say of their file what may not be so, or that end its comment."""


def other_words(random: Random, genuine: Genuine, pool: Pool) -> tuple[str, str]:
    """Another sentence on a claim, and at times a formal claim that is another's, or such words."""
    formal = random.choice(("", "", random.choice(pool.all).claim.term, random.choice(SENTENCES)))
    return random.choice(SENTENCES), str(formal)


SENTENCE = "sentence"
"""The kind of forgery that leaves the theorem as it is."""
KINDS: Mapping[str, Kind] = {
    "weight": another_weight,
    "sums": other_sums,
    "digest": another_digest,
    "obligation": another_obligation,
    "values": other_values,
    "witness": another_witness,
    "number": another_number,
    "word": another_word,
    "data": dropped_data,
    "text": another_text,
    "rule": another_rule,
    "premise dropped": fewer_premises,
    "premises exchanged": exchanged_premises,
    "premise doubled": doubled_premise,
    "premise of another": another_premise,
    "premise says more": stronger_premise,
    "d_in": farther,
    "d_out": less_loss,
    "measure": stronger_measure,
    "domain": wider_domain,
    "subject": another_subject,
    "condition": without_a_condition,
    "conclusion of another": another_conclusion,
    "obligation concluded": about_another_obligation,
    "turned around": turned_around,
    "name": another_name,
    "part more": one_part_more,
    "losses": other_losses,
    "all at once": all_at_once,
    SENTENCE: lambda random, step, pool: ("other words", {}),
}
"""Kind of forgery -> what makes one."""


# Derivations.


def redone(step: Theorem, premises: tuple[Theorem, ...]) -> Theorem:
    """A step on other premises, concluded by the kernel's rule, which takes them for theorems; as it is otherwise."""
    try:
        return RULES[step.rule](*premises, **step.data)
    except (KernelError, TypeError):
        return theorem(step, premises=premises)


def rebuilt(root: Theorem, old: Theorem, new: Theorem, anew: bool) -> Theorem:
    """A derivation with one step replaced; what rests on it is kept, or concluded anew."""
    made: dict[int, Theorem] = {}
    for step in steps(root):
        premises = tuple(made[id(p)] for p in step.premises)
        if step is old:
            made[id(step)] = new
        elif all(a is b for a, b in zip(premises, step.premises, strict=True)):
            made[id(step)] = step
        else:
            made[id(step)] = redone(step, premises) if anew else theorem(step, premises=premises)
    return made[id(root)]


def differs(step: Theorem, fields: Mapping[str, Any]) -> bool:
    """Whether a change changes anything."""
    return any(
        dict(value) != dict(step.data) if key == "data" else value != getattr(step, key)
        for key, value in fields.items()
    )  # fmt: skip


def forged(random: Random, pool: Pool, rule: str, kind: str, tries: int = 30) -> Forged | None:
    """A forgery of that kind of a step by that rule; nothing where no step has what is to be changed."""
    for _ in range(tries):
        genuine, step = random.choice(pool.sites[rule])
        try:
            change = KINDS[kind](random, step, pool)
        except (ValueError, ArithmeticError, KeyError):  # a change that makes no term
            continue
        if kind == SENTENCE:
            words = other_words(random, genuine, pool)
            return Forged(theorem(step), rule, kind, f"{words}", genuine, step, words)
        if change is None or not differs(step, change[1]):
            continue
        new = theorem(step, **change[1])
        if genuine.is_whole and step is not genuine.theorem and random.random() < 0.5:
            root = rebuilt(genuine.theorem, step, new, random.random() < 0.5)
            return Forged(root, rule, kind, change[0], genuine, genuine.theorem)
        return Forged(new, rule, kind, change[0], genuine, step)
    return None


def forgeries(pool: Pool, count: int, seed: int) -> Iterator[Forged]:
    """So many forgeries: by turns of the next rule and of the next kind, the pair of both being one that is seldom."""
    rules, kinds = sorted(rule for rule, found in pool.sites.items() if found), sorted(KINDS)
    pairs = {(rule, kind): 0 for rule in rules for kind in kinds}
    made = turn = 0
    while made < count:
        wanted = (kinds if turn % 2 else rules)[turn // 2 % len(kinds if turn % 2 else rules)]
        random, turn = Random(f"{seed} {turn}"), turn + 1
        while here := [pair for pair in pairs if wanted in pair]:
            least = min(pairs[pair] for pair in here)
            pair = random.choice([pair for pair in here if pairs[pair] == least])
            if (one := forged(random, pool, *pair)) is not None:
                pairs[pair] += 1
                made += 1
                yield one
                break
            del pairs[pair]
        if not pairs:
            raise LookupError("there is nothing to forge")
