"""A worker that does as its request says: answers, sleeps, prints, crashes."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from refdp.provers import serving
from refdp.provers.serving import Answerer, serve


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Do what the request says."""
    match request["do"]:
        case "pid":
            return {"pid": os.getpid()}
        case "echo":
            return dict(request)
        case "sleep":
            time.sleep(60)
        case "exit":
            os._exit(3)
        case "abort":
            os.abort()
        case "nap":
            time.sleep(0.5)
        case "half":
            for end in range(3, 32):  # one of them is the pipe that replies go by
                with suppress(OSError):
                    os.write(end, b'{"answer": ')
            os._exit(0)
        case "raise":
            return {"answer": str(1 / 0)}
        case "print":
            print("{}", flush=True)
            os.write(1, b"{}\n")
        case "allocate":
            bytearray(request["bytes"])
    return {"answer": "done"}


def load() -> tuple[str, Answerer]:
    """A name, a version, and answers."""
    serving.OVERDUE = 2.0
    return "odd 1.0", answer


if __name__ == "__main__":
    serve(load)
