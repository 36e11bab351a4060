"""`python -m benchmarks.busy`: 40 questions, asked on the machine as it is and beside 8 busy processes.

Every answer must be the same, to the last digit and word, but for the seconds.  Exit code 1 and the differences else.
"""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BUSY = 8
"""Processes that do nothing but take time."""
NOT_COMPARED = frozenset({"seconds", "certificate", "certificates", "took", "processor_seconds"})
LIBRARY = "refdp/programs/library/"
QUERIES = "examples/sensitivity/queries.py"
POISSON = {"scheme": "poisson", "rate": "1/50"}


def noise(mechanism: str, count: int, **fields: object) -> dict[str, object]:
    """An event of a spec."""
    return {"mechanism": mechanism, "count": count, **fields}


SPECS: dict[str, tuple[str, list[dict[str, object]]]] = {
    "gaussian": ("add_remove", [noise("gaussian", 1000, sigma="50")]),
    "laplace": ("add_remove", [noise("laplace", 300, scale="20")]),
    "many laplace": ("add_remove", [noise("laplace", 2000, scale="40")]),
    "lattice": ("add_remove", [noise("discrete_gaussian", 40, sigma="10"), noise("discrete_gaussian", 5, sigma="20")]),
    "training": ("add_remove", [noise("gaussian", 1000, sigma="1", sampling=POISSON)]),
    "replaced": ("change_one", [noise("gaussian", 1000, sigma="1", sampling=POISSON)]),
    "schedule": (
        "add_remove",
        [noise("gaussian", 20, sigma=f"1.{i:02}", sampling={"scheme": "poisson", "rate": f"0.{i:03}"})
         for i in range(10, 50)],
    ),
    "few": ("add_remove", [noise("gaussian", 3, sigma="2", sampling=POISSON)]),
    "mixed": (
        "add_remove",
        [noise("gaussian", 100, sigma="30"), noise("laplace", 30, scale="20"), noise("pure", 20, epsilon="1/17")],
    ),
    "pure epsilons": ("add_remove", [noise("pure", 1, epsilon=f"0.0{i * i}") for i in range(11, 31)]),
    "sampled laplace": ("add_remove", [noise("laplace", 200, scale="1", sampling=POISSON)]),
    "sampled discrete": ("add_remove", [noise("discrete_gaussian", 20, sigma="3", sampling=POISSON)]),
    "fixed size": (
        "change_one", [noise("gaussian", 30, sigma="2", sampling={"scheme": "fixed_size", "rows": 1000, "sample": 20})]
    ),
    "concentrated": ("add_remove", [noise("zcdp", 10, rho="1/50"), noise("laplace", 5, scale="10")]),
}  # fmt: skip
PROGRAMS = (
    "sums.py:partial_sum", "sums.py:prefix_sum", "sums.py:bad_partial_sum", "sums.py:smart_sum",
    "selection.py:noisy_max", "selection.py:noisy_max_value", "selection.py:exponential_mechanism",
    "sparse_vector.py:sparse_vector", "sparse_vector.py:chen", "responses.py:randomised_response",
    "discrete.py:discrete_noisy_max", "histograms.py:noisy_histogram",
)  # fmt: skip
QUESTIONS = (
    "clamped_sum --neighbours change_one --records numbers --set lower=0 --set upper=100 --claim 100",
    "clamped_sum --neighbours change_one --records numbers --set lower=0 --set upper=100 --claim 99",
    "clamped_sum --neighbours add_remove --records numbers --set lower=-3 --set upper=7 --claim 7",
    "clamped_sum --neighbours add_remove --records numbers --set lower=-3 --set upper=7",
    "sum_with_ceiling --neighbours add_remove --records numbers --claim 100",
    "sum_with_ceiling --neighbours change_one --records numbers --claim 200",
)
STABILITIES = {
    "total": ("sum(min(row, 10) for row in rows)", 10),
    "far": ("sum(min(row, 11) for row in rows)", 10),
    "spread": ("max(rows, default=0) - min(rows, default=0)", 20),
    "late": ("sum(rows) if len(rows) < 9 else 10 * sum(rows)", 20),
}


def commands(folder: Path) -> dict[str, list[str]]:
    """The questions by name, with the files that they need."""
    found: dict[str, list[str]] = {}
    for name, (neighbours, events) in SPECS.items():
        stated = [{"sensitivity": "1", **one} if "epsilon" not in one and "rho" not in one else one for one in events]
        path = folder / f"{name.replace(' ', '_')}.json"
        path.write_text(json.dumps({"neighbours": neighbours, "events": stated}))
        found[f"account: {name}"] = ["account", str(path), "--delta", "1e-6", "--epsilon", "1/2", "--timeout", "10"]
    found["account: little work"] = [*found["account: sampled laplace"][:-1], "0.5"]
    found["account: narrow"] = ["account", found["account: training"][1], "--delta", "1e-9", "--width", "1e-30"]
    found["account: calibrated"] = [
        "account", "--sgd", "--rate", "1/100", "--steps", "1000", "--calibrate", "sigma", "--epsilon", "2", "--delta",
        "1e-5", "--neighbours", "add_remove",
    ]  # fmt: skip
    found["account: line"] = [
        "account", "--sgd", "--noise-multiplier", "1.1", "--rate", "1/100", "--steps", "10000", "--delta", "1e-5",
    ]  # fmt: skip
    for name in PROGRAMS:
        found[f"prove: {name}"] = ["prove", LIBRARY + name, "--timeout", "20", "--no-run"]
    for i, question in enumerate(QUESTIONS):
        found[f"sensitivity {i}"] = ["sensitivity", f"{QUERIES}:{question.split()[0]}", *question.split()[1:]]
    for name, (body, bound) in STABILITIES.items():
        (folder / f"{name}.py").write_text(f"def f(rows):\n    return {body}\n")
        (folder / f"{name}.toml").write_text(
            f'[[target]]\nname = "{name}"\nkind = "stability"\nfunction = "{name}:f"\n'
            "space = { table = { whole = [0, 20] } }\n"
            f'claim = {{ input = "symmetric", d_in = 1, output = "absolute", d_out = {bound} }}\n'
        )
        found[f"audit: {name}"] = ["audit", str(folder / f"{name}.toml")]
    return found


def answer(command: list[str], folder: Path) -> Any:
    """What the command prints as JSON, without seconds and files; or how it ended."""
    writes = ["--certificates", str(folder / "certificates")] if command[0] in ("prove", "sensitivity") else []
    run = [sys.executable, "-m", "refdp", *command, *writes, "--json"]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    if not done.stdout:
        return {"exit": done.returncode, "says": done.stderr}
    return {"exit": done.returncode, "says": plain(json.loads(done.stdout))}


def plain(found: Any) -> Any:
    """Without what differs from run to run."""
    if isinstance(found, dict):
        return {key: plain(value) for key, value in found.items() if key not in NOT_COMPARED}
    return [plain(one) for one in found] if isinstance(found, list) else found


def spin() -> None:
    """Takes all the time that there is."""
    while True:
        pass


@contextmanager
def busy(number: int) -> Iterator[None]:
    """So many busy processes run beside the block."""
    running = [multiprocessing.Process(target=spin, daemon=True) for _ in range(number)]
    for one in running:
        one.start()
    try:
        yield
    finally:
        for one in running:
            one.kill()


def main() -> int:
    """Ask twice and compare."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        asked, answers = commands(folder), list[dict[str, Any]]()
        for beside in (0, BUSY):
            began = time.monotonic()
            with busy(beside):
                answers.append({name: answer(command, folder) for name, command in asked.items()})
            print(
                f"{len(asked)} questions beside {beside} busy processes: {time.monotonic() - began:.0f} s", flush=True
            )
        alone, besides = answers
        different = [name for name in asked if alone[name] != besides[name]]
        for name in different:
            print(f"{name}\n  alone:   {json.dumps(alone[name])}\n  besides: {json.dumps(besides[name])}")
        failed = [name for name, one in alone.items() if one["exit"] not in (0, 1, 3)]
        for name in failed:
            print(f"{name} was not answered: {json.dumps(alone[name])[:400]}")
        print(f"{len(asked) - len(different)} of {len(asked)} answers are identical")
    return int(bool(different or failed))


if __name__ == "__main__":
    sys.exit(main())
