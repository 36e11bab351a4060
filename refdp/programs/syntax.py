"""A randomised program as it was read: statements over terms.

A variable of the program is a term of the same name; what the reader adds has a dot in its name (`best.known`: whether
`best` is not None).  Public terms may also have the operators "exp", "**" and "mod", of which solvers know nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from refdp.programs.adjacency import Adjacency
from refdp.terms.leaves import TRUE
from refdp.terms.term import Sort, Term

Family = Literal["laplace", "discrete_laplace", "exponential", "gaussian", "bernoulli", "choice", "uniform"]
"""What is drawn: a number; of `bernoulli` a truth value, of `choice` the place of a weight, of `uniform` an integer."""
REAL_FAMILIES: frozenset[str] = frozenset({"laplace", "exponential", "gaussian"})
Item = Term | str | None
"""What is part of an output: a number or truth value, a text, or None."""


@dataclass(frozen=True, slots=True)
class Assign:
    """target = value."""

    target: str
    value: Term
    line: int = 0


@dataclass(frozen=True, slots=True)
class Draw:
    """target = family(*parameters), an independent draw each time; `site` tells the places of a program apart."""

    target: str
    family: Family
    parameters: tuple[Term, ...]
    """The scale, sigma or probability; of `choice` every weight; of `uniform` the least and the greatest integer."""
    site: int
    line: int = 0


@dataclass(frozen=True, slots=True)
class Append:
    """weights.append(value): a list that is only ever chosen from."""

    weights: str
    value: Term
    line: int = 0


@dataclass(frozen=True, slots=True)
class Choose:
    """target = choice(weights): a place in the list, with probability proportional to the weight there."""

    target: str
    weights: str
    site: int
    line: int = 0


@dataclass(frozen=True, slots=True)
class Look:
    """target = data[index] outside a loop over the data, index public; of data that are one number index is 0."""

    target: str
    index: Term
    line: int = 0


@dataclass(frozen=True, slots=True)
class Branch:
    """if condition: yes else: no."""

    condition: Term
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...]
    number: int | None
    """Tells the branches of a program apart; None for one that no proof may show."""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Loop:
    """for counter = 0, 1, ... while counter < limit and condition: element = data[counter]; body.

    `limit` is public, None without one; `element` is None where the loop does not read the data.  `present` is the
    variable that says whether there is an element, of lists of which some are null; None where there always is.
    """

    counter: str
    limit: Term | None
    element: str | None
    body: tuple[Statement, ...]
    condition: Term = TRUE
    line: int = 0
    present: str | None = None


@dataclass(frozen=True, slots=True)
class Break:
    """The innermost loop ends."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The program ends."""


@dataclass(frozen=True, slots=True)
class Emit:
    """Part of the output: yield, append to a list that is returned, or return."""

    items: tuple[Item, ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class Require:
    """Python raises an exception unless the condition holds; `complaint` says which."""

    condition: Term
    complaint: str
    line: int = 0
    certain: bool = True
    """Whether Python surely raises it here; else it may go on, in a way that is not read."""


Statement = Assign | Draw | Append | Choose | Look | Branch | Loop | Break | Stop | Emit | Require


@dataclass(frozen=True, slots=True)
class Claim:
    """What a decorator claims: expressions in public parameters, for the parameters that `where` allows."""

    adjacency: Adjacency
    epsilon: Term | None = None
    delta: Term | None = None
    rho: Term | None = None
    where: Term = TRUE
    given: Mapping[str, Term] = field(default_factory=dict)
    """Values of public parameters for which alone the claim is made."""
    expected: str | None = None
    source: str = ""
    text: str = ""
    """The claim as its author wrote it, such as `epsilon=(1 + 6*N)/4*epsilon where N >= 2`."""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Data:
    """The first parameter: a list of numbers, or one number."""

    name: str
    is_list: bool
    sort: Sort = "Real"
    """Int for integers, Bool for truth values, which an adjacency reads as the numbers 0 and 1."""


@dataclass(frozen=True, slots=True)
class Program:
    """A function that draws at random, with its claims."""

    name: str
    data: Data
    parameters: Mapping[str, Sort]
    """The public parameters."""
    assumption: Term
    """What holds of the public parameters: epsilon > 0, N >= 1 and so on."""
    body: tuple[Statement, ...]
    claims: tuple[Claim, ...]
    length: str | None = None
    """The public parameter that is the number of data, where there is one; in terms it is `n`."""
    source: str = ""
    """The text of the file."""
    line: int = 0
