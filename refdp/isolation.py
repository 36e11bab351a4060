"""Starting Python again, isolated, with the very package that is in use: the one place where refdp starts itself.

An isolated interpreter (`python -I`) reads no variable of the environment, and neither the working folder, the user's
packages nor PYTHONPATH are searched.  The package is loaded from its own file; its folder is searched last, for what
was installed beside it.  This file imports nothing but what every interpreter has loaded when it starts, so that no
other folder can answer for it.
"""

from __future__ import annotations

import os
import sys

PACKAGE = os.path.dirname(os.path.abspath(__file__))
"""The folder of the package in use."""
START = """\
import importlib.util, os, runpy, sys
package, searched, module = sys.argv[1:4]
sys.argv[:4] = [module]
for folder in [*filter(None, searched.split(os.pathsep)), os.path.dirname(package)]:
    if folder not in sys.path:
        sys.path.append(folder)
spec = importlib.util.spec_from_file_location(
    "refdp", os.path.join(package, "__init__.py"), submodule_search_locations=[package]
)
refdp = sys.modules["refdp"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(refdp)
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""
"""What the new interpreter runs: it loads the package from its file, then the module as a program."""


def isolated_command(module: str, *arguments: str, searched: tuple[str, ...] = ()) -> list[str]:
    """The command that runs a module of this package as a program, isolated; `searched` are folders to search as well.

    RuntimeError where nobody knows which interpreter this is.
    """
    if not sys.executable:
        raise RuntimeError("refdp starts Python again, and this interpreter does not know its own path")
    flags = ["-I", *["-B"] * sys.flags.dont_write_bytecode]
    flags += ["-X", "utf8"] if sys.flags.utf8_mode else []
    return [sys.executable, *flags, "-c", START, PACKAGE, os.pathsep.join(searched), module, *arguments]


def folders_of_this_process() -> tuple[str, ...]:
    """Where this process finds packages and an isolated one does not: PYTHONPATH, and the user's packages.

    Nothing if this process is isolated itself; never the working folder.
    """
    if sys.flags.isolated:
        return ()
    import site

    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    users = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    return tuple(folder for folder in [*named, *users] if os.path.isabs(folder))


def run_isolated(module: str) -> None:
    """Unless this process is isolated, run the module in its place, isolated and with the same arguments."""
    if sys.flags.isolated:
        return
    command = isolated_command(module, *sys.argv[1:])
    if os.name == "posix":
        os.execv(command[0], command)  # the same process: its number, its terminal and its signals stay
    import subprocess

    raise SystemExit(subprocess.run(command, check=False).returncode)
