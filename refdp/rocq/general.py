"""Claims about all mechanisms as theorems of Rocq, with variables for the mechanisms.

    forall (Row : Type) (rows : Row -> Prop) (O P : space) (M : mechanism (Tables.table Row) O) ... (a b d_in : R),
      private ... M (pure a) -> private ... N (pure b) -> private ... J (pure (a + b))

Outcomes are any: nothing asks them to be countable.  Where mechanisms draw independently, J is any mechanism that tells
what they do, as the product measure does (proofs/rocq/General.v).  A table is a list, so where a rule reads parts or
samples of one, that its mechanisms see no order is a premise: refdp's tables have none.  Only what is written out here
is exported; a claim about other subjects, domains or measures is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from refdp.general import General, applied
from refdp.kernel.judgements import Private
from refdp.rocq import claims, columns, judgements, stability
from refdp.rocq.terms import ATOM, BOUND, PLACE, NotInRocq, count, name_of, proposition, real, whole
from refdp.rocq.writing import Export
from refdp.terms.reading import read
from refdp.terms.term import Term, name, names, number

LIBRARY, CLAIMS = "General", "ConversionClaims"
METRICS = ("symmetric", "change_one")
ROWS = "rows"
"""The name that stands for any domain of rows."""
TAKEN = frozenset({
    "Row", "O", "P", "Q", "J", "E", "S", "R", "Z", "tell", "draws", "unordered", "apply_", "measurable", "found",
    "some", "counted", "the_input", "mechanism", "space", "law",
})  # fmt: skip
"""What statements and proofs call their own things: no number and no mechanism of a claim is called so."""
SPACES = ("O", "P")
"""The spaces of the outcomes of the mechanisms, in their order."""


@dataclass(slots=True)
class Subject:
    """The mechanism that a claim concludes about: what else it is made of, what is known of that, and itself."""

    written: str
    binders: list[str] = field(default_factory=list)
    premises: dict[str, str] = field(default_factory=dict)
    """Name of the premise -> what it says."""


def general_file(claim: General, line: str, identifier: str, sentence: str) -> dict[str, Any]:
    """The file for a claim about all mechanisms, of the form of `refdp.rocq.claims.file_of`.

    Its status is WHOLE, or NOTHING with the reason where the library has no words for the claim.
    """
    rule = line.partition("(")[0]
    export, missing = Export(), dict[str, str]()
    try:
        _write(export, claim, line)
    except NotInRocq as reason:
        export, missing = Export(), {rule: str(reason)}
    status = claims.NOTHING if missing else claims.WHOLE
    about, last = (identifier, sentence, str(claim)), None if missing else STATED
    return claims.as_file(export, about, status, missing, [last] if last else [], last)


Proof = Callable[["_Statement", Mapping[str, Any]], list[str]]
"""Writes the tactics that leave `found`, given the data with which the rule is applied."""
STATED = "for_all_mechanisms"
"""What the theorem is called."""


def general_line(found: Mapping[str, Any]) -> str:
    """The line of proofs/rocq/rules.lock about such a file: claim, status, a digest of it without its first comment."""
    digest = sha256("\n".join((*claims.prelude(found["modules"]), *found["body"])).encode()).hexdigest()[:16]
    return f"general {found['claim']} {found['status']} {digest}"


def _write(export: Export, claim: General, line: str) -> None:
    """Add the theorem; NotInRocq where it cannot be stated."""
    rule, _, data = applied(line, claim)
    show = claim.show
    if rule not in PROOFS:
        raise NotInRocq(f"what the rule {rule} says of all mechanisms is not written for Rocq yet")
    if any(m.given for m in claim.given):
        raise NotInRocq("a hypothesis with conditions of its own is not written for Rocq yet")
    s = _Statement(export, claim)
    subject = _subject(s, show.subject)
    export.uses(LIBRARY, "Tables", CLAIMS)
    binders = list(_binders(s, subject))
    premises = _premises(s, subject)
    lines = (
        f"forall {' '.join(binders)},",
        *(f"    {premise} ->" for premise in premises.values()),
        f"    {s.private(show, subject.written)}",
    )
    called = [one for b in binders for one in re.findall(r"\w+", b.partition(":")[0])]
    proof = [f"intros {' '.join((*called, *premises))}.", *PROOFS[rule](s, data), f"{CLAIMS}.conclude found."]
    export.says(STATED, "\n".join(lines), proof, f"rule {rule}")


def _binders(s: _Statement, subject: Subject) -> Iterator[str]:
    """What the theorem is about: rows, outcomes, mechanisms, what the subject is made of, numbers."""
    if s.rows == name(ROWS):
        yield from ("(Row : Type)", f"({ROWS} : Row -> Prop)")
    variables = s.claim.mechanisms
    spaces = SPACES[: len(variables)]
    yield f"({' '.join(spaces)} : space)"
    for variable, space in zip(variables, spaces, strict=True):
        yield f"({variable} : mechanism ({s.table}) {space})"
    yield from subject.binders
    yield from _numbers(s)


def _premises(s: _Statement, subject: Subject) -> dict[str, str]:
    """What the theorem asks for: name -> what it says; an order of Renyi divergences is above 1, as refdp has them."""
    conditions = [judgements.bracketed(proposition(t, s.integers)) for t in s.given]
    renyi = [m.d_out[0] for m in (*s.claim.given, s.claim.show) if m.measure == "renyi"]
    orders = [f"1 < {s.number(order)}" for order in dict.fromkeys(renyi)]
    conditions = [*(one for one in orders if one not in conditions), *conditions]
    hypotheses = [s.private(m, v) for m, v in zip(s.claim.given, s.claim.mechanisms, strict=True)]
    return {
        **subject.premises,
        **{f"condition{i}": one for i, one in enumerate(conditions)},
        **{f"claim{i}": one for i, one in enumerate(hypotheses)},
    }


class _Statement:
    """A claim that is being written: its numbers, which of them are whole, and its rows."""

    def __init__(self, export: Export, claim: General) -> None:
        self.export, self.claim, self.rows, show = export, claim, _rows(claim), claim.show
        row = "Row" if self.rows == name(ROWS) else stability.row_type(self.rows)
        self.table = f"Tables.table {row}"
        is_whole = [t for t in show.given if t.operator == "integer" and t.arguments[0].operator == "name"]
        self.integers = frozenset(str(t.arguments[0].value) for t in is_whole)
        self.given = [t for t in show.given if t not in is_whole]

    def number(self, t: Term) -> str:
        """A number of the claim, in brackets where it needs them."""
        return real(t, self.integers, ATOM)

    def inside(self) -> str:
        """That a row lies in the domain of rows."""
        return ROWS if self.rows == name(ROWS) else stability.inside(self.export, self.rows, self.integers)

    def near(self, m: Private) -> str:
        """The relation of neighbouring tables, in brackets."""
        if m.metric not in METRICS or m.domain.operator not in ("table", "sized_table"):
            raise NotInRocq(f"{m.metric} on {m.domain.operator} is not written for all mechanisms yet")
        of = f"Tables.table_of {self.inside()}"
        if m.domain.operator == "sized_table":
            of = f"Tables.sized_table_of {self.inside()} {count(m.domain.arguments[1], self.integers)}"
        return f"(Tables.restricted ({of}) (Tables.{m.metric} {self.number(m.d_in)}))"

    def private(self, m: Private, subject: str) -> str:
        """A private claim of a subject that is written."""
        loss = judgements.measure(self.export, m.measure, m.d_out, self.integers)
        return f"private {self.near(m)} {subject} {loss}"

    def unordered(self, variable: str) -> str:
        """The premise that a mechanism sees no order of the rows."""
        self.export.uses("Rounds")
        return f"Rounds.unordered (Tables.table_of {self.inside()}) {variable}"


def _rows(claim: General) -> Term:
    """The domain of rows that all of a claim is about."""
    found = {m.domain.arguments[0] for m in (*claim.given, claim.show) if m.domain.arguments}
    if len(found) != 1 or not found <= {name(ROWS), read("records()")}:
        raise NotInRocq("a claim about all mechanisms is written for any rows, or for records")
    return found.pop()


def _numbers(s: _Statement) -> Iterator[str]:
    """The numbers of a claim, as they are quantified over."""
    used = {v for m in (*s.claim.given, s.claim.show) for v in names(m.term)}
    found = sorted(used - {*s.claim.mechanisms, ROWS})
    bound = {v for v in found if v in BOUND or PLACE in v}
    if taken := sorted({*found, *s.claim.mechanisms} & TAKEN | bound):
        raise NotInRocq(f"{taken[0]} is bound in statements, and no name of a claim")
    if len(set(map(name_of, found))) < len(found):
        raise NotInRocq(f"two of the names {', '.join(found)} are one in Rocq")
    if some := [v for v in found if v not in s.integers]:
        yield f"({' '.join(map(name_of, some))} : R)"
    if some := [v for v in found if v in s.integers]:
        yield f"({' '.join(map(name_of, some))} : Z)"


# Subjects


def _subject(s: _Statement, t: Term) -> Subject:
    """The mechanism that is concluded about; NotInRocq for one of another form."""
    variables = s.claim.mechanisms
    if t == name(variables[0]) and len(variables) == 1:
        return Subject(variables[0])
    if t.operator not in SUBJECTS:
        raise NotInRocq(f"{t.operator} is not written for all mechanisms yet")
    at, of = SUBJECTS[t.operator]
    if t.arguments[at:] != tuple(map(name, variables)) and t.operator != "repeated":
        raise NotInRocq(f"{t} is not written for all mechanisms yet")
    return of(s, t)


def _compose(s: _Statement, t: Term) -> Subject:
    """Two mechanisms that draw independently."""
    if len(t.arguments) != 2:
        raise NotInRocq("more than two mechanisms are not written for Rocq yet")
    first, second = s.claim.mechanisms
    return _together(s, first, second, {})


def _together(s: _Statement, first: str, second: str, premises: Mapping[str, str]) -> Subject:
    """J, which tells what two mechanisms tell that draw independently."""
    return Subject(
        "J",
        ["(Q : space)", "(tell : O -> P -> Q)", f"(J : mechanism ({s.table}) Q)"],
        {**premises, "draws": f"{LIBRARY}.independent tell {first} {second} J"},
    )


def _repeated(s: _Statement, t: Term) -> Subject:
    """J k, which tells what so many independent runs tell."""
    (variable,) = s.claim.mechanisms
    if t.arguments[0] != name(variable):
        raise NotInRocq(f"{t} is not written for all mechanisms yet")
    return Subject(
        f"(J {count(t.arguments[1], s.integers)})",
        [
            "(Q : nat -> space)",
            "(tell : forall n, O -> Q n -> Q (S n))",
            f"(J : forall n, mechanism ({s.table}) (Q n))",
        ],
        {"draws": f"{LIBRARY}.independent_runs tell {variable} J"},
    )


def _post_process(s: _Statement, t: Term) -> Subject:
    """Any function of the outcome that can be integrated."""
    if t.arguments[0].operator != "user_function":
        raise NotInRocq("post-processing is written for any function, not for one that is known")
    s.export.uses(LIBRARY)
    (variable,) = s.claim.mechanisms
    return Subject(
        f"(fun the_input => {LIBRARY}.image apply_ measurable ({variable} the_input))",
        ["(P : space)", "(apply_ : O -> P)", f"(measurable : {LIBRARY}.measurable apply_)"],
    )


def _parallel(s: _Statement, t: Term) -> Subject:
    """Two mechanisms, each of the rows that a column tells to be its own."""
    split = _partition(s.export, t.arguments[0])
    if len(t.arguments) != 3:
        raise NotInRocq("more than two parts are not written for Rocq yet")
    first, second = s.claim.mechanisms
    orders = {f"order_of_{v}": s.unordered(v) for v in s.claim.mechanisms}
    one, other = (f"(fun the_input => {v} (Rounds.part {split} {i} the_input))" for i, v in enumerate((first, second)))
    return _together(s, one, other, orders)


def _partition(export: Export, t: Term) -> str:
    """Which part a record is in, by the text of a column, in brackets."""
    if t.operator != "category_of" or t.arguments[2] != number(len(t.arguments[1].arguments)):
        raise NotInRocq("parts are written for the texts of a column")
    export.uses(columns.LIBRARY)
    column, *labels = (columns.text(export, one) for one in (t.arguments[0], *t.arguments[1].arguments))
    return f"({columns.LIBRARY}.category_of {column} [{'; '.join(labels)}])"


def _poisson_sampled(s: _Statement, t: Term) -> Subject:
    """A mechanism on a random sample of the rows."""
    (variable,) = s.claim.mechanisms
    s.export.uses(CLAIMS)
    run = f"({CLAIMS}.on_poisson_sample {s.number(t.arguments[0])} {variable})"
    return Subject(run, premises={"unordered": s.unordered(variable)})


def _fixed_size_sampled(s: _Statement, t: Term) -> Subject:
    """A mechanism on so many of the rows."""
    (variable,) = s.claim.mechanisms
    s.export.uses("Sampling")
    run = f"(Sampling.on_fixed_size_sample {count(t.arguments[0], s.integers)} {variable})"
    return Subject(run, premises={"unordered": s.unordered(variable)})


SUBJECTS: Mapping[str, tuple[int, Callable[[_Statement, Term], Subject]]] = {
    "compose": (0, _compose),
    "repeated": (0, _repeated),
    "post_process": (1, _post_process),
    "parallel": (1, _parallel),
    "poisson_sampled": (1, _poisson_sampled),
    "fixed_size_sampled": (1, _fixed_size_sampled),
}
"""Operator -> at which argument the mechanisms begin, and what writes it."""


# Proofs


def _found(theorem: str) -> str:
    """What a theorem says of the premises; what it asks for besides them is proved at once."""
    return f"unshelve epose proof ({theorem}) as found; [> {CLAIMS}.side .. ]."


def _by(theorem: str, *modules: str) -> Proof:
    """A proof by a theorem of the library."""

    def write(s: _Statement, _: Mapping[str, Any]) -> list[str]:
        s.export.uses(*modules)
        return [_found(theorem)]

    return write


def _post_processed(s: _Statement, _: Mapping[str, Any]) -> list[str]:
    """Losses of what is told are those of what was told before."""
    measure = s.claim.show.measure
    if measure not in ("pure", "approximate"):
        raise NotInRocq(f"post-processing under {measure} is not written for all mechanisms yet")
    numbers = "_ _" if measure == "approximate" else "_"
    return [_found(f"{LIBRARY}.post_process_{measure} _ _ apply_ measurable {numbers} claim0")]


def _composed(s: _Statement, _: Mapping[str, Any]) -> list[str]:
    """Losses of independent draws add up."""
    order = "_ _ _ condition0" if s.claim.show.measure == "renyi" else "_ _ _ _"
    order = "_ _" if s.claim.show.measure in ("pure", "concentrated") else order
    return [_found(f"{LIBRARY}.compose_{s.claim.show.measure} _ tell _ _ J draws {order} claim0 claim1")]


def _repeats(s: _Statement, _: Mapping[str, Any]) -> list[str]:
    """So many losses."""
    if s.claim.show.measure != "pure":
        raise NotInRocq(f"repeated runs under {s.claim.show.measure} are not written for all mechanisms yet")
    times = whole(s.claim.show.subject.arguments[1], s.integers)
    return [_found(f"{LIBRARY}.compose_many_pure _ tell _ J _ {times} draws _ claim0")]


def _in_parts(s: _Statement, data: Mapping[str, Any]) -> list[str]:
    """The worst of two losses, or twice that."""
    if s.claim.show.measure != "pure":
        raise NotInRocq(f"parts under {s.claim.show.measure} are not written for all mechanisms yet")
    called = "parallel_pure" if data["neighbours"] == "add_remove" else "parallel_replaced"
    split = _partition(s.export, s.claim.show.subject.arguments[0])
    first = f"{LIBRARY}.{called} _ {split} tell _ _ J order_of_{s.claim.mechanisms[0]}"
    return [_found(f"{first} order_of_{s.claim.mechanisms[1]} draws _ _ claim0 claim1")]


def _grouped(s: _Statement, data: Mapping[str, Any]) -> list[str]:
    """More rows added or removed."""
    m, show = s.claim.given[0], s.claim.show
    if (m.domain.operator, m.metric) != ("table", "symmetric") or m.measure not in GROUPED:
        raise NotInRocq(f"{m.metric} on {m.domain.operator}, under {m.measure}, is not written for all mechanisms yet")
    times, near = whole(read(data["k"]), s.integers), whole(m.d_in, s.integers)
    counts = f"(Z.to_nat {near}) (Z.to_nat {times}) _ {s.number(show.d_in)}"
    lines = [
        f"assert (some : 1 <= IZR {times}) by {CLAIMS}.condition.",
        f"pose proof ({CLAIMS}.count_of {times} some) as counted. apply {CLAIMS}.count_positive in some.",
        _found(f"{CLAIMS}.group_{m.measure} _ _ {counts} some _ _ {GROUPED[m.measure]} claim0"),
    ]
    if m.measure == "approximate":
        lines.append(f"rewrite Rounds.powers_closed in found by {CLAIMS}.condition.")
    s.export.uses("Rounds")
    return [*lines, "rewrite ?counted in found."]


GROUPED = {"pure": "_", "approximate": "_ _", "concentrated": "_"}
"""Measure -> what the library's theorem is told of losses."""


def _at(theorem: str, after: str, *modules: str) -> Proof:
    """A conversion, at the delta of the conclusion."""

    def write(s: _Statement, _: Mapping[str, Any]) -> list[str]:
        s.export.uses(*modules)
        return [_found(f"{theorem} {s.number(s.claim.show.d_out[-1])} {after} claim0")]

    return write


def _replaced(s: _Statement, _: Mapping[str, Any]) -> list[str]:
    """A replaced row is one removed and one added."""
    return [_found(f"{CLAIMS}.replaced_rows _ _ {s.number(s.claim.show.d_in)} _ _ _ claim0")]


def _on_poisson_sample(s: _Statement, _: Mapping[str, Any]) -> list[str]:
    """Each row with one probability."""
    _require_pure(s)
    rate = s.number(s.claim.show.subject.arguments[0])
    return [_found(f"{CLAIMS}.poisson_sampled_pure _ _ {rate} _ _ _ unordered claim0")]


def _on_fixed_size_sample(s: _Statement, _: Mapping[str, Any]) -> list[str]:
    """So many rows of so many."""
    _require_pure(s)
    show = s.claim.show
    drawn, size = (whole(t, s.integers) for t in (show.subject.arguments[0], show.domain.arguments[1]))
    return [_found(f"{CLAIMS}.fixed_size_sampled_pure _ _ {drawn} {size} _ _ _ unordered claim0")]


def _require_pure(s: _Statement) -> None:
    """Return if the conclusion is under pure DP; else NotInRocq."""
    if s.claim.show.measure != "pure":
        raise NotInRocq(f"samples under {s.claim.show.measure} are not written for all mechanisms yet")


PROOFS: Mapping[str, Proof] = {
    "post_process": _post_processed,
    "compose": _composed,
    "compose_many": _repeats,
    "parallel": _in_parts,
    "group": _grouped,
    "pure_to_approximate": _by("claim0"),
    "pure_to_concentrated": _by("RenyiOfPure.pure_to_concentrated _ _ _ _ claim0", "RenyiOfPure"),
    "concentrated_to_approximate": _at("Renyi.concentrated_to_approximate _ _ _", "_", "Renyi"),
    "renyi_to_approximate": _at("Renyi.renyi_to_approximate _ _ _ _", "_ _", "Renyi"),
    "poisson_sampled": _on_poisson_sample,
    "fixed_size_sampled": _on_fixed_size_sample,
    "replaced_rows": _replaced,
}
"""Rule -> what proves that it holds for all mechanisms: tactics that leave `found`."""
