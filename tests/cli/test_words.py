"""Every command and the function of its name have the same words, and the function gives what --json prints."""

import inspect
import json
from pathlib import Path

import pytest
import typer

import refdp
from refdp.cli.app import app
from refdp.cli.options import FACE
from tests.command_line import CliRunner

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = typer.main.get_command(app).commands
NAMES = [*sorted(COMMANDS.keys() - {"vectors"}), *(f"vectors {name}" for name in COMMANDS["vectors"].commands)]
PYTHON = {"step", "watch", "executor", "progress", "shown", "source"}
"""Keywords for programs alone: they are shown how far the work is, or bring what does it."""
MORE: dict[str, set[str]] = {}
"""Keywords that a command line cannot hold."""
SHOWN = {"account": {"out"}, "attack": {"out"}, "fit": {"out"}, "train": {"out"}}
"""The file of a picture."""
OPEN = {"sample": {"scale", "granularity", "truth", "set"}}
"""Parameters of a mechanism, which the function takes by their names."""


def command_of(name):
    found = COMMANDS
    for word in name.split():
        found = found[word] if isinstance(found, dict) else found.commands[word]
    return found


def function_of(name):
    return getattr(refdp, name) if " " not in name else getattr(refdp.vectors, name.split()[1].replace("-", "_"))


def options(name):
    words = {one.name.rstrip("_") for one in command_of(name).params} - {*FACE, "help"}
    return words - SHOWN.get(name, set()) - OPEN.get(name, set())


def keywords(name):
    parameters = inspect.signature(function_of(name)).parameters.values()
    return {p.name for p in parameters if p.kind is not p.VAR_KEYWORD} - PYTHON - MORE.get(name, set())


@pytest.mark.parametrize("name", NAMES)
def test_options_of_a_command_are_the_keywords_of_its_function(name):
    assert options(name) == keywords(name)


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_json_and_timeout(name):
    assert {"--json", "--timeout"} <= {text for one in command_of(name).params for text in one.opts}


@pytest.mark.parametrize("name", NAMES)
def test_the_same_option_has_the_same_sentence_and_unit(name):
    """--json everywhere; --timeout and --certificates begin alike, and take the same kind of value."""
    shapes = {(one.opts[-1], one.metavar) for one in command_of(name).params}
    assert {("--timeout", "SECONDS"), ("--json", None)} <= {(o, None if o == "--json" else m) for o, m in shapes}
    for one in command_of(name).params:
        start = {"--timeout": "Seconds for ", "--certificates": "Folder for ", "--json": "Print one JSON object on"}
        assert (one.help or "").startswith(start.get(one.opts[-1], ""))


@pytest.mark.parametrize("name", NAMES)
def test_every_option_that_takes_a_value_says_of_what_kind(name):
    for one in command_of(name).params:
        is_value = one.param_type_name == "option" and not one.is_flag
        assert not is_value or one.metavar, one.opts
        assert one.opts == ["--help"] or (one.help or "").endswith("."), one.opts


CERTIFICATE = str(ROOT / "proofs" / "certificates" / "count.add_remove.json")
PROGRAM = str(ROOT / "refdp" / "programs" / "library" / "sparse_vector.py") + ":stoddard"
VECTORS = str(ROOT / "vectors" / "pmf_randomised_response_test.json")
SMALL = {
    "verify": ("count.*", {"certificates": "c"}),
    "check": (CERTIFICATE, {}),
    "explain": ("count.add_remove", {}),
    "export": ("count.add_remove", {}),
    "sensitivity": ("query.py:total", {"neighbours": "add_remove", "bounds": ("0", "1"), "certificates": "c"}),
    "prove": (PROGRAM, {"certificates": "c"}),
    "account": ("spec.json", {"delta": "1e-6"}),
    "sample": ("truncated_geometric", {"set": {"lower": 0, "upper": 9}, "scale": "1/10000", "input": "4"}),
    "audit": ("bit.toml", {"workers": 1}),
    "plot": ("laplace.pure", {"out": "laplace.svg"}),
    "vectors write": ("v", {"type": ["StabilityMap"]}),
    "vectors check": (VECTORS, {}),
}  # fmt: skip
"""A small instance of each command that gives the same each time: an argument, and options.  Some are random."""
TIMES = {"seconds", "processor_seconds", "nanoseconds_per_draw", "digits"}


def words_of(option, value):
    """The option as a command line has it."""
    values = value if isinstance(value, list) else [value]
    if isinstance(value, dict):
        values = [f"{key}={one}" for key, one in value.items()]
    for one in values:
        yield f"--{option.replace('_', '-')}"
        yield from map(str, one if isinstance(one, tuple) else [one])


def without_times(found):
    if isinstance(found, dict):
        return {key: without_times(value) for key, value in found.items() if key not in TIMES}
    return [without_times(one) for one in found] if isinstance(found, list) else found


@pytest.mark.parametrize("name", SMALL)
def test_json_is_what_the_function_gives(name, folder):
    argument, given = SMALL[name]
    words = [*name.split(), argument, *(word for option in given.items() for word in words_of(*option)), "--json"]
    printed = json.loads(CliRunner().invoke(app, words).stdout)
    given = {**given, **given["set"]} if name == "sample" else given
    found = function_of(name)(argument, **{key: one for key, one in given.items() if name != "sample" or key != "set"})
    assert without_times(printed) == without_times(json.loads(json.dumps(found)))


def test_every_command_is_compared_but_those_that_cannot_be():
    assert set(NAMES) - SMALL.keys() == {"attack", "fit", "release", "train", "vectors import-google"}


def test_numbers_that_carry_a_claim_are_text(folder):
    """No float anywhere in what is printed as JSON; of an audit only where pictures have their points."""
    for name, (argument, given) in SMALL.items():
        if name == "audit":
            continue
        words = [*name.split(), argument, *(w for one in given.items() for w in words_of(*one)), "--json"]
        json.loads(CliRunner().invoke(app, words).stdout, parse_float=lambda text: pytest.fail(f"a float: {text}"))


VALUED = [
    (name, one.opts[0], one.nargs)
    for name in NAMES
    for one in command_of(name).params
    if one.param_type_name == "option" and not (one.multiple or one.is_flag)
]


@pytest.mark.parametrize(("name", "option", "values"), VALUED)
def test_an_option_of_one_value_is_refused_where_it_is_repeated(name, option, values):
    """The library of the command line would keep the last one without a word."""
    words = [*name.split(), *([option, *["1"] * values] * 2)]
    ended = CliRunner().invoke(app, words)
    keyword = next(one.name for one in command_of(name).params if option in one.opts).rstrip("_")
    assert (ended.exit_code, ended.stderr) == (2, f"refdp: {keyword} must be given once, got more than one\n")


def test_there_are_options_of_one_value_and_repeated_ones():
    assert len(VALUED) > 40
    assert ("audit", "--only", 1) not in VALUED
