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
from refdp.rocq.fitting import require_fitting
from refdp.rocq.terms import ATOM, PLACE, NotInRocq, name_of, real
from refdp.rocq.writing import Export, Writers
from refdp.spec import registry
from refdp.spec.domains import fields
from refdp.spec.domains import number as bound
from refdp.spec.rows import RowFunction
from refdp.terms.term import Term, names, term
from refdp.terms.term import text as text_term

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


def _one_column(export: Export, parameters: Mapping[str, Term]) -> str:
    """What the cell of one column becomes, in its domain."""
    cell = f"({LIBRARY}.cell {_written(export, parameters, 'column')} the_row)"
    is_any = parameters["rows"].operator == "name"
    return f"(fun the_row => {f'{FITTED} {cell}' if is_any else fitted(export, parameters['rows'], cell)})"


def _columns(export: Export, parameters: Mapping[str, Term]) -> str:
    """What a record becomes: its declared columns, as pairs that are nested to the left."""
    t = parameters["rows"]
    if t.operator == "name":
        return FITTED
    if any(not isinstance(key, str) for key, _ in fields(t)):
        raise NotInRocq(f"{t} has columns without names")
    first, *others = (
        fitted(export, inner, f"({LIBRARY}.cell {text(export, text_term(str(key)))} the_row)")
        for key, inner in fields(t)
    )
    for one in others:
        first = f"({first}, {one})"
    return f"(fun the_row => {first})"


FITTED, IMAGE, INSIDE = (f"{part}{PLACE}" for part in ("fitted", "Image", "inside"))
"""What stands for a domain of rows that is any: what moves a cell or a record into it, its type, its members."""
WRITTEN: Mapping[str, Callable[[Export, Term], str]] = {"column": text, "replacement": value, "labels": _texts}
"""Parameter that is no number -> what writes its value."""
KINDS: Mapping[str, tuple[str, str]] = {
    "column": ("({} : String.string)", ""),
    "replacement": (f"({{}} : {VALUE})", "(StabilityClaims.is_cell {}) -> "),
    "labels": ("({} : list String.string)", ""),
    "rows": (
        f"({IMAGE} : Type) ({INSIDE} : {IMAGE} -> Prop) ({FITTED} : {VALUE} -> {IMAGE})",
        f"(forall the_cell, {INSIDE} ({FITTED} the_cell)) -> ",
    ),
}
"""Parameter that is no number -> how it is bound where it may be any, and what is said of it."""


def _written(export: Export, parameters: Mapping[str, Term], called: str) -> str:
    """A parameter that is no number: its value, or its name where it may be any."""
    t = parameters[called]
    return name_of(str(t.value)) if t.operator == "name" else WRITTEN[called](export, t)


@dataclass(frozen=True, slots=True)
class _Function:
    """A function of the rows: how it is written, and why the images of rows lie in its output domain."""

    write: Callable[[Export, Mapping[str, Term], frozenset[str]], str]
    """The function of a row, in brackets, given its parameters."""
    fits: str


FITS = f"intros the_row _. first [match goal with fits : forall _, _ |- _ => apply fits end | {LIBRARY}.fits]."
FUNCTIONS: Mapping[str, _Function] = {
    "fill_missing": _Function(
        lambda e, p, _: f"({LIBRARY}.filled {_written(e, p, 'column')} {_written(e, p, 'replacement')})",
        f"intros the_row is_record. apply {LIBRARY}.filled_record; first [assumption | exact I].",
    ),
    "drop_missing": _Function(
        lambda e, p, _: f"({LIBRARY}.complete {_written(e, p, 'column')})",
        f"intros the_row the_image is_record. apply {LIBRARY}.complete_record, is_record.",
    ),
    "declared_column": _Function(lambda e, p, _: _one_column(e, p), FITS),
    "declared_columns": _Function(lambda e, p, _: _columns(e, p), FITS),
    "column": _Function(
        lambda e, p, whole: f"({LIBRARY}.numbered {_written(e, p, 'column')} {real(p['granularity'], whole, ATOM)})",
        f"intros the_row _. apply {LIBRARY}.numbered_on_grid.",
    ),
    "category_of": _Function(
        lambda e, p, _: f"({LIBRARY}.category_number {_written(e, p, 'column')} {_written(e, p, 'labels')})",
        f"intros the_row _. apply {LIBRARY}.category_number_fits; first [assumption | simpl; lra].",
    ),
}
"""Stem -> how it is written."""


def _of_tables(export: Export, t: Term, integers: frozenset[str]) -> str:
    """Such a function, as a function of tables."""
    export.uses("Tables", "Sensitivity", "StabilityClaims", "NoiseClaims", "Relations", LIBRARY)
    kind = registry.lookup(t.operator, RowFunction)
    mapped = "map" if kind.keeps_rows else "Sensitivity.filtered"
    return f"{mapped} {FUNCTIONS[t.operator].write(export, registry.bound(kind, t), integers)}"


def _any_of_them(t: Term) -> dict[str, str]:
    """The parameters that are no numbers and may be any, with their names."""
    found = registry.bound(registry.lookup(t.operator, RowFunction), t)
    return {p: str(found[p].value) for p in KINDS if p in found and found[p].operator == "name"}


def _subject(export: Export, t: Term, integers: frozenset[str]) -> str:
    """The same where all its parameters have values, or are numbers: a claim binds numbers alone."""
    if _any_of_them(t):
        raise NotInRocq(f"{t} is written by itself alone: its texts and domains may be any")
    return _of_tables(export, t, integers)


SUBJECTS = dict.fromkeys(FUNCTIONS, _subject)


def row_by_row(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """The stability of a function of each row: by a formula, or by the library's definition of one."""
    stem = str(step.data["stem"])
    if stem not in FUNCTIONS:
        return stability.row_by_row(export, step, lemmas)
    statement = judgements.said(export, _stable(step))
    export.lines += ["", "From Coq Require String."]
    return stability.add_stable(export, step, statement, list(_proof(step, FUNCTIONS[stem])))


def said(export: Export, claim: Judgement) -> str:
    """What is said of such a function where a parameter that is no number may be any; nothing of other claims."""
    if not isinstance(claim, Stable) or claim.subject.operator not in FUNCTIONS:
        return ""
    any_of_them = _any_of_them(claim.subject)
    if not any_of_them:
        return ""
    parameters = registry.bound(registry.lookup(claim.subject.operator, RowFunction), claim.subject)
    if len(claim.d_out) != 1 or len({*any_of_them.values()}) < len(any_of_them):
        raise NotInRocq(f"{claim.term} is not written")
    require_fitting(claim.subject, claim.domain, claim.output_domain)
    given, integers, free = judgements.conditions(claim.term, claim.given)
    if claim.domain.operator == "sized_table":
        integers |= names(claim.domain.arguments[1])  # the size of a table is whole, whether a condition says so or not
    premises = [KINDS[p][1].format(name_of(called)) for p, called in any_of_them.items()]
    if "labels" in any_of_them:
        counted = Term("has_length", (parameters["labels"], parameters["dimension"]))
        if counted not in given:
            raise NotInRocq(f"how many {parameters['labels']} there are is not said")
        given = [t for t in given if t != counted]
        premises.append(
            f"({real(parameters['dimension'], integers)} = INR (length {name_of(any_of_them['labels'])})) -> "
        )
    near = judgements.near(export, claim.domain, claim.metric, claim.d_in, integers)
    far = judgements.near(export, claim.output_domain, claim.output_metric, claim.d_out[0], integers)
    if "rows" in any_of_them:
        if claim.output_domain.arguments[0] != parameters["rows"]:
            raise NotInRocq(f"the images of rows lie in {parameters['rows']}, and not in {claim.output_domain}")
        far = far.replace(f"(@StabilityClaims.any {VALUE})", INSIDE)
    stated = f"stable {near} ({_of_tables(export, claim.subject, integers)}) {far}"
    binders = " ".join(KINDS[p][0].format(name_of(called)) for p, called in any_of_them.items())
    numbers = [v for v in free if v not in any_of_them.values()]
    rest = judgements.universal(numbers, integers, given, f"{''.join(premises)}{stated}")
    return f"forall {binders} {rest.removeprefix('forall ')}" if numbers else f"forall {binders}, {rest}"


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
