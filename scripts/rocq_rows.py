"""Functions of the rows of a file, as refdp runs them, for the library's definitions to answer alike.

refdp trusts their code; an exported claim is about the definitions of proofs/rocq/Records.v.  Random tables go through
both: each becomes an example that the prover accepts where the exported function answers what refdp's did.  In changed
answers one cell differs, and none may be accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import floor
from random import Random
from typing import Any

import refdp.transformations  # noqa: F401  (importing it registers the functions)
from refdp.rocq import columns, judgements
from refdp.rocq.claims import prelude
from refdp.rocq.terms import ATOM, real
from refdp.rocq.writing import Export
from refdp.spec import registry
from refdp.spec.domains import fields, key_of
from refdp.spec.rows import RowFunction
from refdp.terms.reading import read as read_term
from refdp.terms.term import Term, apply, term, text

HALF = Fraction(1, 2)
LETTERS, NAMES = ("a", "b", "body mass"), ("x", "y", "the z")
CELLS = (
    "reals()", "grid(1)", "interval(-2, 7/2)", "bounded(1, -3/2, 5/2)", "above(reals(), 1/3)", "above(grid(1), 1/3)",
    "below(reals(), 7/2)", "below(grid(1), 7/2)", "labels('a', 'b')", "labels(2, 1)", "optional(labels('b', 'a'))",
    "optional(bounded(1, 0, 5))", "optional(interval(0, 1))",
)  # fmt: skip
"""Domains that cells are moved into."""
RUNS = """Ltac close := first
  [ left; apply Rabs_def1; lra | right; split; [first [rewrite Rabs_right by lra; lra | rewrite Rabs_left1 by lra; lra]
  | reflexivity] ].
Ltac alike := first [reflexivity | lra | progress f_equal; alike].
Ltac works_out := repeat match goal with
  | |- context [Req_EM_T ?a ?b] => destruct (Req_EM_T a b); try (exfalso; lra)
  end;
  cbn [option_map Z.of_nat Pos.of_succ_nat INR];
  unfold Rmax, Rmin; repeat destruct (Rle_dec _ _); try (exfalso; lra); alike."""
UNFOLDED = (
    "filled", "cell", "cell_of", "with_cell", "complete", "category_number", "category_of", "position", "number_of",
    "numbered", "nearest_multiple", "labelled", "if_listed", "if_there", "place_of", "same_label",
)  # fmt: skip
OTHERS = (
    "Sensitivity.filtered", "Sensitivity.kept", "flat_map", "map", "app", "option_map", "String.eqb", "Ascii.eqb",
    "Bool.eqb",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Instance:
    """A function with its values, a table, and what refdp makes of it."""

    subject: Term
    table: tuple[Any, ...]
    images: tuple[Any, ...]


def drawn(draw: Random) -> Instance:
    """A function of rows on a random table."""
    stem = draw.choice(sorted(columns.FUNCTIONS))
    column = text(draw.choice(NAMES))
    arguments: tuple[Term, ...] = (column,)
    match stem:
        case "fill_missing":
            arguments += (draw.choice((text("b"), term(Fraction(draw.randrange(-9, 9), 4)))),)
        case "column":
            arguments += (draw.choice((term(1), term(Fraction(1, 2)), term(10))),)
        case "category_of":
            labels = draw.sample(LETTERS, draw.randrange(1, 4))
            arguments += (apply("list_of", *map(text, labels)), term(len(labels)))
        case "declared_column":
            arguments += (read_term(draw.choice(CELLS)),)
        case "declared_columns":
            chosen = draw.sample(NAMES, draw.randrange(1, 4))
            arguments = (apply("record", *(apply("field", text(c), read_term(draw.choice(CELLS))) for c in chosen)),)
    subject, table = apply(stem, *arguments), tuple(_row(draw) for _ in range(3))
    return Instance(subject, table, registry.lookup(stem, RowFunction).apply(subject, table))


def _row(draw: Random) -> dict[str, Any]:
    """A record: some of the columns, in any order, with a number, a text or nothing in each."""
    cells = (None, Fraction(draw.randrange(-12, 13), draw.choice((1, 2, 4))), draw.choice(LETTERS), Fraction(1))
    return {name: draw.choice(cells) for name in draw.sample(NAMES, draw.randrange(4))}


def _cell(export: Export, x: Any) -> str:
    """A cell as the library has it."""
    if x is None:
        return "StabilityClaims.Missing"
    return columns.value(export, text(x) if isinstance(x, str) else term(x))


def _record(export: Export, row: dict[str, Any]) -> str:
    """A record, with its columns in their order."""
    cells = "; ".join(f"({columns.text(export, text(key))}, {_cell(export, x)})" for key, x in row.items())
    return f"StabilityClaims.Columns [{cells}]"


def _image(export: Export, d: Term | None, x: Any) -> str:
    """A member of an output domain; of records where there is none."""
    if d is None:
        return _record(export, x)
    match d.operator:
        case "optional":
            return "None" if x is None else f"(Some {_image(export, d.arguments[0], x)})"
        case "labels":
            return f"{[key_of(one) for one in d.arguments].index(x)}%Z"
        case "record":
            first, *others = (_image(export, inner, x[key]) for key, inner in fields(d))
            for one in others:
                first = f"({first}, {one})"
            return first
    return real(term(x), (), ATOM)


def _outputs(t: Term) -> Term | None:
    """The domain of the images of rows; nothing where they are records."""
    match t.operator:
        case "fill_missing" | "drop_missing":
            return None
        case "declared_column" | "declared_columns":
            return t.arguments[-1]
    return term(0)


def _nearest(one: Instance) -> Iterator[str]:
    """What the nearest whole numbers are, of all that the function may round."""
    step = one.subject.arguments[1].rational if one.subject.operator == "column" else None
    numbers = {x for row in one.table for x in row.values() if isinstance(x, Fraction)} | {Fraction(0)}
    for x in sorted(numbers):
        at = real(term(x), (), ATOM)
        if step is None:
            yield f"try rewrite (Records.whole_is {at} ({floor(x + HALF)})) by lra."
        else:
            by = f"Records.even_nearest_is ({at} / {real(term(step), (), ATOM)}) ({round(x / step)})"
            yield f"try rewrite ({by}) by close."


def example(export: Export, index: int, one: Instance) -> Iterator[str]:
    """The lines of an example: the exported function answers so."""
    function = judgements.subject(export, one.subject, frozenset())
    table = "; ".join(_record(export, row) for row in one.table)
    images = "; ".join(_image(export, _outputs(one.subject), x) for x in one.images)
    texts = " ".join(line.split()[1] for line in export.lines if line.startswith(f"Definition {columns.TEXT}"))
    unfolded = " ".join((*(f"Records.{name}" for name in UNFOLDED), *OTHERS, texts))
    yield f"Example answer_{index} : {function} [{table}] = [{images}]."
    yield f"Proof. cbv beta iota zeta delta [{unfolded}]."
    yield from _nearest(one)
    yield "works_out. Qed."


def file_text(instances: Iterable[Instance]) -> str:
    """A file that is accepted where the library's functions answer so."""
    export, examples = Export(), list[str]()
    for index, one in enumerate(instances):
        examples += example(export, index, one)
    modules = sorted({*export.modules, "StabilityClaims", "Records", "Sensitivity"})
    return "\n".join((*prelude(modules), *export.lines, RUNS, *examples)) + "\n"


def instances(count: int = 300, seed: int = 1) -> list[Instance]:
    """So many functions on random tables, with what refdp makes of these."""
    draw = Random(seed)
    return [drawn(draw) for _ in range(count)]


def changed(count: int, seed: int = 2) -> Iterator[str]:
    """Files of one example each, in which one image is another one: none may be accepted."""
    draw = Random(seed)
    while count:
        one = drawn(draw)
        outputs = _outputs(one.subject)
        places = [i for i, x in enumerate(one.images) if isinstance(x, Fraction)]
        if places and outputs is not None and outputs.operator not in ("record", "labels", "optional"):
            at = draw.choice(places)
            images: Sequence[Any] = (*one.images[:at], one.images[at] + 1, *one.images[at + 1 :])
            yield file_text([Instance(one.subject, one.table, tuple(images))])
            count -= 1


def kinds(found: Iterable[Instance]) -> set[str]:
    """The functions and the domains that instances are about."""
    terms = chain.from_iterable((one.subject, *one.subject.arguments) for one in found)
    return {t.operator for t in terms}
