"""The process that runs a user's file: it is given one JSON object on standard input, and answers a line for each job.

It starts isolated, takes its limits before it sees the file, and offers the file nothing but harmless names.
"""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from types import CodeType, FrameType, GeneratorType
from typing import Any

from refdp.second_judge import drawing, python_names
from refdp.second_judge.drawing import Impossible, Walk
from refdp.second_judge.exact_numbers import Exact, Rounded, Unclear, rewritten
from refdp.second_judge.python_names import NoSuchName
from refdp.second_judge.shifting import Alignment, Data, Deviates, Pair, Run
from refdp.second_judge.telling import NotFollowed, telling
from refdp.second_judge.wire import NotSent, packed, unpacked

MEMORY = 1 << 30
"""Most bytes that the process may use."""
SECONDS_OF_A_RUN = 1.0
"""Processor time that one run may take."""
MOST_OVERRUNS = 5
"""After so many runs that took longer, none is run any more."""
MOST_RELEASED = 2_000
"""Most items of an output."""
SECONDS_OF_A_LAW = 10.0
"""Processor time that one law may take."""
FILE = "<query>"
"""What the file is called where it is run."""
OWN = (NameError, LookupError, ZeroDivisionError, ValueError, ImportError, NoSuchName)
"""Exceptions that are the file's own where it is loaded: none of them comes from a name that is not at hand."""
PYTHONS = frozenset({"bool", "bytes", "dict", "int", "list", "NoneType", "range", "set", "str", "tuple"})
"""Types that are Python's own here, so that a TypeError about them alone is what Python raises."""
MACHINES = (RecursionError, MemoryError, OverflowError)
"""What a machine raises, and exact arithmetic does not."""
STAND_INS = re.compile(r"\b(Exact|Data|Stub|Module|_Float)\b")
"""Types that stand for others: what is raised about them, Python need not raise."""


class Overrun(BaseException):
    """A run takes too long."""


class Unloaded(BaseException):
    """Python ends with an exception where it loads the file, so that it has no function to call."""


def limited(seconds: int) -> None:
    """No files, no processes, so much memory and processor time."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGVTALRM, overrun)


def overrun(number: int, frame: FrameType | None) -> None:
    """Ends a run."""
    raise Overrun


class File:
    """A file that is run anew for every run of a function of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.code: CodeType | None = None
        self.reason, self.overruns = "", 0
        try:
            self.code = compile(rewritten(text), FILE, "exec", dont_inherit=True, optimize=0)
        except (Unclear, SyntaxError, ValueError, RecursionError, MemoryError) as error:
            self.reason = f"it is not run: {error}"

    def function(
        self,
        name: str,
        modules: Mapping[str, Mapping[str, Any]],
        code: CodeType | None = None,
        helpers: Mapping[str, Any] | None = None,
    ) -> Any:
        """The function, of a file that was just loaded; of a rewritten one where there is a `code`."""
        code = code or self.code
        if code is None:
            raise Unclear(self.reason)
        found = python_names.names(modules) | dict(helpers or {})
        python_names.loading = True
        try:
            exec(code, found)
        except OWN as error:
            raise Unloaded(type(error).__name__) from None
        except TypeError as error:
            if is_own(error):
                raise Unloaded("TypeError") from None
            raise Unclear("the file raises TypeError where it is loaded") from None
        except Exception as error:
            raise Unclear(f"the file raises {type(error).__name__} where it is loaded") from None
        finally:
            python_names.loading = False
        if not callable(found.get(name)):
            raise Unclear(f"{name} is no function once the file is loaded")
        return found[name]

    def outcome(self, run: Callable[[], Any], seconds: float = SECONDS_OF_A_RUN) -> dict[str, Any]:
        """What one run does: {"answer": ...}, {"raised": name}, {"unloaded": name} or {"unclear": why}; "rounded" if a
        root was.
        """
        Unclear.raised = Impossible.raised = Deviates.raised = None
        Rounded.happened = False
        if self.overruns == MOST_OVERRUNS:
            return {"unclear": "runs take too long"}
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        try:
            try:
                answer = packed(run())
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            found: dict[str, Any] = {"answer": answer} | ({"rounded": True} if Rounded.happened else {})
        except (Unclear, NotSent) as error:
            found = {"unclear": str(error)}
        except Unloaded as error:
            found = {"unloaded": str(error)}
        except Impossible as error:
            found = {"impossible": str(error)}
        except Deviates as error:
            found = {"deviates": str(error)}
        except Overrun:
            self.overruns += 1
            found = {"unclear": f"a run takes more than {seconds} seconds"}
        except (RecursionError, MemoryError) as error:
            found = {"unclear": type(error).__name__}
        except BaseException as error:
            found = {"raised": type(error).__name__}
        told = {"unclear": Unclear.raised, "impossible": Impossible.raised, "deviates": Deviates.raised}
        return next(({name: str(one)} for name, one in told.items() if one is not None), found)


def queries(file: File, job: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What a function does on each of the tables."""
    found = []
    for rows, words in job["runs"]:
        values = {name: as_float(unpacked(one)) for name, one in words.items()}
        table = [as_float(unpacked(row)) for row in rows]
        name = job["function"]

        def run(table: list[Any] = table, values: dict[str, Any] = values, name: str = name) -> Any:
            function = file.function(name, {})
            taken = function.__code__.co_varnames[: function.__code__.co_argcount + function.__code__.co_kwonlyargcount]
            return function(table, **{key: one for key, one in values.items() if key in taken})

        found.append(file.outcome(run))
    return found


def is_own(error: TypeError) -> bool:
    """Whether it speaks of types that are Python's own, and of none that stands for another here."""
    types = re.findall(r"'(\w+)'", str(error))
    return bool(types) and PYTHONS.issuperset(types)


def as_float(value: Any) -> Any:
    """A value whose numbers that are no ints stand for floats."""
    if isinstance(value, Fraction):
        return Exact(value)
    if isinstance(value, list | tuple):
        return type(value)(map(as_float, value))
    return {key: as_float(part) for key, part in value.items()} if isinstance(value, dict) else value


def output(function: Callable[..., Any], data: Any, words: Mapping[str, Any]) -> list[Any]:
    """Everything that a program releases until it ends, an exception included."""
    released: list[Any] = []
    try:
        answer = function(data, **words)
        if isinstance(answer, GeneratorType):
            for one in answer:
                released.append(one)
                if len(released) > MOST_RELEASED:
                    raise Unclear("a run releases too much")
        else:
            released.append(answer)
    except MACHINES:
        raise
    except Exception as error:
        if isinstance(error, TypeError | AttributeError) and STAND_INS.search(str(error)):
            raise Unclear(f"{type(error).__name__} about what stands for a number here") from None
        released.append({"raises": type(error).__name__})
    return released


def sent(value: Any) -> Any:
    """A value from the judge; a real number as one that stands for a float."""
    return as_float(unpacked(value))


def laws(file: File, job: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The exact law of what a program releases, for each data and parameters."""
    found, left, most = list[dict[str, Any]](), int(job["leaves"]), int(job["most"])
    for data, words in job["runs"]:
        if left <= 0:
            break

        def run(data: Any = data, words: Any = words) -> Any:
            walk = Walk(most)
            function = file.function(job["function"], drawing.names(lambda: walk))
            known = {name: sent(one) for name, one in words.items()}
            law: dict[str, Fraction] = {}
            for leaves in range(1, most + 1):
                key = json.dumps(packed(output(function, sent(data), known)))
                law[key] = law.get(key, Fraction(0)) + walk.probability()
                if not walk.onwards():
                    return [leaves, [[key, chance] for key, chance in law.items()]]
            raise Unclear(f"there are more than {most} ways")

        found.append(file.outcome(run, SECONDS_OF_A_LAW))
        left -= unpacked(found[-1]["answer"])[0] if "answer" in found[-1] else most // 10
    return found


def aligned(file: File, job: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Two runs for each pair of data: what they release, and every draw of both."""
    try:
        labels: dict[int, str] = {}
        tree = rewritten(file.text, lambda tree: telling(tree, job["function"], labels))
        code = compile(tree, FILE, "exec", dont_inherit=True, optimize=0)
    except (NotFollowed, Unclear) as reason:
        return [{"unclear": f"{reason}, which is not followed"}] * len(job["runs"])
    alignment = Alignment(job["alignment"], {(line, column): site for site, line, column in job["sites"]})
    found = []
    for number, (first, second, words) in enumerate(job["runs"]):
        data = sent(first), sent(second)
        known = {name: sent(value) for name, value in words.items()}
        random = Random(f"{job['seed']}.{number}")

        def run(data: Any = data, known: Any = known, random: Random = random) -> Any:
            pair = Pair(alignment, data, known, random, labels)
            first = released(file, job["function"], code, pair.one, data[0], known)
            second = released(file, job["function"], code, pair.two, data[1], known)
            if pair.begins_again():
                second = released(file, job["function"], code, pair.two, data[1], known)
            return [first, second, pair.draws()]

        found.append(file.outcome(run))
    return found


def released(file: File, name: str, code: CodeType, run: Run, data: Any, words: Mapping[str, Any]) -> list[Any]:
    """What one of two runs releases."""

    def head(loop: int) -> bool:
        run.head(loop, sys._getframe(1))
        return True

    def done(loop: int, value: Any = None) -> Any:
        run.done(loop, sys._getframe(1))
        return value

    def left(loop: int) -> None:
        run.left(loop, sys._getframe(1))

    def item(loop: int, value: Any) -> Any:
        run.item(loop, value)
        return value

    def release(value: Any) -> Any:
        run.release(value if isinstance(value, tuple) else (value,))
        return value

    def release_each(values: list[Any]) -> list[Any]:
        for value in values:
            release(value)
        return values

    helpers = {
        "__head__": head, "__done__": done, "__left__": left,
        "__item__": item, "__release__": release, "__release_each__": release_each,
    }  # fmt: skip
    function = file.function(name, drawing.names(lambda: run), code, helpers)
    run.code = function.__code__
    return output(function, Data(data, run.read) if isinstance(data, list) else data, words)


JOBS: Mapping[str, Callable[[File, Mapping[str, Any]], Any]] = {"query": queries, "laws": laws, "aligned": aligned}
"""What can be asked for."""


def main() -> None:
    """Answers every job of the request, a line each."""
    sys.setrecursionlimit(1000)
    request = json.loads(sys.stdin.read())
    limited(int(request["seconds"]))
    file = File(request["source"])
    for job in request["jobs"]:
        sys.stdout.write(json.dumps(JOBS[job["kind"]](file, job)) + "\n")
        sys.stdout.flush()
