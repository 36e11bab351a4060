"""Functions of the rows of a file: missing cells, columns as numbers or labels, each in its declared domain.

refdp runs them as code.  The library defines them (proofs/rocq/Records.v); texts, such as the names of columns, become
definitions of the file.  A rule speaks of any column and any domain, and is written so; a claim about a column of its
own is written with the function that moves a cell into the domain that was declared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from refdp.kernel.judgements import Judgement, Stable
from refdp.kernel.theorem import Theorem
from refdp.rocq import judgements, stability
from refdp.rocq.terms import ATOM, PLACE, NotInRocq, real
from refdp.rocq.writing import Export, Writers
from refdp.spec import registry
from refdp.spec.domains import fields
from refdp.spec.domains import number as bound
from refdp.spec.rows import RowFunction
from refdp.spec.terms import Term, name, names, term
from refdp.spec.terms import text as text_term

LIBRARY = "Records"
VALUE = "StabilityClaims.value"
TEXT = f"text{PLACE}"
"""How the names of texts begin: no name of a claim has that in it."""
LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_ -%/+=:,")
"""What the texts consist of that are written."""


def text(export: Export, t: Term) -> str:
    """What the file calls a text, which it defines where that is new; NotInRocq for other terms and other letters."""
    if t.operator != "text" or not isinstance(t.value, str) or not set(t.value) <= LETTERS:
        raise NotInRocq(f"{t} is no text of letters, digits and blanks")
    defined = [line for line in export.lines if line.startswith(f"Definition {TEXT}")]
    for line in defined:
        if line.endswith(f' := "{t.value}"%string.'):
            return line.split()[1]
    called = f"{TEXT}{len(defined) + 1}"
    # What String exports would take the place of words on lists, but for the length of a section.
    export.lines += ["", "From Coq Require String.", f"Section of_{called}.", "Import String."]
    export.lines += [f'Definition {called} := "{t.value}"%string.', f"End of_{called}."]
    return called


def value(export: Export, t: Term) -> str:
    """A cell: a text, or a number that is written down."""
    if t.operator == "text":
        return f"({VALUE.rpartition('.')[0]}.Text {text(export, t)})"
    if names(t):
        raise NotInRocq(f"{t} is no cell that is written down")
    return f"(StabilityClaims.Number {real(t, (), ATOM)})"


def fitted(export: Export, d: Term, cell: str) -> str:
    """The member of a domain of cells that stands for a cell, in brackets."""
    if names(d):
        raise NotInRocq(f"{d} has names, and is no domain that is written down")
    x = f"({LIBRARY}.number_of {cell})"
    match d.operator:
        case "labels":
            return f"({LIBRARY}.labelled {_labels(export, d)} {cell})"
        case "optional" if d.arguments[0].operator == "labels":
            return f"({LIBRARY}.if_listed {_labels(export, d.arguments[0])} {cell})"
        case "optional":
            return f"({LIBRARY}.if_there (fun the_cell => {fitted(export, d.arguments[0], 'the_cell')}) {cell})"
        case "reals":
            return x
        case "grid" if bound(d, 0) == 1:
            return f"({LIBRARY}.whole {x})"
        case "interval":
            low, high = _in_order(d, bound(d, 0), bound(d, 1))
            return f"(Rmax {real(term(low), (), ATOM)} (Rmin {x} {real(term(high), (), ATOM)}))"
        case "bounded" if bound(d, 0) == 1:
            low, high = _in_order(d, ceil(bound(d, 1)), floor(bound(d, 2)))
            return f"(Rmax (IZR ({low})) (Rmin ({LIBRARY}.whole {x}) (IZR ({high}))))"
        case "above" | "below" if d.arguments[0].operator in ("reals", "grid"):
            inner, end = fitted(export, d.arguments[0], cell), bound(d, 1)
            is_above = d.operator == "above"
            limit = real(term(end), (), ATOM)
            if d.arguments[0].operator == "grid":
                limit = f"(IZR ({ceil(end) if is_above else floor(end)}))"
            return f"({'Rmax' if is_above else 'Rmin'} {inner} {limit})"
    raise NotInRocq(f"{d} is no domain of cells")


def _in_order(d: Term, low: Fraction | int, high: Fraction | int) -> tuple[Fraction | int, Fraction | int]:
    """The ends of a range; NotInRocq where nothing lies between them."""
    if low > high:
        raise NotInRocq(f"{d} has no members")
    return low, high


def _labels(export: Export, d: Term) -> str:
    """The labels of a domain, as a list of cells."""
    return f"[{'; '.join(value(export, one) for one in d.arguments)}]"


def _texts(export: Export, t: Term) -> str:
    """A list of texts."""
    return f"[{'; '.join(text(export, one) for one in t.arguments)}]"


def _columns(export: Export, t: Term) -> str:
    """The declared columns of a record, as pairs that are nested to the left."""
    if any(not isinstance(key, str) for key, _ in fields(t)):
        raise NotInRocq(f"{t} has columns without names")
    first, *others = (
        fitted(export, inner, f"({LIBRARY}.cell {text(export, text_term(str(key)))} the_row)")
        for key, inner in fields(t)
    )
    for one in others:
        first = f"({first}, {one})"
    return first


def _one_column(export: Export, parameters: Mapping[str, Term]) -> str:
    """One column of a record, in its domain."""
    return fitted(export, parameters["rows"], f"({LIBRARY}.cell {text(export, parameters['column'])} the_row)")


@dataclass(frozen=True, slots=True)
class _Function:
    """A function of the rows: how one is written that has values, how every one is, and why its rows fit."""

    of_values: Callable[[Export, Mapping[str, Term], frozenset[str]], str]
    """The function of a row, in brackets, given the values of its parameters."""
    binders: str
    """What stands for the parameters that are no numbers, where the rule speaks of all of them."""
    premises: tuple[str, ...]
    function: str
    """The function of a row, where the rule speaks of all parameters."""
    fits: str
    """The proof that the images of rows lie in the output domain."""
    outside: str = ""
    """The output domain, where that is one of the parameters."""
    replaces: frozenset[str] = frozenset()
    """Conditions that the premises stand for: their operators."""


COLUMN = "(column : String.string)"
FITTING = "(Image : Type) (image_inside : Image -> Prop)"
FUNCTIONS: Mapping[str, _Function] = {
    "fill_missing": _Function(
        lambda e, p, _: f"({LIBRARY}.filled {text(e, p['column'])} {value(e, p['replacement'])})",
        f"{COLUMN} (replacement : {VALUE})",
        ("StabilityClaims.is_cell replacement",),
        f"({LIBRARY}.filled column replacement)",
        f"intros the_row is_record. apply {LIBRARY}.filled_record; first [assumption | exact I].",
    ),
    "drop_missing": _Function(
        lambda e, p, _: f"({LIBRARY}.complete {text(e, p['column'])})",
        COLUMN,
        (),
        f"({LIBRARY}.complete column)",
        f"intros the_row the_image is_record. apply {LIBRARY}.complete_record, is_record.",
    ),
    "declared_column": _Function(
        lambda e, p, _: f"(fun the_row => {_one_column(e, p)})",
        f"{COLUMN} {FITTING} (fitted : {VALUE} -> Image)",
        ("forall the_cell, image_inside (fitted the_cell)",),
        f"(fun the_row => fitted ({LIBRARY}.cell column the_row))",
        f"intros the_row _. first [match goal with fits : forall _, _ |- _ => apply fits end | {LIBRARY}.fits].",
        "image_inside",
    ),
    "declared_columns": _Function(
        lambda e, p, _: f"(fun the_row => {_columns(e, p['rows'])})",
        f"{FITTING} (fitted : {VALUE} -> Image)",
        ("forall the_row, image_inside (fitted the_row)",),
        "fitted",
        f"intros the_row _. first [match goal with fits : forall _, _ |- _ => apply fits end | {LIBRARY}.fits].",
        "image_inside",
    ),
    "column": _Function(
        lambda e, p, whole: f"({LIBRARY}.numbered {text(e, p['column'])} {real(p['granularity'], whole, ATOM)})",
        COLUMN,
        (),
        f"({LIBRARY}.numbered column granularity)",
        f"intros the_row _. apply {LIBRARY}.numbered_on_grid.",
    ),
    "category_of": _Function(
        lambda e, p, _: f"({LIBRARY}.category_number {text(e, p['column'])} {_texts(e, p['labels'])})",
        f"{COLUMN} (labels : list String.string)",
        ("dimension = INR (length labels)",),
        f"({LIBRARY}.category_number column labels)",
        f"intros the_row _. apply {LIBRARY}.category_number_fits; first [assumption | simpl; lra].",
        replaces=frozenset(("has_length",)),
    ),
}  # fmt: skip
"""Stem -> how it is written."""
NOT_NUMBERS = ("column", "replacement", "rows", "labels")
"""The parameters that are no numbers."""


def _mapped(function: str, keeps_rows: bool) -> str:
    """A function of tables, of one of their rows."""
    return f"map {function}" if keeps_rows else f"Sensitivity.filtered {function}"


def _subject(stem: str) -> Callable[[Export, Term, frozenset[str]], str]:
    """What writes such a function with its values."""

    def write(export: Export, t: Term, integers: frozenset[str]) -> str:
        export.uses("Tables", "Sensitivity", "StabilityClaims", "NoiseClaims", "Relations", LIBRARY)
        kind = registry.lookup(stem, RowFunction)
        return _mapped(FUNCTIONS[stem].of_values(export, registry.bound(kind, t), integers), kind.keeps_rows)

    return write


SUBJECTS = {stem: _subject(stem) for stem in FUNCTIONS}


def row_by_row(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """The stability of a function of each row: by a formula, or by the library's definition of one for any values."""
    stem = str(step.data["stem"])
    if stem not in FUNCTIONS:
        return stability.row_by_row(export, step, lemmas)
    statement = judgements.said(export, _stable(step))
    export.lines += ["", "From Coq Require String."]
    return stability.add_stable(export, step, statement, list(_proof(step, FUNCTIONS[stem])))


def said(export: Export, claim: Judgement) -> str:
    """What is said of such a function for any values of its parameters; nothing of other claims."""
    if not isinstance(claim, Stable) or claim.subject.operator not in FUNCTIONS:
        return ""
    kind = registry.lookup(claim.subject.operator, RowFunction)
    if any(t.operator != "name" for p, t in registry.bound(kind, claim.subject).items() if p in NOT_NUMBERS):
        return ""
    written = FUNCTIONS[kind.stem]
    export.uses("Tables", "Sensitivity", "StabilityClaims", "NoiseClaims", "Relations", LIBRARY)
    given, integers, free = judgements.conditions(claim.term, claim.given)
    if claim.domain.operator == "sized_table":
        integers |= names(claim.domain.arguments[1])  # the size of a table is whole, whether a condition says so or not
    others = [t for t in given if t.operator not in written.replaces]
    near = judgements.near(export, claim.domain, claim.metric, claim.d_in, integers)
    outputs = _any_rows(claim.output_domain) if written.outside else claim.output_domain
    far = judgements.near(export, outputs, claim.output_metric, claim.d_out[0], integers)
    if written.outside:
        far = far.replace(f"(@StabilityClaims.any {VALUE})", written.outside)
    subject = f"({_mapped(written.function, kind.keeps_rows)})"
    premises = "".join(f"({one}) -> " for one in written.premises)
    numbers = [v for v in free if v not in NOT_NUMBERS]
    body = judgements.universal(numbers, integers, others, f"{premises}stable {near} {subject} {far}")
    return f"forall {written.binders}, {body}"


def _any_rows(outputs: Term) -> Term:
    """Tables of rows of any domain, as many."""
    return Term(outputs.operator, (name("rows"), *outputs.arguments[1:]))


def instance(export: Export, step: Theorem) -> str:
    """The same about one function, with its values."""
    claim = _stable(step)
    statement = judgements.said(export, claim)
    source = step.premises[0]
    written = FUNCTIONS[str(source.data["stem"])]
    return stability.add_stable(export, source, statement, list(_proof(source, written)))


def is_of_rows(step: Theorem) -> bool:
    """Whether a step is about one of these functions with its values, which are texts and domains."""
    source = step.premises[0]
    return source.rule == "row_by_row" and str(source.data["stem"]) in FUNCTIONS


def _proof(step: Theorem, written: _Function) -> Iterator[str]:
    """By the library's theorem on functions of one row."""
    kind = registry.lookup(str(step.data["stem"]), RowFunction)
    theorem = "row_by_row" if kind.keeps_rows else "row_by_row_dropping"
    if _stable(step).domain.operator == "sized_table" and kind.keeps_rows:
        theorem = "row_by_row_sized"
    yield "intros."
    if _stable(step).domain.operator == "sized_table" and not kind.keeps_rows:
        yield "apply StabilityClaims.stable_on_sized."
    yield f"apply (Sensitivity.{theorem} {stability.RELATIONS[str(step.data['neighbours'])]})."
    yield written.fits


def _stable(step: Theorem) -> Stable:
    """What a step claims of a function of tables."""
    if not isinstance(step.claim, Stable):
        raise NotInRocq(f"{step.claim.term.operator} is no claim of stability")
    return step.claim


WRITERS: Writers = {"row_by_row": row_by_row}
