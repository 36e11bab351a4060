"""A mutant is put in place in a forked process, and the tests that reach it are run until one fails.

Within a function, its code is exchanged in every place that holds the function; what importing has computed with it
stays, so that such a mutant lives rather than dies.  What stands outside functions (a constant, a default, a table) is
changed in a new process as the file is imported.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib.machinery
import importlib.util
import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.operators import Function
from tests.mutation.recording import FIXTURE, IMPORTED, Record, fixtures_of, shares_caches
from tests.mutation.sites import ROOT, Site, mutated, tree

OFTEN, ALWAYS = 20, 4
"""A test may use so many times the seconds that it took, and so many more, of processor time."""
WALL = 900
"""A process that waits so long for something is stopped, and its mutant counts as alive."""
MEMORY = 6 * 2**30
NOT_FOUND = "ERROR: not found"
"""What pytest says where no test has a name that it was given."""
DIES, LIVES, NOT_REACHED = "dies", "LIVES", "NOT REACHED"


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant, by which test, after how many seconds."""

    site: Site
    fate: str
    by: str
    seconds: float


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and all within it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from codes(one)


def functions(files: set[str]) -> dict[tuple[str, str, int], list[FunctionType]]:
    """The functions of the files by file, name and first line, wherever they are held."""
    gc.unfreeze()
    found: dict[tuple[str, str, int], list[FunctionType]] = {}
    for one in gc.get_objects():
        if type(one) is FunctionType and one.__code__.co_filename in files:
            code = one.__code__
            found.setdefault((code.co_filename, code.co_qualname, code.co_firstlineno), []).append(one)
    return found


def forget_what_was_found() -> None:
    """Empties the caches of the package."""
    for one in gc.get_objects():
        if isinstance(one, functools._lru_cache_wrapper) and str(one.__module__).startswith("refdp"):
            one.cache_clear()


def put(site: Site, held: dict[tuple[str, str, int], list[FunctionType]]) -> bool:
    """Exchanges the code of the functions that hold the change; whether that is all there is to exchange."""
    one, name = site.change, str(ROOT / site.file)
    if not one.function:
        return False
    new = {(c.co_qualname, c.co_firstlineno): c for c in codes(mutated(site))}
    prefix = f"{one.function}.<locals>."
    places = [k for k in held if k[0] == name and (k[1:] == (one.function, one.first_line) or k[1].startswith(prefix))]
    if (name, one.function, one.first_line) not in places:
        return False
    for place in places:
        for function in held[place]:
            if len(new[place[1:]].co_freevars) != len(function.__code__.co_freevars):
                return False
            function.__code__ = new[place[1:]]
    forget_what_was_found()
    return True


def used() -> float:
    """The seconds of processor time that this process has used."""
    found = resource.getrusage(resource.RUSAGE_SELF)
    return found.ru_utime + found.ru_stime


class Runner:
    """A plugin of pytest that puts one mutant after the other in place instead of running the tests once."""

    def __init__(self, record: Record, sites: Iterator[Site], longest: float, show: Any) -> None:
        self.record, self.sites, self.longest, self.show = record, sites, longest, show
        self.killers: Counter[tuple[str, str, str]] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        self.items = {item.nodeid: item for item in session.items}
        self.fixtures = {name: fixtures_of(item) for name, item in self.items.items()}
        self.sharing: dict[str, list[str]] = {}
        for name, item in self.items.items():
            if shares_caches(item):
                self.sharing.setdefault(name.partition("::")[0], []).append(name)
        self.held = functions({str(ROOT / file) for file in self.record.lines})
        gc.freeze()
        for site in self.sites:
            self.show(self.outcome(site))
        return True

    def outcome(self, site: Site) -> Outcome:
        """What becomes of a mutant."""
        start = time.perf_counter()
        contexts = self.contexts(site)
        chosen = self.chosen(site, contexts)
        fate, by = (LIVES, "") if chosen else (NOT_REACHED, "")
        swapped = False
        if chosen and site.change.function:
            swapped, by = self.forked(site, chosen)
        if chosen and not swapped:
            by = imported(site, chosen, OFTEN * (ALWAYS + sum(self.record.seconds[one] for one in chosen)))
        if by:
            fate = DIES
            self.killers[site.file, site.change.function, by] += 1
        return Outcome(site, fate, by, time.perf_counter() - start)

    def contexts(self, site: Site) -> set[str]:
        """What reaches the lines of the change; for what is done by importing, whatever reaches the file."""
        if not site.change.function:
            return self.using(site)
        found = self.record.reaching(site.file, site.change.line, site.change.last)
        if not found:  # a line of its own within a statement of many
            found = self.record.reaching(site.file, *statement_around(site))
        return found

    def using(self, site: Site) -> set[str]:
        """What reaches a line that names what is changed by importing, or the function whose default it is."""
        found: set[str] = set()
        for file in self.record.lines:
            names = bound_at(site) if file == site.file else bound_at(site) & imported_from(site.file, file)
            for node in ast.walk(tree(file)) if names else ():
                name = getattr(node, "id", getattr(node, "attr", getattr(node, "arg", getattr(node, "name", None))))
                if name in names and hasattr(node, "lineno"):
                    last = node.end_lineno if isinstance(node, Function) else node.lineno
                    found |= self.record.reaching(file, node.lineno, last or node.lineno)
        found.discard(IMPORTED)  # it is where the line itself is run
        return found or self.record.reaching(site.file, 1, 10**6)

    def chosen(self, site: Site, contexts: set[str]) -> list[str]:
        """The tests to run: what killed neighbours first, then the cheapest, until `longest` seconds are spent."""
        shared = {one for one in contexts if one.startswith(FIXTURE)}
        reached = {one for one in contexts if one in self.items and one in self.record.seconds}
        if shared:
            reached |= {n for n, f in self.fixtures.items() if f & shared and n in self.record.seconds}
        for file in {name.partition("::")[0] for name in reached}:
            reached |= {name for name in self.sharing.get(file, ()) if name in self.record.seconds}
        where = site.file, site.change.function
        order = sorted(reached, key=lambda name: (-self.killers[(*where, name)], self.record.seconds[name], name))
        spent, found = 0.0, []
        for name in order:
            spent += self.record.seconds[name]
            if found and spent > self.longest:
                break
            found.append(name)
        return found

    def forked(self, site: Site, chosen: list[str]) -> tuple[bool, str]:
        """Whether the code could be exchanged in a child of this process; the test that failed there, if one did."""
        receiving, sending = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(receiving)
            try:
                self.judge(site, chosen, sending)
            finally:
                os._exit(3)
        os.close(sending)
        told, stopped = received(receiving, child)
        os.close(receiving)
        status = os.waitpid(child, 0)[1]
        with_children(child)
        if told == ["cannot"]:
            return False, ""
        if told and told[-1] == "lives":
            return True, ""
        if stopped:
            return True, ""
        last = told[-1] if told else "?"
        if os.WIFSIGNALED(status):
            return True, f"{last} (signal {os.WTERMSIG(status)})"
        return True, last

    def judge(self, site: Site, chosen: list[str], sending: int) -> None:
        """In the child: runs the tests, and tells the name of each before it is run."""
        os.setsid()
        devnull = os.open(os.devnull, os.O_RDWR)
        for one in (0, 1, 2):
            os.dup2(devnull, one)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if not put(site, self.held):
            os.write(sending, b"cannot\n")
            os._exit(0)
        for name, following in zip(chosen, [*chosen[1:], None], strict=True):
            os.write(sending, f"{name}\n".encode())
            soft = int(used() + ALWAYS + OFTEN * self.record.seconds[name]) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))
            item, after = self.items[name], self.items[following] if following else None
            if any(one.failed for one in runtestprotocol(item, nextitem=after, log=False)):
                os._exit(1)
        os.write(sending, b"lives\n")
        os._exit(0)


def received(receiving: int, child: int) -> tuple[list[str], bool]:
    """The lines that the child told until it ended, and whether it was stopped as it waited too long."""
    told, end = b"", time.monotonic() + WALL
    while (left := end - time.monotonic()) > 0:
        if not select.select([receiving], [], [], left)[0]:
            continue
        found = os.read(receiving, 1 << 16)
        if not found:
            return told.decode().splitlines(), False
        told += found
        if told.endswith((b"lives\n", b"cannot\n")):
            return told.decode().splitlines(), False
    os.killpg(child, signal.SIGKILL)
    return told.decode().splitlines(), True


def with_children(child: int) -> None:
    """Stops what the child started and left."""
    try:
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def imported_from(source: str, file: str) -> set[str]:
    """The names that a file imports from another."""
    module = source.removesuffix(".py").replace("/", ".")
    imports = (node for node in ast.walk(tree(file)) if isinstance(node, ast.ImportFrom) and node.module == module)
    return {one.asname or one.name for node in imports for one in node.names}


def bound_at(site: Site) -> set[str]:
    """The names of constants, fields and functions whose statement outside functions holds the change."""
    found: set[str] = set()
    for node in ast.walk(tree(site.file)):
        if not isinstance(node, ast.Assign | ast.AnnAssign | Function):
            continue
        if not node.lineno <= site.change.line <= (node.end_lineno or node.lineno):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", node)]
        found |= {name for one in targets for name in (getattr(one, "id", getattr(one, "name", "")),) if name}
    return found


def statement_around(site: Site) -> tuple[int, int]:
    """The lines of the innermost statement that holds the change."""
    line = site.change.line
    best = (line, line)
    for node in ast.walk(tree(site.file)):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            best = (node.lineno, node.end_lineno or node.lineno)
    return best


class Importer:
    """Imports one file of the package with a change in it."""

    def __init__(self, site: Site) -> None:
        self.path = str(ROOT / site.file)
        self.module = site.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        self.code = mutated(site)
        self.is_used = False

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != self.module:
            return None
        code, self.is_used = self.code, True

        class Loader(importlib.machinery.SourceFileLoader):
            def get_code(self, fullname: str) -> CodeType:
                return code

        return importlib.util.spec_from_file_location(name, self.path, loader=Loader(name, self.path))


def limited(words: list[str], seconds: float) -> subprocess.CompletedProcess[str]:
    """What a process says that may take so many seconds of the processor: a mutant may never end."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))

    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, preexec_fn=limit, check=False)


def imported(site: Site, chosen: list[str], seconds: float = WALL) -> str:
    """The mutant in a new process, as its file is imported: what failed, if anything did, or that it took too long."""
    words = [sys.executable, "-m", "tests.mutation.importing", site.area, repr(site.key)]
    done = limited([*words, *chosen], seconds)
    if NOT_FOUND in done.stdout + done.stderr:  # a parameter of a test may be the number that is changed
        done = limited([*words, *dict.fromkeys(name.partition("[")[0] for name in chosen)], WALL)
    if done.returncode == 0:
        return ""
    if "was not imported by this process" in done.stderr:
        raise RuntimeError(done.stderr[-2000:])
    if NOT_FOUND in done.stdout + done.stderr:
        raise RuntimeError(f"a test is no longer there: {(done.stderr + done.stdout)[-2000:]}")
    if done.returncode in (1, 2, 3, 4) or done.returncode < 0:
        failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return failed[0].split(" - ")[0] if failed else f"exit {done.returncode}"
    raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
