"""The arguments of the modules that write pages and pictures, with --help, which writes nothing."""

from __future__ import annotations

from argparse import ArgumentParser


def arguments(module: str, says: str | None, *names: str) -> list[str]:
    """What the command line gives for the names, of which those in brackets may be left out; else the process ends.

    `says`: the docstring of refdp.report.MODULE, whose first line is the description.
    """
    head = (says or "").partition("\n")[0].partition(": `")[0]
    parser = ArgumentParser(prog=f"python -m refdp.report.{module}", description=head, allow_abbrev=False)
    for name in names:
        parser.add_argument(name.strip("[]"), nargs="?" if name.startswith("[") else None)
    given = vars(parser.parse_args())
    return [value for value in (given[name.strip("[]")] for name in names) if value is not None]
