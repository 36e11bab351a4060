"""Targets whose draws are a pure function of replayed bits; run in a worker only."""

import os
import signal
import time
from pathlib import Path


def coin(x, n, bits):
    return [bits(1) for _ in range(n)]


def slow_coin(x, n, bits):
    time.sleep(0.03)
    return coin(x, n, bits)


def unfair(x, n, bits):
    time.sleep(0.03)
    return [int(bits(10) < 640) for _ in range(n)]


def endless(x, n, bits):
    """Leaves a mark beside this file when it is well under way."""
    if n > 1000:
        Path(__file__).with_name("under way").touch()
        time.sleep(0.2)
    return coin(x, n, bits)


def kills_its_auditor(x):
    os.kill(os.getppid(), signal.SIGKILL)
    return x
