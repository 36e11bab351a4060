"""The command line within the process of the tests, whose commands are built once: that takes 10 ms each time."""

from functools import cache

from typer import testing

testing._get_command = cache(testing._get_command)

CliRunner = testing.CliRunner
