"""The prover, asked sentence by sentence: what a file says is read after what it has in common with another one.

A refused sentence ends a file, and the next one begins where both still were alike; so many forgeries of one claim
need its genuine steps once.  What is accepted here, coqc reads again.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from refdp.rocq.library import sentences

PROMPT = re.compile(rb"<prompt>[^<]*< (\d+) [^<]*< </prompt>")
BULLET = re.compile(r"\s*([-+*]+|\{|\})")
OPENING = ("From Refdp Require", "Import ListNotations", "Open Scope", "From Coq Require Import Reals Lra ZArith List")
"""How the sentences begin that all files have, and that are read once."""
SECONDS = 10
"""For one sentence."""
SECONDS_OF_ALL = 30.0
"""For all sentences of a file."""


class Lost(RuntimeError):
    """The prover does not answer any more."""


@dataclass(frozen=True)
class Answer:
    """Whether a file is accepted; else the sentence that is not, and why, or that it took too long."""

    accepted: bool
    sentence: str = ""
    reason: str = ""

    @property
    def is_late(self) -> bool:
        """Whether the prover was given up."""
        return self.reason.endswith("Timeout!")


@dataclass
class Prover:
    """A running prover that has the library, and what it has read."""

    library: Path
    modules: Sequence[str]
    read: list[tuple[str, int]] = field(default_factory=list)
    """The sentences that were read, each with the state after it."""
    start: int = 0
    process: subprocess.Popen[bytes] | None = None
    said: bytes = b""

    def __enter__(self) -> Prover:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def stop(self) -> None:
        """End the prover."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.process, self.read, self.said = None, [], b""

    def begin(self) -> None:
        """Start the prover, with all of the library."""
        words = ["coqtop", "-emacs", "-q", "-w", "none", "-Q", str(self.library), "Refdp"]
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.library.parent,
        )
        self.answers(1, 60)
        for sentence in (
            "From Coq Require Import Reals Lra ZArith List",
            "From Refdp Require Import Laws Privacy Algebra",
            f"From Refdp Require {' '.join(self.modules)}",
            "Import ListNotations",
            "Open Scope R_scope",
            "Set Silent",
            f"Set Default Timeout {SECONDS}",
        ):
            said, self.start = self.tell(sentence, 120)
            if "Error" in said:
                raise Lost(f"the prover does not read the library: {said}")

    def answers(self, count: int, seconds: float) -> tuple[str, int]:
        """What is said before so many prompts, and the state then."""
        if self.process is None or self.process.stdout is None:
            raise Lost("there is no prover")
        told, state, end = b"", 0, time.monotonic() + seconds
        while count:
            if found := PROMPT.search(self.said):
                told, self.said = told + self.said[: found.start()], self.said[found.end() :]
                state, count = int(found[1]), count - 1
                continue
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, end - time.monotonic()))
            more = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            if not more:
                raise Lost(told.decode(errors="replace"))
            self.said += more
        return told.decode(errors="replace"), state

    def tell(self, sentence: str, seconds: float = 3 * SECONDS) -> tuple[str, int]:
        """What the prover says to a sentence, and its state then."""
        if self.process is None or self.process.stdin is None:
            raise Lost("there is no prover")
        parts, rest = 0, sentence
        while bullet := BULLET.match(rest):
            parts, rest = parts + 1, rest[bullet.end() :]
        text = f"{sentence}." if rest.strip() else sentence
        self.process.stdin.write(f"{text}\n".encode())
        self.process.stdin.flush()
        return self.answers(parts + bool(rest.strip()), seconds)

    def asked(self, text: str) -> Answer:
        """Whether the prover accepts a file."""
        wanted = [one for one in sentences(text) if not one.startswith(OPENING)]
        try:
            if self.process is None:
                self.begin()
            self.back(wanted)
            end = time.monotonic() + SECONDS_OF_ALL
            for sentence in wanted[len(self.read) :]:
                said, state = self.tell(sentence)
                late = time.monotonic() > end
                if late or "Error" in said:
                    return Answer(False, sentence, "Timeout!" if late else reason_in(said))
                self.read.append((sentence, state))
        except (Lost, BrokenPipeError):
            self.stop()
            return Answer(False, "", "Timeout!")
        return Answer(True)

    def back(self, wanted: Sequence[str]) -> None:
        """Go back to where what was read and what is wanted are alike, between two theorems."""
        alike = 0
        for at, ((one, _), other) in enumerate(zip(self.read, wanted, strict=False)):
            if one != other:
                break
            if one.endswith("Qed"):
                alike = at + 1
        del self.read[alike:]
        said, _ = self.tell(f"BackTo {self.read[-1][1] if self.read else self.start}")
        if "Error" in said:
            raise Lost(said)


def reason_in(said: str) -> str:
    """The reason that the prover gives, in a line."""
    return " ".join(said.partition("Error:")[2].split())[:200]
