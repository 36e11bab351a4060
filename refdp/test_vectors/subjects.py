"""Other implementations: a Python module, or a command that reads a line of JSON and writes one.

A subject has functions by these names; what it lacks is counted as unsupported.

    pmf(algorithm, params, input, output)          cdf(algorithm, params, input, output)
    delta(algorithm, params, neighbours, epsilon)  account(neighbours, events, question)
    sample(algorithm, params, input, tape, certificate)   samples(algorithm, params, input, count)
    stability(algorithm, params, dIn)              transform(algorithm, params, input)
    accepts(type, algorithm, case)

Arguments are texts as in the files.  An answer is a number (int, Fraction, Decimal, float) or text.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from queue import Empty, Queue
from shlex import split
from threading import Thread
from types import ModuleType, TracebackType
from typing import IO, Any

from refdp.test_vectors.kinds.kind import UNSUPPORTED
from refdp.test_vectors.numbers import VectorError

FUNCTIONS = ("pmf", "cdf", "delta", "account", "sample", "samples", "stability", "transform", "accepts")
LONGEST_ANSWER = 20_000_000
"""Most characters of an answer of a command."""


class PythonSubject:
    """A module, or anything with functions of these names."""

    def __init__(self, module: Any) -> None:
        self._functions = {name: getattr(module, name, None) for name in FUNCTIONS}
        if not any(map(callable, self._functions.values())):
            raise VectorError(f"against must have at least one of the functions {', '.join(FUNCTIONS)}, got none")

    def ask(self, function: str, **arguments: Any) -> Any:
        """Its answer; UNSUPPORTED if it has no such function, or the function answers NotImplemented."""
        found = self._functions[function]
        if not callable(found):
            return UNSUPPORTED
        try:
            answer = found(**arguments)
        except Exception as error:
            raise VectorError(f"{function} raised {type(error).__name__}: {str(error)[:100]}") from None
        return UNSUPPORTED if answer is NotImplemented else answer


def module_of(name: str) -> ModuleType:
    """The module of that name or in that file, imported because the user names it; VectorError if there is none."""
    try:
        if not name.endswith(".py"):
            return import_module(name)
        spec = spec_from_file_location(f"refdp_vectors_subject_{abs(hash(name))}", Path(name).resolve(strict=True))
        if spec is None or spec.loader is None:
            raise VectorError(f"against must be a module or a file NAME.py, got {name}")
        module = module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    except VectorError:
        raise
    except Exception as error:
        raise VectorError(f"against must be a module that can be imported, got {name}: {error}") from None
    return module


class CommandSubject:
    """A program that answers {"function": ..., "arguments": {...}} by {"answer": ...} or {"unsupported": true}."""

    def __init__(self, command: str, seconds: float) -> None:
        self._seconds, self._ended = seconds, False
        self._lines: Queue[str] = Queue()
        try:
            if not split(command):
                raise ValueError("it is empty")
            self._process = subprocess.Popen(
                split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
        except (OSError, ValueError) as error:
            raise VectorError(f"command must be a program that can be started, got {command}: {error}") from None
        Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    def _read(self, output: IO[str]) -> None:
        """Pass lines on; an empty one at the end."""
        with suppress(ValueError):
            for line in iter(lambda: output.readline(LONGEST_ANSWER), ""):
                self._lines.put(line)
        self._lines.put("")

    def ask(self, function: str, **arguments: Any) -> Any:
        """Its answer; VectorError where it gives none in time, or one that is none."""
        try:
            stdin = self._process.stdin
            if stdin is None or self._ended or self._process.poll() is not None:
                raise VectorError("the command has ended")
            stdin.write(json.dumps({"function": function, "arguments": arguments}) + "\n")
            stdin.flush()
            line = self._lines.get(timeout=self._seconds)
        except Empty:
            self._ended = True
            self._process.kill()
            raise VectorError(f"the command gave no answer to {function} within {self._seconds:g} seconds") from None
        except OSError:
            raise VectorError("the command has ended") from None
        if not line:
            self._ended = True
            raise VectorError("the command has ended")
        return self._answer(line, function)

    def _answer(self, line: str, function: str) -> Any:
        """What a line says; a pair of output and what was used is a tuple."""
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise VectorError(f"the command must answer {function} by a line of JSON, got {line[:60]!r}") from None
        if not isinstance(found, Mapping) or not {"answer", "unsupported"} & found.keys():
            raise VectorError(f"the command must answer {function} by an object with answer, got {line[:60]!r}")
        if found.get("unsupported"):
            return UNSUPPORTED
        answer = found["answer"]
        return (answer["output"], answer.get("used")) if isinstance(answer, dict) and "output" in answer else answer

    def __enter__(self) -> CommandSubject:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError, ValueError):
                    stream.close()
