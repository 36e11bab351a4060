"""Conditions on functions that a machine runs, asked about nothing: no rows, no names, no parameters."""

import pytest

from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.machines import require_named
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.machine.formats import format_named
from refdp.sensitivities.machine.theorems import has_row, require_called
from refdp.sensitivities.records import Fields
from refdp.spec.domains import contains, is_of_machine
from refdp.spec.well_formed import require_domain
from refdp.terms.reading import read
from refdp.terms.term import TermError


def test_the_table_without_rows_is_one_of_those_that_may_have_none():
    for limits, inside in (("0, 3", True), ("0, 0", True), ("1, 3", False)):
        domain = read(f"machine_table(interval(0, 1), 'float64', {limits}, 'finite')")
        require_domain(domain)
        assert contains(domain, ()) is inside


def test_a_record_without_fields_is_no_row_of_a_machine():
    with pytest.raises(TermError):
        require_domain(read("machine_table(record(), 'float64', 0, 3, 'finite')"))
    with pytest.raises(TermError):
        contains(read("machine_table(record(), 'float64', 0, 3, 'finite')"), ({},))


def test_a_domain_of_nothing_else_has_no_numbers_of_a_machine_in_it():
    assert not is_of_machine(read("reals()"))
    assert is_of_machine(read("machine('float64')"))


@pytest.mark.parametrize("is_float", [True, False])
@pytest.mark.parametrize("needs_solver", [True, False])
def test_nobody_vouches_for_nothing(is_float, needs_solver):
    with pytest.raises(KernelError, match="must be named"):
        require_named([], is_float, needs_solver)


def test_a_kind_without_fields_has_its_one_row():
    assert has_row(Fields(()), format_named("float64"))


def test_a_function_without_further_parameters_needs_no_values_and_one_without_a_table_has_no_answer():
    class Asked:
        function, arguments = "f", {}

    require_called(parse_source("def f(rows):\n    return 0\n", "f"), Asked)
    with pytest.raises(ValueError, match="must be given a table"):
        require_called(parse_source("def f(*rows):\n    return 0\n", "f"), Asked)
