"""Bad usage in one sentence, as all bad input; and help in sections, with an example that can be pasted."""

from __future__ import annotations

import inspect
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from refdp.cli.errors import BAD_INPUT, said
from refdp.cli.plain_values import read_plainly

UsageError: Any = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")
"""What the library of the command line raises for bad usage; it has stood in several modules."""
EXAMPLE = "Example: "
TWICE = "must be given once, got more than one"
"""What is said of an option that is repeated and has one value."""
WIDEST = 34
"""Most columns of the names of options."""


def usage_sentence(error: Any) -> str:
    """What must be given, and what was got instead."""
    kind, message = type(error).__name__, str(error.message)
    where = " ".join(["refdp", *getattr(error.ctx, "command_path", "refdp").split()[1:]])
    got = message.rpartition("(")[2].rstrip(").") if "(" in message else message.split("'")[1] if "'" in message else ""
    if kind == "MissingParameter":
        return f"{parameter(error.param)} must be given, got nothing; see {where} --help"
    if kind == "NoSuchOption":
        close = f", such as {error.possibilities[0]}" if error.possibilities else ""
        return f"option must be one of those in {where} --help{close}, got {error.option_name}"
    if kind == "BadOptionUsage":
        return f"{error.option_name.lstrip('-').replace('-', '_')} {value_sentence(message)}"
    if message == TWICE:
        return f"{parameter(error.param)} {TWICE}"
    if message.startswith(("No such command", "Missing command")):
        return f"command must be one of {', '.join(error.ctx.command.commands)}, got {got or 'nothing'}"
    if message.startswith("Got unexpected"):
        return f"arguments must be those of {where} --help, got {got} besides"
    return f"{parameter(getattr(error, 'param', None))} must be as in {where} --help: {message}"


def value_sentence(message: str) -> str:
    """How many values an option must have.

    >>> value_sentence("Option '--bounds' requires 2 arguments.")
    'must have 2 values, got fewer'
    """
    if "does not take" in message:
        return "must have no value, got one"
    number = next((word for word in message.split() if word.isdigit()), None)
    return f"must have {number} values, got fewer" if number else "must have a value, got none"


def parameter(found: Any) -> str:
    """The name of an argument or option, as the keyword of the function."""
    return "usage" if found is None else str(found.name).rstrip("_")


def takes_many(parameter: Any) -> bool:
    """Whether nothing is lost where it is given again: each value counts, or it has none."""
    return parameter.param_type_name == "argument" or bool(parameter.multiple or parameter.count or parameter.is_flag)


class Command(TyperCommand):
    """A command whose help has sections."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """As of any command; two values of an option may also stand as one, with a comma between.

        An option that has one value is refused where it is given twice, which would silently drop the first.
        """
        read_plainly(self.get_params(ctx))
        pairs = {name for one in self.params if one.nargs == 2 for name in one.opts}
        words = parted(args, pairs)
        given: list[Any] = self.make_parser(ctx).parse_args(list(words))[2]
        twice = [one for one in given if given.count(one) > 1 and not takes_many(one)]
        if twice and not ctx.resilient_parsing:
            raise typer.BadParameter(TWICE, ctx=ctx, param=twice[0])
        return super().parse_args(ctx, words)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Usage, sentence, arguments, options by section, example."""
        formatter.write_usage(ctx.command_path, usage_pieces(self, ctx))
        write_said(self, formatter)
        write_options(self, ctx, formatter)
        write_examples(self, formatter)


def parted(words: list[str], pairs: set[str]) -> list[str]:
    """The words, where `L,U` after an option that takes two values is two of them.

    >>> parted(["--bounds", "0,10", "--set", "a=1,2", "--bounds=-1,1"], {"--bounds"})
    ['--bounds', '0', '10', '--set', 'a=1,2', '--bounds', '-1', '1']
    """
    found = list[str]()
    for word in words:
        name, sign, value = word.partition("=")
        if sign and name in pairs and value.count(",") == 1:
            found += [name, *value.split(",")]
        else:
            found += word.split(",") if found and found[-1] in pairs and word.count(",") == 1 else [word]
    return found


class Group(TyperGroup):
    """Commands: bad usage of any is one sentence, and their list has whole sentences."""

    command_class = Command

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """As of any group; its flags load nothing where they are not given."""
        read_plainly(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def main(self, *args: Any, standalone_mode: bool = True, **more: Any) -> Any:
        """As of any command; with codes of our own."""
        if not standalone_mode:
            return super().main(*args, **more | {"standalone_mode": False})
        try:
            code = super().main(*args, **more | {"standalone_mode": False})
        except UsageError as error:
            if type(error).__name__ == "NoArgsIsHelpError":
                typer.echo(error.ctx.get_help())
                raise SystemExit(0) from None
            said(usage_sentence(error))
            raise SystemExit(BAD_INPUT) from None
        except (typer.Abort, KeyboardInterrupt):
            said("interrupted")
            raise SystemExit(130) from None
        raise SystemExit(code if isinstance(code, int) else 0)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Usage, sentence, options, and the first sentence of each command."""
        formatter.write_usage(ctx.command_path, "COMMAND [ARGUMENTS] [OPTIONS]")
        write_said(self, formatter)
        write_options(self, ctx, formatter)
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary(one)) for name, one in found if one is not None])
        write_examples(self, formatter)


def summary(command: Any) -> str:
    """The first sentence of a command, whole."""
    return " ".join(inspect.cleandoc(command.help or "").partition("\n\n")[0].split())


def usage_pieces(command: Any, ctx: Any) -> str:
    """The arguments in capitals, those that may be left out in brackets."""
    arguments = [one for one in command.get_params(ctx) if one.param_type_name == "argument"]
    return " ".join([*(argument_text(one) for one in arguments), "[OPTIONS]"])


def argument_text(found: Any) -> str:
    """An argument as usage has it."""
    text = (found.metavar or str(found.name).upper()) + ("..." if found.nargs != 1 else "")
    return text if found.required else f"[{text}]"


def paragraphs(command: Any) -> tuple[list[str], list[str]]:
    """What the help says, and its examples."""
    found = inspect.cleandoc(command.help or "").split("\n\n")
    return [p for p in found if not p.startswith(EXAMPLE)], [p for p in found if p.startswith(EXAMPLE)]


def write_said(command: Any, formatter: Any) -> None:
    """Each paragraph, wrapped."""
    for one in paragraphs(command)[0]:
        formatter.write_paragraph()
        formatter.write_text(" ".join(one.split()))


def write_examples(command: Any, formatter: Any) -> None:
    """Each example in a line of its own, however long, so that it can be pasted."""
    for one in paragraphs(command)[1]:
        formatter.write_paragraph()
        formatter.write(f"{one}\n")


def write_options(command: Any, ctx: Any, formatter: Any) -> None:
    """Arguments and options, each section by itself, in the order in which they come."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for one in command.get_params(ctx):
        record = one.get_help_record(ctx)
        if record is not None:
            is_argument = one.param_type_name == "argument"
            head = "Arguments" if is_argument else getattr(one, "rich_help_panel", None) or "Options"
            name = argument_text(one).strip("[]") if is_argument else option_text(one)
            sections.setdefault(head, []).append((name, record[1].replace("[required]", "").strip()))
    for head, rows in sections.items():
        with formatter.section(head):
            formatter.write_dl(rows, col_max=WIDEST)


def option_text(found: Any) -> str:
    """An option with what it takes."""
    names = ", ".join(found.opts)
    return names if found.is_flag else f"{names} {found.metavar or 'TEXT'}"
