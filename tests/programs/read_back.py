"""Exact probabilities of the outputs of a random program by what is read from its text.

They know the tails of a discrete Laplace draw, which enumeration cuts off; that they are those of the Python function
is what tests/programs/test_grammar.py shows.
"""

from collections.abc import Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from inspect import isgeneratorfunction
from itertools import product
from typing import Any

from refdp import work
from refdp.programs.events import Event, chance
from refdp.programs.language.reading import program_in
from refdp.programs.probabilities import NotComputed
from refdp.programs.running.numbers import Exact, simplest
from refdp.programs.syntax import Program
from refdp.terms.leaves import make, rational
from refdp.terms.term import Term
from tests.programs.grammar import Sample
from tests.programs.oracle import Data, bound_of, function_of, laws, pairs

MOST_OUTPUTS = 40
"""Of more outputs only some are looked at."""


SECONDS = 5.0
"""For the probabilities of a program; what is not known by then is not looked at."""


@dataclass(frozen=True)
class ReadBack:
    """A sample as it is read."""

    sample: Sample
    program: Program
    is_list: bool = False
    """Whether the function returns a list, which is an emission for each element."""

    def probability(self, data: Data, output: Any) -> Exact:
        """P[output] on the data, exactly."""
        parameters = {name: term_of(text) for name, text in self.sample.settings.items()}
        return simplest(chance(self.program, parameters, tuple(map(part_of, data)), self.event(output)))

    def event(self, output: Any) -> Event:
        """The output as emissions."""
        several = self.is_list or isgeneratorfunction(function_of(self.sample))
        emissions = output if several else (output,)
        return tuple(tuple(map(part_of, e if isinstance(e, tuple) else (e,))) for e in emissions)


def read_back(sample: Sample, is_list: bool = False) -> ReadBack:
    """The sample as it is read."""
    return ReadBack(sample, program_in(sample.text, "sample.py", "program"), is_list)


def exact_violations(sample: Sample, n: int) -> Iterator[tuple[Data, Data, Hashable]]:
    """Every output by which data of that length break the bound, of some that small noise leads to.

    Prefixes of noisy sums of whole numbers have probabilities that are not computed.
    """
    read, bound, found = read_back(sample), bound_of(sample, n), dict[tuple[Data, Hashable], Exact]()
    ends = laws(replace(sample, reach=1, values=(min(sample.values), max(sample.values))), n).values()
    outputs = sorted({output for known in ends for output in known}, key=str)[
        :: 1 + sum(map(len, ends)) // MOST_OUTPUTS
    ]
    end = work.spent() + SECONDS
    for data, output in product(product(sample.values, repeat=n), outputs):
        if work.spent() > end:
            break
        with suppress(NotComputed):
            found[data, output] = read.probability(data, output)
    for (old, new), output in product(pairs(sample, n), outputs):
        if {(old, output), (new, output)} <= found.keys() and found[old, output] > bound * found[new, output]:
            yield old, new, output


def term_of(text: str) -> Term:
    """A rational number, or ln of one."""
    inner = rational(Fraction(text.removeprefix("ln(").removesuffix(")")))
    return make("ln", "Real", inner) if text.startswith("ln") else inner


def part_of(value: Any) -> Any:
    """A part of an output, or of the data, as events have it."""
    return Fraction(value) if isinstance(value, int | Fraction) and not isinstance(value, bool) else value
